import type { TenantCaller } from '../../../auth/caller.ts'
import { commitBatch, openDb } from '../../../db/client.ts'
import { type Context, originOf } from '../../../http/context.ts'
import { notFound, Refused } from '../../../http/errors.ts'
import { retryWhenStale } from '../../../http/retry-when-stale.ts'
import { recordActivity } from '../../activity/statements.ts'
import { closeInvitation, findInvitationInTenant } from './queries.ts'

/** Once this returns, the invitation's token no longer works. Repeating it is harmless. */
export function revokeInvitation(ctx: Context<TenantCaller>, id: string): Promise<void> {
  return retryWhenStale(async () => {
    const db = openDb(ctx.env, 'decide')
    const read = await findInvitationInTenant(db, ctx.caller, id)

    if (!read) throw notFound('invitation')
    if (read.acceptedAt !== null) {
      throw new Refused({ code: 'conflict', message: 'The invitation was accepted; remove the member.' })
    }
    if (read.revokedAt !== null) return

    await commitBatch(db, [
      ...closeInvitation(db, id, { revokedAt: ctx.now }),
      recordActivity(db, ctx.caller, originOf(ctx), {
        action: 'invitation.revoked',
        resourceType: 'invitation',
        resourceId: id,
      }),
    ])
  })
}
