import { type Column, getTableColumns, type Table } from 'drizzle-orm'

function columnsOf(table: Table): [string, Column][] {
  return Object.entries(getTableColumns(table) as Record<string, Column>)
}

/** All columns of `table`, for a query that is written out and in which it is called `alias`. */
export function columnList(table: Table, alias: string): string {
  return columnsOf(table)
    .map(([, { name }]) => `${alias}.${name}`)
    .join(', ')
}

/** Reads a row from what SQLite told of its columns: by their names, or as a list in the order of `columnList`. */
export function rowReader<Row>(table: Table, from: 'names' | 'list'): (told: object) => Row {
  const columns = columnsOf(table).map(([key, column], at) => ({
    key,
    column,
    place: from === 'names' ? column.name : at,
  }))
  return (told) => {
    const row: Record<string, unknown> = {}
    for (const { key, column, place } of columns) {
      const value = (told as Record<string | number, unknown>)[place]
      row[key] = value === null ? null : column.mapFromDriverValue(value)
    }
    return row as Row
  }
}
