import { env } from 'cloudflare:workers'
import { describe, expect, it } from 'vitest'
import { Booking, BookingDetail, UpdatedBooking } from '../../src/booking/bookings/schema.ts'
import { call, callAsService } from '../support/app.ts'
import {
  ALL_DAY,
  book,
  bookAsAnother,
  bookingInput,
  createEventType,
  createOrganization,
  dateOf,
  dayFromNow,
  iso,
  openStarts,
} from '../support/factories.ts'
import { stayInOneMinute } from '../support/minute.ts'

const MINUTE_MS = 60_000
const HOUR_MS = 60 * MINUTE_MS
const DAY = dayFromNow(3)
const SLOT = DAY + 10 * HOUR_MS
const NOWHERE = '0192f1e0-7c11-7000-8000-3b1f0a5d9c42'

async function rowCount(table: string, organizationId: string): Promise<number> {
  const row = await env.DB.prepare(`SELECT count(*) AS n FROM ${table} WHERE organization_id = ?`)
    .bind(organizationId)
    .first<{ n: number }>()
  return row!.n
}

async function bookedOne(input: Record<string, unknown> = {}) {
  const organization = await createOrganization()
  const eventType = await createEventType(organization.liveKey, input)
  const { body: booking } = await book(eventType.id, SLOT)
  return { organization, key: organization.liveKey, eventType, booking }
}

describe('booking a slot', () => {
  it('answers with the whole record and a token', async () => {
    const { id: organizationId, liveKey } = await createOrganization()
    const eventType = await createEventType(liveKey, {
      conferencing_provider: 'custom',
      custom_meeting_url: 'https://meet.example.com/ada',
      location: 'Room 4',
    })
    const { status, body } = await book(eventType.id, SLOT, {
      invitee_timezone: 'Asia/Kathmandu',
      notes: 'Hello',
      metadata: { crm: { id: 7 }, tags: ['a'] },
    })
    expect(status).toBe(201)
    const { cancel_token, ...booking } = body
    expect(UpdatedBooking.parse(booking)).toEqual(booking)
    expect(cancel_token).toMatch(/^[\w-]{43}$/)
    expect(booking).toMatchObject({
      organization_id: organizationId,
      event_type_id: eventType.id,
      status: 'confirmed',
      is_test: false,
      start_time: iso(SLOT),
      end_time: iso(SLOT + 30 * MINUTE_MS),
      invitee_name: 'Ada Lovelace',
      invitee_email: 'ada@example.com',
      invitee_timezone: 'Asia/Kathmandu',
      notes: 'Hello',
      metadata: { crm: { id: 7 }, tags: ['a'] },
      attendee_count: 1,
      attendees: [
        { name: 'Ada Lovelace', email: 'ada@example.com', timezone: 'Asia/Kathmandu', is_primary: true },
      ],
      conferencing_url: 'https://meet.example.com/ada',
      location: 'Room 4',
      cancelled_at: null,
      previous_start_time: null,
    })
    const { body: detail } = await call('GET', `/v1/bookings/${booking.id}`, { key: liveKey })
    expect(BookingDetail.parse(detail)).toEqual(detail)
    expect(detail).toEqual({
      ...booking,
      event_type: { id: eventType.id, title: eventType.title, duration: 30 },
      answers: {},
      allowed_actions: expect.any(Object),
    })
    expect(booking.id[14]).toBe('7')
  })

  it('takes the same instant in any offset', async () => {
    const { liveKey } = await createOrganization()
    const { id } = await createEventType(liveKey)
    const local = iso(SLOT + 5.75 * HOUR_MS).replace('.000Z', '+05:45')
    const { status, body } = await book(id, 0, { start_time: local })
    expect({ status, start: body.start_time }).toEqual({ status: 201, start: iso(SLOT) })
  })

  it('takes a start without seconds', async () => {
    const { liveKey } = await createOrganization()
    const { id } = await createEventType(liveKey)
    const { status, body } = await book(id, 0, { start_time: iso(SLOT).replace(':00.000Z', 'Z') })
    expect({ status, start: body.start_time }).toEqual({ status: 201, start: iso(SLOT) })
  })

  it('takes a start with a lower-case t and z, which the format date-time allows', async () => {
    const { liveKey } = await createOrganization()
    const { id } = await createEventType(liveKey)
    const { status, body } = await book(id, 0, { start_time: iso(SLOT).toLowerCase() })
    expect({ status, start: body.start_time }).toEqual({ status: 201, start: iso(SLOT) })
  })

  it('names every field that is wrong and writes nothing', async () => {
    const { id: organizationId, liveKey } = await createOrganization()
    const { id } = await createEventType(liveKey)
    const wrong: [Record<string, unknown>, string][] = [
      [{ event_type_id: undefined }, 'event_type_id'],
      [{ event_type_id: 7 }, 'event_type_id'],
      [{ start_time: undefined }, 'start_time'],
      [{ start_time: '2027-03-01T09:00:00' }, 'start_time'],
      [{ start_time: '2027-02-30T09:00:00Z' }, 'start_time'],
      [{ start_time: 'tomorrow' }, 'start_time'],
      [{ start_time: 1_800_000_000 }, 'start_time'],
      [{ invitee_name: '' }, 'invitee_name'],
      [{ invitee_name: 'x'.repeat(256) }, 'invitee_name'],
      [{ invitee_name: undefined }, 'invitee_name'],
      [{ invitee_email: 'nobody' }, 'invitee_email'],
      [{ invitee_email: undefined }, 'invitee_email'],
      [{ invitee_timezone: 'Mars/Olympus' }, 'invitee_timezone'],
      [{ invitee_timezone: '+05:00' }, 'invitee_timezone'],
      [{ notes: 'x'.repeat(2001) }, 'notes'],
      [{ metadata: [] }, 'metadata'],
      [{ metadata: JSON.parse('{"a":{"__proto__":1}}') }, 'metadata.a'],
      [{ start_time: '9999-12-31T23:30:00Z' }, 'start_time'],
      [{ start_time: '9999-12-31T23:59:59-10:00' }, 'start_time'],
      [{ metadata: Object.fromEntries(Array.from({ length: 51 }, (_, at) => [`k${at}`, 1])) }, 'metadata'],
      [{ metadata: { big: 'x'.repeat(17_000) } }, 'metadata'],
      [{ duration: 'long' }, 'duration'],
      [{ attendees: 'me' }, 'attendees'],
      [{ attendees: [{ name: 'B', email: 'no' }] }, 'attendees.0.email'],
    ]
    for (const [input, field] of wrong) {
      const { status, body } = await book(id, SLOT, input)
      expect([field, status, body.error.code]).toEqual([field, 400, 'validation_error'])
      expect(body.error.details[field]).toEqual(expect.any(String))
    }
    expect(await rowCount('bookings', organizationId)).toBe(0)
    expect(await rowCount('events', organizationId)).toBe(0)
    expect(await openStarts(id, DAY)).toHaveLength(48)
  })

  it('refuses unknown, malformed, inactive and deleted event types as not found', async () => {
    const { liveKey } = await createOrganization()
    const inactive = await createEventType(liveKey)
    await call('PATCH', `/v1/event-types/${inactive.id}`, { key: liveKey, body: { active: false } })
    const deleted = await createEventType(liveKey)
    await call('DELETE', `/v1/event-types/${deleted.id}`, { key: liveKey })
    for (const id of [NOWHERE, 'nonsense', inactive.id, deleted.id]) {
      const { status, body } = await book(id, SLOT)
      expect([status, body.error.code]).toEqual([404, 'not_found'])
    }
  })

  it('rejects a start that is not a slot: off the grid, outside hours, past, or within the notice', async () => {
    const { liveKey } = await createOrganization()
    const weekday = new Date(SLOT).getUTCDay()
    const { id } = await createEventType(liveKey, { minimum_notice_minutes: 43_200 }, [
      { day_of_week: weekday, start_time: '09:00', end_time: '17:00' },
    ])
    const far = SLOT + 35 * 24 * HOUR_MS
    for (const start of [
      far + MINUTE_MS,
      far + 7 * HOUR_MS,
      far - 2 * HOUR_MS,
      far + 24 * HOUR_MS,
      SLOT,
      0,
    ]) {
      const { status, body } = await book(id, start)
      expect([status, body.error.code]).toEqual([409, 'conflict'])
      expect(body.error.details.alternatives.length).toBeLessThanOrEqual(3)
    }
    expect((await book(id, far)).status).toBe(201)
    expect((await book(id, far + 6.5 * HOUR_MS)).status).toBe(201)
  })

  it('names the next open starts when a start in the past is asked for', async () => {
    const { liveKey } = await createOrganization()
    const { id } = await createEventType(liveKey)
    const { body } = await book(id, Date.now() - 24 * HOUR_MS)
    const { alternatives } = body.error.details
    expect(alternatives).toHaveLength(3)
    expect((await book(id, 0, { start_time: alternatives[0] })).status).toBe(201)
  })

  it('refuses in the documented order when several things are wrong', async () => {
    const organization = await createOrganization({ tier: 'free' })
    const { id, liveKey } = organization
    const eventType = await createEventType(liveKey, { booking_cap: 1, booking_cap_period: 'daily' })
    expect((await book(eventType.id, SLOT)).status).toBe(201)
    const code = async (input: Record<string, unknown> = {}) =>
      (await book(eventType.id, SLOT, input)).body.error.code
    expect(await code()).toBe('booking_cap_reached')
    expect(await code({ duration: 45 })).toBe('bad_request')
    const filler = await createEventType(liveKey)
    for (let at = 0; at < 9; at++) await book(filler.id, SLOT + at * HOUR_MS)
    expect(await code({ duration: 45 })).toBe('plan_limit_exceeded')
    await callAsService('PATCH', `/v1/organizations/${id}`, { body: { suspended: true } })
    expect(await code({ duration: 45 })).toBe('org_suspended')
    await call('PATCH', `/v1/event-types/${eventType.id}`, { key: liveKey, body: { active: false } })
    expect(await code({ duration: 45 })).toBe('not_found')
    expect(await code({ duration: 45, invitee_name: '' })).toBe('validation_error')
  })

  it('takes no attendees besides the invitee, and says so', async () => {
    const { liveKey } = await createOrganization()
    const { id } = await createEventType(liveKey)
    const ada = { name: 'Ada', email: 'ADA@example.com' }
    const bob = { name: 'Bob', email: 'bob@example.com' }
    for (const attendees of [[bob], [ada, ada]]) {
      const { status, body } = await book(id, SLOT, { attendees })
      expect([status, body.error.code]).toEqual([400, 'bad_request'])
    }
    const { status, body } = await book(id, SLOT, { attendees: [ada] })
    expect([status, body.attendee_count]).toEqual([201, 1])
  })

  it('books any of several durations, each on its own grid', async () => {
    const { liveKey } = await createOrganization()
    const { id } = await createEventType(liveKey, { duration_options: [30, 45, 60] })
    expect(await openStarts(id, DAY, DAY, '&duration=45')).toHaveLength(32)
    const { status, body } = await book(id, DAY + 45 * MINUTE_MS, { duration: 45 })
    expect([status, body.end_time]).toEqual([201, iso(DAY + 90 * MINUTE_MS)])
    expect((await book(id, DAY + 45 * MINUTE_MS * 5, { duration: 60 })).status).toBe(409)
    for (const duration of [-30, 0]) {
      expect((await book(id, SLOT, { duration })).body.error.code).toBe('bad_request')
    }
    const refused = await book(id, SLOT, { duration: 20 })
    expect([refused.status, refused.body.error.code]).toEqual([400, 'bad_request'])
    expect(refused.body.error.message).toContain('30, 45, 60')
  })

  it('keeps the buffers of a booking free of others', async () => {
    const { liveKey } = await createOrganization()
    const { id } = await createEventType(liveKey, { buffer_before_minutes: 15, buffer_after_minutes: 45 })
    await book(id, SLOT)
    const open = await openStarts(id, DAY)
    const near = [-60, -30, 0, 30, 60, 90].map((minutes) => open.includes(iso(SLOT + minutes * MINUTE_MS)))
    // An earlier booking ends 45 minutes before this one's buffer begins; a later one begins 15 after its own.
    expect(near).toEqual([false, false, false, false, false, true])
    expect(open).toContain(iso(SLOT - 90 * MINUTE_MS))
  })
})

describe('what is offered', () => {
  it('can be booked, every slot of it, across a clock change in the zone of the hours', async () => {
    const { liveKey } = await createOrganization({ timezone: 'America/New_York' })
    const rules = [0, 6].map((day_of_week) => ({ day_of_week, start_time: '13:00', end_time: '18:00' }))
    const { id } = await createEventType(liveKey, { duration_minutes: 60 }, rules)
    const year = new Date().getUTCFullYear() + 1
    const march = new Date(Date.UTC(year, 2, 1))
    const sunday = Date.UTC(year, 2, 1 + ((7 - march.getUTCDay()) % 7) + 7)
    const offered = await openStarts(id, sunday - 24 * HOUR_MS, sunday)
    expect(offered).toEqual(
      [-24 + 18, -24 + 19, -24 + 20, -24 + 21, -24 + 22, 17, 18, 19, 20, 21].map((hour) =>
        iso(sunday + hour * HOUR_MS),
      ),
    )
    for (const start_time of offered) expect((await book(id, 0, { start_time })).status).toBe(201)
    expect(await openStarts(id, sunday - 24 * HOUR_MS, sunday)).toEqual([])
  })

  it('crosses midnight if the windows touch, and counts a cap by the start in the zone of the hours', async () => {
    const { liveKey } = await createOrganization({ timezone: 'Asia/Kathmandu' })
    const { id } = await createEventType(
      liveKey,
      { duration_minutes: 90, booking_cap: 1, booking_cap_period: 'daily' },
      ALL_DAY.flatMap(({ day_of_week }) => [
        { day_of_week, start_time: '21:00', end_time: '24:00' },
        { day_of_week, start_time: '00:00', end_time: '01:00' },
      ]),
    )
    const midnight = DAY - 5.75 * HOUR_MS
    const lastOfDay = midnight - 1.5 * HOUR_MS
    const offered = await openStarts(id, DAY - 24 * HOUR_MS, DAY)
    expect(offered).toContain(iso(lastOfDay))
    expect((await book(id, lastOfDay)).status).toBe(201)
    expect((await book(id, lastOfDay - 1.5 * HOUR_MS)).body.error.code).toBe('booking_cap_reached')
    expect((await book(id, lastOfDay + 24 * HOUR_MS)).status).toBe(201)
  })

  it('says when a cap is full and offers nothing in its period', async () => {
    const { liveKey } = await createOrganization()
    const { id } = await createEventType(liveKey, { booking_cap: 1, booking_cap_period: 'daily' })
    const { body: booking } = await book(id, SLOT)
    const path = `/v1/availability?event_type_id=${id}&start=${dateOf(DAY)}&end=${dateOf(DAY + 24 * HOUR_MS)}&timezone=UTC`
    const { body } = await call('GET', path)
    expect(body.capped).toBe(true)
    expect(body.slots).toHaveLength(48)
    expect(body.slots[0].start_time).toBe(iso(DAY + 24 * HOUR_MS))
    const { body: counted } = await call('GET', `/v1/event-types/${id}`, { key: liveKey })
    expect(counted).toMatchObject({ booking_count: 0, bookings_remaining: 1 })
    await call('POST', `/v1/bookings/${booking.id}/cancel`, { key: liveKey })
    const { body: after } = await call('GET', path)
    expect(after).not.toHaveProperty('capped')
    expect(after.slots).toHaveLength(96)
  })

  it('counts a total cap over all time, down with a cancel', async () => {
    const { liveKey } = await createOrganization()
    const { id } = await createEventType(liveKey, { booking_cap: 2 })
    const { body: first } = await book(id, SLOT)
    await book(id, SLOT + 40 * 24 * HOUR_MS)
    expect((await book(id, SLOT + HOUR_MS)).body.error.code).toBe('booking_cap_reached')
    expect((await call('GET', `/v1/event-types/${id}`, { key: liveKey })).body).toMatchObject({
      booking_cap_period: 'total',
      booking_count: 2,
      bookings_remaining: 0,
    })
    await call('POST', `/v1/bookings/${first.id}/cancel`, { key: liveKey })
    expect((await book(id, SLOT + HOUR_MS)).status).toBe(201)
  })
})

describe('cancelling', () => {
  it('releases the slot, keeps the reason, and succeeds again without a second change', async () => {
    const { key, booking, eventType, organization } = await bookedOne()
    const path = `/v1/bookings/${booking.id}/cancel?token=${booking.cancel_token}`
    const { status, body } = await call('POST', path, { body: { reason: 'I am ill.' } })
    expect(status).toBe(200)
    expect(body).toMatchObject({ status: 'cancelled', cancel_reason: 'I am ill.', start_time: iso(SLOT) })
    expect(body).not.toHaveProperty('cancel_token')
    expect(await openStarts(eventType.id, DAY)).toContain(iso(SLOT))
    const again = await call('POST', path, { body: { reason: 'Another reason.' } })
    expect([again.status, again.body]).toEqual([200, body])
    expect(await rowCount('events', organization.id)).toBe(2)
    expect((await book(eventType.id, SLOT)).status).toBe(201)
    expect((await call('GET', `/v1/bookings/${booking.id}`, { key })).body.status).toBe('cancelled')
  })

  it('takes a token of this booking and no other', async () => {
    const { booking, eventType, key } = await bookedOne()
    const { body: other } = await book(eventType.id, SLOT + HOUR_MS)
    for (const query of ['', '?token=', '?token=x', `?token=${other.cancel_token}`, `?token=${booking.id}`]) {
      for (const [verb, body] of [
        ['cancel', {}],
        ['reschedule', { new_start_time: iso(SLOT + 2 * HOUR_MS) }],
      ] as const) {
        const refused = await call('POST', `/v1/bookings/${booking.id}/${verb}${query}`, { body })
        expect([query, refused.status, refused.body.error.code]).toEqual([query, 401, 'unauthorized'])
      }
    }
    const unknown = await call('POST', `/v1/bookings/${NOWHERE}/cancel?token=${booking.cancel_token}`)
    expect(unknown.status).toBe(404)
    expect((await call('POST', '/v1/bookings/nonsense/cancel?token=x')).status).toBe(404)
    expect((await call('GET', `/v1/bookings/${booking.id}`, { key })).body.status).toBe('confirmed')
  })

  it('is readable with its token, and with no other token', async () => {
    const { key, booking, eventType } = await bookedOne()
    const { body: other } = await book(eventType.id, SLOT + HOUR_MS)
    const path = `/v1/bookings/${booking.id}`
    const own = await call('GET', `${path}?token=${booking.cancel_token}`)
    const { cancel_token: _token, ...record } = booking
    expect([own.status, own.body]).toEqual([
      200,
      {
        ...record,
        event_type: { id: eventType.id, title: 'Intro call', duration: 30 },
        answers: {},
        allowed_actions: {
          cancel: { allowed: true, reason: null, refund_amount: null },
          reschedule: { allowed: true, reason: null },
        },
      },
    ])
    expect((await call('GET', path, { key })).body).toEqual(own.body)
    for (const token of ['', '?token=', '?token=nope', `?token=${other.cancel_token}`]) {
      const answer = await call('GET', `${path}${token}`)
      expect([token, answer.status, answer.body.error.code]).toEqual([token, 401, 'unauthorized'])
    }
    const unknown = await call('GET', `/v1/bookings/${NOWHERE}?token=${booking.cancel_token}`)
    expect([unknown.status, unknown.body.error.code]).toEqual([404, 'not_found'])
  })

  it('takes the token as a bearer too, which stays out of addresses', async () => {
    const { booking, eventType, key } = await bookedOne({ waitlist_enabled: true })
    const { body: other } = await book(eventType.id, SLOT + HOUR_MS)
    const path = `/v1/bookings/${booking.id}`
    const own = await call('GET', path, { key: booking.cancel_token })
    expect(own.body).toEqual((await call('GET', `${path}?token=${booking.cancel_token}`)).body)
    for (const wrong of [other.cancel_token, 'nope', `${booking.cancel_token}A`]) {
      const answer = await call('POST', `${path}/cancel`, { key: wrong })
      expect([wrong, answer.status, answer.body.error.code]).toEqual([wrong, 401, 'unauthorized'])
    }
    const twice = await call('GET', `${path}?token=${other.cancel_token}`, { key: booking.cancel_token })
    expect([twice.status, Object.keys(twice.body.error.details)]).toEqual([400, ['token']])
    const elsewhere = await call('GET', '/v1/bookings', { key: booking.cancel_token })
    expect(elsewhere.status).toBe(401)
    const to = { new_start_time: iso(SLOT + 2 * HOUR_MS) }
    const moved = await call('POST', `${path}/reschedule`, { key: booking.cancel_token, body: to })
    expect([moved.status, moved.body.start_time]).toEqual([200, to.new_start_time])
    const { body: entry } = await call('POST', '/v1/waitlist', {
      body: bookingInput(eventType.id, SLOT + 2 * HOUR_MS, { invitee_email: 'waits@example.com' }),
    })
    const left = await call('POST', `/v1/waitlist/${entry.id}/cancel`, { key: entry.cancel_token })
    expect([left.status, left.body.status]).toEqual([200, 'cancelled'])
    expect((await call('POST', `${path}/cancel`, { key: booking.cancel_token })).body.status).toBe(
      'cancelled',
    )
    const actors = (await call('GET', `/v1/activity?resource_id=${booking.id}`, { key })).body.data
    expect(actors.map(({ actor_type }: any) => actor_type)).toEqual(['invitee', 'invitee', 'invitee'])
    const preflight = await call('OPTIONS', path)
    expect(preflight.headers.get('Access-Control-Allow-Headers')).toContain('Authorization')
  })

  it('says what can be done with it in the words in which it would be refused', async () => {
    const { key, booking, eventType } = await bookedOne()
    const { body: second } = await book(eventType.id, SLOT + HOUR_MS)
    const actionsOf = async ({ id, cancel_token }: { id: string; cancel_token: string }) =>
      (await call('GET', `/v1/bookings/${id}?token=${cancel_token}`)).body.allowed_actions
    const refusedMove = async ({ id, cancel_token }: { id: string; cancel_token: string }) => {
      const body = { new_start_time: iso(SLOT + 3 * HOUR_MS) }
      return (await call('POST', `/v1/bookings/${id}/reschedule?token=${cancel_token}`, { body })).body.error
    }
    await call('POST', `/v1/bookings/${booking.id}/cancel?token=${booking.cancel_token}`)
    expect(await actionsOf(booking)).toEqual({
      cancel: { allowed: false, reason: 'This booking is cancelled already.', refund_amount: null },
      reschedule: { allowed: false, reason: (await refusedMove(booking)).message },
    })
    await call('PATCH', `/v1/event-types/${eventType.id}`, { key, body: { active: false } })
    const stuck = {
      cancel: { allowed: true, reason: null, refund_amount: null },
      reschedule: { allowed: false, reason: (await refusedMove(second)).message },
    }
    expect(await actionsOf(second)).toEqual(stuck)
    await call('DELETE', `/v1/event-types/${eventType.id}`, { key })
    expect(await actionsOf(second)).toEqual(stuck)
  })

  it('is rate limited by token like anything else', async () => {
    const { booking } = await bookedOne()
    const headers = { 'CF-Connecting-IP': '10.250.0.7' }
    stayInOneMinute(15)
    const ask = () => call('GET', `/v1/bookings/${booking.id}?token=${booking.cancel_token}`, { headers })
    let last = await ask()
    for (let asked = 0; asked < 700 && last.status === 200; asked++) last = await ask()
    expect([last.status, last.body.error.code]).toEqual([429, 'rate_limit_exceeded'])
  })

  it('is not found with a key of another organization or of the other mode', async () => {
    const { booking, organization } = await bookedOne()
    const outsider = await createOrganization()
    for (const key of [outsider.liveKey, organization.testKey]) {
      const path = `/v1/bookings/${booking.id}`
      const body = { new_start_time: iso(SLOT + HOUR_MS) }
      expect((await call('GET', path, { key })).status).toBe(404)
      expect((await call('POST', `${path}/cancel`, { key })).status).toBe(404)
      expect((await call('POST', `${path}/reschedule`, { key, body })).status).toBe(404)
    }
    expect(await rowCount('activity', outsider.id)).toBeLessThanOrEqual(4)
  })

  it('still works for a deleted event type and a suspended organization', async () => {
    const { key, booking, eventType, organization } = await bookedOne()
    const { body: second } = await book(eventType.id, SLOT + HOUR_MS)
    await callAsService('PATCH', `/v1/organizations/${organization.id}`, { body: { suspended: true } })
    const moved = await call('POST', `/v1/bookings/${second.id}/reschedule?token=${second.cancel_token}`, {
      body: { new_start_time: iso(SLOT + 2 * HOUR_MS) },
    })
    expect(moved.status).toBe(200)
    await call('DELETE', `/v1/event-types/${eventType.id}`, { key })
    const detail = await call('GET', `/v1/bookings/${booking.id}`, { key })
    expect([detail.status, detail.body.event_type.id]).toEqual([200, eventType.id])
    expect((await call('POST', `/v1/bookings/${booking.id}/cancel`, { key })).status).toBe(200)
    const stuck = await call('POST', `/v1/bookings/${second.id}/reschedule`, {
      key,
      body: { new_start_time: iso(SLOT + 3 * HOUR_MS) },
    })
    expect([stuck.status, stuck.body.error.code]).toEqual([409, 'conflict'])
  })
})

describe('rescheduling', () => {
  const move = (booking: { id: string; cancel_token: string }, start: number, reason?: string) =>
    call('POST', `/v1/bookings/${booking.id}/reschedule?token=${booking.cancel_token}`, {
      body: { new_start_time: iso(start), ...(reason && { reason }) },
    })

  it('moves the booking, releases the old start and keeps the length', async () => {
    const { booking, eventType, key } = await bookedOne({ duration_options: [30, 60] })
    const { body: long } = await book(eventType.id, SLOT + 4 * HOUR_MS, { duration: 60 })
    const { status, body } = await move(booking, SLOT + HOUR_MS, 'Train is late')
    expect(status).toBe(200)
    expect(body).toMatchObject({
      id: booking.id,
      status: 'rescheduled',
      start_time: iso(SLOT + HOUR_MS),
      end_time: iso(SLOT + 1.5 * HOUR_MS),
      previous_start_time: iso(SLOT),
      rescheduled_at: expect.any(String),
    })
    const open = await openStarts(eventType.id, DAY)
    expect(open).toContain(iso(SLOT))
    expect(open).not.toContain(iso(SLOT + HOUR_MS))
    const { body: stillLong } = await move(long, SLOT + 6 * HOUR_MS)
    expect(stillLong.end_time).toBe(iso(SLOT + 7 * HOUR_MS))
    expect((await move(booking, SLOT + 2 * HOUR_MS)).body.previous_start_time).toBe(iso(SLOT + HOUR_MS))
    expect((await call('POST', `/v1/bookings/${booking.id}/cancel`, { key })).body.status).toBe('cancelled')
  })

  it('to the same start succeeds and changes nothing', async () => {
    const { booking, organization } = await bookedOne()
    const { cancel_token: _, invitee_phone: __, sms_consent: ___, ...record } = booking
    const { status, body } = await move(booking, SLOT)
    expect([status, body]).toEqual([200, record])
    expect(await rowCount('events', organization.id)).toBe(1)
  })

  it('does not block itself: an overlapping start, its buffers, and a full cap', async () => {
    const { liveKey } = await createOrganization()
    const { id } = await createEventType(liveKey, {
      duration_minutes: 60,
      buffer_before_minutes: 60,
      buffer_after_minutes: 60,
      booking_cap: 1,
      booking_cap_period: 'daily',
    })
    const { body: booking } = await book(id, SLOT)
    expect((await move(booking, SLOT + HOUR_MS)).status).toBe(200)
    const { body: tomorrow } = await book(id, SLOT + 24 * HOUR_MS)
    const full = await move(tomorrow, SLOT + 5 * HOUR_MS)
    expect([full.status, full.body.error.code]).toEqual([409, 'booking_cap_reached'])
  })

  it('is offered no start at which it stands already', async () => {
    const { booking, eventType } = await bookedOne()
    await book(eventType.id, SLOT - HOUR_MS)
    const { body } = await move(booking, SLOT - HOUR_MS)
    const open = [-30, 30, 60].map((minutes) => iso(SLOT + minutes * MINUTE_MS))
    expect(body.error.details.alternatives).toEqual(open)
  })

  it('is refused for a cancelled booking and for a start that is taken or no slot', async () => {
    const { booking, eventType, key } = await bookedOne()
    await book(eventType.id, SLOT + HOUR_MS)
    for (const start of [SLOT + HOUR_MS, SLOT + 7 * MINUTE_MS, Date.now() - HOUR_MS]) {
      const refused = await move(booking, start)
      expect([refused.status, refused.body.error.code]).toEqual([409, 'conflict'])
      expect(refused.body.error.details.alternatives).toHaveLength(3)
    }
    expect((await call('GET', `/v1/bookings/${booking.id}`, { key })).body.start_time).toBe(iso(SLOT))
    await call('POST', `/v1/bookings/${booking.id}/cancel`, { key })
    const refused = await move(booking, SLOT + 3 * HOUR_MS)
    expect([refused.status, refused.body.error.code]).toEqual([409, 'conflict'])
    expect(refused.body.error.message).toContain('cancelled')
    expect((await call('POST', `/v1/bookings/${booking.id}/reschedule`, { key, body: {} })).status).toBe(400)
  })
})

describe('listing bookings', () => {
  it('pages newest first and filters', async () => {
    const { liveKey } = await createOrganization()
    const one = await createEventType(liveKey)
    const two = await createEventType(liveKey)
    const ids: string[] = []
    for (let at = 0; at < 5; at++) {
      const { body } = await book(at < 3 ? one.id : two.id, SLOT + at * HOUR_MS, {
        invitee_email:
          ['Grace@example.com', 'Özlem@example.com', 'weiss@example.com'][at] ?? 'ada@example.com',
      })
      ids.unshift(body.id)
    }
    await call('POST', `/v1/bookings/${ids[0]}/cancel`, { key: liveKey })
    const list = async (query: string) => {
      const { body } = await call('GET', `/v1/bookings?${query}`, { key: liveKey })
      return { ids: body.data.map(({ id }: { id: string }) => id), has_more: body.has_more }
    }
    expect(await list('')).toEqual({ ids, has_more: false })
    expect(await list('limit=2')).toEqual({ ids: ids.slice(0, 2), has_more: true })
    expect(await list(`limit=2&starting_after=${ids[1]}`)).toEqual({ ids: ids.slice(2, 4), has_more: true })
    expect(await list(`limit=2&starting_after=${ids[3]}`)).toEqual({ ids: ids.slice(4), has_more: false })
    expect((await list('status=cancelled')).ids).toEqual([ids[0]])
    expect((await list(`event_type_id=${one.id}`)).ids).toEqual(ids.slice(2))
    expect((await list('invitee_email=grace@EXAMPLE.com')).ids).toEqual([ids[4]])
    for (const typed of ['Özlem@example.com', 'özlem@example.com', 'ÖZLEM@EXAMPLE.COM']) {
      expect((await list(`invitee_email=${encodeURIComponent(typed)}`)).ids).toEqual([ids[3]])
    }
    // Both are the same in capitals.
    expect((await list(`invitee_email=${encodeURIComponent('weiß@example.com')}`)).ids).toEqual([])
    const between = `start_after=${iso(SLOT)}&start_before=${iso(SLOT + 3 * HOUR_MS)}`
    expect((await list(between)).ids).toEqual(ids.slice(2, 4))
    expect((await list(`assigned_host_id=${NOWHERE}`)).ids).toEqual([])
    for (const query of [
      'status=lost',
      'start_after=now',
      'limit=0',
      'limit=101',
      `starting_after=${NOWHERE}`,
    ]) {
      const { status, body } = await call('GET', `/v1/bookings?${query}`, { key: liveKey })
      expect([query, status, body.error?.code]).toEqual([query, 400, 'validation_error'])
    }
    expect((await call('GET', '/v1/bookings?event_type_id=nonsense', { key: liveKey })).status).toBe(404)
  })

  it('takes several values of a filter, and returns the booked event type on request', async () => {
    const { liveKey: key } = await createOrganization()
    const [one, two, third] = [
      await createEventType(key),
      await createEventType(key),
      await createEventType(key, { title: 'Third' }),
    ]
    const ids: string[] = []
    for (const [at, { id }] of [one, two, third].entries()) {
      const { body } = await book(id, SLOT + at * HOUR_MS, { invitee_email: `guest-${at}@example.com` })
      ids.push(body.id)
    }
    await call('POST', `/v1/bookings/${ids[0]}/cancel`, { key })
    const list = async (query: string) => {
      const { status, body } = await call('GET', `/v1/bookings?order=asc&${query}`, { key })
      return status === 200 ? body.data.map(({ id }: { id: string }) => id) : status
    }
    expect(await list('status=confirmed,cancelled')).toEqual(ids)
    expect(await list('status=pending_payment,cancelled')).toEqual([ids[0]])
    expect(await list(`event_type_id=${two.id.toUpperCase()},${third.id}`)).toEqual(ids.slice(1))
    expect(await list('invitee_email=Guest-2@example.com,guest-0@example.com')).toEqual([ids[0], ids[2]])
    expect(await list(`status=confirmed&event_type_id=${one.id},${two.id}`)).toEqual([ids[1]])
    const range = `start_after=${iso(SLOT - 1)}&start_before=${iso(SLOT + 2 * HOUR_MS)}`
    expect(await list(`${range}&event_type_id=${one.id},${third.id}`)).toEqual([ids[0]])
    for (const query of [
      'status=confirmed,',
      'status=,',
      'status=confirmed,lost',
      'invitee_email=nobody',
      'invitee_email=a@example.com,,b@example.com',
      `event_type_id=${one.id},`,
      `event_type_id=${Array(21)
        .fill(0)
        .map((_, at) => `${one.id.slice(0, -2)}${at + 10}`)}`,
      'expand=host',
    ]) {
      expect([query, await list(query)]).toEqual([query, 400])
    }
    expect(await list(`event_type_id=${one.id},nonsense`)).toBe(404)

    const { body: expanded } = await call('GET', '/v1/bookings?expand=event_type&limit=1', { key })
    expect(expanded.data[0].event_type).toEqual({ id: third.id, title: 'Third', duration: 30 })
    const { body: plain } = await call('GET', '/v1/bookings?limit=1', { key })
    expect('event_type' in plain.data[0]).toBe(false)
    const { body: detail } = await call('GET', `/v1/bookings/${ids[2]}?expand=event_type`, { key })
    expect(detail.event_type).toEqual(expanded.data[0].event_type)
  })
})

describe('test mode', () => {
  it('is bookable by the public, stays out of live lists and off the quota', async () => {
    const { id: organizationId, liveKey, testKey } = await createOrganization({ tier: 'free' })
    const { id } = await createEventType(testKey)
    expect(await openStarts(id, DAY)).toHaveLength(48)
    for (let at = 0; at < 12; at++) {
      const { status, body } = await bookAsAnother(id, SLOT + at * HOUR_MS)
      expect([status, body.is_test]).toEqual([201, true])
    }
    expect((await call('GET', '/v1/bookings', { key: liveKey })).body.data).toEqual([])
    expect((await call('GET', '/v1/bookings', { key: testKey })).body.data).toHaveLength(12)
    expect((await call('GET', `/v1/public/event-types/${id}`)).status).toBe(404)
    const live = await call('POST', '/v1/bookings', {
      key: liveKey,
      body: bookingInput(id, SLOT + HOUR_MS / 2),
    })
    expect(live.status).toBe(404)
    const quota = await env.DB.prepare('SELECT * FROM booking_quotas WHERE organization_id = ?')
      .bind(organizationId)
      .all()
    expect(quota.results).toEqual([])
  })
})

describe('what every change leaves behind', () => {
  it('is one event with the next sequence and one activity entry, written with it', async () => {
    const { id: organizationId, liveKey } = await createOrganization()
    const { id } = await createEventType(liveKey)
    const { body: booking } = await call('POST', '/v1/bookings', {
      key: liveKey,
      body: bookingInput(id, SLOT),
    })
    await call('POST', `/v1/bookings/${booking.id}/reschedule?token=${booking.cancel_token}`, {
      body: { new_start_time: iso(SLOT + HOUR_MS) },
    })
    await call('POST', `/v1/bookings/${booking.id}/cancel`, { key: liveKey, body: { reason: 'No' } })
    const { results: events } = await env.DB.prepare(
      'SELECT sequence, kind, data, previous FROM events WHERE organization_id = ? ORDER BY sequence',
    )
      .bind(organizationId)
      .all<{ sequence: number; kind: string; data: string; previous: string | null }>()
    expect(events.map(({ sequence, kind }) => [sequence, kind])).toEqual([
      [1, 'booking.created'],
      [2, 'booking.rescheduled'],
      [3, 'booking.cancelled'],
    ])
    for (const { data } of events) {
      expect(Booking.parse(JSON.parse(data))).toEqual(JSON.parse(data))
      expect(data).not.toContain(booking.cancel_token)
    }
    expect(JSON.parse(events[1]!.previous!)).toEqual({
      start_time: iso(SLOT),
      end_time: iso(SLOT + 30 * MINUTE_MS),
      reason: null,
      host_id: null,
    })
    const log = await call('GET', '/v1/activity?resource_type=booking&order=asc', { key: liveKey })
    const entries: Record<string, string | null>[] = log.body.data
    expect(entries.map(({ actor_type, action }) => [actor_type, action])).toEqual([
      ['api_key', 'booking.created'],
      ['invitee', 'booking.rescheduled'],
      ['api_key', 'booking.cancelled'],
    ])
    for (const entry of entries) {
      expect(entry).toMatchObject({
        resource_id: booking.id,
        request_id: expect.any(String),
        ip_address: expect.any(String),
      })
    }
    expect(entries[0]!.actor_id).toEqual(expect.any(String))
  })

  it('is nothing when the change was refused', async () => {
    const { organization, eventType, booking } = await bookedOne()
    const counts = () =>
      Promise.all(['events', 'activity', 'bookings'].map((table) => rowCount(table, organization.id)))
    const before = await counts()
    await book(eventType.id, SLOT)
    await call('POST', `/v1/bookings/${booking.id}/cancel?token=wrong`)
    await call('POST', `/v1/bookings/${booking.id}/reschedule?token=${booking.cancel_token}`, {
      body: { new_start_time: iso(SLOT + MINUTE_MS) },
    })
    expect(await counts()).toEqual(before)
  })
})
