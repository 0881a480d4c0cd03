import { env } from 'cloudflare:workers'
import { describe, expect, it } from 'vitest'
import { monthOf } from '../../src/engine/schedule/schedule.ts'
import { PLANS } from '../../src/platform/limits/plans.ts'
import { call, callAsService } from '../support/app.ts'
import { insertConnection } from '../support/connections.ts'
import {
  bookAsAnother,
  createEventType,
  createOrganization,
  dateOf,
  dayFromNow,
  iso,
  type Organization,
  openStarts,
} from '../support/factories.ts'
import { addHost, addHosts, createMember } from '../support/hosts.ts'

const DAY = dayFromNow(2)
const HOUR_MS = 3_600_000

type Told = { readonly ok: boolean; readonly reasons: readonly { readonly code: string }[] }

async function bookableOf(key: string, id: string): Promise<Told> {
  const { status, body } = await call('GET', `/v1/event-types/${id}`, { key })
  expect(status).toBe(200)
  return body.bookable
}

/** The codes, after a check that nothing is offered and nothing can be booked exactly when there are any. */
async function codesOf(key: string, id: string): Promise<string[]> {
  const { ok, reasons } = await bookableOf(key, id)
  expect(ok).toBe(reasons.length === 0)
  expect((await openStarts(id, DAY)).length > 0).toBe(ok)
  const { status } = await call('POST', '/v1/bookings', {
    key,
    body: {
      event_type_id: id,
      start_time: iso(DAY + 10 * HOUR_MS),
      invitee_name: 'Ada',
      invitee_email: 'ada@example.com',
      dry_run: true,
    },
  })
  expect(status < 300).toBe(ok)
  return reasons.map(({ code }) => code)
}

function patch(key: string, id: string, body: Record<string, unknown>) {
  return call('PATCH', `/v1/event-types/${id}`, { key, body })
}

function lose(connectionId: string) {
  return env.DB.prepare('UPDATE calendar_connections SET lost_at = ? WHERE id = ?')
    .bind(Date.now(), connectionId)
    .run()
}

function useUp({ id }: Organization) {
  return env.DB.prepare(
    'INSERT INTO booking_quotas (organization_id, month, bookings, quota) VALUES (?, ?, ?, 10000)',
  )
    .bind(id, monthOf(Date.now()), PLANS.free.bookingsPerMonth)
    .run()
}

describe('An event type', () => {
  it('can be booked if nothing is against it', async () => {
    const { liveKey: key } = await createOrganization()
    const { id } = await createEventType(key)
    expect(await codesOf(key, id)).toEqual([])
  })

  it('cannot be booked without hours, and says so when it is made', async () => {
    const { liveKey: key } = await createOrganization()
    const { body: made } = await call('POST', '/v1/event-types', {
      key,
      body: { title: 'Intro', slug: 'intro', duration_minutes: 30 },
    })
    const reasons = [{ code: 'no_hours', message: expect.any(String) }]
    expect(made.bookable).toEqual({ ok: false, reasons })
    expect(await codesOf(key, made.id)).toEqual(['no_hours'])
    const put = (overrides: unknown) =>
      call('PUT', `/v1/event-types/${made.id}/availability`, { key, body: { rules: [], overrides } })
    await put([{ date: dateOf(DAY), intervals: [] }])
    expect(await codesOf(key, made.id)).toEqual(['no_hours'])
    await put([{ date: '2020-01-01', intervals: [{ start_time: '09:00', end_time: '17:00' }] }])
    expect(await codesOf(key, made.id)).toEqual(['no_hours'])
    await put([{ date: dateOf(DAY), intervals: [{ start_time: '09:00', end_time: '17:00' }] }])
    expect(await codesOf(key, made.id)).toEqual([])
  })

  it('cannot be booked with a schedule without hours', async () => {
    const { liveKey: key } = await createOrganization()
    const { body: schedule } = await call('POST', '/v1/schedules', { key, body: { name: 'None', rules: [] } })
    const { id } = await createEventType(key, { schedule_id: schedule.id })
    expect(await codesOf(key, id)).toEqual(['no_hours'])
    await call('PATCH', `/v1/schedules/${schedule.id}`, {
      key,
      body: { rules: [{ day_of_week: new Date(DAY).getUTCDay(), start_time: '09:00', end_time: '17:00' }] },
    })
    expect(await codesOf(key, id)).toEqual([])
  })

  it('needs a host if hosts are assigned or have the hours, and then one with hours', async () => {
    const organization = await createOrganization()
    const { liveKey: key } = organization
    const { id } = await createEventType(key, { assignment_strategy: 'round_robin' })
    expect(await codesOf(key, id)).toEqual(['no_hosts'])
    await patch(key, id, { hours_from: 'hosts' })
    expect(await codesOf(key, id)).toEqual(['no_hosts'])
    const { id: memberId } = await createMember(organization)
    await addHost(key, id, memberId)
    expect(await codesOf(key, id)).toEqual(['no_hours'])
    await patch(key, id, { hours_from: 'own' })
    expect(await codesOf(key, id)).toEqual([])
  })

  it('cannot be booked at a price that nobody can pay, but a booking of it can move', async () => {
    const { liveKey: key, testKey } = await createOrganization()
    const { id } = await createEventType(key)
    const { body: booking } = await bookAsAnother(id, DAY + 10 * HOUR_MS)
    await patch(key, id, { price_amount: 5_000 })
    expect(await codesOf(key, id)).toEqual(['payment_unavailable'])
    expect(
      await openStarts(id, DAY, DAY, `&booking_id=${booking.id}&token=${booking.cancel_token}`),
    ).not.toEqual([])
    const { body } = await call(
      'GET',
      `/v1/availability?event_type_id=${id}&start=${dateOf(DAY)}&end=${dateOf(DAY)}&timezone=UTC`,
    )
    expect([body.slots, body.next_available, body.plan_limit]).toEqual([[], null, undefined])
    const search = `/v1/availability/search?event_type_ids=${id}&from=${iso(DAY)}&to=${iso(DAY + 24 * HOUR_MS)}`
    expect((await call('GET', search)).body).toEqual({ data: [] })
    const test = await createEventType(testKey, { price_amount: 5_000 })
    expect(await codesOf(testKey, test.id)).toEqual([])
  })

  it('cannot be booked once the month of the plan is used up, unless it is test data', async () => {
    const organization = await createOrganization({ tier: 'free' })
    const { id } = await createEventType(organization.liveKey)
    const test = await createEventType(organization.testKey)
    await useUp(organization)
    expect(await codesOf(organization.liveKey, id)).toEqual(['plan_limit'])
    expect(await codesOf(organization.testKey, test.id)).toEqual([])
  })

  it('cannot be booked while its organization is suspended', async () => {
    const { id: organizationId, liveKey: key } = await createOrganization()
    const { id } = await createEventType(key)
    await callAsService('PATCH', `/v1/organizations/${organizationId}`, { body: { suspended: true } })
    expect(await codesOf(key, id)).toEqual(['suspended'])
  })

  it('says that it is inactive', async () => {
    const { liveKey: key } = await createOrganization()
    const { id } = await createEventType(key, { active: false })
    const { reasons } = await bookableOf(key, id)
    expect(reasons).toEqual([{ code: 'inactive', message: 'The event type is inactive.' }])
  })

  it('closes with a lost calendar only if it closes then, and with hosts to choose from only if all are lost', async () => {
    const organization = await createOrganization()
    const { liveKey: key } = organization
    const { id } = await createEventType(key)
    const connection = await insertConnection(organization, 'live')
    await lose(connection)
    expect(await codesOf(key, id)).toEqual([])
    const { body } = await patch(key, id, { calendar_outage: 'closed' })
    expect(body.bookable.reasons).toEqual([
      { code: 'calendar_lost', message: expect.any(String), calendar_connection_id: connection },
    ])
    expect(await codesOf(key, id)).toEqual(['calendar_lost'])

    const hosted = await createEventType(key, {
      calendar_outage: 'closed',
      assignment_strategy: 'round_robin',
    })
    const [first, second] = await addHosts(organization, key, hosted.id, 2)
    await lose(await insertConnection(organization, 'live', { memberId: first! }))
    expect(await codesOf(key, hosted.id)).toEqual([])
    await patch(key, hosted.id, { assignment_strategy: 'none' })
    expect(await codesOf(key, hosted.id)).toEqual(['calendar_lost'])
    await patch(key, hosted.id, { assignment_strategy: 'least_recent' })
    await lose(await insertConnection(organization, 'live', { memberId: second! }))
    expect(await codesOf(key, hosted.id)).toEqual(['calendar_lost'])
  })

  it('says so in the list too, and never publicly', async () => {
    const { liveKey: key } = await createOrganization()
    const open = await createEventType(key)
    const closed = await createEventType(key, {
      price_amount: 5_000,
      active: true,
      booking_page_enabled: true,
    })
    const { body } = await call('GET', '/v1/event-types', { key })
    const told = new Map(body.data.map((one: { id: string; bookable: Told }) => [one.id, one.bookable.ok]))
    expect([told.get(open.id), told.get(closed.id)]).toEqual([true, false])
    const shown = await call('GET', `/v1/public/event-types/${closed.id}`)
    expect([shown.status, 'bookable' in shown.body]).toEqual([200, false])
  })
})
