import { and, asc, desc, eq, gt, isNull, sql } from 'drizzle-orm'
import { DAY_MS, HOUR_MS } from '../../../core/time-units.ts'
import { limitNow } from '../../../money/plan-limits/statements.ts'
import { ownerColumn, senderColumn } from '../../../outbox/mail/about/statements.ts'
import type { Tenant } from '../../../platform/auth/caller.ts'
import { BRANDING_COLUMNS } from '../../../platform/db/branding-columns.ts'
import type { Db, Statement } from '../../../platform/db/client.ts'
import { deleteOld } from '../../../platform/db/delete-old.ts'
import { isAddress } from '../../../platform/db/email-spellings.ts'
import { firstIdOf, instantOf } from '../../../platform/db/ids.ts'
import { refuseWhen } from '../../../platform/db/refusals.ts'
import { invitations, members, organizations } from '../../../platform/db/schema/organizations.ts'
import { type AskedMs, type RealMs, realNow } from '../../../platform/limits/clock.ts'
import { MOST_PENDING_INVITATIONS } from '../../../platform/limits/plan-limits.ts'
import { windowStart } from '../../../platform/limits/window.ts'

export type InvitationRow = typeof invitations.$inferSelect

function isOpen() {
  return and(isNull(invitations.acceptedAt), isNull(invitations.revokedAt))
}

function isInvitationOf({ organizationId, isTest }: Tenant) {
  return and(eq(invitations.organizationId, organizationId), eq(invitations.isTest, isTest))
}

export async function listPendingInvitationsInTenant(
  db: Db,
  tenant: Tenant,
  now: AskedMs,
): Promise<InvitationRow[]> {
  return db
    .select()
    .from(invitations)
    .where(and(isInvitationOf(tenant), isOpen(), gt(invitations.expiresAt, now)))
    .orderBy(desc(invitations.id))
}

export async function findInvitationInTenant(
  db: Db,
  tenant: Tenant,
  id: string,
): Promise<InvitationRow | null> {
  const [row] = await db
    .select()
    .from(invitations)
    .where(and(isInvitationOf(tenant), eq(invitations.id, id)))
  return row ?? null
}

/** A plus keeps the database from looking through all members of the organization. */
function isMemberOf(organizationId: string, email: string) {
  return sql`+organization_id = ${organizationId} AND ${isAddress(sql`lower(user_email)`, email)}`
}

/** The inviter when the service key does not act on behalf of a member. */
export const BY_SERVICE = 'service'

/** How often an address may be invited in an hour, so that nobody is flooded. */
export const INVITATIONS_AN_HOUR = 5

/** By the real clock, which ids are made from: a sandbox's can be set back. */
function isRecentlyInvited({ organizationId, isTest }: Tenant, email: string, now: RealMs) {
  return sql`organization_id = ${organizationId} AND is_test = ${isTest ? 1 : 0}
    AND ${isAddress(sql`lower(email)`, email)} AND id > ${firstIdOf(now - HOUR_MS)}`
}

/** Today's invitations. Those the service key makes of its own have no limit and do not count toward it. */
function isOfToday({ organizationId, isTest }: Tenant, now: RealMs) {
  return sql`organization_id = ${organizationId} AND is_test = ${isTest ? 1 : 0}
    AND id > ${firstIdOf(windowStart(now, DAY_MS))} AND invited_by <> ${BY_SERVICE}`
}

/** What decides whether `email` may be invited: the organization, a member and an open invitation of that address. */
export async function findInvitable(db: Db, tenant: Tenant, email: string) {
  const { organizationId } = tenant
  const isDayOver = sql<boolean>`(SELECT count(*) FROM invitations WHERE ${isOfToday(tenant, realNow())})
    >= ${limitNow('invitations_per_day', organizationId)}`
  const [[organization], [member], [invitation], recent] = await db.batch([
    db
      .select({
        sender: senderColumn(),
        people: ownerColumn(),
        suspendedAt: organizations.suspendedAt,
        isDayOver: isDayOver.mapWith(Boolean).as('is_day_over'),
      })
      .from(organizations)
      .where(eq(organizations.id, organizationId)),
    db.select({ id: members.id }).from(members).where(isMemberOf(organizationId, email)),
    db
      .select()
      .from(invitations)
      .where(and(isInvitationOf(tenant), isAddress(sql`lower(${invitations.email})`, email), isOpen())),
    db
      .select({ id: invitations.id })
      .from(invitations)
      .where(isRecentlyInvited(tenant, email, realNow()))
      .orderBy(asc(invitations.id)),
  ])
  // The oldest of the allowed number: once it is an hour old, another one is allowed.
  const hindering = recent.at(-INVITATIONS_AN_HOUR)
  const invitableAt = hindering ? instantOf(hindering.id) + HOUR_MS : null
  return { organization: organization!, member: member ?? null, invitation: invitation ?? null, invitableAt }
}

/** The invitation that a token opens, and the members that the user and the actor are in its organization. */
export async function findAcceptable(db: Db, tokenHash: string, userId: string, actorUserId: string | null) {
  const isThis = eq(invitations.tokenHash, tokenHash)
  const selectInviting = (id: string) =>
    db
      .select({ role: members.role, userEmail: members.userEmail })
      .from(invitations)
      .innerJoin(members, eq(members.organizationId, invitations.organizationId))
      .where(and(isThis, eq(members.userId, id)))
  const [[invitation], [organization], [member], [actor]] = await db.batch([
    db.select().from(invitations).where(isThis),
    db
      .select({ sandboxNow: organizations.sandboxNow })
      .from(organizations)
      .innerJoin(invitations, eq(invitations.organizationId, organizations.id))
      .where(isThis),
    selectInviting(userId),
    selectInviting(actorUserId ?? ''),
  ])
  const sandboxNow = organization?.sandboxNow ?? null
  return { invitation: invitation ?? null, sandboxNow, member: member ?? null, actor: actor ?? null }
}

/** The invitation that a token opens, with whose it is. */
export async function findByToken(db: Db, tokenHash: string) {
  const { name, timezone, sandboxNow } = organizations
  const [row] = await db
    .select({
      invitation: invitations,
      organization: { name, timezone, sandboxNow, ...BRANDING_COLUMNS },
    })
    .from(invitations)
    .innerJoin(organizations, eq(organizations.id, invitations.organizationId))
    .where(eq(invitations.tokenHash, tokenHash))
  return row ?? null
}

/** `now` is the mode's: what has expired by it is pending no more. */
export function insertInvitation(db: Db, row: InvitationRow, isLimited: boolean, now: AskedMs): Statement[] {
  const { organizationId, email } = row
  const isMember = sql`EXISTS (SELECT 1 FROM members WHERE ${isMemberOf(organizationId, email)})`
  const recent = isRecentlyInvited(row, email, realNow())
  const isTooOften = sql`(SELECT count(*) FROM invitations WHERE ${recent}) >= ${INVITATIONS_AN_HOUR}`
  const made = [
    refuseWhen(db, 'STALE', sql`${isMember} OR ${isTooOften}`),
    db.insert(invitations).values(row),
  ]
  return isLimited ? [...guardRoom(db, row, now), ...made] : made
}

function guardRoom(db: Db, { organizationId, isTest }: Tenant, now: AskedMs): Statement[] {
  const today = sql`(SELECT count(*) FROM invitations WHERE ${isOfToday({ organizationId, isTest }, realNow())})`
  const pending = sql`(SELECT count(*) FROM invitations WHERE organization_id = ${organizationId}
    AND is_test = ${isTest ? 1 : 0} AND accepted_at IS NULL AND revoked_at IS NULL AND expires_at > ${now})`
  return [
    refuseWhen(db, 'STALE', sql`${today} >= ${limitNow('invitations_per_day', organizationId)}`),
    refuseWhen(db, 'PLAN_LIMIT', sql`${pending} >= ${MOST_PENDING_INVITATIONS}`),
  ]
}

/** Ends an invitation that is still open; a batch that finds it otherwise is refused. */
export function closeInvitation(
  db: Db,
  id: string,
  end: { readonly acceptedAt: number } | { readonly revokedAt: number },
): Statement[] {
  const isClosed = sql`NOT EXISTS (SELECT 1 FROM invitations WHERE id = ${id} AND accepted_at IS NULL AND revoked_at IS NULL)`
  return [refuseWhen(db, 'STALE', isClosed), db.update(invitations).set(end).where(eq(invitations.id, id))]
}

export type Inviter = { readonly id: string; readonly organizationId: string; readonly userId: string }

/** Open ones that a member made in either mode, or one of their keys. */
function isOpenBy({ id, organizationId, userId }: Inviter) {
  const keys = sql`SELECT id FROM api_keys WHERE member_id = ${id}`
  const isTheirs = sql`(${invitations.invitedBy} = ${userId} OR ${invitations.invitedBy} IN (${keys}))`
  return and(eq(invitations.organizationId, organizationId), isOpen(), isTheirs)
}

export function listOpenInvitationsBy(db: Db, inviter: Inviter): Promise<InvitationRow[]> {
  return db.select().from(invitations).where(isOpenBy(inviter))
}

export function revokeInvitationsBy(db: Db, inviter: Inviter, revokedAt: RealMs): Statement {
  return db.update(invitations).set({ revokedAt }).where(isOpenBy(inviter))
}

/** Those that were accepted, revoked or left to run out. */
export function pruneInvitations(db: Db, before: number, limit: number) {
  const { id } = invitations
  const endedAt = sql`coalesce(accepted_at, revoked_at, expires_at)`
  const old = db
    .select({ id })
    .from(invitations)
    .where(sql`${endedAt} < ${before}`)
    .orderBy(endedAt)
    .limit(limit)
  return deleteOld(db, invitations, [id], old)
}
