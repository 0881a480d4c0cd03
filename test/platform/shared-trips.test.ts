import { env } from 'cloudflare:workers'
import { sql } from 'drizzle-orm'
import { describe, expect, it } from 'vitest'
import { commitBatch, dbBehind } from '../../src/platform/db/client.ts'
import { Connection } from '../../src/platform/db/connection.ts'
import { preparedQuery, preparedStatement } from '../../src/platform/db/prepared.ts'
import { fenceOf, refuseWhen } from '../../src/platform/db/refusals.ts'
import { unique } from '../support/factories.ts'

const count = preparedStatement<readonly [subject: string]>(
  'INSERT INTO public_counts (ends_at, subject, made) VALUES (1, ?1, 1) ON CONFLICT DO UPDATE SET made = made + 1',
)
const made = preparedQuery<{ made: number }, readonly [subject: string]>(
  'SELECT made FROM public_counts WHERE ends_at = 1 AND subject = ?1',
)

/** A shared database, and how many statements each of its round trips had; `fail` makes the next one fail. */
function shared() {
  const trips: number[] = []
  const failures: Error[] = []
  const database = {
    prepare: (query: string) => env.DB.prepare(query),
    batch: async (statements: D1PreparedStatement[]) => {
      trips.push(statements.length)
      const failure = failures.pop()
      if (failure) throw failure
      return env.DB.batch(statements)
    },
  } as unknown as D1DatabaseSession
  const db = dbBehind(new Connection(database, { tally: undefined, isShared: true }))
  return { db, trips, fail: (message: string) => void failures.push(new Error(message)) }
}

describe('a shared database', () => {
  it('asks in one round trip what is asked at the same time, and gives each its own answer', async () => {
    const { db, trips } = shared()
    const [one, other] = [unique('trip'), unique('trip')]
    await Promise.all([
      commitBatch(db, [count(db, one), count(db, one)]),
      commitBatch(db, [count(db, other)]),
    ])
    expect(trips).toEqual([3])
    const told = await Promise.all([made(db, one), made(db, 'nobody'), made(db, other)])
    expect(told).toEqual([[{ made: 2 }], [], [{ made: 1 }]])
    expect(trips).toEqual([3, 3])
  })

  it('keeps apart what has one name, and every row in its place', async () => {
    const { db, trips } = shared()
    const numbers = sql`(SELECT 1 AS id UNION ALL SELECT 3 UNION ALL SELECT 2)`
    const pairs = () =>
      db
        .select({ one: sql<number>`a.id`, other: sql<number>`b.id` })
        .from(sql`${numbers} a CROSS JOIN ${numbers} b`)
        .where(sql`a.id < b.id`)
        .orderBy(sql`b.id DESC, a.id`)
    const both = [
      { one: 1, other: 3 },
      { one: 2, other: 3 },
      { one: 1, other: 2 },
    ]
    expect(await Promise.all([pairs(), pairs()])).toEqual([both, both])
    expect(trips).toEqual([2])
  })

  it('lets callers who come during a round trip share the next one', async () => {
    const { db, trips } = shared()
    const first = made(db, 'nobody').then(() => Promise.all([made(db, 'nobody'), made(db, 'nobody')]))
    await first
    expect(trips).toEqual([1, 2])
  })

  it('refuses only those whom the database refuses', async () => {
    const { db, trips } = shared()
    const [good, bad, also] = [unique('trip'), unique('trip'), unique('trip')]
    const told = await Promise.allSettled([
      commitBatch(db, [count(db, good)]),
      commitBatch(db, [count(db, bad), refuseWhen(db, 'STALE', sql`true`)]),
      commitBatch(db, [count(db, also)]),
    ])
    expect(told.map(({ status }) => status)).toEqual(['fulfilled', 'rejected', 'fulfilled'])
    expect(fenceOf((told[1] as PromiseRejectedResult).reason)).toBe('STALE')
    expect(await Promise.all([good, bad, also].map((subject) => made(db, subject)))).toEqual([
      [{ made: 1 }],
      [],
      [{ made: 1 }],
    ])
    expect(trips).toEqual([4, 1, 2, 1, 3])
  })

  it('asks nothing twice whose answer was lost', async () => {
    const { db, trips, fail } = shared()
    const subject = unique('trip')
    fail('D1_ERROR: Network connection lost.')
    const told = await Promise.allSettled([count(db, subject), count(db, subject)])
    expect(told.map(({ status }) => status)).toEqual(['rejected', 'rejected'])
    expect(trips).toEqual([2])
  })

  it('keeps a round trip short, however many share it', async () => {
    const { db, trips } = shared()
    const subject = unique('trip')
    const askers = Array.from({ length: 5 }, () => Array.from({ length: 40 }, () => count(db, subject)))
    await Promise.all(askers.map((statements) => commitBatch(db, statements)))
    expect(trips).toEqual([80, 80, 40])
    expect(await made(db, subject)).toEqual([{ made: 200 }])
  })
})
