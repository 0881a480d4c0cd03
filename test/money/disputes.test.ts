import { env } from 'cloudflare:workers'
import { describe, expect, it, vi } from 'vitest'
import { settlePayment } from '../../src/money/payments/settle-payment.ts'
import { realNow } from '../../src/platform/limits/clock.ts'
import { sweep } from '../../src/worker/jobs/sweep.ts'
import { call, callAsService } from '../support/app.ts'
import { book, createEventType, createOrganization, dayFromNow, iso } from '../support/factories.ts'
import { attempt, bookPaid, createPaid, hearOf, pay, tryRefundUntil } from '../support/payments.ts'
import {
  askProvider,
  calmProvider,
  changeProviderObject,
  controlProvider,
  deliverEvents,
  providerObjects,
  tellService,
  troubleProvider,
} from '../support/provider-calls.ts'

const HOUR_MS = 3_600_000
const DAY_MS = 24 * HOUR_MS
const SLOT = dayFromNow(3) + 10 * HOUR_MS
const SETTLED = { timeout: 20_000, interval: 100 }

async function paidBooking(input: Record<string, unknown> = {}) {
  const paid = await createPaid(input)
  const booking = await bookPaid(paid.eventTypeId, SLOT)
  await pay(booking.intentId)
  const { key } = paid
  const id: string = booking.payment.id
  const shown = async () => (await call('GET', `/v1/payments/${id}`, { key })).body
  return {
    ...paid,
    ...booking,
    paymentId: id,
    shown,
    statusOf: async () => (await shown()).status,
    refund: (body: object = {}) => call('POST', `/v1/payments/${id}/refund`, { key, body }),
    sync: () => call('POST', `/v1/payments/${id}/sync`, { key }),
    sums: async () => (await call('GET', '/v1/payments/summary', { key })).body,
    /** A payer goes to their bank; nobody was told of it yet. */
    dispute: (how: object = {}) => controlProvider('POST', `/intents/${booking.intentId}/dispute`, how),
    hear: () => deliverEvents(booking.intentId),
    events: async (kind: string): Promise<any[]> => {
      const { body } = await call('GET', '/v1/events?limit=100', { key })
      return body.data.filter((event: any) => event.event === kind).map(({ data }: any) => data)
    },
  }
}

const end = (disputeId: string, how: 'win' | 'lose' | 'escalate') =>
  controlProvider('POST', `/disputes/${disputeId}/${how}`)

describe('a dispute', () => {
  it('stops refunds while it is open, and leaves the payment as it was once it is won', async () => {
    const { shown, refund, dispute, hear, statusOf, id, key, sums, events } = await paidBooking()
    expect((await refund({ amount: 1_000 })).status).toBe(200)
    const { id: disputeId, evidence_details: evidence } = await dispute()
    for (const { status } of await hear()) expect(status).toBe(200)
    expect(await shown()).toMatchObject({
      status: 'disputed',
      refunded_amount: 1_000,
      dispute: {
        id: disputeId,
        status: 'open',
        amount: 4_000,
        reason: 'fraudulent',
        evidence_due_at: iso(evidence.due_by * 1000),
      },
    })
    const { body: booking } = await call('GET', `/v1/bookings/${id}`, { key })
    expect([booking.status, booking.payment.status]).toEqual(['confirmed', 'disputed'])
    const refused = await refund({ amount: 500 })
    expect([refused.status, refused.body.error.code, refused.body.error.details]).toEqual([
      409,
      'conflict',
      { code: 'payment_disputed' },
    ])
    expect(await sums()).toMatchObject({ total_revenue: 5_000, total_refunded: 1_000, total_dispute_lost: 0 })
    expect((await call('GET', '/v1/payments?status=disputed', { key })).body.data).toHaveLength(1)

    await end(disputeId, 'win')
    await hear()
    expect(await shown()).toMatchObject({ status: 'partially_refunded', dispute: { status: 'won' } })
    expect((await refund({ amount: 500 })).status).toBe(200)
    expect(await statusOf()).toBe('partially_refunded')
    expect((await events('payment.disputed')).map(({ status, dispute: d }) => [status, d.status])).toEqual([
      ['disputed', 'open'],
      ['partially_refunded', 'won'],
    ])
    const log = (await call('GET', `/v1/activity?resource_id=${booking.payment.id}`, { key })).body.data
    expect(log.map(({ action }: any) => action)).toEqual(
      expect.arrayContaining(['payment.disputed', 'payment.dispute_won']),
    )
  })

  it('that is lost has a sum of its own, and refunds are refused in clear words from then on', async () => {
    const { refund, dispute, hear, shown, sums } = await paidBooking({
      price_amount: 7_000,
      price_currency: 'eur',
    })
    const { id } = await dispute({ amount: 6_000 })
    await hear()
    await end(id, 'lose')
    await hear()
    expect(await shown()).toMatchObject({
      status: 'dispute_lost',
      refunded_amount: 0,
      dispute: { status: 'lost' },
    })
    const refused = await refund()
    expect([refused.status, refused.body.error.details]).toEqual([409, { code: 'payment_dispute_lost' }])
    expect(refused.body.error.message).toContain('the payer has the money already')
    const told = {
      total_revenue: 7_000,
      platform_fees: 70,
      total_refunded: 0,
      total_dispute_lost: 6_000,
      pending_count: 0,
      currency: 'eur',
    }
    expect(await sums()).toEqual({ ...told, by_currency: [told] })
  })

  it('ends correctly whatever the order of its events, and however often each arrives', async () => {
    const { dispute, hear, shown, intentId, events, accountId } = await paidBooking()
    const { id } = await dispute()
    await end(id, 'lose')
    const [found] = (await providerObjects(intentId)).filter(({ object }) => object === 'dispute')
    const stale = { ...found, status: 'needs_response' }
    for (const kind of ['closed', 'created', 'funds_withdrawn', 'updated']) {
      const told = await tellService(`charge.dispute.${kind}`, stale, { account: accountId })
      expect([kind, told.status, (await shown()).status]).toEqual([kind, 200, 'dispute_lost'])
    }
    await Promise.all(Array.from({ length: 6 }, hear))
    expect(await shown()).toMatchObject({ status: 'dispute_lost', dispute: { status: 'lost' } })
    expect(await events('payment.disputed')).toHaveLength(1)
    // An event of another account says nothing of this payment.
    const { accountId: outsider } = await createPaid()
    await changeProviderObject(id, { status: 'won' })
    expect((await tellService('charge.dispute.closed', found, { account: outsider })).status).toBe(200)
    expect((await tellService('charge.dispute.closed', found)).status).toBe(200)
    expect((await shown()).status).toBe('dispute_lost')
    await tellService('charge.dispute.closed', found, { account: accountId })
    expect((await shown()).status).toBe('succeeded')
  })

  it('is recorded before the payment itself if its event arrives first', async () => {
    const paid = await createPaid()
    const booking = await bookPaid(paid.eventTypeId, SLOT)
    await controlProvider('POST', `/intents/${booking.intentId}/pay`, { how: 'succeed' })
    const disputed = await controlProvider('POST', `/intents/${booking.intentId}/dispute`, {})
    await tellService('charge.dispute.created', disputed, { account: paid.accountId })
    const { body } = await call('GET', `/v1/bookings/${booking.id}`, { key: paid.key })
    expect([body.status, body.payment.status]).toEqual(['confirmed', 'disputed'])
  })

  it('that only asks takes nothing: refunds go on, and it may become a real one', async () => {
    const { dispute, hear, shown, refund, sums, events } = await paidBooking()
    const { id } = await dispute({ isInquiry: true })
    await hear()
    expect(await shown()).toMatchObject({ status: 'succeeded', dispute: { status: 'inquiry' } })
    expect((await refund({ amount: 1_000 })).status).toBe(200)
    await end(id, 'escalate')
    await hear()
    expect((await shown()).status).toBe('disputed')
    await end(id, 'lose')
    await hear()
    expect(await shown()).toMatchObject({ status: 'dispute_lost', refunded_amount: 1_000 })
    expect((await sums()).total_dispute_lost).toBe(5_000)
    expect((await events('payment.disputed')).map(({ dispute: d }) => d.status)).toEqual([
      'inquiry',
      'open',
      'lost',
    ])
  })

  it('that only asked is closed without a trace in the sums', async () => {
    const { dispute, hear, shown, sums } = await paidBooking()
    const { id } = await dispute({ isInquiry: true })
    await end(id, 'win')
    await hear()
    expect(await shown()).toMatchObject({ status: 'succeeded', dispute: { status: 'closed' } })
    expect((await sums()).total_dispute_lost).toBe(0)
  })

  it('is found by a refund that the provider refuses because of it', async () => {
    const { dispute, refund, statusOf } = await paidBooking()
    await dispute()
    const refused = await refund({ amount: 500 })
    expect([refused.status, refused.body.error.details]).toEqual([409, { code: 'payment_disputed' }])
    expect(await statusOf()).toBe('disputed')
  })

  it('is reported to the organization’s owner: what it is about, how much, and until when', async () => {
    const owner = `owner-${crypto.randomUUID()}@example.com`
    const ownerUserId = crypto.randomUUID()
    const { body: organization } = await callAsService('POST', '/v1/organizations', {
      body: { name: 'Acme', owner_user_id: ownerUserId, owner_email: owner, timezone: 'Europe/Berlin' },
    })
    const headers = { 'X-Org-Id': organization.id, 'X-Service-Mode': 'test' }
    const { body: made } = await callAsService('POST', '/v1/api-keys', { headers, body: { name: 'test' } })
    const key = made.key
    const { id: eventTypeId } = await createEventType(key, { price_amount: 4_900, price_currency: 'eur' })
    const { body } = await book(eventTypeId, SLOT)
    const act = (what: string, told: object = {}) =>
      call('POST', `/v1/test-data/payments/${body.payment.id}/${what}`, { key, body: told })
    expect((await act('dispute')).body.error.code).toBe('conflict')
    await act('succeed')
    expect((await act('dispute')).body).toMatchObject({
      status: 'disputed',
      dispute: { status: 'open', amount: 4_900, reason: 'fraudulent' },
    })
    const letters = async () => {
      const { body } = await call('GET', '/v1/test-data/outbox?limit=100', { key })
      const isOfMoney = ({ subject }: any) => /dispute|bank|inquiry/.test(subject)
      return body.data.filter((item: any) => item.channel === 'email' && item.to === owner && isOfMoney(item))
    }
    const [letter] = await letters()
    expect(letter.subject).toBe('A payment of €49.00 is disputed')
    expect(letter.body).toMatch(/Submit your evidence in the payment provider’s dashboard by .* GMT\+1\./)
    expect(letter.body).toMatch(/^What:\nIntro call$/m)
    expect(letter.body).toContain('Who:\nAda Lovelace\nada@example.com')
    expect(letter.body).toMatch(/^Reason given by the bank:\n> fraudulent$/m)
    expect((await act('dispute')).body.status).toBe('disputed')
    expect(await letters()).toHaveLength(1)
    expect((await act('dispute', { status: 'won' })).body.status).toBe('succeeded')
    expect((await act('dispute', { status: 'inquiry' })).body).toMatchObject({
      status: 'succeeded',
      dispute: { status: 'inquiry' },
    })
    expect((await act('dispute', { status: 'won' })).body.dispute.status).toBe('closed')
    expect((await act('dispute', { status: 'lost' })).body.status).toBe('dispute_lost')
    expect((await letters()).map(({ subject }: any) => subject)).toEqual([
      'You lost a dispute about €49.00',
      'A payment of €49.00 is disputed',
      'An inquiry about a payment of €49.00 is closed',
      'A bank asks about a payment of €49.00',
      'You won a dispute: €49.00 is yours again',
      'A payment of €49.00 is disputed',
    ])
    expect((await act('dispute', { status: 'nothing' })).status).toBe(400)
    expect((await call('DELETE', '/v1/test-data', { key })).status).toBe(200)
    const left = env.DB.prepare('SELECT count(*) AS n FROM disputes WHERE organization_id = ?')
    expect(await left.bind(organization.id).first('n')).toBe(0)
  })

  it('is delivered to endpoints that ask for it, in its own words', async () => {
    const { key, dispute, hear, intentId, organization } = await paidBooking()
    const endpoint = (events: readonly string[]) =>
      env.DB.prepare(
        `INSERT INTO webhook_endpoints (id, organization_id, is_test, url, events, secret, active, verification_status,
           created_at, updated_at) VALUES (?1, ?2, 0, 'http://127.0.0.1:1/', ?3, 'sealed', 1, 'verified', 1, 1)`,
      ).bind(crypto.randomUUID(), organization.id, JSON.stringify(events))
    await env.DB.batch([endpoint(['payment.disputed']), endpoint(['payment.refunded'])])
    await dispute()
    await hear()
    const deliveries = env.DB.prepare('SELECT payload FROM webhook_deliveries WHERE organization_id = ?')
    await vi.waitFor(async () => {
      const { results } = await deliveries.bind(organization.id).all<{ payload: string }>()
      expect(results.map(({ payload }) => JSON.parse(payload).event)).toEqual(['payment.disputed'])
    }, SETTLED)
    const { body } = await call('GET', '/v1/events?limit=100', { key })
    const told = body.data.find(({ event }: any) => event === 'payment.disputed')
    expect(told.data).toMatchObject({
      payment_provider_payment_intent_id: intentId,
      status: 'disputed',
      dispute: { status: 'open' },
    })
  })
})

describe('asking the provider again', () => {
  it('makes status, refunds, disputes and sums agree, even if events were never delivered', async () => {
    const { sync, shown, intentId, accountId, sums, events, dispute } = await paidBooking()
    await askProvider('POST', 'refunds', { payment_intent: intentId, amount: '1500' }, accountId)
    expect((await shown()).refunded_amount).toBe(0)
    const synced = await sync()
    expect([synced.status, synced.body]).toEqual([200, await shown()])
    expect(synced.body).toMatchObject({ status: 'partially_refunded', refunded_amount: 1_500 })
    const { id } = await dispute()
    expect((await sync()).body.status).toBe('disputed')
    await end(id, 'lose')
    expect((await sync()).body.status).toBe('dispute_lost')
    expect((await sync()).body.status).toBe('dispute_lost')
    // What somebody refunds in their dashboard gives nothing of the fee back.
    expect(await sums()).toMatchObject({
      total_refunded: 1_500,
      total_dispute_lost: 3_500,
      platform_fees: 50,
    })
    expect(await events('payment.refunded')).toMatchObject([{ refunded_amount: 1_500 }])
    expect(await events('payment.disputed')).toHaveLength(2)
  })

  it('repairs sums that match neither the refunds nor the provider', async () => {
    const { refund, sync, paymentId, sums, events } = await paidBooking()
    await refund({ amount: 1_000 })
    await env.DB.prepare('UPDATE payments SET refunded_amount = 700, refunded_fee = 0 WHERE id = ?')
      .bind(paymentId)
      .run()
    expect((await sync()).body).toMatchObject({ status: 'partially_refunded', refunded_amount: 1_000 })
    expect(await sums()).toMatchObject({ total_refunded: 1_000, platform_fees: 40 })
    expect(await events('payment.refunded')).toHaveLength(2)
  })

  it('confirms a payment without an event, and refunds a late one', async () => {
    const { eventTypeId, key } = await createPaid()
    const [paid, late] = [await bookPaid(eventTypeId, SLOT), await bookPaid(eventTypeId, SLOT + HOUR_MS)]
    await controlProvider('POST', `/intents/${paid.intentId}/pay`, { how: 'succeed' })
    await controlProvider('POST', `/intents/${late.intentId}/pay`, { how: 'succeed' })
    await troubleProvider({ step: 'POST payment_intents/cancel', about: late.intentId, does: 'fails' })
    await call('POST', `/v1/bookings/${late.id}/cancel`, { key, body: {} })
    const sync = (id: string) => call('POST', `/v1/payments/${id}/sync`, { key })
    expect((await sync(paid.payment.id)).body.status).toBe('succeeded')
    await sync(late.payment.id)
    await vi.waitFor(async () => {
      const { body } = await call('GET', `/v1/payments/${late.payment.id}`, { key })
      expect(body.status).toBe('refunded')
    }, SETTLED)
    await calmProvider(late.intentId)
  })

  it('reports that the provider did not answer, changes nothing then, and makes no call in the sandbox', async () => {
    const { sync, intentId, shown, paymentId } = await paidBooking()
    const before = await shown()
    await troubleProvider({ step: 'GET refunds', about: intentId, does: 'fails' })
    const failed = await sync()
    expect([failed.status, failed.body.error.code]).toEqual([502, 'bad_gateway'])
    await calmProvider(intentId)
    expect(await shown()).toEqual(before)
    const other = await createOrganization()
    for (const key of [other.liveKey, other.testKey]) {
      expect((await call('POST', `/v1/payments/${paymentId}/sync`, { key })).status).toBe(404)
    }
    const { id } = await createEventType(other.testKey, { price_amount: 100 })
    const { body } = await book(id, SLOT)
    const told = await call('POST', `/v1/payments/${body.payment.id}/sync`, { key: other.testKey })
    expect([told.status, told.body.status]).toEqual([200, 'pending'])
  })

  it('is also done by the sweep, ever less often, and daily while a dispute is open', async () => {
    const { dispute, statusOf, paymentId } = await paidBooking()
    const due = async () => {
      const row = env.DB.prepare('SELECT next_attempt_at AS at FROM payments WHERE id = ?').bind(paymentId)
      return Math.round(((await row.first<number>('at'))! - Date.now()) / HOUR_MS)
    }
    const look = async () => {
      await env.DB.prepare('UPDATE payments SET next_attempt_at = 1 WHERE id = ?').bind(paymentId).run()
      await sweep(env, Date.now())
      await vi.waitFor(async () => expect(await due()).toBeGreaterThan(0), SETTLED)
    }
    expect(await due()).toBe(1)
    await look()
    expect(await due()).toBe(6)
    const { id } = await dispute()
    await look()
    expect([await statusOf(), await due()]).toEqual(['disputed', 24])
    await end(id, 'win')
    await look()
    expect([await statusOf(), await due()]).toEqual(['succeeded', 48])
    for (let looks = 0; looks < 6; looks++) await look()
    expect(await due()).toBe((30 * DAY_MS) / HOUR_MS)
    await env.DB.prepare('UPDATE payments SET next_attempt_at = 1 WHERE id = ?').bind(paymentId).run()
    await sweep(env, Date.now())
    const row = env.DB.prepare('SELECT next_attempt_at AS at FROM payments WHERE id = ?').bind(paymentId)
    await vi.waitFor(async () => expect(await row.first('at')).toBe(null), SETTLED)
  })
})

describe('the payments of an account that revoked the platform', () => {
  it('are asked about no more often than others', async () => {
    const { accountId, paymentId } = await paidBooking()
    await controlProvider('POST', `/accounts/${accountId}/deauthorize`, {})
    const row = env.DB.prepare('SELECT next_attempt_at AS at FROM payments WHERE id = ?').bind(paymentId)
    const waits: number[] = []
    for (let looks = 0; looks < 3; looks++) {
      await env.DB.prepare('UPDATE payments SET next_attempt_at = 1 WHERE id = ?').bind(paymentId).run()
      await settlePayment(env, paymentId, realNow())
      waits.push(Math.round(((await row.first<number>('at'))! - Date.now()) / HOUR_MS))
    }
    expect(waits).toEqual([6, 24, 48])
  })
})

describe('payment.refunded', () => {
  it('is sent for every refund, whatever its source, and for one that came back', async () => {
    const policy = { refund_policy: [{ until_minutes_before: 0, percent: 20 }] }
    const { refund, intentId, accountId, hear, events, id, token, shown } = await paidBooking(policy)
    await refund({ amount: 500 })
    await askProvider('POST', 'refunds', { payment_intent: intentId, amount: '700' }, accountId)
    await hear()
    await call('POST', `/v1/bookings/${id}/cancel?token=${token}`)
    await vi.waitFor(async () => expect((await shown()).refunded_amount).toBe(2_200), SETTLED)
    const told = async () => (await events('payment.refunded')).map((one) => one.refunded_amount)
    expect(await told()).toEqual([500, 1_200, 2_200])
    const [first] = (await providerObjects(intentId)).filter(({ object }) => object === 'refund')
    await controlProvider('POST', `/refunds/${first!.id}/settle`, { how: 'failed' })
    await hear()
    expect(await told()).toEqual([500, 1_200, 2_200, 1_700])
    expect(await shown()).toMatchObject({ status: 'partially_refunded', refunded_amount: 1_700 })
  })

  it('is not sent for a due refund that cannot be made; the owner gets one email', async () => {
    const policy = { refund_policy: [{ until_minutes_before: 0, percent: 20 }] }
    const { organization, paymentId, intentId, id, token, events, shown } = await paidBooking(policy)
    await env.DB.prepare("UPDATE members SET user_email = 'owner@example.com' WHERE organization_id = ?")
      .bind(organization.id)
      .run()
    await troubleProvider({ step: 'POST refunds', about: intentId, does: 'refuses' })
    await call('POST', `/v1/bookings/${id}/cancel?token=${token}`)
    const refund = env.DB.prepare('SELECT status, attempts FROM refunds WHERE payment_id = ?').bind(paymentId)
    await tryRefundUntil(paymentId, async () => {
      expect(await refund.first()).toEqual({ status: 'failed', attempts: 9 })
    })
    expect(await shown()).toMatchObject({ status: 'succeeded', refunded_amount: 0 })
    expect(await events('payment.refunded')).toEqual([])
    const letters = env.DB.prepare(
      "SELECT count(*) AS n FROM posted_letters WHERE recipient = 'owner@example.com'",
    )
    expect(await letters.first('n')).toBe(1)
    await calmProvider(intentId)
  })

  it('is not due any more once the payer has got the money in another way', async () => {
    const policy = { refund_policy: [{ until_minutes_before: 0, percent: 60 }] }
    const { paymentId, intentId, accountId, id, token, dispute, shown } = await paidBooking(policy)
    await troubleProvider({ step: 'POST refunds', about: 'booking_id', does: 'refuses', times: 1 })
    await call('POST', `/v1/bookings/${id}/cancel?token=${token}`)
    const refund = env.DB.prepare('SELECT status FROM refunds WHERE payment_id = ? ORDER BY id LIMIT 1')
    await askProvider('POST', 'refunds', { payment_intent: intentId, amount: '4500' }, accountId)
    await dispute({ amount: 500 })
    await tryRefundUntil(paymentId, async () => {
      expect(await refund.bind(paymentId).first('status')).toBe('failed')
    })
    expect(await shown()).toMatchObject({ status: 'disputed', refunded_amount: 4_500 })
    await calmProvider('booking_id')
  })

  it('is sent for the rest of a late payment if a part was already refunded at the provider', async () => {
    const { eventTypeId, key, accountId } = await createPaid()
    const { id, intentId, payment } = await bookPaid(eventTypeId, SLOT)
    await troubleProvider({ step: 'POST payment_intents/cancel', about: intentId, does: 'fails' })
    await call('POST', `/v1/bookings/${id}/cancel`, { key })
    await attempt(intentId)
    await askProvider('POST', 'refunds', { payment_intent: intentId, amount: '1500' }, accountId)
    await hearOf(intentId)
    await tryRefundUntil(payment.id, async () => {
      const { body } = await call('GET', `/v1/payments/${payment.id}`, { key })
      expect([body.status, body.refunded_amount]).toEqual(['refunded', 5_000])
    })
    await calmProvider(intentId)
  })
})
