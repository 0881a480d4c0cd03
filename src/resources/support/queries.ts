import { and, desc, eq, lt } from 'drizzle-orm'
import type { Tenant } from '../../auth/caller.ts'
import type { Db, Statement } from '../../db/client.ts'
import { supportRequests } from '../../db/schema/mail.ts'
import { organizations } from '../../db/schema/organizations.ts'
import { assertCursor, type PageRequest } from '../../http/page.ts'

export type SupportRequestRow = typeof supportRequests.$inferSelect

/** One row more than the page holds, newest first. */
export async function listSupportRequestsInTenant(
  db: Db,
  { organizationId, isTest }: Tenant,
  page: PageRequest,
): Promise<SupportRequestRow[]> {
  const after = page.starting_after
  const inTenant = and(eq(supportRequests.organizationId, organizationId), eq(supportRequests.isTest, isTest))
  const [rows, cursor] = await db.batch([
    db
      .select()
      .from(supportRequests)
      .where(and(inTenant, after === undefined ? undefined : lt(supportRequests.id, after)))
      .orderBy(desc(supportRequests.id))
      .limit(page.limit + 1),
    db
      .select({ id: supportRequests.id })
      .from(supportRequests)
      .where(and(inTenant, eq(supportRequests.id, after ?? ''))),
  ])
  assertCursor(page, cursor)
  return rows
}

export async function getOrganizationName(db: Db, organizationId: string): Promise<string> {
  const [row] = await db
    .select({ name: organizations.name })
    .from(organizations)
    .where(eq(organizations.id, organizationId))
  return row!.name
}

export function insertSupportRequest(db: Db, row: SupportRequestRow): Statement {
  return db.insert(supportRequests).values(row)
}
