import { type Route, takesKey } from '../route.ts'
import type { Json } from './json-schema.ts'
import { componentName } from './names.ts'

const ANSWER_HEADERS = {
  'X-Request-Id': {
    description: 'The id of this response in the log.',
    schema: { type: 'string', format: 'uuid' },
  },
  'X-RateLimit-Limit': {
    description: 'How many calls the API key may make per minute. Sent to API keys only.',
    schema: { type: 'integer' },
  },
  'X-RateLimit-Remaining': {
    description:
      'How many calls are left in this minute, or today if those are fewer. Sent to API keys only.',
    schema: { type: 'integer' },
  },
  'X-RateLimit-Reset': {
    description: 'When the minute ends, in Unix seconds. Sent to API keys only.',
    schema: { type: 'integer' },
  },
  'Retry-After': { description: 'Retry after this many seconds.', schema: { type: 'integer' } },
  'Idempotent-Replayed': {
    description:
      'Present if this is the stored response of an earlier request with the same Idempotency-Key.',
    schema: { type: 'string', const: 'true' },
  },
  'Dry-Run': {
    description: 'Present if the call was a dry run: nothing was done.',
    schema: { type: 'string', const: 'true' },
  },
  'WWW-Authenticate': {
    description: 'How to authenticate and, if credentials were sent, why they were refused.',
    schema: { type: 'string', pattern: '^Bearer( error="invalid_token", error_description="[^"]*")?$' },
  },
  Location: { description: 'Where to continue.', schema: { type: 'string', format: 'uri' } },
} as const satisfies Record<string, Json>

type AnswerHeader = keyof typeof ANSWER_HEADERS

const RATE = ['X-RateLimit-Limit', 'X-RateLimit-Remaining', 'X-RateLimit-Reset'] as const

export const HEADER_COMPONENTS: Json = Object.fromEntries(
  Object.entries(ANSWER_HEADERS).map(([name, header]) => [componentName(name), header]),
)

function referencesTo(names: readonly AnswerHeader[]): Json {
  return Object.fromEntries(
    names.map((name) => [name, { $ref: `#/components/headers/${componentName(name)}` }]),
  )
}

export function headersOfSuccess(route: Route): Json {
  const takesApiKeys = route.auth !== 'none' && route.auth !== 'service'
  return referencesTo([
    'X-Request-Id',
    ...(takesApiKeys ? RATE : []),
    ...(takesKey(route) ? (['Idempotent-Replayed'] as const) : []),
    ...(route.hasDryRun ? (['Dry-Run'] as const) : []),
  ])
}

/** What a refusal with this status may carry, whichever endpoint it comes from. */
export function headersOfRefusal(status: number): Json {
  if (status === 401) return referencesTo(['X-Request-Id', 'WWW-Authenticate', 'Dry-Run'])
  return referencesTo([
    'X-Request-Id',
    ...RATE,
    ...(isBrake(status) ? (['Retry-After'] as const) : []),
    ...(status < 500 && !isBrake(status) ? (['Idempotent-Replayed'] as const) : []),
    'Dry-Run',
  ])
}

export function headersOfRedirect(): Json {
  return referencesTo(['X-Request-Id', 'Location'])
}

export function headersOfPage(status: number): Json {
  return referencesTo(['X-Request-Id', ...(isBrake(status) ? (['Retry-After'] as const) : [])])
}

function isBrake(status: number): boolean {
  return status === 429 || status === 503
}
