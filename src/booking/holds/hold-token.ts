import type { Env } from '../../env.ts'
import { isTokenFor, sha256, tokenFor } from '../../platform/auth/secret.ts'

function subjectOf(holdId: string): string {
  return `hold/${holdId}`
}

/** Lets its bearer read, confirm and release the hold. It is derived, so no row stores it. */
export function holdTokenFor(env: Env, holdId: string): Promise<string> {
  return tokenFor(env.ENCRYPTION_KEY, subjectOf(holdId))
}

export function isHoldToken(env: Env, holdId: string, token: string): Promise<boolean> {
  return isTokenFor(env.ENCRYPTION_KEY, subjectOf(holdId), token)
}

/** Finds a hold by its token alone. */
export function hashOfToken(token: string): Promise<string> {
  return sha256(token)
}
