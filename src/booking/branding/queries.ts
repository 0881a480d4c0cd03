import { and, eq, sql } from 'drizzle-orm'
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

/** Writes nothing if it is shown already. */
export function showLogo(
  db: Db,
  organizationId: string,
  column: 'logoUrl' | 'logoDarkUrl',
  url: string | null,
  now: number,
): Statement {
  const isOther = sql`${organizations[column]} IS NOT ${url}`
  return db
    .update(organizations)
    .set({ [column]: url, updatedAt: laterThanRow(now) })
    .where(and(eq(organizations.id, organizationId), isOther))
}

export function updateBrandingOfOrg(
  db: Db,
  organizationId: string,
  changes: BrandingColumns,
  now: number,
): Statement {
  return db
    .update(organizations)
    .set({ ...changes, updatedAt: laterThanRow(now) })
    .where(eq(organizations.id, organizationId))
}

function laterThanRow(now: number) {
  return sql`max(${organizations.updatedAt} + 1, ${now})`
}
