import { expect, it } from 'vitest'
import { enter } from '../support/console.ts'
import { dateOf, iso } from '../support/factories.ts'
import { memberWithRole } from '../support/members.ts'
import { formOf, linksOf, wordsOf } from '../support/pages.ts'
import { FIRST, seriesWorld, WEEK_MS, weeks } from '../support/series.ts'

async function world(input: Record<string, unknown> = {}) {
  const made = await seriesWorld(input, 'live')
  const browser = await enter(made.organization)
  const form = async () => browser.visit(`/console/bookings/new?type=${made.id}&from=${dateOf(FIRST)}`)
  const invitee = { name: 'Bea', email: 'bea@example.com', start: iso(FIRST) }
  return { ...made, browser, form, invitee }
}

it('books for somebody on several weeks, and shows the series', async () => {
  const { browser, form, invitee, booked } = await world()
  const sent = await browser.send(await form(), '/console/bookings/new', {
    ...invitee,
    count: '3',
    every_weeks: '2',
  })
  const bookings = (await booked()).toReversed()
  expect(bookings.map(({ start_time }) => start_time)).toEqual(
    [0, 2, 4].map((at) => iso(FIRST + at * WEEK_MS)),
  )
  const path = `/console/bookings/series/${bookings[0].series_id}`
  expect(sent.headers.get('location')).toBe(`${path}?done=booked`)
  const page = await browser.follow(sent)
  for (const { id } of bookings) expect(linksOf(page)).toContain(`/console/bookings/${id}`)
  expect(linksOf(await browser.visit(`/console/bookings/${bookings[1].id}`))).toContain(path)
})

it('says which dates are not open, books the others if asked to, and sets no rules aside', async () => {
  const { browser, form, invitee, booked, book } = await world()
  await book(FIRST + WEEK_MS)
  const page = await form()
  const send = (more: Record<string, string>) =>
    browser.send(page, '/console/bookings/new', { ...invitee, count: '3', ...more })
  const refused = await send({})
  expect([refused.status, wordsOf(refused).includes('These dates are not open')]).toEqual([409, true])
  const wrong = await send({ count: '53' })
  expect([wrong.status, wrong.text.includes('id="count-error"')]).toEqual([422, true])
  expect((await send({ override: 'busy' })).status).toBe(422)
  expect(await booked()).toHaveLength(1)
  const made = await browser.follow(await send({ skip: 'on' }))
  expect(wordsOf(made)).toContain('Not booked, because they were not open')
  expect(await booked()).toHaveLength(3)
})

it('cancels a series from one of its dates on', async () => {
  const { browser, weekly, booked } = await world()
  const { body } = await weekly(3)
  const path = `/console/bookings/series/${body.id}` as const
  const page = await browser.visit(path)
  const done = await browser.send(page, '/cancel', { from: weeks(3)[1]!, reason: 'Moved' })
  expect(done.headers.get('location')).toBe(`${path}?done=wasCancelled`)
  const all = (await booked()).toReversed()
  expect(all.map(({ status, cancel_reason }) => [status, cancel_reason])).toEqual([
    ['confirmed', null],
    ['cancelled', 'Moved'],
    ['cancelled', 'Moved'],
  ])
  const german = await browser.visit(path, { headers: { 'Accept-Language': 'de' } })
  expect(wordsOf(german)).toContain('Serie absagen')
})

it('approves or declines all requests of a series', async () => {
  const { browser, weekly, booked } = await world({ requires_approval: true })
  const { body: first } = await weekly(2)
  const { body: second } = await weekly(2, { start_time: iso(FIRST + 3_600_000) })
  const at = (id: string) => `/console/bookings/series/${id}` as const
  const approved = await browser.send(await browser.visit(at(first.id)), '/approve')
  expect(approved.headers.get('location')).toBe(`${at(first.id)}?done=approved`)
  const declined = await browser.send(await browser.visit(at(second.id)), '/decline', {
    decline_reason: 'Full',
  })
  expect(declined.headers.get('location')).toBe(`${at(second.id)}?done=declined`)
  const of = async (id: string) =>
    (await booked()).filter(({ series_id }) => series_id === id).map(({ status }) => status)
  expect([await of(first.id), await of(second.id)]).toEqual([
    ['confirmed', 'confirmed'],
    ['cancelled', 'cancelled'],
  ])
  expect((await browser.visit(at(second.id))).text).not.toContain('/decline"')
})

it('lets viewers look, and change nothing', async () => {
  const { organization, browser, weekly, booked } = await world()
  const { body } = await weekly(2)
  const { userId } = await memberWithRole(organization, 'viewer')
  const viewer = await enter(organization, userId)
  const path = `/console/bookings/series/${body.id}` as const
  const page = await viewer.visit(path)
  expect([page.status, page.text.includes(`${path}/cancel`)]).toEqual([200, false])
  const { csrf } = formOf(await viewer.visit('/console/settings'), '/console').fields
  expect((await viewer.visit(`${path}/cancel`, { form: { csrf: csrf! } })).status).not.toBe(303)
  expect((await booked()).map(({ status }) => status)).toEqual(['confirmed', 'confirmed'])
  expect((await browser.visit('/console/bookings/series/nothing')).status).toBe(404)
})
