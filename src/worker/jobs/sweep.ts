import { giveUpUndecided } from '../../booking/bookings/approval/give-up-undecided.ts'
import { selectUndecided } from '../../booking/bookings/approval/queries.ts'
import { areOverdue } from '../../booking/bookings/reminders/plan-reminders.ts'
import { putOffReminders, selectDueReminders } from '../../booking/bookings/reminders/queries.ts'
import { keepWords } from '../../booking/bookings/search/keep-words.ts'
import { FILLS_A_PAGE, selectDueFills } from '../../booking/bookings/search/queries.ts'
import { selectExpiredHolds } from '../../booking/holds/queries.ts'
import { tidyExpired } from '../../booking/holds/tidy-holds.ts'
import { selectDueTexts } from '../../booking/text-messages/queries.ts'
import { expireEntries } from '../../booking/waitlist/expiry/expire-entries.ts'
import { EXPIRED_A_PAGE as ENTRIES_A_PAGE, selectExpired } from '../../booking/waitlist/expiry/queries.ts'
import { selectDueChannels } from '../../calendars/channels/queries.ts'
import { followLosses } from '../../calendars/loss/follow-losses.ts'
import { selectToEnd, selectToTell } from '../../calendars/loss/queries.ts'
import { selectDueMeetings } from '../../calendars/meetings/queries.ts'
import { bringOn } from '../../calendars/receiving/bring-on.ts'
import { BROUGHT_A_PAGE, selectToBring } from '../../calendars/receiving/queries.ts'
import { selectDueConnections } from '../../calendars/sync/queries.ts'
import { selectDueWrites } from '../../calendars/writes/queries.ts'
import { MINUTE_MS } from '../../core/time-units.ts'
import { AGENDAS_A_PAGE, selectDueAgendas } from '../../delivery/agenda/queries.ts'
import { sendAgendas } from '../../delivery/agenda/send-agendas.ts'
import {
  putOffDeliveries,
  selectOverdueDeliveries,
  selectToldDeliveries,
} from '../../delivery/webhooks/overdue/queries.ts'
import { offerFreed } from '../../engine/freed-times/offer-freed.ts'
import { selectOwing } from '../../engine/freed-times/statements.ts'
import type { Env } from '../../env.ts'
import { expirePayments } from '../../money/payments/expire-payments.ts'
import { EXPIRED_A_PAGE, selectDuePayments, selectExpiredPayments } from '../../money/payments/queries.ts'
import { selectDueRefunds } from '../../money/payments/refunds/queries.ts'
import { selectDueNotices } from '../../money/plan-notices/queries.ts'
import { followOverdue } from '../../money/subscription/follow-billing.ts'
import { OVERDUE_A_PAGE, selectOverduePeriods } from '../../money/subscription/queries.ts'
import { DELETIONS_A_PAGE, selectDueDeletions } from '../../operations/deletions/queries.ts'
import { type LastReminder, noteSweep } from '../../operations/health/queries.ts'
import { followSandboxes } from '../../operations/sandbox/do-due.ts'
import { SANDBOXES_A_PAGE, SANDBOXES_A_SWEEP, selectDueSandboxes } from '../../operations/sandbox/queries.ts'
import { putOffEvents, selectUnhandledEvents } from '../../outbox/events/queries.ts'
import { selectOverdueEmails } from '../../outbox/mail/queries.ts'
import { bareError } from '../../platform/db/bare-error.ts'
import { commitBatch, type Db, openDb } from '../../platform/db/client.ts'
import { DUE_A_PAGE, selectIsDue } from '../../platform/db/due-page.ts'
import { nameOfShard, shardsOf } from '../../platform/db/shards.ts'
import { nowAsLive, type RealMs } from '../../platform/limits/clock.ts'
import { tallied } from '../../platform/log/tally.ts'
import { writeLine } from '../../platform/log/write-line.ts'
import { settleNames, UNSURE_MS } from '../../platform/names/claim-names.ts'
import { selectUnsureNames } from '../../platform/names/statements.ts'
import { type Message, sendAll, wakeQueue } from '../../platform/queue/messages.ts'
import { Budget } from './budget.ts'
import { dueOf, type Job, job, type SelectDue } from './job.ts'
import { prune } from './prune.ts'

/** Messages enqueued this long ago should be done by now; the others are sent again. */
const GRACE_MS = MINUTE_MS
/** A sweep starts new pages for this long. The next sweep goes on where it ended. */
const BUDGET_MS = 20_000
/** It spends so long on deletions. */
const DELETIONS_MS = 15_000
/** D1 answers 1,000 queries per invocation, of all its databases together; a few are left for sandboxes and deletions. */
const QUERIES_A_SWEEP = 900
/** What each of these makes between two looks at what is left. */
const QUERIES_AT_ONCE = { sandbox: 150, deletion: 60, dumpedPage: 2 }

/**
 * Runs every minute: finds what was committed and never reached the queue (the process died in between), what failed and is due
 * again, what became due, and what can be deleted. With nothing to do it asks once and stores that it ended. Jobs paginate
 * separately, so none waits for another, and databases are swept separately.
 */
export async function sweep(env: Env, at: number, budgetMs: number = BUDGET_MS): Promise<void> {
  const homes = shardsOf(env)
  const queries = Math.floor(QUERIES_A_SWEEP / homes.length)
  const swept = await Promise.allSettled(homes.map((home) => sweepShard(home, at, budgetMs, queries)))
  const failed = swept.find((each) => each.status === 'rejected')
  if (failed) throw failed.reason
}

async function sweepShard(surroundings: Env, at: number, budgetMs: number, queries: number): Promise<void> {
  const began = Date.now()
  const env = tallied(surroundings)
  const now = at as RealMs
  const budget = new Budget(env.tally, Date.now() + budgetMs, queries)
  const db = openDb(env, 'decide')
  const reached: Reached = { reminder: null }
  const kinds = [enqueuing(env, db, now, reached), doing(env, db, now, budget), prune(env, db, now)]
  const flags = await db.batch(kinds.map((jobs) => selectIsDue(db, jobs)))
  const jobs = kinds.flatMap((each, kind) => dueOf(each, flags[kind]!))
  const found = jobs.length > 0 ? await db.batch(jobs.map(({ page }) => page())) : []
  await Promise.all(jobs.map((each, at) => pageOn(each, found[at] as readonly unknown[], budget)))
  await commitBatch(db, [noteSweep(db, Date.now(), reached.reminder, now)])
  const due = found.reduce((sum, rows) => sum + (rows as readonly unknown[]).length, 0)
  await dump(env, now, Math.floor(budget.queriesLeft / QUERIES_AT_ONCE.dumpedPage))
  writeLine(env, env.tally, began, { event: 'sweep', database: nameOfShard(env), due })
}

/** A backup that fails is gone on with by the next sweep, and keeps nothing else from being done. */
async function dump(env: Env, now: RealMs, pages: number): Promise<void> {
  if (!env.DUMPS || pages < 1) return
  try {
    const { dumpOrganizations } = await import('../../operations/moves/dump-organizations.ts')
    await dumpOrganizations(env, now, pages)
  } catch (error) {
    console.error(JSON.stringify({ sweep: 'dump', cause: bareError(error).stack }))
  }
}

async function pageOn(
  { page, limits, follow }: Job,
  first: readonly unknown[],
  budget: Budget,
): Promise<void> {
  const { size, perRow, most = Number.POSITIVE_INFINITY } = limits
  let taken = 0
  try {
    for (let rows = first; rows.length > 0; rows = await budget.reserve(1, () => page(rows.at(-1)))) {
      for (let at = 0; at < rows.length; ) {
        const next = rows.slice(at, at + budget.rowsWithin(rows.length - at, perRow))
        if (next.length === 0) return
        await budget.reserve(next.length * perRow, () => follow(next))
        at += next.length
      }
      taken += rows.length
      if (rows.length < size || taken >= most || !budget.hasLeft(1)) return
    }
  } catch (error) {
    // The other jobs go on, and the next sweep finds the same rows again.
    console.error(JSON.stringify({ sweep: 'job', cause: bareError(error).stack }))
  }
}

/** How far a sweep got, which its end notes: the last reminder that the queue took. */
type Reached = { reminder: LastReminder | null }

/** So many pages of existing bookings are read for the search, for each organization and mode. */
const FILLS_A_ROW = 10

/** One statement at most follows for a page, and none for work that an object does. */
const A_PAGE = { size: DUE_A_PAGE, perRow: 1 / DUE_A_PAGE }
const BY_OBJECTS = { size: DUE_A_PAGE, perRow: 0 }

/**
 * Jobs that enqueue messages, again or for the first time. Events, deliveries and reminders are enqueued less and less often:
 * there are many, and a late message of the first two costs the same. A reminder is enqueued once in its first two minutes. A
 * late message of the others costs one statement while its work waits for a provider.
 */
function enqueuing(env: Env, db: Db, now: RealMs, reached: Reached): readonly Job[] {
  const before = now - GRACE_MS
  const tell = <Row extends Last, Last, Ms extends number>(
    select: SelectDue<Row, Last, Ms>,
    instant: Ms,
    message: (row: Row) => Message,
  ) => job(db, select, instant, A_PAGE, (rows) => wakeQueue(env, ...rows.map(message)))
  const tellLessOften = <Row extends Last & { readonly id: string }, Last, Ms extends number, M>(
    queue: Queue<M>,
    select: SelectDue<Row, Last, Ms>,
    instant: Ms,
    message: (row: Row) => M,
    putOff: (db: Db, ids: readonly string[], now: RealMs) => Promise<void>,
  ) =>
    job(db, select, instant, A_PAGE, async (rows) => {
      const ids = rows.map(({ id }) => id)
      if (await sendAll(queue, rows.map(message))) await putOff(db, ids, now)
    })
  const eventOf = ({ id }: { readonly id: string }) => ({ type: 'event', eventId: id }) as const
  const reminderOf = ({ id }: { readonly id: string }) =>
    ({ type: 'reminder', bookingId: id, dueBy: now }) as const
  const deliveryOf = ({ id, attempts }: { readonly id: string; readonly attempts: number }) =>
    ({ type: 'delivery', deliveryId: id, attempt: attempts + 1 }) as const
  return [
    tellLessOften(env.EVENTS, selectUnhandledEvents, before, eventOf, putOffEvents),
    tell(selectOverdueEmails, before, ({ id }) => ({ type: 'email', emailId: id })),
    job(db, selectDueReminders, now, A_PAGE, async (rows) => {
      if (!(await sendAll(env.EVENTS, rows.map(reminderOf)))) return
      const late = rows.filter((row) => areOverdue(row, now)).map(({ id }) => id)
      if (late.length > 0) await putOffReminders(db, late, now)
      reached.reminder = rows.at(-1)!
    }),
    tell(selectDueTexts, now, ({ id }) => ({ type: 'text', textId: id })),
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
function doing(env: Env, db: Db, now: RealMs, budget: Budget): readonly Job[] {
  const present = nowAsLive(now)
  const mostSandboxes = Math.ceil(SANDBOXES_A_SWEEP / shardsOf(env).length)
  return [
    job(db, selectDueAgendas, now, { size: AGENDAS_A_PAGE, perRow: 12 }, (rows) =>
      sendAgendas(env, db, rows, now),
    ),
    job(db, selectExpired, now, { size: ENTRIES_A_PAGE, perRow: 10 }, (rows) =>
      expireEntries(env, db, rows, present),
    ),
    job(db, selectUndecided, now, BY_OBJECTS, (rows) => giveUpUndecided(env, rows, present)),
    job(db, selectExpiredHolds, now, BY_OBJECTS, (rows) => tidyExpired(env, rows, now)),
    job(db, selectOwing, now, BY_OBJECTS, (rows) => offerFreed(env, rows, now)),
    job(db, selectToTell, now, { size: DUE_A_PAGE, perRow: 20 }, (rows) => followLosses(env, db, rows, now)),
    job(db, selectToEnd, now, { size: DUE_A_PAGE, perRow: 20 }, (rows) => followLosses(env, db, rows, now)),
    job(db, selectToBring, now, { size: BROUGHT_A_PAGE, perRow: 12, most: BROUGHT_A_PAGE }, (rows) =>
      bringOn(env, db, rows, now),
    ),
    job(db, selectExpiredPayments, now, { size: EXPIRED_A_PAGE, perRow: 12 }, (rows) =>
      expirePayments(env, rows, present),
    ),
    // A sandbox with a clock of its own is not among them: what is due there is done when that is set.
    job(db, selectDueSandboxes, now, { size: SANDBOXES_A_PAGE, perRow: 10, most: mostSandboxes }, (rows) =>
      followSandboxes(env, db, rows, now, () => !budget.hasLeft(QUERIES_AT_ONCE.sandbox)),
    ),
    job(db, selectUnsureNames, now - UNSURE_MS, { size: DUE_A_PAGE, perRow: 4 }, (rows) =>
      settleNames(env, rows),
    ),
    job(db, selectDueFills, now, { size: FILLS_A_PAGE, perRow: 4 * FILLS_A_ROW }, async (rows) => {
      for (const tenant of rows) await keepWords(env, db, tenant, FILLS_A_ROW)
    }),
    job(db, selectDueDeletions, now, { size: DELETIONS_A_PAGE, perRow: 0 }, async (rows) => {
      const { followDeletions } = await import('../../operations/deletions/follow-deletions.ts')
      const until = Date.now() + DELETIONS_MS
      const isOver = () => Date.now() >= until || budget.queriesLeft < QUERIES_AT_ONCE.deletion
      await followDeletions(env, db, rows, now, isOver)
    }),
    job(db, selectOverduePeriods, now, { size: OVERDUE_A_PAGE, perRow: 15 }, (rows) =>
      followOverdue(env, rows),
    ),
  ]
}
