import { describe, expect, it } from 'vitest'
import { capPeriodAt, fullCapPeriods } from '../../src/core/caps.ts'
import { mergeIntervals, overlaps } from '../../src/core/interval.ts'
import {
  formatDate,
  instantOf,
  isTimeZone,
  parseDate,
  parseTimeOfDay,
  startOfDate,
  zoneTable,
} from '../../src/core/local-time.ts'
import { DAY, HOUR, MINUTE } from './cases.ts'

const utc = (text: string) => Date.parse(`${text}Z`)
const around = (zone: string, text: string) => zoneTable(zone, utc(text), utc(text))

describe('time zone names', () => {
  it.each(['UTC', 'Europe/Berlin', 'america/new_york', 'Etc/GMT+5', 'America/Argentina/Buenos_Aires'])(
    'knows %s',
    (name) => expect([isTimeZone(name), isTimeZone(name)]).toEqual([true, true]),
  )

  it.each([
    '',
    '+05:00',
    '-03',
    'Z',
    'Mars/Base',
    'Europe/Berlin ',
    '2026-01-01T00:00[Europe/Paris]',
    'é/x',
    '__proto__',
  ])('refuses %j', (name) => expect([isTimeZone(name), isTimeZone(name)]).toEqual([false, false]))

  it('refuses names of any length and keeps answering after thousands of unknown ones', () => {
    expect(isTimeZone('A'.repeat(1_000_000))).toBe(false)
    for (let n = 0; n < 2_000; n++) expect(isTimeZone(`Nowhere/Place${n}`)).toBe(false)
    expect(isTimeZone('Asia/Kathmandu')).toBe(true)
  })

  it('throws for the table of an unknown zone', () => {
    expect(() => zoneTable('Mars/Base', 0, 1)).toThrow(RangeError)
  })
})

describe('wall time', () => {
  it('moves a skipped time forward by the gap', () => {
    const table = around('America/New_York', '2026-03-08T00:00')
    expect(instantOf(table, utc('2026-03-08T02:30'))).toBe(utc('2026-03-08T07:30'))
    expect(instantOf(table, utc('2026-03-08T03:00'))).toBe(utc('2026-03-08T07:00'))
  })

  it('takes the earlier of a time that happens twice', () => {
    const table = around('America/New_York', '2026-11-01T00:00')
    expect(instantOf(table, utc('2026-11-01T01:30'))).toBe(utc('2026-11-01T05:30'))
    expect(instantOf(table, utc('2026-11-01T02:00'))).toBe(utc('2026-11-01T07:00'))
  })

  it('begins a date at its first instant, even inside a gap', () => {
    const toronto = around('America/Toronto', '1919-03-31T00:00')
    const midnight = utc('1919-03-31T00:00')
    const expected =
      Temporal.PlainDate.from('1919-03-31').toZonedDateTime('America/Toronto').epochMilliseconds
    expect(startOfDate(toronto, midnight)).toBe(expected)
    expect(startOfDate(toronto, midnight)).toBeLessThan(instantOf(toronto, midnight))
  })
})

describe('dates and times of day', () => {
  it.each([
    '2026-02-30',
    '2025-02-29',
    '2026-13-01',
    '2026-00-10',
    '2026-1-1',
    '26-01-01',
    '2026-01-01T00:00',
    '',
  ])('reads no date from %j', (text) => expect(parseDate(text)).toBeNull())

  it.each(['2024-02-29', '2026-12-31', '1970-01-01', '0099-03-01'])(
    'reads %s and writes it again',
    (text) => {
      expect(formatDate(parseDate(text)!)).toBe(text)
      expect(formatDate(parseDate(text)! + DAY - 1)).toBe(text)
    },
  )

  it.each([
    ['00:00', 0],
    ['09:30', 9 * HOUR + 30 * MINUTE],
    ['23:59:59', DAY - 1000],
    ['24:00', DAY],
    ['24:00:00', DAY],
  ])('reads %s', (text, time) => expect(parseTimeOfDay(text)).toBe(time))

  it.each([
    '24:01',
    '24:00:01',
    '25:00',
    '12:60',
    '12:00:60',
    '9:00',
    '12',
    '12:00:00.5',
    ' 12:00',
    '12:00\n',
    '',
  ])('reads no time of day from %j', (text) => expect(parseTimeOfDay(text)).toBeNull())
})

describe('cap periods', () => {
  const period = (kind: 'daily' | 'weekly' | 'monthly', zone: string, instant: string) => {
    const { start, end } = capPeriodAt(kind, around(zone, instant), utc(instant))
    return [new Date(start).toISOString().slice(0, 16), new Date(end).toISOString().slice(0, 16)]
  }

  it('counts days from local midnight, of 23 and 25 hours when the clock changes', () => {
    expect(period('daily', 'America/New_York', '2026-03-08T05:00')).toEqual([
      '2026-03-08T05:00',
      '2026-03-09T04:00',
    ])
    expect(period('daily', 'America/New_York', '2026-11-02T04:59')).toEqual([
      '2026-11-01T04:00',
      '2026-11-02T05:00',
    ])
    expect(period('daily', 'Africa/Cairo', '2026-04-23T22:00')).toEqual([
      '2026-04-23T22:00',
      '2026-04-24T21:00',
    ])
  })

  it('counts weeks from Monday and months from the first, in the zone', () => {
    expect(period('weekly', 'Asia/Tokyo', '2026-06-07T14:59')).toEqual([
      '2026-05-31T15:00',
      '2026-06-07T15:00',
    ])
    expect(period('weekly', 'Asia/Tokyo', '2026-06-07T15:00')).toEqual([
      '2026-06-07T15:00',
      '2026-06-14T15:00',
    ])
    expect(period('monthly', 'Asia/Tokyo', '2026-05-31T15:00')).toEqual([
      '2026-05-31T15:00',
      '2026-06-30T15:00',
    ])
    expect(period('monthly', 'UTC', '1969-12-31T23:00')).toEqual(['1969-12-01T00:00', '1970-01-01T00:00'])
  })

  it('lists only the full ones, adding what started in them', () => {
    const range = { start: utc('2026-06-02T12:00'), end: utc('2026-06-04T12:00') }
    const table = zoneTable('UTC', range.start, range.end)
    const bookings = [
      { start: utc('2026-06-04T23:00'), count: 1 },
      { start: utc('2026-06-03T00:00'), count: 2 },
      { start: utc('2026-06-02T23:59'), count: 1 },
      { start: utc('2026-06-02T01:00'), count: 2 },
    ]
    const full = fullCapPeriods({ cap: 3, period: 'daily', table, range, bookings, totalCount: 9 })
    expect(full).toEqual([{ start: utc('2026-06-02T00:00'), end: utc('2026-06-03T00:00') }])
  })

  it('lets the total alone decide a cap on everything', () => {
    const range = { start: 0, end: 1 }
    const input = { cap: 3, period: 'total' as const, table: zoneTable('UTC', 0, 1), range, bookings: [] }
    expect(fullCapPeriods({ ...input, totalCount: 2 })).toEqual([])
    const [all] = fullCapPeriods({ ...input, totalCount: 3 })
    expect(overlaps(all!, range)).toBe(true)
  })
})

describe('intervals', () => {
  it('merges what overlaps or touches, in any order, and drops the empty', () => {
    const list = [
      { start: 5, end: 7 },
      { start: 9, end: 9 },
      { start: 1, end: 3 },
      { start: 3, end: 4 },
      { start: 6, end: 6 },
      { start: 1, end: 2 },
    ]
    expect(mergeIntervals(list)).toEqual([
      { start: 1, end: 4 },
      { start: 5, end: 7 },
    ])
  })

  it('is half-open: what touches does not overlap', () => {
    expect(overlaps({ start: 1, end: 2 }, { start: 2, end: 3 })).toBe(false)
    expect(overlaps({ start: 1, end: 3 }, { start: 2, end: 4 })).toBe(true)
    expect(overlaps({ start: 1, end: 5 }, { start: 2, end: 2 })).toBe(false)
  })
})
