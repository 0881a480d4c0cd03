import type { BrowserContextOptions, Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { drawForReadme } from '../../support/picture.ts'
import { ask, at, browser, enter, newOwner } from './stage.ts'

const HOUR_MS = 3_600_000
const DAY_MS = 24 * HOUR_MS
const TODAY = Math.ceil(Date.now() / DAY_MS) * DAY_MS + 30 * DAY_MS
const iso = (instant: number) => new Date(instant).toISOString()
const inSandbox = (method: string, path: string, body: unknown = null) => ask(method, path, body, 'test')

/** Weeks that differ, for plots that show something: bookings of two event types, one of them paid. */
async function fillTwoMonths(): Promise<void> {
  await inSandbox('PUT', '/v1/test-data/clock', { now: iso(TODAY - 58 * DAY_MS) })
  const rules = [1, 2, 3, 4, 5].map((day_of_week) => ({
    ...{ day_of_week, start_time: '07:00', end_time: '19:00' },
  }))
  const types: string[] = []
  for (const [title, price_amount] of [
    ['Physiotherapy', null],
    ['Manual therapy', 6_500],
  ] as const) {
    const { id } = await inSandbox('POST', '/v1/event-types', {
      ...{ title, slug: title.replace(' ', '-').toLowerCase(), duration_minutes: 60, price_amount },
      ...{ booking_window_days: 80, minimum_notice_minutes: 0, timezone: 'UTC' },
    })
    await inSandbox('PUT', `/v1/event-types/${id}/availability`, { timezone: 'UTC', rules })
    types.push(id)
  }
  for (let day = -56; day < 0; day++) {
    const midnight = TODAY + day * DAY_MS
    if (new Date(midnight).getUTCDay() % 6 === 0) continue
    const many = 1 + ((day + 60) % 4) + (day < -28 ? 0 : 1)
    for (let nth = 0; nth < many; nth++) {
      const { payment } = await inSandbox('POST', '/v1/bookings', {
        ...{
          event_type_id: types[(day + nth) % 3 === 0 ? 1 : 0],
          start_time: iso(midnight + (8 + nth * 2) * HOUR_MS),
        },
        ...{ invitee_name: 'Grace', invitee_email: 'grace@example.com' },
      })
      if (payment) await inSandbox('POST', `/v1/test-data/payments/${payment.id}/succeed`, {})
    }
  }
  await inSandbox('PUT', '/v1/test-data/clock', { now: iso(TODAY + 12 * HOUR_MS) })
}

describe('the overview', () => {
  /** A sandbox at noon: bookings of the last weeks, two of today that have begun, and a request. */
  beforeAll(async () => {
    await inSandbox('PUT', '/v1/test-data/clock', { now: iso(TODAY - 30 * DAY_MS) })
    const settings = { booking_window_days: 60, minimum_notice_minutes: 0, timezone: 'UTC' }
    const massage = await inSandbox('POST', '/v1/event-types', {
      ...settings,
      title: 'Massage',
      slug: 'massage',
      duration_minutes: 30,
    })
    const asked = await inSandbox('POST', '/v1/event-types', {
      ...settings,
      title: 'Consultation',
      slug: 'consultation',
      duration_minutes: 30,
      requires_approval: true,
    })
    const rules = [0, 1, 2, 3, 4, 5, 6].map((day_of_week) => ({
      day_of_week,
      start_time: '06:00',
      end_time: '20:00',
    }))
    for (const { id } of [massage, asked]) {
      await inSandbox('PUT', `/v1/event-types/${id}/availability`, { timezone: 'UTC', rules })
    }
    const book = (event_type_id: string, start: number, invitee_name: string) =>
      inSandbox('POST', '/v1/bookings', {
        event_type_id,
        start_time: iso(start),
        invitee_name,
        invitee_email: `${invitee_name.toLowerCase()}@example.com`,
      })
    for (const [days, hours] of [
      [1, 8],
      [1, 9],
      [3, 9],
      [8, 14],
    ] as const) {
      await book(massage.id, TODAY - days * DAY_MS + hours * HOUR_MS, 'Ada')
    }
    for (const [at, name] of ['Grace', 'Radia', 'Hedy', 'Joan'].entries()) {
      await book(massage.id, TODAY + (7 + at) * HOUR_MS, name)
    }
    await inSandbox('PUT', '/v1/test-data/clock', { now: iso(TODAY + 12 * HOUR_MS) })
    await book(asked.id, TODAY + 3 * DAY_MS + 10 * HOUR_MS, 'Rosa')
  }, 60_000)

  // Other walks book in the same sandbox.
  afterAll(() => ask('PUT', '/v1/test-data/clock', { now: iso(Date.now()) }, 'test'))

  it.runIf(process.env.UPDATE_SCREENSHOT)('is drawn for its documentation', async () => {
    await fillTwoMonths()
    const toSandbox = async (page: Page) => {
      await enter(page)
      await page.getByRole('button', { name: 'Test', exact: true }).click()
      await page.locator('.test-band').waitFor()
    }
    await drawForReadme('overview', browser, at('/console/overview'), toSandbox, 1120)
  })

  const WAYS: readonly (readonly [name: string, options: BrowserContextOptions, missed: RegExp])[] = [
    ['light', {}, /No-show: Grace/],
    ['dark', { colorScheme: 'dark', locale: 'de-DE' }, /Nicht erschienen: Radia/],
    ['phone', { viewport: { width: 390, height: 740 } }, /No-show: Hedy/],
    ['plain', { javaScriptEnabled: false }, /No-show: Joan/],
  ]

  it.each(WAYS)(
    'shows how it goes, and records attendance in one click: %s',
    async (name, options, missed) => {
      const { page, look, leave } = await newOwner(options)
      await page.goto(at('/console/overview'))
      if (name === 'phone') await page.getByRole('link', { name: /Menu/ }).click()
      await page.getByRole('button', { name: 'Test', exact: true }).click()
      await page.goto(at('/console/overview'))
      await page.getByText('Rosa').waitFor()
      const drawings = page.getByRole('img')
      expect(await drawings.count()).toBe(3)
      await page.locator('summary').first().click()
      await look(`console-overview-filled-${name}`)
      await page.getByRole('button', { name: missed }).click()
      await page.waitForURL(/overview\?done=attended/)
      expect(await page.getByRole('button', { name: missed }).count()).toBe(0)
      await leave()
    },
  )
})
