import type { Env } from '../../env.ts'
import { commitBatch, type Db, openDb, type Statement } from '../../platform/db/client.ts'
import { isPassing } from '../../platform/db/passing-failure.ts'
import { inShard, shardOfEnv } from '../../platform/db/shards.ts'

/** Statements, and the database that they are for. */
export type Part = {
  readonly shard: number
  readonly statements: (db: Db) => readonly Statement[]
  /** Whether they can be refused, so that nothing happens elsewhere before they are done. */
  readonly isGuard?: boolean
  /** Whether nothing may happen without it. */
  readonly isNeeded?: boolean
}

/**
 * One batch a database. The first part must happen, and others that are needed: what is only noted elsewhere may fail where
 * nobody answers.
 */
export async function commitParts(env: Env, parts: readonly [Part, ...Part[]]): Promise<void> {
  const needed = new Set(
    parts.flatMap(({ shard, isNeeded }, at) => (at === 0 || isNeeded ? [inShardOrFirst(env, shard)] : [])),
  )
  const [first, ...others] = batchesOf(env, parts)
  const committed = first!.commit()
  if (parts[0].isGuard) await committed
  const noted = others.map(async ({ shard, commit }) => {
    try {
      await commit()
    } catch (error) {
      if (needed.has(shard) || !isPassing(error)) throw error
    }
  })
  await Promise.all([committed, ...noted])
}

/** The same where all of it must happen: the first before the others, which can refuse it. */
export async function commitInOrder(env: Env, parts: readonly Part[]): Promise<void> {
  const [first, ...others] = batchesOf(env, parts)
  await first?.commit()
  await Promise.all(others.map(({ commit }) => commit()))
}

/** One batch for each database, that of the first part first. */
function batchesOf(env: Env, parts: readonly Part[]) {
  const byShard = Map.groupBy(parts, ({ shard }) => inShardOrFirst(env, shard))
  return [...byShard].map(([shard, own]) => ({
    shard,
    commit: () => {
      const db = openDb(inShard(env, shard), 'decide')
      return commitBatch(
        db,
        own.flatMap(({ statements }) => statements(db)),
      )
    },
  }))
}

/** The number of the database that a shard leads to. */
function inShardOrFirst(env: Env, shard: number): number {
  return shardOfEnv(inShard(env, shard))
}
