import { env } from 'cloudflare:workers'
import { describe, expect, it } from 'vitest'
import { sweep } from '../../src/jobs/sweep.ts'
import { call, callAsService } from '../support/app.ts'
import {
  book,
  bookingInput,
  createEventType,
  createOrganization,
  dateOf,
  dayFromNow,
  iso,
  openStarts,
  unique,
} from '../support/factories.ts'
import { addHost, addHosts, createMember } from '../support/hosts.ts'

const MINUTE_MS = 60_000
const HOUR_MS = 60 * MINUTE_MS
const DAY_MS = 24 * HOUR_MS
const SLOT = dayFromNow(3) + 10 * HOUR_MS
const half = (at: number) => SLOT + at * 30 * MINUTE_MS

async function waited(input: Record<string, unknown> = {}, mode: 'live' | 'test' = 'live') {
  const organization = await createOrganization()
  const key = mode === 'live' ? organization.liveKey : organization.testKey
  const { id } = await createEventType(key, { waitlist_enabled: true, ...input })
  return { organization, key, id }
}

/** Waits as the public does, for any slot where `start` is null. */
function wait(id: string, start: number | null = SLOT, input: Record<string, unknown> = {}) {
  const { start_time: _any, ...any } = bookingInput(id, 0)
  const body = {
    ...any,
    ...(start !== null && { start_time: iso(start) }),
    invitee_email: `${unique('w')}@example.com`,
    ...input,
  }
  return call('POST', '/v1/waitlist', { body })
}

const fresh = () => ({ invitee_email: `${unique('b')}@example.com` })

async function entry(key: string, id: string) {
  return (await call('GET', `/v1/waitlist/${id}`, { key })).body
}

async function statusOf(key: string, ...entries: { body: { id: string } }[]) {
  return Promise.all(entries.map(async ({ body }) => (await entry(key, body.id)).status))
}

function cancel({ id, cancel_token }: { id: string; cancel_token: string }) {
  return call('POST', `/v1/bookings/${id}/cancel?token=${cancel_token}`)
}

async function eventsOf(id: string): Promise<{ kind: string; data: any }[]> {
  const { results } = await env.DB.prepare(
    "SELECT kind, data FROM events WHERE data ->> 'event_type_id' = ? ORDER BY sequence",
  )
    .bind(id)
    .all<{ kind: string; data: string }>()
  return results.map(({ kind, data }) => ({ kind, data: JSON.parse(data) }))
}

describe('joining a waitlist', () => {
  it('answers with the entry, its place in the line and a token that only this answer carries', async () => {
    const { key, id } = await waited({ waitlist_ttl_days: 2 })
    await book(id, SLOT)
    const input = { invitee_timezone: 'Europe/London', notes: 'Any news?' }
    const { status, body } = await wait(id, SLOT, { invitee_email: 'ada@example.com', ...input })
    expect(status).toBe(201)
    const { cancel_token, ...told } = body
    expect(cancel_token).toMatch(/^[\w-]{43}$/)
    expect(told).toEqual({
      id: expect.any(String),
      event_type_id: id,
      status: 'waiting',
      position: 1,
      invitee_name: 'Ada Lovelace',
      invitee_email: 'ada@example.com',
      ...input,
      start_time: iso(SLOT),
      expires_at: expect.any(String),
      promoted_booking_id: null,
      promoted_at: null,
      is_test: false,
      created_at: expect.any(String),
      updated_at: expect.any(String),
    })
    expect(Date.parse(told.expires_at) - Date.parse(told.created_at)).toBe(2 * DAY_MS)
    expect((await wait(id)).body.position).toBe(2)
    expect((await wait(id, half(1))).body.position).toBe(1)
    expect((await wait(id, null)).body).toMatchObject({ position: 1, start_time: null })
    expect(await entry(key, told.id)).toEqual(told)
    const soon = await waited({ waitlist_ttl_days: 30 })
    expect((await wait(soon.id)).body.expires_at).toBe(iso(SLOT))
  })

  it('refuses the same address for the same slot, and takes it for another', async () => {
    const { id } = await waited()
    const email = `${unique('twin')}@example.com`
    const answers = await Promise.all(
      Array.from({ length: 5 }, () => wait(id, SLOT, { invitee_email: email })),
    )
    expect(answers.map(({ status }) => status).sort()).toEqual([201, 409, 409, 409, 409])
    for (const { status, body } of answers) {
      if (status === 201) continue
      expect(body.error).toMatchObject({ code: 'conflict', details: { code: 'already_on_waitlist' } })
    }
    const upper = { invitee_email: email.toUpperCase() }
    expect((await wait(id, SLOT, upper)).status).toBe(409)
    expect((await wait(id, half(1), upper)).status).toBe(201)
    expect((await wait(id, null, upper)).status).toBe(201)
    expect((await wait(id, null, upper)).status).toBe(409)
    const won = answers.find(({ status }) => status === 201)!.body
    await call('POST', `/v1/waitlist/${won.id}/cancel?token=${won.cancel_token}`)
    expect((await wait(id, SLOT, upper)).status).toBe(201)
  })

  it('is full when as many wait for the slot as may', async () => {
    const { id } = await waited({ waitlist_max: 3 })
    const answers = await Promise.all(Array.from({ length: 10 }, () => wait(id)))
    expect(answers.filter(({ status }) => status === 201)).toHaveLength(3)
    const refused = answers.find(({ status }) => status === 409)!
    expect(refused.body.error).toMatchObject({ code: 'conflict', details: { code: 'waitlist_full' } })
    expect((await wait(id, half(1))).status).toBe(201)
    const left = answers.find(({ status }) => status === 201)!.body
    await call('POST', `/v1/waitlist/${left.id}/cancel?token=${left.cancel_token}`)
    expect((await wait(id)).status).toBe(201)
  })

  it('is refused without a waitlist, for a slot that never was, and for a length that is not offered', async () => {
    const { id } = await waited()
    const without = await createEventType((await createOrganization()).liveKey)
    for (const answer of [
      await wait(without.id),
      await wait(id, SLOT + MINUTE_MS),
      await wait(id, Date.now() - DAY_MS),
      await wait(id, SLOT, { duration: 45 }),
    ]) {
      expect([answer.status, answer.body.error.code]).toEqual([400, 'bad_request'])
    }
    expect((await wait(crypto.randomUUID())).status).toBe(404)
    expect((await wait('nope')).status).toBe(404)
    expect((await wait(id, SLOT, { invitee_email: 'nobody' })).body.error.code).toBe('validation_error')
  })

  it('is refused for a suspended organization', async () => {
    const { organization, id } = await waited()
    await callAsService('PATCH', `/v1/organizations/${organization.id}`, { body: { suspended: true } })
    const { status, body } = await wait(id)
    expect([status, body.error.code]).toEqual([403, 'org_suspended'])
  })

  it('joins once for a repeated Idempotency-Key and replays the token', async () => {
    const { id } = await waited()
    const body = bookingInput(id, SLOT)
    const ask = () => call('POST', '/v1/waitlist', { body, headers: { 'Idempotency-Key': unique('same') } })
    const headers = { 'Idempotency-Key': 'again' }
    const first = await call('POST', '/v1/waitlist', { body, headers })
    const again = await call('POST', '/v1/waitlist', { body, headers })
    expect(again.body).toEqual(first.body)
    expect(again.headers.get('Idempotent-Replayed')).toBe('true')
    expect((await ask()).status).toBe(409)
  })

  it('is listed by event type and status, newest first, and left by token or key', async () => {
    const { key, id } = await waited()
    const [first, second] = [await wait(id), await wait(id)]
    const list = (query: string) => call('GET', `/v1/waitlist?event_type_id=${id}${query}`, { key })
    expect((await list('')).body.data.map((one: any) => one.id)).toEqual([second.body.id, first.body.id])
    expect((await list('&limit=1')).body.has_more).toBe(true)
    const path = `/v1/waitlist/${first.body.id}/cancel`
    expect((await call('POST', path)).status).toBe(401)
    expect((await call('POST', `${path}?token=${second.body.cancel_token}`)).status).toBe(401)
    const left = await call('POST', `${path}?token=${first.body.cancel_token}`)
    expect(left.body).toMatchObject({ status: 'cancelled', position: 0 })
    expect((await call('POST', path, { key })).body).toEqual(left.body)
    expect((await list('&status=waiting')).body.data).toMatchObject([{ id: second.body.id, position: 1 }])
  })
})

describe('availability with a waitlist', () => {
  it('lists the full slots beside the open ones', async () => {
    const { id } = await waited({ buffer_after_minutes: 15 })
    await book(id, SLOT)
    const date = dateOf(SLOT)
    const { body } = await call(
      'GET',
      `/v1/availability?event_type_id=${id}&start=${date}&end=${date}&timezone=UTC`,
    )
    expect(body.waitlist_slots).toEqual(
      [-1, 0, 1].map((at) => ({ start_time: iso(half(at)), end_time: iso(half(at + 1)) })),
    )
    expect(body.slots).toHaveLength(45)
  })
})

describe('promotion', () => {
  it('books the oldest who waits when a booking is cancelled, and tells everybody', async () => {
    const { key, id } = await waited()
    const booked = (await book(id, SLOT)).body
    const [first, second] = [await wait(id, SLOT, { notes: 'Please.' }), await wait(id)]
    await cancel(booked)
    expect(await statusOf(key, first, second)).toEqual(['promoted', 'waiting'])
    const promoted = await entry(key, first.body.id)
    const { body: booking } = await call('GET', `/v1/bookings/${promoted.promoted_booking_id}`, { key })
    expect(booking).toMatchObject({
      status: 'confirmed',
      start_time: iso(SLOT),
      invitee_email: first.body.invitee_email,
      notes: 'Please.',
      attendee_count: 1,
    })
    expect(promoted).toMatchObject({ position: 0, promoted_at: expect.any(String) })
    expect((await entry(key, second.body.id)).position).toBe(1)
    expect(await openStarts(id, SLOT)).not.toContain(iso(SLOT))
    const events = await eventsOf(id)
    expect(events.map(({ kind }) => kind)).toEqual([
      'booking.created',
      'booking.cancelled',
      'booking.created',
      'waitlist.promoted',
    ])
    expect(events.at(-1)!.data).toEqual(promoted)
    expect(JSON.stringify(events)).not.toContain('token')
    const left = await call('POST', `/v1/waitlist/${first.body.id}/cancel`, { key })
    expect(left.status).toBe(409)
    const { results: reminders } = await env.DB.prepare('SELECT 1 FROM reminders WHERE booking_id = ?')
      .bind(booking.id)
      .all()
    expect(reminders).toHaveLength(2)
  })

  it('lets no parallel booking in between', async () => {
    for (let round = 0; round < 5; round++) {
      const { key, id } = await waited()
      const booked = (await book(id, SLOT)).body
      const first = await wait(id)
      const answers = await Promise.all([
        ...Array.from({ length: 8 }, () => book(id, SLOT, fresh())),
        cancel(booked),
        ...Array.from({ length: 8 }, () => book(id, SLOT, fresh())),
      ])
      expect(answers.filter(({ status }) => status === 201)).toEqual([])
      expect(await statusOf(key, first)).toEqual(['promoted'])
    }
  })

  it('follows a booking that is moved away, and one whose seats are given up', async () => {
    const { key, id } = await waited()
    const booked = (await book(id, SLOT)).body
    const first = await wait(id)
    const moved = await call('POST', `/v1/bookings/${booked.id}/reschedule?token=${booked.cancel_token}`, {
      body: { new_start_time: iso(half(4)) },
    })
    expect(moved.status).toBe(200)
    expect(await statusOf(key, first)).toEqual(['promoted'])
  })

  it('promotes as many as a group booking gave up seats', async () => {
    const { key, id } = await waited({ max_attendees: 4 })
    const three = [1, 2].map((n) => ({ name: `P ${n}`, email: `${unique('p')}@example.com` }))
    const booked = (await book(id, SLOT, { ...fresh(), attendees: three })).body
    await book(id, SLOT, fresh())
    const waiting = [await wait(id), await wait(id), await wait(id, null), await wait(id)]
    await cancel(booked)
    expect(await statusOf(key, ...waiting)).toEqual(['promoted', 'promoted', 'promoted', 'waiting'])
    expect(await openStarts(id, SLOT)).not.toContain(iso(SLOT))
  })

  it('passes over whoever sits in the session already', async () => {
    const { key, id } = await waited({ max_attendees: 2 })
    const [one, two] = [fresh(), fresh()]
    const leaving = (await book(id, SLOT, one)).body
    await book(id, SLOT, two)
    const waiting = [await wait(id, SLOT, two), await wait(id)]
    await cancel(leaving)
    expect(await statusOf(key, ...waiting)).toEqual(['waiting', 'promoted'])
  })

  it('takes those who wait for the slot and for any slot in one order of age', async () => {
    const { key, id } = await waited()
    const [a, b] = [(await book(id, SLOT)).body, (await book(id, half(2))).body]
    const [any, specific] = [await wait(id, null), await wait(id)]
    await cancel(b)
    expect(await statusOf(key, any, specific)).toEqual(['promoted', 'waiting'])
    const { promoted_booking_id } = await entry(key, any.body.id)
    const { body } = await call('GET', `/v1/bookings/${promoted_booking_id}`, { key })
    expect(body.start_time).toBe(iso(half(2)))
    await cancel(a)
    expect(await statusOf(key, specific)).toEqual(['promoted'])
  })

  it('leaves alone who waits for another slot, even one that is open', async () => {
    const { key, id } = await waited()
    const booked = (await book(id, SLOT)).body
    const other = await wait(id, half(6))
    await cancel(booked)
    expect(await statusOf(key, other)).toEqual(['waiting'])
    expect((await book(id, half(6), fresh())).status).toBe(201)
  })

  it('follows more seats and a higher cap, in the turn that allows them', async () => {
    const seats = await waited({ max_attendees: 2 })
    await Promise.all([book(seats.id, SLOT, fresh()), book(seats.id, SLOT, fresh())])
    const line = [await wait(seats.id), await wait(seats.id), await wait(seats.id)]
    const [raised, ...late] = await Promise.all([
      call('PATCH', `/v1/event-types/${seats.id}`, { key: seats.key, body: { max_attendees: 4 } }),
      ...Array.from({ length: 6 }, () => book(seats.id, SLOT, fresh())),
    ])
    expect(raised!.status).toBe(200)
    expect(late.filter(({ status }) => status === 201)).toEqual([])
    expect(await statusOf(seats.key, ...line)).toEqual(['promoted', 'promoted', 'waiting'])

    const single = await waited()
    await book(single.id, SLOT, fresh())
    const joined = await wait(single.id)
    await call('PATCH', `/v1/event-types/${single.id}`, { key: single.key, body: { max_attendees: 2 } })
    expect(await statusOf(single.key, joined)).toEqual(['promoted'])

    const capped = await waited({ booking_cap: 1, booking_cap_period: 'daily' })
    await book(capped.id, SLOT, fresh())
    const waiting = [await wait(capped.id, half(3)), await wait(capped.id, half(4))]
    await call('PATCH', `/v1/event-types/${capped.id}`, { key: capped.key, body: { booking_cap: 2 } })
    expect(await statusOf(capped.key, ...waiting)).toEqual(['promoted', 'waiting'])
  })

  it('follows a cancel that makes room in the cap, wherever that was', async () => {
    const { key, id } = await waited({ booking_cap: 1 })
    const booked = (await book(id, SLOT)).body
    const far = SLOT + 40 * DAY_MS
    const waiting = [await wait(id, far), await wait(id)]
    await cancel(booked)
    expect(await statusOf(key, ...waiting)).toEqual(['promoted', 'waiting'])
  })

  it('follows a host who is added, and time that another event type gives back', async () => {
    const { organization, key, id } = await waited({ assignment_strategy: 'round_robin' })
    const [host] = await addHosts(organization, key, id, 1)
    const other = await createEventType(key)
    await addHost(key, other.id, host!)
    const elsewhere = (await book(other.id, SLOT)).body
    const waiting = [await wait(id), await wait(id)]
    await cancel(elsewhere)
    await expect.poll(() => statusOf(key, waiting[0]!)).toEqual(['promoted'])
    await addHost(key, id, (await createMember(organization)).id)
    expect(await statusOf(key, waiting[1]!)).toEqual(['promoted'])
  })

  it('respects the plan, a suspension and an event type that is off', async () => {
    for (const hinder of [
      (organizationId: string) =>
        env.DB.prepare('UPDATE booking_quotas SET bookings = 10000, quota = 10000 WHERE organization_id = ?')
          .bind(organizationId)
          .run(),
      (organizationId: string) =>
        callAsService('PATCH', `/v1/organizations/${organizationId}`, { body: { suspended: true } }),
      (_: string, id: string, key: string) =>
        call('PATCH', `/v1/event-types/${id}`, { key, body: { active: false } }),
    ]) {
      const { organization, key, id } = await waited()
      const booked = (await book(id, SLOT)).body
      const first = await wait(id)
      await hinder(organization.id, id, key)
      expect((await cancel(booked)).status).toBe(200)
      expect(await statusOf(key, first)).toEqual(['waiting'])
    }
  })

  it('is told by email, in the sandbox to its outbox', async () => {
    const { key, id } = await waited({}, 'test')
    const booked = (await book(id, SLOT)).body
    const first = await wait(id)
    await cancel(booked)
    await expect
      .poll(
        async () => {
          const { body } = await call('GET', '/v1/test-data/outbox', { key })
          const mine = body.data.filter((item: any) => item.to === first.body.invitee_email)
          return mine.map((item: any) => item.subject.split(':')[0]).sort()
        },
        { timeout: 20_000 },
      )
      .toEqual(['A place became free', 'Confirmed'])
  })
})

describe('the end of waiting', () => {
  it('comes with the ttl and with the slot, once, and nobody is promoted after it', async () => {
    const { key, id } = await waited({ waitlist_ttl_days: 1 })
    const booked = (await book(id, SLOT)).body
    const first = await wait(id)
    await sweep(env, Date.now() + DAY_MS / 2)
    expect(await statusOf(key, first)).toEqual(['waiting'])
    await sweep(env, Date.now() + DAY_MS + MINUTE_MS)
    await sweep(env, Date.now() + DAY_MS + MINUTE_MS)
    expect(await statusOf(key, first)).toEqual(['expired'])
    const events = await eventsOf(id)
    expect(events.filter(({ kind }) => kind === 'waitlist.expired')).toHaveLength(1)
    await cancel(booked)
    expect(await statusOf(key, first)).toEqual(['expired'])
    expect(await openStarts(id, SLOT)).toContain(iso(SLOT))
  })

  it('follows the clock of the sandbox and not the real one', async () => {
    const { key, id } = await waited({}, 'test')
    const clock = (now: number | null) =>
      call('PUT', '/v1/test-data/clock', { key, body: { now: now === null ? null : iso(now) } })
    await clock(dayFromNow(1))
    const [slot, any] = [await wait(id), await wait(id, null)]
    await sweep(env, Date.now() + 30 * DAY_MS)
    expect(await statusOf(key, slot, any)).toEqual(['waiting', 'waiting'])
    await clock(SLOT)
    expect(await statusOf(key, slot, any)).toEqual(['expired', 'waiting'])
    await clock(dayFromNow(1) + 7 * DAY_MS)
    expect(await statusOf(key, any)).toEqual(['expired'])
  })

  it('comes with the event type', async () => {
    const { key, id } = await waited()
    const first = await wait(id)
    await call('DELETE', `/v1/event-types/${id}`, { key })
    expect(await statusOf(key, first)).toEqual(['cancelled'])
  })
})
