import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Browser, Page } from 'playwright-core'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { type Doubles, startDoubles } from '../../doubles/start-doubles.ts'
import { openStripe } from '../../doubles/stripe/open-stripe.ts'
import type { Json } from '../../doubles/world.ts'
import { launchBrowser, newVisitor } from '../support/browser.ts'
import { takeBuilt } from '../support/build-for-e2e.ts'
import { CALDAV_USERS, makeCalendar } from '../support/caldav.ts'
import { letterIn, MAILBOX, TO_MAILBOX } from '../support/mailbox.ts'
import { WEBHOOK_SECRET } from '../support/provider-events.ts'
import { type Radicale, startRadicale } from '../support/radicale.ts'
import { openRuntime } from '../support/service.ts'

/** What `PUBLIC_URL` says: links of letters and ways back from providers lead there. */
const HOME = 'http://localhost:8787'
const SETTINGS = { SIGN_UP: 'open', LOG_LINES: 'off' }
const OWNER = 'ada@practice.example'
const COLLEAGUE = 'joan@practice.example'
const DAY_MS = 86_400_000
/** Of today the first time may pass while it is booked. */
const MONDAY = new Date(Date.now() + ((8 - new Date().getUTCDay()) % 7 || 7) * DAY_MS)
  .toISOString()
  .slice(0, 10)

let directory: string
let runtime: Awaited<ReturnType<typeof openRuntime>>
let browser: Browser
let doubles: Doubles
let radicale: Radicale
let provider: string

beforeAll(async () => {
  directory = await mkdtemp(join(tmpdir(), 'walk-'))
  const [bundle, ...others] = await Promise.all([
    takeBuilt(directory),
    startDoubles({ stripe: openStripe }),
    startRadicale(),
  ])
  ;[doubles, radicale] = others
  provider = `${doubles.url}/stripe/walk`
  runtime = await openRuntime(bundle, directory, [MAILBOX], provider, SETTINGS, TO_MAILBOX)
  const { host, origin } = await runtime.unsafeGetDirectURL('holdfast')
  const endpoint = { url: `${origin}/v1/payment-provider/webhook`, connect: true, secrets: [WEBHOOK_SECRET] }
  await control('PUT', '/endpoints', [endpoint])
  browser = await launchBrowser([`--host-resolver-rules=MAP localhost:8787 ${host}`])
})

afterAll(async () => {
  await browser?.close()
  await runtime?.dispose()
  await Promise.all([doubles?.stop(), radicale?.stop()])
  await rm(directory, { recursive: true, force: true })
})

async function control(method: string, path: string, body: unknown = {}): Promise<Json[]> {
  const sent = method === 'GET' ? {} : { body: JSON.stringify(body) }
  const text = await (await fetch(`${provider}/control${path}`, { method, ...sent })).text()
  return text === '' ? [] : JSON.parse(text)
}

const digitsIn = (letter: string) => /^\d{6}$/m.exec(letter)![0]
const linkIn = (letter: string) => /^http:\/\/\S+$/m.exec(letter)![0]

/** Pays what somebody is asked to, as their bank does. */
async function pay(): Promise<void> {
  const [intent] = (await control('GET', '/objects?of=pi_')).filter(
    ({ object }) => object === 'payment_intent',
  )
  await control('POST', `/intents/${intent!.id}/pay`, { how: 'succeed' })
}

async function untilThere(page: Page, path: string, text: string): Promise<void> {
  for (let tries = 0; tries < 100; tries++) {
    await page.goto(HOME + path)
    if ((await page.getByText(text, { exact: true }).count()) > 0) return
  }
  throw new Error(`${path} never said ${text}`)
}

it('takes an owner from signing up to a paid booking, a colleague, a calendar and a key, without help', async () => {
  const owner = await newVisitor(browser)
  const { page } = owner
  const press = (name: string) => page.getByRole('button', { name, exact: true }).click()
  const follow = (name: string | RegExp) => page.getByRole('link', { name }).first().click()
  /** Once they were at the provider of payments. */
  const look = (name: string) => owner.look(name, [doubles.url])
  const heading = (name: string) => page.getByRole('heading', { name }).waitFor()

  // Signs up by the code of a letter, after a wrong one.
  await page.goto(`${HOME}/console`)
  await owner.look('console-sign-in')
  await page.getByLabel('Email address').fill(OWNER)
  await press('Send code')
  await page.getByLabel('Six-digit code').fill('000 000')
  await press('Sign in')
  await page.getByText('This code is wrong').waitFor()
  await owner.look('console-code')
  await page.getByLabel('Six-digit code').fill(digitsIn(await letterIn(runtime, OWNER)))
  await press('Sign in')
  await owner.look('console-new')
  await page.getByLabel('Name of the organization').fill('Ada’s Practice')
  await press('Create organization')

  // The first event type and its hours.
  await heading('Welcome to Holdfast')
  expect(await page.getByLabel('Time zone').inputValue()).toBe('Europe/Berlin')
  await owner.look('console-start-new')
  await page.getByLabel('Booking page address').fill('ada-practice')
  await page.getByLabel('Title').fill('First visit')
  for (const day of ['Sat', 'Sun']) await page.getByText(day, { exact: true }).click()
  await press('Create booking page')
  await heading('Your booking page is ready')
  await owner.look('console-ready')

  // Gets paid for it.
  await page.goto(`${HOME}/console/payments/provider`)
  await page.getByLabel('Country').selectOption('DE')
  await press('Connect Stripe')
  await press('Agree and submit')
  await page.waitForURL(/console\/payments\/provider/)
  await follow('Event types')
  await follow('First visit')
  await follow(/^Payment$/)
  await page.getByLabel('Price per seat').fill('49')
  await page.getByLabel('Currency').selectOption('eur')
  await press('Save')
  await page.getByText('Saved.', { exact: true }).waitFor()

  // Takes the link of the page along, by which a stranger books and pays.
  await page.goto(`${HOME}/console/page/address`)
  const link = (await page.locator('.copy-line code').first().textContent())!
  const stranger = await newVisitor(browser)
  await stranger.page.goto(link)
  await stranger.page.getByRole('link', { name: 'First visit' }).click()
  await stranger.page.waitForURL(/first-visit/)
  await stranger.page.goto(`${stranger.page.url()}?date=${MONDAY}`)
  await stranger.page.locator('.times a').first().click()
  await stranger.page.getByLabel('Name').fill('Grace Hopper')
  await stranger.page.getByLabel('Email address').fill('grace@example.com')
  await stranger.page.getByRole('button', { name: 'Continue to payment' }).click()
  await stranger.page.getByRole('heading', { name: 'Payment', exact: true }).waitFor()
  await stranger.leave()
  await pay()

  // The owner sees it, moves it and gives the money back.
  await untilThere(page, '/console/bookings', 'Confirmed')
  await follow('Grace Hopper')
  await look('console-booking')
  await follow('Reschedule')
  await page.locator('.days label').nth(2).click()
  await look('console-move')
  await press('Reschedule to this time')
  await page.getByText('The booking was rescheduled').waitFor()
  await page.getByText('Refund', { exact: true }).first().click()
  await press('Refund')
  await page.getByText('The refund is being processed').waitFor()
  const refunds = (await control('GET', '/objects?of=re_')).filter(({ object }) => object === 'refund')
  expect(refunds.map(({ amount }) => amount)).toEqual([4_900])
  await page.getByText('Cancel booking').first().click()
  await page.getByLabel('Reason').first().fill('I am ill')
  await look('console-cancel')
  await press('Cancel booking')
  await page.getByText('The booking was cancelled').waitFor()

  // Closes a week: two clicks.
  await follow('Hours and time off')
  await follow('Next week')
  await press('Close it for everybody')
  await page.getByText('No time off').waitFor({ state: 'detached' })

  // Invites a colleague, who comes in by the letter.
  await follow('Team')
  await follow('Invite member')
  await page.getByLabel('Email address').fill(COLLEAGUE)
  await press('Send invitation')
  const colleague = await newVisitor(browser)
  await colleague.page.goto(linkIn(await letterIn(runtime, COLLEAGUE)))
  await colleague.page.getByRole('button').first().click()
  await colleague.page.getByRole('link', { name: /console/i }).click()
  await colleague.page.getByRole('navigation', { name: 'Main menu' }).waitFor()
  await colleague.leave()
  await page.goto(`${HOME}/console/team`)
  await page.getByText(COLLEAGUE).waitFor()

  // Connects a calendar on a server of their own.
  await makeCalendar(radicale.url, CALDAV_USERS.ada, 'work')
  await follow('Calendars')
  await follow('Connect a calendar')
  await follow('CalDAV')
  await page.getByLabel('Server address').fill(`${radicale.url}/`)
  await page.getByLabel('User name').fill(CALDAV_USERS.ada.username)
  await page.getByLabel('Password').fill(CALDAV_USERS.ada.password)
  await press('Connect')
  await page.getByText('The calendar is connected').waitFor()

  // Makes a key, uses it, and finds what it was refused by the id of the answer.
  await follow('Developers')
  await follow('Create API key')
  await page.getByLabel('Name').fill('Website')
  await press('Create API key')
  await heading('Your new API key')
  await look('console-key-made')
  const key = (await page.locator('.copy-line code').first().textContent())!
  const headers = { Authorization: `Bearer ${key}`, 'Content-Type': 'application/json' }
  const api = new URL('/v1/bookings', await runtime.unsafeGetDirectURL('holdfast'))
  expect((await fetch(api, { headers })).status).toBe(200)
  const refused = await fetch(api, { method: 'POST', headers, body: JSON.stringify({ start_time: 'soon' }) })
  expect(refused.status).toBe(400)
  const id = refused.headers.get('X-Request-Id')!
  await untilThere(page, `/console/developers/requests?id=${id}`, 'Reason')
  await page.getByText('start_time', { exact: true }).waitFor()
  await look('console-call')
  await press('Sign out')
  await heading('You are signed out')
  await owner.leave()
})
