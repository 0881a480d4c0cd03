import { and, asc, eq, isNull, lte, or, sql } from 'drizzle-orm'
import type { Db, Statement } from '../../../db/client.ts'
import { comesAfter } from '../../../db/due-page.ts'
import { refuseWhen } from '../../../db/refusals.ts'
import { bookings } from '../../../db/schema/bookings.ts'
import { eventTypes } from '../../../db/schema/event-types.ts'
import { reminders } from '../../../db/schema/mail.ts'
import { organizations } from '../../../db/schema/organizations.ts'

export type ReminderRow = typeof reminders.$inferSelect

export function insertReminders(db: Db, rows: readonly ReminderRow[]): Statement[] {
  return rows.length === 0 ? [] : [db.insert(reminders).values([...rows])]
}

/** A letter of a due reminder that is still unsent finds out by itself that there is nothing left to say. */
export function deleteReminders(db: Db, bookingId: string): Statement {
  return db.delete(reminders).where(eq(reminders.bookingId, bookingId))
}

export type DueReminder = Awaited<ReturnType<typeof selectDueInSandbox>>[number]

export const REMINDERS_A_PAGE = 50

function selectDue(db: Db) {
  return db
    .select({
      booking: bookings,
      minutesBefore: reminders.minutesBefore,
      dueAt: reminders.dueAt,
      title: eventTypes.title,
      organizationName: organizations.name,
    })
    .from(reminders)
    .innerJoin(bookings, eq(bookings.id, reminders.bookingId))
    .innerJoin(eventTypes, eq(eventTypes.id, bookings.eventTypeId))
    .innerJoin(organizations, eq(organizations.id, reminders.organizationId))
}

/** Reminders due by the real clock, for everybody whose sandbox does not have a clock of its own. */
export function selectDueReminders(db: Db, now: number, last?: DueReminder) {
  const order = [reminders.dueAt, reminders.bookingId, reminders.minutesBefore]
  const followsRealClock = or(eq(reminders.isTest, false), isNull(organizations.sandboxNow))
  const isNext = comesAfter(order, last && [last.dueAt, last.booking.id, last.minutesBefore])
  return selectDue(db)
    .where(and(lte(reminders.dueAt, now), followsRealClock, isNext))
    .orderBy(...order)
    .limit(REMINDERS_A_PAGE)
}

export function selectDueInSandbox(db: Db, organizationId: string, now: number) {
  return selectDue(db)
    .where(
      and(
        eq(reminders.organizationId, organizationId),
        eq(reminders.isTest, true),
        lte(reminders.dueAt, now),
      ),
    )
    .orderBy(asc(reminders.dueAt))
    .limit(REMINDERS_A_PAGE)
}

/** Takes a reminder off the list; a batch that was prepared for one that is gone or moved is refused. */
export function takeReminder(
  db: Db,
  { bookingId, minutesBefore, dueAt }: Pick<ReminderRow, 'bookingId' | 'minutesBefore' | 'dueAt'>,
): Statement[] {
  const isGone = sql`NOT EXISTS (SELECT 1 FROM reminders
    WHERE booking_id = ${bookingId} AND minutes_before = ${minutesBefore} AND due_at = ${dueAt})`
  return [
    refuseWhen(db, 'STALE', isGone),
    db
      .delete(reminders)
      .where(and(eq(reminders.bookingId, bookingId), eq(reminders.minutesBefore, minutesBefore))),
  ]
}
