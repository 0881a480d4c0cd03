import { escapeText, uri, utcTime } from './content-lines.ts'

/** A meeting as every VEVENT that is written here has it; instants in epoch milliseconds. */
export type EventLines = {
  readonly uid: string
  /** Grows with every change, or calendars ignore the update (RFC 5546, section 2.1.4). */
  readonly sequence: number
  readonly stamp: number
  readonly start: number
  readonly end: number
  readonly summary: string
  readonly description: string
  readonly location: string | null
  readonly url: string | null
}

/** How every VCALENDAR begins, before its METHOD if it has one. */
export const CALENDAR_HEAD: readonly string[] = [
  'BEGIN:VCALENDAR',
  'VERSION:2.0',
  'PRODID:-//Holdfast//Scheduling//EN',
  'CALSCALE:GREGORIAN',
]

/** A VEVENT (RFC 5545, section 3.6.1) with text escaped and times in UTC; `people` are lines of ORGANIZER and ATTENDEE. */
export function eventLines(
  event: EventLines,
  status: 'CONFIRMED' | 'TENTATIVE' | 'CANCELLED',
  people: readonly string[],
): string[] {
  return [
    'BEGIN:VEVENT',
    `UID:${escapeText(event.uid)}`,
    `SEQUENCE:${event.sequence}`,
    `DTSTAMP:${utcTime(event.stamp)}`,
    `DTSTART:${utcTime(event.start)}`,
    `DTEND:${utcTime(event.end)}`,
    `SUMMARY:${escapeText(event.summary)}`,
    `DESCRIPTION:${escapeText(event.description)}`,
    ...(event.location ? [`LOCATION:${escapeText(event.location)}`] : []),
    ...(event.url ? [`URL:${uri(event.url)}`] : []),
    `STATUS:${status}`,
    'TRANSP:OPAQUE',
    ...people,
    'END:VEVENT',
  ]
}
