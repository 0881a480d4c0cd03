import type Stripe from 'stripe'
import type { Env } from '../../../env.ts'
import { enqueueEmail } from '../../../outbox/mail/enqueue-email.ts'
import { onceEach } from '../../../outbox/mail/once-each.ts'
import { commitBatch, type Db } from '../../../platform/db/client.ts'
import { fill } from '../../../platform/i18n/plural.ts'
import { findFactsOfPayment } from '../money/queries.ts'
import type { PaymentRow } from '../queries.ts'

/**
 * Emails the owner once about each refund that the provider holds back until the account's balance covers it: the payer has
 * no money, and only the owner can add some.
 * Source: https://docs.stripe.com/changelog/basil/2025-04-30/refund-pending-reason
 */
export async function announceWaiting(
  env: Env,
  db: Db,
  payment: PaymentRow,
  { id, amount, status, pending_reason: why }: Stripe.Refund,
): Promise<void> {
  if (status !== 'pending' || why !== 'insufficient_funds') return
  const facts = await findFactsOfPayment(db, payment.id)
  if (!facts) return
  const { emailAboutPayment } = await import('../money/about-payment.ts')
  const letters = await Promise.all(
    onceEach(facts.people).map((person) => {
      const email = emailAboutPayment(
        env,
        payment,
        ({ emails, price }) => ({
          heading: fill(emails.refundWaitsSubject, { amount: price(amount) }),
          paragraphs: [emails.refundWaitsText],
        }),
        facts,
        person,
      )
      const once = { onceKey: `${payment.id}/refund-waits/${id}`, ...email }
      return enqueueEmail(env, db, payment, once, { isCounted: false })
    }),
  )
  if (letters.length === 0) return
  await commitBatch(
    db,
    letters.flatMap(({ statements }) => statements),
  )
  for (const { announce } of letters) await announce()
}
