import { and, asc, eq, isNull, lte } from 'drizzle-orm'
import type { Db, Statement } from '../../db/client.ts'
import { eventTypes } from '../../db/schema/event-types.ts'
import { organizations } from '../../db/schema/organizations.ts'
import { events } from '../../db/schema/records.ts'

export type EventRow = typeof events.$inferSelect

export async function findUnhandledEvent(db: Db, id: string): Promise<EventRow | null> {
  const [row] = await db
    .select()
    .from(events)
    .where(and(eq(events.id, id), isNull(events.handledAt)))
  return row ?? null
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

/** What a letter about a booking names, whether or not the event type is still there. */
export async function findNames(db: Db, eventTypeId: string) {
  const [row] = await db
    .select({ title: eventTypes.title, organizationName: organizations.name })
    .from(eventTypes)
    .innerJoin(organizations, eq(organizations.id, eventTypes.organizationId))
    .where(eq(eventTypes.id, eventTypeId))
  return row ?? null
}
