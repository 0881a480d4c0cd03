import { bookableRange } from '../../src/core/booking-window.ts'
import { fullCapPeriods } from '../../src/core/caps.ts'
import type { Interval } from '../../src/core/interval.ts'
import { parseDate, zoneTable } from '../../src/core/local-time.ts'
import { NEVER_OPEN, type OpenHours } from '../../src/core/open-hours.ts'
import type { Person } from '../../src/core/person.ts'
import type { SlotRequest } from '../../src/core/slot-request.ts'
import { fc } from '../support/fast-check.ts'
import { type ReferenceCase, type ReferenceHost, type ReferenceHours, referenceSteps } from './reference.ts'

export const MINUTE = 60_000
export const HOUR = 60 * MINUTE
export const DAY = 24 * HOUR

/** Zones, each with dates around which its clock changes. */
export const CLOCK_CHANGES: Readonly<Record<string, readonly string[]>> = {
  UTC: ['2026-01-01'],
  'Africa/Cairo': ['2026-04-24', '2026-10-29', '2014-08-01'],
  'Africa/Casablanca': ['2026-02-15', '2026-03-22', '2012-07-20'],
  'Africa/Juba': ['2021-01-31'],
  'America/Asuncion': ['2023-10-01', '2024-03-24'],
  'America/Caracas': ['2007-12-09', '2016-05-01'],
  'America/Havana': ['2026-03-08', '2026-11-01'],
  'America/New_York': ['2026-03-08', '2026-11-01'],
  'America/Nuuk': ['2024-03-30', '2026-10-24'],
  'America/Santiago': ['2026-04-05', '2026-09-06'],
  'America/Sao_Paulo': ['2018-02-18', '2018-11-04'],
  'America/St_Johns': ['2006-04-02', '2006-10-29', '2011-11-06', '2026-03-08'],
  'Antarctica/Casey': ['2018-03-11', '2020-10-04'],
  'Antarctica/Troll': ['2026-03-29', '2026-10-25'],
  'Asia/Amman': ['2021-03-26', '2022-10-28'],
  'Asia/Beirut': ['2026-03-29', '2026-10-25'],
  'Asia/Gaza': ['2011-04-01', '2012-09-21', '2026-03-28', '2026-10-24'],
  'Asia/Kathmandu': ['1986-01-01', '2026-06-01'],
  'Asia/Kolkata': ['2026-06-01'],
  'Asia/Pyongyang': ['2015-08-15', '2018-05-05'],
  'Asia/Tehran': ['2022-03-22', '2022-09-21'],
  'Atlantic/Azores': ['2026-03-29', '2026-10-25'],
  'Australia/Lord_Howe': ['2026-04-05', '2026-10-04'],
  'Europe/Berlin': ['2026-03-29', '2026-10-25'],
  'Europe/Dublin': ['2026-03-29', '2026-10-25'],
  'Pacific/Apia': ['2011-12-30', '2011-09-24', '2012-04-01'],
  'Pacific/Chatham': ['2026-04-05', '2026-09-27'],
}

const nearAClockChange = fc.constantFrom(...Object.keys(CLOCK_CHANGES)).chain((timeZone) =>
  fc.record({
    timeZone: fc.constant(timeZone),
    date: fc.constantFrom(...CLOCK_CHANGES[timeZone]!),
    shift: fc.integer({ min: -48 * 60, max: 48 * 60 }),
  }),
)
const anywhere = fc.record({
  timeZone: fc.constantFrom(...Object.keys(CLOCK_CHANGES)),
  date: fc
    .integer({ min: 0, max: 11_000 })
    .map((day) => new Date(Date.UTC(2006, 0, 1 + day)).toISOString().slice(0, 10)),
  shift: fc.integer({ min: 0, max: 24 * 60 }),
})

/** A zone and an instant (whole minutes), three times in four near a change of its clock. */
export const moments = fc
  .oneof({ arbitrary: nearAClockChange, weight: 3 }, { arbitrary: anywhere, weight: 1 })
  .map(({ timeZone, date, shift }) => ({ timeZone, date, instant: Date.parse(date) + shift * MINUTE }))

const minuteOfDay = fc.oneof(
  fc.integer({ min: 0, max: 1440 }),
  fc.integer({ min: 0, max: 96 }).map((quarter) => quarter * 15),
  fc.constantFrom(0, 1440, 60, 120, 150, 1380),
)
const windows = fc
  .tuple(minuteOfDay, minuteOfDay)
  .filter(([a, b]) => a !== b)
  .map(([a, b]) => ({ from: Math.min(a, b), to: Math.max(a, b) }))
const wholeDay = fc.constant({ from: 0, to: 1440 })
const someWindow = fc.oneof({ arbitrary: windows, weight: 4 }, { arbitrary: wholeDay, weight: 1 })
const rules = fc.array(
  fc
    .tuple(fc.integer({ min: 0, max: 6 }), someWindow)
    .map(([dayOfWeek, window]) => ({ dayOfWeek, ...window })),
  { maxLength: 20 },
)
const buffers = fc.oneof(
  fc.constant(0),
  fc.integer({ min: 0, max: 90 }).map((minutes) => minutes * MINUTE),
)
const offsetsInRange = fc.integer({ min: -36 * 60, max: 120 * 60 })

const busyTimes = fc.array(fc.tuple(offsetsInRange, fc.integer({ min: 0, max: 400 })), { maxLength: 8 })

const weekRules = fc.oneof(
  { arbitrary: rules, weight: 3 },
  {
    arbitrary: someWindow.map((window) =>
      [0, 1, 2, 3, 4, 5, 6].map((dayOfWeek) => ({ dayOfWeek, ...window })),
    ),
    weight: 1,
  },
)
const overrides = fc.array(
  fc.tuple(fc.integer({ min: -3, max: 4 }), fc.array(someWindow, { maxLength: 3 })),
  { maxLength: 4 },
)
const periods = fc.constantFrom('daily' as const, 'weekly' as const, 'monthly' as const, 'total' as const)
const zones = fc.constantFrom(...Object.keys(CLOCK_CHANGES))
const bookedAt = fc.array(fc.integer({ min: -9 * 24 * 60, max: 9 * 24 * 60 }), { maxLength: 6 })

/** A host as they are drawn: times are minutes from the start of the range, dates days from the moment's. */
const host = fc.record({
  busy: busyTimes,
  off: fc.array(fc.tuple(offsetsInRange, fc.integer({ min: 0, max: 1_800 })), { maxLength: 2 }),
  hours: fc.option(fc.record({ timeZone: zones, weekly: weekRules, overrides }), { freq: 2 }),
  limit: fc.option(
    fc.record({
      period: fc.constantFrom('daily' as const, 'weekly' as const),
      limit: fc.integer({ min: 1, max: 3 }),
      timeZone: zones,
      bookings: bookedAt,
    }),
  ),
  isRequired: fc.integer({ min: 0, max: 3 }).map((drawn) => drawn === 0),
})

/** Everything that decides what can be booked, drawn at random. */
export const referenceCases: fc.Arbitrary<ReferenceCase> = fc
  .record({
    moment: moments,
    back: fc.integer({ min: 0, max: 30 * 60 }),
    length: fc.integer({ min: 1, max: 72 * 60 }),
    hoursFrom: fc.oneof(
      { arbitrary: fc.constant('own' as const), weight: 2 },
      { arbitrary: fc.constant('hosts' as const), weight: 1 },
    ),
    weekly: rules,
    overrides,
    duration: fc.oneof(fc.constantFrom(15, 30, 45, 60, 90), fc.integer({ min: 5, max: 720 })),
    interval: fc.option(fc.oneof(fc.constantFrom(15, 30, 60), fc.integer({ min: 5, max: 480 })), { freq: 2 }),
    before: buffers,
    after: buffers,
    notice: fc.option(offsetsInRange),
    window: fc.record({
      daysAhead: fc.option(fc.integer({ min: 1, max: 5 }), { freq: 2 }),
      from: fc.option(fc.integer({ min: -2, max: 2 }), { freq: 2 }),
      until: fc.option(fc.integer({ min: -1, max: 4 }), { freq: 2 }),
    }),
    hasWindow: fc.integer({ min: 0, max: 3 }).map((drawn) => drawn === 0),
    busy: busyTimes,
    hosts: fc.option(fc.array(host, { maxLength: 4 }), { freq: 3 }),
    isCollective: fc.boolean(),
    poolSize: fc.oneof(fc.constant(1), fc.integer({ min: 1, max: 3 })),
    sessions: fc.oneof(
      fc.constant([]),
      fc.array(fc.record({ at: fc.nat(), isJoinable: fc.boolean(), isHeld: fc.boolean() }), { maxLength: 6 }),
    ),
    cap: fc.option(fc.record({ period: periods, limit: fc.integer({ min: 1, max: 4 }) })),
    bookings: fc.array(fc.integer({ min: -40 * 24 * 60, max: 40 * 24 * 60 }), { maxLength: 6 }),
    near: fc.array(offsetsInRange, { maxLength: 6 }),
  })
  .map((drawn) => {
    const from = drawn.moment.instant - drawn.back * MINUTE
    const midnight = Date.parse(drawn.moment.date)
    const dateIn = (days: number) => new Date(midnight + days * DAY).toISOString().slice(0, 10)
    const instantsOf = (minutes: readonly number[]) => minutes.map((at) => from + at * MINUTE)
    const spansOf = (times: typeof drawn.busy) =>
      times.map(([at, length]) => ({ start: from + at * MINUTE, end: from + (at + length) * MINUTE }))
    const byDate = (list: typeof drawn.overrides) =>
      Object.fromEntries(list.map(([days, windows]) => [dateIn(days), windows]))
    const windowDate = (days: number | null) => (drawn.hasWindow && days !== null ? dateIn(days) : null)
    const alone: ReferenceCase = {
      timeZone: drawn.moment.timeZone,
      hoursFrom: drawn.hoursFrom,
      from,
      to: from + drawn.length * MINUTE,
      weekly: drawn.weekly,
      overrides: byDate(drawn.overrides),
      duration: drawn.duration * MINUTE,
      interval: drawn.interval === null ? null : drawn.interval * MINUTE,
      before: drawn.before,
      after: drawn.after,
      earliest: drawn.notice === null ? from - 400 * DAY : from + drawn.notice * MINUTE,
      window: {
        now: from - 2 * DAY,
        daysAhead: drawn.hasWindow ? drawn.window.daysAhead : null,
        from: windowDate(drawn.window.from),
        until: windowDate(drawn.window.until),
      },
      busy: spansOf(drawn.busy),
      hosts:
        drawn.hosts?.map(({ busy, off, hours, limit, isRequired }) => ({
          isRequired,
          busy: spansOf(busy),
          off: spansOf(off),
          hours: hours && { ...hours, overrides: byDate(hours.overrides) },
          limit: limit && { ...limit, bookings: instantsOf(limit.bookings) },
        })) ?? null,
      isCollective: drawn.isCollective,
      poolSize: drawn.poolSize,
      sessions: [],
      cap: drawn.cap,
      bookings: instantsOf([...drawn.bookings, ...drawn.near]),
    }
    return drawn.sessions.length === 0 ? alone : withSessions(alone, drawn.sessions)
  })

type Drawn = { readonly at: number; readonly isJoinable: boolean; readonly isHeld: boolean }

/** Sessions where the range has steps of open time; some of them keep their own time busy, as a hold does. */
function withSessions(input: ReferenceCase, drawn: readonly Drawn[]): ReferenceCase {
  const steps = referenceSteps(input).filter((at) => at >= input.from && at < input.to)
  if (steps.length === 0) return input
  const byStart = new Map(drawn.map((one) => [steps[one.at % steps.length]!, one]))
  const sessions = [...byStart].map(([start, { isJoinable }]) => ({ start, isJoinable }))
  const held = [...byStart].filter(([, { isHeld }]) => isHeld).map(([start]) => start)
  const holds = held.map((at) => ({ start: at - input.before, end: at + input.duration + input.after }))
  return { ...input, sessions, busy: [...input.busy, ...holds] }
}

function hoursOf({ timeZone, weekly, overrides }: ReferenceHours): OpenHours {
  const windowOf = ({ from, to }: { from: number; to: number }) => ({
    startMs: from * MINUTE,
    endMs: to * MINUTE,
  })
  return {
    timeZone,
    weekly: weekly.map((rule) => ({ dayOfWeek: rule.dayOfWeek, ...windowOf(rule) })),
    overrides: new Map(
      Object.entries(overrides).map(([date, list]) => [parseDate(date)!, list.map(windowOf)]),
    ),
  }
}

function fullPeriodsOf(
  { period, limit }: NonNullable<ReferenceCase['cap']>,
  timeZone: string,
  range: Interval,
  bookings: readonly number[],
): Interval[] {
  return fullCapPeriods({
    cap: limit,
    period,
    table: zoneTable(timeZone, range.start, range.end),
    range,
    bookings: bookings.map((start) => ({ start, count: 1 })),
    totalCount: bookings.length,
  })
}

/** The same case as the scheduling core is asked it. */
export function requestOf(input: ReferenceCase): SlotRequest {
  const { hosts, isCollective, hoursFrom, window } = input
  const range = { start: input.from, end: input.to }
  const offered = bookableRange(
    {
      timeZone: input.timeZone,
      daysAhead: window.daysAhead,
      from: window.from === null ? null : parseDate(window.from),
      until: window.until === null ? null : parseDate(window.until),
    },
    window.now,
  )
  const personOf = ({ busy, hours, off, limit }: ReferenceHost): Person => ({
    busy,
    hours: hours && hoursOf(hours),
    closed: off,
    full: limit ? fullPeriodsOf(limit, limit.timeZone, range, limit.bookings) : [],
  })
  const isNeeded = ({ isRequired }: ReferenceHost) => isCollective || isRequired === true
  const needed = (hosts ?? []).filter(isNeeded).map(personOf)
  const pool = (hosts ?? []).filter((host) => !isNeeded(host)).map(personOf)
  const size = pool.length === 0 && needed.length > 0 ? 0 : (input.poolSize ?? 1)
  const isOfAny = hosts !== null && !isCollective && size > 0
  const ofNeeded = needed.flatMap(({ hours }) => hours ?? [])
  const own = [hoursOf(input)]
  const isByAll = hoursFrom === 'hosts' && !isOfAny
  const shared = {
    busy: input.busy,
    taken: needed.map(({ busy }) => busy),
    closed: needed.flatMap(({ closed }) => closed),
    fullForNew: needed.flatMap(({ full }) => full),
    ...(!isByAll && {
      within: hoursFrom === 'own' ? ofNeeded : needed.map(({ hours }) => hours ?? NEVER_OPEN),
    }),
    ...(isOfAny && { anyOf: pool, count: size }),
  }
  const hoursOfAll = ofNeeded.length < needed.length ? [] : ofNeeded
  return {
    ...shared,
    range: { start: Math.max(range.start, offered.start), end: Math.min(range.end, offered.end) },
    hours: hoursFrom === 'own' ? own : isOfAny ? null : hoursOfAll,
    durationMs: input.duration,
    stepMs: input.interval ?? input.duration,
    bufferBeforeMs: input.before,
    bufferAfterMs: input.after,
    earliestStart: input.earliest,
    sessions: new Map(input.sessions.map(({ start, isJoinable }) => [start, isJoinable])),
    fullPeriods: input.cap ? fullPeriodsOf(input.cap, input.timeZone, range, input.bookings) : [],
  }
}
