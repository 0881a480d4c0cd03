import { describe, expect, it, vi } from 'vitest'
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
import { visit } from '../support/pages.ts'

const HOUR_MS = 3_600_000
const SLOT = dayFromNow(3) + 13 * HOUR_MS
const ADA = 'ada@example.com'
const [OLD, NEW] = ['https://meet.example.com/old', 'https://meet.example.com/new']
const AT_OLD = { conferencing_provider: 'custom', custom_meeting_url: OLD }

async function sandbox(input: Record<string, unknown> = {}) {
  const ownerEmail = `${unique('owner')}@example.com`
  const { testKey: key } = await createOrganization({ ownerEmail })
  const { id } = await createEventType(key, { reminder_intervals: [], ...input })
  const book = async (body: Record<string, unknown> = {}, at = SLOT) => {
    const { status, body: booking } = await call('POST', '/v1/bookings', {
      key,
      body: bookingInput(id, at, body),
    })
    expect([status, booking]).toEqual([201, booking])
    return booking
  }
  const change = async (body: Record<string, unknown>) => {
    const { status, body: changed } = await call('PATCH', `/v1/event-types/${id}`, { key, body })
    expect([status, changed]).toEqual([200, changed])
  }
  const get = async (booking: any) => (await call('GET', `/v1/bookings/${booking.id}`, { key })).body
  const where = async (booking: any) => {
    const { conferencing_url, location } = await get(booking)
    return [conferencing_url, location]
  }
  const act = async (booking: any, verb: string, body: Record<string, unknown> = {}) =>
    expect((await call('POST', `/v1/bookings/${booking.id}/${verb}`, { key, body })).status).toBe(200)
  const patch = async (booking: any, body: Record<string, unknown>) =>
    expect((await call('PATCH', `/v1/bookings/${booking.id}`, { key, body })).status).toBe(200)
  const updates = async () => {
    const { body } = await call('GET', '/v1/events?limit=100', { key })
    return body.data.filter(({ event }: any) => event === 'booking.updated')
  }
  const clock = (now: number) => call('PUT', '/v1/test-data/clock', { key, body: { now: iso(now) } })
  return { key, id, ownerEmail, book, change, get, where, act, patch, updates, clock }
}

describe('an event type that takes place elsewhere', () => {
  it('takes its upcoming bookings along: record, page, email, event and activity log have the new link', async () => {
    const { key, book, change, where, updates, ownerEmail } = await sandbox(AT_OLD)
    const booking = await book()
    const [first] = await lettersTo(key, ADA, 1)
    await change({ custom_meeting_url: NEW })
    expect(await where(booking)).toEqual([NEW, null])
    const [, second] = await lettersTo(key, ADA, 2)
    expect(second!.subject).toContain('Updated')
    expect(second!.body).toContain(NEW)
    expect(second!.body).not.toContain(OLD)
    const [before, after] = [eventIn(first!), eventIn(second!)]
    expect(after).toMatchObject({ method: 'REQUEST', uid: before.uid })
    expect(after.sequence).toBeGreaterThan(before.sequence)
    const page = await visit(`/bookings/${booking.id}?token=${booking.cancel_token}`)
    expect([page.text.includes(NEW), page.text.includes(OLD)]).toEqual([true, false])
    const [updated, ...more] = await updates()
    expect(more).toEqual([])
    expect(updated).toMatchObject({
      changed: ['conferencing_url'],
      data: { id: booking.id, conferencing_url: NEW },
    })
    const { body: log } = await call('GET', `/v1/activity?resource_id=${booking.id}`, { key })
    expect(log.data[0]).toMatchObject({ action: 'booking.updated', actor_type: 'api_key' })
    // The one who changed it knows.
    await lettersTo(key, ownerEmail, 1)
  })

  it('is where a reminder and a later move say, with its new title', async () => {
    const { key, book, change, act, clock } = await sandbox({
      conferencing_provider: 'in_person',
      location: '1 Old Street',
      reminder_intervals: [60],
    })
    const booking = await book()
    await lettersTo(key, ADA, 1)
    await change({ title: 'Fitting', location: '2 New Street' })
    await lettersTo(key, ADA, 2)
    await act(booking, 'reschedule', { new_start_time: iso(SLOT + HOUR_MS) })
    await lettersTo(key, ADA, 3)
    await clock(SLOT + HOUR_MS / 2)
    const letters = await lettersTo(key, ADA, 4)
    for (const { body } of letters.slice(1)) {
      expect([body.includes('Fitting'), body.includes('2 New Street')]).toEqual([true, true])
      expect(body).not.toContain('1 Old Street')
    }
    expect(letters.at(-1)!.subject).toContain('Reminder')
  })

  it('leaves alone what is a booking’s own, and bookings that ended or were cancelled', async () => {
    const { book, change, patch, act, where, updates, clock } = await sandbox({
      ...AT_OLD,
      location: '1 Old Street',
    })
    const ended = await book()
    const [own, cancelled, usual] = [
      await book({}, SLOT + HOUR_MS),
      await book({}, SLOT + 2 * HOUR_MS),
      await book({}, SLOT + 3 * HOUR_MS),
    ]
    await patch(own, { custom_meeting_url: 'https://meet.example.com/own', location: 'Room 4' })
    await act(cancelled, 'cancel')
    await clock(SLOT + HOUR_MS - 1)
    const before = (await updates()).length
    await change({ custom_meeting_url: NEW, location: '2 New Street' })
    expect(await Promise.all([ended, own, cancelled, usual].map(where))).toEqual([
      [OLD, '1 Old Street'],
      ['https://meet.example.com/own', 'Room 4'],
      [OLD, '1 Old Street'],
      [NEW, '2 New Street'],
    ])
    expect((await updates()).slice(before).map(({ data }: any) => data.id)).toEqual([usual.id])
  })

  it('emails nobody with notify: false, and its bookings are there all the same', async () => {
    const { key, book, change, where, updates } = await sandbox(AT_OLD)
    const booking = await book()
    await change({ custom_meeting_url: NEW, notify: false })
    expect([await where(booking), (await updates()).length]).toEqual([[NEW, null], 1])
    await change({ custom_meeting_url: OLD })
    const letters = await lettersTo(key, ADA, 2)
    expect(letters.map(({ body }) => body.includes(NEW))).toEqual([false, false])
  })

  it('changes no booking whose invitee chose a place', async () => {
    const office = { id: 'office', kind: 'in_person', value: '1 Old Street' }
    const { book, change, where, updates } = await sandbox({ places: [office] })
    const booking = await book({ place_id: 'office' })
    await change({ places: [{ ...office, value: '2 New Street' }] })
    await change({ places: [], location: '3 Other Street' })
    await change({ location: '4 Other Street' })
    expect([await where(booking), await updates()]).toEqual([[null, '1 Old Street'], []])
  })

  it('gives its bookings meetings if it makes some from now on, which belong to them from then on', async () => {
    const { book, change, where } = await sandbox(AT_OLD)
    const booking = await book()
    await change({ conferencing_provider: 'video_a', custom_meeting_url: null })
    const made = await vi.waitFor(
      async () => {
        const [url] = await where(booking)
        expect(url).toContain('meeting')
        return url
      },
      { timeout: 10_000, interval: 50 },
    )
    await change({ ...AT_OLD, location: '2 New Street' })
    expect(await where(booking)).toEqual([made, null])
    await change({ custom_meeting_url: NEW, location: null })
    expect(await where(booking)).toEqual([made, null])
  })

  it('changes nothing if it stays at its place', async () => {
    const { book, change, get, updates } = await sandbox(AT_OLD)
    const before = await get(await book())
    await change({ custom_meeting_url: OLD, location: null, title: 'Other' })
    expect(await get(before)).toMatchObject({ updated_at: before.updated_at })
    expect(await updates()).toEqual([])
  })

  it('sends one email about the bookings of a series, with a calendar file of all', async () => {
    const { key, id, change, updates } = await sandbox(AT_OLD)
    const body = {
      event_type_id: id,
      start_time: iso(SLOT),
      count: 3,
      invitee_name: 'Ada Lovelace',
      invitee_email: ADA,
    }
    const { status } = await call('POST', '/v1/series', { key, body })
    expect(status).toBe(201)
    await lettersTo(key, ADA, 1)
    await change({ custom_meeting_url: NEW })
    expect(await updates()).toHaveLength(3)
    const [, letter] = await lettersTo(key, ADA, 2)
    expect(letter!.subject).toContain('Updated')
    expect(letter!.body).toContain(NEW)
    expect(letter!.body).not.toContain('confirmed')
    expect(JSON.stringify(letter!.attachments).match(/BEGIN:VEVENT/g)).toHaveLength(3)
  })

  it('moves a class for everybody in it', async () => {
    const { key, book, change, where } = await sandbox({ ...AT_OLD, max_attendees: 3 })
    const seats = [await book(), await book({ invitee_email: 'bob@example.com' })]
    for (const to of [ADA, 'bob@example.com']) await lettersTo(key, to, 1)
    await change({ custom_meeting_url: NEW })
    expect(await Promise.all(seats.map(where))).toEqual([
      [NEW, null],
      [NEW, null],
    ])
    for (const to of [ADA, 'bob@example.com']) {
      expect((await lettersTo(key, to, 2))[1]!.body).toContain(NEW)
    }
  })
})
