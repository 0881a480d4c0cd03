import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import Stripe from 'stripe'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { type Doubles, startDoubles } from '../../doubles/start-doubles.ts'
import { openStripe } from '../../doubles/stripe/open-stripe.ts'
import type { Json } from '../../doubles/world.ts'

const KEY = 'sk_test_double1234'

let doubles: Doubles
let base: string
let stripe: Stripe
let worlds = 0

beforeAll(async () => {
  doubles = await startDoubles({ stripe: openStripe })
})
afterAll(() => doubles.stop())
beforeEach(() => {
  base = `${doubles.url}/stripe/w${worlds++}`
  stripe = sdkAt(base)
})

/** The SDK asks `/v1/…` of a host; the world's path is put before it by the fetch that it is given. */
function sdkAt(world: string): Stripe {
  const httpClient = Stripe.createFetchHttpClient((input: any, init: any) =>
    fetch(String(input).replace(/^https?:\/\/[^/]+/, world), init),
  )
  return new Stripe(KEY, { httpClient, maxNetworkRetries: 0 })
}

async function raw(line: string, form: string | undefined, headers: Record<string, string> = {}) {
  const [method = '', path = ''] = line.split(' ')
  const response = await fetch(base + path, {
    method,
    headers: {
      Authorization: `Bearer ${KEY}`,
      ...(form !== undefined && { 'Content-Type': 'application/x-www-form-urlencoded' }),
      ...headers,
    },
    ...(form !== undefined && { body: form }),
  })
  return { status: response.status, headers: response.headers, json: (await response.json()) as Json }
}

async function control(line: string, told?: unknown): Promise<Json> {
  const [method = '', path = ''] = line.split(' ')
  const response = await fetch(`${base}/control${path}`, {
    method,
    ...(told !== undefined && { body: JSON.stringify(told) }),
  })
  const text = await response.text()
  if (!response.ok) throw new Error(text)
  return text ? JSON.parse(text) : {}
}

async function connected(country = 'US'): Promise<{ id: string; as: { stripeAccount: string } }> {
  const { id } = await stripe.accounts.create({
    country,
    controller: {
      fees: { payer: 'account' },
      losses: { payments: 'stripe' },
      stripe_dashboard: { type: 'full' },
    },
  })
  await control(`POST /accounts/${id}/onboard`)
  return { id, as: { stripeAccount: id } }
}

const CARD = { allowed_payment_method_types: ['card', 'link'] as const }

function intent(as: { stripeAccount: string }, more: Json = {}) {
  return stripe.paymentIntents.create(
    {
      amount: 5000,
      currency: 'usd',
      application_fee_amount: 50,
      allowed_payment_method_types: [...CARD.allowed_payment_method_types],
      ...more,
    },
    as,
  )
}

describe('the API as a whole', () => {
  it('asks for a secret key', async () => {
    expect((await raw('GET /v1/accounts', undefined, { Authorization: '' })).status).toBe(401)
    const publishable = await raw('GET /v1/accounts', undefined, { Authorization: 'Bearer pk_test_x' })
    expect(publishable.json.error.code).toBe('secret_key_required')
  })

  it('returns type, code, message, parameter and links in an error', async () => {
    const { status, json, headers } = await raw('POST /v1/refunds', 'foo=1&bar[baz]=2')
    expect(status).toBe(400)
    expect(json.error).toMatchObject({
      type: 'invalid_request_error',
      code: 'parameter_unknown',
      message: 'Received unknown parameters: foo, bar',
      param: 'foo',
      doc_url: 'https://stripe.com/docs/error-codes/parameter-unknown',
    })
    expect(json.error.request_log_url).toContain(headers.get('Request-Id'))
  })

  it.each([
    ['POST /v1/payment_intents', 'currency=usd', 'amount', 'parameter_missing'],
    ['POST /v1/payment_intents', 'currency=usd&amount=10.5', 'amount', 'parameter_invalid_integer'],
    [
      'POST /v1/payment_intents',
      'currency=usd&amount=500&description=',
      'description',
      'parameter_invalid_empty',
    ],
    ['POST /v1/payment_intents', 'currency=usd&amount=500&capture_method=later', 'capture_method', undefined],
    [
      'POST /v1/payment_intents',
      'currency=usd&amount=500&automatic_payment_methods[on]=true',
      'automatic_payment_methods[on]',
      'parameter_unknown',
    ],
    ['POST /v1/payment_intents', 'currency=usd&amount=500&expand=x', 'expand', undefined],
    ['POST /v1/account_links', 'type=account_onboarding', 'account', 'parameter_missing'],
    ['POST /v1/accounts', 'controller[fees][payer]=nobody', 'controller[fees][payer]', undefined],
    ['GET /v1/payment_intents?limit=101', undefined, 'limit', 'parameter_invalid_integer'],
    [
      'POST /v1/payment_intents',
      'currency=usd&amount=500&payment_method_types[]=card',
      'payment_method_types',
      'payment_method_types_no_longer_supported',
    ],
  ])('refuses a parameter of %s: %s', async (line, form, param, code) => {
    const { status, json } = await raw(line, form)
    expect({ status, param: json.error.param, code: json.error.code }).toEqual({ status: 400, param, code })
  })

  it('answers a key once, and refuses it for something else', async () => {
    const headers = { 'Idempotency-Key': 'k1' }
    const first = await raw('POST /v1/payment_intents', 'amount=500&currency=usd', headers)
    const again = await raw('POST /v1/payment_intents', 'currency=usd&amount=500', headers)
    expect(again.json).toEqual(first.json)
    expect(again.headers.get('Idempotent-Replayed')).toBe('true')
    const other = await raw('POST /v1/payment_intents', 'amount=600&currency=usd', headers)
    expect(other).toMatchObject({ status: 400, json: { error: { type: 'idempotency_error' } } })
    await control('PUT /clock', { ahead_ms: 25 * 3_600_000 })
    const fresh = await raw('POST /v1/payment_intents', 'amount=600&currency=usd', headers)
    expect(fresh.status).toBe(200)
  })

  it('keeps a refusal of an endpoint under its key, but none of a parameter', async () => {
    const headers = { 'Idempotency-Key': 'k1' }
    expect((await raw('POST /v1/payment_intents', 'amount=x&currency=usd', headers)).status).toBe(400)
    expect((await raw('POST /v1/payment_intents', 'amount=10&currency=usd', headers)).status).toBe(400)
    const again = await raw('POST /v1/payment_intents', 'amount=10&currency=usd', headers)
    expect(again.headers.get('Idempotent-Replayed')).toBe('true')
    expect(again.json.error.code).toBe('amount_too_small')
  })

  it('answers 409 to a key whose first call is still at work', async () => {
    await control('PUT ', { takesMs: 150 })
    const call = () => raw('POST /v1/payment_intents', 'amount=500&currency=usd', { 'Idempotency-Key': 'k1' })
    const [one, two] = await Promise.all([call(), call()])
    expect([one.status, two.status].sort()).toEqual([200, 409])
    expect([one, two].find(({ status }) => status === 409)!.json.error.code).toBe('idempotency_key_in_use')
  })

  it('turns pages', async () => {
    for (let at = 0; at < 3; at++) await stripe.paymentIntents.create({ amount: 500 + at, currency: 'usd' })
    const page = await stripe.paymentIntents.list({ limit: 2 })
    expect(page.data.map(({ amount }) => amount)).toEqual([502, 501])
    expect(page.has_more).toBe(true)
    const rest = await stripe.paymentIntents.list({ limit: 2, starting_after: page.data[1]!.id })
    expect(rest.data.map(({ amount }) => amount)).toEqual([500])
    expect(rest.has_more).toBe(false)
  })
})

describe('accounts', () => {
  it('refuses a type beside a controller', async () => {
    const { json } = await raw('POST /v1/accounts', 'type=express&controller[stripe_dashboard][type]=full')
    expect(json.error.code).toBe('parameters_exclusive')
  })

  it('takes charges once the owner has provided what is required', async () => {
    const { id } = await stripe.accounts.create({ controller: {}, country: 'DE' })
    const refused = stripe.paymentIntents.create({ amount: 500, currency: 'eur' }, { stripeAccount: id })
    await expect(refused).rejects.toThrow('No valid payment method types')
    const link = await stripe.accountLinks.create({
      account: id,
      type: 'account_onboarding',
      refresh_url: 'http://127.0.0.1/again',
      return_url: 'http://127.0.0.1/back',
    })
    const done = await fetch(`${link.url}?done=1`, { redirect: 'manual' })
    expect(done.headers.get('Location')).toBe('http://127.0.0.1/back')
    const again = await fetch(link.url, { redirect: 'manual' })
    expect(again.headers.get('Location')).toBe('http://127.0.0.1/again')
    expect(await stripe.accounts.retrieve(id)).toMatchObject({
      charges_enabled: true,
      country: 'DE',
      type: 'standard',
    })
  })

  it('is closed to the platform once the owner takes its access away', async () => {
    const { id, as } = await connected()
    await control(`POST /accounts/${id}/deauthorize`)
    await expect(stripe.paymentIntents.list({}, as)).rejects.toMatchObject({
      code: 'account_invalid',
      statusCode: 403,
    })
    const { events } = await control('GET ')
    expect(events.at(-1)).toMatchObject({ type: 'account.application.deauthorized', account: id })
  })
})

describe('payments', () => {
  it('live on the account they were made for', async () => {
    const { as } = await connected()
    const made = await intent(as)
    await expect(stripe.paymentIntents.retrieve(made.id)).rejects.toMatchObject({
      code: 'resource_missing',
      param: 'intent',
    })
    expect(await stripe.paymentIntents.retrieve(made.id, {}, as)).toMatchObject({
      status: 'requires_payment_method',
    })
  })

  it('have an application fee only if there is an account to take it from', async () => {
    await expect(
      stripe.paymentIntents.create({ amount: 500, currency: 'usd', application_fee_amount: 5 }),
    ).rejects.toMatchObject({ param: 'application_fee_amount' })
  })

  it.each([
    ['usd', 49, 50],
    ['jpy', 49, 50],
    ['huf', 17_400, 17_500],
    ['kwd', 155, 160],
    ['kwd', 100, 1_000],
  ])('in %s are refused at %i and taken at %i', async (currency, less, enough) => {
    const { as } = await connected()
    await expect(intent(as, { currency, amount: less, application_fee_amount: 0 })).rejects.toMatchObject({
      param: 'amount',
    })
    expect((await intent(as, { currency, amount: enough, application_fee_amount: 0 })).amount).toBe(enough)
  })

  it('succeed with a charge, its line of the balance and the platform’s fee', async () => {
    const { id, as } = await connected()
    const made = await intent(as)
    await control(`POST /intents/${made.id}/pay`)
    const paid = await stripe.paymentIntents.retrieve(
      made.id,
      { expand: ['latest_charge.balance_transaction'] },
      as,
    )
    expect(paid).toMatchObject({
      status: 'succeeded',
      amount_received: 5000,
      latest_charge: { balance_transaction: { amount: 5000, fee: 175 + 50, net: 4775 } },
    })
    expect((await stripe.applicationFees.list()).data).toMatchObject([{ amount: 50, account: id }])
    await expect(stripe.paymentIntents.cancel(made.id, {}, as)).rejects.toMatchObject({
      code: 'payment_intent_unexpected_state',
      payment_intent: { status: 'succeeded' },
    })
  })

  it('are declined, processed, asked for more, and tried again', async () => {
    const { as } = await connected()
    const made = await intent(as, { allowed_payment_method_types: ['card', 'us_bank_account'] })
    await control(`POST /intents/${made.id}/pay`, { how: 'decline', decline_code: 'insufficient_funds' })
    const declined = await stripe.paymentIntents.retrieve(made.id, {}, as)
    expect(declined).toMatchObject({
      status: 'requires_payment_method',
      last_payment_error: { code: 'card_declined', decline_code: 'insufficient_funds' },
    })
    expect(await control(`POST /intents/${made.id}/pay`, { how: 'require_action' })).toMatchObject({
      status: 'requires_action',
    })
    expect(await control(`POST /intents/${made.id}/pay`, { how: 'process' })).toMatchObject({
      status: 'processing',
    })
    await expect(stripe.paymentIntents.cancel(made.id, {}, as)).rejects.toMatchObject({
      code: 'payment_intent_unexpected_state',
    })
    expect(await control(`POST /intents/${made.id}/settle`)).toMatchObject({ status: 'succeeded' })
  })

  it('are changed to other methods before they are paid', async () => {
    const { as } = await connected()
    const made = await stripe.paymentIntents.create({ amount: 500, currency: 'eur' }, as)
    expect(made.payment_method_types).toContain('sepa_debit')
    const changed = await stripe.paymentIntents.update(
      made.id,
      { allowed_payment_method_types: ['card'] },
      as,
    )
    expect(changed.payment_method_types).toEqual(['card'])
    await expect(intent(as, { automatic_payment_methods: { enabled: true } })).rejects.toMatchObject({
      code: 'parameters_exclusive',
    })
  })

  it('with a destination belong to the platform, with a fee of the account', async () => {
    const { id } = await connected()
    const { id: payment_intent } = await stripe.paymentIntents.create({
      amount: 5000,
      currency: 'usd',
      application_fee_amount: 50,
      transfer_data: { destination: id },
    })
    await control(`POST /intents/${payment_intent}/pay`)
    await stripe.refunds.create({ payment_intent, reverse_transfer: true, refund_application_fee: true })
    expect((await stripe.applicationFees.list()).data).toMatchObject([{ account: id, amount_refunded: 50 }])
  })

  it('by cards only are never processed for days', async () => {
    const { as } = await connected()
    const made = await intent(as)
    expect(made.payment_method_types).toEqual(['card', 'link'])
    await expect(control(`POST /intents/${made.id}/pay`, { how: 'process' })).rejects.toThrow(
      'does not allow',
    )
  })
})

describe('refunds', () => {
  async function paid(more: Json = {}) {
    const account = await connected()
    const made = await intent(account.as, more)
    await control(`POST /intents/${made.id}/pay`)
    return { ...account, payment_intent: made.id }
  }

  it('return parts, with the fee in proportion, to the cent', async () => {
    const { as, payment_intent } = await paid({ amount: 1000, application_fee_amount: 11 })
    for (const amount of [333, 333, 334])
      await stripe.refunds.create({ payment_intent, amount, refund_application_fee: true }, as)
    const [fee] = (await stripe.applicationFees.list()).data
    expect(fee).toMatchObject({ amount: 11, amount_refunded: 11, refunded: true })
    await expect(stripe.refunds.create({ payment_intent }, as)).rejects.toMatchObject({
      code: 'charge_already_refunded',
    })
  })

  it('are refused over the remaining amount, and with a transfer reversal if there is no transfer', async () => {
    const { as, payment_intent } = await paid()
    await stripe.refunds.create({ payment_intent, amount: 4000 }, as)
    await expect(stripe.refunds.create({ payment_intent, amount: 1001 }, as)).rejects.toMatchObject({
      param: 'amount',
    })
    await expect(stripe.refunds.create({ payment_intent, reverse_transfer: true }, as)).rejects.toMatchObject(
      { param: 'reverse_transfer' },
    )
  })

  it('may fail long after they seemed to have succeeded', async () => {
    const { as, payment_intent } = await paid()
    const { id, charge } = await stripe.refunds.create({ payment_intent }, as)
    await control(`POST /refunds/${id}/settle`, { how: 'failed' })
    expect(await stripe.refunds.retrieve(id, {}, as)).toMatchObject({
      status: 'failed',
      failure_reason: 'expired_or_canceled_card',
    })
    expect(await stripe.charges.retrieve(charge as string, {}, as)).toMatchObject({
      amount_refunded: 0,
      refunded: false,
    })
  })

  it('are refused while the payer disputes, but not once the account won', async () => {
    const { as, payment_intent } = await paid()
    const { id } = await control(`POST /intents/${payment_intent}/dispute`)
    await expect(stripe.refunds.create({ payment_intent }, as)).rejects.toMatchObject({
      code: 'charge_disputed',
    })
    await control(`POST /disputes/${id}/win`)
    expect(await stripe.disputes.retrieve(id, {}, as)).toMatchObject({ status: 'won' })
    expect((await stripe.refunds.create({ payment_intent, amount: 100 }, as)).status).toBe('succeeded')
  })

  it('come too late for a dispute that was accepted', async () => {
    const { as, payment_intent } = await paid()
    const { id } = await control(`POST /intents/${payment_intent}/dispute`)
    expect((await stripe.disputes.close(id, {}, as)).status).toBe('lost')
    await expect(stripe.refunds.create({ payment_intent }, as)).rejects.toMatchObject({
      code: 'charge_disputed',
    })
    await expect(stripe.disputes.close(id, {}, as)).rejects.toThrow('already closed')
    const { events } = await control('GET ')
    const types = events
      .map(({ type }: Json) => type)
      .filter((type: string) => type.startsWith('charge.dispute'))
    expect(types).toEqual([
      'charge.dispute.created',
      'charge.dispute.funds_withdrawn',
      'charge.dispute.closed',
    ])
  })
})

describe('events', () => {
  async function listen() {
    const got: { body: string; signature: string }[] = []
    const server = createServer(async (request, response) => {
      let body = ''
      for await (const piece of request) body += piece
      got.push({ body, signature: String(request.headers['stripe-signature']) })
      response.end()
    })
    await new Promise<void>((done) => server.listen(0, '127.0.0.1', done))
    const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/`
    return { got, url, close: () => server.close() }
  }

  it('are signed, carry their account, and come late, twice and in another order', async () => {
    const { got, url, close } = await listen()
    const { id, as } = await connected()
    await control('PUT /endpoints', [
      { url, connect: true, secrets: ['whsec_old', 'whsec_new'], api_version: '2024-06-20' },
    ])
    await control('PUT ', { holdEvents: true })
    const made = await intent(as)
    await control(`POST /intents/${made.id}/pay`)
    expect(got).toEqual([])
    await control('POST /events/deliver', { order: 'reversed', times: 2 })
    await expect.poll(() => got.length).toBe(6)
    const events = got.map(({ body, signature }) =>
      stripe.webhooks.constructEvent(body, signature, 'whsec_new'),
    )
    expect(events.map(({ type }) => type).slice(0, 3)).toEqual([
      'payment_intent.succeeded',
      'charge.succeeded',
      'payment_intent.created',
    ])
    expect(events[0]).toMatchObject({ account: id, api_version: '2024-06-20' })
    const listed = await stripe.events.list({ type: 'payment_intent.*' }, as)
    expect(listed.data.map(({ type }) => type)).toEqual([
      'payment_intent.succeeded',
      'payment_intent.created',
    ])
    close()
  })
})

it('asks on a page how a payment ends, and leads back with its status', async () => {
  const { as } = await connected()
  const { id, client_secret } = await intent(as)
  const script = await fetch(`${base}/v3/`)
  expect(await script.text()).toContain(`"${base}/pay/"`)
  const page = `${base}/pay/${id}?return_url=${encodeURIComponent('http://localhost/back?a=1')}`
  expect(await (await fetch(page)).text()).toContain('<button name="how" value="decline">')
  const end = async (how: string) => {
    const answer = await fetch(`${page}&how=${how}`, { redirect: 'manual' })
    return [answer.status, answer.headers.get('location')]
  }
  const back = `http://localhost/back?a=1&payment_intent=${id}&payment_intent_client_secret=${client_secret}`
  expect(await end('decline')).toEqual([302, `${back}&redirect_status=failed`])
  expect(await end('succeed')).toEqual([302, `${back}&redirect_status=succeeded`])
  expect((await stripe.paymentIntents.retrieve(id, {}, as)).status).toBe('succeeded')
  expect(await end('succeed')).toEqual([409, null])
  expect((await fetch(`${base}/pay/pi_0?return_url=http://localhost/`)).status).toBe(404)
})
