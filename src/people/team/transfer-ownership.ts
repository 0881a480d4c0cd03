import { freeTimeOfOwner } from '../../calendars/statements.ts'
import { offerFreedOf } from '../../engine/freed-times/offer-freed.ts'
import { organizationWide, recordActivity } from '../../outbox/activity/statements.ts'
import type { TenantCaller } from '../../platform/auth/caller.ts'
import { forgetKeysOf } from '../../platform/auth/forget-keys.ts'
import type { Db } from '../../platform/db/client.ts'
import { type Context, originOf } from '../../platform/http/context.ts'
import { because, notFound, refuse } from '../../platform/http/errors.ts'
import { type Change, runChange } from '../../platform/http/run-change.ts'
import { realNow } from '../../platform/limits/clock.ts'
import { claimFor } from '../../platform/names/claim-names.ts'
import { lowerKeysOfOwner } from '../api-keys/statements.ts'
import { findTransferable, moveOwnership } from './queries.ts'

export function transferOwnership(ctx: Context<TenantCaller>, memberId: string): Promise<{ success: true }> {
  return runChange(ctx, (db) => decide(ctx, db, memberId), {
    refusesOn: { OWNER_TAKEN: because('owns_another') },
  })
}

async function decide(
  ctx: Context<TenantCaller>,
  db: Db,
  memberId: string,
): Promise<Change<{ success: true }>> {
  const { caller } = ctx
  const { organization, member } = await findTransferable(db, caller.organizationId, memberId)

  // The caller was the owner when the request came in; somebody may have moved the ownership since.
  const userId = caller.kind === 'service' ? (caller.onBehalfOf?.userId ?? null) : caller.userId
  if (userId !== null && userId !== organization.ownerUserId) {
    throw refuse('no_longer_owner')
  }
  if (!member) throw notFound('member')
  if (member.role === 'owner') {
    throw refuse('owns_already')
  }

  const transferred = { success: true } as const
  const statements = [
    ...freeTimeOfOwner(db, caller.organizationId),
    // Both modes share the members, so their rows know no sandbox clock.
    lowerKeysOfOwner(db, caller.organizationId),
    ...moveOwnership(db, organization.ownerUserId, member, realNow()),
    recordActivity(db, organizationWide(ctx.caller), originOf(ctx), {
      action: 'organization.ownership_transferred',
      resourceType: 'organization',
      resourceId: caller.organizationId,
      changes: { owner_user_id: [organization.ownerUserId, member.userId] },
    }),
  ]
  return {
    status: 200,
    body: transferred,
    statements,
    undo: await claimFor(ctx.env, caller.organizationId, { owner: member.userId }),
    announce: async () => {
      await forgetKeysOf(ctx.env, db, caller.organizationId)
      await offerFreedOf(ctx.env, db, caller.organizationId)
    },
  }
}
