import { env } from 'cloudflare:workers'

/** What becomes of a round trip: `ask` makes it, and `queries` are what it is about. */
export type Passage = <T>(ask: () => Promise<T>, queries: readonly string[]) => Promise<T>

/** The same database, each round trip to which goes through `pass`. */
export function databaseThrough(pass: Passage, database: D1Database = env.DB): D1Database {
  const originals = new WeakMap<object, { readonly statement: D1PreparedStatement; readonly query: string }>()

  function wrap(statement: D1PreparedStatement, query: string): D1PreparedStatement {
    const stand = {
      bind: (...values: unknown[]) => wrap(statement.bind(...values), query),
      run: () => pass(() => statement.run(), [query]),
      all: () => pass(() => statement.all(), [query]),
      raw: () => pass(() => statement.raw(), [query]),
    } as unknown as D1PreparedStatement
    originals.set(stand, { statement, query })
    return stand
  }

  const withSession = (constraint: D1SessionConstraint) => {
    const session = database.withSession(constraint)
    return {
      prepare: (query: string) => wrap(session.prepare(query), query),
      batch: (statements: object[]) => {
        const asked = statements.map((one) => originals.get(one)!)
        const queries = asked.map(({ query }) => query)
        return pass(() => session.batch(asked.map(({ statement }) => statement)), queries)
      },
    }
  }
  return { withSession } as unknown as D1Database
}
