import type { Series } from './series.ts'

type Others = Readonly<Record<string, readonly number[] | null>>

/** Why another program may differ from us; null where nothing that is known explains it. */
export function reasonFor(
  series: Series,
  other: string,
  ours: readonly number[],
  theirs: readonly number[],
  others: Others,
): string | null {
  const { lines, part, zones } = series
  const rule = lines.find((line) => /^RRULE/i.test(line)) ?? ''
  const tzid = /^DTSTART[^:]*;TZID="?([^":;]+)/im.exec(lines.join('\n'))?.[1]
  if (series.ours === null) return 'we refuse it: it happens too often'
  if (part.recurrence.lacksTimes || part.recurrence.lacksExceptions)
    return 'a part that is not valid: we say so'
  if (/RSCALE=(?!GREGORIAN)/i.test(rule)) return 'a calendar that is not Gregorian: we say so'
  if (tzid !== undefined && !zones.has(tzid)) return 'a zone that the file does not describe'
  if (tzid !== undefined && isSameButShifted(ours, theirs))
    return 'a zone that the file describes otherwise than the database'
  if (other === 'libical' && lines.some((line) => /^RDATE[^:]*PERIOD/i.test(line)))
    return 'an RDATE with periods, which libical leaves out'
  if (lines.some((line) => /^EXRULE/i.test(line))) return 'EXRULE, which RFC 5545 dropped'
  if (isStartAlone(series, ours, theirs))
    return 'a start that does not fit its rule: we block it, and do not count it'
  if (/;?UNTIL=\d{8}(;|$)/i.test(rule) && !part.begin.isDate)
    return 'an UNTIL that is a date: we include that day'
  if (/BYSETPOS=.*(BYHOUR|BYMINUTE)|(BYHOUR|BYMINUTE)=.*BYSETPOS/i.test(rule))
    return 'BYSETPOS among times of a day'
  if (/BYWEEKNO/i.test(rule) && /BYMONTHDAY|BYYEARDAY/i.test(rule))
    return 'BYWEEKNO beside days of a month or a year'
  if (hasForbiddenPart(rule)) return 'a part that RFC 5545 forbids at this frequency'
  if (/INTERVAL=0(;|$)/i.test(rule)) return 'an INTERVAL of 0: we read it as 1'
  if (/SKIP=/i.test(rule)) return 'SKIP, which RFC 7529 added'
  // The tables are of libical's own tests.
  if (
    ['libical', 'table'].includes(other) &&
    /FREQ=YEARLY/i.test(rule) &&
    /BYMONTHDAY/i.test(rule) &&
    !/BYMONTH=/i.test(rule)
  )
    return 'days of a month in a yearly rule, which libical keeps in one month'
  const agrees = Object.entries(others).some(
    ([name, each]) =>
      name !== other && each !== null && (each.join() === ours.join() || isStartAlone(series, ours, each)),
  )
  return agrees ? `${other} alone differs` : null
}

/** The notes below the table of RFC 5545, section 3.3.10. */
function hasForbiddenPart(rule: string): boolean {
  const frequency = /FREQ=(\w+)/i.exec(rule)?.[1]?.toUpperCase() ?? ''
  const isLong = ['YEARLY', 'MONTHLY'].includes(frequency)
  return (
    (/BYWEEKNO/i.test(rule) && frequency !== 'YEARLY') ||
    (/BYYEARDAY/i.test(rule) && ['MONTHLY', 'WEEKLY', 'DAILY'].includes(frequency)) ||
    (/BYMONTHDAY/i.test(rule) && frequency === 'WEEKLY') ||
    (/BYDAY=[^;]*\d/i.test(rule) && !isLong)
  )
}

/** Whether each start has one of the other's beside it, but for those at the ends. */
function isSameButShifted(ours: readonly number[], theirs: readonly number[]): boolean {
  const isBeside = (of: readonly number[]) => (each: number) =>
    of.some((one) => Math.abs(one - each) <= 14 * 3600)
  return ours.slice(1, -1).every(isBeside(theirs)) && theirs.slice(1, -1).every(isBeside(ours))
}

/** Whether the start is what only one of them has; with COUNT, the last one then differs too. */
function isStartAlone({ part }: Series, ours: readonly number[], theirs: readonly number[]): boolean {
  const first = part.begin.instant / 1000
  const [mine, others] = [new Set(ours), new Set(theirs)]
  const differing = [...ours.filter((each) => !others.has(each)), ...theirs.filter((each) => !mine.has(each))]
  const isLast = (each: number) => each === ours.at(-1) || each === theirs.at(-1)
  return (
    differing.length <= 2 &&
    differing.every((each) => each === first || isLast(each)) &&
    differing.includes(first)
  )
}
