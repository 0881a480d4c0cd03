import { env } from 'cloudflare:workers'
import { describe, expect, it } from 'vitest'
import { failureOf, stripeClient } from '../../src/providers/stripe/client.ts'
import { call } from '../support/app.ts'
import { unique } from '../support/factories.ts'
import { providerCalls, providerObject, tellService, troubleProvider } from '../support/provider-calls.ts'
import { providerEvent } from '../support/provider-events.ts'

const PATH = '/v1/payment-provider/webhook'
const MINUTE_MS = 60_000

describe('an event of the payment provider', () => {
  it('is taken when it is signed, and ignored when its kind means nothing here', async () => {
    const { status, body } = await tellService('charge.pending', { id: 'ch_1', object: 'charge' })
    expect([status, body]).toEqual([200, { received: true }])
  })

  it('is refused when its signature is missing, wrong, old or of another body', async () => {
    const { body, headers } = await providerEvent('charge.pending', { id: 'ch_1' })
    const answers = [
      await call('POST', PATH, { body }),
      await call('POST', PATH, { body, headers: { 'Stripe-Signature': 't=1,v1=00' } }),
      await tellService('charge.pending', {}, { secret: 'whsec_of somebody else' }),
      await tellService('charge.pending', {}, { at: Date.now() - 6 * MINUTE_MS }),
      await call('POST', PATH, { body: body.replace('ch_1', 'ch_2'), headers }),
    ]
    for (const answer of answers) {
      expect([answer.status, answer.body.error.code]).toEqual([400, 'bad_request'])
    }
    expect((await call('POST', PATH, { body, headers })).status).toBe(200)
  })

  it('is refused when it carries nothing, though it is signed', async () => {
    for (const object of [null, undefined, 'pi_1']) {
      const { status, body } = await tellService('payment_intent.succeeded', object)
      expect([status, body.error?.code]).toEqual([400, 'bad_request'])
    }
  })

  it('is refused beyond 64 KiB, however well it is signed', async () => {
    const { status, body } = await tellService('charge.pending', { padding: 'x'.repeat(64 * 1024) })
    expect([status, body.error.code]).toEqual([400, 'validation_error'])
  })

  it('is never braked, however often it comes from one address', async () => {
    const { body, headers } = await providerEvent('charge.pending', { id: 'ch_1' })
    const from = { ...headers, 'CF-Connecting-IP': '192.0.2.99' }
    for (let sent = 0; sent < 700; sent += 100) {
      const answers = await Promise.all(
        Array.from({ length: 100 }, () => call('POST', PATH, { body, headers: from })),
      )
      expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([200]))
    }
  })
})

describe('the double of the payment provider', () => {
  const stripe = async () => (await stripeClient(env, fetch))!

  it('speaks as the official client does, keeps its keys and shows what it was asked', async () => {
    const mark = unique('intent')
    const params = {
      amount: 1_000,
      currency: 'usd',
      application_fee_amount: 10,
      transfer_data: { destination: 'acct_1' },
      metadata: { mark },
    }
    const intent = await (await stripe()).paymentIntents.create(params, { idempotencyKey: mark })
    expect(intent).toMatchObject({ ...params, status: 'requires_payment_method', object: 'payment_intent' })
    const again = await (await stripe()).paymentIntents.create(params, { idempotencyKey: mark })
    expect(again.id).toBe(intent.id)
    const other = (await stripe()).paymentIntents.create({ ...params, amount: 2 }, { idempotencyKey: mark })
    await expect(other).rejects.toMatchObject({ statusCode: 400, type: 'StripeIdempotencyError' })
    expect((await (await stripe()).paymentIntents.cancel(intent.id)).status).toBe('canceled')
    expect((await providerObject(intent.id)).status).toBe('canceled')
    expect((await providerCalls(mark)).map(({ isReplay }) => isReplay)).toEqual([false, true, false])
  })

  it('fails where it is told to, in ways that the service can tell apart', async () => {
    const kinds: string[] = []
    for (const does of ['refuses', 'fails', 'drops'] as const) {
      const mark = unique('intent')
      await troubleProvider({ step: 'POST payment_intents', about: mark, does })
      await (await stripe()).paymentIntents
        .create({ amount: 1, currency: 'usd' }, { idempotencyKey: mark })
        .catch((error) => kinds.push(failureOf(error).kind))
    }
    expect(kinds).toEqual(['refused', 'failed', 'unknown'])
  })
})
