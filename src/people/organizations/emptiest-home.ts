import type { Env } from '../../env.ts'
import { openDb } from '../../platform/db/client.ts'
import { isPassing } from '../../platform/db/passing-failure.ts'
import { shardsOf } from '../../platform/db/shards.ts'
import { sizeOf } from './queries.ts'

/** The database that a new organization goes to: the smallest of those that answer. One alone is not asked. */
export async function emptiestHome(env: Env): Promise<Env> {
  const homes = shardsOf(env)
  if (homes.length === 1) return env
  const measured = await Promise.all(
    homes.map(async (home) => {
      try {
        return { home, bytes: await sizeOf(openDb(home, 'decide')) }
      } catch (error) {
        if (!isPassing(error)) throw error
        return { home, bytes: Number.POSITIVE_INFINITY }
      }
    }),
  )
  return measured.reduce((least, each) => (each.bytes < least.bytes ? each : least)).home
}
