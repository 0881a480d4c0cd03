import { env } from 'cloudflare:workers'
import { describe, expect, it, vi } from 'vitest'
import { sweep } from '../../src/worker/jobs/sweep.ts'
import { call } from '../support/app.ts'
import { book, createEventType, createOrganization, dayFromNow, iso } from '../support/factories.ts'
import { bookPaid, createPaid, pay, truthOf, tryRefundUntil } from '../support/payments.ts'
import { controlProvider, providerCalls, troubleProvider } from '../support/provider-calls.ts'

const MINUTE_MS = 60_000
const HOUR_MS = 60 * MINUTE_MS
const DAY_MS = 24 * HOUR_MS
const SLOT = dayFromNow(20) + 10 * HOUR_MS
const SETTLED = { timeout: 20_000, interval: 100 }
const POLICY = [
  { until_minutes_before: 60, percent: 25 },
  { until_minutes_before: 2 * 1440, percent: 100 },
  { until_minutes_before: 1440, percent: 50 },
]

/** A sandbox, where time is what a test says. */
async function createSandbox(input: Record<string, unknown> = {}) {
  const key = (await createOrganization()).testKey
  const { id } = await createEventType(key, { price_amount: 10_000, refund_policy: POLICY, ...input })
  const setClock = (at: number) => call('PUT', '/v1/test-data/clock', { key, body: { now: iso(at) } })
  const bookIt = async (isPaid = true, start = SLOT) => {
    const { body } = await book(id, start)
    if (isPaid) await call('POST', `/v1/test-data/payments/${body.payment.id}/succeed`, { key })
    const path = `/v1/bookings/${body.id}`
    const query = `?token=${body.cancel_token}`
    return {
      id: body.id as string,
      paymentId: body.payment?.id as string,
      actions: async (as = query) => {
        const own = as === '' ? { key } : {}
        return (await call('GET', `${path}${as}`, own)).body.allowed_actions
      },
      cancel: () => call('POST', `${path}/cancel${query}`),
      cancelByKey: () => call('POST', `${path}/cancel`, { key }),
      move: (to: number) => call('POST', `${path}/reschedule${query}`, { body: { new_start_time: iso(to) } }),
      moveByKey: (to: number) =>
        call('POST', `${path}/reschedule`, { key, body: { new_start_time: iso(to) } }),
    }
  }
  return { key, eventTypeId: id as string, setClock, bookIt }
}

async function refundedOf(bookingId: string): Promise<number> {
  return (await truthOf(bookingId)).refunded
}

describe('a refund policy', () => {
  it('belongs to the event type, is empty by default, and is validated', async () => {
    const key = (await createOrganization()).liveKey
    const plain = await createEventType(key)
    expect([plain.refund_policy, plain.cancel_notice_minutes, plain.reschedule_notice_minutes]).toEqual([
      [],
      0,
      0,
    ])
    const change = (body: object) => call('PATCH', `/v1/event-types/${plain.id}`, { key, body })
    const good = { refund_policy: POLICY, cancel_notice_minutes: 60, reschedule_notice_minutes: 43_200 }
    expect((await change(good)).body).toMatchObject(good)
    expect((await call('GET', `/v1/public/event-types/${plain.id}`)).body).toMatchObject(good)
    const wrong = {
      'refund_policy.0.percent': { refund_policy: [{ until_minutes_before: 5, percent: 101 }] },
      'refund_policy.1.until_minutes_before': {
        refund_policy: [POLICY[0], { until_minutes_before: -1, percent: 5 }],
      },
      'refund_policy.0.until_minutes_before': { refund_policy: [{ percent: 5 }] },
      refund_policy: { refund_policy: [POLICY[0], { ...POLICY[0], percent: 3 }] },
      cancel_notice_minutes: { cancel_notice_minutes: 43_201 },
      reschedule_notice_minutes: { reschedule_notice_minutes: 1.5 },
    }
    for (const [field, body] of Object.entries(wrong)) {
      const { status, body: told } = await change(body)
      expect([field, status, Object.keys(told.error.details)]).toEqual([field, 400, [field]])
    }
    const six = Array.from({ length: 6 }, (_, at) => ({ until_minutes_before: at, percent: 10 }))
    expect((await change({ refund_policy: six })).status).toBe(400)
    expect((await change({ refund_policy: [] })).body.refund_policy).toEqual([])
  })

  it('causes its event after the event of the cancellation', async () => {
    const { setClock, bookIt, key } = await createSandbox()
    await setClock(SLOT - 3 * DAY_MS)
    await (await bookIt()).cancel()
    const { body } = await call('GET', '/v1/events', { key })
    const kinds = body.data.map(({ event }: { event: string }) => event)
    expect(kinds.slice(-2)).toEqual(['booking.cancelled', 'payment.refunded'])
  })

  it('refunds the highest percentage whose deadline has not passed when the invitee cancels', async () => {
    const { setClock, bookIt, key } = await createSandbox()
    const expected = [
      [2 * DAY_MS + MINUTE_MS, 10_000, 'refunded'],
      [2 * DAY_MS, 10_000, 'refunded'],
      [2 * DAY_MS - 1, 5_000, 'partially_refunded'],
      [DAY_MS, 5_000, 'partially_refunded'],
      [2 * HOUR_MS, 2_500, 'partially_refunded'],
      [HOUR_MS - 1, 0, 'succeeded'],
    ] as const
    for (const [before, amount, status] of expected) {
      await setClock(SLOT - 3 * DAY_MS)
      const booking = await bookIt()
      await setClock(SLOT - before)
      expect((await booking.actions()).cancel).toEqual({ allowed: true, reason: null, refund_amount: amount })
      const { body } = await booking.cancel()
      expect([before, body.status, body.payment.status]).toEqual([before, 'cancelled', status])
      expect(await refundedOf(booking.id)).toBe(amount)
      expect((await booking.actions()).cancel.refund_amount).toBe(null)
      expect((await booking.cancel()).status).toBe(200)
      expect(await refundedOf(booking.id)).toBe(amount)
    }
    const { body } = await call('GET', '/v1/payments/summary', { key })
    expect(body).toMatchObject({ total_revenue: 60_000, total_refunded: 32_500 })
  })

  it('refunds nothing automatically if a key cancels, and never more than is left', async () => {
    const { setClock, bookIt, key } = await createSandbox()
    await setClock(SLOT - 3 * DAY_MS)
    const [kept, partly] = [await bookIt(), await bookIt(true, SLOT + HOUR_MS)]
    expect((await kept.actions('')).cancel.refund_amount).toBe(0)
    expect((await kept.cancelByKey()).body.payment.status).toBe('succeeded')
    expect(await refundedOf(kept.id)).toBe(0)
    const refund = { key, body: { amount: 4_000 } }
    expect((await call('POST', `/v1/payments/${partly.paymentId}/refund`, refund)).status).toBe(200)
    expect((await partly.actions()).cancel.refund_amount).toBe(6_000)
    expect((await partly.cancel()).body.payment.status).toBe('refunded')
    expect(await refundedOf(partly.id)).toBe(10_000)
  })

  it('is kept as it was when the booking was made, and follows the time as it stands at the cancel', async () => {
    const { setClock, bookIt, key, eventTypeId } = await createSandbox()
    await setClock(SLOT - 3 * DAY_MS)
    const [before, moved] = [await bookIt(), await bookIt(true, SLOT + HOUR_MS)]
    const change = { refund_policy: [{ until_minutes_before: 0, percent: 10 }] }
    await call('PATCH', `/v1/event-types/${eventTypeId}`, { key, body: change })
    const after = await bookIt(true, SLOT + 2 * HOUR_MS)
    expect((await before.actions()).cancel.refund_amount).toBe(10_000)
    expect((await after.actions()).cancel.refund_amount).toBe(1_000)
    expect((await moved.move(SLOT - 3 * DAY_MS + 3 * HOUR_MS)).status).toBe(200)
    expect((await moved.actions()).cancel.refund_amount).toBe(2_500)
    await moved.cancel()
    expect(await refundedOf(moved.id)).toBe(2_500)
    await after.cancel()
    expect(await refundedOf(after.id)).toBe(1_000)
  })

  it('refunds no more for a booking that its invitee moved than cancelling at that moment would have', async () => {
    const { setClock, bookIt } = await createSandbox()
    const moves = [
      [3 * DAY_MS, 10_000],
      [DAY_MS, 5_000],
      [2 * HOUR_MS, 2_500],
      [HOUR_MS - 1, 0],
      [1, 0],
    ] as const
    for (const [at, [before, amount]] of moves.entries()) {
      await setClock(SLOT - 4 * DAY_MS)
      const booking = await bookIt()
      await setClock(SLOT - before)
      expect((await booking.move(SLOT + (5 + at) * DAY_MS)).status).toBe(200)
      expect((await booking.actions()).cancel.refund_amount).toBe(amount)
      expect((await booking.move(SLOT + (5 + at) * DAY_MS + HOUR_MS)).status).toBe(200)
      await booking.cancel()
      expect([before, await refundedOf(booking.id)]).toEqual([before, amount])
    }
    await setClock(SLOT - 4 * DAY_MS)
    const byKey = await bookIt()
    await setClock(SLOT - HOUR_MS)
    expect((await byKey.moveByKey(SLOT + 4 * DAY_MS)).status).toBe(200)
    await byKey.cancel()
    expect(await refundedOf(byKey.id)).toBe(10_000)
  })

  it('rounds half up in the steps of the currency', async () => {
    const rules = [{ until_minutes_before: 0, percent: 50 }]
    for (const [price_currency, price_amount, back] of [
      ['eur', 12_345, 6_173],
      ['jpy', 333, 167],
      ['kwd', 10_010, 5_010],
      ['kwd', 10_030, 5_020],
    ]) {
      const { bookIt } = await createSandbox({ price_amount, price_currency, refund_policy: rules })
      const booking = await bookIt()
      expect((await booking.actions()).cancel.refund_amount).toBe(back)
      await booking.cancel()
      expect([price_currency, await refundedOf(booking.id)]).toEqual([price_currency, back])
    }
  })

  it('has no effect before a payment, nor without rules', async () => {
    const { bookIt } = await createSandbox({ refund_policy: [] })
    const [unpaid, paid] = [await bookIt(false), await bookIt(true, SLOT + HOUR_MS)]
    expect((await unpaid.actions()).cancel).toEqual({ allowed: true, reason: null, refund_amount: null })
    expect((await unpaid.cancel()).body.payment.status).toBe('cancelled')
    expect((await paid.actions()).cancel.refund_amount).toBe(0)
    expect((await paid.cancel()).body.payment.status).toBe('succeeded')
  })

  it('records a live refund as due when the cancellation commits, and has the provider make it once', async () => {
    const policy = [{ until_minutes_before: 0, percent: 30 }]
    const { eventTypeId } = await createPaid({ refund_policy: policy })
    const { id, token, intentId } = await bookPaid(eventTypeId, SLOT)
    await pay(intentId)
    const cancelled = await Promise.all(
      Array.from({ length: 4 }, () => call('POST', `/v1/bookings/${id}/cancel?token=${token}`)),
    )
    expect(cancelled.map(({ status }) => status)).toEqual([200, 200, 200, 200])
    const reserved = await env.DB.prepare(
      'SELECT r.amount, r.cause FROM refunds r JOIN payments p ON p.id = payment_id WHERE p.booking_id = ?',
    )
      .bind(id)
      .raw()
    expect(reserved).toEqual([[1_500, 'policy']])
    await vi.waitFor(async () => {
      expect(await truthOf(id)).toMatchObject({ payment: 'partially_refunded', refunded: 1_500, holds: 0 })
    }, SETTLED)
  })

  it.each([
    ['the sweep', false],
    ['the key again', true],
  ])(
    'still refunds what was requested by key and not answered before the cancellation, though %s is refused at first',
    async (_, asksAgain) => {
      const policy = [{ until_minutes_before: 0, percent: 30 }]
      const { eventTypeId, key, accountId } = await createPaid({ refund_policy: policy })
      const { id, token, intentId, payment } = await bookPaid(eventTypeId, SLOT)
      await pay(intentId)
      const dropped = { about: 'POST /v1/refunds ', of: accountId, does: 'drops', times: 2 }
      await controlProvider('PUT', '/troubles', [dropped])
      const headers = { 'Idempotency-Key': crypto.randomUUID() }
      const refund = async () =>
        (await call('POST', `/v1/payments/${payment.id}/refund`, { key, headers })).status
      expect(await refund()).toBe(502)
      await troubleProvider({ step: 'POST refunds', about: accountId, does: 'refuses', times: 1 })
      expect((await call('POST', `/v1/bookings/${id}/cancel?token=${token}`)).status).toBe(200)
      if (asksAgain) expect(await refund()).toBe(502)
      await tryRefundUntil(payment.id, async () => {
        expect(await truthOf(id)).toMatchObject({ payment: 'refunded', refunded: 5_000 })
      })
    },
  )

  it.each([
    ['the sweep', true],
    ['the key', false],
  ])(
    'still refunds what was requested by %s if it is refused only after the cancellation',
    async (_, isLeft) => {
      const policy = [{ until_minutes_before: 0, percent: 30 }]
      const { eventTypeId, key, accountId } = await createPaid({ refund_policy: policy })
      const { id, token, intentId, payment } = await bookPaid(eventTypeId, SLOT)
      await pay(intentId)
      const refund = () => call('POST', `/v1/payments/${payment.id}/refund`, { key })
      const asked = async () =>
        (await providerCalls(payment.id)).filter(({ step }) => step === 'POST refunds').length
      if (isLeft) {
        const dropped = { about: 'POST /v1/refunds ', of: accountId, does: 'drops', times: 2 }
        await controlProvider('PUT', '/troubles', [dropped])
        expect((await refund()).status).toBe(502)
      }
      const before = await asked()
      const refuses = { does: 'refuses', delayMs: 700, times: 1 } as const
      await troubleProvider({ step: 'POST refunds', about: accountId, ...refuses })
      const asking = isLeft ? sweep(env, Date.now()) : refund()
      await vi.waitFor(async () => expect(await asked()).toBeGreaterThan(before), SETTLED)
      expect((await call('POST', `/v1/bookings/${id}/cancel?token=${token}`)).status).toBe(200)
      await asking
      await tryRefundUntil(payment.id, async () => {
        expect(await truthOf(id)).toMatchObject({ payment: 'refunded', refunded: 5_000 })
      })
    },
  )
})

describe('the notice of an invitee', () => {
  it('applies to cancelling and to moving separately, and to no caller with a key', async () => {
    const notices = { cancel_notice_minutes: 1440, reschedule_notice_minutes: 120 }
    const { setClock, bookIt } = await createSandbox({ price_amount: null, ...notices })
    await setClock(SLOT - 3 * DAY_MS)
    const booking = await bookIt(false)
    await setClock(SLOT - DAY_MS)
    expect((await booking.actions()).cancel.allowed).toBe(true)
    await setClock(SLOT - DAY_MS + 1)
    const late = await booking.cancel()
    expect([late.status, late.body.error.code, late.body.error.details]).toEqual([
      403,
      'forbidden',
      { code: 'too_late', notice_minutes: 1440 },
    ])
    expect(late.body.error.message).toContain('until 1 day before the start')
    expect((await booking.actions()).cancel).toEqual({
      allowed: false,
      reason: late.body.error.message,
      refund_amount: null,
    })
    expect((await booking.actions('')).cancel.allowed).toBe(true)
    expect((await booking.move(SLOT + HOUR_MS)).status).toBe(200)
    await setClock(SLOT - HOUR_MS + 1)
    const tooLate = await booking.move(SLOT + 2 * HOUR_MS)
    expect([tooLate.status, tooLate.body.error.details]).toEqual([
      403,
      { code: 'too_late', notice_minutes: 120 },
    ])
    expect((await booking.actions()).reschedule).toEqual({
      allowed: false,
      reason: tooLate.body.error.message,
    })
    expect((await booking.move(SLOT + HOUR_MS)).status).toBe(200)
    expect((await booking.moveByKey(SLOT + 3 * HOUR_MS)).status).toBe(200)
    await setClock(SLOT + 2 * HOUR_MS)
    expect((await booking.cancel()).status).toBe(403)
    expect((await booking.cancelByKey()).status).toBe(200)
    expect((await booking.cancel()).status).toBe(200)
  })

  it('binds nobody to a booking that is not paid yet', async () => {
    const { setClock, bookIt } = await createSandbox({ cancel_notice_minutes: 1440 })
    await setClock(SLOT - HOUR_MS)
    const booking = await bookIt(false)
    expect((await booking.actions()).cancel.allowed).toBe(true)
    expect((await booking.cancel()).status).toBe(200)
  })
})
