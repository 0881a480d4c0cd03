import { recordActivity } from '../../outbox/activity/statements.ts'
import type { TenantCaller } from '../../platform/auth/caller.ts'
import { commitBatch, openDb } from '../../platform/db/client.ts'
import { type Context, originOf } from '../../platform/http/context.ts'
import { notFound } from '../../platform/http/errors.ts'
import { dropEntriesOf } from '../waitlist/statements.ts'
import { hideEventType } from './queries.ts'
import { selectEventTypeInTenant } from './statements.ts'

/** Hides the event type for good; its bookings stay readable and can be cancelled. */
export async function deleteEventType(ctx: Context<TenantCaller>, id: string): Promise<void> {
  const db = openDb(ctx.env, 'decide')
  const [found] = await selectEventTypeInTenant(db, ctx.caller, id)
  if (!found) throw notFound('event type')
  await commitBatch(db, [
    hideEventType(db, id, ctx.now),
    ...dropEntriesOf(db, id, ctx.now),
    recordActivity(db, ctx.caller, originOf(ctx), {
      action: 'event_type.deleted',
      resourceType: 'event_type',
      resourceId: id,
    }),
  ])
}
