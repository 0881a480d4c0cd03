import { describe, expect, it } from 'vitest'
import { callAsService } from '../support/app.ts'
import {
  createEventType,
  createOrganization,
  dateOf,
  dayFromNow,
  iso,
  type Organization,
  unique,
} from '../support/factories.ts'
import { addHosts } from '../support/hosts.ts'
import { memberWithRole } from '../support/members.ts'
import { createRoom } from '../support/rooms.ts'
import { serviceWith } from '../support/service-with.ts'
import { openWorld } from '../support/world.ts'

const MINUTE_MS = 60_000
const DAY_MS = 1440 * MINUTE_MS
/** A day on which everybody has a holiday. */
const HOLIDAY = dayFromNow(3)
const NOON = HOLIDAY + 720 * MINUTE_MS

const holiday = (uid: string, day: number, more: Record<string, unknown> = {}) => ({
  uid,
  start: dateOf(day),
  end: dateOf(day + DAY_MS),
  transp: 'TRANSPARENT',
  ...more,
})

async function withHolidays(events: readonly Record<string, unknown>[] = [holiday('easter', HOLIDAY)]) {
  const service = serviceWith({ ALLOW_PRIVATE_HOSTS: 'true' })
  const world = openWorld('ics')
  const path = `/${unique('feed')}/holidays.ics`
  const { url } = (await world.control('PUT', '/feeds', { path })) as { url: string }
  await world.seed(events, undefined, path)
  const organization = await createOrganization()
  const key = organization.liveKey
  const hosted = await createEventType(key, {
    ...{ assignment_strategy: 'round_robin', buffer_after_minutes: 30, waitlist_enabled: true },
  })
  await addHosts(organization, key, hosted.id, 2)
  const plain = await createEventType(key)
  const connect = (body: Record<string, unknown> = {}) =>
    service.call('POST', '/v1/calendars/ics/connect', {
      key,
      body: { url, blocks: 'all_events', everybody: true, ...body },
    })
  const change = (id: string, body: Record<string, unknown>) =>
    service.call('PATCH', `/v1/calendars/${id}`, { key, body })
  const book = (id: string, start: number, input: Record<string, unknown> = {}) =>
    service.call('POST', '/v1/bookings', {
      key,
      body: {
        ...{ event_type_id: id, start_time: iso(start), invitee_name: 'Ada', invitee_timezone: 'UTC' },
        ...{ invitee_email: `${unique('ada')}@example.com`, ...input },
      },
    })
  const reasons = async (id: string, start: number) => {
    const { body } = await service.call('GET', `/v1/event-types/${id}/explain?start_time=${iso(start)}`, {
      key,
    })
    return body.reasons.map(({ code, calendar_connection_id }: any) => [code, calendar_connection_id])
  }
  const offered = async (id: string, day: number) => {
    const date = dateOf(day)
    const query = `event_type_id=${id}&start=${date}&end=${date}&timezone=UTC`
    return (await service.call('GET', `/v1/availability?${query}`)).body.slots.length
  }
  return { service, world, path, organization, key, hosted, plain, connect, change, book, reasons, offered }
}

const membersOf = ({ id }: Organization) => `/v1/organizations/${id}/members`

async function ownerOf(organization: Organization): Promise<string> {
  const { body } = await callAsService('GET', membersOf(organization), asOwner(organization))
  return body.data.find(({ role }: any) => role === 'owner').id
}

const asOwner = ({ id }: Organization) => ({ headers: { 'X-Org-Id': id } })

async function remove(organization: Organization, memberId: string) {
  const { status } = await callAsService(
    'DELETE',
    `${membersOf(organization)}/${memberId}`,
    asOwner(organization),
  )
  expect(status).toBe(204)
}

describe('a calendar of everybody', () => {
  it('closes every host and event types without hosts, and says which calendar it is', async () => {
    const { hosted, plain, connect, book, reasons, offered } = await withHolidays()
    const before = [await offered(hosted.id, HOLIDAY), await offered(plain.id, HOLIDAY)]
    expect(Math.min(...before)).toBeGreaterThan(0)
    const { status, body } = await connect()
    expect([status, body.everybody, body.blocks]).toEqual([201, true, 'all_events'])
    for (const { id } of [hosted, plain]) {
      expect(await offered(id, HOLIDAY)).toBe(0)
      expect(await offered(id, HOLIDAY + DAY_MS)).toBeGreaterThan(0)
      expect(await reasons(id, NOON)).toEqual([['busy_calendar', body.id]])
      expect((await book(id, NOON)).status).toBe(409)
      expect((await book(id, NOON, { override: ['busy'] })).body.overridden).toEqual(['busy'])
    }
  })

  it('closes meetings and not their buffers, like time off of everybody', async () => {
    const { hosted, connect, book } = await withHolidays()
    await connect()
    expect((await book(hosted.id, HOLIDAY - 30 * MINUTE_MS)).status).toBe(201)
    expect((await book(hosted.id, HOLIDAY)).status).toBe(409)
  })

  it('closes nothing by events that are cancelled or ours, nor by those marked free if only busy ones count', async () => {
    const { service, key, hosted, plain, connect, change, book, offered } = await withHolidays([
      holiday('off', HOLIDAY, { status: 'CANCELLED' }),
      holiday('free', HOLIDAY + DAY_MS),
    ])
    const { body } = await connect({ blocks: 'busy' })
    expect(await offered(plain.id, HOLIDAY + DAY_MS)).toBeGreaterThan(0)
    expect(await change(body.id, { blocks: 'all_events' })).toMatchObject({ status: 200 })
    expect([await offered(plain.id, HOLIDAY), await offered(plain.id, HOLIDAY + DAY_MS)]).toEqual([
      expect.any(Number),
      0,
    ])
    expect(await offered(plain.id, HOLIDAY)).toBeGreaterThan(0)
    expect((await book(hosted.id, NOON)).status).toBe(201)
    expect((await service.call('GET', '/v1/calendars', { key })).body.data).toMatchObject([
      { everybody: true },
    ])
  })

  it('closes nothing by the event of a booking that was put elsewhere in it', async () => {
    const { world, path, plain, connect, book, offered, service, key } = await withHolidays([])
    const { body } = await book(plain.id, NOON)
    await world.seed([holiday(`${body.id}@holdfast`, HOLIDAY + DAY_MS)], undefined, path)
    const { body: connection } = await connect()
    expect(await offered(plain.id, HOLIDAY + DAY_MS)).toBeGreaterThan(0)
    await service.call('POST', `/v1/calendars/${connection.id}/sync`, { key })
    expect((await book(plain.id, NOON + DAY_MS)).status).toBe(201)
  })

  it('closes and opens as soon as that is changed, also for what objects remember', async () => {
    const { hosted, plain, connect, change, book, offered } = await withHolidays()
    const { body } = await connect({ everybody: false })
    for (const { id } of [hosted, plain]) expect((await book(id, NOON + DAY_MS)).status).toBe(201)
    expect((await book(hosted.id, NOON)).status).toBe(201)
    expect((await change(body.id, { everybody: true })).body.everybody).toBe(true)
    for (const { id } of [hosted, plain]) {
      expect((await book(id, NOON + 30 * MINUTE_MS)).status).toBe(409)
      expect(await offered(id, HOLIDAY)).toBe(0)
    }
    await change(body.id, { everybody: false })
    expect((await book(hosted.id, NOON + 30 * MINUTE_MS)).status).toBe(201)
  })

  it('closes by what its next sync and the moment of booking say', async () => {
    const { service, world, path, key, hosted, plain, connect, book } = await withHolidays()
    const { body } = await connect()
    const next = NOON + DAY_MS
    expect((await book(plain.id, next)).status).toBe(201)
    await world.seed([holiday('whitsun', HOLIDAY + DAY_MS)], undefined, path)
    expect((await book(hosted.id, next)).status).toBe(409)
    await service.call('POST', `/v1/calendars/${body.id}/sync`, { key })
    expect((await book(plain.id, next + 30 * MINUTE_MS)).status).toBe(409)
  })

  it('takes no bookings, so event types without hosts stay independent', async () => {
    const { key, plain, connect, change, book } = await withHolidays()
    const other = await createEventType(key)
    const { body } = await connect({ everybody: false })
    expect((await book(plain.id, NOON + DAY_MS)).status).toBe(201)
    expect((await book(other.id, NOON + DAY_MS)).status).toBe(409)
    await change(body.id, { everybody: true })
    expect((await book(other.id, NOON + DAY_MS)).status).toBe(201)
    expect((await book(plain.id, NOON + 2 * DAY_MS)).body.calendar_connection_id).toBe(null)
  })

  it('is found by a search, too', async () => {
    const { service, key, hosted, plain, connect } = await withHolidays()
    await connect()
    const span = `from=${iso(HOLIDAY)}&to=${iso(HOLIDAY + 2 * DAY_MS)}`
    const query = `event_type_ids=${hosted.id},${plain.id}&${span}`
    const { body } = await service.call('GET', `/v1/availability/search?${query}`, { key })
    const first = iso(HOLIDAY + DAY_MS)
    expect(body.data.slice(0, 2)).toMatchObject([{ start_time: first }, { start_time: first }])
  })

  it('gives the time that it no longer closes to the waitlist first', async () => {
    const { service, key, hosted, connect, change, book } = await withHolidays()
    const { body: calendar } = await connect({ everybody: false })
    const { body: taken } = await book(hosted.id, NOON)
    expect((await book(hosted.id, NOON)).status).toBe(201)
    const invitee_email = `${unique('bea')}@example.com`
    const body = { event_type_id: hosted.id, start_time: iso(NOON), invitee_name: 'Bea', invitee_email }
    expect((await service.call('POST', '/v1/waitlist', { body })).status).toBe(201)
    await change(calendar.id, { everybody: true })
    await service.call('POST', `/v1/bookings/${taken.id}/cancel`, { key, body: {} })
    expect((await book(hosted.id, NOON)).status).toBe(409)
    await change(calendar.id, { everybody: false })
    expect((await book(hosted.id, NOON)).status).toBe(409)
    const { body: list } = await service.call('GET', `/v1/bookings?invitee_email=${invitee_email}`, { key })
    expect(list.data).toMatchObject([{ status: 'confirmed', start_time: iso(NOON) }])
  })

  it('becomes the owner’s when its member is removed, and its days stay closed', async () => {
    const { service, organization, key, hosted, plain, connect, offered } = await withHolidays()
    const member_id = (await memberWithRole(organization, 'admin')).id
    const { body } = await connect({ member_id })
    expect(body.member_id).toBe(member_id)
    await remove(organization, member_id)
    const { data } = (await service.call('GET', '/v1/calendars', { key })).body
    const owner = await ownerOf(organization)
    expect(data).toMatchObject([{ id: body.id, member_id: owner, everybody: true, blocks: 'all_events' }])
    for (const { id } of [hosted, plain]) expect(await offered(id, HOLIDAY)).toBe(0)
    const log = await service.call('GET', `/v1/activity?resource_id=${body.id}&action=calendar.updated`, {
      key,
    })
    expect(log.body.data).toMatchObject([{ changes: { member_id: [member_id, owner] } }])
    expect((await connect()).status).toBe(409)
    const { status } = await service.call('POST', `/v1/calendars/${body.id}/sync`, { key })
    expect(status).toBe(200)
  })

  it('becomes the owner’s beside the same feed of the owner, which stays as it is', async () => {
    const { service, organization, key, connect, offered, plain } = await withHolidays()
    const member_id = (await memberWithRole(organization, 'admin')).id
    const { body: closing } = await connect({ member_id })
    const { body: own } = await connect({ everybody: false, blocks: 'busy' })
    const { body: only } = await connect({
      member_id: (await memberWithRole(organization, 'member')).id,
      everybody: false,
    })
    await remove(organization, member_id)
    await remove(organization, only.member_id)
    const { data } = (await service.call('GET', '/v1/calendars', { key })).body
    const owner = await ownerOf(organization)
    expect(data).toMatchObject([
      { id: own.id, member_id: owner, everybody: false, blocks: 'busy' },
      { id: closing.id, member_id: owner, everybody: true },
    ])
    expect(await offered(plain.id, HOLIDAY)).toBe(0)
  })

  it('cannot be the feed of a room, and closes nothing in the other mode', async () => {
    const { service, organization, key, connect, change, offered } = await withHolidays()
    const room = await createRoom(key)
    const both = await connect({ resource_id: room.id })
    expect([both.status, Object.keys(both.body.error.details)]).toEqual([400, ['everybody']])
    const { body } = await connect({ resource_id: room.id, everybody: undefined })
    expect((await change(body.id, { everybody: true })).status).toBe(400)
    expect((await change(body.id, { everybody: 'yes' })).status).toBe(400)
    await connect()
    const test = await createEventType(organization.testKey)
    expect(await offered(test.id, HOLIDAY)).toBeGreaterThan(0)
    const { body: log } = await service.call('GET', '/v1/activity?action=calendar.connected', { key })
    expect(log.data.length).toBe(2)
  })
})
