import { zoneOfEitherName } from '../../platform/icalendar/windows-zones.ts'

type FeedHead = {
  /** What its host calls it; null where it says no name. */
  readonly name: string | null
  /** The IANA zone of its all-day and floating times; null where it names none that is known. */
  readonly timezone: string | null
}

const MAX_NAME = 200

/**
 * What a feed says before its first event: its name (RFC 7986, section 5.1, or as programs wrote it before), its zone, else the
 * only one that it describes, which is how Outlook says it.
 */
export function readHead(text: string): FeedHead {
  const firstEvent = text.search(/^BEGIN:VEVENT/im)
  const lines = text
    .slice(0, firstEvent < 0 ? undefined : firstEvent)
    .replace(/\r?\n[ \t]/g, '')
    .split(/\r\n|\n|\r/)
  const values = (names: string) => {
    const pattern = new RegExp(`^(?:${names})(?:;[^:]*)?:(.+)$`, 'i')
    return lines.flatMap((line) => pattern.exec(line)?.[1]?.trim() || [])
  }
  const [name] = [...values('NAME'), ...values('X-WR-CALNAME')]
  const described = new Set(values('TZID'))
  const [zone] = [
    ...values('X-WR-TIMEZONE'),
    ...values('TIMEZONE-ID'),
    ...(described.size === 1 ? described : []),
  ]
  return {
    name: name ? unescaped(name).slice(0, MAX_NAME).toWellFormed() : null,
    timezone: zone ? zoneOfEitherName(zone) : null,
  }
}

/** RFC 5545, section 3.3.11. */
function unescaped(text: string): string {
  return text.replace(/\\([\\;,])|\\n/gi, (_, sign) => sign ?? ' ')
}
