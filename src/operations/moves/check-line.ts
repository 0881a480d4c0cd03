import type { SQLiteColumn } from 'drizzle-orm/sqlite-core'
import { LAST_INSTANT } from '../../core/last-instant.ts'
import { isId, shardOf } from '../../platform/db/ids.ts'
import type { MovedTable } from '../../platform/db/moved-tables.ts'
import type { Bound } from '../../platform/db/text-statement.ts'
import { inexactPath, parseExactly } from '../../platform/http/exact-json.ts'
import { type Problem, problem } from '../../platform/reasons/reason.ts'
import { lineError, type NumberedLine } from './read-lines.ts'
import { faultIn } from './taken-values.ts'

export type Fields = Readonly<Record<string, unknown>>

/** The JSON object on a line. */
export function fieldsOf({ number, text }: NumberedLine): Fields {
  let value: unknown
  try {
    value = parseExactly(text)
  } catch {
    throw lineError(number, null, problem('not_json'))
  }
  if (typeof value !== 'object' || value === null || Array.isArray(value)) {
    throw lineError(number, null, problem('not_a_json_object'))
  }
  return value as Fields
}

/** What a line says for each column, as it is stored. */
export function valuesOf(number: number, table: MovedTable, fields: Fields, shard: number): Bound[] {
  const known = new Set(table.columns.map(({ name }) => name))
  const { id } = fields
  if (typeof id === 'string' && isId(id) && shardOf(id) !== shard) {
    throw lineError(number, 'id', problem('wrong_database'))
  }
  const unknown = Object.keys(fields).find((name) => name !== 'type' && !known.has(name))
  if (unknown !== undefined)
    throw lineError(number, unknown, problem('unknown_column', { table: table.name }))
  const values = table.columns.map((column) => {
    const value = storedValue(column, fields[column.name], table.name)
    if (typeof value === 'object' && value !== null) throw lineError(number, column.name, value.wrong)
    return value
  })
  const untaken = faultIn(table.name, fields)
  if (untaken) throw lineError(number, untaken.field, untaken.wrong)
  return values
}

/** As it is stored, or what is wrong with it. A column that a line leaves out is as it is in a new row. */
function storedValue(
  column: SQLiteColumn,
  given: unknown,
  table: string,
): Bound | { readonly wrong: Problem } {
  if (given === undefined && column.default !== undefined) return stored(column, column.default)
  if (given === undefined || given === null) {
    if (!column.notNull) return null
    return { wrong: problem(given === null ? 'null' : 'required') }
  }
  const wrong = fault(column, given, table)
  return wrong === null ? stored(column, given) : { wrong }
}

function fault({ name, dataType, enumValues }: SQLiteColumn, given: unknown, table: string): Problem | null {
  switch (dataType) {
    case 'boolean':
      return typeof given === 'boolean' ? null : problem('not_a', { kinds: ['boolean'] })
    case 'number':
      if (!Number.isSafeInteger(given)) return problem('not_a', { kinds: ['int'] })
      // Most are instants. A larger number is not an instant, and reading it would fail.
      return Math.abs(given as number) <= LAST_INSTANT ? null : problem('too_far')
    case 'json':
      if (typeof given !== 'object') return problem('not_a', { kinds: ['object', 'array'] })
      return inexactPath(given) === null ? null : problem('not_exact')
    default:
      if (typeof given !== 'string' || !given.isWellFormed()) return problem('not_a', { kinds: ['string'] })
      if (enumValues?.length && !enumValues.includes(given))
        return problem('not_one_of', { values: enumValues })
      // A dispute has the id that the payment provider gave it.
      return name === 'id' && table !== 'disputes' && !isId(given) ? problem('not_an_id') : null
  }
}

function stored({ dataType }: SQLiteColumn, value: unknown): Bound {
  if (dataType === 'json') return typeof value === 'string' ? value : JSON.stringify(value)
  return dataType === 'boolean' ? Number(value) : (value as Bound)
}
