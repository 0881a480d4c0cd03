import { env } from 'cloudflare:workers'
import { describe, expect, it } from 'vitest'
import { call, callAsService, freshAddress, type Json } from '../support/app.ts'
import {
  bookAsAnother,
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
const NOW = SLOT - 48 * HOUR_MS
const DEADLINE = NOW + HOUR_MS / 2

const PAID = { price_amount: 4_900, price_currency: 'eur' }
const WAITS = {
  'a payment': PAID,
  'an approval': { requires_approval: true, approval_ttl_minutes: 60 },
}

/** A sandbox with one event type, and what is asked of it there. */
async function createSandbox(input: Json) {
  const organization = await createOrganization()
  const key = organization.testKey
  const { id } = await createEventType(key, input)
  const setClock = (at: number) => call('PUT', '/v1/test-data/clock', { key, body: { now: iso(at) } })
  await setClock(NOW)
  /** Past deadlines without what setting the clock does at once: as if nobody swept. */
  const passTo = (at: number) =>
    env.DB.prepare('UPDATE organizations SET sandbox_now = ? WHERE id = ?').bind(at, organization.id).run()
  const get = async (booking: string) => (await call('GET', `/v1/bookings/${booking}`, { key })).body
  const pay = ({ payment }: any, verb: string) =>
    call('POST', `/v1/test-data/payments/${payment.id}/${verb}`, { key })
  return { organization, key, id: id as string, setClock, passTo, get, pay }
}

/** The event type shares a host with another one, which waits for nothing. */
async function shareHost({ organization, key, id }: Awaited<ReturnType<typeof createSandbox>>) {
  const member = await createMember(organization)
  const other = (await createEventType(key)).id as string
  for (const one of [id, other]) await addHost(key, one, member.id)
  return other
}

async function bookedAt(eventTypeId: string, start: number): Promise<any> {
  const { status, body } = await bookAsAnother(eventTypeId, start)
  expect(status).toBe(201)
  return body
}

async function seatsTaken(eventTypeId: string) {
  const { results } = await env.DB.prepare('SELECT seats_taken FROM sessions WHERE event_type_id = ?')
    .bind(eventTypeId)
    .all<{ seats_taken: number }>()
  return results.map(({ seats_taken }) => seats_taken)
}

describe.each(Object.entries(WAITS))('a booking that waits for %s', (_, waits) => {
  const deadline = 'approval_ttl_minutes' in waits ? NOW + HOUR_MS : DEADLINE

  it('blocks nothing from its deadline on, also in other event types of its host, even before a sweep', async () => {
    const world = await createSandbox(waits)
    const other = await shareHost(world)
    const first = await bookedAt(world.id, SLOT)
    await world.passTo(deadline - 1)
    expect((await bookAsAnother(world.id, SLOT)).status).toBe(409)
    expect((await bookAsAnother(other, SLOT)).status).toBe(409)
    await world.passTo(deadline)
    expect(await openStarts(world.id, SLOT)).toContain(iso(SLOT))
    expect(await openStarts(other, SLOT)).toContain(iso(SLOT))
    expect((await bookAsAnother(other, SLOT)).status).toBe(201)
    expect((await bookAsAnother(world.id, SLOT)).status).toBe(409)
    await world.setClock(deadline)
    expect((await world.get(first.id)).status).toBe('cancelled')
    expect((await bookAsAnother(other, SLOT)).status).toBe(409)
  })

  it('gives its seats back at its deadline, once, and its invitee may come again', async () => {
    const world = await createSandbox({ ...waits, max_attendees: 2 })
    const input = { event_type_id: world.id, start_time: iso(SLOT), invitee_name: 'Ada' }
    const email = `${unique('ada')}@example.com`
    const again = () => call('POST', '/v1/bookings', { body: { ...input, invitee_email: email } })
    const first = (await again()).body
    await world.passTo(NOW + 1)
    const second = await bookedAt(world.id, SLOT)
    expect((await bookAsAnother(world.id, SLOT)).status).toBe(409)
    await world.passTo(deadline)
    expect(await openStarts(world.id, SLOT)).toContain(iso(SLOT))
    expect((await again()).status).toBe(201)
    expect((await bookAsAnother(world.id, SLOT)).status).toBe(409)
    expect(await seatsTaken(world.id)).toEqual([2])
    await world.setClock(deadline)
    expect(await seatsTaken(world.id)).toEqual([2])
    expect((await world.get(first.id)).status).toBe('cancelled')
    expect((await world.get(second.id)).status).toMatch(/^pending/)
    await world.setClock(deadline + 1)
    expect(await seatsTaken(world.id)).toEqual([1])
    expect((await bookAsAnother(world.id, SLOT)).status).toBe(201)
    expect((await bookAsAnother(world.id, SLOT)).status).toBe(409)
  })

  it('holds the time of a session in which everybody waits until the last deadline', async () => {
    const world = await createSandbox({ ...waits, max_attendees: 2 })
    const other = await shareHost(world)
    const first = await bookedAt(world.id, SLOT)
    await world.passTo(NOW + 2)
    await bookedAt(world.id, SLOT)
    await world.passTo(deadline + 1)
    expect((await bookAsAnother(other, SLOT)).status).toBe(409)
    await world.passTo(deadline + 2)
    expect(await openStarts(other, SLOT)).toContain(iso(SLOT))
    expect(await openStarts(world.id, SLOT)).toContain(iso(SLOT))
    expect((await bookAsAnother(other, SLOT)).status).toBe(201)
    expect(await seatsTaken(world.id)).toEqual([])
    await world.setClock(deadline + 2)
    expect((await world.get(first.id)).status).toBe('cancelled')
    expect(await seatsTaken(world.id)).toEqual([])
  })

  it.each(['daily', 'total'])('gives its place in a %s cap back at its deadline, once', async (period) => {
    const world = await createSandbox({ ...waits, booking_cap: 2, booking_cap_period: period })
    await bookedAt(world.id, SLOT)
    await world.passTo(NOW + 1)
    await bookedAt(world.id, NEXT)
    const third = NEXT + 30 * MINUTE_MS
    const remaining = async () =>
      (await call('GET', `/v1/event-types/${world.id}`, { key: world.key })).body.bookings_remaining
    expect((await bookAsAnother(world.id, third)).body.error.code).toBe('booking_cap_reached')
    await world.passTo(deadline)
    expect(await openStarts(world.id, SLOT)).toContain(iso(third))
    if (period === 'total') expect(await remaining()).toBe(1)
    expect((await bookAsAnother(world.id, third)).status).toBe(201)
    expect((await bookAsAnother(world.id, SLOT)).status).toBe(409)
    await world.setClock(deadline)
    if (period === 'total') expect(await remaining()).toBe(0)
    expect((await bookAsAnother(world.id, SLOT)).body.error.code).toBe('booking_cap_reached')
  })

  it('releases its time at the deadline to a waitlist entry, before anybody else', async () => {
    const world = await createSandbox({ ...waits, waitlist_enabled: true })
    await bookedAt(world.id, SLOT)
    const entry = { event_type_id: world.id, start_time: iso(SLOT), invitee_name: 'Grace' }
    const body = { ...entry, invitee_email: `${unique('grace')}@example.com` }
    const { body: joined } = await call('POST', '/v1/waitlist', { body })
    await world.passTo(deadline)
    expect(await openStarts(world.id, SLOT)).not.toContain(iso(SLOT))
    await world.setClock(deadline)
    const { body: told } = await call('GET', `/v1/waitlist/${joined.id}`, { key: world.key })
    expect(told.status).toBe('promoted')
    expect((await bookAsAnother(world.id, SLOT)).status).toBe(409)
  })
})

/** What an address or a network may have at most, each so that the first of two bookings reaches it. */
const LIMITS: [string, { input?: Json; limits?: Json }, string][] = [
  ['those to come of an invitee', { input: { invitee_limit: 1 } }, 'invitee_limit_reached'],
  ['those to come of an address', { limits: { active_per_email: 1 } }, 'active_per_email'],
  ['those that a network leaves open', { limits: { pending_per_network: 1 } }, 'pending_per_network'],
]

describe.each(Object.entries(WAITS))('a booking that waited too long for %s', (_, waits) => {
  const deadline = 'approval_ttl_minutes' in waits ? NOW + HOUR_MS : DEADLINE

  it.each(LIMITS)('is not one of %s, even before a sweep', async (_what, { input, limits }, code) => {
    const { organization, id, passTo } = await createSandbox({ ...waits, ...input })
    await callAsService('PATCH', `/v1/organizations/${organization.id}`, { body: { public_limits: limits } })
    const headers = { 'CF-Connecting-IP': freshAddress() }
    const person = { invitee_name: 'Ada', invitee_email: `${unique('ada')}@example.com` }
    const bookAt = (start: number) =>
      call('POST', '/v1/bookings', {
        headers,
        body: { event_type_id: id, start_time: iso(start), ...person },
      })
    expect((await bookAt(SLOT)).status).toBe(201)
    await passTo(deadline - 60_000)
    const { details } = (await bookAt(NEXT)).body.error
    expect(details.code ?? details.limit).toBe(code)
    if (code === 'pending_per_network') expect(details.retry_after).toBe(60)
    await passTo(deadline)
    expect((await bookAt(NEXT)).status).toBe(201)
    expect((await bookAt(SLOT)).status).toBe(code === 'invitee_limit_reached' ? 409 : 429)
  })

  it('takes no seat from its own invitee, who is on the waitlist for one again', async () => {
    const { key, id, passTo } = await createSandbox({ ...waits, max_attendees: 2, waitlist_enabled: true })
    const person = { invitee_name: 'Ada', invitee_email: `${unique('ada')}@example.com` }
    await bookAsAnother(id, SLOT, person)
    await passTo(NOW + 1)
    await bookedAt(id, SLOT)
    const body = { event_type_id: id, start_time: iso(SLOT), ...person }
    const { body: joined } = await call('POST', '/v1/waitlist', { body })
    await passTo(deadline)
    await bookedAt(id, NEXT)
    expect((await call('GET', `/v1/waitlist/${joined.id}`, { key })).body.status).toBe('promoted')
  })

  it('blocks no promotion and does not count for any host', async () => {
    const { organization, key, id, passTo, setClock } = await createSandbox({
      ...waits,
      invitee_limit: 1,
      waitlist_enabled: true,
      assignment_strategy: 'least_bookings',
    })
    const [first, second] = await addHosts(organization, key, id, 2)
    const person = { invitee_name: 'Ada', invitee_email: `${unique('ada')}@example.com` }
    const late = (await bookAsAnother(id, SLOT, person)).body
    expect(late.assigned_host.member_id).toBe(first)
    await passTo(NOW + 1)
    const others = [await bookedAt(id, NEXT), await bookedAt(id, NEXT)]
    expect(others.map(({ assigned_host }) => assigned_host.member_id).sort()).toEqual([first, second].sort())
    const { body: joined } = await call('POST', '/v1/waitlist', {
      body: { event_type_id: id, start_time: iso(NEXT), ...person },
    })
    await passTo(deadline)
    // Without what waited too long, both hosts have one to come.
    expect((await bookedAt(id, NEXT + HOUR_MS)).assigned_host.member_id).toBe(first)
    await call('POST', `/v1/bookings/${others[1].id}/cancel`, { key })
    const { body: told } = await call('GET', `/v1/waitlist/${joined.id}`, { key })
    expect(told.status).toBe('promoted')
    await setClock(deadline)
    expect((await call('GET', `/v1/bookings/${late.id}`, { key })).body.status).toBe('cancelled')
  })
})

describe('a payment after the deadline', () => {
  it('confirms a booking whose time was not taken in the meantime', async () => {
    const { id, passTo, pay, get, setClock } = await createSandbox(PAID)
    const booking = await bookedAt(id, SLOT)
    await passTo(DEADLINE)
    expect((await pay(booking, 'succeed')).status).toBe(200)
    await setClock(DEADLINE + HOUR_MS)
    expect((await get(booking.id)).status).toBe('confirmed')
    expect((await bookAsAnother(id, SLOT)).status).toBe(409)
  })

  it('is refunded if somebody else took the time in the meantime', async () => {
    const { id, passTo, pay, get } = await createSandbox(PAID)
    const late = await bookedAt(id, SLOT)
    await passTo(DEADLINE)
    const other = await bookedAt(id, SLOT)
    expect((await pay(late, 'succeed')).body.status).toBe('refunded')
    expect(await get(late.id)).toMatchObject({
      status: 'cancelled',
      cancel_reason: 'It was not paid in time.',
    })
    await pay(other, 'succeed')
    expect((await get(other.id)).status).toBe('confirmed')
  })

  it('keeps the time while it is under way, and releases it at once when it fails', async () => {
    const { id, passTo, pay, get, setClock } = await createSandbox({ ...PAID, delayed_payment_methods: true })
    const booking = await bookedAt(id, SLOT)
    await pay(booking, 'process')
    await passTo(DEADLINE + HOUR_MS)
    expect((await bookAsAnother(id, SLOT)).status).toBe(409)
    await setClock(DEADLINE + 2 * HOUR_MS)
    expect((await get(booking.id)).status).toBe('pending_payment')
    await pay(booking, 'fail')
    expect((await get(booking.id)).status).toBe('cancelled')
    expect((await bookAsAnother(id, SLOT)).status).toBe(201)
  })

  it('gives the booking up if the payment is still processing and the time is taken', async () => {
    const { id, passTo, pay, get } = await createSandbox({ ...PAID, delayed_payment_methods: true })
    const late = await bookedAt(id, SLOT)
    await passTo(DEADLINE)
    await bookedAt(id, SLOT)
    await pay(late, 'process')
    expect((await get(late.id)).status).toBe('cancelled')
    expect((await pay(late, 'succeed')).body.status).toBe('refunded')
  })
})
