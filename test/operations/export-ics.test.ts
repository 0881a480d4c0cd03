import { env, exports } from 'cloudflare:workers'
import ICAL from 'ical.js'
import { describe, expect, it } from 'vitest'
import { uidOf } from '../../src/engine/schedule/own-uids.ts'
import { selectUpcoming } from '../../src/operations/calendar-file/queries.ts'
import { openDb } from '../../src/platform/db/client.ts'
import { call, freshAddress } from '../support/app.ts'
import { bookingInput, createEventType, createOrganization, dayFromNow } from '../support/factories.ts'
import { keyOfMember, memberWithRole } from '../support/members.ts'
import { bookPaid, createPaid } from '../support/payments.ts'

const HOUR_MS = 3_600_000
const SLOT = dayFromNow(3) + 10 * HOUR_MS

async function download(key: string) {
  const response = await exports.default.fetch(
    new Request('https://holdfast.test/v1/export/ics', {
      headers: { Authorization: `Bearer ${key}`, 'CF-Connecting-IP': freshAddress() },
    }),
  )
  const text = await response.text()
  const events = new ICAL.Component(ICAL.parse(text)).getAllSubcomponents('vevent')
  return { type: response.headers.get('content-type'), text, events }
}

describe('the calendar file of an organization', () => {
  it('has all upcoming bookings, with the UIDs of emails, and requests as tentative', async () => {
    const { liveKey: key } = await createOrganization()
    const question = { key: 'allergies', label: 'Allergies', type: 'short_text', required: false }
    const { id } = await createEventType(key, {
      title: 'Intro call',
      location: 'Room 4',
      questions: [question],
    })
    const asked = await createEventType(key, { title: 'Asked', requires_approval: true })
    const book = async (type: string, at: number, body = {}) =>
      (await call('POST', '/v1/bookings', { key, body: bookingInput(type, at, body) })).body
    const first = await book(id, SLOT, {
      notes: 'Rings twice',
      invitee_phone: '+4930901820',
      answers: { allergies: 'Peanuts' },
    })
    const request = await book(asked.id, SLOT + HOUR_MS)
    const cancelled = await book(id, SLOT + 2 * HOUR_MS)
    await call('POST', `/v1/bookings/${cancelled.id}/cancel`, { key, body: {} })
    const { type, text, events } = await download(key)
    expect(type).toContain('text/calendar')
    const told = events.map((event) =>
      ['uid', 'status', 'summary', 'location'].map((name) => event.getFirstPropertyValue(name) ?? null),
    )
    expect(told).toEqual([
      [uidOf(first.id), 'CONFIRMED', 'Intro call: Ada Lovelace', 'Room 4'],
      [uidOf(request.id), 'TENTATIVE', 'Asked: Ada Lovelace', null],
    ])
    expect(text).toContain('Rings twice')
    // Bookings that were rescheduled are a page of their own, here without any.
    expect(text.split('\r\n').filter((line) => line === '')).toEqual([''])
    for (const secret of [first.cancel_token, '+4930901820', 'ATTENDEE', 'Peanuts', '/bookings/']) {
      expect(text).not.toContain(secret)
    }
  })

  it('has unpaid bookings as tentative, and begun ones until they are over', async () => {
    const { organization, eventTypeId } = await createPaid()
    const unpaid = await bookPaid(eventTypeId, SLOT)
    const { id } = await createEventType(organization.liveKey)
    const book = async (at: number) =>
      (await call('POST', '/v1/bookings', { key: organization.liveKey, body: bookingInput(id, at) })).body
    const [begun, over] = [await book(SLOT + 24 * HOUR_MS), await book(SLOT + 26 * HOUR_MS)]
    const move = env.DB.prepare('UPDATE bookings SET start_time = ?, end_time = ? WHERE id = ?')
    const now = Date.now()
    await move.bind(now - HOUR_MS, now + HOUR_MS, begun.id).run()
    await move.bind(now - 2 * HOUR_MS, now - HOUR_MS, over.id).run()
    const { events } = await download(organization.liveKey)
    const told = events.map((event) => ['uid', 'status'].map((name) => event.getFirstPropertyValue(name)))
    expect(told).toEqual([
      [uidOf(begun.id), 'CONFIRMED'],
      [uidOf(unpaid.id), 'TENTATIVE'],
    ])
  })

  it('is for the owner only', async () => {
    const organization = await createOrganization()
    for (const role of ['admin', 'member', 'viewer'] as const) {
      const member = await memberWithRole(organization, role)
      const key = await keyOfMember(organization, member)
      await env.DB.prepare('UPDATE members SET role = ? WHERE id = ?').bind(role, member.id).run()
      expect([role, (await call('GET', '/v1/export/ics', { key })).status]).toEqual([role, 403])
    }
  })

  it('is a calendar without events if nothing is booked, and of live data only', async () => {
    const { liveKey, testKey } = await createOrganization()
    expect((await download(liveKey)).events).toEqual([])
    expect((await call('GET', '/v1/export/ics', { key: testKey })).status).toBe(403)
  })

  it('has every booking once, however many there are', async () => {
    const { id: organizationId, liveKey: key } = await createOrganization()
    const { id } = await createEventType(key, { max_attendees: 100 })
    const people = Array.from({ length: 5 }, (_, at) => at)
    for (const at of people) {
      await call('POST', '/v1/bookings', {
        key,
        body: bookingInput(id, SLOT, { invitee_email: `ada-${at}@example.com` }),
      })
    }
    const { events } = await download(key)
    expect(new Set(events.map((event) => event.getFirstPropertyValue('uid'))).size).toBe(people.length)
    const ids: string[] = []
    const wanted = { organizationId, status: 'confirmed', now: Date.now() } as const
    for (let after: { startTime: number; id: string } | null = null; ; ) {
      const page = await selectUpcoming(openDb(env, 'decide'), { ...wanted, after }, 2)
      ids.push(...page.map((one) => one.id))
      if (page.length < 2) break
      after = page.at(-1)!
    }
    expect([ids.length, new Set(ids).size]).toEqual([people.length, people.length])
  })
})
