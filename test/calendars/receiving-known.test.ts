import { env } from 'cloudflare:workers'
import { expect, it } from 'vitest'
import { sweep } from '../../src/worker/jobs/sweep.ts'
import { call } from '../support/app.ts'
import { insertConnection, setConnection } from '../support/connections.ts'
import {
  bookAsAnother,
  createEventType,
  createOrganization,
  dayFromNow,
  iso,
  openStarts,
} from '../support/factories.ts'
import { addHost, createMember } from '../support/hosts.ts'

const HOUR_MS = 3_600_000
const SLOT = dayFromNow(3) + 10 * HOUR_MS

/** The ways in which a calendar takes the place of one that is gone, after `prepare`. */
const WAYS = {
  'a change of the calendar': {
    prepare: (id: string) => setConnection(id, 'receives_bookings = false'),
    bring: async (id: string, key: string) => {
      const { status } = await call('PATCH', `/v1/calendars/${id}`, {
        key,
        body: { receives_bookings: true },
      })
      expect(status).toBe(200)
    },
  },
  'a sweep that goes on': {
    prepare: (id: string) => setConnection(id, 'bring_at = 1'),
    bring: () => sweep(env, Date.now()),
  },
} as const

/** A booking without hosts in a calendar that is gone, and the one that is connected since then. */
async function makeGone(way: keyof typeof WAYS) {
  const organization = await createOrganization()
  const key = organization.testKey
  const { id } = await createEventType(key)
  const gone = await insertConnection(organization, 'test')
  const { body: booking } = await bookAsAnother(id, SLOT)
  expect(booking.calendar_connection_id).toBe(gone)
  expect((await call('DELETE', `/v1/calendars/${gone}`, { key })).status).toBe(204)
  const calendar = await insertConnection(organization, 'test', { calendarId: 'next' })
  await WAYS[way].prepare(calendar)
  return { organization, key, bring: () => WAYS[way].bring(calendar, key) }
}

const CASES = (['a change of the calendar', 'a sweep that goes on'] as const).flatMap((way) =>
  (['nobody', 'the owner'] as const).map((host) => [way, host] as const),
)

it.each(CASES)(
  'what a calendar holds since %s is no longer offered by a known event type that %s hosts',
  async (way, host) => {
    const { organization, key, bring } = await makeGone(way)
    const { id: other } = await createEventType(key)
    if (host === 'the owner') {
      const { body } = await call('GET', `/v1/organizations/${organization.id}/members`, { key })
      await addHost(key, other, body.data[0].id)
    }
    expect((await bookAsAnother(other, SLOT + 4 * HOUR_MS)).status).toBe(201)
    expect((await bookAsAnother(other, SLOT + 6 * HOUR_MS)).status).toBe(201)
    expect(await openStarts(other, SLOT)).toContain(iso(SLOT))
    await bring()
    expect(await openStarts(other, SLOT)).not.toContain(iso(SLOT))
    const refused = await bookAsAnother(other, SLOT)
    expect(refused.status).toBe(409)
    expect(JSON.stringify(refused.body)).not.toContain(`"${iso(SLOT)}"`)
  },
)

it('a seat that is taken after a sweep that goes on is in the calendar that its session is in', async () => {
  const organization = await createOrganization()
  const key = organization.testKey
  const { id } = await createEventType(key, { assignment_strategy: 'round_robin', max_attendees: 9 })
  const { id: memberId } = await createMember(organization)
  await addHost(key, id, memberId)
  const first = await insertConnection(organization, 'test', { memberId })
  const { body: seat } = await bookAsAnother(id, SLOT)
  const second = await insertConnection(organization, 'test', { memberId, calendarId: 'next' })
  await setConnection(first, 'receives_bookings = false')
  await setConnection(second, 'receives_bookings = true, bring_at = 1')
  for (let taken = 0; taken < 2; taken++)
    expect((await bookAsAnother(id, SLOT)).body.calendar_connection_id).toBe(first)
  await sweep(env, Date.now())
  const { body: brought } = await call('GET', `/v1/bookings/${seat.id}`, { key })
  const { body: next } = await bookAsAnother(id, SLOT)
  expect([brought.calendar_connection_id, next.calendar_connection_id]).toEqual([second, second])
  expect(next.session_id).toBe(seat.session_id)
})
