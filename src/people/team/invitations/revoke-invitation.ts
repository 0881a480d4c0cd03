import { recordActivity } from '../../../outbox/activity/statements.ts'
import type { TenantCaller } from '../../../platform/auth/caller.ts'
import { type Context, originOf } from '../../../platform/http/context.ts'
import { notFound, refuse } from '../../../platform/http/errors.ts'
import { NO_CHANGE, runChange } from '../../../platform/http/run-change.ts'
import { closeInvitation, findInvitationInTenant } from './queries.ts'

/** Once this returns, the invitation's token no longer works. Repeating it is harmless. */
export function revokeInvitation(ctx: Context<TenantCaller>, id: string): Promise<void> {
  return runChange(ctx, async (db) => {
    const read = await findInvitationInTenant(db, ctx.caller, id)

    if (!read) throw notFound('invitation')
    if (read.acceptedAt !== null) {
      throw refuse('accepted_already')
    }
    if (read.revokedAt !== null) return NO_CHANGE

    const statements = [
      ...closeInvitation(db, id, { revokedAt: ctx.now }),
      recordActivity(db, ctx.caller, originOf(ctx), {
        action: 'invitation.revoked',
        resourceType: 'invitation',
        resourceId: id,
      }),
    ]
    return { body: undefined, statements }
  })
}
