import { and, asc, eq, gt, isNull, or, sql } from 'drizzle-orm'
import type { Db } from '../../platform/db/client.ts'
import { DUE_A_PAGE, staysHere } from '../../platform/db/due-page.ts'
import { eventTypes } from '../../platform/db/schema/event-types.ts'
import { bookingQuotas, organizations } from '../../platform/db/schema/organizations.ts'
import type { RealMs } from '../../platform/limits/clock.ts'
import { PLANS } from '../../platform/limits/plans.ts'
import { monthOf } from '../schedule/schedule.ts'

/**
 * The bookable event types with released time to offer, in the order of its release, after `last`, the last one of the page
 * before; those of one organization if it is named.
 */
export function selectOwing(db: Db, now: RealMs, last?: { readonly since: number }, organizationId?: string) {
  const tiers = Object.entries(PLANS).map(([tier, plan]) => sql`WHEN ${tier} THEN ${plan.bookingsPerMonth}`)
  const quota = sql`CASE ${organizations.tier} ${sql.join(tiers, sql` `)} END`
  const isPayable = sql`(${eventTypes.priceAmount} IS NULL OR EXISTS (SELECT 1 FROM payment_accounts
    WHERE organization_id = ${organizations.id} AND charges_enabled AND disconnected_at IS NULL))`
  const isBookable = sql`(${eventTypes.active} AND ${organizations.suspendedAt} IS NULL
    AND (${eventTypes.isTest} OR (coalesce(${bookingQuotas.bookings}, 0) < ${quota} AND ${isPayable})))`
  // One index step per event type, however much time it has released.
  const owing = sql`(WITH RECURSIVE owing(id) AS (
      SELECT min(event_type_id) FROM freed_times
      UNION ALL SELECT (SELECT min(event_type_id) FROM freed_times WHERE event_type_id > owing.id)
      FROM owing WHERE owing.id IS NOT NULL)
    SELECT id, (SELECT min(id) FROM freed_times WHERE event_type_id = owing.id) AS since FROM owing WHERE id IS NOT NULL) owing`
  const since = sql<number>`owing.since`
  return db
    .select({ id: sql<string>`owing.id`.as('id'), since: since.as('since') })
    .from(owing)
    .leftJoin(eventTypes, eq(eventTypes.id, sql`owing.id`))
    .leftJoin(organizations, eq(organizations.id, eventTypes.organizationId))
    .leftJoin(
      bookingQuotas,
      and(eq(bookingQuotas.organizationId, eventTypes.organizationId), eq(bookingQuotas.month, monthOf(now))),
    )
    .where(
      and(
        or(isNull(eventTypes.id), sql`${eventTypes.deletedAt} IS NOT NULL`, isBookable),
        organizationId === undefined ? undefined : eq(eventTypes.organizationId, organizationId),
        staysHere(sql`coalesce(${eventTypes.organizationId}, '')`),
        gt(since, last?.since ?? 0),
      ),
    )
    .orderBy(asc(since))
    .limit(DUE_A_PAGE)
}
