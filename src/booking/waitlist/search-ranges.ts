import { type Interval, mergeIntervals } from '../../core/interval.ts'
import { LAST_INSTANT } from '../../core/last-instant.ts'
import { zoneTable } from '../../core/local-time.ts'
import { MAX_HOLD_MS } from '../../core/longest-hold.ts'
import { DAY_MS } from '../../core/time-units.ts'
import type { Schedule } from '../../engine/schedule/schedule.ts'
import type { PresentMs } from '../../platform/limits/clock.ts'
import type { EntryRow } from './queries.ts'

/** How far ahead slots are searched for on behalf of those who wait for any. */
export const HORIZON_MS = 31 * DAY_MS
/** What was freed may be as long as the time off of somebody who never came back: so much of it is searched through. */
const MOST_FREED_MS = 366 * DAY_MS

/** Where starts that touch freed time are searched for. */
export function searchedOf({ start, end }: Interval, now: PresentMs): Interval {
  const from = Math.max(now, start - MAX_HOLD_MS)
  return { start: from, end: Math.min(end, from + MOST_FREED_MS) + MAX_HOLD_MS }
}

/**
 * Where starts are searched for on behalf of an entry: where it wants to be, or in the weeks to come and around
 * what was freed after them. A start may lie thousands of years ahead, so nothing is searched for in between.
 */
export function searchRanges(
  { startTime }: Pick<EntryRow, 'startTime'>,
  holds: readonly Interval[],
  now: PresentMs,
): readonly Interval[] {
  if (startTime !== null) return [{ start: startTime, end: startTime + 1 }]
  const around = holds.filter(({ end }) => end < LAST_INSTANT).map((hold) => searchedOf(hold, now))
  return mergeIntervals([{ start: now, end: now + HORIZON_MS }, ...around])
}

/** The schedule for questions about `range` alone. */
export function within(schedule: Schedule, range: Interval): Schedule {
  return { ...schedule, range, table: zoneTable(schedule.eventType.timezone, range.start, range.end) }
}
