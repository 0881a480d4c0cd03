import { and, eq, type SQL, type SQLWrapper } from 'drizzle-orm'

type Tenant = { readonly organizationId: string; readonly isTest: boolean }

/** The condition that a row of the table belongs to a tenant. */
export function inTenantOf(table: { readonly organizationId: SQLWrapper; readonly isTest: SQLWrapper }) {
  return ({ organizationId, isTest }: Tenant): SQL | undefined =>
    and(eq(table.organizationId, organizationId), eq(table.isTest, isTest))
}
