import { env } from 'cloudflare:workers'
import { expect, it, vi } from 'vitest'
import { sweep } from '../../src/worker/jobs/sweep.ts'
import { call } from '../support/app.ts'
import { createEventType, createOrganization, dayFromNow } from '../support/factories.ts'
import { attempt, bookPaid, hearOf, pay, truthOf } from '../support/payments.ts'
import {
  askProvider,
  controlProvider,
  providerCalls,
  providerObject,
  setUpEndpoints,
} from '../support/provider-calls.ts'

const HOUR_MS = 3_600_000
const SLOT = dayFromNow(3) + 10 * HOUR_MS
const SETTLED = { timeout: 20_000, interval: 100 }

/** An organization with an account as they were made until payments went to accounts themselves. */
async function createEarlier() {
  const organization = await createOrganization()
  const { id: accountId } = await askProvider('POST', 'accounts', {
    type: 'express',
    'capabilities[card_payments][requested]': 'true',
    'capabilities[transfers][requested]': 'true',
  })
  await setUpEndpoints()
  await controlProvider('POST', `/accounts/${accountId}/onboard`, {})
  await env.DB.prepare(
    `INSERT INTO payment_accounts (organization_id, account_id, charges_enabled, payouts_enabled, connected_at, created_at, updated_at)
     VALUES (?, ?, 1, 1, 1, 1, 1)`,
  )
    .bind(organization.id, accountId)
    .run()
  const { id } = await createEventType(organization.liveKey, { price_amount: 5_000 })
  return { organization, key: organization.liveKey, accountId, eventTypeId: id as string }
}

/** A booking that the version before made, and died before it asked the provider. */
async function bookEarlier(eventTypeId: string, accountId: string) {
  const booked = await bookPaid(eventTypeId, SLOT)
  await askProvider('POST', `payment_intents/${booked.intentId}/cancel`, {}, accountId)
  await env.DB.prepare(
    'UPDATE payments SET intent_id = NULL, provider_account_id = NULL, next_attempt_at = 1 WHERE booking_id = ?',
  )
    .bind(booked.id)
    .run()
  const row = env.DB.prepare('SELECT intent_id FROM payments WHERE booking_id = ?').bind(booked.id)
  await sweep(env, Date.now())
  const intentId = await vi.waitFor(async () => {
    const id = await row.first<string | null>('intent_id')
    expect(id).not.toBeNull()
    return id!
  }, SETTLED)
  return { ...booked, intentId }
}

it('of an earlier account is in that account from now on', async () => {
  const { eventTypeId, accountId, key } = await createEarlier()
  const { id, intentId, payment } = await bookPaid(eventTypeId, SLOT)
  expect(payment.payment_provider_account_id).toBe(accountId)
  expect(await providerObject(intentId)).toMatchObject({ of: accountId, transfer_data: null })
  await pay(intentId)
  expect((await truthOf(id)).booking).toBe('confirmed')
  const connected = await call('GET', '/v1/payment-provider/connect', { key })
  expect(connected.status).toBe(200)
  expect((await call('GET', '/v1/payment-provider/status', { key })).body).toMatchObject({
    connected: true,
    payment_provider_account_id: accountId,
  })
})

it('that was made with the platform is paid, told and refunded there, out of the transfer', async () => {
  const { eventTypeId, accountId, key } = await createEarlier()
  const { id, token, intentId, payment } = await bookEarlier(eventTypeId, accountId)
  expect(await providerObject(intentId)).toMatchObject({
    of: null,
    transfer_data: { destination: accountId },
    on_behalf_of: accountId,
    application_fee_amount: 50,
  })
  const shown = await call('GET', `/v1/bookings/${id}/payment?token=${token}`)
  expect(shown.body).toMatchObject({
    client_secret: expect.stringContaining(intentId),
    payment_provider_account_id: null,
  })
  await attempt(intentId)
  await hearOf(intentId)
  expect(await truthOf(id)).toMatchObject({ booking: 'confirmed', payment: 'succeeded' })
  const part = await call('POST', `/v1/payments/${payment.id}/refund`, { key, body: { amount: 2_000 } })
  expect([part.status, part.body.status]).toEqual([200, 'partially_refunded'])
  const asked = (await providerCalls(intentId)).find(({ step }) => step === 'POST refunds')!
  expect([asked.account, asked.params]).toMatchObject([
    null,
    { reverse_transfer: 'true', refund_application_fee: 'true' },
  ])
  await askProvider('POST', 'refunds', { payment_intent: intentId, amount: '500', reverse_transfer: 'true' })
  await hearOf(intentId)
  expect(await truthOf(id)).toMatchObject({ payment: 'partially_refunded', refunded: 2_500 })
})

it('that was made with the platform and is not paid in time is cancelled there', async () => {
  const { eventTypeId, accountId } = await createEarlier()
  const { id } = await bookEarlier(eventTypeId, accountId)
  await sweep(env, Date.now() + 31 * 60_000)
  await vi.waitFor(async () => expect((await truthOf(id)).intent).toBe('canceled'), SETTLED)
  expect(await truthOf(id)).toMatchObject({ booking: 'cancelled', payment: 'cancelled', holds: 0 })
})
