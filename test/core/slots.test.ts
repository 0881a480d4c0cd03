import { describe, expect, it } from 'vitest'
import { fullCapPeriods } from '../../src/core/caps.ts'
import { holdOf } from '../../src/core/hold.ts'
import { parseDate, parseTimeOfDay, zoneTable } from '../../src/core/local-time.ts'
import type { TimeWindow } from '../../src/core/open-hours.ts'
import type { SlotRequest } from '../../src/core/slot-request.ts'
import { isOpenStart, openStarts } from '../../src/core/slots.ts'
import { DAY, HOUR, MINUTE } from './cases.ts'

const utc = (text: string) => Date.parse(`${text}Z`)
const window = (text: string): TimeWindow => {
  const [start, end] = text.split('-')
  return { startMs: parseTimeOfDay(start!)!, endMs: parseTimeOfDay(end!)! }
}

type Setup = Partial<Omit<SlotRequest, 'range' | 'hours'>> & {
  readonly zone: string
  readonly from: string
  readonly to: string
  readonly daily?: readonly string[]
  readonly weekly?: Readonly<Record<number, readonly string[]>>
  readonly overrides?: Readonly<Record<string, readonly string[]>>
}

function request({ zone, from, to, daily, weekly, overrides, ...rest }: Setup): SlotRequest {
  const range = { start: utc(from), end: utc(to) }
  const rules = weekly ?? Object.fromEntries([0, 1, 2, 3, 4, 5, 6].map((day) => [day, daily ?? []]))
  return {
    range,
    hours: [
      {
        timeZone: zone,
        weekly: Object.entries(rules).flatMap(([day, windows]) =>
          windows.map((text) => ({ dayOfWeek: Number(day), ...window(text) })),
        ),
        overrides: new Map(
          Object.entries(overrides ?? {}).map(([date, list]) => [parseDate(date)!, list.map(window)]),
        ),
      },
    ],
    durationMs: HOUR,
    stepMs: rest.durationMs ?? HOUR,
    bufferBeforeMs: 0,
    bufferAfterMs: 0,
    earliestStart: 0,
    busy: [],
    fullPeriods: [],
    ...rest,
  }
}

const offered = (setup: Setup) =>
  openStarts(request(setup)).map((start) => new Date(start).toISOString().slice(5, 16).replace('T', ' '))

describe('on the day the clock changes', () => {
  it('keeps New York 13:00-18:00 at 17:00Z-22:00Z on 2026-03-08', () => {
    const setup = { zone: 'America/New_York', from: '2026-03-08T00:00', to: '2026-03-09T04:00' }
    expect(offered({ ...setup, daily: ['13:00-18:00'] })).toEqual(
      ['17:00', '18:00', '19:00', '20:00', '21:00'].map((time) => `03-08 ${time}`),
    )
  })

  it('accepts every start it offers after the November change, and repeats the repeated hour', () => {
    const setup = { zone: 'America/New_York', from: '2026-11-01T04:00', to: '2026-11-02T05:00' }
    const asked = request({ ...setup, daily: ['00:00-03:00', '13:00-15:00'] })
    expect(offered({ ...setup, daily: ['00:00-03:00', '13:00-15:00'] })).toEqual([
      '11-01 04:00',
      '11-01 05:00',
      '11-01 06:00',
      '11-01 07:00',
      '11-01 18:00',
      '11-01 19:00',
    ])
    for (const start of openStarts(asked)) expect(isOpenStart(asked, start)).toBe(true)
  })

  it('leaves the grid in place when the minimum notice ends inside the changed day', () => {
    const setup = { zone: 'America/New_York', from: '2026-03-08T05:00', to: '2026-03-09T04:00' }
    const notice = { earliestStart: utc('2026-03-08T18:20') }
    expect(offered({ ...setup, daily: ['09:00-17:00'], ...notice })).toEqual(['03-08 19:00', '03-08 20:00'])
  })

  it('offers nothing in an hour that does not exist beyond what the moved window holds', () => {
    const setup = {
      zone: 'Europe/Berlin',
      from: '2026-03-28T23:00',
      to: '2026-03-29T22:00',
      durationMs: 30 * MINUTE,
    }
    expect(offered({ ...setup, daily: ['02:00-03:00'] })).toEqual([])
    expect(offered({ ...setup, daily: ['02:00-02:30'] })).toEqual(['03-29 01:00'])
    expect(offered({ ...setup, daily: ['02:30-03:00'] })).toEqual([])
    expect(offered({ ...setup, daily: ['01:00-04:00'] })).toEqual([
      '03-29 00:00',
      '03-29 00:30',
      '03-29 01:00',
      '03-29 01:30',
    ])
  })

  it('never offers a start twice when a gap moves one window of a date onto another', () => {
    const setup = {
      zone: 'Europe/Berlin',
      from: '2026-03-28T23:00',
      to: '2026-03-29T22:00',
      durationMs: 30 * MINUTE,
    }
    expect(offered({ ...setup, daily: ['02:10-02:50', '03:00-04:00'] })).toEqual([
      '03-29 01:00',
      '03-29 01:30',
    ])
  })

  it('closes nothing by hours that overlap others and begin or end in the gap', () => {
    const setup = { zone: 'Europe/Berlin', from: '2026-03-28T23:00', to: '2026-03-29T22:00' }
    const alone = offered({ ...setup, daily: ['03:00-06:00'] })
    expect(alone).toEqual(['03-29 01:00', '03-29 02:00', '03-29 03:00'])
    expect(offered({ ...setup, daily: ['02:30-05:00', '03:00-06:00'] })).toEqual(alone)
    const overrides = { '2026-03-29': ['02:30-05:00', '03:00-06:00'] }
    expect(offered({ ...setup, daily: [], overrides })).toEqual(alone)
    expect(offered({ ...setup, daily: ['01:00-02:30', '02:15-03:10'] })).toEqual(
      offered({ ...setup, daily: ['01:00-02:30'] }),
    )
    expect(offered({ ...setup, daily: ['01:00-03:15', '02:45-05:00'] })).toEqual([
      '03-29 00:00',
      '03-29 01:00',
      '03-29 02:00',
    ])
  })
})

describe('in zones off the whole hour', () => {
  it.each([
    ['Asia/Kolkata', '2026-06-01T03:30'],
    ['Asia/Kathmandu', '2026-06-01T03:15'],
    ['Australia/Lord_Howe', '2026-05-31T22:30'],
  ])('starts the grid of %s at 09:00 on the wall clock', (zone, first) => {
    const starts = openStarts(
      request({ zone, from: '2026-05-31T12:00', to: '2026-06-01T12:00', daily: ['09:00-11:00'] }),
    )
    expect(starts).toEqual([utc(first), utc(first) + HOUR])
  })

  it('follows the half-hour change of Lord Howe', () => {
    const setup = { zone: 'Australia/Lord_Howe', from: '2026-04-03T12:00', to: '2026-04-05T12:00' }
    expect(offered({ ...setup, daily: ['09:00-10:00'] })).toEqual(['04-03 22:00', '04-04 22:30'])
    expect(offered({ ...setup, daily: ['01:00-02:30'] })).toEqual([
      '04-03 14:00',
      '04-04 14:00',
      '04-04 15:00',
    ])
  })
})

describe('around midnight', () => {
  const setup = {
    zone: 'Europe/Berlin',
    from: '2026-06-01T22:00',
    to: '2026-06-02T22:00',
    durationMs: 90 * MINUTE,
  }

  it('offers the last slot before midnight', () => {
    expect(offered({ ...setup, durationMs: HOUR, daily: ['22:00-24:00'] })).toEqual([
      '06-02 20:00',
      '06-02 21:00',
    ])
  })

  it('lets a slot cross midnight if the windows touch', () => {
    const weekly = { 2: ['22:00-24:00'], 3: ['00:00-02:00'] }
    expect(offered({ ...setup, to: '2026-06-03T22:00', weekly })).toEqual([
      '06-02 20:00',
      '06-02 21:30',
      '06-02 22:00',
    ])
  })

  it('lets no slot cross midnight if they do not', () => {
    const weekly = { 2: ['22:00-24:00'], 3: ['00:01-02:00'] }
    expect(offered({ ...setup, weekly })).toEqual(['06-02 20:00'])
  })

  it('fills a slot of twelve hours from several days of open time', () => {
    const always = { ...setup, daily: ['00:00-24:00'], durationMs: 12 * HOUR }
    expect(offered(always)).toEqual(['06-01 22:00', '06-02 10:00'])
  })
})

describe('when midnight does not exist', () => {
  it('starts the day of Cairo at 01:00 and lets a slot cross from the day before', () => {
    const setup = { zone: 'Africa/Cairo', from: '2026-04-23T20:00', to: '2026-04-24T00:00' }
    expect(offered({ ...setup, daily: ['00:00-02:00'] })).toEqual(['04-23 22:00'])
    expect(offered({ ...setup, daily: ['22:00-24:00'] })).toEqual(['04-23 20:00', '04-23 21:00'])
    expect(offered({ ...setup, daily: ['22:00-24:00', '00:00-02:00'], durationMs: 90 * MINUTE })).toEqual([
      '04-23 20:00',
      '04-23 21:30',
    ])
  })

  it('ends the day of Sao Paulo on 2018-11-03 at the change and opens the next at 01:00', () => {
    const setup = { zone: 'America/Sao_Paulo', from: '2018-11-04T01:00', to: '2018-11-04T06:00' }
    expect(offered({ ...setup, daily: ['00:00-24:00'] })).toEqual([
      '11-04 01:00',
      '11-04 02:00',
      '11-04 03:00',
      '11-04 04:00',
      '11-04 05:00',
    ])
    expect(offered({ ...setup, daily: ['00:30-02:00'] })).toEqual([])
  })

  it('moves the hours of the date that Apia skipped to the next one', () => {
    const setup = { zone: 'Pacific/Apia', from: '2011-12-30T10:00', to: '2011-12-31T10:00' }
    expect(offered({ ...setup, weekly: { 5: ['09:00-11:00'], 6: ['10:00-12:00'] } })).toEqual([
      '12-30 19:00',
      '12-30 20:00',
      '12-30 21:00',
    ])
  })
})

describe('the grid', () => {
  const setup = { zone: 'UTC', from: '2026-06-01T00:00', to: '2026-06-02T00:00' }

  it('restarts at each window of a date', () => {
    expect(offered({ ...setup, daily: ['09:00-11:00', '12:30-14:30'] })).toEqual([
      '06-01 09:00',
      '06-01 10:00',
      '06-01 12:30',
      '06-01 13:30',
    ])
  })

  it('runs on through windows of a date that touch or overlap', () => {
    const windows = ['10:30-12:00', '09:00-10:30', '11:00-11:30']
    expect(offered({ ...setup, daily: windows })).toEqual(['06-01 09:00', '06-01 10:00', '06-01 11:00'])
  })

  it('keeps its place when the range begins inside a window', () => {
    expect(offered({ ...setup, from: '2026-06-01T09:20', daily: ['09:00-11:00'] })).toEqual(['06-01 10:00'])
  })

  it('follows an override on its date only, and an empty one closes the date', () => {
    const overrides = { '2026-06-01': ['15:00-16:00'], '2026-06-02': [] }
    expect(offered({ ...setup, to: '2026-06-04T00:00', daily: ['09:00-10:00'], overrides })).toEqual([
      '06-01 15:00',
      '06-03 09:00',
    ])
  })

  it('takes a hundred rules and 366 overrides', () => {
    const overrides = Object.fromEntries(
      Array.from({ length: 366 }, (_, day) => [
        new Date(utc('2026-01-01T00:00') + day * DAY).toISOString().slice(0, 10),
        ['08:00-09:00'],
      ]),
    )
    const daily = Array.from({ length: 14 }, (_, hour) => `${hour + 10}:00-${hour + 10}:30`)
    const year = { zone: 'Asia/Gaza', from: '2026-01-01T00:00', to: '2027-01-01T00:00', overrides, daily }
    expect(offered(year)).toHaveLength(365)
  })

  it('refuses a duration that never advances', () => {
    expect(() => openStarts(request({ ...setup, daily: ['09:00-10:00'], durationMs: 0 }))).toThrow(RangeError)
  })
})

describe('what is taken', () => {
  const setup = { zone: 'UTC', from: '2026-06-01T00:00', to: '2026-06-02T00:00', daily: ['09:00-13:00'] }
  const busy = (start: string, end: string) => ({
    start: utc(`2026-06-01T${start}`),
    end: utc(`2026-06-01T${end}`),
  })

  it('leaves a start free whose hold only touches a busy time', () => {
    expect(offered({ ...setup, busy: [busy('10:00', '11:00')] })).toEqual([
      '06-01 09:00',
      '06-01 11:00',
      '06-01 12:00',
    ])
  })

  it('takes a start from one millisecond of overlap', () => {
    const end = busy('11:00', '12:00').start + 1
    expect(offered({ ...setup, busy: [{ start: busy('10:00', '10:00').start, end }] })).toEqual([
      '06-01 09:00',
      '06-01 12:00',
    ])
  })

  it('keeps the buffers on both sides free, though they lie outside the hours', () => {
    const buffers = { bufferBeforeMs: 15 * MINUTE, bufferAfterMs: 30 * MINUTE }
    expect(offered({ ...setup, ...buffers })).toHaveLength(4)
    expect(offered({ ...setup, ...buffers, busy: [busy('08:30', '08:46'), busy('12:29', '12:30')] })).toEqual(
      ['06-01 10:00'],
    )
    expect(
      offered({ ...setup, ...buffers, busy: [busy('08:30', '08:45'), busy('13:30', '14:00')] }),
    ).toHaveLength(4)
    expect(holdOf(utc('2026-06-01T09:00'), { durationMs: HOUR, ...buffers })).toEqual(busy('08:45', '10:30'))
  })

  it('reads busy times in any order, overlapping, and ignores empty ones', () => {
    const times = [
      busy('12:10', '12:20'),
      busy('09:30', '10:15'),
      busy('09:40', '09:50'),
      busy('11:30', '11:30'),
    ]
    expect(offered({ ...setup, busy: times })).toEqual(['06-01 11:00'])
  })

  it('offers a start at the very end of the minimum notice', () => {
    const earliestStart = utc('2026-06-01T11:00')
    expect(offered({ ...setup, earliestStart })).toEqual(['06-01 11:00', '06-01 12:00'])
    expect(offered({ ...setup, earliestStart: earliestStart + 1 })).toEqual(['06-01 12:00'])
  })

  it('judges a full day in the zone of the event type, not in UTC', () => {
    const tokyo = {
      zone: 'Asia/Tokyo',
      from: '2026-06-01T00:00',
      to: '2026-06-03T00:00',
      daily: ['08:00-10:00'],
    }
    const { range } = request(tokyo)
    const table = zoneTable(tokyo.zone, range.start, range.end)
    const bookings = [{ start: utc('2026-06-01T23:00'), count: 2 }]
    const fullPeriods = fullCapPeriods({ cap: 2, period: 'daily', table, range, bookings, totalCount: 2 })
    expect(fullPeriods).toEqual([{ start: utc('2026-06-01T15:00'), end: utc('2026-06-02T15:00') }])
    expect(offered(tokyo)).toEqual(['06-01 00:00', '06-01 23:00', '06-02 00:00', '06-02 23:00'])
    expect(offered({ ...tokyo, fullPeriods })).toEqual(['06-01 00:00', '06-02 23:00'])
  })

  it('judges an override by the date in the zone of the event type', () => {
    const date = '2026-06-02'
    expect(parseDate(date)).toBe(utc('2026-06-02T00:00'))
    const tokyo = {
      zone: 'Asia/Tokyo',
      from: '2026-06-01T12:00',
      to: '2026-06-02T12:00',
      daily: ['08:00-10:00'],
    }
    expect(offered({ ...tokyo, overrides: { [date]: ['00:00-02:00'] } })).toEqual([
      '06-01 15:00',
      '06-01 16:00',
    ])
  })
})
