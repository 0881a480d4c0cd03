/** Seconds to wait after the first, second … failed attempt. */
const RETRY_SECONDS = [5, 300, 1_800, 7_200, 18_000, 36_000, 36_000] as const
const JITTER = 0.1

export const MAX_ATTEMPTS = RETRY_SECONDS.length + 1

/**
 * When to try again after attempt number `attempt` failed at `now`; null when that was the last one. `random`,
 * from 0 to 1, spreads deliveries that failed together over a tenth to either side.
 */
export function nextAttemptAt(attempt: number, now: number, random: number): number | null {
  const seconds = RETRY_SECONDS[attempt - 1]
  if (seconds === undefined) return null
  return now + Math.round(seconds * 1000 * (1 - JITTER + 2 * JITTER * random))
}
