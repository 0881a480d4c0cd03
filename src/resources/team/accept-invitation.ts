import type { ApiKeyCaller, OperatorCaller, Tenant } from '../../auth/caller.ts'
import { isRolePermitted } from '../../auth/policy.ts'
import { sha256 } from '../../auth/secret.ts'
import { openDb } from '../../db/client.ts'
import { newId } from '../../db/ids.ts'
import { fenceOf } from '../../db/refusals.ts'
import { type Context, originOf } from '../../http/context.ts'
import { notFound, type Refusal, Refused } from '../../http/errors.ts'
import { commit } from '../../http/idempotency.ts'
import { retryWhenStale } from '../../http/retry-when-stale.ts'
import { recordActivity } from '../activity/record-activity.ts'
import { presentMember, statusOf } from './present.ts'
import type { AcceptInvitationInput, Invitation, Member } from './schema.ts'
import { closeInvitation, findAcceptable, insertMember, type MemberRow } from './store.ts'

type AcceptContext = Context<ApiKeyCaller | OperatorCaller>

const ALREADY_MEMBER: Refusal = { code: 'conflict', message: 'This user is already a member.' }

const NOT_THEIRS: Refusal = {
  code: 'forbidden',
  message: 'X-User-Id names neither the user who accepts nor an admin.',
}

const CLOSED: Readonly<Record<Exclude<Invitation['status'], 'pending'>, Refusal>> = {
  accepted: { code: 'conflict', message: 'This invitation was already accepted.' },
  revoked: { code: 'bad_request', message: 'This invitation was revoked.' },
  expired: { code: 'bad_request', message: 'This invitation has expired.' },
}

export async function acceptInvitation(ctx: AcceptContext, input: AcceptInvitationInput): Promise<Member> {
  const tokenHash = await sha256(input.token)
  return retryWhenStale(() => attempt(ctx, tokenHash, input))
}

async function attempt(ctx: AcceptContext, tokenHash: string, input: AcceptInvitationInput): Promise<Member> {
  const { caller } = ctx
  const db = openDb(ctx.env, 'decide')
  const actorUserId = caller.kind === 'operator' ? caller.userId : null
  const found = await findAcceptable(db, tokenHash, input.user_id, actorUserId)
  const { invitation, member, actor } = found

  if (!invitation) throw notFound('invitation')
  const { organizationId } = invitation
  if (caller.kind === 'api_key' && caller.organizationId !== organizationId) throw notFound('invitation')
  // Whoever is invited acts for themselves; for anybody else only who could have invited them.
  const isOwnAct = actorUserId === null || actorUserId === input.user_id
  if (!isOwnAct && !(actor && isRolePermitted(actor.role, 'administer'))) throw new Refused(NOT_THEIRS)
  const status = statusOf(invitation, ctx.now)
  if (status !== 'pending') throw new Refused(CLOSED[status])
  if (member) throw new Refused(ALREADY_MEMBER)
  // Both modes share the members, so their rows know no sandbox clock.
  const joinedAt = Date.now()
  const row: MemberRow = {
    id: newId(),
    organizationId,
    userId: input.user_id,
    userEmail: input.user_email,
    role: invitation.role,
    invitedBy: invitation.invitedBy,
    createdAt: joinedAt,
    updatedAt: joinedAt,
  }
  const accepted = presentMember(row)

  const tenant: Tenant = { organizationId, isTest: caller.kind === 'api_key' && caller.isTest }
  const statements = [
    ...closeInvitation(db, invitation.id, { acceptedAt: ctx.now }),
    insertMember(db, row),
    recordActivity(db, tenant, originOf(ctx), {
      action: 'invitation.accepted',
      resourceType: 'invitation',
      resourceId: invitation.id,
      changes: { member_id: row.id, user_id: row.userId, role: row.role },
    }),
  ]
  try {
    await commit(ctx, db, statements, { status: 200, body: accepted })
  } catch (error) {
    throw fenceOf(error) === 'MEMBER_TAKEN' ? new Refused(ALREADY_MEMBER) : error
  }
  return accepted
}
