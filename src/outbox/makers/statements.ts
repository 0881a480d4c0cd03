import { and, eq, type SQL, sql } from 'drizzle-orm'
import type { Db, Statement } from '../../platform/db/client.ts'
import { memberName } from '../../platform/db/member-name.ts'
import { refuseWhen } from '../../platform/db/refusals.ts'
import { apiKeys } from '../../platform/db/schema/api-keys.ts'
import { members } from '../../platform/db/schema/organizations.ts'

/** The name of the member that a column names, or else their address; null once they have left. */
export function memberNamed(id: SQL) {
  return sql<
    string | null
  >`(SELECT coalesce(name, nullif(user_email, ''), user_id) FROM members WHERE members.id = ${id})`
}

/** The name of the key that a column names. */
export function keyNamed(id: SQL) {
  return sql<string | null>`(SELECT name FROM api_keys WHERE api_keys.id = ${id})`
}

export function selectMemberMaker(db: Db, organizationId: string, userId: string) {
  return db
    .select({ id: members.id, role: members.role, name: memberName().as('member_name') })
    .from(members)
    .where(and(eq(members.organizationId, organizationId), eq(members.userId, userId)))
}

export function selectKeyMaker(db: Db, id: string) {
  return db.select({ name: apiKeys.name }).from(apiKeys).where(eq(apiKeys.id, id))
}

/** Refuses the batch once the member has left or is not an admin any more. */
export function guardAdmin(db: Db, memberId: string): Statement {
  const isAdmin = sql`SELECT 1 FROM members WHERE id = ${memberId} AND role IN ('owner', 'admin')`
  return refuseWhen(db, 'STALE', sql`NOT EXISTS (${isAdmin})`)
}
