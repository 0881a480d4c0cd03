import { isPassing } from './passing-failure.ts'

/** More than that is no longer a short transaction. */
const MOST_STATEMENTS = 100

/** Statements of one asker, which happen all or not at all. */
type Rider = {
  readonly statements: readonly D1PreparedStatement[]
  readonly arrive: (results: D1Result[]) => void
  readonly fail: (error: unknown) => void
}

/**
 * A database for several that work at the same time: what they ask while a round trip is under way shares the next one.
 * Each still gets its own answer or its own refusal. Where the database refuses one of them it refused all who shared
 * its trip, and each of those is asked by itself.
 */
export function sharedTrips(database: D1Database): D1Database {
  const trips = new Trips(database)
  return {
    prepare: (query: string) => new RidingStatement(trips, database, query, []),
    batch: (statements: readonly RidingStatement[]) =>
      trips.ride(statements.map(({ statement }) => statement)),
  } as unknown as D1Database
}

class Trips {
  readonly #database: D1Database
  readonly #waiting: Rider[] = []
  #isUnderWay = false

  constructor(database: D1Database) {
    this.#database = database
  }

  ride(statements: readonly D1PreparedStatement[]): Promise<D1Result[]> {
    return new Promise((arrive, fail) => {
      this.#waiting.push({ statements, arrive, fail })
      if (!this.#isUnderWay) void this.#go()
    })
  }

  async #go(): Promise<void> {
    this.#isUnderWay = true
    // Those who begin together go together.
    await new Promise((go) => setTimeout(go, 0))
    while (this.#waiting.length > 0) await this.#carry(this.#nextRiders())
    this.#isUnderWay = false
  }

  #nextRiders(): readonly Rider[] {
    let [riders, statements] = [1, this.#waiting[0]!.statements.length]
    for (const next of this.#waiting.slice(1)) {
      statements += next.statements.length
      if (statements > MOST_STATEMENTS) break
      riders += 1
    }
    return this.#waiting.splice(0, riders)
  }

  async #carry(riders: readonly Rider[]): Promise<void> {
    try {
      const results = await this.#database.batch(riders.flatMap(({ statements }) => statements))
      let at = 0
      for (const { statements, arrive } of riders) {
        arrive(results.slice(at, at + statements.length))
        at += statements.length
      }
    } catch (error) {
      // What was lost on the way may have happened.
      if (riders.length === 1 || isPassing(error)) for (const { fail } of riders) fail(error)
      else await Promise.all(riders.map((rider) => this.#carry([rider])))
    }
  }
}

/** What is asked with `all` shares trips, and what is read with `raw`. */
class RidingStatement {
  readonly #trips: Trips
  readonly #database: D1Database
  readonly #query: string
  readonly #values: readonly unknown[]

  constructor(trips: Trips, database: D1Database, query: string, values: readonly unknown[]) {
    this.#trips = trips
    this.#database = database
    this.#query = query
    this.#values = values
  }

  get statement(): D1PreparedStatement {
    return this.#prepared(this.#query)
  }

  #prepared(query: string): D1PreparedStatement {
    return this.#database.prepare(query).bind(...this.#values)
  }

  bind(...values: unknown[]): RidingStatement {
    return new RidingStatement(this.#trips, this.#database, this.#query, values)
  }

  async all(): Promise<D1Result> {
    const [result] = await this.#trips.ride([this.statement])
    return result!
  }

  /** A batch tells rows by the names of their columns, which one around it makes different where two have one name. */
  async raw(): Promise<unknown[][]> {
    if (!/^\s*select\b/i.test(this.#query)) return this.statement.raw()
    const [result] = await this.#trips.ride([this.#prepared(`SELECT * FROM (${this.#query})`)])
    return result!.results.map((row) => Object.values(row as object))
  }

  run() {
    return this.statement.run()
  }
}
