import { Column, is, Param, Placeholder, SQL, sql } from 'drizzle-orm'
import { drizzle } from 'drizzle-orm/d1'
import type { SQLiteInsertValue, SQLiteTable } from 'drizzle-orm/sqlite-core'
import type { Db, Query, Statement } from './client.ts'

/*
 * Building a statement costs several times what binding one does, so what runs for every booking is built once in an
 * isolate. It stands beside what drizzle builds each time: it can be awaited, or go into a batch with them.
 */

export type Bound = string | number | null
export type Prepared<Row> = Query<Row> & PromiseLike<Row[]>

/** A query that is written out, with numbered parameters (`?1`). `decode` makes of a row, as SQLite tells it, what is asked for. */
export function preparedQuery<Row, Args extends readonly Bound[]>(
  text: string,
  decode: (row: never) => Row = (row) => row,
): (db: Db, ...values: Args) => Prepared<Row> {
  return (db, ...values) => bound(db, text, values, decode as (row: Raw) => unknown)
}

/** The same for a statement that tells nothing. */
export function preparedStatement<Args extends readonly Bound[]>(
  text: string,
): (db: Db, ...values: Args) => Prepared<never> {
  return (db, ...values) => bound(db, text, values, (row) => row)
}

/** Where the values of `Input` will stand. */
export type At<Input> = { readonly [Name in keyof Input]-?: Placeholder<Name & string, Input[Name]> }

type Built = Statement & { toSQL(): { readonly sql: string; readonly params: readonly unknown[] } }
type RowOf<Q> = Q extends { readonly _: { readonly result: readonly (infer Row)[] } } ? Row : never

/**
 * What drizzle builds, at its first use. `build` may look at nothing but its arguments: the values come later, by
 * their names, and stand where `at` has them. As in every batch, no two of its columns may have one name.
 */
export function builtOnce<Input extends object, Q extends Built>(
  build: (db: Db, at: At<Input>) => Q,
): (db: Db, input: Input) => Prepared<RowOf<Q>> {
  let plan: Plan | undefined
  return (db, input) => {
    plan ??= planOf(build(BUILDER, AT as At<Input>))
    return bound(db, plan.text, plan.values(input as Raw), plan.decode)
  }
}

/** Inserts a row that has all columns of its table. */
export function insertOnce<Table extends SQLiteTable>(table: Table) {
  return builtOnce((db, at: At<Table['$inferSelect']>) => {
    const isColumn = (key: string) => is((table as unknown as Raw)[key], Column)
    const row = Object.fromEntries(
      Object.keys(table)
        .filter(isColumn)
        .map((key) => [key, at[key as keyof typeof at]]),
    )
    return db.insert(table).values(row as SQLiteInsertValue<Table>)
  })
}

type Raw = Readonly<Record<string, unknown>>
type Plan = {
  readonly text: string
  readonly values: (input: Raw) => Bound[]
  readonly decode: (row: Raw) => unknown
}

const AT = new Proxy({}, { get: (_, name) => sql.placeholder(name as string) })
/** Builds, and asks nothing. */
const BUILDER: Db = drizzle({ prepare: () => null } as unknown as D1Database)

function planOf(built: Built): Plan {
  const { sql: text, params } = built.toSQL()
  const takes = params.map(takeValue)
  return { text, values: (input) => takes.map((take) => take(input)), decode: decoderOf(fieldsOf(built)) }
}

/** How a parameter gets its value: as its column stores it, where it stands for one. */
function takeValue(param: unknown): (input: Raw) => Bound {
  if (is(param, Placeholder)) {
    return (input) => {
      const value = input[param.name]
      return typeof value === 'boolean' ? Number(value) : (value as Bound)
    }
  }
  if (is(param, Param) && is(param.value, Placeholder)) {
    const { encoder, value } = param
    return (input) => {
      const given = input[value.name] ?? null
      return given === null ? null : (encoder.mapToDriverValue(given) as Bound)
    }
  }
  return () => param as Bound
}

type Field = { readonly path: readonly string[]; readonly field: unknown }

/** What is selected or returned, in the order of the columns. */
function fieldsOf(built: Built): readonly Field[] {
  return (built as unknown as { _prepare(): { fields?: readonly Field[] } })._prepare().fields ?? []
}

/** Reads a row in the order of its columns, as `select` or `returning` names them. */
function decoderOf(fields: readonly Field[]): (row: Raw) => unknown {
  const columns = fields.map(({ path, field }) => ({ path, read: readerOf(field) }))
  return (row) => {
    const told: Record<string, unknown> = {}
    let at = 0
    for (const name in row) {
      const { path, read } = columns[at++]!
      const [first, second] = path as [string, string?]
      const value = row[name] === null || read === null ? row[name] : read(row[name])
      const inner = told[first] as Record<string, unknown> | undefined
      if (second === undefined) told[first] = value
      else if (inner) inner[second] = value
      else told[first] = { [second]: value }
    }
    return told
  }
}

type Decoder = { mapFromDriverValue(value: unknown): unknown }

/** Null for what is told as it is stored. */
function readerOf(field: unknown): ((value: unknown) => unknown) | null {
  const expression = is(field, SQL.Aliased) ? field.sql : field
  const decoder = (
    is(expression, Column) ? expression : (expression as { decoder: Decoder }).decoder
  ) as Decoder
  if (decoder.mapFromDriverValue === Column.prototype.mapFromDriverValue) return null
  return (value) => decoder.mapFromDriverValue(value)
}

function bound<Row>(db: Db, text: string, values: readonly Bound[], decode: (row: Raw) => unknown) {
  return new BoundStatement(db, text, values, decode) as unknown as Prepared<Row>
}

/** Has what drizzle's batch asks of each of its statements. */
class BoundStatement {
  readonly #db: Db
  readonly #sql: string
  readonly #params: readonly Bound[]
  readonly #decode: (row: Raw) => unknown

  constructor(db: Db, text: string, values: readonly Bound[], decode: (row: Raw) => unknown) {
    this.#db = db
    this.#sql = text
    this.#params = values
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

  mapResult({ results }: D1Result<Raw>): unknown[] {
    return results.map(this.#decode)
  }

  // biome-ignore lint/suspicious/noThenProperty: a statement runs when it is awaited, as drizzle's do
  then<Done, Failed>(
    onAnswer?: ((rows: unknown[]) => Done | PromiseLike<Done>) | null,
    onFailure?: ((error: unknown) => Failed | PromiseLike<Failed>) | null,
  ): Promise<Done | Failed> {
    return this.stmt
      .bind(...this.#params)
      .all<Raw>()
      .then((result) => this.mapResult(result))
      .then(onAnswer, onFailure)
  }
}
