import type { PublicCaller, TenantCaller } from '../../auth/caller.ts'
import { isTokenFor } from '../../auth/secret.ts'
import { openDb } from '../../db/client.ts'
import type { Context } from '../../http/context.ts'
import { notFound, Refused } from '../../http/errors.ts'
import { presentOf } from '../../limits/clock.ts'
import { type BookingRow, findBookingAndClock } from './store.ts'

/** The booking, when the caller may change it: with a key of its organization and mode, or with its token. */
export async function authorizeChange(
  ctx: Context<PublicCaller | TenantCaller>,
  id: string,
  token: string | undefined,
): Promise<{ readonly booking: BookingRow; readonly now: number }> {
  const found = await findBookingAndClock(openDb(ctx.env, 'decide'), id)
  if (!found) throw notFound('booking')
  const { booking, sandboxNow } = found
  await assertTheirs(ctx, booking, token)
  return { booking, now: presentOf(booking.isTest, sandboxNow, ctx.now) }
}

/** Throws where a key is of another organization or mode, or where a caller without one has not its token. */
export async function assertTheirs(
  { env, caller }: Context<PublicCaller | TenantCaller>,
  booking: BookingRow,
  token: string | undefined,
): Promise<void> {
  if (caller.kind !== 'public') {
    if (caller.organizationId === booking.organizationId && caller.isTest === booking.isTest) return
    throw notFound('booking')
  }
  if (await isTokenFor(env.ENCRYPTION_KEY, booking.id, token ?? '')) return
  throw new Refused({ code: 'unauthorized', message: 'The token does not belong to this booking.' })
}
