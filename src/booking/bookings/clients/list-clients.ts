import type { TenantCaller } from '../../../platform/auth/caller.ts'
import { openDb } from '../../../platform/db/client.ts'
import type { Context } from '../../../platform/http/context.ts'
import { assertCursor, cutPage } from '../../../platform/http/page.ts'
import { keepWords } from '../search/keep-words.ts'
import { wordsOf } from '../search/words.ts'
import { presentListedClient } from './present.ts'
import { countWith, selectCursor, selectPage } from './queries.ts'
import type { ClientQuery } from './schema.ts'
import { correctStarts } from './statements.ts'

/** Of how many words it is counted how many clients have them; any others only filter. */
const MOST_COUNTED = 6

/** A page of the people who booked, in its order. */
export async function listClients(ctx: Context<TenantCaller>, query: ClientQuery) {
  const { env, caller, now } = ctx
  const db = openDb(env, 'decide')
  await keepWords(env, db, caller)
  const words = [...new Set(wordsOf(query.q ?? ''))]
  const [cursor, ...others] = await db.batch([
    selectCursor(db, caller, query),
    ...words.slice(0, MOST_COUNTED).map((word) => countWith(db, caller, word)),
    ...correctStarts(db, caller, now),
  ])
  assertCursor(query, cursor)
  const counts = others as (readonly { readonly n: number }[])[]
  const wanted = words.map((word, at) => ({
    word,
    n: at < MOST_COUNTED ? counts[at]![0]!.n : Number.POSITIVE_INFINITY,
  }))
  const { data, has_more } = cutPage(await selectPage(db, caller, query, wanted), query)
  return { data: await Promise.all(data.map((row) => presentListedClient(env, row))), has_more }
}
