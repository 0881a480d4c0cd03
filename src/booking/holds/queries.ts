import { and, asc, eq, lte, type SQL, sql } from 'drizzle-orm'
import type { Db } from '../../platform/db/client.ts'
import { deleteOld } from '../../platform/db/delete-old.ts'
import { comesAfter, DUE_A_PAGE, isDueInSandbox, staysHere } from '../../platform/db/due-page.ts'
import { bookings } from '../../platform/db/schema/bookings.ts'
import { organizations } from '../../platform/db/schema/organizations.ts'
import { type SlotHoldRow, slotHolds } from '../../platform/db/schema/slot-holds.ts'
import type { PresentMs, RealMs } from '../../platform/limits/clock.ts'

/** Holds that were requested; others belong to waiting bookings. */
const isAskedFor = eq(slotHolds.purpose, 'hold')

export function selectSlotHold(db: Db, id: string) {
  return db
    .select()
    .from(slotHolds)
    .where(and(eq(slotHolds.id, id), isAskedFor))
}

export function selectHoldAndClock(db: Db, id: string) {
  return db
    .select({ hold: slotHolds, sandboxNow: organizations.sandboxNow })
    .from(slotHolds)
    .innerJoin(organizations, eq(organizations.id, slotHolds.organizationId))
    .where(and(eq(slotHolds.id, id), isAskedFor))
}

/** A hold by its token. */
export function selectHoldByToken(db: Db, tokenHash: string) {
  return db
    .select({ hold: slotHolds, sandboxNow: organizations.sandboxNow })
    .from(slotHolds)
    .innerJoin(organizations, eq(organizations.id, slotHolds.organizationId))
    .where(and(eq(slotHolds.tokenHash, tokenHash), eq(slotHolds.status, 'held'), isAskedFor))
}

/** The booking that a hold became. */
export function selectBookingOf(db: Db, holdId: string) {
  const id = sql`(SELECT booking_id FROM slot_holds WHERE id = ${holdId})`
  return db.select().from(bookings).where(eq(bookings.id, id))
}

/** Where its time is held: under its own id, or its session's. */
export function selectTimeOfHold(db: Db, holdId: string) {
  const holder = sql`(SELECT coalesce(session_id, id) FROM slot_holds WHERE id = ${holdId})`
  const rows = sql`(SELECT starts_at, ends_at FROM holds WHERE holder_id = ${holder} LIMIT 1) held`
  return db
    .select({ start: sql<number>`starts_at`.as('start'), end: sql<number>`ends_at`.as('end') })
    .from(rows)
}

const HELD: SQL = sql`${slotHolds.status} = 'held'`

/** Live holds that have expired. */
export function selectExpiredHolds(db: Db, now: RealMs, last?: Pick<SlotHoldRow, 'expiresAt' | 'id'>) {
  return db
    .select({ id: slotHolds.id, eventTypeId: slotHolds.eventTypeId, expiresAt: slotHolds.expiresAt })
    .from(slotHolds)
    .where(
      and(
        HELD,
        isAskedFor,
        eq(slotHolds.isTest, false),
        lte(slotHolds.expiresAt, now),
        staysHere(slotHolds.organizationId),
        comesAfter([slotHolds.expiresAt, slotHolds.id], last && [last.expiresAt, last.id]),
      ),
    )
    .orderBy(asc(slotHolds.expiresAt), asc(slotHolds.id))
    .limit(DUE_A_PAGE)
}

/** The same for one sandbox in its present: the event types with expired holds, without those that are `done`. */
export function selectExpiredHoldsInSandbox(
  db: Db,
  organizationId: string,
  now: PresentMs,
  done: readonly string[],
) {
  return db
    .selectDistinct({ eventTypeId: slotHolds.eventTypeId })
    .from(slotHolds)
    .where(
      and(
        HELD,
        sql`${slotHolds.purpose} = 'hold' AND ${slotHolds.isTest} = 1`,
        eq(slotHolds.organizationId, organizationId),
        isDueInSandbox(slotHolds.expiresAt, organizationId, now),
        sql`${slotHolds.eventTypeId} NOT IN (SELECT value FROM json_each(${JSON.stringify(done)}))`,
      ),
    )
    .limit(DUE_A_PAGE)
}

/**
 * Deletes holds that ended long ago. The expired hold of a waiting booking stays until the booking ends: it says that its
 * time is lost.
 */
export function pruneHolds(db: Db, before: number, limit: number) {
  const isOver = sql`status <> 'held' AND expires_at <= ${before} AND (purpose = 'hold' OR status <> 'expired')`
  const old = db.select({ id: slotHolds.id }).from(slotHolds).where(isOver).limit(limit)
  return deleteOld(db, slotHolds, [slotHolds.id], old)
}
