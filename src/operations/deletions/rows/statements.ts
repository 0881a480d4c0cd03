import { getTableColumns, getTableName } from 'drizzle-orm'
import { getTableConfig, type SQLiteTable } from 'drizzle-orm/sqlite-core'
import type { Db, Statement } from '../../../platform/db/client.ts'
import { preparedQuery, preparedStatement } from '../../../platform/db/prepared.ts'
import type { TextStatement } from '../../../platform/db/text-statement.ts'
import { type Child, STEPS, type Step } from './tables.ts'

/** A row's key as JSON: a value, or a list of them where several columns make it. */
export type KeyRow = { readonly key: string }

type Select = (db: Db, organizationId: string, limit: number) => TextStatement<KeyRow>
type Delete = (db: Db, keys: string) => TextStatement<never>

const selects = new Map<Step, Select>()
const deletes = new Map<string, Delete>()

/** The keys of the next rows of a step. */
export function selectPage(db: Db, step: Step, organizationId: string, limit: number): TextStatement<KeyRow> {
  const known = selects.get(step) ?? preparedQuery<KeyRow, [string, number]>(pageText(step))
  selects.set(step, known)
  return known(db, organizationId, limit)
}

function pageText({ table, where }: Step): string {
  const columns = keyOf(table)
  const key = columns.length === 1 ? columns[0] : `json_array(${columns.join(', ')})`
  return `SELECT ${key} AS key FROM "${nameOf(table)}" WHERE ${where} LIMIT ?2`
}

/** The first step that finds a row, in one round trip over all of them; null when no rows are left. */
export async function findStep(db: Db, organizationId: string): Promise<number | null> {
  const probes = STEPS.map((step) => selectPage(db, step, organizationId, 1))
  const found = await db.batch(probes)
  const at = found.findIndex((rows) => rows.length > 0)
  return at < 0 ? null : at
}

/** The rows with these keys, and before them what goes with each. */
export function deletePage(db: Db, { table, children = [] }: Step, rows: readonly KeyRow[]): Statement[] {
  const isOne = keyOf(table).length === 1
  const keys = isOne
    ? JSON.stringify(rows.map(({ key }) => key))
    : `[${rows.map(({ key }) => key).join(',')}]`
  return [
    ...children.map((child) => deletion(childText(child))(db, keys)),
    deletion(rowsText(table))(db, keys),
  ]
}

function deletion(text: string): Delete {
  const known = deletes.get(text) ?? preparedStatement<[string]>(text)
  deletes.set(text, known)
  return known
}

function rowsText(table: SQLiteTable): string {
  const columns = keyOf(table)
  if (columns.length === 1) {
    return `DELETE FROM "${nameOf(table)}" WHERE ${columns[0]} IN (SELECT value FROM json_each(?1))`
  }
  const values = columns.map((_, at) => `value ->> ${at}`)
  return `DELETE FROM "${nameOf(table)}" WHERE (${columns.join(', ')}) IN (SELECT ${values.join(', ')} FROM json_each(?1))`
}

function childText(child: Child): string {
  if (child !== 'letter_keys') {
    return `DELETE FROM "${nameOf(child.table)}" WHERE ${child.of} IN (SELECT value FROM json_each(?1))`
  }
  // The keys of events about something begin with its id.
  return `DELETE FROM letter_keys WHERE once_key IN (SELECT told.once_key FROM json_each(?1) one
    CROSS JOIN letter_keys told ON told.once_key >= one.value || '/' AND told.once_key < one.value || '0')`
}

function nameOf(table: SQLiteTable): string {
  return getTableName(table)
}

/** The columns that tell a row from all others. */
function keyOf(table: SQLiteTable): readonly string[] {
  const [combined] = getTableConfig(table).primaryKeys
  if (combined) return combined.columns.map(({ name }) => name)
  const columns = Object.values(getTableColumns(table))
  return columns.filter(({ primary }) => primary).map(({ name }) => name)
}
