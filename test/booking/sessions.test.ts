import { env } from 'cloudflare:workers'
import { describe, expect, it } from 'vitest'
import { call } from '../support/app.ts'
import {
  book,
  bookingInput,
  createEventType,
  createOrganization,
  dateOf,
  dayFromNow,
  iso,
  unique,
} from '../support/factories.ts'
import { addHosts } from '../support/hosts.ts'
import { eventIn, lettersTo } from '../support/outbox.ts'

const MINUTE_MS = 60_000
const HOUR_MS = 60 * MINUTE_MS
const SLOT = dayFromNow(3) + 10 * HOUR_MS
const HOUR = { duration_minutes: 60, slot_interval_minutes: 30 }

/** A group event type of a sandbox. */
async function group(seats: number, input: Record<string, unknown> = {}) {
  const ownerEmail = `${unique('owner')}@example.com`
  const organization = await createOrganization({ ownerEmail, tier: 'scale' })
  const key = organization.testKey
  const settings = { max_attendees: seats, reminder_intervals: [], waitlist_enabled: true, ...HOUR, ...input }
  const { id } = await createEventType(key, settings)
  const join = (start = SLOT, more: Record<string, unknown> = {}) =>
    book(id, start, { invitee_email: `${unique('grace')}@example.com`, ...more })
  const several = async (count: number, start = SLOT) => {
    const joined = []
    for (let at = 0; at < count; at++) joined.push((await join(start)).body)
    return joined
  }
  const wait = async (start: number | null) => {
    const invitee_email = `${unique('waiting')}@example.com`
    const { body } = await call('POST', '/v1/waitlist', {
      body: { event_type_id: id, invitee_name: 'Wanda', invitee_email, start_time: start && iso(start) },
    })
    return body
  }
  const act = (sessionId: string, verb: string, body: Record<string, unknown> = {}, query = '') =>
    call('POST', `/v1/sessions/${sessionId}/${verb}${query}`, { key, body })
  const move = (sessionId: string, start: number, more = {}, query = '') =>
    act(sessionId, 'reschedule', { new_start_time: iso(start), ...more }, query)
  const read = async (bookingId: string) => (await call('GET', `/v1/bookings/${bookingId}`, { key })).body
  const entry = async (entryId: string) => (await call('GET', `/v1/waitlist/${entryId}`, { key })).body
  const list = (query = '') => call('GET', `/v1/event-types/${id}/sessions${query}`, { key })
  const events = async () => (await call('GET', '/v1/events?limit=100', { key })).body.data as any[]
  return { organization, ownerEmail, key, id, join, several, wait, act, move, read, entry, list, events }
}

describe('the list of sessions', () => {
  it('shows seats, taken seats, waiting entries and bookings of each start, the earliest first', async () => {
    const { id, several, wait, list, join } = await group(3)
    const later = (await join(SLOT + 2 * HOUR_MS)).body
    const joined = await several(2)
    await call('POST', '/v1/holds', { body: { event_type_id: id, start_time: iso(SLOT) } })
    await wait(SLOT)
    await wait(null)
    const { status, body } = await list()
    expect(status).toBe(200)
    expect(body).toEqual({
      data: [
        {
          id: joined[0].session_id,
          start_time: iso(SLOT),
          end_time: iso(SLOT + HOUR_MS),
          assigned_host: null,
          hosts: [],
          booking_ids: joined.map((one) => one.id),
          seats: 3,
          taken: 3,
          waiting: 1,
        },
        {
          id: later.session_id,
          start_time: iso(SLOT + 2 * HOUR_MS),
          end_time: iso(SLOT + 3 * HOUR_MS),
          assigned_host: null,
          hosts: [],
          booking_ids: [later.id],
          seats: 3,
          taken: 1,
          waiting: 0,
        },
      ],
    })
    const day = dateOf(SLOT)
    expect((await list(`?from=${day}&to=${day}`)).body.data).toHaveLength(2)
    const inside = `?from=${iso(SLOT + 30 * MINUTE_MS)}&to=${iso(SLOT + 2 * HOUR_MS)}`
    expect((await list(inside)).body.data.map((one: any) => one.start_time)).toEqual([iso(SLOT)])
  })

  it('has bookings that GET /v1/bookings lists by session_id, cancelled ones too', async () => {
    const { key, join, several } = await group(3)
    await join(SLOT + 2 * HOUR_MS)
    const joined = await several(3)
    await call('POST', `/v1/bookings/${joined[0].id}/cancel`, { key })
    const { session_id } = joined[0]
    const listed = async (query: string) =>
      (await call('GET', `/v1/bookings?session_id=${session_id}${query}`, { key })).body
    expect((await listed('')).data.map((one: any) => one.id)).toEqual(joined.map((one) => one.id).reverse())
    expect((await listed('&status=cancelled')).data.map((one: any) => one.id)).toEqual([joined[0].id])
    expect((await listed(`&start_after=${iso(SLOT)}`)).data).toEqual([])
    const page = await listed('&limit=2')
    expect([page.data.length, page.has_more]).toEqual([2, true])
    expect((await call('GET', '/v1/bookings?session_id=nothing', { key })).status).toBe(404)
  })

  it('rejects a range that ends before it begins or is too wide, and an unknown event type', async () => {
    const { list, key } = await group(3)
    for (const [query, field] of [
      ['?from=2030-01-02&to=2030-01-01', 'to'],
      ['?from=2030-01-01&to=2032-01-01', 'to'],
      ['?from=soon', 'from'],
    ] as const) {
      const { status, body } = await list(query)
      expect([status, Object.keys(body.error.details)]).toEqual([400, [field]])
    }
    const unknown = '0192f1e0-7c11-7000-8000-3b1f0a5d9c42'
    expect((await call('GET', `/v1/event-types/${unknown}/sessions`, { key })).status).toBe(404)
  })
})

describe('moving a session', () => {
  it('moves all its bookings by less than its own length, and keeps its id', async () => {
    const { several, move, read, list, join } = await group(4)
    const joined = await several(3)
    const { session_id } = joined[0]
    const { status, body } = await move(session_id, SLOT + 30 * MINUTE_MS, { reason: 'The train is late.' })
    expect([status, body]).toEqual([
      200,
      {
        id: session_id,
        start_time: iso(SLOT + 30 * MINUTE_MS),
        end_time: iso(SLOT + 90 * MINUTE_MS),
        assigned_host: null,
        hosts: [],
        booking_ids: joined.map((one) => one.id),
      },
    ])
    for (const { id } of joined) {
      expect(await read(id)).toMatchObject({
        status: 'rescheduled',
        start_time: iso(SLOT + 30 * MINUTE_MS),
        end_time: iso(SLOT + 90 * MINUTE_MS),
        previous_start_time: iso(SLOT),
        session_id,
      })
    }
    expect((await list()).body.data).toMatchObject([{ id: session_id, taken: 3 }])
    // Others still join it, where it is now.
    expect((await join(SLOT + 30 * MINUTE_MS)).body.session_id).toBe(session_id)
    expect((await join(SLOT)).body.error.code).toBe('conflict')
  })

  it('emails each person once, with a new calendar file, and its hosts once', async () => {
    const { key, several, move, ownerEmail } = await group(4)
    const joined = await several(3)
    await lettersTo(key, ownerEmail, 3)
    await move(joined[0].session_id, SLOT + HOUR_MS, { reason: 'The train is late.' })
    for (const { invitee_email } of joined) {
      const [first, second] = await lettersTo(key, invitee_email, 2)
      expect(second!.body).toContain('The train is late.')
      expect(eventIn(second!).sequence).toBeGreaterThan(eventIn(first!).sequence)
    }
    const all = await lettersTo(key, ownerEmail, 4)
    expect(all.at(-1)!.body).toContain('This is about all 3 bookings of the session.')
  })

  it('records one event per booking, with its former time, and nothing that only emails need', async () => {
    const { several, move, events } = await group(4)
    const joined = await several(3)
    await move(joined[0].session_id, SLOT + HOUR_MS)
    const moved = (await events()).filter(({ event }) => event === 'booking.rescheduled')
    expect(moved.map(({ data }) => data.id)).toEqual(joined.map((one) => one.id))
    for (const { previous } of moved) {
      expect(previous).toEqual({ start_time: iso(SLOT), end_time: iso(SLOT + HOUR_MS) })
    }
    expect(JSON.stringify(moved)).not.toMatch(/is_of_session|session_bookings/)
  })

  it('ends the entries for its start and emails them why; entries for any slot wait on', async () => {
    const { key, several, wait, move, entry, events, list } = await group(2)
    const joined = await several(2)
    const [here, there, any] = [await wait(SLOT), await wait(SLOT + 5 * HOUR_MS), await wait(null)]
    expect((await move(joined[0].session_id, SLOT + 2 * HOUR_MS)).status).toBe(200)
    expect((await entry(here.id)).status).toBe('expired')
    expect((await entry(there.id)).status).toBe('waiting')
    expect((await entry(any.id)).status).toBe('waiting')
    const ended = (await events()).filter(({ event }) => event === 'waitlist.expired')
    expect(ended).toMatchObject([{ data: { id: here.id, status: 'expired' }, reason: 'session_moved' }])
    const letters = await lettersTo(key, here.invitee_email, 2)
    expect(letters.at(-1)!.subject).toMatch(/^Moved to another time: /)
    expect((await list()).body.data).toHaveLength(1)
    await lettersTo(key, any.invitee_email, 1)
  })

  it('books entries for other starts that it blocked', async () => {
    const { several, wait, move, entry, list } = await group(2, { buffer_after_minutes: 30 })
    const joined = await several(2, SLOT)
    const blocked = await wait(SLOT + 30 * MINUTE_MS)
    expect((await move(joined[0].session_id, SLOT + 5 * HOUR_MS)).status).toBe(200)
    expect(await entry(blocked.id)).toMatchObject({ status: 'promoted' })
    expect((await list()).body.data.map((one: any) => one.start_time)).toEqual([
      iso(SLOT + 30 * MINUTE_MS),
      iso(SLOT + 5 * HOUR_MS),
    ])
  })

  it('takes held seats, requests and unpaid bookings along', async () => {
    const asked = await group(4, { requires_approval: true })
    const request = (await asked.join()).body
    await asked.move(request.session_id, SLOT + HOUR_MS)
    expect(await asked.read(request.id)).toMatchObject({
      status: 'pending_approval',
      start_time: iso(SLOT + HOUR_MS),
    })
    const approved = await call('POST', `/v1/bookings/${request.id}/approve`, { key: asked.key })
    expect(approved.body).toMatchObject({ status: 'confirmed', start_time: iso(SLOT + HOUR_MS) })

    const paid = await group(4, { price_amount: 2500 })
    const unpaid = (await paid.join()).body
    await paid.move(unpaid.session_id, SLOT + HOUR_MS)
    expect(await paid.read(unpaid.id)).toMatchObject({
      status: 'pending_payment',
      start_time: iso(SLOT + HOUR_MS),
    })

    const { id, move, list } = await group(4)
    const held = (
      await call('POST', '/v1/holds', { body: { event_type_id: id, start_time: iso(SLOT), seats: 2 } })
    ).body
    const [session] = (await list()).body.data
    expect((await move(session.id, SLOT + HOUR_MS)).body.booking_ids).toEqual([])
    expect((await list()).body.data).toMatchObject([
      { id: session.id, start_time: iso(SLOT + HOUR_MS), taken: 2 },
    ])
    const { event_type_id: _, start_time: __, ...invitee } = bookingInput(id, SLOT)
    const confirmed = await call('POST', `/v1/holds/${held.id}/confirm?token=${held.token}`, {
      body: invitee,
    })
    expect([confirmed.status, confirmed.body.start_time, confirmed.body.session_id]).toEqual([
      201,
      iso(SLOT + HOUR_MS),
      session.id,
    ])
  })

  it('keeps the host if they are free, and otherwise gives all bookings to another one', async () => {
    const { organization, key, id, several, move, read, join } = await group(3, {
      assignment_strategy: 'round_robin',
    })
    const memberIds = await addHosts(organization, key, id, 2)
    const joined = await several(2)
    const { session_id } = joined[0]
    expect(joined[0].assigned_host.member_id).toBe(memberIds[0])
    expect((await move(session_id, SLOT + HOUR_MS)).body.assigned_host.member_id).toBe(memberIds[0])
    const other = await createEventType(key, { assignment_strategy: 'none', ...HOUR })
    await call('POST', `/v1/event-types/${other.id}/hosts`, { key, body: { member_id: memberIds[0] } })
    expect((await book(other.id, SLOT + 3 * HOUR_MS)).status).toBe(201)
    expect((await move(session_id, SLOT + 3 * HOUR_MS)).body.assigned_host.member_id).toBe(memberIds[1])
    for (const one of joined) expect((await read(one.id)).assigned_host.member_id).toBe(memberIds[1])
    const { body } = await call('GET', `/v1/event-types/${id}/hosts`, { key })
    expect(body.data.map((host: any) => host.total_bookings)).toEqual([2, 2])
    expect((await book(other.id, SLOT + 6 * HOUR_MS)).status).toBe(201)
    expect((await join(SLOT + 6 * HOUR_MS)).body.assigned_host.member_id).toBe(memberIds[1])
    const busy = await move(session_id, SLOT + 6 * HOUR_MS)
    expect([busy.status, busy.body.error.code]).toEqual([409, 'conflict'])
  })

  it('is refused onto another session, off the grid, in a full cap, and when it ended, and moves nobody', async () => {
    const { several, move, act, read } = await group(4, { booking_cap: 3, booking_cap_period: 'daily' })
    const [first] = await several(2)
    const [other] = await several(1, SLOT + 3 * HOUR_MS)
    const onto = await move(first.session_id, SLOT + 3 * HOUR_MS)
    expect([onto.status, onto.body.error.code]).toEqual([409, 'conflict'])
    const off = await move(first.session_id, SLOT + 7 * MINUTE_MS)
    expect(off.body.error.details.alternatives).toHaveLength(3)
    const next = SLOT + 24 * HOUR_MS
    await several(2, next)
    expect((await move(first.session_id, next + 3 * HOUR_MS)).body.error.code).toBe('booking_cap_reached')
    expect(await read(first.id)).toMatchObject({ status: 'confirmed', start_time: iso(SLOT) })
    await act(other.session_id, 'cancel')
    const ended = await move(other.session_id, SLOT + 5 * HOUR_MS)
    expect([ended.status, ended.body.error.code]).toEqual([409, 'conflict'])
  })

  it('succeeds to its own start and changes nothing', async () => {
    const { several, move, read, events } = await group(4)
    const [first] = await several(2)
    expect((await move(first.session_id, SLOT)).status).toBe(200)
    expect((await read(first.id)).status).toBe('confirmed')
    expect((await events()).map(({ event }) => event)).toEqual(['booking.created', 'booking.created'])
  })

  it('clears the attendance of one that has begun', async () => {
    const { key, several, move, read } = await group(4)
    const [first] = await several(2)
    await env.DB.batch([
      env.DB.prepare('UPDATE bookings SET start_time = 1000, end_time = 3601000 WHERE session_id = ?').bind(
        first.session_id,
      ),
      env.DB.prepare('UPDATE sessions SET start_time = 1000, end_time = 3601000 WHERE id = ?').bind(
        first.session_id,
      ),
    ])
    const body = { no_shows: [first.attendees[0].id], host_absent: true }
    await call('POST', `/v1/bookings/${first.id}/attendance`, { key, body })
    expect((await move(first.session_id, SLOT + HOUR_MS)).status).toBe(200)
    expect(await read(first.id)).toMatchObject({ host_absent: false, attendees: [{ no_show: false }] })
  })
})

describe('cancelling a session', () => {
  it('cancels all its bookings, releases its time and emails each person once', async () => {
    const { key, several, act, read, list, events, ownerEmail, join } = await group(3)
    const joined = await several(3)
    await lettersTo(key, ownerEmail, 3)
    const { status, body } = await act(joined[0].session_id, 'cancel', { reason: 'The teacher is ill.' })
    expect([status, body.booking_ids]).toEqual([200, joined.map((one) => one.id)])
    for (const one of joined) {
      expect(await read(one.id)).toMatchObject({ status: 'cancelled', cancel_reason: 'The teacher is ill.' })
      const letters = await lettersTo(key, one.invitee_email, 2)
      expect(letters.at(-1)!.body).toContain('The teacher is ill.')
    }
    await lettersTo(key, ownerEmail, 4)
    expect((await events()).filter(({ event }) => event === 'booking.cancelled')).toHaveLength(3)
    expect((await list()).body.data).toEqual([])
    expect((await join()).status).toBe(201)
  })

  it('books nobody who waits for it into it, and answers again without a change', async () => {
    const { key, several, wait, act, entry, events, list } = await group(2)
    const joined = await several(2)
    const [here, any] = [await wait(SLOT), await wait(null)]
    const first = await act(joined[0].session_id, 'cancel')
    const again = await act(joined[0].session_id, 'cancel')
    expect([again.status, again.body]).toEqual([200, first.body])
    expect((await entry(here.id)).status).toBe('expired')
    expect((await entry(any.id)).status).toBe('waiting')
    const ended = (await events()).filter(({ event }) => event === 'waitlist.expired')
    expect(ended).toMatchObject([{ data: { id: here.id }, reason: 'session_cancelled' }])
    const letters = await lettersTo(key, here.invitee_email, 2)
    expect(letters.at(-1)!.body).toContain('The session you were waiting for was cancelled')
    expect((await list()).body.data).toEqual([])
  })

  it('releases held seats, declines requests and gives up unpaid bookings', async () => {
    const { id, key, join, act, read, list } = await group(4, { price_amount: 2500 })
    const unpaid = (await join()).body
    const hold = (await call('POST', '/v1/holds', { body: { event_type_id: id, start_time: iso(SLOT) } }))
      .body
    await act(unpaid.session_id, 'cancel')
    expect(await read(unpaid.id)).toMatchObject({ status: 'cancelled', payment: { status: 'cancelled' } })
    expect((await call('GET', `/v1/holds/${hold.id}`, { key })).body.status).toBe('released')
    expect((await list()).body.data).toEqual([])
  })

  it('refunds nothing of what was paid', async () => {
    const { key, join, act, read } = await group(4, {
      price_amount: 2500,
      refund_policy: [{ until_minutes_before: 0, percent: 100 }],
    })
    const booked = (await join()).body
    await call('POST', `/v1/payments/${booked.payment.id}/simulate`, { key, body: { outcome: 'succeeded' } })
    await act(booked.session_id, 'cancel')
    expect((await read(booked.id)).status).toBe('cancelled')
    expect((await read(booked.id)).payment?.status ?? null).not.toBe('refunded')
  })

  it('sends no email with notify: false, not to the waitlist either', async () => {
    const { key, several, wait, act, ownerEmail } = await group(2)
    const joined = await several(2)
    const here = await wait(SLOT)
    await act(joined[0].session_id, 'cancel', { notify: false })
    await lettersTo(key, ownerEmail, 3)
    await lettersTo(key, joined[0].invitee_email, 1)
    await lettersTo(key, here.invitee_email, 1)
  })
})

describe('both', () => {
  it('change nothing in a dry run, and answer as they would', async () => {
    const { several, wait, move, act, read, entry } = await group(2)
    const joined = await several(2)
    const here = await wait(SLOT)
    const { session_id } = joined[0]
    for (const answer of [
      await move(session_id, SLOT + HOUR_MS, {}, '?dry_run=true'),
      await act(session_id, 'cancel', {}, '?dry_run=true'),
    ]) {
      expect([answer.status, answer.body.booking_ids]).toEqual([200, joined.map((one) => one.id)])
    }
    expect(await read(joined[0].id)).toMatchObject({ status: 'confirmed', start_time: iso(SLOT) })
    expect((await entry(here.id)).status).toBe('waiting')
  })

  it('replay their answer under an Idempotency-Key', async () => {
    const { key, several } = await group(2)
    const [first] = await several(2)
    const again = () =>
      call('POST', `/v1/sessions/${first.session_id}/reschedule`, {
        key,
        headers: { 'Idempotency-Key': 'move-1' },
        body: { new_start_time: iso(SLOT + HOUR_MS) },
      })
    const [one, two] = [await again(), await again()]
    expect([two.status, two.body, two.headers.get('Idempotent-Replayed')]).toEqual([200, one.body, 'true'])
  })

  it('answer a dry run as if what has expired had ended', async () => {
    const { id, organization, key, join, move } = await group(3)
    await call('PUT', '/v1/test-data/clock', { key, body: { now: iso(SLOT - 24 * HOUR_MS) } })
    const hold = async (start: number) => {
      const body = { event_type_id: id, start_time: iso(start), ttl_seconds: 30 }
      return (await call('POST', '/v1/holds', { key, body })).body.id
    }
    const shared = (await join()).body.session_id
    await hold(SLOT)
    await hold(SLOT + 5 * HOUR_MS)
    const sessions = await env.DB.prepare(
      'SELECT id FROM sessions WHERE event_type_id = ? ORDER BY start_time',
    )
      .bind(id)
      .all<{ id: string }>()
    const alone = sessions.results[1]!.id
    // Nobody sweeps in the meantime.
    await env.DB.prepare('UPDATE organizations SET sandbox_now = sandbox_now + 60000 WHERE id = ?')
      .bind(organization.id)
      .run()
    for (const [session, status] of [
      [alone, 404],
      [shared, 200],
    ]) {
      const tried = await move(session, SLOT + HOUR_MS, {}, '?dry_run=true')
      const { status: done, body } = await move(session, SLOT + HOUR_MS)
      expect([tried.status, done, tried.body.booking_ids]).toEqual([status, status, body.booking_ids])
    }
  })

  it('need a key: by token and without one they are 401, and others do not see the session', async () => {
    const { several } = await group(2)
    const [first] = await several(1)
    const stranger = await createOrganization()
    for (const verb of ['reschedule', 'cancel']) {
      const path = `/v1/sessions/${first.session_id}/${verb}`
      const body = { new_start_time: iso(SLOT + HOUR_MS) }
      expect((await call('POST', `${path}?token=${first.cancel_token}`, { body })).status).toBe(401)
      const bearer = { Authorization: `Bearer ${first.cancel_token}` }
      expect((await call('POST', path, { headers: bearer, body })).status).toBe(401)
      expect((await call('POST', path, { key: stranger.testKey, body })).status).toBe(404)
    }
  })
})
