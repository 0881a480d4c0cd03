import type { Interval } from '../../../core/interval.ts'
import { personTeller } from '../../../core/person.ts'
import type { SlotRequest } from '../../../core/slot-request.ts'
import { areEnough, type Need, type Thing } from '../../../core/units.ts'

/** Why too few units are free: of which room or equipment, and whether it is closed or taken. */
export type RoomReason = {
  readonly code: 'resource_busy' | 'resource_closed' | 'no_resources'
  readonly resourceId: string
}

/** Explains for ascending starts why too few units are free. */
export function roomReasonsTeller(request: SlotRequest, around: Interval): (start: number) => RoomReason[] {
  const { needed } = request
  if (!needed) return () => []
  const all = new Map(needed.things.map(({ id, units }) => [id, units.length]))
  const impossible = new Set(tooFewOf(needed.needs, all))
  const rulesOf = new Map(needed.things.map((thing) => [thing.id, unitRules(thing, request, around)]))
  return (start) => {
    const rules = new Map(Array.from(rulesOf, ([id, rulesAt]) => [id, rulesAt(start)]))
    const free = new Map(
      Array.from(rules, ([id, units]) => [id, units.filter(({ size }) => size === 0).length] as const),
    )
    return tooFewOf(needed.needs, free).flatMap((resourceId): RoomReason[] => {
      const codes = new Set(rules.get(resourceId)?.flatMap((unit) => [...unit]))
      return [
        ...(impossible.has(resourceId) ? [{ code: 'no_resources' as const, resourceId }] : []),
        ...[...codes].map((code) => ({ code, resourceId })),
      ]
    })
  }
}

/** The resources of which there are too few units for the needs that name them. */
export function tooFewOf(needs: readonly Need[], units: ReadonlyMap<string, number>): string[] {
  const short = groupsOf(needs).filter((group) => !areEnough(group, units))
  return [...new Set(short.flat().flatMap(({ of }) => of))]
}

/** The needs that share no room with others, and those that do, together. */
function groupsOf(needs: readonly Need[]): Need[][] {
  const groups: Need[][] = []
  for (const need of needs) {
    const isShared = (group: Need[]) => group.some(({ of }) => of.some((id) => need.of.includes(id)))
    const shared = groups.filter(isShared)
    for (const one of shared) groups.splice(groups.indexOf(one), 1)
    groups.push([...shared.flat(), need])
  }
  return groups
}

type Rule = Exclude<RoomReason['code'], 'no_resources'>

/** Returns for ascending starts why each unit is not free; nothing if it is. */
function unitRules({ units }: Thing, request: SlotRequest, around: Interval) {
  const tellers = units.map((unit) => personTeller(unit, request, around))
  return (start: number): Set<Rule>[] =>
    tellers.map((teller) => {
      const rules = new Set<Rule>()
      teller(start, ({ rule }) => rules.add(rule === 'busy' ? 'resource_busy' : 'resource_closed').size > 0)
      return rules
    })
}
