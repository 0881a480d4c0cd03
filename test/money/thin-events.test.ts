import { beforeAll, describe, expect, it, onTestFinished, vi } from 'vitest'
import { call } from '../support/app.ts'
import { createOrganization, dayFromNow } from '../support/factories.ts'
import { attempt, bookPaid, connectAccount, createPaid, pay, truthOf } from '../support/payments.ts'
import {
  askProvider,
  controlProvider,
  deliverEvents,
  providerCalls,
  setUpEndpoints,
  troubleProvider,
} from '../support/provider-calls.ts'
import { signedEvent, WEBHOOK_SECRET } from '../support/provider-events.ts'

const PATH = '/v1/payment-provider/webhook'
const SLOT = dayFromNow(3) + 10 * 3_600_000

/** The operator chose thin events for both endpoints. */
beforeAll(async () => {
  await setUpEndpoints()
  const endpoint = { url: `https://holdfast.test${PATH}`, secrets: [WEBHOOK_SECRET], event_payload: 'thin' }
  await controlProvider('PUT', '/endpoints', [
    { ...endpoint, connect: false },
    { ...endpoint, connect: true },
  ])
})

const tell = async (event: object) => {
  const { status, body } = await call('POST', PATH, await signedEvent({ object: 'v2.core.event', ...event }))
  return [status, body.received ?? body.error.code]
}

describe('a thin event of the payment provider', () => {
  it('confirms a booking: its object is fetched from the account that it names', async () => {
    const { eventTypeId, accountId } = await createPaid()
    const { id, intentId } = await bookPaid(eventTypeId, SLOT)
    await pay(intentId)
    expect((await truthOf(id)).booking).toBe('confirmed')
    const asked = (await providerCalls(intentId)).filter(({ step }) => step === 'GET payment_intents')
    expect(asked.length).toBeGreaterThan(0)
    expect(new Set(asked.map(({ account }) => account))).toEqual(new Set([accountId]))
  })

  it('reports a refund that was made in the dashboard', async () => {
    const { key, accountId, eventTypeId } = await createPaid()
    const { intentId, payment } = await bookPaid(eventTypeId, SLOT)
    await pay(intentId)
    await askProvider('POST', 'refunds', { payment_intent: intentId, amount: '700' }, accountId)
    for (const { status } of await deliverEvents('refund')) expect(status).toBe(200)
    const { body } = await call('GET', '/v1/payments', { key })
    expect(body.data).toMatchObject([{ id: payment.id, refunded_amount: 700 }])
  })

  it('reports what an account may do, by v1 and by v2, and that it revoked the platform', async () => {
    const organization = await createOrganization()
    const accountId = await connectAccount(organization)
    const status = async () =>
      (await call('GET', '/v1/activity?resource_type=payment_account', { key: organization.liveKey })).body
        .data.length
    const related = { id: accountId, type: 'account', url: `/v1/accounts/${accountId}` }
    await controlProvider('POST', `/accounts/${accountId}/onboard`, { payouts_enabled: false })
    expect(await tell({ type: 'v1.account.updated', context: accountId, related_object: related })).toEqual([
      200,
      true,
    ])
    expect(await status()).toBe(1)
    await controlProvider('POST', `/accounts/${accountId}/onboard`, {})
    const byV2 = { ...related, type: 'v2.core.account', url: `/v2/core/accounts/${accountId}` }
    const kind = 'v2.core.account[configuration.merchant].capability_status_updated'
    expect(await tell({ type: kind, context: null, related_object: byV2 })).toEqual([200, true])
    expect(await status()).toBe(2)
    await controlProvider('POST', `/accounts/${accountId}/deauthorize`, {})
    const application = { id: 'ca_1', type: 'application', url: '/v1/applications/ca_1' }
    await tell({
      type: 'v1.account.application.deauthorized',
      context: accountId,
      related_object: application,
    })
    expect(await status()).toBe(3)
  })

  it('that nobody here listens to is accepted, and so is the ping of a new endpoint', async () => {
    await controlProvider('POST', '/endpoints/ping', {})
    const pinged = await vi.waitUntil(async () => {
      const answers = await deliverEvents('event_destination.ping')
      return answers.length === 2 && answers
    })
    expect(pinged.map(({ status }) => status)).toEqual([200, 200])
    const related = { id: 'ch_of-nobody', type: 'charge', url: '/v1/charges/ch_of-nobody' }
    expect(await tell({ type: 'v1.charge.pending', related_object: related })).toEqual([200, true])
    expect(await tell({ type: 'v2.billing.meter.no_meter_found' })).toEqual([200, true])
    expect(await providerCalls('ch_of-nobody')).toEqual([])
  })

  it('about an object that is gone is accepted; if the provider fails, it comes again', async () => {
    const { eventTypeId, accountId } = await createPaid()
    const { id, intentId } = await bookPaid(eventTypeId, SLOT)
    await attempt(intentId)
    const event = (name: string) => ({
      type: 'v1.payment_intent.succeeded',
      context: accountId,
      related_object: { id: name, type: 'payment_intent', url: `/v1/payment_intents/${name}` },
    })
    expect(await tell(event('pi_of-nobody'))).toEqual([200, true])
    const log = vi.spyOn(console, 'error').mockImplementation(() => {})
    onTestFinished(() => log.mockRestore())
    await troubleProvider({ step: 'GET payment_intents', about: intentId, does: 'fails', times: 2 })
    expect(await tell(event(intentId))).toEqual([502, 'bad_gateway'])
    expect((await truthOf(id)).booking).toBe('pending_payment')
    expect(await tell(event(intentId))).toEqual([200, true])
    expect((await truthOf(id)).booking).toBe('confirmed')
  })

  it('is refused without a signature, or without a type', async () => {
    const { body } = await signedEvent({ object: 'v2.core.event', type: 'v1.charge.pending' })
    expect((await call('POST', PATH, { body })).status).toBe(400)
    expect(await tell({})).toEqual([400, 'bad_request'])
  })
})
