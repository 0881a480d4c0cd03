import { describe, expect, it } from 'vitest'
import { call } from '../support/app.ts'
import { enter } from '../support/console.ts'
import { consoleTrips } from '../support/console-trips.ts'
import {
  book,
  bookAsAnother,
  createEventType,
  createOrganization,
  dayFromNow,
  iso,
  unique,
} from '../support/factories.ts'
import { addHosts } from '../support/hosts.ts'
import { memberWithRole } from '../support/members.ts'
import { wordsOf } from '../support/pages.ts'
import { createRoom } from '../support/rooms.ts'
import { rows } from '../support/storm/world.ts'

const HOUR_MS = 3_600_000
const DAY_MS = 24 * HOUR_MS
const TODAY = dayFromNow(40)
const WEEK = [0, 1, 2, 3, 4, 5, 6].map((day_of_week) => ({
  day_of_week,
  start_time: '09:00',
  end_time: '19:00',
}))

/** A sandbox at noon of a day with a booking before and one after, and two days before three others. */
async function busy() {
  const organization = await createOrganization()
  const key = organization.testKey
  const setClock = (now: number) => call('PUT', '/v1/test-data/clock', { key, body: { now: iso(now) } })
  await setClock(TODAY - 40 * DAY_MS)
  const { id } = await createEventType(key, { title: 'Massage', booking_window_days: 60 }, WEEK)
  const former = await book(id, TODAY - 30 * DAY_MS + 10 * HOUR_MS)
  for (const hour of [10, 12, 14]) await book(id, TODAY - 2 * DAY_MS + hour * HOUR_MS)
  const { body: first } = await book(id, TODAY + 10 * HOUR_MS, { invitee_name: 'Grace Hopper' })
  const { body: second } = await bookAsAnother(id, TODAY + 15 * HOUR_MS)
  await setClock(TODAY + 12 * HOUR_MS)
  const browser = await enter(organization)
  await browser.send(await browser.visit('/console/bookings'), '/console/mode', { mode: 'test' })
  return { organization, key, id, former, first, second, browser }
}

describe('the overview', () => {
  it('is what the console opens on once people can book', async () => {
    const organization = await createOrganization()
    const browser = await enter(organization)
    expect((await browser.visit('/console')).headers.get('location')).toBe('/console/start')
    await rows('UPDATE organizations SET onboarding_completed_at = 1 WHERE id = ?', organization.id)
    expect((await browser.visit('/console')).headers.get('location')).toBe('/console/overview')
    const page = await browser.visit('/console/overview')
    expect(page.status).toBe(200)
    for (const word of ['Nothing needs your attention.', 'Nothing is booked today.', 'No open hours']) {
      expect(wordsOf(page)).toContain(word)
    }
  })

  it('shows the last four weeks beside the four before, as numbers, sentences, drawings and tables', async () => {
    const { browser, first } = await busy()
    await call('GET', `/v1/bookings/${first.id}`)
    const page = await browser.visit('/console/overview')
    const words = wordsOf(page)
    expect(words).toMatch(/Bookings 5 Before: 1/)
    // Five half hours of 28 days with ten hours each.
    expect(words).toMatch(/Share of open hours booked 0\.9% Before: 0\.2%/)
    expect(words).toMatch(/No-shows 0 Before: 0/)
    expect(words).toMatch(/Earned None Before: None/)
    expect(words).toContain('4 bookings more than in the 28 days before.')
    expect(words).toContain('Massage is booked most: 5 of 5.')
    expect(page.text.match(/<svg class="drawing"[^>]*role="img"[^>]*aria-label="[^"]{10,}"/g)).toHaveLength(3)
    expect(page.text.match(/<table>/g)).toHaveLength(3)
    expect(page.text).not.toMatch(/style="/)
  })

  it('records who came by one click, and says so afterwards', async () => {
    const { browser, first, second, key } = await busy()
    const page = await browser.visit('/console/overview')
    expect(page.text).toContain('Attended: Grace Hopper')
    // What has not begun has no attendance.
    expect(page.text).not.toContain(`/console/bookings/${second.id}/attendance`)
    const answer = await browser.send(page, `/console/bookings/${first.id}/attendance`, {}, 'No-show:')
    expect([answer.status, answer.headers.get('location')]).toEqual([303, '/console/overview?done=attended'])
    const after = await browser.follow(answer)
    expect(wordsOf(after)).toMatch(/No-shows 1 Before: 0/)
    expect(after.text).not.toContain(`/console/bookings/${first.id}/attendance`)
    const { body } = await call('GET', `/v1/bookings/${first.id}`, { key })
    expect(body.attendees.map(({ no_show }: { no_show: boolean }) => no_show)).toEqual([true])
  })

  it('names what needs somebody', async () => {
    const organization = await createOrganization()
    const key = organization.liveKey
    const asked = await createEventType(key, { title: 'Consultation', requires_approval: true })
    const { id } = await createEventType(key, { title: 'Massage', assignment_strategy: 'round_robin' })
    await createEventType(key, { title: 'Paid', price_amount: 1_000 })
    const [host] = await addHosts(organization, key, id, 1)
    const start = dayFromNow(6) + 10 * HOUR_MS
    await book(asked.id, start, { invitee_name: 'Rosa' })
    const names = ['Away', 'Orphan', 'Dragged']
    const [away, orphan, dragged] = await Promise.all(
      names.map(async (invitee_name, at) => {
        const input = { invitee_name, invitee_email: `${unique('i')}@example.com` }
        return (await book(id, start + at * HOUR_MS, input)).body
      }),
    )
    const off = { member_ids: [host], start: iso(start), end: iso(start + HOUR_MS / 2) }
    expect((await call('POST', '/v1/time-off', { key, body: off })).status).toBe(201)
    await rows('UPDATE bookings SET needs_host = 1 WHERE id = ?', orphan.id)
    await rows(`UPDATE bookings SET out_of_sync = '{"startTime":1,"endTime":2}' WHERE id = ?`, dragged.id)
    await rows(
      'INSERT INTO booking_quotas (organization_id, month, bookings, quota) VALUES (?1, ?2, 9000, 10000) ON CONFLICT DO UPDATE SET bookings = 9000, quota = 10000',
      organization.id,
      new Date().toISOString().slice(0, 7),
    )
    const browser = await enter(organization)
    const words = wordsOf(await browser.visit('/console/overview'))
    expect(words).toMatch(/Rosa .* Consultation · Decide by .* Approve Decline/)
    expect(words).toMatch(/Away .* Massage During time off/)
    expect(words).toMatch(/Orphan .* Massage No host/)
    expect(words).toMatch(/Dragged .* Massage Different time in the calendar/)
    expect(words).toContain('9,000 of 10,000 bookings of this month’s plan are used.')
    expect(words).toContain('Paid : It has a price')
    expect(words).not.toContain('Nothing needs your attention.')
    expect(away.status).toBe('confirmed')
  })

  it('names bookings in time off however many are off, in closed rooms too, and none booked there on purpose', async () => {
    const organization = await createOrganization()
    const key = organization.liveKey
    const { id } = await createEventType(key, { title: 'Massage', assignment_strategy: 'round_robin' })
    const [host] = await addHosts(organization, key, id, 1)
    const room = await createRoom(key)
    const roomy = await createEventType(key, {
      title: 'Sauna',
      requires: [{ resource_ids: [room.id], quantity: 1 }],
    })
    const start = dayFromNow(6) + 10 * HOUR_MS
    const named = (invitee_name: string) => ({ invitee_name, invitee_email: `${unique('i')}@example.com` })
    await book(id, start + 6 * HOUR_MS, named('Away'))
    await book(roomy.id, start, named('Closed'))
    const times = [0, 1, 2, 3, 4, 5].map((at) => start + at * HOUR_MS)
    const meant = await Promise.all(times.map(async (time) => (await book(id, time, named('Meant'))).body.id))
    await rows(
      `UPDATE bookings SET overridden = '["hours"]' WHERE id IN (SELECT value FROM json_each(?))`,
      JSON.stringify(meant),
    )
    const off = { start: iso(start), end: iso(start + 7 * HOUR_MS) }
    for (const who of [{ member_ids: [host] }, { resource_ids: [room.id] }]) {
      expect((await call('POST', '/v1/time-off', { key, body: { ...who, ...off } })).status).toBe(201)
    }
    await rows(
      `INSERT INTO time_off (id, organization_id, is_test, member_id, starts_at, ends_at, created_at, updated_at)
       WITH RECURSIVE n(at) AS (SELECT 1 UNION ALL SELECT at + 1 FROM n WHERE at < 60)
       SELECT id || at, organization_id, is_test, member_id, starts_at - 86400000, starts_at - 1, created_at, updated_at
       FROM time_off, n WHERE member_id = ?`,
      host,
    )
    const words = wordsOf(await (await enter(organization)).visit('/console/overview'))
    expect(words).toMatch(/Away .* Massage During time off/)
    expect(words).toMatch(/Closed .* Sauna During time off/)
    expect(words).not.toContain('Meant')
  })

  it('asks the database few times, however much there is', async () => {
    const { browser } = await busy()
    const [asked] = await consoleTrips(browser, ['/console/overview'])
    expect(asked!.trips).toBeLessThanOrEqual(4)
  })

  it('hides what was earned below administrators, and attendance from viewers', async () => {
    const { organization, first } = await busy()
    const viewer = await memberWithRole(organization, 'viewer')
    const browser = await enter(organization, viewer.userId)
    await browser.send(await browser.visit('/console/bookings'), '/console/mode', { mode: 'test' })
    const page = await browser.visit('/console/overview')
    expect(wordsOf(page)).not.toContain('Earned')
    expect(page.text).toContain('Grace Hopper')
    expect(page.text).not.toContain(`/console/bookings/${first.id}/attendance`)
  })
})

it('counts requests in the navigation of every screen', async () => {
  const organization = await createOrganization()
  const { id } = await createEventType(organization.liveKey, { requires_approval: true })
  const browser = await enter(organization)
  const count = async () =>
    /class="count".*?unseen">([^<]*)</s.exec((await browser.visit('/console/hours')).text)?.[1]
  expect(await count()).toBeUndefined()
  await book(id, dayFromNow(5) + 10 * HOUR_MS)
  expect(await count()).toBe('1 request to decide')
  await bookAsAnother(id, dayFromNow(5) + 12 * HOUR_MS)
  expect(await count()).toBe('2 requests to decide')
})
