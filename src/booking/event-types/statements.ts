import { and, eq, isNull, sql } from 'drizzle-orm'
import type { Tenant } from '../../platform/auth/caller.ts'
import type { Db, Statement } from '../../platform/db/client.ts'
import { eventTypes } from '../../platform/db/schema/event-types.ts'

/** One row, or none if it belongs to another tenant or was deleted. */
export function selectEventTypeInTenant(db: Db, { organizationId, isTest }: Tenant, id: string) {
  const { organizationId: organization, isTest: mode, id: eventTypeId, deletedAt } = eventTypes
  return db
    .select()
    .from(eventTypes)
    .where(and(eq(organization, organizationId), eq(mode, isTest), eq(eventTypeId, id), isNull(deletedAt)))
}

/** The hours that were put on the event type itself count from now on; its zone changes only if one was sent. */
export function takeOwnHours(
  db: Db,
  eventTypeId: string,
  timezone: string | undefined,
  now: number,
): Statement {
  return db
    .update(eventTypes)
    .set({ ...touched(now), defaultScheduleId: '', ...(timezone !== undefined && { timezone }) })
    .where(eq(eventTypes.id, eventTypeId))
}

type OfHosts = Partial<Pick<typeof eventTypes.$inferSelect, 'manyHosts'>>

/** The event type changes with its hosts. */
export function touchEventType(db: Db, eventTypeId: string, now: number, changes: OfHosts = {}): Statement {
  return db
    .update(eventTypes)
    .set({ ...touched(now), ...changes })
    .where(eq(eventTypes.id, eventTypeId))
}

function touched(now: number) {
  return { updatedAt: sql`max(${now}, ${eventTypes.updatedAt} + 1)` }
}
