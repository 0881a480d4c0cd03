import type { Browser, BrowserContextOptions, Page } from 'playwright-core'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { launchBrowser, newVisitor } from '../support/browser.ts'
import { amount } from '../support/chance.ts'
import { SERVICE_KEY } from '../support/service.ts'
import { type Studio, startStudio } from '../support/studio.ts'
import { editorScreens, SCREENS } from './console-screens.ts'

let browser: Browser
let studio: Studio

beforeAll(async () => {
  ;[studio, browser] = await Promise.all([startStudio(), launchBrowser()])
}, 180_000)

afterAll(async () => {
  await browser?.close()
  await studio?.close()
}, 30_000)

async function ask(method: string, path: string, body?: unknown): Promise<any> {
  const response = await fetch(new URL(path, studio.url), {
    method,
    headers: { 'Content-Type': 'application/json', Authorization: `Bearer ${SERVICE_KEY}` },
    ...(body !== undefined && { body: JSON.stringify(body) }),
  })
  const answer = await response.json()
  if (response.status >= 300) throw new Error(`${method} ${path}: ${JSON.stringify(answer)}`)
  return answer
}

const at = (path: string) => new URL(path, studio.url).href

/** The path of a link of the service key. */
async function linkTo(body: Record<string, unknown>): Promise<string> {
  const { pathname, search } = new URL((await ask('POST', '/v1/console-links', body)).url)
  return at(pathname + search)
}

async function enter(page: Page): Promise<void> {
  const { id } = await ask('GET', '/v1/organizations?owner_user_id=owner')
  await page.goto(await linkTo({ organization_id: id }))
  await page.getByRole('button', { name: /Sign in|Anmelden/ }).click()
  await page.waitForURL(/\/console\/(start|bookings)/)
}

it('leads from a link to an organization, its first event type and its first booking, and back', async () => {
  const owner = await newVisitor(browser)
  const { page } = owner
  await page.goto(await linkTo({}))
  await owner.look('console-new')
  await page.getByLabel('Name of the organization').fill('Ada’s Practice')
  await page.getByLabel('Your email address').fill('ada@practice.example')
  await page.getByRole('button', { name: 'Create it' }).click()
  await page.getByRole('heading', { name: 'Welcome to Holdfast' }).waitFor()
  expect(await page.getByLabel('Time zone').inputValue()).toBe('Europe/Berlin')
  await owner.look('console-start-new')
  await page.getByLabel('Address of the booking page').fill('ada-practice')
  await page.getByLabel('Title').fill('First visit')
  for (const day of ['Sat', 'Sun']) await page.getByText(day, { exact: true }).click()
  await page.getByRole('button', { name: 'Open my booking page' }).click()
  await page.getByRole('heading', { name: 'You are ready to be booked' }).waitFor()
  await owner.look('console-ready')

  const stranger = await newVisitor(browser)
  await stranger.page.goto(at('/book/ada-practice/first-visit'))
  await stranger.page.locator('.times a').first().click()
  await stranger.page.getByLabel('Name').fill('Grace Hopper')
  await stranger.page.getByLabel('Email address').fill('grace@example.com')
  await stranger.page.getByRole('button', { name: 'Confirm booking' }).click()
  await stranger.page.getByRole('heading', { name: 'You are booked' }).waitFor()
  await stranger.leave()

  await page.getByRole('link', { name: 'Bookings' }).first().click()
  await page.getByRole('link', { name: 'Grace Hopper' }).click()
  await owner.look('console-booking')
  await page.getByRole('link', { name: 'Move' }).click()
  await page.locator('.days label').nth(2).click()
  await owner.look('console-move')
  await page.getByRole('button', { name: 'Move to this time' }).click()
  await page.getByText('The booking was moved').waitFor()
  await page.getByText('Cancel the booking').first().click()
  await page.getByLabel('Reason').fill('I am ill')
  await owner.look('console-cancel')
  await page.getByRole('button', { name: 'Cancel the booking' }).click()
  await page.getByText('The booking was cancelled').waitFor()
  await page.getByRole('button', { name: 'Sign out' }).click()
  await page.getByRole('heading', { name: 'You are signed out' }).waitFor()
  await page.goto(at('/console/bookings'))
  await page.getByRole('heading', { name: 'Sign in' }).waitFor()
  await owner.look('console-sign-in')
  await page.getByLabel('Email address').fill('ada@practice.example')
  await page.getByRole('button', { name: 'Send the code' }).click()
  await page.getByLabel('Six-digit code').waitFor()
  await owner.look('console-code')
  await page.getByLabel('Six-digit code').fill('000 000')
  await page.getByRole('button', { name: 'Sign in' }).click()
  await page.getByText('This code is wrong').waitFor()
  await owner.leave()
})

it('is signed in to, set up and worked in without a script', async () => {
  const { page, look, leave } = await newVisitor(browser, { javaScriptEnabled: false })
  await enter(page)
  await page.goto(at(`/console/bookings/new?type=${studio.intro.id}`))
  await page.locator('.days label').first().click()
  await page.getByLabel('Name').fill('Radia Perlman')
  await page.getByLabel('Email address').fill('radia@example.com')
  await page.getByRole('button', { name: 'Book it' }).click()
  await page.getByText('It is booked').waitFor()
  await look('console-plain')
  await leave()
})

it('shows a menu on a phone, without a script too', async () => {
  const phone = {
    viewport: { width: 360, height: 740 },
    isMobile: true,
    hasTouch: true,
    javaScriptEnabled: false,
  }
  const { page, look, leave } = await newVisitor(browser, phone)
  await enter(page)
  await page.getByRole('link', { name: 'Menu', exact: true }).tap()
  const menu = page.getByRole('navigation', { name: 'Main' })
  await menu.getByRole('link', { name: 'Bookings' }).waitFor()
  await look('console-phone-menu')
  await menu.getByRole('link', { name: 'Bookings' }).tap()
  await page.waitForURL(/\/console\/bookings$/)
  await leave()
})

/** German differs by its words alone, which must fit. */
const LOOKS: readonly (readonly [string, BrowserContextOptions, readonly string[] | undefined])[] = [
  ['light', {}, undefined],
  ['dark', { colorScheme: 'dark' }, undefined],
  ['phone', { viewport: { width: 360, height: 740 }, isMobile: true, hasTouch: true }, undefined],
  ['de', { locale: 'de-DE' }, []],
]

it.each(LOOKS)('can be read everywhere: %s', async (look, options, judged) => {
  const visitor = await newVisitor(browser, options, judged)
  await enter(visitor.page)
  const screens = [...SCREENS, ...editorScreens(studio.intro.id)]
  // `npm run storms` looks at each of them in each way, `npm test` at one in the light and on a phone and at the next in the others.
  const turn = LOOKS.findIndex(([name]) => name === look) % 2
  const seen = screens.filter((_, index) => index % amount(2, 1) === turn % amount(2, 1))
  for (const [name, path] of seen) {
    await visitor.page.goto(at(path))
    await visitor.look(`console-${name}-${look}`)
  }
  await visitor.leave()
})
