import { Asked, type Connection } from './connection.ts'

export type Bound = string | number | null
/** A row by the names of its columns, as SQLite stores it. */
export type Stored = Readonly<Record<string, unknown>>

/** A statement whose text is known, beside those that Drizzle builds: it can be awaited, or go into a batch with them. */
export class TextStatement<Row> implements PromiseLike<Row[]> {
  readonly asked: Asked
  readonly #read: (row: Stored) => Row

  constructor(connection: Connection, text: string, values: readonly Bound[], read: (row: Stored) => Row) {
    this.asked = new Asked(connection, text, values)
    this.#read = read
  }

  toSQL() {
    return { sql: this.asked.text, params: this.asked.values }
  }

  rowsOf({ results }: D1Result): Row[] {
    return (results as Stored[]).map(this.#read)
  }

  // biome-ignore lint/suspicious/noThenProperty: a statement runs when it is awaited, as drizzle's do
  then<Done = Row[], Failed = never>(
    onAnswer?: ((rows: Row[]) => Done | PromiseLike<Done>) | null,
    onFailure?: ((error: unknown) => Failed | PromiseLike<Failed>) | null,
  ): Promise<Done | Failed> {
    return this.asked
      .all()
      .then((result) => this.rowsOf(result))
      .then(onAnswer, onFailure)
  }
}
