import { and, eq, type SQL, sql } from 'drizzle-orm'
import type { Db } from '../../platform/db/client.ts'
import { members, organizations } from '../../platform/db/schema/organizations.ts'

/** The member who owns the organization. */
export function ownerOf(organizationId: string): SQL {
  return sql`(SELECT m.id FROM members m JOIN organizations o ON o.id = m.organization_id AND o.owner_user_id = m.user_id
    WHERE o.id = ${organizationId})`
}

/** The member who gets the account (the owner unless a member is named), and the hosts that they may return to. */
export async function findConnecting(db: Db, organizationId: string, member: string | null) {
  const isMeant = member === null ? sql`${members.id} = ${ownerOf(organizationId)}` : eq(members.id, member)
  const [[organization], [found]] = await db.batch([
    db
      .select({ redirectHosts: organizations.allowedRedirectHosts })
      .from(organizations)
      .where(eq(organizations.id, organizationId)),
    db
      .select({ id: members.id })
      .from(members)
      .where(and(eq(members.organizationId, organizationId), isMeant)),
  ])
  return { redirectHosts: organization?.redirectHosts ?? null, memberId: found?.id ?? null }
}
