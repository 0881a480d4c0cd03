import { and, count, eq, gte, isNotNull, isNull, lte, sum } from 'drizzle-orm'
import type { Tenant } from '../../auth/caller.ts'
import type { Db } from '../../db/client.ts'
import { apiKeys } from '../../db/schema/api-keys.ts'
import { bookings } from '../../db/schema/bookings.ts'
import { eventTypes } from '../../db/schema/event-types.ts'
import { bookingQuotas, organizations } from '../../db/schema/organizations.ts'
import { webhookDeliveries } from '../../db/schema/webhooks.ts'
import { selectConnectionCounts } from '../calendars/connections.ts'

/** Instants with both ends included. */
export type Period = { readonly from: number; readonly to: number }

/**
 * The keys that may have counted calls since `from`. A key's first use on a day is written before the call is
 * answered; in the sandbox, whose clock is not the one of that note, every key that was ever used is asked.
 */
function selectUsedKeys(db: Db, { organizationId, isTest }: Tenant, from: number) {
  return db
    .select({ hash: apiKeys.hash })
    .from(apiKeys)
    .where(
      and(
        eq(apiKeys.organizationId, organizationId),
        eq(apiKeys.isTest, isTest),
        isTest ? isNotNull(apiKeys.lastUsedAt) : gte(apiKeys.lastUsedAt, from),
      ),
    )
}

/** Reads one range of an index that holds all it asks for, so it costs what the period holds, not the history. */
function selectBookingsByStatus(db: Db, { organizationId, isTest }: Tenant, { from, to }: Period) {
  return db
    .select({ status: bookings.status, made: count() })
    .from(bookings)
    .where(
      and(
        eq(bookings.organizationId, organizationId),
        eq(bookings.isTest, isTest),
        gte(bookings.createdAt, from),
        lte(bookings.createdAt, to),
      ),
    )
    .groupBy(bookings.status)
}

export async function loadUsage(db: Db, tenant: Tenant, month: string, from: number) {
  const { organizationId } = tenant
  const [[plan], keys] = await db.batch([
    db
      .select({ tier: organizations.tier, bookingsThisMonth: bookingQuotas.bookings })
      .from(organizations)
      .leftJoin(
        bookingQuotas,
        and(eq(bookingQuotas.organizationId, organizations.id), eq(bookingQuotas.month, month)),
      )
      .where(eq(organizations.id, organizationId)),
    selectUsedKeys(db, tenant, from),
  ])
  const { tier, bookingsThisMonth } = plan!
  return { tier, bookingsThisMonth: bookingsThisMonth ?? 0, keyHashes: keys.map(({ hash }) => hash) }
}

export async function countBookings(db: Db, tenant: Tenant, period: Period): Promise<number> {
  const rows = await selectBookingsByStatus(db, tenant, period)
  return rows.reduce((total, { made }) => total + made, 0)
}

export async function loadUsageSummary(db: Db, tenant: Tenant, period: Period) {
  const [byStatus, [offered], keys, sent, [connected]] = await db.batch([
    selectBookingsByStatus(db, tenant, period),
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
    selectUsedKeys(db, tenant, period.from),
    db
      .select({ status: webhookDeliveries.status, made: count() })
      .from(webhookDeliveries)
      .where(
        and(
          eq(webhookDeliveries.organizationId, tenant.organizationId),
          eq(webhookDeliveries.isTest, tenant.isTest),
          gte(webhookDeliveries.createdAt, period.from),
          lte(webhookDeliveries.createdAt, period.to),
        ),
      )
      .groupBy(webhookDeliveries.status),
    selectConnectionCounts(db, tenant),
  ])
  return {
    deliveries: new Map(sent.map(({ status, made }) => [status, made])),
    bookings: new Map(byStatus.map(({ status, made }) => [status, made])),
    calendars: { total: connected!.total, active: connected!.active ?? 0 },
    eventTypes: { total: offered!.total, active: offered!.active ?? 0 },
    keyHashes: keys.map(({ hash }) => hash),
  }
}
