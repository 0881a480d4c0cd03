import { databaseThrough } from './database-through.ts'
import { serviceWith } from './service-with.ts'

/**
 * A process that dies: after so many round trips to the database nothing answers it any more, and what it told its queue is
 * lost with it. The last round trip happens or does not; nobody learns which.
 */
export function mortalService(roundTrips: number, isLastCarriedOut: boolean) {
  let left = roundTrips

  async function pass<T>(ask: () => Promise<T>): Promise<T> {
    left--
    if (left >= 0) return ask()
    if (left === -1 && isLastCarriedOut) await ask()
    throw new Error('This process is gone.')
  }

  return serviceWith({ DB: databaseThrough(pass) })
}
