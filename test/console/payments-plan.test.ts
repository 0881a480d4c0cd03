import { env } from 'cloudflare:workers'
import { beforeAll, describe, expect, it } from 'vitest'
import { call } from '../support/app.ts'
import { createCustomer, putPlansOnSale, subscribe } from '../support/billing.ts'
import { enter } from '../support/console.ts'
import { book, createEventType, createOrganization, dayFromNow } from '../support/factories.ts'
import { stayInOneMinute } from '../support/minute.ts'
import { type Visited, wordsOf } from '../support/pages.ts'
import { connectAccount } from '../support/payments.ts'
import { controlProvider, providerCalls, troubleProvider } from '../support/provider-calls.ts'

Object.assign(env, { PUBLIC_URL: 'https://holdfast.example' })

const HOUR_MS = 3_600_000
const SLOT = dayFromNow(3) + 10 * HOUR_MS
const PROVIDER = '/console/payments/provider'
const PLAN = '/console/payments/plan'

beforeAll(putPlansOnSale)

/** Where the page leads on, by itself. */
function leadsTo({ text }: Visited): string {
  return /<meta http-equiv="refresh" content="0;url=([^"]+)"/.exec(text)![1]!.replaceAll('&amp;', '&')
}

describe('the payment provider in the console', () => {
  it('is connected in the country of the organization, by the page of the provider', async () => {
    const organization = await createOrganization()
    const browser = await enter(organization)
    const page = await browser.visit(PROVIDER)
    expect(wordsOf(page)).toContain('Payments are not set up')
    expect(page.text).toContain('<option value="DE"')
    const missing = await browser.send(page, PROVIDER, { country: '' })
    expect([missing.status, missing.text.includes('id="country-error"')]).toEqual([422, true])
    const left = await browser.send(page, PROVIDER, { country: 'DE' })
    expect(left.status).toBe(200)
    expect(leadsTo(left)).toMatch(/^https?:\/\//)
    const { body } = await call('GET', '/v1/payment-provider/status', { key: organization.liveKey })
    expect(body.payment_provider_account_id).toMatch(/^acct_/)
    const before = await browser.visit(`${PROVIDER}?done=back`)
    expect(wordsOf(before)).toContain('The payment provider needs more information')
    await controlProvider('POST', `/accounts/${body.payment_provider_account_id}/onboard`, {})
    expect(wordsOf(await browser.visit(PROVIDER))).toContain('Payments are set up')
  })

  it('is disconnected, after a page says what that means', async () => {
    const organization = await createOrganization()
    await connectAccount(organization)
    const browser = await enter(organization)
    const page = await browser.visit(PROVIDER)
    expect(wordsOf(page)).toContain('Bookings that have a price are then rejected')
    const left = await browser.follow(await browser.send(page, `${PROVIDER}/disconnect`))
    expect(wordsOf(left)).toContain('Payments are disconnected')
    const { body } = await call('GET', '/v1/payment-provider/status', { key: organization.liveKey })
    expect(body.connected).toBe(false)
  })

  it('that does not answer leaves a page that says so', async () => {
    const organization = await createOrganization()
    const accountId = await connectAccount(organization)
    const browser = await enter(organization)
    await troubleProvider({ step: 'GET accounts', about: accountId, does: 'fails' })
    const page = await browser.visit(PROVIDER)
    expect([page.status, wordsOf(page).includes('does not answer at the moment')]).toEqual([200, true])
  })

  it('of test data is simulated, and cannot be changed', async () => {
    const browser = await enter(await createOrganization())
    await browser.send(await browser.visit(PROVIDER), '/console/mode', { mode: 'test' })
    const page = await browser.visit(PROVIDER)
    expect(wordsOf(page)).toContain('a simulated payment provider')
    expect(page.text).not.toContain(`action="${PROVIDER}`)
  })
})

describe('the plan in the console', () => {
  it('that is not on sale is refused by name', async () => {
    const browser = await enter(await createCustomer())
    const page = await browser.visit(PLAN)
    const refused = await browser.send(page, `${PLAN}/buy`, { tier: 'platinum', interval: 'year' })
    expect(refused.status).toBe(422)
    expect(wordsOf(refused)).toMatch(/Please check these points Plans : Must be .*grow/)
    expect(refused.text).toMatch(/ id="plans".* href="#plans"/s)
  })

  it('is bought at the payment provider, which leads back here', async () => {
    const organization = await createCustomer()
    const browser = await enter(organization)
    const page = await browser.visit(PLAN)
    expect(wordsOf(page)).toMatch(/Your plan Free Active/)
    const left = await browser.send(page, `${PLAN}/buy`, { tier: 'grow', interval: 'year' })
    expect(left.status).toBe(200)
    expect(leadsTo(left)).toMatch(/^https?:\/\//)
    const made = (await providerCalls(organization.customerId)).find(
      ({ step }) => step === 'POST checkout/sessions',
    )
    expect(made!.params).toMatchObject({
      success_url: `https://holdfast.example${PLAN}?done=bought`,
      cancel_url: `https://holdfast.example${PLAN}`,
    })
    const wrong = await browser.send(page, `${PLAN}/buy`, { tier: 'golden', interval: 'month' })
    expect(wrong.status).toBe(422)
  })

  it('can be cancelled for the end of its period, and resumed', async () => {
    const organization = await createCustomer()
    await subscribe(organization.customerId, { tier: 'grow' })
    const browser = await enter(organization)
    const page = await browser.visit(PLAN)
    expect(wordsOf(page)).toMatch(/Grow Active .*Monthly · Renews/)
    const ending = await browser.follow(await browser.send(page, `${PLAN}/cancel`))
    expect(wordsOf(ending)).toMatch(/The plan was cancelled.*Ends .*then Free/)
    const subscription = async () =>
      (await call('GET', '/v1/subscription', { key: organization.liveKey })).body
    expect(await subscription()).toMatchObject({ tier: 'grow', cancel_at_period_end: true })
    const going = await browser.follow(await browser.send(ending, `${PLAN}/resume`))
    expect(wordsOf(going)).toContain('The plan was resumed.')
    expect(await subscription()).toMatchObject({ cancel_at_period_end: false })
    const left = await browser.send(going, `${PLAN}/portal`)
    expect([left.status, leadsTo(left).startsWith('http')]).toEqual([200, true])
  })

  it('says how much of it is used, and what happened lately', async () => {
    stayInOneMinute(10)
    const organization = await createOrganization({ tier: 'free' })
    const { id } = await createEventType(organization.liveKey, { max_attendees: 100 })
    for (let at = 0; at < 8; at++) {
      await book(id, SLOT, { invitee_email: `guest-${at}@example.com` })
    }
    const browser = await enter(organization)
    const page = await browser.visit(PLAN)
    expect(wordsOf(page)).toMatch(/Bookings this month 8 of 10 .*Almost used up/)
    expect(page.text).toContain('<progress max="10" value="8"')
    expect(wordsOf(page)).toMatch(/Statistics .*Bookings 8 8 confirmed/)
    expect(wordsOf(await browser.visit(`${PLAN}?lang=de`))).toContain('8 von 10')
  })

  it('is not sold in test data', async () => {
    const organization = await createCustomer()
    const browser = await enter(organization)
    await browser.send(await browser.visit(PLAN), '/console/mode', { mode: 'test' })
    const page = await browser.visit(PLAN)
    expect(page.text).not.toContain(`action="${PLAN}`)
    expect(wordsOf(page)).toContain('Switch to live mode')
  })
})
