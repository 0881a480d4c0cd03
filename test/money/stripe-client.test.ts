import Stripe from 'stripe'
import { beforeEach, describe, expect, it } from 'vitest'
import { failureOf, stripeClient } from '../../src/money/stripe/client.ts'
import { readProviderEvent } from '../../src/money/stripe/read-event.ts'
import { patienceOf } from '../support/patience.ts'

/** What both clients are asked, and what they rest before they ask again. */
const SECRET_KEY = 'sk_test_of-two-clients'
const REST_MS = 500

type Answer = {
  readonly status?: number
  readonly json?: unknown
  readonly text?: string
  readonly advice?: string
}

/** A provider that gives one answer after the other, the last one for ever; without an answer, the connection breaks. */
function answering(...answers: readonly Answer[]) {
  const requests: { method: string; url: string; form: unknown[]; headers: Headers }[] = []
  const fetcher = async (input: RequestInfo | URL, init?: RequestInit) => {
    const { status, json, text, advice } = answers[Math.min(requests.length, answers.length - 1)]!
    const request = new Request(input, { ...init, signal: null })
    const { origin, pathname, searchParams } = new URL(request.url)
    const form = request.method === 'POST' ? await request.formData() : searchParams
    requests.push({
      method: request.method,
      url: origin + pathname,
      form: [...form].sort(),
      headers: request.headers,
    })
    if (status === undefined) throw new TypeError('Network connection lost.')
    return new Response(text ?? JSON.stringify(json ?? { id: 'x_1' }), {
      status,
      headers: advice ? { 'stripe-should-retry': advice } : {},
    })
  }
  return { requests, fetcher: fetcher as typeof fetch }
}

function referenceOf(fetcher: typeof fetch) {
  const httpClient = Stripe.createFetchHttpClient(fetcher)
  return new Stripe(SECRET_KEY, { httpClient, maxNetworkRetries: 1, telemetry: false })
}

const ours = (fetcher: typeof fetch) => stripeClient({ STRIPE_SECRET_KEY: SECRET_KEY }, fetcher)!

describe('the client of the payment provider, beside the one that the provider publishes', () => {
  const PARAMS = {
    amount: 1_050,
    currency: 'eur',
    automatic_payment_methods: { enabled: true },
    allowed_payment_method_types: ['card', 'twint'],
    transfer_data: { destination: 'acct_2' },
    metadata: { note: 'a & b = c + d/é [x]', empty: '' },
    description: undefined,
  }

  it('sends the same', async () => {
    const [mine, reference] = [answering({ status: 200 }), answering({ status: 200 })]
    const [client, sdk] = [ours(mine.fetcher), referenceOf(reference.fetcher)]
    const options = { idempotencyKey: 'key-1' }
    await client.post(['payment_intents'], PARAMS, { ...options, account: 'acct_1' })
    await sdk.paymentIntents.create(PARAMS as never, { ...options, stripeAccount: 'acct_1' })
    await client.post(['payment_intents', 'pi/1', 'cancel'])
    await sdk.paymentIntents.cancel('pi/1')
    await client.get(['prices'], { lookup_keys: ['a', 'b c'], active: true, limit: 100 })
    await sdk.prices.list({ lookup_keys: ['a', 'b c'], active: true, limit: 100 })
    await client.post(['subscriptions', 'sub_1'], { cancel_at: null })
    await sdk.subscriptions.update('sub_1', { cancel_at: null as never })
    const said = ({ requests }: typeof mine) =>
      requests.map(({ headers, ...request }) => ({
        ...request,
        ...Object.fromEntries(
          ['authorization', 'stripe-version', 'stripe-account'].map((name) => [name, headers.get(name)]),
        ),
        type: request.method === 'POST' && headers.get('content-type')?.split(';')[0],
        key: headers.get('idempotency-key')?.replace(/^(stripe-node-retry-)?[\da-f-]{36}$/, 'its own'),
      }))
    expect(said(mine)).toEqual(said(reference))
    expect(said(mine).map(({ key }) => key)).toEqual(['key-1', 'its own', undefined, 'its own'])
  })

  const refusal = (status: number, code?: string): Answer => ({
    status,
    json: { error: { type: 'invalid_request_error', code, param: 'amount', message: 'No.' } },
  })
  const BROKEN: Answer = {}

  it.each<[string, Answer[], number, string | null]>([
    ['an answer', [{ status: 200 }], 1, null],
    ['a refusal', [refusal(400, 'parameter_invalid')], 1, 'refused'],
    ['a payment that is declined', [refusal(402, 'card_declined')], 1, 'refused'],
    ['what is not there', [refusal(404, 'resource_missing')], 1, 'refused'],
    ['too many calls', [refusal(429)], 1, 'failed'],
    ['a key whose first call still runs', [refusal(409), { status: 200 }], 2, null],
    ['a key whose first call runs on', [refusal(409)], 2, 'unknown'],
    ['a failure that passes', [refusal(500), { status: 200 }], 2, null],
    ['a failure that stays', [refusal(503)], 2, 'failed'],
    ['a connection that breaks', [BROKEN, { status: 200 }], 2, null],
    ['connections that break', [BROKEN], 2, 'unknown'],
    ['a failure that is not to be asked again', [{ ...refusal(500), advice: 'false' }], 1, 'failed'],
    ['a refusal that is to be asked again', [{ ...refusal(400), advice: 'true' }, { status: 200 }], 2, null],
    ['a page of a proxy', [{ status: 502, text: '<html>' }], 2, 'unknown'],
    ['half an answer', [{ status: 200, text: '{"id":' }], 1, 'unknown'],
  ])('takes %s alike', async (_, answers, attempts, kind) => {
    const [mine, reference] = [answering(...answers), answering(...answers)]
    patienceOf(REST_MS).lose()
    const outcome = (call: Promise<unknown>) =>
      call.then(
        (json) => ({ id: (json as { id: string }).id, failure: null }),
        ({ statusCode, code, param }) => ({ statusCode, code, param }),
      )
    const call = ours(mine.fetcher).post(['refunds'], { payment_intent: 'pi_1' })
    const told = await outcome(call)
    expect(told).toEqual(
      await outcome(referenceOf(reference.fetcher).refunds.create({ payment_intent: 'pi_1' })),
    )
    expect(mine.requests).toHaveLength(attempts)
    expect(reference.requests).toHaveLength(attempts)
    const keys = new Set(mine.requests.map(({ headers }) => headers.get('idempotency-key')))
    expect([...keys]).toEqual([expect.stringMatching(/./)])
    expect(
      await call.then(
        () => null,
        (error) => failureOf(error).kind,
      ),
    ).toBe(kind)
  })

  it('does not retry once its caller has given up', async () => {
    const { requests, fetcher } = answering(BROKEN)
    const client = stripeClient({ STRIPE_SECRET_KEY: SECRET_KEY }, fetcher, AbortSignal.abort())!
    await expect(client.get(['refunds'])).rejects.toMatchObject({ name: 'StripeError' })
    expect(requests.length).toBeLessThanOrEqual(1)
  })
})

describe('a signature of the payment provider', () => {
  const SECRET = 'whsec_of-two-readers'
  const NOW = Date.UTC(2030, 0, 7, 12)
  const body = JSON.stringify({ id: 'evt_1', object: 'event', data: { object: { id: 'pi_é' } } })
  const signed = (secret: string, timestamp = NOW / 1000) =>
    Stripe.webhooks.generateTestHeaderStringAsync({ payload: body, secret, timestamp })
  let good: string
  let other: string
  beforeEach(async () => {
    good = await signed(SECRET)
    other = await signed('whsec_of-somebody-else')
  })

  it.each<[string, () => string | Promise<string>, boolean]>([
    ['is taken', () => good, true],
    ['is taken among several', () => `${other},${good.split(',')[1]}`, true],
    ['of another secret is not', () => other, false],
    ['is taken until it is five minutes old', () => signed(SECRET, NOW / 1000 - 300), true],
    ['that is older is not', () => signed(SECRET, NOW / 1000 - 301), false],
    ['of another time is not', () => good.replace(/t=\d+/, `t=${NOW / 1000 - 1}`), false],
    ['of another scheme is not', () => good.replace('v1=', 'v0='), false],
    ['without its time is not', () => good.split(',')[1]!, false],
    ['that is cut off is not', () => good.slice(0, -2), false],
    ['of nothing is not', () => `t=${NOW / 1000},v1=`, false],
    ['that is missing is not', () => '', false],
  ])('%s, as the reader that the provider publishes has it', async (_, makeHeader, isTaken) => {
    const header = await makeHeader()
    const reference = await Stripe.webhooks
      .constructEventAsync(body, header, SECRET, 300, Stripe.createSubtleCryptoProvider(), NOW)
      .then(
        () => true,
        () => false,
      )
    expect(reference).toBe(isTaken)
    const event = await readProviderEvent(body, header, ['whsec_of-another-endpoint', SECRET], NOW)
    expect(event).toEqual(isTaken ? { snapshot: JSON.parse(body) } : null)
    expect(await readProviderEvent(`${body} `, header, [SECRET], NOW)).toBeNull()
  })

  it('is looked up among the first four, because an anonymous caller may send thousands', async () => {
    const [time, right] = good.split(',')
    const behind = (others: number) =>
      [time, ...Array<string>(others).fill(other.split(',')[1]!), right].join()
    expect(await readProviderEvent(body, behind(3), [SECRET], NOW)).toEqual({ snapshot: JSON.parse(body) })
    expect(await readProviderEvent(body, behind(4), [SECRET], NOW)).toBeNull()
  })
})
