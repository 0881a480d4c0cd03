import { and, asc, eq, isNull, lte, or, sql } from 'drizzle-orm'
import type { Db, Statement } from '../../../db/client.ts'
import { comesAfter, staysHere } from '../../../db/due-page.ts'
import { type At, builtOnce } from '../../../db/prepared.ts'
import { refuseWhen } from '../../../db/refusals.ts'
import { type BookingRow, bookings } from '../../../db/schema/bookings.ts'
import { eventTypes } from '../../../db/schema/event-types.ts'
import { organizations } from '../../../db/schema/organizations.ts'
import type { PresentMs, RealMs } from '../../../limits/clock.ts'
import { aboutColumn, peopleColumn } from '../../mail/about/statements.ts'
import type { Reminders } from './plan-reminders.ts'

export type DueReminders = Awaited<ReturnType<typeof selectDueInSandbox>>[number]

export const REMINDERS_A_PAGE = 50

function selectDue(db: Db) {
  return db
    .select({ booking: bookings, about: aboutColumn(), people: peopleColumn() })
    .from(bookings)
    .innerJoin(eventTypes, eq(eventTypes.id, bookings.eventTypeId))
    .innerJoin(organizations, eq(organizations.id, bookings.organizationId))
}

/** Bookings with a reminder due by the real clock, for everybody whose sandbox does not have a clock of its own. */
export function selectDueReminders(db: Db, now: RealMs, last?: DueReminders) {
  const order = [bookings.nextReminderAt, bookings.id]
  const followsRealClock = or(eq(bookings.isTest, false), isNull(organizations.sandboxNow))
  const isNext = comesAfter(order, last && [last.booking.nextReminderAt, last.booking.id])
  return selectDue(db)
    .where(
      and(lte(bookings.nextReminderAt, now), followsRealClock, staysHere(bookings.organizationId), isNext),
    )
    .orderBy(...order)
    .limit(REMINDERS_A_PAGE)
}

export function selectDueInSandbox(db: Db, organizationId: string, now: PresentMs) {
  return (
    selectDue(db)
      // Written out, so that the index of the sandboxes is found.
      .where(
        and(
          eq(bookings.organizationId, organizationId),
          sql`${bookings.isTest} = 1`,
          lte(bookings.nextReminderAt, now),
        ),
      )
      .orderBy(asc(bookings.nextReminderAt))
      .limit(REMINDERS_A_PAGE)
  )
}

type Read = Pick<BookingRow, 'id' | 'revision' | 'startTime' | 'nextReminderAt'>

const guardReminders = builtOnce((db, at: At<Read>) =>
  refuseWhen(
    db,
    'STALE',
    sql`NOT EXISTS (SELECT 1 FROM bookings
      WHERE id = ${at.id} AND revision = ${at.revision} AND start_time = ${at.startTime} AND next_reminder_at = ${at.nextReminderAt})`,
  ),
)

/** Leaves a booking only these reminders; a batch that was prepared for others than it has now is refused. */
export function takeReminders(
  db: Db,
  { id, revision, startTime, nextReminderAt }: Read,
  { reminderMinutes, nextReminderAt: next }: Reminders,
): Statement[] {
  return [
    guardReminders(db, { id, revision, startTime, nextReminderAt }),
    db.update(bookings).set({ reminderMinutes, nextReminderAt: next }).where(eq(bookings.id, id)),
  ]
}
