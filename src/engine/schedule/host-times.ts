import type { Interval } from '../../core/interval.ts'
import type { Calendar } from './calendar.ts'
import { calendarsOf, closedBy } from './calendar-times.ts'
import type { Host, Schedule } from './schedule.ts'

const NOTHING: readonly never[] = []

/** The lists that a host's taken times come from, and these. */
type Known = { readonly sources: readonly (readonly unknown[])[]; readonly times: readonly Interval[] }

/** By the first calendar of a host, which is another one if it changes. */
const known = new WeakMap<Calendar, Known>()

/**
 * When a host cannot be booked. Holds of their calendars count with the calendars' busy times, wherever a booking would be
 * written now. The same list again as long as none of that changes, so that a booking costs no more with more hosts.
 */
export function hostTimes(schedule: Schedule, host: Host): readonly Interval[] {
  const held = schedule.holds.get(host.resourceId) ?? NOTHING
  const calendars = calendarsOf(schedule, host.id)
  if (calendars.length === 0) return held
  const heldThere = calendars.map(({ connection }) => schedule.holds.get(connection.id) ?? NOTHING)
  const sources = [held, closedBy(schedule, calendars), ...heldThere, ...calendars.map(({ busy }) => busy)]
  const before = known.get(calendars[0]!)
  if (before && isSame(before.sources, sources)) return before.times
  const times = [
    ...held,
    ...heldThere.flat(),
    ...calendars.flatMap(({ busy }) => busy),
    ...closedBy(schedule, calendars),
  ]
  known.set(calendars[0]!, { sources, times })
  return times
}

function isSame(one: Known['sources'], other: Known['sources']): boolean {
  return one.length === other.length && one.every((list, at) => list === other[at])
}
