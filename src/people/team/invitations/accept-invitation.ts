import { joinTimeOff, listOfAll } from '../../../booking/hours/time-off/statements.ts'
import { overPlan } from '../../../money/plan-limits/refusals.ts'
import { guardMembers } from '../../../money/plan-limits/statements.ts'
import { recordActivity } from '../../../outbox/activity/statements.ts'
import type { ApiKeyCaller, OperatorCaller, Tenant } from '../../../platform/auth/caller.ts'
import { isRolePermitted } from '../../../platform/auth/policy.ts'
import { sha256 } from '../../../platform/auth/secret.ts'
import type { Db } from '../../../platform/db/client.ts'
import { newId } from '../../../platform/db/ids.ts'
import { type Context, originOf } from '../../../platform/http/context.ts'
import { because, notFound, refuse } from '../../../platform/http/errors.ts'
import { type Change, runChange } from '../../../platform/http/run-change.ts'
import { nowAsSeen, realNow } from '../../../platform/limits/clock.ts'
import { presentMember, statusOf } from '../present.ts'
import { insertMember, type MemberRow } from '../queries.ts'
import type { AcceptInvitationInput, Member } from '../schema.ts'
import { closeInvitation, findAcceptable } from './queries.ts'

type AcceptContext = Context<ApiKeyCaller | OperatorCaller>

/** Why an invitation that is not pending cannot be accepted. */
const CLOSED = {
  accepted: 'invitation_accepted',
  revoked: 'invitation_revoked',
  expired: 'invitation_expired',
} as const

function isSameTenant(a: Tenant, b: Tenant): boolean {
  return a.organizationId === b.organizationId && a.isTest === b.isTest
}

function isSameAddress(a: string, b: string): boolean {
  return a.toLowerCase() === b.toLowerCase()
}

export async function acceptInvitation(ctx: AcceptContext, input: AcceptInvitationInput): Promise<Member> {
  const tokenHash = await sha256(input.token)
  return runChange(ctx, (db) => decide(ctx, db, tokenHash, input), {
    refusesOn: { PLAN_LIMIT: overPlan('members'), MEMBER_TAKEN: because('already_member') },
  })
}

async function decide(
  ctx: AcceptContext,
  db: Db,
  tokenHash: string,
  input: AcceptInvitationInput,
): Promise<Change<Member>> {
  const { caller } = ctx
  const actorUserId = caller.kind === 'operator' ? caller.userId : null
  const found = await findAcceptable(db, tokenHash, input.user_id, actorUserId)
  const { invitation, sandboxNow, member, actor } = found

  if (!invitation) throw notFound('invitation')
  const { organizationId } = invitation
  if (caller.kind === 'api_key' && !isSameTenant(caller, invitation)) throw notFound('invitation')
  // The invited user acts for themselves; on behalf of others, only members who may invite do.
  const isOwnAct = actorUserId === null || actorUserId === input.user_id
  if (!isOwnAct && !(actor && isRolePermitted(actor.role, 'administer'))) throw refuse('accepts_for_other')
  const now = nowAsSeen(invitation.isTest, sandboxNow, realNow())
  const status = statusOf(invitation, now)
  if (status !== 'pending') throw refuse(CLOSED[status])
  if (member) throw refuse('already_member')
  // A user who signs in under another address may accept when the operator vouches for them.
  const isVouchedFor = actorUserId === input.user_id
  if (!isVouchedFor && !isSameAddress(input.user_email, invitation.email)) throw refuse('other_address')
  // Both modes share the members, so their rows know no sandbox clock.
  const joinedAt = Date.now()
  const row: MemberRow = {
    id: newId(organizationId),
    organizationId,
    userId: input.user_id,
    userEmail: input.user_email,
    role: invitation.role,
    invitedBy: invitation.invitedBy,
    name: null,
    avatarUrl: null,
    timezone: null,
    locale: null,
    notifications: null,
    nextAgendaAt: null,
    maxBookingsPerDay: null,
    maxBookingsPerWeek: null,
    createdAt: joinedAt,
    updatedAt: joinedAt,
  }
  const accepted = presentMember({ ...row, defaultScheduleId: null })

  const statements = [
    ...closeInvitation(db, invitation.id, { acceptedAt: now }),
    // The invitee accepts it, even if the service key carries the call: its limits do not apply here.
    guardMembers(db, organizationId),
    insertMember(db, row),
    ...joinTimeOff(db, row, await listOfAll(db, organizationId, joinedAt)),
    recordActivity(db, invitation, originOf(ctx), {
      action: 'invitation.accepted',
      resourceType: 'invitation',
      resourceId: invitation.id,
      changes: { member_id: row.id, user_id: row.userId, role: row.role },
    }),
  ]
  return { status: 200, body: accepted, statements }
}
