import { env } from 'cloudflare:workers'
import { describe, expect, it } from 'vitest'
import { call, callAsService, type Json } from '../support/app.ts'
import { insertConnection } from '../support/connections.ts'
import { databaseThrough } from '../support/database-through.ts'
import {
  book,
  bookAsAnother,
  createEventType,
  createOrganization,
  dayFromNow,
  iso,
  openStarts,
  unique,
} from '../support/factories.ts'
import { addHost, addHosts, createMember } from '../support/hosts.ts'
import { addressOf } from '../support/members.ts'
import { lettersTo } from '../support/outbox.ts'
import { bookPaid, createPaid, pay, truthOf } from '../support/payments.ts'
import { type Service, serviceWith } from '../support/service-with.ts'

const HOUR_MS = 3_600_000
const SLOT = dayFromNow(3) + 10 * HOUR_MS

async function hosted(count: number, input: Json = {}, mode: 'live' | 'test' = 'live') {
  const organization = await createOrganization({ ownerEmail: 'owner@example.com' })
  const key = mode === 'live' ? organization.liveKey : organization.testKey
  const { id } = await createEventType(key, { assignment_strategy: 'round_robin', ...input })
  const members = await addHosts(organization, key, id, count)
  const leave = (memberId: string) => leaveOrganization(organization.id, memberId)
  return { organization, key, id: id as string, members, leave }
}

async function leaveOrganization(organizationId: string, memberId: string) {
  const headers = { 'X-Org-Id': organizationId }
  const { status } = await callAsService(
    'DELETE',
    `/v1/organizations/${organizationId}/members/${memberId}`,
    { headers },
  )
  expect(status).toBe(204)
}

type Asks = Pick<Service, 'call'>

function hold(id: string, start = SLOT, asked: Json = {}) {
  return call('POST', '/v1/holds', { body: { event_type_id: id, start_time: iso(start), ...asked } })
}

function confirm(held: { id: string; token: string }, by: Asks = { call }) {
  const body = { invitee_name: 'Ada', invitee_email: `${unique('ada')}@example.com` }
  return by.call('POST', `/v1/holds/${held.id}/confirm?token=${held.token}`, { body })
}

const hostOf = (body: any) => body.assigned_host?.member_id ?? null

async function heldBy(holderId: string): Promise<string[]> {
  const { results } = await env.DB.prepare(
    "SELECT resource_id FROM holds WHERE holder_id = ? AND kept_by = ''",
  )
    .bind(holderId)
    .all<{ resource_id: string }>()
  return results.map(({ resource_id }) => resource_id)
}

/** Lets `meanwhile` happen once, right before the first batch that `isThen` matches. */
function serviceIn(isThen: RegExp, meanwhile: () => Promise<unknown>) {
  let isDone = false
  const DB = databaseThrough(async (ask, queries) => {
    if (!isDone && queries.some((query) => isThen.test(query))) {
      isDone = true
      await meanwhile()
    }
    return ask()
  })
  return { ...serviceWith({ DB }), isDone: () => isDone }
}

describe('a hold whose host left the organization', () => {
  it('is confirmed with a free colleague, whose time the booking then holds', async () => {
    const { id, leave, key, members } = await hosted(3)
    const { body: held } = await hold(id)
    const gone = hostOf(held)
    await leave(gone)
    const { status, body } = await confirm(held)
    expect([status, body.start_time]).toEqual([201, iso(SLOT)])
    expect(members.filter((one) => one !== gone)).toContain(hostOf(body))
    expect(await heldBy(body.id)).toContain(hostOf(body))
    // The third is left for one more, and then nobody is.
    expect((await bookAsAnother(id, SLOT)).status).toBe(201)
    expect((await bookAsAnother(id, SLOT)).status).toBe(409)
    const { body: hosts } = await call('GET', `/v1/event-types/${id}/hosts`, { key })
    expect(hosts.data.map((one: any) => one.total_bookings)).toEqual([1, 1])
  })

  it('is refused with 409 no_host_available while every colleague is busy, and stays held', async () => {
    const { id, leave, key, members } = await hosted(2)
    const { body: held } = await hold(id)
    const gone = hostOf(held)
    const other = members.find((one) => one !== gone)!
    const { id: elsewhere } = await createEventType(key, { assignment_strategy: 'round_robin' })
    await addHost(key, elsewhere, other)
    const { body: busy } = await book(elsewhere, SLOT)
    await leave(gone)
    const dry = await call('POST', `/v1/holds/${held.id}/confirm?token=${held.token}&dry_run=true`, {
      body: { invitee_name: 'Ada', invitee_email: 'ada@example.com' },
    })
    const refused = await confirm(held)
    for (const { status, body } of [dry, refused]) {
      expect([status, body.error.code, body.error.details]).toEqual([
        409,
        'no_host_available',
        { requested_time: iso(SLOT), hosts_checked: 1 },
      ])
    }
    await call('POST', `/v1/bookings/${busy.id}/cancel`, { key })
    const { status, body } = await confirm(held)
    expect([status, hostOf(body)]).toEqual([201, other])
  })

  it('is written to the calendar of the host who takes over, and never to that of the leaver', async () => {
    for (const strategy of ['round_robin', 'none']) {
      const { organization, id, leave, members } = await hosted(2, { assignment_strategy: strategy })
      const calendars = new Map<string, string>()
      for (const memberId of members)
        calendars.set(
          memberId,
          await insertConnection(organization, 'live', { memberId, calendarId: memberId }),
        )
      const { body: held } = await hold(id)
      await leave(hostOf(held))
      const { status, body } = await confirm(held)
      const calendar = calendars.get(hostOf(body))
      expect([strategy, status, body.calendar_connection_id]).toEqual([strategy, 201, calendar])
      expect(await heldBy(body.id)).toContain(calendar)
      const { results } = await env.DB.prepare(
        'SELECT connection_id FROM calendar_writes WHERE holder_id = ?',
      )
        .bind(body.id)
        .all()
      expect(results).toEqual([{ connection_id: calendar }])
    }
  })

  it('stays with its host if that one only left the event type', async () => {
    const { id, key } = await hosted(2)
    const { body: held } = await hold(id)
    await call('DELETE', `/v1/event-types/${id}/hosts/${hostOf(held)}`, { key })
    expect(hostOf((await confirm(held)).body)).toBe(hostOf(held))
  })

  it('is never given to a host who leaves while it is confirmed', async () => {
    const { id, leave, members } = await hosted(2)
    const { body: held } = await hold(id)
    const gone = hostOf(held)
    const service = serviceIn(/insert into "bookings"/i, () => leave(gone))
    const { status, body } = await confirm(held, service)
    expect([service.isDone(), status, hostOf(body)]).toEqual([true, 201, members.find((one) => one !== gone)])
  })

  it('is never given to a colleague who leaves while it is confirmed', async () => {
    const { id, leave, members } = await hosted(3)
    const { body: held } = await hold(id)
    await leave(hostOf(held))
    const left = members.filter((one) => one !== hostOf(held))
    const probe = await call('POST', `/v1/holds/${held.id}/confirm?token=${held.token}&dry_run=true`, {
      body: { invitee_name: 'Ada', invitee_email: 'ada@example.com' },
    })
    const next = hostOf(probe.body)
    const service = serviceIn(/insert into "bookings"/i, () => leave(next))
    const { status, body } = await confirm(held, service)
    expect([service.isDone(), status, hostOf(body)]).toEqual([true, 201, left.find((one) => one !== next)])
  })
})

describe('a request whose host left the organization', () => {
  it('is approved with a free colleague, else refused', async () => {
    const { id, leave, key, members } = await hosted(2, { requires_approval: true })
    const { body: requested } = await book(id, SLOT)
    const approve = () => call('POST', `/v1/bookings/${requested.id}/approve`, { key })
    await leave(hostOf(requested))
    const other = members.find((one) => one !== hostOf(requested))!
    const { body: taken } = await bookAsAnother(id, SLOT)
    expect(hostOf(taken)).toBe(other)
    const refused = await approve()
    expect([refused.status, refused.body.error.code]).toEqual([409, 'no_host_available'])
    expect((await call('GET', `/v1/bookings/${requested.id}`, { key })).body.status).toBe('pending_approval')
    await call('POST', `/v1/bookings/${taken.id}/decline`, { key })
    const { status, body } = await approve()
    expect([status, body.status, hostOf(body)]).toEqual([200, 'confirmed', other])
    expect(await heldBy(requested.id)).toContain(other)
    expect((await bookAsAnother(id, SLOT)).status).toBe(409)
  })

  it('is never given to a host who leaves while it is approved', async () => {
    const { id, leave, key, members } = await hosted(2, { requires_approval: true })
    const { body: requested } = await book(id, SLOT)
    const gone = hostOf(requested)
    const service = serviceIn(/update "bookings" set "status"/i, () => leave(gone))
    const { status, body } = await service.call('POST', `/v1/bookings/${requested.id}/approve`, { key })
    expect([service.isDone(), status, hostOf(body)]).toEqual([true, 200, members.find((one) => one !== gone)])
  })
})

describe('a collective meeting', () => {
  it('is confirmed and approved with the remaining hosts, and with nobody if the only host left', async () => {
    for (const requires_approval of [false, true]) {
      const { id, leave, key } = await hosted(3, { assignment_strategy: 'none', requires_approval })
      const made = requires_approval ? (await book(id, SLOT)).body : (await hold(id)).body
      const end = () =>
        requires_approval ? call('POST', `/v1/bookings/${made.id}/approve`, { key }) : confirm(made)
      await leave(hostOf(made))
      const { body: hosts } = await call('GET', `/v1/event-types/${id}/hosts`, { key })
      const { status, body } = await end()
      expect([status, hostOf(body)]).toEqual([requires_approval ? 200 : 201, hosts.data[0].member_id])
      const alone = await hosted(1, { assignment_strategy: 'none', requires_approval })
      const single = requires_approval ? (await book(alone.id, SLOT)).body : (await hold(alone.id)).body
      await alone.leave(hostOf(single))
      await addHosts(alone.organization, alone.key, alone.id, 1)
      const refused = requires_approval
        ? await call('POST', `/v1/bookings/${single.id}/approve`, { key: alone.key })
        : await confirm(single)
      expect([refused.status, refused.body.error.code]).toEqual([409, 'no_host_available'])
    }
  })
})

describe('a payment for a booking whose host left the organization', () => {
  it('confirms it with a free colleague', async () => {
    const { organization, key, eventTypeId } = await createPaid({ assignment_strategy: 'round_robin' })
    const members = await addHosts(organization, key, eventTypeId, 2)
    const { id, intentId, body } = await bookPaid(eventTypeId, SLOT)
    await leaveOrganization(organization.id, hostOf(body))
    await pay(intentId)
    const { body: booking } = await call('GET', `/v1/bookings/${id}`, { key })
    expect([booking.status, hostOf(booking)]).toEqual([
      'confirmed',
      members.find((one) => one !== hostOf(body)),
    ])
    expect(await heldBy(id)).toContain(hostOf(booking))
  })

  it('is refunded, and the booking cancelled, if nobody can take over', async () => {
    const { organization, key, eventTypeId } = await createPaid({ assignment_strategy: 'round_robin' })
    await addHosts(organization, key, eventTypeId, 1)
    const { id, intentId, body } = await bookPaid(eventTypeId, SLOT)
    await leaveOrganization(organization.id, hostOf(body))
    await pay(intentId)
    await expect
      .poll(() => truthOf(id), { timeout: 20_000 })
      .toMatchObject({
        booking: 'cancelled',
        payment: 'refunded',
        refunded: 5_000,
        holds: 0,
      })
    const { body: booking } = await call('GET', `/v1/bookings/${id}`, { key })
    expect(booking.cancel_reason).toBe('Its host left and nobody else is free.')
  })
})

describe('a session whose host left the organization', () => {
  it('gets a free colleague when the next invitee joins, for everybody in it', async () => {
    const { id, leave, key, members } = await hosted(2, { max_attendees: 4 })
    const { body: first } = await book(id, SLOT)
    const { body: held } = await hold(id)
    await leave(hostOf(first))
    const other = members.find((one) => one !== hostOf(first))!
    expect(await openStarts(id, SLOT)).toContain(iso(SLOT))
    const { status, body: joined } = await bookAsAnother(id, SLOT)
    expect([status, hostOf(joined)]).toEqual([201, other])
    expect(hostOf((await confirm(held)).body)).toBe(other)
    expect(hostOf((await call('GET', `/v1/bookings/${first.id}`, { key })).body)).toBe(other)
    const { results } = await env.DB.prepare(
      'SELECT DISTINCT session_id FROM bookings WHERE event_type_id = ?',
    )
      .bind(id)
      .all()
    expect(results).toHaveLength(1)
    expect((await bookAsAnother(id, SLOT)).status).toBe(201)
    expect((await bookAsAnother(id, SLOT)).status).toBe(409)
  })

  it('gets one with a hold that is confirmed and a request that is approved, too', async () => {
    for (const requires_approval of [false, true]) {
      const { id, leave, key, members } = await hosted(2, { max_attendees: 4, requires_approval })
      const made = requires_approval ? (await book(id, SLOT)).body : (await hold(id)).body
      await leave(hostOf(made))
      const { body } = requires_approval
        ? await call('POST', `/v1/bookings/${made.id}/approve`, { key })
        : await confirm(made)
      const other = members.find((one) => one !== hostOf(made))!
      expect([requires_approval, hostOf(body)]).toEqual([requires_approval, other])
      expect(hostOf((await bookAsAnother(id, SLOT)).body)).toBe(other)
    }
  })

  it('is neither offered, booked, promoted into nor confirmed while nobody can take over', async () => {
    const { id, leave, organization, key } = await hosted(1, { max_attendees: 3, waitlist_enabled: true })
    const { body: first } = await book(id, SLOT)
    const { body: held } = await hold(id, SLOT, { seats: 2 })
    const body = {
      event_type_id: id,
      start_time: iso(SLOT),
      invitee_name: 'Grace',
      invitee_email: 'grace@example.com',
    }
    const { body: waiting } = await call('POST', '/v1/waitlist', { body })
    await leave(hostOf(first))
    const refused = await confirm(held)
    expect([refused.status, refused.body.error.code]).toEqual([409, 'no_host_available'])
    await call('POST', `/v1/holds/${held.id}/release?token=${held.token}`)
    expect(await openStarts(id, SLOT)).not.toContain(iso(SLOT))
    expect((await bookAsAnother(id, SLOT)).status).toBe(409)
    const statusOf = async () => (await call('GET', `/v1/waitlist/${waiting.id}`, { key })).body.status
    expect(await statusOf()).toBe('waiting')
    const [next] = await addHosts(organization, key, id, 1)
    await expect.poll(statusOf, { timeout: 10_000 }).toBe('promoted')
    const { body: entry } = await call('GET', `/v1/waitlist/${waiting.id}`, { key })
    const promoted = await call('GET', `/v1/bookings/${entry.promoted_booking_id}`, { key })
    expect(hostOf(promoted.body)).toBe(next)
  })

  it.each([
    [1, ['no_hosts']],
    [2, ['booked']],
  ])('is explained while nobody of %i can take over: %j', async (hosts, codes) => {
    const { id, leave, key, members } = await hosted(hosts, { max_attendees: 3 })
    const { body: first } = await book(id, SLOT)
    for (const member_id of members.filter((one) => one !== hostOf(first))) {
      const other = await createEventType(key, { slug: 'other' })
      await call('POST', `/v1/event-types/${other.id}/hosts`, { key, body: { member_id } })
      expect((await book(other.id, SLOT)).status).toBe(201)
    }
    await leave(hostOf(first))
    const path = `/v1/event-types/${id}/explain?start_time=${iso(SLOT)}`
    const { body } = await call('GET', path, { key })
    const told = body.reasons.map(({ code }: { code: string }) => code)
    expect([body.bookable, told, (await bookAsAnother(id, SLOT)).status]).toEqual([false, codes, 409])
  })

  it('never gives a seat to a host who leaves while it is booked', async () => {
    const { id, leave, key, members } = await hosted(2, { max_attendees: 3 })
    const { body: first } = await book(id, SLOT)
    // A host of the session, not of the event type any more.
    await call('DELETE', `/v1/event-types/${id}/hosts/${hostOf(first)}`, { key })
    const service = serviceIn(/insert into "bookings"/i, () => leave(hostOf(first)))
    const { status, body } = await service.book(id, SLOT, { invitee_email: 'grace@example.com' })
    expect([service.isDone(), status, hostOf(body)]).toEqual([
      true,
      201,
      members.find((one) => one !== hostOf(first)),
    ])
  })
})

describe('time that opens when a host leaves the organization', () => {
  it.each([['required'], ['pool']])('is given to who waits if a %s host had no time', async (part) => {
    const { id, leave, organization, key } = await hosted(0, { waitlist_enabled: true })
    const [required, ofPool] = [await createMember(organization), await createMember(organization)]
    await addHost(key, id, required.id, { part: 'required' })
    await addHost(key, id, ofPool.id)
    const leaving = part === 'required' ? required.id : ofPool.id
    const other = await createEventType(key, { assignment_strategy: 'round_robin' })
    await addHost(key, other.id, leaving)
    await book(other.id, SLOT)
    const body = {
      event_type_id: id,
      start_time: iso(SLOT),
      invitee_name: 'Grace',
      invitee_email: 'grace@example.com',
    }
    const { body: waiting } = await call('POST', '/v1/waitlist', { body })
    await leave(leaving)
    const statusOf = async () => (await call('GET', `/v1/waitlist/${waiting.id}`, { key })).body.status
    await expect.poll(statusOf, { timeout: 10_000 }).toBe('promoted')
  })
})

describe('emails about a booking whose host left the organization', () => {
  it('are answered to the owner', async () => {
    const { id, leave, key } = await hosted(1, {}, 'test')
    const { body } = await book(id, SLOT)
    const [made] = await lettersTo(key, 'ada@example.com', 1)
    expect(made!.reply_to).toBe(await addressOf(body.assigned_host))
    await leave(hostOf(body))
    await call('POST', `/v1/bookings/${body.id}/cancel`, { key })
    const letters = await lettersTo(key, 'ada@example.com', 2)
    expect(letters[1]!.reply_to).toBe('owner@example.com')
  })
})
