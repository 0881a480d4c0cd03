import { eq, sql } from 'drizzle-orm'
import type { Db, Statement } from '../../db/client.ts'
import { organizations } from '../../db/schema/organizations.ts'

const BRANDING = {
  tier: organizations.tier,
  logoUrl: organizations.logoUrl,
  logoAltText: organizations.logoAltText,
  logoDarkUrl: organizations.logoDarkUrl,
  accentColor: organizations.accentColor,
  removeBranding: organizations.removeBranding,
  listingPageEnabled: organizations.listingPageEnabled,
  imprintUrl: organizations.imprintUrl,
  privacyUrl: organizations.privacyUrl,
}

export type BrandingColumns = Partial<
  Pick<typeof organizations.$inferSelect, Exclude<keyof typeof BRANDING, 'tier'>>
>

export async function getBrandingOfOrg(db: Db, organizationId: string) {
  const [row] = await db.select(BRANDING).from(organizations).where(eq(organizations.id, organizationId))
  return row!
}

export function updateBrandingOfOrg(
  db: Db,
  organizationId: string,
  changes: BrandingColumns,
  now: number,
): Statement {
  return db
    .update(organizations)
    .set({ ...changes, updatedAt: sql`max(${organizations.updatedAt} + 1, ${now})` })
    .where(eq(organizations.id, organizationId))
}
