import { expect, it } from 'vitest'
import { textsOf } from '../../../src/platform/i18n/console/catalogue.ts'
import { eventTypeTexts } from '../../../src/platform/i18n/console/event-types.ts'
import { explainTexts } from '../../../src/platform/i18n/console/explain.ts'
import { overviewTexts } from '../../../src/platform/i18n/console/overview.ts'
import { localeOf } from '../../../src/platform/i18n/locale.ts'
import { fill } from '../../../src/platform/i18n/plural.ts'
import { PLANS } from '../../../src/platform/limits/plans.ts'
import { emailTo, HOME, openPractice, visit } from './stage.ts'
import { WAYS } from './ways.ts'

const HOUR_MS = 3_600_000
const DAY_MS = 24 * HOUR_MS
const QUOTA = PLANS.free.bookingsPerMonth
const NEARLY = Math.ceil(QUOTA * 0.8)
/** Mornings of next week's days of work. */
const STARTS = Array.from({ length: 14 }, (_, at) => (Math.floor(Date.now() / DAY_MS) + 3 + at) * DAY_MS)
  .filter((day) => new Date(day).getUTCDay() % 6 !== 0)
  .flatMap((day) => [day + 9 * HOUR_MS, day + 11 * HOUR_MS])

/** A text without what varies in it. */
const beginningOf = (text: string, values: Record<string, string | number> = {}) =>
  fill(text, values).split('{')[0]!

it.each(WAYS)('shows the owner and a guest that the month of the plan is used up: %s', async (name, way) => {
  const { ask, offer, enter, ...practice } = await openPractice(way.language, 'free')
  const { id, slug } = await offer({ title: 'Massage', slug: 'massage', duration_minutes: 30 })
  const book = (at: number) =>
    ask('POST', '/v1/bookings', {
      ...{ event_type_id: id, start_time: new Date(STARTS[at]!).toISOString() },
      ...{ invitee_name: `Guest ${at}`, invitee_email: `guest-${at}@example.com` },
    })
  const { texts: pageTexts, emails } = localeOf(way.language)
  const texts = textsOf(way, overviewTexts)
  const { page, leave, ...visitor } = await enter(way)
  const look = (screen: string) => visitor.look(`owner-${screen} ${name}`)

  for (let at = 0; at < NEARLY; at++) await book(at)
  await page.goto(`${HOME}/console/overview`)
  await page.getByText(beginningOf(texts.planNearly, { used: NEARLY, limit: QUOTA })).waitFor()
  await look('nearly-used')
  await emailTo(practice.owner, fill(emails.planSubject, { n: NEARLY, all: QUOTA }))
  const guest = await visit(way)
  const own = `${HOME}/book/${practice.slug}/${slug}`
  await guest.page.goto(own)
  await guest.page.locator('.times a, .month a').first().waitFor()

  for (let at = NEARLY; at < QUOTA; at++) await book(at)
  await page.goto(`${HOME}/console/overview`)
  await page.getByText(beginningOf(texts.planFull, { limit: QUOTA })).waitFor()
  await look('used-up')
  const { plan_limit: reason } = textsOf(way, explainTexts)
  await page.goto(`${HOME}/console/event-types`)
  await page.locator(`li[data-id="${id}"]`).getByText(reason).waitFor()
  await look('used-up-list')
  await page.goto(`${HOME}/console/event-types/${id}`)
  await page
    .locator('.problem', { hasText: textsOf(way, eventTypeTexts).closed })
    .getByText(reason)
    .waitFor()
  await look('used-up-editor')
  await leave()

  // Guests read it where they would choose a time, and find neither times nor a form.
  const closed = beginningOf(pageTexts.monthFull)
  for (const path of [`${HOME}/book/${practice.slug}`, own]) {
    await guest.page.goto(path)
    await guest.page.getByText(closed).waitFor()
    await guest.look(`owner-used-up-guest ${name}`)
  }
  expect(await guest.page.locator('.times a, .month a[href], form [name=invitee_email]').count()).toBe(0)
  await guest.leave()

  await emailTo(practice.owner, fill(emails.planFullSubject, { all: QUOTA }))
})
