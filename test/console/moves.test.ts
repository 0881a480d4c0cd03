import { expect, it, vi } from 'vitest'
import { call } from '../support/app.ts'
import { enter } from '../support/console.ts'
import { book, createEventType, createOrganization, dayFromNow, iso } from '../support/factories.ts'
import { memberWithRole } from '../support/members.ts'
import { formOf } from '../support/pages.ts'

const HOUR_MS = 3_600_000
const SLOT = dayFromNow(3) + 10 * HOUR_MS

it('moves a booking to a chosen host, with two weeks of times to choose from', async () => {
  const organization = await createOrganization()
  const key = organization.liveKey
  const { id } = await createEventType(key, { assignment_strategy: 'round_robin' })
  const members = await Promise.all([0, 1].map(() => memberWithRole(organization, 'member')))
  for (const { id: member_id } of members) {
    await call('POST', `/v1/event-types/${id}/hosts`, { key, body: { member_id } })
  }
  const { body } = await book(id, SLOT)
  const other = members.find((one) => one.id !== body.assigned_host.member_id)!
  const browser = await enter(organization)
  const move = `/console/bookings/${body.id}/move?type=${id}&duration=30`
  expect((await browser.visit(move)).text).toMatch(/<select[^>]* name="member"/)
  const page = await browser.visit(`${move}&member=${other.id}`)
  expect(page.text).toContain(`value="${iso(SLOT + 9 * 24 * HOUR_MS)}"`)
  const { action, pairs } = formOf(page, '/move')
  const start = iso(SLOT + HOUR_MS)
  const moved = await browser.visit(action, {
    form: [...pairs.filter(([name]) => name !== 'start'), ['start', start]],
  })
  expect(moved.status).toBe(303)
  const now = (await call('GET', `/v1/bookings/${body.id}`, { key })).body
  expect([now.start_time, now.assigned_host.member_id]).toEqual([start, other.id])
})

it('offers attendance first for a past booking, and to move or cancel it last', async () => {
  const organization = await createOrganization()
  const { id } = await createEventType(organization.liveKey)
  const { body } = await book(id, SLOT)
  const browser = await enter(organization)
  const at = `/console/bookings/${body.id}`
  const places = async () => {
    const { text } = await browser.visit(at)
    return ['/attendance"', '/move?', '/cancel"'].map((one) => text.indexOf(one))
  }
  const [attendance, move, cancel] = await places()
  expect([attendance, move! < cancel!]).toEqual([-1, true])
  vi.setSystemTime(SLOT + HOUR_MS)
  try {
    const later = await places()
    expect(later).toEqual(later.toSorted((a, b) => a - b))
    expect(later.every((place) => place > 0)).toBe(true)
  } finally {
    vi.useRealTimers()
  }
})
