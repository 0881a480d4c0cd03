import { env } from 'cloudflare:workers'
import { describe, expect, it } from 'vitest'
import { call, callAsService, type Json } from '../support/app.ts'
import {
  book,
  bookAsAnother,
  createEventType,
  createOrganization,
  dayFromNow,
  iso,
  type Organization,
  openStarts,
  unique,
} from '../support/factories.ts'
import { addHost, createMember } from '../support/hosts.ts'

const HOUR_MS = 3_600_000
const DAY = dayFromNow(5)
const SLOT = DAY + 10 * HOUR_MS
const TIME = { start: iso(DAY), end: iso(DAY + 24 * HOUR_MS) }

function close(key: string, input: Json = {}) {
  return call('POST', '/v1/time-off', { key, body: { all: true, ...TIME, ...input } })
}

const rowOfAll = ({ body }: any) => body.data.find(({ member_id }: any) => member_id === null)

async function join(organization: Organization) {
  const email = `${unique('guest')}@example.com`
  const { body: invitation } = await callAsService(
    'POST',
    `/v1/organizations/${organization.id}/invitations`,
    { headers: { 'X-Org-Id': organization.id }, body: { email, role: 'member' } },
  )
  const body = { token: invitation.token, user_id: unique('user'), user_email: email }
  const { body: member } = await callAsService('POST', '/v1/invitations/accept', { body })
  return member.id as string
}

describe('time off of everybody', () => {
  it('closes event types without hosts, and names their bookings', async () => {
    const { liveKey: key } = await createOrganization()
    const { id } = await createEventType(key)
    const { id: group } = await createEventType(key, { max_attendees: 3 })
    const [one, two] = [(await book(id, SLOT)).body, (await book(group, SLOT + HOUR_MS)).body]
    expect(await openStarts(id, SLOT)).not.toEqual([])
    const closed = await close(key)
    expect([closed.status, closed.body.affected_bookings]).toEqual([201, [one.id, two.id]])
    expect(rowOfAll(closed)).toMatchObject({ member_id: null, ...TIME })
    for (const eventTypeId of [id, group]) {
      expect(await openStarts(eventTypeId, SLOT)).toEqual([])
      expect((await bookAsAnother(eventTypeId, SLOT + 2 * HOUR_MS)).status).toBe(409)
    }
    expect(await openStarts(id, DAY + 24 * HOUR_MS)).not.toEqual([])
  })

  it('is set aside on purpose with the hours, with hosts and without', async () => {
    const organization = await createOrganization()
    const key = organization.liveKey
    const { id } = await createEventType(key)
    const { id: hosted } = await createEventType(key, { assignment_strategy: 'round_robin' })
    await addHost(key, hosted, (await createMember(organization)).id)
    await close(key)
    for (const event_type_id of [id, hosted]) {
      const body = {
        event_type_id,
        start_time: iso(SLOT),
        invitee_name: 'Ada',
        invitee_email: 'ada@example.com',
      }
      const others = await call('POST', '/v1/bookings', {
        key,
        body: { ...body, override: ['notice', 'busy'] },
      })
      expect(others.status).toBe(409)
      const booked = await call('POST', '/v1/bookings', {
        key,
        body: { ...body, override: ['hours', 'notice'] },
      })
      expect([booked.status, booked.body.overridden]).toEqual([201, ['hours']])
    }
  })

  it('is a reason, in explain and in search too', async () => {
    const { liveKey: key } = await createOrganization()
    const { id } = await createEventType(key)
    const off = rowOfAll(await close(key))
    const query = `start_time=${encodeURIComponent(iso(SLOT))}`
    const { body: told } = await call('GET', `/v1/event-types/${id}/explain?${query}`, { key })
    expect([told.bookable, told.reasons]).toMatchObject([false, [{ code: 'time_off', time_off_id: off.id }]])
    const { body: found } = await call(
      'GET',
      `/v1/availability/search?event_type_ids=${id}&from=${encodeURIComponent(TIME.start)}&to=${encodeURIComponent(iso(DAY + 48 * HOUR_MS))}&timezone=UTC&limit=1`,
    )
    expect(found.data).toMatchObject([{ start_time: TIME.end }])
  })

  it('leaves the other mode and event types with hosts to their own', async () => {
    const organization = await createOrganization()
    const { id: tried } = await createEventType(organization.testKey)
    const { id } = await createEventType(organization.liveKey, { assignment_strategy: 'round_robin' })
    const member = await createMember(organization)
    await addHost(organization.liveKey, id, member.id)
    const closed = await close(organization.liveKey)
    expect(await openStarts(tried, SLOT)).not.toEqual([])
    expect(await openStarts(id, SLOT)).toEqual([])
    const theirs = closed.body.data.find(({ member_id }: any) => member_id === member.id)
    await call('DELETE', `/v1/time-off/${theirs.id}`, { key: organization.liveKey })
    expect(await openStarts(id, SLOT)).not.toEqual([])
  })

  it('is changed and deleted on its own, and the waitlist gets what opens first', async () => {
    const { liveKey: key } = await createOrganization()
    const { id } = await createEventType(key, { waitlist_enabled: true })
    const { body: booked } = await book(id, SLOT)
    const joined = await call('POST', '/v1/waitlist', {
      body: {
        event_type_id: id,
        start_time: iso(SLOT),
        invitee_name: 'Grace',
        invitee_email: 'grace@example.com',
      },
    })
    expect(joined.status).toBe(201)
    const { id: row } = rowOfAll(await close(key))
    await call('POST', `/v1/bookings/${booked.id}/cancel`, { key })
    const before = await call('GET', `/v1/waitlist/${joined.body.id}`, { key })
    expect(before.body.status).toBe('waiting')
    const shorter = await call('PATCH', `/v1/time-off/${row}`, { key, body: { end: iso(SLOT) } })
    expect(shorter.body).toMatchObject({ member_id: null, end: iso(SLOT) })
    const { body: entry } = await call('GET', `/v1/waitlist/${joined.body.id}`, { key })
    expect(entry.status).toBe('promoted')
    expect(await openStarts(id, SLOT)).toContain(iso(SLOT + HOUR_MS))
    expect((await call('DELETE', `/v1/time-off/${row}`, { key })).status).toBe(204)
    expect(await openStarts(id, SLOT)).toContain(iso(SLOT - HOUR_MS))
  })

  it('is replaced under its external id and listed with the others', async () => {
    const { liveKey: key } = await createOrganization()
    const first = rowOfAll(await close(key, { external_id: 'hr-1' }))
    const again = rowOfAll(await close(key, { external_id: 'hr-1', end: iso(DAY + HOUR_MS) }))
    expect(again).toMatchObject({ id: first.id, end: iso(DAY + HOUR_MS) })
    for (const query of ['', `?from=${encodeURIComponent(TIME.start)}`]) {
      const { body } = await call('GET', `/v1/time-off${query}`, { key })
      expect(body.data.filter(({ member_id }: any) => member_id === null)).toEqual([again])
    }
    const { body: log } = await call('GET', `/v1/activity?resource_id=${first.id}`, { key })
    expect(log.data.map(({ changes }: any) => changes.member_id)).toEqual([null, null])
  })

  it('is theirs too who join later, in both modes', async () => {
    const organization = await createOrganization()
    const dates = { start: '2058-12-24', end: '2058-12-26' }
    for (const key of [organization.liveKey, organization.testKey]) await close(key, dates)
    const memberId = await join(organization)
    for (const key of [organization.liveKey, organization.testKey]) {
      const { body } = await call('GET', `/v1/time-off?member_id=${memberId}`, { key })
      expect(body.data).toMatchObject([{ member_id: memberId, ...dates }])
    }
  })

  it('moves along with the zone of the organization', async () => {
    const organization = await createOrganization()
    await close(organization.liveKey, { start: '2058-12-24', end: '2058-12-24' })
    await callAsService('PATCH', `/v1/organizations/${organization.id}`, { body: { timezone: 'Asia/Tokyo' } })
    const row = await env.DB.prepare('SELECT starts_at FROM time_off WHERE member_id = ?')
      .bind(organization.id)
      .first<{ starts_at: number }>()
    expect(iso(row!.starts_at)).toBe('2058-12-23T15:00:00.000Z')
  })

  it('misses no booking that is made in the same moment', async () => {
    const { liveKey: key } = await createOrganization()
    const { id } = await createEventType(key)
    const starts = Array.from({ length: 10 }, (_, at) => DAY + at * HOUR_MS)
    const [closed, ...made] = await Promise.all([
      close(key),
      ...starts.map((start) => bookAsAnother(id, start)),
    ])
    const booked = made.filter(({ status }) => status === 201).map(({ body }) => body.id)
    expect([closed!.status, [...closed!.body.affected_bookings].sort()]).toEqual([201, booked.sort()])
  })
})
