import type { Db } from '../../db/client.ts'
import type { Interval } from '../../scheduling/interval.ts'
import type { Schedule } from '../availability/schedule.ts'
import type { BookingRow } from '../bookings/new-booking.ts'
import type { Workplace } from '../bookings/workplace.ts'
import { promoteWaiting } from './promote-waiting.ts'
import { selectLineLength, selectSharing } from './store.ts'

/** Who may have an interest in the time that a booking holds, as queries to ask before it is given up. */
export function interestQueries(db: Db, eventTypeId: string, bookingId: string) {
  return [selectLineLength(db, eventTypeId), selectSharing(db, eventTypeId, bookingId)] as const
}

export type Interest = readonly [readonly { readonly waiting: number }[], readonly { readonly id: string }[]]

/** Gives the time that a booking gave up to whoever waits for it, here first, then where its hosts host too. */
export async function passOnTime(
  workplace: Workplace,
  [[line], sharing]: Interest,
  given: BookingRow,
  hold: Interval,
  now: number,
): Promise<void> {
  const before = (schedule: Schedule) => withPlaceTaken(schedule, given.startTime)
  if (line && line.waiting > 0) {
    await promoteWaiting(workplace, given.eventTypeId, { before, hold, start: given.startTime }, now)
  }
  for (const { id } of sharing) workplace.tellTimeFreed({ eventTypeId: id, freed: hold, now })
}

/** The cap as it was while the booking counted. */
function withPlaceTaken(schedule: Schedule, start: number): Schedule {
  const { eventType, bookedStarts } = schedule
  return {
    ...schedule,
    eventType: { ...eventType, activeBookings: eventType.activeBookings + 1 },
    bookedStarts: [...bookedStarts, { start, count: 1 }],
  }
}
