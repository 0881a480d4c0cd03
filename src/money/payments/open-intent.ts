import type { Env } from '../../env.ts'
import { notifyOperator } from '../../outbox/mail/operator-notices/notify-operator.ts'
import { bareError } from '../../platform/db/bare-error.ts'
import type { Db } from '../../platform/db/client.ts'
import { completeStored } from '../../platform/http/idempotency.ts'
import { realNow } from '../../platform/limits/clock.ts'
import { failureOf, isProviderError, type ProviderFailure, stripeClient } from '../stripe/client.ts'
import { createIntent } from '../stripe/payment-intents.ts'
import { needsOperator } from '../stripe/platform-refusal.ts'
import { type PaymentRow, writeIntent } from './queries.ts'

type Opened =
  | {
      readonly kind: 'opened'
      readonly intentId: string
      readonly clientSecret: string
      readonly isOpen: boolean
      /** Whether the account has a method for the amount and currency. Without one, nobody can ever pay it. */
      readonly isPayable: boolean
    }
  | ({ readonly kind: 'failed' } & { readonly failure: ProviderFailure['kind'] })

/**
 * Asks the provider for the intent of a payment and stores it, with the answer that is kept for it. The
 * booking's id is the provider's key, so any number of calls makes one intent.
 */
export async function openIntent(env: Env, db: Db, row: PaymentRow, patience?: AbortSignal): Promise<Opened> {
  const stripe = stripeClient(env, fetch, patience)
  const { providerAccountId } = row
  if (!stripe || providerAccountId === null) return { kind: 'failed', failure: 'refused' }
  let intent: Awaited<ReturnType<typeof createIntent>>
  try {
    const { platformFee: fee } = row
    const metadata = {
      payment_id: row.id,
      booking_id: row.bookingId,
      organization_id: row.organizationId,
    }
    intent = await createIntent(stripe, { ...row, providerAccountId, fee, metadata }, row.bookingId)
  } catch (error) {
    const { kind, code } = failureOf(error)
    const cause = bareError(error).message
    if (isProviderError(error) && needsOperator(error))
      await notifyOperator(env, db, row, { subject: 'stripe', fault: error.message }, realNow())
    console.error(JSON.stringify({ provider: 'create intent', paymentId: row.id, kind, code, cause }))
    return { kind: 'failed', failure: kind }
  }
  const clientSecret = intent.client_secret ?? ''
  const kept =
    row.keptScope !== null && row.keptKey !== null
      ? await completeStored(env, db, row.keptScope, row.keptKey, (body) =>
          withSecret(body, row, clientSecret),
        )
      : []
  const [[written]] = await db.batch([writeIntent(db, row.id, intent.id), ...kept])
  const isOpen = written?.status === 'pending' || written?.status === 'failed'
  const isPayable = intent.payment_method_types.length > 0
  return { kind: 'opened', intentId: intent.id, clientSecret, isOpen, isPayable }
}

type Created = Readonly<Record<string, unknown>> & {
  readonly payment?: Readonly<Record<string, unknown>> | null
}

/** The answer to the creator of the booking, with what the invitee's browser pays with. */
export function withSecret(
  body: unknown,
  { providerAccountId }: Pick<PaymentRow, 'providerAccountId'>,
  clientSecret: string,
): Created {
  const created = body as Created
  const told = { client_secret: clientSecret, payment_provider_account_id: providerAccountId }
  return { ...created, payment: { ...created.payment, ...told } }
}
