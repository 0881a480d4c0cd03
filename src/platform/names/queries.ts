import { eq } from 'drizzle-orm'
import type { Db } from '../db/client.ts'
import { organizations } from '../db/schema/organizations.ts'

/** What an organization has of what only one may have; null where it is not there. */
export async function findHolder(db: Db, organizationId: string) {
  const { id, slug, ownerUserId } = organizations
  const [found] = await db
    .select({ slug, owner: ownerUserId })
    .from(organizations)
    .where(eq(id, organizationId))
  return found ?? null
}

export async function isSlugThere(db: Db, slug: string): Promise<boolean> {
  return (await db.$count(organizations, eq(organizations.slug, slug))) > 0
}
