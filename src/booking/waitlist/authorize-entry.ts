import type { PublicCaller, TenantCaller } from '../../platform/auth/caller.ts'
import { isTokenFor } from '../../platform/auth/secret.ts'
import { openDb } from '../../platform/db/client.ts'
import type { Context } from '../../platform/http/context.ts'
import { notFound, refuse } from '../../platform/http/errors.ts'
import { nowAsSeen } from '../../platform/limits/clock.ts'
import { findEntryAndClock } from './queries.ts'

/** The entry, if the caller can end it: with a key of its organization and mode, or with its token. */
export async function authorizeEntry(
  ctx: Context<PublicCaller | TenantCaller>,
  id: string,
  token: string | undefined,
) {
  const { caller } = ctx
  const found = await findEntryAndClock(openDb(ctx.env, 'decide'), id)
  if (!found) throw notFound('waitlist entry')
  const { entry, sandboxNow } = found
  const now = nowAsSeen(entry.isTest, sandboxNow, ctx.now)
  if (caller.kind !== 'public') {
    if (caller.organizationId !== entry.organizationId || caller.isTest !== entry.isTest) {
      throw notFound('waitlist entry')
    }
    return { entry, now }
  }
  if (!(await isTokenFor(ctx.env.ENCRYPTION_KEY, id, token ?? ''))) {
    throw refuse('wrong_token', { thing: 'entry' })
  }
  return { entry, now }
}
