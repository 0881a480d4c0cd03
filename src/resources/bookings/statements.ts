import { and, eq, gt, sql } from 'drizzle-orm'
import type { Db, Statement } from '../../db/client.ts'
import { type At, builtOnce } from '../../db/prepared.ts'
import { refuseWhen } from '../../db/refusals.ts'
import { bookings, sessions } from '../../db/schema/bookings.ts'
import { bookingQuotas } from '../../db/schema/organizations.ts'
import type { Interval } from '../../scheduling/interval.ts'
import { MAX_HOLD_MS } from '../../scheduling/longest-hold.ts'
import { callForOpened } from './follow-ups/statements.ts'

type Counted = { readonly organizationId: string; readonly month: string; readonly quota: number }

const countOnce = builtOnce((db, at: At<Counted>) =>
  db
    .insert(bookingQuotas)
    .values({ organizationId: at.organizationId, month: at.month, bookings: 1, quota: at.quota })
    .onConflictDoUpdate({
      target: [bookingQuotas.organizationId, bookingQuotas.month],
      set: { bookings: sql`${bookingQuotas.bookings} + 1`, quota: sql`${at.quota}` },
    }),
)

/** Counts a live booking in its month and refuses the batch when the plan's quota is exceeded by it. */
export function countInQuota(db: Db, organizationId: string, month: string, quota: number): Statement {
  return countOnce(db, { organizationId, month, quota })
}

/** Gives the place of a booking back that was never paid or was no use, to the month in which it was counted. */
export function uncountInQuota(db: Db, organizationId: string, month: string): Statement {
  return db
    .update(bookingQuotas)
    .set({ bookings: sql`${bookingQuotas.bookings} - 1` })
    .where(
      and(
        eq(bookingQuotas.organizationId, organizationId),
        eq(bookingQuotas.month, month),
        gt(bookingQuotas.bookings, 0),
      ),
    )
}

/** Refuses the batch when the cap of `period` is full at the moment of the commit, `exceptId` left out. */
export function guardCap(
  db: Db,
  eventTypeId: string,
  cap: number,
  period: Interval,
  exceptId: string,
): Statement {
  const taken = sql`SELECT count(*) FROM bookings WHERE event_type_id = ${eventTypeId} AND status <> 'cancelled'
    AND start_time >= ${period.start} AND start_time < ${period.end} AND id <> ${exceptId}`
  return refuseWhen(db, 'CAP_REACHED', sql`(${taken}) >= ${cap}`)
}

/** The same for a cap on all bookings, from the counter that triggers keep: no history is counted again. */
export function guardTotalCap(db: Db, eventTypeId: string, cap: number): Statement {
  const taken = sql`SELECT active_bookings FROM event_types WHERE id = ${eventTypeId}`
  return refuseWhen(db, 'CAP_REACHED', sql`(${taken}) >= ${cap}`)
}

/**
 * For the batch that gives an event type its second seat: what is booked becomes a session that others can
 * join, named after the booking that it begins with, whose hold is then its own. Of several bookings of one start,
 * with a host each, the first does; the others stay meetings of their own.
 */
export function shareBookings(db: Db, eventTypeId: string, now: number): Statement[] {
  const isFirst = sql`event_type_id = ${eventTypeId} AND session_id IS NULL AND status <> 'cancelled'
    AND start_time > ${now - MAX_HOLD_MS} AND end_time > ${now}
    AND NOT EXISTS (SELECT 1 FROM sessions s WHERE s.event_type_id = ${eventTypeId} AND s.start_time = bookings.start_time)
    AND NOT EXISTS (SELECT 1 FROM bookings b WHERE b.event_type_id = ${eventTypeId} AND b.start_time = bookings.start_time
      AND b.session_id IS NULL AND b.status <> 'cancelled' AND b.id < bookings.id)`
  const rows = sql`SELECT id, event_type_id, start_time, end_time, 0, assigned_host, calendar_connection_id, ${now} FROM bookings WHERE ${isFirst}`
  const isItsOwn = sql`event_type_id = ${eventTypeId} AND session_id IS NULL AND status <> 'cancelled'
    AND start_time > ${now - MAX_HOLD_MS} AND end_time > ${now} AND EXISTS (SELECT 1 FROM sessions s WHERE s.id = bookings.id)`
  return [
    db.insert(sessions).select(rows),
    db.update(bookings).set({ sessionId: sql`id` }).where(isItsOwn),
    ...callForOpened(db, eventTypeId, now),
  ]
}
