import type { Page } from 'playwright-core'
import { expect, it } from 'vitest'
import { newVisitor } from '../../support/browser.ts'
import { browser, studio } from './stage.ts'

const DAY_MS = 86_400_000
const INTRO = '/book/northwind/intro-call'
const YOGA = '/book/northwind/morning-yoga'
/** A Wednesday some weeks from now, in the middle of its month. */
const WEDNESDAY = wednesdayInMonth()

function wednesdayInMonth(): string {
  const now = new Date()
  const tenth = Date.UTC(now.getUTCFullYear(), now.getUTCMonth() + 2, 10)
  return dateOf(tenth + ((10 - new Date(tenth).getUTCDay()) % 7) * DAY_MS)
}

function dateOf(at: number): string {
  return new Date(at).toISOString().slice(0, 10)
}

function after(date: string, days: number): string {
  return dateOf(Date.parse(date) + days * DAY_MS)
}

function at(path: string): string {
  return new URL(path, studio.url).href
}

async function focused(page: Page): Promise<string> {
  return String(await page.evaluate('document.activeElement.dataset.day ?? document.activeElement.id ?? ""'))
}

it('fits a phone', async () => {
  const phone = { viewport: { width: 360, height: 740 }, isMobile: true, hasTouch: true }
  const { page, look, leave } = await newVisitor(browser, phone)
  await page.goto(at('/book/northwind'))
  await look('phone-listing')
  await page.goto(at(`${INTRO}?month=${WEDNESDAY.slice(0, 7)}&tz=Europe/Berlin`))
  await page.locator(`[data-day="${WEDNESDAY}"]`).tap()
  await page.getByRole('link', { name: '9:00 AM', exact: true }).waitFor()
  const top = 'document.querySelector(".times").getBoundingClientRect().top'
  await expect.poll(() => page.evaluate(top)).toBeLessThan(740 - 120)
  await look('phone-times')
  await page.getByRole('link', { name: '9:00 AM', exact: true }).tap()
  await page.getByLabel('Name').waitFor()
  await look('phone-form')
  await leave()
})

it('is dark for visitors who prefer dark, whatever color the event type has', async () => {
  const { page, look, leave } = await newVisitor(browser, { colorScheme: 'dark' })
  for (const [name, path] of [
    ['dark-listing', '/book/northwind'],
    ['dark-times', `${INTRO}?date=${WEDNESDAY}`],
    ['dark-yellow', `${YOGA}?date=${WEDNESDAY}`],
  ] as const) {
    await page.goto(at(path))
    await look(name)
  }
  const { id, cancel_token: token } = await studio.book(studio.intro.id, `${WEDNESDAY}T14:00:00Z`, 'night')
  await page.goto(at(`/bookings/${id}?token=${token}`))
  await page.locator('summary').click()
  await look('dark-manage')
  await page.goto(at('/book/nobody'))
  await look('dark-nothing')
  await leave()
})

it.each([
  ['ar', 'rtl', 'تأكيد الحجز'],
  ['ja', 'ltr', '予約を確定する'],
  ['de', 'ltr', 'Termin buchen'],
])('speaks %s', async (locale, direction, submit) => {
  const { page, look, leave } = await newVisitor(browser, { locale })
  await page.goto(at(`${YOGA}?date=${WEDNESDAY}&tz=Europe/Berlin`))
  expect(await page.evaluate('document.documentElement.dir')).toBe(direction)
  await look(`${locale}-times`)
  await page.locator('.time').first().click()
  await page.getByRole('button', { name: submit }).click()
  await page.locator('.problems').waitFor()
  await look(`${locale}-errors`)
  await leave()
})

it('books with the keyboard alone', async () => {
  const { page, look, leave } = await newVisitor(browser)
  await page.goto(at(`${INTRO}?month=${WEDNESDAY.slice(0, 7)}&tz=Europe/Berlin`))
  await page.keyboard.press('Tab')
  await page.keyboard.press('Enter')
  for (let tabs = 0; tabs < 12 && !/^\d{4}-/.test(await focused(page)); tabs++)
    await page.keyboard.press('Tab')
  const first = await focused(page)
  expect(first).toMatch(/^\d{4}-\d{2}-\d{2}$/)
  await page.keyboard.press('ArrowDown')
  expect(await focused(page)).toBe(after(first, 7))
  await page.keyboard.press('ArrowRight')
  await page.keyboard.press('ArrowUp')
  expect(await focused(page)).toBe(after(first, 1))
  await page.keyboard.press('PageDown')
  await page.waitForURL((url) => url.searchParams.get('month') !== WEDNESDAY.slice(0, 7))
  const sameDay = new Date(Date.parse(after(first, 1)))
  sameDay.setUTCMonth(sameDay.getUTCMonth() + 1)
  await expect.poll(() => focused(page)).toBe(dateOf(sameDay.getTime()))
  await page.goto(at(`${INTRO}?date=${WEDNESDAY}&tz=Europe/Berlin`))
  await page.locator(`[data-day="${WEDNESDAY}"]`).focus()
  await page.keyboard.press('ArrowRight')
  expect(await focused(page)).toBe(after(WEDNESDAY, 1))
  await page.keyboard.press('Enter')
  await page.waitForURL((url) => url.searchParams.get('date') === after(WEDNESDAY, 1))
  await expect.poll(() => page.locator('#live').textContent()).toMatch(/16 times/)
  expect(await focused(page)).toBe(after(WEDNESDAY, 1))
  await look('keyboard')
  await page.keyboard.press('Tab')
  await page.keyboard.press('Enter')
  await page.getByLabel('Name').waitFor()
  expect(await page.evaluate('document.activeElement.textContent')).toBe('Your details')
  await page.keyboard.press('Tab')
  await page.keyboard.type('Edsger')
  await page.keyboard.press('Tab')
  await page.keyboard.type('edsger@example.com')
  await page.keyboard.press('Enter')
  await page.getByRole('heading', { name: 'You are booked' }).waitFor()
  await leave()
})

it('goes back by the history to what was shown, with what was typed', async () => {
  const { page, leave } = await newVisitor(browser)
  await page.goto(at(`${INTRO}?date=${WEDNESDAY}&tz=Europe/Berlin`))
  await page.getByRole('link', { name: '10:30 AM', exact: true }).click()
  await page.getByLabel('Name').fill('Hedy')
  await page.goBack()
  await page.getByRole('link', { name: '10:30 AM', exact: true }).waitFor()
  await page.goForward()
  await page.getByLabel('Name').waitFor()
  expect(await page.getByLabel('Name').inputValue()).toBe('Hedy')
  await leave()
})

it('shows the form of the payment provider, and what it says of a card', async () => {
  const { page, look, leave } = await newVisitor(browser)
  await page.route('https://js.stripe.com/**', (route) => {
    const element = "{ mount: (at) => { document.querySelector(at).textContent = 'Card' } }"
    const confirm = "async () => ({ error: { message: 'Your card was declined.' } })"
    const body = `window.Stripe = () => ({ elements: () => ({ create: () => (${element}) }), confirmPayment: ${confirm} })`
    return route.fulfill({ contentType: 'text/javascript', body })
  })
  const { id, cancel_token: token } = await studio.bookUnpaid(`${WEDNESDAY}T13:00:00Z`)
  await page.goto(at(`/bookings/${id}?token=${token}`))
  await page.getByRole('heading', { name: 'Payment is due' }).waitFor()
  await page.locator('summary').click()
  await look('manage-unpaid')
  await page.getByRole('button', { name: /^Pay/ }).click()
  await page.getByText('Card').waitFor()
  await look('pay', ['https://js.stripe.com'])
  await page.getByRole('button', { name: /^Pay/ }).click()
  await page.getByText('Your card was declined.').waitFor()
  await look('pay-declined', ['https://js.stripe.com'])
  await leave()
})

it('works as well in a frame, and with names that are too long', async () => {
  const { page, look, leave } = await newVisitor(browser, { viewport: { width: 375, height: 740 } })
  await page.goto(at(`${INTRO}?embed=1&date=${WEDNESDAY}`))
  await look('embedded-times')
  await page.locator('.time').first().click()
  await page.getByLabel('Name').waitFor()
  await look('embedded-form')
  await studio.offer({ title: 'Donaudampfschifffahrt'.repeat(5), slug: 'long', duration_minutes: 30 })
  for (const [name, path] of [
    ['long-listing', '/book/northwind'],
    ['long-times', '/book/northwind/long'],
  ] as const) {
    await page.goto(at(path))
    await look(name)
    const cut = await page.evaluate(
      "Math.max(...[...document.querySelectorAll('h1, h2')].map((one) => one.scrollWidth - one.clientWidth))",
    )
    expect([name, cut]).toEqual([name, 0])
  }
  await leave()
})

it.each([
  ['en-US', 'Next page'],
  ['de', 'Nächste Seite'],
  ['fr', 'Page suivante'],
  ['es', 'Página siguiente'],
  ['ja', '次のページ'],
  ['ar', 'الصفحة التالية'],
])('shows a long listing in pages, without a script, in %s', async (locale, next) => {
  for (let made = 0; locale === 'en-US' && made < 60; made++) {
    const group = made < 40 ? 'A group that goes on' : null
    await studio.offer({ title: `One of many, ${made}`, slug: `many-${made}`, duration_minutes: 30, group })
  }
  const { page, look, leave } = await newVisitor(browser, { locale, javaScriptEnabled: false })
  await page.goto(at('/book/northwind'))
  await look(`${locale}-listing-pages`)
  await page.getByRole('link', { name: next }).click()
  await page.waitForURL((url) => url.searchParams.get('page') === '2')
  await look(`${locale}-listing-last-page`)
  await leave()
})
