import ICAL from 'ical.js'
import { describe, expect, it } from 'vitest'
import { expandRule } from '../../src/platform/icalendar/expand-rule.ts'
import { readRule } from '../../src/platform/icalendar/recurrence-rule.ts'
import { StepBudget, TooManyOccurrences } from '../../src/platform/icalendar/step-budget.ts'

const START = Date.UTC(2026, 0, 30, 9, 20)
const RANGE = { start: START, end: Date.UTC(2032, 0, 1) }

function expand(text: string, start = START, range = RANGE): number[] {
  return expandRule(readRule(ICAL.Recur.fromString(text), null), start, range, new StepBudget())
}

/** What another program makes of it. */
function iterate(text: string, from: number): number[] {
  const start = ICAL.Time.fromDateTimeString(new Date(from).toISOString().slice(0, 19))
  const iterator = ICAL.Recur.fromString(text).iterator(start)
  const found: number[] = []
  for (let next = iterator.next(); next; next = iterator.next()) {
    const time = Date.UTC(next.year, next.month - 1, next.day, next.hour, next.minute, next.second)
    if (time >= RANGE.end) break
    found.push(time)
  }
  return found
}

const PARTS = {
  DAILY: ['', ';BYDAY=MO,FR', ';BYMONTH=2,7', ';BYHOUR=8,17', ';BYMONTHDAY=1,15'],
  WEEKLY: ['', ';BYDAY=MO,FR', ';BYDAY=SU,TU;WKST=SU', ';BYDAY=SA;WKST=MO', ';BYMONTH=3'],
  MONTHLY: ['', ';BYMONTHDAY=5,20', ';BYDAY=2TU', ';BYDAY=-1FR', ';BYDAY=TH', ';BYDAY=FR;BYMONTHDAY=13'],
  YEARLY: [
    '',
    ';BYMONTH=3,9',
    ';BYMONTH=11;BYDAY=4TH',
    ';BYDAY=1MO',
    ';BYMONTH=6;BYMONTHDAY=1,15',
    ';BYYEARDAY=200',
  ],
  HOURLY: [';BYDAY=MO;BYHOUR=9', ';BYMONTH=2;BYHOUR=3,4'],
}
const RULES = Object.entries(PARTS).flatMap(([frequency, parts]) =>
  parts.flatMap((part) =>
    (frequency === 'HOURLY' ? [''] : ['', ';INTERVAL=2', ';INTERVAL=3', ';COUNT=7']).map(
      (more) => `FREQ=${frequency}${part}${more}`,
    ),
  ),
)

describe('a recurrence rule', () => {
  it.each(RULES)('happens when another program says: %s', (rule) => {
    // A start that does not fit its rule means different things to different programs.
    const start = expand(rule.replace(';COUNT=7', ''))[0]!
    expect(expand(rule, start)).toEqual(iterate(rule, start))
  })

  it.each(RULES.filter((rule) => !rule.includes('COUNT')))('is the same from the middle on: %s', (rule) => {
    const from = Date.UTC(2028, 4, 5)
    const late = expand(rule, START, { start: from, end: RANGE.end })
    expect(late).toEqual(expand(rule).filter((time) => time >= from))
  })

  it('leaves out dates that there are not, which ical.js moves on', () => {
    expect(expand('FREQ=YEARLY;BYMONTH=2,9;COUNT=2')).toEqual([
      Date.UTC(2026, 8, 30, 9, 20),
      Date.UTC(2027, 8, 30, 9, 20),
    ])
  })

  it('counts its start only if it fits, as clients do', () => {
    const monday = 'FREQ=WEEKLY;BYDAY=MO;COUNT=3'
    const mondays = [Date.UTC(2026, 1, 2, 9, 20), Date.UTC(2026, 1, 9, 9, 20), Date.UTC(2026, 1, 16, 9, 20)]
    expect(expand(monday)).toEqual(mondays)
    expect(expand(monday)).toEqual(iterate(monday, START))
    expect(expand(monday, mondays[0])).toEqual(mondays)
  })

  it('moves invalid dates as SKIP says, also out of the month or year (RFC 7529)', () => {
    const dates = (text: string, start: string) =>
      expand(text, Date.parse(`${start}T00:00Z`), { start: 0, end: Date.UTC(2026, 8) }).map((time) =>
        new Date(time).toISOString().slice(5, 10),
      )
    const monthly = 'RSCALE=GREGORIAN;FREQ=MONTHLY'
    expect(dates(`${monthly};INTERVAL=2;SKIP=FORWARD;COUNT=3`, '2025-12-31')).toEqual([
      '12-31',
      '03-01',
      '05-01',
    ])
    expect(dates(`${monthly};BYMONTHDAY=29,30,31;SKIP=BACKWARD;COUNT=6`, '2026-01-29')).toEqual([
      '01-29',
      '01-30',
      '01-31',
      '02-28',
      '03-29',
      '03-30',
    ])
    // The last of February 2026 is a Saturday, that of April a Thursday.
    expect(dates(`${monthly};BYMONTHDAY=31;BYDAY=TH;SKIP=BACKWARD;COUNT=1`, '2026-01-31')).toEqual(['04-30'])
    expect(dates('RSCALE=GREGORIAN;FREQ=YEARLY;BYYEARDAY=366;SKIP=FORWARD;COUNT=2', '2024-12-31')).toEqual([
      '12-31',
      '01-01',
    ])
    expect(dates(`${monthly};BYMONTHDAY=-31;SKIP=FORWARD;COUNT=3`, '2026-01-01')).toEqual([
      '01-01',
      '02-01',
      '03-01',
    ])
    expect(dates(`${monthly};BYMONTHDAY=-31;SKIP=BACKWARD;COUNT=3`, '2026-01-01')).toEqual([
      '01-01',
      '01-31',
      '03-01',
    ])
  })

  it.each(['RSCALE=HEBREW', 'RSCALE=GREGORIAN;SKIP=SOMEHOW', 'BYEASTER=1'])(
    'is not understood with %s',
    (part) => {
      expect(() => expand(`${part};FREQ=YEARLY`)).toThrow(RangeError)
    },
  )

  it('is read without a part that decides no times', () => {
    expect(expand('FREQ=YEARLY;COUNT=2;X-NOTE=1')).toEqual(expand('FREQ=YEARLY;COUNT=2'))
  })

  it.each([
    'FREQ=DAILY;BYMONTH=2;BYMONTHDAY=30',
    'FREQ=YEARLY;BYMONTH=4;BYDAY=1MO;BYMONTHDAY=15',
    'FREQ=MONTHLY;BYMONTH=2;BYMONTHDAY=31',
    'FREQ=WEEKLY;INTERVAL=2147483647;BYDAY=MO',
  ])('that never happens ends at once: %s', (rule) => {
    expect(expand(rule)).toEqual([])
  })

  it.each([
    'FREQ=SECONDLY',
    'FREQ=MINUTELY',
    'FREQ=HOURLY',
    'FREQ=SECONDLY;BYMONTH=2;BYMONTHDAY=30',
    `FREQ=YEARLY;BYHOUR=${[...Array(24).keys()]};BYMINUTE=${[...Array(60).keys()]};BYSECOND=${[...Array(60).keys()]};BYDAY=MO,TU`,
  ])('that floods is refused at once: %s', (rule) => {
    expect(() => expand(rule)).toThrow(TooManyOccurrences)
  })
})
