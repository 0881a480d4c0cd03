type Person = { readonly name: string; readonly email: string }

/** One meeting as RFC 5545 describes it; instants in epoch milliseconds. */
export type Invitation = {
  /** REQUEST invites or updates, CANCEL takes it back, PUBLISH only tells (RFC 5546, section 3.2). */
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
    `DTSTAMP:${utc(stamp)}`,
    `DTSTART:${utc(start)}`,
    `DTEND:${utc(end)}`,
    `SUMMARY:${escapeText(invitation.summary)}`,
    `DESCRIPTION:${escapeText(invitation.description)}`,
    ...(invitation.location ? [`LOCATION:${escapeText(invitation.location)}`] : []),
    ...(invitation.url ? [`URL:${invitation.url.replace(/[\r\n]/g, '')}`] : []),
    `STATUS:${method === 'CANCEL' ? 'CANCELLED' : 'CONFIRMED'}`,
    'TRANSP:OPAQUE',
    `ORGANIZER;CN=${parameter(organizer.name)}:mailto:${address(organizer.email)}`,
    ...attendees.map(
      ({ name, email }) =>
        `ATTENDEE;CN=${parameter(name)};ROLE=REQ-PARTICIPANT;PARTSTAT=ACCEPTED:mailto:${address(email)}`,
    ),
    'END:VEVENT',
    'END:VCALENDAR',
  ]
  return `${lines.map(fold).join('\r\n')}\r\n`
}

/** RFC 5545, section 3.3.5, form 2. */
function utc(instant: number): string {
  return new Date(instant).toISOString().replace(/[-:]|\.\d{3}/g, '')
}

/** RFC 5545, section 3.3.11. */
function escapeText(text: string): string {
  return text
    .replace(/[\\;,]/g, (char) => `\\${char}`)
    .replace(/\r\n|\r|\n/g, '\\n')
    .replace(/\p{Cc}/gu, '')
}

/** A quoted parameter value holds neither quotes nor control characters (RFC 5545, section 3.2); RFC 6868 says how to keep them. */
function parameter(value: string): string {
  const kept = value
    .replaceAll('^', '^^')
    .replaceAll('"', "^'")
    .replace(/\r\n|\r|\n/g, '^n')
  return `"${kept.replace(/\p{Cc}/gu, '')}"`
}

function address(email: string): string {
  return email.replace(/[\s:;,"<>]/g, (char) => encodeURIComponent(char))
}

/** RFC 5545, section 3.1: at most 75 octets a line, never cutting a character in two. */
function fold(line: string): string {
  const encoder = new TextEncoder()
  const pieces: string[] = []
  let piece = ''
  let octets = 0
  for (const char of line) {
    const size = encoder.encode(char).length
    if (octets + size > 75) {
      pieces.push(piece)
      piece = ''
      // The space that begins a continuation counts.
      octets = 1
    }
    piece += char
    octets += size
  }
  return [...pieces, piece].join('\r\n ')
}
