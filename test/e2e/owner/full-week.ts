import type { Page } from 'playwright-core'
import { expect, it } from 'vitest'
import { bookingChangeTexts } from '../../../src/platform/i18n/console/booking-changes.ts'
import { bookingListTexts } from '../../../src/platform/i18n/console/booking-lists.ts'
import { bookingsTexts } from '../../../src/platform/i18n/console/bookings.ts'
import { calendarViewTexts } from '../../../src/platform/i18n/console/calendar-view.ts'
import { textsOf } from '../../../src/platform/i18n/console/catalogue.ts'
import { pluralText } from '../../../src/platform/i18n/format.ts'
import { localeOf } from '../../../src/platform/i18n/locale.ts'
import { countEmailsTo, HOME, openPractice, type Practice } from './stage.ts'
import { WAYS, type Way } from './ways.ts'

const HOUR_MS = 3_600_000
const DAY_MS = 24 * HOUR_MS
/** The Monday after the next. */
const MONDAY = (() => {
  const day = Math.floor(Date.now() / DAY_MS) * DAY_MS + 14 * DAY_MS
  return day - ((new Date(day).getUTCDay() + 6) % 7) * DAY_MS
})()
const dateOf = (day: number) => new Date(MONDAY + day * DAY_MS).toISOString().slice(0, 10)
const WEEK = `${HOME}/console/calendar?view=week&from=${dateOf(0)}`
const COLLEAGUES = ['Jonas Berg', 'Mia Sommer', 'Ada Weiss'] as const
/** Five of the 25 bookings, each with a member and a time of its own. */
const [DRAGGED, PUSHED, GIVEN, CANCELLED] = [20, 24, 22, 23] as const

/** 25 bookings of three members, and two requests. */
async function fillWeek(practice: Practice) {
  const { offer, join, ask } = practice
  const physio = await offer({
    ...{ title: 'Physiotherapy', slug: 'physiotherapy', duration_minutes: 60, color: '#0f766e' },
    assignment_strategy: 'round_robin',
  })
  const asked = await offer({
    ...{ title: 'Home visit', slug: 'home-visit', duration_minutes: 30, requires_approval: true },
    assignment_strategy: 'round_robin',
  })
  const members: string[] = []
  for (const name of COLLEAGUES) {
    const member_id = await join(name)
    for (const { id } of [physio, asked]) await ask('POST', `/v1/event-types/${id}/hosts`, { member_id })
    members.push(member_id)
  }
  const addressOf = (guest: string) => `${guest.replace(' ', '-')}@${practice.id}.example`
  const book = async (event_type_id: string, start: number, guest: string, member_id?: string) => {
    const invitee = { invitee_name: guest, invitee_email: addressOf(guest) }
    const start_time = new Date(start).toISOString()
    const body = { event_type_id, start_time, ...invitee, ...(member_id && { member_id }) }
    return (await ask('POST', '/v1/bookings', body)).id as string
  }
  const bookings: string[] = []
  for (let at = 0; at < 25; at++) {
    const start = MONDAY + (at % 5) * DAY_MS + (8 + Math.floor(at / 10) * 2) * HOUR_MS
    bookings.push(await book(physio.id, start, `Guest ${at}`, members[Math.floor(at / 5) % 3]))
  }
  const requests = [
    await book(asked.id, MONDAY + 14 * HOUR_MS, 'Rosa Parks'),
    await book(asked.id, MONDAY + DAY_MS + 14 * HOUR_MS, 'Hedy Lamarr'),
  ]
  const get = (id: string) => ask('GET', `/v1/bookings/${id}`)
  return { members, bookings, requests, get, addressOf }
}

type Walk = { readonly page: Page; readonly way: Way; readonly look: (name: string) => Promise<void> }
type Filled = Awaited<ReturnType<typeof fillWeek>>

const blockOf = (page: Page, id: string) => page.locator(`.planner a[href="/console/bookings/${id}"]`)

async function doNow({ page, way }: Walk): Promise<void> {
  const loaded = page.waitForEvent('load')
  await page.getByRole('button', { name: textsOf(way, calendarViewTexts).now }).click()
  await loaded
}

/** An hour later on the next day. A finger scrolls, so that there is nothing to drag on a phone. */
async function moveByDrag(walk: Walk, { bookings, get }: Filled): Promise<void> {
  const { page, way, look } = walk
  const texts = textsOf(way, calendarViewTexts)
  const id = bookings[DRAGGED]!
  const before = Date.parse((await get(id)).start_time)
  await blockOf(page, id).scrollIntoViewIfNeeded()
  const from = (await blockOf(page, id).boundingBox())!
  const hour = (await page.locator('.p-axis span').first().boundingBox())!.height
  const column = (await page.locator('.p-column').first().boundingBox())!.width
  const [x, y] = [from.x + from.width / 2, from.y + 5]
  await page.mouse.move(x, y)
  await page.mouse.down()
  await page.mouse.move(x, y + hour, { steps: 4 })
  await page.mouse.move(x + column, y + hour, { steps: 4 })
  await page.mouse.up()
  await page.locator('#act[open] h2').waitFor()
  await look('owner-ask-move')
  await page.getByLabel(textsOf(way, bookingChangeTexts).notifyInvitee).uncheck()
  await page.getByRole('button', { name: texts.moveNow, exact: true }).click()
  await page.getByRole('button', { name: texts.undo }).waitFor()
  expect(Date.parse((await get(id)).start_time)).toBe(before)
  await doNow(walk)
  expect(Date.parse((await get(id)).start_time) - before).toBe(DAY_MS + HOUR_MS)
}

/** To another time, by keys alone: with a script an hour later in the calendar, else to the first one that is offered. */
async function moveByKeyboard(walk: Walk, { bookings, get, addressOf }: Filled): Promise<void> {
  const { page, way } = walk
  const id = bookings[PUSHED]!
  const before = Date.parse((await get(id)).start_time)
  await blockOf(page, id).focus()
  if (way.hasScript) {
    for (const key of ['m', 'ArrowDown', 'ArrowDown', 'ArrowDown', 'ArrowDown', 'Enter']) {
      await page.keyboard.press(key)
    }
    await page.getByRole('button', { name: textsOf(way, calendarViewTexts).moveNow, exact: true }).focus()
    await page.keyboard.press('Enter')
    await doNow(walk)
    expect(Date.parse((await get(id)).start_time) - before).toBe(HOUR_MS)
  } else {
    const texts = textsOf(way, bookingsTexts)
    await page.keyboard.press('Enter')
    await page.getByRole('link', { name: texts.move, exact: true }).focus()
    await page.keyboard.press('Enter')
    await page.locator('.days input').first().focus()
    await page.keyboard.press('Space')
    await page.getByRole('button', { name: texts.moveTo }).focus()
    await page.keyboard.press('Enter')
    await page.getByText(texts.moved).waitFor()
    expect(Date.parse((await get(id)).start_time)).not.toBe(before)
    await page.goto(WEEK)
  }
  // It was announced, as the drag was not: after the confirmation.
  const emails = (at: number) => countEmailsTo(addressOf(`Guest ${at}`))
  await expect.poll(() => emails(PUSHED), { timeout: 30_000 }).toBe(2)
  expect(await emails(DRAGGED)).toBe(1)
}

/** By the menu of a block, else by its booking. */
async function handOver({ page, way, look }: Walk, { bookings, members, get }: Filled): Promise<void> {
  const texts = textsOf(way, bookingChangeTexts)
  const id = bookings[GIVEN]!
  expect((await get(id)).assigned_host.member_id).toBe(members[1])
  await blockOf(page, id).click()
  await page.getByRole('link', { name: texts.handOver }).click()
  await page.getByRole('heading', { name: texts.handOverTitle }).waitFor()
  await look('owner-hand-over')
  await page.getByLabel(texts.handOverTo).selectOption({ label: COLLEAGUES[2] })
  await page.getByRole('button', { name: texts.handOver }).click()
  await page.getByText(texts.handedOver).waitFor()
  expect((await get(id)).assigned_host.member_id).toBe(members[2])
  await page.goto(WEEK)
  await blockOf(page, id).getByText(COLLEAGUES[2]).waitFor()
}

/** It can be undone as long as it waits; without a script it is asked before. */
async function cancel(walk: Walk, { bookings, get }: Filled): Promise<void> {
  const { page, way, look } = walk
  const id = bookings[CANCELLED]!
  const { cancel: cancelBooking, undo } = textsOf(way, calendarViewTexts)
  if (way.hasScript) {
    const choose = async () => {
      await blockOf(page, id).click()
      await page.getByRole('button', { name: cancelBooking }).click()
      await page.locator('[data-do=confirm]').click()
    }
    await choose()
    await look('owner-undo')
    await page.getByRole('button', { name: undo }).click()
    expect((await get(id)).status).toBe('confirmed')
    await choose()
    await doNow(walk)
  } else {
    await blockOf(page, id).click()
    await page.locator('details.folded > summary', { hasText: cancelBooking }).click()
    await page.getByRole('button', { name: cancelBooking }).click()
    await page.getByText(textsOf(way, bookingsTexts).wasCancelled).waitFor()
    await page.goto(WEEK)
  }
  expect((await get(id)).status).toBe('cancelled')
  expect(await blockOf(page, id).count()).toBe(0)
}

async function blockAnHour({ page, way, look }: Walk, { members }: Filled, { ask }: Practice): Promise<void> {
  const texts = textsOf(way, calendarViewTexts)
  // What is free begins where nothing is booked: the last hour of the week's Friday.
  await page.locator('.p-column').nth(4).locator('.p-frees a').last().click({ force: true })
  await page.getByLabel(texts.who, { exact: true }).selectOption(members[2]!)
  await page.getByLabel(texts.reason).fill('Dentist')
  await look('owner-free-time')
  await page.getByRole('button', { name: texts.blockNow }).click()
  await page.getByText(texts.blocked).waitFor()
  const off = await ask('GET', `/v1/agenda?from=${dateOf(4)}&to=${dateOf(4)}&member_id=${members[2]}`)
  expect(
    off.time_off.map(
      (one: Record<string, string>) => Date.parse(one.end_time!) - Date.parse(one.start_time!),
    ),
  ).toEqual([HOUR_MS])
}

async function approveBoth({ page, way, look }: Walk, { requests, get }: Filled): Promise<void> {
  const texts = textsOf(way, bookingListTexts)
  await page.goto(`${HOME}/console/bookings?view=requests`)
  for (const id of requests) await page.locator(`input[name=booking][value="${id}"]`).check()
  await look('owner-requests')
  await page.getByRole('button', { name: texts.approve }).click()
  await page.getByText(pluralText(localeOf(way.language), texts.approved, 2)).waitFor()
  for (const id of requests) expect((await get(id)).status).toBe('confirmed')
}

it.each(WAYS)('sees and changes a week with 25 bookings of three members: %s', async (name, way) => {
  const practice = await openPractice(way.language)
  const filled = await fillWeek(practice)
  const { page, leave, ...visitor } = await practice.enter(way)
  const look = (screen: string) => visitor.look(`${screen} ${name}`)
  const walk = { page, way, look }
  await page.goto(WEEK)
  expect(await page.locator('.planner ol > li').count()).toBe(27)
  expect(await page.locator('.planner a.k-request').count()).toBe(2)
  for (const member of COLLEAGUES) await page.locator('.planner li', { hasText: member }).first().waitFor()
  await look('owner-week')
  if (way.hasScript && !way.isPhone) await moveByDrag(walk, filled)
  await moveByKeyboard(walk, filled)
  await handOver(walk, filled)
  await cancel(walk, filled)
  await blockAnHour(walk, filled, practice)
  await approveBoth(walk, filled)
  await leave()
})
