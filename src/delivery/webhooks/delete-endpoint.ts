import { recordActivity } from '../../outbox/activity/statements.ts'
import type { TenantCaller } from '../../platform/auth/caller.ts'
import { commitBatch, openDb } from '../../platform/db/client.ts'
import { type Context, originOf } from '../../platform/http/context.ts'
import { getEndpoint } from './change-endpoint.ts'
import { deleteEndpoint as deleteRow } from './queries.ts'

/** Nothing more is sent to it: a queued delivery fails when it finds no endpoint. */
export async function deleteEndpoint(ctx: Context<TenantCaller>, id: string): Promise<void> {
  const db = openDb(ctx.env, 'decide')
  const { url } = await getEndpoint(ctx, db, id)

  await commitBatch(db, [
    deleteRow(db, id),
    recordActivity(db, ctx.caller, originOf(ctx), {
      action: 'webhook_endpoint.deleted',
      resourceType: 'webhook_endpoint',
      resourceId: id,
      changes: { url },
    }),
  ])
}
