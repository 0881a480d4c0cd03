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

/** The event type changes with its hours and its hosts; its zone only if one was sent. */
export function touchEventType(
  db: Db,
  eventTypeId: string,
  timezone: string | undefined,
  now: number,
): Statement {
  const updatedAt = sql`max(${now}, ${eventTypes.updatedAt} + 1)`
  return db
    .update(eventTypes)
    .set({ updatedAt, ...(timezone !== undefined && { timezone }) })
    .where(eq(eventTypes.id, eventTypeId))
}
