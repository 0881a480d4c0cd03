import { moveSharedHolds, selectOwnershipConflicts } from '../../calendars/ownership/statements.ts'
import { bringToOwner } from '../../calendars/receiving/statements.ts'
import { wakeWrites } from '../../calendars/receiving/wake-writes.ts'
import { freeTimeOfOwner } from '../../calendars/statements.ts'
import { offerFreedOf } from '../../engine/freed-times/offer-freed.ts'
import { organizationWide, recordActivity } from '../../outbox/activity/statements.ts'
import type { TenantCaller } from '../../platform/auth/caller.ts'
import { forgetKeysOf } from '../../platform/auth/forget-keys.ts'
import type { Db } from '../../platform/db/client.ts'
import { type Context, originOf } from '../../platform/http/context.ts'
import { because, notFound, refuse } from '../../platform/http/errors.ts'
import { formatInstant } from '../../platform/http/instants.ts'
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

  const { organizationId } = caller
  const now = realNow()
  await assertNothingOverlaps(db, organizationId, member.id)
  const transferred = { success: true } as const
  const statements = [
    ...moveSharedHolds(db, organizationId, member.id, now),
    ...freeTimeOfOwner(db, organizationId),
    // Both modes share the members, so their rows know no sandbox clock.
    lowerKeysOfOwner(db, organizationId),
    ...moveOwnership(db, organization.ownerUserId, member, now),
    ...bringToOwner(db, organizationId, now),
    recordActivity(db, organizationWide(ctx.caller), originOf(ctx), {
      action: 'organization.ownership_transferred',
      resourceType: 'organization',
      resourceId: organizationId,
      changes: { owner_user_id: [organization.ownerUserId, member.userId] },
    }),
  ]
  return {
    status: 200,
    body: transferred,
    statements,
    undo: await claimFor(ctx.env, organizationId, { owner: member.userId }),
    announce: async () => {
      await forgetKeysOf(ctx.env, db, organizationId)
      await offerFreedOf(ctx.env, db, organizationId)
      await wakeWrites(ctx.env, db, organizationId)
    },
  }
}

/** Two event types without hosts that share the owner's calendar must not be booked at the same time. */
async function assertNothingOverlaps(db: Db, organizationId: string, memberId: string): Promise<void> {
  const found = await selectOwnershipConflicts(db, organizationId, memberId, realNow())
  if (found.length === 0) return
  throw refuse('owner_is_booked', {
    conflicts: found.map(({ start_time, ...ids }) => ({ ...ids, start_time: formatInstant(start_time) })),
  })
}
