import { env } from 'cloudflare:workers'
import ICAL from 'ical.js'
import { describe, expect, it } from 'vitest'
import { countedService } from '../support/anonymous-costs.ts'
import { call, callAsService } from '../support/app.ts'
import { addBusyHosts } from '../support/busy-hosts.ts'
import { book, createEventType, createOrganization, dayFromNow } from '../support/factories.ts'
import { addHost, createMember } from '../support/hosts.ts'
import { visit } from '../support/pages.ts'
import { createPaid } from '../support/payments.ts'

const HOUR_MS = 3_600_000
const SLOT = dayFromNow(3) + 10 * HOUR_MS

async function feedOf(key: string, body: Record<string, unknown> = {}) {
  const { status, body: feed } = await call('POST', '/v1/calendar-feeds', { key, body })
  expect(status).toBe(201)
  return { ...feed, path: new URL(feed.url).pathname as string }
}

async function eventsAt(path: string) {
  const { status, text } = await visit(path)
  expect(status).toBe(200)
  const calendar = new ICAL.Component(ICAL.parse(text))
  return calendar.getAllSubcomponents('vevent').map((event) => ({
    uid: String(event.getFirstPropertyValue('uid')),
    status: String(event.getFirstPropertyValue('status')),
    summary: String(event.getFirstPropertyValue('summary')),
    sequence: Number(event.getFirstPropertyValue('sequence')),
    start: (event.getFirstPropertyValue('dtstart') as ICAL.Time).toJSDate().getTime(),
  }))
}

describe('a feed of bookings', () => {
  it('has the live bookings under the UIDs of the emails, moved ones where they are and cancelled ones as such', async () => {
    const { liveKey, testKey } = await createOrganization()
    const { id, title } = await createEventType(liveKey)
    const other = await createEventType(testKey)
    const { path } = await feedOf(liveKey, { member_id: null })
    expect(await eventsAt(path)).toEqual([])
    const { body: kept } = await book(id, SLOT)
    const { body: dropped } = await book(id, SLOT + HOUR_MS)
    await book(other.id, SLOT)
    const summary = `${title}: ${kept.invitee_name}`
    expect(await eventsAt(path)).toEqual([
      { uid: `${kept.id}@holdfast`, status: 'CONFIRMED', summary, sequence: 0, start: SLOT },
      { uid: `${dropped.id}@holdfast`, status: 'CONFIRMED', summary, sequence: 0, start: SLOT + HOUR_MS },
    ])
    const start_time = new Date(SLOT + 3 * HOUR_MS).toISOString()
    await call('POST', `/v1/bookings/${kept.id}/reschedule`, {
      key: liveKey,
      body: { new_start_time: start_time },
    })
    await call('POST', `/v1/bookings/${dropped.id}/cancel`, { key: liveKey, body: {} })
    expect(await eventsAt(path)).toMatchObject([
      { uid: `${dropped.id}@holdfast`, status: 'CANCELLED', sequence: 1 },
      { uid: `${kept.id}@holdfast`, status: 'CONFIRMED', sequence: 1, start: SLOT + 3 * HOUR_MS },
    ])
  })

  it('has no request that ended without an approval, and of those approved what was cancelled', async () => {
    const { liveKey } = await createOrganization()
    const { id } = await createEventType(liveKey, { requires_approval: true })
    const { path } = await feedOf(liveKey)
    const act = (booking: { id: string }, verb: string) =>
      call('POST', `/v1/bookings/${booking.id}/${verb}`, { key: liveKey, body: {} })
    const { body: declined } = await book(id, SLOT)
    const { body: approved } = await book(id, SLOT + HOUR_MS)
    await act(declined, 'decline')
    await act(approved, 'approve')
    await act(approved, 'cancel')
    expect(await eventsAt(path)).toMatchObject([{ uid: `${approved.id}@holdfast`, status: 'CANCELLED' }])
  })

  it('has nothing that was cancelled before it was paid', async () => {
    const { eventTypeId, key } = await createPaid()
    const { path } = await feedOf(key)
    const { body: unpaid } = await book(eventTypeId, SLOT)
    expect((await call('POST', `/v1/bookings/${unpaid.id}/cancel`, { key, body: {} })).status).toBe(200)
    expect(await eventsAt(path)).toEqual([])
  })

  it('of a member has what that member hosts, and ends with the membership', async () => {
    const organization = await createOrganization()
    const { liveKey } = organization
    const { id } = await createEventType(liveKey, { assignment_strategy: 'round_robin' })
    const alone = await createEventType(liveKey)
    const { id: memberId } = await createMember(organization)
    await addHost(liveKey, id, memberId)
    const { path } = await feedOf(liveKey, { member_id: memberId })
    const { body: hosted } = await book(id, SLOT)
    await book(alone.id, SLOT)
    expect((await eventsAt(path)).map(({ uid }) => uid)).toEqual([`${hosted.id}@holdfast`])
    const member = `/v1/organizations/${organization.id}/members/${memberId}`
    const headers = { 'X-Org-Id': organization.id }
    expect((await callAsService('DELETE', member, { headers })).status).toBe(204)
    expect((await visit(path)).status).toBe(404)
  })

  it('of a member reads their bookings, also those that somebody else hosts with them, and not all others', async () => {
    const organization = await createOrganization()
    const { liveKey } = organization
    const { id } = await createEventType(liveKey, { assignment_strategy: 'round_robin' })
    const together = await createEventType(liveKey)
    await addBusyHosts(env.DB, id, 20, SLOT)
    const { id: memberId } = await createMember(organization)
    const { id: other } = await createMember(organization)
    for (const host of [other, memberId]) await addHost(liveKey, together.id, host)
    const { path } = await feedOf(liveKey, { member_id: memberId })
    const { body: kept } = await book(together.id, SLOT + HOUR_MS)
    const { body: dropped } = await book(together.id, SLOT)
    await call('POST', `/v1/bookings/${dropped.id}/cancel`, { key: liveKey, body: {} })
    expect(kept.assigned_host.member_id).toBe(other)
    expect((await eventsAt(path)).map(({ uid, status }) => [uid, status])).toEqual([
      [`${dropped.id}@holdfast`, 'CANCELLED'],
      [`${kept.id}@holdfast`, 'CONFIRMED'],
    ])
    const { read } = await countedService().costOf({ method: 'GET', path })
    expect(read).toBeLessThan(50)
  })

  it('of everybody reads those nearest to now along an index, cancelled ones too', async () => {
    const { liveKey } = await createOrganization()
    const { id } = await createEventType(liveKey, { assignment_strategy: 'round_robin' })
    await addBusyHosts(env.DB, id, 50, SLOT)
    await env.DB.prepare(
      `UPDATE bookings SET status = 'cancelled', cancelled_at = ?2 WHERE event_type_id = ?1 AND start_time = ?3`,
    )
      .bind(id, Date.now(), SLOT)
      .run()
    const { path } = await feedOf(liveKey)
    const events = await eventsAt(path)
    expect(events).toHaveLength(5_000)
    expect(events.filter(({ status }) => status === 'CANCELLED')).toHaveLength(50)
    expect(Math.max(...events.map(({ start }) => start))).toBe(SLOT + 99 * 3 * HOUR_MS)
    const { read } = await countedService().costOf({ method: 'GET', path })
    expect(read).toBeLessThan(25_000)
  })

  it('is answered with 304 if it is unchanged, and with 404 once it is revoked', async () => {
    const { liveKey } = await createOrganization()
    const { id } = await createEventType(liveKey)
    const feed = await feedOf(liveKey)
    await book(id, SLOT)
    const first = await visit(feed.path)
    expect(first.headers.get('Content-Type')).toBe('text/calendar; charset=utf-8')
    const headers = { 'If-None-Match': first.headers.get('ETag')! }
    const again = await visit(feed.path, { headers })
    expect([again.status, again.text]).toEqual([304, ''])
    for (const tag of ['*', `"other", W/${headers['If-None-Match']}`])
      expect((await visit(feed.path, { headers: { 'If-None-Match': tag } })).status).toBe(304)
    await book(id, SLOT + HOUR_MS)
    expect((await visit(feed.path, { headers })).status).toBe(200)

    expect((await call('DELETE', `/v1/calendar-feeds/${feed.id}`, { key: liveKey })).status).toBe(204)
    expect((await call('DELETE', `/v1/calendar-feeds/${feed.id}`, { key: liveKey })).status).toBe(404)
    expect((await visit(feed.path, { headers })).status).toBe(404)
  })

  it('shows its address once, and nothing of it afterwards', async () => {
    const { liveKey } = await createOrganization()
    const feed = await feedOf(liveKey)
    expect(feed).toEqual({
      id: expect.any(String),
      member_id: null,
      created_by: { type: 'api_key', id: expect.any(String), name: 'test key' },
      created_at: expect.any(String),
      url: expect.stringMatching(/\/calendar-feeds\/[0-9a-f]{64}\.ics$/),
      path: expect.any(String),
    })
    const listed = await call('GET', '/v1/calendar-feeds', { key: liveKey })
    expect(listed.body).toEqual({
      data: [{ id: feed.id, member_id: null, created_by: feed.created_by, created_at: feed.created_at }],
      has_more: false,
    })
    const logged = await call('GET', '/v1/activity?resource_type=calendar_feed', { key: liveKey })
    expect(logged.body.data).toHaveLength(1)
    expect(JSON.stringify(logged.body)).not.toContain(feed.path.split('/').at(-1))
  })

  it('is not there for a member of another organization', async () => {
    const { liveKey } = await createOrganization()
    const { id } = await createMember(await createOrganization())
    const { status, body } = await call('POST', '/v1/calendar-feeds', {
      key: liveKey,
      body: { member_id: id },
    })
    expect([status, body.error.code]).toEqual([404, 'not_found'])
  })
})
