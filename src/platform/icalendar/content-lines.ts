import { withAsciiDomain } from '../email/ascii-domain.ts'

type Person = { readonly name: string; readonly email: string }

/** The content lines as one text: CRLF, at most 75 octets a line (RFC 5545, section 3.1). */
export function joinLines(lines: readonly string[]): string {
  return `${lines.map(fold).join('\r\n')}\r\n`
}

/** An instant in epoch milliseconds as RFC 5545, section 3.3.5, form 2. */
export function utcTime(instant: number): string {
  return new Date(instant).toISOString().replace(/[-:]|\.\d{3}/g, '')
}

/** Everything that some reader takes for the end of a line; Unicode has more of them than RFC 5545. */
const LINE_BREAK = /\r\n|[\r\n\u0085\u2028\u2029]/g
/** Characters that no value of a content line may hold (RFC 5545, section 3.1), line breaks included. */
const CONTROL = /[\p{Cc}\u2028\u2029]/gu

/** RFC 5545, section 3.3.11. */
export function escapeText(text: string): string {
  return text
    .replace(/[\\;,]/g, (char) => `\\${char}`)
    .replace(LINE_BREAK, '\\n')
    .replace(CONTROL, '')
}

/** A URI as a value of its own. */
export function uri(url: string): string {
  return url.replace(CONTROL, '')
}

/** An ORGANIZER or ATTENDEE (RFC 5545, section 3.3.3), `parameters` with their leading semicolons. */
export function personLine(name: string, person: Person, parameters = ''): string {
  return `${name};CN=${parameter(person.name)}${parameters}:${mailtoUri(person.email)}`
}

/**
 * A quoted parameter value holds neither quotes nor control characters (RFC 5545, section 3.2). RFC 6868 could keep a quote as
 * `^'`, which node-ical and libical show as it is.
 */
function parameter(value: string): string {
  const kept = value.replaceAll('^', '^^').replaceAll('"', "'").replace(LINE_BREAK, '^n')
  return `"${kept.replace(CONTROL, '')}"`
}

/** A mailto URI (RFC 6068, section 2): what has a meaning in a URI or is not ASCII is percent-encoded. */
export function mailtoUri(email: string): string {
  return `mailto:${withAsciiDomain(email).replace(/[^\w!$'*+.~@-]/gu, (char) => encodeURIComponent(char))}`
}

/** Never cuts a character in two. */
function fold(line: string): string {
  if (line.length * MOST_OCTETS_A_UNIT <= 75) return line
  const pieces: string[] = []
  let [from, octets] = [0, 0]
  for (let at = 0; at < line.length; ) {
    const code = line.codePointAt(at)!
    const size = octetsOf(code)
    if (octets + size > 75) {
      pieces.push(line.slice(from, at))
      from = at
      // The space that begins a continuation counts.
      octets = 1
    }
    octets += size
    at += code > 0xffff ? 2 : 1
  }
  return [...pieces, line.slice(from)].join('\r\n ')
}

/** Half of a pair that has no other half is written as U+FFFD, in as many octets. */
const MOST_OCTETS_A_UNIT = 3

/** How long a code point is in UTF-8. */
function octetsOf(code: number): number {
  if (code < 0x80) return 1
  if (code < 0x800) return 2
  return code < 0x10000 ? 3 : 4
}
