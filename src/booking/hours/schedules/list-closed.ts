import { type Interval, intersect, mergeIntervals } from '../../../core/interval.ts'
import { closedTimes, windowEdges } from '../../../core/open-hours.ts'
import { DAY_MS } from '../../../core/time-units.ts'
import { decodeHours, rulesOf } from '../../../engine/schedule/decode-hours.ts'
import type { Env } from '../../../env.ts'
import type { Tenant } from '../../../platform/auth/caller.ts'
import { openDb } from '../../../platform/db/client.ts'
import type { DateOverride, WeekRule } from '../../../platform/db/schema/hours.ts'
import { bookingIdsIn } from '../../bookings/list/agenda.ts'
import { listOfMember } from '../time-off/list-in-time-off.ts'
import { listUsers } from './queries.ts'
import type { Schedule } from './schema.ts'

const REACH_MS = 366 * DAY_MS

export type ZonedHours = {
  readonly timezone: string
  readonly rules: readonly WeekRule[]
  readonly overrides: readonly DateOverride[]
}

/**
 * The bookings of the next year in times that new hours close, soonest first: those of the member, or of the event types that
 * use the organization's schedule. They stay.
 */
export async function listClosed(
  env: Env,
  tenant: Tenant,
  { schedule, hours, now }: { readonly schedule: Schedule; readonly hours: ZonedHours; readonly now: number },
): Promise<readonly string[]> {
  const periods = closedBy(schedule, hours, { start: now, end: now + REACH_MS })
  if (periods.length === 0) return []
  if (schedule.member_id !== null) return listOfMember(env, tenant, schedule.member_id, periods)
  const { eventTypeIds } = await listUsers(openDb(env, 'decide'), schedule.id)
  return bookingIdsIn(env, tenant, eventTypeIds, periods)
}

/** What is open before and closed after. */
function closedBy(before: ZonedHours, after: ZonedHours, range: Interval): Interval[] {
  const edges = windowEdges(openHoursOf(before), range)
  const open = edges.flatMap((start, at) => (at % 2 === 0 ? [{ start, end: edges[at + 1]! }] : []))
  const closed = closedTimes(windowEdges(openHoursOf(after), range), range)
  return intersect(mergeIntervals(intersect(mergeIntervals(open), [range])), mergeIntervals(closed))
}

function openHoursOf({ timezone, rules, overrides }: ZonedHours) {
  return decodeHours(
    timezone,
    rulesOf(rules),
    overrides.map(({ date, intervals }) => [date, intervals]),
  )
}
