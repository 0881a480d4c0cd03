import { env } from 'cloudflare:workers'
import { describe, expect, it, vi } from 'vitest'
import { call } from '../support/app.ts'
import {
  book,
  bookAsAnother,
  bookingInput,
  createEventType,
  createOrganization,
  dayFromNow,
  iso,
  openStarts,
  unique,
} from '../support/factories.ts'
import { addHosts } from '../support/hosts.ts'
import { createRoom } from '../support/rooms.ts'

const MINUTE_MS = 60_000
const SLOT = dayFromNow(3) + 10 * 60 * MINUTE_MS
const half = (at: number) => SLOT + at * 30 * MINUTE_MS

type Input = Record<string, unknown>

/** An event type with hosts that requires one unit of a new room. */
async function inRoom({ hosts = 3, room = {}, ...input }: Input & { hosts?: number; room?: Input } = {}) {
  const organization = await createOrganization()
  const key = organization.liveKey
  const { id: roomId } = await createRoom(key, room)
  const { id } = await createEventType(key, {
    assignment_strategy: 'round_robin',
    requires: [{ resource_ids: [roomId] }],
    ...input,
  })
  await addHosts(organization, key, id, hosts)
  return { organization, key, id, roomId }
}

function bookWith(key: string, id: string, start: number, input: Input, query = '') {
  return call('POST', `/v1/bookings${query}`, { key, body: bookingInput(id, start, input) })
}

function unitsOf(body: any): string[] {
  return body.resources.map(({ name, unit }: { name: string; unit: number }) => `${name} ${unit}`)
}

async function heldOf(roomId: string) {
  const { results } = await env.DB.prepare(
    "SELECT substr(resource_id, 38) AS unit, starts_at FROM holds WHERE resource_id LIKE ? || '#%' ORDER BY 1, 2",
  )
    .bind(roomId)
    .all<{ unit: string; starts_at: number }>()
  return results.map(({ unit, starts_at }) => [Number(unit), (starts_at - SLOT) / (30 * MINUTE_MS)])
}

async function explain(key: string, id: string, start: number) {
  const { body } = await call('GET', `/v1/event-types/${id}/explain?start_time=${iso(start)}`, { key })
  return body.reasons.map(({ code, resource_id }: any) => [code, resource_id])
}

describe('rooms', () => {
  it('are held with each booking: the lowest free unit of the first free one', async () => {
    const organization = await createOrganization()
    const key = organization.liveKey
    const small = await createRoom(key, { name: 'Small', quantity: 2 })
    const large = await createRoom(key, { name: 'Large' })
    const { id } = await createEventType(key, {
      assignment_strategy: 'round_robin',
      requires: [{ resource_ids: [small.id, large.id], count: 1 }],
    })
    await addHosts(organization, key, id, 4)
    const units = []
    for (let at = 0; at < 3; at++) units.push((await bookAsAnother(id, SLOT)).body.resources)
    expect(units).toEqual([
      [{ id: small.id, name: 'Small', unit: 1 }],
      [{ id: small.id, name: 'Small', unit: 2 }],
      [{ id: large.id, name: 'Large', unit: 1 }],
    ])
    const none = await bookAsAnother(id, SLOT)
    expect([none.status, none.body.error.code]).toEqual([409, 'conflict'])
    const open = await openStarts(id, SLOT)
    expect([open.includes(iso(SLOT)), open.includes(iso(half(1)))]).toEqual([false, true])
  })

  it('are free for others after a cancellation, and with the buffers only', async () => {
    const { key, id } = await inRoom({ buffer_after_minutes: 15, room: { name: 'A' } })
    const { body } = await book(id, SLOT)
    expect((await bookAsAnother(id, half(1))).status).toBe(409)
    expect(await openStarts(id, SLOT)).toContain(iso(half(2)))
    await call('POST', `/v1/bookings/${body.id}/cancel`, { key })
    expect((await bookAsAnother(id, half(1))).status).toBe(201)
  })

  it('are kept by a booking that moves, if its unit is free there', async () => {
    const { key, id, roomId } = await inRoom({ room: { name: 'A', quantity: 3 } })
    await book(id, SLOT)
    const { body: second } = await bookAsAnother(id, SLOT)
    expect(unitsOf(second)).toEqual(['A 2'])
    const move = (start: number) =>
      call('POST', `/v1/bookings/${second.id}/reschedule`, { key, body: { new_start_time: iso(start) } })
    expect(unitsOf((await move(half(2))).body)).toEqual(['A 2'])
    expect(await heldOf(roomId)).toEqual([
      [1, 0],
      [2, 2],
    ])
    for (const at of [4, 4]) await bookAsAnother(id, half(at))
    expect(unitsOf((await move(half(4))).body)).toEqual(['A 3'])
  })

  it('are kept when a booking goes to another host', async () => {
    const { key, id, roomId } = await inRoom({ room: { name: 'A' } })
    const { body } = await book(id, SLOT)
    const handed = await call('POST', `/v1/bookings/${body.id}/reassign`, { key, body: {} })
    expect([handed.status, unitsOf(handed.body)]).toEqual([200, ['A 1']])
    expect(await heldOf(roomId)).toEqual([[1, 0]])
    expect((await bookAsAnother(id, SLOT)).status).toBe(409)
  })

  it('are held once by a session, and each of its bookings says which', async () => {
    const { key, id, roomId } = await inRoom({ max_attendees: 3, room: { name: 'A', quantity: 2 } })
    const first = await book(id, SLOT)
    const second = await bookAsAnother(id, SLOT)
    expect([unitsOf(first.body), unitsOf(second.body)]).toEqual([['A 1'], ['A 1']])
    expect(await heldOf(roomId)).toEqual([[1, 0]])
    const moved = await call('POST', `/v1/sessions/${first.body.session_id}/reschedule`, {
      key,
      body: { new_start_time: iso(half(3)) },
    })
    expect(moved.status).toBe(200)
    expect(await heldOf(roomId)).toEqual([[1, 3]])
    for (const { body } of [first, second]) {
      const found = await call('GET', `/v1/bookings/${body.id}`, { key })
      expect(unitsOf(found.body)).toEqual(['A 1'])
      await call('POST', `/v1/bookings/${body.id}/cancel`, { key })
    }
    expect(await heldOf(roomId)).toEqual([])
  })

  it('become those of a session when the event type gets more seats', async () => {
    const { key, id } = await inRoom({ room: { name: 'A', quantity: 2 } })
    await book(id, SLOT)
    await call('PATCH', `/v1/event-types/${id}`, { key, body: { max_attendees: 2 } })
    expect(unitsOf((await bookAsAnother(id, SLOT)).body)).toEqual(['A 1'])
  })

  it('are taken by a hold, and become those of its booking', async () => {
    const { key, id } = await inRoom({ room: { name: 'A' } })
    const input = { event_type_id: id, start_time: iso(SLOT) }
    const { body: hold } = await call('POST', '/v1/holds', { key, body: input })
    const taken = await bookAsAnother(id, SLOT)
    expect([taken.status, taken.body.error.details.held_until]).toEqual([409, hold.expires_at])
    const body = {
      invitee_name: 'Ada',
      invitee_email: `${unique('ada')}@example.com`,
      invitee_timezone: 'UTC',
    }
    const confirmed = await call('POST', `/v1/holds/${hold.id}/confirm?token=${hold.token}`, { body })
    expect([confirmed.status, unitsOf(confirmed.body)]).toEqual([201, ['A 1']])
    expect(unitsOf((await call('GET', `/v1/bookings/${confirmed.body.id}`, { key })).body)).toEqual(['A 1'])
  })

  it('are taken for event types that share no host', async () => {
    const { organization, key, id, roomId } = await inRoom()
    const other = await createEventType(key, { requires: [{ resource_ids: [roomId] }] })
    await addHosts(organization, key, other.id, 1)
    // Both objects remember their schedules.
    expect((await book(other.id, half(8))).status).toBe(201)
    expect((await book(id, half(9))).status).toBe(201)
    expect((await book(id, SLOT)).status).toBe(201)
    const refused = await bookAsAnother(other.id, SLOT)
    expect([refused.status, refused.body.error.code]).toEqual([409, 'conflict'])
    expect(await openStarts(other.id, SLOT)).not.toContain(iso(SLOT))
  })

  it('go to the waitlist of any event type first when they are free again', async () => {
    const { organization, key, id, roomId } = await inRoom()
    const other = await createEventType(key, {
      requires: [{ resource_ids: [roomId] }],
      waitlist_enabled: true,
    })
    await addHosts(organization, key, other.id, 1)
    const { body } = await book(id, SLOT)
    const joined = await call('POST', '/v1/waitlist', {
      body: {
        event_type_id: other.id,
        invitee_name: 'Wanda',
        invitee_email: `${unique('wanda')}@example.com`,
        invitee_timezone: 'UTC',
        start_time: iso(SLOT),
      },
    })
    expect(joined.status).toBe(201)
    await call('POST', `/v1/bookings/${body.id}/cancel`, { key })
    await vi.waitFor(async () => {
      const { body: list } = await call('GET', `/v1/bookings?event_type_id=${other.id}`, { key })
      expect(list.data.map((one: any) => [one.invitee_name, one.start_time])).toEqual([['Wanda', iso(SLOT)]])
    })
    expect((await bookAsAnother(id, SLOT)).status).toBe(409)
  })

  it('close with their schedule, and keys may set that aside but no other booking', async () => {
    const { key, id, roomId } = await inRoom({ room: { quantity: 1 } })
    const { body: schedule } = await call('POST', '/v1/schedules', {
      key,
      body: { name: 'Never', timezone: 'UTC', rules: [] },
    })
    await call('PATCH', `/v1/resources/${roomId}`, { key, body: { schedule_id: schedule.id } })
    expect(await openStarts(id, SLOT)).toEqual([])
    expect(await explain(key, id, SLOT)).toEqual([['resource_closed', roomId]])
    expect((await call('DELETE', `/v1/schedules/${schedule.id}`, { key })).body.error.details).toEqual({
      code: 'schedule_in_use',
      event_type_ids: [],
      resource_ids: [roomId],
    })
    const override = { override: ['hours'] }
    const forced = await bookWith(key, id, SLOT, override)
    expect([forced.status, forced.body.overridden]).toEqual([201, ['hours']])
    expect(await explain(key, id, SLOT)).toEqual([
      ['resource_closed', roomId],
      ['resource_busy', roomId],
    ])
    const all = { override: ['hours', 'notice', 'window', 'grid', 'cap', 'limits', 'busy'] }
    expect((await bookWith(key, id, SLOT, all)).status).toBe(409)
  })

  it('are closed while they are inactive, and bookings stay', async () => {
    const { key, id, roomId } = await inRoom({ room: { quantity: 2 } })
    const { body } = await book(id, SLOT)
    await bookAsAnother(id, SLOT)
    await call('PATCH', `/v1/resources/${roomId}`, { key, body: { quantity: 1 } })
    expect((await bookAsAnother(id, SLOT)).status).toBe(409)
    await call('PATCH', `/v1/resources/${roomId}`, { key, body: { active: false } })
    expect(await explain(key, id, half(4))).toEqual([['resource_closed', roomId]])
    expect((await bookAsAnother(id, half(4))).status).toBe(409)
    expect((await call('GET', `/v1/bookings/${body.id}`, { key })).body.resources).toHaveLength(1)
    await call('PATCH', `/v1/resources/${roomId}`, { key, body: { active: true, quantity: 3 } })
    expect((await bookAsAnother(id, SLOT)).body.resources).toMatchObject([{ unit: 3 }])
  })

  it('are never enough if more units are required than exist', async () => {
    const { key, id, roomId } = await inRoom({ room: { quantity: 2 } })
    const requires = [{ resource_ids: [roomId], count: 2 }, { resource_ids: [roomId] }]
    const changed = await call('PATCH', `/v1/event-types/${id}`, { key, body: { requires } })
    expect([changed.status, changed.body.requires[1]]).toEqual([200, { resource_ids: [roomId], count: 1 }])
    expect(await openStarts(id, SLOT)).toEqual([])
    expect(await explain(key, id, SLOT)).toEqual([['no_resources', roomId]])
    expect((await book(id, SLOT)).status).toBe(409)
    const { body } = await call('GET', `/v1/event-types/${id}`, { key })
    const message = 'The event type requires more units than there are.'
    expect(body.bookable).toEqual({
      ok: false,
      reasons: [{ code: 'no_resources', message, resource_id: roomId }],
    })
  })

  it('are said to be missing in a dry run, which takes nothing', async () => {
    const { key, id, roomId } = await inRoom()
    const dry = await bookWith(key, id, SLOT, {}, '?dry_run=true')
    expect([dry.status, dry.body.resources]).toMatchObject([201, [{ id: roomId, unit: 1 }]])
    expect(await heldOf(roomId)).toEqual([])
  })

  it('are closed by time off, which lists their bookings, in the zone of the organization', async () => {
    const { key, id, roomId } = await inRoom()
    const { body: booking } = await book(id, SLOT)
    const date = iso(SLOT).slice(0, 10)
    const body = { resource_ids: [roomId], start: date, end: date, reason: 'Painting' }
    const created = await call('POST', '/v1/time-off', { key, body })
    expect([created.status, created.body]).toEqual([
      201,
      {
        data: [
          {
            ...{ id: expect.any(String), member_id: null, resource_id: roomId, start: date, end: date },
            ...{ reason: 'Painting', external_id: null },
          },
        ],
        affected_bookings: [booking.id],
      },
    ])
    expect(await openStarts(id, SLOT)).toEqual([])
    expect(await explain(key, id, half(4))).toEqual([['resource_closed', roomId]])
    expect((await bookAsAnother(id, half(4))).status).toBe(409)
    const [row] = created.body.data
    const list = (query: string) => call('GET', `/v1/time-off?${query}`, { key })
    expect((await list(`resource_id=${roomId}`)).body.data).toEqual([row])
    expect((await list('from=2000-01-01')).body.data).toEqual([row])
    const moved = await call('PATCH', `/v1/time-off/${row.id}`, {
      key,
      body: { start: '2031-01-01', end: '2031-01-02' },
    })
    expect([moved.status, moved.body.resource_id]).toEqual([200, roomId])
    expect((await bookAsAnother(id, half(4))).status).toBe(201)
    expect((await call('DELETE', `/v1/time-off/${row.id}`, { key })).status).toBe(204)
  })

  it('are off for exactly one reason', async () => {
    const { key, roomId } = await inRoom()
    const span = { start: '2031-01-01', end: '2031-01-02' }
    const tell = async (body: Input) => {
      const answer = await call('POST', '/v1/time-off', { key, body: { ...span, ...body } })
      return [answer.status, Object.keys(answer.body.error.details ?? {})]
    }
    expect(await tell({ resource_ids: [roomId], all: true })).toEqual([400, ['all']])
    expect(await tell({ resource_ids: [roomId], member_ids: [roomId] })).toEqual([400, ['resource_ids']])
    const stranger = await createRoom((await createOrganization()).liveKey)
    expect(await tell({ resource_ids: [roomId, stranger.id] })).toEqual([404, ['field']])
  })

  it('of another organization or mode are not found', async () => {
    const { key, id, organization } = await inRoom()
    const stranger = await createRoom((await createOrganization()).liveKey)
    const test = await createRoom(organization.testKey)
    for (const other of [stranger.id, test.id]) {
      const requires = [{ resource_ids: [other] }]
      const changed = await call('PATCH', `/v1/event-types/${id}`, { key, body: { requires } })
      expect([changed.status, changed.body.error.code]).toEqual([404, 'not_found'])
      const body = { title: 'X', slug: unique('x'), duration_minutes: 30, requires }
      expect((await call('POST', '/v1/event-types', { key, body })).status).toBe(404)
      expect((await call('GET', `/v1/resources/${other}`, { key })).status).toBe(404)
    }
  })
})

describe('a resource', () => {
  it('is created, listed, changed and deleted, with an entry in the log each', async () => {
    const { liveKey: key } = await createOrganization()
    const created = await createRoom(key, { name: 'Beamer', kind: 'equipment', quantity: 4, notes: 'Heavy' })
    expect(created).toEqual({
      id: expect.any(String),
      name: 'Beamer',
      kind: 'equipment',
      quantity: 4,
      schedule_id: null,
      notes: 'Heavy',
      active: true,
      created_at: expect.any(String),
      updated_at: expect.any(String),
    })
    const changed = await call('PATCH', `/v1/resources/${created.id}`, {
      key,
      body: { name: 'Projector', notes: null },
    })
    expect(changed.body).toMatchObject({ name: 'Projector', notes: null, quantity: 4 })
    expect((await call('GET', '/v1/resources', { key })).body).toEqual({
      data: [changed.body],
      has_more: false,
    })
    expect((await call('DELETE', `/v1/resources/${created.id}`, { key })).status).toBe(204)
    expect((await call('GET', `/v1/resources/${created.id}`, { key })).status).toBe(404)
    const { body } = await call('GET', `/v1/activity?resource_id=${created.id}`, { key })
    expect(body.data.map(({ action }: any) => action)).toEqual([
      'resource.deleted',
      'resource.updated',
      'resource.created',
    ])
  })

  it('is not deleted while an event type requires it', async () => {
    const { key, id, roomId } = await inRoom()
    const refused = await call('DELETE', `/v1/resources/${roomId}`, { key })
    expect([refused.status, refused.body.error.details]).toEqual([
      409,
      { code: 'resource_in_use', event_type_ids: [id] },
    ])
    await call('PATCH', `/v1/event-types/${id}`, { key, body: { requires: [] } })
    expect((await call('DELETE', `/v1/resources/${roomId}`, { key })).status).toBe(204)
  })

  it('needs a name and at most fifty units', async () => {
    const { liveKey: key } = await createOrganization()
    const tell = async (body: Input) => {
      const answer = await call('POST', '/v1/resources', { key, body })
      return [answer.status, Object.keys(answer.body.error.details)]
    }
    expect(await tell({})).toEqual([400, ['name']])
    expect(await tell({ name: 'A', quantity: 51 })).toEqual([400, ['quantity']])
    expect(await tell({ name: 'A', kind: 'hall' })).toEqual([400, ['kind']])
    expect((await call('POST', '/v1/resources', { key, body: { name: 'A', schedule_id: key } })).status).toBe(
      400,
    )
  })

  it('counts toward the plan', async () => {
    const { liveKey: key } = await createOrganization({ tier: 'free' })
    for (let made = 0; made < 5; made++) await createRoom(key)
    const { status, body } = await call('POST', '/v1/resources', { key, body: { name: 'Sixth' } })
    expect([status, body.error.details]).toEqual([403, { limit: 'resources' }])
  })
})
