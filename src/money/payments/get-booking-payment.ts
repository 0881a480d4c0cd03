import type { Env } from '../../env.ts'
import { openDb } from '../../platform/db/client.ts'
import { notFound, refuse } from '../../platform/http/errors.ts'
import { formatInstant } from '../../platform/http/instants.ts'
import { simulatedAccountId } from '../provider/simulated-account.ts'
import { patienceOfCaller, stripeClient } from '../stripe/client.ts'
import { getIntent } from '../stripe/payment-intents.ts'
import { simulatedSecret } from './new-payment.ts'
import { findPaymentOfBooking, isUnpaid, type PaymentRow } from './queries.ts'
import type { BookingPayment } from './schema.ts'

/** For an invitee who comes back to pay, or was promoted. The secret comes from the provider and is never stored. */
export async function getBookingPayment(env: Env, bookingId: string): Promise<BookingPayment> {
  const row = await findPaymentOfBooking(openDb(env, 'decide'), bookingId)
  if (!row) throw notFound('payment')
  return {
    id: row.id,
    status: row.status,
    amount: row.amount,
    currency: row.currency,
    client_secret: isUnpaid(row) ? await secretOf(env, row) : null,
    payment_provider_account_id: row.isTest ? simulatedAccountId(row.organizationId) : row.providerAccountId,
    expires_at: formatInstant(row.expiresAt),
  }
}

async function secretOf(env: Env, row: PaymentRow): Promise<string | null> {
  const { id, isTest, intentId } = row
  if (isTest) return simulatedSecret(env, id)
  const stripe = stripeClient(env, fetch, patienceOfCaller())
  if (!stripe || intentId === null) return null
  try {
    return (await getIntent(stripe, row, intentId)).client_secret
  } catch {
    throw refuse('payment_unanswered')
  }
}
