import { env } from 'cloudflare:workers'
import { describe, expect, it, vi } from 'vitest'
import { sweep } from '../../src/jobs/sweep.ts'
import { call } from '../support/app.ts'
import { amount, chance, SEED } from '../support/chance.ts'
import { book, dayFromNow, iso } from '../support/factories.ts'
import { attempt, createPaid, settleAttempt, tellIntent, truthOf } from '../support/payments.ts'
import {
  askProvider,
  calmProvider,
  controlProvider,
  deliverEvents,
  type ProviderObject,
  providerObject,
  providerObjects,
  troubleProvider,
} from '../support/provider-calls.ts'

const HOUR_MS = 3_600_000
const STARTS = [9, 10, 11, 12, 13, 14, 15].map((hour) => dayFromNow(3) + hour * HOUR_MS)
/** With two decimals, none and three, whose last one is always 0. */
const PRICES = [
  { price_currency: 'usd', price_amount: 5_000, step: 1 },
  { price_currency: 'jpy', price_amount: 4_999, step: 1 },
  { price_currency: 'kwd', price_amount: 12_350, step: 10 },
] as const
const STEPS = 20
const AT_ONCE = 4

type Booked = { readonly id: string; readonly token: string; readonly intentId: string }

async function walk(seed: number) {
  const { roll, pick } = chance(seed)
  const { step: unit, ...price } = PRICES[seed % PRICES.length]!
  const { eventTypeId, key, organization, accountId } = await createPaid({
    ...price,
    delayed_payment_methods: seed % 2 === 0,
  })
  const booked: Booked[] = []
  const part = () => Math.ceil((roll() * price.price_amount) / unit) * unit

  const tellTruth = async (intentId: string) => {
    const { status } = await providerObject(intentId)
    if (status === 'succeeded') await tellIntent(intentId, 'payment_intent.succeeded')
    if (status === 'canceled') await tellIntent(intentId, 'payment_intent.canceled')
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
      await (one && attempt(one.intentId).catch(() => {}))
      if (one && roll() < 0.6) await tellTruth(one.intentId)
    },
    process: async (one) => one && attempt(one.intentId, 'process').catch(() => {}),
    settle: async (one) => one && settleAttempt(one.intentId, pick(['succeed', 'decline'])).catch(() => {}),
    hear: async (one) => one && tellTruth(one.intentId),
    'hear it all again': async (one) => one && deliverEvents(one.intentId),
    'hear of a failure': async (one) => one && tellIntent(one.intentId, 'payment_intent.payment_failed'),
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
      await call('POST', `/v1/payments/${body.payment.id}/refund`, { key, body: { amount: part() } })
    },
    'refund at the provider': async (one) => {
      if (!one || roll() < 0.5) return
      const refund_application_fee = pick(['true', 'false'])
      const form = { payment_intent: one.intentId, amount: String(part()), refund_application_fee }
      await askProvider('POST', 'refunds', form, accountId).catch(() => {})
    },
    dispute: async (one) =>
      one && controlProvider('POST', `/intents/${one.intentId}/dispute`, {}).catch(() => {}),
    'decide on a dispute': async (one) => {
      const dispute = (await disputesOf(accountId)).find(({ payment_intent: id }) => id === one?.intentId)
      if (dispute) await decide(dispute, pick(['win', 'lose', 'escalate']))
    },
    trouble: async () => {
      const step = pick([
        'POST payment_intents',
        'POST payment_intents/cancel',
        'POST refunds',
        'GET payment_intents',
      ])
      await troubleProvider({ step, about: accountId, does: pick(['fails', 'drops', 'refuses']), times: 2 })
    },
  }
  const names = [...Array(6).fill('book'), 'pay', 'pay', 'pay', 'expire', ...Object.keys(moves)]
  for (let step = 0; step < STEPS; step++) {
    await Promise.all(
      Array.from({ length: AT_ONCE }, () => moves[pick(names)]!(booked.length ? pick(booked) : undefined)),
    )
  }
  await calmProvider(accountId)
  return { organization, key, accountId }
}

async function disputesOf(accountId: string) {
  const all = await providerObjects('du_')
  return all.filter(({ object, of }) => object === 'dispute' && of === accountId)
}

async function decide({ id }: ProviderObject, how: string): Promise<void> {
  await controlProvider('POST', `/disputes/${id}/${how}`).catch(() => {})
}

async function intentsOf(accountId: string) {
  const all = await providerObjects('payment_intent')
  return all.filter(({ object, of }) => object === 'payment_intent' && of === accountId)
}

/** What the summary is told from. */
async function sumsOf(organizationId: string) {
  const query = env.DB.prepare(
    'SELECT revenue, refunded, lost, fees, pending FROM payment_sums WHERE organization_id = ? AND NOT is_test',
  )
  return query.bind(organizationId).first()
}

/** The same as the provider has it: what the account was paid and gave back, and what the platform got of it. */
async function sumsAtProvider(accountId: string) {
  const sum = (all: readonly ProviderObject[], of: (one: ProviderObject) => number) =>
    all.reduce((total, one) => total + of(one), 0)
  const intents = await intentsOf(accountId)
  const things = await providerObjects(accountId)
  const refunds = (await providerObjects('refund')).filter(
    ({ object, of, status }) => object === 'refund' && of === accountId && status === 'succeeded',
  )
  const fees = things.filter(({ object }) => object === 'application_fee')
  return {
    revenue: sum(intents, ({ amount_received: amount }) => amount),
    refunded: sum(refunds, ({ amount }) => amount),
    lost: sum(
      (await disputesOf(accountId)).filter(({ status }) => status === 'lost'),
      ({ amount }) => amount,
    ),
    fees: sum(fees, ({ amount, amount_refunded: back }) => amount - back),
    // Whose last attempt failed waits too, but is not counted.
    pending: intents.filter(
      ({ status, latest_charge: charge }) => status === 'requires_payment_method' && !charge,
    ).length,
  }
}

/** Lets the sweep come until nothing is owed; about what was paid the provider is asked for months. */
async function settle(organizationId: string): Promise<void> {
  const open = env.DB.prepare(
    `SELECT (SELECT count(*) FROM payments WHERE organization_id = ?1 AND next_attempt_at IS NOT NULL
        AND status IN ('pending', 'processing', 'failed', 'cancelled')) +
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
    { timeout: 60_000, interval: 500 },
  )
}

describe('paid bookings in any order, several at once, with a provider that fails now and then', () => {
  it.each(Array.from({ length: amount(6, 24) }, (_, at) => SEED + at))(
    'end with everybody agreeing on who has which time and which money: walk %i',
    async (seed) => {
      const { organization, key, accountId } = await walk(seed)
      // What takes days comes to its end, and the provider tells all of it until it is heard.
      for (const { id, status } of await intentsOf(accountId)) {
        if (status === 'processing') await settleAttempt(id, seed % 4 === 0 ? 'decline' : 'succeed')
      }
      for (const dispute of await disputesOf(accountId)) await decide(dispute, seed % 2 ? 'lose' : 'win')
      await settle(organization.id)
      await vi.waitFor(async () => {
        const told = await deliverEvents(accountId)
        expect(told.filter(({ status }) => status !== 200)).toEqual([])
      }, 60_000)
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
      const intents = await intentsOf(accountId)
      const disputes = await disputesOf(accountId)
      const orphans = intents.filter(({ id }) => !rows.some(({ intentId }) => intentId === id))
      expect(orphans.map(({ status }) => status).filter((status) => status !== 'canceled')).toEqual([])

      for (const row of rows) {
        const intent = intents.find(({ id }) => id === row.intentId)
        const refunds = (await providerObjects(row.intentId ?? 'nobody')).filter(
          ({ object, status }) => object === 'refund' && status === 'succeeded',
        )
        const back = refunds.reduce((sum, { amount }) => sum + amount, 0)
        const isRefundedThere = refunds.some(({ metadata }) => !metadata.refund_id)
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
          const isLost = disputes.some(
            ({ status, amount, payment_intent: id }) =>
              status === 'lost' && amount > 0 && id === row.intentId,
          )
          const paid = ['succeeded', 'refunded', 'partially_refunded']
          expect(isLost ? ['dispute_lost'] : paid, what).toContain(row.payment)
          // What a bank took back cannot be given back once more, nor all of what was given back in part at the provider.
          if (!row.confirmed && !isLost && !isRefundedThere)
            expect([row.status, back], what).toEqual(['cancelled', row.amount])
        } else if (!isActive) {
          expect([row.payment, intent?.status ?? 'canceled'], what).toEqual(['cancelled', 'canceled'])
        }
      }
      const active = rows.filter(({ status }) => status !== 'cancelled').map(({ start }) => start)
      expect(new Set(active).size).toBe(active.length)
      expect(await sumsOf(organization.id)).toEqual(await sumsAtProvider(accountId))
      const counted = rows.filter(({ status, confirmed }) => confirmed > 0 || status !== 'cancelled').length
      expect((await call('GET', '/v1/usage', { key })).body.usage.bookings_this_month).toBe(counted)
    },
    120_000,
  )
})
