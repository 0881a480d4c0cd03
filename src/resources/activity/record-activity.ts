import type { Origin, Tenant } from '../../auth/caller.ts'
import type { Db, Statement } from '../../db/client.ts'
import { newId } from '../../db/ids.ts'
import { activity } from '../../db/schema/records.ts'

export type Change = {
  readonly action: string
  readonly resourceType: string
  readonly resourceId: string
  readonly changes?: Readonly<Record<string, unknown>>
}

/** For what both modes share: the live log tells of it, whichever mode it was changed from. */
export function organizationWide({ organizationId }: Tenant): Tenant {
  return { organizationId, isTest: false }
}

/** One entry in the organization's log, for the batch that makes the change. Give no secrets in `changes`. */
export function recordActivity(db: Db, tenant: Tenant, origin: Origin, change: Change): Statement {
  const { organizationId, isTest } = tenant
  return db
    .insert(activity)
    .values({ id: newId(), organizationId, isTest, ...origin, ...change, createdAt: Date.now() })
}
