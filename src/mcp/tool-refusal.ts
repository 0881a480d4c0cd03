import type { Answer } from '../platform/http/answer.ts'
import type { Refusal } from '../platform/http/errors.ts'
import { cutText } from './untrusted.ts'
import { whatToDo } from './what-to-do.ts'

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

/** A refusal that was kept names the request that it was decided for. */
type Kept = Refusal & { readonly request_id?: string }

/** `details` are those that the agent gets, if they are more than the refusal's. */
export function told(
  refusal: Kept,
  publicUrl: string,
  requestId: string,
  details: Refusal['details'] = refusal.details,
): Told {
  const { code, message, reason } = refusal
  return {
    code,
    message: cutText(message, MOST_CHARACTERS),
    ...(details && { details: withShortNames(details) }),
    doc_url: `${publicUrl}/docs/errors#${code}`,
    request_id: refusal.request_id ?? requestId,
    retryable: PASSES.has(code) || reason === 'still_running' || reason === 'changing',
    suggested_next_action: whatToDo(refusal, publicUrl),
  }
}

function withShortNames(details: NonNullable<Refusal['details']>) {
  return Object.fromEntries(
    Object.entries(details).map(([name, value]) => [cutText(name, MOST_CHARACTERS), value]),
  )
}

/** The refusal in an answer of the API, with the answer's other fields among its details. */
export function refusalOf({ body }: Answer): Refusal {
  const { error, ...beside } = body as { readonly error: Refusal }
  const { code, message } = error
  const details = { ...beside, ...error.details }
  return { code, message, ...(Object.keys(details).length > 0 && { details }) }
}
