import { and, eq, isNull } from 'drizzle-orm'
import type { Tenant } from '../../platform/auth/caller.ts'
import type { Db } from '../../platform/db/client.ts'
import { eventTypes } from '../../platform/db/schema/event-types.ts'

/** One row, or none if it belongs to another tenant or was deleted. */
export function selectEventTypeInTenant(db: Db, { organizationId, isTest }: Tenant, id: string) {
  const { organizationId: organization, isTest: mode, id: eventTypeId, deletedAt } = eventTypes
  return db
    .select()
    .from(eventTypes)
    .where(and(eq(organization, organizationId), eq(mode, isTest), eq(eventTypeId, id), isNull(deletedAt)))
}
