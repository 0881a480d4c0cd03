import { env } from 'cloudflare:workers'
import { describe, expect, it, vi } from 'vitest'
import { call, callAsService, type Json } from '../support/app.ts'
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
import { addHost, addHosts, createMember } from '../support/hosts.ts'

const MINUTE_MS = 60_000
const HOUR_MS = 60 * MINUTE_MS
const SLOT = dayFromNow(3) + 10 * HOUR_MS
const NEXT = SLOT + 30 * MINUTE_MS

function hold(eventTypeId: string, start: number, input: Json = {}, key?: string) {
  const body = { event_type_id: eventTypeId, start_time: iso(start), ...input }
  return call('POST', '/v1/holds', { body, ...(key && { key }) })
}

function confirm({ id, token }: { id: string; token: string }, input: Json = {}, key?: string) {
  const body = { invitee_name: 'Ada Lovelace', invitee_email: `${unique('ada')}@example.com`, ...input }
  return call('POST', `/v1/holds/${id}/confirm?token=${token}`, { body, ...(key && { key }) })
}

function release({ id, token }: { id: string; token: string }) {
  return call('POST', `/v1/holds/${id}/release?token=${token}`)
}

function join(eventTypeId: string, start: number) {
  const invitee = { invitee_name: 'Grace', invitee_email: 'grace@example.com' }
  return call('POST', '/v1/waitlist', {
    body: { event_type_id: eventTypeId, start_time: iso(start), ...invitee },
  })
}

async function createWorld(input: Json = {}, mode: 'live' | 'test' = 'live') {
  const organization = await createOrganization()
  const key = mode === 'live' ? organization.liveKey : organization.testKey
  const { id } = await createEventType(key, input)
  const setClock = (at: number) =>
    call('PUT', '/v1/test-data/clock', { key: organization.testKey, body: { now: iso(at) } })
  return { organization, key, id: id as string, setClock }
}

/** A sandbox whose clock stands an hour before the slot. */
async function createSandbox(input: Json = {}) {
  const world = await createWorld(input, 'test')
  await world.setClock(SLOT - HOUR_MS)
  return world
}

/** Sets the clock past deadlines without what setting it does at once: as if nobody swept. */
async function passTo(organizationId: string, at: number): Promise<void> {
  await env.DB.prepare('UPDATE organizations SET sandbox_now = ? WHERE id = ?').bind(at, organizationId).run()
}

async function rowsOf(eventTypeId: string) {
  const { results } = await env.DB.prepare('SELECT status FROM slot_holds WHERE event_type_id = ?')
    .bind(eventTypeId)
    .all<{ status: string }>()
  return results.map(({ status }) => status)
}

describe('a hold', () => {
  it('takes an open slot for ten minutes and sends no notification', async () => {
    const { id, key } = await createWorld()
    const before = Date.now()
    const { status, body } = await hold(id, SLOT)
    expect(status).toBe(201)
    expect(body).toMatchObject({
      event_type_id: id,
      status: 'held',
      start_time: iso(SLOT),
      end_time: iso(NEXT),
      seats: 1,
      assigned_host: null,
      booking_id: null,
      is_test: false,
    })
    expect(Date.parse(body.expires_at) - before).toBeGreaterThan(599_000)
    expect(Date.parse(body.expires_at) - before).toBeLessThan(660_000)
    expect(await openStarts(id, SLOT)).not.toContain(iso(SLOT))
    expect((await book(id, SLOT)).body.error.code).toBe('conflict')
    expect((await hold(id, SLOT)).body.error.code).toBe('conflict')
    expect((await call('GET', '/v1/events', { key })).body.data).toEqual([])
    const found = await call('GET', `/v1/holds/${body.id}?token=${body.token}`)
    const { token: _, ...record } = body
    expect(found.body).toEqual(record)
    expect((await call('GET', `/v1/holds/${body.id}`, { key })).body).toEqual(record)
  })

  it('ends at the start if that comes first', async () => {
    const { id, organization } = await createSandbox()
    await passTo(organization.id, SLOT - 2 * MINUTE_MS)
    const { body } = await hold(id, SLOT, { ttl_seconds: 900 })
    expect(body.expires_at).toBe(iso(SLOT))
  })

  it('is read, confirmed and released by its token alone, but for a key of its organization', async () => {
    const { id } = await createWorld()
    const other = await createWorld()
    const { body } = await hold(id, SLOT)
    for (const path of [`/v1/holds/${body.id}`, `/v1/holds/${body.id}?token=wrong`]) {
      expect((await call('GET', path)).status).toBe(401)
    }
    expect((await call('GET', `/v1/holds/${body.id}`, { key: other.key })).status).toBe(404)
    expect((await call('POST', `/v1/holds/${body.id}/release`)).status).toBe(401)
    expect((await confirm({ id: body.id, token: 'wrong' })).status).toBe(401)
    expect((await call('GET', `/v1/holds/${other.id}?token=${body.token}`)).status).toBe(404)
    expect((await call('GET', '/v1/holds/nonsense')).status).toBe(404)
    expect(
      (await call('GET', `/v1/holds/${body.id}`, { headers: { Authorization: `Bearer ${body.token}` } }))
        .status,
    ).toBe(200)
  })

  it('is released at once, and once only', async () => {
    const { id, key } = await createWorld()
    const { body } = await hold(id, SLOT)
    expect((await release(body)).body).toMatchObject({ id: body.id, status: 'released' })
    expect(await openStarts(id, SLOT)).toContain(iso(SLOT))
    expect((await release(body)).body.status).toBe('released')
    const refused = await confirm(body)
    expect([refused.status, refused.body.error.code]).toEqual([409, 'conflict'])
    const other = (await hold(id, SLOT, {}, key)).body
    expect((await call('POST', `/v1/holds/${other.id}/release`, { key })).body.status).toBe('released')
    expect((await book(id, SLOT)).status).toBe(201)
  })

  it('is refused like a booking', async () => {
    const { id, key } = await createWorld({ max_attendees: 3 })
    const refusals: [Json, number, string][] = [
      [{ ttl_seconds: 29 }, 400, 'validation_error'],
      [{ ttl_seconds: 901 }, 400, 'validation_error'],
      [{ seats: 0 }, 400, 'validation_error'],
      [{ start_time: '2026-03-09T13:00:00' }, 400, 'validation_error'],
      [{ event_type_id: 'nonsense' }, 404, 'not_found'],
      [{ duration: 45 }, 400, 'bad_request'],
      [{ seats: 4 }, 400, 'bad_request'],
      [{ start_time: iso(SLOT + MINUTE_MS) }, 409, 'conflict'],
    ]
    for (const [input, status, code] of refusals) {
      const answer = await hold(id, SLOT, input, key)
      expect([answer.status, answer.body.error.code], JSON.stringify(input)).toEqual([status, code])
    }
    expect(await rowsOf(id)).toEqual([])
  })

  it('is the same one for the same Idempotency-Key', async () => {
    const { id, key } = await createWorld()
    const headers = { 'Idempotency-Key': 'once' }
    const body = { event_type_id: id, start_time: iso(SLOT) }
    const first = await call('POST', '/v1/holds', { key, body, headers })
    const again = await call('POST', '/v1/holds', { key, body, headers })
    expect(again.body).toEqual(first.body)
    expect(await rowsOf(id)).toEqual(['held'])
  })

  it('says until when it takes its start, and a booking does not', async () => {
    const { id } = await createWorld()
    const { body: held } = await hold(id, SLOT)
    const answers = [
      await hold(id, SLOT),
      await book(id, SLOT),
      await call('POST', '/v1/bookings?dry_run=true', { body: bookingInput(id, SLOT) }),
    ]
    for (const { status, body } of answers) {
      expect([status, body.error.details.held_until]).toEqual([409, held.expires_at])
      expect(body.error.details.alternatives).toHaveLength(3)
    }
    const closed = await book(id, SLOT + MINUTE_MS)
    expect(closed.body.error.details).not.toHaveProperty('held_until')
    await confirm(held)
    expect((await book(id, SLOT)).body.error.details).not.toHaveProperty('held_until')
  })

  it('of one of two hosts says when one of them is free, once the other one is booked', async () => {
    const { id, organization, key } = await createWorld({ assignment_strategy: 'round_robin' })
    await addHosts(organization, key, id, 2)
    const { body: first } = await hold(id, SLOT, { ttl_seconds: 300 })
    await hold(id, SLOT, { ttl_seconds: 900 })
    const { status, body } = await book(id, SLOT)
    expect([status, body.error.code]).toEqual([409, 'no_host_available'])
    expect(body.error.details.held_until).toBe(first.expires_at)
  })

  it('goes to one of 500 racers', async () => {
    const { id } = await createWorld()
    const answers = await Promise.all(
      Array.from({ length: 500 }, (_, at) => (at % 2 === 0 ? hold(id, SLOT) : book(id, SLOT))),
    )
    const statuses = Map.groupBy(answers, ({ status }) => status)
    expect(statuses.get(201)).toHaveLength(1)
    expect(statuses.get(409)).toHaveLength(499)
  })
})

describe('an expired hold', () => {
  it('blocks nothing from its deadline on, even before a sweep', async () => {
    const { id, organization } = await createSandbox()
    const { body } = await hold(id, SLOT, { ttl_seconds: 60 })
    await passTo(organization.id, Date.parse(body.expires_at) - 1)
    expect(await openStarts(id, SLOT)).not.toContain(iso(SLOT))
    expect((await book(id, SLOT)).status).toBe(409)
    await passTo(organization.id, Date.parse(body.expires_at))
    expect(await rowsOf(id)).toEqual(['held'])
    expect(await openStarts(id, SLOT)).toContain(iso(SLOT))
    expect((await call('GET', `/v1/holds/${body.id}?token=${body.token}`)).body.status).toBe('expired')
    expect((await book(id, SLOT)).status).toBe(201)
    expect(await rowsOf(id)).toEqual(['expired'])
  })

  it('blocks no other event type of its host either', async () => {
    const { id, organization, key } = await createSandbox({ assignment_strategy: 'round_robin' })
    const other = await createEventType(key, { assignment_strategy: 'round_robin' })
    const member = await createMember(organization)
    for (const eventTypeId of [id, other.id]) await addHost(key, eventTypeId, member.id)
    const { body } = await hold(id, SLOT)
    expect(body.assigned_host.member_id).toBe(member.id)
    expect((await book(other.id, SLOT)).body.error.code).toBe('no_host_available')
    await passTo(organization.id, Date.parse(body.expires_at))
    expect(await openStarts(other.id, SLOT)).toContain(iso(SLOT))
    expect((await book(other.id, SLOT)).status).toBe(201)
    expect(await rowsOf(id)).toEqual(['expired'])
    expect((await confirm(body)).body.error.details.code).toBe('hold_expired')
  })

  it('is not remembered after its deadline', async () => {
    const { id } = await createWorld()
    const { body } = await hold(id, SLOT)
    expect(await openStarts(id, SLOT)).not.toContain(iso(SLOT))
    const past = Date.parse(body.expires_at) + 1
    vi.useFakeTimers({ now: past, toFake: ['Date'] })
    try {
      expect(await openStarts(id, SLOT)).toContain(iso(SLOT))
    } finally {
      vi.useRealTimers()
    }
  })

  it('is not confirmed any more, unless its time is still free and the caller asks for that', async () => {
    const { id, organization, key } = await createSandbox()
    const { body } = await hold(id, SLOT)
    await passTo(organization.id, Date.parse(body.expires_at))
    const late = await confirm(body)
    expect([late.status, late.body.error.code, late.body.error.details]).toEqual([
      409,
      'conflict',
      { code: 'hold_expired' },
    ])
    const fresh = await confirm(body, { if_still_free: true })
    expect([fresh.status, fresh.body.start_time]).toEqual([201, iso(SLOT)])
    const again = await confirm(body, { invitee_email: fresh.body.invitee_email })
    expect([again.status, again.body.id]).toEqual([200, fresh.body.id])
    const second = (await hold(id, NEXT)).body
    await passTo(organization.id, Date.parse(second.expires_at))
    expect((await bookAsAnother(id, NEXT)).status).toBe(201)
    const taken = await confirm(second, { if_still_free: true })
    expect([taken.status, taken.body.error.details.alternatives.length]).toEqual([409, 3])
    await call('DELETE', `/v1/event-types/${id}`, { key })
    expect((await confirm(second, { if_still_free: true })).status).toBe(404)
  })

  it('is reserved for a waitlist entry for its time until that entry is promoted', async () => {
    const { id, organization, key, setClock } = await createSandbox({ waitlist_enabled: true })
    const { body } = await hold(id, SLOT)
    const { body: entry } = await join(id, SLOT)
    await passTo(organization.id, Date.parse(body.expires_at))
    expect(await openStarts(id, SLOT)).not.toContain(iso(SLOT))
    expect((await book(id, SLOT)).status).toBe(409)
    const { body: promoted } = await call('GET', `/v1/waitlist/${entry.id}`, { key })
    expect(promoted.status).toBe('promoted')
    const second = (await hold(id, NEXT)).body
    const { body: other } = await join(id, NEXT)
    await setClock(Date.parse(second.expires_at))
    expect((await call('GET', `/v1/waitlist/${other.id}`, { key })).body.status).toBe('promoted')
  })

  it('leaves no start open that is refused once a waitlist entry has taken its time', async () => {
    const input = { waitlist_enabled: true, slot_interval_minutes: 10, buffer_after_minutes: 10 }
    const { id, organization } = await createSandbox(input)
    const { body } = await hold(id, SLOT)
    await join(id, SLOT)
    await passTo(organization.id, Date.parse(body.expires_at))
    const offered = await openStarts(id, SLOT)
    expect(offered).toContain(iso(NEXT + 10 * MINUTE_MS))
    const search = `event_type_ids=${id}&from=${iso(SLOT)}&to=${iso(NEXT + HOUR_MS)}`
    const { body: soonest } = await call('GET', `/v1/availability/search?${search}`)
    expect(soonest.data[0].start_time).toBe(iso(NEXT + 10 * MINUTE_MS))
    const near = [-30, -20, -10, 0, 10, 20, 30].map((minutes) => iso(SLOT + minutes * MINUTE_MS))
    expect(offered.filter((start) => near.includes(start))).toEqual([])
    expect((await book(id, NEXT)).status).toBe(409)
  })
})

describe('confirming a hold', () => {
  it('books its time, once', async () => {
    const { id, key } = await createWorld()
    const { body } = await hold(id, SLOT, { metadata: { cart: 7 } })
    const { status, body: booking } = await confirm(body, { notes: 'Hello' })
    expect(status).toBe(201)
    expect(booking).toMatchObject({
      event_type_id: id,
      status: 'confirmed',
      start_time: iso(SLOT),
      notes: 'Hello',
      metadata: { cart: 7 },
    })
    const again = await confirm(body, { invitee_email: booking.invitee_email })
    expect([again.status, again.body]).toEqual([200, booking])
    const { body: found } = await call('GET', `/v1/holds/${body.id}`, { key })
    expect(found).toMatchObject({ status: 'confirmed', booking_id: booking.id })
    expect((await release(body)).body.status).toBe('confirmed')
    expect((await book(id, SLOT)).status).toBe(409)
    const kinds = (await call('GET', '/v1/events', { key })).body.data.map((one: any) => one.event)
    expect(kinds).toEqual(['booking.created'])
    const cancelled = await call('POST', `/v1/bookings/${booking.id}/cancel?token=${booking.cancel_token}`)
    expect(cancelled.status).toBe(200)
    expect(await openStarts(id, SLOT)).toContain(iso(SLOT))
  })

  it('takes metadata of its own', async () => {
    const { id } = await createWorld()
    const { body } = await hold(id, SLOT, { metadata: { cart: 7 } })
    expect((await confirm(body, { metadata: { cart: 8 } })).body.metadata).toEqual({ cart: 8 })
  })

  it('succeeds whatever happened to hours, cap, host and event type in the meantime', async () => {
    const { id, key, organization } = await createWorld({
      assignment_strategy: 'round_robin',
      booking_cap: 5,
    })
    const member = await createMember(organization)
    const added = await addHost(key, id, member.id)
    const { body } = await hold(id, SLOT)
    await call('PUT', `/v1/event-types/${id}/availability`, { key, body: { rules: [] } })
    expect((await book(id, NEXT)).status).toBe(409)
    await call('PATCH', `/v1/event-types/${id}`, {
      key,
      body: { booking_cap: 1, minimum_notice_minutes: 40_000, active: false },
    })
    await call('DELETE', `/v1/event-types/${id}/hosts/${added.id}`, { key })
    await call('DELETE', `/v1/event-types/${id}`, { key })
    const { status, body: booking } = await confirm(body)
    expect(status).toBe(201)
    expect([booking.start_time, booking.assigned_host.member_id]).toEqual([iso(SLOT), member.id])
  })

  it('is refused by a suspension and by a full month, which leave it held', async () => {
    const { id, organization, key } = await createWorld()
    const { body } = await hold(id, SLOT)
    const patch = (input: Json) =>
      callAsService('PATCH', `/v1/organizations/${organization.id}`, { body: input })
    await patch({ suspended: true })
    expect((await confirm(body)).body.error.code).toBe('org_suspended')
    await patch({ suspended: false, tier: 'free' })
    for (let at = 1; at <= 10; at++)
      await call('POST', '/v1/bookings', {
        key,
        body: {
          event_type_id: id,
          start_time: iso(SLOT + at * HOUR_MS),
          invitee_name: 'A',
          invitee_email: `${unique('a')}@example.com`,
        },
      })
    const full = await confirm(body)
    expect([full.status, full.body.error.code]).toEqual([403, 'plan_limit_exceeded'])
    expect((await hold(id, SLOT + 12 * HOUR_MS)).body.error.code).toBe('plan_limit_exceeded')
    await patch({ tier: 'starter' })
    expect((await confirm(body)).status).toBe(201)
  })

  it('leaves it held if the request is invalid', async () => {
    const { id } = await createWorld({ max_attendees: 4 })
    const { body } = await hold(id, SLOT, { seats: 2 })
    const guests = (count: number) =>
      Array.from({ length: count }, (_, at) => ({ name: 'Guest', email: `guest${at}@example.com` }))
    expect((await confirm(body, { invitee_email: 'nobody' })).body.error.code).toBe('validation_error')
    expect((await confirm(body, { attendees: guests(2) })).body.error.code).toBe('bad_request')
    const twice = [...guests(1), ...guests(1)]
    expect((await confirm(body, { attendees: twice })).body.error.code).toBe('bad_request')
    expect((await confirm(body, { attendees: guests(1) })).status).toBe(201)
  })

  it('is not refused by limits per address, or because the address is not verified', async () => {
    const { id, organization } = await createWorld({ verify_email: true, invitee_limit: 1 })
    await callAsService('PATCH', `/v1/organizations/${organization.id}`, {
      body: { public_limits: { active_per_email: 1 } },
    })
    for (const start of [SLOT, NEXT]) {
      const { body } = await hold(id, start)
      expect((await confirm(body, { invitee_email: 'ada@example.com' })).status).toBe(201)
    }
  })

  it('is the same booking for the same Idempotency-Key, and for another one', async () => {
    const { id } = await createWorld()
    const { body } = await hold(id, SLOT)
    const input = { invitee_name: 'Ada', invitee_email: 'ada@example.com' }
    const path = `/v1/holds/${body.id}/confirm?token=${body.token}`
    const send = (key: string) => call('POST', path, { body: input, headers: { 'Idempotency-Key': key } })
    const first = await send('one')
    const answers = [await send('one'), await send('two'), await send('two')]
    expect(answers.map(({ status }) => status)).toEqual([201, 200, 200])
    for (const answer of answers) expect(answer.body).toEqual(first.body)
  })
})

describe('what is held of a session', () => {
  it('is seats, and confirming with fewer releases the rest at once', async () => {
    const { id } = await createWorld({ max_attendees: 5 })
    const { body } = await hold(id, SLOT, { seats: 3 })
    const left = async () => {
      const day = iso(SLOT).slice(0, 10)
      const path = `/v1/availability?event_type_id=${id}&start=${day}&end=${day}&timezone=UTC`
      const { body: told } = await call('GET', path)
      return told.slots.find((slot: any) => slot.start_time === iso(SLOT))?.spots_remaining
    }
    expect(await left()).toBe(2)
    expect((await hold(id, SLOT, { seats: 3 })).status).toBe(409)
    const { status, body: booked } = await confirm(body)
    expect(status).toBe(201)
    expect(await left()).toBe(4)
    const others = await hold(id, SLOT, { seats: 4 })
    expect(others.status).toBe(201)
    expect(await left()).toBe(undefined)
    const twice = await confirm(others.body, { invitee_email: booked.invitee_email })
    expect([twice.status, twice.body.error.code]).toEqual([400, 'bad_request'])
  })

  it('goes to a waitlist entry in the same call if fewer seats are confirmed', async () => {
    const { id, key } = await createWorld({ max_attendees: 3, waitlist_enabled: true })
    const { body } = await hold(id, SLOT, { seats: 3 })
    const { body: entry } = await join(id, SLOT)
    expect((await confirm(body)).status).toBe(201)
    expect((await call('GET', `/v1/waitlist/${entry.id}`, { key })).body.status).toBe('promoted')
  })

  it('is a session that others join once it is confirmed, if there was one seat when it was taken', async () => {
    const { id, key } = await createWorld({ waitlist_enabled: true })
    const taken = (await hold(id, SLOT)).body
    const { body: entry } = await join(id, SLOT)
    const patched = await call('PATCH', `/v1/event-types/${id}`, { key, body: { max_attendees: 3 } })
    expect(patched.status).toBe(200)
    expect(await openStarts(id, SLOT)).not.toContain(iso(SLOT))
    const { body: booked } = await confirm(taken)
    expect((await call('GET', `/v1/waitlist/${entry.id}`, { key })).body.status).toBe('promoted')
    const others = [await bookAsAnother(id, SLOT), await bookAsAnother(id, SLOT)]
    expect(others.map(({ status }) => status)).toEqual([201, 409])
    const withdraw = (one: Json) => call('POST', `/v1/bookings/${one.id}/cancel?token=${one.cancel_token}`)
    expect((await withdraw(booked)).status).toBe(200)
    expect((await bookAsAnother(id, SLOT)).status).toBe(201)
    expect((await bookAsAnother(id, SLOT)).status).toBe(409)
    const { results } = await env.DB.prepare('SELECT id, seats_taken FROM sessions WHERE event_type_id = ?')
      .bind(id)
      .all()
    expect(results).toEqual([{ id: booked.id, seats_taken: 3 }])
  })

  it('is a session while it waits to be approved, if there was one seat when it was taken', async () => {
    const { id, key } = await createWorld({ requires_approval: true })
    const taken = (await hold(id, SLOT)).body
    await call('PATCH', `/v1/event-types/${id}`, { key, body: { max_attendees: 2 } })
    const { body: asked } = await confirm(taken)
    expect(asked.status).toBe('pending_approval')
    const { body: second } = await bookAsAnother(id, SLOT)
    expect((await call('POST', `/v1/bookings/${asked.id}/decline`, { key })).status).toBe(200)
    expect((await call('POST', `/v1/bookings/${second.id}/approve`, { key })).status).toBe(200)
    expect((await bookAsAnother(id, SLOT)).status).toBe(201)
    expect((await bookAsAnother(id, SLOT)).status).toBe(409)
  })

  it('is expired, also if the invitee who began the session moved on and was approved', async () => {
    const { organization, id, key } = await createSandbox({
      requires_approval: true,
      approval_ttl_minutes: 60,
    })
    await passTo(organization.id, SLOT - 24 * HOUR_MS)
    const { body: first } = await bookAsAnother(id, SLOT)
    await call('PATCH', `/v1/event-types/${id}`, { key, body: { max_attendees: 2 } })
    await bookAsAnother(id, SLOT)
    const body = { new_start_time: iso(NEXT) }
    expect((await call('POST', `/v1/bookings/${first.id}/reschedule`, { key, body })).status).toBe(200)
    expect((await call('POST', `/v1/bookings/${first.id}/approve`, { key })).status).toBe(200)
    await passTo(organization.id, SLOT - 23 * HOUR_MS)
    expect(await openStarts(id, SLOT)).toContain(iso(SLOT))
  })

  it('is nothing when a request expired before the event type got more seats, and the next caller can hold the time', async () => {
    const { organization, id, key, setClock } = await createSandbox({
      requires_approval: true,
      approval_ttl_minutes: 60,
      assignment_strategy: 'round_robin',
    })
    const [host] = await addHosts(organization, key, id, 1)
    const { id: other } = await createEventType(key, { assignment_strategy: 'round_robin' })
    await addHost(key, other, host!)
    await passTo(organization.id, SLOT - 24 * HOUR_MS)
    await bookAsAnother(id, SLOT)
    await passTo(organization.id, SLOT - 23 * HOUR_MS)
    // Whoever comes first tidies what is over.
    expect((await bookAsAnother(id, NEXT)).status).toBe(201)
    const changes = { max_attendees: 2, requires_approval: false }
    await call('PATCH', `/v1/event-types/${id}`, { key, body: changes })
    await setClock(SLOT - 23 * HOUR_MS)
    const answers = []
    for (const from of [id, id, id, other]) answers.push(await bookAsAnother(from, SLOT))
    expect(answers.map(({ status }) => status)).toEqual([201, 201, 409, 409])
  })

  it('stays a meeting of its own if a session of another host began at its start in the meantime', async () => {
    const { organization, id, key } = await createWorld({ assignment_strategy: 'round_robin' })
    await addHosts(organization, key, id, 2)
    const taken = (await hold(id, SLOT)).body
    await call('PATCH', `/v1/event-types/${id}`, { key, body: { max_attendees: 2 } })
    const { body: first } = await bookAsAnother(id, SLOT)
    const { status, body: booked } = await confirm(taken)
    expect(status).toBe(201)
    expect(booked.assigned_host.member_id).not.toBe(first.assigned_host.member_id)
    expect((await bookAsAnother(id, SLOT)).body.assigned_host).toEqual(first.assigned_host)
    expect((await bookAsAnother(id, SLOT)).status).toBe(409)
  })

  it('expires at its deadline with the session that nobody else joined', async () => {
    const { id, organization } = await createSandbox({
      max_attendees: 3,
      buffer_after_minutes: 30,
      duration_options: [30, 60],
    })
    const { body } = await hold(id, SLOT, { seats: 3, duration: 60 })
    expect((await hold(id, NEXT)).status).toBe(409)
    await passTo(organization.id, Date.parse(body.expires_at))
    expect(await openStarts(id, SLOT)).toEqual(expect.arrayContaining([iso(SLOT), iso(NEXT)]))
    expect((await bookAsAnother(id, NEXT)).status).toBe(201)
    const { results } = await env.DB.prepare('SELECT start_time FROM sessions WHERE event_type_id = ?')
      .bind(id)
      .all()
    expect(results).toEqual([{ start_time: NEXT }])
  })

  it('keeps a session whose last booking was cancelled, until its own deadline', async () => {
    const { id, organization } = await createSandbox({ max_attendees: 3, buffer_after_minutes: 30 })
    const { body: booking } = await bookAsAnother(id, SLOT)
    const { body } = await hold(id, SLOT, { seats: 2 })
    await call('POST', `/v1/bookings/${booking.id}/cancel?token=${booking.cancel_token}`)
    expect((await hold(id, NEXT)).status).toBe(409)
    await passTo(organization.id, Date.parse(body.expires_at))
    expect(await openStarts(id, SLOT)).toContain(iso(NEXT))
    expect((await hold(id, NEXT)).status).toBe(201)
  })

  it('lives as long as somebody comes, also past the deadline of the first', async () => {
    const { id, organization } = await createSandbox({ max_attendees: 3, buffer_after_minutes: 30 })
    const { body } = await hold(id, SLOT, { seats: 2 })
    expect((await bookAsAnother(id, SLOT)).status).toBe(201)
    await passTo(organization.id, Date.parse(body.expires_at))
    expect((await hold(id, NEXT)).status).toBe(409)
    expect((await hold(id, SLOT, { seats: 2 })).status).toBe(201)
    expect((await hold(id, SLOT)).status).toBe(409)
  })
})

describe('what is held of a cap', () => {
  for (const period of ['total', 'daily']) {
    it(`lowers what remains of a ${period} cap, and expires`, async () => {
      const { id, key, setClock } = await createSandbox({ booking_cap: 2, booking_cap_period: period })
      const told = async () => {
        const { body } = await call('GET', `/v1/event-types/${id}`, { key })
        return [body.booking_count, body.bookings_remaining]
      }
      expect((await bookAsAnother(id, SLOT)).status).toBe(201)
      const { body } = await hold(id, NEXT)
      if (period === 'total') expect(await told()).toEqual([1, 0])
      expect((await bookAsAnother(id, NEXT + HOUR_MS)).body.error.code).toBe('booking_cap_reached')
      expect((await hold(id, NEXT + HOUR_MS)).body.error.code).toBe('booking_cap_reached')
      await setClock(Date.parse(body.expires_at))
      if (period === 'total') expect(await told()).toEqual([1, 1])
      const third = await hold(id, NEXT + HOUR_MS)
      expect(third.status).toBe(201)
      expect((await confirm(third.body)).status).toBe(201)
      expect((await bookAsAnother(id, NEXT)).body.error.code).toBe('booking_cap_reached')
    })
  }
})

describe('the availability of the caller who has a hold', () => {
  it('lists it as open', async () => {
    const { id } = await createWorld()
    const { body } = await hold(id, SLOT)
    const before = (await openStarts(id, SLOT)).length
    const own = await openStarts(id, SLOT, SLOT, `&hold_token=${body.token}`)
    expect(own).toContain(iso(SLOT))
    expect(own).toHaveLength(before + 1)
    expect(own).toEqual(own.toSorted())
    for (const token of ['nonsense', body.token.toLowerCase()]) {
      expect(await openStarts(id, SLOT, SLOT, `&hold_token=${token}`)).toHaveLength(before)
    }
    await release(body)
    expect(await openStarts(id, SLOT, SLOT, `&hold_token=${body.token}`)).toHaveLength(before + 1)
  })

  it('counts its seats as left', async () => {
    const { id } = await createWorld({ max_attendees: 2 })
    const { body } = await hold(id, SLOT, { seats: 2 })
    const day = iso(SLOT).slice(0, 10)
    const path = `/v1/availability?event_type_id=${id}&start=${day}&end=${day}&timezone=UTC&hold_token=${body.token}`
    const { body: told } = await call('GET', path)
    const slot = told.slots.find((one: any) => one.start_time === iso(SLOT))
    expect([slot.spots_remaining, slot.total_capacity]).toEqual([2, 2])
  })
})

describe('an anonymous caller who holds', () => {
  it('holds five slots at a time from one network, unpaid bookings included', async () => {
    const { id, key } = await createWorld()
    const headers = { 'CF-Connecting-IP': '203.0.113.77' }
    const from = (at: number) =>
      call('POST', '/v1/holds', {
        headers,
        body: { event_type_id: id, start_time: iso(SLOT + at * HOUR_MS) },
      })
    const held = []
    for (let at = 0; at < 5; at++) held.push(await from(at))
    expect(held.map(({ status }) => status)).toEqual([201, 201, 201, 201, 201])
    const sixth = await from(5)
    expect([sixth.status, sixth.body.error.details.limit]).toEqual([429, 'pending_per_network'])
    expect(sixth.body.error.details.retry_after).toBeGreaterThan(500)
    expect((await hold(id, SLOT + 6 * HOUR_MS, {}, key)).status).toBe(201)
    await release(held[0]!.body)
    expect((await from(5)).status).toBe(201)
  })

  it('counts with bookings towards what a network may make in an hour', async () => {
    const { id, organization } = await createWorld()
    await callAsService('PATCH', `/v1/organizations/${organization.id}`, {
      body: { public_limits: { bookings_per_network_hour: 2 } },
    })
    const headers = { 'CF-Connecting-IP': '203.0.113.78' }
    const first = await call('POST', '/v1/holds', {
      headers,
      body: { event_type_id: id, start_time: iso(SLOT) },
    })
    await release(first.body)
    const send = () =>
      call('POST', '/v1/holds', { headers, body: { event_type_id: id, start_time: iso(SLOT) } })
    expect((await send()).status).toBe(201)
    const third = await send()
    expect([third.status, third.body.error.details.limit]).toEqual([429, 'bookings_per_network_hour'])
  })
})

describe('a dry run', () => {
  it('holds and confirms nothing, and is answered alike', async () => {
    const { id } = await createWorld()
    const body = { event_type_id: id, start_time: iso(SLOT) }
    const dry = await call('POST', '/v1/holds?dry_run=true', { body })
    expect([dry.status, dry.headers.get('dry-run'), dry.body.status]).toEqual([201, 'true', 'held'])
    expect(await rowsOf(id)).toEqual([])
    const { body: held } = await hold(id, SLOT)
    const path = `/v1/holds/${held.id}/confirm?dry_run=true&token=${held.token}`
    const invitee = { invitee_name: 'Ada', invitee_email: 'ada@example.com' }
    const asked = await call('POST', path, { body: invitee })
    expect([asked.status, asked.body.status]).toEqual([201, 'confirmed'])
    expect(await rowsOf(id)).toEqual(['held'])
    expect((await call('POST', '/v1/holds?dry_run=true', { body })).status).toBe(409)
  })
})
