import { type Interval, mergeIntervals } from '../../core/interval.ts'
import { LAST_INSTANT } from '../../core/last-instant.ts'
import { zoneTable } from '../../core/local-time.ts'
import { MAX_HOLD_MS } from '../../core/longest-hold.ts'
import { DAY_MS } from '../../core/time-units.ts'
import type { Schedule } from '../../engine/schedule/schedule.ts'
import type { PresentMs } from '../../platform/limits/clock.ts'
import type { EntryRow } from './queries.ts'

/** How far ahead starts are searched for entries for any start. */
export const HORIZON_MS = 31 * DAY_MS
/** Released time may be as long as open-ended time off: this much of it is searched. */
const MOST_FREED_MS = 366 * DAY_MS

/** Where starts that overlap released time are searched for. */
export function searchedOf({ start, end }: Interval, now: PresentMs): Interval {
  const from = Math.max(now, start - MAX_HOLD_MS)
  return { start: from, end: Math.min(end, from + MOST_FREED_MS) + MAX_HOLD_MS }
}

/**
 * Where starts for an entry are searched: its own start, or the next weeks and around released time after them. Starts may
 * be years ahead, so nothing in between is searched.
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

/** The schedule for questions about `range` only. */
export function within(schedule: Schedule, range: Interval): Schedule {
  return { ...schedule, range, table: zoneTable(schedule.eventType.timezone, range.start, range.end) }
}
