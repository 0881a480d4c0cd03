import { and, asc, desc, eq, gt, gte, lt, type SQL, type SQLWrapper } from 'drizzle-orm'
import type { SQLiteColumn, SQLiteSelect, SQLiteTable } from 'drizzle-orm/sqlite-core'
import { MINUTE_MS } from '../../core/time-units.ts'
import type { Db } from './client.ts'
import { firstIdOf } from './ids.ts'

/** Which part of a list is asked for, and in which order. */
export type PageRequest = {
  readonly limit: number
  readonly starting_after?: string | undefined
  readonly ending_before?: string | undefined
  readonly order?: 'asc' | 'desc' | undefined
  /** In epoch milliseconds. */
  readonly created_after?: number | undefined
}

/** How far the clock that made an id and the clock of the reader may differ. */
const SKEW_MS = 5 * MINUTE_MS

type Listed = {
  readonly id: SQLWrapper
  readonly createdAt: SQLWrapper
  /** Whether something may have been made at another time than its id: a sandbox has a clock of its own. */
  readonly mayDiffer: boolean
}

/** The item that the page begins or ends at; without one, an id that nothing has. */
export function cursorOf({ starting_after: after, ending_before: before }: PageRequest): string {
  return after ?? before ?? ''
}

/** The rows that a page may have. Lists go along their ids, which are in the order in which things were made. */
export function onPage({ id, createdAt, mayDiffer }: Listed, page: PageRequest): SQL | undefined {
  const { starting_after: after, ending_before: before, created_after: since } = page
  const isPaged = after !== undefined || before !== undefined
  return and(
    isPaged ? (isUpwards(page) ? gt(id, cursorOf(page)) : lt(id, cursorOf(page))) : undefined,
    since === undefined ? undefined : gt(createdAt, since),
    since === undefined || mayDiffer ? undefined : gte(id, firstIdOf(Math.max(0, since - SKEW_MS))),
  )
}

export function inOrder(id: SQLWrapper, page: PageRequest): SQL {
  return isUpwards(page) ? asc(id) : desc(id)
}

/** Whether the database goes from the older to the newer: a page that ends before an item is read backwards from it. */
export function isUpwards({ order, ending_before: before }: PageRequest): boolean {
  return (order === 'asc') === (before === undefined)
}

export type List = {
  readonly table: SQLiteTable & { readonly id: SQLiteColumn; readonly createdAt?: SQLiteColumn }
  /** The rows of the whole list, in which the cursor must be. */
  readonly all: SQL | undefined
  /** The rows that are asked for; all by default. */
  readonly where?: SQL | undefined
  /** Whether something may have been created at another time than its id: a sandbox has a clock of its own. */
  readonly mayDiffer: boolean
  readonly createdAt?: SQLiteColumn
}

export type Rows = PromiseLike<readonly unknown[]> & { where(condition: SQL | undefined): unknown }

/** The rows of a page, and the item of its cursor if the list has it. */
export function readPage(
  db: Db,
  select: Rows,
  { table, all, where = all, mayDiffer, createdAt = table.createdAt ?? table.id }: List,
  page: PageRequest,
) {
  const { id } = table
  const matching = select.where(and(where, onPage({ id, createdAt, mayDiffer }, page))) as SQLiteSelect
  return db.batch([
    matching.orderBy(inOrder(id, page)).limit(page.limit + 1),
    db
      .select({ id })
      .from(table)
      .where(and(all, eq(id, cursorOf(page)))),
  ])
}
