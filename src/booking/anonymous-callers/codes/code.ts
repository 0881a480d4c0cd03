import { MINUTE_MS } from '../../../core/time-units.ts'
import type { Env } from '../../../env.ts'
import { markOf } from '../../../platform/auth/secret.ts'

/** How long a code is valid, and how many wrong guesses end it. */
export const LIFE_MS = 10 * MINUTE_MS
export const MAX_TRIES = 5

/** Six digits, none of them more likely than another. */
export function newCode(): string {
  const [random] = crypto.getRandomValues(new BigUint64Array(1))
  return String(random! % 1_000_000n).padStart(6, '0')
}

/** A code is valid for one address, case-insensitively, at one event type. */
export function subjectOf(env: Env, eventTypeId: string, email: string): Promise<string> {
  return markOf(env.ENCRYPTION_KEY, `code-of/${eventTypeId}/${email.toLowerCase()}`)
}

export function codeMarkOf(env: Env, subject: string, code: string): Promise<string> {
  return markOf(env.ENCRYPTION_KEY, `code/${subject}/${code}`)
}
