import { fenceOf } from '../db/refusals.ts'
import { CHANGING, Refused } from './errors.ts'

const MAX_ATTEMPTS = 20
const PAUSE_MS = 10

/** Decides again when the commit finds that what was read has changed. */
export async function retryWhenStale<T>(attempt: () => Promise<T>): Promise<T> {
  for (let made = 1; ; made++) {
    try {
      return await attempt()
    } catch (error) {
      const fence = fenceOf(error)
      // If others reached a limit meanwhile, the next decision finds that and refuses.
      if (fence !== 'STALE' && fence !== 'PUBLIC_LIMIT') throw error
      if (made === MAX_ATTEMPTS) throw new Refused(CHANGING)
    }
    // Those who lost together must not meet again at once.
    await new Promise((resolve) => setTimeout(resolve, Math.random() * made * PAUSE_MS))
  }
}
