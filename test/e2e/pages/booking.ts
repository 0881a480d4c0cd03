import { join, resolve } from 'node:path'
import type { Page } from 'playwright-core'
import { expect, it } from 'vitest'
import { newVisitor } from '../../support/browser.ts'
import { app, browser, google, studio } from './stage.ts'

const ROOT = resolve(import.meta.dirname, '../../..')
const DAY_MS = 86_400_000
const YEAR = new Date().getUTCFullYear() + 1
/** The Monday after the night in which Europe's clocks go forward; America's went two weeks before. */
const AFTER_CHANGE = lastSundayOfMarch(YEAR) + DAY_MS
const INTRO = '/book/northwind/intro-call'
const YOGA = '/book/northwind/morning-yoga'
/** Where nobody has to go anywhere, so that times are the visitor's. */
const CALL = '/book/northwind/video-call'

function lastSundayOfMarch(year: number): number {
  const end = Date.UTC(year, 2, 31)
  return end - new Date(end).getUTCDay() * DAY_MS
}

/** A Tuesday of next year for each test, so that none takes the time of another. */
function tuesday(number: number): string {
  const first = Date.UTC(YEAR, 4, 1)
  const ahead = (9 - new Date(first).getUTCDay()) % 7
  return dateOf(first + (ahead + 7 * number) * DAY_MS)
}

function dateOf(at: number): string {
  return new Date(at).toISOString().slice(0, 10)
}

function at(path: string): string {
  return new URL(path, studio.url).href
}

async function pickTime(page: Page, label: string): Promise<void> {
  await page.getByRole('link', { name: label, exact: true }).click()
  await page.getByLabel('Name').waitFor()
}

async function fillIn(page: Page, name: string): Promise<void> {
  await page.getByLabel('Name').fill(name)
  await page.getByLabel('Email address').fill(`${name.toLowerCase()}@example.com`)
}

it('books a time from the list of meetings to the confirmation', async () => {
  const { page, look, leave } = await newVisitor(browser)
  await page.goto(at('/book/northwind'))
  await look('listing')
  await page.getByRole('link', { name: 'Intro call' }).click()
  await look('month')
  await page.goto(at(`${INTRO}?month=${tuesday(0).slice(0, 7)}`))
  let loads = 0
  page.on('load', () => {
    loads += 1
  })
  await page.locator(`[data-day="${tuesday(0)}"]`).click()
  await page.getByRole('link', { name: '10:00 AM', exact: true }).waitFor()
  await page.mouse.move(0, 0)
  await look('times')
  if (process.env.UPDATE_SCREENSHOT) {
    await page.screenshot({ path: join(ROOT, 'docs/booking-page.png') })
  }
  await pickTime(page, '10:00 AM')
  expect(loads).toBe(0)
  await look('form')
  await page.getByRole('button', { name: 'Confirm booking' }).click()
  await page.getByText('Please check these points').waitFor()
  await look('errors')
  expect(await page.evaluate('document.activeElement.className')).toBe('problems')
  await page.getByRole('link', { name: 'Enter your name.' }).click()
  expect(await page.evaluate('document.activeElement.id')).toBe('name')
  await fillIn(page, 'Ada')
  await page.getByLabel('Anything we should know?').fill('Looking forward to it')
  await page.getByRole('button', { name: 'Confirm booking' }).click()
  await page.getByRole('heading', { name: 'You are booked' }).waitFor()
  await look('booked')
  const booking = (await studio.bookings()).find(({ invitee_name: name }) => name === 'Ada')
  expect(booking).toMatchObject({
    start_time: `${tuesday(0)}T08:00:00.000Z`,
    invitee_timezone: 'Europe/Berlin',
    notes: 'Looking forward to it',
  })
  const download = page.waitForEvent('download')
  await page.getByRole('link', { name: 'Calendar file (.ics)' }).click()
  expect((await download).suggestedFilename()).toBe('booking.ics')
  await leave()
})

it('books in another zone across a clock change, in the zone of the browser or the one chosen', async () => {
  const { page, look, leave } = await newVisitor(browser, { timezoneId: 'America/New_York' })
  const first = () => page.locator('.time').first().textContent()
  await page.goto(at(`${CALL}?date=${dateOf(AFTER_CHANGE - 7 * DAY_MS)}`))
  // Until the browser told its zone the service guessed one.
  await expect.poll(first).toBe('4:00 AM')
  await page.goto(at(`${CALL}?date=${dateOf(AFTER_CHANGE)}`))
  await expect.poll(first).toBe('3:00 AM')
  await page.getByRole('button', { name: /Time zone/ }).click()
  await page.getByRole('combobox', { name: 'Search for a city' }).fill('atlantis')
  await page.getByText('Nothing found').waitFor()
  for (const [typed, found] of [
    ['wien', /^Vienna ?Wien · Europe/],
    ['東京', /^Tokyo ?東京 · Asia/],
    ['القاهرة', /^Cairo/],
    ['mumbai', /^Kolkata ?Mumbai · Asia/],
  ] as const) {
    await page.getByRole('combobox', { name: 'Search for a city' }).fill(typed)
    await page.getByRole('option', { name: found }).waitFor()
  }
  for (const typed of ['india', 'utc+5:30', 'kolk']) {
    await page.getByRole('combobox', { name: 'Search for a city' }).fill(typed)
    await page.getByRole('option', { name: /Kolkata.*GMT\+5:30/ }).waitFor()
  }
  await page.getByRole('combobox', { name: 'Search for a city' }).fill('kolk')
  await page.getByRole('option', { name: /Kolkata.*GMT\+5:30/ }).waitFor()
  await look('zones')
  await page.keyboard.press('Enter')
  await page.getByRole('link', { name: '12:30 PM', exact: true }).waitFor()
  expect(await page.locator('.time').first().textContent()).toBe('12:30 PM')
  await expect.poll(() => page.evaluate('document.activeElement.id')).toBe('tz-button')
  await page.goto(at(CALL))
  await page.getByRole('button', { name: /Kolkata \(GMT\+5:30\)/ }).waitFor()
  await page.goto(at(`${CALL}?date=${dateOf(AFTER_CHANGE)}`))
  await pickTime(page, '12:30 PM')
  await fillIn(page, 'Indira')
  await page.getByRole('button', { name: 'Confirm booking' }).click()
  await page.getByText('India Standard Time').waitFor()
  await look('booked-elsewhere')
  const booking = (await studio.bookings()).find(({ invitee_name: name }) => name === 'Indira')
  expect(booking).toMatchObject({
    start_time: `${dateOf(AFTER_CHANGE)}T07:00:00.000Z`,
    invitee_timezone: 'Asia/Kolkata',
  })
  await leave()
})

it('loses a race for a time without losing what was typed', async () => {
  const { page, look, leave } = await newVisitor(browser)
  await page.goto(at(`${INTRO}?date=${tuesday(1)}&tz=Europe/Berlin`))
  await pickTime(page, '11:00 AM')
  await studio.book(studio.intro.id, `${tuesday(1)}T09:00:00Z`, 'eve')
  await fillIn(page, 'Grace')
  await page.getByRole('button', { name: 'Confirm booking' }).click()
  await page.getByText(/11:00 AM was just booked by somebody else\./).waitFor()
  await look('gone')
  expect(await page.getByRole('radio').count()).toBe(3)
  expect(await page.getByLabel('Name').inputValue()).toBe('Grace')
  await page.getByRole('radio').nth(1).check()
  await page.getByRole('button', { name: 'Confirm booking' }).click()
  await page.getByRole('heading', { name: 'You are booked' }).waitFor()
  const booking = (await studio.bookings()).find(({ invitee_name: name }) => name === 'Grace')
  expect(booking.start_time).toBe(`${tuesday(1)}T10:00:00.000Z`)
  await leave()
})

it('moves a booking and cancels it with the link in the email', async () => {
  const { page, look, leave } = await newVisitor(browser)
  const { id, cancel_token: token } = await studio.book(studio.intro.id, `${tuesday(2)}T09:00:00Z`, 'linus')
  await page.goto(at(`/bookings/${id}?token=${token}`))
  await look('manage')
  await page.getByRole('link', { name: 'Change your details' }).click()
  await page.locator('summary').click()
  await page.getByLabel('Guests').fill('nobody')
  await page.getByLabel('Phone number').fill('+49 30 901820')
  await page.getByRole('button', { name: 'Save' }).click()
  await page.getByText('Please check these points').waitFor()
  await look('change-errors')
  await page.getByLabel('Guests').fill('bob@example.com')
  await page.getByRole('button', { name: 'Save' }).click()
  await page.getByText('Your changes are saved.').waitFor()
  await look('changed')
  await page.getByRole('link', { name: 'Reschedule' }).click()
  await page.goto(`${page.url()}&date=${tuesday(2)}&tz=Europe/Berlin`)
  await look('move')
  await page.getByRole('link', { name: '2:00 PM', exact: true }).click()
  await page.getByRole('button', { name: 'Reschedule booking' }).waitFor()
  await look('move-confirm')
  await page.getByRole('button', { name: 'Reschedule booking' }).click()
  await page.getByRole('heading', { name: 'Your booking was rescheduled' }).waitFor()
  await page.locator('summary').click()
  await look('manage-moved')
  await page.getByLabel('Reason').fill('Something came up')
  await page.getByRole('button', { name: 'Cancel booking' }).click()
  await page.getByRole('heading', { name: 'This booking is cancelled' }).waitFor()
  await look('cancelled')
  const booking = (await studio.bookings()).find((one) => one.id === id)
  expect(booking).toMatchObject({ status: 'cancelled', cancel_reason: 'Something came up' })
  await leave()
})

it('joins the waitlist for a full time', async () => {
  const { page, look, leave } = await newVisitor(browser)
  for (const who of ['one', 'two']) await studio.book(studio.yoga.id, `${tuesday(3)}T08:00:00Z`, who)
  await page.goto(at(`${YOGA}?date=${tuesday(3)}&tz=Europe/Berlin`))
  await look('seats')
  await page.getByRole('link', { name: /^10:00 AM/ }).click()
  await page.getByLabel('Name').waitFor()
  await look('waitlist')
  await fillIn(page, 'Margaret')
  await page.getByRole('button', { name: 'Join the waitlist' }).click()
  await page.getByRole('heading', { name: 'You are on the waitlist' }).waitFor()
  await look('waiting')
  await page.getByRole('button', { name: 'Leave the waitlist' }).click()
  await page.getByRole('heading', { name: 'You are no longer on the waitlist' }).waitFor()
  await leave()
})

it('works without JavaScript', async () => {
  const { page, look, leave } = await newVisitor(browser, { javaScriptEnabled: false })
  await page.goto(at(INTRO))
  await page.getByLabel('Time zone').selectOption('Europe/Berlin')
  await page.locator('.zone button').click()
  await page.goto(`${page.url()}&month=${tuesday(4).slice(0, 7)}`)
  await page.locator(`[data-day="${tuesday(4)}"]`).click()
  await look('without-script')
  await pickTime(page, '10:00 AM')
  await page.getByRole('button', { name: 'Confirm booking' }).click()
  await page.getByText('Please check these points').waitFor()
  await fillIn(page, 'Barbara')
  await page.getByRole('button', { name: 'Confirm booking' }).click()
  await page.getByRole('heading', { name: 'You are booked' }).waitFor()
  await page.getByRole('link', { name: 'Cancel or reschedule' }).click()
  await page.getByRole('link', { name: 'Change your details' }).click()
  await page.getByLabel('Name').fill('Barbara Liskov')
  await page.getByRole('button', { name: 'Save' }).click()
  await page.getByText('Your changes are saved.').waitFor()
  await page.locator('summary').click()
  await page.getByRole('button', { name: 'Cancel booking' }).click()
  await page.getByRole('heading', { name: 'This booking is cancelled' }).waitFor()
  await leave()
})

it.each([true, false])(
  'connects a calendar once its owner has agreed (script: %s)',
  async (javaScriptEnabled) => {
    const { page, look, leave } = await newVisitor(browser, { javaScriptEnabled })
    const as = `${javaScriptEnabled ? 'ada' : 'grace'}@example.com`
    const before = (await studio.calendars()).length
    const back = await google.consent(await studio.connectGoogle(app.url), as)
    await page.goto(at(`${back.pathname}${back.search}`))
    await page.getByText('Northwind Studio').waitFor()
    await page.getByText(as).waitFor()
    await look(`consent-${javaScriptEnabled ? 'with' : 'without'}-script`)
    expect(await studio.calendars()).toHaveLength(before)
    await page.getByRole('button', { name: 'Connect', exact: true }).click()
    await page.waitForURL(`${app.url}/?calendar=connected`)
    expect(await studio.calendars()).toHaveLength(before + 1)
    await leave()
  },
)

it('connects no calendar if its owner refuses', async () => {
  const { page, look, leave } = await newVisitor(browser)
  const before = (await studio.calendars()).length
  const back = await google.consent(await studio.connectGoogle(app.url), 'no@example.com')
  await page.goto(at(`${back.pathname}${back.search}`))
  await page.getByRole('button', { name: 'Do not connect' }).click()
  await page.getByRole('heading', { name: 'Nothing was connected' }).waitFor()
  await look('consent-declined')
  expect(await studio.calendars()).toHaveLength(before)
  await leave()
})
