import { MINUTE_MS } from '../../core/time-units.ts'
import type { Env } from '../../env.ts'
import { openDb } from '../db/client.ts'
import { inShard, seek, shardOfEnv, shardsOf } from '../db/shards.ts'
import { isSlugThere } from './queries.ts'

type Known = { readonly shard: number; readonly until: number }

/** One that moves to an organization in another database is looked for there this much later. */
const KNOWN_MS = MINUTE_MS
const MOST_KNOWN = 1_000
const known = new Map<string, Known>()

/** The surroundings of the organization with this slug: the directory's where there is none. */
export async function homeOfSlug(env: Env, slug: string): Promise<Env> {
  if (shardsOf(env).length === 1) return env
  const found = known.get(slug)
  if (found && Date.now() < found.until) return inShard(env, found.shard)
  const sought = await seek(env, async (home) =>
    (await isSlugThere(openDb(home, 'read'), slug)) ? slug : null,
  )
  if (!sought) return inShard(env, 0)
  const [oldest] = known.keys()
  if (oldest !== undefined && known.size >= MOST_KNOWN) known.delete(oldest)
  known.set(slug, { shard: shardOfEnv(sought.home), until: Date.now() + KNOWN_MS })
  return sought.home
}
