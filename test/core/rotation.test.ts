import { describe, expect, it } from 'vitest'
import { type Candidate, freeTimeIn, inRank, rankHosts, type Strategy } from '../../src/core/rotation.ts'
import { fc, runs } from '../support/fast-check.ts'

const STRATEGIES: readonly Strategy[] = [
  'round_robin',
  'least_recent',
  'least_bookings',
  'availability_weighted',
]

function host(id: string, figures: Partial<Candidate> = {}): Candidate {
  return {
    id,
    priority: 50,
    addedAt: 0,
    lastAssignment: 0,
    activeBookings: 0,
    nearBookings: 0,
    weight: 100,
    freeMs: 0,
    ...figures,
  }
}

function ids(hosts: readonly Candidate[]): string {
  return hosts.map(({ id }) => id).join('')
}

const candidate = fc.record({
  id: fc.uuid(),
  priority: fc.integer({ min: 1, max: 4 }),
  addedAt: fc.integer({ min: 0, max: 3 }),
  lastAssignment: fc.integer({ min: 0, max: 9 }),
  activeBookings: fc.integer({ min: 0, max: 3 }),
  nearBookings: fc.integer({ min: 0, max: 5 }),
  weight: fc.integer({ min: 1, max: 1000 }),
  freeMs: fc.integer({ min: 0, max: 3 }),
})
const hosts = fc.uniqueArray(candidate, { selector: ({ id }) => id, maxLength: 12 })
const strategy = fc.constantFrom(...STRATEGIES)

/** The lowest figures first, compared one after the other; every host has figures of their own. */
function rankedPlainly(by: Strategy, all: readonly Candidate[]): Candidate[] {
  const isBefore = (a: readonly (number | string)[], b: readonly (number | string)[]) => {
    const at = a.findIndex((figure, index) => figure !== b[index])
    return a[at]! < b[at]!
  }
  const sortBy = (figures: (one: Candidate) => (number | string)[]) => {
    const left = [...all]
    const sorted: Candidate[] = []
    while (left.length > 0) {
      const first = left.reduce((best, one) => (isBefore(figures(one), figures(best)) ? one : best))
      sorted.push(...left.splice(left.indexOf(first), 1))
    }
    return sorted
  }
  const rank = (one: Candidate) => [one.priority, one.addedAt, one.id]
  if (by === 'least_recent') return sortBy((one) => [one.lastAssignment, ...rank(one)])
  if (by === 'least_bookings') return sortBy((one) => [one.activeBookings, ...rank(one)])
  if (by === 'availability_weighted') {
    return sortBy((one) => [(-one.weight * one.freeMs) / (1 + one.nearBookings), ...rank(one)])
  }
  const [last] = sortBy((one) => [-one.lastAssignment, ...rank(one)])
  const hadTheirTurn = (one: Candidate) =>
    last !== undefined && last.lastAssignment > 0 && !isBefore(rank(last), rank(one))
  return sortBy((one) => [hadTheirTurn(one) ? 1 : 0, ...rank(one)])
}

describe('the order of hosts', () => {
  it('is priority, then age', () => {
    const late = host('c', { addedAt: 2 })
    const first = host('d', { priority: 1, addedAt: 9 })
    expect(ids(inRank([host('b'), late, host('a'), first]))).toBe('dabc')
  })

  it('goes round after the last one assigned', () => {
    const round = [host('a'), host('b', { lastAssignment: 7 }), host('c', { lastAssignment: 3 })]
    expect(ids(rankHosts('round_robin', round))).toBe('cab')
    expect(ids(rankHosts('round_robin', [host('b'), host('a')]))).toBe('ab')
  })

  it('starts with whom nothing was given for longest', () => {
    const given = [host('a', { lastAssignment: 5 }), host('b', { lastAssignment: 2 }), host('c')]
    expect(ids(rankHosts('least_recent', given))).toBe('cba')
  })

  it('starts with the fewest upcoming bookings, and breaks ties by priority, then age', () => {
    const busy = [
      host('a', { activeBookings: 2 }),
      host('b', { activeBookings: 1, addedAt: 1 }),
      host('c', { activeBookings: 1 }),
      host('d', { activeBookings: 1, priority: 1, addedAt: 5 }),
    ]
    expect(ids(rankHosts('least_bookings', busy))).toBe('dcba')
  })

  it('starts with the most free time for the weight and the bookings of the week', () => {
    const free = [
      host('a', { freeMs: 1, weight: 300 }),
      host('b', { freeMs: 4 }),
      host('c', { freeMs: 6, nearBookings: 1 }),
    ]
    expect(ids(rankHosts('availability_weighted', free))).toBe('bac')
  })

  it('divides bookings among equals in proportion to their weights', () => {
    const totals: Record<string, number> = { a: 0, b: 0, c: 0 }
    const weights = { a: 300, b: 100, c: 200 }
    for (let turn = 0; turn < 60; turn++) {
      const equals = Object.entries(weights).map(([id, weight]) =>
        host(id, { weight, freeMs: 1, nearBookings: totals[id]! }),
      )
      totals[rankHosts('availability_weighted', equals)[0]!.id]! += 1
    }
    expect(totals).toEqual({ a: 30, b: 10, c: 20 })
  })

  it('names every host once and does not depend on the order they come in', () => {
    fc.assert(
      fc.property(strategy, hosts, fc.integer(), (by, all, seed) => {
        const ranked = rankHosts(by, all)
        expect(new Set(ranked)).toEqual(new Set(all))
        const unique = all.map((one, at) => ({ ...one, lastAssignment: one.lastAssignment && at + 1 }))
        const turned = unique.toSorted((a, b) => (a.id + seed < b.id + seed ? -1 : 1) * (seed % 2 || 1))
        expect(ids(rankHosts(by, turned))).toBe(ids(rankHosts(by, unique)))
      }),
      runs(),
    )
  })

  it('is what the rules say, read one by one', () => {
    fc.assert(
      fc.property(strategy, hosts, (by, all) => {
        expect(ids(rankHosts(by, all))).toBe(ids(rankedPlainly(by, all)))
      }),
      runs(2_000),
    )
  })

  it('never lets anybody wait longer than one round while all are free', () => {
    fc.assert(
      fc.property(fc.integer({ min: 1, max: 8 }), fc.integer({ min: 1, max: 40 }), (count, turns) => {
        let all = Array.from({ length: count }, (_, at) => host(String.fromCharCode(97 + at)))
        const given: string[] = []
        for (let turn = 1; turn <= turns; turn++) {
          const { id } = rankHosts('round_robin', all)[0]!
          given.push(id)
          all = all.map((one) => (one.id === id ? { ...one, lastAssignment: turn } : one))
        }
        for (let at = 0; at + count <= given.length; at++) {
          expect(new Set(given.slice(at, at + count)).size).toBe(count)
        }
      }),
      runs(),
    )
  })
})

describe('free time', () => {
  it('is what no busy time takes of the window, counted once', () => {
    const window = { start: 0, end: 100 }
    const busy = [
      { start: -50, end: 10 },
      { start: 40, end: 60 },
      { start: 50, end: 70 },
      { start: 95, end: 300 },
      { start: 400, end: 500 },
    ]
    expect(freeTimeIn(window, busy)).toBe(100 - 10 - 30 - 5)
    expect(freeTimeIn(window, [])).toBe(100)
  })

  it('is every moment that no busy time takes', () => {
    const span = fc
      .tuple(fc.integer({ min: -20, max: 70 }), fc.nat(30))
      .map(([start, length]) => ({ start, end: start + length }))
    fc.assert(
      fc.property(fc.array(span, { maxLength: 8 }), fc.integer({ min: 1, max: 50 }), (busy, end) => {
        const moments = Array.from({ length: end }, (_, at) => at)
        const free = moments.filter((at) => !busy.some((one) => one.start <= at && at < one.end))
        expect(freeTimeIn({ start: 0, end }, busy)).toBe(free.length)
      }),
      runs(1_000),
    )
  })
})
