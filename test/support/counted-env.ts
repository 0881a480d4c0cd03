import { env } from 'cloudflare:workers'
import type { Env } from '../../src/env.ts'

type Meant = { readonly sql: string; readonly values: readonly unknown[] }
type Ran = Meant & { readonly read: number; readonly written: number }

/**
 * The same database, counting every round trip and writing down what each statement read and wrote. `beforeBatch` happens
 * before the database is asked for several things together.
 */
export function countedEnv(of: Env = env, beforeBatch?: (texts: readonly string[]) => Promise<unknown>) {
  const trips = { count: 0 }
  const pending = new Set<Promise<unknown>>()
  const noted = <T>(trip: Promise<T>): Promise<T> => {
    pending.add(trip)
    return trip.finally(() => pending.delete(trip))
  }
  const ran: Ran[] = []
  const session = of.DB.withSession('first-primary')
  const originals = new WeakMap<object, Meant & { readonly statement: D1PreparedStatement }>()
  const note = <T>({ sql, values }: Meant, result: D1Result<T>) => {
    ran.push({ sql, values, read: result.meta.rows_read, written: result.meta.rows_written })
    return result
  }
  const wrap = (meant: Meant, statement: D1PreparedStatement): D1PreparedStatement => {
    const all = async () => {
      trips.count += 1
      return note(meant, await statement.all<Record<string, unknown>>())
    }
    const stand = {
      bind: (...values: unknown[]) => wrap({ ...meant, values }, statement.bind(...values)),
      run: all,
      all,
      first: async () => (await all()).results[0] ?? null,
      // Only this one tells nothing of rows, and only it keeps two columns of one name apart: reads are done twice.
      raw: async () => {
        const { results } = await all()
        return /^\s*(select|with)\b/i.test(meant.sql) ? statement.raw() : results.map(Object.values)
      },
    } as unknown as D1PreparedStatement
    originals.set(stand, { ...meant, statement })
    return stand
  }
  const DB = {
    withSession: () => ({
      prepare: (sql: string) => wrap({ sql, values: [] }, session.prepare(sql)),
      batch: (statements: object[]) => {
        trips.count += 1
        const meant = statements.map((one) => originals.get(one)!)
        const ask = async () => {
          await beforeBatch?.(meant.map(({ sql }) => sql))
          const results = await session.batch(meant.map(({ statement }) => statement))
          return results.map((result, at) => note(meant[at]!, result))
        }
        return noted(ask())
      },
    }),
  }
  /** Waits for the batches for which nobody else waits. */
  const settle = async () => {
    while (pending.size > 0) await Promise.allSettled(pending)
  }
  return { trips, ran, settle, env: { ...of, DB: DB as unknown as D1Database } as Env }
}
