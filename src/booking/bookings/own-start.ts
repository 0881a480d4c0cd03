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
  const bookingId = await findOwn(ctx, input, outcome.ofRefusal as readonly AtStart[] | undefined)
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

/** Whether the caller may learn that a start is the invitee's own, if it is. */
export function isProven({ caller, proof }: Context): boolean {
  return caller.kind !== 'public' || proof !== undefined
}

type AtStart = Awaited<ReturnType<typeof selectAtStart>>[number]

/** `read` has the bookings that the turn read with its refusal. */
async function findOwn(
  ctx: Context,
  input: CreateBookingInput,
  read: readonly AtStart[] | undefined,
): Promise<string | null> {
  if (!isProven(ctx)) return null
  const { env, caller, proof } = ctx
  const { event_type_id: eventTypeId, start_time: startTime, invitee_email: email } = input
  if (email === '') return null
  const own = read ?? (await selectAtStart(openDb(env, 'decide'), { eventTypeId, startTime }, email))
  if (caller.kind !== 'public') return own[0]?.id ?? null
  for (const { id, addressVersion } of own) {
    if ((await versionOfToken(env, id, proof!)) === addressVersion) return id
  }
  return null
}
