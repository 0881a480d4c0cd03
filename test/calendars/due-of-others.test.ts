import { env } from 'cloudflare:workers'
import { beforeAll, expect, it } from 'vitest'
import { retryMeetingsOf } from '../../src/calendars/meetings/queries.ts'
import { selectDueOf } from '../../src/calendars/receiving/statements.ts'
import { selectUnhandledEvent } from '../../src/delivery/emails/queries.ts'
import { type Db, openDb } from '../../src/platform/db/client.ts'
import { looseId } from '../../src/platform/db/ids.ts'
import { realNow } from '../../src/platform/limits/clock.ts'
import { countedEnv } from '../support/counted-env.ts'
import { createEventType, createOrganization, type Organization } from '../support/factories.ts'
import { run } from '../support/run.ts'

const OTHERS = 50_000

/** Calendar writes and meetings of an organization, of which the last became due at `by`. */
async function makeDue(organizationId: string, count: number, by: number): Promise<void> {
  const each = `WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < ?2)`
  await run(
    `${each} INSERT INTO calendar_writes (holder_id, connection_id, organization_id, uid, wants_meeting, status, next_attempt_at, updated_at)
     SELECT ?1 || '/' || i, 'calendar', ?1, ?1 || i, 0, 'pending', ?3 - ?2 + i, 1 FROM n`,
    organizationId,
    count,
    by,
  )
  await run(
    `${each} INSERT INTO meetings (holder_id, organization_id, is_test, provider, status, next_attempt_at, updated_at)
     SELECT ?1 || '/' || i, ?1, 0, 'video_a', 'pending', ?3 - ?2 + i, 1 FROM n`,
    organizationId,
    count,
    by,
  )
}

/** An event of an organization, which nobody has handled. */
async function unhandledEvent({ id, liveKey }: Organization): Promise<string> {
  const { id: eventTypeId } = await createEventType(liveKey)
  const eventId = looseId()
  await run(
    `INSERT INTO events (id, organization_id, is_test, sequence, kind, data, created_at)
     VALUES (?1, ?2, 0, 1, 'booking.out_of_sync', json_object('event_type_id', ?3), 1)`,
    eventId,
    id,
    eventTypeId,
  )
  return eventId
}

async function counted<Row>(query: (db: Db) => PromiseLike<Row>) {
  const { env: own, ran } = countedEnv()
  const found = await query(openDb(own, 'decide'))
  return { found, read: ran.reduce((sum, { read }) => sum + read, 0) }
}

const NOW = realNow()

beforeAll(() => makeDue('others', OTHERS, NOW), 60_000)

it('is handled with an event if it became due last, and no event reads all that is due of others', async () => {
  const organization = await createOrganization()
  const eventId = await unhandledEvent(organization)
  const before = await counted((db) => selectUnhandledEvent(db, eventId, NOW))
  expect(before.found).toMatchObject([{ dueWrites: [], dueMeetings: [] }])
  await makeDue(organization.id, 3, NOW + 1)
  const after = await counted((db) => selectUnhandledEvent(db, eventId, NOW))
  const holders = [3, 2, 1].map((i) => `${organization.id}/${i}`)
  expect(after.found).toMatchObject([
    {
      dueWrites: holders.map((holderId) => ({ holderId, connectionId: 'calendar' })),
      dueMeetings: holders,
    },
  ])
  // A hundred of either, and what an event reads anyway.
  expect(after.read).toBeLessThan(250)
})

it('is written when bookings were brought into a calendar, among as many as became due last', async () => {
  const organization = await createOrganization()
  await makeDue(organization.id, 120, NOW)
  const { found, read } = await counted((db) => selectDueOf(db, organization.id, NOW))
  expect(found).toHaveLength(100)
  expect(read).toBeLessThan(2 * 2_000)
})

it('is tried again where it is of the organization', async () => {
  const organization = await createOrganization()
  await makeDue(organization.id, 3, NOW)
  await openDb(env, 'decide').batch([retryMeetingsOf(openDb(env, 'decide'), organization.id, 7)])
  const { results } = await env.DB.prepare(
    'SELECT DISTINCT organization_id AS id FROM meetings WHERE next_attempt_at = 7',
  ).all()
  expect(results).toEqual([{ id: organization.id }])
})
