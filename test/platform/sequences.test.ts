import { env } from 'cloudflare:workers'
import { expect, it } from 'vitest'
import { recordEvent } from '../../src/outbox/events/statements.ts'
import { openDb } from '../../src/platform/db/client.ts'
import { looseId } from '../../src/platform/db/ids.ts'

/** How the previous Worker took the next sequence. */
const COUNT = `INSERT INTO event_sequences (organization_id, is_test, last) VALUES (?1, 0, 1)
  ON CONFLICT DO UPDATE SET last = last + 1`
const INSERT = `INSERT INTO events (id, organization_id, is_test, sequence, kind, data, created_at)
  VALUES (?2, ?1, 0, (SELECT last FROM event_sequences WHERE organization_id = ?1 AND is_test = 0), 'booking.created', '{}', 1)`

function tenantWith() {
  const organizationId = looseId()
  const run = (sql: string, ...values: unknown[]) =>
    env.DB.prepare(sql)
      .bind(organizationId, ...values)
      .all<{ sequence: number }>()
  return {
    run,
    record: async () => {
      const db = openDb(env, 'decide')
      const event = { kind: 'booking.created', data: {}, revision: 1 } as const
      await db.batch(recordEvent(db, { organizationId, isTest: false }, event).statements as never)
    },
    recordAsBefore: () =>
      env.DB.batch([
        env.DB.prepare(COUNT).bind(organizationId),
        env.DB.prepare(INSERT).bind(organizationId, looseId()),
      ]),
    sequences: async () => {
      const { results } = await run(
        'SELECT sequence FROM events WHERE organization_id = ?1 ORDER BY sequence',
      )
      return results.map(({ sequence }) => sequence)
    },
  }
}

it('gives out each sequence once, whichever events are deleted', async () => {
  const { run, record, sequences } = tenantWith()
  for (let made = 0; made < 3; made++) await record()
  await run('DELETE FROM events WHERE organization_id = ?1 AND sequence IN (1, 3)')
  await record()
  expect(await sequences()).toEqual([2, 4])
  await run('DELETE FROM events WHERE organization_id = ?1')
  await record()
  expect(await sequences()).toEqual([5])
})

it('gives out each sequence once while a Worker of the version before still runs', async () => {
  const { record, recordAsBefore, sequences } = tenantWith()
  await record()
  await recordAsBefore()
  await recordAsBefore()
  await record()
  await record()
  await recordAsBefore()
  expect(await sequences()).toEqual([1, 2, 3, 4, 5, 6])
})
