import { bareError } from '../db/bare-error.ts'
import { commitBatch, type Db, openDb, type Query } from '../db/client.ts'
import { DUE_A_PAGE } from '../db/due-page.ts'
import { nameOfShard, shardsOf } from '../db/shards.ts'
import type { Env } from '../env.ts'
import { nowAsLive, type RealMs } from '../limits/clock.ts'
import { tallied } from '../log/tally.ts'
import { writeLine } from '../log/write-line.ts'
import { type Message, sendAll, tellQueue } from '../queue/messages.ts'
import { AGENDAS_A_PAGE, selectDueAgendas } from '../resources/agenda/queries.ts'
import { sendAgendas } from '../resources/agenda/send-agendas.ts'
import { giveUpUndecided } from '../resources/bookings/approval/give-up-undecided.ts'
import { selectUndecided } from '../resources/bookings/approval/queries.ts'
import { selectHandovers } from '../resources/bookings/follow-ups/queries.ts'
import { areOverdue } from '../resources/bookings/reminders/plan-reminders.ts'
import { putOffReminders, selectDueReminders } from '../resources/bookings/reminders/queries.ts'
import { selectDueChannels } from '../resources/calendars/channels/queries.ts'
import { followLosses } from '../resources/calendars/loss/follow-losses.ts'
import { selectToEnd, selectToTell } from '../resources/calendars/loss/queries.ts'
import { selectDueConnections } from '../resources/calendars/sync/queries.ts'
import { selectDueWrites } from '../resources/calendars/writes/queries.ts'
import { selectDueMeetings } from '../resources/conferencing/queries.ts'
import { DELETIONS_A_PAGE, selectDueDeletions } from '../resources/deletions/queries.ts'
import { putOffEvents, selectUnhandledEvents } from '../resources/events/queries.ts'
import { offerFreed } from '../resources/freed-times/offer-freed.ts'
import { selectOwing } from '../resources/freed-times/statements.ts'
import { noteSweep } from '../resources/health/queries.ts'
import { selectLapsed } from '../resources/holds/queries.ts'
import { tidyLapsed } from '../resources/holds/tidy-holds.ts'
import { selectOverdueLetters } from '../resources/mail/queries.ts'
import { settleNames, UNSURE_MS } from '../resources/names/claim-names.ts'
import { selectUnsureNames } from '../resources/names/statements.ts'
import { expirePayments } from '../resources/payments/expire-payments.ts'
import { EXPIRED_A_PAGE, selectDuePayments, selectExpiredPayments } from '../resources/payments/queries.ts'
import { selectDueRefunds } from '../resources/payments/refunds/queries.ts'
import { selectDueNotices } from '../resources/plan-notices/queries.ts'
import { followOverdue } from '../resources/subscription/follow-billing.ts'
import { OVERDUE_A_PAGE, selectOverduePeriods } from '../resources/subscription/queries.ts'
import { followSandboxes } from '../resources/test-data/do-due.ts'
import { SANDBOXES_A_PAGE, SANDBOXES_A_SWEEP, selectDueSandboxes } from '../resources/test-data/queries.ts'
import { expireEntries } from '../resources/waitlist/expire-entries.ts'
import { EXPIRED_A_PAGE as ENTRIES_A_PAGE, selectExpired } from '../resources/waitlist/queries.ts'
import {
  putOffDeliveries,
  selectOverdueDeliveries,
  selectToldDeliveries,
} from '../resources/webhooks/overdue/queries.ts'
import { MINUTE_MS } from '../scheduling/time-units.ts'
import { type Job, job, type SelectDue } from './job.ts'
import { HANDOVER_MS, makeUpFor } from './make-up.ts'
import { prune } from './prune.ts'

/** What the queue heard of this long ago should be done by now; what is not is sent again. */
const GRACE_MS = MINUTE_MS
/** A sweep starts new pages for this long. The next sweep goes on where it ended. */
const BUDGET_MS = 20_000

/**
 * Runs each minute: finds what was committed and never reached the queue (the process died in between), what failed
 * and is due again, what became due, and what need not be kept any longer. Where there is nothing to do, it asks once and
 * writes down that it ended. Each job pages on by itself, so none waits for another, and each database is swept by itself.
 */
export async function sweep(env: Env, at: number, budgetMs: number = BUDGET_MS): Promise<void> {
  const swept = await Promise.allSettled(shardsOf(env).map((home) => sweepShard(home, at, budgetMs)))
  const failed = swept.find((each) => each.status === 'rejected')
  if (failed) throw failed.reason
}

async function sweepShard(surroundings: Env, at: number, budgetMs: number): Promise<void> {
  const began = Date.now()
  const env = tallied(surroundings)
  const now = at as RealMs
  const until = Date.now() + budgetMs
  const db = openDb(env, 'decide')
  const jobs = [...told(env, db, now), ...done(env, db, now), ...prune(env, db, now)]
  const found = await db.batch(jobs.map(({ page }) => page()) as unknown as [Query<unknown>])
  await Promise.all(jobs.map((each, at) => pageOn(each, found[at] as readonly unknown[], until)))
  await commitBatch(db, [noteSweep(db, Date.now())])
  const due = found.reduce((sum, rows) => sum + (rows as readonly unknown[]).length, 0)
  await dump(env, now)
  writeLine(env, env.tally, began, { event: 'sweep', database: nameOfShard(env), due })
}

/** A backup that fails is gone on with by the next sweep, and keeps nothing else from being done. */
async function dump(env: Env, now: RealMs): Promise<void> {
  if (!env.DUMPS) return
  try {
    const { dumpOrganizations } = await import('../resources/moves/dump-organizations.ts')
    await dumpOrganizations(env, now)
  } catch (error) {
    console.error(JSON.stringify({ sweep: 'dump', cause: bareError(error).stack }))
  }
}

async function pageOn(
  { page, size, most, follow }: Job,
  first: readonly unknown[],
  until: number,
): Promise<void> {
  let taken = 0
  try {
    for (let rows = first; rows.length > 0; rows = await page(rows.at(-1))) {
      await follow(rows)
      taken += rows.length
      if (rows.length < size || taken >= most || Date.now() >= until) return
    }
  } catch (error) {
    // The other jobs go on, and the next sweep finds the same rows again.
    console.error(JSON.stringify({ sweep: 'job', cause: bareError(error).stack }))
  }
}

/**
 * Jobs that tell the queue, again or for the first time. Of events, deliveries and reminders they tell ever less often: there are
 * many, and a message of the first two costs as much when it comes too late. One of the others costs a statement then, where its
 * work waits for a provider.
 */
function told(env: Env, db: Db, now: RealMs): readonly Job[] {
  const before = now - GRACE_MS
  const tell = <Row extends Last, Last, Ms extends number>(
    select: SelectDue<Row, Last, Ms>,
    instant: Ms,
    message: (row: Row) => Message,
  ) => job(db, select, instant, DUE_A_PAGE, (rows) => tellQueue(env, ...rows.map(message)))
  const tellLessOften = <Row extends Last & { readonly id: string }, Last, Ms extends number, M>(
    queue: Queue<M>,
    select: SelectDue<Row, Last, Ms>,
    instant: Ms,
    message: (row: Row) => M,
    putOff: (db: Db, ids: readonly string[], now: RealMs) => Promise<void>,
    isBehind: (row: Row, now: RealMs) => boolean = () => true,
  ) =>
    job(db, select, instant, DUE_A_PAGE, async (rows) => {
      if (!(await sendAll(queue, rows.map(message)))) return
      const late = rows.filter((row) => isBehind(row, now)).map(({ id }) => id)
      if (late.length > 0) await putOff(db, late, now)
    })
  const eventOf = ({ id }: { readonly id: string }) => ({ type: 'event', eventId: id }) as const
  const reminderOf = ({ id }: { readonly id: string }) =>
    ({ type: 'reminder', bookingId: id, dueBy: now }) as const
  const deliveryOf = ({ id, attempts }: { readonly id: string; readonly attempts: number }) =>
    ({ type: 'delivery', deliveryId: id, attempt: attempts + 1 }) as const
  return [
    tellLessOften(env.EVENTS, selectUnhandledEvents, before, eventOf, putOffEvents),
    tell(selectOverdueLetters, before, ({ id }) => ({ type: 'letter', letterId: id })),
    tellLessOften(env.EVENTS, selectDueReminders, now, reminderOf, putOffReminders, areOverdue),
    tell(selectDueConnections, now, ({ id, accountId }) => ({
      type: 'calendar',
      accountId: accountId ?? id,
      connectionId: id,
      since: now,
    })),
    tell(selectDueChannels, now, ({ connectionId, accountId }) => ({
      type: 'calendar-channel',
      accountId: accountId ?? connectionId,
      connectionId,
    })),
    tell(selectDuePayments, now, ({ id }) => ({ type: 'payment', paymentId: id })),
    tell(selectDueRefunds, now, ({ id }) => ({ type: 'refund', refundId: id })),
    tell(selectDueNotices, now, ({ organizationId, month }) => ({
      type: 'plan-notice',
      organizationId,
      month,
    })),
    tell(selectDueWrites, now, ({ holderId, connectionId }) => ({
      type: 'calendar-write',
      holderId,
      connectionId,
    })),
    tell(selectDueMeetings, now, ({ holderId }) => ({ type: 'meeting', holderId })),
    tellLessOften(env.WEBHOOKS, selectOverdueDeliveries, before, deliveryOf, putOffDeliveries),
    tellLessOften(env.WEBHOOKS, selectToldDeliveries, now, deliveryOf, putOffDeliveries),
  ]
}

/** Jobs that are done at once. */
function done(env: Env, db: Db, now: RealMs): readonly Job[] {
  const present = nowAsLive(now)
  const mostSandboxes = Math.ceil(SANDBOXES_A_SWEEP / shardsOf(env).length)
  return [
    job(db, selectDueAgendas, now, AGENDAS_A_PAGE, (rows) => sendAgendas(env, db, rows, now)),
    job(db, selectExpired, now, ENTRIES_A_PAGE, (rows) => expireEntries(env, db, rows, present)),
    job(db, selectUndecided, now, DUE_A_PAGE, (rows) => giveUpUndecided(env, rows, present)),
    job(db, selectLapsed, now, DUE_A_PAGE, (rows) => tidyLapsed(env, rows, now)),
    job(db, selectOwing, now, DUE_A_PAGE, (rows) => offerFreed(env, rows, now)),
    job(db, selectToTell, now, DUE_A_PAGE, (rows) => followLosses(env, db, rows, now)),
    job(db, selectToEnd, now, DUE_A_PAGE, (rows) => followLosses(env, db, rows, now)),
    job(db, selectExpiredPayments, now, EXPIRED_A_PAGE, (rows) => expirePayments(env, rows, present)),
    // A sandbox with a clock of its own is not among them: what is due there is done when that is set.
    job(
      db,
      selectDueSandboxes,
      now,
      SANDBOXES_A_PAGE,
      (rows) => followSandboxes(env, db, rows, now),
      mostSandboxes,
    ),
    job(db, selectHandovers, now - HANDOVER_MS, 1, async (rows) => {
      for (const { since } of rows) await makeUpFor(db, since)
    }),
    job(db, selectUnsureNames, now - UNSURE_MS, DUE_A_PAGE, (rows) => settleNames(env, rows)),
    job(db, selectDueDeletions, now, DELETIONS_A_PAGE, async (rows) => {
      const { followDeletions } = await import('../resources/deletions/follow-deletions.ts')
      await followDeletions(env, db, rows, now)
    }),
    job(db, selectOverduePeriods, now, OVERDUE_A_PAGE, (rows) => followOverdue(env, rows)),
  ]
}
