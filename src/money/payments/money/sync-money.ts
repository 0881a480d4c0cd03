import type Stripe from 'stripe'
import type { Env } from '../../../env.ts'
import { SYSTEM } from '../../../platform/auth/caller.ts'
import type { Db } from '../../../platform/db/client.ts'
import { newId } from '../../../platform/db/ids.ts'
import { NO_CHANGE, runChange } from '../../../platform/http/run-change.ts'
import type { RealMs } from '../../../platform/limits/clock.ts'
import { refundedFeeOf } from '../../stripe/application-fees.ts'
import { type StripeClient, stripeClient } from '../../stripe/client.ts'
import { listDisputes, type ToldDispute } from '../../stripe/disputes.ts'
import { isUnderWay, listRefunds } from '../../stripe/payment-intents.ts'
import { announceWaiting } from '../refunds/announce-waiting.ts'
import { endedRefund } from '../refunds/move-refund.ts'
import type { RefundRow } from '../refunds/queries.ts'
import { changeMoney, type Moved } from './change-money.ts'
import { type DisputeRow, isPaid } from './money-of.ts'
import { findLedger, type Ledger } from './queries.ts'

/**
 * Makes the refunds and disputes of a payment what the provider knows: ours, and what was done at the provider itself.
 * Throws `StripeError`.
 */
export async function syncMoney(
  env: Env,
  db: Db,
  paymentId: string,
  now: RealMs,
  patience?: AbortSignal,
): Promise<void> {
  const stripe = stripeClient(env, fetch, patience)
  if (!stripe) return
  let waiting: (() => Promise<void>)[] = []
  await runChange({ env }, async () => {
    // Read before the provider is asked: a change stored in between is newer, and this batch is refused.
    const ledger = await findLedger(db, paymentId)
    if (!ledger || ledger.payment.intentId === null || !isPaid(ledger.payment.status)) return NO_CHANGE
    const { payment } = ledger
    const { intentId } = payment
    const [refunds, disputes] = await Promise.all([
      listRefunds(stripe, payment, intentId!),
      listDisputes(stripe, payment, intentId!),
    ])
    waiting = refunds.map((refund) => () => announceWaiting(env, db, payment, refund))
    const news = {
      refunds: refundNews(ledger, refunds, now),
      disputes: disputeNotices(ledger, disputes, now),
      refundedFee: await refundedFee(stripe, refunds),
    }
    return changeMoney(env, db, ledger, news, { origin: SYSTEM, now })
  })
  for (const announce of waiting) await announce()
}

/** Without a refund nothing of the fee went back. */
async function refundedFee(stripe: StripeClient, refunds: readonly Stripe.Refund[]): Promise<number | null> {
  const charge = refunds.find((refund) => refund.charge)?.charge
  if (!charge) return null
  return refundedFeeOf(stripe, typeof charge === 'string' ? charge : charge.id)
}

function refundNews(
  { payment, refunds }: Ledger,
  told: readonly Stripe.Refund[],
  now: RealMs,
): Moved<RefundRow>[] {
  const matched = new Set<string>()
  return told.flatMap((one): Moved<RefundRow>[] => {
    const { id: providerRefundId, amount, metadata } = one
    const status = isUnderWay(one) ? ('succeeded' as const) : ('failed' as const)
    // Of two that were made for one of ours the second is one of its own: its money is gone all the same.
    const before = refunds.find((row) =>
      row.providerRefundId === null
        ? row.id === metadata?.refund_id && !matched.has(row.id)
        : row.providerRefundId === providerRefundId,
    )
    if (before) {
      matched.add(before.id)
      if (before.status === status) return []
      return [{ before, after: endedRefund(before, { status, providerRefundId }, now) }]
    }
    return status === 'failed'
      ? []
      : [{ before: null, after: madeThere(payment, providerRefundId, amount, now) }]
  })
}

/** A refund that somebody made at the provider. */
function madeThere(
  { id: paymentId, organizationId, isTest }: Ledger['payment'],
  providerRefundId: string,
  amount: number,
  now: RealMs,
): RefundRow {
  const row = { id: newId(organizationId), paymentId, organizationId, isTest, amount, providerRefundId }
  const unasked = { reason: null, claim: null, claimedFor: null, nextAttemptAt: null, attempts: 0 }
  return { ...row, ...unasked, cause: 'provider', status: 'succeeded', createdAt: now, updatedAt: now }
}

/** What changed in the disputes of a payment, compared with the stored ones. */
export function disputeNotices(
  { payment, disputes }: Ledger,
  told: readonly ToldDispute[],
  now: number,
): Moved<DisputeRow>[] {
  const { id: paymentId, organizationId, isTest } = payment
  return told.flatMap((dispute) => {
    const before = disputes.find(({ id }) => id === dispute.id) ?? null
    const isKnown =
      before?.phase === dispute.phase &&
      before.amount === dispute.amount &&
      before.evidenceDueAt === dispute.evidenceDueAt
    if (isKnown) return []
    const after = { paymentId, organizationId, isTest, ...dispute, updatedAt: now }
    return [{ before, after }]
  })
}
