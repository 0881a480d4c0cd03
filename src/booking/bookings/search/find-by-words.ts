import type { Env } from '../../../env.ts'
import type { Tenant } from '../../../platform/auth/caller.ts'
import { bareError } from '../../../platform/db/bare-error.ts'
import type { Db } from '../../../platform/db/client.ts'
import { cursorOf } from '../../../platform/db/list-page.ts'
import type { BookingRow } from '../../../platform/db/schema/bookings.ts'
import { assertCursor } from '../../../platform/http/page.ts'
import type { BookingQuery } from '../list-filters/schema.ts'
import { findCandidates } from './find-candidates.ts'
import { keepWords } from './keep-words.ts'
import { selectAmong, selectCursor } from './queries.ts'
import { type Found, hasWords, wordsOf } from './words.ts'

/** How many bookings are read at once while a filter leaves out most of them. */
const MOST_AT_ONCE = 2_000

/** Bookings in which each word begins a word of a name or an address, one more than the page holds. */
export async function findByWords(
  env: Env,
  db: Db,
  tenant: Tenant,
  query: BookingQuery & { readonly q: string },
): Promise<BookingRow[]> {
  const words = wordsOf(query.q)
  await keepAtBest(env, db, tenant)
  const cursor = await selectCursor(db, tenant, cursorOf(query))
  assertCursor(query, cursor)
  const inOrder = await candidates(db, tenant, query, words)
  const left = cursor[0] ? inOrder.filter((one) => compared(query, cursor[0]!, one) < 0) : inOrder
  const [rows, wanted] = [[] as BookingRow[], query.limit + 1]
  for (let at = 0, size = wanted; at < left.length && rows.length < wanted; at += size, size = MOST_AT_ONCE) {
    const some = left.slice(at, at + size)
    const read = await selectAmong(db, tenant, query, [...new Set(some.map(({ id }) => id))])
    const byId = new Map(read.map((row) => [row.id, row]))
    for (const { id, startTime } of some) {
      const row = byId.get(id)
      // A line may be older than a move or a change of the name.
      if (row && (query.sort !== 'start_time' || row.startTime === startTime) && hasWords(row, words)) {
        rows.push(row)
      }
    }
  }
  return rows.slice(0, wanted)
}

/** What may be found, in the order of the page. */
async function candidates(db: Db, tenant: Tenant, query: BookingQuery, words: readonly string[]) {
  const found = (await findCandidates(db, tenant, words))!
  const each = query.sort === 'start_time' ? found : new Map([...found.values()].map((one) => [one.id, one]))
  return [...each.values()].toSorted((a, b) => compared(query, a, b))
}

function compared({ sort, order, ending_before: before }: BookingQuery, a: Found, b: Found): number {
  const byId = a.id < b.id ? -1 : a.id > b.id ? 1 : 0
  const isUpwards = (sort === 'start_time' ? order !== 'desc' : order === 'asc') === (before === undefined)
  const upwards = sort === 'start_time' ? a.startTime - b.startTime || byId : byId
  return isUpwards ? upwards : -upwards
}

/** While an organization moves, nothing is written. */
async function keepAtBest(env: Env, db: Db, tenant: Tenant): Promise<void> {
  try {
    await keepWords(env, db, tenant)
  } catch (error) {
    console.error(JSON.stringify({ search: 'keep', cause: bareError(error).stack }))
  }
}
