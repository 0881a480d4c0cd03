import { eq, sql } from 'drizzle-orm'
import { DAY_MS } from '../../core/time-units.ts'
import type { Tenant } from '../../platform/auth/caller.ts'
import type { Db, Statement } from '../../platform/db/client.ts'
import { firstIdOf } from '../../platform/db/ids.ts'
import { inTenantOf } from '../../platform/db/in-tenant.ts'
import type { PageRequest } from '../../platform/db/list-page.ts'
import { refuseWhen } from '../../platform/db/refusals.ts'
import { supportRequests } from '../../platform/db/schema/mail.ts'
import { organizations } from '../../platform/db/schema/organizations.ts'
import { listPage } from '../../platform/http/page.ts'
import type { RealMs } from '../../platform/limits/clock.ts'
import { SUPPORT_REQUESTS_A_DAY } from '../../platform/limits/plan-limits.ts'
import { windowStart } from '../../platform/limits/window.ts'

export type SupportRequestRow = typeof supportRequests.$inferSelect

/** One row more than the page holds, newest first. */
export function listSupportRequestsInTenant(
  db: Db,
  tenant: Tenant,
  page: PageRequest,
): Promise<SupportRequestRow[]> {
  const all = inTenantOf(supportRequests)(tenant)
  const list = { table: supportRequests, all, mayDiffer: tenant.isTest }
  return listPage(db, db.select().from(supportRequests), list, page)
}

export async function getOrganizationName(db: Db, organizationId: string): Promise<string> {
  const [row] = await db
    .select({ name: organizations.name })
    .from(organizations)
    .where(eq(organizations.id, organizationId))
  return row!.name
}

/** Refuses the batch where the day's requests are used up. By the real clock, which ids are made from. */
export function guardSupportRequests(db: Db, { organizationId, isTest }: Tenant, now: RealMs): Statement {
  const today = sql`(SELECT count(*) FROM support_requests WHERE organization_id = ${organizationId}
    AND is_test = ${isTest ? 1 : 0} AND id > ${firstIdOf(windowStart(now, DAY_MS))})`
  return refuseWhen(db, 'PLAN_LIMIT', sql`${today} >= ${SUPPORT_REQUESTS_A_DAY}`)
}

export function insertSupportRequest(db: Db, row: SupportRequestRow): Statement {
  return db.insert(supportRequests).values(row)
}
