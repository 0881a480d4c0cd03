import { recordActivity } from '../../outbox/activity/statements.ts'
import type { TenantCaller } from '../../platform/auth/caller.ts'
import { forgetKeysOf } from '../../platform/auth/forget-keys.ts'
import { commitBatch, openDb } from '../../platform/db/client.ts'
import { type Context, originOf } from '../../platform/http/context.ts'
import { formatNullable } from '../../platform/http/instants.ts'
import { nowAsSeen, realNow } from '../../platform/limits/clock.ts'
import { doDue } from './do-due.ts'
import { setSandboxClock } from './queries.ts'

/** Sets the sandbox's clock and does at once what is then due, so that a test need not wait for the sweep. */
export async function setClock(ctx: Context<TenantCaller>, now: number | null) {
  const { organizationId } = ctx.caller
  const db = openDb(ctx.env, 'decide')
  const told = formatNullable(now)
  await commitBatch(db, [
    setSandboxClock(db, organizationId, now),
    recordActivity(db, ctx.caller, originOf(ctx), {
      action: 'test_data.clock_set',
      resourceType: 'organization',
      resourceId: organizationId,
      changes: { now: told },
    }),
  ])
  await forgetKeysOf(ctx.env, db, organizationId)
  const present = nowAsSeen(true, now, realNow())
  const [failure] = await doDue({ env: ctx.env, db, organizationId, present, isOver: () => false })
  if (failure) throw failure
  return { now: told }
}
