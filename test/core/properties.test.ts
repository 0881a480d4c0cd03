import { Temporal as Polyfill } from '@js-temporal/polyfill'
import { describe, expect, it } from 'vitest'
import { capPeriodAt } from '../../src/core/caps.ts'
import { holdOf } from '../../src/core/hold.ts'
import { instantOf, startOfDate, wallTimeOf, zoneTable } from '../../src/core/local-time.ts'
import { causesTeller, isOpenStart, openStarts } from '../../src/core/slots.ts'
import { amount, SEED } from '../support/chance.ts'
import { fc, runs } from '../support/fast-check.ts'
import { CLOCK_CHANGES, DAY, HOUR, MINUTE, moments, referenceCases, requestOf } from './cases.ts'
import { referenceStarts } from './reference.ts'

/** Two that share no code: the runtime's own, and one that asks Intl. */
const REFERENCES = [
  ['Temporal', Temporal, 1_500],
  ['the polyfill of Temporal', Polyfill as unknown as typeof Temporal, 400],
] as const

const wallOf = (date: Temporal.PlainDateTime) => date.toZonedDateTime('UTC').epochMilliseconds

/** Two thousand cases each, and with `npm run storms` twenty times as many: in parts, none of which takes long. */
it.each([1, 2, 3, 4, 5].slice(0, amount(1, 5)))(
  'offers exactly the starts that a minute-by-minute search finds, part %i',
  (part) => {
    const found = {
      offered: 0,
      byOneHost: 0,
      byAllHosts: 0,
      byTeams: 0,
      inHostsHours: 0,
      joined: 0,
      ofPeople: 0,
    }
    fc.assert(
      fc.property(referenceCases, (input) => {
        const starts = openStarts(requestOf(input))
        const count = starts.length
        found.offered += count
        if (input.hosts?.length) found[input.isCollective ? 'byAllHosts' : 'byOneHost'] += count
        const isOfTeams = input.poolSize! > 1 || input.hosts?.some(({ isRequired }) => isRequired)
        if (input.hosts && !input.isCollective && isOfTeams) found.byTeams += count
        if (input.hosts?.some(({ hours }) => hours)) found.ofPeople += count
        if (input.hoursFrom === 'hosts') found.inHostsHours += count
        found.joined += input.sessions.filter(({ start }) => starts.includes(start)).length
        expect(starts).toEqual(referenceStarts(input))
      }),
      { ...runs(2_000), seed: SEED + part },
    )
    // Else the cases prove little.
    for (const count of Object.values(found)) expect(count, JSON.stringify(found)).toBeGreaterThan(60)
  },
)

it.each(Object.keys(CLOCK_CHANGES))('agrees with the search on every clock change of %s', (timeZone) => {
  for (const date of CLOCK_CHANGES[timeZone]!) {
    const around = fc.record({ input: referenceCases, back: fc.integer({ min: 0, max: 48 * 60 }) })
    fc.assert(
      fc.property(around, ({ input, back }) => {
        const from = Date.parse(date) - back * MINUTE
        const everyDay = [0, 1, 2, 3, 4, 5, 6].flatMap((dayOfWeek) => [
          { dayOfWeek, from: 0, to: 195 },
          { dayOfWeek, from: 1275, to: 1440 },
        ])
        const hours = { timeZone, weekly: everyDay, overrides: input.overrides }
        const hosts = input.hosts?.map((host) => ({ ...host, hours: host.hours && hours })) ?? null
        const window = { ...input.window, now: from }
        const moved = { ...input, ...hours, hosts, window, from, to: from + 60 * HOUR, earliest: from }
        expect(openStarts(requestOf(moved))).toEqual(referenceStarts(moved))
      }),
      runs(6),
    )
  }
})

it('accepts every offered start and nothing else, whatever range surrounds it', () => {
  fc.assert(
    fc.property(
      referenceCases,
      fc.array(fc.integer({ min: -90, max: 4_400 }), { maxLength: 40 }),
      (input, others) => {
        const request = requestOf(input)
        const elsewhere = { ...request, range: { start: input.to + DAY, end: input.to + 2 * DAY } }
        const offered = new Set(openStarts(request))
        for (const start of [...offered].slice(0, 60)) {
          expect(isOpenStart(request, start)).toBe(true)
          expect(isOpenStart(elsewhere, start)).toBe(true)
          expect(isOpenStart(request, start + 1)).toBe(offered.has(start + 1))
          expect(isOpenStart(request, start - 1)).toBe(false)
        }
        for (const minutes of others) {
          const start = input.from + minutes * MINUTE
          if (start < request.range.start || start >= request.range.end) continue
          expect(isOpenStart(request, start)).toBe(offered.has(start))
        }
      },
    ),
    runs(300),
  )
})

it.each([1, 2].slice(0, amount(1, 2)))('explains a start exactly if it is closed, part %i', (part) => {
  const heard = new Map<string, number>()
  fc.assert(
    fc.property(referenceCases, fc.array(fc.nat(), { maxLength: 40 }), (input, drawn) => {
      const request = requestOf(input)
      const { range } = request
      if (range.start >= range.end) return
      const open = new Set(openStarts(request))
      const held = input.sessions
        .map(({ start }) => start)
        .filter((at) => at >= range.start && at < range.end)
      const minutes = drawn.map((at) => range.start + ((at * MINUTE) % (range.end - range.start)))
      const asked = [...minutes, ...held, ...open]
      const causesAt = causesTeller(request)
      for (const start of [...new Set(asked)].sort((a, b) => a - b)) {
        const causes = causesAt(start)
        expect([start, causes]).toEqual([
          start,
          open.has(start) ? [] : expect.arrayContaining([expect.anything()]),
        ])
        expect(causesTeller({ ...request, range: { start, end: start + 1 } })(start)).toEqual(causes)
        for (const { rule } of causes) heard.set(rule, (heard.get(rule) ?? 0) + 1)
      }
    }),
    { ...runs(1_000), seed: SEED + part },
  )
  const rules = ['notice', 'hours', 'grid', 'closed', 'cap', 'session', 'busy', 'limit', 'people']
  for (const rule of rules) expect([rule, (heard.get(rule) ?? 0) > 20]).toEqual([rule, true])
})

it('keeps the same starts inside a range that is shrunk or moved', () => {
  fc.assert(
    fc.property(referenceCases, fc.nat(), fc.nat(), (input, a, b) => {
      const request = requestOf(input)
      const length = input.to - input.from
      const [start, end] = [a % length, b % length].sort((x, y) => x - y).map((at) => input.from + at)
      const within = { start: start!, end: end! }
      const wide = { ...request, range: { start: input.from - DAY, end: input.to + DAY } }
      const expected = openStarts(wide).filter((at) => at >= within.start && at < within.end)
      expect(openStarts({ ...request, range: within })).toEqual(expected)
    }),
    runs(1_500),
  )
})

it('never offers more when more is busy, and never a hold that overlaps what is busy, but for sessions', () => {
  const interval = fc.tuple(fc.integer({ min: -600, max: 4_800 }), fc.integer({ min: 1, max: 500 }))
  fc.assert(
    fc.property(referenceCases, interval, (input, [at, minutes]) => {
      const request = requestOf(input)
      const start = input.from + at * MINUTE + 1
      const added = { start, end: start + minutes * MINUTE }
      const before = openStarts(request)
      const after = openStarts({ ...request, busy: [...request.busy, added] })
      const free = before.filter((one) => {
        if (request.sessions!.has(one)) return true
        const hold = holdOf(one, request)
        return hold.end <= added.start || added.end <= hold.start
      })
      expect(after).toEqual(free)
    }),
    runs(1_500),
  )
})

it('never mutates what it is given', () => {
  fc.assert(
    fc.property(referenceCases, (input) => {
      const request = requestOf(input)
      const copy = structuredClone(request)
      openStarts(request)
      expect(request).toEqual(copy)
    }),
    runs(50),
  )
})

describe.each(REFERENCES)('local time beside %s', (_, { Instant }, numRuns) => {
  it('shows the same wall clock at any instant', () => {
    fc.assert(
      fc.property(moments, fc.integer({ min: -40, max: 40 }), ({ timeZone, instant }, days) => {
        const table = zoneTable(timeZone, instant, instant + 1)
        for (const at of [instant, instant + days * DAY - 1]) {
          const zoned = Instant.fromEpochMilliseconds(at).toZonedDateTimeISO(timeZone)
          expect(wallTimeOf(table, at)).toBe(wallOf(zoned.toPlainDateTime()))
        }
      }),
      runs(numRuns),
    )
  })

  it('finds the same instant for any wall time, skipped and repeated ones included', () => {
    fc.assert(
      fc.property(moments, ({ timeZone, instant }) => {
        const table = zoneTable(timeZone, instant, instant)
        const wall = Instant.fromEpochMilliseconds(instant).toZonedDateTimeISO('UTC').toPlainDateTime()
        expect(instantOf(table, instant)).toBe(wall.toZonedDateTime(timeZone).epochMilliseconds)
        const date = wall.toPlainDate()
        expect(startOfDate(table, wallOf(date.toPlainDateTime()))).toBe(
          date.toZonedDateTime(timeZone).epochMilliseconds,
        )
      }),
      runs(numRuns),
    )
  })
})

it.each(Object.keys(CLOCK_CHANGES))(
  'knows every change of the clock of %s that the polyfill finds',
  (zone) => {
    const [from, to] = [Date.UTC(2006), Date.UTC(2036)]
    const { transitions, offsets } = zoneTable(zone, from, to)
    const found: number[] = []
    let moment: Polyfill.ZonedDateTime | null =
      Polyfill.Instant.fromEpochMilliseconds(from).toZonedDateTimeISO(zone)
    for (;;) {
      moment = moment.getTimeZoneTransition('next')
      if (moment === null || moment.epochMilliseconds >= to) break
      found.push(moment.epochMilliseconds)
      const at = transitions.indexOf(moment.epochMilliseconds)
      expect(offsets[at + 1]).toBe(moment.offsetNanoseconds / 1e6)
    }
    expect(transitions.filter((at) => at >= from && at < to)).toEqual(found)
  },
)

it('divides all time into cap periods without gap or overlap', () => {
  const periods = fc.constantFrom('daily' as const, 'weekly' as const, 'monthly' as const)
  fc.assert(
    fc.property(moments, periods, ({ timeZone, instant }, period) => {
      const table = zoneTable(timeZone, instant, instant + 1)
      const { start, end } = capPeriodAt(period, table, instant)
      expect(start <= instant && instant < end).toBe(true)
      for (const inside of [start, end - 1])
        expect(capPeriodAt(period, table, inside)).toEqual({ start, end })
      expect(capPeriodAt(period, table, end).start).toBe(end)
      expect(capPeriodAt(period, table, start - 1).end).toBe(start)
    }),
    runs(600),
  )
})
