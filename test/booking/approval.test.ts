import { env } from 'cloudflare:workers'
import { describe, expect, it, vi } from 'vitest'
import { DUE_A_PAGE } from '../../src/platform/db/due-page.ts'
import { sweep } from '../../src/worker/jobs/sweep.ts'
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
import { addHost, createMember } from '../support/hosts.ts'
import { createPaid, pay, truthOf } from '../support/payments.ts'
import { troubleProvider } from '../support/provider-calls.ts'

const MINUTE_MS = 60_000
const HOUR_MS = 60 * MINUTE_MS
const SLOT = dayFromNow(3) + 10 * HOUR_MS
const NEXT = SLOT + 30 * MINUTE_MS
const SETTLED = { timeout: 20_000, interval: 100 }

async function createSandbox(input: Json = {}) {
  const organization = await createOrganization({ ownerEmail: 'owner@example.com' })
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

  it('expires at its deadline before any sweep, and is cancelled by the sweep', async () => {
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
    expect((await decide(body.id, 'decline')).status).toBe(409)
    expect((await get(second.id)).status).toBe('confirmed')
  })

  it('is cancelled when its sandbox passes its deadline, however many are over before it', async () => {
    const { id, organization, get, setClock } = await createSandbox({ approval_ttl_minutes: 60 })
    const { body } = await book(id, SLOT)
    const { results } = await env.DB.prepare('SELECT * FROM slot_holds WHERE id = ?').bind(body.id).all()
    const others = Array.from({ length: DUE_A_PAGE }, (_, at) => {
      const row = { ...results[0]!, id: `${organization.id}-${at}`, status: 'expired', expires_at: at }
      const names = Object.keys(row).join()
      const marks = Object.keys(row).map(() => '?')
      return env.DB.prepare(`INSERT INTO slot_holds (${names}) VALUES (${marks})`).bind(...Object.values(row))
    })
    await env.DB.batch(others)
    vi.spyOn(console, 'error').mockImplementation(() => {})
    await setClock(SLOT - 47 * HOUR_MS)
    expect((await get(body.id)).status).toBe('cancelled')
    vi.restoreAllMocks()
  })

  it('expires at its new start if that comes before the deadline', async () => {
    const { id, organization, decide } = await createSandbox()
    const { body } = await book(id, SLOT)
    const near = SLOT - 47 * HOUR_MS
    const moved = await call('POST', `/v1/bookings/${body.id}/reschedule?token=${body.cancel_token}`, {
      body: { new_start_time: iso(near) },
    })
    expect(moved.body.status).toBe('pending_approval')
    await passTo(organization.id, near)
    expect((await decide(body.id, 'approve')).status).toBe(409)
  })

  it('goes on to its payment, which has a day', async () => {
    const { id, key, decide, kinds, get, setClock, lettersTo } = await createSandbox({
      price_amount: 4_900,
      price_currency: 'eur',
    })
    const { body } = await book(id, SLOT)
    expect(body.payment).toBe(null)
    await vi.waitFor(async () => expect(await lettersTo('ada@example.com')).toHaveLength(1), SETTLED)
    const { body: approved } = await decide(body.id, 'approve')
    expect(approved).toMatchObject({ status: 'pending_payment', payment: { amount: 4_900 } })
    await vi.waitFor(async () => {
      const letters = await lettersTo('ada@example.com')
      const told = letters.map(({ subject }: any) => subject.split(':')[0])
      expect(told.toSorted()).toEqual(['Payment is due', 'Request sent'])
    }, SETTLED)
    const { body: outbox } = await call('GET', '/v1/test-data/outbox?limit=100', { key })
    const asked = outbox.data.filter(({ channel }: any) => channel === 'payment')
    expect(asked.map(({ subject, body }: any) => [subject, JSON.parse(body).amount])).toEqual([
      ['payment_intent.create', 4_900],
    ])
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

  it('still needs approval after a move, and no second approval once it was approved', async () => {
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

  it('notifies the invitee that the request was sent, and none of their attendees', async () => {
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

  it.each(['declined', 'not decided in time', 'cancelled'])(
    'sends no emails to attendees and writes nothing to calendars when it ends: %s',
    async (end) => {
      const { id, decide, lettersTo, setClock } = await createSandbox({ max_attendees: 3 })
      const attendees = [{ name: 'Guest', email: 'guest@example.com' }]
      const { body } = await book(id, SLOT, { attendees })
      const cancel = () => call('POST', `/v1/bookings/${body.id}/cancel?token=${body.cancel_token}`)
      for (const to of ['ada@example.com', 'owner@example.com'])
        await vi.waitFor(async () => expect(await lettersTo(to)).toHaveLength(1), SETTLED)
      if (end === 'declined') await decide(body.id, 'decline')
      else if (end === 'cancelled') await cancel()
      else await setClock(SLOT)
      for (const to of ['ada@example.com', 'owner@example.com']) {
        await vi.waitFor(async () => expect(await lettersTo(to)).toHaveLength(2), SETTLED)
        expect((await lettersTo(to)).map(({ attachments }: any) => attachments)).toEqual([[], []])
      }
      expect(await lettersTo('guest@example.com')).toEqual([])
    },
  )

  it('gives its place in the month back when it is declined, cancelled or not decided in time', async () => {
    const { liveKey, id: organizationId } = await createOrganization()
    const { id } = await createEventType(liveKey, { requires_approval: true })
    const counted = async () =>
      (await call('GET', '/v1/usage', { key: liveKey })).body.usage.bookings_this_month
    const request = async () => (await bookAsAnother(id, SLOT)).body
    const declined = await request()
    expect(await counted()).toBe(1)
    await call('POST', `/v1/bookings/${declined.id}/decline`, { key: liveKey })
    expect(await counted()).toBe(0)
    const cancelled = await request()
    await call('POST', `/v1/bookings/${cancelled.id}/cancel?token=${cancelled.cancel_token}`)
    expect(await counted()).toBe(0)
    const approved = await request()
    await call('POST', `/v1/bookings/${approved.id}/approve`, { key: liveKey })
    const late = (await bookAsAnother(id, NEXT)).body
    expect(await counted()).toBe(2)
    await env.DB.prepare("UPDATE slot_holds SET expires_at = 1 WHERE organization_id = ? AND status = 'held'")
      .bind(organizationId)
      .run()
    await sweep(env, Date.now())
    const { body } = await call('GET', `/v1/bookings/${late.id}`, { key: liveKey })
    expect([body.status, body.cancel_reason]).toEqual(['cancelled', 'It was not approved in time.'])
    expect(await counted()).toBe(1)
    // One of another month gives nothing back to this one.
    const earlier = (await bookAsAnother(id, NEXT)).body
    await env.DB.prepare('UPDATE bookings SET created_at = created_at - ? WHERE id = ?')
      .bind(40 * 24 * HOUR_MS, earlier.id)
      .run()
    await call('POST', `/v1/bookings/${earlier.id}/decline`, { key: liveKey })
    expect(await counted()).toBe(2)
  })
})

describe('two approvals', () => {
  it('of one request at once are one', async () => {
    const { id, decide, kinds } = await createSandbox()
    const { body } = await book(id, SLOT)
    const verbs = ['approve', 'approve', 'decline', 'approve', 'decline']
    const ends = await Promise.all(verbs.map((verb) => decide(body.id, verb)))
    const [won, ...others] = new Set(
      ends.filter(({ status }) => status === 200).map((end) => end.body.status),
    )
    expect([others, ends.filter(({ status }) => status === 409).length > 0]).toEqual([[], true])
    expect(await kinds()).toEqual([
      'booking.requested',
      won === 'confirmed' ? 'booking.confirmed' : 'booking.cancelled',
    ])
  })

  it.each(['one event type', 'two event types that share a host'])(
    'of what overlaps give one booking: %s',
    async (where) => {
      const { organization, id, key, decide, get, setClock } = await createSandbox({
        approval_ttl_minutes: 60,
      })
      const member = await createMember(organization)
      await addHost(key, id, member.id)
      let other = id
      if (where !== 'one event type') {
        other = (await createEventType(key, { requires_approval: true })).id
        await addHost(key, other, member.id)
      }
      for (let round = 0; round < 4; round++) {
        const start = SLOT + round * HOUR_MS
        const now = SLOT - (47 - 2 * round) * HOUR_MS
        await setClock(now)
        const first = (await bookAsAnother(id, start)).body
        await passTo(organization.id, now + HOUR_MS)
        // The first has lost its time to the second. Their clocks stand just where both could seem to be in time.
        const second = (await bookAsAnother(other, start)).body
        await passTo(organization.id, now + (round % 2) * HOUR_MS)
        const ends = await Promise.all([first, second, first, second].map((one) => decide(one.id, 'approve')))
        expect(ends.map(({ status }) => status)).toEqual([409, 200, 409, 200])
        const held = await env.DB.prepare(
          'SELECT holder_id FROM holds WHERE starts_at = ? AND resource_id LIKE ?',
        )
          .bind(start, `%${member.id}%`)
          .all()
        expect(held.results).toEqual([{ holder_id: second.id }])
        await setClock(now + HOUR_MS)
        expect([(await get(first.id)).status, (await get(second.id)).status]).toEqual([
          'cancelled',
          'confirmed',
        ])
      }
    },
  )
})

describe('money', () => {
  it('is asked for once a request is approved, and confirms it when it is paid', async () => {
    const { key, eventTypeId } = await createPaid({ requires_approval: true })
    const { body } = await book(eventTypeId, SLOT)
    expect([body.status, body.payment]).toEqual(['pending_approval', null])
    const { body: approved } = await call('POST', `/v1/bookings/${body.id}/approve`, { key })
    expect(approved).toMatchObject({
      status: 'pending_payment',
      payment: { status: 'pending', amount: 5_000 },
    })
    const intent = () =>
      env.DB.prepare('SELECT intent_id FROM payments WHERE booking_id = ?')
        .bind(body.id)
        .first<string>('intent_id')
    await vi.waitFor(async () => expect(await intent()).toMatch(/^pi_/), SETTLED)
    expect(await truthOf(body.id)).toMatchObject({ booking: 'pending_payment', holds: 1 })
    await pay((await intent())!)
    await vi.waitFor(
      async () => expect(await truthOf(body.id)).toMatchObject({ booking: 'confirmed', intent: 'succeeded' }),
      SETTLED,
    )
    expect((await bookAsAnother(eventTypeId, SLOT)).status).toBe(409)
  })

  it('is asked for while there is a provider: without one, nothing is approved', async () => {
    const { key, eventTypeId } = await createPaid({ requires_approval: true })
    const { body } = await book(eventTypeId, SLOT)
    expect((await call('DELETE', '/v1/payment-provider', { key })).status).toBe(200)
    const refused = await call('POST', `/v1/bookings/${body.id}/approve`, { key })
    expect([refused.status, refused.body.error.code]).toEqual([400, 'bad_request'])
    expect((await call('GET', `/v1/bookings/${body.id}`, { key })).body.status).toBe('pending_approval')
  })

  it('is required when a hold is confirmed, and the hold lasts until the payment', async () => {
    const { eventTypeId, accountId } = await createPaid()
    const body = { event_type_id: eventTypeId, start_time: iso(SLOT), ttl_seconds: 30 }
    const held = (await call('POST', '/v1/holds', { body })).body
    const invitee = { invitee_name: 'Ada', invitee_email: 'ada@example.com' }
    const path = `/v1/holds/${held.id}/confirm?token=${held.token}`
    await troubleProvider({ step: 'POST payment_intents', about: accountId, does: 'refuses', times: 1 })
    const failed = await call('POST', path, { body: invitee })
    expect(failed.status).toBe(502)
    const { status, body: booking } = await call('POST', path, { body: invitee })
    expect([status, booking.status]).toEqual([201, 'pending_payment'])
    const deadline =
      "SELECT expires_at - created_at AS n FROM slot_holds WHERE booking_id = ? AND purpose = 'payment'"
    expect(await env.DB.prepare(deadline).bind(booking.id).first<number>('n')).toBe(30 * MINUTE_MS)
    await pay(booking.payment.client_secret.split('_secret_')[0])
    await vi.waitFor(
      async () => expect(await truthOf(booking.id)).toMatchObject({ booking: 'confirmed', holds: 1 }),
      SETTLED,
    )
  })
})
