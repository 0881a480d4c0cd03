import { env } from 'cloudflare:workers'
import { describe, expect, it, vi } from 'vitest'
import { sweep } from '../../src/worker/jobs/sweep.ts'
import { call } from '../support/app.ts'
import {
  book,
  bookingInput,
  createEventType,
  createOrganization,
  dayFromNow,
  iso,
} from '../support/factories.ts'
import { truthOf } from '../support/payments.ts'
import { providerCalls } from '../support/provider-calls.ts'

const HOUR_MS = 3_600_000
const MINUTE_MS = 60_000
const SLOT = dayFromNow(3) + 10 * HOUR_MS
const SETTLED = { timeout: 20_000, interval: 100 }

async function createSandbox(input: Record<string, unknown> = {}) {
  const organization = await createOrganization()
  const key = organization.testKey
  const { id } = await createEventType(key, { price_amount: 5_000, ...input })
  return { organization, key, eventTypeId: id as string }
}

async function outboxOf(key: string, channel: string): Promise<string[]> {
  const { body } = await call('GET', '/v1/test-data/outbox?limit=100', { key })
  return body.data.filter((item: any) => item.channel === channel).map((item: any) => item.subject)
}

describe('a paid booking in the sandbox', () => {
  it('needs no provider and calls none; its payment is changed by hand', async () => {
    const { eventTypeId, key } = await createSandbox()
    const { status, body } = await book(eventTypeId, SLOT)
    expect([status, body.status, body.is_test]).toEqual([201, 'pending_payment', true])
    expect(body.payment).toEqual({
      id: expect.any(String),
      status: 'pending',
      amount: 5_000,
      currency: 'usd',
      payment_provider_account_id: `acct_test_${body.organization_id.replaceAll('-', '')}`,
      client_secret: expect.stringMatching(/^pi_test_\w+_secret_/),
    })
    const simulate = (end: string) =>
      call('POST', `/v1/test-data/payments/${body.payment.id}/${end}`, { key })
    await vi.waitFor(async () => {
      expect(await outboxOf(key, 'email')).toEqual([expect.stringMatching(/^Payment is due: /)])
    }, SETTLED)
    expect((await simulate('fail')).body).toMatchObject({
      status: 'failed',
      payment_provider_payment_intent_id: body.payment.client_secret.split('_secret_')[0],
    })
    expect((await truthOf(body.id)).booking).toBe('pending_payment')
    expect((await simulate('succeed')).body.status).toBe('succeeded')
    expect((await simulate('succeed')).body.status).toBe('succeeded')
    expect((await simulate('fail')).status).toBe(409)
    expect(await truthOf(body.id)).toMatchObject({ booking: 'confirmed', payment: 'succeeded', holds: 1 })
    const refunded = await call('POST', `/v1/payments/${body.payment.id}/refund`, {
      key,
      body: { amount: 1_000 },
    })
    expect([refunded.status, refunded.body.status]).toEqual([200, 'partially_refunded'])
    expect(refunded.body.refund_id).toMatch(/^re_test_/)
    await vi.waitFor(async () => {
      expect((await outboxOf(key, 'payment')).sort()).toEqual(['payment_intent.create', 'refund.create'])
      expect((await outboxOf(key, 'email')).map((subject) => subject.split(':')[0])).toEqual([
        'Confirmed',
        'Payment is due',
      ])
    }, SETTLED)
    expect(await providerCalls(body.id)).toEqual([])
    expect(await providerCalls(body.payment.id)).toEqual([])
  })

  it('expires by the clock of the sandbox, and a payment after that is refunded', async () => {
    const { eventTypeId, key } = await createSandbox()
    const now = SLOT - 48 * HOUR_MS
    const setClock = (at: number) => call('PUT', '/v1/test-data/clock', { key, body: { now: iso(at) } })
    await setClock(now)
    const { body } = await book(eventTypeId, SLOT)
    await sweep(env, now + 40 * MINUTE_MS)
    await setClock(now + 29 * MINUTE_MS)
    expect((await truthOf(body.id)).booking).toBe('pending_payment')
    await setClock(now + 30 * MINUTE_MS)
    expect(await truthOf(body.id)).toMatchObject({ booking: 'cancelled', payment: 'cancelled', holds: 0 })
    const late = await call('POST', `/v1/test-data/payments/${body.payment.id}/succeed`, { key })
    expect(late.body.status).toBe('refunded')
    expect(await truthOf(body.id)).toMatchObject({ booking: 'cancelled', refunded: 5_000 })
    await vi.waitFor(async () => {
      const told = await outboxOf(key, 'payment')
      expect(told.sort()).toEqual(['payment_intent.cancel', 'payment_intent.create', 'refund.create'])
    }, SETTLED)
  })

  it('keeps its time while its payment is under way, however that ends', async () => {
    const { eventTypeId, key } = await createSandbox()
    const now = SLOT - 48 * HOUR_MS
    const setClock = (at: number) => call('PUT', '/v1/test-data/clock', { key, body: { now: iso(at) } })
    await setClock(now)
    const [paid, failed] = [await book(eventTypeId, SLOT), await book(eventTypeId, SLOT + HOUR_MS)]
    const act = (booked: any, what: string) =>
      call('POST', `/v1/test-data/payments/${booked.body.payment.id}/${what}`, { key })
    for (const each of [paid, failed]) {
      expect((await act(each, 'process')).body.status).toBe('processing')
      expect((await act(each, 'process')).body.status).toBe('processing')
    }
    await setClock(now + 2 * HOUR_MS)
    for (const { body } of [paid, failed]) {
      expect(await truthOf(body.id)).toMatchObject({
        booking: 'pending_payment',
        payment: 'processing',
        holds: 1,
      })
    }
    expect((await act(paid, 'succeed')).body.status).toBe('succeeded')
    expect(await truthOf(paid.body.id)).toMatchObject({ booking: 'confirmed', holds: 1 })
    expect((await act(paid, 'process')).body.error.code).toBe('conflict')
    expect((await act(failed, 'fail')).body.status).toBe('cancelled')
    expect(await truthOf(failed.body.id)).toMatchObject({
      booking: 'cancelled',
      payment: 'cancelled',
      holds: 0,
    })
  })

  it('is emailed to a promoted invitee, with the link to pay', async () => {
    const { eventTypeId, key } = await createSandbox({ waitlist_enabled: true })
    const first = await book(eventTypeId, SLOT)
    const waits = { invitee_email: 'second@example.com' }
    await call('POST', '/v1/waitlist', { body: bookingInput(eventTypeId, SLOT, waits) })
    await call('POST', `/v1/bookings/${first.body.id}/cancel`, { key, body: {} })
    await vi.waitFor(async () => {
      const { body } = await call('GET', '/v1/test-data/outbox', { key })
      const letter = body.data.find(({ to }: any) => to === 'second@example.com')
      expect(letter.body).toContain('Otherwise it goes to the next person on the waitlist.')
      expect(letter.body).toMatch(/Pay or cancel:\nhttp.*\/bookings\/[\w-]+\?token=/)
    }, SETTLED)
    const second = (await call('GET', '/v1/bookings?invitee_email=second@example.com', { key })).body.data[0]
    expect(second).toMatchObject({ status: 'pending_payment', payment: { status: 'pending' } })
    const shown = await call('GET', `/v1/bookings/${second.id}/payment`, { key })
    expect(shown.body.client_secret).toMatch(/^pi_test_/)
  })

  it('is deleted with the test data, and nothing live with it', async () => {
    const { eventTypeId, key, organization } = await createSandbox()
    const { body } = await book(eventTypeId, SLOT)
    await call('POST', `/v1/test-data/payments/${body.payment.id}/succeed`, { key })
    await call('POST', `/v1/payments/${body.payment.id}/refund`, { key, body: {} })
    const { body: told } = await call('DELETE', '/v1/test-data', { key })
    expect(told.deleted).toMatchObject({ bookings: 1, payments: 1 })
    expect((await call('GET', '/v1/payments', { key })).body.data).toEqual([])
    const left = env.DB.prepare('SELECT count(*) AS n FROM refunds WHERE organization_id = ?')
    expect(await left.bind(organization.id).first('n')).toBe(0)
  })
})
