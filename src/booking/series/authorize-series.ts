import type { PublicCaller, TenantCaller } from '../../platform/auth/caller.ts'
import { openDb } from '../../platform/db/client.ts'
import type { BookingRow } from '../../platform/db/schema/bookings.ts'
import type { SeriesRow } from '../../platform/db/schema/series.ts'
import type { Context } from '../../platform/http/context.ts'
import { notFound, refuse } from '../../platform/http/errors.ts'
import { nowAsSeen, type PresentMs } from '../../platform/limits/clock.ts'
import { noteOrganization } from '../../platform/log/tally.ts'
import { assertCalled, countTokenCall, selectTokenCall } from '../anonymous-callers/token-calls.ts'
import { selectBookingsOfSeries, selectSeriesAndClock } from './queries.ts'
import { isSeriesToken } from './series-token.ts'

type Found = {
  readonly series: SeriesRow
  readonly bookings: readonly BookingRow[]
  readonly now: PresentMs
}

/** The series, for a key of its organization and mode, or for its token. */
export async function authorizeSeries(
  ctx: Context<PublicCaller | TenantCaller>,
  id: string,
  token: string | undefined,
): Promise<Found> {
  const { env, caller } = ctx
  const db = openDb(env, 'decide')
  const isInvitee = caller.kind === 'public' && (await isSeriesToken(env, id, token ?? ''))
  const calling = (ctx.isDry ? selectTokenCall : countTokenCall)(db, id, ctx.now)
  const asked = [selectSeriesAndClock(db, id), selectBookingsOfSeries(db, id)] as const
  const [[found], bookings, calls] = isInvitee
    ? await db.batch([...asked, calling])
    : [...(await db.batch(asked)), null]
  if (calls) assertCalled(calls, ctx.now)
  if (!found) throw notFound('series')
  const { series, sandboxNow } = found
  noteOrganization(env, series.organizationId)
  if (caller.kind === 'public') {
    if (!isInvitee) throw refuse('wrong_token', { thing: 'series' })
  } else if (caller.organizationId !== series.organizationId || caller.isTest !== series.isTest) {
    throw notFound('series')
  }
  return { series, bookings, now: nowAsSeen(series.isTest, sandboxNow, ctx.now) }
}
