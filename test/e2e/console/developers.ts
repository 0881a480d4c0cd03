import type { BrowserContextOptions } from 'playwright-core'
import { it } from 'vitest'
import { amount } from '../../support/chance.ts'
import { at, newOwner, receiver, studio } from './stage.ts'

/** A day on which the studio is open: a Wednesday to come. */
function wednesday(): string {
  const day = new Date(Date.now() + 7 * 86_400_000)
  day.setUTCDate(day.getUTCDate() + ((3 - day.getUTCDay() + 7) % 7))
  return day.toISOString().slice(0, 10)
}

const LOOKS: readonly (readonly [string, BrowserContextOptions])[] = [
  ['light', {}],
  ['dark', { colorScheme: 'dark' }],
  ['phone', { viewport: { width: 360, height: 740 }, isMobile: true, hasTouch: true }],
  ['de', { locale: 'de-DE' }],
]

it('adds an endpoint, tries it with a sample, and reads what was sent, without a script', async () => {
  const { page, look, leave } = await newOwner({ javaScriptEnabled: false })
  await page.goto(at('/console/developers/webhooks/new'))
  await page.getByLabel('URL').fill(`${receiver.url}/studio`)
  await page.getByRole('button', { name: 'Add endpoint' }).click()
  await page.getByRole('heading', { name: 'Your new endpoint' }).waitFor()
  await page.getByRole('link', { name: 'View endpoint' }).click()
  await page.getByRole('button', { name: 'Send', exact: true }).click()
  await page.getByText('The test event arrived: 200').waitFor()
  await page.getByText('Request', { exact: true }).click()
  await look('console-endpoint-plain')
  await leave()
})

it.each(LOOKS)('explains a time, shows an endpoint, the feed and the sandbox: %s', async (name, options) => {
  const visitor = await newOwner(options)
  const { page } = visitor
  // `npm run storms` looks at each screen in each way, `npm test` at every fourth one, so that each is seen in one.
  let turn = LOOKS.findIndex(([one]) => one === name)
  const isTurn = () => turn++ % amount(4, 1) === 0
  const look = (screen: string) => visitor.look(`console-developers-${screen}-${name}`)
  const type = studio.intro.id
  const start = `${wednesday()}T10:00:00Z`
  if (name === 'light') await studio.book(type, start, 'grace')
  const time = new Intl.DateTimeFormat('en-GB', { timeStyle: 'short', timeZone: 'Europe/Berlin' })
  const explain = `/console/developers/explain?type=${type}&date=${wednesday()}`
  const screens = [
    ['explained', `${explain}&time=${time.format(new Date(start))}`],
    ['explained-day', explain],
    ['events', '/console/developers/events'],
    ['calls', '/console/developers/requests'],
  ] as const
  for (const [screen, path] of screens) {
    if (!isTurn()) continue
    await page.goto(at(path))
    await look(screen)
  }
  if (isTurn()) {
    await page.goto(at('/console/developers/webhooks'))
    await page.locator('.row-link').first().click()
    await look('endpoint')
  }
  await page.goto(at('/console/developers/webhooks'))
  if (name === 'phone') await page.getByRole('link', { name: /Menu/ }).tap()
  await page.getByRole('button', { name: 'Test', exact: true }).click()
  await page.goto(at('/console/developers/sandbox'))
  if (name === 'light') {
    await page.getByRole('button', { name: 'Create test data' }).click()
    await page.getByText('The test data was created.').waitFor()
  }
  if (isTurn()) await look('sandbox')
  await visitor.leave()
})
