import type { Interval } from '../../core/interval.ts'
import { closedTimes, type OpenHours, sharedEdges, windowEdges } from '../../core/open-hours.ts'
import type { Person } from '../../core/person.ts'
import { FREE_TIME_REACH_MS, freeTimeIn } from '../../core/rotation.ts'
import type { Schedule } from './schedule.ts'

/** Returns how much bookable time a host has left in the seven days around `start`: inside their hours. */
export function freeTimeTeller(schedule: Schedule, start: number): (host: Person) => number {
  const week = weekAround(start)
  const ours = windowEdges(schedule.hours, week)
  const alike = new Map<OpenHours | null, Interval[]>()
  return ({ hours, closed, busy }) => {
    let outside = alike.get(hours)
    if (!outside) {
      outside = closedTimes(bookableIn(schedule, ours, hours, week), week)
      alike.set(hours, outside)
    }
    return freeTimeIn(week, [...busy, ...closed, ...outside])
  }
}

/** How many active bookings of the event type each host has in the seven days around `start`. */
export function bookingsNear({ assignedStarts }: Schedule, start: number): ReadonlyMap<string, number> {
  const week = weekAround(start)
  const counts = new Map<string, number>()
  for (const { hostId, start: at, count } of assignedStarts) {
    if (at >= week.start && at < week.end) counts.set(hostId, (counts.get(hostId) ?? 0) + count)
  }
  return counts
}

function weekAround(start: number): Interval {
  return { start: start - FREE_TIME_REACH_MS, end: start + FREE_TIME_REACH_MS }
}

/** The windows of the event type and the host together; those of one if the other has none. */
function bookableIn(
  { eventType }: Schedule,
  ours: readonly number[],
  hours: OpenHours | null,
  week: Interval,
): readonly number[] {
  const theirs = hours && windowEdges(hours, week)
  if (eventType.hoursFrom === 'hosts') return theirs ?? []
  return theirs ? sharedEdges(ours, theirs) : ours
}
