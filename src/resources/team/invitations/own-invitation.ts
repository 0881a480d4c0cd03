import type { PublicCaller } from '../../../auth/caller.ts'
import { sha256, shardOfSecret } from '../../../auth/secret.ts'
import { openDb } from '../../../db/client.ts'
import { inShard } from '../../../db/shards.ts'
import type { Env } from '../../../env.ts'
import type { Context } from '../../../http/context.ts'
import { Refused } from '../../../http/errors.ts'
import { nowAsSeen, realNow } from '../../../limits/clock.ts'
import { presentBranding } from '../../branding/present.ts'
import { statusOf } from '../present.ts'
import type { Member } from '../schema.ts'
import { ALREADY_MEMBER, acceptInvitation } from './accept-invitation.ts'
import { findByToken } from './queries.ts'

/** An invitation as whoever got its letter sees it. Without its token the caller is `unauthorized`. */
export async function getOwnInvitation(ctx: Context<PublicCaller>, token: string) {
  const found = await findByToken(openDb(homeOfToken(ctx, token), 'decide'), await sha256(token))
  if (!found)
    throw new Refused({ code: 'unauthorized', message: 'The token does not belong to an invitation.' })
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
 * Accepts it with nothing but the letter, which proves the address. Where no identity provider names people, the
 * address does. Null where whoever it names belongs to the team already.
 */
export async function acceptOwnInvitation(ctx: Context<PublicCaller>, token: string): Promise<Member | null> {
  const { email } = await getOwnInvitation(ctx, token)
  const userId = email.toLowerCase()
  const caller = { kind: 'operator', userId } as const
  try {
    return await acceptInvitation(
      { ...ctx, env: homeOfToken(ctx, token), caller },
      { token, user_id: userId, user_email: email },
    )
  } catch (error) {
    if (error instanceof Refused && error.refusal === ALREADY_MEMBER) return null
    throw error
  }
}

function homeOfToken({ env }: Context, token: string): Env {
  return inShard(env, shardOfSecret(token))
}
