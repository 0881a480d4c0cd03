import type { TenantCaller } from '../../../platform/auth/caller.ts'
import { openDb } from '../../../platform/db/client.ts'
import type { Context } from '../../../platform/http/context.ts'
import { assertCursor, cutPage } from '../../../platform/http/page.ts'
import { keepWords } from '../search/keep-words.ts'
import { wordsOf } from '../search/words.ts'
import { findContacts } from './find-contacts.ts'
import { presentListedClient } from './present.ts'
import { selectCursor, selectPage } from './queries.ts'
import type { ClientQuery } from './schema.ts'
import { correctStarts } from './statements.ts'

/** A page of the people who booked, in its order. */
export async function listClients(ctx: Context<TenantCaller>, query: ClientQuery) {
  const { env, caller, now } = ctx
  const db = openDb(env, 'decide')
  await keepWords(env, db, caller)
  const words = [...new Set(wordsOf(query.q ?? ''))]
  const [[cursor], contacts] = await Promise.all([
    db.batch([selectCursor(db, caller, query), ...correctStarts(db, caller, now)]),
    findContacts(db, caller, words),
  ])
  assertCursor(query, cursor)
  const { data, has_more } = cutPage(await selectPage(db, caller, query, words, contacts), query)
  return { data: await Promise.all(data.map((row) => presentListedClient(env, row))), has_more }
}
