import { env } from 'cloudflare:workers'
import { describe, expect, it, vi } from 'vitest'
import { giveUpPayment } from '../../src/money/payments/give-up-payment.ts'
import { NOT_PAID_IN_TIME } from '../../src/money/payments/reasons.ts'
import { askToGiveUp } from '../../src/money/payments/settle-booking.ts'
import { SYSTEM } from '../../src/platform/auth/caller.ts'
import { commitBatch, openDb } from '../../src/platform/db/client.ts'
import { fenceOf } from '../../src/platform/db/refusals.ts'
import { nowAsLive, realNow } from '../../src/platform/limits/clock.ts'
import { sweep } from '../../src/worker/jobs/sweep.ts'
import { call } from '../support/app.ts'
import { bookingInput, dayFromNow, iso, openStarts } from '../support/factories.ts'
import {
  attempt,
  bookPaid,
  cancelAtProvider,
  createPaid,
  hearOf,
  settleAttempt,
  tellIntent,
  truthOf,
} from '../support/payments.ts'
import { providerCalls, providerObject, tellService, troubleProvider } from '../support/provider-calls.ts'

const HOUR_MS = 3_600_000
const DAY_MS = 24 * HOUR_MS
const MINUTE_MS = 60_000
const SLOT = dayFromNow(3) + 10 * HOUR_MS
const SETTLED = { timeout: 20_000, interval: 100 }
const later = (minutes: number) => Date.now() + minutes * MINUTE_MS

const WAITS = { booking: 'pending_payment', payment: 'processing', holds: 1, intent: 'processing' }

const createDelayed = (input: Record<string, unknown> = {}) =>
  createPaid({ price_currency: 'eur', delayed_payment_methods: true, ...input })

/** A booking whose payment is under way, which the service was told of. */
async function bookDelayed(eventTypeId: string) {
  const booked = await bookPaid(eventTypeId, SLOT)
  await attempt(booked.intentId, 'process')
  await hearOf(booked.intentId)
  expect(await truthOf(booked.id)).toMatchObject(WAITS)
  return booked
}

async function isOpen(eventTypeId: string): Promise<boolean> {
  return (await openStarts(eventTypeId, SLOT)).includes(iso(SLOT))
}

async function dueOf(bookingId: string): Promise<number> {
  const query = env.DB.prepare('SELECT next_attempt_at FROM payments WHERE booking_id = ?').bind(bookingId)
  return (await query.first<number>('next_attempt_at'))!
}

async function makeDue(bookingId: string): Promise<void> {
  await env.DB.prepare('UPDATE payments SET next_attempt_at = 1 WHERE booking_id = ?').bind(bookingId).run()
}

describe('delayed methods', () => {
  it('are offered if the event type allows them, and otherwise only immediate ones', async () => {
    const { eventTypeId, key } = await createDelayed()
    const typesOf = async (intentId: string) => (await providerObject(intentId)).payment_method_types
    const { intentId } = await bookPaid(eventTypeId, SLOT)
    expect(await typesOf(intentId)).toEqual(expect.arrayContaining(['card', 'link', 'sepa_debit']))
    const shown = await call('PATCH', `/v1/event-types/${eventTypeId}`, {
      key,
      body: { delayed_payment_methods: false },
    })
    expect(shown.body.delayed_payment_methods).toBe(false)
    const other = await bookPaid(eventTypeId, SLOT + HOUR_MS)
    expect(await typesOf(other.intentId)).toEqual(['card', 'link'])
  })

  it('are those of the booking, even if its event type changes before the provider is called', async () => {
    const { eventTypeId, key } = await createDelayed()
    const { id, intentId } = await bookPaid(eventTypeId, SLOT)
    await call('PATCH', `/v1/event-types/${eventTypeId}`, { key, body: { delayed_payment_methods: false } })
    // As if the process had died before it knew the intent: the same key must ask for the same.
    await env.DB.prepare('UPDATE payments SET intent_id = NULL WHERE booking_id = ?').bind(id).run()
    await makeDue(id)
    await sweep(env, Date.now())
    await vi.waitFor(async () => expect((await truthOf(id)).intent).toBe('requires_payment_method'), SETTLED)
    const row = env.DB.prepare('SELECT intent_id FROM payments WHERE booking_id = ?').bind(id)
    expect(await row.first('intent_id')).toBe(intentId)
  })
})

describe('a payment that is being processed', () => {
  it('keeps its time past the half hour, and is not requested again', async () => {
    const { eventTypeId, key } = await createDelayed()
    const { id, token, payment } = await bookDelayed(eventTypeId)
    await Promise.all([sweep(env, later(31)), sweep(env, later(31))])
    await sweep(env, later(300))
    expect(await truthOf(id)).toMatchObject(WAITS)
    expect(await isOpen(eventTypeId)).toBe(false)
    const shown = await call('GET', `/v1/bookings/${id}/payment?token=${token}`)
    expect(shown.body).toMatchObject({ status: 'processing', client_secret: null })
    const { body } = await call('GET', '/v1/payments?status=processing', { key })
    expect(body.data.map((one: any) => one.id)).toEqual([payment.id])
    expect((await call('GET', '/v1/payments/summary', { key })).body).toMatchObject({ pending_count: 1 })
  })

  it('confirms weeks later, once, also after the start', async () => {
    const { eventTypeId, key } = await createDelayed()
    const { id, intentId } = await bookDelayed(eventTypeId)
    await env.DB.prepare('UPDATE bookings SET start_time = ?1, end_time = ?1 + 1800000 WHERE id = ?2')
      .bind(Date.now() - 14 * DAY_MS, id)
      .run()
    await settleAttempt(intentId, 'succeed')
    await Promise.all([hearOf(intentId), hearOf(intentId)])
    expect(await truthOf(id)).toMatchObject({ booking: 'confirmed', payment: 'succeeded', refunded: 0 })
    const { body } = await call('GET', '/v1/events?limit=100', { key })
    const kinds = body.data.filter(({ data }: any) => data.id === id).map(({ event }: any) => event)
    expect(kinds).toEqual(['booking.created', 'booking.confirmed'])
  })

  it('that fails releases its time to the waitlist', async () => {
    const { eventTypeId } = await createDelayed({ waitlist_enabled: true })
    const { id, intentId } = await bookDelayed(eventTypeId)
    const waiting = await call('POST', '/v1/waitlist', {
      body: bookingInput(eventTypeId, SLOT, { invitee_email: 'next@example.com' }),
    })
    await env.DB.prepare('UPDATE payments SET expires_at = ? WHERE booking_id = ?')
      .bind(Date.now() - DAY_MS, id)
      .run()
    await settleAttempt(intentId, 'decline')
    await Promise.all([hearOf(intentId), hearOf(intentId)])
    expect(await truthOf(id)).toMatchObject({ booking: 'cancelled', payment: 'cancelled', holds: 0 })
    const entry = env.DB.prepare('SELECT status FROM waitlist_entries WHERE id = ?').bind(waiting.body.id)
    expect(await entry.first('status')).toBe('promoted')
    await vi.waitFor(async () => expect((await truthOf(id)).intent).toBe('canceled'), SETTLED)
  })

  it('that fails within the half hour may be tried again', async () => {
    const { eventTypeId } = await createDelayed()
    const { id, intentId } = await bookDelayed(eventTypeId)
    await settleAttempt(intentId, 'decline')
    await hearOf(intentId)
    expect(await truthOf(id)).toMatchObject({ booking: 'pending_payment', payment: 'failed', holds: 1 })
    await attempt(intentId)
    await hearOf(intentId)
    expect(await truthOf(id)).toMatchObject({ booking: 'confirmed', payment: 'succeeded' })
  })

  it('is found by asking the provider if its events are lost, at the half hour and long after', async () => {
    const { eventTypeId } = await createDelayed()
    const { id, intentId } = await bookPaid(eventTypeId, SLOT)
    await attempt(intentId, 'process')
    await sweep(env, later(31))
    expect(await truthOf(id)).toMatchObject(WAITS)
    // The provider is asked now and then, and never for the last time.
    for (let day = 0; day < 15; day++) {
      await makeDue(id)
      await sweep(env, Date.now())
      await vi.waitFor(async () => expect(await dueOf(id)).toBeGreaterThan(Date.now() + HOUR_MS), SETTLED)
    }
    expect(await truthOf(id)).toMatchObject(WAITS)
    await settleAttempt(intentId, 'succeed')
    await makeDue(id)
    await sweep(env, Date.now())
    await vi.waitFor(async () => expect((await truthOf(id)).booking).toBe('confirmed'), SETTLED)
  })

  it('may be under way while the provider does not answer, so it is not given up', async () => {
    const { eventTypeId } = await createDelayed()
    const { id, intentId } = await bookPaid(eventTypeId, SLOT)
    await attempt(intentId, 'process')
    await troubleProvider({ step: 'GET payment_intents', about: intentId, does: 'fails', times: 1 })
    await sweep(env, later(31))
    expect(await truthOf(id)).toMatchObject({ booking: 'pending_payment', holds: 1 })
    await sweep(env, later(32))
    expect(await truthOf(id)).toMatchObject(WAITS)
  })

  it('is what the provider says, whatever the order of its events', async () => {
    const { eventTypeId } = await createDelayed()
    const { id, intentId } = await bookDelayed(eventTypeId)
    // An older failure is told late.
    await tellIntent(intentId, 'payment_intent.payment_failed')
    expect(await truthOf(id)).toMatchObject(WAITS)
    const processing = await providerObject(intentId)
    await settleAttempt(intentId, 'succeed')
    await hearOf(intentId)
    await tellService('payment_intent.processing', processing, { account: processing.of! })
    expect(await truthOf(id)).toMatchObject({ booking: 'confirmed', payment: 'succeeded' })
  })

  it('is refunded when it succeeds after its booking was cancelled, however much later', async () => {
    const { eventTypeId } = await createDelayed()
    const { id, token, intentId } = await bookDelayed(eventTypeId)
    const cancelled = await call('POST', `/v1/bookings/${id}/cancel?token=${token}`, { body: {} })
    expect([cancelled.status, cancelled.body.payment.status]).toEqual([200, 'cancelled'])
    expect(await isOpen(eventTypeId)).toBe(true)
    for (let day = 0; day < 15; day++) {
      await makeDue(id)
      await sweep(env, Date.now())
      await vi.waitFor(async () => expect(await dueOf(id)).toBeGreaterThan(Date.now() + HOUR_MS), SETTLED)
    }
    await settleAttempt(intentId, 'succeed')
    await makeDue(id)
    await sweep(env, Date.now())
    await vi.waitFor(async () => expect((await truthOf(id)).payment).toBe('refunded'), SETTLED)
    expect(await truthOf(id)).toMatchObject({ booking: 'cancelled', holds: 0, refunded: 5_000 })
    const refunds = (await providerCalls(intentId)).filter(({ step }) => step === 'POST refunds')
    expect(refunds).toHaveLength(1)
  })

  it('ends when the provider cancels it', async () => {
    const { eventTypeId } = await createDelayed()
    const { id, intentId } = await bookDelayed(eventTypeId)
    await settleAttempt(intentId, 'decline')
    await cancelAtProvider(intentId)
    await hearOf(intentId)
    expect(await truthOf(id)).toMatchObject({ booking: 'cancelled', payment: 'cancelled', holds: 0 })
  })

  it('is not given up by a caller with an older state of it', async () => {
    const { eventTypeId, organization } = await createDelayed()
    const { id, payment } = await bookDelayed(eventTypeId)
    await askToGiveUp(env, { eventTypeId, bookingId: id }, NOT_PAID_IN_TIME, nowAsLive(realNow()))
    expect(await truthOf(id)).toMatchObject(WAITS)
    const db = openDb(env, 'decide')
    const tenant = { organizationId: organization.id, isTest: false }
    const old = { ...payment, status: 'pending' as const }
    const statements = giveUpPayment(db, tenant, old, { origin: SYSTEM, now: realNow() })
    const refused = await commitBatch(db, statements).catch(fenceOf)
    expect(refused).toBe('STALE')
    expect(await truthOf(id)).toMatchObject(WAITS)
  })

  it('may begin while its booking is given up: one of the two happens', async () => {
    for (let round = 0; round < 4; round++) {
      const { eventTypeId } = await createDelayed()
      const { id, intentId } = await bookPaid(eventTypeId, SLOT)
      const [swept] = await Promise.all([
        sweep(env, later(31)),
        attempt(intentId, 'process')
          .then(() => hearOf(intentId))
          .catch(() => {}),
      ])
      expect(swept).toBeUndefined()
      const { booking, payment, holds } = await truthOf(id)
      expect([`${booking} ${payment} ${holds}`]).toEqual([
        booking === 'cancelled' ? 'cancelled cancelled 0' : 'pending_payment processing 1',
      ])
    }
  })
})
