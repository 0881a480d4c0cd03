import { and, eq } from 'drizzle-orm'
import type { Db } from '../db/client.ts'
import { memberName } from '../db/member-name.ts'
import { members } from '../db/schema/organizations.ts'

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
