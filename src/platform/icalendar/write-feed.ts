import { escapeText, joinLines } from './content-lines.ts'
import { CALENDAR_HEAD, type EventLines, eventLines } from './event-lines.ts'

/** One meeting of a feed. Its `stamp` is when it was last changed: a feed that says now would differ each time it is read. */
export type FeedEvent = EventLines & { readonly isCancelled: boolean }

/**
 * A VCALENDAR to subscribe to (RFC 5545; NAME and REFRESH-INTERVAL of RFC 7986, with the older names that most programs
 * read). It invites nobody, so it names neither organizer nor attendees,
 * and has no METHOD, which would ask for an organizer (RFC 5546, section 3.2.1).
 */
export function writeFeed(name: string, events: readonly FeedEvent[]): string {
  return joinLines([
    ...CALENDAR_HEAD,
    `NAME:${escapeText(name)}`,
    `X-WR-CALNAME:${escapeText(name)}`,
    'REFRESH-INTERVAL;VALUE=DURATION:PT15M',
    'X-PUBLISHED-TTL:PT15M',
    ...events.flatMap((event) => eventLines(event, event.isCancelled ? 'CANCELLED' : 'CONFIRMED', [])),
    'END:VCALENDAR',
  ])
}
