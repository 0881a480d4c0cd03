import { env } from 'cloudflare:workers'
import { describe, expect, it } from 'vitest'
import { cancelBooking } from '../../src/booking/bookings/cancel-booking.ts'
import { createBooking } from '../../src/booking/bookings/create-booking.ts'
import { CreateBookingInput } from '../../src/booking/bookings/input-schema.ts'
import { UpdateEventTypeInput } from '../../src/booking/event-types/input-schema.ts'
import { updateEventType } from '../../src/booking/event-types/update-event-type.ts'
import { joinWaitlist } from '../../src/booking/waitlist/join-waitlist.ts'
import { selectWaiting } from '../../src/booking/waitlist/queries.ts'
import { JoinWaitlistInput } from '../../src/booking/waitlist/schema.ts'
import { waitlist } from '../../src/booking/waitlist/turn-waitlist.ts'
import { CalendarLooks } from '../../src/calendars/check-calendars.ts'
import { runPlan } from '../../src/engine/turn/run-plan.ts'
import { ScheduleMemory } from '../../src/engine/turn/schedule-memory.ts'
import type { Env } from '../../src/env.ts'
import { SYSTEM } from '../../src/platform/auth/caller.ts'
import { openDb } from '../../src/platform/db/client.ts'
import { type RealMs, realNow } from '../../src/platform/limits/clock.ts'
import { sweep } from '../../src/worker/jobs/sweep.ts'
import { call, callAsService } from '../support/app.ts'
import { insertConnection } from '../support/connections.ts'
import {
  ALL_DAY,
  book,
  bookingInput,
  createEventType,
  createOrganization,
  dateOf,
  dayFromNow,
  iso,
  type Organization,
  openStarts,
  unique,
} from '../support/factories.ts'
import { addHost, addHosts, createMember } from '../support/hosts.ts'
import { stayInOneMinute } from '../support/minute.ts'

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

/** The organization has made that many bookings this month. */
function useUp(organizationId: string, bookings: number) {
  return env.DB.prepare('UPDATE booking_quotas SET bookings = ?1, quota = ?1 WHERE organization_id = ?2')
    .bind(bookings, organizationId)
    .run()
}

async function entry(key: string, id: string) {
  return (await call('GET', `/v1/waitlist/${id}`, { key })).body
}

async function statusOf(key: string, ...entries: { body: { id: string } }[]) {
  return Promise.all(entries.map(async ({ body }) => (await entry(key, body.id)).status))
}

function cancel({ id, cancel_token }: { id: string; cancel_token: string }) {
  return call('POST', `/v1/bookings/${id}/cancel?token=${cancel_token}`)
}

/** Its place in the month stays used up, as it does not for an invitee who thinks better of it at once. */
function cancelWithKey(key: string, { id }: { id: string }) {
  return call('POST', `/v1/bookings/${id}/cancel`, { key })
}

function move({ id, cancel_token }: { id: string; cancel_token: string }, start: number) {
  const body = { new_start_time: iso(start) }
  return call('POST', `/v1/bookings/${id}/reschedule?token=${cancel_token}`, { body })
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
  it('returns the entry, its position and a token that only this response carries', async () => {
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
      invitee_locale: 'en',
      invitee_phone: null,
      place: null,
      start_time: iso(SLOT),
      price_amount: null,
      price_currency: null,
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
    expect(await entry(key, told.id)).toEqual({ ...told, answers: {} })
    const soon = await waited({ waitlist_ttl_days: 30 })
    expect((await wait(soon.id)).body.expires_at).toBe(iso(SLOT))
  })

  it('lines up in the order of joining, also when a clock is behind the one before', async () => {
    const { key, id } = await waited()
    const booking = await book(id, SLOT)
    const first = await wait(id)
    const madeByClockAhead = `${'f'.repeat(8)}${first.body.id.slice(8)}`
    await env.DB.prepare('UPDATE waitlist_entries SET id = ? WHERE id = ?')
      .bind(madeByClockAhead, first.body.id)
      .run()
    const second = await wait(id)
    expect(second.body.position).toBe(2)
    expect([
      (await entry(key, madeByClockAhead)).position,
      (await entry(key, second.body.id)).position,
    ]).toEqual([1, 2])
    await cancel(booking.body)
    expect((await entry(key, madeByClockAhead)).status).toBe('promoted')
    expect(await entry(key, second.body.id)).toMatchObject({ status: 'waiting', position: 1 })
  })

  it('leaves no entry waiting that joins while the event type is deleted or the organization suspended', async () => {
    const ends: [string, (organization: Organization, id: string) => Promise<unknown>][] = [
      ['not_found', ({ liveKey: key }, id) => call('DELETE', `/v1/event-types/${id}`, { key })],
      [
        'org_suspended',
        ({ id }) => callAsService('PATCH', `/v1/organizations/${id}`, { body: { suspended: true } }),
      ],
    ]
    for (const [code, end] of ends) {
      const { organization, id } = await waited()
      // As it may happen: between what a join reads and what it writes.
      const session = env.DB.withSession('first-primary')
      let isOver = false
      const batch = async (statements: D1PreparedStatement[]) => {
        const answer = await session.batch(statements)
        if (!isOver) await end(organization, id)
        isOver = true
        return answer
      }
      const prepare = (query: string) => session.prepare(query)
      const DB = { withSession: () => ({ prepare, batch }) } as unknown as D1Database
      const workplace = {
        env: { ...env, DB },
        memory: new ScheduleMemory(),
        checks: new CalendarLooks(env),
        announce: () => {},
        announceReleased: () => {},
        waitlist,
      }
      const outcome = await runPlan(
        workplace,
        joinWaitlist({
          eventTypeId: id,
          tenant: null,
          input: JoinWaitlistInput.parse(bookingInput(id, SLOT)),
          origin: SYSTEM,
          claim: null,
          now: realNow(),
        }),
        workplace.memory.tick(),
      )
      expect(outcome).toMatchObject({ kind: 'refused', refusal: { code } })
      const { results } = await env.DB.prepare('SELECT status FROM waitlist_entries WHERE event_type_id = ?')
        .bind(id)
        .all()
      expect(results).toEqual([])
    }
  })

  it('does not reveal who waits on a full waitlist', async () => {
    const { id } = await waited({ waitlist_max: 2 })
    const email = `${unique('twin')}@example.com`
    await wait(id, SLOT, { invitee_email: email })
    const upper = { invitee_email: email.toUpperCase() }
    expect((await wait(id, SLOT, upper)).body.error.details.code).toBe('already_on_waitlist')
    await wait(id, SLOT)
    const answers = await Promise.all([wait(id, SLOT, upper), wait(id, SLOT)])
    expect(answers.map(({ body }) => body.error.details.code)).toEqual(['waitlist_full', 'waitlist_full'])
    const [one, other] = answers.map(({ body }) => ({ ...body.error, request_id: null }))
    expect(one).toEqual(other)
  })

  it('knows an address with capitals beyond ASCII again, which the database leaves as they are', async () => {
    const { id } = await waited()
    const [typed, small] = ['Özlem@example.com', 'özlem@example.com']
    expect((await wait(id, SLOT, { invitee_email: typed })).status).toBe(201)
    for (const invitee_email of [typed, small, typed.toUpperCase()]) {
      const { status, body } = await wait(id, SLOT, { invitee_email })
      expect([status, body.error?.details?.code]).toEqual([409, 'already_on_waitlist'])
    }
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
    const wrong = [45, 0, -30, 1441].map((duration) => wait(id, SLOT, { duration }))
    for (const answer of await Promise.all([wait(without.id), ...wrong])) {
      expect([answer.status, answer.body.error.code]).toEqual([400, 'bad_request'])
    }
    for (const start of [SLOT + MINUTE_MS, Date.now() - DAY_MS]) {
      const answer = await wait(id, start)
      expect([answer.status, answer.body.error.details]).toEqual([
        400,
        { code: 'never_offered', field: 'start_time' },
      ])
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
  it('books the oldest entry when a booking is cancelled, and notifies everybody', async () => {
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
    expect({ ...events.at(-1)!.data, answers: {}, invitee_phone: null }).toEqual(promoted)
    expect(JSON.stringify(events)).not.toContain('token')
    const left = await call('POST', `/v1/waitlist/${first.body.id}/cancel`, { key })
    expect(left.status).toBe(409)
    const reminders = await env.DB.prepare(
      'SELECT json_array_length(reminder_minutes) AS n FROM bookings WHERE id = ? AND next_reminder_at IS NOT NULL',
    )
      .bind(booking.id)
      .first('n')
    expect(reminders).toBe(2)
  })

  it('reads the notes only of entries that are booked, because those of a long waitlist may not fit', async () => {
    const { id } = await waited()
    await wait(id, SLOT, { notes: 'Please.' })
    const [known] = await selectWaiting(openDb(env, 'decide'), id)
    expect(known).toMatchObject({ startTime: SLOT })
    expect(known).not.toHaveProperty('notes')
    expect(known).not.toHaveProperty('answers')
  })

  it('follows time that another event type held on the calendar that both share without hosts', async () => {
    const { organization, key, id } = await waited()
    await insertConnection(organization, 'live')
    const { id: other } = await createEventType(key)
    for (const start of [SLOT, half(2)]) {
      const held = await book(other, start, fresh())
      expect(held.status).toBe(201)
      const first = await wait(id, start)
      if (start === SLOT) await cancel(held.body)
      else await move(held.body, half(20))
      expect((await book(id, start, fresh())).status).toBe(409)
      expect(await statusOf(key, first)).toEqual(['promoted'])
    }
  })

  it('follows time on a calendar between whom it belongs to as a host and an event type without hosts', async () => {
    const { organization, key, id: hostless } = await waited()
    const hosted = await createEventType(key, { waitlist_enabled: true, assignment_strategy: 'round_robin' })
    const member = await createMember(organization)
    await addHost(key, hosted.id, member.id)
    const calendar = await insertConnection(organization, 'live', { memberId: member.id })
    await callAsService('PATCH', `/v1/organizations/${organization.id}`, {
      body: { default_calendar_connection_id: calendar },
    })
    for (const [holding, waiting] of [
      [hostless, hosted.id],
      [hosted.id, hostless],
    ] as const) {
      const held = await book(holding, SLOT, fresh())
      expect(held.status).toBe(201)
      const first = await wait(waiting)
      await cancel(held.body)
      expect((await book(waiting, SLOT, fresh())).status).toBe(409)
      expect(await statusOf(key, first)).toEqual(['promoted'])
      const { promoted_booking_id: id } = await entry(key, first.body.id)
      await call('POST', `/v1/bookings/${id}/cancel`, { key })
    }
  })

  it('follows time that is held on a calendar which is disconnected', async () => {
    const { organization, key, id } = await waited()
    const calendar = await insertConnection(organization, 'live')
    const { id: other } = await createEventType(key)
    await book(other, SLOT, fresh())
    const first = await wait(id)
    expect((await call('DELETE', `/v1/calendars/${calendar}`, { key })).status).toBe(204)
    expect(await statusOf(key, first)).toEqual(['promoted'])
  })

  it('follows time on a calendar that has no say any more: another is the default, or somebody else the owner', async () => {
    const { organization, key, id } = await waited()
    const next = await createMember(organization)
    const [ofDefault, ofOwner, ofNext] = [
      await insertConnection(organization, 'live', { memberId: next.id }),
      await insertConnection(organization, 'live'),
      await insertConnection(organization, 'live', { memberId: next.id }),
    ]
    const choose = (calendar: string | null) =>
      callAsService('PATCH', `/v1/organizations/${organization.id}`, {
        body: { default_calendar_connection_id: calendar },
      })
    const block = (calendar: string, start: number) =>
      env.DB.prepare(
        'INSERT INTO calendar_busy_times (connection_id, event_id, starts_at, ends_at) VALUES (?, ?, ?, ?)',
      )
        .bind(calendar, unique('event'), start, start + HOUR_MS / 2)
        .run()
    await choose(ofDefault)
    await block(ofDefault, SLOT)
    await block(ofOwner, half(2))
    const first = await wait(id, SLOT)
    const second = await wait(id, half(2))
    expect((await choose(ofNext)).status).toBe(200)
    expect(await statusOf(key, first, second)).toEqual(['promoted', 'waiting'])
    const transfer = { headers: { 'X-Org-Id': organization.id }, body: { member_id: next.id } }
    const path = `/v1/organizations/${organization.id}/transfer-ownership`
    expect((await callAsService('POST', path, transfer)).status).toBe(200)
    expect(await statusOf(key, second)).toEqual(['promoted'])
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

  it('skips entries whose invitee is already in the session', async () => {
    const { key, id } = await waited({ max_attendees: 2 })
    const [one, two] = [fresh(), fresh()]
    const leaving = (await book(id, SLOT, one)).body
    await book(id, SLOT, two)
    const waiting = [await wait(id, SLOT, two), await wait(id)]
    await cancel(leaving)
    expect(await statusOf(key, ...waiting)).toEqual(['waiting', 'promoted'])
  })

  it('gives an invitee with two entries one seat in a session', async () => {
    const { key, id } = await waited({ max_attendees: 2 })
    const leaving = (await book(id, SLOT, { attendees: [{ name: 'Bob', email: 'bob@example.com' }] })).body
    const one = fresh()
    const waiting = [await wait(id, SLOT, one), await wait(id, null, one)]
    await cancel(leaving)
    expect(await statusOf(key, ...waiting)).toEqual(['promoted', 'waiting'])
  })

  it('treats entries for the slot and for any slot in one order of age', async () => {
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

  it('skips entries for another slot, even one that is open', async () => {
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

  it('follows a cancellation that makes room in the cap, at whatever start', async () => {
    const { key, id } = await waited({ booking_cap: 1 })
    const booked = (await book(id, SLOT)).body
    const far = SLOT + 40 * DAY_MS
    const waiting = [await wait(id, far), await wait(id)]
    await cancel(booked)
    expect(await statusOf(key, ...waiting)).toEqual(['promoted', 'waiting'])
  })

  it('follows when a host is added and when another event type releases time', async () => {
    const { organization, key, id } = await waited({ assignment_strategy: 'round_robin' })
    const [host] = await addHosts(organization, key, id, 1)
    const other = await createEventType(key)
    await addHost(key, other.id, host!)
    const elsewhere = (await book(other.id, SLOT)).body
    const waiting = [await wait(id), await wait(id)]
    await cancel(elsewhere)
    await expect.poll(() => statusOf(key, waiting[0]!), { timeout: 10_000 }).toEqual(['promoted'])
    await addHost(key, id, (await createMember(organization)).id)
    expect(await statusOf(key, waiting[1]!)).toEqual(['promoted'])
  })

  it('respects the plan, a suspension and an inactive event type', async () => {
    // A month ends with a minute.
    stayInOneMinute(10)
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
      expect((await cancelWithKey(key, booked)).status).toBe(200)
      expect(await statusOf(key, first)).toEqual(['waiting'])
    }
  })

  it('sends an email, in the sandbox to its outbox', async () => {
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
      .toEqual(['A spot opened up', 'On the waitlist'])
  })
})

/** A member who is booked at SLOT by another event type, and how that ends. */
async function busyMember(organization: Organization) {
  const member = await createMember(organization)
  const other = await createEventType(organization.liveKey)
  await addHost(organization.liveKey, other.id, member.id)
  const booking = (await book(other.id, SLOT, fresh())).body
  return { id: member.id, eventTypeId: other.id, booking }
}

const patch = (key: string, id: string, body: Record<string, unknown>) =>
  call('PATCH', `/v1/event-types/${id}`, { key, body })

const hours = (key: string, id: string, rules: readonly unknown[], overrides: readonly unknown[] = []) =>
  call('PUT', `/v1/event-types/${id}/availability`, { key, body: { rules, overrides } })

/** Strangers who ask for the slot before and after `change` in the object's line, none of whom may get it. */
async function besieged(id: string, change: () => Promise<{ status: number }>) {
  const anonymousCallers = () => Array.from({ length: 4 }, () => book(id, SLOT, fresh()))
  const [changed, ...answers] = await Promise.all([change(), ...anonymousCallers()])
  answers.push(...(await Promise.all(anonymousCallers())))
  expect(changed.status).toBeLessThan(300)
  expect(answers.filter(({ status }) => status === 201)).toEqual([])
}

describe('promotion of entries far ahead', () => {
  const FAR = Date.UTC(9999, 0, 5, 10)

  it('follows a cancel, a move and a change, however far ahead the others wait', async () => {
    const { key, id } = await waited({ timezone: 'America/New_York' })
    const [one, other] = [(await book(id, SLOT)).body, (await book(id, half(1))).body]
    const line = [await wait(id, FAR), await wait(id), await wait(id, half(1)), await wait(id, null)]
    expect(line.map(({ status }) => status)).toEqual([201, 201, 201, 201])
    expect((await cancel(one)).status).toBe(200)
    const there = { key, body: { new_start_time: iso(half(4)) } }
    expect((await call('POST', `/v1/bookings/${other.id}/reschedule`, there)).status).toBe(200)
    expect(await statusOf(key, ...line)).toEqual(['waiting', 'promoted', 'promoted', 'waiting'])
    await call('PATCH', `/v1/event-types/${id}`, { key, body: { max_attendees: 2 } })
    expect(await statusOf(key, ...line)).toEqual(['waiting', 'promoted', 'promoted', 'promoted'])
  })

  it('gives an entry for any slot a time that is released far ahead', async () => {
    const { key, id } = await waited({ timezone: 'America/New_York' })
    const { body: booked } = await book(id, FAR)
    const any = await wait(id, null)
    expect((await cancel(booked)).status).toBe(200)
    const { promoted_booking_id } = await entry(key, any.body.id)
    const { body } = await call('GET', `/v1/bookings/${promoted_booking_id}`, { key })
    expect(body.start_time).toBe(iso(FAR))
  })
})

describe('promotion after a change of what is offered', () => {
  it('follows a cap that is lifted to a total or to none', async () => {
    for (const body of [{ booking_cap: 3, booking_cap_period: 'total' }, { booking_cap: null }]) {
      const { key, id } = await waited({ booking_cap: 1, booking_cap_period: 'daily' })
      await book(id, half(8), fresh())
      const [first, open] = [await wait(id), await wait(id, SLOT + 2 * DAY_MS)]
      await besieged(id, () => patch(key, id, body))
      expect(await statusOf(key, first, open)).toEqual(['promoted', 'waiting'])
    }
  })

  it('follows a host who leaves a collective meeting, and the last one who leaves', async () => {
    const { organization, key, id } = await waited()
    const [busy, free] = [await busyMember(organization), await createMember(organization)]
    await addHost(key, id, busy.id)
    await addHost(key, id, free.id)
    const [first, open] = [await wait(id), await wait(id, half(6))]
    const remove = (memberId: string) => call('DELETE', `/v1/event-types/${id}/hosts/${memberId}`, { key })
    await besieged(id, () => remove(busy.id))
    expect(await statusOf(key, first, open)).toEqual(['promoted', 'waiting'])

    const alone = await waited()
    const last = await busyMember(alone.organization)
    await addHost(alone.key, alone.id, last.id)
    const second = await wait(alone.id)
    const path = `/v1/event-types/${alone.id}/hosts/${last.id}`
    await besieged(alone.id, () => call('DELETE', path, { key: alone.key }))
    expect(await statusOf(alone.key, second)).toEqual(['promoted'])
  })

  it('follows a member who leaves the organization', async () => {
    const { organization, key, id } = await waited()
    const busy = await busyMember(organization)
    const quiet = await createEventType(key, { waitlist_enabled: true })
    for (const one of [id, quiet.id]) await addHost(key, one, busy.id)
    const [first, second] = [await wait(id), await wait(quiet.id)]
    await besieged(id, () =>
      callAsService('DELETE', `/v1/organizations/${organization.id}/members/${busy.id}`, {
        headers: { 'X-Org-Id': organization.id },
      }),
    )
    expect(await statusOf(key, first, second)).toEqual(['promoted', 'promoted'])
  })

  it('follows a member who is removed by a call in test mode, whatever the clock of the sandbox says', async () => {
    const { organization, key, id } = await waited()
    const busy = await busyMember(organization)
    await addHost(key, id, busy.id)
    const first = await wait(id)
    const now = iso(dayFromNow(700))
    await call('PUT', '/v1/test-data/clock', { key: organization.testKey, body: { now } })
    await callAsService('DELETE', `/v1/organizations/${organization.id}/members/${busy.id}`, {
      headers: { 'X-Org-Id': organization.id, 'X-Service-Mode': 'test' },
    })
    expect(await statusOf(key, first)).toEqual(['promoted'])
  })

  it('follows another length, if there is one to book', async () => {
    const { key, id } = await waited()
    const { body: booked } = await book(id, SLOT)
    const first = await wait(id)
    await call('PATCH', `/v1/event-types/${id}`, { key, body: { duration_minutes: 60 } })
    await cancel(booked)
    expect(await statusOf(key, first)).toEqual(['promoted'])
    const { promoted_booking_id } = await entry(key, first.body.id)
    const { body } = await call('GET', `/v1/bookings/${promoted_booking_id}`, { key })
    expect(body).toMatchObject({ start_time: iso(SLOT), end_time: iso(SLOT + HOUR_MS) })

    const chosen = await waited({ duration_options: [15, 30] })
    const { body: taken } = await book(chosen.id, SLOT)
    const short = await wait(chosen.id, SLOT, { duration: 15 })
    const body30 = { duration_options: [30, 60] }
    await call('PATCH', `/v1/event-types/${chosen.id}`, { key: chosen.key, body: body30 })
    await cancel(taken)
    expect(await statusOf(chosen.key, short)).toEqual(['waiting'])
  })

  it('follows new hours, and skips entries for what was open before', async () => {
    const { key, id } = await waited()
    const [first, any, open] = [await wait(id), await wait(id, null), await wait(id, half(6))]
    const closed = { date: dateOf(SLOT), intervals: [{ start_time: '12:00', end_time: '24:00' }] }
    await hours(key, id, ALL_DAY, [closed])
    expect(await statusOf(key, first, any, open)).toEqual(['waiting', 'waiting', 'waiting'])
    const later = { ...closed, intervals: [{ start_time: '10:00', end_time: '24:00' }] }
    await besieged(id, async () => {
      const answer = await hours(key, id, ALL_DAY, [later])
      expect(await openStarts(id, SLOT)).not.toContain(iso(SLOT))
      return answer
    })
    expect(await statusOf(key, first, any, open)).toEqual(['promoted', 'promoted', 'waiting'])
  })
})

describe('promotion after nothing could be booked', () => {
  it('gives time that was released during an inactivity to the waitlist, and nothing that was open', async () => {
    const { key, id } = await waited({ max_attendees: 2 })
    const booked = [(await book(id, SLOT, fresh())).body, (await book(id, SLOT, fresh())).body]
    await book(id, half(2), fresh())
    await book(id, half(2), fresh())
    const line = [await wait(id), await wait(id), await wait(id, half(2)), await wait(id, half(6))]
    await patch(key, id, { active: false })
    await cancel(booked[0]!)
    await patch(key, id, { max_attendees: 3 })
    expect(await statusOf(key, ...line)).toEqual(['waiting', 'waiting', 'waiting', 'waiting'])
    await patch(key, id, { active: true })
    expect(await statusOf(key, ...line)).toEqual(['promoted', 'promoted', 'promoted', 'waiting'])

    const idle = await waited()
    const [any, open] = [await wait(idle.id, null), await wait(idle.id)]
    await patch(idle.key, idle.id, { active: false })
    await patch(idle.key, idle.id, { active: true })
    await sweep(env, Date.now())
    expect(await statusOf(idle.key, any, open)).toEqual(['waiting', 'waiting'])
  })

  it('comes with the end of a suspension, before anybody else', async () => {
    const { organization, key, id } = await waited()
    const quiet = await createEventType(key, { waitlist_enabled: true })
    const booked = [(await book(id, SLOT)).body, (await book(quiet.id, SLOT)).body]
    const line = [await wait(id), await wait(quiet.id)]
    const suspend = (suspended: boolean) =>
      callAsService('PATCH', `/v1/organizations/${organization.id}`, { body: { suspended } })
    await suspend(true)
    for (const one of booked) await cancel(one)
    await sweep(env, Date.now())
    expect(await statusOf(key, ...line)).toEqual(['waiting', 'waiting'])
    await besieged(id, () => suspend(false))
    expect(await statusOf(key, ...line)).toEqual(['promoted', 'promoted'])
  })

  it('comes with a higher plan, before anybody else', async () => {
    stayInOneMinute(10)
    const { organization, key, id } = await waited()
    const plan = (tier: string) =>
      callAsService('PATCH', `/v1/organizations/${organization.id}`, { body: { tier } })
    const booked = (await book(id, SLOT)).body
    const line = [await wait(id), await wait(id)]
    await plan('free')
    await useUp(organization.id, 10)
    await cancelWithKey(key, booked)
    expect(await statusOf(key, ...line)).toEqual(['waiting', 'waiting'])
    await besieged(id, () => plan('starter'))
    expect(await statusOf(key, ...line)).toEqual(['promoted', 'waiting'])
  })

  it('comes with a new month, by the sweep or by the first request, which does not get it', async () => {
    stayInOneMinute(10)
    for (const way of ['sweep', 'ask'] as const) {
      const { organization, key, id } = await waited()
      const far = SLOT + 45 * DAY_MS
      const booked = (await book(id, far)).body
      const first = await wait(id, far)
      await env.DB.prepare('UPDATE waitlist_entries SET expires_at = start_time WHERE event_type_id = ?')
        .bind(id)
        .run()
      await useUp(organization.id, 10_000)
      await cancelWithKey(key, booked)
      await sweep(env, Date.now())
      expect(await statusOf(key, first)).toEqual(['waiting'])
      const date = new Date(Date.now())
      const month = Date.UTC(date.getUTCFullYear(), date.getUTCMonth() + 1, 1, 0, 1)
      if (way === 'sweep') {
        await sweep(env, month)
        await sweep(env, month)
      } else {
        const workplace = {
          env,
          memory: new ScheduleMemory(),
          checks: new CalendarLooks(env),
          announce: () => {},
          announceReleased: () => {},
          waitlist,
        }
        const input = CreateBookingInput.parse(bookingInput(id, far, fresh()))
        const origin = { actorType: 'invitee' as const, actorId: null, ipAddress: null, requestId: null }
        const command = { origin, claim: null, now: month as RealMs, eventTypeId: id, tenant: null, input }
        const outcome = await runPlan(workplace, createBooking(command), workplace.memory.tick())
        expect(outcome).toMatchObject({ kind: 'refused', refusal: { code: 'conflict' } })
      }
      expect(await statusOf(key, first)).toEqual(['promoted'])
    }
  })
})

describe('promotion after a process died', () => {
  const BARE = { announce: () => {}, announceReleased: () => {}, waitlist }

  const stuck = (at: number) => `00000000-0000-7000-8000-${String(at).padStart(12, '0')}`

  /** Rows like the first that `where` names, each with values of its own. */
  async function copyRow(
    table: string,
    where: string,
    count: number,
    own: (at: number) => Record<string, string | number>,
  ) {
    const row = (await env.DB.prepare(`SELECT * FROM ${table} WHERE ${where}`).first<Record<string, any>>())!
    const names = Object.keys(row)
    const insert = env.DB.prepare(
      `INSERT INTO ${table} (${names.join()}) SELECT ${names.map((name) => `value ->> '${name}'`).join()} FROM json_each(?)`,
    )
    const copies = Array.from({ length: count }, (_, at) => ({ ...row, ...own(at) }))
    await insert.bind(JSON.stringify(copies)).run()
  }

  /** A process that ends with its first commit of a statement like `last`. */
  function dyingAfter(last: RegExp): Env {
    const session = env.DB.withSession('first-primary')
    let isLast = false
    let isDead = false
    const prepare = (query: string) => {
      isLast ||= last.test(query)
      return session.prepare(query)
    }
    const batch = async (statements: D1PreparedStatement[]) => {
      if (isDead) throw new Error('dead')
      const answer = await session.batch(statements)
      isDead = isLast
      return answer
    }
    return { ...env, DB: { withSession: () => ({ prepare, batch }) } as unknown as D1Database }
  }

  /** Somebody waits for a host whom another event type books, and nobody tells when it gives the time back. */
  async function untold() {
    const { organization, key, id } = await waited({ assignment_strategy: 'round_robin' })
    const busy = await busyMember(organization)
    await addHost(key, id, busy.id)
    const first = await wait(id)
    const workplace = { ...BARE, env, memory: new ScheduleMemory(), checks: new CalendarLooks(env) }
    const common = {
      origin: SYSTEM,
      claim: null,
      now: realNow(),
      eventTypeId: busy.eventTypeId,
      reason: null,
    }
    await runPlan(
      workplace,
      cancelBooking({ ...common, bookingId: busy.booking.id }),
      workplace.memory.tick(),
    )
    expect(await statusOf(key, first)).toEqual(['waiting'])
    const open = await openStarts(id, SLOT)
    expect(open).not.toContain(iso(SLOT))
    expect(open).toContain(iso(half(1)))
    return { key, id, first }
  }

  it('is repaired by the sweep', async () => {
    const { key, first } = await untold()
    await sweep(env, Date.now())
    expect(await statusOf(key, first)).toEqual(['promoted'])
    const { results } = await env.DB.prepare('SELECT 1 FROM freed_times WHERE event_type_id = ?')
      .bind(first.body.event_type_id)
      .all()
    expect(results).toEqual([])
  })

  it('is repaired even if others cannot move, however many they are', async () => {
    const { key, id } = await waited()
    await createEventType(key, { price_amount: 5_000, waitlist_enabled: true })
    const booked = (await book(id, SLOT)).body
    const first = await wait(id)
    await env.DB.prepare(
      `CREATE TRIGGER rival BEFORE UPDATE ON waitlist_entries WHEN NEW.event_type_id = '${id}' BEGIN SELECT RAISE(ABORT, 'STALE'); END`,
    ).run()
    try {
      await cancel(booked)
    } finally {
      await env.DB.prepare('DROP TRIGGER rival').run()
    }
    expect(await statusOf(key, first)).toEqual(['waiting'])
    // Paid event types whose payment provider is disconnected, with older claims and lower ids.
    await copyRow('event_types', 'price_amount = 5000', 250, (at) => ({ id: stuck(at), slug: stuck(at) }))
    await copyRow('waitlist_entries', `id = '${first.body.id}'`, 250, (at) => ({
      id: `1${stuck(at).slice(1)}`,
      event_type_id: stuck(at),
    }))
    await copyRow('freed_times', `event_type_id = '${id}'`, 250, (at) => ({
      id: -at - 1,
      event_type_id: stuck(at),
    }))
    await sweep(env, Date.now())
    expect(await statusOf(key, first)).toEqual(['promoted'])
  })

  it('follows a change that was committed and nothing more', async () => {
    const { organization, key, id } = await waited({ booking_cap: 1 })
    await book(id, half(8), fresh())
    const [first, any] = [await wait(id), await wait(id, null)]
    const workplace = {
      ...BARE,
      env: dyingAfter(/update "event_types"/),
      memory: new ScheduleMemory(),
      checks: new CalendarLooks(env),
    }
    const tenant = { organizationId: organization.id, isTest: false }
    const input = UpdateEventTypeInput.parse({ booking_cap: null })
    await runPlan(
      workplace,
      updateEventType({
        origin: SYSTEM,
        tenant,
        id,
        input,
        expected: { tags: null, updatedAt: null },
        now: realNow(),
      }),
      workplace.memory.tick(),
    )
    expect(await statusOf(key, first, any)).toEqual(['waiting', 'waiting'])
    expect(await openStarts(id, SLOT)).toEqual([])
    await besieged(id, async () => ({ status: 200 }))
    expect(await statusOf(key, first, any)).toEqual(['promoted', 'promoted'])
    expect((await book(id, half(6), fresh())).status).toBe(201)
  })

  it('comes before the next request for the time, whether it books or moves', async () => {
    const booking = await untold()
    await besieged(booking.id, async () => ({ status: 200 }))
    expect(await statusOf(booking.key, booking.first)).toEqual(['promoted'])

    const moving = await untold()
    await env.DB.prepare('UPDATE freed_times SET event_type_id = event_type_id || ? WHERE event_type_id = ?')
      .bind('x', moving.id)
      .run()
    const other = (await book(moving.id, half(6), fresh())).body
    // As they are recorded, for triggers tell of that.
    await env.DB.prepare(
      `INSERT INTO freed_times (event_type_id, source, starts_at, ends_at)
       SELECT ?, source, starts_at, ends_at FROM freed_times WHERE event_type_id = ?`,
    )
      .bind(moving.id, `${moving.id}x`)
      .run()
    const moved = await call('POST', `/v1/bookings/${other.id}/reschedule?token=${other.cancel_token}`, {
      body: { new_start_time: iso(SLOT) },
    })
    expect(moved.status).toBe(409)
    expect(await statusOf(moving.key, moving.first)).toEqual(['promoted'])
  })
})

describe('the end of waiting', () => {
  it('comes with the ttl and with the slot, once, and no entry is promoted after it', async () => {
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
