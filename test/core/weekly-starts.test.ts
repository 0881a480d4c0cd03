import { Temporal as Polyfill } from '@js-temporal/polyfill'
import { describe, expect, it } from 'vitest'
import { weeklyStarts } from '../../src/core/weekly-starts.ts'
import { amount } from '../support/chance.ts'

const ZONES = [
  'Africa/Cairo',
  'Africa/Casablanca',
  'America/Asuncion',
  'America/Havana',
  'America/Los_Angeles',
  'America/New_York',
  'America/Nuuk',
  'America/Santiago',
  'America/St_Johns',
  'Antarctica/Troll',
  'Asia/Beirut',
  'Asia/Jerusalem',
  'Asia/Kathmandu',
  'Asia/Tokyo',
  'Atlantic/Azores',
  'Australia/Lord_Howe',
  'Australia/Sydney',
  'Europe/Berlin',
  'Europe/Dublin',
  'Pacific/Chatham',
]

/** Of a week from a Monday on: first the days on which clocks change. */
const DAYS = [6, 5, 4, 0, 1, 2, 3]

/** As an independent calendar says it: the date moves on, and the wall clock stays. */
function expected(timeZone: string, first: number, everyWeeks: number, count: number): number[] {
  const start = Polyfill.Instant.fromEpochMilliseconds(first).toZonedDateTimeISO(timeZone)
  const wallClock = start.toPlainDateTime()
  return Array.from({ length: count }, (_, at) =>
    at === 0
      ? first
      : wallClock.add({ weeks: at * everyWeeks }).toZonedDateTime(timeZone, { disambiguation: 'compatible' })
          .epochMilliseconds,
  )
}

describe('the starts of a series', () => {
  it.each(ZONES)('keep the wall-clock time across the clock changes of %s', (timeZone) => {
    for (const everyWeeks of [1, 3]) {
      for (const day of DAYS.slice(0, amount(3, 7))) {
        for (const quarter of [0, 5, 9, 10, 48, 95]) {
          const first = Date.UTC(2025, 8, 1 + day) + quarter * 900_000
          expect(weeklyStarts(timeZone, first, everyWeeks, 52)).toEqual(
            expected(timeZone, first, everyWeeks, 52),
          )
        }
      }
    }
  })

  it('move on where a clock change skips the time, on that date only', () => {
    const first = Date.parse('2026-03-22T01:30:00Z')
    expect(weeklyStarts('Europe/Berlin', first, 1, 3).map((start) => new Date(start).toISOString())).toEqual([
      '2026-03-22T01:30:00.000Z',
      '2026-03-29T01:30:00.000Z',
      '2026-04-05T00:30:00.000Z',
    ])
  })

  it('are the earlier ones where a time happens twice, but the first is as it was sent', () => {
    const starts = (first: string) =>
      weeklyStarts('Europe/Berlin', Date.parse(first), 1, 2).map((start) => new Date(start).toISOString())
    expect(starts('2026-10-18T00:30:00Z')[1]).toBe('2026-10-25T00:30:00.000Z')
    expect(starts('2026-10-25T01:30:00Z')).toEqual(['2026-10-25T01:30:00.000Z', '2026-11-01T01:30:00.000Z'])
  })
})
