import type { Env } from '../../env.ts'
import { isTokenFor, sha256, tokenFor } from '../../platform/auth/secret.ts'

function subjectOf(holdId: string): string {
  return `hold/${holdId}`
}

/** Lets whoever holds it read, confirm and release it. It is derived, so no row holds it. */
export function holdTokenFor(env: Env, holdId: string): Promise<string> {
  return tokenFor(env.ENCRYPTION_KEY, subjectOf(holdId))
}

export function isHoldToken(env: Env, holdId: string, token: string): Promise<boolean> {
  return isTokenFor(env.ENCRYPTION_KEY, subjectOf(holdId), token)
}

/** By what a hold is found where nothing but its token is sent. */
export function hashOfToken(token: string): Promise<string> {
  return sha256(token)
}
