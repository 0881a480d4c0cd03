import type { Interval } from '../../core/interval.ts'
import { DAY_MS } from '../../core/time-units.ts'

const AHEAD_MS = 400 * DAY_MS
const BEHIND_MS = DAY_MS
/** How far the present may move before the window follows it. */
const SLACK_MS = 30 * DAY_MS

/** The time whose events are kept, as seen from `present`. */
export function windowAt(present: number): Interval {
  return { start: present - BEHIND_MS, end: present + AHEAD_MS }
}

/** Whether the window that ends at `syncedUntil` still suits the present. A sandbox's clock may also go back. */
export function isInWindow(syncedUntil: number, present: number): boolean {
  const movedBy = windowAt(present).end - syncedUntil
  return movedBy >= -BEHIND_MS && movedBy < SLACK_MS
}
