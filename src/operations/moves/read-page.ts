import type { Db } from '../../platform/db/client.ts'
import { type MovedTable, movedTableOf, SOURCES, type Source } from '../../platform/db/moved-tables.ts'
import { type After, type Stored, selectChildren, selectNext, selectRest } from './queries.ts'

/** Rows of one statement: what is read at once, whatever an organization has. */
const ROWS_A_PAGE = 200

/** How far an export is. Plain data, so that another run can go on from there. */
export type Position = { readonly source: number; readonly after: After | null }

export const START: Position = { source: 0, after: null }

export type Line = { readonly table: MovedTable; readonly row: Stored }

/** The next lines, and where to go on; null where everything is read. */
export async function readPage(
  db: Db,
  organizationId: string,
  { source: at, after }: Position,
  most: number = ROWS_A_PAGE,
): Promise<{ readonly lines: readonly Line[]; readonly next: Position | null }> {
  const source = SOURCES[at]!
  const limit = Math.min(source.atOnce ?? most, most)
  const found = [...((await selectRest(db, source, organizationId, after, limit)) ?? [])]
  if (found.length < limit) {
    found.push(
      ...((await selectNext(db, source, organizationId, after, limit)) ?? []).slice(0, limit - found.length),
    )
  }
  const table = movedTableOf(source.table)
  const rows = found.map(stored)
  const lines = rows.map((row) => ({ table, row }))
  const children = await readChildren(db, source, rows)
  const last = found.length < limit ? undefined : found.at(-1)
  const isLive = source.by === 'mode' && (after?.[0] ?? 0) === 0
  const next = last
    ? { source: at, after: [last.at_owner, last.at_key] as const }
    : isLive
      ? { source: at, after: [1, null] as const }
      : afterSource(at)
  return { lines: [...lines, ...children], next }
}

function stored({ at_owner: _, at_key: __, ...row }: Stored): Stored {
  return row
}

function afterSource(at: number): Position | null {
  return at + 1 < SOURCES.length ? { source: at + 1, after: null } : null
}

async function readChildren(db: Db, source: Source, rows: readonly Stored[]): Promise<Line[]> {
  const asked = (source.children ?? []).flatMap(({ table, isOf, ...child }) => {
    const ids = rows.filter((row) => isOf?.(row) ?? true).map((row) => row.id!)
    return ids.length === 0 ? [] : [{ ...child, table: movedTableOf(table), ids }]
  })
  if (asked.length === 0) return []
  const queries = asked.map(({ ids, ...child }) => selectChildren(db, child, ids))
  const found = await db.batch(queries)
  return asked.flatMap(({ table }, at) => found[at]!.map((row) => ({ table, row: stored(row) })))
}
