import { DAY_MS, HOUR_MS } from './time-units.ts'

/**
 * The longest hold: a meeting of eight hours and two buffers of two. The database enforces it, so that a search for
 * overlaps reads only that far back.
 */
export const MAX_HOLD_MS = 12 * HOUR_MS

/** Busy times of calendars that are longer are stored in pieces of this length. */
export const MAX_BUSY_MS = 7 * DAY_MS
