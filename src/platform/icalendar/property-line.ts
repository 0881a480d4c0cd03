import ICAL from 'ical.js'

/** One property of an event (RFC 5545, section 3.1). */
export type PropertyLine = {
  /** In capitals. */
  readonly name: string
  /** By their names in small letters. */
  readonly parameters: Readonly<Record<string, unknown>>
  /** Null where the line makes no sense. */
  readonly value: string | null
}

/** Read here as they are written: ical.js takes 13 for a month, `+0100` for nothing, and one bad value of a list for all of them. */
const AS_WRITTEN = new Set([
  'DTSTAMP',
  'DTSTART',
  'DTEND',
  'DURATION',
  'RRULE',
  'EXRULE',
  'RDATE',
  'EXDATE',
  'RECURRENCE-ID',
])

/** The properties that times follow from. Mistakes in all others do no harm. */
export const EVENT_PROPERTIES: ReadonlySet<string> = new Set([
  ...AS_WRITTEN,
  'UID',
  'SEQUENCE',
  'STATUS',
  'TRANSP',
  'ATTENDEE',
  'X-MICROSOFT-CDO-BUSYSTATUS',
])

/** Each line alone, so that a bad one spoils no other. */
export function readLine(line: string): PropertyLine {
  const name = nameOf(line)
  // Under a name and a type that ical.js does not know, a value stays as it is.
  const given = AS_WRITTEN.has(name) ? `X-${line.replace(/;VALUE=/i, ';X-VALUE=')}` : line
  try {
    const [, parameters, , value] = ICAL.parse.property(given)
    return { name, parameters, value: String(value).trim() }
  } catch {
    return { name, parameters: {}, value: null }
  }
}

export function nameOf(line: string): string {
  return /^[^;:]*/.exec(line)![0].toUpperCase()
}
