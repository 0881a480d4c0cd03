import { DAY_MS, HOUR_MS } from '../../../core/time-units.ts'

/** Until the provider is asked again about a payment that was made, after none, one, two … looks: for 120 days. */
const LOOKS_MS = [
  HOUR_MS,
  6 * HOUR_MS,
  DAY_MS,
  2 * DAY_MS,
  4 * DAY_MS,
  7 * DAY_MS,
  16 * DAY_MS,
  30 * DAY_MS,
  30 * DAY_MS,
  30 * DAY_MS,
]

/**
 * When the provider is asked about the money of a payment, in case its events are lost: ever less often, until no bank
 * takes a dispute any more, and every day while one is not decided. Null when it is left alone.
 */
export function nextLook(looks: number, isUndecided: boolean, now: number): number | null {
  if (isUndecided) return now + DAY_MS
  const wait = LOOKS_MS[looks]
  return wait === undefined ? null : now + wait
}
