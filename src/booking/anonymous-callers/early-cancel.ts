import { MINUTE_MS } from '../../core/time-units.ts'
import type { Origin } from '../../platform/auth/caller.ts'
import type { AskedMs } from '../../platform/limits/clock.ts'

const EARLY_MS = 15 * MINUTE_MS

type Made = { readonly addressMark: string | null; readonly createdAt: number }

/**
 * Whether an invitee cancels a keyless booking so soon that it cannot have been of use: then it takes no place in the
 * plan's month, so that nobody uses that up in passing.
 */
export function isCancelledEarly(
  { addressMark, createdAt }: Made,
  { actorType }: Origin,
  now: AskedMs,
): boolean {
  return addressMark !== null && actorType === 'invitee' && now - createdAt <= EARLY_MS
}
