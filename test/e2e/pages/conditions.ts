import type { Page } from 'playwright-core'
import { expect, it } from 'vitest'
import { newVisitor, violationsOf } from '../../support/browser.ts'
import { amount } from '../../support/chance.ts'
import { app, browser, studio } from './stage.ts'

const DAY_MS = 86_400_000
const CALL = '/book/northwind/video-call'
const COLORS = ['#3b82f6', '#facc15', '#1e1b4b', '#dc2626', '#16a34a', '#000000', '#ffffff', '#ec4899']
/** The Mondays of a month two years from now, so that no walk takes the time of another. */
const YEAR = new Date().getUTCFullYear() + 2

function monday(number: number): string {
  const first = Date.UTC(YEAR, 2, 1)
  const ahead = (8 - new Date(first).getUTCDay()) % 7
  return dateOf(first + (ahead + 7 * number) * DAY_MS)
}

function dateOf(at: number): string {
  return new Date(at).toISOString().slice(0, 10)
}

function at(path: string): string {
  return new URL(path, studio.url).href
}

async function focused(page: Page): Promise<string> {
  return String(await page.evaluate('document.activeElement.dataset.day ?? document.activeElement.className'))
}

async function choose(page: Page, label: string): Promise<void> {
  await page.getByRole('link', { name: label, exact: true }).click()
  await page.getByLabel('Name').waitFor()
}

it('keeps what was typed after a lost race, another time and a reload, and says who has the time now', async () => {
  const { page, leave } = await newVisitor(browser)
  await page.goto(at(`${CALL}?date=${monday(0)}`))
  await choose(page, '11:00 AM')
  expect(await page.title()).toMatch(/^Your details · Mon, Mar \d+, 11:00 AM – 11:30 AM · Video call/)
  await page.getByLabel('Name').fill('Grace')
  await page.getByLabel('Email address').fill('nonsense')
  await page.getByRole('button', { name: 'Confirm booking' }).click()
  await page.getByText('Please check these points').waitFor()
  expect(await page.title()).toMatch(/^Error: Your details/)
  await page.getByRole('link', { name: 'Change the time' }).click()
  await choose(page, '11:30 AM')
  expect(await page.getByLabel('Name').inputValue()).toBe('Grace')
  await page.getByLabel('Email address').fill('grace@example.com')
  await page.reload()
  await page.getByLabel('Name').waitFor()
  expect(await page.getByLabel('Email address').inputValue()).toBe('grace@example.com')
  await studio.book(studio.call.id, `${monday(0)}T10:30:00Z`, 'eve')
  await page.getByRole('button', { name: 'Confirm booking' }).click()
  await page.getByText(/11:30 AM was just booked/).waitFor()
  await page.getByRole('link', { name: 'Change the time' }).click()
  await choose(page, '2:00 PM')
  expect(await page.getByLabel('Name').inputValue()).toBe('Grace')
  await page.getByRole('button', { name: 'Confirm booking' }).click()
  await page.getByRole('heading', { name: 'You are booked' }).waitFor()
  await page.goBack()
  await page.getByText(/You have booked .*2:00 PM/).waitFor()
  await page.getByRole('link', { name: 'Your booking' }).click()
  await page.getByRole('heading', { name: 'You are booked' }).waitFor()
  await page.goto(at(`${CALL}?date=${monday(0)}`))
  await choose(page, '4:00 PM')
  expect(await page.getByLabel('Name').inputValue()).toBe('')
  await leave()
})

it('loses nothing when the connection is lost', async () => {
  const { page, look, leave } = await newVisitor(browser)
  await page.goto(at(`${CALL}?date=${monday(1)}`))
  await page.context().setOffline(true)
  await page.getByRole('link', { name: /^Next month/ }).click()
  await page.getByRole('alert').getByText('There is no connection').waitFor()
  await page.context().setOffline(false)
  await page.getByRole('button', { name: 'Try again' }).click()
  await page.getByRole('heading', { name: /^April/ }).waitFor()
  await page.goto(at(`${CALL}?date=${monday(1)}`))
  await choose(page, '9:00 AM')
  await page.getByLabel('Name').fill('Frances')
  await page.getByLabel('Email address').fill('frances@example.com')
  await page.context().setOffline(true)
  await page.getByRole('button', { name: 'Confirm booking' }).click()
  await page.getByRole('alert').getByText('There is no connection').waitFor()
  expect(await page.getByLabel('Name').inputValue()).toBe('Frances')
  expect(await page.getByRole('button', { name: 'Confirm booking' }).count()).toBe(1)
  await page.context().setOffline(false)
  await look('offline')
  await page.getByRole('button', { name: 'Try again' }).click()
  await page.getByRole('heading', { name: 'You are booked' }).waitFor()
  const mine = (await studio.bookings()).filter(({ invitee_name: name }) => name === 'Frances')
  expect(mine).toHaveLength(1)
  await leave()
})

it('knows its own booking if the response was lost and the form has changed since', async () => {
  const { page, leave } = await newVisitor(browser)
  await page.goto(at(`${CALL}?date=${monday(1)}`))
  await choose(page, '4:30 PM')
  await page.getByLabel('Name').fill('Rosalnd')
  await page.getByLabel('Email address').fill('rosalind@example.com')
  await page.route('**/book/**', async (route) => {
    await route.fetch()
    // With the answer, its cookie is lost.
    await page.context().clearCookies({ name: 'hf_booked' })
    await route.abort()
  })
  await page.getByRole('button', { name: 'Confirm booking' }).click()
  await page.getByRole('alert').getByText('There is no connection').waitFor()
  await page.unroute('**/book/**')
  await page.getByLabel('Name').fill('Rosalind')
  await page.getByRole('button', { name: 'Confirm booking' }).click()
  await page.getByText(/You have booked .*4:30 PM/).waitFor()
  await page.getByRole('link', { name: 'Your booking' }).click()
  await page.getByRole('heading', { name: 'You are booked' }).waitFor()
  await leave()
})

it('keeps what was typed for a paid event type, too, and leads to the payment once', async () => {
  const { page, leave } = await newVisitor(browser)
  await page.route('https://js.stripe.com/**', (route) => route.abort())
  await page.goto(at(`${await studio.previewPaid('sitting')}&date=${monday(1)}`))
  await choose(page, '1:00 PM')
  await page.getByLabel('Name').fill('Emmy')
  await page.getByLabel('Email address').fill('emmy@example.com')
  const refused = '<main id="main"><div class="notice"><h1>Too many requests</h1></div></main>'
  for (const answer of [
    { status: 429, contentType: 'text/html', body: refused, told: 'Too many requests' },
    { told: 'There is no connection' },
  ]) {
    const { told, ...given } = answer
    await page.route('**/book/**', (route) => (given.status ? route.fulfill(given) : route.abort()))
    await page.getByRole('button', { name: 'Continue to payment' }).click()
    await page.getByRole('alert').getByText(told).waitFor()
    await page.unroute('**/book/**')
    expect(await page.getByLabel('Name').inputValue()).toBe('Emmy')
  }
  await page.getByRole('button', { name: 'Continue to payment' }).click()
  await page.getByRole('heading', { name: 'Payment' }).waitFor()
  await page.getByRole('link', { name: 'Your booking' }).click()
  await page.getByRole('heading', { name: 'Payment is due' }).waitFor()
  await leave()
})

it('sends one request if the browser knows its time zone by an old name, and leads to the payment', async () => {
  // Here it says Asia/Calcutta.
  const { page, leave } = await newVisitor(browser, { timezoneId: 'Asia/Kolkata' })
  await page.route('https://js.stripe.com/**', (route) => route.abort())
  await page.goto(at(`${await studio.previewPaid('far-sitting')}&date=${monday(1)}`))
  await page.waitForLoadState('networkidle')
  const asked: string[] = []
  page.on('request', (request) => request.url().includes('/book/') && asked.push(request.method()))
  await page.reload()
  await page.waitForLoadState('networkidle')
  expect(asked).toEqual(['GET'])
  await choose(page, '2:30 PM')
  await page.getByLabel('Name').fill('Kamala')
  await page.getByLabel('Email address').fill('kamala@example.com')
  await page.getByRole('button', { name: 'Continue to payment' }).click()
  await page.locator('form#pay').waitFor()
  await page.waitForLoadState('networkidle')
  expect(await page.locator('form#pay').count()).toBe(1)
  expect(asked).toEqual(['GET', 'GET', 'POST', 'POST'])
  await leave()
})

it('leads to the payment, though the visitor went back before the response arrived', async () => {
  const { page, leave } = await newVisitor(browser)
  await page.route('https://js.stripe.com/**', (route) => route.abort())
  await page.goto(at(`${await studio.previewPaid('late-sitting')}&date=${monday(1)}`))
  await choose(page, '3:00 PM')
  await page.getByLabel('Name').fill('Lise')
  await page.getByLabel('Email address').fill('lise@example.com')
  let isBack = () => {}
  const wentBack = new Promise<void>((resolve) => {
    isBack = resolve
  })
  await page.route('**/book/**', async (route) => {
    if (route.request().method() === 'POST') await wentBack
    await route.continue()
  })
  await page.getByRole('button', { name: 'Continue to payment' }).click()
  await page.evaluate('history.back()')
  await page.locator('.times').waitFor()
  isBack()
  await page.locator('form#pay').waitFor()
  await leave()
})

it('sends again what did not arrive, though the visitor went back before that was known', async () => {
  const { page, leave } = await newVisitor(browser)
  await page.goto(at(`${CALL}?date=${monday(1)}`))
  await choose(page, '3:30 PM')
  await page.getByLabel('Name').fill('Radia')
  await page.getByLabel('Email address').fill('radia@example.com')
  let isBack = () => {}
  const wentBack = new Promise<void>((resolve) => {
    isBack = resolve
  })
  await page.route('**/book/**', async (route) => {
    if (route.request().method() !== 'POST') return route.continue()
    await wentBack
    await route.abort()
  })
  await page.getByRole('button', { name: 'Confirm booking' }).click()
  await page.evaluate('history.back()')
  await page.locator('.times').waitFor()
  isBack()
  await page.getByRole('alert').waitFor()
  await page.unroute('**/book/**')
  await page.getByRole('button', { name: 'Try again' }).click()
  await page.getByRole('heading', { name: 'You are booked' }).waitFor()
  await leave()
})

it('says so if a price was set while the form was filled in, and then leads to the payment', async () => {
  const { page, leave } = await newVisitor(browser)
  await page.route('https://js.stripe.com/**', (route) => route.abort())
  const { path, charge } = await studio.previewFree()
  await page.goto(at(`${path}&date=${monday(1)}`))
  await choose(page, '2:00 PM')
  await page.getByLabel('Name').fill('Hedy')
  await page.getByLabel('Email address').fill('hedy@example.com')
  await charge()
  await page.getByRole('button', { name: 'Confirm booking' }).click()
  await page.getByRole('alert').waitFor()
  await page.getByRole('button', { name: 'Continue to payment' }).click()
  await page.getByRole('heading', { name: 'Payment' }).waitFor()
  expect(await page.locator('script[src*="pay.js"]').count()).toBe(1)
  await leave()
})

it('shows what was booked, though the visitor went back before the response arrived', async () => {
  const { page, leave } = await newVisitor(browser)
  await page.goto(at(`${CALL}?date=${monday(1)}`))
  await choose(page, '3:00 PM')
  await page.getByLabel('Name').fill('Grete')
  await page.getByLabel('Email address').fill('grete@example.com')
  const wentBack = Promise.withResolvers<void>()
  await page.route('**/book/**', async (route) => {
    // What they went back to never comes.
    if (route.request().method() !== 'POST') return wentBack.resolve()
    await wentBack.promise
    await route.continue()
  })
  const dropped = page.waitForEvent('requestfailed')
  await page.getByRole('button', { name: 'Confirm booking' }).click()
  await page.evaluate('history.back()')
  await page.getByRole('heading', { name: 'You are booked' }).waitFor()
  expect(page.url()).toContain('/booked/')
  expect((await dropped).url()).not.toContain('/booked/')
  await leave()
})

it('follows a browser that has moved to another time zone, unless a time zone was chosen', async () => {
  const home = await newVisitor(browser)
  await home.page.goto(at(CALL))
  const zone = (page: Page) => expect.poll(() => page.locator('.zone-button').textContent())
  await zone(home.page).toMatch(/^Berlin/)
  const luggage = () => home.page.context().storageState()
  const away = await newVisitor(browser, { timezoneId: 'Asia/Tokyo', storageState: await luggage() })
  await away.page.goto(at(CALL))
  await zone(away.page).toMatch(/^Tokyo/)
  await home.page.goto(at(`${CALL}?tz=Asia/Kolkata`))
  const chosen = await newVisitor(browser, { timezoneId: 'Asia/Tokyo', storageState: await luggage() })
  await chosen.page.goto(at(CALL))
  await chosen.settle()
  await zone(chosen.page).toMatch(/^Kolkata/)
  for (const { leave } of [home, away, chosen]) await leave()
})

it('follows the browser, though another tab set its time zone while the page was loading', async () => {
  const { page, leave } = await newVisitor(browser, { timezoneId: 'Asia/Tokyo' })
  await page.addInitScript("document.cookie = 'hf_zone=Asia%2FTokyo; Path=/'")
  await page.goto(at(CALL))
  await expect.poll(() => page.locator('.zone-button').textContent()).toMatch(/^Tokyo/)
  await leave()
})

it('requests a day from the server if the browser follows old rules of the time zone', async () => {
  const { page, settle, leave } = await newVisitor(browser, { timezoneId: 'America/Vancouver' })
  await page.goto(at(`${CALL}?date=${monday(0)}`))
  await settle()
  const first = () => page.locator('.time').first().textContent()
  const before = await first()
  await page.evaluate(`{
    const Format = Intl.DateTimeFormat
    Intl.DateTimeFormat = function (tag, options) {
      const timeZone = options?.timeZone === 'America/Vancouver' ? 'America/Denver' : options?.timeZone
      return new Format(tag, { ...options, timeZone })
    }
  }`)
  const asked = page.waitForRequest(/date=/)
  await page.locator(`[data-day="${monday(2)}"]`).click()
  await asked
  await page.getByRole('heading', { name: 'Mar' }).first().waitFor()
  await expect.poll(first).toBe(before)
  await leave()
})

it('can be sent again after any refusal, and says that it can', async () => {
  const { page, leave } = await newVisitor(browser)
  await page.goto(at(`${CALL}?date=${monday(1)}`))
  await choose(page, '11:00 AM')
  await page.getByLabel('Name').fill('Dorothy')
  await page.getByLabel('Email address').fill('dorothy@example.com')
  const body = '<main id="main"><div class="notice"><h1>Too many requests</h1></div></main>'
  await page.route('**/book/**', (route) => route.fulfill({ status: 429, contentType: 'text/html', body }))
  await page.getByRole('button', { name: 'Confirm booking' }).click()
  await page.getByRole('alert').getByText('Too many requests').waitFor()
  await page.unroute('**/book/**')
  await page.getByRole('button', { name: 'Confirm booking' }).click()
  await page.getByRole('heading', { name: 'You are booked' }).waitFor()
  await leave()
})

it('never shows what another visitor’s link contained or what they typed', async () => {
  const { page, leave } = await newVisitor(browser)
  const open = async (person: string) => {
    await page.goto(at(`${CALL}?date=${monday(1)}${person}`))
    await choose(page, '1:00 PM')
    return page.getByLabel('Name').inputValue()
  }
  expect(await open('&name=Ada')).toBe('Ada')
  expect(await open('&name=Bob')).toBe('Bob')
  await page.getByLabel('Name').fill('Robert')
  await page.getByRole('link', { name: 'Change the time' }).click()
  await choose(page, '2:00 PM')
  expect(await page.getByLabel('Name').inputValue()).toBe('Robert')
  expect(await open('&name=Carol')).toBe('Carol')
  await leave()
})

it('switches days without a request, and looks as if it had made one', async () => {
  const { page, settle, leave } = await newVisitor(browser)
  await page.goto(at(`${CALL}?month=${monday(0).slice(0, 7)}`))
  await settle()
  const asked: string[] = []
  page.on('request', (request) => request.resourceType() !== 'other' && asked.push(request.url()))
  const timesOf = () => page.evaluate(SHOWN)
  await page.locator(`[data-day="${monday(2)}"]`).click()
  await page.getByRole('heading', { name: `Mar` }).first().waitFor()
  const made = await timesOf()
  expect(asked).toEqual([])
  expect(new URL(page.url()).searchParams.get('date')).toBe(monday(2))
  await page.reload()
  await settle()
  expect(await timesOf()).toEqual(made)
  await leave()
})

/** What is shown of a day: its words, and where each of its times leads. */
const SHOWN = `(() => {
  const times = document.querySelector('.times')
  const links = [...times.querySelectorAll('a')].map(({ href, className, dataset }) => {
    const to = new URL(href)
    to.searchParams.sort()
    return [to.search, className, dataset.swap === undefined, dataset.time]
  })
  const sections = [...times.querySelectorAll('section')].map((one) => [one.getAttribute('aria-label'), one.innerText])
  return JSON.stringify([times.querySelector('h2').textContent, times.innerText, sections, links], null, 1)
})()`

it('moves past the ends of months by keyboard, and through a long day in three steps', async () => {
  const { page, settle, leave } = await newVisitor(browser)
  const last = dateOf(Date.UTC(YEAR, 3, 0))
  await page.goto(at(`${CALL}?month=${last.slice(0, 7)}`))
  await settle()
  await page.locator(`[data-day="${last}"]`).focus()
  await page.keyboard.press('ArrowDown')
  await expect.poll(() => focused(page)).toBe(dateOf(Date.parse(last) + 7 * DAY_MS))
  await page.keyboard.press('PageUp')
  await expect.poll(() => focused(page)).toBe(`${last.slice(0, 8)}07`)
  await page.goto(at(`${CALL}?date=${monday(3)}`))
  await page.locator(`[data-day="${monday(3)}"]`).focus()
  await page.keyboard.press('Tab')
  expect(await focused(page)).toBe('time')
  await page.keyboard.press('ArrowDown')
  expect(await page.evaluate('document.activeElement.textContent')).toBe('9:30 AM')
  await page.keyboard.press('Tab')
  expect(await page.evaluate('document.activeElement.textContent')).toBe('12:00 PM')
  await page.keyboard.press('Tab')
  expect(await focused(page)).not.toBe('time')
  await leave()
})

it('has an open day in sight on the smallest phone, and the chosen time while typing', async () => {
  const small = { viewport: { width: 320, height: 568 }, isMobile: true, hasTouch: true }
  const { page, look, leave } = await newVisitor(browser, small)
  // Of this month only the last week may be left, which is further down.
  await page.goto(at(`/book/northwind/intro-call?month=${monday(0).slice(0, 7)}`))
  await look('small-month')
  const bottom = (which: string) =>
    page.evaluate(`document.querySelector('${which}').getBoundingClientRect().bottom`)
  expect(await bottom(`a[data-day="${monday(2)}"]`)).toBeLessThan(568)
  await page.goto(at(`/book/northwind/intro-call?date=${monday(0)}&lang=ar`))
  await look('small-arabic')
  await page.goto(at(`/book/northwind/intro-call?date=${monday(0)}&lang=en`))
  await page.getByRole('link', { name: '10:00 AM', exact: true }).tap()
  await page.getByLabel('Anything we should know?').fill('Looking forward to it')
  await page.getByLabel('Anything we should know?').scrollIntoViewIfNeeded()
  await page.evaluate("document.querySelector('textarea').scrollIntoView({ block: 'start' })")
  const strip = await bottom('.chosen-time')
  expect(strip).toBeGreaterThan(0)
  expect(strip).toBeLessThan(80)
  await look('small-form')
  await leave()
})

it('remembers visitors who want that, and forgets them again', async () => {
  const { page, leave } = await newVisitor(browser)
  const fill = async (slot: string, isRemembered: boolean) => {
    await page.goto(at(`${CALL}?date=${monday(2)}`))
    await choose(page, slot)
    const known = await page.getByLabel('Name').inputValue()
    await page.getByLabel('Name').fill('Hedy')
    await page.getByLabel('Email address').fill('hedy@example.com')
    await page.getByLabel('Remember my details').setChecked(isRemembered)
    await page.getByRole('button', { name: 'Confirm booking' }).click()
    await page.getByRole('heading', { name: 'You are booked' }).waitFor()
    return known
  }
  expect(await fill('9:00 AM', true)).toBe('')
  expect(await fill('9:30 AM', false)).toBe('Hedy')
  expect(await fill('10:00 AM', false)).toBe('')
  await leave()
})

it('leads on to the site of the organization once the time is booked', async () => {
  const { page, leave } = await newVisitor(browser)
  await studio.allowRedirectsTo(app.url)
  const { slug } = await studio.offer({
    title: 'With a way on',
    slug: 'way-on',
    duration_minutes: 30,
    redirect_url: `${app.url}/thanks`,
  })
  await page.goto(at(`/book/northwind/${slug}?date=${monday(3)}`))
  await choose(page, '9:00 AM')
  await page.getByLabel('Name').fill('Mary')
  await page.getByLabel('Email address').fill('mary@example.com')
  await page.getByRole('button', { name: 'Confirm booking' }).click()
  await page.waitForURL(`${app.url}/thanks?**`)
  expect(page.url()).toMatch(/booking_id=.*status=confirmed/)
  expect(page.url()).not.toContain('token')
  await leave()
})

it('can be read in any color, in the light and in the dark', async () => {
  const { page, leave } = await newVisitor(browser)
  const faults: string[] = []
  for (const [number, color] of COLORS.entries()) {
    const path = `/book/northwind/morning-yoga?tz=Europe/Berlin&color=${color.slice(1)}&date=${monday(1)}`
    // `npm run storms` sees each color at both steps, `npm test` at one of them.
    const steps = ['', `&time=${monday(1)}T10:00:00.000Z`]
    for (const step of steps.filter((_, index) => number % amount(2, 1) === index % amount(2, 1))) {
      await page.goto(at(`${path}${step}`))
      await page.locator(step === '' ? '.times' : 'form[data-once]').waitFor()
      for (const colorScheme of ['light', 'dark'] as const) {
        await page.emulateMedia({ colorScheme })
        const found = (await page.evaluate(CONTRASTS)) as string[]
        found.push(...(await violationsOf(page, ['color-contrast'])))
        faults.push(...found.map((one) => `${color} ${colorScheme} ${step}: ${one}`))
      }
    }
  }
  expect(faults).toEqual([])
  await leave()
})

/** Fills that do not stand out from the card, and open days that do so by their text alone. */
const CONTRASTS = `(() => {
  const luminance = (color) => {
    const [r, g, b] = color.match(/[\\d.]+/g).slice(0, 3).map((part) => part / 255)
      .map((share) => (share <= 0.04045 ? share / 12.92 : ((share + 0.055) / 1.055) ** 2.4))
    return 0.2126 * r + 0.7152 * g + 0.0722 * b + 0.05
  }
  const ratio = (a, b) => Math.max(luminance(a), luminance(b)) / Math.min(luminance(a), luminance(b))
  const ground = (element) => getComputedStyle(element).backgroundColor
  const card = ground(document.querySelector('.card'))
  const faults = []
  const edge = (element) => getComputedStyle(element).borderTopColor
  const look = (which, least, colorOf = ground) => {
    for (const element of document.querySelectorAll(which)) {
      const found = ratio(colorOf(element), card)
      if (found < least) faults.push(which + ' ' + found.toFixed(2))
    }
  }
  look('[aria-selected="true"] .day', 3)
  look('form .button:not(.soft-button)', 3)
  look('td[aria-selected="false"] a.day:not(.full)', 1.15)
  look('td[aria-selected="false"] a.day:not(.full)', 3, edge)
  return faults
})()`
