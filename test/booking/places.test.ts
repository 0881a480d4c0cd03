import { describe, expect, it, vi } from 'vitest'
import { call } from '../support/app.ts'
import {
  bookingInput,
  createEventType,
  createOrganization,
  dayFromNow,
  unique,
} from '../support/factories.ts'
import { eventIn, lettersTo } from '../support/outbox.ts'

const HOUR_MS = 3_600_000
const SLOT = dayFromNow(3) + 13 * HOUR_MS
const ADA = 'ada@example.com'
const NUMBER = '+4930901820'

const PLACES = [
  { id: 'office', kind: 'in_person', label: 'Our office', value: '12 Analytical Row\nLondon' },
  { kind: 'video_a' },
  { kind: 'custom', label: 'Our room', value: 'https://meet.example.com/secret' },
  { kind: 'phone_out' },
  { kind: 'phone_in', value: '+44 20 7946 0018' },
]

async function sandbox(places: readonly object[] = PLACES, input: Record<string, unknown> = {}) {
  const { testKey: key } = await createOrganization()
  const { id, ...eventType } = await createEventType(key, { reminder_intervals: [], places, ...input })
  const book = async (body: Record<string, unknown>, at = SLOT, caller?: string) => {
    const sent = bookingInput(id, at, body)
    return call('POST', '/v1/bookings', caller ? { key: caller, body: sent } : { body: sent })
  }
  const patch = (booking: any, body: Record<string, unknown>) =>
    call('PATCH', `/v1/bookings/${booking.id}`, { key, body })
  const get = async (booking: any) => (await call('GET', `/v1/bookings/${booking.id}`, { key })).body
  return { key, id, eventType, book, patch, get }
}

function create(key: string, places: readonly object[]) {
  const body = { title: 'Intro call', slug: unique('intro'), duration_minutes: 30, places }
  return call('POST', '/v1/event-types', { key, body })
}

describe('the places of an event type', () => {
  it('have the ids that were sent, or ids of their kind, and no others after a change', async () => {
    const { key, id, eventType } = await sandbox()
    const ids = ['office', 'video_a', 'custom', 'phone_out', 'phone_in']
    expect(eventType.places.map((one: any) => one.id)).toEqual(ids)
    expect(eventType.places[1]).toEqual({ id: 'video_a', kind: 'video_a', label: null, value: null })
    const two = [
      { kind: 'in_person' },
      { kind: 'in_person', label: 'Annex' },
      { id: 'in_person-2', kind: 'custom', value: 'https://meet.example.com' },
    ]
    const { body } = await call('PATCH', `/v1/event-types/${id}`, { key, body: { places: two } })
    expect(body.places.map((one: any) => one.id)).toEqual(['in_person', 'in_person-3', 'in_person-2'])
    const again = await call('PATCH', `/v1/event-types/${id}`, { key, body: { places: body.places } })
    expect(again.body.places).toEqual(body.places)
  })

  it('hide numbers and addresses from callers without a key', async () => {
    const { id, key } = await sandbox()
    const known = (await call('GET', `/v1/event-types/${id}`, { key })).body.places
    expect(known.map((one: any) => one.value !== null)).toEqual([true, false, true, false, true])
    const { liveKey } = await createOrganization()
    const live = await createEventType(liveKey, { places: PLACES })
    const shown = (await call('GET', `/v1/public/event-types/${live.id}`)).body
    expect(shown.places.map((one: any) => one.value !== null)).toEqual([true, false, false, false, false])
    expect(JSON.stringify(shown)).not.toContain('meet.example.com')
  })

  it.each([
    ['an id of other characters', { id: 'Office!', kind: 'in_person' }, 'places.0.id'],
    ['an unknown kind', { kind: 'on_the_moon' }, 'places.0.kind'],
    ['a link without its address', { kind: 'custom' }, 'places.0.value'],
    ['a link that is not https', { kind: 'custom', value: 'http://meet.example.com' }, 'places.0.value'],
    ['a number to call that is missing', { kind: 'phone_in' }, 'places.0.value'],
    ['a number that is too long', { kind: 'phone_in', value: '1'.repeat(101) }, 'places.0.value'],
    ['an address that is too long', { kind: 'in_person', value: 'a'.repeat(501) }, 'places.0.value'],
    ['a number for a call to the invitee', { kind: 'phone_out', value: NUMBER }, 'places.0.value'],
    ['an address for a video call', { kind: 'video_a', value: 'https://zoom.example.com' }, 'places.0.value'],
    ['a label on two lines', { kind: 'phone_out', label: 'a\nb' }, 'places.0.label'],
  ])('refuse %s', async (_what, place, field) => {
    const { testKey } = await createOrganization()
    const { status, body } = await create(testKey, [place])
    expect([status, Object.keys(body.error.details)]).toEqual([400, [field]])
  })

  it('refuse an id that is used twice, and more than ten', async () => {
    const { testKey } = await createOrganization()
    const twice = await create(testKey, [
      { id: 'a', kind: 'phone_out' },
      { id: 'a', kind: 'in_person' },
    ])
    expect([twice.status, Object.keys(twice.body.error.details)]).toEqual([400, ['places.1.id']])
    const many = await create(
      testKey,
      Array.from({ length: 11 }, () => ({ kind: 'in_person' })),
    )
    expect([many.status, Object.keys(many.body.error.details)]).toEqual([400, ['places']])
  })

  it.each([
    ['calendar_a_meet', 'Google'],
    ['calendar_b_meet', 'Microsoft'],
  ])('refuse %s without a calendar there', async (kind, name) => {
    const { liveKey } = await createOrganization()
    const { status, body } = await create(liveKey, [{ kind: 'in_person' }, { kind }])
    expect([status, body.error.message]).toEqual([422, expect.stringContaining(name)])
  })
})

describe('a booking with places', () => {
  it('takes place where its invitee chose', async () => {
    const { book, get } = await sandbox()
    const at = [0, 1, 2, 3, 4].map((hours) => SLOT + hours * HOUR_MS)
    const office = (await book({ place_id: 'office' }, at[0])).body
    expect(office).toMatchObject({ place: PLACES[0], location: PLACES[0]!.value, conferencing_url: null })
    const custom = (await book({ place_id: 'custom' }, at[1])).body
    expect(custom).toMatchObject({ location: null, conferencing_url: 'https://meet.example.com/secret' })
    const call_in = (await book({ place_id: 'phone_in' }, at[2])).body
    expect(call_in).toMatchObject({
      place: { value: '+44 20 7946 0018' },
      location: null,
      conferencing_url: null,
    })
    const call_out = (await book({ place_id: 'phone_out', invitee_phone: NUMBER }, at[3])).body
    expect(call_out).toMatchObject({ place: { kind: 'phone_out' }, invitee_phone: NUMBER })
    const video = (await book({ place_id: 'video_a' }, at[4])).body
    await vi.waitFor(async () => expect((await get(video)).conferencing_url).toMatch(/^https:/))
    expect((await get(call_in)).conferencing_url).toBeNull()
    expect((await get(office)).place).toEqual(PLACES[0])
  })

  it('needs a place if there are several, and a phone number to be called', async () => {
    const { book } = await sandbox()
    for (const [sent, field] of [
      [{}, 'place_id'],
      [{ place_id: null }, 'place_id'],
      [{ place_id: 'elsewhere' }, 'place_id'],
      [{ place_id: 'phone_out' }, 'invitee_phone'],
    ] as const) {
      const { status, body } = await book(sent)
      expect([sent, status, body.error.code, Object.keys(body.error.details)]).toEqual([
        sent,
        400,
        'validation_error',
        [field],
      ])
    }
    const dry = await call('POST', '/v1/bookings?dry_run=true', {
      body: bookingInput((await sandbox([PLACES[0]!])).id, SLOT),
    })
    expect(dry.body.place).toEqual(PLACES[0])
  })

  it('takes the only place without being asked, and ignores a place without any', async () => {
    const one = await sandbox([{ kind: 'phone_in', value: '110' }])
    expect((await one.book({})).body.place).toMatchObject({ kind: 'phone_in', value: '110' })
    const none = await sandbox([], { location: 'Room 4' })
    expect((await none.book({ place_id: 'anywhere' })).body).toMatchObject({
      place: null,
      location: 'Room 4',
    })
  })

  it('does not let the fields of the event type count', async () => {
    const { book } = await sandbox([{ kind: 'phone_in', value: '110' }], {
      location: 'Room 4',
      conferencing_provider: 'custom',
      custom_meeting_url: 'https://meet.example.com/other',
    })
    expect((await book({})).body).toMatchObject({ location: null, conferencing_url: null })
  })

  it('keeps its copy when the place changes', async () => {
    const { key, id, book, get } = await sandbox([PLACES[0]!])
    const { body: booking } = await book({})
    const moved = [{ ...PLACES[0], value: '13 Analytical Row' }]
    await call('PATCH', `/v1/event-types/${id}`, { key, body: { places: moved } })
    expect(await get(booking)).toMatchObject({ place: PLACES[0], location: PLACES[0]!.value })
  })

  it('is also chosen when a hold is confirmed, and not when it is made', async () => {
    const { id } = await sandbox()
    const held = await call('POST', '/v1/holds', {
      body: { event_type_id: id, start_time: new Date(SLOT).toISOString() },
    })
    expect(held.status).toBe(201)
    const confirm = (body: object) =>
      call('POST', `/v1/holds/${held.body.id}/confirm?token=${held.body.token}`, {
        body: { invitee_name: 'Ada', invitee_email: ADA, ...body },
      })
    const refused = await confirm({})
    expect([refused.status, Object.keys(refused.body.error.details)]).toEqual([400, ['place_id']])
    const { body } = await confirm({ place_id: 'office' })
    expect(body).toMatchObject({ place: PLACES[0], location: PLACES[0]!.value })
  })

  it('is chosen by waitlist entries, whose bookings take place there', async () => {
    const { key, id, book, get } = await sandbox(PLACES, { waitlist_enabled: true })
    const { body: taken } = await book({ place_id: 'office', invitee_email: 'bob@example.com' })
    const join = (body: object) =>
      call('POST', '/v1/waitlist', { body: bookingInput(id, SLOT, body as never) })
    expect(Object.keys((await join({ place_id: 'phone_out' })).body.error.details)).toEqual(['invitee_phone'])
    const { body: entry } = await join({ place_id: 'phone_out', invitee_phone: NUMBER })
    expect(entry).toMatchObject({ place: { kind: 'phone_out' }, invitee_phone: NUMBER })
    const stored = await call('GET', `/v1/waitlist/${entry.id}`, { key })
    expect(stored.body).toMatchObject({ place: { kind: 'phone_out' }, invitee_phone: NUMBER })
    await call('POST', `/v1/bookings/${taken.id}/cancel`, { key, body: {} })
    const { promoted_booking_id } = await vi.waitFor(async () => {
      const { body } = await call('GET', `/v1/waitlist/${entry.id}`, { key })
      expect(body.status).toBe('promoted')
      return body
    })
    expect(await get({ id: promoted_booking_id })).toMatchObject({
      place: { kind: 'phone_out' },
      invitee_phone: NUMBER,
    })
  })

  it('says in emails and calendar files where it takes place', async () => {
    const { key, book } = await sandbox()
    const [to, other] = [`${unique('ada')}@example.com`, `${unique('ada')}@example.com`]
    await book({ place_id: 'phone_in', invitee_email: to })
    const [mail] = await lettersTo(key, to, 1)
    expect(mail!.body).toContain('By phone: call +44 20 7946 0018')
    expect(eventIn(mail!).location).toBe('+44 20 7946 0018')
    await book({ place_id: 'phone_out', invitee_phone: NUMBER, invitee_email: other }, SLOT + HOUR_MS)
    const [called] = await lettersTo(key, other, 1)
    expect(called!.body).toContain('By phone: we call you')
    expect(eventIn(called!).location).toBe('By phone: we call you')
    expect(called!.body).not.toContain(NUMBER)
  })
})

describe('a booking that gets another place', () => {
  it('has its address and its link, one email, and the names of what changed', async () => {
    const { key, book, patch, get } = await sandbox()
    const to = `${unique('ada')}@example.com`
    const { body: booking } = await book({ place_id: 'video_a', invitee_email: to })
    await vi.waitFor(async () => expect((await get(booking)).conferencing_url).toMatch(/^https:/))
    const moved = await patch(booking, { place_id: 'office' })
    expect(moved.body).toMatchObject({ place: PLACES[0], location: PLACES[0]!.value, conferencing_url: null })
    const { body: events } = await call('GET', '/v1/events?limit=100', { key })
    const updated = events.data.find((one: any) => one.event === 'booking.updated')
    expect(updated.changed.toSorted()).toEqual(['conferencing_url', 'location', 'place'])
    const mails = await lettersTo(key, to, 2)
    expect(mails[1]!.body).toContain('12 Analytical Row')
    // The meeting was deleted, and comes back with the place.
    const back = await patch(booking, { place_id: 'video_a' })
    expect(back.body).toMatchObject({ location: null })
    await vi.waitFor(async () => expect((await get(booking)).conferencing_url).toMatch(/^https:/))
    const same = await patch(booking, { place_id: 'video_a' })
    expect(same.body.updated_at).toBe((await get(booking)).updated_at)
  })

  it('needs a phone number to be called, and keeps it then', async () => {
    const { book, patch } = await sandbox()
    const { body: booking } = await book({ place_id: 'office' })
    const refused = await patch(booking, { place_id: 'phone_out' })
    expect([refused.status, Object.keys(refused.body.error.details)]).toEqual([400, ['invitee_phone']])
    expect((await patch(booking, { place_id: 'phone_out', invitee_phone: NUMBER })).status).toBe(200)
    const without = await patch(booking, { invitee_phone: null })
    expect([without.status, Object.keys(without.body.error.details)]).toEqual([400, ['invitee_phone']])
    expect((await patch(booking, { place_id: 'moon' })).status).toBe(400)
  })

  it('is not moved by its invitee', async () => {
    const { book } = await sandbox()
    const { body: booking } = await book({ place_id: 'office' })
    const { status, body } = await call('PATCH', `/v1/bookings/${booking.id}?token=${booking.cancel_token}`, {
      body: { place_id: 'video_a' },
    })
    expect([status, Object.keys(body.error.details)]).toEqual([400, ['place_id']])
  })
})

describe('a session whose attendees chose different places', () => {
  it('gives the link of its meeting to those who meet there', async () => {
    const { book, get, patch } = await sandbox(PLACES, { max_attendees: 5 })
    const email = () => `${unique('ada')}@example.com`
    const { body: there } = await book({ place_id: 'office', invitee_email: email() })
    const { body: here } = await book({ place_id: 'video_a', invitee_email: email() })
    await vi.waitFor(async () => expect((await get(here)).conferencing_url).toMatch(/^https:/))
    expect((await get(there)).conferencing_url).toBeNull()
    await patch(here, { place_id: 'office' })
    await patch(there, { place_id: 'video_a' })
    await vi.waitFor(async () => expect((await get(there)).conferencing_url).toMatch(/^https:/))
    expect((await get(here)).conferencing_url).toBeNull()
  })
})
