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
import { listOfMember } from '../time-off/list-in-time-off.ts'
import { listUsers } from './queries.ts'
import type { Schedule } from './schema.ts'

const REACH_MS = 366 * DAY_MS

export type ZonedHours = {
  readonly timezone: string
  readonly rules: readonly WeekRule[]
  readonly overrides: readonly DateOverride[]
}

/** What has the hours: a schedule, for all who use it, an event type or a resource. */
type Holder =
  | { readonly schedule: Pick<Schedule, 'id' | 'member_id'> }
  | { readonly eventTypeId: string }
  | { readonly resourceId: string }

/** Open in any of these hours. */
export type OpenTimes = readonly ZonedHours[] | 'always'

type Change = {
  readonly of: Holder
  readonly before: OpenTimes
  readonly after: OpenTimes
  readonly now: number
}

/**
 * The bookings of the next year in times that new hours close, soonest first: those of the member, or of the event types and
 * resources that use the organization's schedule. They stay.
 */
export async function listClosed(
  env: Env,
  tenant: Tenant,
  { of, before, after, now }: Change,
): Promise<readonly string[]> {
  const periods = closedBy(before, after, { start: now, end: now + REACH_MS })
  if (periods.length === 0) return []
  if ('eventTypeId' in of) return bookingIdsIn(env, tenant, [of.eventTypeId], periods)
  if ('resourceId' in of) return listBookingsIn(env, [of.resourceId], periods)
  const { id, member_id: memberId } = of.schedule
  const { eventTypeIds, resourceIds } = await listUsers(openDb(env, 'decide'), id)
  const found = await Promise.all([
    memberId === null
      ? bookingIdsIn(env, tenant, eventTypeIds, periods)
      : listOfMember(env, tenant, memberId, periods),
    listBookingsIn(env, resourceIds, periods),
  ])
  return [...new Set(found.flat())]
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
