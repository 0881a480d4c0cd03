import type { PublicCaller, TenantCaller } from '../../platform/auth/caller.ts'
import { openDb } from '../../platform/db/client.ts'
import type { SlotHoldRow } from '../../platform/db/schema/slot-holds.ts'
import type { Context } from '../../platform/http/context.ts'
import { notFound, refuse } from '../../platform/http/errors.ts'
import { nowAsSeen, type PresentMs } from '../../platform/limits/clock.ts'
import { assertCalled, countTokenCall } from '../anonymous-callers/token-calls.ts'
import { isHoldToken } from './hold-token.ts'
import { selectHoldAndClock } from './queries.ts'

type Caller = Context<PublicCaller | TenantCaller>
type Authorized = { readonly hold: SlotHoldRow; readonly now: PresentMs }

/** The hold, for a key of its organization and mode, or for its token. */
export async function authorizeHold(ctx: Caller, id: string, token: string | undefined): Promise<Authorized> {
  const db = openDb(ctx.env, 'decide')
  const isHolder = ctx.caller.kind === 'public' && (await isHoldToken(ctx.env, id, token ?? ''))
  const [rows, calls] = isHolder
    ? await db.batch([selectHoldAndClock(db, id), countTokenCall(db, id, ctx.now)])
    : [await selectHoldAndClock(db, id), null]
  if (calls) assertCalled(calls, ctx.now)
  const authorized = found(ctx, rows)
  if (ctx.caller.kind === 'public' && !isHolder) throw refuse('wrong_token', { thing: 'hold' })
  return authorized
}

/** The hold, for its token only: it becomes the caller's booking, so a key is not enough. */
export async function authorizeHolder(
  ctx: Caller,
  id: string,
  token: string | undefined,
): Promise<Authorized> {
  const authorized = found(ctx, await selectHoldAndClock(openDb(ctx.env, 'decide'), id))
  if (await isHoldToken(ctx.env, id, token ?? '')) return authorized
  throw refuse('wrong_token', { thing: 'hold' })
}

function found(
  { caller, now }: Caller,
  [row]: readonly { readonly hold: SlotHoldRow; readonly sandboxNow: number | null }[],
): Authorized {
  if (!row) throw notFound('hold')
  const { hold, sandboxNow } = row
  const isForeign =
    caller.kind !== 'public' &&
    (caller.organizationId !== hold.organizationId || caller.isTest !== hold.isTest)
  if (isForeign) throw notFound('hold')
  return { hold, now: nowAsSeen(hold.isTest, sandboxNow, now) }
}
