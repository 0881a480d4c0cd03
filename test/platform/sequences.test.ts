import { env } from 'cloudflare:workers'
import { expect, it } from 'vitest'
import { recordEvent } from '../../src/outbox/events/statements.ts'
import { openDb } from '../../src/platform/db/client.ts'
import { looseId } from '../../src/platform/db/ids.ts'

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
