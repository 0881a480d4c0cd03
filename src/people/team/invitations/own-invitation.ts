import { presentBranding } from '../../../booking/branding/present.ts'
import type { Env } from '../../../env.ts'
import type { PublicCaller } from '../../../platform/auth/caller.ts'
import { sha256, shardOfSecret } from '../../../platform/auth/secret.ts'
import { openDb } from '../../../platform/db/client.ts'
import { inShard } from '../../../platform/db/shards.ts'
import type { Context } from '../../../platform/http/context.ts'
import { Refused, refuse } from '../../../platform/http/errors.ts'
import { nowAsSeen, realNow } from '../../../platform/limits/clock.ts'
import { statusOf } from '../present.ts'
import type { AcceptInvitationInput, Member } from '../schema.ts'
import { acceptInvitation } from './accept-invitation.ts'
import { findAcceptable, findByToken } from './queries.ts'

/** An invitation as its invitee sees it. Without its token the caller is `unauthorized`. */
export async function getOwnInvitation(ctx: Context<PublicCaller>, token: string) {
  const found = await findByToken(openDb(homeOfToken(ctx, token), 'decide'), await sha256(token))
  if (!found) throw refuse('wrong_token', { thing: 'invitation' })
  const { invitation, organization } = found
  const now = nowAsSeen(invitation.isTest, organization.sandboxNow, realNow())
  return {
    email: invitation.email,
    role: invitation.role,
    status: statusOf(invitation, now),
    expiresAt: invitation.expiresAt,
    organization: {
      name: organization.name,
      timezone: organization.timezone,
      branding: presentBranding(organization),
    },
  }
}

/**
 * Accepts it with the email alone, which proves the address. Without an identity provider the address names the person, unless
 * it still names somebody who has another address by now. Null when a member already has the address.
 */
export async function acceptOwnInvitation(ctx: Context<PublicCaller>, token: string): Promise<Member | null> {
  const { email } = await getOwnInvitation(ctx, token)
  const userId = email.toLowerCase()
  try {
    return await acceptAs(ctx, { token, user_id: userId, user_email: email })
  } catch (error) {
    if (!(error instanceof Refused && error.refusal.reason === 'already_member')) throw error
    const { member } = await findAcceptable(
      openDb(homeOfToken(ctx, token), 'decide'),
      await sha256(token),
      userId,
      null,
    )
    if (!member || ['', userId].includes(member.userEmail.toLowerCase())) return null
    return acceptAs(ctx, { token, user_id: crypto.randomUUID(), user_email: email })
  }
}

function acceptAs(ctx: Context<PublicCaller>, input: AcceptInvitationInput): Promise<Member> {
  const caller = { kind: 'operator', userId: input.user_id } as const
  return acceptInvitation({ ...ctx, env: homeOfToken(ctx, input.token), caller }, input)
}

function homeOfToken({ env }: Context, token: string): Env {
  return inShard(env, shardOfSecret(token))
}
