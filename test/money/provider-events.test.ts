import { env } from 'cloudflare:workers'
import Stripe from 'stripe'
import { describe, expect, it, onTestFinished, vi } from 'vitest'
import { failureOf, stripeClient } from '../../src/money/stripe/client.ts'
import { call } from '../support/app.ts'
import { dayFromNow, unique } from '../support/factories.ts'
import { attempt, bookPaid, createPaid, truthOf } from '../support/payments.ts'
import { providerObject, tellService, troubleProvider } from '../support/provider-calls.ts'
import { providerEvent } from '../support/provider-events.ts'

const PATH = '/v1/payment-provider/webhook'
const MINUTE_MS = 60_000
const HOUR_MS = 60 * MINUTE_MS
const SLOT = dayFromNow(3) + 10 * HOUR_MS

describe('an event of the payment provider', () => {
  it('is accepted if it is signed, and ignored if its kind is unknown', async () => {
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

  it('is refused if it is empty, though it is signed', async () => {
    for (const object of [null, undefined, 'pi_1']) {
      const { status, body } = await tellService('payment_intent.succeeded', object)
      expect([status, body.error?.code]).toEqual([400, 'bad_request'])
    }
  })

  it('is refused over 64 KiB, even if it is signed correctly', async () => {
    const { status, body } = await tellService('charge.pending', { padding: 'x'.repeat(64 * 1024) })
    expect([status, body.error.code]).toEqual([400, 'validation_error'])
  })

  it('is never rate limited, however often it arrives from one address', async () => {
    const { body, headers } = await providerEvent('charge.pending', { id: 'ch_1' })
    const from = { ...headers, 'CF-Connecting-IP': '192.0.2.99' }
    for (let sent = 0; sent < 700; sent += 100) {
      const answers = await Promise.all(
        Array.from({ length: 100 }, () => call('POST', PATH, { body, headers: from })),
      )
      expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([200]))
    }
  })

  it('in another version is handled, and logged once for the operator, without its content', async () => {
    const { eventTypeId } = await createPaid()
    const told = vi.spyOn(console, 'warn').mockImplementation(() => {})
    onTestFinished(() => told.mockRestore())
    for (const version of ['2020-08-27', null]) {
      const { id, intentId, body } = await bookPaid(eventTypeId, SLOT + (version ? 0 : HOUR_MS))
      await attempt(intentId)
      const intent = await providerObject(intentId)
      told.mockClear()
      const options = { version, account: intent.of! }
      expect((await tellService('payment_intent.succeeded', intent, options)).status).toBe(200)
      expect((await truthOf(id)).booking).toBe('confirmed')
      const [line, ...more] = told.mock.calls.map(([text]) => JSON.parse(text))
      expect(more).toEqual([])
      expect(line).toEqual({
        provider: 'event version',
        type: 'payment_intent.succeeded',
        version,
        expected: Stripe.API_VERSION,
      })
      expect(body.invitee_email).toBeTruthy()
    }
    await tellService('charge.pending', { id: 'ch_1', object: 'charge' })
    expect(told).toHaveBeenCalledTimes(1)
  })
})

describe('failures of the payment provider', () => {
  it('are distinguished', async () => {
    const kinds: string[] = []
    for (const does of ['refuses', 'fails', 'drops'] as const) {
      const mark = unique('intent')
      await troubleProvider({ step: 'POST payment_intents', about: mark, does })
      await stripeClient(env, fetch)!
        .post(['payment_intents'], { amount: 1_000, currency: 'usd' }, { idempotencyKey: mark })
        .catch((error) => kinds.push(failureOf(error).kind))
    }
    expect(kinds).toEqual(['refused', 'failed', 'unknown'])
  })
})
