import { joinLines, personLine } from './content-lines.ts'
import { CALENDAR_HEAD, type EventLines, eventLines } from './event-lines.ts'

type Person = { readonly name: string; readonly email: string }

/** One meeting as RFC 5545 describes it. */
export type Invitation = EventLines & {
  /** REQUEST invites or updates, CANCEL cancels, PUBLISH only informs (RFC 5546, section 3.2). */
  readonly method: 'REQUEST' | 'CANCEL' | 'PUBLISH'
  readonly organizer: Person
  readonly attendees: readonly Person[]
}

/** A VCALENDAR with one VEVENT: CRLF lines of at most 75 octets, text escaped, times in UTC. */
export function writeInvitation(invitation: Invitation): string {
  return writeCalendar(invitation.method, [invitation])
}

/** The same with a VEVENT for each of several meetings. */
export function writePublication(meetings: readonly (Omit<Invitation, 'method'> & Ended)[]): string {
  return writeCalendar('PUBLISH', meetings)
}

type Ended = { readonly isCancelled?: boolean }

function writeCalendar(
  method: Invitation['method'],
  meetings: readonly (Omit<Invitation, 'method'> & Ended)[],
): string {
  return joinLines([
    ...CALENDAR_HEAD,
    `METHOD:${method}`,
    ...meetings.flatMap((meeting) => {
      const isCancelled = meeting.isCancelled ?? method === 'CANCEL'
      return eventLines(meeting, isCancelled ? 'CANCELLED' : 'CONFIRMED', peopleIn(method, meeting))
    }),
    'END:VCALENDAR',
  ])
}

function peopleIn(
  method: Invitation['method'],
  { organizer, attendees }: Pick<Invitation, 'organizer' | 'attendees'>,
): string[] {
  // What only informs names nobody (RFC 5546, section 3.2.1): a program would write to them when its owner changes it.
  const named = method === 'PUBLISH' ? [] : attendees
  return [
    personLine('ORGANIZER', organizer),
    // Emacs replies without the address after PARTSTAT: a parameter stays between them.
    ...named.map((attendee) => personLine('ATTENDEE', attendee, ';PARTSTAT=ACCEPTED;ROLE=REQ-PARTICIPANT')),
  ]
}
