import { recordActivity } from '../../outbox/activity/statements.ts'
import type { TenantCaller } from '../../platform/auth/caller.ts'
import { commitBatch, openDb } from '../../platform/db/client.ts'
import { type Context, originOf } from '../../platform/http/context.ts'
import { notFound } from '../../platform/http/errors.ts'
import { keyCounterOf } from '../../platform/limits/key-counter.ts'
import { findKeyInTenant, revokeKey } from './queries.ts'

/** Once this returns, the key no longer works. Repeating it is harmless. */
export async function revokeApiKey(ctx: Context<TenantCaller>, id: string): Promise<void> {
  const db = openDb(ctx.env, 'decide')
  const row = await findKeyInTenant(db, ctx.caller, id)
  if (!row) throw notFound('API key')
  if (row.revokedAt === null) {
    await commitBatch(db, [
      revokeKey(db, id, ctx.now),
      recordActivity(db, ctx.caller, originOf(ctx), {
        action: 'api_key.revoked',
        resourceType: 'api_key',
        resourceId: id,
      }),
    ])
  }
  // Also when it was revoked before: the call that did it may have died between its commit and this line.
  await keyCounterOf(ctx.env, row.hash).forget()
}
