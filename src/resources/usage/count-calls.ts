import type { Env } from '../../env.ts'
import { rateLimiterOf } from '../../limits/rate-limiter.ts'
import type { Period } from './store.ts'

/** The counted calls of these keys on the UTC days that began in the period, from the objects that count them. */
export async function countCalls(env: Env, keyHashes: readonly string[], period: Period): Promise<number> {
  const counts = await Promise.all(
    keyHashes.map((hash) => rateLimiterOf(env, hash).callsBetween(period.from, period.to)),
  )
  return counts.reduce((total, calls) => total + calls, 0)
}
