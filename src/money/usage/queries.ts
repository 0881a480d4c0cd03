import { and, count, eq, gte, isNull, lt, lte, type SQLWrapper, sql, sum } from 'drizzle-orm'
import { DAY_MS } from '../../core/time-units.ts'
import type { Tenant } from '../../platform/auth/caller.ts'
import type { Db } from '../../platform/db/client.ts'
import { firstIdOf } from '../../platform/db/ids.ts'
import { apiKeys } from '../../platform/db/schema/api-keys.ts'
import { bookings } from '../../platform/db/schema/bookings.ts'
import { calendarConnections } from '../../platform/db/schema/calendars.ts'
import { eventTypes } from '../../platform/db/schema/event-types.ts'
import { bookingQuotas, organizations, usageDays } from '../../platform/db/schema/organizations.ts'
import { webhookDeliveries, webhookEndpoints } from '../../platform/db/schema/webhooks.ts'

/** Instants; both of their UTC days belong to it. */
export type Period = { readonly from: number; readonly to: number }

/** The keys that may have counted calls since `from`: a key's first use on a day is written before the call is answered. */
function selectUsedKeys(db: Db, { organizationId, isTest }: Tenant, from: number) {
  return db
    .select({ hash: apiKeys.hash })
    .from(apiKeys)
    .where(
      and(
        eq(apiKeys.organizationId, organizationId),
        eq(apiKeys.isTest, isTest),
        gte(apiKeys.lastUsedAt, from),
      ),
    )
}

/** The counts of the period's UTC days, which hold what was made on them and what became of that. */
function sumDays(db: Db, { organizationId, isTest }: Tenant, { from, to }: Period) {
  const sumOf = (column: SQLWrapper) => sql<number>`total(${column})`
  const [first, last] = [Math.floor(from / DAY_MS), Math.floor(to / DAY_MS)]
  const monthOf = (day: number) => new Date(day * DAY_MS).toISOString().slice(0, 7)
  const inMonths = isTest
    ? sql`0`
    : sql`(SELECT total(value) FROM booking_quotas q, json_each(q.days) WHERE q.organization_id = ${organizationId}
        AND q.month >= ${monthOf(first - 1)} AND q.month <= ${monthOf(last + 1)}
        AND CAST(key AS INTEGER) >= ${first} AND CAST(key AS INTEGER) <= ${last})`
  return db
    .select({
      bookings: sql<number>`total(${usageDays.bookings}) + ${inMonths}`.as('bookings'),
      cancelled: sumOf(usageDays.cancelled).as('cancelled'),
      unpaid: sumOf(usageDays.unpaid).as('unpaid'),
      noShows: sumOf(usageDays.noShows).as('no_shows'),
      hostAbsent: sumOf(usageDays.hostAbsent).as('host_absent'),
      deliveries: sumOf(usageDays.deliveries).as('deliveries'),
      arrived: sumOf(usageDays.arrived).as('arrived'),
      givenUp: sumOf(usageDays.givenUp).as('given_up'),
    })
    .from(usageDays)
    .where(
      and(
        eq(usageDays.organizationId, organizationId),
        eq(usageDays.isTest, isTest),
        gte(usageDays.day, first),
        lte(usageDays.day, last),
      ),
    )
}

/** The days count requests among what is unpaid. They are few at any time, for each ends within days: the index finds them. */
function countRequests(db: Db, { organizationId, isTest }: Tenant, { from, to }: Period) {
  return db
    .select({ waiting: count() })
    .from(bookings)
    .where(
      and(
        eq(bookings.organizationId, organizationId),
        eq(bookings.isTest, isTest),
        eq(bookings.status, 'pending_approval'),
        gte(bookings.createdAt, from),
        lt(bookings.createdAt, (Math.floor(to / DAY_MS) + 1) * DAY_MS),
      ),
    )
}

/** Deliveries are counted in their day when they are finished. Few wait at any time, and the index finds them. */
function countQueued(db: Db, { organizationId, isTest }: Tenant, { from, to }: Period) {
  const { id, endpointId, status } = webhookDeliveries
  return db
    .select({ queued: count() })
    .from(webhookEndpoints)
    .innerJoin(webhookDeliveries, and(eq(endpointId, webhookEndpoints.id), eq(status, 'pending')))
    .where(
      and(
        eq(webhookEndpoints.organizationId, organizationId),
        eq(webhookEndpoints.isTest, isTest),
        gte(id, firstIdOf(from)),
        lt(id, firstIdOf((Math.floor(to / DAY_MS) + 1) * DAY_MS)),
      ),
    )
}

/** `made`: of which days the bookings are counted that no plan counts. */
export async function loadUsage(db: Db, tenant: Tenant, month: string, from: number, made: Period) {
  const { organizationId } = tenant
  const [[plan], keys, [days]] = await db.batch([
    db
      .select({
        tier: organizations.tier,
        planLimits: organizations.planLimits,
        bookingsThisMonth: bookingQuotas.bookings,
      })
      .from(organizations)
      .leftJoin(
        bookingQuotas,
        and(eq(bookingQuotas.organizationId, organizations.id), eq(bookingQuotas.month, month)),
      )
      .where(eq(organizations.id, organizationId)),
    selectUsedKeys(db, tenant, from),
    sumDays(db, tenant, made),
  ])
  const { tier, planLimits, bookingsThisMonth } = plan!
  return {
    tier,
    planLimits,
    bookingsThisMonth: tenant.isTest ? days!.bookings : (bookingsThisMonth ?? 0),
    keyHashes: keys.map(({ hash }) => hash),
  }
}

/** `calledFrom`: since when calls are asked for, by the real clock. */
export async function loadUsageSummary(db: Db, tenant: Tenant, period: Period, calledFrom: number) {
  const [[days], [requests], [deliveries], [offered], keys, [connected]] = await db.batch([
    sumDays(db, tenant, period),
    countRequests(db, tenant, period),
    countQueued(db, tenant, period),
    db
      .select({ total: count(), active: sum(eventTypes.active).mapWith(Number) })
      .from(eventTypes)
      .where(
        and(
          eq(eventTypes.organizationId, tenant.organizationId),
          eq(eventTypes.isTest, tenant.isTest),
          isNull(eventTypes.deletedAt),
        ),
      ),
    selectUsedKeys(db, tenant, calledFrom),
    db
      .select({
        total: count(),
        active: sum(sql`${calendarConnections.status} = 'active'`).mapWith(Number),
      })
      .from(calendarConnections)
      .where(
        and(
          eq(calendarConnections.organizationId, tenant.organizationId),
          eq(calendarConnections.isTest, tenant.isTest),
        ),
      ),
  ])
  return {
    days: days!,
    requests: requests!.waiting,
    queuedDeliveries: deliveries!.queued,
    calendars: { total: connected!.total, active: connected!.active ?? 0 },
    eventTypes: { total: offered!.total, active: offered!.active ?? 0 },
    keyHashes: keys.map(({ hash }) => hash),
  }
}
