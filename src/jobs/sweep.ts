import { openDb } from '../db/client.ts'
import type { Env } from '../env.ts'
import { deleteExpiredKeys } from '../http/idempotency.ts'
import { tellDeliveries, tellQueue } from '../queue/messages.ts'
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
  const [
    events,
    letters,
    reminders,
    deliveries,
    entries,
    connections,
    writes,
    meetings,
    owing,
    payments,
    refunds,
    unpaid,
    periods,
  ] = await db.batch([
    selectUnhandledEvents(db, now - GRACE_MS),
    selectOverdueLetters(db, now - GRACE_MS),
    selectDueReminders(db, now),
    selectOverdueDeliveries(db, now - GRACE_MS),
    selectDueEntries(db, now),
    selectDueConnections(db, now),
    selectDueWrites(db, now),
    selectDueMeetings(db, now),
    selectOwing(db, now),
    selectDuePayments(db, now),
    selectDueRefunds(db, now),
    selectExpiredPayments(db, now),
    selectOverduePeriods(db, now, BILLING_GRACE_MS),
    deleteExpiredKeys(db, now),
    pruneEvents(db, now - KEPT_MS),
    pruneDeliveries(db, now - KEPT_MS),
  ])
  await tellQueue(
    env,
    ...events.map(({ id }) => ({ type: 'event', eventId: id }) as const),
    ...letters.map(({ id }) => ({ type: 'letter', letterId: id }) as const),
    ...connections.map(({ id }) => ({ type: 'calendar', connectionId: id, since: now }) as const),
    ...payments.map(({ id }) => ({ type: 'payment', paymentId: id }) as const),
    ...refunds.map(({ id }) => ({ type: 'refund', refundId: id }) as const),
    ...writes.map((key) => ({ type: 'calendar-write', ...key }) as const),
    ...meetings.map(({ holderId }) => ({ type: 'meeting', holderId }) as const),
  )
  await tellDeliveries(
    env,
    deliveries.map(({ id, attempts }) => ({ type: 'delivery', deliveryId: id, attempt: attempts + 1 })),
  )
  await sendAllDueReminders(env, db, reminders, now)
  await expireEntries(env, db, entries, now)
  await offerFreed(env, owing, now)
  await expireAllPayments(env, db, unpaid, now)
  await followOverdue(env, periods)
}
