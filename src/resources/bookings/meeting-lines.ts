import { MINUTE_MS } from '../../scheduling/time-units.ts'
import type { Line } from '../mail/letter-body.ts'
import type { Booking } from './schema.ts'

/** `Monday, March 9, 2026 at 2:00 PM (Europe/Berlin)` */
export function whenLine(startTime: string, timeZone: string): string {
  const zone = isFormattable(timeZone) ? timeZone : 'UTC'
  const format = new Intl.DateTimeFormat('en', { dateStyle: 'full', timeStyle: 'short', timeZone: zone })
  return `${format.format(new Date(startTime)).replace(/\u202f/g, ' ')} (${zone})`
}

/** When, how long and where: what every letter about a meeting says. */
export function meetingLines(booking: Booking, timeZone: string): Line[] {
  const minutes = (Date.parse(booking.end_time) - Date.parse(booking.start_time)) / MINUTE_MS
  return [
    `When: ${whenLine(booking.start_time, timeZone)}, ${minutes} minutes`,
    ...(booking.location ? [`Where: ${booking.location}`] : []),
    ...(booking.conferencing_url ? [`Link: ${booking.conferencing_url}`] : []),
    ...quoted('Notes', booking.notes),
  ]
}

/** What an invitee or a member typed, as a quotation; nothing where nothing was typed. */
export function quoted(label: string, quote: string | null): Line[] {
  return quote ? [{ label, quote }] : []
}

/** A zone may be known to the calendar and unknown to the formatter; a letter must not fail because of that. */
function isFormattable(timeZone: string): boolean {
  try {
    new Intl.DateTimeFormat('en', { timeZone })
    return true
  } catch {
    return false
  }
}
