import { env } from 'cloudflare:workers'
import { serviceWith } from './service-with.ts'

/**
 * A process that dies: after so many round trips to the database nothing answers it any more, and what it told its queue is
 * lost with it. The last round trip happens or does not; nobody learns which.
 */
export function mortalService(roundTrips: number, isLastCarriedOut: boolean) {
  let left = roundTrips
  const originals = new WeakMap<object, D1PreparedStatement>()

  async function pass<T>(ask: () => Promise<T>): Promise<T> {
    left--
    if (left >= 0) return ask()
    if (left === -1 && isLastCarriedOut) await ask()
    throw new Error('This process is gone.')
  }

  function wrap(statement: D1PreparedStatement): D1PreparedStatement {
    const stand = {
      bind: (...values: unknown[]) => wrap(statement.bind(...values)),
      run: () => pass(() => statement.run()),
      all: () => pass(() => statement.all()),
      raw: () => pass(() => statement.raw()),
    } as unknown as D1PreparedStatement
    originals.set(stand, statement)
    return stand
  }

  const DB = {
    withSession: (constraint: D1SessionConstraint) => {
      const session = env.DB.withSession(constraint)
      return {
        prepare: (query: string) => wrap(session.prepare(query)),
        batch: (statements: object[]) =>
          pass(() => session.batch(statements.map((one) => originals.get(one)!))),
      }
    },
  }
  return serviceWith({ DB })
}
