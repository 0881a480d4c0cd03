import { and, eq, sql } from 'drizzle-orm'
import type { Db } from '../db/client.ts'
import { members } from '../db/schema/organizations.ts'

/** What a member is called: by name, or else by address. */
export function memberName() {
  const { name, userEmail, userId } = members
  return sql<string>`coalesce(${name}, nullif(${userEmail}, ''), ${userId})`
}

/** The member named by X-User-Id, as a query for any batch of reads. */
export function selectMember(db: Db, organizationId: string, userId: string) {
  return db
    .select({
      memberId: members.id,
      userId: members.userId,
      role: members.role,
      name: memberName().as('called'),
    })
    .from(members)
    .where(and(eq(members.organizationId, organizationId), eq(members.userId, userId)))
}
