import { and, asc, desc, eq, gt, lt } from 'drizzle-orm'
import type { Tenant } from '../../../platform/auth/caller.ts'
import type { Db } from '../../../platform/db/client.ts'
import { type EventRow, events } from '../../../platform/db/schema/records.ts'

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

/** The same in reverse from the newest, for the console. */
export function listNewestEventsInTenant(
  db: Db,
  { organizationId, isTest }: Tenant,
  { before, limit }: { readonly before: number | null; readonly limit: number },
): Promise<EventRow[]> {
  return db
    .select()
    .from(events)
    .where(
      and(
        eq(events.organizationId, organizationId),
        eq(events.isTest, isTest),
        before === null ? undefined : lt(events.sequence, before),
      ),
    )
    .orderBy(desc(events.sequence))
    .limit(limit + 1)
}
