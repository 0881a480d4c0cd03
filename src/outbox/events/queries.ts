import { and, asc, eq, isNotNull, isNull, lt, sql } from 'drizzle-orm'
import type { Db } from '../../platform/db/client.ts'
import { deleteOld } from '../../platform/db/delete-old.ts'
import { comesAfter, DUE_A_PAGE, staysHere } from '../../platform/db/due-page.ts'
import { firstIdOf } from '../../platform/db/ids.ts'
import { events } from '../../platform/db/schema/records.ts'
import type { RealMs } from '../../platform/limits/clock.ts'

/** Deletes a bounded number; ids sort by the time they were made. The sequences go on where they were. */
export function pruneEvents(db: Db, before: number, limit: number) {
  const old = db
    .select({ id: events.id })
    .from(events)
    .where(and(lt(events.id, firstIdOf(before)), isNotNull(events.handledAt)))
    .orderBy(asc(events.id))
    .limit(limit)
  return deleteOld(db, events, [events.id], old)
}

/** When an unhandled event is sent to the queue again: a while after it happened, and then ever later. */
const dueAt = sql<number>`coalesce(${events.retryAt}, ${events.createdAt})`

export function selectUnhandledEvents(
  db: Db,
  before: number,
  last?: { readonly dueAt: number; readonly id: string },
) {
  const isNext = comesAfter([dueAt, events.id], last && [last.dueAt, last.id])
  return db
    .select({ id: events.id, dueAt: dueAt.as('due_at') })
    .from(events)
    .where(
      and(isNull(events.handledAt), sql`${dueAt} <= ${before}`, staysHere(events.organizationId), isNext),
    )
    .orderBy(dueAt, asc(events.id))
    .limit(DUE_A_PAGE)
}

/** An event that keeps failing is sent ever less often: each message of it is tried many times. */
export async function putOffEvents(db: Db, ids: readonly string[], now: RealMs): Promise<void> {
  await db
    .update(events)
    // Numbers are bound as if they had a fraction.
    .set({ retryAt: sql`CAST(${now} + (${now} - ${events.createdAt}) / 4 AS INTEGER)` })
    .where(sql`${events.id} IN (SELECT value FROM json_each(${JSON.stringify(ids)}))`)
}

/** Makes the next sweep send it again, unless it is handled: its message was given up. */
export async function markUnhandled(db: Db, id: string): Promise<void> {
  await db
    .update(events)
    .set({ retryAt: 0 })
    .where(and(eq(events.id, id), isNull(events.handledAt)))
}
