import { MINUTE_MS } from '../../core/time-units.ts'
import type { Origin } from '../../platform/auth/caller.ts'
import type { AskedMs } from '../../platform/limits/clock.ts'

const EARLY_MS = 15 * MINUTE_MS

type Made = { readonly addressMark: string | null; readonly createdAt: number }

/**
 * Whether an invitee cancels a keyless booking soon after making it. Then it does not count toward the monthly quota, so
 * that nobody can use the quota up in passing.
 */
export function isCancelledEarly(
  { addressMark, createdAt }: Made,
  { actorType }: Origin,
  now: AskedMs,
): boolean {
  return addressMark !== null && actorType === 'invitee' && now - createdAt <= EARLY_MS
}
