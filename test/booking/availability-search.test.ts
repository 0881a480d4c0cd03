import { env } from 'cloudflare:workers'
import { describe, expect, it } from 'vitest'
import { searchOpenStarts } from '../../src/booking/slots/search-open-starts.ts'
import { realNow } from '../../src/platform/limits/clock.ts'
import { call } from '../support/app.ts'
import { countedEnv } from '../support/counted-env.ts'
import {
  bookAsAnother,
  bookingInput,
  createEventType,
  createOrganization,
  dateOf,
  dayFromNow,
  iso,
  openStarts,
} from '../support/factories.ts'
import { addHost, addHosts, createMember } from '../support/hosts.ts'
import { daily, insertSchedule, insertTimeOff } from '../support/hours.ts'

const HOUR_MS = 3_600_000
const MINUTE_MS = 60_000
const DAY = dayFromNow(5)

function search(ids: readonly string[], query: Readonly<Record<string, string>> = {}) {
  const asked = { event_type_ids: ids.join(','), from: iso(DAY), to: iso(DAY + 24 * HOUR_MS), ...query }
  return call('GET', `/v1/availability/search?${new URLSearchParams(asked)}`)
}

async function found(ids: readonly string[], query: Readonly<Record<string, string>> = {}) {
  const { status, body } = await search(ids, query)
  expect(status).toBe(200)
  return body.data.map(({ event_type_id, start_time }: Record<string, string>) => [
    ids.indexOf(event_type_id!),
    start_time!.slice(11, 16),
  ])
}

async function eventType(start_time: string, end_time: string, input: Record<string, unknown> = {}) {
  const { liveKey } = await createOrganization()
  const rules = [0, 1, 2, 3, 4, 5, 6].map((day_of_week) => ({ day_of_week, start_time, end_time }))
  return (await createEventType(liveKey, input, rules)).id as string
}

describe('the soonest open starts of several event types', () => {
  it('come in one list, those of one instant in the order that was asked for', async () => {
    const [late, early] = [await eventType('10:00', '12:00'), await eventType('09:00', '11:00')]
    expect(await found([late, early])).toEqual([
      [1, '09:00'],
      [1, '09:30'],
      [0, '10:00'],
      [1, '10:00'],
      [0, '10:30'],
      [1, '10:30'],
      [0, '11:00'],
      [0, '11:30'],
    ])
    expect(await found([early, late], { limit: '4' })).toEqual([
      [0, '09:00'],
      [0, '09:30'],
      [0, '10:00'],
      [1, '10:00'],
    ])
  })

  it('have an end time, and the remaining seats if bookings share them', async () => {
    const alone = await eventType('09:00', '10:00', { duration_minutes: 60 })
    const group = await eventType('09:00', '10:00', { max_attendees: 3 })
    await bookAsAnother(group, DAY + 9 * HOUR_MS)
    expect((await search([alone, group])).body.data).toEqual([
      { event_type_id: alone, start_time: iso(DAY + 9 * HOUR_MS), end_time: iso(DAY + 10 * HOUR_MS) },
      {
        event_type_id: group,
        start_time: iso(DAY + 9 * HOUR_MS),
        end_time: iso(DAY + 9.5 * HOUR_MS),
        spots_remaining: 2,
      },
      {
        event_type_id: group,
        start_time: iso(DAY + 9.5 * HOUR_MS),
        end_time: iso(DAY + 10 * HOUR_MS),
        spots_remaining: 3,
      },
    ])
  })

  it('are ten unless another number is asked for', async () => {
    const ids = [await eventType('00:00', '24:00'), await eventType('00:00', '24:00')]
    expect(await found(ids)).toHaveLength(10)
    expect(await found(ids, { limit: '1' })).toEqual([[0, '00:00']])
    expect(await found(ids, { limit: '100' })).toHaveLength(96)
  })

  it('begin at from and before to', async () => {
    const id = await eventType('00:00', '24:00')
    const [from, to] = [iso(DAY + 9 * HOUR_MS), iso(DAY + 10 * HOUR_MS)]
    expect(await found([id], { from, to })).toEqual([
      [0, '09:00'],
      [0, '09:30'],
    ])
    const between = { from: iso(DAY + 9 * HOUR_MS + 1), to: iso(DAY + 10 * HOUR_MS + 1) }
    expect(await found([id], between)).toEqual([
      [0, '09:30'],
      [0, '10:00'],
    ])
  })

  it('take dates for the instants at which they begin in the zone', async () => {
    const id = await eventType('00:00', '24:00', { duration_minutes: 480 })
    const dates = { from: dateOf(DAY), to: dateOf(DAY + 24 * HOUR_MS) }
    expect(await found([id], { ...dates, timezone: 'UTC' })).toEqual([
      [0, '00:00'],
      [0, '08:00'],
      [0, '16:00'],
    ])
    const tokyo = await search([id], { ...dates, timezone: 'Asia/Tokyo' })
    expect(tokyo.body.data.map(({ start_time }: { start_time: string }) => start_time)).toEqual([
      iso(DAY - 8 * HOUR_MS),
      iso(DAY),
      iso(DAY + 8 * HOUR_MS),
    ])
  })

  it('are empty on a date that the time zone skipped', async () => {
    const id = await eventType('00:00', '24:00')
    const skipped = { from: '2011-12-30', to: '2011-12-31', timezone: 'Pacific/Apia' }
    expect(await found([id], skipped)).toEqual([])
    expect((await search([id], { ...skipped, to: skipped.from })).status).toBe(400)
  })

  it('reach over 31 days and not a day further, however long a clock change makes them', async () => {
    const id = await eventType('09:00', '10:00', { duration_minutes: 60 })
    const dates = { from: '2058-10-01', to: '2058-11-01', timezone: 'Europe/Berlin', limit: '100' }
    expect(await found([id], dates)).toHaveLength(31)
    for (const to of ['2058-11-02', '2058-10-31T22:00:00.001Z']) {
      const from = to.length > 10 ? '2058-09-30T22:00:00Z' : dates.from
      const { status, body } = await search([id], { ...dates, from, to })
      expect([status, Object.keys(body.error.details)]).toEqual([400, ['to']])
    }
  })

  it('are those that availability offers, what is booked, off or reserved for somebody left out', async () => {
    const organization = await createOrganization()
    const key = organization.liveKey
    const own = await createEventType(key, { waitlist_enabled: true, duration_minutes: 60 })
    const hosted = await createEventType(key, { assignment_strategy: 'round_robin', duration_minutes: 45 })
    const [host] = await addHosts(organization, key, hosted.id, 1)
    await insertTimeOff(organization, 'live', host!, DAY + 2 * HOUR_MS, DAY + 20 * HOUR_MS)
    await bookAsAnother(own.id, DAY + 3 * HOUR_MS)
    await bookAsAnother(hosted.id, DAY)
    await call('POST', '/v1/waitlist', { body: bookingInput(own.id, DAY + 6 * HOUR_MS) })
    await env.DB.prepare(
      "INSERT INTO freed_times (event_type_id, source, starts_at, ends_at) VALUES (?, 'test', ?, ?)",
    )
      .bind(own.id, DAY + 6 * HOUR_MS, DAY + 7 * HOUR_MS)
      .run()
    const offered = await Promise.all([openStarts(own.id, DAY), openStarts(hosted.id, DAY)])
    const { body } = await search([own.id, hosted.id], { limit: '100' })
    const told = [own.id, hosted.id].map((id) =>
      body.data
        .filter(({ event_type_id }: { event_type_id: string }) => event_type_id === id)
        .map(({ start_time }: { start_time: string }) => start_time),
    )
    expect(told).toEqual(offered)
    expect(offered[0]).toHaveLength(22)
  })

  it('follow the hours, the time off and the limits of people, as availability and booking do', async () => {
    const organization = await createOrganization()
    const { liveKey: key } = organization
    const hours = { assignment_strategy: 'round_robin', hours_from: 'hosts' }
    const types = [
      await createEventType(key, { ...hours, slot_interval_minutes: 20, duration_minutes: 45 }),
      await createEventType(key, { ...hours, assignment_strategy: 'none' }),
      await createEventType(key, { assignment_strategy: 'least_recent', booking_window_days: 6 }),
      await createEventType(key, { ...hours, max_attendees: 3, duration_minutes: 60 }),
    ]
    for (const [timezone, window, off] of [
      ['Asia/Kathmandu', ['09:10', '17:00'], 4],
      ['America/New_York', ['02:00', '12:00'], 6],
      ['UTC', ['07:30', '24:00'], 9],
    ] as const) {
      const { id: memberId } = await createMember(organization)
      await insertSchedule(organization, 'live', { memberId, timezone, rules: daily(window) })
      await insertTimeOff(organization, 'live', memberId, DAY + off * HOUR_MS, DAY + (off + 2) * HOUR_MS)
      for (const { id } of types) await addHost(key, id, memberId)
      await call('PATCH', `/v1/organizations/${organization.id}/members/${memberId}`, {
        key,
        body: { max_bookings_per_day: 3 },
      })
    }
    const ids = types.map(({ id }) => id as string)
    const [from, to] = [DAY + 5 * HOUR_MS + 1, DAY + 50 * HOUR_MS]
    for (let round = 0; round < 8; round++) {
      const { body } = await search(ids, { from: iso(from), to: iso(to), limit: '100' })
      const offered = await Promise.all(
        ids.map(async (event_type_id) => {
          const starts = await openStarts(event_type_id, DAY, DAY + 48 * HOUR_MS)
          return starts.map((start_time) => ({ event_type_id, start_time }))
        }),
      )
      const inRange = offered
        .flat()
        .filter(({ start_time }) => Date.parse(start_time) >= from && Date.parse(start_time) < to)
        .sort((one, other) => Date.parse(one.start_time) - Date.parse(other.start_time))
      const told = body.data.map(({ event_type_id, start_time }: any) => ({ event_type_id, start_time }))
      expect(told).toEqual(inRange.slice(0, 100))
      const taken = told[(round * 7) % told.length]
      const { status } = await bookAsAnother(taken.event_type_id, Date.parse(taken.start_time))
      expect(status).toBe(201)
    }
  })

  it('cost two round trips and one again, however many event types are asked about', async () => {
    const { liveKey } = await createOrganization()
    const ids: string[] = []
    for (let made = 0; made < 21; made++) ids.push((await createEventType(liveKey)).id)
    for (const asked of [ids.slice(0, 1), ids.slice(1)]) {
      const { trips, env: counted } = countedEnv()
      const ctx = {
        env: counted,
        request: new Request('https://holdfast.test'),
        requestId: 'request',
        now: realNow(),
        ipAddress: null,
        caller: { kind: 'public' as const },
        claim: null,
        isDry: false,
      }
      const range = { from: { instant: DAY }, to: { instant: DAY + HOUR_MS } }
      const query = { event_type_ids: asked, ...range, limit: 100 }
      const { data } = await searchOpenStarts(ctx, query)
      expect([data.length, trips.count]).toEqual([2 * asked.length, 2])
      expect(await searchOpenStarts(ctx, query)).toEqual({ data })
      expect(trips.count).toBe(3)
    }
  })

  it('name an event type once, in any case of its letters', async () => {
    const id = await eventType('09:00', '10:00', { duration_minutes: 60 })
    expect((await search([id, id.toUpperCase()])).body.data).toHaveLength(1)
  })

  it('are 404 if one of the event types is unknown, malformed or inactive', async () => {
    const { liveKey: key } = await createOrganization()
    const [good, other] = [await createEventType(key), await createEventType(key, { active: false })]
    for (const bad of [other.id, crypto.randomUUID(), 'nothing']) {
      for (const ids of [[good.id, bad], [bad]]) {
        const { status, body } = await search(ids)
        expect([status, body.error.code]).toEqual([404, 'not_found'])
      }
    }
  })

  it('are 404 once one of the event types takes no more bookings, whatever was found before', async () => {
    const { liveKey: key } = await createOrganization()
    const [kept, paused, deleted] = [
      await createEventType(key),
      await createEventType(key),
      await createEventType(key),
    ]
    const both = [kept.id, paused.id]
    expect(await found(both)).toEqual(await found(both))
    await call('PATCH', `/v1/event-types/${paused.id}`, { key, body: { active: false } })
    expect((await search(both)).status).toBe(404)
    await found([kept.id, deleted.id])
    await call('DELETE', `/v1/event-types/${deleted.id}`, { key })
    expect((await search([kept.id, deleted.id])).status).toBe(404)
    expect((await found([kept.id])).length).toBeGreaterThan(0)
  })

  it.each<[string, Record<string, string>]>([
    ['event_type_ids', { event_type_ids: '' }],
    ['event_type_ids', { event_type_ids: 'one,' }],
    ['event_type_ids', { event_type_ids: Array.from({ length: 21 }, () => crypto.randomUUID()).join(',') }],
    ['from', { from: '' }],
    ['from', { from: '2058-02-30' }],
    ['from', { from: '2058-01-07T00:00:00' }],
    ['from', { from: '1969-12-31' }],
    ['to', { to: 'tomorrow' }],
    ['to', { to: iso(DAY) }],
    ['to', { to: iso(DAY - MINUTE_MS) }],
    ['timezone', { from: dateOf(DAY) }],
    ['timezone', { to: dateOf(DAY + 24 * HOUR_MS) }],
    ['timezone', { timezone: 'Mars/Olympus' }],
    ['limit', { limit: '0' }],
    ['limit', { limit: '101' }],
    ['limit', { limit: 'many' }],
  ])('refuse a wrong %s', async (field, query) => {
    const { status, body } = await search([await eventType('09:00', '10:00')], query)
    expect([status, body.error.code]).toEqual([400, 'validation_error'])
    expect(Object.keys(body.error.details)).toEqual([field])
    expect(body.error.details[field]).toMatch(/^(Must|Is required)/)
  })
})
