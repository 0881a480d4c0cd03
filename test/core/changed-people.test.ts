import { expect, it } from 'vitest'
import { findEach, MANY } from '../../src/core/find-each.ts'
import type { Interval } from '../../src/core/interval.ts'
import { NEVER_OPEN } from '../../src/core/open-hours.ts'
import type { SlotRequest } from '../../src/core/slot-request.ts'
import { openStarts } from '../../src/core/slots.ts'
import { fc, runs } from '../support/fast-check.ts'
import { MINUTE, referenceCases, requestOf } from './cases.ts'

/** The same for those of whom nothing is remembered. */
function asStrangers({ anyOf, taken, ...request }: SlotRequest): SlotRequest {
  return {
    ...request,
    ...(anyOf && { anyOf: anyOf.map((person) => ({ ...person })) }),
    ...(taken && { taken: taken.map((list) => [...list]) }),
  }
}

/** Among as many as are remembered: the others are never there, and nothing of them is ever taken. */
function inCrowd({ anyOf, taken, ...request }: SlotRequest): SlotRequest {
  const others = Array.from({ length: MANY }, (_, at) => ({ start: at, end: at + 1 }))
  return {
    ...request,
    ...(anyOf && {
      anyOf: [...anyOf, ...others.map(() => ({ hours: NEVER_OPEN, closed: [], busy: [], full: [] }))],
    }),
    ...(taken && { taken: [...taken, ...others.map((one) => [one])] }),
  }
}

function moved(list: readonly Interval[], minutes: number): Interval[] {
  return list.map(({ start, end }) => ({ start: start + minutes * MINUTE, end: end + minutes * MINUTE }))
}

function withChange({ anyOf, taken, ...request }: SlotRequest, who: number, minutes: number): SlotRequest {
  const isThem = (at: number, { length }: readonly unknown[]) => at === who % Math.max(1, length - MANY)
  return {
    ...request,
    ...(anyOf && {
      anyOf: anyOf.map((person, at, all) =>
        isThem(at, all) ? { ...person, busy: moved(person.busy, minutes) } : person,
      ),
    }),
    ...(taken && { taken: taken.map((list, at, all) => (isThem(at, all) ? moved(list, minutes) : list)) }),
  }
}

const changes = fc.array(fc.tuple(fc.nat({ max: 3 }), fc.integer({ min: -600, max: 600 })), {
  maxLength: 6,
})

it('offers the same starts after the changes of some hosts as if all were new', () => {
  let offered = 0
  fc.assert(
    fc.property(referenceCases, changes, (input, drawn) => {
      let request = inCrowd(requestOf(input))
      openStarts(request)
      for (const [who, minutes] of drawn) {
        request = withChange(request, who, minutes)
        const starts = openStarts(request)
        offered += starts.length
        expect(starts).toEqual(openStarts(asStrangers(request)))
      }
    }),
    runs(1_000),
  )
  expect(offered).toBeGreaterThan(1_000)
})

it('asks only those who changed, and about the starts that one of them had', () => {
  const starts = Array.from({ length: 40 }, (_, at) => at * MINUTE)
  const rules = { durationMs: MINUTE, bufferBeforeMs: 0, bufferAfterMs: 0 }
  const members = Array.from({ length: MANY }, (_, at) => ({ from: at }))
  const asked: number[] = []
  const find = (items: readonly { readonly from: number }[]) => {
    asked.length = 0
    return findEach({ rules, starts, items, count: 1 }, ({ from }, place) => (start) => {
      asked.push(place)
      const isTheirs = (start / MINUTE) % 30 === from && from > 0
      return isTheirs ? start : start + 1
    })
  }
  const before = find(members)
  expect(before[0]).toBe(-1)
  expect(before[5]).toBe(5)
  expect(asked.length).toBeGreaterThan(400)
  // Of the two starts that nobody can take, and of the two that they had.
  const after = find(members.with(5, { from: 5 }))
  expect([...after]).toEqual([...before])
  expect(asked.filter((place) => place === 5).length).toBeLessThanOrEqual(4)
  expect(asked.length).toBeLessThan(20)
})
