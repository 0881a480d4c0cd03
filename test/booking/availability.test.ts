import { env } from 'cloudflare:workers'
import { beforeEach, describe, expect, it } from 'vitest'
import { findOpenSlots } from '../../src/booking/slots/find-open-slots.ts'
import { loadSchedule } from '../../src/engine/schedule/load-schedule.ts'
import { withOwn } from '../../src/env.ts'
import { openDb } from '../../src/platform/db/client.ts'
import type { Context } from '../../src/platform/http/context.ts'
import type { AskedMs } from '../../src/platform/limits/clock.ts'
import { type Answered, call, callAsService, type Json } from '../support/app.ts'
import { insertConnection } from '../support/connections.ts'
import { databaseThrough } from '../support/database-through.ts'
import {
  ALL_DAY,
  book,
  bookAsAnother,
  createEventType,
  createOrganization,
  dateOf,
  dayFromNow,
  iso,
  openStarts,
  type Rule,
} from '../support/factories.ts'
import { stayInOneMinute } from '../support/minute.ts'

const TIMESTAMP = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/
const ID = /^[0-9a-f]{8}-[0-9a-f]{4}-7[0-9a-f]{3}-/

type Owned = { readonly key: string; readonly id: string }

async function eventType(rules: readonly Rule[] = ALL_DAY, input: Json = {}): Promise<Owned> {
  const { liveKey: key } = await createOrganization()
  const { id } = await createEventType(key, input, rules)
  return { key, id }
}

function put({ key, id }: Owned, body: unknown): Promise<Answered> {
  return call('PUT', `/v1/event-types/${id}/availability`, { key, body })
}

function get({ key, id }: Owned): Promise<Answered> {
  return call('GET', `/v1/event-types/${id}/availability`, { key })
}

function rule(start_time: string, end_time: string, day_of_week = 1) {
  return { day_of_week, start_time, end_time }
}

function dates(count: number): { date: string; intervals: never[] }[] {
  return Array.from({ length: count }, (_, at) => ({
    date: dateOf(Date.UTC(2058, 0, 1 + at)),
    intervals: [],
  }))
}

describe('the hours of an event type', () => {
  it('are empty at first, in the zone of the event type', async () => {
    const { liveKey: key } = await createOrganization({ timezone: 'Asia/Tokyo' })
    const { body } = await call('POST', '/v1/event-types', {
      key,
      body: { title: 'Intro', slug: 'intro', duration_minutes: 30 },
    })
    const { status, body: hours } = await get({ key, id: body.id })
    expect(status).toBe(200)
    expect(hours).toEqual({ event_type_id: body.id, timezone: 'Asia/Tokyo', rules: [], overrides: [] })
    expect(await openStarts(body.id, dayFromNow(1), dayFromNow(20))).toEqual([])
  })

  it('come back as they were sent', async () => {
    const owned = await eventType([])
    const rules = [
      rule('09:00', '12:30:15', 6),
      rule('00:00:00', '24:00', 0),
      rule('22:00', '24:00:00', 3),
      rule('09:00', '09:01', 0),
    ]
    const overrides = [
      { date: '2058-12-24', intervals: [{ start_time: '09:00:00', end_time: '12:00' }] },
      { date: '2058-12-25', intervals: [] },
      {
        date: '2060-02-29',
        intervals: [
          { start_time: '00:00', end_time: '00:30' },
          { start_time: '23:00', end_time: '24:00' },
        ],
      },
    ]
    const { status, body } = await put(owned, { timezone: 'Europe/Berlin', rules, overrides })
    expect(status).toBe(200)
    expect(body).toEqual({
      event_type_id: owned.id,
      timezone: 'Europe/Berlin',
      rules: rules.map((each) => ({
        id: expect.stringMatching(ID),
        event_type_id: owned.id,
        ...each,
        created_at: expect.stringMatching(TIMESTAMP),
      })),
      overrides: overrides.map((each) => ({
        id: expect.stringMatching(ID),
        ...each,
        created_at: expect.stringMatching(TIMESTAMP),
      })),
    })
    expect((await get(owned)).body).toEqual(body)
  })

  it('come back by date whatever the order they were sent in', async () => {
    const owned = await eventType([])
    const overrides = dates(3).reverse()
    const { body } = await put(owned, { rules: [], overrides })
    expect(body.overrides.map(({ date }: { date: string }) => date)).toEqual(dates(3).map(({ date }) => date))
    expect((await get(owned)).body).toEqual(body)
  })

  it('are replaced by the next ones', async () => {
    const owned = await eventType([])
    await put(owned, { rules: [rule('09:00', '10:00'), rule('11:00', '12:00')], overrides: dates(2) })
    const { body } = await put(owned, { rules: [rule('13:00', '14:00', 2)], overrides: dates(1) })
    expect(body.rules).toHaveLength(1)
    expect(body.overrides).toHaveLength(1)
    expect((await get(owned)).body).toEqual(body)
    const { body: empty } = await put(owned, { rules: [], overrides: [] })
    expect([empty.rules, empty.overrides]).toEqual([[], []])
    const { results } = await env.DB.prepare('SELECT id FROM availability_rules WHERE event_type_id = ?')
      .bind(owned.id)
      .all()
    expect(results).toEqual([])
  })

  it('keep their overrides when none are sent', async () => {
    const owned = await eventType([])
    const { body: first } = await put(owned, { rules: [], overrides: dates(3) })
    const { body: second } = await put(owned, { rules: [rule('09:00', '10:00')] })
    expect(second.overrides).toEqual(first.overrides)
    expect((await get(owned)).body).toEqual(second)
  })

  it("set the event type's zone, and keep it when none is sent", async () => {
    const owned = await eventType([])
    const zone = async () =>
      (await call('GET', `/v1/event-types/${owned.id}`, { key: owned.key })).body.timezone
    await put(owned, { timezone: 'America/New_York', rules: [] })
    expect(await zone()).toBe('America/New_York')
    const { body } = await put(owned, { rules: [] })
    expect([body.timezone, await zone()]).toEqual(['America/New_York', 'America/New_York'])
    await call('PATCH', `/v1/event-types/${owned.id}`, { key: owned.key, body: { timezone: 'Asia/Tokyo' } })
    expect((await get(owned)).body.timezone).toBe('Asia/Tokyo')
  })

  it('lose no zone that is set at the same time', async () => {
    const owned = await eventType([])
    const setZone = (timezone: string) =>
      call('PATCH', `/v1/event-types/${owned.id}`, { key: owned.key, body: { timezone } })
    for (let round = 0; round < 10; round++) {
      const zone = round % 2 === 0 ? 'Asia/Tokyo' : 'Europe/Berlin'
      await Promise.all([setZone(zone), put(owned, { rules: [] })])
      expect((await get(owned)).body.timezone).toBe(zone)
    }
  })

  it('are those of one request when two set them at once', async () => {
    const owned = await eventType([])
    const hours = ['08:00', '10:00', '12:00', '14:00'].map((start) => [
      rule(start, '20:00', 1),
      rule(start, '20:00', 2),
      rule(start, '20:00', 3),
    ])
    await Promise.all(hours.map((rules) => put(owned, { rules, overrides: dates(2) })))
    const { body } = await get(owned)
    expect(body.rules).toHaveLength(3)
    expect(new Set(body.rules.map(({ start_time }: { start_time: string }) => start_time)).size).toBe(1)
    expect(body.overrides).toHaveLength(2)
  })

  it('take 100 rules and 366 overrides, and not one more', async () => {
    const owned = await eventType([])
    const rules = Array.from({ length: 100 }, (_, at) => rule('09:00', '10:00', at % 7))
    const { status, body } = await put(owned, { rules, overrides: dates(366) })
    expect([status, body.rules.length, body.overrides.length]).toEqual([200, 100, 366])
    expect((await get(owned)).body).toEqual(body)
    const tooMany = await put(owned, { rules: [...rules, rule('09:00', '10:00')] })
    expect([tooMany.status, Object.keys(tooMany.body.error.details)]).toEqual([400, ['rules']])
    const tooManyDates = await put(owned, { rules: [], overrides: dates(367) })
    expect([tooManyDates.status, Object.keys(tooManyDates.body.error.details)]).toEqual([400, ['overrides']])
    expect((await get(owned)).body).toEqual(body)
  })

  const day = (intervals: unknown, date: unknown = '2058-01-01') => ({
    rules: [],
    overrides: [{ date, intervals }],
  })
  it.each<[string, unknown]>([
    ['rules', {}],
    ['rules', { rules: null }],
    ['rules', { rules: {} }],
    ['rules.0', { rules: [null] }],
    ['rules.0', { rules: ['09:00-17:00'] }],
    ['rules.0.day_of_week', { rules: [{ start_time: '09:00', end_time: '10:00' }] }],
    ['rules.0.day_of_week', { rules: [rule('09:00', '10:00', 7)] }],
    ['rules.0.day_of_week', { rules: [rule('09:00', '10:00', -1)] }],
    ['rules.0.day_of_week', { rules: [rule('09:00', '10:00', 1.5)] }],
    ['rules.0.day_of_week', { rules: [{ ...rule('09:00', '10:00'), day_of_week: 'monday' }] }],
    ['rules.0.start_time', { rules: [{ day_of_week: 1, end_time: '10:00' }] }],
    ['rules.0.end_time', { rules: [{ day_of_week: 1, start_time: '10:00' }] }],
    ['rules.0.end_time', { rules: [rule('10:00', '09:00')] }],
    ['rules.0.end_time', { rules: [rule('10:00', '10:00')] }],
    ['rules.0.end_time', { rules: [rule('10:00', '10:00:00')] }],
    ['rules.0.end_time', { rules: [rule('24:00', '24:00')] }],
    ['rules.0.end_time', { rules: [rule('22:00', '02:00')] }],
    ['rules.0.end_time', { rules: [rule('09:00', '24:01')] }],
    ['rules.0.end_time', { rules: [rule('09:00', '24:00:01')] }],
    ['rules.0.end_time', { rules: [rule('09:00', '25:00')] }],
    ['rules.0.start_time', { rules: [rule('9:00', '10:00')] }],
    ['rules.0.start_time', { rules: [rule('09:60', '10:00')] }],
    ['rules.0.start_time', { rules: [rule('09:00:60', '10:00')] }],
    ['rules.0.start_time', { rules: [rule('-01:00', '10:00')] }],
    ['rules.0.start_time', { rules: [rule('', '10:00')] }],
    ['rules.0.start_time', { rules: [rule('09:00Z', '10:00')] }],
    ['rules.0.start_time', { rules: [rule('09:00\n', '10:00')] }],
    ['rules.1.end_time', { rules: [rule('09:00', '10:00'), rule('10:00', '9:00')] }],
    ['timezone', { timezone: 'Mars/Olympus', rules: [] }],
    ['timezone', { timezone: null, rules: [] }],
    ['timezone', { timezone: '+02:00', rules: [] }],
    ['overrides', { rules: [], overrides: null }],
    ['overrides', { rules: [], overrides: {} }],
    ['overrides.0.date', { rules: [], overrides: [{ intervals: [] }] }],
    ['overrides.0.date', day([], '2058-02-29')],
    ['overrides.0.date', day([], '2058-13-01')],
    ['overrides.0.date', day([], '2058-1-1')],
    ['overrides.0.date', day([], '01/02/2058')],
    ['overrides.0.date', day([], '2058-01-01T00:00:00Z')],
    ['overrides.0.intervals', { rules: [], overrides: [{ date: '2058-01-01' }] }],
    ['overrides.0.intervals', day(null)],
    ['overrides.0.intervals.0.start_time', day([{ end_time: '10:00' }])],
    ['overrides.0.intervals.0.end_time', day([{ start_time: '10:00', end_time: '09:00' }])],
    [
      'overrides.0.intervals.1.end_time',
      day([
        { start_time: '08:00', end_time: '09:00' },
        { start_time: '10:00', end_time: '10:00' },
      ]),
    ],
    ['overrides.1.date', { rules: [], overrides: [...dates(1), ...dates(1)] }],
  ])('name %s when it is wrong: %j', async (path, body) => {
    const owned = await eventType([rule('09:00', '10:00')])
    const before = (await get(owned)).body
    const answer = await put(owned, body)
    expect([answer.status, answer.body.error.code]).toEqual([400, 'validation_error'])
    expect(Object.keys(answer.body.error.details)).toEqual([path])
    expect((await get(owned)).body).toEqual(before)
  })

  it('leave a trace of who set them', async () => {
    const owned = await eventType([])
    await put(owned, { rules: [rule('09:00', '10:00')], overrides: dates(2) })
    const { results } = await env.DB.prepare(
      "SELECT * FROM activity WHERE resource_id = ? AND action LIKE 'availability.%' ORDER BY id",
    )
      .bind(owned.id)
      .all()
    expect(results.at(-1)).toMatchObject({ actor_type: 'api_key', resource_type: 'event_type' })
  })
})

describe('open slots', () => {
  const MONDAY = Date.UTC(2058, 0, 7)
  const path = (id: string, query: Readonly<Record<string, string>> = {}) =>
    `/v1/availability?${new URLSearchParams({
      event_type_id: id,
      start: '2058-01-07',
      end: '2058-01-07',
      timezone: 'UTC',
      ...query,
    })}`
  const ask = (id: string, query: Readonly<Record<string, string>> = {}) => call('GET', path(id, query))

  it('are returned with the requested range', async () => {
    const { id } = await eventType([rule('09:00', '10:00')])
    const { status, body } = await ask(id)
    expect(status).toBe(200)
    expect(body).toEqual({
      event_type_id: id,
      timezone: 'UTC',
      start: '2058-01-07',
      end: '2058-01-07',
      slots: [
        { start_time: '2058-01-07T09:00:00.000Z', end_time: '2058-01-07T09:30:00.000Z' },
        { start_time: '2058-01-07T09:30:00.000Z', end_time: '2058-01-07T10:00:00.000Z' },
      ],
    })
  })

  it('are those of both dates and all between, as the asked zone has them', async () => {
    const { id } = await eventType(ALL_DAY, { duration_minutes: 60 })
    const { body } = await ask(id, { start: '2058-01-07', end: '2058-01-08', timezone: 'America/New_York' })
    const starts = body.slots.map(({ start_time }: { start_time: string }) => start_time)
    expect(starts).toHaveLength(48)
    expect([starts[0], starts.at(-1)]).toEqual(['2058-01-07T05:00:00.000Z', '2058-01-09T04:00:00.000Z'])
    expect(starts).toEqual([...starts].sort())
  })

  it('follow the overrides', async () => {
    const owned = await eventType([])
    await put(owned, {
      rules: [rule('09:00', '10:00')],
      overrides: [
        { date: '2058-01-07', intervals: [] },
        { date: '2058-01-08', intervals: [{ start_time: '14:00', end_time: '14:30' }] },
      ],
    })
    expect(await openStarts(owned.id, MONDAY, MONDAY + 7 * 86_400_000)).toEqual([
      '2058-01-08T14:00:00.000Z',
      '2058-01-14T09:00:00.000Z',
      '2058-01-14T09:30:00.000Z',
    ])
  })

  it('are returned for 31 days and not for 32', async () => {
    const { id } = await eventType(ALL_DAY, { duration_minutes: 480 })
    const good = await ask(id, { start: '2058-01-01', end: '2058-01-31' })
    expect([good.status, good.body.slots.length]).toEqual([200, 93])
    const bad = await ask(id, { start: '2058-01-01', end: '2058-02-01' })
    expect([bad.status, bad.body.error.code]).toEqual([400, 'validation_error'])
    expect(Object.keys(bad.body.error.details)).toEqual(['end'])
    const acrossChange = await ask(id, { start: '2058-03-01', end: '2058-03-31', timezone: 'Europe/Berlin' })
    expect(acrossChange.status).toBe(200)
  })

  it.each<[string, Record<string, string>]>([
    ['event_type_id', { event_type_id: '' }],
    ['start', { start: '' }],
    ['start', { start: '2058-02-30' }],
    ['start', { start: '2058-1-7' }],
    ['start', { start: '2058-01-07T00:00:00Z' }],
    ['start', { start: 'today' }],
    ['end', { end: '2058-02-29' }],
    ['end', { end: '2058-01-06' }],
    ['end', { end: '2059-01-07' }],
    ['timezone', { timezone: '' }],
    ['timezone', { timezone: 'Mars/Olympus' }],
    ['timezone', { timezone: '+02:00' }],
    ['duration', { duration: 'long' }],
    ['duration', { duration: '30.5' }],
    ['duration', { duration: '' }],
  ])('are rejected when %s is wrong: %j', async (name, query) => {
    const { id } = await eventType()
    const { status, body } = await ask(id, query)
    expect([status, body.error.code]).toEqual([400, 'validation_error'])
    expect(Object.keys(body.error.details)).toEqual([name])
  })

  it.each(['event_type_id', 'start', 'end', 'timezone'])('are rejected without %s', async (name) => {
    const { id } = await eventType()
    const query = new URLSearchParams(path(id).split('?')[1])
    query.delete(name)
    const { status, body } = await call('GET', `/v1/availability?${query}`)
    expect([status, body.error.code]).toEqual([400, 'validation_error'])
    expect(body.error.details).toEqual({ [name]: 'Is required.' })
  })

  it.each([
    ['0000-01-01', '0000-01-02'],
    ['0001-01-01', '0001-01-31'],
    ['1900-01-01', '1900-01-02'],
    ['9999-12-01', '9999-12-31'],
  ])('are returned without errors at the ends of the calendar: %s', async (start, end) => {
    const { id } = await eventType()
    for (const timezone of ['UTC', 'Pacific/Kiritimati', 'Pacific/Pago_Pago', 'America/New_York']) {
      const { status, body } = await ask(id, { start, end, timezone })
      expect([timezone, status]).toEqual([timezone, 200])
      if (start < '2000') expect(body.slots).toEqual([])
      else expect(body.slots.length).toBeGreaterThan(0)
    }
  })

  it('are there for every duration that is offered and for no other', async () => {
    const { id } = await eventType([rule('09:00', '10:00')], { duration_options: [15, 30, 60] })
    for (const [duration, count] of [
      ['15', 4],
      ['30', 2],
      ['60', 1],
    ] as const) {
      const { status, body } = await ask(id, { duration })
      expect([duration, status, body.slots.length]).toEqual([duration, 200, count])
    }
    expect((await ask(id)).body.slots).toHaveLength(2)
    for (const duration of ['-30', '0', '45', '480', '99999']) {
      const { status, body } = await ask(id, { duration })
      expect([duration, status, body.error.code]).toEqual([duration, 400, 'bad_request'])
      expect(body.error.message).toContain('15, 30, 60')
    }
  })

  it('take the one duration of an event type without options', async () => {
    const { id } = await eventType([rule('09:00', '10:00')])
    expect((await ask(id, { duration: '30' })).status).toBe(200)
    const { status, body } = await ask(id, { duration: '60' })
    expect([status, body.error.code]).toEqual([400, 'bad_request'])
    expect(body.error.message).toContain('30')
  })

  it('are 404 for an event type that is unknown, malformed or inactive', async () => {
    const owned = await eventType()
    for (const id of [crypto.randomUUID(), 'nope', '%', `${owned.id} `]) {
      const { status, body } = await ask(id)
      expect([id, status, body.error.code]).toEqual([id, 404, 'not_found'])
    }
    const active = (value: boolean) =>
      call('PATCH', `/v1/event-types/${owned.id}`, { key: owned.key, body: { active: value } })
    await active(false)
    expect((await ask(owned.id)).status).toBe(404)
    await active(true)
    expect((await ask(owned.id)).status).toBe(200)
    expect((await ask(owned.id.toUpperCase())).body.event_type_id).toBe(owned.id)
  })

  it('are public for test data too, and for a suspended organization', async () => {
    const { id: organizationId, testKey } = await createOrganization()
    const { id } = await createEventType(testKey, {}, [rule('09:00', '10:00')])
    expect((await ask(id)).body.slots).toHaveLength(2)
    await callAsService('PATCH', `/v1/organizations/${organizationId}`, { body: { suspended: true } })
    expect((await ask(id)).status).toBe(200)
  })

  it('are returned whatever key is sent', async () => {
    const { id } = await eventType([rule('09:00', '10:00')])
    const { status, body } = await call('GET', path(id), { key: 'nonsense' })
    expect([status, body.slots.length]).toEqual([200, 2])
  })

  it('start only after the notice, and never in the past', async () => {
    const { id, key } = await eventType(ALL_DAY, { duration_minutes: 5 })
    const before = Date.now()
    const [first] = await openStarts(id, dayFromNow(0), dayFromNow(1))
    expect(Date.parse(first!)).toBeGreaterThanOrEqual(before)
    expect(Date.parse(first!)).toBeLessThanOrEqual(Date.now() + 300_000)
    await call('PATCH', `/v1/event-types/${id}`, { key, body: { minimum_notice_minutes: 1440 } })
    const [noticed] = await openStarts(id, dayFromNow(0), dayFromNow(2))
    expect(Date.parse(noticed!)).toBeGreaterThanOrEqual(before + 86_400_000)
    expect(await openStarts(id, dayFromNow(-2), dayFromNow(-1))).toEqual([])
  })

  it('are computed from all data if a team has more than the database returns in one value', async () => {
    stayInOneMinute(10)
    const organization = await createOrganization()
    const limited = { max_attendees: 3, booking_cap: 9, booking_cap_period: 'daily' }
    const { id } = await createEventType(organization.liveKey, limited, ALL_DAY)
    const overrides = [4, 20].map((ahead) => ({ date: dateOf(dayFromNow(ahead)), intervals: [] }))
    await put({ key: organization.liveKey, id }, { rules: ALL_DAY, overrides })
    await env.DB.prepare(
      `WITH RECURSIVE n(i) AS (SELECT 0 UNION ALL SELECT i + 1 FROM n WHERE i < 29)
        INSERT INTO calendar_busy_times (connection_id, event_id, starts_at, ends_at)
        SELECT ?1, 'e', ?2 + i * 86400000, ?2 + i * 86400000 + 90000000 * (i % 2) FROM n`,
    )
      .bind(await insertConnection(organization, 'live'), dayFromNow(1))
      .run()
    for (let ahead = 3; ahead < 30; ahead += 2) await bookAsAnother(id, dayFromNow(ahead) + 10 * 3_600_000)

    let refused = 0
    const DB = databaseThrough(async (ask) => {
      const told = await ask()
      const values = [told].flat().flatMap((one) => Object.values((one as D1Result<Json>).results[0] ?? {}))
      if (values.every((value) => String(value).length < 2_000)) return told
      refused += 1
      throw new Error('D1_ERROR: string or blob too big: SQLITE_TOOBIG')
    })
    const now = Date.now() as AskedMs
    const wanted = { range: { start: dayFromNow(0), end: dayFromNow(31) }, seatsAt: null }
    const [whole, parts] = await Promise.all(
      [env, withOwn(env, { DB })].map(async (home) => {
        const { schedule } = await loadSchedule(openDb(home, 'read'), id, wanted, now)
        const { holds, sessions, bookedStarts, calendars, ...others } = schedule!
        const held = [...holds.values()].flat()
        const sorted = [held, sessions, bookedStarts, calendars[0]!.busy].map((list) =>
          list.map((one) => JSON.stringify(one)).sort(),
        )
        return { sorted, others }
      }),
    )
    expect([refused, whole!.sorted.map(({ length }) => length)]).toEqual([1, [28, 14, 14, 30]])
    expect(parts).toEqual(whole)
  })
})

describe('the next open start', () => {
  const DAY_MS = 86_400_000
  const HOUR_MS = 3_600_000

  // It is sought up to a day that moves on at midnight.
  beforeEach(() => stayInOneMinute(10))

  async function ask(id: string, first: number, last = first) {
    const query = new URLSearchParams({
      event_type_id: id,
      start: dateOf(first),
      end: dateOf(last),
      timezone: 'UTC',
    })
    return (await call('GET', `/v1/availability?${query}`)).body
  }

  /** Open on one day alone, far ahead. */
  async function openOn(day: number) {
    const owned = await eventType([])
    const intervals = [{ start_time: '09:00', end_time: '10:00' }]
    await put(owned, { rules: [], overrides: [{ date: dateOf(day), intervals }] })
    return owned
  }

  it('is returned if nothing is open, and is the first open start of its day', async () => {
    for (const ahead of [40, 200, 365]) {
      const { id } = await openOn(dayFromNow(ahead))
      const { slots, next_available } = await ask(id, dayFromNow(1), dayFromNow(31))
      const [first] = await openStarts(id, dayFromNow(ahead))
      expect([ahead, slots, next_available]).toEqual([ahead, [], first])
    }
  })

  it('is found beyond more busy times than can be read at once', async () => {
    const organization = await createOrganization()
    const { id } = await createEventType(organization.liveKey, {}, [])
    const day = dayFromNow(340)
    const intervals = [{ start_time: '09:00', end_time: '10:00' }]
    await put({ key: organization.liveKey, id }, { rules: [], overrides: [{ date: dateOf(day), intervals }] })
    await env.DB.prepare(
      `WITH RECURSIVE n(i) AS (SELECT 0 UNION ALL SELECT i + 1 FROM n WHERE i < 310000)
        INSERT INTO calendar_busy_times (connection_id, event_id, starts_at, ends_at)
        SELECT ?1, 'e', ?2 + i * 90000, ?2 + i * 90000 + 60000 FROM n`,
    )
      .bind(await insertConnection(organization, 'live'), dayFromNow(2))
      .run()
    expect((await ask(id, dayFromNow(1))).next_available).toBe(iso(day + 9 * HOUR_MS))
  })

  it('is null if none is within a year, and is left out if something is open', async () => {
    const { id } = await openOn(dayFromNow(368))
    expect((await ask(id, dayFromNow(1))).next_available).toBeNull()
    expect((await ask(id, dayFromNow(360), dayFromNow(367))).next_available).toBeNull()
    expect(await ask(id, dayFromNow(368))).not.toHaveProperty('next_available')
    expect((await ask(id, dayFromNow(369))).next_available).toBeNull()
  })

  it('comes within reach with the day, even if the same caller asked the day before', async () => {
    const { id } = await openOn(dayFromNow(368))
    const ahead = {
      event_type_id: id,
      start: dateOf(dayFromNow(1)),
      end: dateOf(dayFromNow(2)),
      timezone: 'UTC',
    }
    const beyond = { ...ahead, start: dateOf(dayFromNow(367)), end: dateOf(dayFromNow(367)) }
    const [first] = await openStarts(id, dayFromNow(368))
    for (const query of [ahead, beyond]) {
      const nextAt = async (now: number) =>
        (await findOpenSlots({ env, now } as Context, query)).nextAvailable
      expect(await nextAt(dayFromNow(0))).toBeNull()
      expect(await nextAt(dayFromNow(2) - 1)).toBeNull()
      expect(await nextAt(dayFromNow(2))).toBe(Date.parse(first!))
    }
  })

  it('comes after the range, and not before now', async () => {
    const { id } = await openOn(dayFromNow(5))
    const [first] = await openStarts(id, dayFromNow(5))
    expect((await ask(id, Date.UTC(2001, 0, 1))).next_available).toBe(first)
    expect((await ask(id, dayFromNow(6))).next_available).toBeNull()
  })

  it('follows what is booked', async () => {
    const owned = await eventType([])
    const intervals = [{ start_time: '09:00', end_time: '09:30' }]
    const days = [dayFromNow(50), dayFromNow(50) + 2 * DAY_MS]
    await put(owned, { rules: [], overrides: days.map((day) => ({ date: dateOf(day), intervals })) })
    const [first, second] = await openStarts(owned.id, days[0]!, days[1]!)
    expect((await ask(owned.id, dayFromNow(1))).next_available).toBe(first)
    await book(owned.id, Date.parse(first!))
    expect((await ask(owned.id, dayFromNow(1))).next_available).toBe(second)
  })
})
