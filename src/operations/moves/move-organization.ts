import { recordActivity } from '../../outbox/activity/statements.ts'
import { unlessDeleted } from '../../people/organizations/unless-deleted.ts'
import type { OperatorCaller } from '../../platform/auth/caller.ts'
import { type Db, openDb } from '../../platform/db/client.ts'
import { homeOf } from '../../platform/db/shards.ts'
import { type Context, originOf } from '../../platform/http/context.ts'
import { notFound, refuse } from '../../platform/http/errors.ts'
import { formatInstant } from '../../platform/http/instants.ts'
import { findMove, isThere } from './queries.ts'
import type { Move } from './schema.ts'
import { beginMove, endMove } from './statements.ts'

/** From here on nothing of the organization changes, and nothing is sent for it, until that ends. */
export async function beginMoving(ctx: Context<OperatorCaller>, organizationId: string): Promise<Move> {
  const db = openHome(ctx, organizationId)
  if (!(await isThere(db, organizationId))) throw notFound('organization')
  const before = await findMove(db, organizationId)
  if (!before) {
    await unlessDeleted(
      db.batch([
        logged(db, ctx, organizationId, 'organization.moving'),
        beginMove(db, organizationId, ctx.now),
      ]),
    )
  }
  const move = before ?? (await findMove(db, organizationId))
  return { organization_id: organizationId, began_at: formatInstant(move?.beganAt ?? ctx.now) }
}

/** It stays: everything continues, and the next sweep does what became due. */
export async function endMoving(ctx: Context<OperatorCaller>, organizationId: string): Promise<undefined> {
  const db = openHome(ctx, organizationId)
  if (!(await findMove(db, organizationId))) throw notFound('move')
  await unlessDeleted(
    db.batch([endMove(db, organizationId), logged(db, ctx, organizationId, 'organization.stayed')]),
  )
}

function logged(db: Db, ctx: Context<OperatorCaller>, organizationId: string, action: string) {
  const change = { action, resourceType: 'organization', resourceId: organizationId } as const
  return recordActivity(db, { organizationId, isTest: false }, originOf(ctx), change)
}

function openHome({ env, caller }: Context<OperatorCaller>, organizationId: string): Db {
  if (caller.userId !== null) throw refuse('for_operator')
  return openDb(homeOf(env, organizationId), 'decide')
}
