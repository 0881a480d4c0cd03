import type { TenantCaller } from '../../auth/caller.ts'
import { openDb } from '../../db/client.ts'
import { type Context, originOf } from '../../http/context.ts'
import { notFound } from '../../http/errors.ts'
import { commit } from '../../http/idempotency.ts'
import { recordActivity } from '../activity/statements.ts'
import { presentConnection } from './present.ts'
import { findListedInTenant } from './queries.ts'
import type { CalendarConnection } from './schema.ts'
import { beginSync } from './sync/sync-calendar.ts'

/** Asks the calendar now and returns the outcome; while another sync runs, it says so. */
export async function syncNow(ctx: Context<TenantCaller>, id: string): Promise<CalendarConnection> {
  const db = openDb(ctx.env, 'decide')
  if (!(await findListedInTenant(db, ctx.caller, id, ctx.now))) throw notFound('calendar connection')
  // Its owner may have repaired it.
  const sync = await beginSync(ctx.env, { connectionId: id, since: Date.now() + 1, isForced: true })
  await sync?.()

  const after = await findListedInTenant(db, ctx.caller, id, ctx.now)
  if (!after) throw notFound('calendar connection')
  const connection = presentConnection(after)
  const entry = recordActivity(db, ctx.caller, originOf(ctx), {
    action: 'calendar.synced',
    resourceType: 'calendar_connection',
    resourceId: id,
    changes: { sync_status: connection.sync_status },
  })
  await commit(ctx, db, [entry], { status: 200, body: connection })
  return connection
}
