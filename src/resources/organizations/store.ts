import { desc, eq } from 'drizzle-orm'
import type { Db, Statement } from '../../db/client.ts'
import { members, organizations } from '../../db/schema/organizations.ts'

export type OrganizationRow = typeof organizations.$inferSelect
export type MembershipRow = {
  readonly organization: OrganizationRow
  readonly role: (typeof members.$inferSelect)['role']
}

export async function findOrganization(db: Db, id: string): Promise<OrganizationRow | null> {
  const [row] = await db.select().from(organizations).where(eq(organizations.id, id))
  return row ?? null
}

export async function findOrganizationOfOwner(db: Db, ownerUserId: string): Promise<OrganizationRow | null> {
  const [row] = await db.select().from(organizations).where(eq(organizations.ownerUserId, ownerUserId))
  return row ?? null
}

export async function listOrganizationsOfUser(db: Db, userId: string): Promise<MembershipRow[]> {
  return db
    .select({ organization: organizations, role: members.role })
    .from(members)
    .innerJoin(organizations, eq(organizations.id, members.organizationId))
    .where(eq(members.userId, userId))
    .orderBy(desc(organizations.id))
}

export async function isSlugTaken(db: Db, slug: string): Promise<boolean> {
  const rows = await db
    .select({ id: organizations.id })
    .from(organizations)
    .where(eq(organizations.slug, slug))
  return rows.length > 0
}

export function insertOrganization(db: Db, row: OrganizationRow): Statement {
  return db.insert(organizations).values(row)
}

export function insertMember(db: Db, row: typeof members.$inferInsert): Statement {
  return db.insert(members).values(row)
}

export function updateOrganization(db: Db, id: string, changes: Partial<OrganizationRow>): Statement {
  return db.update(organizations).set(changes).where(eq(organizations.id, id))
}
