import { and, desc, eq, gte, lt, sql } from 'drizzle-orm'
import type { SQLiteColumn } from 'drizzle-orm/sqlite-core'
import type { Db, Statement } from '../../platform/db/client.ts'
import { refuseWhen } from '../../platform/db/refusals.ts'
import { names } from '../../platform/db/schema/directory.ts'
import { members, organizations } from '../../platform/db/schema/organizations.ts'

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

/** In bytes, as the database reports it with every answer. */
export async function sizeOf(db: Db): Promise<number> {
  const { meta } = await db.run(sql`SELECT 1`)
  return meta.size_after
}

/**
 * Slugs that are `prefix`, alone or with a number behind it; or, of a cut name, all that begin with it. The directory knows
 * those of all databases.
 */
export async function listSlugs(db: Db, prefix: string, isCut: boolean, limit: number): Promise<Set<string>> {
  const begins = (slug: SQLiteColumn) => {
    const rest = sql`substr(${slug}, ${prefix.length + 1})`
    const isNumbered = sql`(${rest} = '' OR (${rest} GLOB '-[0-9]*' AND NOT ${rest} GLOB '-*[^0-9]*'))`
    // `{` follows `z`, the last character of a slug.
    return and(gte(slug, prefix), lt(slug, `${prefix}{`), isCut ? undefined : isNumbered)
  }
  const rows = await db
    .select({ slug: organizations.slug })
    .from(organizations)
    .where(begins(organizations.slug))
    .unionAll(
      db
        .select({ slug: names.name })
        .from(names)
        .where(and(eq(names.kind, 'slug'), begins(names.name))),
    )
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
