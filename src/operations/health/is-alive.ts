import { SECOND_MS } from '../../core/time-units.ts'
import type { Env } from '../../env.ts'
import { openDb, ping } from '../../platform/db/client.ts'
import { askFirst } from '../../platform/db/shards.ts'

type Known = { readonly isAlive: boolean; readonly askedAt: number }

/** No limit counts these callers, so each isolate asks the database at most once in this time. */
const KNOWN_MS = SECOND_MS
const known = new WeakMap<D1Database, Known>()

/** Whether a database answers, or did when it was asked last. */
export async function isAlive(env: Env): Promise<boolean> {
  const last = known.get(env.DB)
  const now = Date.now()
  if (last && now >= last.askedAt && now < last.askedAt + KNOWN_MS) return last.isAlive
  // Calls in the meantime do not ask either, even if the database takes long to answer.
  if (last) known.set(env.DB, { ...last, askedAt: now })
  const found = await askFirst(env, (home) => ping(openDb(home, 'decide'))).then(
    () => true,
    () => false,
  )
  known.set(env.DB, { isAlive: found, askedAt: now })
  return found
}
