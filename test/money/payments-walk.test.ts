import { env } from 'cloudflare:workers'
import { describe, expect, it, vi } from 'vitest'
import { percentOf } from '../../src/engine/schedule/price.ts'
import { settleRefund } from '../../src/money/payments/refunds/settle-refund.ts'
import { settlePayment } from '../../src/money/payments/settle-payment.ts'
import { tokenFor } from '../../src/platform/auth/secret.ts'
import type { RealMs } from '../../src/platform/limits/clock.ts'
import { sweep } from '../../src/worker/jobs/sweep.ts'
import { call } from '../support/app.ts'
import { amount, chance, SEED, SOAK_TIMEOUT_MS } from '../support/chance.ts'
import { bookAsAnother, bookingInput, iso, unique } from '../support/factories.ts'
import { mortalService } from '../support/mortal-service.ts'
import { patienceOf } from '../support/patience.ts'
import { attempt, createPaid, settleAttempt } from '../support/payments.ts'
import {
  askProvider,
  calmProvider,
  controlProvider,
  providerObjects,
  troubleProvider,
} from '../support/provider-calls.ts'

const HOUR_MS = 3_600_000
/** What a cancel of the invitee gives back differs from start to start. */
const FROM_NOW = [7, 8, 9, 30, 31, 32, 80, 81, 82, 83]
const POLICY = [
  { until_minutes_before: 2 * 1440, percent: 100 },
  { until_minutes_before: 1440, percent: 65 },
  { until_minutes_before: 60, percent: 15 },
]
const PRICES = [
  { price_currency: 'jpy', price_amount: 5_055, step: 1 },
  { price_currency: 'eur', price_amount: 12_345, step: 1 },
  { price_currency: 'kwd', price_amount: 10_550, step: 10 },
] as const
const STEPS = amount(12, 20)
const AT_ONCE = 5
/** Longer than a move takes where the provider answers. */
const PATIENCE_MS = 500
const UNDECIDED = ['needs_response', 'under_review', 'warning_needs_response', 'warning_under_review']

/** What is drawn more often than the rest. */
const OFTEN = [
  ...['book', 'book', 'book', 'book', 'book', 'pay', 'pay', 'pay', 'pay', 'pay', 'pay'],
  ...['refund', 'refund', 'refund in the dashboard', 'refund in the dashboard', 'dispute', 'dispute'],
  ...['decide a dispute', 'cancel by policy', 'cancel by policy', 'hear', 'die while refunding'],
]

type Row = Record<string, any>

async function rowsOf(query: string, ...values: unknown[]): Promise<Row[]> {
  const { results } = await env.DB.prepare(query)
    .bind(...values)
    .all<Row>()
  return results
}

const pause = (ms: number) => new Promise((resolve) => setTimeout(resolve, ms))

async function walk(seed: number, price: (typeof PRICES)[number]) {
  const { roll, pick, below } = chance(seed)
  const { step, ...priced } = price
  const { eventTypeId, key, organization, accountId } = await createPaid({
    ...priced,
    refund_policy: POLICY,
    waitlist_enabled: true,
    delayed_payment_methods: true,
  })
  const hour = Math.ceil(Date.now() / HOUR_MS) * HOUR_MS
  const starts = FROM_NOW.map((hours) => hour + hours * HOUR_MS)
  const patience = patienceOf(3_000, 4_000, 6_000, 7_000)
  /** A process that dies in the middle of what it does. */
  const dying = () => mortalService(below(14), roll() < 0.5)
  const paymentsNow = () =>
    rowsOf(
      `SELECT p.id, p.booking_id AS bookingId, p.intent_id AS intentId, p.amount, p.status FROM payments p
       WHERE organization_id = ? AND intent_id IS NOT NULL`,
      organization.id,
    )
  let known = await paymentsNow()
  /** Whom all moves of a step are about, in every second step. */
  let focus: Row | undefined
  const one = (): Row | undefined => focus ?? (known.length > 0 ? pick(known) : undefined)
  const asInvitee = async (bookingId: string, verb: string) =>
    `/v1/bookings/${bookingId}/${verb}?token=${await tokenFor(env.ENCRYPTION_KEY, bookingId)}`
  const control = (path: string, body: object = {}) => controlProvider('POST', path, body).catch(() => {})
  const part = (of: number) => Math.max(step, Math.ceil((roll() * of) / step) * step)
  /** What the provider has of that kind for one payment, or for all of the account. */
  const thingsOf = async (kind: string, about = accountId): Promise<Row[]> =>
    (await providerObjects(about === accountId ? kindMark(kind) : about)).filter(
      ({ object, of, payment_intent: intent }) =>
        object === kind && of === accountId && (about === accountId || intent === about),
    )

  /** Some of what the provider ever posted about a payment: late, double, out of order. */
  async function hear(intentId: string, by: typeof call) {
    const posted = await tellingsOf(intentId)
    for (let told = below(5); told >= 0 && posted.length > 0; told--) {
      const { headers, body } = pick(posted)
      await by('POST', '/v1/payment-provider/webhook', { headers, body })
    }
  }
  const moves: Record<string, () => Promise<unknown>> = {
    book: async () => {
      const { status } = await bookAsAnother(eventTypeId, pick(starts))
      expect([201, 409, 502]).toContain(status)
    },
    wait: async () => {
      const who = { invitee_email: `${unique('waits')}@example.com` }
      await call('POST', '/v1/waitlist', { body: bookingInput(eventTypeId, pick(starts), who) })
    },
    pay: async () => {
      const payment = one()
      if (!payment) return
      const how = pick(['succeed', 'succeed', 'succeed', 'decline', 'process'] as const)
      await attempt(payment.intentId, how).catch(() => {})
      if (roll() < 0.6) await hear(payment.intentId, call)
    },
    'end what is under way': async () => {
      const payment = one()
      if (payment)
        await settleAttempt(payment.intentId, pick(['succeed', 'succeed', 'decline'])).catch(() => {})
    },
    hear: async () => {
      const payment = one()
      if (payment) await hear(payment.intentId, call)
    },
    cancel: async () => {
      const payment = one()
      if (payment) await call('POST', `/v1/bookings/${payment.bookingId}/cancel`, { key, body: {} })
    },
    'cancel by policy': async () => {
      const payment = one()
      if (payment) await call('POST', await asInvitee(payment.bookingId, 'cancel'))
    },
    move: async () => {
      const payment = one()
      const body = { new_start_time: iso(pick(starts)) }
      if (payment) await call('POST', await asInvitee(payment.bookingId, 'reschedule'), { body })
    },
    expire: async () => {
      await rowsOf('UPDATE payments SET expires_at = 1 WHERE id = ?', one()?.id ?? '')
      await sweep(env, Date.now())
    },
    refund: async () => {
      const payment = one()
      const body = { amount: part(payment?.amount ?? step) }
      if (payment) await call('POST', `/v1/payments/${payment.id}/refund`, { key, body })
    },
    'refund in the dashboard': async () => {
      const payment = one()
      if (!payment) return
      const form = {
        payment_intent: payment.intentId,
        amount: String(part(payment.amount / 2)),
        refund_application_fee: pick(['true', 'false']),
      }
      // It may hang here too, and whoever refunds there waits no longer either.
      const made = askProvider('POST', 'refunds', form, accountId).catch(() => {})
      await Promise.race([made, pause(PATIENCE_MS)])
    },
    'send a refund back': async () => {
      const refunds = await thingsOf('refund')
      if (refunds.length > 0) await control(`/refunds/${pick(refunds).id}/settle`, { how: 'failed' })
    },
    dispute: async () => {
      const payment = one()
      if (!payment) return
      const charge = (await thingsOf('charge', payment.intentId)).find(({ paid }) => paid)
      if (!charge || charge.amount_refunded === charge.amount) return
      await control(`/intents/${payment.intentId}/dispute`, { isInquiry: roll() < 0.3 })
      if (roll() < 0.5) await hear(payment.intentId, call)
    },
    'decide a dispute': async () => {
      for (const { id, status } of await thingsOf('dispute')) {
        if (UNDECIDED.includes(status)) await control(`/disputes/${id}/${pick(['win', 'lose', 'escalate'])}`)
      }
    },
    sync: async () => {
      const payment = one()
      if (payment) await call('POST', `/v1/payments/${payment.id}/sync`, { key })
    },
    trouble: async () => {
      const steps = ['POST payment_intents', 'POST payment_intents/cancel', 'POST refunds', 'GET refunds']
      const does = pick([
        'fails',
        'fails after',
        'drops',
        'refuses',
        'is busy',
        'hangs',
        'hangs after',
      ] as const)
      await troubleProvider({
        step: pick([...steps, 'GET disputes', 'GET payment_intents']),
        about: accountId,
        does,
        times: 2,
      })
    },
    'die while booking': async () =>
      dying().book(eventTypeId, pick(starts), { invitee_email: `${unique('d')}@example.com` }),
    'die while cancelling': async () => {
      const payment = one()
      if (payment) await dying().call('POST', await asInvitee(payment.bookingId, 'cancel'))
    },
    'die while refunding': async () => {
      const payment = one()
      const body = { amount: part(payment?.amount ?? step) }
      if (payment) await dying().call('POST', `/v1/payments/${payment.id}/refund`, { key, body })
    },
    'die while hearing': async () => {
      const payment = one()
      if (payment) await hear(payment.intentId, dying().call)
    },
    'die while settling': async () => {
      const due = await rowsOf(
        `SELECT id, 'refund' AS what FROM refunds WHERE organization_id = ?1 AND status = 'requested'
         UNION ALL SELECT id, 'payment' FROM payments WHERE organization_id = ?1 AND next_attempt_at IS NOT NULL`,
        organization.id,
      )
      if (due.length === 0) return
      const { id, what } = pick(due)
      await rowsOf(`UPDATE ${what}s SET next_attempt_at = 1 WHERE id = ?`, id)
      const settle = what === 'refund' ? settleRefund : settlePayment
      await settle(dying().env, id, Date.now() as RealMs).catch(() => {})
    },
  }
  const names = [...Object.keys(moves), ...OFTEN]
  for (let taken = 0; taken < STEPS; taken++) {
    focus = known.length > 0 && taken % 2 === 1 ? pick(known) : undefined
    const together = Promise.all(Array.from({ length: AT_ONCE }, () => moves[pick(names)]!()))
    // Who waits for a provider that hangs gives up; so does who was about to be answered.
    await Promise.race([together, pause(PATIENCE_MS)])
    patience.lose()
    await together
    await pause(20)
    patience.regain()
    known = await paymentsNow()
  }
  await calmProvider(accountId)
  return { organization, key, known }
}

/** What stands in every object of a kind. */
function kindMark(kind: string): string {
  return `"object":"${kind}"`
}

/** All that the provider ever posted about a payment. */
function tellingsOf(intentId: string): Promise<Row[]> {
  return controlProvider('GET', `/notifications?of=${intentId}`)
}

/** Banks and payers have done all that they will. */
async function bringToAnEnd(intentIds: ReadonlySet<string>): Promise<void> {
  const { intents } = await controlProvider('GET', '')
  for (const { id, status } of intents) {
    if (intentIds.has(id) && status === 'processing') await settleAttempt(id, 'succeed')
  }
}

/** The provider tells all of it, in any order, until each is heard. */
async function tellAll(intentIds: readonly string[]): Promise<void> {
  for (const intentId of intentIds) {
    for (const { headers, body } of (await tellingsOf(intentId)).toReversed()) {
      const { status } = await call('POST', '/v1/payment-provider/webhook', { headers, body })
      expect(status).toBe(200)
    }
  }
}

/** All that is left to do is done, sooner than it would be. */
async function settle(organizationId: string): Promise<void> {
  const left = `SELECT
    (SELECT count(*) FROM refunds WHERE organization_id = ?1 AND status = 'requested') AS refunds,
    (SELECT count(*) FROM payments WHERE organization_id = ?1 AND status IN ('pending', 'failed', 'processing')) AS unpaid,
    (SELECT count(*) FROM payments WHERE organization_id = ?1 AND status = 'cancelled' AND next_attempt_at IS NOT NULL)
      AS open,
    (SELECT count(*) FROM events WHERE organization_id = ?1 AND handled_at IS NULL) AS events`
  await vi.waitFor(
    async () => {
      const due =
        "organization_id = ? AND next_attempt_at IS NOT NULL AND status IN ('requested', 'pending', 'failed', 'processing', 'cancelled')"
      await rowsOf(`UPDATE refunds SET next_attempt_at = 1 WHERE ${due}`, organizationId)
      await rowsOf(`UPDATE payments SET next_attempt_at = 1 WHERE ${due}`, organizationId)
      await rowsOf('UPDATE payments SET expires_at = 1 WHERE organization_id = ?', organizationId)
      await rowsOf('UPDATE events SET retry_at = 1 WHERE organization_id = ?', organizationId)
      await sweep(env, Date.now())
      expect((await rowsOf(left, organizationId))[0]).toEqual({ refunds: 0, unpaid: 0, open: 0, events: 0 })
    },
    { timeout: 60_000, interval: 300 },
  )
}

/** The sweep looks at everything that was paid: nothing was told of it. */
async function lookAgain(organizationId: string): Promise<void> {
  const paid = "organization_id = ? AND status NOT IN ('pending', 'failed', 'processing', 'cancelled')"
  await rowsOf(`UPDATE payments SET next_attempt_at = 1, attempts = 0 WHERE ${paid}`, organizationId)
  await sweep(env, Date.now())
  await vi.waitFor(
    async () => {
      const [row] = await rowsOf(
        `SELECT count(*) AS n FROM payments WHERE ${paid} AND next_attempt_at < ${Date.now() + 50 * 60_000}`,
        organizationId,
      )
      expect(row!.n).toBe(0)
    },
    { timeout: 30_000, interval: 200 },
  )
}

const sum = (rows: readonly Row[], field: string) => rows.reduce((all, row) => all + row[field], 0)

async function audit(organization: { readonly id: string }, key: string, currency: string): Promise<void> {
  const world = await controlProvider('GET', '')
  const rows = await rowsOf(
    `SELECT b.id, b.status, b.start_time AS start, b.payment ->> '$.status' AS told, p.id AS paymentId, p.status AS payment,
       p.intent_id AS intentId, p.amount, p.refunded_amount AS refunded, p.reserved_amount AS reserved,
       p.disputed_amount AS disputed, p.lost_amount AS lost, p.refunded_fee AS feeBack,
       (SELECT count(*) FROM holds WHERE holder_id = b.id) AS holds,
       EXISTS (SELECT 1 FROM activity a WHERE a.resource_id = b.id AND a.action = 'booking.cancelled'
         AND a.actor_type = 'invitee') AS isCancelledEarly,
       (SELECT count(*) FROM events e WHERE e.kind = 'booking.confirmed' AND e.data ->> 'id' = b.id) AS confirmed
     FROM bookings b JOIN payments p ON p.booking_id = b.id WHERE b.organization_id = ?`,
    organization.id,
  )
  expect(rows.length).toBeGreaterThan(5)
  const intents = world.intents.filter((each: Row) => each.metadata.organization_id === organization.id)
  const strays = intents.filter((each: Row) => !rows.some(({ intentId }) => intentId === each.id))
  expect(strays.map(({ status }: Row) => status).filter((status: string) => status !== 'canceled')).toEqual(
    [],
  )
  const told = await rowsOf(
    `SELECT data ->> '$.id' AS id, data ->> '$.refunded_amount' AS refunded, data ->> '$.status' AS status FROM events
     WHERE organization_id = ? AND kind LIKE 'payment.%' ORDER BY sequence`,
    organization.id,
  )
  const ours = await rowsOf('SELECT * FROM refunds WHERE organization_id = ?', organization.id)
  const there = { revenue: 0, fees: 0, refunded: 0, lost: 0 }

  for (const row of rows) {
    const of = (kind: string): Row[] =>
      world[kind].filter((each: Row) => each.payment_intent === row.intentId)
    const intent = intents.find(({ id }: Row) => id === row.intentId)
    const refunds = of('refunds').filter(({ status }) => status !== 'failed' && status !== 'canceled')
    const disputes = of('disputes')
    const open = disputes.filter(({ status }) => status === 'needs_response' || status === 'under_review')
    const lost = disputes.filter(({ status }) => status === 'lost')
    const fee = world.fees.find(({ charge }: Row) => charge === intent?.latest_charge)
    const what = JSON.stringify({
      ...row,
      intent: intent?.status,
      refunds,
      disputes,
      fee: fee?.amount_refunded,
    })
    const isActive = row.status !== 'cancelled'
    expect([row.told, row.holds, row.reserved], what).toEqual([row.payment, isActive ? 1 : 0, 0])
    expect([row.refunded, row.disputed, row.lost, row.feeBack], what).toEqual([
      sum(refunds, 'amount'),
      sum(open, 'amount'),
      sum(lost, 'amount'),
      fee?.amount_refunded ?? 0,
    ])
    expect(row.refunded, what).toBeLessThanOrEqual(row.amount)
    const last = told.findLast(({ id }) => id === row.paymentId)
    if (last) expect([last.refunded, last.status], what).toEqual([row.refunded, row.payment])
    else expect([refunds, disputes], what).toEqual([[], []])
    for (const { id, amount: asked, provider_refund_id: theirs, status } of ours.filter(
      ({ payment_id }) => payment_id === row.paymentId,
    )) {
      const made = refunds.filter((each) => each.id === theirs || each.metadata.refund_id === id)
      expect(
        made.map((each) => each.amount),
        what,
      ).toEqual(status === 'succeeded' ? [asked] : [])
    }
    if (intent?.status !== 'succeeded') {
      expect([row.status, row.payment, intent?.status ?? 'canceled'], what).toEqual([
        'cancelled',
        'cancelled',
        'canceled',
      ])
      continue
    }
    expect(row.payment, what).toBe(statusBy(row, open, lost))
    there.revenue += intent.amount
    there.fees += fee ? fee.amount - fee.amount_refunded : 0
    there.refunded += row.refunded
    there.lost += row.lost
    if (isActive) expect(row.confirmed, what).toBe(1)
    // Late money went back, unless a bank has it or sent it back.
    const isHandled = disputes.length > 0 || of('refunds').some(({ status }) => status === 'failed')
    if (row.confirmed === 0 && !isHandled)
      expect([row.status, row.refunded], what).toEqual(['cancelled', row.amount])
    for (const { amount: given } of ours.filter(
      (each) => each.payment_id === row.paymentId && each.cause === 'policy',
    )) {
      const agreed = POLICY.map(({ percent }) => percentOf(row.amount, percent, currency))
      expect(agreed.includes(given) || given <= Math.max(...agreed), what).toBe(true)
    }
  }
  const active = rows.filter(({ status }) => status !== 'cancelled').map(({ start }) => start)
  expect(new Set(active).size).toBe(active.length)
  // Who cancels within minutes gives the place of the month back, as unpaid bookings do.
  const counted = rows.filter(
    ({ status, confirmed, isCancelledEarly }) =>
      status !== 'cancelled' || (confirmed > 0 && !isCancelledEarly),
  ).length
  expect((await call('GET', '/v1/usage', { key })).body.usage.bookings_this_month).toBe(counted)
  const { body } = await call('GET', '/v1/payments/summary', { key })
  expect(body.by_currency).toEqual([
    {
      currency,
      total_revenue: there.revenue,
      platform_fees: there.fees,
      total_refunded: there.refunded,
      total_dispute_lost: there.lost,
      pending_count: 0,
    },
  ])
}

function statusBy({ refunded, amount: paid }: Row, open: readonly Row[], lost: readonly Row[]): string {
  if (open.length > 0) return 'disputed'
  if (lost.length > 0) return 'dispute_lost'
  if (refunded >= paid) return 'refunded'
  return refunded > 0 ? 'partially_refunded' : 'succeeded'
}

describe('paid bookings in any order, several at once, with a provider that fails and processes that die', () => {
  it.each(Array.from({ length: amount(2, 36) }, (_, at) => [SEED + at, PRICES[at % 3]!] as const))(
    'end with all sides agreeing on times and amounts, to the cent: walk %i',
    async (seed, price) => {
      const { organization, key, known } = await walk(seed, price)
      const intentIds = known.map(({ intentId }) => intentId as string)
      await bringToAnEnd(new Set(intentIds))
      // Either every event is heard in the end, or none more is, and the sweep finds it all by itself.
      const isTold = seed % 2 === 0
      if (isTold) await tellAll(intentIds)
      await settle(organization.id)
      if (isTold) await tellAll(intentIds)
      else await lookAgain(organization.id)
      await settle(organization.id)
      await audit(organization, key, price.price_currency)
    },
    SOAK_TIMEOUT_MS,
  )
})
