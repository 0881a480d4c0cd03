import type { Origin } from '../../auth/caller.ts'
import { MINUTE_MS } from '../../limits/window.ts'

const REGRET_MS = 15 * MINUTE_MS

type Made = { readonly addressMark: string | null; readonly createdAt: number }

/**
 * Whether an invitee takes a keyless booking back before it can have been of use: then it takes no place of the
 * plan's month, which nobody else may use up in passing.
 */
export function isRegretted({ addressMark, createdAt }: Made, { actorType }: Origin, now: number): boolean {
  return addressMark !== null && actorType === 'invitee' && now - createdAt <= REGRET_MS
}
