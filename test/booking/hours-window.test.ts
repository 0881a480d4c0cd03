import { env } from 'cloudflare:workers'
import { describe, expect, it } from 'vitest'
import { loadSchedule } from '../../src/engine/schedule/load-schedule.ts'
import { openDb } from '../../src/platform/db/client.ts'
import type { RealMs } from '../../src/platform/limits/clock.ts'
import { call } from '../support/app.ts'
import {
  bookAsAnother,
  bookingInput,
  createEventType,
  createOrganization,
  dateOf,
  dayFromNow,
  iso,
  openStarts,
  type Rule,
} from '../support/factories.ts'
import { addHost, createMember } from '../support/hosts.ts'
import { daily, insertSchedule } from '../support/hours.ts'
import { stayInOneMinute } from '../support/minute.ts'

const HOUR_MS = 3_600_000
const DAY_MS = 24 * HOUR_MS
const NOON = 12 * HOUR_MS

/** A sandbox whose clock stands at noon of a day of January 2031, in UTC. */
async function sandboxOf(input: Record<string, unknown>, rules: readonly Rule[] = daily(['00:00', '24:00'])) {
  const organization = await createOrganization()
  const key = organization.testKey
  const today = Date.UTC(2031, 0, 21)
  const clock = async (now: number) => {
    const { status } = await call('PUT', '/v1/test-data/clock', { key, body: { now: iso(now) } })
    expect(status).toBe(200)
  }
  await clock(today + NOON)
  const { id } = await createEventType(key, { duration_minutes: 480, ...input }, rules)
  const patch = (body: Record<string, unknown>) => call('PATCH', `/v1/event-types/${id}`, { key, body })
  return { organization, key, id, today, clock, patch }
}

describe('a step between starts', () => {
  it('is not the duration, and bookings keep their length', async () => {
    const { liveKey: key } = await createOrganization()
    const { id } = await createEventType(
      key,
      { duration_minutes: 45, slot_interval_minutes: 20 },
      daily(['09:00', '10:45']),
    )
    const day = dayFromNow(2)
    const times = async () => (await openStarts(id, day)).map((start) => start.slice(11, 16))
    expect(await times()).toEqual(['09:00', '09:20', '09:40', '10:00'])
    const { body } = await bookAsAnother(id, day + 9 * HOUR_MS + 20 * 60_000)
    expect(body.end_time).toBe(iso(day + 10 * HOUR_MS + 5 * 60_000))
    expect(await times()).toEqual([])
    const patch = await call('PATCH', `/v1/event-types/${id}`, { key, body: { slot_interval_minutes: null } })
    expect(patch.body.slot_interval_minutes).toBeNull()
    expect((await bookAsAnother(id, day + 9 * HOUR_MS)).status).toBe(409)
    expect(await openStarts(id, day + DAY_MS)).toEqual(
      [9, 9.75].map((at) => iso(day + DAY_MS + at * HOUR_MS)),
    )
  })
})

describe('a window of days', () => {
  it("ends with a day of the event type's zone, and moves on with the day", async () => {
    // It is past midnight there already: today is the next day.
    const { id, today, clock } = await sandboxOf({ booking_window_days: 1, timezone: 'Pacific/Auckland' })
    const last = Date.parse(`${dateOf(today + 3 * DAY_MS)}T00:00:00+13:00`)
    const starts = () => openStarts(id, today, today + 6 * DAY_MS)
    const before = await starts()
    expect(before.length).toBeGreaterThan(3)
    expect(before.every((start) => Date.parse(start) < last)).toBe(true)
    expect(before).toContain(iso(last - 8 * HOUR_MS))
    expect((await bookAsAnother(id, last - 8 * HOUR_MS)).status).toBe(201)
    const { status, body } = await bookAsAnother(id, last)
    expect([status, body.error.code]).toEqual([409, 'conflict'])
    await clock(Date.parse(`${dateOf(today + 2 * DAY_MS)}T00:00:00+13:00`))
    expect((await starts()).at(-1)).toBe(iso(last + 16 * HOUR_MS))
    expect((await bookAsAnother(id, last)).status).toBe(201)
  })

  it('is true until the next date of that zone, however little changes', async () => {
    stayInOneMinute()
    const { liveKey } = await createOrganization()
    const now = dayFromNow(1) + 10 * HOUR_MS
    const load = async (input: Record<string, unknown>) => {
      const { id } = await createEventType(liveKey, input)
      const range = { start: now, end: now + DAY_MS }
      const { schedule } = await loadSchedule(
        openDb(env, 'decide'),
        id,
        { range, seatsAt: null },
        now as RealMs,
      )
      return schedule!.trueUntil
    }
    expect(await load({ booking_window_days: 5 })).toBe(dayFromNow(2))
    expect(await load({ booking_window_days: 5, timezone: 'Asia/Kathmandu' })).toBe(
      dayFromNow(1) + 18.25 * HOUR_MS,
    )
    expect(await load({ bookable_until: '2099-01-01' })).toBeGreaterThan(dayFromNow(2) - DAY_MS)
    expect(await load({})).toBeGreaterThan(now)
  })

  it('offers nothing outside it: no alternative, no waitlist, no next start, no move', async () => {
    const { id, key, today } = await sandboxOf({ booking_window_days: 2, waitlist_enabled: true })
    const beyond = today + 3 * DAY_MS
    const { body: booked } = await bookAsAnother(id, beyond - 8 * HOUR_MS)
    const { body } = await bookAsAnother(id, beyond - 8 * HOUR_MS)
    expect(body.error.details.alternatives).toEqual([])
    const wait = await call('POST', '/v1/waitlist', { body: bookingInput(id, beyond) })
    expect([wait.status, wait.body.error.code]).toEqual([400, 'bad_request'])
    const full = await call('POST', '/v1/waitlist', { body: bookingInput(id, beyond - 8 * HOUR_MS) })
    expect(full.status).toBe(201)
    const path = `/v1/availability?event_type_id=${id}&timezone=UTC&start=${dateOf(beyond)}&end=${dateOf(beyond)}`
    const { body: told } = await call('GET', path)
    expect([told.slots, told.waitlist_slots, told.next_available]).toEqual([[], [], null])
    const move = await call('POST', `/v1/bookings/${booked.id}/reschedule`, {
      key,
      body: { new_start_time: iso(beyond) },
    })
    expect(move.body.error.code).toBe('conflict')
  })
})

describe('a window of dates', () => {
  it("has both dates, as the event type's zone has them", async () => {
    const { id, today, patch } = await sandboxOf({ timezone: 'America/New_York' })
    const [from, until] = [dateOf(today + 2 * DAY_MS), dateOf(today + 3 * DAY_MS)]
    expect((await patch({ bookable_from: from, bookable_until: until })).body).toMatchObject({
      bookable_from: from,
      bookable_until: until,
    })
    const first = Temporal.PlainDate.from(from).toZonedDateTime('America/New_York').epochMilliseconds
    const starts = await openStarts(id, today, today + 8 * DAY_MS)
    expect(starts).toEqual([0, 8, 16, 24, 32, 40].map((hours) => iso(first + hours * HOUR_MS)))
    expect((await bookAsAnother(id, first - 8 * HOUR_MS)).status).toBe(409)
    expect((await bookAsAnother(id, first + 48 * HOUR_MS)).status).toBe(409)
    expect((await bookAsAnother(id, first + 40 * HOUR_MS)).status).toBe(201)
    await patch({ bookable_from: null, bookable_until: null })
    expect((await bookAsAnother(id, first + 48 * HOUR_MS)).status).toBe(201)
  })

  it('applies to the start alone, and the first start in it is returned', async () => {
    const { id, today, patch } = await sandboxOf({})
    const date = dateOf(today + 5 * DAY_MS)
    await patch({ bookable_from: date, bookable_until: date, slot_interval_minutes: 360 })
    const starts = await openStarts(id, today, today + 8 * DAY_MS)
    // The last one ends on the next day.
    expect(starts).toEqual([0, 6, 12, 18].map((hours) => iso(today + 5 * DAY_MS + hours * HOUR_MS)))
    const path = `/v1/availability?event_type_id=${id}&timezone=UTC&start=${dateOf(today)}&end=${dateOf(today)}`
    expect((await call('GET', path)).body.next_available).toBe(iso(today + 5 * DAY_MS))
  })

  it('that never opens is refused, whichever end is sent, and changes nothing', async () => {
    const { id, key, patch } = await sandboxOf({ bookable_until: '2032-05-05' })
    const body = {
      title: 'Never',
      slug: 'never',
      duration_minutes: 30,
      bookable_from: '2030-01-02',
      bookable_until: '2030-01-01',
    }
    for (const refused of [
      await call('POST', '/v1/event-types', { key, body }),
      await patch({ bookable_from: '2032-05-06' }),
      await patch({ bookable_from: '2033-01-01', bookable_until: '2032-12-31' }),
    ]) {
      expect([refused.status, refused.body.error.code]).toEqual([400, 'validation_error'])
      expect(Object.keys(refused.body.error.details)).toEqual(['bookable_until'])
    }
    expect((await patch({ bookable_from: '2032-05-05' })).status).toBe(200)
    const { body: kept } = await call('GET', `/v1/event-types/${id}`, { key })
    expect(kept).toMatchObject({ bookable_from: '2032-05-05', bookable_until: '2032-05-05' })
  })

  it('that has passed offers nothing', async () => {
    const { id, today, patch } = await sandboxOf({ waitlist_enabled: true })
    await patch({ bookable_until: dateOf(today - DAY_MS), booking_window_days: 730 })
    expect(await openStarts(id, today, today + 30 * DAY_MS)).toEqual([])
    expect((await bookAsAnother(id, today + 2 * DAY_MS)).body.error).toMatchObject({
      code: 'conflict',
      details: { alternatives: [] },
    })
    await patch({ bookable_until: null, bookable_from: '9999-12-31' })
    expect(await openStarts(id, today, today + 30 * DAY_MS)).toEqual([])
  })
})

describe('each zone', () => {
  it('is the one that decides: of the schedule, the cap, the window and the limit', async () => {
    const { organization, key, id, today } = await sandboxOf(
      {
        duration_minutes: 60,
        assignment_strategy: 'round_robin',
        timezone: 'America/New_York',
        booking_cap: 2,
        booking_cap_period: 'daily',
        booking_window_days: 2,
      },
      [],
    )
    const schedule = await insertSchedule(organization, 'test', {
      timezone: 'Asia/Tokyo',
      rules: daily(['00:00', '24:00']),
      overrides: [{ date: dateOf(today + 2 * DAY_MS), intervals: [] }],
    })
    await call('PATCH', `/v1/event-types/${id}`, { key, body: { schedule_id: schedule } })
    const { id: memberId } = await createMember(organization)
    await addHost(key, id, memberId)
    const offset = (zone: string) =>
      Temporal.Instant.fromEpochMilliseconds(today + 2 * DAY_MS).toZonedDateTimeISO(zone).offsetNanoseconds /
      1e6
    const starts = (await openStarts(id, today, today + 6 * DAY_MS)).map((start) => Date.parse(start))
    // The date that is closed is Tokyo's.
    const [closed, opened] = [1, 2].map((day) => today + (day + 1) * DAY_MS - offset('Asia/Tokyo'))
    expect(starts.filter((start) => start >= closed! && start < opened!)).toEqual([])
    expect(starts).toContain(closed! - HOUR_MS)
    expect(starts).toContain(opened!)
    // The window ends with New York's day.
    expect(starts.at(-1)).toBe(today + 3 * DAY_MS - offset('America/New_York') - HOUR_MS)
    // The cap is that of New York's day.
    const day = today + DAY_MS - offset('America/New_York')
    for (const start of [day, day + HOUR_MS]) expect((await bookAsAnother(id, start)).status).toBe(201)
    expect((await bookAsAnother(id, day + 2 * HOUR_MS)).body.error.code).toBe('booking_cap_reached')
    expect((await bookAsAnother(id, day - HOUR_MS)).status).toBe(201)
  })
})
