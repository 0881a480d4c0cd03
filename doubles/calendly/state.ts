import type { Frame, Json } from '../world.ts'

/** What `PUT /control` changes. */
export type Settings = {
  /** What URIs begin with instead of the address of this world, such as `https://api.calendly.com`. */
  origin: string | null
  /** Requests of a user in a minute, by the plan of the organization: developer.calendly.com/api-docs/overview/rate-limits. */
  requestsPerMinute: { paid: number; free: number }
  /** Beginnings of paths that the plan does not include. */
  gatedPaths: string[]
  /** The plan that a refusal of those asks for. */
  gatedPlan: string
  /** Buffers and increments are fields since November 2026, and others before that. */
  eventTypeFields: 'with buffers' | 'without buffers'
}

/** A personal access token, as its owner made it; what `PUT /control/tokens` takes a list of. */
export type Token = {
  token: string
  user: string
  state: 'valid' | 'expired' | 'revoked'
  /** Such as `event_types:read`; null for all. */
  scopes: string[] | null
}

export const COLLECTIONS = [
  'users',
  'organizations',
  'organization_memberships',
  'event_types',
  'user_availability_schedules',
  'scheduled_events',
  'invitees',
] as const

export type Collection = (typeof COLLECTIONS)[number]

/** A resource by its UUID; references to others are `@users/<uuid>` and become URIs when they are shown. */
export type Resource = Json & { uuid: string }

export type Calendly = {
  readonly frame: Frame
  settings: Settings
  tokens: Token[]
  readonly resources: Record<Collection, Map<string, Resource>>
  /** Requests of a user in a minute. */
  readonly minutes: Map<string, number>
}

export function holdCalendly(frame: Frame): Calendly {
  return {
    frame,
    settings: {
      origin: null,
      requestsPerMinute: { paid: 500, free: 50 },
      gatedPaths: [],
      gatedPlan: 'Standard',
      eventTypeFields: 'with buffers',
    },
    tokens: [],
    resources: Object.fromEntries(COLLECTIONS.map((name) => [name, new Map()])) as Calendly['resources'],
    minutes: new Map(),
  }
}

export const put = (calendly: Calendly, collection: Collection, ...all: Resource[]): void => {
  for (const one of all) calendly.resources[collection].set(one.uuid, one)
}

export const listed = (calendly: Calendly, collection: Collection): Resource[] => [
  ...calendly.resources[collection].values(),
]

/** Microseconds, as `2019-08-24T14:15:22.123456Z`. */
export const tell = (at: number): string => new Date(at).toISOString().replace('Z', '000Z')
