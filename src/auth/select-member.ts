import { and, eq } from 'drizzle-orm'
import type { Db } from '../db/client.ts'
import { members } from '../db/schema/organizations.ts'

/** The member as whom a call with X-User-Id acts, as a query for any batch of reads. */
export function selectMember(db: Db, organizationId: string, userId: string) {
  return db
    .select({ memberId: members.id, userId: members.userId, role: members.role })
    .from(members)
    .where(and(eq(members.organizationId, organizationId), eq(members.userId, userId)))
}
