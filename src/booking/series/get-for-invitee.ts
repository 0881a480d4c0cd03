import { openDb } from '../../platform/db/client.ts'
import { isId } from '../../platform/db/ids.ts'
import type { Context } from '../../platform/http/context.ts'
import { notFound, refuse } from '../../platform/http/errors.ts'
import { nowAsSeen } from '../../platform/limits/clock.ts'
import { noteOrganization } from '../../platform/log/tally.ts'
import { assertCalled, countTokenCall } from '../anonymous-callers/token-calls.ts'
import { presentTo } from '../bookings/present.ts'
import { presentBranding } from '../branding/present.ts'
import { seenBy } from './present.ts'
import { selectBookingsOfSeries, selectSeriesWithOwner } from './queries.ts'
import { isSeriesToken } from './series-token.ts'

const INVITEE = { actorType: 'invitee' } as const

/** A series for its invitee. Without its token the caller is `unauthorized`. */
export async function getSeriesForInvitee(ctx: Context, id: string, token: string) {
  const seriesId = id.toLowerCase()
  const isTheirs = isId(seriesId) && (await isSeriesToken(ctx.env, seriesId, token))
  if (!isTheirs) throw refuse('wrong_token', { thing: 'series' })
  const db = openDb(ctx.env, 'decide')
  const [[found], bookings, calls] = await db.batch([
    selectSeriesWithOwner(db, seriesId),
    selectBookingsOfSeries(db, seriesId),
    countTokenCall(db, seriesId, ctx.now),
  ])
  assertCalled(calls, ctx.now)
  if (!found) throw notFound('series')
  const { series, eventType, organization } = found
  noteOrganization(ctx.env, series.organizationId)
  const rows = seenBy(INVITEE, bookings)
  return {
    id: seriesId,
    bookings: rows.map((row) => presentTo(INVITEE, row)),
    isZoneUnknown: rows[0]?.zoneUnknown ?? false,
    now: nowAsSeen(series.isTest, organization.sandboxNow, ctx.now),
    eventType,
    organization: { name: organization.name, branding: presentBranding(organization) },
  }
}
export type InviteeSeries = Awaited<ReturnType<typeof getSeriesForInvitee>>
