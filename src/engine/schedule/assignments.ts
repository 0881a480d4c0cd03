import { type Placement, strategyOf } from './placement.ts'
import type { AssignedStart, Schedule } from './schedule.ts'
import { isRequired } from './team.ts'

/** The number of the next assignment. */
export function nextAssignment({ hosts }: Schedule): number {
  return 1 + Math.max(0, ...hosts.map(({ lastAssignment }) => lastAssignment))
}

/** The numbers of the assignments that a booking makes, by host: in the order in which they were chosen. */
export function assignmentsOf(
  schedule: Schedule,
  { creditedIds, isAssignment }: Pick<Placement, 'creditedIds' | 'isAssignment'>,
): ReadonlyMap<string, number> {
  if (!isAssignment || creditedIds.length === 0) return new Map()
  const first = nextAssignment(schedule)
  if (strategyOf(schedule.eventType) === null) return new Map(creditedIds.map((id) => [id, first]))
  const alwaysThere = new Set(schedule.hosts.filter((one) => isRequired(schedule, one)).map(({ id }) => id))
  const inTurn = creditedIds.filter((id) => !alwaysThere.has(id))
  return new Map(inTurn.map((id, at) => [id, first + at]))
}

/** Only one strategy divides them by weight. */
export function withAssigned(
  { eventType, assignedStarts }: Schedule,
  hostIds: readonly string[],
  start: number,
  count: number,
): readonly AssignedStart[] {
  if (eventType.assignmentStrategy !== 'availability_weighted') return assignedStarts
  return hostIds.reduce((known, hostId) => withOneAssigned(known, { hostId, start, count }), assignedStarts)
}

function withOneAssigned(
  known: readonly AssignedStart[],
  { hostId, start, count }: AssignedStart,
): readonly AssignedStart[] {
  const isSame = (one: AssignedStart) => one.hostId === hostId && one.start === start
  const before = known.find(isSame)?.count ?? 0
  const others = known.filter((one) => !isSame(one))
  if (before + count <= 0) return others
  const after = { hostId, start, count: before + count }
  return [...others, after].sort((a, b) => a.start - b.start || (a.hostId < b.hostId ? -1 : 1))
}
