import { and, eq } from 'drizzle-orm'
import type { Tenant } from '../../auth/caller.ts'
import type { Db, Statement } from '../../db/client.ts'
import { cursorOf, inOrder, onPage, type PageRequest } from '../../db/list-page.ts'
import { supportRequests } from '../../db/schema/mail.ts'
import { organizations } from '../../db/schema/organizations.ts'
import { assertCursor } from '../../http/page.ts'

export type SupportRequestRow = typeof supportRequests.$inferSelect

/** One row more than the page holds, newest first. */
export async function listSupportRequestsInTenant(
  db: Db,
  { organizationId, isTest }: Tenant,
  page: PageRequest,
): Promise<SupportRequestRow[]> {
  const inTenant = and(eq(supportRequests.organizationId, organizationId), eq(supportRequests.isTest, isTest))
  const [rows, cursor] = await db.batch([
    db
      .select()
      .from(supportRequests)
      .where(
        and(
          inTenant,
          onPage({ id: supportRequests.id, createdAt: supportRequests.createdAt, mayDiffer: isTest }, page),
        ),
      )
      .orderBy(inOrder(supportRequests.id, page))
      .limit(page.limit + 1),
    db
      .select({ id: supportRequests.id })
      .from(supportRequests)
      .where(and(inTenant, eq(supportRequests.id, cursorOf(page)))),
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
