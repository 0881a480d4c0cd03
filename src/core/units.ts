import type { SlotRules } from './hold.ts'
import type { Interval } from './interval.ts'
import { type Person, personTeller } from './person.ts'

/** So many units of any of these things, in the order in which they are taken. */
export type Need = { readonly of: readonly string[]; readonly count: number }

/** A unit of a thing, numbered from 1. */
export type Unit = { readonly of: string; readonly unit: number }

/** A room or a piece of equipment; its units are free or taken as people are. */
export type Thing = { readonly id: string; readonly units: readonly Person[] }

/** The units that every start needs. */
export type Needed = { readonly needs: readonly Need[]; readonly things: readonly Thing[] }

/** Whether so many free units, by thing, are enough for all needs at once: every group of needs finds as many as it counts. */
export function areEnough(needs: readonly Need[], free: ReadonlyMap<string, number>): boolean {
  for (let group = 1; group < 1 << needs.length; group++) {
    const those = needs.filter((_, at) => group & (1 << at))
    const among = new Set(those.flatMap(({ of }) => of))
    const wanted = those.reduce((sum, { count }) => sum + count, 0)
    let found = 0
    for (const id of among) found += free.get(id) ?? 0
    if (found < wanted) return false
  }
  return true
}

/**
 * The first complete assignment: need by need, of the first thing in its order that leaves enough for the others, the lowest
 * free unit. Units in `own` are taken before. Null if there is no complete one. `free` lists units in ascending order.
 */
export function chooseUnits(
  needs: readonly Need[],
  free: ReadonlyMap<string, readonly number[]>,
  own: readonly Unit[] = [],
): Unit[] | null {
  const left = new Map(Array.from(free, ([id, units]) => [id, [...units]]))
  const counts = needs.map(({ count }) => count)
  const isComplete = () =>
    areEnough(
      needs.map(({ of }, at) => ({ of, count: counts[at]! })),
      new Map(Array.from(left, ([id, units]) => [id, units.length])),
    )
  if (!isComplete()) return null
  const chosen: Unit[] = []
  /** Takes a unit for a need, unless the others would lack it. */
  const take = (at: number, of: string, place: number): boolean => {
    const units = left.get(of) ?? []
    const [unit] = units.splice(place, 1)
    if (unit === undefined) return false
    counts[at]! -= 1
    if (isComplete()) return chosen.push({ of, unit }) > 0
    counts[at]! += 1
    units.splice(place, 0, unit)
    return false
  }
  for (const [at, { of }] of needs.entries()) {
    for (const one of own) {
      const place = of.includes(one.of) ? (left.get(one.of) ?? []).indexOf(one.unit) : -1
      if (place >= 0 && counts[at]! > 0) take(at, one.of, place)
    }
    for (const id of of) while (counts[at]! > 0 && take(at, id, 0));
  }
  return chosen
}

/** The units of each thing that are free for a meeting at `start`, ascending. */
export function freeUnitsAt(
  { things }: Needed,
  start: number,
  rules: SlotRules,
): ReadonlyMap<string, readonly number[]> {
  const around = { start, end: start + rules.durationMs }
  return new Map(
    things.map(({ id, units }) => [
      id,
      units.flatMap((unit, at) => (personTeller(unit, rules, around)(start) === start ? [at + 1] : [])),
    ]),
  )
}

/** Returns for ascending starts whether enough units are free. */
export function unitsTeller(
  { needs, things }: Needed,
  rules: SlotRules,
  around: Interval,
): (start: number) => boolean {
  const tellers = things.map(({ units }) =>
    units.map((unit) => {
      const freeFrom = personTeller(unit, rules, around)
      let from = Number.NEGATIVE_INFINITY
      return (start: number) => {
        if (from > start) return false
        from = freeFrom(start)
        return from === start
      }
    }),
  )
  const free = new Map<string, number>()
  return (start) => {
    for (const [at, { id }] of things.entries()) {
      free.set(
        id,
        tellers[at]!.reduce((sum, isFree) => sum + (isFree(start) ? 1 : 0), 0),
      )
    }
    return areEnough(needs, free)
  }
}
