import { sumOpenHours } from '../../booking/agenda/sum-open-hours.ts'
import { findConcerned } from '../../booking/attention/find-concerned.ts'
import { decidableOf } from '../../booking/bookings/approval/may-decide.ts'
import { requestsOf } from '../../booking/bookings/list/agenda.ts'
import { eventTypeRoutes } from '../../booking/event-types/routes.ts'
import { calendarRoutes } from '../../calendars/routes.ts'
import { dateInZone, formatDate } from '../../core/local-time.ts'
import { DAY_MS } from '../../core/time-units.ts'
import { comparePeriods } from '../../money/usage/report/compare-periods.ts'
import { usageRoutes } from '../../money/usage/routes.ts'
import { callerOf, need, sharedEnv } from '../ask.ts'
import { agendaFor } from '../bookings/views.ts'
import { listAll } from '../list-all.ts'
import type { MemberRequest } from '../request.ts'

/** How many days a period has. */
export const DAYS = 28
/** How far ahead it looks for bookings that something is wrong with. */
const AHEAD_MS = 28 * DAY_MS
const MOST_NAMED = 5

export type Overview = Awaited<ReturnType<typeof loadOverview>>

/** What the overview shows, in shared round trips. */
export async function loadOverview(request: MemberRequest) {
  const { member, now } = request
  const env = sharedEnv(request)
  // Reports are in the organization's zone.
  const today = dateInZone(member.timezone, now)
  const open = (first: number) =>
    sumOpenHours(env, request, { from: { midnight: first }, to: { midnight: first + (DAYS - 1) * DAY_MS } })
  const period = { from: formatDate(today - (DAYS - 1) * DAY_MS), to: formatDate(today) }
  const [
    comparison,
    report,
    openMinutes,
    openBefore,
    agenda,
    requests,
    concerned,
    eventTypes,
    calendars,
    usage,
  ] = await Promise.all([
    comparePeriods(env, request, { timezone: member.timezone, today, days: DAYS }),
    need(request, usageRoutes.getUsageReport, { query: { ...period, group_by: 'event_type' } }),
    open(today - (DAYS - 1) * DAY_MS),
    open(today - (2 * DAYS - 1) * DAY_MS),
    agendaFor(request, 'today'),
    loadRequests(request),
    findConcerned(env, request, { from: now, until: now + AHEAD_MS, limit: MOST_NAMED }),
    listAll(request, eventTypeRoutes.listEventTypes),
    need(request, calendarRoutes.listCalendars, {}),
    need(request, usageRoutes.getUsage, {}),
  ])
  return {
    comparison,
    byEventType: report.data,
    openMinutes,
    openBefore,
    agenda,
    ...requests,
    concerned,
    eventTypes,
    calendars,
    usage,
  }
}

async function loadRequests(request: MemberRequest) {
  const env = sharedEnv(request)
  const part = { now: request.now, after: null, limit: MOST_NAMED }
  const { data, hasMore } = await requestsOf(env, request, part)
  const ids = data.map(({ id }) => id)
  const decidable = ids.length > 0 ? await decidableOf(env, callerOf(request), ids) : new Set<string>()
  return { requests: data, hasMoreRequests: hasMore, decidable }
}
