import { expect, it } from 'vitest'
import { call } from '../support/app.ts'
import { enter } from '../support/console.ts'
import { createEventType, createOrganization, dayFromNow, iso } from '../support/factories.ts'
import { wordsOf } from '../support/pages.ts'

const HOUR_MS = 3_600_000
const SLOT = dayFromNow(3) + 10 * HOUR_MS
const BEA = { invitee_name: 'Bea', invitee_email: null, invitee_phone: '+4930901820' }

it('shows no word for an address that nobody has, on any screen, list or download', async () => {
  const organization = await createOrganization()
  const key = organization.liveKey
  const alone = await createEventType(key, { requires_approval: true })
  const group = await createEventType(key, { max_attendees: 3 })
  const make = async (event_type_id: string, start: number, more: Record<string, unknown> = {}) => {
    const body = { ...BEA, event_type_id, start_time: iso(start), ...more }
    const { status, body: made } = await call('POST', '/v1/bookings', { key, body })
    expect(status).toBe(201)
    return made
  }
  const one = await make(alone.id, SLOT)
  const other = await make(group.id, SLOT, { attendees: [{ name: 'Cy', email: 'cy@example.com' }] })
  await make(group.id, SLOT)
  const series = await call('POST', '/v1/series', {
    key,
    body: { ...BEA, event_type_id: group.id, starts: [SLOT + HOUR_MS, SLOT + 2 * HOUR_MS].map(iso) },
  })
  const browser = await enter(organization)
  const paths = [
    '/console/start',
    '/console/bookings',
    '/console/bookings?view=requests',
    '/console/bookings?view=all',
    '/console/bookings/download?view=all',
    `/console/bookings/${one.id}`,
    `/console/bookings/${one.id}/edit`,
    `/console/bookings/${one.id}/move?type=${alone.id}&duration=30`,
    `/console/bookings/${other.id}`,
    `/console/bookings/sessions/${other.session_id}`,
    `/console/bookings/series/${series.body.id}`,
    '/console/team/activity',
    '/console/developers/events',
    '/console/calendar',
  ] as const
  for (const path of paths) {
    const page = await browser.visit(path)
    expect([path, page.status]).toEqual([path, 200])
    const text = path.includes('download') ? page.text : wordsOf(page)
    // What is shown of an event is the JSON that endpoints get.
    const told = text.replace(/"[a-z_]+": ?null/g, '')
    expect([path, /\b(null|undefined)\b|&lt;&gt;|mailto:"/.test(told)]).toEqual([path, false])
  }
})
