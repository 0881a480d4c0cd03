import { MINUTE_MS } from '../../core/time-units.ts'
import { failureOf } from './client.ts'

const MAX_WAITS = 8
const WAIT_MS = 300

/**
 * Makes something that must exist only once, under a key that is always the same: parallel callers
 * get the same thing. The provider answers 409 to a key whose first call still runs, so that one is
 * waited for; and it keeps the answers of keys, 500s included, for a day, so after such an answer the key of
 * the minute is used. Source: Stripe API, "Idempotent requests". Gives up once `patience` is lost.
 */
export async function withSteadyKey<T>(
  key: string,
  make: (idempotencyKey: string) => Promise<T>,
  patience?: AbortSignal,
): Promise<T> {
  try {
    return await waiting(key, make, patience)
  } catch (error) {
    if (failureOf(error).kind !== 'failed' || patience?.aborted) throw error
    return waiting(keyOfMinute(key), make, patience)
  }
}

/** Another key for what is made under `key`, the same for all who come within a minute. */
export function keyOfMinute(key: string): string {
  return `${key}/${Math.floor(Date.now() / MINUTE_MS)}`
}

async function waiting<T>(
  key: string,
  make: (idempotencyKey: string) => Promise<T>,
  patience: AbortSignal | undefined,
): Promise<T> {
  for (let waits = 0; ; waits++) {
    try {
      return await make(key)
    } catch (error) {
      if (!isStillRunning(error) || waits === MAX_WAITS || patience?.aborted) throw error
      await new Promise((resolve) => setTimeout(resolve, WAIT_MS))
    }
  }
}

function isStillRunning(error: unknown): boolean {
  return (error as { statusCode?: unknown }).statusCode === 409
}
