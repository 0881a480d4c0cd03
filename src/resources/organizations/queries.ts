import { and, desc, eq, gte, lt, sql } from 'drizzle-orm'
import type { Db, Statement } from '../../db/client.ts'
import { refuseWhen } from '../../db/refusals.ts'
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

export async function isSlugThere(db: Db, slug: string): Promise<boolean> {
  return (await db.$count(organizations, eq(organizations.slug, slug))) > 0
}

export async function listOrganizationsOfUser(db: Db, userId: string): Promise<MembershipRow[]> {
  return db
    .select({ organization: organizations, role: members.role })
    .from(members)
    .innerJoin(organizations, eq(organizations.id, members.organizationId))
    .where(eq(members.userId, userId))
    .orderBy(desc(organizations.id))
}

/** Slugs that are `prefix`, alone or with a number behind it; or, of a cut name, all that begin with it. */
export async function listSlugs(db: Db, prefix: string, isCut: boolean, limit: number): Promise<Set<string>> {
  const rest = sql`substr(${organizations.slug}, ${prefix.length + 1})`
  const isNumbered = sql`(${rest} = '' OR (${rest} GLOB '-[0-9]*' AND NOT ${rest} GLOB '-*[^0-9]*'))`
  const rows = await db
    .select({ slug: organizations.slug })
    .from(organizations)
    // `{` follows `z`, the last character of a slug.
    .where(
      and(
        gte(organizations.slug, prefix),
        lt(organizations.slug, `${prefix}{`),
        isCut ? undefined : isNumbered,
      ),
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
