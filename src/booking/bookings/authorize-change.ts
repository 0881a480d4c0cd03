import type { PublicCaller, TenantCaller } from '../../platform/auth/caller.ts'
import { type Db, openDb, type Query } from '../../platform/db/client.ts'
import type { BookingRow } from '../../platform/db/schema/bookings.ts'
import type { Context } from '../../platform/http/context.ts'
import { notFound, refuse } from '../../platform/http/errors.ts'
import { nowAsSeen, type PresentMs } from '../../platform/limits/clock.ts'
import { noteOrganization } from '../../platform/log/tally.ts'
import { assertCalled, countTokenCall, selectTokenCall } from '../anonymous-callers/token-calls.ts'
import { type BookingAsRead, selectBookingAsRead } from './as-read/queries.ts'
import { versionOfToken } from './invitee-token.ts'
import { selectBookingAndClock } from './queries.ts'
import { type BookingToUpdate, selectBookingToUpdate } from './update/queries.ts'

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

/** The same with what a cancellation or a move depends on. */
export async function authorizeMove(
  ctx: Context<PublicCaller | TenantCaller>,
  id: string,
  token: string | undefined,
): Promise<{ readonly read: BookingAsRead; readonly now: PresentMs }> {
  const found = await findCounted(ctx, id, token, (db) => selectBookingAsRead(db, id))
  if (!found) throw notFound('booking')
  await assertTheirs(ctx, found.booking, token)
  return { read: found, now: nowAsSeen(found.booking.isTest, found.sandboxNow, ctx.now) }
}

/** The same with what a change of its details depends on. */
export async function authorizeUpdate(
  ctx: Context<PublicCaller | TenantCaller>,
  id: string,
  token: string | undefined,
  asksSeats: boolean,
): Promise<{ readonly read: BookingToUpdate; readonly now: PresentMs }> {
  const found = await findCounted(ctx, id, token, (db) => selectBookingToUpdate(db, id, asksSeats))
  if (!found) throw notFound('booking')
  await assertTheirs(ctx, found.booking, token)
  return { read: found, now: nowAsSeen(found.booking.isTest, found.sandboxNow, ctx.now) }
}

/**
 * What is known of the booking. Only calls with a token of it are counted, so that others cannot use up the invitee's limit;
 * dry runs are not counted.
 */
export async function findCounted<Row>(
  ctx: Context<PublicCaller | TenantCaller>,
  id: string,
  token: string | undefined,
  select: (db: Db) => Query<Row> & PromiseLike<Row[]>,
): Promise<Row | undefined> {
  const db = openDb(ctx.env, 'decide')
  const version = await versionGiven(ctx, id, token)
  if (version === null) return (await select(db))[0]
  const calling = (ctx.isDry ? selectTokenCall : countTokenCall)(db, id, ctx.now, version)
  const [rows, calls] = await db.batch([select(db), calling])
  assertCalled(calls, ctx.now)
  return rows[0]
}

/** Throws if the key is of another organization or mode, or if there is neither a key nor the current token. */
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
  if ((await versionGiven(ctx, booking.id, token)) === booking.addressVersion) return
  throw refuse('wrong_token', { thing: 'booking' })
}

/** The version of the token that an invitee sent; null if it is not a token of the booking. */
async function versionGiven(
  { env, caller }: Context<PublicCaller | TenantCaller>,
  id: string,
  token: string | undefined,
): Promise<number | null> {
  return caller.kind === 'public' ? versionOfToken(env, id, token ?? '') : null
}
