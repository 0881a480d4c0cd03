import { HOUR_MS } from '../core/time-units.ts'
import { seeOther } from '../pages/respond.ts'
import { realNow } from '../platform/limits/clock.ts'
import { nextPath } from './next-path.ts'
import type { SignedInRequest } from './request.ts'

/** How long a proof is fresh enough for what lasts longer than a session, such as keys, roles and webhook endpoints. */
const FRESH_MS = HOUR_MS / 2

export function isProven({ session }: Pick<SignedInRequest, 'session'>): boolean {
  return realNow() - session.provenAt < FRESH_MS
}

/**
 * Null if the member has recently proven who they are; else the page that asks for a proof. It protects actions that a browser
 * left open must not allow. `back` is the screen they came from, to which readers return. What was sent stays in the page that
 * asks, and is sent again with the proof, to the same address: nothing typed is lost, and the action continues as soon as this
 * returns null.
 */
export async function askForProof(
  request: SignedInRequest,
  back: `/console${string}`,
): Promise<Response | null> {
  if (isProven(request)) return null
  if (request.page.ctx.request.method !== 'POST') {
    return seeOther(request.page, `/console/confirm?next=${encodeURIComponent(nextPath(back))}`)
  }
  const { takeProof } = await import('./sign-in/prove.tsx')
  return takeProof(request, nextPath(back))
}
