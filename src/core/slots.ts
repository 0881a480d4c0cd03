import { anyTeller, freeOfAll, takenByAny } from './any-of.ts'
import type { Cause, Note } from './causes.ts'
import { furtherRules, type IsOpen } from './further-rules.ts'
import { gridSteps } from './grid.ts'
import { holdOf } from './hold.ts'
import type { Interval } from './interval.ts'
import { isDisjoint, NEVER_OPEN, type OpenHours, sharedEdges, windowEdges } from './open-hours.ts'
import type { SlotRequest } from './slot-request.ts'
import { firstEndingAfter, stretchEdges } from './stretches.ts'
import { covers, meets } from './sweep.ts'
import { teamWindows } from './team-windows.ts'
import { unitsTeller } from './units.ts'

/** The starts that can be booked, ascending and unique. Throws a RangeError if the duration or the step is not positive. */
export function openStarts(request: SlotRequest): readonly number[] {
  const { range, hours, durationMs, stepMs } = request
  if (!(durationMs > 0 && stepMs > 0)) throw new RangeError('durationMs and stepMs must be positive')
  const first = Math.max(range.start, request.earliestStart)
  if (!(first < range.end)) return []
  const around = { start: first, end: range.end + durationMs }
  const grids = gridsOf(request, around)
  const [edges] = grids
  if (hours !== null && edges && isDisjoint(edges)) {
    const starts = freeOfAll(startsWithin(request, edges, first, furtherRules(request, around)), request)
    return withUnits(takenByAny(starts, request, around), request, around)
  }
  const isOpen = startTeller(request, around)
  const steps = gridSteps(grids, stepMs, first, range.end)
  const isOfPeopleOnly = hours === null && request.busy.length === 0 && !furtherRules(request, around)
  const starts = freeOfAll(isOfPeopleOnly ? steps : steps.filter((start) => isOpen(start)), request)
  return withUnits(takenByAny(starts, request, around, windowsOfEach(request, grids)), request, around)
}

/** The starts for which enough units are free, or that are sessions. */
function withUnits(starts: readonly number[], request: SlotRequest, around: Interval): readonly number[] {
  const { needed, sessions } = request
  if (!needed) return starts
  const areFree = unitsTeller(needed, request, around)
  return starts.filter((start) => sessions?.has(start) || areFree(start))
}

/** The windows that start a grid: those that all hours share, or those that each person shares with enough others. */
function gridsOf({ hours, within = [], anyOf = [], count = 1 }: SlotRequest, around: Interval) {
  if (hours !== null) return hours.length === 0 ? [] : [sharedWindows(hours, around)]
  const known = new Map<OpenHours, readonly number[]>()
  const ofPeople = anyOf.map((person) => {
    const theirs = person.hours ?? NEVER_OPEN
    const windows = known.get(theirs) ?? sharedWindows([theirs, ...within], around)
    known.set(theirs, windows)
    return windows
  })
  return count === 1 ? ofPeople : teamWindows(ofPeople, count)
}

function sharedWindows([first, ...others]: readonly OpenHours[], around: Interval): readonly number[] {
  return others.reduce(
    (shared, one) => sharedEdges(shared, windowEdges(one, around)),
    windowEdges(first!, around),
  )
}

/** The windows of each person, if they alone start the grids. */
function windowsOfEach(
  { hours, within = [], count = 1 }: SlotRequest,
  grids: readonly (readonly number[])[],
) {
  return hours === null && within.length === 0 && count === 1 ? grids : undefined
}

/** Returns for ascending starts whether they are open by all rules except the grid, the notice and the people. */
function startTeller(request: SlotRequest, around: Interval): (start: number, note?: Note) => boolean {
  const { hours, durationMs } = request
  const further = furtherRules(request, around)
  const isBusy = meets(request.busy)
  const areOpen = hours?.map((one) => covers(windowEdges(one, around))) ?? []
  return (start, note) => {
    const end = start + durationMs
    if (hours?.length === 0 && !note?.({ rule: 'hours', hours: null })) return false
    if (!areOpen.every((isOpen, at) => isOpen(start, end) || note?.({ rule: 'hours', hours: hours![at]! }))) {
      return false
    }
    const hold = holdOf(start, request)
    const isTaken = isBusy(hold.start, hold.end)
    if (further) return further(start, isTaken, note)
    return !isTaken || (note?.({ rule: 'busy' }) ?? false)
  }
}

/**
 * Collects for ascending starts in the range all rules that close them: none for those that `openStarts` returns. A start
 * off the grid is reported only if nothing else is wrong.
 */
export function causesTeller({ taken = [], ...asked }: SlotRequest): (start: number) => readonly Cause[] {
  const request = { ...asked, busy: [asked.busy, ...taken].flat() }
  const { range, stepMs, earliestStart, durationMs, anyOf, sessions } = request
  const around = { start: range.start, end: range.end + durationMs }
  const grids = gridsOf(request, around)
  const steps = new Set(gridSteps(grids, stepMs, range.start, range.end))
  const isOpen = startTeller(request, around)
  const areFree = request.needed && unitsTeller(request.needed, request, around)
  const canAnyTake = anyOf && anyTeller(anyOf, request, around, windowsOfEach(request, grids))
  return (start) => {
    const causes: Cause[] = start < earliestStart ? [{ rule: 'notice' }] : []
    isOpen(start, (cause) => causes.push(cause) > 0)
    if (canAnyTake && !sessions?.has(start) && !canAnyTake(start)) causes.push({ rule: 'people' })
    if (areFree && !sessions?.has(start) && !areFree(start)) causes.push({ rule: 'units' })
    if (causes.length === 0 && !steps.has(start)) causes.push({ rule: 'grid' })
    return causes
  }
}

/** Whether `start` can be booked: the same decision as `openStarts`, for one instant. */
export function isOpenStart(request: SlotRequest, start: number): boolean {
  return openStarts({ ...request, range: { start, end: start + 1 } }).includes(start)
}

/**
 * The free starts among the windows' steps from `first` on; the windows are disjoint. One pass over all windows and busy
 * times, so that a step costs a few comparisons.
 */
function startsWithin(
  request: SlotRequest,
  edges: readonly number[],
  first: number,
  isOpen: IsOpen | null,
): number[] {
  const { durationMs, bufferBeforeMs, stepMs, range } = request
  const afterMs = durationMs + request.bufferAfterMs
  const busy = stretchEdges(request.busy)
  const starts: number[] = []
  let stretchEnd = 0
  let nextStretch = 0
  let busyAt = firstEndingAfter(busy, first - bufferBeforeMs)
  for (let at = 0; at < edges.length; at += 2) {
    const windowStart = edges[at]!
    if (at === nextStretch) {
      // Windows that touch are one open span, which a booking may cross.
      stretchEnd = edges[at + 1]!
      for (
        nextStretch += 2;
        nextStretch < edges.length && edges[nextStretch]! <= stretchEnd;
        nextStretch += 2
      ) {
        stretchEnd = Math.max(stretchEnd, edges[nextStretch + 1]!)
      }
    }
    const stepsBefore = windowStart < first ? Math.ceil((first - windowStart) / stepMs) : 0
    const end = Math.min(edges[at + 1]!, range.end, stretchEnd - durationMs + 1)
    for (let start = windowStart + stepsBefore * stepMs; start < end; start += stepMs) {
      const from = start - bufferBeforeMs
      while (busyAt < busy.length && busy[busyAt + 1]! <= from) busyAt += 2
      const isBusy = busyAt < busy.length && busy[busyAt]! < start + afterMs
      if (isOpen === null ? !isBusy : isOpen(start, isBusy)) starts.push(start)
    }
  }
  return starts
}
