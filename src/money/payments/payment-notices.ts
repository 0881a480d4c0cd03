import type { Env } from '../../env.ts'
import { storeSandboxItem } from '../../outbox/mail/store-sandbox-item.ts'
import type { Db, Statement } from '../../platform/db/client.ts'
import type { BookedPayment } from '../../platform/db/schema/bookings.ts'
import type { EventRow } from '../../platform/db/schema/records.ts'
import type { RealMs } from '../../platform/limits/clock.ts'
import { wakeQueue } from '../../platform/queue/messages.ts'

type News = { readonly statements: readonly Statement[]; readonly announce: () => Promise<void> }

/** The part of an event about a booking that concerns money. */
type Paid = { readonly id: string; readonly payment?: BookedPayment | null }

const NO_NEWS: News = { statements: [], announce: async () => {} }

/**
 * What follows for the payment provider from an event of a booking. Live, it is asked; in a
 * sandbox, the outbox says what it would have been asked.
 */
export async function paymentNotices(env: Env, db: Db, event: EventRow, now: RealMs): Promise<News> {
  const booking = event.data as Paid
  const { payment } = booking
  if (!payment) return NO_NEWS
  const subject = subjectOf(event.kind, payment.status)
  if (subject === null) return NO_NEWS
  if (!event.isTest) {
    return { statements: [], announce: () => wakeQueue(env, { type: 'payment', paymentId: payment.id }) }
  }
  const onceKey = `event/${event.id}/${payment.id}`
  const item = await keepAsked(env, db, { ...event, onceKey, subject, payment, bookingId: booking.id }, now)
  return { statements: [item.statement], announce: async () => {} }
}

type Asked = {
  readonly organizationId: string
  readonly onceKey: string
  readonly subject: string
  readonly payment: BookedPayment
  readonly bookingId: string
}

/** What the payment provider would have been asked, for the outbox of a sandbox. */
export function keepAsked(
  env: Env,
  db: Db,
  { organizationId, onceKey, subject, payment: { id, amount, currency }, bookingId }: Asked,
  createdAt: RealMs,
): Promise<{ readonly statement: Statement }> {
  const asked = { amount, currency, metadata: { payment_id: id, booking_id: bookingId } }
  return storeSandboxItem(env, db, {
    organizationId,
    onceKey,
    channel: 'payment',
    recipient: 'payment provider',
    subject,
    body: { text: JSON.stringify(asked) },
    createdAt,
  })
}

function subjectOf(kind: string, status: string): string | null {
  if (kind === 'booking.created') return 'payment_intent.create'
  return kind === 'booking.cancelled' && status === 'cancelled' ? 'payment_intent.cancel' : null
}
