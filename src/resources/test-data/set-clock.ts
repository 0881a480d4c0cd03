import type { TenantCaller } from '../../auth/caller.ts'
import { forgetKeysOf } from '../../auth/forget-keys.ts'
import { commitBatch, openDb } from '../../db/client.ts'
import { type Context, originOf } from '../../http/context.ts'
import { formatNullable } from '../../http/instants.ts'
import { nowAsSeen, realNow } from '../../limits/clock.ts'
import { recordActivity } from '../activity/statements.ts'
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
  const until = Number.POSITIVE_INFINITY
  const [failure] = await doDue({ env: ctx.env, db, organizationId, present, until })
  if (failure) throw failure
  return { now: told }
}
