import { eq } from 'drizzle-orm'
import type { Db, Statement } from '../../db/client.ts'
import { apiKeys } from '../../db/schema/api-keys.ts'
import { members, organizations } from '../../db/schema/organizations.ts'

export type OrganizationRow = typeof organizations.$inferSelect

export async function findOrganization(db: Db, id: string): Promise<OrganizationRow | null> {
  const [row] = await db.select().from(organizations).where(eq(organizations.id, id))
  return row ?? null
}

export async function findOrganizationOfOwner(db: Db, ownerUserId: string): Promise<OrganizationRow | null> {
  const [row] = await db.select().from(organizations).where(eq(organizations.ownerUserId, ownerUserId))
  return row ?? null
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

/** The hashes of the keys whose limits follow the organization's plan. */
export async function listKeyHashes(db: Db, organizationId: string): Promise<string[]> {
  const rows = await db
    .select({ hash: apiKeys.hash })
    .from(apiKeys)
    .where(eq(apiKeys.organizationId, organizationId))
  return rows.map((row) => row.hash)
}
