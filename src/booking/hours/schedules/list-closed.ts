import { type Interval, intersect, mergeIntervals } from '../../../core/interval.ts'
import { closedTimes, windowEdges } from '../../../core/open-hours.ts'
import { DAY_MS } from '../../../core/time-units.ts'
import { decodeHours, rulesOf } from '../../../engine/schedule/decode-hours.ts'
import type { Env } from '../../../env.ts'
import type { Tenant } from '../../../platform/auth/caller.ts'
import { openDb } from '../../../platform/db/client.ts'
import type { DateOverride, WeekRule } from '../../../platform/db/schema/hours.ts'
import { bookingIdsIn } from '../../bookings/list/agenda.ts'
import { listBookingsIn } from '../../resources/list-bookings-in.ts'
import { listFollowers, listUsers } from './queries.ts'

const REACH_MS = 366 * DAY_MS

export type ZonedHours = {
  readonly timezone: string
  readonly rules: readonly WeekRule[]
  readonly overrides: readonly DateOverride[]
}

/**
 * What has the hours: a schedule, for all who use it, an event type, a host of it or a resource. A schedule that is no longer
 * the default changes the hours of those alone who follow it as that; `ends` if no other one takes its place.
 */
type Holder =
  | { readonly scheduleId: string; readonly asDefault?: 'replaced' | 'ends' }
  | { readonly eventTypeId: string; readonly memberId?: string }
  | { readonly resourceId: string }

/** Open in any of these hours. */
export type OpenTimes = readonly ZonedHours[] | 'always'

export type HoursChange = {
  readonly of: Holder
  readonly before: OpenTimes
  readonly after: OpenTimes
  readonly now: number
}

/** The bookings of the next year in times that new hours close, soonest first for each change. They stay. */
export async function listClosed(
  env: Env,
  tenant: Tenant,
  changes: readonly HoursChange[],
): Promise<readonly string[]> {
  const found = await Promise.all(changes.map((change) => closedByOne(env, tenant, change)))
  return [...new Set(found.flat())]
}

async function closedByOne(
  env: Env,
  tenant: Tenant,
  { of, before, after, now }: HoursChange,
): Promise<readonly string[]> {
  const periods = closedBy(before, after, { start: now, end: now + REACH_MS })
  if (periods.length === 0) return []
  if ('eventTypeId' in of) return bookingIdsIn(env, tenant, [of], periods)
  if ('resourceId' in of) return listBookingsIn(env, [of.resourceId], periods)
  const { scheduleId, asDefault } = of
  const db = openDb(env, 'decide')
  const [followers, { resourceIds }] = await Promise.all([
    listFollowers(db, scheduleId),
    asDefault ? { resourceIds: [] } : listUsers(db, scheduleId),
  ])
  const booked = followers.filter(
    ({ byDefault, isOnly }) => !asDefault || (byDefault === 1 && (asDefault === 'replaced' || isOnly === 1)),
  )
  const found = await Promise.all([
    bookingIdsIn(env, tenant, booked, periods),
    listBookingsIn(env, resourceIds, periods),
  ])
  return found.flat()
}

/** What is open before and closed after. */
function closedBy(before: OpenTimes, after: OpenTimes, range: Interval): Interval[] {
  if (after === 'always') return []
  const closed = after.map((hours) =>
    mergeIntervals(closedTimes(windowEdges(openHoursOf(hours), range), range)),
  )
  return [openIn(before, range), ...closed].reduce(intersect)
}

function openIn(times: OpenTimes, range: Interval): Interval[] {
  if (times === 'always') return [range]
  const open = times.flatMap((hours) => {
    const edges = windowEdges(openHoursOf(hours), range)
    return edges.flatMap((start, at) => (at % 2 === 0 ? [{ start, end: edges[at + 1]! }] : []))
  })
  return intersect(mergeIntervals(open), [range])
}

function openHoursOf({ timezone, rules, overrides }: ZonedHours) {
  return decodeHours(
    timezone,
    rulesOf(rules),
    overrides.map(({ date, intervals }) => [date, intervals]),
  )
}
