import type { Interval } from '../../core/interval.ts'
import { calendarsOf, closedBy } from './calendar-times.ts'
import type { Hold, Host, Schedule } from './schedule.ts'

const NOTHING: readonly never[] = []

/** The lists that a host's taken times come from, and these. */
type Known = { readonly sources: readonly (readonly unknown[])[]; readonly times: readonly Interval[] }

/** By the first calendar of a host, or else their holds: both are other ones if they change. */
const known = new WeakMap<object, Known>()

export function timesOf(holds: readonly Hold[]): Interval[] {
  return holds.map(({ startsAt, endsAt }) => ({ start: startsAt, end: endsAt }))
}

/**
 * When a host cannot be booked. Holds of their calendars count with the calendars' busy times, wherever a booking would be
 * written now. The same list again as long as none of that changes, so that a booking costs no more with more hosts.
 */
export function hostTimes(schedule: Schedule, host: Host): readonly Interval[] {
  const calendars = calendarsOf(schedule, host.id)
  const held = schedule.holds.get(host.resourceId) ?? NOTHING
  const heldThere = calendars.map(({ connection }) => schedule.holds.get(connection.id) ?? NOTHING)
  const closed = closedBy(schedule, calendars)
  const sources = [held, closed, ...heldThere, ...calendars.map(({ busy }) => busy)]
  if (sources.every(({ length }) => length === 0)) return NOTHING
  const key = calendars[0] ?? held
  const before = known.get(key)
  if (before && isSame(before.sources, sources)) return before.times
  const times = [
    ...timesOf(held),
    ...heldThere.flatMap(timesOf),
    ...calendars.flatMap(({ busy }) => busy),
    ...closed,
  ]
  known.set(key, { sources, times })
  return times
}

function isSame(one: Known['sources'], other: Known['sources']): boolean {
  return one.length === other.length && one.every((list, at) => list === other[at])
}
