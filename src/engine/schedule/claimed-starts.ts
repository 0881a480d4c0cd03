import { holdOf } from '../../core/hold.ts'
import { overlaps } from '../../core/interval.ts'
import type { SlotRequest } from '../../core/slot-request.ts'
import { isGivenUpFor, startGivenUp } from './given-up.ts'
import type { Schedule } from './schedule.ts'
import { takesNoBookings } from './takes-no-bookings.ts'

/** Returns which open starts are about to go to the waitlist, and so are not offered. */
export function claimTeller(schedule: Schedule, request: SlotRequest): (start: number) => boolean {
  if (!hasReservedTime(schedule)) return () => false
  const wanted = new Set(schedule.wanted)
  const times = schedule.freed.map(({ source, startsAt, endsAt }) => ({
    start: startsAt,
    end: endsAt,
    givenUp: startGivenUp(source),
  }))
  return (start) => {
    if (!wanted.has(start) && !wanted.has(null)) return false
    const hold = holdOf(start, request)
    const isFor = (entry: number | null) => wanted.has(entry) && !isGivenUpFor(times, { start, hold }, entry)
    return (isFor(start) || isFor(null)) && times.some((time) => overlaps(time, hold))
  }
}

/** Whether the waitlist comes first: time was released for it, and it can be booked now. */
export function hasReservedTime(schedule: Schedule | null): boolean {
  return schedule !== null && schedule.freed.length > 0 && !takesNoBookings(schedule)
}
