import { and, eq, gt, type SQL, sql } from 'drizzle-orm'
import type { Interval } from '../../../core/interval.ts'
import { MAX_HOLD_MS } from '../../../core/longest-hold.ts'
import { percentNoticed, percentUsed } from '../../../money/plan-notices/statements.ts'
import type { Db, Statement } from '../../../platform/db/client.ts'
import { isAddress } from '../../../platform/db/email-spellings.ts'
import { type At, builtOnce } from '../../../platform/db/prepared.ts'
import { refuseWhen } from '../../../platform/db/refusals.ts'
import type { BookingRow } from '../../../platform/db/schema/bookings.ts'
import { bookingQuotas } from '../../../platform/db/schema/organizations.ts'
import { isInTime } from '../../../platform/db/waits-until.ts'
import type { PresentMs } from '../../../platform/limits/clock.ts'

type Counted = {
  readonly organizationId: string
  readonly month: string
  readonly quota: number
  readonly now: PresentMs
  /** The UTC day, since 1970; null if a trigger counts it in `usage_days`. */
  readonly day: number | null
  /** How many bookings are made. */
  readonly many: number
}

const countOnce = builtOnce((db, at: At<Counted>) => {
  const { bookings, noticed, noticeAt, days } = bookingQuotas
  const path = sql`'$."' || CAST(${at.day} AS INTEGER) || '"'`
  const many = sql`CAST(${at.many} AS INTEGER)`
  const counted = (before: SQL) =>
    sql`CASE WHEN ${at.day} IS NULL THEN ${before} ELSE json_set(coalesce(${before}, '{}'), ${path}, coalesce(${before} ->> (${path}), 0) + ${many}) END`
  const isDue = sql`${percentUsed(sql`(${bookings} + ${many})`, at.quota)} > ${percentNoticed(noticed, at.quota)}`
  const first = sql`CASE WHEN ${percentUsed(many, at.quota)} > 0 THEN ${at.now} END`
  return db
    .insert(bookingQuotas)
    .values({
      organizationId: at.organizationId,
      month: at.month,
      bookings: many,
      quota: at.quota,
      noticeAt: first,
      days: counted(sql`NULL`),
    })
    .onConflictDoUpdate({
      target: [bookingQuotas.organizationId, bookingQuotas.month],
      set: {
        bookings: sql`${bookings} + ${many}`,
        quota: sql`${at.quota}`,
        noticeAt: sql`CASE WHEN ${isDue} THEN coalesce(${noticeAt}, ${at.now}) ELSE ${noticeAt} END`,
        days: counted(sql`${days}`),
      },
    })
})

/**
 * Counts live bookings in their month, and refuses the batch if they exceed the plan's quota. If a share of the quota is
 * reached that the owner gets an email about, it notes that the email is due.
 */
export function countInQuota(
  db: Db,
  counted: Omit<Counted, 'many'> & Partial<Pick<Counted, 'many'>>,
): Statement {
  return countOnce(db, { many: 1, ...counted })
}

/** Bookings that were never paid or were cancelled early no longer count in their month. */
export function uncountInQuota(db: Db, organizationId: string, month: string, many = 1): Statement {
  return db
    .update(bookingQuotas)
    .set({ bookings: sql`max(0, ${bookingQuotas.bookings} - ${many})` })
    .where(
      and(
        eq(bookingQuotas.organizationId, organizationId),
        eq(bookingQuotas.month, month),
        gt(bookingQuotas.bookings, 0),
      ),
    )
}

/** Refuses the batch if the cap of `period` is full at the commit; `exceptId` is not counted. */
export function guardCap(
  db: Db,
  eventTypeId: string,
  cap: number,
  period: Interval,
  exceptId: string,
  now: PresentMs,
): Statement {
  const taken = sql`SELECT count(*) FROM bookings WHERE event_type_id = ${eventTypeId} AND status <> 'cancelled'
    AND start_time >= ${period.start} AND start_time < ${period.end} AND id <> ${exceptId}`
  const held = sql`${heldOf(eventTypeId, now)} AND start_time >= ${period.start} AND start_time < ${period.end}`
  return refuseWhen(db, 'CAP_REACHED', sql`(${taken}) + (${held}) >= ${cap}`)
}

/** After bookings moved together: refuses the batch if the cap of `period` is exceeded. */
export function guardFullCap(
  db: Db,
  eventTypeId: string,
  cap: number,
  period: Interval,
  now: PresentMs,
): Statement {
  return guardCap(db, eventTypeId, cap + 1, period, '', now)
}

/** How many bookings of one batch are in a period. */
export type InPeriod = Interval & { readonly many: number }

/** The same before several bookings are made: refuses the batch if a period has no room for all of its own. */
export function guardCaps(
  db: Db,
  eventTypeId: string,
  cap: number,
  periods: readonly InPeriod[],
  now: PresentMs,
): Statement {
  const isIn = sql`start_time >= one.value ->> 'start' AND start_time < one.value ->> 'end'`
  const taken = sql`SELECT count(*) FROM bookings WHERE event_type_id = ${eventTypeId} AND status <> 'cancelled' AND ${isIn}`
  const isFull = sql`EXISTS (SELECT 1 FROM json_each(${JSON.stringify(periods)}) one
    WHERE (${taken}) + (${heldOf(eventTypeId, now)} AND ${isIn}) + (one.value ->> 'many') > ${cap})`
  return refuseWhen(db, 'CAP_REACHED', isFull)
}

/** How many places of a cap are taken besides its bookings, from the view. */
function heldOf(eventTypeId: string, now: PresentMs) {
  return sql`SELECT coalesce(sum(places), 0) FROM cap_changes WHERE event_type_id = ${eventTypeId}
    AND since <= ${now} AND until > ${now}`
}

/** The same for a cap on all bookings, by the counter that triggers keep: no history is counted. */
export function guardTotalCap(db: Db, eventTypeId: string, cap: number, now: PresentMs): Statement {
  const taken = sql`SELECT active_bookings FROM event_types WHERE id = ${eventTypeId}`
  return refuseWhen(db, 'CAP_REACHED', sql`(${taken}) + (${heldOf(eventTypeId, now)}) >= ${cap}`)
}

/** Limit of meetings of a resource that begin in a span. */
export type HeldLimit = Interval & { readonly resourceId: string; readonly most: number }

/** Refuses the batch if a resource has more meetings than its limit. Holds begin up to two hours before their meeting. */
export function guardHolds(db: Db, limits: readonly HeldLimit[], now: PresentMs): Statement {
  const held = sql`SELECT count(*) FROM holds h WHERE h.resource_id = one.value ->> 'resourceId' AND h.kept_by = ''
    AND h.starts_at > (one.value ->> 'start') - ${MAX_HOLD_MS} AND h.starts_at < one.value ->> 'end'
    AND (h.expires_at IS NULL OR h.expires_at > ${now})
    AND coalesce(h.meets_at, h.starts_at) >= one.value ->> 'start' AND coalesce(h.meets_at, h.starts_at) < one.value ->> 'end'`
  const isReached = sql`EXISTS (SELECT 1 FROM json_each(${JSON.stringify(limits)}) one
    WHERE (${held}) >= one.value ->> 'most')`
  return refuseWhen(db, 'CAP_REACHED', isReached)
}

/** Refuses the batch if the invitee has as many upcoming bookings as the event type allows, besides this one. */
export function guardInvitee(db: Db, row: BookingRow, limit: number, now: PresentMs): Statement {
  const others = sql`SELECT count(*) FROM bookings b WHERE organization_id = ${row.organizationId}
    AND is_test = ${Number(row.isTest)} AND ${isAddress(sql`lower(invitee_email)`, row.inviteeEmail)}
    AND +event_type_id = ${row.eventTypeId} AND status <> 'cancelled' AND ${isInTime(now)} AND start_time > ${now} AND id <> ${row.id}`
  return refuseWhen(db, 'CAP_REACHED', sql`(${others}) >= ${limit}`)
}
