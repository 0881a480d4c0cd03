import type { Booking } from './schema.ts'

/** `Monday, March 9, 2026 at 2:00 PM (Europe/Berlin)` */
export function whenLine(startTime: string, timeZone: string): string {
  const zone = isFormattable(timeZone) ? timeZone : 'UTC'
  const format = new Intl.DateTimeFormat('en', { dateStyle: 'full', timeStyle: 'short', timeZone: zone })
  return `${format.format(new Date(startTime)).replace(/\u202f/g, ' ')} (${zone})`
}

/** When, how long and where: what every letter about a meeting says. */
export function meetingLines(booking: Booking, timeZone: string): string[] {
  const minutes = (Date.parse(booking.end_time) - Date.parse(booking.start_time)) / 60_000
  return [
    `When: ${whenLine(booking.start_time, timeZone)}, ${minutes} minutes`,
    ...(booking.location ? [`Where: ${booking.location}`] : []),
    ...(booking.conferencing_url ? [`Link: ${booking.conferencing_url}`] : []),
    ...(booking.notes ? [`Notes: ${booking.notes}`] : []),
  ]
}

/** A zone may be known to the calendar and unknown to the formatter; a letter is not lost over that. */
function isFormattable(timeZone: string): boolean {
  try {
    new Intl.DateTimeFormat('en', { timeZone })
    return true
  } catch {
    return false
  }
}
