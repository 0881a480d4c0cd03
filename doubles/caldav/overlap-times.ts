export type TimeRange = { readonly start: number; readonly end: number }

/** RFC 4791 9.9: in UTC, one side may be open. */
export function timeRangeOf(attributes: Readonly<Record<string, string>> | undefined): TimeRange | null {
  if (!attributes) return null
  const { start, end } = attributes
  return {
    start: start ? instantOf(start) : Number.NEGATIVE_INFINITY,
    end: end ? instantOf(end) : Number.POSITIVE_INFINITY,
  }
}

/** Zones are not looked up: what has one is taken to be anywhere on earth. */
const ANYWHERE_MS = 14 * 3_600_000

/**
 * Returns rather too much than too little, as servers do: a recurring event from its start on. python-caldav/caldav
 * compatibility_hints.py (search.time-range.accurate)
 */
export function overlaps(text: string, range: TimeRange): boolean {
  const unfolded = text.replace(/\r?\n[ \t]/g, '')
  return [...unfolded.matchAll(/BEGIN:V(?:EVENT|TODO)[\s\S]*?END:V(?:EVENT|TODO)/g)].some(([event]) => {
    const from = /^DTSTART([^:]*):(\S+)/m.exec(event)
    if (!from) return true
    const start = instantOf(from[2]!)
    const to = /^(?:DTEND|DUE)[^:]*:(\S+)/m.exec(event)?.[1]
    const end = to ? instantOf(to) : start + durationOf(event, from[1]!.includes('VALUE=DATE'))
    const until = /^RRULE:.*UNTIL=([^;\s]+)/m.exec(event)?.[1]
    const last = /^R(RULE|DATE)/m.test(event)
      ? until
        ? instantOf(until) + end - start
        : Number.POSITIVE_INFINITY
      : end
    // Dates and floating times are taken for UTC's: Kozea/Radicale radicale/item/filter.py (date_to_datetime)
    const margin = from[1]!.includes('TZID=') ? ANYWHERE_MS : 0
    return start - margin < range.end && Math.max(last, start + 1) + margin > range.start
  })
}

function durationOf(event: string, isDay: boolean): number {
  const [, weeks, days, hours, minutes] =
    /^DURATION[^:]*:P(?:(\d+)W)?(?:(\d+)D)?(?:T(?:(\d+)H)?(?:(\d+)M)?)?/m.exec(event) ?? []
  const told =
    (Number(weeks ?? 0) * 7 + Number(days ?? 0)) * 86_400_000 +
    (Number(hours ?? 0) * 60 + Number(minutes ?? 0)) * 60_000
  return told || (isDay ? 86_400_000 : 0)
}

function instantOf(time: string): number {
  const [, year, month, day, hour = '00', minute = '00', second = '00'] =
    /^(\d{4})(\d\d)(\d\d)(?:T(\d\d)(\d\d)(\d\d))?/.exec(time) ?? []
  return Date.UTC(Number(year), Number(month) - 1, Number(day), Number(hour), Number(minute), Number(second))
}
