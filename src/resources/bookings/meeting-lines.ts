import type { Booking } from './schema.ts'

/** `Monday, March 9, 2026 at 2:00 PM (Europe/Berlin)` */
export function whenLine(startTime: string, timeZone: string): string {
  const format = new Intl.DateTimeFormat('en', { dateStyle: 'full', timeStyle: 'short', timeZone })
  return `${format.format(new Date(startTime)).replace(/\u202f/g, ' ')} (${timeZone})`
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
