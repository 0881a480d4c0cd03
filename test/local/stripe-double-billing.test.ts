import Stripe from 'stripe'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { type Doubles, startDoubles } from '../../doubles/start-doubles.ts'
import { openStripe } from '../../doubles/stripe/open-stripe.ts'
import type { Json } from '../../doubles/world.ts'

let doubles: Doubles
let base: string
let stripe: Stripe

beforeAll(async () => {
  doubles = await startDoubles({ stripe: openStripe })
  base = `${doubles.url}/stripe/billing`
  const httpClient = Stripe.createFetchHttpClient((input: any, init: any) =>
    fetch(String(input).replace(/^https?:\/\/[^/]+/, base), init),
  )
  stripe = new Stripe('sk_test_double1234', { httpClient, maxNetworkRetries: 0 })
})
afterAll(() => doubles.stop())

async function control(line: string, told: Json = {}): Promise<Json> {
  const [method = '', path = ''] = line.split(' ')
  const response = await fetch(`${base}/control${path}`, {
    method,
    ...(method !== 'GET' && { body: JSON.stringify(told) }),
  })
  return (await response.json()) as Json
}

it('a customer subscribes at a page, changes, does not pay, and leaves', async () => {
  const monthly = { currency: 'usd', recurring: { interval: 'month' as const } }
  const { id: price } = await stripe.prices.create({
    ...monthly,
    unit_amount: 1200,
    product_data: { name: 'Pro' },
  })
  const { id: dearer } = await stripe.prices.create({
    ...monthly,
    unit_amount: 2400,
    product_data: { name: 'Max' },
  })
  const customer = await stripe.customers.create({
    email: 'owner@example.com',
    metadata: { organization: 'o1' },
  })
  const noMethod = stripe.subscriptions.create({ customer: customer.id, items: [{ price }] })
  await expect(noMethod).rejects.toMatchObject({ code: 'resource_missing' })
  const session = await stripe.checkout.sessions.create({
    mode: 'subscription',
    customer: customer.id,
    line_items: [{ price, quantity: 1 }],
    success_url: 'http://127.0.0.1/done',
  })
  expect(session).toMatchObject({ status: 'open', amount_total: 1200 })
  const { subscription: id } = await control(`POST /sessions/${session.id}/complete`)
  const paid = await stripe.subscriptions.retrieve(id, { expand: ['latest_invoice'] })
  expect(paid).toMatchObject({ status: 'active', latest_invoice: { status: 'paid', amount_paid: 1200 } })
  const items = [{ id: paid.items.data[0]!.id, price: dearer }]
  expect((await stripe.subscriptions.update(id, { items })).items.data[0]!.price.id).toBe(dearer)
  expect(await control(`POST /subscriptions/${id}/renew`, { isPaid: false })).toMatchObject({
    status: 'past_due',
  })
  await control(`POST /subscriptions/${id}/change`, { cancel_at_period_end: true })
  expect(await control(`POST /subscriptions/${id}/renew`)).toMatchObject({ status: 'canceled' })
  expect((await stripe.subscriptions.list({ customer: customer.id })).data).toEqual([])
  const portal = await stripe.billingPortal.sessions.create({ customer: customer.id })
  expect(portal.url).toMatch(/^https:\/\/billing\.stripe\.com\//)
  const { events } = await control('GET ')
  expect(events.map(({ type }: Json) => type)).toEqual(
    expect.arrayContaining([
      'checkout.session.completed',
      'invoice.paid',
      'invoice.payment_failed',
      'customer.subscription.deleted',
    ]),
  )
})

it('a subscription ends at once on request', async () => {
  const { id: price } = await stripe.prices.create({
    currency: 'usd',
    unit_amount: 500,
    recurring: { interval: 'year' },
    product_data: { name: 'Y' },
  })
  const { id: customer } = await stripe.customers.create({ payment_method: 'pm_card_visa' })
  const { id } = await stripe.subscriptions.create({ customer, items: [{ price }], trial_period_days: 7 })
  expect((await stripe.subscriptions.cancel(id, { prorate: false })).status).toBe('canceled')
})

it('a deleted customer keeps what they had, and cannot be found any more', async () => {
  const { id: price } = await stripe.prices.create({
    currency: 'usd',
    unit_amount: 900,
    recurring: { interval: 'month' },
    product_data: { name: 'Basic' },
  })
  const { id: customer } = await stripe.customers.create({})
  const subscription = await stripe.subscriptions.create({
    customer,
    items: [{ price }],
    trial_period_days: 7,
  })
  expect(await stripe.customers.del(customer)).toMatchObject({ id: customer, deleted: true })
  expect(await stripe.customers.retrieve(customer)).toMatchObject({ deleted: true })
  expect((await stripe.subscriptions.retrieve(subscription.id)).status).toBe('canceled')
  expect((await stripe.customers.list()).data.map(({ id }) => id)).not.toContain(customer)
  await expect(stripe.customers.del(customer)).rejects.toMatchObject({ code: 'resource_missing' })
  const portal = stripe.billingPortal.sessions.create({ customer, return_url: 'https://example.com/' })
  await expect(portal).rejects.toMatchObject({ code: 'resource_missing' })
})

it('a schedule that is released leaves its subscription, once; an end at an instant is taken back', async () => {
  const { id: price } = await stripe.prices.create({
    currency: 'usd',
    unit_amount: 900,
    recurring: { interval: 'month' },
    product_data: { name: 'Basic' },
  })
  const { id: customer } = await stripe.customers.create({})
  const { id } = await stripe.subscriptions.create({ customer, items: [{ price }], trial_period_days: 7 })
  const schedule = { object: 'subscription_schedule', subscription: id, status: 'active' }
  await control('PUT /objects/sub_sched_1', schedule)
  await control(`PUT /objects/${id}`, { schedule: 'sub_sched_1' })
  expect(await stripe.subscriptionSchedules.release('sub_sched_1')).toMatchObject({ status: 'released' })
  expect((await stripe.subscriptions.retrieve(id)).schedule).toBeNull()
  await expect(stripe.subscriptionSchedules.release('sub_sched_1')).rejects.toMatchObject({ statusCode: 400 })
  const at = Math.floor(Date.now() / 1000) + 86_400
  expect((await stripe.subscriptions.update(id, { cancel_at: at })).cancel_at).toBe(at)
  expect((await stripe.subscriptions.update(id, { cancel_at: '' })).cancel_at).toBeNull()
})
