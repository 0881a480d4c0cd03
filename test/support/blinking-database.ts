import { env } from 'cloudflare:workers'

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
  const originals = new WeakMap<object, { statement: D1PreparedStatement; isRead: boolean }>()

  async function pass<T>(isRead: boolean, ask: () => Promise<T>): Promise<T> {
    const planned = isRead ? plan.writes.length === 0 && plan.reads.shift() : plan.writes.shift()
    const blip = planned || chances()
    if (blip === 'before') throw new Error(told)
    const answer = await ask()
    if (blip === 'after') throw new Error(told)
    return answer
  }

  function wrap(statement: D1PreparedStatement, isRead: boolean): D1PreparedStatement {
    const stand = {
      bind: (...values: unknown[]) => wrap(statement.bind(...values), isRead),
      run: () => pass(isRead, () => statement.run()),
      all: () => pass(isRead, () => statement.all()),
      raw: () => pass(isRead, () => statement.raw()),
    } as unknown as D1PreparedStatement
    originals.set(stand, { statement, isRead })
    return stand
  }

  const DB = {
    withSession: (constraint: D1SessionConstraint) => {
      const session = env.DB.withSession(constraint)
      return {
        prepare: (query: string) => wrap(session.prepare(query), isReading(query)),
        batch: (statements: object[]) => {
          const asked = statements.map((one) => originals.get(one)!)
          const isRead = asked.every((one) => one.isRead)
          return pass(isRead, () => session.batch(asked.map(({ statement }) => statement)))
        },
      }
    },
  }
  return {
    DB,
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
    left: () => plan.reads.length + plan.writes.length,
  }
}
