import { eq, sql } from 'drizzle-orm'
import { BRANDING_COLUMNS } from '../../platform/db/branding-columns.ts'
import type { Db, Statement } from '../../platform/db/client.ts'
import { organizations } from '../../platform/db/schema/organizations.ts'

type BrandingColumns = Partial<
  Pick<typeof organizations.$inferSelect, Exclude<keyof typeof BRANDING_COLUMNS, 'tier'>>
>

export async function getBrandingOfOrg(db: Db, organizationId: string) {
  const [row] = await db
    .select(BRANDING_COLUMNS)
    .from(organizations)
    .where(eq(organizations.id, organizationId))
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
