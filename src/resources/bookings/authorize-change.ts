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
  const { caller } = ctx
  const found = await findBookingAndClock(openDb(ctx.env, 'decide'), id)
  if (!found) throw notFound('booking')
  const { booking, sandboxNow } = found
  const now = presentOf(booking.isTest, sandboxNow, ctx.now)
  if (caller.kind !== 'public') {
    if (caller.organizationId !== booking.organizationId || caller.isTest !== booking.isTest) {
      throw notFound('booking')
    }
    return { booking, now }
  }
  if (!(await isTokenFor(ctx.env.ENCRYPTION_KEY, id, token ?? ''))) {
    throw new Refused({ code: 'unauthorized', message: 'The token does not belong to this booking.' })
  }
  return { booking, now }
}
