import { env } from 'cloudflare:workers'
import { eq, sql } from 'drizzle-orm'
import { expect, it } from 'vitest'
import { type Db, openDb } from '../../src/platform/db/client.ts'
import { looseId } from '../../src/platform/db/ids.ts'
import { type At, insertOnce, named, preparedQuery, queryOnce } from '../../src/platform/db/prepared.ts'
import { organizations } from '../../src/platform/db/schema/organizations.ts'
import { activity } from '../../src/platform/db/schema/records.ts'

const insertEntry = insertOnce(activity)
const entryOf = (changes: Record<string, unknown> | null, isTest = false) => ({
  id: looseId(),
  organizationId: looseId(),
  isTest,
  actorType: 'system' as const,
  actorId: null,
  action: 'test',
  resourceType: 'booking' as const,
  resourceId: null,
  changes,
  ipAddress: null,
  requestId: null,
  createdAt: 1,
})

it('a statement that is built once stores and returns values as its columns do, alone and in a batch', async () => {
  const db = openDb(env, 'decide')
  let built = 0
  const find = queryOnce((on, at: At<{ id: string }>) => {
    built++
    const isTwo = named(sql`${activity.createdAt} * 2 = 2`, Boolean, 'is_two')
    const fields = { entry: activity, doubled: sql<number>`${activity.createdAt} * 2`.as('doubled'), isTwo }
    return { fields, query: on.select(fields).from(activity).where(eq(activity.id, at.id)) }
  })
  const [first, second] = [entryOf({ status: [null, 'a'] }, true), entryOf(null)]
  await db.batch([insertEntry(db, first), insertEntry(db, second)])
  const asDrizzle = (id: string) => db.select().from(activity).where(eq(activity.id, id))
  const [built1, drizzled, built2] = await db.batch([
    find(db, { id: first.id }),
    asDrizzle(first.id),
    find(db, { id: second.id }),
  ])
  expect(built1).toEqual([{ entry: first, doubled: 2, isTwo: true }])
  expect(drizzled).toEqual([first])
  expect(built2).toEqual([{ entry: second, doubled: 2, isTwo: true }])
  expect(await find(db, { id: first.id })).toEqual(built1)
  expect(built).toBe(1)
})

it('a statement that is written out numbers its values and reads its rows', async () => {
  const ask = preparedQuery<string, [string, number]>(
    'SELECT ?1 || ?1 || ?2 AS told',
    ({ told }: { told: string }) => told,
  )
  const db: Db = openDb(env, 'decide')
  expect(await ask(db, 'a', 1)).toEqual(['aa1.0'])
  const [[told], rows] = await db.batch([ask(db, 'b', 2), db.select().from(organizations).limit(0)])
  expect([told, rows]).toEqual(['bb2.0', []])
})
