import { env } from 'cloudflare:workers'
import { describe, expect, it } from 'vitest'
import { call } from '../support/app.ts'
import {
  bookingInput,
  createEventType,
  createOrganization,
  dayFromNow,
  iso,
  unique,
} from '../support/factories.ts'
import { eventIn, lettersTo } from '../support/outbox.ts'

const HOUR_MS = 3_600_000
const SLOT = dayFromNow(3) + 13 * HOUR_MS
const [ADA, BOB, EVE] = ['ada@example.com', 'bob@example.com', 'eve@example.com']

async function sandbox(input: Record<string, unknown> = {}) {
  const ownerEmail = `${unique('owner')}@example.com`
  const { id: organizationId, testKey: key } = await createOrganization({ ownerEmail })
  const { id } = await createEventType(key, { reminder_intervals: [], ...input })
  const book = async (body: Record<string, unknown> = {}, at = SLOT) => {
    const { status, body: booking } = await call('POST', '/v1/bookings', { body: bookingInput(id, at, body) })
    expect([status, booking]).toEqual([201, booking])
    return booking
  }
  const patch = (booking: any, body: Record<string, unknown>, headers = {}) =>
    call('PATCH', `/v1/bookings/${booking.id}`, { key, body, headers })
  const patchAsInvitee = (booking: any, body: Record<string, unknown>, token = booking.cancel_token) =>
    call('PATCH', `/v1/bookings/${booking.id}?token=${token}`, { body })
  const get = async (booking: any) => (await call('GET', `/v1/bookings/${booking.id}`, { key })).body
  const events = async () => (await call('GET', '/v1/events?limit=100', { key })).body.data
  const clock = (now: number) => call('PUT', '/v1/test-data/clock', { key, body: { now: iso(now) } })
  return { organizationId, ownerEmail, key, id, book, patch, patchAsInvitee, get, events, clock }
}

describe('a booking that is changed with a key', () => {
  it('has all fields that were sent, one event with their names, and one entry in the log', async () => {
    const { key, book, patch, get, events } = await sandbox({
      questions: [{ key: 'topic', label: 'Topic', type: 'short_text', required: true }],
    })
    const booking = await book({ answers: { topic: 'Hiring' } })
    const change = {
      invitee_name: 'Ada King',
      invitee_timezone: 'Europe/Berlin',
      invitee_locale: 'de-AT',
      invitee_phone: '+4930901820',
      notes: 'Ring twice',
      metadata: { crm: 7 },
      location: 'Room 4',
    }
    const { status, body } = await patch(booking, { ...change, answers: { topic: 'Pay' } })
    expect([status, body]).toEqual([200, expect.objectContaining(change)])
    expect(body.attendees[0]).toMatchObject({
      id: booking.attendees[0].id,
      name: 'Ada King',
      timezone: 'Europe/Berlin',
    })
    expect(await get(booking)).toMatchObject({ ...change, answers: { topic: 'Pay' } })
    const changed = [...Object.keys(change), 'answers'].sort()
    const [, updated] = await events()
    expect([updated.event, updated.changed.toSorted()]).toEqual(['booking.updated', changed])
    expect(updated.data).toMatchObject({ id: booking.id, location: 'Room 4' })
    expect(JSON.stringify(updated)).not.toContain('4930901820')
    const { body: log } = await call('GET', `/v1/activity?resource_id=${booking.id}`, { key })
    expect(log.data[0]).toMatchObject({ action: 'booking.updated', actor_type: 'api_key' })
  })

  it('writes nothing if nothing is changed, however the answers and the phone are sealed', async () => {
    const { book, patch, events, get } = await sandbox({
      questions: [{ key: 'topic', label: 'Topic', type: 'short_text' }],
    })
    const guests = [{ email: BOB, name: 'Bob' }]
    const booking = await book({ answers: { topic: 'Pay' }, invitee_phone: '+4930901820', guests })
    const before = await get(booking)
    const same = {
      invitee_name: booking.invitee_name,
      invitee_email: ADA.toUpperCase().toLowerCase(),
      invitee_phone: '+4930901820',
      answers: { topic: 'Pay' },
      attendees: [],
      guests,
      location: null,
      notes: null,
    }
    const { status, body } = await patch(booking, same)
    expect([status, body.updated_at]).toEqual([200, booking.updated_at])
    expect(await patch(booking, {})).toMatchObject({ status: 200 })
    expect(await get(booking)).toEqual(before)
    expect(await events()).toHaveLength(1)
  })

  it('emails everybody once when the place or the link changed, and nobody otherwise', async () => {
    const { key, book, patch, ownerEmail } = await sandbox({ max_attendees: 3 })
    const booking = await book({
      attendees: [{ name: 'Bob', email: BOB }],
      guests: [{ email: EVE }],
    })
    const before = await Promise.all([ADA, BOB, EVE].map((to) => lettersTo(key, to, 1)))
    await patch(booking, { notes: 'Quiet', invitee_name: 'Ada King', metadata: { a: 1 } })
    const { body } = await patch(booking, { custom_meeting_url: 'https://meet.example.com/4' })
    expect(body.conferencing_url).toBe('https://meet.example.com/4')
    for (const [at, to] of [ADA, BOB, EVE].entries()) {
      const letters = await lettersTo(key, to, 2)
      const [first, second] = [eventIn(before[at]![0]!), eventIn(letters[1]!)]
      expect(letters[1]!.subject).toContain('Updated')
      expect(letters[1]!.body).toContain('https://meet.example.com/4')
      expect(second).toMatchObject({ method: 'REQUEST', uid: first.uid })
      expect(second.sequence).toBeGreaterThan(first.sequence)
    }
    await lettersTo(key, ownerEmail, 1)
  })

  it('cancels for people who are taken out, and emails the others', async () => {
    const { key, book, patch } = await sandbox({ max_attendees: 3 })
    const booking = await book({
      attendees: [{ name: 'Bob', email: BOB }],
      guests: [{ email: EVE }],
    })
    const { body } = await patch(booking, {
      attendees: [{ name: 'Zoe', email: 'zoe@example.com' }],
      guests: [],
    })
    expect(body.attendees.map((one: any) => one.email)).toEqual([ADA, 'zoe@example.com'])
    expect(body.guests).toEqual([])
    for (const to of [BOB, EVE]) {
      const [, left] = await lettersTo(key, to, 2)
      expect([left!.subject.includes('No longer yours'), eventIn(left!).method]).toEqual([true, 'CANCEL'])
      expect(eventIn(left!).attendees).toEqual([`mailto:${to}`])
    }
    await lettersTo(key, 'zoe@example.com', 1)
    await lettersTo(key, ADA, 2)
  })

  it('keeps the ids of addresses that stay, in any letter case', async () => {
    const { book, patch } = await sandbox({ max_attendees: 3 })
    const booking = await book({ attendees: [{ name: 'Bob', email: BOB }], guests: [{ email: EVE }] })
    const { body } = await patch(booking, {
      attendees: [{ name: 'Robert', email: 'BOB@example.com' }],
      guests: [{ email: 'Eve@example.com', name: 'Eve' }],
    })
    expect(body.attendees[1]).toMatchObject({ id: booking.attendees[1].id, name: 'Robert' })
    expect(body.guests[0]).toMatchObject({ id: booking.guests[0].id, name: 'Eve' })
  })

  it('silences everybody with notify: false', async () => {
    const { key, book, patch } = await sandbox({ max_attendees: 3 })
    const booking = await book({ attendees: [{ name: 'Bob', email: BOB }] })
    await lettersTo(key, BOB, 1)
    await patch(booking, { location: 'Room 4', attendees: [], notify: false })
    await patch(booking, { location: 'Room 5' })
    await lettersTo(key, ADA, 2)
    await lettersTo(key, BOB, 1)
  })

  it('is refused when it is cancelled or over', async () => {
    const { book, patch, clock, key } = await sandbox()
    const booking = await book()
    const cancelled = await book({}, SLOT + HOUR_MS)
    await call('POST', `/v1/bookings/${cancelled.id}/cancel`, { key, body: {} })
    expect((await patch(cancelled, { notes: 'x' })).status).toBe(409)
    await clock(SLOT + 60_000)
    expect((await patch(booking, { notes: 'x' })).status).toBe(200)
    await clock(SLOT + HOUR_MS / 2)
    expect((await patch(booking, { notes: 'y' })).status).toBe(409)
  })

  it.each([
    [{ invitee_email: 'nobody' }, 'invitee_email'],
    [{ invitee_phone: '030 901820' }, 'invitee_phone'],
    [{ custom_meeting_url: 'http://meet.example.com' }, 'custom_meeting_url'],
    [{ guests: [{ email: 'x' }] }, 'guests.0.email'],
    [{ attendees: [{ email: BOB }] }, 'attendees.0.name'],
    [{ invitee_timezone: 'Mars/Olympus' }, 'invitee_timezone'],
    [{ notify: 'no' }, 'notify'],
  ])('names the field that is invalid: %j', async (input, field) => {
    const { book, patch } = await sandbox()
    const { status, body } = await patch(await book(), input)
    expect([status, Object.keys(body.error.details)]).toEqual([400, [field]])
  })

  it.each([
    [
      {
        attendees: [
          { name: 'A', email: BOB },
          { name: 'B', email: 'BOB@example.com' },
        ],
      },
      'same_email',
    ],
    [{ attendees: [{ name: 'A', email: BOB }], guests: [{ email: BOB }] }, 'same_email'],
    [{ guests: [{ email: ADA }] }, 'same_email'],
    [{ guests: [{ email: BOB }, { email: EVE }, { email: 'z@example.com' }] }, 'too_many_guests'],
    [
      { attendees: ['a', 'b', 'c'].map((name) => ({ name, email: `${name}@example.com` })) },
      'too_many_attendees',
    ],
    [{ attendees: [{ name: 'Eve', email: EVE }] }, 'already_seated'],
  ])('refuses people who do not fit: %j', async (input, code) => {
    const { book, patch, get } = await sandbox({ max_attendees: 3, max_guests: 2 })
    const booking = await book()
    await book({ invitee_email: EVE })
    const { status, body } = await patch(booking, input)
    expect([status, body.error.details?.code]).toEqual([400, code])
    expect(await get(booking)).toMatchObject({ updated_at: booking.updated_at })
  })

  it('refuses somebody who already sits in a full session as already seated', async () => {
    const { book, patch } = await sandbox({ max_attendees: 2 })
    const booking = await book()
    await book({ invitee_email: EVE })
    const refused = async (email: string) => {
      const { status, body } = await patch(booking, { attendees: [{ name: 'Eve', email }] })
      return [status, body.error.details?.code]
    }
    expect([await refused(EVE), await refused(BOB)]).toEqual([
      [400, 'already_seated'],
      [409, undefined],
    ])
  })

  it('takes the seat of a hold that has expired, whether or not it was swept, and in a dry run', async () => {
    const { organizationId, key, id, book, patch } = await sandbox({ max_attendees: 2 })
    const booking = await book()
    const hold = { event_type_id: id, start_time: iso(SLOT), ttl_seconds: 60 }
    expect((await call('POST', '/v1/holds', { body: hold })).status).toBe(201)
    const input = { attendees: [{ name: 'Bob', email: BOB }] }
    expect((await patch(booking, input)).status).toBe(409)
    await env.DB.prepare('UPDATE organizations SET sandbox_now = ? WHERE id = ?')
      .bind(Date.now() + HOUR_MS, organizationId)
      .run()
    const dry = await call('PATCH', `/v1/bookings/${booking.id}?dry_run=true`, { key, body: input })
    expect([dry.status, (await patch(booking, input)).status]).toEqual([200, 200])
  })

  it('takes the address of a request that was not decided in time', async () => {
    const { organizationId, key, id, book, patch } = await sandbox({ max_attendees: 3 })
    const booking = await book()
    await call('PATCH', `/v1/event-types/${id}`, {
      key,
      body: { requires_approval: true, approval_ttl_minutes: 60 },
    })
    expect((await book({ invitee_email: EVE })).status).toBe('pending_approval')
    const input = { attendees: [{ name: 'Eve', email: EVE }] }
    expect((await patch(booking, input)).status).toBe(400)
    await env.DB.prepare('UPDATE organizations SET sandbox_now = ? WHERE id = ?')
      .bind(Date.now() + 2 * HOUR_MS, organizationId)
      .run()
    const dry = await call('PATCH', `/v1/bookings/${booking.id}?dry_run=true`, { key, body: input })
    expect([dry.status, (await patch(booking, input)).status]).toEqual([200, 200])
  })

  it('changes no more once nobody decided it in time, whatever is changed, whether or not it was swept', async () => {
    const { organizationId, key, book, patch } = await sandbox({
      max_attendees: 3,
      requires_approval: true,
      approval_ttl_minutes: 60,
    })
    const booking = await book()
    await env.DB.prepare('UPDATE organizations SET sandbox_now = ? WHERE id = ?')
      .bind(Date.now() + 2 * HOUR_MS, organizationId)
      .run()
    for (const input of [{ attendees: [{ name: 'Eve', email: EVE }] }, { notes: 'Ring twice' }]) {
      const dry = await call('PATCH', `/v1/bookings/${booking.id}?dry_run=true`, { key, body: input })
      expect([dry.status, (await patch(booking, input)).status]).toEqual([409, 409])
    }
  })

  it('leaves seats that nobody confirmed to those who wait, in a dry run too', async () => {
    const { organizationId, key, id, book, patch } = await sandbox({
      max_attendees: 2,
      waitlist_enabled: true,
    })
    const booking = await book()
    const hold = { event_type_id: id, start_time: iso(SLOT), ttl_seconds: 60 }
    expect((await call('POST', '/v1/holds', { body: hold })).status).toBe(201)
    const waiting = {
      event_type_id: id,
      start_time: iso(SLOT),
      invitee_name: 'Eve',
      invitee_email: EVE,
    }
    expect((await call('POST', '/v1/waitlist', { body: waiting })).status).toBe(201)
    await env.DB.prepare('UPDATE organizations SET sandbox_now = ? WHERE id = ?')
      .bind(Date.now() + HOUR_MS, organizationId)
      .run()
    const input = { attendees: [{ name: 'Bob', email: BOB }] }
    const dry = await call('PATCH', `/v1/bookings/${booking.id}?dry_run=true`, { key, body: input })
    expect([dry.status, (await patch(booking, input)).status]).toEqual([409, 409])
  })

  it('repeats its answer under an Idempotency-Key, and changes nothing in a dry run', async () => {
    const { key, book, patch, events, get } = await sandbox()
    const booking = await book()
    const path = `/v1/bookings/${booking.id}?dry_run=true`
    const dry = await call('PATCH', path, { key, body: { location: 'Room 9' } })
    expect([dry.status, dry.headers.get('Dry-Run'), dry.body.location]).toEqual([200, 'true', 'Room 9'])
    expect((await get(booking)).location).toBe(null)
    const headers = { 'Idempotency-Key': unique('key') }
    const first = await patch(booking, { location: 'Room 4' }, headers)
    await patch(booking, { location: 'Room 5' })
    const again = await patch(booking, { location: 'Room 4' }, headers)
    expect([again.status, again.headers.get('Idempotent-Replayed')]).toEqual([200, 'true'])
    expect(again.body).toEqual(first.body)
    expect((await patch(booking, { location: 'Room 6' }, headers)).status).toBe(409)
    expect(await events()).toHaveLength(3)
  })
})

describe('the address of an invitee', () => {
  it('ends the earlier tokens when it changes, and the new address gets a link that works', async () => {
    const { key, book, patch, patchAsInvitee } = await sandbox()
    const booking = await book()
    const tokenIn = async (to: string, count: number) =>
      /token=([\w-]{43})/.exec((await lettersTo(key, to, count)).at(-1)!.body)?.[1]
    await patch(booking, { invitee_email: BOB })
    const ofBob = await tokenIn(BOB, 1)
    const [, left] = await lettersTo(key, ADA, 2)
    expect([left!.body.includes('token='), left!.body.includes(BOB)]).toEqual([false, false])
    expect(eventIn(left!).method).toBe('CANCEL')
    const statusOf = async (token: string) =>
      (await patchAsInvitee(booking, { notes: unique('n') }, token)).status
    expect([await statusOf(booking.cancel_token), await statusOf(ofBob!)]).toEqual([401, 200])
    for (const verb of ['cancel', 'reschedule'])
      expect(
        (
          await call('POST', `/v1/bookings/${booking.id}/${verb}?token=${booking.cancel_token}`, {
            body: { new_start_time: iso(SLOT + HOUR_MS) },
          })
        ).status,
      ).toBe(401)
    await patch(booking, { invitee_email: ADA })
    const ofAda = await tokenIn(ADA, 3)
    expect(ofAda).not.toBe(booking.cancel_token)
    expect([await statusOf(booking.cancel_token), await statusOf(ofBob!), await statusOf(ofAda!)]).toEqual([
      401, 401, 200,
    ])
  })

  it('does not become known by a replayed creation', async () => {
    const { key, id, patch, patchAsInvitee } = await sandbox()
    const headers = { 'Idempotency-Key': unique('key') }
    const create = () => call('POST', '/v1/bookings', { key, headers, body: bookingInput(id, SLOT) })
    const { body: booking } = await create()
    await patch(booking, { invitee_email: BOB })
    const { body: again } = await create()
    expect(again.cancel_token).toBe(booking.cancel_token)
    expect((await patchAsInvitee(booking, { notes: 'x' }, again.cancel_token)).status).toBe(401)
  })
})

describe('an invitee with the token', () => {
  it('changes their own fields until the start', async () => {
    const { book, patchAsInvitee, clock } = await sandbox()
    const booking = await book()
    const { status, body } = await patchAsInvitee(booking, {
      invitee_name: 'Ada King',
      invitee_phone: '+4930901820',
      guests: [{ email: BOB }],
    })
    expect([status, body.invitee_name, body.guests[0].email]).toEqual([200, 'Ada King', BOB])
    await clock(SLOT)
    const late = await patchAsInvitee(booking, { notes: 'x' })
    expect([late.status, late.body.error.details.code]).toEqual([403, 'too_late'])
  })

  it.each([
    { invitee_email: BOB },
    { attendees: [] },
    { location: 'Room 4' },
    { custom_meeting_url: null },
    { metadata: {} },
  ])('cannot change what is the organization’s: %j', async (input) => {
    const { book, patchAsInvitee } = await sandbox()
    const { status, body } = await patchAsInvitee(await book(), input)
    expect([status, Object.keys(body.error.details)]).toEqual([400, Object.keys(input)])
  })

  it('cannot silence the call, and nobody changes it without the token', async () => {
    const { book, patchAsInvitee } = await sandbox()
    const booking = await book()
    expect((await patchAsInvitee(booking, { notes: 'x', notify: false })).status).toBe(403)
    expect((await patchAsInvitee(booking, { notes: 'x' }, 'wrong')).status).toBe(401)
  })
})

describe('the seats of a session', () => {
  it('are taken and released by its attendees', async () => {
    const { id, book, patch } = await sandbox({ max_attendees: 3 })
    const booking = await book()
    const left = async () => {
      const day = iso(SLOT).slice(0, 10)
      const { body } = await call(
        'GET',
        `/v1/availability?event_type_id=${id}&start=${day}&end=${day}&timezone=UTC`,
      )
      return body.slots.find((slot: any) => slot.start_time === iso(SLOT))?.spots_remaining
    }
    expect(await left()).toBe(2)
    const two = [BOB, EVE].map((email) => ({ name: email, email }))
    expect((await patch(booking, { attendees: two })).status).toBe(200)
    expect(await left()).toBe(undefined)
    await patch(booking, { attendees: two.slice(1) })
    expect(await left()).toBe(1)
    await book({ invitee_email: 'zoe@example.com' })
    const full = await patch(booking, { attendees: two })
    expect([full.status, full.body.error.code]).toEqual([409, 'conflict'])
    const dry = await call('PATCH', `/v1/bookings/${booking.id}?dry_run=true`, {
      key: undefined as never,
      body: {},
    })
    expect(dry.status).toBe(401)
  })

  it('go to the waitlist first when an attendee leaves', async () => {
    const { id, key, book, patch } = await sandbox({ max_attendees: 2, waitlist_enabled: true })
    const booking = await book({ attendees: [{ name: 'Bob', email: BOB }] })
    const joined = await call('POST', '/v1/waitlist', {
      body: { event_type_id: id, start_time: iso(SLOT), invitee_name: 'Eve', invitee_email: EVE },
    })
    expect(joined.status).toBe(201)
    expect((await patch(booking, { attendees: [] })).status).toBe(200)
    const { body } = await call('GET', `/v1/bookings?event_type_id=${id}`, { key })
    expect(body.data.map((one: any) => one.invitee_email).toSorted()).toEqual([ADA, EVE])
    const again = await patch(booking, { attendees: [{ name: 'Bob', email: BOB }] })
    expect(again.status).toBe(409)
  })

  it('take one of many who want the last one', async () => {
    const { id, book, patch, key } = await sandbox({ max_attendees: 6 })
    const mine = await book()
    const others = await Promise.all(
      [1, 2, 3, 4].map((at) => book({ invitee_email: `other${at}@example.com` })),
    )
    const add = others.map((one, at) =>
      patch(one, { attendees: [{ name: 'New', email: `new${at}@example.com` }] }),
    )
    const join = [1, 2, 3].map((at) =>
      call('POST', '/v1/bookings', {
        body: bookingInput(id, SLOT, { invitee_email: `join${at}@example.com` }),
      }),
    )
    const answers = await Promise.all([...add, ...join])
    const statuses = answers.map(({ status }) => status).toSorted()
    expect(statuses.filter((status) => status < 300)).toHaveLength(1)
    expect(statuses.filter((status) => status >= 300)).toEqual(Array(6).fill(409))
    const { body } = await call('GET', `/v1/bookings?event_type_id=${id}`, { key })
    const seats = body.data.reduce((sum: number, one: any) => sum + one.attendee_count, 0)
    expect([seats, mine.attendee_count]).toEqual([6, 1])
  })
})
