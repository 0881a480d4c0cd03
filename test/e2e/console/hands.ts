import type { Page } from 'playwright-core'
import { expect, it } from 'vitest'
import { failedHere } from '../../../src/console/refusal-pages.tsx'
import { at, enter, newOwner, studio } from './stage.ts'

/** Two years from now, so that it is far from what others look at. */
const YEAR = new Date().getUTCFullYear() + 2
const MONDAY = new Date(Date.UTC(YEAR, 2, 1 + ((8 - new Date(Date.UTC(YEAR, 2, 1)).getUTCDay()) % 7)))
  .toISOString()
  .slice(0, 10)

const focused = (page: Page, what: string) => page.evaluate(`document.activeElement.${what}`)

it('moves the focus to the errors of a form, and leads from there to the field', async () => {
  const { page, leave } = await newOwner()
  await page.goto(at('/console/event-types/new'))
  await page.getByLabel('Title').fill('Talk')
  await page.getByLabel('Duration in minutes').fill('long')
  await page.getByRole('button', { name: 'Create' }).click()
  await page.getByText('Please check these points').waitFor()
  // A browser goes to what has the focus once it has drawn the page.
  await expect.poll(() => focused(page, 'className')).toBe('problems')
  await page.keyboard.press('Tab')
  await page.keyboard.press('Enter')
  await expect.poll(() => focused(page, 'id')).toBe('duration_minutes')
  await leave()
})

it('completes a placeholder of an email text after two braces, and continues over the rest', async () => {
  const { page, leave } = await newOwner()
  await page.goto(at('/console/page/emails/confirmation?locale=en'))
  await page.waitForLoadState()
  const intro = page.getByLabel('First words')
  await intro.pressSequentially('Hi {{inv')
  expect(await intro.inputValue()).toBe('Hi {{invitee_name}}')
  await intro.press('End')
  await intro.pressSequentially(', {{x at ')
  expect(await intro.inputValue()).toBe('Hi {{invitee_name}}, {{x at ')
  await page.getByRole('button', { name: '{{place}}' }).click()
  expect(await intro.inputValue()).toBe('Hi {{invitee_name}}, {{x at {{place}}')
  await leave()
})

it('keeps no secret of another service after a member was signed out in the meantime', async () => {
  const { page, leave } = await newOwner()
  await page.goto(at('/console/settings/import'))
  await page.getByLabel('Where you are now').selectOption('calcom')
  await page.getByLabel('Access token or API key').fill('cal_live_secret')
  await page.context().clearCookies({ name: '__Host-hf_session' })
  await page.getByRole('button', { name: 'Start import' }).click()
  await told(page, UNSENT)
  expect(await page.evaluate('JSON.stringify(sessionStorage)')).not.toContain('cal_live_secret')
  await enter(page, at('/console/settings/import'))
  await page.getByText('Where you are now').waitFor()
  expect(await page.getByLabel('Where you are now').inputValue()).toBe('calcom')
  expect(await page.getByLabel('Access token or API key').inputValue()).toBe('')
  await leave()
})

it('restores typed text once after a member was signed out in the meantime', async () => {
  const { page, leave } = await newOwner()
  const at5 = `/console/event-types/${studio.intro.id}`
  await page.goto(at(at5))
  await page.getByLabel('Description').fill('Typed for an hour')
  await page.getByLabel('Active').uncheck()
  await page.context().clearCookies({ name: '__Host-hf_session' })
  await page.getByRole('button', { name: 'Save' }).click()
  await told(page, UNSENT)
  await enter(page, at(at5))
  await page.getByLabel('Description').waitFor()
  expect(await page.getByLabel('Description').inputValue()).toBe('Typed for an hour')
  expect(await page.getByLabel('Active').isChecked()).toBe(false)
  await page.goto(at(at5))
  expect(await page.getByLabel('Description').inputValue()).not.toBe('Typed for an hour')
  await leave()
})

/** Waits until a page says so, and its script is at work, without which nothing is given back. */
async function told(page: Page, text: string): Promise<void> {
  await page.getByText(text).waitFor()
  await page.waitForLoadState()
}

const UNSENT = 'You are signed out, so nothing was changed.'

/** The session ends in another tab, or with the month. */
function signOutUnseen(page: Page): Promise<void> {
  return page.context().clearCookies({ name: '__Host-hf_session' })
}

async function sendUnsigned(page: Page, button: string): Promise<void> {
  await signOutUnseen(page)
  await page.getByRole('button', { name: button, exact: true }).click()
  await told(page, UNSENT)
}

it('restores a booking that was refused once, though a time that was open is taken by then', async () => {
  const { page, leave } = await newOwner()
  const screen = at(`/console/bookings/new?type=${studio.call.id}&from=${MONDAY}`)
  await page.goto(screen)
  await page.getByLabel('Name').fill('Ada')
  await page.getByLabel('Email').fill('ada@example.com')
  await page.getByRole('button', { name: 'Book', exact: true }).click()
  await page.locator('.problems').waitFor()
  expect(page.url()).not.toBe(screen)
  const starts = page.locator('[name=start]')
  const [first, second] = [starts.first(), starts.nth(1)]
  const [taken, chosen] = [await first.getAttribute('value'), await second.getAttribute('value')]
  await page.locator('.days label').nth(1).click()
  await page.getByLabel('Notes').fill('By the window')
  await studio.book(studio.call.id, taken!, 'eve')
  await sendUnsigned(page, 'Book')
  await enter(page, screen)
  await expect.poll(() => page.getByLabel('Notes').inputValue()).toBe('By the window')
  expect(await page.getByLabel('Name').inputValue()).toBe('Ada')
  expect(await page.locator('[name=start]:checked').getAttribute('value')).toBe(chosen)
  await page.getByRole('button', { name: 'Book', exact: true }).click()
  await page.waitForURL(/done=booked/)
  await leave()
})

it('leads back from an address that only accepts forms to its screen, with the earlier input', async () => {
  const { page, leave } = await newOwner()
  await studio.book(studio.call.id, `${MONDAY}T15:00:00Z`, 'mary')
  await page.goto(at('/console/settings/people'))
  await page.locator('[name=email]').fill('mary@example.com')
  await page.getByRole('button', { name: 'Look up' }).click()
  await page.locator('details.folded > summary').click()
  await page.locator('[name=again]').fill('mary@example.com')
  await signOutUnseen(page)
  await page.locator('details.folded form button').click()
  await told(page, UNSENT)
  await enter(page, at('/console/settings/people'))
  await expect.poll(() => page.locator('[name=email]').inputValue()).toBe('mary@example.com')
  await leave()
})

it('unfolds what is restored', async () => {
  const { page, leave } = await newOwner()
  const screen = at(`/console/event-types/${studio.call.id}/hours`)
  await page.goto(screen)
  await page.locator('#overrides > details > summary').click()
  await page.locator('#override_more_2 [name=o_date]').fill('2027-02-03')
  await sendUnsigned(page, 'Save')
  await enter(page, screen)
  await expect.poll(() => page.locator('#override_more_2').isVisible()).toBe(true)
  expect(await page.locator('#override_more_2 [name=o_date]').inputValue()).toBe('2027-02-03')
  await leave()
})

it('does not say “saved” when it restores what was not saved', async () => {
  const { page, leave } = await newOwner()
  const screen = at(`/console/event-types/${studio.yoga.id}`)
  await page.goto(screen)
  await page.getByRole('button', { name: 'Save' }).click()
  await page.locator('p.done').waitFor()
  await page.getByLabel('Description').fill('Bring two mats.')
  await sendUnsigned(page, 'Save')
  await enter(page, screen)
  await expect.poll(() => page.getByLabel('Description').inputValue()).toBe('Bring two mats.')
  expect(await page.locator('p.done').count()).toBe(0)
  await leave()
})

it('keeps no secret in the tab, and restores all the rest', async () => {
  const { page, leave } = await newOwner()
  const screen = at('/console/developers/webhooks/new')
  await page.goto(screen)
  await page.locator('[name=url]').fill('https://till.example.com/hooks')
  await page.getByLabel('Description').fill('To the till')
  await page.locator('[name=secret]').fill('whsec_QUJDREVGR0hJSktMTU5PUFFSU1RVVldYWVo=')
  await sendUnsigned(page, 'Add endpoint')
  const kept = async () => String(await page.evaluate('JSON.stringify(sessionStorage)'))
  expect(await kept()).toContain('To the till')
  expect(await kept()).not.toContain('whsec_')
  await enter(page, screen)
  await expect.poll(() => page.getByLabel('Description').inputValue()).toBe('To the till')
  expect(await page.locator('[name=url]').inputValue()).toBe('https://till.example.com/hooks')
  expect(await page.locator('[name=secret]').inputValue()).toBe('')
  await page.goto(at('/console/calendars/connect/feed'))
  await page.locator('[name=url]').fill('https://calendar.example.com/private.ics')
  await page.locator('[name=name]').fill('At home')
  await sendUnsigned(page, 'Connect')
  expect(await kept()).toContain('At home')
  expect(await kept()).not.toContain('private.ics')
  await leave()
})

it('restores a form whose answer was lost, and creates the event type only once', async () => {
  const { page, leave } = await newOwner()
  const screen = at('/console/event-types/new')
  await page.goto(screen)
  await page.getByLabel('Title').fill('Made once')
  await page.route(screen, async (route) => {
    const request = route.request()
    await route.fetch({ maxRedirects: 0 })
    const asked = new Request(request.url(), { method: request.method() })
    const failed = failedHere(asked, 'one', true)
    await route.fulfill({ status: failed.status, contentType: 'text/html', body: await failed.text() })
  })
  await page.getByRole('button', { name: 'Create' }).click()
  await told(page, 'Something went wrong')
  await page.unroute(screen)
  await page.getByRole('link', { name: 'Back to the page' }).click()
  await page.waitForURL(screen)
  await expect.poll(() => page.getByLabel('Title').inputValue()).toBe('Made once')
  await page.getByRole('button', { name: 'Create' }).click()
  await page.waitForURL(/event-types\/(?!new)/)
  await page.goto(at('/console/event-types'))
  expect(await page.getByText('Made once').count()).toBe(1)
  await leave()
})

it('restores what was typed in the sandbox as soon as it is shown again', async () => {
  const { page, leave } = await newOwner()
  await page.goto(at('/console'))
  const toSandbox = () => page.locator('button[name=mode][value=test]').click()
  await toSandbox()
  await page.locator('.test-band').waitFor()
  const screen = at('/console/event-types/new')
  await page.goto(screen)
  await page.getByLabel('Title').fill('Typed in the sandbox')
  await sendUnsigned(page, 'Create')
  await enter(page)
  await page.waitForLoadState('networkidle')
  await toSandbox()
  await page.waitForURL(screen)
  await page.locator('.test-band').waitFor()
  await expect.poll(() => page.getByLabel('Title').inputValue()).toBe('Typed in the sandbox')
  await leave()
})

it('accepts a form again after its sending was stopped', async () => {
  const { page, leave } = await newOwner()
  await page.goto(at('/console/settings/support'))
  await page.getByLabel('Subject').fill('Hello')
  await page.getByLabel('Message').fill('Is this seen?')
  await page.route('**/console/settings/support', () => {})
  await page.evaluate(`new Promise((stopped) => {
    navigation.addEventListener('navigateerror', stopped)
    document.addEventListener('submit', () => setTimeout(() => window.stop(), 100), { once: true })
    document.querySelector('main form button').click()
  })`)
  await page.unroute('**/console/settings/support')
  await page.getByRole('button', { name: 'Send' }).click()
  await page.getByText('Your message was sent.').waitFor()
  await leave()
})

it('keeps the focus in the menu of a phone, and focused elements below the bar', async () => {
  const { page, leave } = await newOwner({ viewport: { width: 320, height: 640 } })
  await page.goto(at('/console/settings/organization'))
  const isCovered = `(() => {
    const { left, top, width, height } = document.activeElement.getBoundingClientRect()
    const seen = document.elementFromPoint(left + width / 2, top + Math.min(height / 2, 20))
    return seen !== null && !document.activeElement.contains(seen)
  })()`
  await page.keyboard.press('Tab')
  expect([await focused(page, 'className'), await page.evaluate(isCovered)]).toEqual(['skip', false])
  await page.keyboard.press('Tab')
  await page.keyboard.press('Enter')
  await page.waitForURL(/#navigation$/)
  const stops = await page.locator('#navigation :is(a, button)').count()
  for (let stop = 0; stop < stops; stop++) await page.keyboard.press('Tab')
  expect(await focused(page, 'closest("nav, main, header").id')).toBe('navigation')
  await page.keyboard.press('Tab')
  expect(await focused(page, 'tagName')).not.toMatch(/INPUT|SELECT/)
  await page.goto(at('/console/settings/organization'))
  await page.getByRole('button', { name: 'Save' }).focus()
  for (let step = 0; step < 12; step++) {
    await page.keyboard.press('Shift+Tab')
    expect(await page.evaluate(isCovered)).toBe(false)
  }
  await leave()
})

it('shows what is chosen if the person has set their own colors', async () => {
  const { page, leave } = await newOwner({ forcedColors: 'active' })
  await page.goto(at(`/console/event-types/${studio.intro.id}`))
  const ground = (box: string) =>
    page.evaluate(`getComputedStyle(document.querySelector('[name=reminders]${box} + span')).backgroundColor`)
  expect(await ground(':checked')).not.toBe(await ground(':not(:checked)'))
  await leave()
})

it('can be read without its style sheet', async () => {
  const { page, leave } = await newOwner()
  await page.route('**/*.css*', (route) => route.abort())
  await page.goto(at('/console'))
  const widths = '[...document.querySelectorAll("svg")].map((one) => one.getBoundingClientRect().width)'
  expect(Math.max(...((await page.evaluate(widths)) as number[]))).toBeLessThan(40)
  await leave()
})
