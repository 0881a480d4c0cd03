import type { Db } from '../db/client.ts'
import { type List, type PageRequest, type Rows, readPage } from '../db/list-page.ts'
import { problem } from '../reasons/reason.ts'
import { invalid } from './errors.ts'

/** Drops the extra row that says whether there is more, and puts a page that was read backwards in its order. */
export function cutPage<T>(
  rows: readonly T[],
  { limit, ending_before: before }: PageRequest,
): { data: readonly T[]; has_more: boolean } {
  const data = rows.slice(0, limit)
  return { data: before === undefined ? data : data.reverse(), has_more: rows.length > limit }
}

/** `found` is the item at which the page begins or ends. */
export function assertCursor(page: PageRequest, found: readonly unknown[]): void {
  const { starting_after: after, ending_before: before } = page
  if (after === undefined && before === undefined) return
  if (after !== undefined && before !== undefined) {
    throw invalid({ ending_before: problem('not_together', { other: 'starting_after' }) })
  }
  if (found.length > 0) return
  const name = after === undefined ? 'ending_before' : 'starting_after'
  throw invalid({ [name]: problem('not_in_list') })
}

/** A page of a list, newest first, with one row more than it holds; `select` has no conditions yet. One round trip. */
export async function listPage<S extends Rows>(
  db: Db,
  select: S,
  list: List,
  page: PageRequest,
): Promise<Awaited<S>> {
  const [rows, cursor] = await readPage(db, select, list, page)
  assertCursor(page, cursor)
  return rows as Awaited<S>
}
