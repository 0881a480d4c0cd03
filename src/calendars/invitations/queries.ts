import { and, eq } from 'drizzle-orm'
import { ownerAndColumn, senderColumn } from '../../outbox/mail/about/statements.ts'
import type { Db } from '../../platform/db/client.ts'
import { members, organizations } from '../../platform/db/schema/organizations.ts'

/** The member who is invited, with the owner and what emails say of the organization. */
export async function findInvited(db: Db, organizationId: string, memberId: string) {
  const [found] = await db
    .select({
      role: members.role,
      suspendedAt: organizations.suspendedAt,
      people: ownerAndColumn(members.id),
      sender: senderColumn(),
    })
    .from(members)
    .innerJoin(organizations, eq(organizations.id, members.organizationId))
    .where(and(eq(members.organizationId, organizationId), eq(members.id, memberId)))
  const person = found?.people.find(({ id }) => id === memberId)
  return found && person ? { ...found, person } : null
}

export type Invited = NonNullable<Awaited<ReturnType<typeof findInvited>>>
