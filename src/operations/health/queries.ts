import { and, eq, lte, type SQL, sql } from 'drizzle-orm'
import type { SQLiteTable } from 'drizzle-orm/sqlite-core'
import { isReminderDue } from '../../booking/bookings/reminders/statements.ts'
import type { Db, Statement } from '../../platform/db/client.ts'
import { bookings } from '../../platform/db/schema/bookings.ts'
import { calendarConnections } from '../../platform/db/schema/calendars.ts'
import { emails } from '../../platform/db/schema/mail.ts'
import { events, sweeps } from '../../platform/db/schema/records.ts'
import { webhookDeliveries } from '../../platform/db/schema/webhooks.ts'
import type { RealMs } from '../../platform/limits/clock.ts'

/** More than this is not counted on: it is an alarm either way. */
export const MOST_COUNTED = 10_000

/** How much is due, up to `MOST_COUNTED`, and since when, in epoch milliseconds. */
export type Due = { readonly count: number; readonly since: number | null }

/**
 * What is due by `now` and not done, by kind, and when the last sweep ended. What the sweep has queued counts until it is done,
 * however long the sweep pauses. One round trip, by indexes alone.
 */
export async function findBacklog(db: Db, now: RealMs) {
  const isPending = sql`status = 'pending'`
  const [outbox, letters, reminders, deliveries, toldDeliveries, syncs, swept, size] = await db.batch([
    selectDue(db, events, {
      isDue: sql`handled_at IS NULL AND coalesce(retry_at, created_at) >= 0`,
      order: sql`coalesce(retry_at, created_at)`,
      since: sql`created_at`,
    }),
    selectDue(db, emails, isOver(sql`next_attempt_at`, isPending, now)),
    selectDue(db, bookings, {
      isDue: isReminderDue(now),
      order: sql`next_reminder_at`,
      since: sql`next_reminder_at`,
    }),
    selectDue(
      db,
      webhookDeliveries,
      isOver(sql`next_retry_at`, sql`${isPending} AND tell_again_at IS NULL`, now),
    ),
    selectDue(db, webhookDeliveries, {
      isDue: sql`${isPending} AND tell_again_at >= 0`,
      order: sql`tell_again_at`,
      since: sql`next_retry_at`,
    }),
    selectDue(db, calendarConnections, isOver(sql`next_sync_at`, sql`status IN ('active', 'error')`, now)),
    db.select({ endedAt: sweeps.endedAt }).from(sweeps).where(eq(sweeps.name, 'sweep')),
    db.run(sql`SELECT 1`),
  ])
  return {
    outbox: outbox[0]!,
    letters: together(letters[0]!, reminders[0]!),
    deliveries: together(deliveries[0]!, toldDeliveries[0]!),
    syncs: syncs[0]!,
    sweptAt: swept[0]?.endedAt ?? null,
    bytes: size.meta.size_after,
  }
}

/** `order` is that of an index, in which the rows are found that are `isDue`. */
type What = { readonly isDue: SQL | undefined; readonly order: SQL; readonly since: SQL }

function isOver(dueAt: SQL, isOpen: SQL, now: number): What {
  return { isDue: and(isOpen, lte(dueAt, now)), order: dueAt, since: dueAt }
}

function selectDue(db: Db, table: SQLiteTable, { isDue, order, since }: What) {
  const due = db
    .select({ at: sql<number>`${since}`.as('at') })
    .from(table)
    .where(isDue)
    .orderBy(order)
    .limit(MOST_COUNTED)
    .as('due')
  return db
    .select({ count: sql<number>`count(*)`.as('count'), since: sql<number | null>`min(at)`.as('since') })
    .from(due)
}

function together(one: Due, other: Due): Due {
  const since = [one.since, other.since].filter((at) => at !== null)
  return {
    count: Math.min(MOST_COUNTED, one.count + other.count),
    since: since.length > 0 ? Math.min(...since) : null,
  }
}

export type LastReminder = Pick<typeof bookings.$inferSelect, 'id' | 'nextReminderAt'>

/** That a sweep ran to its end, and the last reminder that it enqueued, unless it was an overdue one before the known one. */
export function noteSweep(db: Db, endedAt: number, reminder: LastReminder | null, now: RealMs): Statement {
  const { name, lastDueAt, lastId } = sweeps
  const last = reminder && { lastDueAt: reminder.nextReminderAt ?? 0, lastId: reminder.id }
  const isLater =
    last &&
    sql`(${lastDueAt} IS NULL OR ${lastDueAt} > ${now} OR (${lastDueAt}, ${lastId}) < (${last.lastDueAt}, ${last.lastId}))`
  return db
    .insert(sweeps)
    .values({ name: 'sweep', endedAt, ...last })
    .onConflictDoUpdate({
      target: name,
      set: {
        endedAt,
        ...(last && {
          lastDueAt: sql`CASE WHEN ${isLater} THEN ${last.lastDueAt} ELSE ${lastDueAt} END`,
          lastId: sql`CASE WHEN ${isLater} THEN ${last.lastId} ELSE ${lastId} END`,
        }),
      },
    })
}
