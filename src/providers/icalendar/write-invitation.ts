import { escapeText, joinLines, personLine, uri, utcTime } from './content-lines.ts'

type Person = { readonly name: string; readonly email: string }

/** One meeting as RFC 5545 describes it; instants in epoch milliseconds. */
export type Invitation = {
  /** REQUEST invites or updates, CANCEL cancels, PUBLISH only informs (RFC 5546, section 3.2). */
  readonly method: 'REQUEST' | 'CANCEL' | 'PUBLISH'
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
  readonly organizer: Person
  readonly attendees: readonly Person[]
}

/** A VCALENDAR with one VEVENT: CRLF lines of at most 75 octets, text escaped, times in UTC. */
export function writeInvitation(invitation: Invitation): string {
  const { method, uid, sequence, stamp, start, end, organizer, attendees } = invitation
  const lines = [
    'BEGIN:VCALENDAR',
    'VERSION:2.0',
    'PRODID:-//Holdfast//Scheduling//EN',
    'CALSCALE:GREGORIAN',
    `METHOD:${method}`,
    'BEGIN:VEVENT',
    `UID:${escapeText(uid)}`,
    `SEQUENCE:${sequence}`,
    `DTSTAMP:${utcTime(stamp)}`,
    `DTSTART:${utcTime(start)}`,
    `DTEND:${utcTime(end)}`,
    `SUMMARY:${escapeText(invitation.summary)}`,
    `DESCRIPTION:${escapeText(invitation.description)}`,
    ...(invitation.location ? [`LOCATION:${escapeText(invitation.location)}`] : []),
    ...(invitation.url ? [`URL:${uri(invitation.url)}`] : []),
    `STATUS:${method === 'CANCEL' ? 'CANCELLED' : 'CONFIRMED'}`,
    'TRANSP:OPAQUE',
    personLine('ORGANIZER', organizer),
    ...attendees.map((attendee) =>
      personLine('ATTENDEE', attendee, ';ROLE=REQ-PARTICIPANT;PARTSTAT=ACCEPTED'),
    ),
    'END:VEVENT',
    'END:VCALENDAR',
  ]
  return joinLines(lines)
}
