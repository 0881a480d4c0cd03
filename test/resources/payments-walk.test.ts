import { env } from 'cloudflare:workers'
import { describe, expect, it, vi } from 'vitest'
import { sweep } from '../../src/jobs/sweep.ts'
import { stripeClient } from '../../src/providers/stripe/client.ts'
import { call } from '../support/app.ts'
import { amount, chance, SEED } from '../support/chance.ts'
import { book, dayFromNow, iso } from '../support/factories.ts'
import { createPaid, truthOf } from '../support/payments.ts'
import {
  calmProvider,
  providerObject,
  providerObjects,
  tellService,
  troubleProvider,
} from '../support/provider-calls.ts'

const HOUR_MS = 3_600_000
const STARTS = [9, 10, 11, 12, 13].map((hour) => dayFromNow(3) + hour * HOUR_MS)
const PRICE = 5_000
const STEPS = 16
const AT_ONCE = 4

type Booked = { readonly id: string; readonly token: string; readonly intentId: string }

async function walk(seed: number) {
  const { roll, pick } = chance(seed)
  const { eventTypeId, key, organization, accountId } = await createPaid()
  const stripe = (await stripeClient(env, fetch))!
  const booked: Booked[] = []

  const tellTruth = async (intentId: string) => {
    const intent = await providerObject(intentId)
    if (intent.status === 'succeeded') await tellService('payment_intent.succeeded', intent)
    if (intent.status === 'canceled') await tellService('payment_intent.canceled', intent)
  }
  const moves: Record<string, (one: Booked | undefined) => Promise<unknown>> = {
    book: async () => {
      const { status, body } = await book(eventTypeId, pick(STARTS))
      expect([201, 409, 502]).toContain(status)
      if (status !== 201) return
      booked.push({
        id: body.id,
        token: body.cancel_token,
        intentId: body.payment.client_secret.split('_secret')[0],
      })
    },
    pay: async (one) => {
      await (one && stripe.paymentIntents.confirm(one.intentId).catch(() => {}))
      if (one && roll() < 0.6) await tellTruth(one.intentId)
    },
    hear: async (one) => one && tellTruth(one.intentId),
    'hear of a failure': async (one) =>
      one && tellService('payment_intent.payment_failed', await providerObject(one.intentId)),
    cancel: async (one) =>
      // An invitee who changes their mind at once gives the place of the month back.
      one && call('POST', `/v1/bookings/${one.id}/cancel`, { key, body: {} }),
    move: async (one) =>
      one &&
      call('POST', `/v1/bookings/${one.id}/reschedule?token=${one.token}`, {
        body: { new_start_time: iso(pick(STARTS)) },
      }),
    expire: async (one) => {
      await env.DB.prepare('UPDATE payments SET expires_at = ? WHERE booking_id = ?')
        .bind(Date.now() - 1, one?.id ?? '')
        .run()
      await sweep(env, Date.now())
    },
    refund: async (one) => {
      if (!one) return
      const { body } = await call('GET', `/v1/bookings/${one.id}`, { key })
      const amount = Math.ceil(roll() * PRICE)
      await call('POST', `/v1/payments/${body.payment.id}/refund`, { key, body: { amount } })
    },
    trouble: async () => {
      const step = pick(['POST payment_intents', 'POST payment_intents/cancel', 'POST refunds'])
      const about = step === 'POST refunds' ? organization.id : accountId
      await troubleProvider({ step, about, does: pick(['fails', 'drops', 'refuses']), times: 2 })
    },
  }
  const names = ['book', 'book', 'book', 'pay', 'pay', 'pay', ...Object.keys(moves)]
  for (let step = 0; step < STEPS; step++) {
    await Promise.all(
      Array.from({ length: AT_ONCE }, () => moves[pick(names)]!(booked.length ? pick(booked) : undefined)),
    )
  }
  await calmProvider(organization.id)
  await calmProvider(accountId)
  return { organization, key, tellTruth }
}

async function settle(organizationId: string): Promise<void> {
  const open = env.DB.prepare(
    `SELECT (SELECT count(*) FROM payments WHERE organization_id = ?1 AND next_attempt_at IS NOT NULL) +
      (SELECT count(*) FROM refunds WHERE organization_id = ?1 AND next_attempt_at IS NOT NULL) AS n`,
  ).bind(organizationId)
  await vi.waitFor(
    async () => {
      for (const table of ['payments', 'refunds']) {
        await env.DB.prepare(
          `UPDATE ${table} SET next_attempt_at = 1 WHERE organization_id = ? AND next_attempt_at > ?`,
        )
          .bind(organizationId, Date.now())
          .run()
      }
      await sweep(env, Date.now())
      expect(await open.first('n')).toBe(0)
    },
    { timeout: 60_000, interval: 1_000 },
  )
}

describe('paid bookings in any order, several at once, with a provider that fails now and then', () => {
  it.each(Array.from({ length: amount(4, 24) }, (_, at) => SEED + at))(
    'end with everybody agreeing on who has which time and which money: walk %i',
    async (seed) => {
      const { organization, key, tellTruth } = await walk(seed)
      // The provider tells again and again until it is heard.
      for (const { id, object } of await providerObjects(organization.id)) {
        if (object === 'payment_intent') await tellTruth(id)
      }
      await settle(organization.id)

      const { results: rows } = await env.DB.prepare(
        `SELECT b.id, b.status, b.start_time AS start, p.status AS payment, p.intent_id AS intentId, p.amount,
        p.refunded_amount AS refunded, p.reserved_amount AS reserved,
        (SELECT count(*) FROM events e WHERE e.kind = 'booking.confirmed' AND e.data ->> 'id' = b.id) AS confirmed
       FROM bookings b JOIN payments p ON p.booking_id = b.id WHERE b.organization_id = ?`,
      )
        .bind(organization.id)
        .all<any>()
      expect(rows.length).toBeGreaterThan(5)
      const things = await providerObjects(organization.id)
      const intents = things.filter(({ object }) => object === 'payment_intent')
      const orphans = intents.filter(({ id }) => !rows.some(({ intentId }) => intentId === id))
      expect(orphans.map(({ status }) => status).filter((status) => status !== 'canceled')).toEqual([])

      for (const row of rows) {
        const intent = intents.find(({ id }) => id === row.intentId)
        const back = (await providerObjects(row.intentId ?? 'nobody'))
          .filter(({ object, status }) => object === 'refund' && status === 'succeeded')
          .reduce((sum, { amount }) => sum + amount, 0)
        const what = JSON.stringify({ ...row, intent: intent?.status, back })
        const isActive = row.status !== 'cancelled'
        expect(row.reserved, what).toBe(0)
        expect(row.refunded, what).toBe(back)
        expect(back, what).toBeLessThanOrEqual(row.amount)
        expect(row.confirmed, what).toBeLessThanOrEqual(1)
        if (row.intentId) expect((await truthOf(row.id)).holds, what).toBe(isActive ? 1 : 0)
        if (row.status === 'pending_payment') {
          expect(['pending', 'failed'], what).toContain(row.payment)
          expect(intent?.status, what).toBe('requires_payment_method')
        } else if (isActive) {
          expect([row.confirmed, intent?.status], what).toEqual([1, 'succeeded'])
        }
        if (intent?.status === 'succeeded') {
          expect(['succeeded', 'refunded', 'partially_refunded'], what).toContain(row.payment)
          if (!row.confirmed) expect([row.status, back], what).toEqual(['cancelled', row.amount])
        } else if (!isActive) {
          expect([row.payment, intent?.status ?? 'canceled'], what).toEqual(['cancelled', 'canceled'])
        }
      }
      const active = rows.filter(({ status }) => status !== 'cancelled').map(({ start }) => start)
      expect(new Set(active).size).toBe(active.length)
      const counted = rows.filter(({ status, confirmed }) => confirmed > 0 || status !== 'cancelled').length
      expect((await call('GET', '/v1/usage', { key })).body.usage.bookings_this_month).toBe(counted)
    },
    120_000,
  )
})

describe('what a connected account does by itself', () => {
  it('confirms nobody: only what the platform was paid counts', async () => {
    const { eventTypeId } = await createPaid()
    const { body } = await book(eventTypeId, STARTS[0]!)
    // As if the process had died before it knew the intent: then the metadata of an event name the payment.
    await env.DB.prepare('UPDATE payments SET intent_id = NULL WHERE booking_id = ?').bind(body.id).run()
    const forged = {
      id: 'pi_of_a_connected_account',
      object: 'payment_intent',
      status: 'succeeded',
      amount: 50,
      amount_received: 50,
      currency: 'usd',
      metadata: { payment_id: body.payment.id },
    }
    await tellService('payment_intent.succeeded', forged, { account: 'acct_somebody' })
    const row = await env.DB.prepare('SELECT status FROM bookings WHERE id = ?').bind(body.id).first('status')
    expect(row).toBe('pending_payment')
  })
  it("confirms whoever paid the intent that is the booking's own", async () => {
    const { eventTypeId, accountId } = await createPaid()
    const { body } = await book(eventTypeId, STARTS[0]!)
    const id = body.payment.client_secret.split('_secret_')[0]
    const paid = { id, object: 'payment_intent', status: 'succeeded', amount: 5_000, currency: 'usd' }
    await tellService('payment_intent.succeeded', paid, { account: accountId })
    const row = await env.DB.prepare('SELECT status FROM bookings WHERE id = ?').bind(body.id).first('status')
    expect(row).toBe('confirmed')
  })
})
