import type { TenantCaller } from '../../auth/caller.ts'
import { commitBatch, openDb } from '../../db/client.ts'
import { type Context, originOf } from '../../http/context.ts'
import { notFound } from '../../http/errors.ts'
import { keyCounterOf } from '../../limits/key-counter.ts'
import { recordActivity } from '../activity/statements.ts'
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
