import type { Outcome } from '../../engine/turn/outcome.ts'
import { openDb } from '../../platform/db/client.ts'
import { refusalOf } from '../../platform/http/answer.ts'
import type { Context } from '../../platform/http/context.ts'
import type { Refusal } from '../../platform/http/errors.ts'
import type { Reason } from '../../platform/reasons/reason.ts'
import type { CreateBookingInput } from './input-schema.ts'
import { versionOfToken } from './invitee-token.ts'
import { selectAtStart } from './queries.ts'

/** Why a start cannot be booked, or not by this invitee. */
const ABOUT_START: ReadonlySet<Reason> = new Set([
  'not_open',
  'hosts_busy',
  'cap_reached',
  'invitee_limit_reached',
])

/**
 * The same outcome. If the start is refused because the invitee has it already, the refusal names their booking, but only if
 * the caller has a key or that booking's token: others must not learn who has booked. It runs after the turn, because the
 * stored response is for callers without a proof, too.
 */
export async function withOwnStart<Body>(
  ctx: Context,
  input: CreateBookingInput,
  outcome: Outcome<Body>,
): Promise<Outcome<Body>> {
  const refusal = refusalIn(outcome)
  if (refusal === null || !ABOUT_START.has(refusal.reason)) return outcome
  const bookingId = await findOwn(ctx, input)
  if (bookingId === null) return outcome
  const details = { ...refusal.details, code: 'already_booked', booking_id: bookingId }
  const named = { ...refusal, details }
  if (outcome.kind !== 'replayed') return { ...outcome, kind: 'refused', refusal: named }
  const { answer } = outcome
  return { ...outcome, answer: { ...answer, body: { ...(answer.body as object), error: named } } }
}

/** The refusal of a start, decided now or stored earlier. */
function refusalIn(outcome: Outcome<unknown>): Refusal | null {
  if (outcome.kind === 'refused') return outcome.refusal
  return outcome.kind === 'replayed' && outcome.answer.status === 409 ? refusalOf(outcome.answer) : null
}

async function findOwn({ env, caller, proof }: Context, input: CreateBookingInput): Promise<string | null> {
  const isPublic = caller.kind === 'public'
  if (isPublic && proof === undefined) return null
  const { event_type_id: eventTypeId, start_time: startTime, invitee_email: email } = input
  const own = await selectAtStart(openDb(env, 'decide'), { eventTypeId, startTime }, email)
  if (!isPublic) return own[0]?.id ?? null
  for (const { id, addressVersion } of own) {
    if ((await versionOfToken(env, id, proof!)) === addressVersion) return id
  }
  return null
}
