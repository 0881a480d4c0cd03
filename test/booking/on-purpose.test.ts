import { describe, expect, it } from 'vitest'
import { call } from '../support/app.ts'
import {
  book,
  bookingInput,
  createEventType,
  createOrganization,
  dayFromNow,
  iso,
  type Rule,
} from '../support/factories.ts'
import { addHosts } from '../support/hosts.ts'

const HOUR_MS = 3_600_000
const NINE = dayFromNow(3) + 9 * HOUR_MS
const OFFICE: readonly Rule[] = [0, 1, 2, 3, 4, 5, 6].map((day_of_week) => ({
  day_of_week,
  start_time: '09:00',
  end_time: '17:00',
}))

async function office(input: Record<string, unknown> = {}) {
  const organization = await createOrganization()
  const key = organization.liveKey
  const { id } = await createEventType(key, input, OFFICE)
  return { organization, key, id: id as string }
}

function bookAnyway(key: string, id: string, start: number, override: readonly string[], more = {}) {
  return call('POST', '/v1/bookings', { key, body: { ...bookingInput(id, start), override, ...more } })
}

describe('an override', () => {
  it('sets the hours aside, without a grid outside of them, and keeps only what was needed', async () => {
    const { key, id } = await office()
    const early = NINE - 3 * HOUR_MS + 7 * 60_000
    expect((await bookAnyway(key, id, early, ['notice'])).status).toBe(409)
    const { status, body } = await bookAnyway(key, id, early, ['hours', 'cap', 'limits'])
    expect(status).toBe(201)
    expect(body.overridden).toEqual(['hours'])
    const inside = await bookAnyway(key, id, NINE, ['hours'])
    expect(inside.body.overridden).toEqual([])
  })

  it('judges the grid in open time unless that is set aside, too', async () => {
    const { key, id } = await office({ duration_minutes: 45 })
    const offGrid = NINE + 10 * 60_000
    expect((await bookAnyway(key, id, offGrid, ['hours', 'notice'])).status).toBe(409)
    const { body } = await bookAnyway(key, id, offGrid, ['hours', 'grid'])
    expect(body.overridden).toEqual(['grid'])
    expect((await bookAnyway(key, id, NINE + 45 * 60_000, ['grid', 'hours'])).status).toBe(409)
  })

  it('never sets aside a booking, a hold or seats', async () => {
    const all = ['hours', 'notice', 'window', 'grid', 'cap', 'limits', 'busy']
    const { key, id } = await office({ max_attendees: 1 })
    await book(id, NINE)
    expect((await bookAnyway(key, id, NINE, all)).body.error.code).toBe('conflict')
    const held = { event_type_id: id, start_time: iso(NINE + HOUR_MS) }
    await call('POST', '/v1/holds', { body: held })
    expect((await bookAnyway(key, id, NINE + HOUR_MS, all)).status).toBe(409)
    const { id: group } = await createEventType(key, { max_attendees: 2 }, OFFICE)
    await book(group, NINE)
    await book(group, NINE, { invitee_email: 'b@example.com' })
    expect((await bookAnyway(key, group, NINE, all)).status).toBe(409)
  })

  it('sets the window, the notice, a cap and a limit of the invitee aside', async () => {
    const { key, id } = await office({
      booking_window_days: 2,
      booking_cap: 1,
      booking_cap_period: 'total',
      invitee_limit: 1,
    })
    const first = await bookAnyway(key, id, NINE, ['window'])
    expect(first.body.overridden).toEqual(['window'])
    const second = await bookAnyway(key, id, NINE + HOUR_MS, ['window', 'cap'])
    expect(second.body.error.details.code).toBe('invitee_limit_reached')
    const third = await bookAnyway(key, id, NINE + HOUR_MS, ['window', 'cap', 'limits', 'grid'])
    expect(third.body.overridden).toEqual(['window', 'cap', 'limits'])
    const { body: eventType } = await call('GET', `/v1/event-types/${id}`, { key })
    expect(eventType).toMatchObject({ booking_count: 2, bookings_remaining: 0 })
  })

  it('books what began within the last day, without a reminder, also for an approval', async () => {
    const organization = await createOrganization()
    const key = organization.liveKey
    const { id } = await createEventType(key, { minimum_notice_minutes: 120 })
    const past = Math.floor((Date.now() - 5 * HOUR_MS) / HOUR_MS) * HOUR_MS
    const { status, body } = await bookAnyway(key, id, past, ['notice'])
    expect(status).toBe(201)
    expect(body).toMatchObject({ overridden: ['notice'], start_time: iso(past) })
    expect((await bookAnyway(key, id, past, ['notice'])).status).toBe(409)
    expect((await bookAnyway(key, id, past - 24 * HOUR_MS, ['notice'])).status).toBe(409)
    const { id: asked } = await createEventType(key, { requires_approval: true })
    const request = await bookAnyway(key, asked, past, ['notice'])
    expect(request.body.status).toBe('pending_approval')
    const approved = await call('POST', `/v1/bookings/${request.body.id}/approve`, { key })
    expect(approved.body.status).toBe('confirmed')
  })

  it('needs a key, and known names', async () => {
    const { id, key } = await office()
    const keyless = await call('POST', '/v1/bookings', {
      body: { ...bookingInput(id, NINE), override: ['hours'] },
    })
    expect(keyless).toMatchObject({ status: 403, body: { error: { code: 'forbidden' } } })
    const unknown = await bookAnyway(key, id, NINE, ['everything'])
    expect(unknown).toMatchObject({
      status: 400,
      body: { error: { details: { 'override.0': expect.any(String) } } },
    })
    const { body: booked } = await book(id, NINE)
    const moved = await call('POST', `/v1/bookings/${booked.id}/reschedule?token=${booked.cancel_token}`, {
      body: { new_start_time: iso(NINE + HOUR_MS), override: ['grid'] },
    })
    expect(moved.status).toBe(403)
  })

  it('is written anew by each move, and a member may override in their own name', async () => {
    const { key, id } = await office()
    const { body: booked } = await bookAnyway(key, id, NINE - 2 * HOUR_MS, ['hours'])
    const path = `/v1/bookings/${booked.id}/reschedule`
    const { body: moved } = await call('POST', path, { key, body: { new_start_time: iso(NINE) } })
    expect(moved.overridden).toEqual([])
    const late = { new_start_time: iso(NINE + 10 * HOUR_MS), override: ['hours', 'window'] }
    const { body: again } = await call('POST', path, { key, body: late })
    expect(again.overridden).toEqual(['hours'])
    const { body: log } = await call('GET', '/v1/activity?action=booking.rescheduled', { key })
    expect(log.data[0].changes.overridden).toEqual(['hours'])
  })
})

describe('an override of a session', () => {
  async function group(input: Record<string, unknown> = {}) {
    const { key, id } = await office({ max_attendees: 3, ...input })
    const { body: first } = await book(id, NINE)
    const { body: second } = await book(id, NINE, { invitee_email: 'b@example.com' })
    const move = (start: number, override: readonly string[], more = {}, query = '') =>
      call('POST', `/v1/sessions/${first.session_id}/reschedule${query}`, {
        key,
        body: { new_start_time: iso(start), override, ...more },
      })
    const read = async () => {
      const found = []
      for (const { id: of } of [first, second])
        found.push((await call('GET', `/v1/bookings/${of}`, { key })).body)
      return found
    }
    return { key, id, move, read }
  }

  it('sets the hours aside for all its bookings, keeps what was needed, and a later move clears it', async () => {
    const { key, move, read } = await group()
    const early = NINE - 2 * HOUR_MS
    expect((await move(early, ['notice', 'cap'])).status).toBe(409)
    expect((await move(early, ['hours', 'limits'], {}, '?dry_run=true')).status).toBe(200)
    expect((await read()).map((one) => one.start_time)).toEqual([iso(NINE), iso(NINE)])
    expect((await move(early, ['limits', 'hours', 'hours'])).status).toBe(200)
    const moved = { start_time: iso(early), overridden: ['hours'] }
    expect(await read()).toMatchObject([moved, moved])
    const { body: log } = await call('GET', '/v1/activity?action=booking.rescheduled', { key })
    expect(log.data.map((one: any) => one.changes.overridden)).toEqual([['hours'], ['hours']])
    const { body: feed } = await call('GET', '/v1/events?limit=100', { key })
    const last = feed.data.filter((one: any) => one.event === 'booking.rescheduled')
    expect(last.map((one: any) => one.data.overridden)).toEqual([['hours'], ['hours']])
    expect((await move(NINE + HOUR_MS, [])).status).toBe(200)
    expect((await read()).map((one) => one.overridden)).toEqual([[], []])
  })

  it('sets the cap of a day and the limits of a host aside in the batch, too', async () => {
    const organization = await createOrganization()
    const key = organization.liveKey
    const capped = { max_attendees: 3, booking_cap: 2, booking_cap_period: 'daily' }
    const { id } = await createEventType(key, { ...capped, assignment_strategy: 'round_robin' }, OFFICE)
    const [host] = await addHosts(organization, key, id, 1)
    const { body: booked } = await book(id, NINE)
    const next = NINE + 24 * HOUR_MS
    await book(id, next)
    await book(id, next, { invitee_email: 'b@example.com' })
    const limits = { max_bookings_per_day: 1 }
    const path = `/v1/organizations/${organization.id}/members/${host}`
    expect((await call('PATCH', path, { key, body: limits })).status).toBe(200)
    const move = (override: readonly string[]) =>
      call('POST', `/v1/sessions/${booked.session_id}/reschedule`, {
        key,
        body: { new_start_time: iso(next + HOUR_MS), override },
      })
    expect((await move(['limits'])).body.error.code).toBe('booking_cap_reached')
    expect((await move(['cap'])).status).toBe(409)
    expect((await move(['cap', 'limits', 'window'])).status).toBe(200)
    const { body: moved } = await call('GET', `/v1/bookings/${booked.id}`, { key })
    expect(moved.overridden).toEqual(['cap', 'limits'])
  })

  it('never sets another session, a booking or a hold aside, and needs known names', async () => {
    const all = ['hours', 'notice', 'window', 'grid', 'cap', 'limits', 'busy']
    const { id, move, read } = await group()
    await book(id, NINE + HOUR_MS, { invitee_email: 'c@example.com' })
    expect((await move(NINE + HOUR_MS, all)).body.error.code).toBe('conflict')
    expect((await move(NINE + HOUR_MS + 10 * 60_000, all)).body.error.code).toBe('conflict')
    await call('POST', '/v1/holds', { body: { event_type_id: id, start_time: iso(NINE + 3 * HOUR_MS) } })
    expect((await move(NINE + 3 * HOUR_MS + 10 * 60_000, all)).status).toBe(409)
    const unknown = await move(NINE + 5 * HOUR_MS, ['everything'])
    expect(unknown).toMatchObject({
      status: 400,
      body: { error: { details: { 'override.0': expect.any(String) } } },
    })
    expect((await read()).map((one) => one.start_time)).toEqual([iso(NINE), iso(NINE)])
  })

  it('moves it to a start within the last day with the notice', async () => {
    const organization = await createOrganization()
    const key = organization.liveKey
    const { id } = await createEventType(key, { max_attendees: 3, minimum_notice_minutes: 120 })
    const { body: booked } = await book(id, NINE)
    const past = Math.floor((Date.now() - 5 * HOUR_MS) / HOUR_MS) * HOUR_MS
    const move = (start: number) =>
      call('POST', `/v1/sessions/${booked.session_id}/reschedule`, {
        key,
        body: { new_start_time: iso(start), override: ['notice'] },
      })
    expect((await move(past - 24 * HOUR_MS)).status).toBe(409)
    expect((await move(past)).status).toBe(200)
    const { body: moved } = await call('GET', `/v1/bookings/${booked.id}`, { key })
    expect(moved).toMatchObject({ start_time: iso(past), overridden: ['notice'] })
  })
})

describe('a move by key', () => {
  it('changes the length to an offered one, also at the same start, and keeps it otherwise', async () => {
    const { key, id } = await office({ duration_options: [30, 60], max_attendees: 3 })
    const { body: booked } = await book(id, NINE)
    const move = (body: object) => call('POST', `/v1/bookings/${booked.id}/reschedule`, { key, body })
    const longer = await move({ new_start_time: iso(NINE), duration: 60 })
    expect(longer.body).toMatchObject({ end_time: iso(NINE + HOUR_MS), session_id: booked.session_id })
    expect((await book(id, NINE + HOUR_MS / 2, { invitee_email: 'b@example.com' })).status).toBe(409)
    const later = await move({ new_start_time: iso(NINE + HOUR_MS) })
    expect(later.body.end_time).toBe(iso(NINE + 2 * HOUR_MS))
    const wrong = await move({ new_start_time: iso(NINE), duration: 45 })
    expect(wrong).toMatchObject({ status: 400, body: { error: { code: 'bad_request' } } })
  })

  it('goes on while the event type is inactive, but not by token', async () => {
    const { key, id } = await office()
    const { body: booked } = await book(id, NINE)
    await call('PATCH', `/v1/event-types/${id}`, { key, body: { active: false } })
    const path = `/v1/bookings/${booked.id}/reschedule`
    const body = { new_start_time: iso(NINE + HOUR_MS) }
    expect((await call('POST', `${path}?token=${booked.cancel_token}`, { body })).status).toBe(409)
    expect((await call('POST', path, { key, body })).status).toBe(200)
  })
})

describe('a chosen host', () => {
  async function hosted(input: Record<string, unknown> = {}) {
    const { organization, key } = await office()
    const { id } = await createEventType(key, { assignment_strategy: 'round_robin', ...input })
    const hosts = await addHosts(organization, key, id, 3)
    return { organization, key, id: id as string, hosts }
  }

  it('takes the booking or nobody does, and stays when it moves', async () => {
    const { key, id, hosts } = await hosted()
    const choose = (start: number, member_id: string) =>
      call('POST', '/v1/bookings', { key, body: { ...bookingInput(id, start), member_id } })
    const { body: booked } = await choose(NINE, hosts[2]!)
    expect(booked.assigned_host.member_id).toBe(hosts[2])
    const busy = await choose(NINE, hosts[2]!)
    expect(busy).toMatchObject({ status: 409, body: { error: { code: 'no_host_available' } } })
    await choose(NINE + HOUR_MS, hosts[2]!)
    const move = (body: object) => call('POST', `/v1/bookings/${booked.id}/reschedule`, { key, body })
    expect((await move({ new_start_time: iso(NINE + HOUR_MS) })).status).toBe(409)
    const given = await move({ new_start_time: iso(NINE + HOUR_MS), member_id: hosts[0] })
    expect(given.body.assigned_host.member_id).toBe(hosts[0])
  })

  it('is chosen without a key only if the event type says so', async () => {
    const { organization, key, id, hosts } = await hosted({ booking_page_enabled: true })
    const input = { ...bookingInput(id, NINE), member_id: hosts[1] }
    expect((await call('POST', '/v1/bookings', { body: input })).status).toBe(400)
    const path = `/v1/public/event-types/${id}`
    expect((await call('GET', path)).body).not.toHaveProperty('hosts')
    await call('PATCH', `/v1/organizations/${organization.id}/members/${hosts[1]}`, {
      key,
      body: { name: 'Grace' },
    })
    await call('PATCH', `/v1/event-types/${id}`, { key, body: { host_choice: 'required' } })
    const { body: shown } = await call('GET', path)
    expect(shown).toMatchObject({ host_choice: 'required' })
    expect(shown.hosts.map((host: any) => host.member_id)).toEqual(hosts)
    expect(shown.hosts[1]).toEqual({ member_id: hosts[1], name: 'Grace', avatar_url: null })
    expect((await call('POST', '/v1/bookings', { body: bookingInput(id, NINE) })).status).toBe(400)
    const { body: booked } = await call('POST', '/v1/bookings', { body: input })
    expect(booked.assigned_host.member_id).toBe(hosts[1])
    const held = { event_type_id: id, start_time: iso(NINE), member_id: hosts[2] }
    const { body: hold } = await call('POST', '/v1/holds', { body: held })
    const { body: confirmed } = await call('POST', `/v1/holds/${hold.id}/confirm?token=${hold.token}`, {
      body: { invitee_name: 'Cy', invitee_email: 'cy@example.com' },
    })
    expect(confirmed.assigned_host.member_id).toBe(hosts[2])
    const { body: page } = await call('GET', `/v1/public/booking-page/${organization.slug}/${shown.slug}`)
    expect(page.event_type.hosts).toEqual(shown.hosts)
  })

  it('must be a host of an event type that chooses one', async () => {
    const { organization, key, id } = await hosted()
    const { id: all } = await createEventType(key, {})
    const [member] = await addHosts(organization, key, all, 1)
    for (const body of [
      { ...bookingInput(all, NINE), member_id: member },
      { ...bookingInput(id, NINE), member_id: member },
      { ...bookingInput(id, NINE), member_id: 'nobody' },
    ]) {
      const refused = await call('POST', '/v1/bookings', { key, body })
      expect(refused).toMatchObject({ status: 400, body: { error: { code: 'bad_request' } } })
    }
  })
})
