import type { Interval } from '../../core/interval.ts'
import { closedTimes, type OpenHours, sharedEdges, windowEdges } from '../../core/open-hours.ts'
import type { Person } from '../../core/person.ts'
import { FREE_TIME_REACH_MS, freeTimeIn } from '../../core/rotation.ts'
import type { Schedule } from './schedule.ts'

/**
 * Returns how much time a host has left in the seven days around `start`. If any host has hours of their own, only bookable
 * time counts: otherwise a host without hours would always have the most.
 */
export function freeTimeTeller(schedule: Schedule, start: number): (host: Person) => number {
  const week = { start: start - FREE_TIME_REACH_MS, end: start + FREE_TIME_REACH_MS }
  const isByHours = schedule.hosts.some(({ hours }) => hours !== null)
  return ({ hours, closed, busy }) => {
    const outside = isByHours ? closedTimes(bookableIn(schedule, hours, week), week) : []
    return freeTimeIn(week, [...busy, ...closed, ...outside])
  }
}

/** The windows of the event type and the host together; those of one if the other has none. */
function bookableIn({ eventType, hours: own }: Schedule, hours: OpenHours | null, week: Interval): number[] {
  const theirs = hours && windowEdges(hours, week)
  if (eventType.hoursFrom === 'hosts') return theirs ?? []
  const ours = windowEdges(own, week)
  return theirs ? sharedEdges(ours, theirs) : ours
}
