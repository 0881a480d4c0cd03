import { env } from 'cloudflare:workers'
import { describe, expect, it } from 'vitest'
import { call } from '../support/app.ts'
import { enter } from '../support/console.ts'
import { consoleTrips } from '../support/console-trips.ts'
import {
  book,
  createEventType,
  createOrganization,
  dateOf,
  dayFromNow,
  iso,
  type Organization,
} from '../support/factories.ts'
import { addHosts } from '../support/hosts.ts'
import { daily, insertTimeOff } from '../support/hours.ts'
import { userWithRole } from '../support/members.ts'
import { wordsOf } from '../support/pages.ts'
import { createRoom } from '../support/rooms.ts'

const HOUR_MS = 3_600_000
const DAY_MS = 24 * HOUR_MS
const monday = () => {
  const day = dayFromNow(7)
  return day - ((new Date(day).getUTCDay() + 6) % 7) * DAY_MS
}
const DAY = monday()
const TEN = DAY + 10 * HOUR_MS
const WEEK = `/console/calendar?view=week&from=${dateOf(DAY)}`

const nameMember = (organization: Organization, id: string, name: string) =>
  call('PATCH', `/v1/organizations/${organization.id}/members/${id}`, {
    key: organization.liveKey,
    body: { name },
  })

async function studio() {
  const organization = await createOrganization()
  const key = organization.liveKey
  const talk = await createEventType(key, { title: 'Long talk', assignment_strategy: 'round_robin' })
  const [host] = await addHosts(organization, key, talk.id, 1)
  await nameMember(organization, host!, 'Jonas Berg')
  return { organization, key, talk, host: host! }
}

describe('the calendar', () => {
  it('shows bookings, sessions, requests, holds, busy times and time off of a week', async () => {
    const { organization, key, talk, host } = await studio()
    const yoga = await createEventType(key, { title: 'Yoga', max_attendees: 5 })
    const trial = await createEventType(key, { title: 'Trial', requires_approval: true })
    const { body: booked } = await book(talk.id, TEN)
    const { body: seat } = await book(yoga.id, TEN, { invitee_email: 'seat@example.com' })
    const asked = { invitee_name: 'Grace Hopper', invitee_email: 'grace@example.com' }
    const { body: request } = await book(trial.id, TEN + DAY_MS, asked)
    const held = { event_type_id: talk.id, start_time: iso(TEN + 2 * DAY_MS) }
    const { body: hold } = await call('POST', '/v1/holds', { body: held })
    await insertTimeOff(organization, 'live', host, DAY + 3 * DAY_MS, DAY + 4 * DAY_MS)
    const browser = await enter(organization)
    const page = await browser.visit(WEEK)
    expect(page.status).toBe(200)
    expect(page.text).toMatch(new RegExp(`class="k-booking c\\d" href="/console/bookings/${booked.id}"`))
    expect(page.text).toContain(`href="/console/bookings/sessions/${seat.session_id}"`)
    expect(page.text).not.toContain(`/console/bookings/${seat.id}`)
    expect(page.text).toMatch(new RegExp(`class="k-request c\\d" href="/console/bookings/${request.id}"`))
    expect(page.text).toContain(`href="/console/bookings/holds/${hold.id}"`)
    const words = wordsOf(page)
    for (const text of [
      'Ada Lovelace',
      'Long talk · Jonas Berg',
      '1/5 seats',
      'Request · Trial',
      'Jonas Berg off',
    ])
      expect(words).toContain(text)
    expect(page.text).not.toContain(' style=')
  })

  it('has a column for each person by day, and what several host in each of theirs', async () => {
    const { organization, key, talk, host } = await studio()
    const pair = await createEventType(key, { title: 'Pair', assignment_strategy: 'none' })
    const [other] = await addHosts(organization, key, pair.id, 1)
    await nameMember(organization, other!, 'Mia Sommer')
    await call('POST', `/v1/event-types/${pair.id}/hosts`, { key, body: { member_id: host } })
    await book(talk.id, TEN)
    const { body: together } = await book(pair.id, TEN + HOUR_MS, { invitee_email: 'two@example.com' })
    const browser = await enter(organization)
    const page = await browser.visit(`/console/calendar?view=day&from=${dateOf(DAY)}`)
    expect(page.text.match(/data-member="/g)).toHaveLength(2)
    expect(page.text.match(new RegExp(`/console/bookings/${together.id}`, 'g'))).toHaveLength(2)
    const one = await browser.visit(`/console/calendar?view=day&from=${dateOf(DAY)}&member_id=${other}`)
    expect(one.text.match(/data-member="/g)).toHaveLength(1)
    expect(wordsOf(one)).not.toContain('Long talk · Jonas Berg')
  })

  it('shows a month of days that lead to the day, with the rest counted', async () => {
    const { organization, talk } = await studio()
    for (let at = 0; at < 5; at++)
      await book(talk.id, TEN + at * HOUR_MS, { invitee_email: `guest-${at}@example.com` })
    const browser = await enter(organization)
    const page = await browser.visit(`/console/calendar?view=month&from=${dateOf(DAY)}`)
    expect(page.text).toContain(`view=day&amp;from=${dateOf(DAY)}`)
    expect(page.text.match(/class="k-booking/g)).toHaveLength(3)
    expect(wordsOf(page)).toContain('+2')
  })

  it('keeps filters in its links, and shows what they leave', async () => {
    const { organization, key, talk } = await studio()
    const room = await createRoom(key, { name: 'Blue room' })
    const other = await createEventType(key, { title: 'Other' })
    await book(talk.id, TEN)
    await book(other.id, TEN, { invitee_name: 'Grace Hopper', invitee_email: 'grace@example.com' })
    const browser = await enter(organization)
    const page = await browser.visit(`${WEEK}&event_type_id=${talk.id}`)
    expect(page.text).toContain(`view=day&amp;from=${dateOf(DAY)}&amp;event_type_id=${talk.id}`)
    expect(wordsOf(page)).toContain('Ada Lovelace')
    expect(wordsOf(page)).not.toContain('Grace Hopper')
    expect(page.text).toContain(`<option value="${room.id}">Blue room</option>`)
    expect((await browser.visit(`${WEEK}&event_type_id=${organization.id}`)).status).toBe(404)
  })

  it('opens a phone on a day, and everything else on a week', async () => {
    const { organization } = await studio()
    const browser = await enter(organization)
    const phone = await browser.visit('/console/calendar', { headers: { 'Sec-CH-UA-Mobile': '?1' } })
    expect(phone.text).toContain('class="planner by-day"')
    expect((await browser.visit('/console/calendar')).text).toContain('class="planner by-week"')
  })

  it('fits 400 bookings of a week into 150 KB', async () => {
    const { organization, talk, host } = await studio()
    await env.DB.prepare(
      `INSERT INTO bookings (id, organization_id, event_type_id, is_test, status, start_time, end_time, invitee_name,
         invitee_email, invitee_timezone, metadata, attendees, assigned_host_id, created_at, updated_at)
       WITH RECURSIVE n(i) AS (SELECT 0 UNION ALL SELECT i + 1 FROM n WHERE i < 399)
       SELECT printf('0192f1e0-7c11-7000-8000-%012x', random() & 0xffffffffffff), ?1, ?2, 0, 'confirmed',
         ?3 + (i % 7) * 86400000 + (i / 7) * 1800000, ?3 + (i % 7) * 86400000 + (i / 7) * 1800000 + 1800000,
         'Alexandra Konstantinopoulou', 'ada@example.com', 'UTC', '{}', '[]', ?4, 1, 1 FROM n`,
    )
      .bind(organization.id, talk.id, DAY - 4 * HOUR_MS, host)
      .run()
    const page = await (await enter(organization)).visit(WEEK)
    expect(page.text.match(/class="k-booking/g)!.length).toBeGreaterThanOrEqual(390)
    expect(new TextEncoder().encode(page.text).length).toBeLessThan(150_000)
  })

  it('asks the database as often for a month as for a day', async () => {
    const { organization } = await studio()
    const browser = await enter(organization)
    const paths = ['day', 'week', 'month'].map((view) => `/console/calendar?view=${view}`)
    await consoleTrips(browser, paths)
    expect(await consoleTrips(browser, paths)).toEqual(paths.map((path) => ({ path, trips: 3 })))
  })

  it('changes nothing for viewers', async () => {
    const { organization, talk } = await studio()
    await book(talk.id, TEN)
    const browser = await enter(organization, await userWithRole(organization, 'viewer'))
    const page = await browser.visit(WEEK)
    expect(wordsOf(page)).toContain('Ada Lovelace')
    expect(page.text).not.toContain('/console/calendar/time')
    expect((await browser.visit('/console/calendar/time')).status).toBe(403)
  })
})

describe('free time', () => {
  it('is booked with the time that was chosen', async () => {
    const { organization, key } = await studio()
    const { id } = await createEventType(key, { title: 'Office' }, daily(['09:00', '17:00']))
    const browser = await enter(organization)
    const page = await browser.visit(`/console/calendar/time?at=${dateOf(DAY)}T10:00`)
    const link = new RegExp(`href="(/console/bookings/new\\?type=${id}[^"]+)"`).exec(page.text)![1]!
    const booking = await browser.visit(link.replaceAll('&amp;', '&'))
    expect(booking.text).toContain(`value="${iso(TEN)}" checked`)
  })

  it('is blocked for an hour or a day, and says what is booked in it', async () => {
    const { organization, key, talk, host } = await studio()
    await book(talk.id, TEN)
    const browser = await enter(organization)
    const at = `/console/calendar/time?at=${dateOf(DAY)}T10:00&member=${host}`
    const blocked = await browser.send(await browser.visit(at), '/calendar/time')
    expect(blocked.status).toBe(303)
    expect(wordsOf(await browser.follow(blocked))).toContain('Blocked. 1 booking is in this time.')
    const { body } = await call('GET', '/v1/time-off', { key })
    expect(body.data).toMatchObject([{ member_id: host, start: iso(TEN), end: iso(TEN + HOUR_MS) }])
    await browser.send(await browser.visit(at), '/calendar/time', { day: '1' })
    const { body: both } = await call('GET', '/v1/time-off', { key })
    expect(both.data[0]).toMatchObject({ start: dateOf(DAY), end: dateOf(DAY) })
  })

  it('names the field that is wrong and leaves nothing behind', async () => {
    const { organization, key } = await studio()
    const browser = await enter(organization)
    const page = await browser.visit(`/console/calendar/time?at=${dateOf(DAY)}T10:00`)
    const refused = await browser.send(page, '/calendar/time', { end: `${dateOf(DAY)}T09:00` })
    expect([refused.status, /href="#end"/.test(refused.text)]).toEqual([422, true])
    expect((await call('GET', '/v1/time-off', { key })).body.data).toEqual([])
  })
})
