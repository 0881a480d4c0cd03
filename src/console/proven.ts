import { realNow } from '../limits/clock.ts'
import { seeOther } from '../pages/respond.ts'
import { HOUR_MS } from '../scheduling/time-units.ts'
import { nextPath } from './next-path.ts'
import type { Guest } from './visit.ts'

/** How long a proof is fresh enough for keys, ownership and deletion. */
const FRESH_MS = HOUR_MS / 2

/**
 * Null while somebody has proven who they are not long ago; else where they do so. For what must not happen by a
 * browser that was left open: `back` is the screen that they came from.
 */
export function askForProof({ page, session }: Guest, back: `/console${string}`): Response | null {
  if (realNow() - session.provenAt < FRESH_MS) return null
  return seeOther(page, `/console/confirm?next=${encodeURIComponent(nextPath(back))}`)
}
