import type { Db, Query, Statement } from './client.ts'

export type Bound = string | number | null

/*
 * A statement that is written out once stands beside those that drizzle builds each time it is asked: it can be
 * awaited, or go into a batch with them. Its parameters are numbered (`?1`), so one may be used several times.
 */

/** A query whose text is known: `decode` makes of a row, as SQLite tells it, what is asked for. */
export function preparedQuery<Row, Args extends readonly Bound[]>(
  text: string,
  decode: (row: never) => Row = (row) => row,
): (db: Db, ...values: Args) => Query<Row> & PromiseLike<Row[]> {
  return (db, ...values) => new Prepared(db, text, values, decode as (row: unknown) => Row)
}

/** A statement whose text is known, and that tells nothing. */
export function preparedStatement<Args extends readonly Bound[]>(
  text: string,
): (db: Db, ...values: Args) => Statement & PromiseLike<never[]> {
  return (db, ...values) => new Prepared<never>(db, text, values, (row) => row as never)
}

/** What drizzle's batch asks of what it is given. */
class Prepared<Row> implements PromiseLike<Row[]> {
  declare readonly _: { readonly dialect: 'sqlite'; readonly result: Row[] }
  readonly #db: Db
  readonly #sql: string
  readonly #params: readonly Bound[]
  readonly #decode: (row: unknown) => Row

  constructor(db: Db, sql: string, params: readonly Bound[], decode: (row: unknown) => Row) {
    this.#db = db
    this.#sql = sql
    this.#params = params
    this.#decode = decode
  }

  get stmt(): D1PreparedStatement {
    return (this.#db as Db & { readonly $client: D1Database }).$client.prepare(this.#sql)
  }

  _prepare(): this {
    return this
  }

  getQuery() {
    return this.toSQL()
  }

  toSQL() {
    return { sql: this.#sql, params: this.#params }
  }

  mapResult({ results }: D1Result): Row[] {
    return results.map(this.#decode)
  }

  // biome-ignore lint/suspicious/noThenProperty: a query is asked by awaiting it, as drizzle's are
  then<A = Row[], B = never>(
    onAnswer?: ((rows: Row[]) => A | PromiseLike<A>) | null,
    onFailure?: ((error: unknown) => B | PromiseLike<B>) | null,
  ): Promise<A | B> {
    return this.stmt
      .bind(...this.#params)
      .all()
      .then((result) => this.mapResult(result))
      .then(onAnswer, onFailure)
  }
}
