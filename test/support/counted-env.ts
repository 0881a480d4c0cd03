import { env } from 'cloudflare:workers'
import type { Env } from '../../src/env.ts'

/** The same database, counting every round trip. */
export function countedEnv(of: Env = env) {
  const trips = { count: 0 }
  const session = of.DB.withSession('first-primary')
  const originals = new WeakMap<object, D1PreparedStatement>()
  const ask = <T>(answer: Promise<T>) => {
    trips.count += 1
    return answer
  }
  const wrap = (statement: D1PreparedStatement): D1PreparedStatement => {
    const stand = {
      bind: (...values: unknown[]) => wrap(statement.bind(...values)),
      run: () => ask(statement.run()),
      all: () => ask(statement.all()),
      raw: () => ask(statement.raw()),
      first: () => ask(statement.first()),
    } as unknown as D1PreparedStatement
    originals.set(stand, statement)
    return stand
  }
  const DB = {
    withSession: () => ({
      prepare: (query: string) => wrap(session.prepare(query)),
      batch: (statements: object[]) => ask(session.batch(statements.map((one) => originals.get(one)!))),
    }),
  }
  return { trips, env: { ...of, DB: DB as unknown as D1Database } as Env }
}
