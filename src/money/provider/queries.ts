import { and, eq, sql } from 'drizzle-orm'
import type { Db, Statement } from '../../platform/db/client.ts'
import { refuseWhen } from '../../platform/db/refusals.ts'
import { moves } from '../../platform/db/schema/moves.ts'
import { members, organizations } from '../../platform/db/schema/organizations.ts'
import { paymentAccounts } from '../../platform/db/schema/payments.ts'

export type AccountRow = typeof paymentAccounts.$inferSelect

export async function findAccountOfOrg(db: Db, organizationId: string): Promise<AccountRow | null> {
  const [row] = await db
    .select()
    .from(paymentAccounts)
    .where(eq(paymentAccounts.organizationId, organizationId))
  return row ?? null
}

export async function findOrganizationOfAccount(db: Db, accountId: string): Promise<string | null> {
  const [row] = await db
    .select({ organizationId: paymentAccounts.organizationId })
    .from(paymentAccounts)
    .where(eq(paymentAccounts.accountId, accountId))
  return row?.organizationId ?? null
}

/** Null without an address: an organization can be made without one. */
export async function findOwnerEmail(db: Db, organizationId: string): Promise<string | null> {
  const [row] = await db
    .select({ email: members.userEmail })
    .from(members)
    .where(and(eq(members.organizationId, organizationId), eq(members.role, 'owner')))
  return row?.email || null
}

export async function isMoving(db: Db, organizationId: string): Promise<boolean> {
  const found = await db.select().from(moves).where(eq(moves.organizationId, organizationId))
  return found.length > 0
}

export async function getOrganizationAge(db: Db, organizationId: string) {
  const [row] = await db
    .select({ id: organizations.id, createdAt: organizations.createdAt })
    .from(organizations)
    .where(eq(organizations.id, organizationId))
  return row!
}

export function insertAccount(db: Db, row: AccountRow): Statement {
  return db.insert(paymentAccounts).values(row)
}

/** Changes an account that is still as it was read; else the whole batch is refused. */
export function updateAccountAsRead(
  db: Db,
  { organizationId, updatedAt }: AccountRow,
  changes: Partial<AccountRow>,
): Statement[] {
  const isChanged = sql`NOT EXISTS (
    SELECT 1 FROM payment_accounts WHERE organization_id = ${organizationId} AND updated_at = ${updatedAt}
  )`
  return [
    refuseWhen(db, 'STALE', isChanged),
    db.update(paymentAccounts).set(changes).where(eq(paymentAccounts.organizationId, organizationId)),
  ]
}
