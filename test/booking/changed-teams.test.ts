import { env } from 'cloudflare:workers'
import { describe, expect, it } from 'vitest'
import { call, callAsService } from '../support/app.ts'
import { insertConnection } from '../support/connections.ts'
import {
  book,
  bookAsAnother,
  createEventType,
  createOrganization,
  dayFromNow,
  iso,
  openStarts,
} from '../support/factories.ts'
import { addHost, createMember } from '../support/hosts.ts'
import { lettersTo } from '../support/outbox.ts'

const HOUR_MS = 3_600_000
const SLOT = dayFromNow(3) + 10 * HOUR_MS
const half = (at: number) => SLOT + (at * HOUR_MS) / 2

/** An event type with three hosts of the pool, of whom two take part, and one who is required. */
async function team(input: Record<string, unknown> = {}, mode: 'live' | 'test' = 'live') {
  const organization = await createOrganization()
  const key = mode === 'live' ? organization.liveKey : organization.testKey
  const { id } = await createEventType(key, {
    assignment_strategy: 'round_robin',
    pool_size: 2,
    ...input,
  })
  const members = await Promise.all(Array.from({ length: 4 }, () => createMember(organization)))
  for (const [at, member] of members.entries())
    await addHost(key, id, member.id, { part: at < 3 ? 'pool' : 'required', priority: 10 + at })
  const [a, b, c, r] = members.map((member) => member.id) as [string, string, string, string]
  const emails = new Map(members.map((member) => [member.id, `${member.userId}@example.com`]))
  return { organization, key, id: id as string, a, b, c, r, emails }
}

const idsOf = ({ hosts }: { hosts: readonly { member_id: string }[] }) => hosts.map((one) => one.member_id)

async function heldBy(holderId: string): Promise<string[]> {
  const { results } = await env.DB.prepare('SELECT resource_id FROM holds WHERE holder_id = ?')
    .bind(holderId)
    .all<{ resource_id: string }>()
  return results.map(({ resource_id }) => resource_id).sort()
}

describe('a booking of several hosts', () => {
  it('keeps those who are free when it moves, and replaces the others', async () => {
    const { key, id, a, b, c, r } = await team()
    const { body: booked } = await book(id, half(0))
    expect(idsOf(booked)).toEqual([a, b, r])
    const { id: other } = await createEventType(key, { assignment_strategy: 'round_robin' })
    await addHost(key, other, a)
    await book(other, half(1))
    const move = (start: number) =>
      call('POST', `/v1/bookings/${booked.id}/reschedule`, { key, body: { new_start_time: iso(start) } })
    const moved = await move(half(1))
    expect([moved.status, idsOf(moved.body)]).toEqual([200, [b, c, r]])
    expect(await heldBy(booked.id)).toEqual([b, c, r].sort())
    expect(idsOf((await move(half(4))).body)).toEqual([b, c, r])
  })

  it('is handed over by one of the pool to another of it, and by nobody who is required', async () => {
    const { key, id, a, b, c, r } = await team()
    const { body: booked } = await book(id, SLOT)
    const reassign = (body: Record<string, unknown>) =>
      call('POST', `/v1/bookings/${booked.id}/reassign`, { key, body })
    expect((await reassign({})).status).toBe(400)
    expect((await reassign({ from_member_id: c })).status).toBe(400)
    const required = await reassign({ from_member_id: r })
    expect([required.status, required.body.error.code]).toEqual([409, 'no_host_available'])
    expect((await reassign({ from_member_id: a, member_id: r })).status).toBe(409)
    const second = await reassign({ from_member_id: b })
    expect([second.status, idsOf(second.body)]).toEqual([200, [a, c, r]])
    expect(second.body.assigned_host.member_id).toBe(a)
    expect(await heldBy(booked.id)).toEqual([a, c, r].sort())
    const first = await reassign({ from_member_id: a, member_id: b })
    expect([first.status, idsOf(first.body)]).toEqual([200, [b, c, r]])
    expect(first.body.assigned_host.member_id).toBe(b)
    const hosts = (await call('GET', `/v1/event-types/${id}/hosts`, { key })).body.data
    expect(hosts.map((host: any) => [host.member_id, host.total_bookings])).toEqual([
      [a, 0],
      [b, 1],
      [c, 1],
      [r, 1],
    ])
    // The time of a is free again, here and elsewhere.
    const { id: other } = await createEventType(key, { assignment_strategy: 'round_robin' })
    await addHost(key, other, a)
    expect((await openStarts(other, SLOT)).includes(iso(SLOT))).toBe(true)
  })

  it('is found by everybody who takes part, and by the assigned host', async () => {
    const { key, id, a, b, c, r } = await team()
    const { body: booked } = await book(id, SLOT)
    for (const sort of ['', '&sort=start_time']) {
      const found = async (filter: string) =>
        (await call('GET', `/v1/bookings?${filter}${sort}`, { key })).body.data.map((row: any) => row.id)
      for (const member of [a, b, r]) expect(await found(`member_id=${member}`)).toEqual([booked.id])
      expect(await found(`member_id=${c}`)).toEqual([])
      expect(await found(`assigned_host_id=${a}`)).toEqual([booked.id])
      for (const member of [b, r]) expect(await found(`assigned_host_id=${member}`)).toEqual([])
    }
  })

  it('is found by a host who was required when it was made', async () => {
    const { key, id, r } = await team({ pool_size: 1 })
    const { body: booked } = await book(id, SLOT)
    await call('PATCH', `/v1/event-types/${id}/hosts/${r}`, { key, body: { part: 'pool' } })
    for (const sort of ['', '&sort=start_time']) {
      const { data } = (await call('GET', `/v1/bookings?member_id=${r}${sort}`, { key })).body
      expect(data.map((row: any) => row.id)).toEqual([booked.id])
    }
  })

  it('comes from a hold with the same hosts, and from the waitlist with free ones', async () => {
    const { key, id, a, b, r } = await team({ waitlist_enabled: true })
    const body = { event_type_id: id, start_time: iso(SLOT) }
    const held = (await call('POST', '/v1/holds', { body })).body
    expect(idsOf(held)).toEqual([a, b, r])
    expect(await heldBy(held.id)).toEqual([a, b, r].sort())
    const waits = { ...body, invitee_name: 'Grace', invitee_email: 'grace@example.com' }
    expect((await call('POST', '/v1/waitlist', { body: waits })).status).toBe(201)
    const invitee = { invitee_name: 'Ada', invitee_email: 'ada@example.com' }
    const confirmed = await call('POST', `/v1/holds/${held.id}/confirm?token=${held.token}`, {
      body: invitee,
    })
    expect([confirmed.status, idsOf(confirmed.body)]).toEqual([201, [a, b, r]])
    await call('POST', `/v1/bookings/${confirmed.body.id}/cancel`, { key })
    const { data } = (await call('GET', '/v1/bookings?status=confirmed', { key })).body
    expect(data).toHaveLength(1)
    expect([data[0].invitee_email, new Set(idsOf(data[0])).size, idsOf(data[0])[2]]).toEqual([
      'grace@example.com',
      3,
      r,
    ])
    expect(await heldBy(data[0].id)).toEqual(idsOf(data[0]).sort())
  })

  it('is requested, approved and made as a series with all of them', async () => {
    const { key, id, a, b, c, r } = await team({ requires_approval: true })
    const { body: asked } = await book(id, SLOT)
    const approved = await call('POST', `/v1/bookings/${asked.id}/approve`, { key })
    expect([approved.body.status, idsOf(approved.body)]).toEqual(['confirmed', [a, b, r]])
    await call('PATCH', `/v1/event-types/${id}`, { key, body: { requires_approval: false } })
    const series = await call('POST', '/v1/series', {
      key,
      body: {
        event_type_id: id,
        starts: [half(48), half(49)].map(iso),
        invitee_name: 'Ada',
        invitee_email: 'series@example.com',
      },
    })
    expect(series.body.bookings.map(idsOf)).toEqual([
      [c, a, r],
      [b, c, r],
    ])
  })

  it('is a session of all of them, which moves and is handed over as a whole', async () => {
    const { key, id, a, b, c, r } = await team({ max_attendees: 5 })
    const { body: first } = await book(id, SLOT)
    const { body: second } = await bookAsAnother(id, SLOT)
    expect([idsOf(first), idsOf(second)]).toEqual([
      [a, b, r],
      [a, b, r],
    ])
    const path = `/v1/sessions/${first.session_id}/reschedule`
    const moved = await call('POST', path, { key, body: { new_start_time: iso(half(2)) } })
    expect([moved.status, idsOf(moved.body)]).toEqual([200, [a, b, r]])
    const body = { from_member_id: b }
    const handed = await call('POST', `/v1/bookings/${second.id}/reassign`, { key, body })
    expect([handed.status, idsOf(handed.body)]).toEqual([200, [a, c, r]])
    const [{ body: one }, list] = await Promise.all([
      call('GET', `/v1/bookings/${first.id}`, { key }),
      call('GET', `/v1/event-types/${id}/sessions`, { key }),
    ])
    expect([idsOf(one), idsOf(list.body.data[0])]).toEqual([
      [a, c, r],
      [a, c, r],
    ])
    expect(await heldBy(first.session_id)).toEqual([a, c, r].sort())
  })
})

describe('a member who leaves', () => {
  it('is replaced by another of the pool who takes part, and by nobody if they were required', async () => {
    const { organization, key, id, a, b, r } = await team()
    const { body: booked } = await book(id, SLOT)
    const leave = (memberId: string) =>
      callAsService('DELETE', `/v1/organizations/${organization.id}/members/${memberId}`, {
        headers: { 'X-Org-Id': organization.id },
      })
    const read = async () => (await call('GET', `/v1/bookings/${booked.id}`, { key })).body
    await leave(r)
    expect([idsOf(await read()), (await read()).needs_host]).toEqual([[a, b], false])
    await leave(a)
    expect([idsOf(await read()), (await read()).needs_host]).toEqual([[b], false])
    await leave(b)
    expect([idsOf(await read()), (await read()).needs_host]).toEqual([[], true])
  })

  it('leaves a meeting of required hosts without one until somebody of the pool takes over', async () => {
    const { organization, key, id, a, b, r } = await team({ pool_size: 1 })
    const { body: booked } = await book(id, SLOT)
    const path = `/v1/organizations/${organization.id}/members/${a}`
    await callAsService('DELETE', path, { headers: { 'X-Org-Id': organization.id } })
    const { body: left } = await call('GET', `/v1/bookings/${booked.id}`, { key })
    expect([left.needs_host, left.assigned_host, idsOf(left)]).toEqual([true, null, [r]])
    const taken = await call('POST', `/v1/bookings/${booked.id}/reassign`, { key, body: {} })
    expect([taken.status, idsOf(taken.body), taken.body.needs_host]).toEqual([200, [b, r], false])
  })
})

describe('everybody who takes part', () => {
  it('gets one email each when it is booked, moved and cancelled, and nobody else does', async () => {
    const { key, id, a, b, c, r, emails } = await team({}, 'test')
    const { body: booked } = await book(id, SLOT)
    for (const member of [a, b, r]) await lettersTo(key, emails.get(member)!, 1)
    const { id: other } = await createEventType(key, { assignment_strategy: 'round_robin' })
    await addHost(key, other, b)
    await book(other, half(1))
    await lettersTo(key, emails.get(b)!, 2)
    const body = { new_start_time: iso(half(1)) }
    const moved = await call('POST', `/v1/bookings/${booked.id}/reschedule`, { key, body })
    expect(idsOf(moved.body)).toEqual([a, c, r])
    await lettersTo(key, emails.get(b)!, 3)
    for (const [member, count] of [
      [a, 2],
      [c, 1],
      [r, 2],
    ] as const)
      await lettersTo(key, emails.get(member)!, count)
    await call('POST', `/v1/bookings/${booked.id}/cancel`, { key })
    for (const [member, count] of [
      [a, 3],
      [c, 2],
      [r, 3],
      [b, 3],
    ] as const)
      await lettersTo(key, emails.get(member)!, count)
  })

  it('has it in the calendar that receives their bookings, and only while they take part', async () => {
    const { organization, key, id, a, b, c, r } = await team()
    const calendars = new Map<string, string>()
    for (const memberId of [a, b, c, r])
      calendars.set(
        memberId,
        await insertConnection(organization, 'live', { memberId, calendarId: memberId }),
      )
    const of = (...members: string[]) => members.map((one) => calendars.get(one)!).sort()
    const { body: booked } = await book(id, SLOT)
    expect(booked.calendar_connection_id).toBe(calendars.get(a))
    expect(await heldBy(booked.id)).toEqual([a, b, r, ...of(a, b, r)].sort())
    const written = async () => {
      const { results } = await env.DB.prepare(
        'SELECT connection_id, wants_meeting FROM calendar_writes WHERE holder_id = ? ORDER BY 1',
      )
        .bind(booked.id)
        .all<{ connection_id: string }>()
      return results.map(({ connection_id }) => connection_id)
    }
    expect(await written()).toEqual(of(a, b, r))
    const body = { from_member_id: b }
    await call('POST', `/v1/bookings/${booked.id}/reassign`, { key, body })
    expect(await written()).toEqual(of(a, b, c, r))
    expect(await heldBy(booked.id)).toEqual([a, c, r, ...of(a, c, r)].sort())
  })
})
