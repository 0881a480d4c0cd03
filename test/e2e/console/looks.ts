import { beforeAll, describe, expect, it } from 'vitest'
import { newVisitor } from '../../support/browser.ts'
import { drawForReadme } from '../../support/picture.ts'
import { editorScreens, SCREENS } from './screens.ts'
import { at, browser, enter, newOwner, studio } from './stage.ts'
import { storedScreens } from './stored.ts'
import { LOOKS, seenIn } from './ways.ts'

const HOUR_MS = 3_600_000
const DAY_MS = 24 * HOUR_MS

const nextMonday = () =>
  Math.floor(Date.now() / DAY_MS) * DAY_MS + ((8 - new Date().getUTCDay()) % 7 || 7) * DAY_MS

const GUESTS = [
  ['Grace Hopper', 'intro', 8],
  ['Radia Perlman', 'yoga', 10],
  ['Joan Clarke', 'yoga', 10],
  ['Edith Clarke', 'call', 12],
  ['Hedy Lamarr', 'intro', 33],
  ['Karen Spärck Jones', 'call', 35],
] as const

it.runIf(process.env.UPDATE_SCREENSHOT)('is drawn for the README with what is booked', async () => {
  for (const [name, type, hours] of GUESTS) {
    const start = new Date(nextMonday() + hours * HOUR_MS).toISOString()
    const invitee = { invitee_name: name, invitee_email: `${name.split(' ')[0]!.toLowerCase()}@example.com` }
    const body = JSON.stringify({ event_type_id: studio[type].id, start_time: start, ...invitee })
    const headers = { 'Content-Type': 'application/json' }
    expect((await fetch(at('/v1/bookings'), { method: 'POST', headers, body })).status).toBe(201)
  }
  await drawForReadme('console', browser, at('/console/bookings'), enter)
})

it('is signed in to, set up and worked in without a script', async () => {
  const { page, look, leave } = await newVisitor(browser, { javaScriptEnabled: false })
  await enter(page)
  // Of today the first time may pass while it is booked.
  const from = new Date(nextMonday()).toISOString().slice(0, 10)
  await page.goto(at(`/console/bookings/new?type=${studio.intro.id}&from=${from}`))
  await page.locator('.days label').first().click()
  await page.getByLabel('Name').fill('Radia Perlman')
  await page.getByLabel('Email address').fill('radia@example.com')
  await page.getByRole('button', { name: 'Book', exact: true }).click()
  await page.getByText('The booking was created').waitFor()
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
  const menu = page.getByRole('navigation', { name: 'Main menu' })
  await menu.getByRole('link', { name: 'Bookings' }).waitFor()
  await look('console-phone-menu')
  await menu.getByRole('link', { name: 'Bookings' }).tap()
  await page.waitForURL(/\/console\/bookings$/)
  await leave()
})

it('saves no day whose date is half typed, which a browser would send as empty', async () => {
  const { page, leave } = await newOwner()
  await page.goto(at(`/console/event-types/${studio.intro.id}/hours`))
  const dates = page.getByLabel('Date', { exact: true })
  const save = page.getByRole('button', { name: 'Save' })
  await dates.first().focus()
  await page.keyboard.type('1224')
  await save.click()
  expect(await dates.first().evaluate('document.activeElement.name')).toBe('o_date')
  await page.keyboard.type('12242090')
  await save.click()
  await page.getByText('Saved.', { exact: true }).waitFor()
  expect(await page.locator('input[name="o_date"]').first().inputValue()).toBe('2090-12-24')
  await leave()
})

it('has room on the smallest phone for long names, invitations and time off', async () => {
  const headers = { 'Content-Type': 'application/json' }
  const body = JSON.stringify({
    event_type_id: studio.intro.id,
    start_time: new Date(nextMonday() + 14 * HOUR_MS).toISOString(),
    invitee_name: 'Wolfeschlegelsteinhausenbergerdorff'.repeat(4),
    invitee_email: 'wolf@example.com',
  })
  expect((await fetch(at('/v1/bookings'), { method: 'POST', headers, body })).status).toBe(201)
  const phone = { viewport: { width: 320, height: 640 }, locale: 'de-DE' }
  const { page, look, leave } = await newVisitor(browser, phone, [])
  await enter(page)
  await page.goto(at('/console/bookings'))
  await page.getByText('Wolfeschlegel').waitFor()
  await look('console-bookings-smallest')
  await page.goto(at('/console/team/invite'))
  await page.getByLabel('E-Mail-Adresse').fill('maximiliane@studio.example')
  await page.getByRole('button', { name: 'Einladung verschicken' }).click()
  await page.waitForURL(/team\?done/)
  await look('console-team-smallest')
  await page.goto(at('/console/hours/time-off'))
  for (const day of ['Erster Tag', 'Letzter Tag']) await page.getByLabel(day).fill('2090-12-24')
  await page.getByRole('button', { name: 'Speichern' }).click()
  await page.waitForURL(/hours\?done/)
  await look('console-hours-smallest')
  await leave()
})

describe('a screen', () => {
  let screens: typeof SCREENS
  beforeAll(async () => {
    screens = [...SCREENS, ...editorScreens(studio.intro.id), ...(await storedScreens())]
  })

  it.each(LOOKS)('can be read everywhere: %s', async (look, options) => {
    const visitor = await newOwner(options)
    for (const [name, path] of seenIn(look, screens)) {
      const answer = await visitor.page.goto(at(path))
      expect(answer!.status(), name).toBe(200)
      await visitor.look(`console-${name}-${look}`)
    }
    await visitor.leave()
  })
})
