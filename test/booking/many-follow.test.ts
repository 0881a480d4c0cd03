import { env } from 'cloudflare:workers'
import { expect, it } from 'vitest'
import { handleEvent } from '../../src/worker/jobs/handle-event.ts'
import { sweep } from '../../src/worker/jobs/sweep.ts'
import { call } from '../support/app.ts'
import { createEventType, createOrganization, dayFromNow, iso } from '../support/factories.ts'
import { serviceWith } from '../support/service-with.ts'

const [HALF_HOUR_MS, MINUTE_MS] = [1_800_000, 60_000]
const SLOT = dayFromNow(3)
const [OLD, NEW, LAST] = ['old', 'new', 'last'].map((name) => `https://meet.example.com/${name}`)

/** An event type with 11 series of 50 bookings, each after the one before. */
async function manyBookings() {
  const { testKey: key } = await createOrganization()
  const place = { conferencing_provider: 'custom', custom_meeting_url: OLD }
  const { id } = await createEventType(key, { reminder_intervals: [], ...place })
  for (let at = 0; at < 11; at++) {
    const starts = Array.from({ length: 50 }, (_, one) => iso(SLOT + (at * 50 + one) * HALF_HOUR_MS))
    const invitee = { invitee_name: 'Ada Lovelace', invitee_email: `ada${at}@example.com` }
    const body = { event_type_id: id, starts, notify: false, ...invitee }
    expect((await call('POST', '/v1/series', { key, body })).status).toBe(201)
  }
  const rows = async (query: string) => (await env.DB.prepare(query).bind(id).all<any>()).results
  const where = () =>
    rows(`SELECT conferencing_url AS link, count(*) AS bookings, min(start_time) AS first FROM bookings
      WHERE event_type_id = ? GROUP BY 1 ORDER BY first`)
  const ours = '(SELECT organization_id FROM event_types WHERE id = ?)'
  const updates = () =>
    rows(`SELECT id, sequence, data ->> 'id' AS booking, previous ->> '$.follows' AS follows FROM events
      WHERE organization_id = ${ours} AND kind = 'booking.updated' ORDER BY sequence`)
  const logged = () =>
    rows(`SELECT actor_type, count(*) AS entries FROM activity WHERE organization_id = ${ours}
      AND action = 'booking.updated' GROUP BY 1`)
  return { key, id, where, updates, logged }
}

it('takes many bookings along in several commits, the soonest first and each once, though a process dies in between', async () => {
  const { key, id, where, updates, logged } = await manyBookings()
  const { call: ask, env: own, messages } = serviceWith({})
  const move = (to: string) =>
    ask('PATCH', `/v1/event-types/${id}`, { key, body: { custom_meeting_url: to, notify: false } })
  expect((await move(NEW!)).status).toBe(200)
  expect(await where()).toEqual([
    { link: NEW, bookings: 500, first: SLOT },
    { link: OLD, bookings: 50, first: SLOT + 500 * HALF_HOUR_MS },
  ])
  const [carrier, ...others] = (await updates()).filter(({ follows }) => follows !== null)
  expect([carrier.sequence, others]).toEqual([(await updates()).at(-1).sequence, []])

  // What was enqueued is lost, and the event type moves on before the others followed it.
  messages.length = 0
  expect((await move(LAST!)).status).toBe(200)
  messages.length = 0
  await sweep(own, Date.now() + 2 * MINUTE_MS)
  expect(messages).toContainEqual({ type: 'event', eventId: carrier.id })
  await handleEvent(own, carrier.id)
  await handleEvent(own, carrier.id)
  expect(await where()).toEqual([{ link: LAST, bookings: 550, first: SLOT }])
  const told = (await updates()).map(({ booking }) => booking)
  expect([told.length, new Set(told).size, new Set(told.slice(-50)).size]).toEqual([1050, 550, 50])
  expect(await logged()).toEqual([{ actor_type: 'api_key', entries: 1050 }])

  const { body } = await call('GET', `/v1/events?after=${carrier.sequence - 1}&limit=1`, { key })
  expect(Object.keys(body.data[0]).toSorted()).toEqual(
    ['changed', 'created_at', 'data', 'event', 'id', 'is_test', 'organization_id', 'sequence'].toSorted(),
  )
}, 120_000)
