import type { Env } from '../../../env.ts'
import { recordActivity } from '../../../outbox/activity/statements.ts'
import { SYSTEM } from '../../../platform/auth/caller.ts'
import type { Db, Statement } from '../../../platform/db/client.ts'
import type { PresentMs } from '../../../platform/limits/clock.ts'
import type { Message } from '../../../platform/queue/messages.ts'
import type { PaymentRow } from '../queries.ts'
import { refundStatements, simulatedRefund } from './new-refund.ts'

/** Why the service itself gives money back. */
const PAID_TOO_LATE = 'It was paid after its booking had been given up.'

/** For the batch that stores a payment whose booking was given up: all of it is refunded. */
export async function refundWhole(
  env: Env,
  db: Db,
  payment: PaymentRow,
  now: PresentMs,
): Promise<{ readonly statements: readonly Statement[]; readonly messages: readonly Message[] }> {
  const { amount, id: resourceId } = payment
  const reason = PAID_TOO_LATE
  const told = (action: string) =>
    recordActivity(db, payment, SYSTEM, {
      action,
      resourceType: 'payment',
      resourceId,
      changes: { amount, reason },
    })
  if (payment.isTest) {
    const refund = { amount, reason, cause: 'late', now } as const
    const paid = { ...payment, status: 'succeeded' as const, dispute: null }
    const { statements, messages } = await simulatedRefund(env, db, paid, refund)
    return { statements: [...statements, told('payment.refunded')], messages }
  }
  const cause = 'late' as const
  const refund = { amount, reason, cause, claim: null, claimedFor: null, nextAttemptAt: Date.now(), now }
  const { id, statements } = refundStatements(db, payment, refund)
  return {
    statements: [...statements, told('payment.refund_requested')],
    messages: [{ type: 'refund', refundId: id }],
  }
}
