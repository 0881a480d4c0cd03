import type { Env } from '../../../env.ts'
import type { TenantCaller } from '../../../platform/auth/caller.ts'
import { openDb } from '../../../platform/db/client.ts'
import { refuse } from '../../../platform/http/errors.ts'
import { realNow } from '../../../platform/limits/clock.ts'
import { isProviderError, patienceOfCaller } from '../../stripe/client.ts'
import { openIntent } from '../open-intent.ts'
import { findPaymentInTenant, isUnpaid } from '../queries.ts'
import { selectDueRefundsOf } from '../refunds/queries.ts'
import { settleRefund } from '../refunds/settle-refund.ts'
import type { PaymentWithDispute } from '../statements.ts'
import { syncPayment } from './sync-payment.ts'

/** Asks the provider again about a payment, and answers with what it is now; null where there is none. */
export async function requestSync(
  env: Env,
  caller: TenantCaller,
  id: string,
): Promise<PaymentWithDispute | null> {
  const db = openDb(env, 'decide')
  const payment = await findPaymentInTenant(db, caller, id)
  if (!payment || payment.isTest) return payment
  const patience = patienceOfCaller()
  const now = realNow()
  try {
    // The provider has not answered for this payment yet: the same request with the same key returns the answer.
    if (payment.intentId === null && isUnpaid(payment)) {
      const opened = await openIntent(env, db, payment, patience)
      if (opened.kind === 'failed') throw refuse('payment_not_synced')
    }
    await syncPayment(env, db, id, now, patience)
    // A payment that arrived too late became refundable just now.
    const later = realNow()
    for (const due of await selectDueRefundsOf(db, id, later)) {
      if (!patience.aborted) await settleRefund(env, due.id, later, patience)
    }
  } catch (error) {
    throw isProviderError(error) ? refuse('payment_not_synced') : error
  }
  return findPaymentInTenant(db, caller, id)
}
