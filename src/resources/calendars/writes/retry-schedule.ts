import { HOUR_MS, MINUTE_MS } from '../../../scheduling/time-units.ts'

/** After the first, second … failure; what fails once more, a good day later, is given up. */
const WAITS_MS = [
  MINUTE_MS,
  5 * MINUTE_MS,
  15 * MINUTE_MS,
  HOUR_MS,
  2 * HOUR_MS,
  4 * HOUR_MS,
  8 * HOUR_MS,
  12 * HOUR_MS,
]
/** A letter waits for a link, so links are tried more often at first. */
const AWAITED_WAITS_MS = [10_000, 20_000, 30_000, 30_000, ...WAITS_MS.slice(1)]
const LONGEST_MS = 24 * HOUR_MS

/** When to try again after this many attempts, never sooner than the provider asked for; null to give up. */
export function nextAttempt(
  attempts: number,
  retryAfterMs: number | null,
  isAwaited: boolean,
  now: number,
): number | null {
  const wait = (isAwaited ? AWAITED_WAITS_MS : WAITS_MS)[attempts - 1]
  return wait === undefined ? null : now + Math.min(Math.max(wait, retryAfterMs ?? 0), LONGEST_MS)
}
