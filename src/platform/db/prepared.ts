import { Column, getTableColumns, is, Param, Placeholder, SQL, sql } from 'drizzle-orm'
import { type SelectedFields, type SQLiteInsertValue, SQLiteTable } from 'drizzle-orm/sqlite-core'
import { type Db, dbBehind } from './client.ts'
import type { Connection } from './connection.ts'
import { type Bound, type Stored, TextStatement } from './text-statement.ts'

/*
 * Building a statement costs several times what binding one does, so what runs for every booking is built once in an
 * isolate: it is written out, or Drizzle builds its text at its first use.
 */

/** A query that is written out, with numbered parameters (`?1`). `read` makes the answer from a row as SQLite stores it. */
export function preparedQuery<Row, Args extends readonly Bound[]>(
  text: string,
  read: (row: never) => Row = (row) => row,
): (db: Db, ...values: Args) => TextStatement<Row> {
  return (db, ...values) => new TextStatement(db.connection, text, values, read as (row: Stored) => Row)
}

/** The same for a statement without an answer. */
export function preparedStatement<Args extends readonly Bound[]>(
  text: string,
): (db: Db, ...values: Args) => TextStatement<never> {
  return preparedQuery<never, Args>(text)
}

/** Placeholders of the values. */
export type At<Input> = { readonly [Name in keyof Input]-?: Placeholder<Name & string, Input[Name]> }

type Built = { toSQL(): { readonly sql: string; readonly params: readonly unknown[] } }
type RowOf<Q> = Q extends { readonly _: { readonly result: readonly (infer Row)[] } } ? Row : never

/**
 * A statement without an answer, which Drizzle builds at its first use. `build` may use nothing but its arguments: the values
 * follow later, by their names, in the places of `at`.
 */
export function builtOnce<Input extends object>(
  build: (db: Db, at: At<Input>) => Built,
): (db: Db, input: Input) => TextStatement<never> {
  return textOnce(() => ({ query: build(BUILDER, AT as At<Input>), fields: {} }))
}

/** The same for a query with the `fields` that it selects or returns. No two of its columns may have one name. */
export function queryOnce<Input extends object, Q extends Built>(
  build: (db: Db, at: At<Input>) => { readonly query: Q; readonly fields: SelectedFields },
): (db: Db, input: Input) => TextStatement<RowOf<Q>> {
  return textOnce(() => build(BUILDER, AT as At<Input>))
}

/** Inserts a row that has all columns of its table. */
export function insertOnce<Table extends SQLiteTable>(table: Table) {
  return builtOnce<Table['$inferSelect']>((db, at) => {
    const columns = Object.keys(getTableColumns(table))
    const row = Object.fromEntries(columns.map((key) => [key, at[key as keyof typeof at]]))
    return db.insert(table).values(row as SQLiteInsertValue<Table>)
  })
}

/** An expression with a name of its own, whose value `read` makes from what SQLite stores. */
export function named<T>(expression: SQL, read: (stored: never) => T, name: string): SQL.Aliased<T> {
  const aliased = expression.mapWith(read as (stored: unknown) => T).as(name) as SQL.Aliased<T>
  readers.set(aliased, read as Reader)
  return aliased
}

type Reader = (stored: unknown) => unknown
/** Drizzle does not expose how it reads an expression. */
const readers = new WeakMap<SQL.Aliased, Reader>()

const AT = new Proxy({}, { get: (_, name) => sql.placeholder(name as string) })
/** Builds, and asks nothing. */
const BUILDER = dbBehind({ prepare: () => null } as unknown as Connection)

function textOnce<Input extends object, Row>(
  build: () => { readonly query: Built; readonly fields: SelectedFields },
): (db: Db, input: Input) => TextStatement<Row> {
  let plan: { text: string; values: (input: Stored) => Bound[]; read: (row: Stored) => Row } | undefined
  return (db, input) => {
    if (plan === undefined) {
      const { query, fields } = build()
      const { sql: text, params } = query.toSQL()
      const takes = params.map(takeValue)
      plan = { text, values: (given) => takes.map((take) => take(given)), read: rowReaderOf<Row>(fields) }
    }
    return new TextStatement(db.connection, plan.text, plan.values(input as Stored), plan.read)
  }
}

/** How a parameter gets its value: as its column stores it, if it is the value of one. */
function takeValue(param: unknown): (input: Stored) => Bound {
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

type Place = { readonly path: readonly string[]; readonly name: string; readonly read: Reader | null }

function rowReaderOf<Row>(fields: SelectedFields): (row: Stored) => Row {
  const places = placesOf(fields, [])
  return (row) => {
    const answer: Record<string, unknown> = {}
    for (const { path, name, read } of places) {
      const [first, second] = path as [string, string?]
      const value = row[name] === null || read === null ? row[name] : read(row[name])
      if (second === undefined) answer[first] = value
      else {
        answer[first] ??= {}
        ;(answer[first] as Record<string, unknown>)[second] = value
      }
    }
    return answer as Row
  }
}

function placesOf(fields: object, path: readonly string[]): Place[] {
  return Object.entries(fields).flatMap(([key, field]) => {
    const here = [...path, key]
    if (is(field, SQL.Aliased))
      return [{ path: here, name: field.fieldAlias, read: readers.get(field) ?? null }]
    if (!is(field, Column)) return placesOf(is(field, SQLiteTable) ? getTableColumns(field) : field, here)
    const isStored = field.mapFromDriverValue === Column.prototype.mapFromDriverValue
    return [
      { path: here, name: field.name, read: isStored ? null : (value) => field.mapFromDriverValue(value) },
    ]
  })
}
