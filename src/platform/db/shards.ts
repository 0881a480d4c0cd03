import { type Env, withOwn } from '../../env.ts'
import { shardOf } from './ids.ts'
import { isPassing } from './passing-failure.ts'

/*
 * Organizations live in one of several databases, which are called shards: `DB`, which is also the directory, and as many of
 * `DB_1` to `DB_15` as are bound. The start of a request, a command, a message or a sweep chooses the shard once: from there on
 * `env.DB` is the right one, and other code does not know about shards. If `DB` is alone, nothing here queries anything.
 */

const MOST = 16

/** The same surroundings with the database of a shard. One that is not bound is the first, which finds nothing of it. */
export function inShard(env: Env, shard: number): Env {
  const bound = shard === 0 || bindingOf(env, shard) ? shard : 0
  if (bound === shardOfEnv(env)) return env
  const directory = env.home?.directory ?? env.DB
  const DB = bindingOf(env, bound) ?? directory
  return withOwn(env, { DB, home: { shard: bound, directory } })
}

/** The surroundings of whatever has this id. */
export function homeOf(env: Env, id: string): Env {
  return inShard(env, shardOf(id))
}

/** Each database once, the directory first. */
export function shardsOf(env: Env): readonly Env[] {
  const numbers = Array.from({ length: MOST }, (_, shard) => shard)
  return numbers.filter((shard) => shard === 0 || bindingOf(env, shard)).map((shard) => inShard(env, shard))
}

/** The other databases. */
export function othersOf(env: Env): readonly Env[] {
  return shardsOf(env).filter((home) => shardOfEnv(home) !== shardOfEnv(env))
}

/** What these surroundings choose. */
export function shardOfEnv(env: Env): number {
  return env.home?.shard ?? 0
}

/** As the binding is called. */
export function nameOfShard(env: Env): string {
  const shard = shardOfEnv(env)
  return shard === 0 ? 'DB' : `DB_${shard}`
}

function bindingOf(env: Env, shard: number): D1Database | undefined {
  return (env as unknown as Readonly<Record<string, D1Database | undefined>>)[`DB_${shard}`]
}

const UNKNOWN = new Error('unknown here')

/**
 * For names that do not say where they are: queries every database at once, and takes the first match. Null when none matches;
 * throws when none matches and one of them did not answer.
 */
export async function seek<T>(
  env: Env,
  ask: (home: Env) => Promise<T | null>,
): Promise<{ readonly home: Env; readonly found: T } | null> {
  const asked = shardsOf(env).map(async (home) => {
    const found = await ask(home)
    if (found === null) throw UNKNOWN
    return { home, found }
  })
  try {
    return await Promise.any(asked)
  } catch (error) {
    const [failure] = (error as AggregateError).errors.filter((each) => each !== UNKNOWN)
    if (failure !== undefined) throw failure
    return null
  }
}

/** For what can be in several: what each of those says that answer. Throws where none does. */
export async function askAll<T>(env: Env, ask: (home: Env) => Promise<T>): Promise<readonly T[]> {
  const asked = await Promise.allSettled(shardsOf(env).map(ask))
  const answers = asked.flatMap((each) => (each.status === 'fulfilled' ? [each.value] : []))
  if (answers.length === 0) throw (asked[0] as PromiseRejectedResult).reason
  return answers
}

/** For what may be in any: the first database that answers, the directory before all others. */
export async function askFirst<T>(env: Env, ask: (home: Env) => Promise<T>): Promise<T> {
  const homes = shardsOf(env)
  for (const home of homes.slice(0, -1)) {
    try {
      return await ask(home)
    } catch (error) {
      if (!isPassing(error)) throw error
    }
  }
  return ask(homes.at(-1)!)
}
