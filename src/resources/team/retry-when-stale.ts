import { fenceOf } from '../../db/refusals.ts'
import { Refused } from '../../http/errors.ts'

const MAX_ATTEMPTS = 10

/** Decides again when what was decided on had changed by the time of the commit. */
export async function retryWhenStale<T>(attempt: () => Promise<T>): Promise<T> {
  for (let made = 1; ; made++) {
    try {
      return await attempt()
    } catch (error) {
      if (fenceOf(error) !== 'STALE') throw error
      if (made === MAX_ATTEMPTS) {
        throw new Refused({ code: 'conflict', message: 'Others keep changing this; ask again in a moment.' })
      }
    }
  }
}
