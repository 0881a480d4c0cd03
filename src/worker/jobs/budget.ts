import type { Tally } from '../../platform/log/tally.ts'

/** A slice of a page reserves at most this many queries, so that all jobs can begin theirs. */
const MOST_AT_ONCE = 60

/** The time and the queries that a sweep of one database may use: D1 answers a limited number per invocation. */
export class Budget {
  readonly #tally: Tally
  readonly #until: number
  readonly #queries: number
  #reserved = 0

  constructor(tally: Tally, until: number, queries: number) {
    this.#tally = tally
    this.#until = until
    this.#queries = queries
  }

  get queriesLeft(): number {
    return this.#queries - this.#tally.statements - this.#reserved
  }

  /** Whether there is time for something else, and so many queries are left for it. */
  hasLeft(queries: number): boolean {
    return Date.now() < this.#until && this.queriesLeft >= queries
  }

  /** How many of these rows can be handled next, with at most `perRow` queries for each. */
  rowsWithin(rows: number, perRow: number): number {
    if (perRow === 0) return rows
    return Math.max(0, Math.min(rows, Math.floor(Math.min(this.queriesLeft, MOST_AT_ONCE) / perRow)))
  }

  /** Keeps so many queries for this work until it is done and its own count is known. */
  async reserve<T>(queries: number, work: () => PromiseLike<T>): Promise<T> {
    this.#reserved += queries
    try {
      return await work()
    } finally {
      this.#reserved -= queries
    }
  }
}
