import { env } from 'cloudflare:workers'
import { describe, expect, it } from 'vitest'
import worker from '../../src/index.ts'
import { GROUPS } from '../../src/money/usage/report/schema.ts'
import { call, callAsService } from '../support/app.ts'
import { amount, chance, SEED, SOAK_TIMEOUT_MS } from '../support/chance.ts'
import { countedEnv } from '../support/counted-env.ts'
import { book, createEventType, createOrganization, dateOf, dayFromNow, iso } from '../support/factories.ts'
import { addHosts } from '../support/hosts.ts'
import { userWithRole } from '../support/members.ts'
import { expectRecounted } from '../support/recount.ts'
import { act, DAY, makeWorld } from '../support/storm/changes.ts'
import { rows } from '../support/storm/world.ts'

const HOUR_MS = 3_600_000
const DAY_MS = 24 * HOUR_MS
/** A Monday at 10:00. */
const SLOT = (() => {
  const day = dayFromNow(14)
  return day + (((8 - new Date(day).getUTCDay()) % 7) * DAY_MS + 10 * HOUR_MS)
})()
const PERIOD = `from=${dateOf(SLOT - 7 * DAY_MS)}&to=${dateOf(SLOT + 40 * DAY_MS)}`

async function reportOf(key: string, groupBy: string, query = PERIOD): Promise<any> {
  const { status, body } = await call('GET', `/v1/usage/report?${query}&group_by=${groupBy}`, { key })
  expect(status, JSON.stringify(body)).toBe(200)
  return body
}

async function groupsOf(key: string, groupBy: string, query = PERIOD): Promise<any[]> {
  return (await reportOf(key, groupBy, query)).data
}

describe('the usage report', () => {
  it('counts by start in the zone of the organization, whatever that becomes', async () => {
    const { liveKey: key, id } = await createOrganization({ timezone: 'Asia/Kolkata' })
    const { id: eventTypeId } = await createEventType(key, { title: 'Intro' })
    await book(eventTypeId, SLOT)
    const report = await reportOf(key, 'day', `from=${dateOf(SLOT)}&to=${dateOf(SLOT)}`)
    const day = { bookings: 1, cancelled: 0, no_shows: 0, minutes: 30, revenue: {} }
    const label = new Intl.DateTimeFormat('en-GB', {
      timeZone: 'UTC',
      weekday: 'short',
      day: 'numeric',
      month: 'short',
      year: 'numeric',
    }).format(SLOT)
    expect(report).toEqual({
      from: dateOf(SLOT),
      to: dateOf(SLOT),
      group_by: 'day',
      timezone: 'Asia/Kolkata',
      data: [{ key: dateOf(SLOT), label, ...day }],
    })
    // 15:30 there.
    expect(await groupsOf(key, 'hour_of_week')).toEqual([{ key: 15, label: 'Mon 15:00', ...day }])
    await callAsService('PATCH', `/v1/organizations/${id}`, { body: { timezone: 'Pacific/Kiritimati' } })
    expect(await groupsOf(key, 'hour_of_week')).toEqual([{ key: 24, label: 'Tue 00:00', ...day }])
    expect((await groupsOf(key, 'day')).map(({ key: date }) => date)).toEqual([dateOf(SLOT + DAY_MS)])
    expect((await groupsOf(key, 'week')).map(({ key: date }) => date)).toEqual([dateOf(SLOT)])
    const outside = `from=${dateOf(SLOT)}&to=${dateOf(SLOT)}`
    for (const groupBy of ['day', 'event_type', 'status'])
      expect(await groupsOf(key, groupBy, outside)).toEqual([])
  })

  it('counts a move on both days at once, and a cancelled booking as cancelled', async () => {
    const { liveKey: key } = await createOrganization()
    const { id } = await createEventType(key)
    const { body: first } = await book(id, SLOT)
    const { body: second } = await book(id, SLOT + HOUR_MS)
    const move = { new_start_time: iso(SLOT + DAY_MS) }
    expect((await call('POST', `/v1/bookings/${first.id}/reschedule`, { key, body: move })).status).toBe(200)
    expect((await call('POST', `/v1/bookings/${second.id}/cancel`, { key })).status).toBe(200)
    const days = (await groupsOf(key, 'day')).map((day) => [
      day.key,
      day.bookings,
      day.cancelled,
      day.minutes,
    ])
    expect(days).toEqual([
      [dateOf(SLOT), 0, 1, 0],
      [dateOf(SLOT + DAY_MS), 1, 0, 30],
    ])
    const statuses = (await groupsOf(key, 'status')).map((one) => [
      one.key,
      one.label,
      one.bookings,
      one.cancelled,
    ])
    expect(statuses).toEqual([
      ['rescheduled', 'Rescheduled', 1, 0],
      ['cancelled', 'Cancelled', 1, 1],
    ])
  })

  it('names event types and hosts, also after they are gone', async () => {
    const organization = await createOrganization()
    const key = organization.liveKey
    const { id } = await createEventType(key, { title: 'Massage', assignment_strategy: 'round_robin' })
    const [host] = await addHosts(organization, key, id, 1)
    await rows("UPDATE members SET name = 'Jonas' WHERE id = ?", host!)
    await book(id, SLOT)
    const { id: alone } = await createEventType(key, { title: 'Walk' })
    await book(alone, SLOT)
    await book(alone, SLOT + HOUR_MS)
    const labels = async () => ({
      types: (await groupsOf(key, 'event_type')).map(({ key, label, bookings }) => [key, label, bookings]),
      hosts: (await groupsOf(key, 'member')).map(({ key, label, bookings }) => [key, label, bookings]),
    })
    const told = {
      types: [
        [alone, 'Walk', 2],
        [id, 'Massage', 1],
      ],
      hosts: [
        [null, 'No host', 2],
        [host, 'Jonas', 1],
      ],
    }
    expect(await labels()).toEqual(told)
    expect((await call('DELETE', `/v1/event-types/${id}`, { key })).status).toBe(204)
    await rows('DELETE FROM members WHERE id = ?', host!)
    expect(await labels()).toEqual(told)
    expect((await call('DELETE', '/v1/people/ada@example.com', { key })).status).toBeLessThan(300)
    expect(await groupsOf(key, 'event_type')).toHaveLength(2)
  })

  it('counts a late absence on the day of the booking', async () => {
    const { testKey: key } = await createOrganization()
    const { id } = await createEventType(key)
    const setClock = (now: number) => call('PUT', '/v1/test-data/clock', { key, body: { now: iso(now) } })
    await setClock(SLOT - DAY_MS)
    const { body: booking } = await book(id, SLOT)
    await setClock(SLOT + 9 * DAY_MS)
    const body = { no_shows: [booking.attendees[0].id] }
    expect((await call('POST', `/v1/bookings/${booking.id}/attendance`, { key, body })).status).toBe(200)
    expect((await groupsOf(key, 'day')).map((day) => [day.key, day.no_shows])).toEqual([[dateOf(SLOT), 1]])
    await call('POST', `/v1/bookings/${booking.id}/attendance`, { key, body: { no_shows: [] } })
    expect((await groupsOf(key, 'day')).map((day) => [day.key, day.no_shows])).toEqual([[dateOf(SLOT), 0]])
  })

  it('counts what was paid and not refunded, for admins only, and follows the booking', async () => {
    const organization = await createOrganization()
    const { testKey: key } = organization
    const { id } = await createEventType(key, { price_amount: 5_000, price_currency: 'eur' })
    const { body: booking } = await book(id, SLOT)
    expect(booking.status).toBe('pending_payment')
    expect((await groupsOf(key, 'day'))[0].revenue).toEqual({})
    await call('POST', `/v1/test-data/payments/${booking.payment.id}/succeed`, { key })
    expect((await groupsOf(key, 'status')).map(({ key, revenue }) => [key, revenue])).toEqual([
      ['confirmed', { eur: 5_000 }],
    ])
    await call('POST', `/v1/bookings/${booking.id}/reschedule`, {
      key,
      body: { new_start_time: iso(SLOT + DAY_MS) },
    })
    const refund = { amount: 2_000 }
    await call('POST', `/v1/payments/${booking.payment.id}/refund`, { key, body: refund })
    const [day, ...more] = await groupsOf(key, 'day')
    expect([day.key, day.revenue, more]).toEqual([dateOf(SLOT + DAY_MS), { eur: 3_000 }, []])
    await call('POST', `/v1/bookings/${booking.id}/cancel`, { key })
    await expectRecounted({
      organizationId: organization.id,
      key,
      from: dateOf(SLOT),
      to: dateOf(SLOT + 9 * DAY_MS),
    })
    for (const role of ['viewer', 'member', 'admin'] as const) {
      const headers = {
        'X-Org-Id': organization.id,
        'X-Service-Mode': 'test',
        'X-User-Id': await userWithRole(organization, role),
      }
      const { status, body } = await callAsService('GET', `/v1/usage/report?${PERIOD}`, { headers })
      expect([role, status, 'revenue' in body.data[0]]).toEqual([role, 200, role === 'admin'])
    }
  })

  it('keeps both modes apart, and begins anew with an emptied sandbox', async () => {
    const { liveKey, testKey } = await createOrganization()
    const { id: live } = await createEventType(liveKey)
    const { id: test } = await createEventType(testKey)
    await book(live, SLOT)
    await book(test, SLOT + DAY_MS)
    const days = async (key: string) => (await groupsOf(key, 'day')).map((day) => day.key)
    expect([await days(liveKey), await days(testKey)]).toEqual([[dateOf(SLOT)], [dateOf(SLOT + DAY_MS)]])
    await call('DELETE', '/v1/test-data', { key: testKey })
    expect([await days(liveKey), await days(testKey)]).toEqual([[dateOf(SLOT)], []])
  })

  it('names the field that is wrong', async () => {
    const { liveKey: key } = await createOrganization()
    const wrong = {
      'from=2026-03-01': ['to'],
      'to=2026-03-01': ['from'],
      'from=2026-02-30&to=2026-03-01': ['from'],
      'from=2026-03-02&to=2026-03-01': ['to'],
      'from=2025-03-01&to=2026-03-02': ['to'],
      'from=2026-03-01&to=2026-03-02&group_by=year': ['group_by'],
    }
    for (const [query, fields] of Object.entries(wrong)) {
      const { status, body } = await call('GET', `/v1/usage/report?${query}`, { key })
      expect([query, status, Object.keys(body.error?.details ?? {})]).toEqual([query, 400, fields])
    }
    expect((await call('GET', '/v1/usage/report?from=2025-03-01&to=2026-03-01', { key })).status).toBe(200)
  })

  it('takes two round trips at most, and reads no more for more bookings of a day, an event type and a host', async () => {
    const { liveKey: key } = await createOrganization()
    const { id } = await createEventType(key)
    const costOf = async (groupBy: string) => {
      const { env: counted, trips, ran } = countedEnv()
      const request = new Request(`https://holdfast.test/v1/usage/report?${PERIOD}&group_by=${groupBy}`, {
        headers: { Authorization: `Bearer ${key}` },
      })
      const response = await worker.fetch(request as Parameters<typeof worker.fetch>[0], counted)
      expect(response.status).toBe(200)
      return { trips: trips.count, read: ran.reduce((sum, { read }) => sum + read, 0) }
    }
    const costs = async () => {
      const found: Record<string, { trips: number; read: number }> = {}
      for (const groupBy of GROUPS) found[groupBy] = await costOf(groupBy)
      return found
    }
    await book(id, SLOT)
    await costs()
    const one = await costs()
    // The organization and one row; an event type by its id, and its title.
    const cost = { trips: 1, read: 2 }
    const told = Object.fromEntries(GROUPS.map((groupBy) => [groupBy, cost]))
    expect(one).toEqual({ ...told, event_type: { trips: 2, read: 4 } })
    for (let hour = 1; hour < 6; hour++) await book(id, SLOT + hour * HOUR_MS)
    expect(await costs()).toEqual(one)
  })
})

it('equals what the migration counts of the bookings that exist before it', async () => {
  const { id: organizationId, testKey: key } = await createOrganization({ timezone: 'Europe/Berlin' })
  const { id } = await createEventType(key, { price_amount: 1_000 })
  for (let at = 0; at < 4; at++) {
    const { body } = await book(id, SLOT + at * HOUR_MS)
    if (at > 0) await call('POST', `/v1/test-data/payments/${body.payment.id}/succeed`, { key })
    if (at > 1) await call('POST', `/v1/bookings/${body.id}/cancel`, { key })
    if (at === 1) await rows('UPDATE bookings SET no_shows = 1 WHERE id = ?', body.id)
  }
  await rows('DELETE FROM report_days WHERE organization_id = ?', organizationId)
  const { default: migration } = await import('../../migrations/0033_report_days.sql?raw')
  const backfill = migration
    .split('--> statement-breakpoint')
    .find((one) => one.includes('What was booked before'))!
  // Only what is not counted yet.
  await env.DB.prepare(
    `${backfill.trim().replace(/;$/, '')} HAVING organization_id = '${organizationId}'`,
  ).run()
  await expectRecounted({ organizationId, key, from: dateOf(SLOT), to: dateOf(SLOT) })
})

const WORLDS = amount(1, 40)
const ACTS = amount(40, 80)
const ZONES = ['UTC', 'America/New_York', 'Asia/Kathmandu', 'Pacific/Apia']

it(`a storm of changes leaves every report equal to a recount: seed ${SEED}`, {
  timeout: SOAK_TIMEOUT_MS,
}, async () => {
  Object.assign(env, { answerMs: SOAK_TIMEOUT_MS })
  for (let at = 0; at < WORLDS; at++) {
    const seed = SEED * 1_000 + at
    const world = await makeWorld(chance(seed))
    const { organizationId, key } = world
    for (let acts = 0; acts < ACTS; acts++) {
      const draw = chance(seed * 1_000 + acts)
      const [name] = await act(world, draw)
      if (acts % 10 < 9) continue
      await rows('UPDATE organizations SET timezone = ? WHERE id = ?', draw.pick(ZONES), organizationId)
      const [from, to] = [dateOf(DAY - draw.below(3) * DAY_MS), dateOf(DAY + draw.below(3) * DAY_MS)]
      await expectRecounted({ organizationId, key, from, to }, `world ${seed}, act ${acts}: ${name}`)
    }
  }
})
