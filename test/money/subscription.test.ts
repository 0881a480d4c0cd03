import { env } from 'cloudflare:workers'
import { beforeAll, describe, expect, it, vi } from 'vitest'
import worker from '../../src/index.ts'
import { Subscription } from '../../src/money/subscription/schema.ts'
import { createFetch } from '../../src/platform/http/router.ts'
import { rooms } from '../../src/routes.ts'
import { call, callAsService } from '../support/app.ts'
import {
  createCustomer,
  customerOf,
  nowSeconds,
  priceIdOf,
  putPlansOnSale,
  putSubscription,
  subscribe,
} from '../support/billing.ts'
import { createOrganization } from '../support/factories.ts'
import { userWithRole } from '../support/members.ts'
import {
  askProvider,
  changeProviderObject,
  providerCalls,
  providerObject,
  providerObjects,
  tellService,
  troubleProvider,
} from '../support/provider-calls.ts'

const CHECKOUT = {
  tier: 'grow',
  billing_interval: 'month',
  success_url: 'https://example.com/done',
  cancel_url: 'https://example.com/back',
}
const PORTAL = { return_url: 'https://example.com/billing' }
const DAY_SECONDS = 86_400

beforeAll(putPlansOnSale)

function show(key: string) {
  return call('GET', '/v1/subscription', { key }).then(({ body }) => body)
}

function buy(key: string, input: Record<string, unknown> = {}) {
  return call('POST', '/v1/subscription/checkout', { key, body: { ...CHECKOUT, ...input } })
}

function post(key: string, action: string, body?: unknown) {
  return call('POST', `/v1/subscription/${action}`, { key, ...(body !== undefined && { body }) })
}

async function activityOf(key: string): Promise<any[]> {
  const { body } = await call('GET', '/v1/activity?resource_type=subscription', { key })
  return body.data
}

async function perMinute(key: string): Promise<string | null> {
  return (await call('GET', '/v1/usage', { key })).headers.get('X-RateLimit-Limit')
}

/** As the cron does. */
async function sweep(): Promise<void> {
  await worker.scheduled({ scheduledTime: Date.now(), cron: '* * * * *', noRetry() {} } as any, env)
}

function iso(seconds: number): string {
  return new Date(seconds * 1000).toISOString()
}

describe('the subscription', () => {
  it.each([
    ['free', 'Free', 30, 200, 10],
    ['starter', 'Launch', 60, 1000, 50],
    ['grow', 'Grow', 500, 10_000, 1000],
    ['scale', 'Scale', 2000, 50_000, 10_000],
  ] as const)('says what the tier %s allows', async (tier, plan, perMinute, perDay, perMonth) => {
    const { liveKey, testKey } = await createOrganization({ tier })
    const { status, body } = await call('GET', '/v1/subscription', { key: liveKey })
    expect(status).toBe(200)
    expect(Subscription.parse(body)).toEqual(body)
    expect(body).toEqual({
      tier,
      plan,
      status: 'active',
      billing_interval: null,
      current_period_start: null,
      current_period_end: null,
      cancel_at_period_end: false,
      pending_tier: null,
      limits: {
        api_calls_per_minute: perMinute,
        api_calls_per_day: perDay,
        bookings_per_month: perMonth,
      },
    })
    expect((await call('GET', '/v1/subscription', { key: testKey })).body).toEqual(body)
  })

  it('follows the plan at once', async () => {
    const { id, liveKey } = await createOrganization({ tier: 'free' })
    await callAsService('PATCH', `/v1/organizations/${id}`, { body: { tier: 'grow' } })
    expect((await call('GET', '/v1/subscription', { key: liveKey })).body.tier).toBe('grow')
  })

  it('cannot be bought if no provider is configured', async () => {
    const { liveKey } = await createOrganization({ tier: 'free' })
    const { STRIPE_SECRET_KEY: _, ...unconfigured } = env
    const serve = createFetch(rooms)
    for (const [action, input] of [
      ['checkout', CHECKOUT],
      ['portal', PORTAL],
      ['cancel', {}],
      ['resume', {}],
    ] as const) {
      const request = new Request(`https://holdfast.test/v1/subscription/${action}`, {
        method: 'POST',
        headers: { Authorization: `Bearer ${liveKey}` },
        body: JSON.stringify(input),
      })
      const answer = await serve(request, unconfigured)
      const { error } = (await answer.json()) as any
      expect([action, answer.status, error.code]).toEqual([action, 400, 'bad_request'])
      expect(error.message).toContain('not configured')
    }
  })

  it('returns to a private page only on a developer’s machine', async () => {
    const { liveKey } = await createOrganization({ tier: 'free' })
    const ask = (allowed: string) =>
      createFetch(rooms)(
        new Request('https://holdfast.test/v1/subscription/portal', {
          method: 'POST',
          headers: { Authorization: `Bearer ${liveKey}` },
          body: JSON.stringify({ return_url: 'http://localhost:3000/billing' }),
        }),
        { ...env, ALLOW_PRIVATE_HOSTS: allowed },
      )
    expect((await ask('true')).status).toBe(200)
    expect((await ask('false')).status).toBe(400)
  })

  it('names every field of a purchase that is wrong', async () => {
    const { liveKey } = await createOrganization()
    const wrong: [string, Record<string, unknown>, string][] = [
      ['checkout', { ...CHECKOUT, tier: 'free' }, 'tier'],
      ['checkout', { ...CHECKOUT, tier: undefined }, 'tier'],
      ['checkout', { ...CHECKOUT, billing_interval: 'day' }, 'billing_interval'],
      ['checkout', { ...CHECKOUT, success_url: 'javascript:alert(1)' }, 'success_url'],
      ['checkout', { ...CHECKOUT, cancel_url: '/back' }, 'cancel_url'],
      ['checkout', { ...CHECKOUT, success_url: 'http://example.com/done' }, 'success_url'],
      ['checkout', { ...CHECKOUT, cancel_url: 'https://127.0.0.1/' }, 'cancel_url'],
      ['portal', { return_url: 'nowhere' }, 'return_url'],
      ['portal', { return_url: 'https://intranet/' }, 'return_url'],
      ['portal', {}, 'return_url'],
    ]
    for (const [action, input, field] of wrong) {
      const { status, body } = await call('POST', `/v1/subscription/${action}`, { key: liveKey, body: input })
      expect([field, status, body.error.code]).toEqual([field, 400, 'validation_error'])
      expect(Object.keys(body.error.details)).toEqual([field])
    }
  })
})

describe('buying a plan', () => {
  it('leads to a page of the provider, for a customer that is created once', async () => {
    const organization = await createOrganization({ tier: 'free' })
    const first = await buy(organization.liveKey)
    expect(first.status).toBe(200)
    expect(first.body).toEqual({ url: expect.stringMatching(/^https:\/\/checkout\.stripe\.com\//) })
    await buy(organization.liveKey, { tier: 'starter', billing_interval: 'yearly' })

    const objects = await providerObjects(organization.id)
    expect(objects.filter(({ object }) => object === 'customer')).toHaveLength(1)
    const sessions = objects.filter(({ object }) => object === 'checkout.session')
    expect(sessions[0]).toMatchObject({
      mode: 'subscription',
      customer: await customerOf(organization),
      client_reference_id: organization.id,
      success_url: CHECKOUT.success_url,
      cancel_url: CHECKOUT.cancel_url,
    })
    const asked = (await providerCalls(organization.id)).filter(
      ({ step }) => step === 'POST checkout/sessions',
    )
    expect(asked.map(({ params }) => params)).toMatchObject([
      {
        line_items: { 0: { price: priceIdOf('grow', 'month'), quantity: '1' } },
        subscription_data: { metadata: { organization_id: organization.id } },
      },
      { line_items: { 0: { price: priceIdOf('starter', 'year'), quantity: '1' } } },
    ])
    expect((await show(organization.liveKey)).tier).toBe('free')
    const [entry, ...rest] = await activityOf(organization.liveKey)
    expect(entry).toMatchObject({ action: 'subscription.customer_created', actor_type: 'api_key' })
    expect(rest).toEqual([])
  })

  it('creates one customer and leaves one page open if several callers buy at once', async () => {
    const organization = await createOrganization({ tier: 'free' })
    const answers = await Promise.all([1, 2, 3, 4].map(() => buy(organization.liveKey)))
    expect(answers.map(({ status }) => status)).toEqual([200, 200, 200, 200])
    const objects = await providerObjects(organization.id)
    expect(objects.filter(({ object }) => object === 'customer')).toHaveLength(1)
    const sessions = objects.filter(({ object }) => object === 'checkout.session')
    expect(sessions.filter(({ status }) => status === 'open')).toHaveLength(1)
  })

  it('is refused for the plan that the organization has', async () => {
    const { liveKey } = await createOrganization({ tier: 'grow' })
    const { status, body } = await buy(liveKey)
    expect([status, body.error.code]).toEqual([409, 'conflict'])
  })

  it('is refused if the operator sells no such price', async () => {
    const { liveKey } = await createOrganization({ tier: 'free' })
    await changeProviderObject(priceIdOf('scale', 'year'), { active: false })
    const { status, body } = await buy(liveKey, { tier: 'scale', billing_interval: 'year' })
    expect([status, body.error.code]).toEqual([400, 'bad_request'])
    expect(body.error.message).toContain('holdfast_scale_year')
    await putPlansOnSale()
  })

  it('is the switch of the subscription that is paid for already', async () => {
    const { customerId, liveKey } = await createCustomer()
    const { id } = await subscribe(customerId, { tier: 'starter' })
    const { status, body } = await buy(liveKey)
    expect(status).toBe(200)
    expect(body.url).toMatch(/^https:\/\/billing\.stripe\.com\//)
    const asked = await providerCalls(id)
    expect(asked.filter(({ step }) => step === 'POST checkout/sessions')).toEqual([])
    expect(asked.find(({ step }) => step === 'POST billing_portal/sessions')!.params).toEqual({
      customer: customerId,
      return_url: CHECKOUT.cancel_url,
      flow_data: {
        type: 'subscription_update_confirm',
        subscription_update_confirm: {
          subscription: id,
          items: { 0: { id: `si_${id}`, price: priceIdOf('grow', 'month'), quantity: '1' } },
        },
        after_completion: { type: 'redirect', redirect: { return_url: CHECKOUT.success_url } },
      },
    })
  })

  it('takes the other interval of a plan that is paid for, not the same again', async () => {
    const { customerId, liveKey } = await createCustomer()
    await subscribe(customerId, { tier: 'grow' })
    expect((await buy(liveKey)).status).toBe(409)
    expect((await buy(liveKey, { billing_interval: 'year' })).status).toBe(200)
  })

  it('sees a purchase of a moment ago before its event arrives', async () => {
    const { customerId, liveKey } = await createCustomer()
    await putSubscription(customerId, { tier: 'grow' })
    const { status, body } = await buy(liveKey)
    expect([status, body.error.code]).toEqual([409, 'conflict'])
    expect((await show(liveKey)).tier).toBe('grow')
  })

  it('waits for the open payment and for the end that is taken back', async () => {
    const { customerId, liveKey } = await createCustomer()
    const { id } = await subscribe(customerId, { tier: 'starter', status: 'past_due' })
    expect((await buy(liveKey)).status).toBe(409)
    await putSubscription(customerId, { id, tier: 'starter', cancel_at_period_end: true })
    const ending = await buy(liveKey)
    expect([ending.status, ending.body.error.message]).toEqual([409, expect.stringContaining('resume')])
  })

  it('is not for the sandbox, whose organization has one plan', async () => {
    const { testKey } = await createOrganization({ tier: 'free' })
    for (const [action, input] of [
      ['checkout', CHECKOUT],
      ['portal', PORTAL],
      ['cancel', undefined],
      ['resume', undefined],
    ] as const) {
      const { status, body } = await post(testKey, action, input)
      expect([action, status, body.error.code]).toEqual([action, 403, 'forbidden'])
    }
  })

  it('is 502 while the provider fails, and works once it answers', async () => {
    const organization = await createOrganization({ tier: 'free' })
    await troubleProvider({ step: 'POST checkout/sessions', about: organization.id, does: 'fails', times: 2 })
    const { status, body } = await buy(organization.liveKey)
    expect([status, body.error.code]).toEqual([502, 'bad_gateway'])
    expect(JSON.stringify(body)).not.toContain('sk_test')
    expect((await buy(organization.liveKey)).status).toBe(200)
  })

  it('is not stuck with an answer that the provider keeps for a day, nor with a call that still runs', async () => {
    const organization = await createOrganization({ tier: 'free' })
    await troubleProvider({ step: 'POST customers', about: organization.id, does: 'fails', times: 1 })
    expect((await buy(organization.liveKey)).status).toBe(200)
    const other = await createOrganization({ tier: 'free' })
    await troubleProvider({ step: 'POST customers', about: other.id, does: 'is busy', times: 3 })
    expect((await buy(other.liveKey)).status).toBe(200)
  })

  it('replays the page to the same Idempotency-Key', async () => {
    const { liveKey, id } = await createOrganization({ tier: 'free' })
    const headers = { 'Idempotency-Key': 'once' }
    const options = { key: liveKey, headers, body: CHECKOUT }
    const first = await call('POST', '/v1/subscription/checkout', options)
    const again = await call('POST', '/v1/subscription/checkout', options)
    expect(again.body).toEqual(first.body)
    expect(again.headers.get('Idempotent-Replayed')).toBe('true')
    const sessions = (await providerObjects(id)).filter(({ object }) => object === 'checkout.session')
    expect(sessions).toHaveLength(1)
  })
})

describe('the billing portal', () => {
  it('opens for administrators of the organization, also before anything is bought', async () => {
    const organization = await createOrganization({ tier: 'free' })
    const { status, body } = await post(organization.liveKey, 'portal', PORTAL)
    expect([status, body]).toEqual([200, { url: expect.stringMatching(/^https:\/\/billing\.stripe\.com\//) }])
    const customer = await customerOf(organization)
    const [session] = (await providerObjects(customer)).filter(
      (one) => one.object === 'billing_portal.session',
    )
    expect(session).toMatchObject({ customer, return_url: PORTAL.return_url })

    const userId = await userWithRole(organization, 'member')
    const headers = { 'X-Org-Id': organization.id, 'X-User-Id': userId }
    expect((await callAsService('POST', '/v1/subscription/portal', { headers, body: PORTAL })).status).toBe(
      403,
    )
  })
})

describe('an event from the provider', () => {
  it.each([
    'checkout.session.completed',
    'customer.subscription.created',
    'customer.subscription.updated',
    'invoice.paid',
  ])('sets the plan at once: %s', async (kind) => {
    const { customerId, liveKey, testKey } = await createCustomer()
    expect(await perMinute(liveKey)).toBe('30')
    expect(await perMinute(testKey)).toBe('30')
    const start = nowSeconds() - DAY_SECONDS
    await putSubscription(customerId, { tier: 'grow', start })
    const { status } = await tellService(kind, { id: 'x', object: 'x', customer: customerId })
    expect(status).toBe(200)
    expect(await show(liveKey)).toMatchObject({
      tier: 'grow',
      plan: 'Grow',
      status: 'active',
      billing_interval: 'month',
      current_period_start: iso(start),
      current_period_end: iso(start + 30 * DAY_SECONDS),
      cancel_at_period_end: false,
      pending_tier: null,
      limits: { api_calls_per_minute: 500 },
    })
    expect(await perMinute(liveKey)).toBe('500')
    expect(await perMinute(testKey)).toBe('500')
    const [entry] = await activityOf(liveKey)
    expect(entry).toMatchObject({
      actor_type: 'system',
      action: 'subscription.updated',
      is_test: false,
      changes: { tier: ['free', 'grow'], status: [null, 'active'] },
    })
  })

  it('changes nothing when it comes again, in any order or all at once', async () => {
    const { customerId, liveKey } = await createCustomer()
    const old = await putSubscription(customerId, { tier: 'starter' })
    const { id } = await putSubscription(customerId, { id: old.id, tier: 'scale' })
    const told = await Promise.all([
      tellService('customer.subscription.updated', { id, customer: customerId }),
      tellService('customer.subscription.created', old),
      tellService('customer.subscription.deleted', { ...old, status: 'canceled' }),
      tellService('invoice.payment_failed', { id: 'in_1', customer: customerId }),
      tellService('customer.subscription.created', old),
    ])
    expect(told.map(({ status }) => status)).toEqual([200, 200, 200, 200, 200])
    expect(await show(liveKey)).toMatchObject({ tier: 'scale', status: 'active' })
    const entries = await activityOf(liveKey)
    expect(entries.filter(({ action }) => action === 'subscription.updated')).toHaveLength(1)
  })

  it('never lets an older answer of the provider stand after a newer one', async () => {
    const { customerId, liveKey } = await createCustomer()
    const { id } = await putSubscription(customerId, { tier: 'starter' })
    await troubleProvider({
      step: 'GET subscriptions',
      about: customerId,
      does: 'answers',
      times: 1,
      answerDelayMs: 1_500,
    })
    const slow = tellService('invoice.paid', { id: 'in_1', customer: customerId })
    await vi.waitFor(async () => {
      const asked = (await providerCalls(customerId)).filter(({ step }) => step === 'GET subscriptions')
      expect(asked).toHaveLength(1)
    })
    await putSubscription(customerId, { id, tier: 'scale' })
    await tellService('customer.subscription.updated', { id, customer: customerId })
    expect((await show(liveKey)).tier).toBe('scale')
    expect((await slow).status).toBe(200)
    expect(await show(liveKey)).toMatchObject({ tier: 'scale', pending_tier: null })
  })

  it('applies a downgrade only in the next period, whichever event says that it began', async () => {
    const { customerId, liveKey } = await createCustomer()
    const start = nowSeconds() - 10 * DAY_SECONDS
    const { id } = await subscribe(customerId, { tier: 'scale', start })
    await putSubscription(customerId, { id, tier: 'starter', start })
    await tellService('customer.subscription.updated', { id, customer: customerId })
    expect(await show(liveKey)).toMatchObject({ tier: 'scale', pending_tier: 'starter' })
    expect(await perMinute(liveKey)).toBe('2000')

    await sweep()
    expect((await show(liveKey)).tier).toBe('scale')
    await putSubscription(customerId, { id, tier: 'starter', start: nowSeconds() })
    await tellService('invoice.paid', { id: 'in_2', customer: customerId })
    expect(await show(liveKey)).toMatchObject({ tier: 'starter', pending_tier: null })
    expect(await perMinute(liveKey)).toBe('60')
  })

  it('is not waited for when a step down is due', async () => {
    const { customerId, liveKey } = await createCustomer()
    const start = nowSeconds() - 29 * DAY_SECONDS
    const { id } = await subscribe(customerId, { tier: 'scale', start })
    await putSubscription(customerId, { id, tier: 'starter', start })
    await tellService('customer.subscription.updated', { id, customer: customerId })
    const past = Date.now() - 60_000
    await env.DB.prepare('UPDATE subscriptions SET current_period_end = ?, told_at = ? WHERE customer_id = ?')
      .bind(past, past - 1, customerId)
      .run()
    await sweep()
    expect(await show(liveKey)).toMatchObject({ tier: 'starter', pending_tier: null })
    expect(await perMinute(liveKey)).toBe('60')
  })

  it('is asked for when no news of the next period came', async () => {
    const { customerId, liveKey } = await createCustomer()
    const start = nowSeconds() - 31 * DAY_SECONDS
    const { id } = await subscribe(customerId, { tier: 'grow', start })
    const longAgo = Date.now() - 2 * 3_600_000
    const forget = env.DB.prepare('UPDATE subscriptions SET told_at = ? WHERE customer_id = ?')
    await forget.bind(longAgo, customerId).run()
    await putSubscription(customerId, { id, status: 'canceled' })
    await sweep()
    expect(await show(liveKey)).toMatchObject({ tier: 'free', status: 'active' })
  })

  it('keeps the plan while the provider tries to collect, and ends it when that is given up', async () => {
    const { customerId, liveKey } = await createCustomer()
    const { id } = await subscribe(customerId, { tier: 'grow' })
    await putSubscription(customerId, { id, status: 'past_due' })
    await tellService('invoice.payment_failed', { id: 'in_1', customer: customerId })
    expect(await show(liveKey)).toMatchObject({ tier: 'grow', status: 'past_due' })
    await putSubscription(customerId, { id, status: 'unpaid' })
    await tellService('customer.subscription.updated', { id, customer: customerId })
    expect(await show(liveKey)).toMatchObject({ tier: 'free', status: 'unpaid' })
    expect(await perMinute(liveKey)).toBe('30')
    await putSubscription(customerId, { id })
    await tellService('invoice.paid', { id: 'in_1', customer: customerId })
    expect(await show(liveKey)).toMatchObject({ tier: 'grow', status: 'active' })
  })

  it('ends the plan with the subscription', async () => {
    const { customerId, liveKey } = await createCustomer()
    const { id } = await subscribe(customerId, { tier: 'grow' })
    await putSubscription(customerId, { id, status: 'canceled' })
    await tellService('customer.subscription.deleted', { id, customer: customerId })
    expect(await show(liveKey)).toEqual({
      tier: 'free',
      plan: 'Free',
      status: 'active',
      billing_interval: null,
      current_period_start: null,
      current_period_end: null,
      cancel_at_period_end: false,
      pending_tier: null,
      limits: { api_calls_per_minute: 30, api_calls_per_day: 200, bookings_per_month: 10 },
    })
    const bought = await buy(liveKey)
    expect([bought.status, bought.body.url]).toEqual([200, expect.stringContaining('checkout.stripe.com')])
  })

  it('ends the plan with the customer; the next purchase makes another one', async () => {
    const organization = await createCustomer()
    const { customerId, liveKey } = organization
    const { id } = await subscribe(customerId, { tier: 'grow' })
    await putSubscription(customerId, { id, status: 'canceled' })
    await askProvider('DELETE', `customers/${customerId}`)
    expect((await tellService('customer.deleted', { id: customerId, object: 'customer' })).status).toBe(200)
    expect((await show(liveKey)).tier).toBe('free')
    const answers = await Promise.all([buy(liveKey), buy(liveKey)])
    expect(answers.map(({ status }) => status)).toEqual([200, 200])
    const next = await customerOf(organization)
    expect(next).not.toBe(customerId)
    await subscribe(next, { tier: 'scale' })
    expect((await show(liveKey)).tier).toBe('scale')
    expect((await tellService('invoice.paid', { id: 'in_1', customer: customerId })).status).toBe(200)
  })

  it('goes on when the price was replaced on sale', async () => {
    const { customerId, liveKey } = await createCustomer()
    await subscribe(customerId, { tier: 'grow', price: { lookup_key: null } })
    expect((await show(liveKey)).tier).toBe('grow')
  })

  it('is ignored for customers and products that are not ours', async () => {
    expect((await tellService('invoice.paid', { id: 'in_1', customer: 'cus_outsider' })).status).toBe(200)
    expect((await tellService('invoice.paid', { id: 'in_1', customer: null })).status).toBe(200)
    const { customerId, liveKey } = await createCustomer()
    await subscribe(customerId, { price: { lookup_key: 'coffee', product: 'prod_coffee' } })
    expect((await show(liveKey)).tier).toBe('free')
  })

  it('is retried if the provider could not be asked about it', async () => {
    const { customerId, liveKey } = await createCustomer()
    await putSubscription(customerId, { tier: 'grow' })
    await troubleProvider({ step: 'GET subscriptions', about: customerId, does: 'fails', times: 2 })
    const event = { id: 'in_1', customer: customerId }
    const failed = await tellService('invoice.paid', event)
    expect([failed.status, failed.body.error.code]).toEqual([502, 'bad_gateway'])
    expect((await show(liveKey)).tier).toBe('free')
    expect((await tellService('invoice.paid', event)).status).toBe(200)
    expect((await show(liveKey)).tier).toBe('grow')
  })

  it('keeps what the operator has set since, until the paid plan changes', async () => {
    const { customerId, liveKey, id } = await createCustomer()
    const subscription = await subscribe(customerId, { tier: 'starter' })
    await callAsService('PATCH', `/v1/organizations/${id}`, { body: { tier: 'scale' } })
    await tellService('invoice.paid', { id: 'in_1', customer: customerId })
    expect(await show(liveKey)).toMatchObject({ tier: 'scale', billing_interval: 'month' })
    await putSubscription(customerId, { id: subscription.id, tier: 'grow' })
    await tellService('customer.subscription.updated', { id: subscription.id, customer: customerId })
    expect((await show(liveKey)).tier).toBe('grow')
    await callAsService('PATCH', `/v1/organizations/${id}`, { body: { tier: 'free' } })
    expect((await show(liveKey)).tier).toBe('free')
  })
})

describe('the end of a subscription', () => {
  it('comes with its period, and can be taken back until then', async () => {
    const { customerId, liveKey } = await createCustomer()
    const { id } = await subscribe(customerId, { tier: 'grow' })
    for (let asked = 0; asked < 2; asked++) {
      const { status, body } = await post(liveKey, 'cancel')
      expect([status, body.tier, body.status, body.cancel_at_period_end]).toEqual([
        200,
        'grow',
        'active',
        true,
      ])
    }
    expect(await show(liveKey)).toMatchObject({ tier: 'grow', cancel_at_period_end: true })
    expect((await providerObject(id)).cancel_at_period_end).toBe(true)
    for (let asked = 0; asked < 2; asked++) {
      const { status, body } = await post(liveKey, 'resume')
      expect([status, body.tier, body.cancel_at_period_end]).toEqual([200, 'grow', false])
    }
    expect((await providerObject(id)).cancel_at_period_end).toBe(false)
    const updates = (await providerCalls(id)).filter(({ step }) => step === 'POST subscriptions')
    expect(updates).toHaveLength(2)
    const told = (await activityOf(liveKey)).map(({ actor_type, changes }) => [actor_type, changes])
    expect(told.slice(0, 2)).toEqual([
      ['api_key', { cancel_at_period_end: [true, false] }],
      ['api_key', { cancel_at_period_end: [false, true] }],
    ])
  })

  it('that the portal set to a date can be taken back too', async () => {
    const { customerId, liveKey } = await createCustomer()
    const { id } = await subscribe(customerId, { cancel_at: nowSeconds() + DAY_SECONDS })
    expect((await show(liveKey)).cancel_at_period_end).toBe(true)
    expect((await post(liveKey, 'resume')).body.cancel_at_period_end).toBe(false)
    expect((await providerObject(id)).cancel_at).toBeNull()
  })

  it('replaces a switch that the portal scheduled for the next period', async () => {
    const { customerId, liveKey } = await createCustomer()
    const { id } = await subscribe(customerId)
    const schedule = `sub_sched_${id}`
    await changeProviderObject(schedule, {
      object: 'subscription_schedule',
      subscription: id,
      status: 'active',
    })
    await changeProviderObject(id, { schedule })
    const { status, body } = await post(liveKey, 'cancel')
    expect([status, body.cancel_at_period_end]).toEqual([200, true])
    expect((await providerObject(schedule)).status).toBe('released')
  })

  it('is 409 if there is no subscription', async () => {
    const { customerId, liveKey } = await createCustomer()
    for (const action of ['cancel', 'resume']) {
      const { status, body } = await post(liveKey, action)
      expect([action, status, body.error.code]).toEqual([action, 409, 'conflict'])
    }
    const { id } = await subscribe(customerId)
    await putSubscription(customerId, { id, status: 'canceled' })
    expect((await post(liveKey, 'resume')).status).toBe(409)
    expect((await show(liveKey)).tier).toBe('grow')
  })

  it('is 502 while the provider fails, and nothing changed', async () => {
    const { customerId, liveKey } = await createCustomer()
    const { id } = await subscribe(customerId)
    await troubleProvider({ step: 'POST subscriptions', about: id, does: 'fails', times: 2 })
    const { status, body } = await post(liveKey, 'cancel')
    expect([status, body.error.code]).toEqual([502, 'bad_gateway'])
    expect((await show(liveKey)).cancel_at_period_end).toBe(false)
  })
})
