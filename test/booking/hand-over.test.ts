import { env } from 'cloudflare:workers'
import { describe, expect, it } from 'vitest'
import { call } from '../support/app.ts'
import {
  book,
  bookAsAnother,
  createEventType,
  createOrganization,
  dayFromNow,
  iso,
} from '../support/factories.ts'
import { addHost, addHosts, createMember } from '../support/hosts.ts'
import { eventIn, lettersTo } from '../support/outbox.ts'

const HOUR_MS = 3_600_000
const SLOT = dayFromNow(3) + 10 * HOUR_MS

async function hosted(count: number, input: Record<string, unknown> = {}) {
  const organization = await createOrganization()
  const key = organization.liveKey
  const { id } = await createEventType(key, { assignment_strategy: 'round_robin', ...input })
  const hosts = await addHosts(organization, key, id, count)
  return { organization, key, id: id as string, hosts }
}

function reassign(key: string, bookingId: string, body: Record<string, unknown> = {}, query = '') {
  return call('POST', `/v1/bookings/${bookingId}/reassign${query}`, { key, body })
}

async function totalsOf(key: string, eventTypeId: string): Promise<Record<string, number>> {
  const { body } = await call('GET', `/v1/event-types/${eventTypeId}/hosts`, { key })
  return Object.fromEntries(body.data.map((host: any) => [host.member_id, host.total_bookings]))
}

async function holdersOf(bookingId: string): Promise<string[]> {
  const { results } = await env.DB.prepare(
    `SELECT resource_id FROM holds WHERE holder_id = (SELECT coalesce(session_id, id) FROM bookings WHERE id = ?)`,
  )
    .bind(bookingId)
    .all<{ resource_id: string }>()
  return results.map(({ resource_id }) => resource_id).sort()
}

async function beOff(key: string, memberId: string) {
  const times = { start: iso(SLOT - HOUR_MS), end: iso(SLOT + 2 * HOUR_MS) }
  await call('POST', '/v1/time-off', { key, body: { member_ids: [memberId], ...times } })
}

describe('a hand-over', () => {
  it('gives a booking to the host that the strategy chooses, at the same time and with the same status', async () => {
    const { key, id, hosts } = await hosted(3)
    const [first, second, third] = hosts
    const { body: booked } = await book(id, SLOT)
    expect(booked.assigned_host.member_id).toBe(first)
    const { status, body } = await reassign(key, booked.id)
    expect(status).toBe(200)
    expect(body).toMatchObject({ status: 'confirmed', start_time: booked.start_time, overridden: [] })
    expect(body.assigned_host.member_id).toBe(second)
    expect(await holdersOf(booked.id)).toEqual([second])
    expect(await totalsOf(key, id)).toEqual({ [first!]: 0, [second!]: 1, [third!]: 0 })
    // The round goes on after the host who has it now.
    expect((await book(id, SLOT + HOUR_MS)).body.assigned_host.member_id).toBe(third)
    expect((await book(id, SLOT)).body.assigned_host.member_id).toBe(first)
  })

  it('restores the turn of the host who gave the booking up', async () => {
    const { key, id, hosts } = await hosted(3, { assignment_strategy: 'least_recent' })
    const [first, second, third] = hosts
    const { body: booked } = await book(id, SLOT)
    await reassign(key, booked.id, { member_id: second })
    expect((await book(id, SLOT)).body.assigned_host.member_id).toBe(first)
    expect((await book(id, SLOT)).body.assigned_host.member_id).toBe(third)
    expect((await book(id, SLOT + HOUR_MS)).body.assigned_host.member_id).toBe(second)
  })

  it('changes nothing for the host who has it, and is refused for others who cannot take it', async () => {
    const { organization, key, id, hosts } = await hosted(2)
    const [first, second] = hosts
    const { body: booked } = await book(id, SLOT)
    const same = await reassign(key, booked.id, { member_id: first })
    expect(same).toMatchObject({ status: 200, body: { updated_at: booked.updated_at } })
    const stranger = await createMember(organization)
    const refused = await reassign(key, booked.id, { member_id: stranger.id })
    expect(refused).toMatchObject({ status: 400, body: { error: { code: 'bad_request' } } })
    expect((await reassign(key, booked.id, { from_member_id: second })).status).toBe(400)
    await book(id, SLOT)
    for (const body of [{}, { member_id: second }]) {
      const busy = await reassign(key, booked.id, body)
      expect(busy).toMatchObject({
        status: 409,
        body: { error: { code: 'no_host_available', details: { hosts_checked: 1 } } },
      })
    }
    const { body: after } = await call('GET', `/v1/bookings/${booked.id}`, { key })
    expect(after.assigned_host.member_id).toBe(first)
  })

  it('is refused without hosts, without a key, after a cancel and for the booking of others', async () => {
    const { key, id } = await hosted(2)
    const other = await hosted(1)
    const plain = await createEventType(key)
    const { body: unhosted } = await book(plain.id, SLOT)
    expect((await reassign(key, unhosted.id)).status).toBe(400)
    const { body: booked } = await book(id, SLOT)
    const path = `/v1/bookings/${booked.id}/reassign`
    expect((await call('POST', `${path}?token=${booked.cancel_token}`, { body: {} })).status).toBe(401)
    expect((await reassign(other.key, booked.id)).status).toBe(404)
    expect((await reassign(key, booked.id, { override: ['everything'] })).body.error.details).toHaveProperty([
      'override.0',
    ])
    await call('POST', `/v1/bookings/${booked.id}/cancel`, { key })
    expect(await reassign(key, booked.id)).toMatchObject({
      status: 409,
      body: { error: { code: 'conflict' } },
    })
  })

  it('is answered once under an Idempotency-Key, and a dry run changes nothing', async () => {
    const { key, id, hosts } = await hosted(2)
    const { body: booked } = await book(id, SLOT)
    const dry = await reassign(key, booked.id, {}, '?dry_run=true')
    expect(dry.body.assigned_host.member_id).toBe(hosts[1])
    expect(await holdersOf(booked.id)).toEqual([hosts[0]])
    const headers = { 'Idempotency-Key': crypto.randomUUID() }
    const path = `/v1/bookings/${booked.id}/reassign`
    const once = await call('POST', path, { key, body: {}, headers })
    const again = await call('POST', path, { key, body: {}, headers })
    expect(once.body.assigned_host.member_id).toBe(hosts[1])
    expect(again.body).toEqual(once.body)
    expect(again.headers.get('Idempotent-Replayed')).toBe('true')
  })

  it('sets the hours of a host aside on purpose, and keeps only what was needed', async () => {
    const { key, id, hosts } = await hosted(2)
    const { body: booked } = await book(id, SLOT)
    await beOff(key, hosts[1]!)
    expect((await reassign(key, booked.id)).status).toBe(409)
    const { status, body } = await reassign(key, booked.id, { override: ['busy', 'hours', 'limits'] })
    expect(status).toBe(200)
    expect(body.overridden).toEqual(['hours'])
    expect(body.assigned_host.member_id).toBe(hosts[1])
    const back = await reassign(key, booked.id)
    expect(back.body.overridden).toEqual([])
  })

  it('moves a whole session, with its held seats and its requests', async () => {
    const { key, id, hosts } = await hosted(2, { max_attendees: 4 })
    const { body: one } = await book(id, SLOT)
    const { body: two } = await bookAsAnother(id, SLOT)
    const { body: hold } = await call('POST', '/v1/holds', {
      body: { event_type_id: id, start_time: iso(SLOT) },
    })
    const { body } = await reassign(key, two.id)
    expect(body.reassigned_by.type).toBe('api_key')
    expect(body.assigned_host.member_id).toBe(hosts[1])
    const { body: other } = await call('GET', `/v1/bookings/${one.id}`, { key })
    expect(other.assigned_host.member_id).toBe(hosts[1])
    expect(other.reassigned_by).toEqual(body.reassigned_by)
    expect(await holdersOf(one.id)).toEqual([hosts[1]])
    expect(await totalsOf(key, id)).toEqual({ [hosts[0]!]: 0, [hosts[1]!]: 2 })
    const confirmed = await call('POST', `/v1/holds/${hold.id}/confirm?token=${hold.token}`, {
      body: { invitee_name: 'Cy', invitee_email: 'cy@example.com' },
    })
    expect(confirmed.body.assigned_host.member_id).toBe(hosts[1])
    expect(await totalsOf(key, id)).toEqual({ [hosts[0]!]: 0, [hosts[1]!]: 3 })
    const { body: feed } = await call('GET', '/v1/events', { key })
    const moved = feed.data.filter(({ event }: any) => event === 'booking.reassigned')
    expect(moved.map(({ data }: any) => data.id).sort()).toEqual([one.id, two.id].sort())
  })

  it('replaces one host of a collective meeting by one who does not take part', async () => {
    const { organization, key, id, hosts } = await hosted(2, { assignment_strategy: 'none' })
    const { body: booked } = await book(id, SLOT)
    expect((await reassign(key, booked.id)).status).toBe(400)
    const nobody = await reassign(key, booked.id, { from_member_id: hosts[1] })
    expect(nobody.body.error.code).toBe('no_host_available')
    const added = await createMember(organization)
    await addHost(key, id, added.id)
    const { status, body } = await reassign(key, booked.id, { from_member_id: hosts[1] })
    expect(status).toBe(200)
    expect(body.assigned_host.member_id).toBe(hosts[0])
    expect(await holdersOf(booked.id)).toEqual([hosts[0], added.id].sort())
    expect(await totalsOf(key, id)).toEqual({ [hosts[0]!]: 1, [hosts[1]!]: 0, [added.id]: 1 })
    const first = await reassign(key, booked.id, { from_member_id: hosts[0], member_id: hosts[1] })
    expect(first.body.assigned_host.member_id).toBe(hosts[1])
  })

  it('releases the time of the host who gave it up, for other event types at once', async () => {
    const { key, id, hosts } = await hosted(2)
    const { id: other } = await createEventType(key, { assignment_strategy: 'round_robin' })
    await addHost(key, other, hosts[0]!)
    const { body: booked } = await book(id, SLOT)
    expect((await book(other, SLOT)).status).toBe(409)
    await reassign(key, booked.id)
    expect((await book(other, SLOT)).status).toBe(201)
    expect((await reassign(key, booked.id)).status).toBe(409)
  })

  it('emails no invitee if the caller says so', async () => {
    const organization = await createOrganization()
    const key = organization.testKey
    const { id } = await createEventType(key, { assignment_strategy: 'round_robin', reminder_intervals: [] })
    const [one, two] = [await createMember(organization), await createMember(organization)]
    for (const { id: host } of [one, two]) await addHost(key, id, host)
    const { body: booked } = await book(id, SLOT)
    await lettersTo(key, 'ada@example.com', 1)
    await reassign(key, booked.id, { notify: false })
    await lettersTo(key, `${two.userId}@example.com`, 1)
    expect(await lettersTo(key, 'ada@example.com', 1)).toHaveLength(1)
  })

  it('sends one email to the invitee, the old and the new host, and an event with the old host', async () => {
    const organization = await createOrganization({ ownerEmail: 'owner@example.com' })
    const key = organization.testKey
    const { id } = await createEventType(key, { assignment_strategy: 'round_robin', reminder_intervals: [] })
    const [one, two] = [await createMember(organization), await createMember(organization)]
    await addHost(key, id, one.id)
    await addHost(key, id, two.id)
    const { body: booked } = await book(id, SLOT)
    await lettersTo(key, 'ada@example.com', 1)
    const { body } = await reassign(key, booked.id, { reason: 'I am ill' })
    const [, invitees] = await lettersTo(key, 'ada@example.com', 2)
    expect(invitees!.subject).toMatch(/^New host: Intro call, /)
    expect(invitees!.body).toContain('> I am ill')
    expect(eventIn(invitees!)).toMatchObject({ method: 'REQUEST', sequence: 1 })
    const [, old] = await lettersTo(key, `${one.userId}@example.com`, 2)
    expect(old!.subject).toMatch(/^Reassigned: Ada Lovelace, /)
    expect(old!.body).toContain('Another host takes it over at the same time.')
    const [taker] = await lettersTo(key, `${two.userId}@example.com`, 1)
    expect(taker!.subject).toMatch(/^New booking: Ada Lovelace, /)
    expect((await lettersTo(key, 'owner@example.com', 1)).length).toBe(1)
    const { body: feed } = await call('GET', '/v1/events', { key })
    const event = feed.data.at(-1)
    expect(event).toMatchObject({ event: 'booking.reassigned', data: { id: booked.id } })
    expect(event.previous_host).toMatchObject({ member_id: one.id, user_id: one.userId })
    expect(event.data.assigned_host).toEqual(body.assigned_host)
    expect(event).not.toHaveProperty('previous')
    const { body: log } = await call('GET', '/v1/activity?action=booking.reassigned', { key })
    expect(log.data[0].changes).toEqual({ host_id: [one.id, two.id], reason: 'I am ill' })
  })
})
