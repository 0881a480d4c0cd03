import { env } from 'cloudflare:workers'
import { beforeAll, describe, expect, it } from 'vitest'
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
  unique,
} from '../support/factories.ts'
import { addHost, addHosts, createMember, leftByFirst } from '../support/hosts.ts'
import { daily, insertSchedule, insertTimeOff, setLimits } from '../support/hours.ts'
import { stayInOneMinute } from '../support/minute.ts'

const MINUTE_MS = 60_000
const HOUR_MS = 60 * MINUTE_MS
const HALF_HOUR_MS = HOUR_MS / 2
const DAY = dayFromNow(3)
const START = DAY + 9 * HOUR_MS
const HOURS = daily(['09:00', '17:00'])

let organization: Organization
let key: string

beforeAll(async () => {
  organization = await createOrganization()
  key = organization.liveKey
})

function explain(eventTypeId: string, start: number, query = '', as = key) {
  return call('GET', `/v1/event-types/${eventTypeId}/explain?start_time=${iso(start)}${query}`, { key: as })
}

function explainDay(eventTypeId: string, date: string, timezone = 'UTC', query = '') {
  const path = `/v1/event-types/${eventTypeId}/explain?date=${date}&timezone=${timezone}${query}`
  return call('GET', path, { key })
}

type Told = { readonly code: string; readonly message: string }

/** The reasons for a start, their words left out; a dry run says the same. */
async function reasonsAt(eventTypeId: string, start: number, query = '', as = key) {
  const { status, body } = await explain(eventTypeId, start, query, as)
  expect([status, body.bookable]).toEqual([200, body.reasons.length === 0])
  for (const { message } of [...body.reasons, ...body.hosts.flatMap((host: any) => host.reasons)]) {
    expect(message).toMatch(/^[A-Z].+\.$/)
  }
  return body.reasons.map(({ message: _, ...reason }: Told) => reason)
}

async function dryRun(eventTypeId: string, start: number, as = key): Promise<number> {
  const body = bookingInput(eventTypeId, start, { invitee_email: `${unique('dry')}@example.com` })
  return (await call('POST', '/v1/bookings?dry_run=true', { key: as, body })).status
}

describe('a start is explained', () => {
  it('as bookable if it is', async () => {
    const { id } = await createEventType(key, {}, HOURS)
    const { body } = await explain(id, START)
    expect(body).toEqual({
      event_type_id: id,
      start_time: iso(START),
      end_time: iso(START + HALF_HOUR_MS),
      bookable: true,
      reasons: [],
      hosts: [],
      alternatives: [],
    })
    expect(await dryRun(id, START)).toBe(201)
  })

  it('by the hours, the date, the grid, the notice and the past', async () => {
    const { id } = await createEventType(key, { minimum_notice_minutes: 4 * 1_440 }, HOURS)
    const far = DAY + 4 * 24 * HOUR_MS
    const overrides = [{ date: dateOf(far + 24 * HOUR_MS), intervals: [] }]
    await call('PUT', `/v1/event-types/${id}/availability`, { key, body: { rules: HOURS, overrides } })
    expect(await reasonsAt(id, START)).toEqual([{ code: 'too_soon' }])
    expect(await reasonsAt(id, Date.now() - HOUR_MS)).toEqual([{ code: 'in_past' }])
    expect(await reasonsAt(id, far + 8 * HOUR_MS)).toEqual([{ code: 'outside_hours' }])
    expect(await reasonsAt(id, far + 17 * HOUR_MS - MINUTE_MS)).toEqual([{ code: 'outside_hours' }])
    expect(await reasonsAt(id, far + 24 * HOUR_MS + 10 * HOUR_MS)).toEqual([{ code: 'date_closed' }])
    expect(await reasonsAt(id, far + 10 * HOUR_MS + MINUTE_MS)).toEqual([{ code: 'off_grid' }])
    expect(await reasonsAt(id, DAY + 8 * HOUR_MS)).toEqual([{ code: 'too_soon' }, { code: 'outside_hours' }])
  })

  it('by the window of days and of dates, by both if it lies outside both', async () => {
    const { id } = await createEventType(key, {
      booking_window_days: 5,
      bookable_from: dateOf(DAY),
      bookable_until: dateOf(DAY + 30 * 24 * HOUR_MS),
    })
    expect(await reasonsAt(id, DAY)).toEqual([])
    expect(await reasonsAt(id, DAY - HOUR_MS)).toEqual([{ code: 'outside_window' }])
    const beyondBoth = await reasonsAt(id, DAY + 31 * 24 * HOUR_MS)
    expect(beyondBoth).toEqual([{ code: 'too_far' }, { code: 'outside_window' }])
    expect(await reasonsAt(id, DAY + 10 * 24 * HOUR_MS)).toEqual([{ code: 'too_far' }])
  })

  it('by what is booked, with the next open starts', async () => {
    const { id } = await createEventType(key, { buffer_after_minutes: 10 }, HOURS)
    const { body: booked } = await book(id, START + HALF_HOUR_MS)
    const { body } = await explain(id, START)
    expect(body.reasons).toEqual([{ code: 'booked', message: expect.any(String), booking_id: booked.id }])
    const refused = await book(id, START)
    expect(body.alternatives).toEqual(refused.body.error.details.alternatives)
    expect(body.alternatives).toHaveLength(3)
  })

  it('by what the event type and its organization may not do at all', async () => {
    stayInOneMinute()
    const small = await createOrganization({ tier: 'free' })
    const { id } = await createEventType(small.liveKey, { price_amount: 5_000, active: false })
    await env.DB.prepare(
      `INSERT INTO booking_quotas (organization_id, month, bookings, quota) VALUES (?, ?, 1000000, 1000000)`,
    )
      .bind(small.id, iso(Date.now()).slice(0, 7))
      .run()
    await callAsService('PATCH', `/v1/organizations/${small.id}`, { body: { suspended: true } })
    const told = await reasonsAt(id, START, '&duration=45&seats=2', small.liveKey)
    expect(told.map(({ code }: Told) => code)).toEqual([
      'inactive',
      'suspended',
      'plan_limit',
      'duration_not_offered',
      'session_full',
      'payment_unavailable',
    ])
    for (const none of [0, -45]) {
      const { body } = await explain(id, START, `&duration=${none}`, small.liveKey)
      expect([body.bookable, body.alternatives, body.end_time]).toEqual([false, [], iso(START)])
    }
    const last = Date.parse('9999-12-29T00:00:00Z')
    const longest = await explain(id, last, '&duration=100000', small.liveKey)
    expect(longest.body.end_time).toBe('9999-12-31T23:59:59.999Z')
  })

  it('by the cap, and by the seats of a session', async () => {
    const { id } = await createEventType(key, {
      max_attendees: 3,
      booking_cap: 2,
      booking_cap_period: 'daily',
    })
    await bookAsAnother(id, START)
    expect(await reasonsAt(id, START, '&seats=2')).toEqual([])
    expect(await reasonsAt(id, START, '&seats=3')).toEqual([{ code: 'session_full' }])
    const { body: booked } = await bookAsAnother(id, START)
    expect(await reasonsAt(id, START)).toEqual([{ code: 'cap_reached' }])
    expect(await reasonsAt(id, START, '&seats=4')).toEqual([
      { code: 'session_full' },
      { code: 'cap_reached' },
    ])
    const others = await createEventType(key, { max_attendees: 2, duration_options: [30, 60] })
    const { body: longer } = await bookAsAnother(others.id, START, { duration: 60 })
    expect(await reasonsAt(others.id, START)).toEqual([{ code: 'booked', booking_id: longer.id }])
    expect(booked.id).not.toBe(longer.id)
  })

  it('by the bookings in the session, even if the one who began it has left', async () => {
    const { id, second } = await leftByFirst(organization, START, { duration_options: [30, 60] })
    expect(await reasonsAt(id, START, '&duration=60')).toEqual([{ code: 'booked', booking_id: second.id }])
  })

  it('by each host: hours, time off, bookings, calendars and limits, all of them if nobody is free', async () => {
    const { id } = await createEventType(key, { assignment_strategy: 'round_robin' }, HOURS)
    const [sleeper, away, taken, busy, full] = await addHosts(organization, key, id, 5)
    const scheduleId = await insertSchedule(organization, 'live', {
      memberId: sleeper!,
      rules: daily(['12:00', '13:00']),
    })
    await env.DB.prepare('UPDATE organizations SET hours_version = 1 WHERE id = ?')
      .bind(organization.id)
      .run()
    const timeOffId = await insertTimeOff(organization, 'live', away!, START, START + HOUR_MS)
    const elsewhere = await createEventType(key, { assignment_strategy: 'round_robin' })
    await addHost(key, elsewhere.id, taken!)
    const { body: booked } = await bookAsAnother(elsewhere.id, START)
    const calendarId = await insertConnection(organization, 'live', { memberId: busy! })
    await env.DB.batch([
      env.DB.prepare(
        "INSERT INTO calendar_busy_times (connection_id, event_id, starts_at, ends_at) VALUES (?, 'e', ?, ?)",
      ).bind(calendarId, START + MINUTE_MS, START + 2 * MINUTE_MS),
      env.DB.prepare('UPDATE calendar_connections SET last_sync_at = ? WHERE id = ?').bind(DAY, calendarId),
    ])
    await setLimits(full!, { perDay: 1 })
    const another = await createEventType(key, { assignment_strategy: 'round_robin' })
    await addHost(key, another.id, full!)
    await bookAsAnother(another.id, START + 5 * HOUR_MS)

    const expected = [
      { code: 'outside_host_hours', schedule_id: scheduleId },
      { code: 'time_off', time_off_id: timeOffId },
      { code: 'booked', booking_id: booked.id },
      { code: 'busy_calendar', calendar_connection_id: calendarId, busy_as_of: iso(DAY) },
      { code: 'host_limit' },
    ]
    const { body } = await explain(id, START)
    const told = body.hosts.map(({ reasons, ...host }: any) => [
      host,
      reasons.map(({ message: _, ...one }: Told) => one),
    ])
    expect(told).toEqual(
      [sleeper, away, taken, busy, full].map((member_id, at) => [
        { member_id, bookable: false },
        [expected[at]],
      ]),
    )
    expect(await reasonsAt(id, START)).toEqual(expected)
    expect(await dryRun(id, START)).toBe(409)
    expect(await reasonsAt(id, START + 2 * HOUR_MS)).toEqual([])

    await call('PATCH', `/v1/event-types/${id}`, { key, body: { assignment_strategy: 'none' } })
    expect(new Set(await reasonsAt(id, START))).toEqual(new Set(expected))
  })

  it('by the lack of hosts', async () => {
    const { id } = await createEventType(key, { assignment_strategy: 'round_robin' })
    expect(await reasonsAt(id, START)).toEqual([{ code: 'no_hosts' }])
    const theirs = await createEventType(key, { hours_from: 'hosts' })
    expect(await reasonsAt(theirs.id, START)).toEqual([{ code: 'no_hosts' }])
    await addHost(key, theirs.id, (await createMember(organization)).id)
    expect(await reasonsAt(theirs.id, START)).toEqual([{ code: 'outside_host_hours' }])
  })

  it('by the schedule that replaces the hours', async () => {
    const schedule_id = await insertSchedule(organization, 'live', {
      rules: HOURS,
      overrides: [{ date: dateOf(DAY), intervals: [] }],
    })
    const { id } = await createEventType(key, { schedule_id })
    expect(await reasonsAt(id, START)).toEqual([{ code: 'date_closed', schedule_id }])
    expect(await reasonsAt(id, START + 20 * HOUR_MS)).toEqual([{ code: 'outside_hours', schedule_id }])
  })

  it('by a lost calendar if the event type closes then', async () => {
    const other = await createOrganization()
    const { id } = await createEventType(other.liveKey, { calendar_outage: 'closed' })
    const calendar = await insertConnection(other, 'live')
    await env.DB.prepare('UPDATE calendar_connections SET lost_at = 1 WHERE id = ?').bind(calendar).run()
    expect(await reasonsAt(id, START, '', other.liveKey)).toEqual([
      { code: 'busy_calendar', calendar_connection_id: calendar },
    ])
  })

  it('by its hold, until that expires, and then by the waitlist entries it is reserved for', async () => {
    const sandbox = await createOrganization()
    const { testKey } = sandbox
    const { id } = await createEventType(testKey, { waitlist_enabled: true, price_amount: 5_000 })
    await call('PUT', '/v1/test-data/clock', { key: testKey, body: { now: iso(START - 2 * HOUR_MS) } })
    const held = await call('POST', '/v1/holds', {
      key: testKey,
      body: { event_type_id: id, start_time: iso(START) },
    })
    expect(await reasonsAt(id, START, '', testKey)).toEqual([{ code: 'held', hold_id: held.body.id }])
    const { body: unpaid } = await book(id, START + HOUR_MS)
    expect(await reasonsAt(id, START + HOUR_MS, '', testKey)).toEqual([
      { code: 'booked', booking_id: unpaid.id },
    ])
    const setClock = (now: number) =>
      env.DB.prepare('UPDATE organizations SET sandbox_now = ? WHERE id = ?').bind(now, sandbox.id).run()
    await setClock(START - HOUR_MS)
    expect(await reasonsAt(id, START, '', testKey)).toEqual([])
    await setClock(START - 2 * HOUR_MS)
    const waits = bookingInput(id, START, { invitee_email: `${unique('w')}@example.com` })
    expect((await call('POST', '/v1/waitlist', { body: waits })).status).toBe(201)
    await setClock(START - HOUR_MS)
    expect(await reasonsAt(id, START, '', testKey)).toEqual([{ code: 'owed_to_waitlist' }])
    expect(await dryRun(id, START, testKey)).toBe(409)
  })

  it('by the waitlist entries that released time is reserved for, and by nothing else', async () => {
    const { id } = await createEventType(key, { waitlist_enabled: true })
    const { body: booked } = await book(id, START)
    const body = bookingInput(id, START, { invitee_email: `${unique('w')}@example.com`, start_time: null })
    await call('POST', '/v1/waitlist', { body })
    await env.DB.batch([
      env.DB.prepare('DELETE FROM holds WHERE holder_id = ?').bind(booked.id),
      env.DB.prepare("UPDATE bookings SET status = 'cancelled' WHERE id = ?").bind(booked.id),
      ...[START, START + HOUR_MS].map((start) =>
        env.DB.prepare(
          'INSERT INTO freed_times (event_type_id, source, starts_at, ends_at) VALUES (?, ?, ?, ?)',
        ).bind(id, unique('source'), start, start + HALF_HOUR_MS),
      ),
    ])
    expect(await reasonsAt(id, START)).toEqual([{ code: 'owed_to_waitlist' }])
    expect(await reasonsAt(id, START + HOUR_MS)).toEqual([])
    expect([await dryRun(id, START), await dryRun(id, START + HOUR_MS)]).toEqual([409, 201])
  })

  it('by the clock of its sandbox', async () => {
    const { testKey } = organization
    const { id } = await createEventType(testKey)
    await call('PUT', '/v1/test-data/clock', { key: testKey, body: { now: iso(START) } })
    expect(await reasonsAt(id, START - HALF_HOUR_MS, '', testKey)).toEqual([{ code: 'in_past' }])
    expect(await reasonsAt(id, START, '', testKey)).toEqual([])
    expect((await explain(id, START)).status).toBe(404)
  })
})

/** Everything in order: the parts follow each other, from the first instant of the day to its last. */
function expectWhole(body: any, hours: number): void {
  const parts = [...body.open, ...body.closed].sort((a, b) => (a.start_time < b.start_time ? -1 : 1))
  for (const [at, part] of parts.entries()) {
    expect(part.start_time < part.end_time).toBe(true)
    if (at > 0) expect(part.start_time).toBe(parts[at - 1].end_time)
  }
  const length = Date.parse(parts.at(-1).end_time) - Date.parse(parts[0].start_time)
  expect(length).toBe(hours * HOUR_MS)
}

describe('a day is explained', () => {
  it('as a whole, with the reasons of each part', async () => {
    const { id } = await createEventType(key, {}, HOURS)
    const { body: booked } = await book(id, START + HOUR_MS)
    const { status, body } = await explainDay(id, dateOf(DAY))
    expect(status).toBe(200)
    expectWhole(body, 24)
    const at = (hour: number) => iso(DAY + hour * HOUR_MS)
    expect(body).toEqual({
      date: dateOf(DAY),
      timezone: 'UTC',
      open: [
        { start_time: at(9), end_time: at(10) },
        { start_time: at(10.5), end_time: at(17) },
      ],
      closed: [
        { start_time: at(0), end_time: at(9), reasons: [expect.objectContaining({ code: 'outside_hours' })] },
        {
          start_time: at(10),
          end_time: at(10.5),
          reasons: [expect.objectContaining({ code: 'booked', booking_id: booked.id })],
        },
        {
          start_time: at(17),
          end_time: at(24),
          reasons: [expect.objectContaining({ code: 'outside_hours' })],
        },
      ],
    })
  })

  it.for([
    ['2027-03-14', 23],
    ['2027-11-07', 25],
    ['2027-06-01', 24],
  ] as const)('with the hours that %s has, %i', async ([date, hours]) => {
    const { id } = await createEventType(key, { timezone: 'America/New_York' }, daily(['00:30', '03:30']))
    const { body } = await explainDay(id, date, 'America/New_York')
    expectWhole(body, hours)
    const day = Date.parse(body.closed[0].start_time)
    for (let minute = 0; minute < hours * 60; minute += 47) {
      const start = day + minute * MINUTE_MS
      const told = await explain(id, start)
      const closed = body.closed.find(
        (part: any) => Date.parse(part.start_time) <= start && start < Date.parse(part.end_time),
      )
      if (closed) expect([minute, told.body.reasons]).toEqual([minute, closed.reasons])
      else expect(told.body.reasons.map(({ code }: Told) => code)).not.toContain('outside_host_hours')
    }
  })

  it('with each reason once if it has several hosts, and by host if requested', async () => {
    const { id } = await createEventType(key, { assignment_strategy: 'round_robin' }, HOURS)
    const hosts = await addHosts(organization, key, id, 12)
    for (const [at, memberId] of hosts.entries()) {
      const rules = daily(['09:00', '17:00'])
      await insertSchedule(organization, 'live', { memberId, rules })
      const from = START + HOUR_MS + at * MINUTE_MS
      await insertTimeOff(organization, 'live', memberId, from, START + 3 * HOUR_MS)
    }
    await env.DB.prepare('UPDATE organizations SET hours_version = 1 WHERE id = ?')
      .bind(organization.id)
      .run()
    const [short, long] = await Promise.all(
      ['', '&hosts=true'].map((query) => explainDay(id, dateOf(DAY), 'UTC', query)),
    )
    expectWhole(short!.body, 24)
    expect(short!.body.open).toEqual(long!.body.open)
    const closed = short!.body.closed.map(({ reasons }: any) => reasons)
    for (const reason of closed.flat()) expect(Object.keys(reason)).toEqual(['code', 'message'])
    const codes = closed.map((reasons: readonly Told[]) => reasons.map(({ code }) => code))
    expect(codes.filter((one: string[]) => one.includes('time_off'))).toEqual([['time_off']])
    const offIds = long!.body.closed.flatMap(({ reasons }: any) => reasons.map((one: any) => one.time_off_id))
    expect(new Set(offIds.filter(Boolean)).size).toBe(12)
  })

  it('today: what has passed is past', async () => {
    const { id } = await createEventType(key)
    const { body } = await explainDay(id, dateOf(dayFromNow(0)))
    expectWhole(body, 24)
    expect(body.closed[0]?.reasons[0]?.code ?? 'in_past').toBe('in_past')
    const gone = await explainDay(id, '2020-02-29')
    expect(gone.body).toMatchObject({ open: [], closed: [{ reasons: [{ code: 'in_past' }] }] })
    expectWhole(gone.body, 24)
  })

  it('of an event type that takes no bookings', async () => {
    const { id } = await createEventType(key, { active: false }, HOURS)
    const { body } = await explainDay(id, dateOf(DAY))
    expect(body.open).toEqual([])
    expect(body.closed.map(({ reasons }: any) => reasons.map(({ code }: Told) => code))).toEqual([
      ['inactive', 'outside_hours'],
      ['inactive'],
      ['inactive', 'outside_hours'],
    ])
  })
})

it('says what is wrong with a question', async () => {
  const { id } = await createEventType(key)
  const wrong: [string, string][] = [
    ['', 'start_time'],
    ['start_time=2027-01-01', 'start_time'],
    ['date=2027-01-01', 'timezone'],
    ['timezone=UTC', 'date'],
    ['date=2027-02-30&timezone=UTC', 'date'],
    ['date=1969-01-01&timezone=UTC', 'date'],
    ['date=2027-01-01&timezone=Mars', 'timezone'],
    [`start_time=${iso(START)}&date=2027-01-01`, 'date'],
    [`start_time=${iso(START)}&timezone=UTC`, 'timezone'],
    [`start_time=${iso(START)}&seats=0`, 'seats'],
    [`start_time=${iso(START)}&duration=x`, 'duration'],
    [`start_time=${iso(START)}&dry_run=true`, 'dry_run'],
    ['date=2027-01-01&timezone=UTC&hosts=yes', 'hosts'],
  ]
  for (const [query, field] of wrong) {
    const { status, body } = await call('GET', `/v1/event-types/${id}/explain?${query}`, { key })
    expect([query, status, Object.keys(body.error.details)]).toEqual([query, 400, [field]])
  }
  await call('DELETE', `/v1/event-types/${id}`, { key })
  expect((await explain(id, START)).status).toBe(404)
})
