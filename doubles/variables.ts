const SERVICES = {
  google: { prefix: 'GOOGLE', api: '/calendar/v3' },
  microsoft: { prefix: 'MICROSOFT', api: '/v1.0' },
  zoom: { prefix: 'ZOOM', api: '/v2' },
} as const

type Registrar = keyof typeof SERVICES

/** The variables that register the service with a world of a double, which is at `base`. */
export function variablesFor(suite: Registrar, base: string): Record<string, string> {
  const { prefix, api } = SERVICES[suite]
  return {
    [`${prefix}_CLIENT_ID`]: 'holdfast-double',
    [`${prefix}_CLIENT_SECRET`]: 'double-secret_1',
    [`${prefix}_AUTH_BASE`]: base,
    [`${prefix}_API_BASE`]: base + api,
  }
}
