import { type Outcome, refused } from '../../engine/turn/outcome.ts'
import type { Env } from '../../env.ts'
import { openDb } from '../../platform/db/client.ts'
import type { BookedPayment } from '../../platform/db/schema/bookings.ts'
import { because } from '../../platform/http/errors.ts'
import { nowAsLive, realNow } from '../../platform/limits/clock.ts'
import { patienceOfCaller } from '../stripe/client.ts'
import { openIntent, withSecret } from './open-intent.ts'
import { claimPayment, findPayment, isUnpaid } from './queries.ts'
import { PROVIDER_FAILED } from './reasons.ts'
import { askToGiveUp } from './settle-booking.ts'

/** The fields of a new paid booking that are needed here. */
type Payable = {
  readonly id: string
  readonly payment:
    | (Pick<BookedPayment, 'id' | 'status'> & { readonly client_secret?: string | undefined })
    | null
}

/**
 * After the object has held the time of a paid booking: asks the provider for its payment, outside the object,
 * where it holds up nobody. A repeated request goes on where the first one was lost.
 */
export async function requestPayment<Created extends Payable>(
  env: Env,
  eventTypeId: string,
  outcome: Outcome<Created>,
): Promise<Outcome<Created>> {
  if (outcome.kind === 'refused') return outcome
  const created = (outcome.kind === 'done' ? outcome.body : outcome.answer.body) as Partial<Payable>
  const { payment, id: bookingId } = created
  if (!payment || !bookingId || payment.client_secret !== undefined) return outcome
  // What a hold became may be paid by now, or given up. Asked again after a day, the provider would make a second intent.
  if (!isUnpaid(payment)) return outcome

  const patience = patienceOfCaller()
  const db = openDb(env, 'decide')
  const now = realNow()
  const row =
    outcome.kind === 'done' ? await findPayment(db, payment.id) : await claimPayment(db, payment.id, now)
  if (!row) return refused(because('still_running'))
  const opened = await openIntent(env, db, row, patience)
  if (opened.kind === 'failed') {
    // The secret was returned before, so somebody may be paying.
    if (row.intentId !== null) return refused(because('payment_unanswered'))
    await askToGiveUp(env, { eventTypeId, bookingId }, PROVIDER_FAILED, nowAsLive(now))
    return refused(because('payment_failed'))
  }
  if (!opened.isOpen) return refused(because('given_up'))
  if (!opened.isPayable) {
    await askToGiveUp(env, { eventTypeId, bookingId }, PROVIDER_FAILED, nowAsLive(now))
    return refused(because('payment_unavailable'))
  }
  const body = withSecret(created, row, opened.clientSecret) as Created
  return outcome.kind === 'done'
    ? { kind: 'done', body }
    : { kind: 'replayed', answer: { status: outcome.answer.status, body } }
}
