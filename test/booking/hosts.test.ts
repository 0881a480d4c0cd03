import { env } from 'cloudflare:workers'
import { describe, expect, it } from 'vitest'
import { call, callAsService } from '../support/app.ts'
import {
  book,
  bookAsAnother,
  bookingInput,
  createEventType,
  createOrganization,
  dayFromNow,
  iso,
  openStarts,
} from '../support/factories.ts'
import { addHost, addHosts, createMember } from '../support/hosts.ts'

const MINUTE_MS = 60_000
const HOUR_MS = 60 * MINUTE_MS
const SLOT = dayFromNow(3) + 10 * HOUR_MS
const half = (at: number) => SLOT + at * 30 * MINUTE_MS

async function hosted(count: number, input: Record<string, unknown> = {}) {
  const organization = await createOrganization()
  const key = organization.liveKey
  const { id } = await createEventType(key, { assignment_strategy: 'round_robin', ...input })
  const memberIds = await addHosts(organization, key, id, count)
  return { organization, key, id, memberIds }
}

async function hostOf(eventTypeId: string, start: number): Promise<string> {
  const { status, body } = await book(eventTypeId, start)
  if (status !== 201) throw new Error(JSON.stringify(body))
  return body.assigned_host.member_id
}

function listHosts(key: string, eventTypeId: string) {
  return call('GET', `/v1/event-types/${eventTypeId}/hosts`, { key })
}

/** No resource is in two places, and every hold belongs to an active booking or its session. */
async function expectSoundHolds() {
  const { results } = await env.DB.prepare(
    `SELECT a.resource_id FROM holds a JOIN holds b ON a.resource_id = b.resource_id AND a.kept_by = b.kept_by AND a.starts_at <> b.starts_at
     AND a.starts_at < b.ends_at AND b.starts_at < a.ends_at`,
  ).all()
  expect(results).toEqual([])
}

describe('hosts of an event type', () => {
  it('are added, listed in the order of priority, then age, and removed by either id', async () => {
    const { organization, key, id, memberIds } = await hosted(2)
    const member = await createMember(organization)
    const first = await addHost(key, id, member.id, { priority: 1, weight: 300 })
    expect(first).toEqual({
      id: expect.any(String),
      event_type_id: id,
      member_id: member.id,
      member_email: `${member.userId}@example.com`,
      name: null,
      priority: 1,
      schedule_id: null,
      weight: 300,
      part: 'pool',
      total_bookings: 0,
      last_booking_at: null,
      has_calendar: false,
      created_at: expect.any(String),
    })
    const { body } = await listHosts(key, id)
    expect(body.data.map((host: any) => host.member_id)).toEqual([member.id, ...memberIds])
    expect(body.data[0]).toEqual(first)
    expect(body.data[1]).toMatchObject({ priority: 50, weight: 100 })

    for (const hostId of [first.id, memberIds[0]]) {
      const path = `/v1/event-types/${id}/hosts/${hostId}`
      expect((await call('DELETE', path, { key })).status).toBe(204)
      expect((await call('DELETE', path, { key })).status).toBe(404)
    }
    const left = await listHosts(key, id)
    expect(left.body.data.map((host: any) => host.member_id)).toEqual([memberIds[1]])
  })

  it('are members of the same organization, each once', async () => {
    const { key, id, memberIds } = await hosted(1)
    const outsider = await createMember(await createOrganization())
    const add = (member_id: unknown, more = {}) =>
      call('POST', `/v1/event-types/${id}/hosts`, { key, body: { member_id, ...more } })
    expect((await add(memberIds[0])).status).toBe(409)
    expect((await add(outsider.id)).body.error.code).toBe('not_found')
    expect((await add(crypto.randomUUID())).status).toBe(404)
    for (const bad of [
      { priority: 0 },
      { priority: 101 },
      { weight: 0 },
      { weight: 1001 },
      { weight: 1.5 },
    ]) {
      expect((await add(memberIds[0], bad)).body.error.code).toBe('validation_error')
    }
  })

  it('go once to each of many parallel calls with one member', async () => {
    const { organization, key, id } = await hosted(0)
    const member = await createMember(organization)
    const answers = await Promise.all(
      Array.from({ length: 8 }, () =>
        call('POST', `/v1/event-types/${id}/hosts`, { key, body: { member_id: member.id } }),
      ),
    )
    expect(answers.map(({ status }) => status).sort()).toEqual([201, ...Array(7).fill(409)])
  })

  it('are added once by a repeated Idempotency-Key', async () => {
    const { organization, key, id } = await hosted(0)
    const member = await createMember(organization)
    const add = () =>
      call('POST', `/v1/event-types/${id}/hosts`, {
        key,
        headers: { 'Idempotency-Key': 'once' },
        body: { member_id: member.id },
      })
    const [first, again] = [await add(), await add()]
    expect([first.status, again.status]).toEqual([201, 201])
    expect(again.body).toEqual(first.body)
    expect(again.headers.get('Idempotent-Replayed')).toBe('true')
  })

  it('host nothing any more once they leave the organization; their bookings need another host', async () => {
    const { organization, key, id, memberIds } = await hosted(2)
    const booked = await book(id, SLOT)
    const left = booked.body.assigned_host.member_id
    const path = `/v1/organizations/${organization.id}/members/${left}`
    const removed = await callAsService('DELETE', path, { headers: { 'X-Org-Id': organization.id } })
    expect(removed.status).toBe(204)
    const { body } = await listHosts(key, id)
    expect(body.data.map((host: any) => host.member_id)).toEqual(memberIds.filter((one) => one !== left))
    const read = await call('GET', `/v1/bookings/${booked.body.id}`, { key })
    expect(read.body).toMatchObject({ status: 'confirmed', assigned_host: null, needs_host: true })
  })

  it('keep their bookings when they are removed', async () => {
    const { key, id, memberIds } = await hosted(1)
    const booked = await book(id, SLOT)
    await call('DELETE', `/v1/event-types/${id}/hosts/${memberIds[0]}`, { key })
    const read = await call('GET', `/v1/bookings/${booked.body.id}`, { key })
    expect(read.body).toMatchObject({ status: 'confirmed', assigned_host: { member_id: memberIds[0] } })
    const refused = await book(id, half(1))
    expect(refused.body.error).toMatchObject({ code: 'no_host_available', details: { hosts_checked: 0 } })
    expect(await openStarts(id, dayFromNow(3))).toEqual([])
  })
})

describe('a collective meeting', () => {
  it('names its host as they were called then', async () => {
    const { key, id, memberIds } = await hosted(1)
    await env.DB.prepare("UPDATE members SET name = 'Grace Hopper' WHERE id = ?").bind(memberIds[0]!).run()
    const { body: booked } = await book(id, SLOT)
    expect(booked.assigned_host).toMatchObject({ member_id: memberIds[0], name: 'Grace Hopper' })
    expect((await listHosts(key, id)).body.data[0]).toMatchObject({ name: 'Grace Hopper' })
  })

  it('needs every host and holds them all; the first by priority, then age, is assigned', async () => {
    const { key, id, memberIds } = await hosted(2, { assignment_strategy: 'none' })
    const other = await createEventType(key, { assignment_strategy: 'round_robin' })
    await addHost(key, other.id, memberIds[1]!)
    const booked = await book(id, SLOT)
    expect(booked.body.assigned_host).toEqual({
      member_id: memberIds[0],
      user_id: null,
      email: null,
      name: null,
    })
    const { body: seen } = await call('GET', `/v1/bookings/${booked.body.id}`, { key })
    expect(seen.assigned_host).toEqual({
      member_id: memberIds[0],
      user_id: expect.any(String),
      email: expect.any(String),
      name: null,
    })
    expect(await openStarts(other.id, dayFromNow(3))).not.toContain(iso(SLOT))
    const busy = await book(other.id, SLOT)
    expect(busy.body.error.code).toBe('no_host_available')

    expect((await book(other.id, half(2))).status).toBe(201)
    expect(await openStarts(id, dayFromNow(3))).not.toContain(iso(half(2)))
    const refused = await book(id, half(2))
    expect([refused.status, refused.body.error.code]).toEqual([409, 'conflict'])
    expect(refused.body.error.details.alternatives).toHaveLength(3)
    const totals = async () => (await listHosts(key, id)).body.data.map((host: any) => host.total_bookings)
    expect(await totals()).toEqual([1, 1])
    await call('PATCH', `/v1/event-types/${id}/hosts/${memberIds[1]}`, { key, body: { priority: 1 } })
    const to = { new_start_time: iso(half(3)) }
    const moved = await call('POST', `/v1/bookings/${booked.body.id}/reschedule`, { key, body: to })
    expect(moved.body.assigned_host.member_id).toBe(memberIds[1])
    // All were counted for it before.
    expect(await totals()).toEqual([1, 1])
  })

  it('counts for the hosts who were there, not for those who join later, whatever the strategy becomes', async () => {
    const { organization, key, id, memberIds } = await hosted(2, { assignment_strategy: 'none' })
    expect((await book(id, half(0))).status).toBe(201)
    expect((await bookAsAnother(id, half(1))).status).toBe(201)
    const counts = async () =>
      (await listHosts(key, id)).body.data.map((host: any) => [
        host.total_bookings,
        host.last_booking_at !== null,
      ])
    expect(await counts()).toEqual(Array(2).fill([2, true]))
    const [late] = await addHosts(organization, key, id, 1)
    expect(await counts()).toEqual([...Array(2).fill([2, true]), [0, false]])
    expect((await bookAsAnother(id, half(2))).status).toBe(201)
    expect(await counts()).toEqual([...Array(2).fill([3, true]), [1, true]])

    const change = { assignment_strategy: 'availability_weighted' }
    expect((await call('PATCH', `/v1/event-types/${id}`, { key, body: change })).status).toBe(200)
    expect(await counts()).toEqual([...Array(2).fill([3, true]), [1, true]])
    expect(await hostOf(id, half(3))).toBe(late)
    const [changed] = (await listHosts(key, id)).body.data
    const path = `/v1/event-types/${id}/hosts/${changed.id}`
    const { body } = await call('PATCH', path, { key, body: { weight: 200 } })
    expect(body).toEqual({ ...changed, weight: 200 })
    expect(memberIds).toContain(body.member_id)
  })

  it('was the last assignment of all its hosts, so the next one of a strategy follows their order', async () => {
    const { key, id, memberIds } = await hosted(3)
    expect(await hostOf(id, half(0))).toBe(memberIds[0])
    const become = (assignment_strategy: string) =>
      call('PATCH', `/v1/event-types/${id}`, { key, body: { assignment_strategy } })
    await become('none')
    expect((await bookAsAnother(id, half(1))).status).toBe(201)
    await become('least_recent')
    expect(await hostOf(id, half(2))).toBe(memberIds[0])
    expect(await hostOf(id, half(3))).toBe(memberIds[1])
  })

  it('that was held counts for all its hosts when it is confirmed', async () => {
    const { key, id } = await hosted(2, { assignment_strategy: 'none' })
    const held = await call('POST', '/v1/holds', { body: { event_type_id: id, start_time: iso(SLOT) } })
    expect(held.status).toBe(201)
    const { event_type_id: _, start_time: __, ...invitee } = bookingInput(id, SLOT)
    const path = `/v1/holds/${held.body.id}/confirm?token=${held.body.token}`
    const confirmed = await call('POST', path, { body: invitee })
    expect(confirmed.status).toBe(201)
    const { body } = await listHosts(key, id)
    expect(body.data.map((host: any) => host.total_bookings)).toEqual([1, 1])
  })
})

describe('round robin', () => {
  it('goes round in the order of priority, then age, and is exact under parallel calls', async () => {
    const { key, id, memberIds } = await hosted(3)
    const given: string[] = []
    for (let at = 0; at < 4; at++) given.push(await hostOf(id, half(at)))
    expect(given).toEqual([...memberIds, memberIds[0]])

    const answers = await Promise.all(Array.from({ length: 30 }, (_, at) => bookAsAnother(id, half(10 + at))))
    expect(answers.every(({ status }) => status === 201)).toBe(true)
    const { body } = await listHosts(key, id)
    const totals = body.data.map((host: any) => host.total_bookings)
    expect(totals.reduce((sum: number, one: number) => sum + one, 0)).toBe(34)
    expect(Math.max(...totals) - Math.min(...totals)).toBeLessThanOrEqual(1)
    for (const host of body.data) expect(host.last_booking_at).toEqual(expect.any(String))
    await expectSoundHolds()
  })

  it('follows the order in which hosts were added, even when the clock does not move and whatever the age of the members', async () => {
    const organization = await createOrganization()
    const key = organization.testKey
    await call('PUT', '/v1/test-data/clock', { key, body: { now: iso(dayFromNow(1)) } })
    const { id } = await createEventType(key, { assignment_strategy: 'round_robin' })
    const added: string[] = []
    for (let at = 0; at < 3; at++) added.unshift((await createMember(organization)).id)
    for (const memberId of added) await addHost(key, id, memberId)
    const given: string[] = []
    for (let at = 0; at < 3; at++) given.push(await hostOf(id, half(at)))
    expect(given).toEqual(added)
  })

  it('books one start once per host and offers it until no host is left', async () => {
    const { id, memberIds } = await hosted(3)
    const answers = await Promise.all(Array.from({ length: 20 }, () => book(id, SLOT)))
    const won = answers.filter(({ status }) => status === 201)
    expect(new Set(won.map(({ body }) => body.assigned_host.member_id))).toEqual(new Set(memberIds))
    expect(won).toHaveLength(3)
    for (const { status, body } of answers) {
      if (status === 201) continue
      expect([status, body.error.code]).toEqual([409, 'no_host_available'])
      expect(body.error.details).toEqual({ requested_time: iso(SLOT), hosts_checked: 3 })
    }
    expect(await openStarts(id, dayFromNow(3))).not.toContain(iso(SLOT))
    expect(await openStarts(id, dayFromNow(3))).toContain(iso(half(1)))
    const cancelled = won[1]!.body
    await call('POST', `/v1/bookings/${cancelled.id}/cancel?token=${cancelled.cancel_token}`)
    expect(await hostOf(id, SLOT)).toBe(cancelled.assigned_host.member_id)
  })

  it('skips the busy and goes on after whom it took', async () => {
    const { key, id, memberIds } = await hosted(3)
    const other = await createEventType(key)
    await addHost(key, other.id, memberIds[0]!)
    await book(other.id, SLOT)
    expect(await hostOf(id, SLOT)).toBe(memberIds[1])
    expect(await hostOf(id, half(1))).toBe(memberIds[2])
    expect(await hostOf(id, half(2))).toBe(memberIds[0])
  })

  it('answers conflict, not no_host_available, to a start that is not a slot', async () => {
    const { id } = await hosted(1)
    for (const start of [SLOT + MINUTE_MS, Date.now() - HOUR_MS]) {
      const { status, body } = await book(id, start)
      expect([status, body.error.code]).toEqual([409, 'conflict'])
    }
  })
})

describe('the other strategies', () => {
  it('least_recent takes the host without a new booking for the longest time, even when the clock does not move', async () => {
    const organization = await createOrganization()
    const key = organization.testKey
    const now = dayFromNow(1)
    await call('PUT', '/v1/test-data/clock', { key, body: { now: iso(now) } })
    const { id } = await createEventType(key, { assignment_strategy: 'least_recent' })
    const memberIds = await addHosts(organization, key, id, 3)
    const given: string[] = []
    for (let at = 0; at < 6; at++) given.push(await hostOf(id, half(at)))
    expect(given).toEqual([...memberIds, ...memberIds])
  })

  it('least_bookings takes the fewest upcoming bookings, and on a tie never a busy host', async () => {
    const { key, id, memberIds } = await hosted(3, { assignment_strategy: 'least_bookings' })
    expect(await hostOf(id, SLOT)).toBe(memberIds[0])
    // The other two tie, and the first of them is busy elsewhere.
    const other = await createEventType(key)
    await addHost(key, other.id, memberIds[1]!)
    expect((await book(other.id, half(1))).status).toBe(201)
    expect(await hostOf(id, half(1))).toBe(memberIds[2])
    expect(await hostOf(id, half(2))).toBe(memberIds[1])
    // All tie now; the first is busy at its own start.
    expect(await hostOf(id, SLOT)).toBe(memberIds[1])
    await expectSoundHolds()
  })

  it('availability_weighted takes the most free time around the slot, then the weights', async () => {
    const { key, id, memberIds } = await hosted(2, { assignment_strategy: 'availability_weighted' })
    const other = await createEventType(key, { duration_minutes: 120 })
    await addHost(key, other.id, memberIds[0]!)
    expect((await book(other.id, dayFromNow(4))).status).toBe(201)
    expect(await hostOf(id, SLOT)).toBe(memberIds[1])
    // Far from that meeting both are free alike.
    const far = dayFromNow(12) + 10 * HOUR_MS
    expect(await hostOf(id, far)).toBe(memberIds[0])
  })

  it('availability_weighted divides a week by the weights, and leaves out what was cancelled or handed over', async () => {
    const { key, id, memberIds } = await hosted(2, { assignment_strategy: 'availability_weighted' })
    const [heavy, light] = memberIds
    const { body: hosts } = await listHosts(key, id)
    const path = `/v1/event-types/${id}/hosts/${hosts.data[0].id}`
    await call('PATCH', path, { key, body: { weight: 300 } })
    const given: string[] = []
    for (let at = 0; at < 16; at++) {
      const { body } = await bookAsAnother(id, SLOT + at * HOUR_MS)
      given.push(body.assigned_host.member_id)
    }
    expect(given.filter((one) => one === heavy)).toHaveLength(12)
    // Another week begins with nobody's bookings.
    const far = dayFromNow(30) + 10 * HOUR_MS
    const { body: first } = await book(id, far)
    expect(first.assigned_host.member_id).toBe(heavy)
    await call('POST', `/v1/bookings/${first.id}/reassign`, { key, body: { member_id: light } })
    const next = [1, 2, 3, 4].map((at) => far + at * HOUR_MS)
    for (const start of next) expect(await hostOf(id, start)).toBe(heavy)
  })
})

describe('hosts that event types share', () => {
  it('are never in two places, whichever event type books them at the same moment', async () => {
    const { key, id, memberIds } = await hosted(2)
    const other = await createEventType(key, {
      assignment_strategy: 'least_bookings',
      buffer_after_minutes: 15,
    })
    const third = await createEventType(key, { assignment_strategy: 'none', duration_minutes: 60 })
    for (const eventTypeId of [other.id, third.id]) {
      for (const memberId of memberIds) await addHost(key, eventTypeId, memberId)
    }
    const types = [id, other.id, third.id]
    const answers = await Promise.all(
      Array.from({ length: 45 }, (_, at) =>
        book(types[at % 3]!, SLOT + Math.floor((at % 9) / 3) * HOUR_MS).then(({ status }) => status),
      ),
    )
    expect(new Set(answers)).toEqual(new Set([201, 409]))
    await expectSoundHolds()
  })

  it('lose no booking to a race that another host could have taken', async () => {
    const { key, id, memberIds } = await hosted(3)
    const other = await createEventType(key, { assignment_strategy: 'round_robin' })
    for (const memberId of memberIds) await addHost(key, other.id, memberId)
    const answers = await Promise.all([id, other.id, id].map((eventTypeId) => book(eventTypeId, SLOT)))
    expect(answers.map(({ status }) => status)).toEqual([201, 201, 201])
    await expectSoundHolds()
  })

  it('keep their real time free of what the sandbox books', async () => {
    const { organization, id, memberIds } = await hosted(1)
    const test = await createEventType(organization.testKey, { assignment_strategy: 'round_robin' })
    await addHost(organization.testKey, test.id, memberIds[0]!)
    expect((await book(test.id, SLOT)).status).toBe(201)
    expect((await book(id, SLOT)).status).toBe(201)
  })
})

describe('a booking with a host', () => {
  it('is found by its host and keeps that host when it is moved, if the host is free', async () => {
    const { key, id, memberIds } = await hosted(2)
    const first = (await book(id, SLOT)).body
    const second = (await book(id, SLOT)).body
    const list = await call('GET', `/v1/bookings?assigned_host_id=${memberIds[1]}`, { key })
    expect(list.body.data.map(({ id }: { id: string }) => id)).toEqual([second.id])

    const move = (booking: any, start: number) =>
      call('POST', `/v1/bookings/${booking.id}/reschedule?token=${booking.cancel_token}`, {
        body: { new_start_time: iso(start) },
      })
    const moved = await move(first, half(1))
    expect(moved.body.assigned_host.member_id).toBe(memberIds[0])
    // Its host is busy at half past now.
    const third = (await book(id, half(4))).body
    expect(third.assigned_host.member_id).toBe(memberIds[0])
    const assigned = await move(third, half(1))
    expect(assigned.body.assigned_host.member_id).toBe(memberIds[1])
    const nobody = await move(second, half(1))
    expect(nobody.body.error.code).toBe('no_host_available')
    await expectSoundHolds()
  })

  it('is one of the offered slots, and every offered slot can be booked', async () => {
    const { key, id, memberIds } = await hosted(2, { duration_minutes: 60, buffer_before_minutes: 15 })
    const other = await createEventType(key, { duration_minutes: 45, buffer_after_minutes: 10 })
    await addHost(key, other.id, memberIds[0]!)
    await book(other.id, SLOT - 15 * MINUTE_MS)
    await book(id, SLOT)
    const day = dayFromNow(3)
    for (let round = 0; ; round++) {
      const open = await openStarts(id, day)
      if (open.length === 0) break
      const answers = await Promise.all(open.map((start) => bookAsAnother(id, Date.parse(start))))
      expect(answers[0]!.status).toBe(201)
      expect(round).toBeLessThan(10)
    }
    await expectSoundHolds()
  })
})

describe('what is booked when hosts or strategies change', () => {
  const removeHost = (key: string, id: string, memberId: string) =>
    call('DELETE', `/v1/event-types/${id}/hosts/${memberId}`, { key })
  const patch = (key: string, id: string, body: Record<string, unknown>) =>
    call('PATCH', `/v1/event-types/${id}`, { key, body })

  /** Neither offered nor booked at SLOT, and both half an hour later. */
  async function expectTaken(id: string) {
    const open = await openStarts(id, SLOT)
    expect(open).not.toContain(iso(SLOT))
    expect(open).toContain(iso(half(1)))
    expect((await book(id, SLOT)).status).toBe(409)
    await expectSoundHolds()
  }

  it('keeps its time when the first hosts come, with a strategy and without', async () => {
    for (const strategy of ['none', 'round_robin']) {
      const { organization, key, id } = await hosted(0, { assignment_strategy: 'none' })
      const { body: booked } = await book(id, SLOT)
      await addHosts(organization, key, id, 2)
      await patch(key, id, { assignment_strategy: strategy })
      await expectTaken(id)
      await call('POST', `/v1/bookings/${booked.id}/cancel`, { key })
      expect((await book(id, SLOT)).status).toBe(201)
    }
  })

  it('keeps its time when the last host leaves, the event type or the organization', async () => {
    for (const [strategy, isMember] of [
      ['none', false],
      ['none', true],
      ['round_robin', false],
    ] as const) {
      const { organization, key, id, memberIds } = await hosted(1, { assignment_strategy: strategy })
      const { body: booked } = await book(id, SLOT)
      if (isMember) {
        await callAsService('DELETE', `/v1/organizations/${organization.id}/members/${memberIds[0]}`, {
          headers: { 'X-Org-Id': organization.id },
        })
      } else await removeHost(key, id, memberIds[0]!)
      await patch(key, id, { assignment_strategy: 'none' })
      await expectTaken(id)
      // Whoever comes in their place, and back again.
      const [next] = await addHosts(organization, key, id, 1)
      await expectTaken(id)
      if (!isMember) {
        await addHost(key, id, memberIds[0]!)
        await removeHost(key, id, next!)
        await removeHost(key, id, memberIds[0]!)
      }
      await expectTaken(id)
      await call('POST', `/v1/bookings/${booked.id}/cancel`, { key })
      const { results } = await env.DB.prepare('SELECT * FROM holds WHERE holder_id = ?')
        .bind(booked.id)
        .all()
      expect(results).toEqual([])
      expect(await openStarts(id, SLOT)).toContain(iso(SLOT))
    }
  })

  it('keeps its time when a call in test mode removes its host, whatever the clock of the sandbox says', async () => {
    const { organization, id, memberIds } = await hosted(1, { assignment_strategy: 'none' })
    await book(id, SLOT)
    const now = iso(dayFromNow(700))
    await call('PUT', '/v1/test-data/clock', { key: organization.testKey, body: { now } })
    await callAsService('DELETE', `/v1/organizations/${organization.id}/members/${memberIds[0]}`, {
      headers: { 'X-Org-Id': organization.id, 'X-Service-Mode': 'test' },
    })
    await expectTaken(id)
  })

  it('keeps its time between a collective meeting and one host of many, either way', async () => {
    for (const [from, to] of [
      ['none', 'round_robin'],
      ['round_robin', 'none'],
    ]) {
      const { key, id } = await hosted(2, { assignment_strategy: from })
      await book(id, SLOT)
      if (from === 'round_robin') expect(await openStarts(id, SLOT)).toContain(iso(SLOT))
      await patch(key, id, { assignment_strategy: to })
      await expectTaken(id)
    }
  })

  it('leaves the other hosts of a rotation free when one leaves', async () => {
    const { key, id } = await hosted(2)
    const gone = await hostOf(id, SLOT)
    await removeHost(key, id, gone)
    expect(await openStarts(id, SLOT)).toContain(iso(SLOT))
    expect((await book(id, SLOT)).status).toBe(201)
  })

  it('keeps the seats of a session to be joined, and its time for nothing else', async () => {
    const { organization, key, id, memberIds } = await hosted(1, {
      max_attendees: 2,
      buffer_after_minutes: 15,
    })
    await book(id, SLOT)
    await removeHost(key, id, memberIds[0]!)
    await patch(key, id, { assignment_strategy: 'none' })
    expect(await openStarts(id, SLOT)).toContain(iso(SLOT))
    expect(await openStarts(id, SLOT)).not.toContain(iso(half(1)))
    const seat = { invitee_email: 'grace@example.com' }
    expect((await book(id, SLOT, seat)).status).toBe(201)
    expect((await book(id, SLOT, { invitee_email: 'katherine@example.com' })).status).toBe(409)
    await addHosts(organization, key, id, 1)
    expect(await openStarts(id, SLOT)).not.toContain(iso(half(1)))
    await expectSoundHolds()
  })
})
