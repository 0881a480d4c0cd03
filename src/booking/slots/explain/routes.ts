import { parseDate } from '../../../core/local-time.ts'
import { MINUTE_MS } from '../../../core/time-units.ts'
import type { PublicCaller, TenantCaller } from '../../../platform/auth/caller.ts'
import type { Context } from '../../../platform/http/context.ts'
import { invalid, refuse } from '../../../platform/http/errors.ts'
import { LATEST_START } from '../../../platform/http/instants.ts'
import { defineRoute, defineRoutes } from '../../../platform/http/route.ts'
import { problem } from '../../../platform/reasons/reason.ts'
import { readAbout } from '../find-slots-for.ts'
import { explainDay } from './explain-day.ts'
import { explainStart } from './explain-start.ts'
import { forInvitee } from './for-invitee.ts'
import { Explanation, ExplanationParams, ExplanationQuery } from './schema.ts'

export const explanationRoutes = defineRoutes({
  explain: defineRoute({
    method: 'GET',
    path: '/v1/event-types/:id/explain',
    tag: 'Availability',
    summary: 'Explain why a start or a day is open or closed',
    description:
      'With `start_time`: whether this start can be booked now, and every reason against it, by host too. With `date` and `timezone`: the whole day; with several hosts each reason once, or by host with `hosts=true`. With the token of a booking that moves, the reasons name no hosts, calendars or bookings: what others have is `booked`. The rules that decide about bookings also write the explanation: a bookable start is booked, unless a calendar says otherwise then.',
    auth: 'key-or-token',
    permission: 'read',
    scope: 'read',
    limit: 'counted',
    request: { params: ExplanationParams, query: ExplanationQuery },
    response: { status: 200, body: Explanation },
    errors: ['validation_error', 'bad_request', 'unauthorized', 'forbidden', 'not_found', 'conflict'],
    handler: (ctx, { params, query }) => explain(ctx, params.id, query),
  }),
})

async function explain(
  ctx: Context<PublicCaller | TenantCaller>,
  eventTypeId: string,
  query: ExplanationQuery,
): Promise<Explanation> {
  const isInvitee = ctx.caller.kind === 'public'
  if (isInvitee && query.booking_id === undefined) throw refuse('no_key')
  const explanation = await explainAsked(ctx, eventTypeId, query)
  return isInvitee ? forInvitee(explanation) : explanation
}

async function explainAsked(
  ctx: Context<PublicCaller | TenantCaller>,
  eventTypeId: string,
  query: ExplanationQuery,
): Promise<Explanation> {
  const { start_time, date, timezone, hosts = false } = query
  const about = await readAbout(ctx, query)
  if (about.isTooLate) throw refuse('too_late', { minutes: null }, { notice_minutes: 0 })
  const { booking } = about
  const length = booking ? (booking.endTime - booking.startTime) / MINUTE_MS : undefined
  const duration = query.duration ?? length
  const seats = query.seats ?? booking?.attendees.length ?? 1
  const isOwnLength = booking !== null && query.duration === undefined
  if (start_time !== undefined) {
    const both = problem('not_together', { other: 'start_time' })
    if (date !== undefined) throw invalid({ date: both })
    if (timezone !== undefined) throw invalid({ timezone: both })
    return explainStart(ctx, eventTypeId, { start: start_time, duration, seats, about, isOwnLength })
  }
  if (date === undefined && timezone === undefined) {
    throw invalid({ start_time: problem('required_or_date') })
  }
  if (date === undefined) throw invalid({ date: problem('required') })
  if (timezone === undefined) throw invalid({ timezone: problem('required') })
  const midnight = parseDate(date)!
  if (midnight < 0 || midnight >= LATEST_START) throw invalid({ date: problem('out_of_years') })
  return explainDay(ctx, eventTypeId, { date, timezone, duration, seats, hosts, about, isOwnLength })
}
