import type { Interval } from '../../src/core/interval.ts'
import { type OpenHours, windowEdges } from '../../src/core/open-hours.ts'
import type { SlotRequest } from '../../src/core/slot-request.ts'

const MINUTE = 60_000

/** Minutes, ascending and disjoint: starts and ends in turn. */
type Edges = Int32Array

type Plain = {
  readonly duration: number
  readonly before: number
  readonly after: number
  readonly earliest: number
  readonly from: number
  readonly until: number
}

/**
 * The floor of the slot core. It gets finished windows and sorted times as arrays of integers, compares every step with one
 * of each, and lists the open ones as instants.
 */
export function integerLoop(request: SlotRequest): () => readonly number[] {
  const { range, earliestStart, durationMs, anyOf } = request
  const plain = {
    duration: durationMs / MINUTE,
    before: request.bufferBeforeMs / MINUTE,
    after: request.bufferAfterMs / MINUTE,
    earliest: earliestStart / MINUTE,
    from: range.start / MINUTE,
    until: range.end / MINUTE,
  }
  const around = { start: Math.max(range.start, earliestStart), end: range.end + durationMs }
  const windowsOf = (hours: OpenHours) =>
    Int32Array.from(windowEdges(hours, around).map((edge) => edge / MINUTE))
  const shared = request.hours && windowsOf(request.hours[0]!)
  if (!anyOf) {
    const busy = minutesOf(request.busy)
    return () => ofOne(shared!, busy, plain)
  }
  const busy = anyOf.map((person) => minutesOf(person.busy))
  if (shared) return () => ofAny(stepsOf(shared, plain), busy, plain)
  const windows = anyOf.map(({ hours }) => windowsOf(hours!))
  // No meeting may begin in a full day, and none may overlap time off.
  const off = anyOf.map(({ closed, full }) => [
    ...closed,
    ...full.map(({ start, end }) => ({ start, end: end + durationMs - MINUTE })),
  ])
  const closed = off.map(minutesOf)
  return () => ofEach(windows, busy, closed, plain)
}

function minutesOf(intervals: readonly Interval[]): Edges {
  return Int32Array.from(intervals.flatMap(({ start, end }) => [start / MINUTE, end / MINUTE]))
}

function ofOne(windows: Edges, busy: Edges, { duration, before, after, earliest }: Plain): number[] {
  const starts: number[] = []
  let next = 0
  for (let at = 0; at < windows.length; at += 2) {
    const last = windows[at + 1]! - duration
    for (let start = windows[at]!; start <= last; start += duration) {
      while (next < busy.length && busy[next + 1]! <= start - before) next += 2
      const isFree = next === busy.length || busy[next]! >= start + duration + after
      if (isFree && start >= earliest) starts.push(start * MINUTE)
    }
  }
  return starts
}

function stepsOf(windows: Edges, { duration, earliest }: Plain): number[] {
  const steps: number[] = []
  for (let at = 0; at < windows.length; at += 2) {
    for (let start = windows[at]!; start + duration <= windows[at + 1]!; start += duration) {
      if (start >= earliest) steps.push(start)
    }
  }
  return steps
}

/** Hosts of the same hours, one after another, until every step has one who is free. */
function ofAny(steps: readonly number[], hosts: readonly Edges[], plain: Plain): number[] {
  const { duration, before, after } = plain
  const isOpen = new Uint8Array(steps.length)
  for (const busy of hosts) {
    let next = 0
    let isOneLeft = false
    for (let at = 0; at < steps.length; at++) {
      if (isOpen[at] === 1) continue
      const start = steps[at]!
      while (next < busy.length && busy[next + 1]! <= start - before) next += 2
      if (next < busy.length && busy[next]! < start + duration + after) isOneLeft = true
      else isOpen[at] = 1
    }
    if (!isOneLeft) break
  }
  const starts: number[] = []
  for (let at = 0; at < steps.length; at++) if (isOpen[at] === 1) starts.push(steps[at]! * MINUTE)
  return starts
}

/** Hosts whose hours differ: a byte for every minute, and those of open starts are listed. */
function ofEach(windows: readonly Edges[], busy: readonly Edges[], off: readonly Edges[], plain: Plain) {
  const { duration, before, after, earliest, from, until } = plain
  const isOpen = new Uint8Array(until - from)
  for (let host = 0; host < windows.length; host++) {
    const [hours, taken, closed] = [windows[host]!, busy[host]!, off[host]!]
    let next = 0
    let nextClosed = 0
    for (let at = 0; at < hours.length; at += 2) {
      const last = hours[at + 1]! - duration
      for (let start = hours[at]!; start <= last; start += duration) {
        if (start < earliest || start >= until || isOpen[start - from] === 1) continue
        while (next < taken.length && taken[next + 1]! <= start - before) next += 2
        if (next < taken.length && taken[next]! < start + duration + after) continue
        while (nextClosed < closed.length && closed[nextClosed + 1]! <= start) nextClosed += 2
        if (nextClosed < closed.length && closed[nextClosed]! < start + duration) continue
        isOpen[start - from] = 1
      }
    }
  }
  const starts: number[] = []
  for (let at = 0; at < isOpen.length; at++) if (isOpen[at] === 1) starts.push((from + at) * MINUTE)
  return starts
}
