import type { Env } from '../../env.ts'

type Tally = NonNullable<Env['tally']>

/** A session that counts what it is asked, and what each statement read and wrote. */
export function countedSession(session: D1DatabaseSession, tally: Tally | undefined): D1DatabaseSession {
  if (!tally) return session
  const count = <Result extends D1Result>(result: Result): Result => {
    tally.rowsRead += result.meta.rows_read ?? 0
    tally.rowsWritten += result.meta.rows_written ?? 0
    return result
  }
  return {
    prepare: (query: string) => new CountedStatement(session.prepare(query), query, tally, count),
    batch: async (statements: readonly CountedStatement[]) => {
      tally.roundTrips += 1
      const results = await session.batch(statements.map(({ statement }) => statement))
      return results.map(count)
    },
  } as unknown as D1DatabaseSession
}

class CountedStatement {
  readonly statement: D1PreparedStatement
  readonly #query: string
  readonly #tally: Tally
  readonly #count: (result: D1Result) => D1Result

  constructor(
    statement: D1PreparedStatement,
    query: string,
    tally: Tally,
    count: (result: D1Result) => D1Result,
  ) {
    this.statement = statement
    this.#query = query
    this.#tally = tally
    this.#count = count
  }

  bind(...values: unknown[]): CountedStatement {
    return new CountedStatement(this.statement.bind(...values), this.#query, this.#tally, this.#count)
  }

  async all(): Promise<D1Result> {
    this.#tally.roundTrips += 1
    return this.#count(await this.statement.all())
  }

  async run(): Promise<D1Result> {
    this.#tally.roundTrips += 1
    return this.#count(await this.statement.run())
  }

  /** Rows without their names come without their cost, so they are asked with their names where each has one of its own. */
  async raw(): Promise<unknown[][]> {
    if (areDistinct(this.#query)) return (await this.all()).results.map((row) => Object.values(row as object))
    this.#tally.roundTrips += 1
    const rows = await this.statement.raw()
    this.#tally.rowsRead += rows.length
    return rows
  }
}

const known = new Map<string, boolean>()
const MOST_KNOWN = 500

/** Whether the columns of a query are plain and no two have one name: an object would keep one of those only. */
function areDistinct(query: string): boolean {
  const found = known.get(query)
  if (found !== undefined) return found
  const names = /^select (.+?) from /is
    .exec(query)?.[1]
    ?.split(', ')
    .map((column) => /^(?:"\w+"\.)?"([a-z_]\w*)"$/.exec(column)?.[1] ?? null)
  const answer = names !== undefined && !names.includes(null) && new Set(names).size === names.length
  if (known.size >= MOST_KNOWN) known.clear()
  known.set(query, answer)
  return answer
}
