import type { BrowserContextOptions } from 'playwright-core'
import { expect, it } from 'vitest'
import { newVisitor } from '../../support/browser.ts'
import { CALDAV_USERS, makeCalendar, putEvent } from '../../support/caldav.ts'
import { amount } from '../../support/chance.ts'
import { ask, at, browser, enter, newOwner, radicale, studio } from './stage.ts'

const DAY_MS = 86_400_000
const HOUR_MS = 3_600_000
const ada = CALDAV_USERS.ada

/** A day to come on which the studio works, at noon in UTC. */
function aNoon(): number {
  const noon = Math.floor(Date.now() / DAY_MS) * DAY_MS + 7 * DAY_MS + 12 * HOUR_MS
  const day = new Date(noon).getUTCDay()
  return noon + ({ 0: 2, 6: 3 }[day] ?? 0) * DAY_MS
}

const stamp = (instant: number) => new Date(instant).toISOString().replace(/[-:]|\.\d+/g, '')

it('leads an owner to a calendar on a real server, whose events close times, without a script', async () => {
  const calendar = await makeCalendar(radicale.url, ada, 'work')
  const noon = aNoon()
  await putEvent(calendar, ada, 'lunch', `DTSTART:${stamp(noon)}`, `DTEND:${stamp(noon + HOUR_MS)}`)
  const { page, look, leave } = await newVisitor(browser, { javaScriptEnabled: false })
  await enter(page)
  await page.getByRole('link', { name: 'Calendars' }).first().click()
  await look('console-calendars-none')
  await page.getByRole('link', { name: 'Connect a calendar' }).first().click()
  await page.getByRole('link', { name: 'CalDAV' }).click()
  await page.getByLabel('Server address').fill(`${radicale.url}/`)
  await page.getByLabel('User name').fill(ada.username)
  await page.getByLabel('Password').fill('wrong')
  await page.getByRole('button', { name: 'Connect' }).click()
  await page.getByText('The server refuses the user name or password.').waitFor()
  await look('console-calendars-refused')
  await page.getByLabel('Password').fill(ada.password)
  await page.getByRole('button', { name: 'Connect' }).click()
  await page.getByText('The calendar is connected').waitFor()
  const start = new Date(noon).toISOString()
  const told = await ask(
    'GET',
    `/v1/event-types/${studio.intro.id}/explain?start_time=${start}`,
    undefined,
    'live',
  )
  expect(told.reasons.map(({ code }: { code: string }) => code)).toContain('busy_calendar')
  await page.getByRole('link', { name: 'Other calendars' }).click()
  await look('console-calendars-account')
  await leave()
})

/** A payment of test data that was paid, and one of which a part went back. */
async function pay(): Promise<string> {
  const sitting = { title: 'Sitting', slug: 'sitting-paid', duration_minutes: 60, price_amount: 4_900 }
  const { id } = await ask('POST', '/v1/event-types', sitting, 'test')
  const rules = [1, 2, 3, 4, 5].map((day_of_week) => ({
    day_of_week,
    start_time: '08:00',
    end_time: '20:00',
  }))
  await ask('PUT', `/v1/event-types/${id}/availability`, { rules }, 'test')
  const made: string[] = []
  for (const [hours, name] of [
    [0, 'Grace Hopper'],
    [2, 'Radia Perlman'],
    [4, 'Edith Clarke'],
  ] as const) {
    const { payment } = await ask(
      'POST',
      '/v1/bookings',
      {
        event_type_id: id,
        start_time: new Date(aNoon() + hours * HOUR_MS).toISOString(),
        invitee_name: name,
        invitee_email: 'grace@example.com',
      },
      'test',
    )
    made.push(payment.id)
  }
  const [first, second] = made as [string, string]
  await ask('POST', `/v1/test-data/payments/${first}/succeed`, {}, 'test')
  await ask('POST', `/v1/test-data/payments/${second}/succeed`, {}, 'test')
  await ask('POST', `/v1/test-data/payments/${second}/dispute`, {}, 'test')
  await ask('POST', `/v1/payments/${first}/refund`, { amount: 2_000, reason: 'Only half an hour' }, 'test')
  return first
}

const LOOKS: readonly (readonly [string, BrowserContextOptions])[] = [
  ['light', {}],
  ['dark', { colorScheme: 'dark' }],
  ['phone', { viewport: { width: 360, height: 740 }, isMobile: true, hasTouch: true }],
  ['de', { locale: 'de-DE' }],
]

it('shows calendars that are connected and payments that were made everywhere', async () => {
  const paid = await pay()
  const [{ id: calendar }] = (await ask('GET', '/v1/calendars', undefined, 'live')).data
  for (const [first, [name, options]] of LOOKS.entries()) {
    const visitor = await newOwner(options)
    const { page } = visitor
    // `npm run storms` looks at each screen in each way, `npm test` at every fourth one, so that each is seen in one.
    let turn = first
    const isTurn = () => turn++ % amount(4, 1) === 0
    const look = (screen: string) => visitor.look(`console-${screen}-${name}`)
    if (isTurn()) {
      await page.goto(at('/console/calendars'))
      await page.locator('details.folded > summary').first().click()
      await look('calendars-connected')
    }
    if (isTurn()) {
      await page.goto(at(`/console/calendars/${calendar}/disconnect`))
      await look('calendars-disconnect')
    }
    await page.goto(at('/console/payments/plan'))
    if (isTurn()) await look('payments-plan')
    await page.locator('button[value="test"]').evaluate((button: HTMLButtonElement) => button.click())
    await page.getByText(/You are in test mode|Sie sind im Testmodus/).waitFor()
    for (const [screen, path] of [
      ['payments-some', '/console/payments'],
      ['payment', `/console/payments/${paid}`],
      ['payments-provider-test', '/console/payments/provider'],
    ] as const) {
      if (!isTurn()) continue
      await page.goto(at(path))
      await look(screen)
    }
    await visitor.leave()
  }
})
