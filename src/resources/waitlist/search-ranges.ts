import type { Schedule } from '../../schedule/schedule.ts'
import { type Interval, mergeIntervals } from '../../scheduling/interval.ts'
import { zoneTable } from '../../scheduling/local-time.ts'
import type { EntryRow } from './queries.ts'
import { EVER } from './statements.ts'

/** How far ahead slots are looked for on behalf of those who wait for any. */
export const HORIZON_MS = 31 * 86_400_000
/** No hold is longer, so none that touches what was freed begins further away. */
const REACH_MS = 12 * 3_600_000

/**
 * Where starts are looked for on behalf of an entry: where it wants to be, or in the weeks to come and around
 * what was freed after them. A start may lie thousands of years ahead, so nothing is looked for in between.
 */
export function searchRanges(
  { startTime }: EntryRow,
  holds: readonly Interval[],
  now: number,
): readonly Interval[] {
  if (startTime !== null) return [{ start: startTime, end: startTime + 1 }]
  const around = holds
    .filter(({ end }) => end < EVER)
    .map(({ start, end }) => ({ start: Math.max(now, start - REACH_MS), end: end + REACH_MS }))
  return mergeIntervals([{ start: now, end: now + HORIZON_MS }, ...around])
}

/** The schedule for questions about `range` alone. */
export function within(schedule: Schedule, range: Interval): Schedule {
  return { ...schedule, range, table: zoneTable(schedule.eventType.timezone, range.start, range.end) }
}
