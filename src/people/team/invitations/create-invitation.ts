import { DAY_MS } from '../../../core/time-units.ts'
import { isLimited, overPlan } from '../../../money/plan-limits/refusals.ts'
import { recordActivity } from '../../../outbox/activity/statements.ts'
import { enqueueEmail } from '../../../outbox/mail/enqueue-email.ts'
import type { TenantCaller } from '../../../platform/auth/caller.ts'
import { randomSecret, sha256 } from '../../../platform/auth/secret.ts'
import type { Db } from '../../../platform/db/client.ts'
import { guardUnsuspended } from '../../../platform/db/guard-unsuspended.ts'
import { newId, shardOf } from '../../../platform/db/ids.ts'
import { type Context, originOf } from '../../../platform/http/context.ts'
import { Refused, refuse, tooOften } from '../../../platform/http/errors.ts'
import { type Change, runChange } from '../../../platform/http/run-change.ts'
import { untilMidnight } from '../../../platform/limits/window.ts'
import { guardCaller } from '../guard-caller.ts'
import { presentInvitation } from '../present.ts'
import type { CreatedInvitation, CreateInvitationInput } from '../schema.ts'
import { invitationEmail } from './invitation-email.ts'
import {
  BY_SERVICE,
  closeInvitation,
  findInvitable,
  INVITATIONS_AN_HOUR,
  type InvitationRow,
  insertInvitation,
} from './queries.ts'

const LIFETIME_MS = 7 * DAY_MS

export function createInvitation(
  ctx: Context<TenantCaller>,
  input: CreateInvitationInput,
): Promise<CreatedInvitation> {
  return runChange(ctx, (db) => decide(ctx, db, input), {
    refusesOn: {
      PLAN_LIMIT: overPlan('invitations_pending'),
      INVITATION_PENDING: refuse('invitation_pending').refusal,
    },
  })
}

async function decide(
  ctx: Context<TenantCaller>,
  db: Db,
  input: CreateInvitationInput,
): Promise<Change<CreatedInvitation>> {
  const { organizationId, isTest } = ctx.caller
  const { organization, member, invitation, invitableAt } = await findInvitable(db, ctx.caller, input.email)

  if (organization.suspendedAt !== null) throw refuse('invites_nobody')
  if (member) throw refuse('email_is_member')
  if (invitation && invitation.expiresAt > ctx.now) throw refuse('invitation_pending')
  if (isLimited(ctx.caller) && organization.isDayOver)
    throw new Refused(tooOften('invitations_per_day', untilMidnight(Date.now())))
  if (invitableAt !== null) {
    const waitMs = invitableAt - Date.now()
    throw new Refused(tooOften('invitations_per_hour', waitMs, { most: INVITATIONS_AN_HOUR }))
  }
  const token = randomSecret(shardOf(organizationId))
  const row: InvitationRow = {
    id: newId(organizationId),
    organizationId,
    isTest,
    email: input.email,
    role: input.role,
    tokenHash: await sha256(token),
    invitedBy: inviterOf(ctx.caller),
    expiresAt: ctx.now + LIFETIME_MS,
    acceptedAt: null,
    revokedAt: null,
    createdAt: ctx.now,
  }
  const created = {
    ...presentInvitation(row, ctx.now),
    ...(ctx.caller.kind === 'service' && { token }),
  }

  const letter = invitationEmail(ctx.env, { invitation: row, token, ...organization })
  const guards = await guardCaller(db, ctx.caller)
  const posting = await enqueueEmail(ctx.env, db, ctx.caller, letter)
  const statements = [
    ...guards,
    ...(invitation ? closeInvitation(db, invitation.id, { revokedAt: ctx.now }) : []),
    guardUnsuspended(db, organizationId),
    ...insertInvitation(db, row, isLimited(ctx.caller), ctx.now),
    recordActivity(db, ctx.caller, originOf(ctx), {
      action: 'invitation.created',
      resourceType: 'invitation',
      resourceId: row.id,
      changes: { email: row.email, role: row.role },
    }),
    ...posting.statements,
  ]
  return { status: 201, body: created, statements, announce: posting.announce }
}

function inviterOf(caller: TenantCaller): string {
  return caller.kind === 'api_key' ? caller.keyId : (caller.onBehalfOf?.userId ?? BY_SERVICE)
}
