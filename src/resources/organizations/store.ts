import { and, eq, gte, lt, sql } from 'drizzle-orm'
import type { Db, Statement } from '../../db/client.ts'
import { refuseWhen } from '../../db/refusals.ts'
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

/** Slugs that begin with `prefix`, at most `limit` of them. */
export async function listSlugs(db: Db, prefix: string, limit: number): Promise<Set<string>> {
  const rows = await db
    .select({ slug: organizations.slug })
    .from(organizations)
    // `{` follows `z`, the last character of a slug.
    .where(and(gte(organizations.slug, prefix), lt(organizations.slug, `${prefix}{`)))
    .limit(limit)
  return new Set(rows.map((row) => row.slug))
}

export function insertOrganization(db: Db, row: OrganizationRow): Statement {
  return db.insert(organizations).values(row)
}

export function insertMember(db: Db, row: typeof members.$inferInsert): Statement {
  return db.insert(members).values(row)
}

/** Changes an organization that is still as it was read: a batch that decided on an older state is refused. */
export function updateOrganizationAsRead(
  db: Db,
  read: OrganizationRow,
  changes: Partial<OrganizationRow>,
): Statement[] {
  const { id, updatedAt } = read
  const isChanged = sql`NOT EXISTS (SELECT 1 FROM organizations WHERE id = ${id} AND updated_at = ${updatedAt})`
  return [
    refuseWhen(db, 'STALE', isChanged),
    db.update(organizations).set(changes).where(eq(organizations.id, id)),
  ]
}

/** The hashes of the keys whose limits follow the organization's plan. */
export async function listKeyHashes(db: Db, organizationId: string): Promise<string[]> {
  const rows = await db
    .select({ hash: apiKeys.hash })
    .from(apiKeys)
    .where(eq(apiKeys.organizationId, organizationId))
  return rows.map((row) => row.hash)
}
