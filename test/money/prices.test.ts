import { env } from 'cloudflare:workers'
import { expect, it } from 'vitest'
import { call } from '../support/app.ts'
import { createEventType, createOrganization, dayFromNow } from '../support/factories.ts'
import { bookPaid, createPaid, pay } from '../support/payments.ts'
import { providerCalls } from '../support/provider-calls.ts'

const HOUR_MS = 3_600_000
const SLOT = dayFromNow(3) + 10 * HOUR_MS

/** The least of each, one step less, and the step. */
const LEAST = [
  ['aed', 200, 1],
  ['czk', 1_500, 1],
  ['dkk', 250, 1],
  ['hkd', 400, 1],
  ['huf', 17_500, 1],
  ['mxn', 1_000, 1],
  ['nok', 300, 1],
  ['sek', 300, 1],
  ['thb', 1_000, 1],
  ['jpy', 100, 1],
  ['kwd', 100, 10],
] as const

function create(key: string, input: Record<string, unknown>) {
  const body = { title: 'Paid', slug: crypto.randomUUID(), duration_minutes: 30, ...input }
  return call('POST', '/v1/event-types', { key, body })
}

function change(key: string, id: string, body: Record<string, unknown>) {
  return call('PATCH', `/v1/event-types/${id}`, { key, body })
}

function refusal({ status, body }: Awaited<ReturnType<typeof create>>) {
  return [status, body.error?.code, Object.keys(body.error?.details ?? {})]
}

const TOO_LITTLE = [400, 'validation_error', ['price_amount']]

it('a price is refused below the provider’s minimum in its currency, whichever of the two is changed', async () => {
  const { liveKey: key } = await createOrganization()
  for (const [price_currency, least, step] of LEAST) {
    const [price_amount, less] = [least, least - step]
    const made = await create(key, { price_currency, price_amount })
    expect([price_currency, made.status]).toEqual([price_currency, 201])
    expect(refusal(await create(key, { price_currency, price_amount: less }))).toEqual(TOO_LITTLE)
    expect(refusal(await change(key, made.body.id, { price_amount: less }))).toEqual(TOO_LITTLE)
  }
  const { id } = await createEventType(key, { price_amount: 900 })
  expect(refusal(await change(key, id, { price_currency: 'czk' }))).toEqual(TOO_LITTLE)
  expect((await change(key, id, { price_currency: 'czk', price_amount: 2_000 })).status).toBe(200)
  expect((await change(key, id, { price_amount: null, price_currency: 'huf' })).status).toBe(200)
})

it('a price is a multiple of its currency’s smallest step', async () => {
  const { liveKey: key } = await createOrganization()
  for (const price_currency of ['bhd', 'jod', 'kwd', 'omr', 'tnd']) {
    expect((await create(key, { price_currency, price_amount: 5_120 })).status).toBe(201)
    expect(refusal(await create(key, { price_currency, price_amount: 5_125 }))).toEqual(TOO_LITTLE)
  }
  expect((await create(key, { price_currency: 'jpy', price_amount: 5_125 })).status).toBe(201)
})

it('a price is in a currency that the provider charges', async () => {
  const { liveKey: key } = await createOrganization()
  for (const price_currency of ['hrk', 'xau', 'kpw', 'btc']) {
    const refused = await create(key, { price_currency, price_amount: 5_000 })
    expect(refusal(refused)).toEqual([400, 'validation_error', ['price_currency']])
  }
})

it('a price that was already too low stays until it is changed', async () => {
  const { eventTypeId, key } = await createPaid({ price_amount: 500, price_currency: 'usd' })
  await env.DB.prepare('UPDATE event_types SET price_amount = 120 WHERE id = ?').bind(eventTypeId).run()
  await env.DB.prepare("UPDATE event_types SET price_currency = 'sek' WHERE id = ?").bind(eventTypeId).run()
  const kept = await change(key, eventTypeId, { title: 'Later', price_amount: 120 })
  expect([kept.status, kept.body.price_amount]).toEqual([200, 120])
  expect(refusal(await change(key, eventTypeId, { price_amount: 130 }))).toEqual(TOO_LITTLE)
  await env.DB.prepare("UPDATE event_types SET price_currency = 'usd' WHERE id = ?").bind(eventTypeId).run()
  const { payment } = await bookPaid(eventTypeId, SLOT)
  expect(payment.amount).toBe(120)
})

it('a very small price has no fee, and its payment can still be refunded', async () => {
  const { eventTypeId, key, accountId } = await createPaid({ price_amount: 260, price_currency: 'kwd' })
  const { intentId, payment } = await bookPaid(eventTypeId, SLOT)

  await pay(intentId)
  const refunded = await call('POST', `/v1/payments/${payment.id}/refund`, { key, body: {} })
  expect([refunded.status, refunded.body.status, refunded.body.platform_fee]).toEqual([200, 'refunded', 0])
  const asked = (await providerCalls(accountId)).filter(({ step }) => step.startsWith('POST'))
  expect(asked.map(({ params }) => params)).not.toContainEqual(
    expect.objectContaining({ application_fee_amount: expect.anything() }),
  )
})
