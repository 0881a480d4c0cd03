import type Stripe from 'stripe'
import { SYSTEM } from '../../../auth/caller.ts'
import { commitBatch, type Db } from '../../../db/client.ts'
import { newId } from '../../../db/ids.ts'
import { fenceOf } from '../../../db/refusals.ts'
import type { Env } from '../../../env.ts'
import type { RealMs } from '../../../limits/clock.ts'
import { stripeClient } from '../../../providers/stripe/client.ts'
import { isUnderWay, listRefunds } from '../../../providers/stripe/payment-intents.ts'
import { recordActivity } from '../../activity/statements.ts'
import type { PaymentRow } from '../queries.ts'
import { moveRefund } from './move-refund.ts'
import { insertRefund, listRefundsOf, moveAmounts } from './queries.ts'

/** Stores what the provider knows about a payment's refunds: ours, and those that were made at the provider itself. */
export async function syncRefunds(
  env: Env,
  db: Db,
  payment: PaymentRow,
  now: RealMs,
  patience?: AbortSignal,
): Promise<void> {
  const stripe = await stripeClient(env, fetch, patience)
  if (!stripe || payment.intentId === null) return
  const data = await listRefunds(stripe, payment, payment.intentId)
  const known = await listRefundsOf(db, payment.id)
  for (const told of data) {
    const ours = known.find(({ id, providerRefundId }) =>
      providerRefundId === null ? id === told.metadata?.refund_id : providerRefundId === told.id,
    )
    const status = isUnderWay(told) ? ('succeeded' as const) : ('failed' as const)
    if (!ours) {
      if (status === 'succeeded') await takeIn(db, payment, told, now)
    } else if (ours.status !== status) {
      await moveRefund(db, ours, { status, providerRefundId: told.id }, SYSTEM, now)
    }
  }
}

/** A refund that somebody made at the provider. */
async function takeIn(
  db: Db,
  payment: PaymentRow,
  { id, amount }: Stripe.Refund,
  now: RealMs,
): Promise<void> {
  const { id: paymentId, organizationId, isTest } = payment
  const row = {
    id: newId(),
    paymentId,
    organizationId,
    isTest,
    amount,
    cause: 'provider' as const,
    providerRefundId: id,
  }
  try {
    await commitBatch(db, [
      insertRefund(db, { ...row, status: 'succeeded', createdAt: now, updatedAt: now }),
      ...moveAmounts(db, paymentId, { reserved: 0, refunded: amount }, id, now),
      recordActivity(db, payment, SYSTEM, {
        action: 'payment.refunded',
        resourceType: 'payment',
        resourceId: paymentId,
        changes: { amount, refund_id: id, reason: null },
      }),
    ])
  } catch (error) {
    if (fenceOf(error) !== 'REFUND_KNOWN') throw error
  }
}
