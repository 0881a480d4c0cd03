import { DAY_MS } from '../../../core/time-units.ts'
import type { Booking } from '../schema.ts'

type Times = Pick<Booking, 'start_time' | 'end_time'>

/**
 * Whether a booking can move to where its event is: a session keeps its length, and a booking never takes
 * whole days.
 */
export function isMovableTo(booking: Times & Pick<Booking, 'session_id'>, event: Times): boolean {
  const length = lengthOf(event)
  return length === lengthOf(booking) || (booking.session_id === null && length < DAY_MS)
}

export function lengthOf({ start_time, end_time }: Times): number {
  return Date.parse(end_time) - Date.parse(start_time)
}
