import { databaseThrough } from './database-through.ts'

/** `before`: nothing happens. `after`: it happens, and the answer is lost on its way back. */
export type Blip = 'before' | 'after'

const LOST = 'D1_ERROR: Network connection lost.'

/** What comes with the reads of a call and changes nothing that it is about: a count of calls. */
function isReading(query: string): boolean {
  return /^\s*(select|insert into "public_counts")/i.test(query)
}

/** The same database behind a connection that fails as planned, one blip a round trip until none is left. */
export function blinkingDatabase() {
  const plan: Record<'reads' | 'writes', Blip[]> = { reads: [], writes: [] }
  let chances = (): Blip | null => null
  let told = LOST
  let underWay = 0
  async function pass<T>(ask: () => Promise<T>, queries: readonly string[]): Promise<T> {
    const isRead = queries.every(isReading)
    const planned = isRead ? plan.writes.length === 0 && plan.reads.shift() : plan.writes.shift()
    const blip = planned || chances()
    if (blip === 'before') throw new Error(told)
    underWay += 1
    const answer = await ask().finally(() => {
      underWay -= 1
    })
    if (blip === 'after') throw new Error(told)
    return answer
  }

  return {
    DB: databaseThrough(pass),
    /** What fails from now on: reads once the writes have failed. */
    fail: (next: { reads?: readonly Blip[]; writes?: readonly Blip[]; told?: string }) => {
      plan.reads = [...(next.reads ?? [])]
      plan.writes = [...(next.writes ?? [])]
      told = next.told ?? LOST
    },
    /** From now on, each round trip fails as it comes. */
    failAtRandom: (next: () => Blip | null) => {
      chances = next
    },
    /** How many round trips have not come back. */
    underWay: () => underWay,
    left: () => plan.reads.length + plan.writes.length,
  }
}
