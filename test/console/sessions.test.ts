import { expect, it, vi } from 'vitest'
import { call } from '../support/app.ts'
import { enter } from '../support/console.ts'
import { book, createEventType, createOrganization, dateOf, dayFromNow, iso } from '../support/factories.ts'
import { memberWithRole } from '../support/members.ts'
import { formOf, linksOf, wordsOf } from '../support/pages.ts'

const HOUR_MS = 3_600_000
const SLOT = dayFromNow(3) + 10 * HOUR_MS

async function session(at = SLOT) {
  const organization = await createOrganization()
  const key = organization.liveKey
  const { id } = await createEventType(key, { max_attendees: 4, reminder_intervals: [] })
  const made: any[] = []
  for (const who of ['ada', 'bob']) {
    const { body } = await book(id, SLOT, { invitee_name: who, invitee_email: `${who}@example.com` })
    made.push(body)
  }
  const browser = await enter(organization)
  const read = async (booking: string) => (await call('GET', `/v1/bookings/${booking}`, { key })).body
  const path = `/console/bookings/sessions/${made[0].session_id}`
  return { organization, key, id: id as string, made, browser, read, path, at }
}

it('lists sessions with their seats, and shows who comes', async () => {
  const { browser, path, id, made } = await session()
  const list = await browser.visit(`/console/bookings/sessions?type=${id}`)
  expect(linksOf(list)).toContain(path)
  expect(wordsOf(list)).toContain('2 of 4 seats taken')
  const later = await browser.visit(`/console/bookings/sessions?type=${id}&from=${dateOf(dayFromNow(10))}`)
  expect(linksOf(later)).not.toContain(path)
  const shown = await browser.visit(path)
  for (const who of ['ada', 'bob']) expect(wordsOf(shown)).toContain(`${who}@example.com`)
  expect(linksOf(await browser.visit(`/console/bookings/${made[0].id}`))).toContain(path)
  const german = await browser.visit(path, { headers: { 'Accept-Language': 'de' } })
  expect(wordsOf(german)).toContain('Gruppentermin verschieben')
})

it('moves a session as a whole, to an open or an exact time', async () => {
  const { browser, path, made, read } = await session()
  const page = await browser.visit(`${path}?from=${dateOf(SLOT)}`)
  expect((await browser.send(page, '/move', {})).status).toBe(422)
  const moved = await browser.send(page, '/move', { start: iso(SLOT + HOUR_MS) })
  expect(moved.headers.get('location')).toBe(`${path}?done=moved`)
  for (const { id } of made) expect((await read(id)).start_time).toBe(iso(SLOT + HOUR_MS))
  const at = iso(SLOT + HOUR_MS + 600_000).slice(0, 16)
  const refused = await browser.send(page, '/move', { at })
  expect(refused.status).toBe(409)
  expect((await browser.send(page, '/move', { at, override: 'grid' })).status).toBe(303)
  for (const { id } of made) expect((await read(id)).overridden).toEqual(['grid'])
})

it('cancels a session as a whole, and is then not found', async () => {
  const { browser, path, made, read, id } = await session()
  const done = await browser.send(await browser.visit(path), '/cancel', { reason: 'Ill' })
  expect(done.headers.get('location')).toBe(`/console/bookings/sessions?type=${id}&done=wasCancelled`)
  for (const one of made)
    expect(await read(one.id)).toMatchObject({ status: 'cancelled', cancel_reason: 'Ill' })
  expect((await browser.visit(path)).status).toBe(404)
})

it('lets viewers look, and change nothing', async () => {
  const { organization, browser, path, made, read } = await session()
  const { userId } = await memberWithRole(organization, 'viewer')
  const viewer = await enter(organization, userId)
  const page = await viewer.visit(path)
  expect([page.status, page.text.includes(`${path}/move`), page.text.includes(`${path}/cancel`)]).toEqual([
    200,
    false,
    false,
  ])
  const { fields } = formOf(await browser.visit(path), '/cancel')
  const csrf = formOf(await viewer.visit('/console/settings'), '/console').fields.csrf ?? fields.csrf!
  await viewer.visit(`${path}/cancel`, { form: { csrf } })
  expect((await read(made[0].id)).status).toBe('confirmed')
})

it('records the attendance of everybody, once it has begun', async () => {
  const { browser, path, made, read } = await session()
  expect((await browser.visit(path)).text).not.toContain(`${path}/attendance`)
  vi.setSystemTime(SLOT + HOUR_MS / 4)
  try {
    const page = await browser.visit(path)
    const bob = made[1].attendees[0].id
    const done = await browser.send(page, '/attendance', { no_show: bob })
    expect(done.headers.get('location')).toBe(`${path}?done=attended`)
    expect((await browser.visit(path)).text).toMatch(new RegExp(`value="${bob}"[^>]*checked`))
  } finally {
    vi.useRealTimers()
  }
  const shows = await Promise.all(made.map(({ id }) => read(id)))
  expect(shows.map(({ attendees }) => attendees[0].no_show)).toEqual([false, true])
})
