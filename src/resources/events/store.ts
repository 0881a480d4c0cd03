import { and, asc, eq, gt, inArray, isNotNull, isNull, lt, lte } from 'drizzle-orm'
import type { Tenant } from '../../auth/caller.ts'
import type { Db, Statement } from '../../db/client.ts'
import { firstIdOf } from '../../db/ids.ts'
import { events } from '../../db/schema/records.ts'

export type EventRow = typeof events.$inferSelect

export function selectUnhandledEvent(db: Db, id: string) {
  return db
    .select()
    .from(events)
    .where(and(eq(events.id, id), isNull(events.handledAt)))
}

/** One row more than the page holds, in the order in which it happened. */
export function listEventsInTenant(
  db: Db,
  { organizationId, isTest }: Tenant,
  { after, limit }: { readonly after: number; readonly limit: number },
): Promise<EventRow[]> {
  return db
    .select()
    .from(events)
    .where(
      and(eq(events.organizationId, organizationId), eq(events.isTest, isTest), gt(events.sequence, after)),
    )
    .orderBy(asc(events.sequence))
    .limit(limit + 1)
}

/** A step of bounded size; ids sort by the time they were made. The sequences go on where they were. */
export function pruneEvents(db: Db, before: number) {
  const old = db
    .select({ id: events.id })
    .from(events)
    .where(and(lt(events.id, firstIdOf(before)), isNotNull(events.handledAt)))
    .orderBy(asc(events.id))
    .limit(500)
  return db.delete(events).where(inArray(events.id, old))
}

export function markHandled(db: Db, id: string, handledAt: number): Statement {
  return db
    .update(events)
    .set({ handledAt })
    .where(and(eq(events.id, id), isNull(events.handledAt)))
}

export function selectUnhandledEvents(db: Db, before: number) {
  return db
    .select({ id: events.id })
    .from(events)
    .where(and(isNull(events.handledAt), lte(events.createdAt, before)))
    .orderBy(asc(events.createdAt))
    .limit(100)
}
