import { escapeText, joinLines, uri, utcTime } from './content-lines.ts'

/** One meeting of a feed; instants in epoch milliseconds. */
export type FeedEvent = {
  readonly uid: string
  readonly sequence: number
  /** When it was last changed: a feed that says now would differ each time it is read. */
  readonly stamp: number
  readonly start: number
  readonly end: number
  readonly summary: string
  readonly description: string
  readonly location: string | null
  readonly url: string | null
  readonly isCancelled: boolean
}

/**
 * A VCALENDAR to subscribe to (RFC 5545; NAME and REFRESH-INTERVAL of RFC 7986, with the older names that most programs
 * read). It invites nobody, so it names neither organizer nor attendees.
 */
export function writeFeed(name: string, events: readonly FeedEvent[]): string {
  return joinLines([
    'BEGIN:VCALENDAR',
    'VERSION:2.0',
    'PRODID:-//Holdfast//Scheduling//EN',
    'CALSCALE:GREGORIAN',
    'METHOD:PUBLISH',
    `NAME:${escapeText(name)}`,
    `X-WR-CALNAME:${escapeText(name)}`,
    'REFRESH-INTERVAL;VALUE=DURATION:PT15M',
    'X-PUBLISHED-TTL:PT15M',
    ...events.flatMap(eventLines),
    'END:VCALENDAR',
  ])
}

function eventLines(event: FeedEvent): string[] {
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
    `STATUS:${event.isCancelled ? 'CANCELLED' : 'CONFIRMED'}`,
    'TRANSP:OPAQUE',
    'END:VEVENT',
  ]
}
