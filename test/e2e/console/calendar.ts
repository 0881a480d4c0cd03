import { expect, it } from 'vitest'
import { newVisitor } from '../../support/browser.ts'
import { ask, at, browser, enter, studio } from './stage.ts'

const HOUR_MS = 3_600_000
const DAY_MS = 24 * HOUR_MS

/** A week that no other test books: its Monday. */
const MONDAY = (() => {
  const day = Math.floor(Date.now() / DAY_MS) * DAY_MS + 21 * DAY_MS
  return day - ((new Date(day).getUTCDay() + 6) % 7) * DAY_MS
})()
const dateOf = (day: number) => new Date(MONDAY + day * DAY_MS).toISOString().slice(0, 10)
const WEEK = `/console/calendar?view=week&from=${dateOf(0)}`

const NAMES = ['Jonas Berg', 'Mia Sommer', 'Ada Weiss'] as const
const GUESTS = ['Grace Hopper', 'Radia Perlman', 'Joan Clarke', 'Hedy Lamarr', 'Karen Spärck Jones']

/** Three members with 25 bookings of a week. */
async function busyWeek() {
  const talk = await studio.offer({
    title: 'Physiotherapy',
    slug: `physio-${crypto.randomUUID().slice(0, 8)}`,
    duration_minutes: 60,
    color: '#0f766e',
    assignment_strategy: 'round_robin',
  })
  const hosts = await studio.host(talk.id, NAMES)
  const bookings: string[] = []
  for (let index = 0; index < 25; index++) {
    const start = MONDAY + (index % 5) * DAY_MS + (8 + Math.floor(index / 10) * 2) * HOUR_MS
    const body = {
      event_type_id: talk.id,
      start_time: new Date(start).toISOString(),
      invitee_name: GUESTS[index % GUESTS.length],
      invitee_email: `guest-${index}@example.com`,
      member_id: hosts[Math.floor(index / 5) % 3],
    }
    bookings.push((await ask('POST', '/v1/bookings', body, 'live')).id)
  }
  return { talk, hosts, bookings }
}

it('shows a week with 25 bookings of three members, without a script too', async () => {
  await busyWeek()
  for (const options of [
    {},
    { colorScheme: 'dark' },
    { locale: 'de-DE', javaScriptEnabled: false },
  ] as const) {
    const { page, look, leave } = await newVisitor(browser, options)
    await enter(page)
    await page.goto(at(WEEK))
    expect(await page.locator('.planner ol > li').count()).toBe(25)
    await look(`console-calendar-week-${Object.values(options)[0] ?? 'light'}`)
    await page.goto(at(`/console/calendar?view=day&from=${dateOf(0)}`))
    expect(await page.locator('.planner .p-column').count()).toBeGreaterThanOrEqual(3)
    await look(`console-calendar-day-${Object.values(options)[0] ?? 'light'}`)
    await leave()
  }
}, 60_000)
