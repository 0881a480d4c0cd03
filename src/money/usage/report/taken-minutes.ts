import { type CountedIn, startsIn } from './group-counts.ts'
import type { CountedDay } from './queries.ts'

/**
 * For how many minutes hosts and event types without hosts are taken in the period. Several bookings of one event type and host at
 * one start are a session, which takes its time once.
 */
export function takenMinutes(days: readonly CountedDay[], period: CountedIn): number {
  const starts = new Map<string, { bookings: number; minutes: number }>()
  for (const { of, quarter, status, counted } of startsIn(days, period)) {
    if (typeof counted === 'number' || status === 'cancelled') continue
    const at = `${of.day}/${quarter}/${of.eventTypeId}/${of.memberId}`
    const known = starts.get(at) ?? { bookings: 0, minutes: 0 }
    starts.set(at, { bookings: known.bookings + counted[0], minutes: known.minutes + counted[1] })
  }
  let taken = 0
  for (const { bookings, minutes } of starts.values()) taken += minutes / Math.max(1, bookings)
  return taken
}
