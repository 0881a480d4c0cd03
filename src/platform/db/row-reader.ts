import { type Column, getTableColumns, type Table } from 'drizzle-orm'

function columnsOf(table: Table, keys?: readonly string[]): [string, Column][] {
  const all = Object.entries(getTableColumns(table) as Record<string, Column>)
  return keys ? all.filter(([key]) => keys.includes(key)) : all
}

/** The columns of `table`, or those of them that `keys` name, for a query that is written out and in which it is called `alias`. */
export function columnList(table: Table, alias: string, keys?: readonly string[]): string {
  return columnsOf(table, keys)
    .map(([, { name }]) => `${alias}.${name}`)
    .join(', ')
}

/** Reads a row from the columns that SQLite returned: by their names, or as a list in the order of `columnList`. */
export function rowReader<Row>(
  table: Table,
  from: 'names' | 'list',
  keys?: readonly string[],
): (told: object) => Row {
  const columns = columnsOf(table, keys).map(([key, column], at) => ({
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
