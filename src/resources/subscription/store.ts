import { eq } from 'drizzle-orm'
import type { Db } from '../../db/client.ts'
import { organizations } from '../../db/schema/organizations.ts'
import type { Tier } from '../../limits/plans.ts'

export async function getTierOfOrg(db: Db, organizationId: string): Promise<Tier> {
  const [row] = await db
    .select({ tier: organizations.tier })
    .from(organizations)
    .where(eq(organizations.id, organizationId))
  return row!.tier
}
