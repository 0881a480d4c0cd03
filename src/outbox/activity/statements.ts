import { and, eq, type SQL, sql } from 'drizzle-orm'
import type { Origin, Tenant } from '../../platform/auth/caller.ts'
import { asWitness, type Db, type Statement } from '../../platform/db/client.ts'
import { newId } from '../../platform/db/ids.ts'
import { insertOnce } from '../../platform/db/prepared.ts'
import { activity } from '../../platform/db/schema/records.ts'
import type { ResourceType } from './schema.ts'

export type Change = {
  readonly action: string
  readonly resourceType: ResourceType
  readonly resourceId: string
  readonly changes?: Readonly<Record<string, unknown>>
}

/** For what both modes share: it is in the live log, whichever mode changed it. */
export function organizationWide({ organizationId }: Tenant): Tenant {
  return { organizationId, isTest: false }
}

const insertEntry = insertOnce(activity)

/** One entry in the organization's log, for the batch that makes the change. Give no secrets in `changes`. */
export function recordActivity(db: Db, tenant: Tenant, origin: Origin, change: Change): Statement {
  const { organizationId, isTest } = tenant
  const id = newId(organizationId)
  const entry = { id, organizationId, isTest, ...origin, ...change, createdAt: Date.now() }
  const isThis = () =>
    and(eq(activity.organizationId, organizationId), eq(activity.isTest, isTest), eq(activity.id, id))
  return asWitness(insertEntry(db, { ...entry, changes: change.changes ?? null }), activity, isThis)
}

/** The same for several changes that one batch makes. */
export function recordActivities(
  db: Db,
  { organizationId, isTest }: Tenant,
  { actorType, actorId, ipAddress, requestId }: Origin,
  changes: readonly Change[],
): Statement {
  const list = changes.map(({ action, resourceType, resourceId, changes: changed }) => [
    newId(organizationId),
    action,
    resourceType,
    resourceId,
    changed === undefined ? null : JSON.stringify(changed),
  ])
  const isFirst = () =>
    and(
      eq(activity.organizationId, organizationId),
      eq(activity.isTest, isTest),
      eq(activity.id, list[0]?.[0] ?? ''),
    )
  const insert = db.insert(activity).select(
    sql`SELECT value ->> 0, ${organizationId}, ${isTest ? 1 : 0}, ${actorType}, ${actorId}, value ->> 1, value ->> 2,
      value ->> 3, value ->> 4, ${ipAddress}, ${requestId}, ${Date.now()} FROM json_each(${JSON.stringify(list)})`,
  )
  return asWitness(insert, activity, isFirst)
}

/** The same for actions of the service itself, if `condition` holds at that point of the batch. */
export function recordActivityWhen(db: Db, tenant: Tenant, change: Change, condition: SQL): Statement {
  const { organizationId, isTest } = tenant
  const { action, resourceType, resourceId } = change
  const changes = change.changes === undefined ? null : JSON.stringify(change.changes)
  return db.insert(activity).select(
    sql`SELECT ${newId(organizationId)}, ${organizationId}, ${isTest ? 1 : 0}, 'system', NULL, ${action}, ${resourceType},
      ${resourceId}, ${changes}, NULL, NULL, ${Date.now()} WHERE ${condition}`,
  )
}
