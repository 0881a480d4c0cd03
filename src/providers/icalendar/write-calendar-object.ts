import type { CalendarEvent } from '../calendar/calendar-client.ts'
import { escapeText, joinLines, personLine, uri, utcTime } from './content-lines.ts'

/**
 * A booking as a calendar keeps it (RFC 4791, section 4.1): without METHOD, and with SCHEDULE-AGENT=CLIENT (RFC
 * 6638, section 7.1), so that the server invites nobody: that is done by letter.
 */
export function writeCalendarObject(event: CalendarEvent): string {
  return joinLines([
    'BEGIN:VCALENDAR',
    'VERSION:2.0',
    'PRODID:-//Holdfast//Scheduling//EN',
    'CALSCALE:GREGORIAN',
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
    'STATUS:CONFIRMED',
    'TRANSP:OPAQUE',
    personLine('ORGANIZER', event.organizer, ';SCHEDULE-AGENT=CLIENT'),
    ...event.attendees.map((attendee) =>
      personLine('ATTENDEE', attendee, ';ROLE=REQ-PARTICIPANT;PARTSTAT=ACCEPTED;SCHEDULE-AGENT=CLIENT'),
    ),
    'END:VEVENT',
    'END:VCALENDAR',
  ])
}
