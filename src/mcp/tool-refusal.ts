import { type Answer, type StoredRefusal, toldOf } from '../platform/http/answer.ts'
import type { Refusal } from '../platform/http/errors.ts'
import type { ProtocolError } from './protocol-error.ts'
import { cutText } from './untrusted.ts'
import { whatToDo } from './what-to-do.ts'

type Details = NonNullable<Refusal['details']>

/** A refusal as an agent reads it. */
type Told = {
  readonly code: string
  readonly message: string
  readonly details?: Readonly<Record<string, unknown>>
  readonly doc_url: string
  readonly request_id: string
  /** Whether the very same call can succeed later. */
  readonly retryable: boolean
  readonly suggested_next_action: string
}

const PASSES: ReadonlySet<string> = new Set([
  'rate_limit_exceeded',
  'internal_error',
  'service_unavailable',
  'bad_gateway',
])

/** The name of what is wrong may be as long as the call, and a model reads it several times. */
const MOST_CHARACTERS = 250

/** `also` adds to the details what an agent needs besides. */
export function told(
  refusal: StoredRefusal,
  publicUrl: string,
  requestId: string,
  also: (details: Details) => unknown = (details) => details,
): Told {
  const { code, reason } = refusal
  const { message, details } = toldOf(refusal)
  return {
    code,
    message: cutText(message, MOST_CHARACTERS),
    ...(details && { details: withShortNames(also(details) as Details) }),
    doc_url: `${publicUrl}/docs/errors#${code}`,
    request_id: refusal.request_id ?? requestId,
    retryable: PASSES.has(code) || reason === 'still_running' || reason === 'changing',
    suggested_next_action: whatToDo(refusal, publicUrl),
  }
}

/** The same as an error of the protocol. */
export function errorOf(
  { number, refusal, also, suggestedNextAction }: ProtocolError,
  publicUrl: string,
  requestId: string,
) {
  const data = told(refusal, publicUrl, requestId)
  const next = suggestedNextAction && { suggested_next_action: suggestedNextAction }
  return { code: number, message: data.message, data: { ...data, ...next, ...also } }
}

function withShortNames(details: Details) {
  return Object.fromEntries(
    Object.entries(details).map(([name, value]) => [cutText(name, MOST_CHARACTERS), value]),
  )
}

/** The refusal in an answer of the API, with what is beside it among its details. */
export function refusalOf({ body }: Answer): StoredRefusal {
  const { error, ...beside } = body as { readonly error: StoredRefusal }
  const details = { ...beside, ...error.details }
  return { ...error, ...(Object.keys(details).length > 0 && { details }) }
}
