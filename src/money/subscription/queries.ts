import { and, eq, lt, lte, or, sql } from 'drizzle-orm'
import { HOUR_MS } from '../../core/time-units.ts'
import type { Db, Statement } from '../../platform/db/client.ts'
import { comesAfter, staysHere } from '../../platform/db/due-page.ts'
import { refuseWhen } from '../../platform/db/refusals.ts'
import { organizations } from '../../platform/db/schema/organizations.ts'
import { subscriptions } from '../../platform/db/schema/payments.ts'
import type { RealMs } from '../../platform/limits/clock.ts'
import type { Tier } from '../../platform/limits/plans.ts'
import type { PaidPlan } from './decide-plan.ts'

type Row = typeof subscriptions.$inferSelect

/** An organization's plan and what it pays for. */
export type Billing = {
  readonly organizationId: string
  readonly tier: Tier
  /** Null until it first wanted to buy something. */
  readonly customerId: string | null
  readonly paid: PaidPlan
  readonly updatedAt: number
}

export async function getBilling(db: Db, organizationId: string): Promise<Billing> {
  // As a batch, it shares the round trip of the screen's other reads. Inside that batch, two columns of one name would become
  // one.
  const [[found]] = await db.batch([
    db
      .select({ tier: sql<Tier>`${organizations.tier}`.as('plan_tier'), row: subscriptions })
      .from(organizations)
      .leftJoin(subscriptions, eq(subscriptions.organizationId, organizations.id))
      .where(eq(organizations.id, organizationId)),
  ])
  const { tier, row } = found!
  return {
    organizationId,
    tier,
    customerId: row?.customerId ?? null,
    paid: paidOf(row),
    updatedAt: row?.updatedAt ?? 0,
  }
}

function paidOf(row: Row | null): PaidPlan {
  return {
    tier: row?.tier ?? 'free',
    pendingTier: row?.pendingTier ?? null,
    subscriptionId: row?.subscriptionId ?? null,
    status: row?.status ?? null,
    billingInterval: row?.billingInterval ?? null,
    currentPeriodStart: row?.currentPeriodStart ?? null,
    currentPeriodEnd: row?.currentPeriodEnd ?? null,
    cancelAtPeriodEnd: row?.cancelAtPeriodEnd ?? false,
  }
}

export async function findOrganizationOfCustomer(db: Db, customerId: string): Promise<string | null> {
  const [row] = await db
    .select({ organizationId: subscriptions.organizationId })
    .from(subscriptions)
    .where(eq(subscriptions.customerId, customerId))
  return row?.organizationId ?? null
}

/** Names the customer of an organization that still had the one in `known`; else refuses the batch. */
export function putCustomer(
  db: Db,
  organizationId: string,
  known: string | null,
  customerId: string,
  now: RealMs,
): Statement[] {
  const isChanged = sql`(SELECT customer_id FROM subscriptions WHERE organization_id = ${organizationId}) IS NOT ${known}`
  return [
    refuseWhen(db, 'STALE', isChanged),
    db
      .insert(subscriptions)
      .values({ organizationId, customerId, createdAt: now, updatedAt: now })
      .onConflictDoUpdate({
        target: subscriptions.organizationId,
        set: { customerId, updatedAt: sql`max(${subscriptions.updatedAt} + 1, ${now})` },
      }),
  ]
}

/** Stores what was learnt if nothing was learnt or set since `before` was read; else refuses the batch. */
export function updateBillingAsRead(db: Db, before: Billing, after: Billing, toldAt: number): Statement[] {
  const { organizationId } = before
  const isChanged = sql`NOT EXISTS (
    SELECT 1 FROM subscriptions JOIN organizations ON organizations.id = subscriptions.organization_id
    WHERE organization_id = ${organizationId} AND subscriptions.updated_at = ${before.updatedAt} AND organizations.tier = ${before.tier}
  )`
  const { tier, pendingTier, ...paid } = after.paid
  const columns = {
    ...paid,
    tier: tier === 'free' ? null : tier,
    pendingTier: pendingTier === 'free' ? null : pendingTier,
    toldAt,
    updatedAt: after.updatedAt,
  }
  return [
    refuseWhen(db, 'STALE', isChanged),
    db.update(subscriptions).set(columns).where(eq(subscriptions.organizationId, organizationId)),
    ...(after.tier === before.tier
      ? []
      : [
          db
            .update(organizations)
            .set({ tier: after.tier, updatedAt: sql`max(${organizations.updatedAt} + 1, ${toldAt})` })
            .where(eq(organizations.id, organizationId)),
        ]),
  ]
}

export const OVERDUE_A_PAGE = 20
/** The payment provider renews a subscription up to an hour after its period. */
const PATIENCE_MS = HOUR_MS

/**
 * Organizations whose period is over by `now` without news of the next: at once where a lower plan begins, and
 * from time to time where the provider should have sent news.
 */
export function selectOverduePeriods(
  db: Db,
  now: RealMs,
  last?: { readonly toldAt: number | null; readonly organizationId: string },
) {
  const { organizationId, currentPeriodEnd, pendingTier, toldAt } = subscriptions
  const isNext = comesAfter([toldAt, organizationId], last && [last.toldAt, last.organizationId])
  return db
    .select({ organizationId, toldAt })
    .from(subscriptions)
    .where(
      and(
        lte(currentPeriodEnd, now),
        or(
          and(sql`${pendingTier} IS NOT NULL`, lt(toldAt, currentPeriodEnd)),
          and(lte(currentPeriodEnd, now - PATIENCE_MS), lte(toldAt, now - PATIENCE_MS)),
        ),
        staysHere(organizationId),
        isNext,
      ),
    )
    .orderBy(toldAt, organizationId)
    .limit(OVERDUE_A_PAGE)
}
