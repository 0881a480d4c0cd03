import { bareError } from '../db/bare-error.ts'
import { type Db, openDb, type Query } from '../db/client.ts'
import type { Env } from '../env.ts'
import { deleteExpiredKeys } from '../http/idempotency.ts'
import { type Message, tellDeliveries, tellQueue } from '../queue/messages.ts'
import { selectDueConnections } from '../resources/calendar-sync/store.ts'
import { selectDueWrites } from '../resources/calendar-writes/store.ts'
import { selectDueMeetings } from '../resources/conferencing/store.ts'
import { pruneEvents, selectUnhandledEvents } from '../resources/events/store.ts'
import { selectOverdueLetters } from '../resources/mail/store.ts'
import { expireAllPayments } from '../resources/payments/expire-payments.ts'
import { selectDuePayments, selectExpiredPayments } from '../resources/payments/store.ts'
import { selectDueRefunds } from '../resources/refunds/store.ts'
import { sendAllDueReminders } from '../resources/reminders/send-due-reminders.ts'
import { selectDueReminders } from '../resources/reminders/store.ts'
import { followOverdue } from '../resources/subscription/follow-billing.ts'
import { selectOverduePeriods } from '../resources/subscription/store.ts'
import { expireEntries, selectDueEntries } from '../resources/waitlist/expire-entries.ts'
import { offerFreed, selectOwing } from '../resources/waitlist/offer-freed.ts'
import { pruneDeliveries, selectOverdueDeliveries } from '../resources/webhook-deliveries/store.ts'

/** What the queue was told this long ago should be done; what is not is told again. */
const GRACE_MS = 60_000
/** The payment provider renews a subscription up to an hour after its period. */
const BILLING_GRACE_MS = 3_600_000
const KEPT_MS = 30 * 86_400_000

/**
 * Each minute: finds what was committed and never told (the process died in between), what failed and is due
 * again, and what became due. One round trip when there is nothing to do.
 */
export async function sweep(env: Env, now: number): Promise<void> {
  const db = openDb(env, 'decide')
  const jobs = [...told(env, db, now), ...done(env, db, now)]
  const found = await db.batch([
    deleteExpiredKeys(db, now),
    pruneEvents(db, now - KEPT_MS),
    pruneDeliveries(db, now - KEPT_MS),
    ...jobs.map((each) => each.query),
  ])
  const rows = found.slice(-jobs.length)
  for (const [at, { follow }] of jobs.entries()) {
    try {
      await follow(rows[at] as readonly unknown[])
    } catch (error) {
      // The other jobs are none of its business, and the next sweep finds the same again.
      console.error(JSON.stringify({ sweep: 'job', cause: bareError(error).stack }))
    }
  }
}

/** What the queue hears of, again or for the first time. */
function told(env: Env, db: Db, now: number): readonly Job[] {
  const tell = <Row>(query: Query<Row>, message: (row: Row) => Message) =>
    job(query, (rows) => tellQueue(env, ...rows.map(message)))
  return [
    tell(selectUnhandledEvents(db, now - GRACE_MS), ({ id }) => ({ type: 'event', eventId: id })),
    tell(selectOverdueLetters(db, now - GRACE_MS), ({ id }) => ({ type: 'letter', letterId: id })),
    tell(selectDueConnections(db, now), ({ id }) => ({ type: 'calendar', connectionId: id, since: now })),
    tell(selectDuePayments(db, now), ({ id }) => ({ type: 'payment', paymentId: id })),
    tell(selectDueRefunds(db, now), ({ id }) => ({ type: 'refund', refundId: id })),
    tell(selectDueWrites(db, now), (key) => ({ type: 'calendar-write', ...key })),
    tell(selectDueMeetings(db, now), ({ holderId }) => ({ type: 'meeting', holderId })),
    job(selectOverdueDeliveries(db, now - GRACE_MS), (rows) =>
      tellDeliveries(
        env,
        rows.map(({ id, attempts }) => ({ type: 'delivery', deliveryId: id, attempt: attempts + 1 })),
      ),
    ),
  ]
}

/** What is done here and now. */
function done(env: Env, db: Db, now: number): readonly Job[] {
  return [
    job(selectDueReminders(db, now), (rows) => sendAllDueReminders(env, db, rows, now)),
    job(selectDueEntries(db, now), (rows) => expireEntries(env, db, rows, now)),
    job(selectOwing(db, now), (rows) => offerFreed(env, rows, now)),
    job(selectExpiredPayments(db, now), (rows) => expireAllPayments(env, db, rows, now)),
    job(selectOverduePeriods(db, now, BILLING_GRACE_MS), (rows) => followOverdue(env, rows)),
  ]
}

/** One query of the batch, and what follows for its rows. */
type Job<Row = unknown> = {
  readonly query: Query<Row>
  readonly follow: (rows: readonly Row[]) => Promise<void>
}

function job<Row>(query: Query<Row>, follow: (rows: readonly Row[]) => Promise<void>): Job {
  return { query, follow: (rows) => follow(rows as readonly Row[]) }
}
