import type { TenantCaller } from '../../platform/auth/caller.ts'
import { openDb } from '../../platform/db/client.ts'
import { type Context, originOf } from '../../platform/http/context.ts'
import { notFound, refuse } from '../../platform/http/errors.ts'
import { storeResponse } from '../../platform/http/idempotency.ts'
import { nowAsSeen } from '../../platform/limits/clock.ts'
import { failPayment } from './fail-payment.ts'
import { presentPayment } from './present.ts'
import { processPayment } from './process-payment.ts'
import { findPaymentInTenant, isUnpaid } from './queries.ts'
import { NOT_PAID_IN_TIME } from './reasons.ts'
import type { Payment } from './schema.ts'
import { askToConfirm, askToGiveUp } from './settle-booking.ts'

/** Lets a payment of the sandbox succeed or fail, as events of the provider do for a live one. */
export async function simulatePayment(
  ctx: Context<TenantCaller>,
  id: string,
  end: 'succeed' | 'process' | 'fail',
): Promise<Payment> {
  const { env, caller, now } = ctx
  const db = openDb(env, 'decide')
  const payment = await findPaymentInTenant(db, caller, id)
  if (!payment) throw notFound('payment')
  const origin = originOf(ctx)
  const { status } = payment
  const isOpen = isUnpaid(payment) || status === 'processing'
  if (end === 'fail') {
    if (!isOpen) throw refuse('cannot_fail', { status })
    await failPayment(db, payment, origin, now)
    // Nobody waits any longer for another attempt.
    if (payment.expiresAt <= now)
      await askToGiveUp(env, payment, NOT_PAID_IN_TIME, nowAsSeen(true, null, now))
  } else if (end === 'process') {
    if (!isOpen) throw refuse('cannot_process', { status })
    await processPayment(env, db, payment, { intentId: null, origin, now: nowAsSeen(true, null, now) })
  } else {
    await askToConfirm(env, payment, null, nowAsSeen(true, null, now), origin)
  }
  const after = await findPaymentInTenant(db, caller, id)
  if (!after) throw notFound('payment')
  const body = presentPayment(after)
  if (ctx.claim) await storeResponse(env, ctx.claim, { status: 200, body })
  return body
}
