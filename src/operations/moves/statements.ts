import { and, eq, inArray, lt, sql } from 'drizzle-orm'
import type { Db, Statement } from '../../platform/db/client.ts'
import { deleteOld } from '../../platform/db/delete-old.ts'
import type { MovedTable } from '../../platform/db/moved-tables.ts'
import { preparedStatement } from '../../platform/db/prepared.ts'
import { importChunks, imports, moves } from '../../platform/db/schema/moves.ts'
import type { TextStatement } from '../../platform/db/text-statement.ts'

/** Rows that wait until all of them are there, and that somebody is still at it. */
export function keepChunk(db: Db, importId: string, number: number, rows: string, now: number): Statement[] {
  return [
    db.insert(importChunks).values({ importId, number, rows }),
    db.update(imports).set({ seenAt: now }).where(eq(imports.id, importId)),
  ]
}

export function beginImport(db: Db, id: string, organizationId: string, now: number) {
  return db.insert(imports).values({ id, organizationId, seenAt: now })
}

/** What was kept of an import that ended, or died. */
export function forgetImport(db: Db, id: string): Statement[] {
  return [
    db.delete(importChunks).where(eq(importChunks.importId, id)),
    db.delete(imports).where(eq(imports.id, id)),
  ]
}

/** Abandoned imports with what they stored. Returns which ones it deleted. */
export function pruneImports(db: Db, before: number, limit: number) {
  const { importId, number } = importChunks
  const dead = db.select({ id: imports.id }).from(imports).where(lt(imports.seenAt, before))
  const chunks = db
    .select({ importId, number })
    .from(importChunks)
    .where(inArray(importId, dead))
    .limit(limit)
  return deleteOld(db, importChunks, [importId, number], chunks)
}

/** The import itself goes when nothing is left of what it kept. */
export function pruneEmptyImports(db: Db, before: number, limit: number) {
  const isEmpty = sql`NOT EXISTS (SELECT 1 FROM import_chunks WHERE import_id = ${imports.id})`
  const dead = db
    .select({ id: imports.id })
    .from(imports)
    .where(and(lt(imports.seenAt, before), isEmpty))
    .limit(limit)
  return deleteOld(db, imports, [imports.id], dead)
}

type ChunkArgs = readonly [importId: string, number: number]
type TakeIn = (db: Db, ...args: ChunkArgs) => TextStatement<never>
const made = new Map<string, TakeIn>()

function statementOf(text: string): TakeIn {
  const known = made.get(text) ?? preparedStatement<ChunkArgs>(text)
  made.set(text, known)
  return known
}

const ROWS = 'import_chunks chunk, json_each(chunk.rows) one WHERE chunk.import_id = ?1 AND chunk.number = ?2'

function columnAt({ columns }: MovedTable, name: string): number {
  return columns.findIndex((column) => column.name === name)
}

/** Puts the rows of a chunk into their table. */
export function takeIn(db: Db, table: MovedTable, importId: string, number: number) {
  const names = table.columns.map(({ name }) => `"${name}"`)
  const values = table.columns.map((_, at) => `one.value ->> ${at}`)
  const text = `INSERT INTO "${table.name}" (${names.join(', ')}) SELECT ${values.join(', ')} FROM ${ROWS}`
  return statementOf(text)(db, importId, number)
}

/** Sessions that rows of a chunk name and that are over: triggers look for them. They are of no event type. */
export function standIn(db: Db, table: MovedTable, importId: string, number: number) {
  const named = `one.value ->> ${columnAt(table, 'session_id')}`
  const text = `INSERT INTO sessions (id, event_type_id, start_time, end_time, created_at)
    SELECT DISTINCT ${named}, ${named}, 0, 0, 0 FROM ${ROWS} AND ${named} IS NOT NULL
      AND NOT EXISTS (SELECT 1 FROM sessions WHERE id = ${named})`
  return statementOf(text)(db, importId, number)
}

/** Takes them out again. */
export function takeOutStandIns(db: Db, table: MovedTable, importId: string, number: number) {
  const named = `SELECT one.value ->> ${columnAt(table, 'session_id')} FROM ${ROWS}`
  return statementOf(`DELETE FROM sessions WHERE id IN (${named}) AND event_type_id = id`)(
    db,
    importId,
    number,
  )
}

/** Removes the rows of a chunk again, which triggers may have changed since. */
export function takeOut(db: Db, table: MovedTable, importId: string, number: number) {
  const id = columnAt(table, 'id')
  const text = `DELETE FROM "${table.name}" WHERE id IN (SELECT one.value ->> ${id} FROM ${ROWS})`
  return statementOf(text)(db, importId, number)
}

const DERIVED = ['usage_days', 'payment_sums', 'logged_addresses'] as const

/** What triggers wrote while the rows came in: it comes as it was. */
export function clearDerived(db: Db, organizationId: string): Statement[] {
  return DERIVED.map((table) =>
    preparedStatement<readonly [string]>(`DELETE FROM ${table} WHERE organization_id = ?1`)(
      db,
      organizationId,
    ),
  )
}

const clearFreedOf = preparedStatement<readonly [eventTypeIds: string]>(
  'DELETE FROM freed_times WHERE event_type_id IN (SELECT value FROM json_each(?1))',
)

export function clearFreed(db: Db, eventTypeIds: readonly string[]): Statement {
  return clearFreedOf(db, JSON.stringify(eventTypeIds))
}

/** Refuses what holds time for nobody who came with it. */
export function refuseStray(db: Db, table: MovedTable, importId: string, number: number) {
  const text = `INSERT INTO guard (fence, refused) SELECT 'STALE', EXISTS (
    SELECT 1 FROM (SELECT one.value ->> ${columnAt(table, 'holder_id')} AS holder FROM ${ROWS})
    WHERE NOT EXISTS (SELECT 1 FROM bookings WHERE id = holder) AND NOT EXISTS (SELECT 1 FROM sessions WHERE id = holder)
      AND NOT EXISTS (SELECT 1 FROM slot_holds WHERE id = holder))`
  return statementOf(text)(db, importId, number)
}

export function beginMove(db: Db, organizationId: string, now: number) {
  return db.insert(moves).values({ organizationId, beganAt: now }).onConflictDoNothing()
}

export function endMove(db: Db, organizationId: string) {
  return db.delete(moves).where(eq(moves.organizationId, organizationId)).returning()
}
