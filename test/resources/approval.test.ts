import { env } from 'cloudflare:workers'
import { describe, expect, it, vi } from 'vitest'
import { call, type Json } from '../support/app.ts'
import {
  book,
  bookAsAnother,
  createEventType,
  createOrganization,
  dayFromNow,
  iso,
  openStarts,
} from '../support/factories.ts'

const MINUTE_MS = 60_000
const HOUR_MS = 60 * MINUTE_MS
const SLOT = dayFromNow(3) + 10 * HOUR_MS
const NEXT = SLOT + 30 * MINUTE_MS
const SETTLED = { timeout: 20_000, interval: 100 }

async function createSandbox(input: Json = {}) {
  const organization = await createOrganization()
  const key = organization.testKey
  const { id } = await createEventType(key, { requires_approval: true, ...input })
  const setClock = (at: number) => call('PUT', '/v1/test-data/clock', { key, body: { now: iso(at) } })
  await setClock(SLOT - 48 * HOUR_MS)
  const decide = (booking: string, verb: string, body: Json = {}) =>
    call('POST', `/v1/bookings/${booking}/${verb}`, { key, body })
  const kinds = async () => (await call('GET', '/v1/events', { key })).body.data.map((one: any) => one.event)
  const get = async (booking: string) => (await call('GET', `/v1/bookings/${booking}`, { key })).body
  const lettersTo = async (to: string) => {
    const { body } = await call('GET', '/v1/test-data/outbox?limit=100', { key })
    return body.data.filter((item: any) => item.channel === 'email' && item.to === to)
  }
  return { organization, key, id: id as string, setClock, decide, kinds, get, lettersTo }
}

/** Past deadlines without what setting the clock does at once: as if nobody swept. */
async function passTo(organizationId: string, at: number): Promise<void> {
  await env.DB.prepare('UPDATE organizations SET sandbox_now = ? WHERE id = ?').bind(at, organizationId).run()
}

describe('a requested booking', () => {
  it('waits for its approval, and holds its time', async () => {
    const { id, key, kinds } = await createSandbox({ approval_ttl_minutes: 60 })
    const { status, body } = await book(id, SLOT)
    expect([status, body.status, typeof body.cancel_token]).toEqual([201, 'pending_approval', 'string'])
    expect(await openStarts(id, SLOT)).not.toContain(iso(SLOT))
    expect((await bookAsAnother(id, SLOT)).status).toBe(409)
    expect(await kinds()).toEqual(['booking.requested'])
    const { body: listed } = await call('GET', '/v1/bookings?status=pending_approval', { key })
    expect(listed.data.map((one: any) => one.id)).toEqual([body.id])
  })

  it('is confirmed by an approval, once', async () => {
    const { id, decide, kinds } = await createSandbox()
    const { body } = await book(id, SLOT)
    const answers = [await decide(body.id, 'approve'), await decide(body.id, 'approve')]
    expect(answers.map(({ status, body: told }) => [status, told.status])).toEqual([
      [200, 'confirmed'],
      [200, 'confirmed'],
    ])
    expect(await kinds()).toEqual(['booking.requested', 'booking.confirmed'])
    expect((await decide(body.id, 'decline')).status).toBe(409)
    expect(await openStarts(id, SLOT)).not.toContain(iso(SLOT))
  })

  it('is cancelled by a declining, which says why and gives its time and the month back', async () => {
    const { id, decide, kinds, get } = await createSandbox()
    const { body } = await book(id, SLOT)
    const declined = await decide(body.id, 'decline', { reason: 'Away.' })
    expect(declined.body).toMatchObject({ status: 'cancelled', cancel_reason: 'Away.' })
    expect((await decide(body.id, 'decline')).status).toBe(200)
    expect((await decide(body.id, 'approve')).status).toBe(409)
    expect(await kinds()).toEqual(['booking.requested', 'booking.cancelled'])
    expect(await openStarts(id, SLOT)).toContain(iso(SLOT))
    const other = (await book(id, NEXT)).body
    await decide(other.id, 'decline')
    expect((await get(other.id)).cancel_reason).toMatch(/declined/)
  })

  it('is over at its deadline by the clock, though nobody has swept, and cancelled by the sweep', async () => {
    const { id, organization, decide, get, setClock } = await createSandbox({ approval_ttl_minutes: 60 })
    const { body } = await book(id, SLOT)
    const deadline = SLOT - 47 * HOUR_MS
    await passTo(organization.id, deadline - 1)
    expect((await bookAsAnother(id, SLOT)).status).toBe(409)
    await passTo(organization.id, deadline)
    expect((await decide(body.id, 'approve')).status).toBe(409)
    expect(await openStarts(id, SLOT)).toContain(iso(SLOT))
    const { status, body: second } = await bookAsAnother(id, SLOT)
    expect(status).toBe(201)
    expect((await decide(second.id, 'approve')).body.status).toBe('confirmed')
    await setClock(deadline)
    expect(await get(body.id)).toMatchObject({ status: 'cancelled' })
    expect((await get(body.id)).cancel_reason).toMatch(/not approved in time/)
    expect((await get(second.id)).status).toBe('confirmed')
  })

  it('goes on to its payment, which has a day', async () => {
    const { id, key, decide, kinds, get, setClock, lettersTo } = await createSandbox({
      price_amount: 4_900,
      price_currency: 'eur',
    })
    const { body } = await book(id, SLOT)
    expect(body.payment).toBe(null)
    const { body: approved } = await decide(body.id, 'approve')
    expect(approved).toMatchObject({ status: 'pending_payment', payment: { amount: 4_900 } })
    await vi.waitFor(async () => {
      const letters = await lettersTo('ada@example.com')
      const told = letters.map(({ subject }: any) => subject.split(':')[0])
      expect(told.toSorted()).toEqual(['Payment is due', 'Request sent'])
    }, SETTLED)
    await setClock(SLOT - 25 * HOUR_MS)
    expect((await get(body.id)).status).toBe('pending_payment')
    await call('POST', `/v1/test-data/payments/${approved.payment.id}/succeed`, { key })
    expect((await get(body.id)).status).toBe('confirmed')
    expect(await kinds()).toEqual(['booking.requested', 'booking.confirmed'])
    const late = (await book(id, NEXT)).body
    await decide(late.id, 'approve')
    await setClock(SLOT)
    expect((await get(late.id)).status).toBe('cancelled')
  })

  it('waits on when it moves, and asks nobody again once it was approved', async () => {
    const { id, decide } = await createSandbox()
    const { body } = await book(id, SLOT)
    const move = (start: number) =>
      call('POST', `/v1/bookings/${body.id}/reschedule?token=${body.cancel_token}`, {
        body: { new_start_time: iso(start) },
      })
    expect((await move(NEXT)).body.status).toBe('pending_approval')
    expect(await openStarts(id, SLOT)).toContain(iso(SLOT))
    expect((await decide(body.id, 'approve')).body).toMatchObject({
      status: 'confirmed',
      start_time: iso(NEXT),
    })
    expect((await move(SLOT)).body.status).toBe('rescheduled')
  })

  it('is what a promotion and a confirmed hold become, too', async () => {
    const { id, key, decide } = await createSandbox({ waitlist_enabled: true })
    const { body: held } = await call('POST', '/v1/holds', {
      body: { event_type_id: id, start_time: iso(SLOT) },
    })
    const invitee = { invitee_name: 'Ada', invitee_email: 'ada@example.com' }
    const path = `/v1/holds/${held.id}/confirm?token=${held.token}`
    const { body: booked } = await call('POST', path, { body: invitee })
    expect(booked.status).toBe('pending_approval')
    const waiting = {
      event_type_id: id,
      start_time: iso(SLOT),
      invitee_name: 'Grace',
      invitee_email: 'grace@example.com',
    }
    const { body: entry } = await call('POST', '/v1/waitlist', { body: waiting })
    await decide(booked.id, 'decline')
    const { body: promoted } = await call('GET', `/v1/waitlist/${entry.id}`, { key })
    expect(promoted.status).toBe('promoted')
    const { body: theirs } = await call('GET', `/v1/bookings/${promoted.promoted_booking_id}`, { key })
    expect(theirs.status).toBe('pending_approval')
  })

  it('tells its invitee that it was asked for, and nobody they bring', async () => {
    const { id, decide, lettersTo } = await createSandbox({ max_attendees: 3 })
    const attendees = [{ name: 'Guest', email: 'guest@example.com' }]
    const { body } = await book(id, SLOT, { attendees })
    await vi.waitFor(async () => expect(await lettersTo('ada@example.com')).toHaveLength(1), SETTLED)
    const [letter] = await lettersTo('ada@example.com')
    expect([letter.subject.split(':')[0], letter.attachments]).toEqual(['Request sent', []])
    expect(await lettersTo('guest@example.com')).toEqual([])
    await decide(body.id, 'approve')
    await vi.waitFor(async () => expect(await lettersTo('guest@example.com')).toHaveLength(1), SETTLED)
  })
})
