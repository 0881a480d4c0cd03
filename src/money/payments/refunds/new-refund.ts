import { feeShareOf } from '../../../engine/schedule/price.ts'
import type { Env } from '../../../env.ts'
import { storeSandboxItem } from '../../../outbox/mail/store-sandbox-item.ts'
import type { Db, Statement } from '../../../platform/db/client.ts'
import { newId } from '../../../platform/db/ids.ts'
import type { AskedMs } from '../../../platform/limits/clock.ts'
import type { Message } from '../../../platform/queue/messages.ts'
import { paymentEvent } from '../money/payment-event.ts'
import { storeMoney } from '../money/queries.ts'
import type { PaymentRow } from '../queries.ts'
import type { PaymentWithDispute } from '../statements.ts'
import { insertRefund, type RefundRow, reserveAmount } from './queries.ts'

export type NewRefund = {
  readonly amount: number
  readonly reason: string | null
  readonly cause: RefundRow['cause']
  readonly claim: string | null
  readonly claimedFor: string | null
  /** When the sweep asks the provider. */
  readonly nextAttemptAt: number
  readonly now: AskedMs
}

/** For the batch that decides on a refund: its amount is reserved before the provider is asked. */
export function refundStatements(
  db: Db,
  payment: PaymentRow,
  { now, ...refund }: NewRefund,
): { readonly id: string; readonly statements: Statement[] } {
  const id = newId(payment.id)
  const { id: paymentId, organizationId, isTest } = payment
  const row = { id, paymentId, organizationId, isTest, ...refund }
  const statements = [
    ...reserveAmount(db, payment, refund.amount, now),
    insertRefund(db, { ...row, status: 'requested', createdAt: now, updatedAt: now }),
  ]
  return { id, statements }
}

/** The same in a sandbox, where the money is back at once and the outbox says what would have been asked. */
export async function simulatedRefund(
  env: Env,
  db: Db,
  payment: PaymentWithDispute,
  { amount, reason, cause, now }: Pick<NewRefund, 'amount' | 'reason' | 'cause' | 'now'>,
): Promise<{
  readonly after: PaymentWithDispute
  readonly statements: readonly Statement[]
  readonly messages: readonly Message[]
}> {
  const id = newId(payment.id)
  const { id: paymentId, organizationId, isTest, intentId, currency } = payment
  const providerRefundId = `re_test_${id.replaceAll('-', '')}`
  const asked = { payment_intent: intentId, amount, currency, metadata: { refund_id: id } }
  const item = await storeSandboxItem(env, db, {
    organizationId,
    onceKey: `refund/${id}`,
    channel: 'payment',
    recipient: 'payment provider',
    subject: 'refund.create',
    body: { text: JSON.stringify(asked) },
    createdAt: now,
  })
  const row = { id, paymentId, organizationId, isTest, amount, reason, cause, providerRefundId }
  const refundedAmount = payment.refundedAmount + amount
  const status = refundedAmount >= payment.amount ? ('refunded' as const) : ('partially_refunded' as const)
  const refundedFee = feeShareOf(payment.platformFee, refundedAmount, payment)
  const after = {
    ...payment,
    refundedAmount,
    refundedFee,
    status,
    refundId: providerRefundId,
    updatedAt: now,
  }
  const event = paymentEvent(db, 'payment.refunded', after)
  const statements = [
    ...storeMoney(db, payment, after),
    insertRefund(db, { ...row, status: 'succeeded', createdAt: now, updatedAt: now }),
    item.statement,
    ...event.statements,
  ]
  return { after, statements, messages: [{ type: 'event', eventId: event.id }] }
}
