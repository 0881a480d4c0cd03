import type { Note } from './causes.ts'
import type { SlotRules } from './hold.ts'
import type { Interval } from './interval.ts'
import { type OpenHours, windowEdges } from './open-hours.ts'
import { coversFrom, meetsUntil } from './sweep.ts'

/** Somebody a meeting needs, or one to choose from. All lists are in any order and may overlap. */
export type Person = {
  /** Their own hours; null if only the event type's count. */
  readonly hours: OpenHours | null
  /** Time off: meetings must not overlap it, buffers may. */
  readonly closed: readonly Interval[]
  /** Holds and external busy times: neither meetings nor buffers may overlap them. */
  readonly busy: readonly Interval[]
  /** No meeting may begin in these: days and weeks in which they have reached their limit. */
  readonly full: readonly Interval[]
}

/**
 * Returns for ascending starts whether the person can take them: the start itself if they can, otherwise an instant before
 * which they can take none. `edges` are their windows around all starts, if known.
 */
export function personTeller(
  person: Person,
  rules: SlotRules,
  around: Interval,
  edges: readonly number[] | null = person.hours && windowEdges(person.hours, around),
): (start: number, note?: Note) => number {
  const { durationMs, bufferBeforeMs, bufferAfterMs } = rules
  const { closed, full } = person
  const busyUntil = meetsUntil(person.busy)
  const offUntil = closed.length > 0 ? meetsUntil(closed) : null
  const fullUntil = full.length > 0 ? meetsUntil(full) : null
  const atWorkFrom = edges && coversFrom(edges)
  return (start, note) => {
    const end = start + durationMs
    const atWork = atWorkFrom === null ? start : atWorkFrom(start, end)
    if (atWork > start && !note?.({ rule: 'hours', hours: person.hours })) return atWork
    const free = busyUntil(start - bufferBeforeMs, end + bufferAfterMs) + bufferBeforeMs
    if (free > start && !note?.({ rule: 'busy' })) return free
    const off = offUntil === null ? start : offUntil(start, end)
    const limit = fullUntil === null ? start : fullUntil(start, start + 1)
    if (off > start && !note?.({ rule: 'closed' })) return Math.max(off, limit)
    if (limit > start && !note?.({ rule: 'limit' })) return limit
    return start
  }
}

/** Whether the person can take a meeting that begins at `start`. */
export function canTake(person: Person, start: number, rules: SlotRules): boolean {
  return personTeller(person, rules, { start, end: start + rules.durationMs })(start) === start
}
