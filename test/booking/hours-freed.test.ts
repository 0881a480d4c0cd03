import { env } from 'cloudflare:workers'
import { describe, expect, it } from 'vitest'
import { searchRanges } from '../../src/booking/waitlist/search-ranges.ts'
import { nowAsLive, realNow } from '../../src/platform/limits/clock.ts'
import { call, callAsService } from '../support/app.ts'
import { insertConnection } from '../support/connections.ts'
import {
  book,
  bookAsAnother,
  bookingInput,
  createEventType,
  createOrganization,
  dateOf,
  dayFromNow,
  iso,
  type Organization,
  openStarts,
  unique,
} from '../support/factories.ts'
import { addHost, createMember } from '../support/hosts.ts'
import { daily, insertSchedule } from '../support/hours.ts'

const HOUR_MS = 3_600_000
const DAY = dayFromNow(3)
const DAY_MS = 24 * HOUR_MS
const SLOT = DAY + 10 * HOUR_MS
const ALL_DAY = daily(['00:00', '24:00'])

type World = {
  readonly organization: Organization
  readonly key: string
  readonly id: string
  readonly memberId: string
}

/** An event type that is waited for, with one host. */
async function world(input: Record<string, unknown> = {}, mode: 'live' | 'test' = 'live'): Promise<World> {
  const organization = await createOrganization()
  const key = mode === 'live' ? organization.liveKey : organization.testKey
  const { id } = await createEventType(key, {
    waitlist_enabled: true,
    assignment_strategy: 'round_robin',
    duration_minutes: 60,
    ...input,
  })
  const { id: memberId } = await createMember(organization)
  await addHost(key, id, memberId)
  return { organization, key, id, memberId }
}

/** Waits as the public does, for any slot where no start is named. */
async function wait({ id }: Pick<World, 'id'>, start?: number): Promise<string> {
  const { start_time: _start, ...any } = bookingInput(id, 0, { invitee_email: `${unique('w')}@example.com` })
  const wanted = start === undefined ? any : { ...any, start_time: iso(start) }
  const { status, body } = await call('POST', '/v1/waitlist', { body: wanted })
  if (status !== 201) throw new Error(JSON.stringify(body))
  return body.id
}

async function entryOf(key: string, id: string) {
  return (await call('GET', `/v1/waitlist/${id}`, { key })).body
}

/** When whoever waited was booked; null while they wait. */
async function givenTo(key: string, entryId: string): Promise<number | null> {
  const { status, promoted_booking_id: bookingId } = await entryOf(key, entryId)
  if (status === 'waiting') return null
  const { body } = await call('GET', `/v1/bookings/${bookingId}`, { key })
  return Date.parse(body.start_time)
}

async function take({ key, memberId }: World, input: Record<string, unknown>): Promise<string> {
  const { status, body } = await call('POST', '/v1/time-off', {
    key,
    body: { member_ids: [memberId], ...input },
  })
  if (status !== 201) throw new Error(JSON.stringify(body))
  return body.data[0].id
}

function settings({ organization, memberId }: World, body: Record<string, unknown>) {
  return call('PATCH', `/v1/organizations/${organization.id}/members/${memberId}`, {
    key: organization.liveKey,
    body,
  })
}

function patchSchedule({ key }: World, id: string, body: Record<string, unknown>) {
  return call('PATCH', `/v1/schedules/${id}`, { key, body })
}

const WHOLE_DAY = { start: iso(DAY), end: iso(DAY + 24 * HOUR_MS) }

/** The first instant of the Monday after. */
function mondayOf(instant: number): number {
  const day = Math.floor(instant / DAY_MS)
  // 1970 began on a Thursday.
  return (day + 7 - ((day + 3) % 7)) * DAY_MS
}

describe('released time of a calendar', () => {
  it('is offered to a waitlist entry whose start lies behind more busy times than one query can read', async () => {
    const { organization, key, id, memberId } = await world()
    const [late, later] = [dayFromNow(345) + 10 * HOUR_MS, dayFromNow(346) + 10 * HOUR_MS]
    const connection = await insertConnection(organization, 'live')
    await env.DB.prepare('UPDATE calendar_connections SET member_id = ? WHERE id = ?')
      .bind(memberId, connection)
      .run()
    await env.DB.prepare(
      `WITH RECURSIVE n(i) AS (SELECT 0 UNION ALL SELECT i + 1 FROM n WHERE i < 310000)
        INSERT INTO calendar_busy_times (connection_id, event_id, starts_at, ends_at)
        SELECT ?1, 'e', ?2 + i * 94000, ?2 + i * 94000 + 60000 FROM n
        UNION ALL SELECT ?1, 'taken', ?3 - 3600000, ?3 + 7200000`,
    )
      .bind(connection, dayFromNow(2), later)
      .run()
    const { body: taken } = await book(id, late)
    const entries = [await wait({ id }, late), await wait({ id }, later)]
    await call('POST', `/v1/bookings/${taken.id}/cancel`, { key, body: {} })
    expect(await Promise.all(entries.map((entry) => givenTo(key, entry)))).toEqual([late, null])
  })

  it('is passed on piece by piece if there is more than one query can read', async () => {
    const { key, id } = await world()
    const { body: taken } = await book(id, SLOT)
    const waiting = await wait({ id }, SLOT)
    await env.DB.prepare(
      `WITH RECURSIVE n(i) AS (SELECT 0 UNION ALL SELECT i + 1 FROM n WHERE i < 130000)
        INSERT INTO freed_times (event_type_id, source, starts_at, ends_at) SELECT ?1, ?2, ?3 + i, ?4 + i FROM n`,
    )
      .bind(id, crypto.randomUUID(), SLOT, SLOT + HOUR_MS)
      .run()
    expect(await openStarts(id, SLOT)).toContain(iso(SLOT + 2 * HOUR_MS))
    await call('POST', `/v1/bookings/${taken.id}/cancel`, { key, body: {} })
    expect((await bookAsAnother(id, SLOT + 2 * HOUR_MS)).status).toBe(201)
    expect((await entryOf(key, waiting)).status).toBe('promoted')
  })
})

describe('released time of a member goes first to the waitlist', () => {
  it('when time off is deleted', async () => {
    for (const mode of ['live', 'test'] as const) {
      const given = await world({}, mode)
      const [entry, later] = [await wait(given, SLOT), await wait(given, SLOT + 30 * HOUR_MS)]
      const timeOff = await take(given, WHOLE_DAY)
      expect(await openStarts(given.id, DAY)).toEqual([])
      expect((await bookAsAnother(given.id, SLOT)).status).toBe(409)
      expect(await givenTo(given.key, entry)).toBeNull()
      expect((await call('DELETE', `/v1/time-off/${timeOff}`, { key: given.key })).status).toBe(204)
      expect(await givenTo(given.key, entry)).toBe(SLOT)
      expect(await givenTo(given.key, later)).toBeNull()
      expect(await openStarts(given.id, DAY)).not.toContain(iso(SLOT))
    }
  })

  it('when time off without an end is deleted, which nobody looks through to its end', async () => {
    const given = await world()
    const [any, far] = [await wait(given), await wait(given, SLOT + 400 * DAY_MS)]
    const away = { start: DAY - 3 * DAY_MS, end: Date.UTC(9999, 11, 30) }
    const searched = searchRanges({ startTime: null }, [away], nowAsLive(realNow()))
    expect(searched.reduce((days, { start, end }) => days + (end - start) / DAY_MS, 0)).toBeLessThan(400)
    const timeOff = await take(given, { start: dateOf(away.start), end: '9999-12-29' })
    expect((await call('DELETE', `/v1/time-off/${timeOff}`, { key: given.key })).status).toBe(204)
    expect(await givenTo(given.key, any)).not.toBeNull()
    expect(await givenTo(given.key, far)).toBe(SLOT + 400 * DAY_MS)
  })

  it('when time off gets shorter at either end, or moves away', async () => {
    for (const change of [
      { end: iso(SLOT) },
      { start: iso(SLOT + HOUR_MS) },
      { start: iso(DAY + 48 * HOUR_MS), end: iso(DAY + 49 * HOUR_MS) },
      { start: dateOf(DAY + 48 * HOUR_MS), end: dateOf(DAY + 48 * HOUR_MS) },
    ]) {
      const given = await world()
      const entry = await wait(given, SLOT)
      const timeOff = await take(given, WHOLE_DAY)
      const { status } = await call('PATCH', `/v1/time-off/${timeOff}`, { key: given.key, body: change })
      expect(status).toBe(200)
      expect(await givenTo(given.key, entry)).toBe(SLOT)
    }
  })

  it('when other time off replaces it under its external id', async () => {
    const given = await world()
    const entry = await wait(given, SLOT)
    await take(given, { ...WHOLE_DAY, external_id: 'hr-1' })
    await take(given, { start: iso(DAY), end: iso(SLOT + 1), external_id: 'hr-1' })
    expect(await givenTo(given.key, entry)).toBeNull()
    await take(given, { start: iso(DAY), end: iso(SLOT), external_id: 'hr-1' })
    expect(await givenTo(given.key, entry)).toBe(SLOT)
  })

  it('when dates of time off begin and end elsewhere, since the member moved', async () => {
    const given = await world()
    const entry = await wait(given, SLOT + 12 * HOUR_MS)
    await take(given, { start: dateOf(DAY), end: dateOf(DAY) })
    expect(await givenTo(given.key, entry)).toBeNull()
    await settings(given, { timezone: 'Asia/Tokyo' })
    expect(await givenTo(given.key, entry)).toBe(SLOT + 12 * HOUR_MS)
  })

  it('when a schedule that they follow gets wider or is in another zone', async () => {
    for (const change of [{ rules: ALL_DAY }, { timezone: 'Asia/Tokyo' }]) {
      const given = await world({ hours_from: 'hosts' })
      const { memberId, organization } = given
      const nights = daily(['19:00', '20:00'])
      const schedule = await insertSchedule(organization, 'live', { memberId, rules: nights })
      const entry = await wait(given, DAY + 19 * HOUR_MS)
      const sooner = await wait(given)
      for (let day = 0; day < 33; day++) await bookAsAnother(given.id, dayFromNow(day) + 19 * HOUR_MS)
      expect([await givenTo(given.key, entry), await givenTo(given.key, sooner)]).toEqual([null, null])
      expect((await patchSchedule(given, schedule, change)).status).toBe(200)
      expect(await givenTo(given.key, entry)).toBeNull()
      expect(await givenTo(given.key, sooner)).not.toBeNull()
    }
  })

  it('when a schedule of the organization gets wider that a host or the event type follows', async () => {
    for (const isOfHost of [true, false]) {
      const organization = await createOrganization()
      const { liveKey: key } = organization
      const schedule = await insertSchedule(organization, 'live', { rules: [] })
      const { id } = await createEventType(key, {
        waitlist_enabled: true,
        ...(isOfHost ? { assignment_strategy: 'round_robin' } : { schedule_id: schedule }),
      })
      const { id: memberId } = await createMember(organization)
      if (isOfHost) await addHost(key, id, memberId, { schedule_id: schedule })
      const given = { organization, key, id, memberId }
      const entry = await wait(given)
      expect(await openStarts(id, DAY)).toEqual([])
      await patchSchedule(given, schedule, { rules: ALL_DAY })
      expect(await givenTo(key, entry)).not.toBeNull()
    }
  })

  it('when they get a default schedule, in each way in which they can', async () => {
    const ways: ((given: World) => Promise<unknown>)[] = [
      ({ key, memberId: member_id }) =>
        call('POST', '/v1/schedules', {
          key,
          body: { name: 'All day', rules: ALL_DAY, member_id, is_default: true },
        }),
      async (given) => {
        const theirs = { memberId: given.memberId, isDefault: false }
        const schedule = await insertSchedule(given.organization, 'live', theirs)
        return patchSchedule(given, schedule, { is_default: true })
      },
      async (given) => {
        const theirs = { memberId: given.memberId, isDefault: false }
        const schedule = await insertSchedule(given.organization, 'live', theirs)
        return settings(given, { default_schedule_id: schedule })
      },
    ]
    for (const way of ways) {
      const given = await world({ hours_from: 'hosts' })
      const entry = await wait(given)
      expect(await givenTo(given.key, entry)).toBeNull()
      expect(await way(given)).toMatchObject({ status: expect.toSatisfy((status) => status < 300) })
      expect(await givenTo(given.key, entry)).not.toBeNull()
    }
  })

  it('when they have no default schedule any longer, if the event type has hours', async () => {
    const ways: ((given: World, schedule: string) => Promise<unknown>)[] = [
      (given, schedule) => patchSchedule(given, schedule, { is_default: false }),
      (given) => settings(given, { default_schedule_id: null }),
    ]
    for (const way of ways) {
      const given = await world()
      const schedule = await insertSchedule(given.organization, 'live', {
        memberId: given.memberId,
        rules: [],
      })
      const entry = await wait(given)
      expect(await givenTo(given.key, entry)).toBeNull()
      expect(await way(given, schedule)).toMatchObject({ status: 200 })
      expect(await givenTo(given.key, entry)).not.toBeNull()
    }
  })

  it('when they take more meetings a day or a week than before', async () => {
    for (const [name, raised] of [
      ['max_bookings_per_day', 2],
      ['max_bookings_per_day', null],
      ['max_bookings_per_week', 2],
      ['max_bookings_per_week', null],
    ] as const) {
      const given = await world()
      await settings(given, { [name]: 1 })
      expect((await book(given.id, SLOT + 2 * HOUR_MS)).status).toBe(201)
      expect(await openStarts(given.id, DAY)).toEqual([])
      const entry = await wait(given, SLOT)
      expect(await givenTo(given.key, entry)).toBeNull()
      expect((await settings(given, { [name]: raised })).status).toBe(200)
      expect(await givenTo(given.key, entry)).toBe(SLOT)
    }
  })

  it('when their days begin elsewhere, so that one is not full any longer', async () => {
    const given = await world()
    await settings(given, { max_bookings_per_day: 1 })
    expect((await book(given.id, DAY + 22 * HOUR_MS)).status).toBe(201)
    const entry = await wait(given, SLOT)
    expect(await givenTo(given.key, entry)).toBeNull()
    await settings(given, { timezone: 'Asia/Tokyo' })
    expect(await givenTo(given.key, entry)).toBe(SLOT)
  })

  it('when the days of the organization begin elsewhere, for members who have no zone of their own', async () => {
    const given = await world()
    await settings(given, { max_bookings_per_day: 1 })
    expect((await book(given.id, DAY + 22 * HOUR_MS)).status).toBe(201)
    const entry = await wait(given, SLOT)
    expect(await givenTo(given.key, entry)).toBeNull()
    await callAsService('PATCH', `/v1/organizations/${given.organization.id}`, {
      body: { timezone: 'Asia/Tokyo' },
    })
    expect(await givenTo(given.key, entry)).toBe(SLOT)
  })

  it('when a meeting goes that filled their day or week, whatever event type it was of', async () => {
    for (const [name, entryAt] of [
      ['max_bookings_per_day', SLOT],
      ['max_bookings_per_week', mondayOf(SLOT) + 3 * DAY_MS],
    ] as const) {
      for (const isElsewhere of [true, false]) {
        const given = await world()
        const { key, memberId } = given
        const other = await createEventType(key, { assignment_strategy: 'round_robin' })
        await addHost(key, other.id, memberId)
        await settings(given, { [name]: 1 })
        const bookedAt = name === 'max_bookings_per_day' ? SLOT + 5 * HOUR_MS : mondayOf(SLOT) + 6 * DAY_MS
        const { body: booked } = await book(isElsewhere ? other.id : given.id, bookedAt)
        const entry = await wait(given, entryAt)
        expect(await givenTo(key, entry)).toBeNull()
        await call('POST', `/v1/bookings/${booked.id}/cancel`, { key, body: {} })
        await expect.poll(() => givenTo(key, entry), { timeout: 10_000 }).toBe(entryAt)
      }
    }
  })

  it('and is offered to nobody else between the change and its booking', async () => {
    const given = await world()
    const entry = await wait(given, SLOT)
    const timeOff = await take(given, WHOLE_DAY)
    // As if the process had died after its commit.
    await env.DB.prepare('DELETE FROM time_off WHERE id = ?').bind(timeOff).run()
    expect(await openStarts(given.id, DAY)).not.toContain(iso(SLOT))
    expect((await bookAsAnother(given.id, SLOT)).status).toBe(409)
    expect(await givenTo(given.key, entry)).toBe(SLOT)
  })
})

describe('a change that opens no time', () => {
  it('promotes no waitlist entry', async () => {
    const given = await world()
    const { memberId, organization } = given
    const entry = await wait(given, SLOT)
    const timeOff = await take(given, { start: iso(SLOT + 1), end: iso(SLOT + 3 * HOUR_MS) })
    await call('PATCH', `/v1/time-off/${timeOff}`, { key: given.key, body: { start: iso(SLOT) } })
    await settings(given, { max_bookings_per_day: 5 })
    await settings(given, { max_bookings_per_day: 4 })
    await insertSchedule(organization, 'test', { memberId })
    expect(await givenTo(given.key, entry)).toBeNull()
  })
})
