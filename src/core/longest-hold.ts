import { HOUR_MS } from './time-units.ts'

/**
 * No hold is longer: the longest meeting has eight hours, and each of its buffers two. The fences of the database say
 * the same, so that whoever looks for what overlaps need not look through history.
 */
export const MAX_HOLD_MS = 12 * HOUR_MS
