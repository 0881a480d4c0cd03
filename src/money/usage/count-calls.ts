import type { Env } from '../../env.ts'
import { keyCounterOf } from '../../platform/limits/key-counter.ts'
import type { Period } from './queries.ts'

/** The counted calls of these keys on the UTC days that began in the period, from the objects that count them. */
export async function countCalls(env: Env, keyHashes: readonly string[], period: Period): Promise<number> {
  const counts = await Promise.all(
    keyHashes.map((hash) => keyCounterOf(env, hash).callsBetween(period.from, period.to)),
  )
  return counts.reduce((total, calls) => total + calls, 0)
}
