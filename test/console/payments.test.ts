import { env } from 'cloudflare:workers'
import { describe, expect, it } from 'vitest'
import { call } from '../support/app.ts'
import { enter } from '../support/console.ts'
import { consoleTrips } from '../support/console-trips.ts'
import { book, createEventType, createOrganization, dayFromNow } from '../support/factories.ts'
import { memberWithRole } from '../support/members.ts'
import { formOf, wordsOf } from '../support/pages.ts'
import { bookPaid, createPaid, pay } from '../support/payments.ts'
import { troubleProvider } from '../support/provider-calls.ts'

Object.assign(env, { PUBLIC_URL: 'https://holdfast.example' })

const HOUR_MS = 3_600_000
const SLOT = dayFromNow(3) + 10 * HOUR_MS

/** An organization that was paid once, and waits for another payment. */
async function paidOnce() {
  const studio = await createPaid({ title: 'Portrait' })
  const paid = await bookPaid(studio.eventTypeId, SLOT, { invitee_name: 'Ada Lovelace' })
  await pay(paid.intentId)
  const due = await bookPaid(studio.eventTypeId, SLOT + 2 * HOUR_MS, { invitee_name: 'Grace Hopper' })
  const browser = await enter(studio.organization)
  return { ...studio, paid, due, browser, at: `/console/payments/${paid.payment.id}` }
}

const paymentOf = async (key: string, id: string) => (await call('GET', `/v1/payments/${id}`, { key })).body

/** An organization with a payment of test data. */
async function sandboxed() {
  const organization = await createOrganization()
  const { id } = await createEventType(organization.testKey, { price_amount: 5_000, title: 'Portrait' })
  const { body } = await book(id, SLOT, { invitee_name: 'Ada Lovelace' })
  const browser = await enter(organization)
  await browser.send(await browser.visit('/console/payments'), '/console/mode', { mode: 'test' })
  return { organization, key: organization.testKey, booking: body, browser }
}

describe('the payments', () => {
  it('are listed with who pays what for, and what they come to', async () => {
    const { browser, paid } = await paidOnce()
    const words = wordsOf(await browser.visit('/console/payments'))
    expect(words).toMatch(
      /Grace Hopper .*Portrait .*\$50\.00 .*Due .*Ada Lovelace .*Portrait .*\$50\.00 .*Paid/,
    )
    expect(words).toMatch(/Paid \$50\.00 Refunded \$0\.00 Platform fees \$0\.50/)
    expect(words).toContain('1 payment pending')
    const filtered = await browser.visit('/console/payments?status=succeeded')
    expect(filtered.text).toContain(`/console/payments/${paid.payment.id}`)
    expect(wordsOf(filtered)).not.toContain('Grace Hopper')
    expect(wordsOf(await browser.visit('/console/payments?status=disputed'))).toContain(
      'No payment has this status',
    )
  })

  it('link to the setup of payments while there are none', async () => {
    const page = await (await enter(await createOrganization())).visit('/console/payments')
    expect(wordsOf(page)).toContain('No payments yet')
    expect(page.text).toContain('href="/console/payments/provider"')
  })

  it('of another organization and of the other data are not there', async () => {
    const { at, browser } = await paidOnce()
    const other = await enter(await createOrganization())
    const page = await other.visit(at)
    expect([page.status, page.text.includes('Ada')]).toEqual([404, false])
    const { csrf } = formOf(page, '/console/mode').fields
    for (const act of ['refund', 'sync', 'simulate']) {
      const answer = await other.visit(`${at}/${act}`, { form: { csrf: csrf!, act: 'succeed' } })
      expect([act, answer.status]).toEqual([act, 404])
    }
    await browser.send(await browser.visit('/console/payments'), '/console/mode', { mode: 'test' })
    expect((await browser.visit(at)).status).toBe(404)
  })
})

describe('a payment', () => {
  it('is refunded in part, which its page and its history show', async () => {
    const { browser, at, key, paid } = await paidOnce()
    const page = await browser.visit(at)
    expect(wordsOf(page)).toMatch(/Payment of Ada Lovelace .*Portrait/)
    expect(page.text).toContain(`href="/console/bookings/${paid.id}"`)
    const wrong = await browser.send(page, '/refund', { amount: 'a lot' })
    expect([wrong.status, wrong.text.includes('id="amount-error"')]).toEqual([422, true])
    const much = await browser.send(page, '/refund', { amount: '60' })
    expect(much.status).toBe(422)
    expect(wordsOf(much)).toContain('At most $50.00 can still be refunded.')
    expect(await paymentOf(key, paid.payment.id)).toMatchObject({ refunded_amount: 0 })
    const form = formOf(page, '/refund')
    const fields = { ...form.fields, amount: '20,00', refund_reason: 'We met for half an hour only.' }
    const done = await browser.visit(form.action, { form: fields })
    await browser.visit(form.action, { form: fields })
    expect(await paymentOf(key, paid.payment.id)).toMatchObject({
      status: 'partially_refunded',
      refunded_amount: 2_000,
    })
    const told = wordsOf(await browser.follow(done))
    expect(told).toContain('The refund is being processed.')
    expect(told).toMatch(/Refunded \$20\.00 Remaining \$30\.00/)
    expect(told).toMatch(/History .*Refunded .*Paid .*Created/)
  })

  it('is made to agree with its provider, or says that it does not answer', async () => {
    const { browser, at, paid } = await paidOnce()
    const page = await browser.visit(at)
    expect(wordsOf(await browser.follow(await browser.send(page, '/sync')))).toContain('was synced')
    await troubleProvider({ step: 'GET refunds', about: paid.intentId, does: 'fails' })
    const failed = await browser.send(page, '/sync')
    expect([failed.status, wordsOf(failed).includes('did not answer')]).toEqual([502, true])
  })

  it('is found by its booking', async () => {
    const { browser, at, paid } = await paidOnce()
    const found = await browser.visit(`/console/payments/of/${paid.id}`)
    expect(found.headers.get('location')).toBe(at)
  })

  it('of test data is paid, and disputed, by a button', async () => {
    const { browser, booking, key } = await sandboxed()
    const at = `/console/payments/${booking.payment.id}`
    const page = await browser.visit(at)
    expect(wordsOf(page)).toContain('Payment deadline')
    expect(page.text).not.toContain('/refund"')
    const paid = await browser.follow(await browser.send(page, '/simulate', { act: 'succeed' }))
    expect(await paymentOf(key, booking.payment.id)).toMatchObject({ status: 'succeeded' })
    const disputed = await browser.follow(await browser.send(paid, '/simulate', { act: 'dispute' }))
    expect(wordsOf(disputed)).toMatch(/The payer’s bank has withdrawn \$50\.00/)
    expect(disputed.text).not.toContain('/refund"')
    expect((await browser.send(page, '/simulate', { act: 'toString' })).status).toBe(404)
  })
})

describe('the payments for members who are not administrators', () => {
  it('can be read and not changed, whatever form is sent', async () => {
    const { organization, key, at, paid } = await paidOnce()
    for (const role of ['viewer', 'member'] as const) {
      const { userId } = await memberWithRole(organization, role)
      const browser = await enter(organization, userId)
      const page = await browser.visit(at)
      expect([page.status, page.text.includes(`${at}/refund`)]).toEqual([200, false])
      const provider = await browser.visit('/console/payments/provider')
      expect(provider.text).not.toContain('action="/console/payments/provider')
      const plan = await browser.visit('/console/payments/plan')
      expect(plan.text).not.toContain('action="/console/payments/plan')
      const { csrf } = formOf(page, '/console/mode').fields
      const form = { csrf: csrf!, amount: '', tier: 'grow', interval: 'month', country: 'DE' }
      for (const path of ['provider', 'provider/disconnect']) {
        const answer = await browser.visit(`/console/payments/${path}`, { form })
        expect([role, path, answer.status]).toEqual([role, path, 403])
      }
      for (const path of ['plan/buy', 'plan/portal', 'plan/cancel', 'plan/resume']) {
        const answer = await browser.visit(`/console/payments/${path}`, { form })
        expect([role, path, answer.status]).toEqual([role, path, 403])
      }
      for (const path of ['refund', 'sync']) {
        const answer = await browser.visit(`${at}/${path}`, { form })
        const isSaid = wordsOf(answer).split('Your role does not allow this.').length === 2
        expect([role, path, answer.status, isSaid]).toEqual([role, path, 403, true])
      }
    }
    expect(await paymentOf(key, paid.payment.id)).toMatchObject({ refunded_amount: 0 })
    const { body } = await call('GET', '/v1/payment-provider/status', { key })
    expect(body.connected).toBe(true)
  })
})

describe('the screens of payments', () => {
  it('ask the database twice each, in live and in test data', async () => {
    const { browser, at } = await paidOnce()
    const shared = ['', '?status=succeeded', '/provider', '/plan', '/plan?period=7d'].map(
      (path) => `/console/payments${path}`,
    )
    expect((await consoleTrips(browser, [...shared, at])).filter(({ trips }) => trips > 2)).toEqual([])
    const sandbox = await sandboxed()
    const own = `/console/payments/${sandbox.booking.payment.id}`
    expect((await consoleTrips(sandbox.browser, [...shared, own])).filter(({ trips }) => trips > 2)).toEqual(
      [],
    )
  })
})
