import { env } from 'cloudflare:workers'
import { expect, it } from 'vitest'
import { call, callAsService } from '../support/app.ts'
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

/** Two event types without hosts whose default calendar is another member's, beside the owner's own. */
async function inDefault() {
  const organization = await createOrganization()
  const key = organization.liveKey
  const own = await insertConnection(organization, 'live')
  const { id: memberId } = await createMember(organization)
  const calendar = await insertConnection(organization, 'live', { memberId })
  const choose = (id: string | null) =>
    callAsService('PATCH', `/v1/organizations/${organization.id}`, {
      body: { default_calendar_connection_id: id },
    })
  expect((await choose(calendar)).status).toBe(200)
  const [{ id: one }, { id: other }] = [await createEventType(key), await createEventType(key)]
  return { organization, key, own, memberId, calendar, choose, one, other }
}

async function holdersOf(resourceId: string): Promise<string[]> {
  const { results } = await env.DB.prepare('SELECT holder_id FROM holds WHERE resource_id = ? ORDER BY 1')
    .bind(resourceId)
    .all<{ holder_id: string }>()
  return results.map(({ holder_id }) => holder_id)
}

type Made = Awaited<ReturnType<typeof inDefault>>

/** How the calendar stops being the one that they share. */
const WAYS: Record<string, (made: Made) => Promise<unknown>> = {
  'is disconnected': ({ key, calendar }) => call('DELETE', `/v1/calendars/${calendar}`, { key }),
  "is disconnected while the owner's is only read": async ({ key, calendar, own }) => {
    await setConnection(own, 'can_write = false, receives_bookings = false')
    return call('DELETE', `/v1/calendars/${calendar}`, { key })
  },
  'goes with its member': ({ key, memberId, organization }) =>
    call('DELETE', `/v1/organizations/${organization.id}/members/${memberId}`, { key }),
  'is disconnected while its member has another': async ({ key, calendar, memberId, organization }) => {
    await insertConnection(organization, 'live', { memberId, calendarId: 'next' })
    return call('DELETE', `/v1/calendars/${calendar}`, { key })
  },
  'is no longer the default': ({ choose }) => choose(null),
  "gives way to the owner's": ({ choose, own }) => choose(own),
  'gives way to a third one': async ({ choose, organization }) => {
    const { id: memberId } = await createMember(organization)
    return choose(await insertConnection(organization, 'live', { memberId }))
  },
  'receives no bookings': ({ key, calendar }) =>
    call('PATCH', `/v1/calendars/${calendar}`, { key, body: { receives_bookings: false } }),
  'closes everybody': async ({ key, calendar }) => {
    await call('PATCH', `/v1/calendars/${calendar}`, { key, body: { receives_bookings: false } })
    return call('PATCH', `/v1/calendars/${calendar}`, { key, body: { everybody: true } })
  },
  'is revoked': ({ calendar }) => setConnection(calendar, "status = 'revoked'"),
}

it.each(Object.keys(WAYS))(
  'event types without hosts know of each other after the default calendar %s',
  async (way) => {
    const made = await inDefault()
    const { one, other, calendar } = made
    expect((await bookAsAnother(one, SLOT)).body.calendar_connection_id).toBe(calendar)
    expect((await bookAsAnother(other, SLOT + 3 * HOUR_MS)).status).toBe(201)
    expect(await openStarts(other, SLOT)).not.toContain(iso(SLOT))
    expect((await bookAsAnother(other, SLOT)).status).toBe(409)
    const result: any = await WAYS[way]!(made)
    if ('status' in result) expect(result.status).toBeLessThan(300)
    expect(await openStarts(other, SLOT)).not.toContain(iso(SLOT))
    expect((await bookAsAnother(other, SLOT)).status).toBe(409)
  },
)

it('the time of sessions and open holds is passed on, once, but nothing that the member hosts', async () => {
  const { key, own, memberId, calendar, choose, one } = await inDefault()
  const { id: group } = await createEventType(key, { max_attendees: 3 })
  const seats = [await bookAsAnother(group, SLOT), await bookAsAnother(group, SLOT)]
  const { body: hold } = await call('POST', '/v1/holds', {
    key,
    body: { event_type_id: one, start_time: iso(SLOT + 2 * HOUR_MS) },
  })
  const { id: theirs } = await createEventType(key, { assignment_strategy: 'round_robin' })
  await addHost(key, theirs, memberId)
  expect((await bookAsAnother(theirs, SLOT + 4 * HOUR_MS)).body.calendar_connection_id).toBe(calendar)
  const shared = [seats[0]!.body.session_id, hold.id].sort()
  for (const next of [null, calendar, own]) {
    expect((await choose(next)).status).toBe(200)
    expect(await holdersOf(own)).toEqual(shared)
  }
  expect((await bookAsAnother(group, SLOT)).status).toBe(201)
})

it("a default calendar goes although the owner's is taken at the time of a booking in it", async () => {
  const { organization, key, own, calendar, one, other } = await inDefault()
  const { body } = await call('GET', `/v1/organizations/${organization.id}/members`, { key })
  const { id: hosted } = await createEventType(key, { assignment_strategy: 'round_robin' })
  await addHost(key, hosted, body.data.find(({ role }: any) => role === 'owner').id)
  const { body: booked } = await bookAsAnother(one, SLOT)
  const { body: met } = await bookAsAnother(hosted, SLOT)
  const { body: later } = await bookAsAnother(one, SLOT + 2 * HOUR_MS)
  expect([booked.calendar_connection_id, met.calendar_connection_id]).toEqual([calendar, own])
  expect((await call('DELETE', `/v1/calendars/${calendar}`, { key })).status).toBe(204)
  expect(await holdersOf(own)).toEqual([met.id, later.id].sort())
  for (const start of [SLOT, SLOT + 2 * HOUR_MS]) expect((await bookAsAnother(other, start)).status).toBe(409)
})

it("the owner's calendar that is connected later takes over what was booked without it", async () => {
  const organization = await createOrganization()
  const key = organization.liveKey
  const { id: memberId } = await createMember(organization)
  const theirs = await insertConnection(organization, 'live', { memberId })
  const choose = (id: string | null) =>
    callAsService('PATCH', `/v1/organizations/${organization.id}`, {
      body: { default_calendar_connection_id: id },
    })
  const [one, other, third] = [
    await createEventType(key),
    await createEventType(key),
    await createEventType(key),
  ].map(({ id }) => id) as [string, string, string]
  await choose(theirs)
  const { body: first } = await bookAsAnother(one, SLOT)
  await choose(null)
  // Without a calendar that they share, they are independent.
  const { body: second } = await bookAsAnother(one, SLOT + 2 * HOUR_MS)
  expect((await bookAsAnother(other, SLOT + 2 * HOUR_MS)).status).toBe(201)
  const own = await insertConnection(organization, 'live')
  await setConnection(own, 'receives_bookings = false')
  const { status } = await call('PATCH', `/v1/calendars/${own}`, { key, body: { receives_bookings: true } })
  expect(status).toBe(200)
  for (const { id } of [first, second]) {
    expect((await call('GET', `/v1/bookings/${id}`, { key })).body.calendar_connection_id).toBe(own)
  }
  expect(await openStarts(third, SLOT)).not.toContain(iso(SLOT))
  for (const start of [SLOT, SLOT + 2 * HOUR_MS]) expect((await bookAsAnother(third, start)).status).toBe(409)
  expect((await bookAsAnother(third, SLOT + 4 * HOUR_MS)).status).toBe(201)
})
