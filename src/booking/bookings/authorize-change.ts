import type { PublicCaller, TenantCaller } from '../../platform/auth/caller.ts'
import { isTokenFor } from '../../platform/auth/secret.ts'
import { type Db, openDb, type Query } from '../../platform/db/client.ts'
import type { BookingRow } from '../../platform/db/schema/bookings.ts'
import type { Context } from '../../platform/http/context.ts'
import { notFound, refuse } from '../../platform/http/errors.ts'
import { nowAsSeen, type PresentMs } from '../../platform/limits/clock.ts'
import { noteOrganization } from '../../platform/log/tally.ts'
import { assertCalled, countTokenCall, selectTokenCall } from '../anonymous-callers/token-calls.ts'
import { selectBookingAndClock } from './queries.ts'

/** The booking, if the caller can change it: with a key of its organization and mode, or with its token. */
export async function authorizeChange(
  ctx: Context<PublicCaller | TenantCaller>,
  id: string,
  token: string | undefined,
): Promise<{ readonly booking: BookingRow; readonly now: PresentMs }> {
  const found = await findCounted(ctx, id, token, (db) => selectBookingAndClock(db, id))
  if (!found) throw notFound('booking')
  const { booking, sandboxNow } = found
  await assertTheirs(ctx, booking, token)
  return { booking, now: nowAsSeen(booking.isTest, sandboxNow, ctx.now) }
}

/**
 * What is known of the booking. Only calls with its token are counted, so that others cannot use up the invitee's limit;
 * dry runs are not counted.
 */
export async function findCounted<Row>(
  ctx: Context<PublicCaller | TenantCaller>,
  id: string,
  token: string | undefined,
  select: (db: Db) => Query<Row> & PromiseLike<Row[]>,
): Promise<Row | undefined> {
  const db = openDb(ctx.env, 'decide')
  if (!(await isInvitee(ctx, id, token))) return (await select(db))[0]
  const calling = ctx.isDry ? selectTokenCall(db, id, ctx.now) : countTokenCall(db, id, ctx.now)
  const [rows, calls] = await db.batch([select(db), calling])
  assertCalled(calls, ctx.now)
  return rows[0]
}

/** Throws if the key is of another organization or mode, or if there is neither a key nor the token. */
export async function assertTheirs(
  ctx: Context<PublicCaller | TenantCaller>,
  booking: BookingRow,
  token: string | undefined,
): Promise<void> {
  const { caller } = ctx
  noteOrganization(ctx.env, booking.organizationId)
  if (caller.kind !== 'public') {
    if (caller.organizationId === booking.organizationId && caller.isTest === booking.isTest) return
    throw notFound('booking')
  }
  if (await isInvitee(ctx, booking.id, token)) return
  throw refuse('wrong_token', { thing: 'booking' })
}

async function isInvitee(
  { env, caller }: Context<PublicCaller | TenantCaller>,
  id: string,
  token: string | undefined,
): Promise<boolean> {
  return caller.kind === 'public' && (await isTokenFor(env.ENCRYPTION_KEY, id, token ?? ''))
}
