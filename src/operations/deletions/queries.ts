import { and, asc, eq, lte } from 'drizzle-orm'
import { ownerColumn, senderColumn } from '../../outbox/mail/about/statements.ts'
import type { Db } from '../../platform/db/client.ts'
import { comesAfter } from '../../platform/db/due-page.ts'
import { preparedQuery } from '../../platform/db/prepared.ts'
import { deletions } from '../../platform/db/schema/deletions.ts'
import { moves } from '../../platform/db/schema/moves.ts'
import { organizations } from '../../platform/db/schema/organizations.ts'

export type DeletionRow = typeof deletions.$inferSelect

/** So many are looked at in one sweep, one after the other. */
export const DELETIONS_A_PAGE = 20

export async function findDeletion(db: Db, organizationId: string): Promise<DeletionRow | null> {
  const [row] = await db.select().from(deletions).where(eq(deletions.organizationId, organizationId))
  return row ?? null
}

/** The organization, whether it moved, and the deletion that it has already. */
export async function findDeletable(db: Db, organizationId: string) {
  const [[organization], [deletion], [move], [told]] = await db.batch([
    db.select().from(organizations).where(eq(organizations.id, organizationId)),
    db.select().from(deletions).where(eq(deletions.organizationId, organizationId)),
    db.select().from(moves).where(eq(moves.organizationId, organizationId)),
    db
      .select({ sender: senderColumn(), people: ownerColumn() })
      .from(organizations)
      .where(eq(organizations.id, organizationId)),
  ])
  return {
    organization: organization ?? null,
    deletion: deletion ?? null,
    hasMoved: move !== undefined,
    told: told ?? null,
  }
}

export function selectDueDeletions(
  db: Db,
  now: number,
  last?: { readonly nextAt: number; readonly organizationId: string },
) {
  const { nextAt, organizationId } = deletions
  return db
    .select()
    .from(deletions)
    .where(
      and(lte(nextAt, now), comesAfter([nextAt, organizationId], last && [last.nextAt, last.organizationId])),
    )
    .orderBy(asc(nextAt), asc(organizationId))
    .limit(DELETIONS_A_PAGE)
}

export type UpcomingBooking = { readonly id: string; readonly eventTypeId: string }

/**
 * Some of the live bookings that have not begun: from one event type to the next, by the index that begins with it, so that
 * nothing of the past is read, and in no order that would read all of them.
 */
export const selectUpcoming = preparedQuery<
  UpcomingBooking,
  readonly [organizationId: string, now: number, limit: number]
>(
  `SELECT b.id, b.event_type_id AS "eventTypeId" FROM event_types e CROSS JOIN bookings b ON b.event_type_id = e.id
  WHERE e.organization_id = ?1 AND e.is_test = 0 AND b.start_time > ?2
    AND +b.status IN ('confirmed', 'rescheduled', 'pending_approval', 'pending_payment')
  LIMIT ?3`,
)

/**
 * Whether a notification or a change outside is still pending. It uses the small indexes of due work; a plus keeps the indexes
 * by organization from being used.
 */
export const selectUndelivered = preparedQuery<
  { readonly untold: number },
  readonly [organizationId: string]
>(
  `SELECT EXISTS (SELECT 1 FROM events WHERE handled_at IS NULL AND +organization_id = ?1 AND +is_test = 0)
    OR EXISTS (SELECT 1 FROM emails WHERE status = 'pending' AND next_attempt_at >= 0 AND organization_id = ?1)
    OR EXISTS (SELECT 1 FROM webhook_deliveries WHERE status = 'pending' AND tell_again_at IS NULL AND next_retry_at >= 0
      AND +organization_id = ?1 AND +is_test = 0)
    OR EXISTS (SELECT 1 FROM webhook_deliveries WHERE status = 'pending' AND tell_again_at >= 0
      AND +organization_id = ?1 AND +is_test = 0)
    OR EXISTS (SELECT 1 FROM calendar_writes WHERE next_attempt_at >= 0 AND +organization_id = ?1)
    OR EXISTS (SELECT 1 FROM meetings WHERE next_attempt_at >= 0 AND +organization_id = ?1)
    OR EXISTS (SELECT 1 FROM payments WHERE next_attempt_at IS NOT NULL AND +organization_id = ?1 AND +is_test = 0)
    OR EXISTS (SELECT 1 FROM refunds WHERE next_attempt_at IS NOT NULL AND organization_id = ?1) AS untold`,
)

/** Whether a plan is paid for that would renew itself. */
export const selectRenewing = preparedQuery<
  { readonly organizationId: string },
  readonly [organizationId: string]
>(
  `SELECT organization_id AS "organizationId" FROM subscriptions WHERE organization_id = ?1 AND NOT cancel_at_period_end
    AND status IN ('active', 'trialing', 'past_due', 'unpaid', 'paused')`,
)
