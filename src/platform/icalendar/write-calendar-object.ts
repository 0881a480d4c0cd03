import type { CalendarEvent } from './calendar-event.ts'
import { joinLines, personLine } from './content-lines.ts'
import { CALENDAR_HEAD, eventLines } from './event-lines.ts'

/**
 * A booking as a calendar stores it (RFC 4791, section 4.1): without METHOD, and with SCHEDULE-AGENT=CLIENT (RFC 6638, section
 * 7.1), so that the server invites nobody: our emails do.
 */
export function writeCalendarObject(event: CalendarEvent): string {
  const people = [
    personLine('ORGANIZER', event.organizer, ';SCHEDULE-AGENT=CLIENT'),
    ...event.attendees.map((attendee) =>
      personLine('ATTENDEE', attendee, ';ROLE=REQ-PARTICIPANT;PARTSTAT=ACCEPTED;SCHEDULE-AGENT=CLIENT'),
    ),
  ]
  return joinLines([...CALENDAR_HEAD, ...eventLines(event, 'CONFIRMED', people), 'END:VCALENDAR'])
}
