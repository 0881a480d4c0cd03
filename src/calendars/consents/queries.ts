import { eq } from 'drizzle-orm'
import type { Db } from '../../platform/db/client.ts'
import { organizations } from '../../platform/db/schema/organizations.ts'

/** For whom an account is connected, and where its owner may be sent back to. */
export async function findAsking(db: Db, organizationId: string) {
  const [row] = await db
    .select({ name: organizations.name, allowedRedirectHosts: organizations.allowedRedirectHosts })
    .from(organizations)
    .where(eq(organizations.id, organizationId))
  return row ?? null
}
