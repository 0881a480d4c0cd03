import { recordActivity } from '../outbox/activity/statements.ts'
import type { TenantCaller } from '../platform/auth/caller.ts'
import { openDb } from '../platform/db/client.ts'
import { type Context, originOf } from '../platform/http/context.ts'
import { notFound } from '../platform/http/errors.ts'
import { commit } from '../platform/http/idempotency.ts'
import { askAccount } from './accounts/ask-account.ts'
import { presentAll } from './present.ts'
import { findListedInTenant } from './queries.ts'
import type { CalendarConnection } from './schema.ts'
import { isOverInTime } from './wait-for-provider.ts'

/** Asks the calendar now and returns the outcome; that it is still asked, where it takes longer than a request can wait. */
export async function syncNow(ctx: Context<TenantCaller>, id: string): Promise<CalendarConnection> {
  const db = openDb(ctx.env, 'decide')
  const before = await findListedInTenant(db, ctx.caller, id, ctx.now)
  if (!before) throw notFound('calendar connection')
  const { accountId } = before.connection
  // Its owner may have repaired it.
  const wanted = { connectionId: id, since: Date.now() + 1, isForced: true }
  const sync = () => askAccount(ctx.env, accountId).sync(wanted)
  const isOver = await isOverInTime(ctx.env, sync)

  const after = await findListedInTenant(db, ctx.caller, id, ctx.now)
  if (!after) throw notFound('calendar connection')
  const [presented] = (await presentAll(ctx.env, [after])) as [CalendarConnection]
  const connection = isOver ? presented : { ...presented, sync_status: 'syncing' as const }
  const entry = recordActivity(db, ctx.caller, originOf(ctx), {
    action: 'calendar.synced',
    resourceType: 'calendar_connection',
    resourceId: id,
    changes: { sync_status: connection.sync_status },
  })
  await commit(ctx, db, [entry], { status: 200, body: connection })
  return connection
}
