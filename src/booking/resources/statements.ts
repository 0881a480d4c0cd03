import { sql } from 'drizzle-orm'
import type { Tenant } from '../../platform/auth/caller.ts'
import type { Db, Statement } from '../../platform/db/client.ts'
import { refuseWhen } from '../../platform/db/refusals.ts'
import type { RequiredResources } from '../../platform/db/schema/event-types.ts'
import { resources } from '../../platform/db/schema/resources.ts'

type Requires = readonly RequiredResources[] | undefined

function idsIn(requires: Requires): string[] {
  return [...new Set(requires?.flatMap(({ resource_ids }) => resource_ids))]
}

/** The resources among those that an event type names that are not the tenant's; nothing is asked if it names none. */
export function selectForeignResources(db: Db, { organizationId, isTest }: Tenant, requires: Requires) {
  const ids = idsIn(requires)
  if (ids.length === 0) return []
  const rows = sql`(SELECT value AS id FROM json_each(${JSON.stringify(ids)}) WHERE NOT EXISTS (SELECT 1 FROM resources
    WHERE id = json_each.value AND organization_id = ${organizationId} AND is_test = ${isTest ? 1 : 0}))`
  return [db.select({ id: sql<string>`id`.as('id') }).from(rows)]
}

/** Refuses the batch when a resource that it names was deleted in the meantime. */
export function guardResourcesNamed(db: Db, requires: Requires): Statement[] {
  const ids = idsIn(requires)
  if (ids.length === 0) return []
  const isGone = sql`(SELECT count(*) FROM resources WHERE id IN (SELECT value FROM json_each(${JSON.stringify(ids)})))
    <> ${ids.length}`
  return [refuseWhen(db, 'STALE', isGone)]
}

/** Deletes these of the sandbox, a JSON list, after the event types that required them; those still required stay. */
export function dropUnusedResources(db: Db, ids: string): Statement {
  return db.delete(resources).where(
    sql`id IN (SELECT value FROM json_each(${ids}))
        AND NOT EXISTS (SELECT 1 FROM event_type_rooms WHERE resource_id = resources.id)`,
  )
}
