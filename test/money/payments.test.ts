import { env } from 'cloudflare:workers'
import { describe, expect, it, vi } from 'vitest'
import { cancelUnpaid, selectDuePayments, selectExpiredPayments } from '../../src/money/payments/queries.ts'
import { selectDueRefunds } from '../../src/money/payments/refunds/queries.ts'
import { openDb } from '../../src/platform/db/client.ts'
import { realNow } from '../../src/platform/limits/clock.ts'
import { sweep } from '../../src/worker/jobs/sweep.ts'
import { call, callAsService } from '../support/app.ts'
import {
  book,
  bookingInput,
  createEventType,
  createOrganization,
  dayFromNow,
  iso,
  openStarts,
} from '../support/factories.ts'
import { patienceOf } from '../support/patience.ts'
import {
  attempt,
  bookPaid,
  cancelAtProvider,
  connectAccount,
  createPaid,
  getBooking,
  hearOf,
  pay,
  tellIntent,
  truthOf,
} from '../support/payments.ts'
import {
  calmProvider,
  changeProviderObject,
  providerCalls,
  providerObject,
  providerObjects,
  tellService,
  troubleProvider,
} from '../support/provider-calls.ts'

const HOUR_MS = 3_600_000
const MINUTE_MS = 60_000
const SLOT = dayFromNow(3) + 10 * HOUR_MS
const SETTLED = { timeout: 20_000, interval: 100 }
const later = (minutes: number) => Date.now() + minutes * MINUTE_MS

async function isOpen(eventTypeId: string, start = SLOT): Promise<boolean> {
  return (await openStarts(eventTypeId, start)).includes(iso(start))
}

async function eventsOf(key: string, bookingId: string): Promise<string[]> {
  const { body } = await call('GET', '/v1/events?limit=100', { key })
  return body.data.filter(({ data }: any) => data.id === bookingId).map(({ event }: any) => event)
}

/** How many letters the organization was counted for. */
async function emailsOf(organizationId: string): Promise<number> {
  const row = await env.DB.prepare('SELECT total(letters) AS n FROM letter_counts WHERE organization_id = ?')
    .bind(organizationId)
    .first<{ n: number }>()
  return row!.n
}

async function usedOf(key: string): Promise<number> {
  return (await call('GET', '/v1/usage', { key })).body.usage.bookings_this_month
}

describe('a paid event type', () => {
  it('accepts no booking without a connected payment provider, and none while that accepts no charges', async () => {
    const organization = await createOrganization()
    const { id } = await createEventType(organization.liveKey, { price_amount: 5_000 })
    const refused = await book(id, SLOT)
    expect([refused.status, refused.body.error.details]).toEqual([400, { code: 'no_payment_provider' }])
    await connectAccount(organization)
    const set = (column: string, value: number) =>
      env.DB.prepare(`UPDATE payment_accounts SET ${column} = ? WHERE organization_id = ?`)
        .bind(value, organization.id)
        .run()
    await set('charges_enabled', 0)
    expect((await book(id, SLOT)).body.error.code).toBe('bad_request')
    await set('charges_enabled', 1)
    await set('disconnected_at', 1)
    expect((await book(id, SLOT)).body.error.code).toBe('bad_request')
    await env.DB.prepare('UPDATE payment_accounts SET disconnected_at = NULL WHERE organization_id = ?')
      .bind(organization.id)
      .run()
    expect((await book(id, SLOT)).status).toBe(201)
  })

  it('accepts no booking that the account has no payment method for', async () => {
    const { accountId, eventTypeId, key } = await createPaid()
    await changeProviderObject(accountId, { capabilities: { card_payments: 'inactive' } })
    const { status, body } = await book(eventTypeId, SLOT)
    expect([status, body.error.code, body.error.details]).toEqual([
      400,
      'bad_request',
      { code: 'payment_unavailable' },
    ])
    expect(await isOpen(eventTypeId)).toBe(true)
    const { body: list } = await call('GET', '/v1/bookings', { key })
    expect(list.data.map((one: any) => one.status)).toEqual(['cancelled'])
    await changeProviderObject(accountId, { capabilities: { card_payments: 'active' } })
    expect((await book(eventTypeId, SLOT)).status).toBe(201)
  })

  it('holds the time of a booking and asks the provider for its payment', async () => {
    const { accountId, eventTypeId, key } = await createPaid({ price_amount: 5_050, price_currency: 'eur' })
    const { id, intentId, payment, body } = await bookPaid(eventTypeId, SLOT)
    expect(payment).toEqual({
      id: expect.any(String),
      status: 'pending',
      amount: 5_050,
      currency: 'eur',
      client_secret: (await providerObject(intentId)).client_secret,
      payment_provider_account_id: accountId,
    })
    const [asked, ...more] = await providerCalls(id)
    expect(more).toEqual([])
    expect(asked).toMatchObject({ step: 'POST payment_intents', idempotencyKey: id, account: accountId })
    const { allowed_payment_method_types: methods, ...params } = asked!.params
    expect(params).toEqual({
      amount: '5050',
      currency: 'eur',
      application_fee_amount: '51',
      metadata: { payment_id: payment.id, booking_id: id, organization_id: body.organization_id },
    })
    expect(Object.values(methods as object)).toEqual(expect.arrayContaining(['card', 'link']))
    expect((await providerObject(intentId)).payment_method_types).toEqual(['card', 'link'])
    expect(await isOpen(eventTypeId)).toBe(false)
    expect((await book(eventTypeId, SLOT)).body.error.code).toBe('conflict')
    const { client_secret: _secret, payment_provider_account_id: _account, ...told } = payment
    const shown = await getBooking(key, id)
    expect([shown.body.status, shown.body.payment]).toEqual(['pending_payment', told])
    expect(await truthOf(id)).toEqual({
      booking: 'pending_payment',
      payment: 'pending',
      holds: 1,
      intent: 'requires_payment_method',
      refunded: 0,
    })
    expect(await eventsOf(key, id)).toEqual(['booking.created'])
  })

  it('counts the price for every seat, in the units of its currency', async () => {
    const cases = [
      { price_amount: 101, price_currency: 'usd', fee: 3 },
      { price_amount: 3_350, price_currency: 'jpy', fee: 101 },
      { price_amount: 5_120, price_currency: 'kwd', fee: 150 },
      { price_amount: 50_000, price_currency: 'isk', fee: 1_500 },
    ]
    for (const { fee, ...price } of cases) {
      const { eventTypeId } = await createPaid({ ...price, max_attendees: 3 })
      const attendees = ['b', 'c'].map((name) => ({ name, email: `${name}@example.com` }))
      const { payment, intentId } = await bookPaid(eventTypeId, SLOT, { attendees })
      expect(payment).toMatchObject({ amount: price.price_amount * 3, currency: price.price_currency })
      const intent = await providerObject(intentId)
      expect([intent.amount, intent.application_fee_amount]).toEqual([price.price_amount * 3, fee])
    }
    const { liveKey: key } = await createOrganization()
    const wrong = { title: 'x', slug: 'x', duration_minutes: 30, price_amount: 5_125, price_currency: 'kwd' }
    const { status, body } = await call('POST', '/v1/event-types', { key, body: wrong })
    expect([status, Object.keys(body.error.details)]).toEqual([400, ['price_amount']])
  })

  it('accepts no more seats at once than one payment can cover', async () => {
    const { eventTypeId } = await createPaid({ price_amount: 60_000_000, max_attendees: 3 })
    const attendees = [{ name: 'b', email: 'b@example.com' }]
    const refused = await book(eventTypeId, SLOT, { attendees })
    expect([refused.status, refused.body.error.details]).toEqual([
      400,
      { code: 'too_many_attendees', field: 'attendees' },
    ])
    await bookPaid(eventTypeId, SLOT)
  })

  it('leaves a pending booking where it is: it cannot be moved', async () => {
    const { eventTypeId, key } = await createPaid()
    const { id } = await bookPaid(eventTypeId, SLOT)
    const moved = await call('POST', `/v1/bookings/${id}/reschedule`, {
      key,
      body: { new_start_time: iso(SLOT + HOUR_MS) },
    })
    expect(moved.status).toBe(409)
  })
})

describe('a payment that is made', () => {
  it('confirms the booking once, however often and however late its event arrives', async () => {
    const { eventTypeId, key, organization } = await createPaid()
    const { id, intentId, payment } = await bookPaid(eventTypeId, SLOT)
    // That it is due.
    await vi.waitFor(async () => expect(await emailsOf(organization.id)).toBe(1), SETTLED)
    await attempt(intentId)
    const answers = await Promise.all(
      Array.from({ length: 8 }, () => tellIntent(intentId, 'payment_intent.succeeded')),
    )
    expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([200]))
    await tellIntent(intentId, 'payment_intent.payment_failed')
    await tellIntent(intentId, 'payment_intent.canceled')
    await sweep(env, later(60))
    expect(await truthOf(id)).toEqual({
      booking: 'confirmed',
      payment: 'succeeded',
      holds: 1,
      intent: 'succeeded',
      refunded: 0,
    })
    expect(await eventsOf(key, id)).toEqual(['booking.created', 'booking.confirmed'])
    const told = await getBooking(key, id)
    expect(told.body).toMatchObject({ status: 'confirmed', payment: { id: payment.id, status: 'succeeded' } })
    await vi.waitFor(async () => expect(await emailsOf(organization.id)).toBe(2), SETTLED)
    const reminders = env.DB.prepare(
      'SELECT json_array_length(reminder_minutes) AS n FROM bookings WHERE id = ? AND next_reminder_at IS NOT NULL',
    ).bind(id)
    expect(await reminders.first('n')).toBe(2)
    const { body } = await call('GET', `/v1/activity?resource_id=${payment.id}`, { key })
    expect(body.data.map(({ action }: any) => action)).toEqual(['payment.succeeded'])
  })

  it('is refunded in full, once, if its booking was given up, and never takes another booking’s time', async () => {
    const { eventTypeId, key, accountId } = await createPaid()
    const first = await bookPaid(eventTypeId, SLOT)
    // The invitee is faster than the cancelling.
    await troubleProvider({ step: 'POST payment_intents/cancel', about: first.intentId, does: 'fails' })
    await sweep(env, later(31))
    expect((await truthOf(first.id)).booking).toBe('cancelled')
    const second = await bookPaid(eventTypeId, SLOT)
    await attempt(first.intentId)
    await Promise.all(Array.from({ length: 5 }, () => tellIntent(first.intentId, 'payment_intent.succeeded')))
    await vi.waitFor(async () => {
      expect(await truthOf(first.id)).toEqual({
        booking: 'cancelled',
        payment: 'refunded',
        holds: 0,
        intent: 'succeeded',
        refunded: 5_000,
      })
    }, SETTLED)
    const refunds = (await providerObjects(first.intentId)).filter(({ object }) => object === 'refund')
    expect(refunds.map(({ amount, of }) => [amount, of])).toEqual([[5_000, accountId]])
    const asked = (await providerCalls(first.intentId)).filter(({ step }) => step === 'POST refunds')
    for (const { params } of asked) {
      expect(params).toMatchObject({ refund_application_fee: 'true' })
      expect(params).not.toHaveProperty('reverse_transfer')
    }
    const log = await call('GET', `/v1/activity?resource_id=${first.payment.id}`, { key })
    expect(log.body.data.map(({ action }: any) => action)).toEqual([
      'payment.refunded',
      'payment.refund_requested',
      'payment.succeeded',
      'payment.cancelled',
    ])
    await pay(second.intentId)
    expect((await truthOf(second.id)).booking).toBe('confirmed')
    expect(await eventsOf(key, first.id)).toEqual(['booking.created', 'booking.cancelled'])
  })

  it('is refunded, however late its booking could be given up, if the time is taken by then', async () => {
    const { organization, eventTypeId } = await createPaid()
    const first = await bookPaid(eventTypeId, SLOT)
    const end = 'UPDATE slot_holds SET expires_at = ? WHERE booking_id = ?'
    await env.DB.prepare(end)
      .bind(Date.now() - 1, first.id)
      .run()
    const second = await bookPaid(eventTypeId, SLOT, { invitee_email: 'second@example.com' })
    await pay(second.intentId)
    await callAsService('PUT', `/v1/operator/moves/${organization.id}`)
    await sweep(env, later(31 * 24 * 60))
    await callAsService('DELETE', `/v1/operator/moves/${organization.id}`)
    await pay(first.intentId)
    await vi.waitFor(async () => expect((await truthOf(first.id)).payment).toBe('refunded'), SETTLED)
    expect((await truthOf(first.id)).booking).toBe('cancelled')
    expect(await truthOf(second.id)).toMatchObject({ booking: 'confirmed', holds: 1 })
  })

  it('is refunded when it won the race against the cancelling of its intent', async () => {
    const { eventTypeId, key } = await createPaid()
    const { id, intentId } = await bookPaid(eventTypeId, SLOT)
    await attempt(intentId)
    await call('POST', `/v1/bookings/${id}/cancel`, { key, body: {} })
    await vi.waitFor(async () => expect((await truthOf(id)).payment).toBe('refunded'), SETTLED)
    expect(await truthOf(id)).toMatchObject({ booking: 'cancelled', holds: 0, refunded: 5_000 })
  })

  it('is believed without its event when the time is up', async () => {
    const { eventTypeId } = await createPaid()
    const { id, intentId } = await bookPaid(eventTypeId, SLOT)
    await attempt(intentId)
    await sweep(env, later(31))
    expect(await truthOf(id)).toMatchObject({ booking: 'confirmed', payment: 'succeeded', holds: 1 })
  })

  it('is accepted only from the paid account, and only for its own intent', async () => {
    const { eventTypeId, accountId } = await createPaid()
    const { id, intentId, payment } = await bookPaid(eventTypeId, SLOT)
    const { accountId: outsider } = await createPaid()
    await attempt(intentId)
    const paid = await providerObject(intentId)
    const forged = { ...paid, id: 'pi_of_somebody', metadata: { payment_id: payment.id } }
    const waits = async (intent: unknown, account?: string) => {
      const told = await tellService('payment_intent.succeeded', intent, account ? { account } : {})
      expect([told.status, (await truthOf(id)).booking]).toEqual([200, 'pending_payment'])
    }
    await waits(paid)
    await waits(paid, outsider)
    await waits(forged, accountId)
    // As if the process had died before it knew the intent: then the metadata of an event name the payment.
    await unmake(id)
    await waits(forged, outsider)
    await waits(forged)
    await waits({ ...forged, amount: 50 }, accountId)
    await waits({ ...forged, currency: 'jpy' }, accountId)
    await waits({ ...forged, metadata: {} }, accountId)
    await waits({ ...forged, application_fee_amount: null }, accountId)
    await hearOf(intentId)
    expect(await truthOf(id)).toMatchObject({ booking: 'confirmed', intent: 'succeeded' })
  })

  it('may succeed after attempts that failed', async () => {
    const { eventTypeId } = await createPaid()
    const { id, intentId } = await bookPaid(eventTypeId, SLOT)
    await attempt(intentId, 'decline')
    await hearOf(intentId)
    expect(await truthOf(id)).toMatchObject({ booking: 'pending_payment', payment: 'failed', holds: 1 })
    await pay(intentId)
    expect(await truthOf(id)).toMatchObject({ booking: 'confirmed', payment: 'succeeded', holds: 1 })
  })
})

describe('an unpaid booking', () => {
  it('releases its time, its place in the plan and its intent after 30 minutes', async () => {
    const { eventTypeId, key, organization } = await createPaid()
    const { id } = await bookPaid(eventTypeId, SLOT)
    expect(await usedOf(key)).toBe(1)
    await vi.waitFor(async () => expect(await emailsOf(organization.id)).toBe(1), SETTLED)
    await sweep(env, later(29))
    expect((await truthOf(id)).booking).toBe('pending_payment')
    await Promise.all([sweep(env, later(31)), sweep(env, later(31))])
    expect(await truthOf(id)).toMatchObject({ booking: 'cancelled', payment: 'cancelled', holds: 0 })
    expect(await isOpen(eventTypeId)).toBe(true)
    expect(await usedOf(key)).toBe(0)
    await vi.waitFor(async () => expect((await truthOf(id)).intent).toBe('canceled'), SETTLED)
    expect(await eventsOf(key, id)).toEqual(['booking.created', 'booking.cancelled'])
    await vi.waitFor(async () => expect(await emailsOf(organization.id)).toBe(2), SETTLED)
    const { body } = await call('GET', '/v1/usage/summary?period=7d', { key })
    expect(body.bookings).toEqual({
      total: 1,
      confirmed: 0,
      cancelled: 1,
      pending_approval: 0,
      pending_payment: 0,
    })
  })

  it('releases all of it when it is cancelled, once', async () => {
    const { eventTypeId, key } = await createPaid()
    const { id, token } = await bookPaid(eventTypeId, SLOT)
    const answers = await Promise.all(
      Array.from({ length: 5 }, () => call('POST', `/v1/bookings/${id}/cancel?token=${token}`, { body: {} })),
    )
    for (const { status, body } of answers) {
      expect([status, body.status, body.payment.status]).toEqual([200, 'cancelled', 'cancelled'])
    }
    expect(await usedOf(key)).toBe(0)
    await vi.waitFor(async () => expect((await truthOf(id)).intent).toBe('canceled'), SETTLED)
    expect(await truthOf(id)).toMatchObject({ payment: 'cancelled', holds: 0, refunded: 0 })
  })

  it('keeps its place in the plan once it was paid, cancelled or not', async () => {
    const { eventTypeId, key } = await createPaid()
    const { id, intentId } = await bookPaid(eventTypeId, SLOT)
    await pay(intentId)
    await call('POST', `/v1/bookings/${id}/cancel`, { key, body: {} })
    expect(await usedOf(key)).toBe(1)
    expect(await truthOf(id)).toMatchObject({ booking: 'cancelled', payment: 'succeeded', refunded: 0 })
  })

  it('uses the plan no more than by one, however often it is tried for nothing', async () => {
    const { eventTypeId, key } = await createPaid({}, { tier: 'free' })
    for (let tried = 0; tried < 12; tried++) {
      const { id } = await bookPaid(eventTypeId, SLOT)
      const { status } = await call('POST', `/v1/bookings/${id}/cancel`, {
        key: env.SERVICE_KEY,
        headers: { 'X-Org-Id': await getOrg(id) },
        body: {},
      })
      expect(status).toBe(200)
    }
    expect(await usedOf(key)).toBe(0)
  })

  it('passes its place in the plan on with its time', async () => {
    const { eventTypeId, key } = await createPaid({ waitlist_enabled: true }, { tier: 'free' })
    const free = await createEventType(key)
    for (let at = 0; at < 9; at++) expect((await book(free.id, SLOT + at * HOUR_MS)).status).toBe(201)
    const { id, token } = await bookPaid(eventTypeId, SLOT)
    expect((await book(free.id, SLOT + 9 * HOUR_MS)).body.error.code).toBe('plan_limit_exceeded')
    const waiting = await call('POST', '/v1/waitlist', { body: bookingInput(eventTypeId, SLOT) })
    await call('POST', `/v1/bookings/${id}/cancel?token=${token}`, { body: {} })
    const entry = env.DB.prepare(
      'SELECT status, promoted_booking_id AS id FROM waitlist_entries WHERE id = ?',
    )
    const promoted = await entry.bind(waiting.body.id).first<{ status: string; id: string }>()
    expect(promoted?.status).toBe('promoted')
    expect(await usedOf(key)).toBe(10)
    expect((await book(free.id, SLOT + 9 * HOUR_MS)).body.error.code).toBe('plan_limit_exceeded')
  })

  it('may be cancelled while the provider is still asked for its intent', async () => {
    const { eventTypeId, accountId, key } = await createPaid()
    await troubleProvider({
      step: 'POST payment_intents',
      about: accountId,
      does: 'answers',
      times: 1,
      delayMs: 1_500,
    })
    const sent = book(eventTypeId, SLOT)
    const first = await vi.waitFor(async () => {
      const [found] = (await call('GET', '/v1/bookings', { key })).body.data
      expect(found).toBeDefined()
      return found
    }, SETTLED)
    await call('POST', `/v1/bookings/${first.id}/cancel`, { key, body: {} })
    const { status, body } = await sent
    expect([status, body.error.code]).toEqual([409, 'conflict'])
    await vi.waitFor(async () => expect((await truthOf(first.id)).intent).toBe('canceled'), SETTLED)
    expect(await truthOf(first.id)).toMatchObject({ booking: 'cancelled', payment: 'cancelled', holds: 0 })
  })

  it('is cancelled at the provider as soon as that answers again', async () => {
    const { eventTypeId, accountId } = await createPaid()
    const { id, intentId } = await bookPaid(eventTypeId, SLOT)
    await troubleProvider({ step: 'POST payment_intents/cancel', about: accountId, does: 'fails', times: 2 })
    await sweep(env, later(31))
    await vi.waitFor(async () => expect((await providerCalls(intentId)).length).toBeGreaterThan(2), SETTLED)
    expect(await truthOf(id)).toMatchObject({ payment: 'cancelled', intent: 'requires_payment_method' })
    await makeDue(id)
    await sweep(env, Date.now())
    await vi.waitFor(async () => expect((await truthOf(id)).intent).toBe('canceled'), SETTLED)
  })

  it('is given up when its intent is cancelled at the provider', async () => {
    const { eventTypeId } = await createPaid()
    const { id, intentId } = await bookPaid(eventTypeId, SLOT)
    await cancelAtProvider(intentId)
    await hearOf(intentId)
    expect(await truthOf(id)).toMatchObject({ booking: 'cancelled', payment: 'cancelled', holds: 0 })
  })
})

async function getOrg(bookingId: string): Promise<string> {
  const query = env.DB.prepare('SELECT organization_id FROM bookings WHERE id = ?').bind(bookingId)
  return (await query.first<string>('organization_id'))!
}

describe('a provider that fails while a booking is made', () => {
  it.each(['refuses', 'fails', 'fails after', 'drops'] as const)(
    'leaves nothing held and lets the same request be sent again: it %s',
    async (does) => {
      const { eventTypeId, accountId, key } = await createPaid()
      await troubleProvider({
        step: 'POST payment_intents',
        about: accountId,
        does,
        times: does === 'refuses' ? 1 : 2,
      })
      const send = () =>
        call('POST', '/v1/bookings', {
          headers: { 'Idempotency-Key': accountId },
          body: bookingInput(eventTypeId, SLOT),
        })
      const failed = await send()
      expect([failed.status, failed.body.error.code]).toEqual([502, 'bad_gateway'])
      expect(await isOpen(eventTypeId)).toBe(true)
      expect(await usedOf(key)).toBe(0)
      const [left] = (await call('GET', '/v1/bookings', { key })).body.data
      expect(left).toMatchObject({ status: 'cancelled', payment: { status: 'cancelled' } })

      const again = await send()
      expect([again.status, again.body.status]).toEqual([201, 'pending_payment'])
      expect(again.headers.has('Idempotent-Replayed')).toBe(false)
      expect(again.body.id).not.toBe(left.id)
      // What was made all the same, or is made when it is asked for once more, can be paid by nobody.
      await vi.waitFor(async () => expect(await dueOf(left.id)).toBeNull(), SETTLED)
      const intents = (await providerObjects(left.id)).filter(({ object }) => object === 'payment_intent')
      expect(intents.map(({ status }) => status)).toEqual(['canceled'])
    },
  )

  it('causes a 502 if it never answers, and stalls no other request in the meantime', async () => {
    const { eventTypeId, accountId, key } = await createPaid()
    await troubleProvider({ step: 'POST payment_intents', about: accountId, does: 'hangs', times: 2 })
    const patience = patienceOf(6_000)
    const slow = book(eventTypeId, SLOT)
    await vi.waitFor(async () => expect(await isOpen(eventTypeId)).toBe(false), SETTLED)
    expect((await book(eventTypeId, SLOT)).status).toBe(409)
    const changed = await call('PATCH', `/v1/event-types/${eventTypeId}`, { key, body: { title: 'Later' } })
    expect(changed.status).toBe(200)
    patience.lose()
    const { status, body } = await slow
    expect([status, body.error.code]).toEqual([502, 'bad_gateway'])
    expect(await isOpen(eventTypeId)).toBe(true)
  })
})

describe('the same Idempotency-Key', () => {
  it('returns the pending booking and its client secret again, and never conflicts with itself', async () => {
    const { eventTypeId, key } = await createPaid()
    for (const headers of [
      { 'Idempotency-Key': 'checkout' },
      { 'Idempotency-Key': 'checkout', Authorization: `Bearer ${key}` },
    ]) {
      const start = 'Authorization' in headers ? SLOT + HOUR_MS : SLOT
      const send = () => call('POST', '/v1/bookings', { headers, body: bookingInput(eventTypeId, start) })
      const first = await send()
      const again = await send()
      expect([first.status, again.status]).toEqual([201, 201])
      expect(again.body).toEqual(first.body)
      expect(again.body.payment.client_secret).toMatch(/^pi_.+_secret_/)
      expect(again.headers.get('Idempotent-Replayed')).toBe('true')
      expect((await providerCalls(first.body.id)).length).toBe(1)
    }
    const { results } = await env.DB.prepare('SELECT answer FROM idempotency_keys').all()
    expect(JSON.stringify(results)).not.toContain('_secret_')
  })

  it('is a conflict while the provider is asked, and gives the same booking afterwards', async () => {
    const { eventTypeId, accountId } = await createPaid()
    const trouble = {
      step: 'POST payment_intents',
      about: accountId,
      does: 'answers',
      times: 1,
      delayMs: 1_500,
    } as const
    await troubleProvider(trouble)
    const send = () =>
      call('POST', '/v1/bookings', {
        headers: { 'Idempotency-Key': accountId },
        body: bookingInput(eventTypeId, SLOT),
      })
    const sent = send()
    await vi.waitFor(async () => expect(await isOpen(eventTypeId)).toBe(false), SETTLED)
    const during = await send()
    expect([during.status, during.body.error.code]).toEqual([409, 'conflict'])
    const first = await sent
    expect(first.status).toBe(201)
    expect((await send()).body).toEqual(first.body)
  })

  it('continues after a killed process', async () => {
    const { eventTypeId, accountId } = await createPaid()
    const headers = { 'Idempotency-Key': accountId }
    const send = () => call('POST', '/v1/bookings', { headers, body: bookingInput(eventTypeId, SLOT) })
    const first = await send()
    // As if the process had died after the time was held, with and without the intent made.
    await unmake(first.body.id)
    expect((await send()).body.error.code).toBe('conflict')
    await makeDue(first.body.id)
    const again = await send()
    expect([again.status, again.body]).toEqual([201, first.body])
    expect(again.headers.get('Idempotent-Replayed')).toBe('true')
    expect((await send()).body).toEqual(first.body)
  })
})

async function dueOf(bookingId: string): Promise<number | null> {
  const query = env.DB.prepare('SELECT next_attempt_at FROM payments WHERE booking_id = ?').bind(bookingId)
  return query.first<number | null>('next_attempt_at')
}

/** Lets time pass until the provider is asked again. */
async function makeDue(bookingId: string): Promise<void> {
  await env.DB.prepare('UPDATE payments SET next_attempt_at = 1 WHERE booking_id = ?').bind(bookingId).run()
}

/** Takes back what was written after the provider had made the intent. */
async function unmake(bookingId: string): Promise<void> {
  const row = await env.DB.prepare('SELECT * FROM payments WHERE booking_id = ?').bind(bookingId).first<any>()
  const { results } = await env.DB.prepare('SELECT scope, key, answer FROM idempotency_keys WHERE key = ?')
    .bind(row.provider_account_id)
    .all<any>()
  const { seal, unseal } = await import('../../src/platform/auth/secret.ts')
  for (const { scope, key, answer } of results) {
    const body = JSON.parse(await unseal(env.ENCRYPTION_KEY, answer))
    delete body.payment.client_secret
    await env.DB.prepare('UPDATE idempotency_keys SET answer = ? WHERE scope = ? AND key = ?')
      .bind(await seal(env.ENCRYPTION_KEY, JSON.stringify(body)), scope, key)
      .run()
    await env.DB.prepare('UPDATE payments SET kept_scope = ?, kept_key = ? WHERE id = ?')
      .bind(scope, key, row.id)
      .run()
  }
  await env.DB.prepare('UPDATE payments SET intent_id = NULL, next_attempt_at = ? WHERE id = ?')
    .bind(Date.now() + 30_000, row.id)
    .run()
}

describe('a process that dies', () => {
  it('between the hold and the intent leaves a booking that can be paid a minute later', async () => {
    const { eventTypeId } = await createPaid()
    const { id, intentId, token } = await bookPaid(eventTypeId, SLOT)
    await unmake(id)
    await makeDue(id)
    await sweep(env, Date.now())
    await vi.waitFor(async () => expect((await truthOf(id)).intent).toBe('requires_payment_method'), SETTLED)
    const { status, body } = await call('GET', `/v1/bookings/${id}/payment?token=${token}`)
    expect([status, body.client_secret]).toEqual([200, (await providerObject(intentId)).client_secret])
    const made = (await providerObjects(id)).filter(({ object }) => object === 'payment_intent')
    expect(made).toHaveLength(1)
    await pay(intentId)
    expect((await truthOf(id)).booking).toBe('confirmed')
  })

  it('between the payment and our knowledge of its intent confirms all the same', async () => {
    const { eventTypeId } = await createPaid()
    const { id, intentId } = await bookPaid(eventTypeId, SLOT)
    await unmake(id)
    await pay(intentId)
    expect(await truthOf(id)).toMatchObject({
      booking: 'confirmed',
      payment: 'succeeded',
      intent: 'succeeded',
    })
  })

  it('between giving up a booking and telling the provider leaves no intent that can be paid', async () => {
    const { eventTypeId, key } = await createPaid()
    const { id } = await bookPaid(eventTypeId, SLOT)
    await unmake(id)
    await call('POST', `/v1/bookings/${id}/cancel`, { key, body: {} })
    await vi.waitFor(async () => expect((await truthOf(id)).intent).toBe('canceled'), SETTLED)
  })
})

describe('a session for money', () => {
  it('is paid seat by seat, and loses only the unpaid seats', async () => {
    const { eventTypeId, key } = await createPaid({ max_attendees: 3 })
    const guest = (name: string) => ({ invitee_email: `${name}@example.com` })
    const [first, second] = [
      await bookPaid(eventTypeId, SLOT, guest('a')),
      await bookPaid(eventTypeId, SLOT, guest('b')),
    ]
    await pay(first.intentId)
    const taken = () =>
      env.DB.prepare('SELECT seats_taken FROM sessions WHERE event_type_id = ?')
        .bind(eventTypeId)
        .first('seats_taken')
    expect(await taken()).toBe(2)
    await sweep(env, later(31))
    expect(await taken()).toBe(1)
    expect(await truthOf(first.id)).toMatchObject({ booking: 'confirmed', holds: 1 })
    expect((await truthOf(second.id)).booking).toBe('cancelled')
    expect(await usedOf(key)).toBe(1)
  })
})

describe('a hold for money', () => {
  async function confirmHold(eventTypeId: string) {
    const input = { event_type_id: eventTypeId, start_time: iso(SLOT) }
    const { body: hold } = await call('POST', '/v1/holds', { body: input })
    const body = { invitee_name: 'Ada', invitee_email: 'ada@example.com' }
    const confirm = () => call('POST', `/v1/holds/${hold.id}/confirm?token=${hold.token}`, { body })
    const { body: booking } = await confirm()
    return { confirm, booking, intentId: booking.payment.client_secret.split('_secret_')[0] }
  }

  it('is the same booking when it is confirmed again, paid or cancelled, and asks for no other payment', async () => {
    const { eventTypeId, key } = await createPaid()
    const { confirm, booking, intentId } = await confirmHold(eventTypeId)
    await pay(intentId)
    const paid = await confirm()
    expect([paid.status, paid.body.id, paid.body.status, paid.body.payment.status]).toEqual([
      200,
      booking.id,
      'confirmed',
      'succeeded',
    ])
    await call('POST', `/v1/bookings/${booking.id}/cancel`, { key })
    expect([(await confirm()).status, (await confirm()).body.status]).toEqual([200, 'cancelled'])
    const made = (await providerCalls(booking.id)).filter(({ step }) => step === 'POST payment_intents')
    expect(made.length).toBe(1)
  })

  it('stays booked when the provider fails as it is confirmed again', async () => {
    const { eventTypeId, accountId } = await createPaid()
    const { confirm, booking, intentId } = await confirmHold(eventTypeId)
    await troubleProvider({ step: 'POST payment_intents', about: accountId, does: 'fails' })
    expect((await confirm()).status).toBe(502)
    await calmProvider(accountId)
    expect(await truthOf(booking.id)).toMatchObject({ booking: 'pending_payment', holds: 1 })
    await pay(intentId)
    expect((await truthOf(booking.id)).booking).toBe('confirmed')
  })
})

describe('a waitlist for money', () => {
  it('is promoted to a booking that waits for its payment, and goes on with the next if it is not paid', async () => {
    const { eventTypeId, organization } = await createPaid({ waitlist_enabled: true })
    const first = await bookPaid(eventTypeId, SLOT)
    const wait = (email: string) =>
      call('POST', '/v1/waitlist', { body: bookingInput(eventTypeId, SLOT, { invitee_email: email }) })
    await wait('second@example.com')
    await wait('third@example.com')
    const bookingOf = (email: string) =>
      env.DB.prepare(
        "SELECT id FROM bookings WHERE event_type_id = ? AND invitee_email = ? AND status <> 'cancelled'",
      )
        .bind(eventTypeId, email)
        .first<string>('id')
    await sweep(env, later(31))
    const second = (await bookingOf('second@example.com'))!
    await vi.waitFor(
      async () => expect((await truthOf(second)).intent).toBe('requires_payment_method'),
      SETTLED,
    )
    expect(await truthOf(second)).toMatchObject({ booking: 'pending_payment', payment: 'pending', holds: 1 })
    expect(await isOpen(eventTypeId)).toBe(false)
    await sweep(env, later(31 + 12 * 60 - 1))
    expect((await truthOf(second)).booking).toBe('pending_payment')
    await sweep(env, later(31 + 12 * 60 + 1))
    const third = (await bookingOf('third@example.com'))!
    expect((await truthOf(second)).booking).toBe('cancelled')
    await vi.waitFor(
      async () => expect((await truthOf(third)).intent).toBe('requires_payment_method'),
      SETTLED,
    )
    const { results } = await env.DB.prepare('SELECT id FROM payments WHERE organization_id = ?')
      .bind(organization.id)
      .all()
    expect(results).toHaveLength(3)
    expect((await truthOf(first.id)).payment).toBe('cancelled')
    const intent = await env.DB.prepare('SELECT intent_id FROM payments WHERE booking_id = ?')
      .bind(third)
      .first<string>('intent_id')
    await pay(intent!)
    expect(await truthOf(third)).toMatchObject({ booking: 'confirmed', holds: 1 })
  })
})

describe('the sweep', () => {
  it('finds what is due by indexes, so that history costs nothing', async () => {
    const [db, now] = [openDb(env, 'decide'), realNow()]
    const queries = [
      selectDuePayments(db, now),
      selectExpiredPayments(db, now),
      selectDueRefunds(db, now),
    ].map((query) => query.toSQL())
    const forgets = cancelUnpaid(db, 'x', null, now).map((statement) => (statement as any).toSQL())
    for (const { sql, params } of [...queries, ...forgets]) {
      const plan = await env.DB.prepare(`EXPLAIN QUERY PLAN ${sql}`)
        .bind(...params)
        .all<{ detail: string }>()
      expect(plan.results.map(({ detail }) => detail).filter((detail) => detail.startsWith('SCAN'))).toEqual(
        [],
      )
    }
  })
})
