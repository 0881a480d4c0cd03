import { env } from 'cloudflare:workers'
import { expect, it, onTestFinished, vi } from 'vitest'
import { sweep } from '../../src/worker/jobs/sweep.ts'
import { type Answered, call } from '../support/app.ts'
import { book, createOrganization, dayFromNow, type Organization } from '../support/factories.ts'
import { patienceOf } from '../support/patience.ts'
import { bookPaid, createPaid, pay, truthOf } from '../support/payments.ts'
import { calmProvider, providerCalls, providerObjects, troubleProvider } from '../support/provider-calls.ts'

const SLOT = dayFromNow(3) + 10 * 3_600_000
const SETTLED = { timeout: 20_000, interval: 100 }
/** With what the service does itself, an answer takes less than eight seconds. */
const PATIENCE_MS = 6_000
/** What one attempt of the queue's gets. */
const ATTEMPT_MS = 7_000

/** Whoever waits for a call gets an answer as soon as the service waited long enough, for all that it asked together. */
function impatience() {
  const patience = patienceOf(PATIENCE_MS)
  const begun = () => vi.mocked(AbortSignal.timeout).mock.calls.filter(([ms]) => ms === PATIENCE_MS).length
  return async (send: () => Promise<Answered>, about: string) => {
    const asked = async () => (await providerCalls(about)).filter(({ status }) => status === null).length
    onTestFinished(() => calmProvider(about))
    const [before, started] = [await asked(), begun()]
    const answer = send()
    await vi.waitFor(async () => expect(await asked()).toBeGreaterThan(before), SETTLED)
    patience.lose()
    const { status, body } = await answer
    patience.regain()
    expect(begun() - started).toBe(1)
    return [status, body.error?.code]
  }
}

const UNKNOWN = [502, 'bad_gateway']

function connect({ liveKey: key }: Pick<Organization, 'liveKey'>) {
  return call('GET', '/v1/payment-provider/connect?country=DE', { key })
}

function accountsOf({ id }: Organization) {
  return providerObjects(id).then((all) => all.filter(({ object }) => object === 'account'))
}

it('a hanging provider delays no booking, and a payment that it still created cannot be paid', async () => {
  const ask = impatience()
  const { eventTypeId, accountId, key } = await createPaid()
  await troubleProvider({ step: 'POST payment_intents', about: accountId, does: 'hangs after' })
  expect(await ask(() => book(eventTypeId, SLOT), accountId)).toEqual(UNKNOWN)
  const [left] = (await call('GET', '/v1/bookings', { key })).body.data
  expect(await truthOf(left.id)).toMatchObject({ booking: 'cancelled', payment: 'cancelled', holds: 0 })
  await calmProvider(accountId)
  await env.DB.prepare('UPDATE payments SET next_attempt_at = 1 WHERE booking_id = ?').bind(left.id).run()
  await sweep(env, Date.now())
  await vi.waitFor(async () => expect((await truthOf(left.id)).intent).toBe('canceled'), SETTLED)
  expect((await providerObjects(left.id)).filter(({ object }) => object === 'payment_intent')).toHaveLength(1)
})

it('a hanging provider does not delay reading a payment', async () => {
  const ask = impatience()
  const { eventTypeId } = await createPaid()
  const { id, token, intentId } = await bookPaid(eventTypeId, SLOT)
  await troubleProvider({ step: 'GET payment_intents', about: intentId, does: 'hangs' })
  const look = () => call('GET', `/v1/bookings/${id}/payment?token=${token}`)
  expect(await ask(look, intentId)).toEqual(UNKNOWN)
  await calmProvider(intentId)
  expect((await look()).status).toBe(200)
})

it('a hanging provider does not delay connecting, whichever step it hangs at, and creates one account', async () => {
  const ask = impatience()
  const organization = await createOrganization()
  await troubleProvider({ step: 'POST core/accounts', about: organization.id, does: 'hangs after' })
  expect(await ask(() => connect(organization), organization.id)).toEqual(UNKNOWN)
  await calmProvider(organization.id)
  const accountId = (await accountsOf(organization))[0]!.id
  for (const step of ['POST account_links', 'GET accounts', 'POST account_links']) {
    await troubleProvider({ step, about: accountId, does: 'hangs' })
    expect([step, await ask(() => connect(organization), accountId)]).toEqual([step, UNKNOWN])
    await calmProvider(accountId)
  }
  expect((await connect(organization)).status).toBe(200)
  expect(await accountsOf(organization)).toHaveLength(1)
})

it('a hanging provider does not delay reading the connection', async () => {
  const ask = impatience()
  const { key, accountId } = await createPaid()
  await troubleProvider({ step: 'GET accounts', about: accountId, does: 'hangs' })
  const status = () => call('GET', '/v1/payment-provider/status', { key })
  expect(await ask(status, accountId)).toEqual(UNKNOWN)
  await calmProvider(accountId)
  expect((await status()).body.charges_enabled).toBe(true)
})

it('a hanging provider delays no refund, and a refund that it still made is made once and found', async () => {
  const ask = impatience()
  for (const does of ['hangs', 'hangs after'] as const) {
    const { eventTypeId, accountId, key } = await createPaid()
    const { id, intentId, payment } = await bookPaid(eventTypeId, SLOT)
    await pay(intentId)
    const refund = (amount: number) =>
      call('POST', `/v1/payments/${payment.id}/refund`, { key, body: { amount } })
    await troubleProvider(
      { step: 'POST refunds', about: accountId, does },
      { step: 'GET refunds', about: accountId, does: 'hangs' },
    )
    expect(await ask(() => refund(1_000), accountId)).toEqual(UNKNOWN)
    // The unknown one is asked about first, and all of it takes no longer.
    expect(await ask(() => refund(500), accountId)).toEqual(UNKNOWN)
    await calmProvider(accountId)
    await env.DB.prepare('UPDATE refunds SET next_attempt_at = 1 WHERE payment_id = ?').bind(payment.id).run()
    await vi.waitFor(async () => {
      await sweep(env, Date.now())
      expect(await truthOf(id)).toMatchObject({ payment: 'partially_refunded', refunded: 1_500 })
    }, SETTLED)
    const made = (await providerObjects(intentId)).filter(({ object }) => object === 'refund')
    expect(made.map(({ amount }) => amount).sort()).toEqual([1_000, 500])
  }
})

it('a hanging provider does not delay a cancellation, which it receives later', async () => {
  const { eventTypeId, accountId } = await createPaid()
  const { id, token, intentId } = await bookPaid(eventTypeId, SLOT)
  const patience = patienceOf(ATTEMPT_MS)
  await troubleProvider({ step: 'POST payment_intents/cancel', about: accountId, does: 'hangs' })
  const { status, body } = await call('POST', `/v1/bookings/${id}/cancel?token=${token}`, { body: {} })
  expect([status, body.status, body.payment.status]).toEqual([200, 'cancelled', 'cancelled'])
  patience.lose()
  await vi.waitFor(async () => {
    const asked = (await providerCalls(intentId)).filter(({ step }) => step === 'POST payment_intents/cancel')
    expect(asked).toHaveLength(2)
  }, SETTLED)
  await calmProvider(accountId)
  await vi.waitFor(async () => {
    await env.DB.prepare('UPDATE payments SET next_attempt_at = 1 WHERE booking_id = ?').bind(id).run()
    await sweep(env, Date.now())
    expect((await truthOf(id)).intent).toBe('canceled')
  }, SETTLED)
})
