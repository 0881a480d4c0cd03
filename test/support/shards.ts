import { env } from 'cloudflare:workers'
import { shardOf } from '../../src/platform/db/ids.ts'
import { databaseThrough, type Passage } from './database-through.ts'
import { createOrganization, type Organization } from './factories.ts'
import { makeTables } from './make-tables.ts'

const BALLAST_BYTES = 500_000

/** Binds two more databases until the end of the file. */
export async function bindShards(): Promise<void> {
  for (const db of [env.SECOND, env.THIRD]) await makeTables(db)
  Object.assign(env, { DB_1: env.SECOND, DB_2: env.THIRD })
}

export function databaseOf(shard: number): D1Database {
  return [env.DB, env.SECOND, env.THIRD][shard]!
}

/** A new organization in that database, which is the smallest by then. */
export async function organizationIn(
  shard: number,
  options: Parameters<typeof createOrganization>[0] = {},
): Promise<Organization> {
  await makeSmallest(shard)
  const made = await createOrganization(options)
  if (shardOf(made.id) !== shard) throw new Error(`${made.id} is not in ${shard}`)
  return made
}

export async function makeSmallest(shard: number): Promise<void> {
  const own = await sizeOf(databaseOf(shard))
  for (const other of [0, 1, 2].filter((each) => each !== shard).map(databaseOf)) {
    await other.prepare('CREATE TABLE IF NOT EXISTS ballast (bytes BLOB)').run()
    while ((await sizeOf(other)) < own + BALLAST_BYTES) {
      await other.prepare(`INSERT INTO ballast VALUES (zeroblob(${BALLAST_BYTES}))`).run()
    }
  }
}

async function sizeOf(db: D1Database): Promise<number> {
  return (await db.prepare('SELECT 1').run()).meta.size_after!
}

/** A database that does not answer any more: what is asked of it hangs until `answer` is called. */
export function silentDatabase(db: D1Database) {
  let isSilent = true
  const waiting: (() => void)[] = []
  const wait = () => (isSilent ? new Promise<void>((go) => waiting.push(go)) : undefined)
  const pass: Passage = async (ask) => {
    await wait()
    return ask()
  }
  return {
    DB: databaseThrough(pass, db),
    answer: () => {
      isSilent = false
      for (const go of waiting.splice(0)) go()
    },
    fall: () => {
      isSilent = true
    },
  }
}
