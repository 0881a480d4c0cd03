import { percentOf } from '../../../engine/schedule/price.ts'
import type { Env } from '../../../env.ts'
import { recordActivity } from '../../../outbox/activity/statements.ts'
import { SYSTEM } from '../../../platform/auth/caller.ts'
import type { Db, Statement } from '../../../platform/db/client.ts'
import type { PresentMs } from '../../../platform/limits/clock.ts'
import type { Message } from '../../../platform/queue/messages.ts'
import type { PaymentRow } from '../queries.ts'
import type { PaymentWithDispute } from '../statements.ts'
import { refundStatements, simulatedRefund } from './new-refund.ts'
import { oweRequested } from './queries.ts'
import { refundPercent } from './refund-steps.ts'

type Refundable = Pick<
  PaymentRow,
  'status' | 'amount' | 'currency' | 'refundPolicy' | 'refundedAmount' | 'reservedAmount'
>

/** What the invitee gets back on cancelling now: never more than what is left of the payment. */
export function policyAmount(payment: Refundable, startTime: number, now: number): number {
  const { status, amount, currency, refundPolicy, refundedAmount, reservedAmount } = payment
  if (status !== 'succeeded' && status !== 'partially_refunded') return 0
  const percent = refundPercent(refundPolicy, startTime, now)
  return Math.max(0, Math.min(percentOf(amount, percent, currency), amount - refundedAmount - reservedAmount))
}

/** For the batch that cancels a booking for its invitee: the policy's refund, with the payment as it is afterwards. */
export async function refundByPolicy(
  env: Env,
  db: Db,
  payment: PaymentWithDispute,
  startTime: number,
  now: PresentMs,
): Promise<{
  readonly status: PaymentRow['status']
  readonly statements: readonly Statement[]
  readonly messages: readonly Message[]
}> {
  const unlessReserved = policyAmount({ ...payment, reservedAmount: 0 }, startTime, now)
  // So it is without a payment, too.
  if (unlessReserved === 0) return { status: payment.status, statements: [], messages: [] }
  const amount = policyAmount(payment, startTime, now)
  const percent = refundPercent(payment.refundPolicy, startTime, now)
  const reason = `Cancelled in time: the refund policy refunds ${percent} %.`
  // A requested refund without an answer from the provider yet covers the part for which it leaves no money.
  const standing = amount < unlessReserved ? oweRequested(db, payment, reason) : []
  if (amount === 0) return { status: payment.status, statements: standing, messages: [] }
  const told = (action: string) =>
    recordActivity(db, payment, SYSTEM, {
      action,
      resourceType: 'payment',
      resourceId: payment.id,
      changes: { amount, reason },
    })
  const common = { amount, reason, cause: 'policy', now } as const
  if (payment.isTest) {
    const { after, statements, messages } = await simulatedRefund(env, db, payment, common)
    return { status: after.status, statements: [...statements, told('payment.refunded')], messages }
  }
  const refund = { ...common, claim: null, claimedFor: null, nextAttemptAt: Date.now() }
  const { id, statements } = refundStatements(db, payment, refund)
  return {
    status: payment.status,
    statements: [...standing, ...statements, told('payment.refund_requested')],
    messages: [{ type: 'refund', refundId: id }],
  }
}
