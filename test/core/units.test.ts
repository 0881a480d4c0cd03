import { describe, expect, it } from 'vitest'
import {
  areEnough,
  chooseUnits,
  freeUnitsAt,
  type Need,
  type Unit,
  unitsTeller,
} from '../../src/core/units.ts'
import { amount, chance, SEED } from '../support/chance.ts'

const need = (count: number, ...of: string[]): Need => ({ of, count })
const free = (units: Record<string, number[]>) => new Map(Object.entries(units))
const told = (units: readonly Unit[] | null) => units?.map(({ of, unit }) => `${of}${unit}`) ?? null

describe('the units that are chosen', () => {
  it('are the lowest free ones of the first thing that is free', () => {
    expect(told(chooseUnits([need(1, 'a', 'b')], free({ a: [2, 3], b: [1] })))).toEqual(['a2'])
    expect(told(chooseUnits([need(1, 'a', 'b')], free({ a: [], b: [4] })))).toEqual(['b4'])
    expect(told(chooseUnits([need(3, 'a', 'b')], free({ a: [1, 2], b: [1, 2] })))).toEqual(['a1', 'a2', 'b1'])
  })

  it('leave to other needs what only these can take', () => {
    expect(told(chooseUnits([need(1, 'a', 'b'), need(1, 'a')], free({ a: [1], b: [1] })))).toEqual([
      'b1',
      'a1',
    ])
    expect(
      told(chooseUnits([need(2, 'a', 'b', 'c'), need(1, 'b')], free({ a: [1], b: [1], c: [7] }))),
    ).toEqual(['a1', 'c7', 'b1'])
  })

  it('are null if no assignment is complete', () => {
    expect(chooseUnits([need(1, 'a'), need(1, 'a')], free({ a: [1] }))).toBeNull()
    expect(chooseUnits([need(1, 'gone')], free({}))).toBeNull()
  })

  it('are those that the meeting has, if they are free', () => {
    const own = [{ of: 'b', unit: 2 }]
    expect(told(chooseUnits([need(1, 'a', 'b')], free({ a: [1], b: [1, 2] }), own))).toEqual(['b2'])
    expect(told(chooseUnits([need(2, 'a', 'b')], free({ a: [1], b: [1, 2] }), own))).toEqual(['b2', 'a1'])
    expect(told(chooseUnits([need(1, 'a', 'b')], free({ a: [1], b: [1] }), own))).toEqual(['a1'])
    // Another need can take only this one.
    expect(told(chooseUnits([need(1, 'a', 'b'), need(1, 'b')], free({ a: [1], b: [2] }), own))).toEqual([
      'a1',
      'b2',
    ])
  })

  it('are the first complete assignment of all, in any world', () => {
    const { below } = chance(SEED)
    for (let world = 0; world < amount(300, 3_000); world++) {
      const things = ['a', 'b', 'c'].slice(0, 1 + below(3))
      const units = free(Object.fromEntries(things.map((id) => [id, [1, 2, 3].filter(() => below(2) === 0)])))
      const needs = Array.from({ length: 1 + below(3) }, () => {
        const turned = things.slice(below(things.length))
        return need(1 + below(2), ...turned, ...things.slice(0, things.length - turned.length))
      })
      const expected = firstAssignment(needs, units)
      const chosen = chooseUnits(needs, units)
      expect(told(chosen), JSON.stringify([needs, [...units]])).toEqual(told(expected))
      expect(areEnough(needs, new Map([...units].map(([id, all]) => [id, all.length])))).toBe(
        expected !== null,
      )
    }
  })
})

/** By trying all in their order. */
function firstAssignment(
  needs: readonly Need[],
  units: ReadonlyMap<string, readonly number[]>,
): Unit[] | null {
  const wanted = needs.flatMap(({ of, count }) => Array.from({ length: count }, () => of))
  const search = (at: number, taken: readonly Unit[]): Unit[] | null => {
    if (at === wanted.length) return [...taken]
    for (const of of wanted[at]!) {
      for (const unit of units.get(of) ?? []) {
        if (taken.some((one) => one.of === of && one.unit === unit)) continue
        const found = search(at + 1, [...taken, { of, unit }])
        if (found) return found
      }
    }
    return null
  }
  return search(0, [])
}

describe('free units', () => {
  const person = (busy: [number, number][], closed: [number, number][] = []) => ({
    hours: null,
    full: [],
    busy: busy.map(([start, end]) => ({ start, end })),
    closed: closed.map(([start, end]) => ({ start, end })),
  })
  const rules = { durationMs: 10, bufferBeforeMs: 5, bufferAfterMs: 5 }
  const needed = {
    needs: [need(2, 'a', 'b')],
    things: [
      { id: 'a', units: [person([[20, 30]]), person([])] },
      { id: 'b', units: [person([], [[0, 20]])] },
    ],
  }

  it('are those whose held time no buffer touches and whose time off no meeting touches', () => {
    expect([...freeUnitsAt(needed, 0, rules)]).toEqual([
      ['a', [1, 2]],
      ['b', []],
    ])
    expect([...freeUnitsAt(needed, 10, rules)]).toEqual([
      ['a', [2]],
      ['b', []],
    ])
    expect([...freeUnitsAt(needed, 20, rules)]).toEqual([
      ['a', [2]],
      ['b', [1]],
    ])
  })

  it('are enough for ascending starts, as they are at each alone', () => {
    const areFree = unitsTeller(needed, rules, { start: 0, end: 100 })
    expect([0, 10, 20, 40].map(areFree)).toEqual([true, false, true, true])
  })
})
