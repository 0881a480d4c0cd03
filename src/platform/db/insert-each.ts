import { getTableColumns, getTableName } from 'drizzle-orm'
import type { SQLiteTable } from 'drizzle-orm/sqlite-core'
import type { Db } from './client.ts'
import { preparedStatement } from './prepared.ts'
import type { TextStatement } from './text-statement.ts'

/** A value of D1 has at most two million bytes, and a character at most three. */
const MOST_CHARACTERS = 600_000

/** The items as JSON lists, each small enough to be bound: one list, unless they are very large. */
export function listsToBind(items: readonly unknown[]): string[] {
  const lists: string[][] = []
  let length = Number.POSITIVE_INFINITY
  for (const item of items) {
    const text = JSON.stringify(item)
    length += text.length + 1
    if (length > MOST_CHARACTERS) {
      lists.push([])
      length = text.length
    }
    lists.at(-1)!.push(text)
  }
  return lists.map((texts) => `[${texts.join()}]`)
}

/** Inserts rows that have all columns of their table, in one statement unless they are very large. */
export function insertEach<Table extends SQLiteTable>(
  table: Table,
): (db: Db, rows: readonly Table['$inferSelect'][]) => TextStatement<never>[] {
  const columns = Object.entries(getTableColumns(table))
  const names = columns.map(([, { name }]) => `"${name}"`)
  const values = columns.map((_, at) => `value ->> ${at}`)
  const insert = preparedStatement<readonly [rows: string]>(
    `INSERT INTO "${getTableName(table)}" (${names.join()}) SELECT ${values.join()} FROM json_each(?1)`,
  )
  const stored = (row: Readonly<Record<string, unknown>>) =>
    columns.map(([key, column]) => {
      const value = row[key] ?? null
      if (value === null) return null
      const driven = column.mapToDriverValue(value)
      return typeof driven === 'boolean' ? Number(driven) : driven
    })
  return (db, rows) => listsToBind(rows.map((row) => stored(row))).map((list) => insert(db, list))
}
