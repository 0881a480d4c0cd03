import { env } from 'cloudflare:workers'
import { describe, expect, it, vi } from 'vitest'
import { settleRefund } from '../../src/money/payments/refunds/settle-refund.ts'
import { realNow } from '../../src/platform/limits/clock.ts'
import { sweep } from '../../src/worker/jobs/sweep.ts'
import { call } from '../support/app.ts'
import { book, createEventType, createOrganization, dayFromNow } from '../support/factories.ts'
import { emailsOf } from '../support/lost-calendars.ts'
import { bookPaid, connectAccount, createPaid, pay, truthOf, tryRefundUntil } from '../support/payments.ts'
import {
  askProvider,
  calmProvider,
  controlProvider,
  deliverEvents,
  providerCalls,
  providerObjects,
  tellService,
  troubleProvider,
} from '../support/provider-calls.ts'

const HOUR_MS = 3_600_000
const SLOT = dayFromNow(3) + 10 * HOUR_MS
const SETTLED = { timeout: 20_000, interval: 100 }

async function createPayment(input: Record<string, unknown> = {}) {
  const paid = await createPaid(input)
  const booking = await bookPaid(paid.eventTypeId, SLOT)
  await pay(booking.intentId)
  const refund = (body: Record<string, unknown> = {}, headers: Record<string, string> = {}) =>
    call('POST', `/v1/payments/${booking.payment.id}/refund`, { key: paid.key, body, headers })
  return { ...paid, ...booking, paymentId: booking.payment.id as string, refund }
}

async function refundsAt(intentId: string): Promise<number[]> {
  const refunds = (await providerObjects(intentId)).filter(({ object }) => object === 'refund')
  return refunds.filter(({ status }) => status === 'succeeded').map(({ amount }) => amount)
}

async function reservedOf(paymentId: string): Promise<number> {
  const query = env.DB.prepare('SELECT reserved_amount FROM payments WHERE id = ?').bind(paymentId)
  return (await query.first<number>('reserved_amount'))!
}

describe('a refund', () => {
  it('that waits for the balance of the account is reported to its owner, once', async () => {
    const organization = await createOrganization({ ownerEmail: 'owner@acme.example.com' })
    await connectAccount(organization)
    const { id: eventTypeId } = await createEventType(organization.liveKey, { price_amount: 5_000 })
    const { payment, intentId } = await bookPaid(eventTypeId, SLOT)
    await pay(intentId)
    await controlProvider('PUT', '', { refunds: 'waiting' })
    const { status } = await call('POST', `/v1/payments/${payment.id}/refund`, {
      key: organization.liveKey,
      body: {},
    }).finally(() => controlProvider('PUT', '', { refunds: 'succeeded' }))
    expect(status).toBe(200)
    for (const answer of await deliverEvents(intentId)) expect(answer.status).toBe(200)
    await call('POST', `/v1/payments/${payment.id}/sync`, { key: organization.liveKey })
    const waiting = (await emailsOf(organization)).filter(({ subject }) => subject.includes('waits'))
    expect(waiting).toMatchObject([
      { recipient: 'owner@acme.example.com', subject: expect.stringContaining('$50.00') },
    ])
  })

  it('returns a part, then the rest, and no more', async () => {
    const { key, refund, paymentId, intentId, id } = await createPayment()
    const part = await refund({ amount: 2_000, reason: 'Half an hour only.' })
    expect([part.status, part.body]).toEqual([
      200,
      {
        id: paymentId,
        booking_id: id,
        payment_provider_payment_intent_id: intentId,
        amount: 5_000,
        currency: 'usd',
        platform_fee: 50,
        status: 'partially_refunded',
        refund_id: expect.stringMatching(/^re_/),
        refunded_amount: 2_000,
        refund_policy: [],
        dispute: null,
        created_at: expect.any(String),
        updated_at: expect.any(String),
      },
    ])
    const tooMuch = await refund({ amount: 3_001 })
    expect([tooMuch.status, tooMuch.body.error.code]).toEqual([400, 'bad_request'])
    expect(tooMuch.body.error.details).toEqual({
      code: 'refund_too_large',
      field: 'amount',
      refundable_amount: 3_000,
    })
    expect((await refund()).body.status).toBe('refunded')
    const nothingLeft = await refund()
    expect([nothingLeft.status, nothingLeft.body.error.code]).toEqual([400, 'bad_request'])
    expect(nothingLeft.body.error.details).toEqual({
      code: 'refund_too_large',
      field: 'amount',
      refundable_amount: 0,
    })
    expect(await refundsAt(intentId)).toEqual([2_000, 3_000])
    expect(await truthOf(id)).toMatchObject({
      booking: 'confirmed',
      payment: 'refunded',
      refunded: 5_000,
      holds: 1,
    })
    const shown = await call('GET', `/v1/bookings/${id}`, { key })
    expect(shown.body.payment.status).toBe('refunded')
    const { body } = await call('GET', `/v1/activity?resource_id=${paymentId}`, { key })
    expect(body.data.map(({ action }: any) => action)).toEqual([
      'payment.refunded',
      'payment.refund_requested',
      'payment.refunded',
      'payment.refund_requested',
      'payment.succeeded',
    ])
  })

  it('is exact under parallel requests: together never more than was paid', async () => {
    const { refund, intentId, id } = await createPayment()
    const answers = await Promise.all(Array.from({ length: 12 }, () => refund({ amount: 900 })))
    const made = answers.filter(({ status }) => status === 200)
    expect(made).toHaveLength(5)
    for (const { status } of answers) expect([200, 400]).toContain(status)
    expect(await refundsAt(intentId)).toEqual([900, 900, 900, 900, 900])
    expect(await truthOf(id)).toMatchObject({ payment: 'partially_refunded', refunded: 4_500 })
  })

  it('is refused for an unpaid booking, for a zero amount and in steps that the currency does not have', async () => {
    const { eventTypeId, key } = await createPaid()
    const { payment } = await bookPaid(eventTypeId, SLOT)
    const early = await call('POST', `/v1/payments/${payment.id}/refund`, { key, body: {} })
    expect([early.status, early.body.error.code]).toEqual([400, 'bad_request'])
    const { refund } = await createPayment({ price_amount: 5_120, price_currency: 'kwd' })
    expect((await refund({ amount: 0 })).body.error.code).toBe('validation_error')
    expect((await refund({ amount: 15 })).body.error.code).toBe('bad_request')
    expect((await refund({ amount: 20 })).body.status).toBe('partially_refunded')
  })

  it.each(['refuses', 'fails'] as const)(
    'gives the amount back to the payment when the provider %s',
    async (does) => {
      const { refund, accountId, paymentId, id, intentId } = await createPayment()
      await troubleProvider({
        step: 'POST refunds',
        about: paymentId,
        does,
        times: does === 'refuses' ? 1 : 2,
      })
      const failed = await refund({ amount: 5_000 })
      expect([failed.status, failed.body.error.code]).toEqual([502, 'bad_gateway'])
      expect(await reservedOf(paymentId)).toBe(0)
      expect(await truthOf(id)).toMatchObject({ payment: 'succeeded', refunded: 0 })
      expect((await refund()).body.status).toBe('refunded')
      expect(await refundsAt(intentId)).toEqual([5_000])
      expect(accountId).toBeTruthy()
    },
  )

  it('of which the provider reports only that it was made is looked up, and again if that fails', async () => {
    const { intentId, accountId: account } = await createPayment()
    await troubleProvider({ step: 'GET refunds', about: intentId, does: 'fails', times: 2 })
    const charge = { id: 'ch_1', object: 'charge', payment_intent: intentId }
    const { status, body } = await tellService('charge.refunded', charge, { account })
    expect([status, body.error?.code]).toEqual([502, 'bad_gateway'])
    expect((await tellService('charge.refunded', charge, { account })).status).toBe(200)
  })

  it('that the provider made before it failed is made once, and known', async () => {
    const { refund, paymentId, id, intentId } = await createPayment()
    await troubleProvider({ step: 'POST refunds', about: paymentId, does: 'fails after', times: 2 })
    const headers = { 'Idempotency-Key': 'a refund that failed late' }
    const answer = await refund({ amount: 2_000 }, headers)
    expect([answer.status, answer.body.status]).toEqual([200, 'partially_refunded'])
    expect((await refund({ amount: 2_000 }, headers)).status).toBe(200)
    expect(await refundsAt(intentId)).toEqual([2_000])
    expect(await truthOf(id)).toMatchObject({ payment: 'partially_refunded', refunded: 2_000 })
  })

  it('that the provider made without an answer is made once, whatever retries it', async () => {
    for (const again of ['sweep', 'key', 'other'] as const) {
      const { refund, paymentId, id, intentId } = await createPayment()
      await troubleProvider({ step: 'POST refunds', about: paymentId, does: 'drops', times: 2 })
      const key = { 'Idempotency-Key': paymentId }
      expect((await refund({ amount: 3_000 }, key)).status).toBe(502)
      expect(await reservedOf(paymentId)).toBe(3_000)
      if (again === 'sweep') await sweep(env, Date.now())
      if (again === 'key') expect((await refund({ amount: 3_000 }, key)).status).toBe(200)
      if (again === 'other') expect((await refund({ amount: 3_000 })).status).toBe(400)
      await vi.waitFor(async () => expect((await truthOf(id)).refunded).toBe(3_000), SETTLED)
      expect(await reservedOf(paymentId)).toBe(0)
      expect(await refundsAt(intentId)).toEqual([3_000])
      const replay = await refund({ amount: 3_000 }, key)
      expect([replay.status, replay.body.status]).toEqual([200, 'partially_refunded'])
      expect(await refundsAt(intentId)).toEqual([3_000])
    }
  })

  it('that was made long before the service knew is not made again under another key', async () => {
    const { refund, paymentId, id, intentId, accountId } = await createPayment()
    await troubleProvider(
      { step: 'POST refunds', about: paymentId, does: 'drops' },
      { step: 'GET refunds', about: accountId, does: 'fails' },
    )
    expect((await refund({ amount: 2_000 })).status).toBe(502)
    const attempts = env.DB.prepare('SELECT attempts FROM refunds WHERE payment_id = ?').bind(paymentId)
    await tryRefundUntil(paymentId, async () =>
      expect(await attempts.first('attempts')).toBeGreaterThanOrEqual(3),
    )
    await calmProvider(paymentId)
    await calmProvider(accountId)
    await tryRefundUntil(paymentId, async () => expect((await truthOf(id)).refunded).toBe(2_000))
    expect(await refundsAt(intentId)).toEqual([2_000])
  })

  it('of which an earlier call still runs at the provider stays reserved until its end is known', async () => {
    const { refund, paymentId, id, intentId } = await createPayment()
    await troubleProvider({ step: 'POST refunds', about: paymentId, does: 'is busy', times: 2 })
    expect((await refund({ amount: 2_000 })).status).toBe(502)
    expect(await reservedOf(paymentId)).toBe(2_000)
    await sweep(env, Date.now())
    await vi.waitFor(async () => expect((await truthOf(id)).refunded).toBe(2_000), SETTLED)
    expect(await refundsAt(intentId)).toEqual([2_000])
  })

  it('that the sweep had made under another key is not made again when it is retried', async () => {
    const { refund, paymentId, id, intentId } = await createPayment()
    const again = () => refund({ amount: 2_000 }, { 'Idempotency-Key': paymentId })
    await troubleProvider(
      { step: 'POST refunds', about: paymentId, does: 'fails', times: 2 },
      { step: 'GET refunds', about: intentId, does: 'fails', times: 4 },
    )
    expect((await again()).status).toBe(502)
    const row = await env.DB.prepare('SELECT id FROM refunds WHERE payment_id = ?')
      .bind(paymentId)
      .first<any>()
    const makeDue = () =>
      env.DB.prepare('UPDATE refunds SET next_attempt_at = 1 WHERE id = ?').bind(row.id).run()
    await settleRefund(env, row.id, realNow())
    await troubleProvider({ step: 'POST refunds', about: paymentId, does: 'drops', times: 2 })
    await makeDue()
    await settleRefund(env, row.id, realNow())
    expect([await refundsAt(intentId), await reservedOf(paymentId)]).toEqual([[2_000], 2_000])
    await makeDue()
    expect((await again()).body.refunded_amount).toBe(2_000)
    expect(await refundsAt(intentId)).toEqual([2_000])
    expect(await truthOf(id)).toMatchObject({ payment: 'partially_refunded', refunded: 2_000 })
  })

  it('that was nevertheless made twice at the provider counts twice', async () => {
    const { refund, paymentId, id, intentId, key, accountId } = await createPayment()
    await troubleProvider(
      { step: 'POST refunds', about: paymentId, does: 'fails', times: 2 },
      { step: 'GET refunds', about: intentId, does: 'fails', times: 2 },
    )
    expect((await refund({ amount: 2_000 })).status).toBe(502)
    const row = await env.DB.prepare('SELECT id FROM refunds WHERE payment_id = ?')
      .bind(paymentId)
      .first<any>()
    const form = { payment_intent: intentId, amount: '2000', 'metadata[refund_id]': row.id }
    for (const _ of [1, 2]) await askProvider('POST', 'refunds', form, accountId)
    const { status, body } = await call('POST', `/v1/payments/${paymentId}/sync`, { key })
    expect([status, body.refunded_amount]).toEqual([200, 4_000])
    expect(await reservedOf(paymentId)).toBe(0)
    expect(await truthOf(id)).toMatchObject({ payment: 'partially_refunded', refunded: 4_000 })
  })

  it('that a killed process left behind is requested by the sweep', async () => {
    const { refund, paymentId, id, intentId } = await createPayment()
    await refund({ amount: 1_000 })
    await env.DB.batch([
      env.DB.prepare(
        "UPDATE refunds SET status = 'requested', provider_refund_id = NULL, next_attempt_at = 1 WHERE payment_id = ?",
      ).bind(paymentId),
      env.DB.prepare(
        "UPDATE payments SET status = 'succeeded', refunded_amount = 0, reserved_amount = 1000 WHERE id = ?",
      ).bind(paymentId),
    ])
    await sweep(env, Date.now())
    await vi.waitFor(async () => expect((await truthOf(id)).refunded).toBe(1_000), SETTLED)
    expect(await refundsAt(intentId)).toEqual([1_000])
    expect(await truthOf(id)).toMatchObject({ payment: 'partially_refunded' })
  })

  it('for a repeated Idempotency-Key is one refund and one answer', async () => {
    const { refund, intentId } = await createPayment()
    const headers = { 'Idempotency-Key': 'once' }
    const answers = await Promise.all(Array.from({ length: 6 }, () => refund({ amount: 1_000 }, headers)))
    for (const { status } of answers) expect([200, 409]).toContain(status)
    const [first, again] = [
      await refund({ amount: 1_000 }, headers),
      await refund({ amount: 1_000 }, headers),
    ]
    expect([first.status, again.body]).toEqual([200, first.body])
    expect(again.headers.get('Idempotent-Replayed')).toBe('true')
    expect(await refundsAt(intentId)).toEqual([1_000])
  })

  it('for one Idempotency-Key is one, whatever else is requested with it', async () => {
    const { refund, intentId } = await createPayment()
    const headers = { 'Idempotency-Key': 'once' }
    const answers = await Promise.all([1, 2, 3, 4].map((at) => refund({ amount: at * 100 }, headers)))
    for (const { status } of answers) expect([200, 409]).toContain(status)
    expect(answers.filter(({ status }) => status === 200).length).toBeLessThanOrEqual(1)
    expect(await refundsAt(intentId)).toHaveLength(1)
  })

  it('for one Idempotency-Key is a new one after a day', async () => {
    const { refund, intentId, paymentId } = await createPayment()
    const asked = () => refund({ amount: 1_000 }, { 'Idempotency-Key': `daily ${paymentId}` })
    expect((await asked()).status).toBe(200)
    await env.DB.batch([
      env.DB.prepare('UPDATE refunds SET created_at = created_at - 86400000 WHERE payment_id = ?').bind(
        paymentId,
      ),
      env.DB.prepare('UPDATE idempotency_keys SET expires_at = 1 WHERE key = ?').bind(`daily ${paymentId}`),
    ])
    expect((await asked()).body.refunded_amount).toBe(2_000)
    expect(await refundsAt(intentId)).toEqual([1_000, 1_000])
  })

  it('in a sandbox is one for one Idempotency-Key, with one answer, however often it is sent', async () => {
    const { testKey } = await createOrganization()
    const { id } = await createEventType(testKey, { price_amount: 5_000 })
    const { body: booking } = await book(id, SLOT)
    const path = `/v1/payments/${booking.payment.id}`
    await call('POST', `/v1/test-data/payments/${booking.payment.id}/succeed`, { key: testKey })
    const refund = (key: string, body: Record<string, unknown>) =>
      call('POST', `${path}/refund`, { key: testKey, headers: { 'Idempotency-Key': key }, body })
    const answers = await Promise.all(Array.from({ length: 5 }, () => refund('five', { amount: 1_000 })))
    for (const { status } of answers) expect([200, 409]).toContain(status)
    const first = answers.find(({ status }) => status === 200)!
    expect((await truthOf(booking.id)).refunded).toBe(1_000)
    await env.DB.prepare(
      "CREATE TRIGGER broken BEFORE INSERT ON idempotency_keys WHEN NEW.key = 'lost' BEGIN SELECT RAISE(ABORT, 'broken'); END",
    ).run()
    try {
      expect((await refund('lost', {})).status).toBe(500)
    } finally {
      await env.DB.prepare('DROP TRIGGER broken').run()
    }
    expect((await truthOf(booking.id)).refunded).toBe(1_000)
    const rest = await refund('lost', {})
    expect([rest.status, rest.body.status]).toEqual([200, 'refunded'])
    const again = await refund('five', { amount: 1_000 })
    expect([again.body, again.headers.get('Idempotent-Replayed')]).toEqual([first.body, 'true'])
    expect(again.body.status).toBe('partially_refunded')
  })

  it('made at the provider itself is recorded, once, and reverted if it fails there', async () => {
    const { refund, intentId, id, accountId } = await createPayment()
    await refund({ amount: 1_000 })
    const form = { payment_intent: intentId, amount: '1500', refund_application_fee: 'true' }
    const { id: external } = await askProvider('POST', 'refunds', form, accountId)
    const tell = async () => {
      for (const { status } of await deliverEvents(intentId)) expect(status).toBe(200)
    }
    await Promise.all([tell(), tell(), tell()])
    expect(await truthOf(id)).toMatchObject({ payment: 'partially_refunded', refunded: 2_500 })
    expect((await refund({ amount: 2_501 })).status).toBe(400)
    await controlProvider('POST', `/refunds/${external}/settle`, { how: 'failed' })
    await Promise.all([tell(), tell()])
    expect(await truthOf(id)).toMatchObject({ payment: 'partially_refunded', refunded: 1_000 })
  })

  it('in another account changes nothing, whatever it says', async () => {
    const { intentId, id, accountId } = await createPayment()
    const { accountId: outsider } = await createPaid()
    await askProvider('POST', 'refunds', { payment_intent: intentId }, accountId)
    const charge = { id: `ch_${intentId}`, object: 'charge', payment_intent: intentId }
    const before = await providerCalls(intentId)
    expect((await tellService('charge.refunded', charge, { account: outsider })).status).toBe(200)
    expect((await tellService('charge.refunded', charge)).status).toBe(200)
    expect(await truthOf(id)).toMatchObject({ payment: 'succeeded', refunded: 0 })
    expect(await providerCalls(intentId)).toEqual(before)
  })

  it('is reported again by the provider while it is being requested, and counts once', async () => {
    const { refund, intentId, id, paymentId, accountId: account } = await createPayment()
    const late = { does: 'answers', answerDelayMs: 500, times: 1 } as const
    await troubleProvider({ step: 'POST refunds', about: paymentId, ...late })
    const asked = refund({ amount: 2_000 })
    const charge = { id: `ch_${intentId}`, object: 'charge', payment_intent: intentId }
    await vi.waitFor(async () => expect(await refundsAt(intentId)).toEqual([2_000]), {
      timeout: 5_000,
      interval: 20,
    })
    await tellService('charge.refunded', charge, { account })
    expect((await asked).status).toBe(200)
    await tellService('charge.refunded', charge, { account })
    expect(await truthOf(id)).toMatchObject({ payment: 'partially_refunded', refunded: 2_000 })
    expect(await reservedOf(paymentId)).toBe(0)
  })

  it('of a payment that came too late is retried until the provider makes it', async () => {
    const { eventTypeId, key } = await createPaid()
    const { id, intentId, payment } = await bookPaid(eventTypeId, SLOT)
    await troubleProvider({ step: 'POST payment_intents/cancel', about: intentId, does: 'fails' })
    await call('POST', `/v1/bookings/${id}/cancel`, { key, body: {} })
    await troubleProvider({ step: 'POST refunds', about: payment.id, does: 'refuses', times: 1 })
    await pay(intentId)
    const asked = async () =>
      (await providerCalls(payment.id)).filter(({ step }) => step === 'POST refunds').length
    await vi.waitFor(async () => expect(await asked()).toBe(1), SETTLED)
    for (let tries = 0; tries < 3 && (await refundsAt(intentId)).length === 0; tries++) {
      const before = await asked()
      await env.DB.prepare('UPDATE refunds SET next_attempt_at = 1 WHERE payment_id = ?')
        .bind(payment.id)
        .run()
      await sweep(env, Date.now())
      await vi.waitFor(async () => expect(await asked()).toBeGreaterThan(before), SETTLED)
    }
    await vi.waitFor(async () => expect((await truthOf(id)).payment).toBe('refunded'), SETTLED)
    expect(await refundsAt(intentId)).toEqual([5_000])
  })
})

describe('the payments of an organization', () => {
  it('are listed newest first, by status and page, and added up by currency', async () => {
    const { eventTypeId, key, organization } = await createPaid()
    const yen = await createEventType(key, { price_amount: 3_000, price_currency: 'jpy' })
    const made = []
    for (const [at, id] of [eventTypeId, eventTypeId, eventTypeId, yen.id].entries()) {
      made.push(await bookPaid(id, SLOT + at * HOUR_MS))
    }
    for (const { intentId } of [made[0]!, made[1]!, made[3]!]) await pay(intentId)
    const refunded = await call('POST', `/v1/payments/${made[0]!.payment.id}/refund`, {
      key,
      body: { amount: 1_000 },
    })
    expect(refunded.status).toBe(200)
    const ids = made.map(({ payment }) => payment.id).reverse()
    const all = await call('GET', '/v1/payments', { key })
    expect(all.body).toMatchObject({ has_more: false })
    expect(all.body.data.map(({ id }: any) => id)).toEqual(ids)
    const page = await call('GET', `/v1/payments?limit=2&starting_after=${ids[0]}`, { key })
    expect([page.body.data.map(({ id }: any) => id), page.body.has_more]).toEqual([ids.slice(1, 3), true])
    const succeeded = await call('GET', '/v1/payments?status=succeeded', { key })
    expect(succeeded.body.data.map(({ id }: any) => id)).toEqual([ids[0], ids[2]])
    expect((await call('GET', '/v1/payments?status=paid', { key })).status).toBe(400)
    expect((await call('GET', `/v1/payments/${ids[0]}`, { key })).body).toEqual(all.body.data[0])

    const usd = {
      total_revenue: 10_000,
      platform_fees: 90,
      total_refunded: 1_000,
      total_dispute_lost: 0,
      pending_count: 1,
      currency: 'usd',
    }
    const jpy = {
      total_revenue: 3_000,
      platform_fees: 30,
      total_refunded: 0,
      total_dispute_lost: 0,
      pending_count: 0,
      currency: 'jpy',
    }
    const { body } = await call('GET', '/v1/payments/summary', { key })
    expect(body).toEqual({ ...usd, by_currency: [usd, jpy] })
    const none = {
      total_revenue: 0,
      platform_fees: 0,
      total_refunded: 0,
      total_dispute_lost: 0,
      pending_count: 0,
      currency: 'usd',
    }
    const test = await call('GET', '/v1/payments/summary', { key: organization.testKey })
    expect(test.body).toEqual({ ...none, by_currency: [] })
  })

  it('are not visible to other organizations', async () => {
    const { paymentId, organization, token, id } = await createPayment()
    const other = await createOrganization()
    await connectAccount(other)
    for (const key of [other.liveKey, organization.testKey]) {
      expect((await call('GET', '/v1/payments', { key })).body.data).toEqual([])
      expect((await call('GET', `/v1/payments/${paymentId}`, { key })).status).toBe(404)
      expect((await call('POST', `/v1/payments/${paymentId}/refund`, { key, body: {} })).status).toBe(404)
      expect((await call('GET', `/v1/bookings/${id}/payment`, { key })).status).toBe(404)
    }
    const simulate = `/v1/test-data/payments/${paymentId}/succeed`
    expect((await call('POST', simulate, { key: organization.testKey })).status).toBe(404)
    expect((await call('POST', simulate, { key: organization.liveKey })).status).toBe(403)
    expect((await call('GET', `/v1/bookings/${id}/payment?token=nope`)).status).toBe(401)
    const paid = await call('GET', `/v1/bookings/${id}/payment?token=${token}`)
    expect(paid.body).toMatchObject({ status: 'succeeded', client_secret: null })
  })
})
