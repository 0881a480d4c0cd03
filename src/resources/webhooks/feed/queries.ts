import { and, asc, eq, gt } from 'drizzle-orm'
import type { Tenant } from '../../../auth/caller.ts'
import type { Db } from '../../../db/client.ts'
import { type EventRow, events } from '../../../db/schema/records.ts'

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
