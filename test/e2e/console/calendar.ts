import { beforeAll, describe, expect, it } from 'vitest'
import { newVisitor } from '../../support/browser.ts'
import { drawForReadme } from '../../support/picture.ts'
import { ask, at, browser, enter, newOwner, studio } from './stage.ts'

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

const startOf = async (id: string) => (await ask('GET', `/v1/bookings/${id}`, null, 'live')).start_time

/** The week of one member, in a browser with a script. */
async function openWeek(memberId: string) {
  const visitor = await newOwner()
  await visitor.page.goto(at(`${WEEK}&member_id=${memberId}`))
  const blockOf = (id: string) => visitor.page.locator(`.planner a[href="/console/bookings/${id}"]`)
  return { ...visitor, blockOf }
}

describe('the calendar', () => {
  let week: Awaited<ReturnType<typeof busyWeek>>
  beforeAll(async () => {
    week = await busyWeek()
  }, 60_000)

  const PHONE = { viewport: { width: 360, height: 740 }, isMobile: true, hasTouch: true }
  it.each([
    ['light', {}],
    ['dark', { colorScheme: 'dark' }],
    ['plain', { locale: 'de-DE', javaScriptEnabled: false }],
    ['phone', PHONE],
  ] as const)('shows a week with 25 bookings of three members: %s', async (name, options) => {
    const { page, look, leave } = await newVisitor(browser, options)
    await enter(page)
    await page.goto(at(WEEK))
    expect(await page.locator('.planner ol > li').count()).toBe(25)
    await look(`console-calendar-week-${name}`)
    await page.goto(at(`/console/calendar?view=day&from=${dateOf(0)}`))
    expect(await page.locator('.planner .p-column').count()).toBeGreaterThanOrEqual(3)
    await look(`console-calendar-day-${name}`)
    await page.goto(at(`/console/calendar?view=month&from=${dateOf(0)}`))
    await look(`console-calendar-month-${name}`)
    await leave()
  })

  it('prints the days alone', async () => {
    const { page, leave } = await newOwner()
    await page.goto(at(WEEK))
    await page.emulateMedia({ media: 'print' })
    const isShown = (selector: string) => page.locator(selector).first().isVisible()
    expect(await Promise.all(['.planner', '.side', '.p-toolbar', '.p-keys'].map(isShown))).toEqual([
      true,
      false,
      false,
      false,
    ])
    await leave()
  })

  it.runIf(process.env.UPDATE_SCREENSHOT)('is drawn for its documentation', async () => {
    await drawForReadme('calendar', browser, at(WEEK), enter, 860)
  })

  it('moves a booking by drag, asks about the email, and waits before it is sent', async () => {
    const [id, host] = [week.bookings[20]!, week.hosts[1]!]
    const { page, look, leave, blockOf } = await openWeek(host)
    const before = await startOf(id)
    const from = (await blockOf(id).boundingBox())!
    const hour = (await page.locator('.p-axis span').first().boundingBox())!.height
    const [x, y] = [from.x + from.width / 2, from.y + 5]
    await page.mouse.move(x, y)
    await page.mouse.down()
    await page.mouse.move(x, y + hour, { steps: 4 })
    await page.mouse.move(x + from.width * 1.05, y + hour, { steps: 4 })
    await page.mouse.up()
    await page.getByRole('heading', { name: /^Move Grace Hopper to Tue, Dec/ }).waitFor()
    await look('console-calendar-ask')
    await page.getByLabel('Notify the invitee').uncheck()
    await page.getByRole('button', { name: 'Move', exact: true }).click()
    await page
      .getByText(/moves to .* in \d+ seconds/)
      .first()
      .waitFor()
    await look('console-calendar-undo')
    expect(await startOf(id)).toBe(before)
    const loaded = page.waitForEvent('load')
    await page.getByRole('button', { name: 'Do it now' }).click()
    await loaded
    expect(Date.parse(await startOf(id)) - Date.parse(before)).toBe(DAY_MS + HOUR_MS)
    await leave()
  })

  it('moves a booking with the keyboard, and puts it back if it is undone', async () => {
    const [id, host] = [week.bookings[21]!, week.hosts[1]!]
    const { page, leave, blockOf } = await openWeek(host)
    const before = await startOf(id)
    const place = (await blockOf(id).boundingBox())!
    await blockOf(id).focus()
    for (const key of ['m', 'ArrowDown', 'ArrowDown', 'ArrowRight', 'ArrowLeft', 'Enter'])
      await page.keyboard.press(key)
    await page.getByRole('button', { name: 'Move', exact: true }).click()
    await page.getByRole('button', { name: 'Undo' }).click()
    expect(await blockOf(id).boundingBox()).toEqual(place)
    expect(await startOf(id)).toBe(before)
    await blockOf(id).focus()
    // An hour up: its starts are an hour apart.
    for (const key of ['m', 'ArrowUp', 'ArrowUp', 'ArrowUp', 'ArrowUp', 'Enter'])
      await page.keyboard.press(key)
    await page.getByRole('button', { name: 'Move', exact: true }).click()
    const loaded = page.waitForEvent('load')
    await page.getByRole('button', { name: 'Do it now' }).click()
    await loaded
    expect(Date.parse(await startOf(id)) - Date.parse(before)).toBe(-HOUR_MS)
    await expect.poll(() => blockOf(id).evaluate('document.activeElement.pathname')).toContain(id)
    await leave()
  })

  it('is filtered by one choice alone, and after going back shows the filters of what it shows', async () => {
    const { page, leave } = await newOwner()
    await page.goto(at(WEEK))
    const blocks = page.locator('.planner ol > li')
    expect(await blocks.count()).toBe(25)
    await page.getByLabel('Member', { exact: true }).selectOption(week.hosts[1]!)
    await page.waitForURL(/member_id=./)
    expect(await blocks.count()).toBeLessThan(25)
    await expect.poll(() => page.evaluate('document.activeElement.id')).toBe('member_id')
    await page.goBack()
    expect(await blocks.count()).toBe(25)
    expect(await page.getByLabel('Member', { exact: true }).inputValue()).toBe('')
    await leave()
  })

  it('goes to a date that is typed once it is whole', async () => {
    const { page, leave } = await newOwner()
    await page.goto(at(WEEK))
    await page.evaluate("addEventListener('submit', () => document.body.dataset.sent = '')")
    await page.getByLabel('Date', { exact: true }).focus()
    await page.keyboard.type('03152030')
    expect(await page.locator('body[data-sent]').count()).toBe(0)
    await page.keyboard.press('Enter')
    await page.waitForURL(/from=2030-03-15/)
    await leave()
  })

  it('moves nothing any more once somebody turns to another booking, or ends a drag with Escape', async () => {
    const [first, second] = [week.bookings[21]!, week.bookings[22]!]
    const { page, leave, blockOf } = await openWeek(week.hosts[1]!)
    const placeOf = (id: string) => blockOf(id).evaluate((block) => block.parentElement?.offsetTop)
    const whereAll = () => Promise.all([first, second].map(placeOf))
    const before = await whereAll()
    await blockOf(first).focus()
    for (const key of ['m', 'ArrowDown']) await page.keyboard.press(key)
    expect(await whereAll()).not.toEqual(before)
    await blockOf(second).focus()
    await page.keyboard.press('ArrowDown')
    expect(await whereAll()).toEqual(before)
    await blockOf(first).focus()
    for (const key of ['m', 'ArrowDown']) await page.keyboard.press(key)
    await blockOf(second).click()
    await page.getByRole('button', { name: 'Cancel booking' }).waitFor()
    expect(await whereAll()).toEqual(before)
    await page.keyboard.press('Escape')
    const box = (await blockOf(second).boundingBox())!
    const [x, y] = [box.x + 10, box.y + 5]
    await page.mouse.move(x, y)
    await page.mouse.down()
    await page.mouse.move(x, y + 90, { steps: 4 })
    expect(await whereAll()).not.toEqual(before)
    await page.keyboard.press('Escape')
    await page.mouse.move(x, y + 120)
    await page.mouse.up()
    expect(await whereAll()).toEqual(before)
    await leave()
  })

  it('cancels a booking after the time to undo it, or at once if the page is left', async () => {
    const [id, host] = [week.bookings[22]!, week.hosts[1]!]
    const { page, leave, blockOf } = await openWeek(host)
    const cancel = async () => {
      await blockOf(id).click()
      await page.getByRole('button', { name: 'Cancel booking' }).click()
      await page.locator('[data-do=confirm]').click()
    }
    const statusOf = async () => (await ask('GET', `/v1/bookings/${id}`, null, 'live')).status
    await cancel()
    await page.getByRole('button', { name: 'Undo' }).click()
    expect(await statusOf()).toBe('confirmed')
    await cancel()
    await page.goto(at('/console/bookings'))
    await expect.poll(statusOf).toBe('cancelled')
    await leave()
  })

  it('says why a move is refused, and puts the booking back', async () => {
    const [id, host] = [week.bookings[23]!, week.hosts[1]!]
    const { page, leave, blockOf } = await openWeek(host)
    const place = (await blockOf(id).boundingBox())!
    await blockOf(id).focus()
    // To a Saturday, on which nothing is open.
    for (const key of ['m', 'ArrowRight', 'ArrowRight', 'Enter']) await page.keyboard.press(key)
    await page.getByRole('button', { name: 'Move', exact: true }).click()
    await page.getByRole('button', { name: 'Do it now' }).click()
    await page.locator('#act .act-text:not(:empty)').waitFor()
    expect(await blockOf(id).boundingBox()).toEqual(place)
    await page.getByRole('link', { name: 'Hand over' }).click()
    await page.waitForURL(/hand-over/)
    await leave()
  })

  it('blocks an hour that was clicked', async () => {
    const { page, leave } = await openWeek(week.hosts[2]!)
    const day = page.locator('.p-column').nth(2)
    await day.locator('.p-frees a').nth(7).click({ force: true })
    await page.getByLabel('For').selectOption(week.hosts[2]!)
    await page.getByLabel('Reason').fill('Dentist')
    await page.getByRole('button', { name: 'Block this time' }).click()
    await page.getByText('The time is blocked.').waitFor()
    await page.goto(at(`${WEEK}&member_id=${week.hosts[2]}`))
    await page.getByText('Ada Weiss off: Dentist').waitFor()
    await leave()
  })
})
