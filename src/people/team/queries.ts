import { and, desc, eq, getTableColumns, sql } from 'drizzle-orm'
import { ownerColumn, senderColumn } from '../../outbox/mail/about/statements.ts'
import type { Tenant } from '../../platform/auth/caller.ts'
import type { Db, Statement } from '../../platform/db/client.ts'
import { refuseWhen } from '../../platform/db/refusals.ts'
import { members, organizations } from '../../platform/db/schema/organizations.ts'
import type { RealMs } from '../../platform/limits/clock.ts'

export type MemberRow = typeof members.$inferSelect
export type MemberWithSchedule = MemberRow & { readonly defaultScheduleId: string | null }
function isMemberInOrg(organizationId: string, id: string) {
  return and(eq(members.organizationId, organizationId), eq(members.id, id))
}

/** The hours that a member works in the mode wherever nothing else is said. */
function defaultSchedule(isTest: boolean) {
  return sql<string | null>`(SELECT id FROM schedules
    WHERE member_id = members.id AND is_test = ${isTest ? 1 : 0} AND is_default = 1)`
}

/** All that is returned of a member in the mode. */
function told(isTest: boolean) {
  return { ...getTableColumns(members), defaultScheduleId: defaultSchedule(isTest) }
}

export async function listMembersInOrg(
  db: Db,
  { organizationId, isTest }: Tenant,
): Promise<MemberWithSchedule[]> {
  // As a batch, it shares the round trip of the screen's other reads.
  const [rows] = await db.batch([
    db
      .select(told(isTest))
      .from(members)
      .where(eq(members.organizationId, organizationId))
      .orderBy(desc(members.createdAt), desc(members.id)),
  ])
  return rows
}

export async function findMemberInOrg(
  db: Db,
  { organizationId, isTest }: Tenant,
  id: string,
): Promise<MemberWithSchedule | null> {
  const [row] = await db.select(told(isTest)).from(members).where(isMemberInOrg(organizationId, id))
  return row ?? null
}

/** A member with the zone that is theirs where they have none of their own, and how often hours changed so far. */
export async function findMemberAndZone(db: Db, { organizationId, isTest }: Tenant, id: string) {
  const [row] = await db
    .select({
      member: members,
      defaultScheduleId: defaultSchedule(isTest),
      zone: organizations.timezone,
      hoursVersion: organizations.hoursVersion,
    })
    .from(members)
    .innerJoin(organizations, eq(organizations.id, members.organizationId))
    .where(isMemberInOrg(organizationId, id))
  return row ?? null
}

/** The organization and the member who is to own it; the database refuses who owns another one already. */
export async function findTransferable(db: Db, organizationId: string, memberId: string) {
  const [[organization], [member]] = await db.batch([
    db
      .select({ ownerUserId: organizations.ownerUserId })
      .from(organizations)
      .where(eq(organizations.id, organizationId)),
    db.select().from(members).where(isMemberInOrg(organizationId, memberId)),
  ])
  return { organization: organization!, member: member ?? null }
}

/** The owner, and the organization as the sender of emails. */
export function selectOwnerAndSender(db: Db, organizationId: string) {
  return db
    .select({ people: ownerColumn(), sender: senderColumn() })
    .from(organizations)
    .where(eq(organizations.id, organizationId))
}

export function insertMember(db: Db, row: MemberRow): Statement {
  return db.insert(members).values(row)
}

/** Refuses the batch once the member has another role than was read, or has left. */
export function guardRole(
  db: Db,
  { memberId, role }: { memberId: string; role: MemberRow['role'] },
): Statement {
  const isChanged = sql`NOT EXISTS (SELECT 1 FROM members WHERE id = ${memberId} AND role = ${role})`
  return refuseWhen(db, 'STALE', isChanged)
}

function guardAsRead(db: Db, { id, role, updatedAt }: MemberRow): Statement {
  const isRead = sql`SELECT 1 FROM members WHERE id = ${id} AND role = ${role} AND updated_at = ${updatedAt}`
  return refuseWhen(db, 'STALE', sql`NOT EXISTS (${isRead})`)
}

/** Changes a member who still is as they were read. */
export function updateMemberAsRead(db: Db, read: MemberRow, changes: Partial<MemberRow>): Statement[] {
  return [guardAsRead(db, read), db.update(members).set(changes).where(eq(members.id, read.id))]
}

export function deleteMemberAsRead(db: Db, read: MemberRow): Statement[] {
  return [guardAsRead(db, read), db.delete(members).where(eq(members.id, read.id))]
}

/** Makes `member` the owner and the owner before an admin, as long as both are still what was read. */
export function moveOwnership(
  db: Db,
  ownerUserId: string | null,
  member: MemberRow,
  now: RealMs,
): Statement[] {
  const { organizationId, userId } = member
  const isMoved = sql`NOT EXISTS (SELECT 1 FROM organizations WHERE id = ${organizationId} AND owner_user_id IS ${ownerUserId})`
  return [
    refuseWhen(db, 'STALE', isMoved),
    db
      .update(organizations)
      .set({ ownerUserId: userId, updatedAt: sql`max(${organizations.updatedAt} + 1, ${now})` })
      .where(eq(organizations.id, organizationId)),
    db
      .update(members)
      .set({ role: 'admin', updatedAt: now })
      .where(and(eq(members.organizationId, organizationId), eq(members.role, 'owner'))),
    ...updateMemberAsRead(db, member, { role: 'owner', updatedAt: now }),
  ]
}
