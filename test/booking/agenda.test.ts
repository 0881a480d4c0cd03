import { env } from 'cloudflare:workers'
import { beforeAll, describe, expect, it } from 'vitest'
import worker from '../../src/index.ts'
import { agenda, DAY, HOUR_MS, TEN } from '../support/agenda.ts'
import { call, freshAddress } from '../support/app.ts'
import { insertConnection } from '../support/connections.ts'
import { countedEnv } from '../support/counted-env.ts'
import {
  book,
  createEventType,
  createOrganization,
  dateOf,
  iso,
  type Organization,
} from '../support/factories.ts'
import { addHost, addHosts, createMember } from '../support/hosts.ts'
import { daily, insertSchedule, insertTimeOff } from '../support/hours.ts'
import { createRoom } from '../support/rooms.ts'

const DAY_MS = 24 * HOUR_MS

/** How many of each list there are, without the empty ones. */
async function counts(key: string, query = '') {
  const lists = Object.entries(await agenda(key, query)).map(([name, list]) => [name, list.length])
  return Object.fromEntries(lists.filter(([, length]) => length !== 0))
}

const asInvitee = (number: number, more: Record<string, unknown> = {}) => ({
  invitee_email: `invitee-${number}@example.com`,
  ...more,
})

describe('the agenda', () => {
  it('shows a booking once, with its host, until it is cancelled', async () => {
    const { liveKey: key, ...organization } = await createOrganization()
    const { id } = await createEventType(key, { assignment_strategy: 'round_robin' })
    const [host] = await addHosts({ ...organization, liveKey: key }, key, id, 1)
    const { body } = await book(id, TEN)
    const lists = await agenda(key)
    expect(lists.bookings).toEqual([
      {
        id: body.id,
        event_type_id: id,
        member_id: host,
        start_time: iso(TEN),
        end_time: iso(TEN + HOUR_MS / 2),
        status: 'confirmed',
        invitee_name: 'Ada Lovelace',
      },
    ])
    expect([lists.sessions, lists.requests, lists.holds, lists.together]).toEqual([[], [], [], []])
    expect(JSON.stringify(lists)).not.toContain('token')
    await call('POST', `/v1/bookings/${body.id}/cancel`, { key, body: {} })
    expect((await agenda(key)).bookings).toEqual([])
  })

  it('fits any booking into 350 bytes', async () => {
    const { liveKey: key, ...organization } = await createOrganization()
    const { id } = await createEventType(key, { assignment_strategy: 'round_robin' })
    await addHosts({ ...organization, liveKey: key }, key, id, 1)
    const names = ['ж'.repeat(100), '👩‍🚀'.repeat(30), '"\\'.repeat(60), 'Ada Lovelace']
    for (const [at, invitee_name] of names.entries())
      await book(id, TEN + at * HOUR_MS, asInvitee(at, { invitee_name }))
    await env.DB.prepare(`UPDATE bookings SET status = 'rescheduled' WHERE event_type_id = ?`).bind(id).run()
    const { bookings } = await agenda(key)
    const bytes = bookings.map((one) => new TextEncoder().encode(JSON.stringify(one)).length)
    expect([bytes.length, Math.max(...bytes) <= 350]).toEqual([4, true])
    expect(bookings.map(({ invitee_name }) => invitee_name.at(-1))).toEqual(['…', '…', '…', 'e'])
  })

  it('shows seats in their session only, with what is taken and held', async () => {
    const { liveKey: key } = await createOrganization()
    const { id } = await createEventType(key, { max_attendees: 5 })
    const booked = [(await book(id, TEN, asInvitee(1))).body.id, (await book(id, TEN, asInvitee(2))).body.id]
    await call('POST', '/v1/holds', { body: { event_type_id: id, start_time: iso(TEN) } })
    const { sessions, bookings, holds } = await agenda(key)
    expect(sessions).toMatchObject([
      { event_type_id: id, member_id: null, seats: 5, taken: 3, booking_ids: booked.sort() },
    ])
    expect(bookings).toEqual([])
    expect(holds).toMatchObject([{ event_type_id: id, seats: 1, start_time: iso(TEN) }])
  })

  it('shows requests with their deadline until it has passed', async () => {
    const { liveKey: key } = await createOrganization()
    const { id } = await createEventType(key, { requires_approval: true })
    const group = await createEventType(key, { requires_approval: true, max_attendees: 3 })
    const { body } = await book(id, TEN)
    const { body: seat } = await book(group.id, TEN, asInvitee(2))
    const { requests, bookings, sessions } = await agenda(key)
    expect(requests.map((one) => one.id).sort()).toEqual([body.id, seat.id].sort())
    expect(requests.every(({ expires_at }) => Date.parse(expires_at) > Date.now())).toBe(true)
    expect(bookings).toEqual([])
    expect(sessions).toMatchObject([{ taken: 1, booking_ids: [seat.id] }])
    const end = env.DB.prepare('UPDATE slot_holds SET expires_at = 1 WHERE booking_id IN (?, ?)')
    await end.bind(body.id, seat.id).run()
    expect(await counts(key)).toEqual({ open_hours: 2 })
  })

  it('shows what overlaps the range, by dates of the organization or by instants', async () => {
    const { liveKey: key } = await createOrganization({ timezone: 'Asia/Tokyo' })
    const { id } = await createEventType(key, { duration_minutes: 120, slot_interval_minutes: 30 })
    // Midnight in Tokyo is 15:00 UTC of the day before.
    const midnight = DAY - 9 * HOUR_MS
    for (const [at, start] of [midnight - HOUR_MS, midnight + 23 * HOUR_MS].entries())
      await book(id, start, asInvitee(at))
    const shown = async (from: string, to: string) => {
      const { body } = await call('GET', `/v1/agenda?from=${from}&to=${to}`, { key })
      return body.bookings.length
    }
    expect(await shown(dateOf(DAY), dateOf(DAY))).toBe(2)
    expect(await shown(dateOf(DAY - DAY_MS), dateOf(DAY - DAY_MS))).toBe(1)
    expect(await shown(iso(midnight + HOUR_MS), iso(midnight + 23 * HOUR_MS))).toBe(0)
    expect(await shown(iso(midnight), iso(midnight + 23 * HOUR_MS + 1))).toBe(2)
  })

  it('lists everybody who hosts together, and shows it in the agenda of each', async () => {
    const organization = await createOrganization()
    const { liveKey: key } = organization
    const { id } = await createEventType(key, { assignment_strategy: 'none' })
    const hosts = await addHosts(organization, key, id, 2)
    const { body } = await book(id, TEN)
    expect((await agenda(key)).together).toEqual([{ id: body.id, member_ids: hosts.sort() }])
    for (const host of hosts) {
      const { bookings, together } = await agenda(key, `&member_id=${host}`)
      expect([bookings.length, together.length]).toEqual([1, 1])
    }
  })

  it('lists a required host beside the one who was chosen', async () => {
    const organization = await createOrganization()
    const { liveKey: key } = organization
    const { id } = await createEventType(key, { assignment_strategy: 'round_robin' })
    const [chosen] = await addHosts(organization, key, id, 1)
    const required = (await createMember(organization)).id
    await addHost(key, id, required, { part: 'required' })
    await book(id, TEN)
    for (const query of ['', `&member_id=${chosen}`, `&member_id=${required}`]) {
      const { together } = await agenda(key, query)
      expect(together.map(({ member_ids }) => member_ids)).toEqual([[chosen!, required].sort()])
    }
  })

  it('lists all who were chosen of the pool', async () => {
    const organization = await createOrganization()
    const { liveKey: key } = organization
    const { id } = await createEventType(key, { assignment_strategy: 'round_robin', pool_size: 2 })
    const hosts = await addHosts(organization, key, id, 2)
    const { body } = await book(id, TEN)
    const both = [{ id: body.id, member_ids: hosts.sort() }]
    expect((await agenda(key)).together).toEqual(both)
    await call('PATCH', `/v1/event-types/${id}`, { key, body: { pool_size: 1 } })
    expect((await agenda(key)).together).toEqual(both)
  })

  it('lists several of the pool, also of seats and holds, and after their parts changed', async () => {
    const organization = await createOrganization()
    const { liveKey: key } = organization
    const pair = { assignment_strategy: 'round_robin', pool_size: 2 }
    const meeting = (await createEventType(key, pair)).id
    const hosts = await addHosts(organization, key, meeting, 2)
    const group = (await createEventType(key, { ...pair, max_attendees: 3 })).id
    for (const host of hosts) await addHost(key, group, host)
    await book(meeting, TEN)
    await book(group, TEN + HOUR_MS, asInvitee(1))
    const hold = { event_type_id: meeting, start_time: iso(TEN + 2 * HOUR_MS) }
    await call('POST', '/v1/holds', { body: hold })
    await call('PATCH', `/v1/event-types/${meeting}`, { key, body: { pool_size: 1 } })
    await call('DELETE', `/v1/event-types/${meeting}/hosts/${hosts[1]}`, { key })
    for (const query of ['', ...hosts.map((host) => `&member_id=${host}`)]) {
      const { bookings, sessions, holds, together } = await agenda(key, query)
      const ids = [...bookings, ...sessions, ...holds].map(({ id }) => id)
      expect(ids).toHaveLength(3)
      expect(together).toEqual(ids.map((id) => ({ id, member_ids: hosts.toSorted() })))
    }
  })

  it('shows time off of members, rooms and everybody, and hours as they are without it', async () => {
    const organization = await createOrganization()
    const { liveKey: key } = organization
    const hostless = await createEventType(key, {}, daily(['09:00', '12:00'], ['13:00', '17:00']))
    const { id } = await createEventType(key, { assignment_strategy: 'round_robin' })
    const [host] = await addHosts(organization, key, id, 1)
    await insertSchedule(organization, 'live', { memberId: host!, rules: daily(['08:00', '10:00']) })
    const room = await createRoom(key)
    const off = { start: dateOf(DAY), end: dateOf(DAY), reason: 'Holidays' }
    await call('POST', '/v1/time-off', { key, body: { resource_ids: [room.id], ...off } })
    await call('POST', '/v1/time-off', { key, body: { all: true, ...off } })
    const { time_off, open_hours } = await agenda(key)
    expect(time_off.filter(({ resource_id }) => resource_id === room.id)).toHaveLength(1)
    const nobody = time_off.filter(({ member_id, resource_id }) => member_id === null && resource_id === null)
    expect(nobody).toMatchObject([{ start_time: iso(DAY), end_time: iso(DAY + DAY_MS), reason: 'Holidays' }])
    expect(time_off.filter(({ member_id }) => member_id === host)).toHaveLength(1)
    const at = (hour: number) => iso(DAY + hour * HOUR_MS)
    expect(open_hours).toEqual([
      { member_id: host, start_time: at(8), end_time: at(10) },
      { event_type_id: hostless.id, start_time: at(9), end_time: at(12) },
      { event_type_id: hostless.id, start_time: at(13), end_time: at(17) },
    ])
  })

  it('opens a member in all hours of what they host, and others in their own', async () => {
    const organization = await createOrganization()
    const { liveKey: key } = organization
    const mornings = await createEventType(key, {}, daily(['08:00', '12:00']))
    const [host, other] = await addHosts(organization, key, mornings.id, 2)
    const late = await createEventType(key, {}, daily(['11:00', '20:00']))
    await addHost(key, late.id, host!)
    await call('DELETE', `/v1/event-types/${mornings.id}/hosts/${other}`, { key })
    await insertSchedule(organization, 'live', { memberId: host!, rules: daily(['09:00', '18:00']) })
    await insertSchedule(organization, 'live', { memberId: other!, rules: daily(['06:00', '07:00']) })
    const hours = async (query = '') =>
      (await agenda(key, query)).open_hours.map(({ member_id, start_time, end_time }) => [
        member_id === host ? 'host' : 'other',
        (Date.parse(start_time) - DAY) / HOUR_MS,
        (Date.parse(end_time) - DAY) / HOUR_MS,
      ])
    expect(await hours()).toEqual([
      ['other', 6, 7],
      ['host', 9, 18],
    ])
    expect(await hours(`&event_type_id=${late.id}`)).toEqual([['host', 11, 18]])
    await call('PATCH', `/v1/event-types/${late.id}`, { key, body: { active: false } })
    expect(await hours(`&member_id=${host}`)).toEqual([['host', 9, 12]])
  })

  it('shows busy times of calendars without titles', async () => {
    const organization = await createOrganization()
    const { liveKey: key } = organization
    const { id } = await createEventType(key, { assignment_strategy: 'round_robin' })
    const [host] = await addHosts(organization, key, id, 1)
    const connection = await insertConnection(organization, 'live', { memberId: host! })
    const insert = env.DB.prepare(
      'INSERT INTO calendar_busy_times (connection_id, event_id, starts_at, ends_at) VALUES (?, ?, ?, ?)',
    )
    await insert.bind(connection, 'dentist', TEN, TEN + HOUR_MS).run()
    await insert.bind(connection, 'earlier', DAY - 2 * HOUR_MS, DAY).run()
    await insert.bind(connection, 'long', DAY - 6 * DAY_MS, DAY + HOUR_MS).run()
    const times = { member_id: host, resource_id: null, calendar_connection_id: connection }
    expect((await agenda(key)).busy).toEqual([
      { ...times, start_time: iso(DAY - 6 * DAY_MS), end_time: iso(DAY + HOUR_MS) },
      { ...times, start_time: iso(TEN), end_time: iso(TEN + HOUR_MS) },
    ])
    const unchecked = env.DB.prepare('UPDATE calendar_connections SET checks_busy = 0 WHERE id = ?')
    await unchecked.bind(connection).run()
    expect((await agenda(key)).busy).toEqual([])
  })

  it('keeps the data of the sandbox apart', async () => {
    const { liveKey, testKey } = await createOrganization()
    const { id } = await createEventType(testKey)
    await book(id, TEN)
    expect(await counts(testKey)).toEqual({ bookings: 1, open_hours: 1 })
    expect(await counts(liveKey)).toEqual({})
  })
})

describe('the filters of the agenda', () => {
  let organization: Organization
  let key: string
  let room: string
  let [one, other]: string[] = []
  let [single, group, hostless]: string[] = []

  beforeAll(async () => {
    organization = await createOrganization()
    key = organization.liveKey
    room = (await createRoom(key)).id
    const requires = [{ resource_ids: [room], count: 1 }]
    single = (await createEventType(key, { assignment_strategy: 'round_robin', requires })).id
    ;[one] = await addHosts(organization, key, single!, 1)
    group = (await createEventType(key, { assignment_strategy: 'round_robin', max_attendees: 3 })).id
    ;[other] = await addHosts(organization, key, group!, 1)
    hostless = (await createEventType(key)).id
    await book(single!, TEN)
    await book(group!, TEN, asInvitee(1))
    await book(group!, TEN, asInvitee(2))
    await book(hostless!, TEN, asInvitee(3))
    const hold = (event_type_id: string) =>
      call('POST', '/v1/holds', { body: { event_type_id, start_time: iso(TEN + HOUR_MS) } })
    await hold(single!)
    await hold(group!)
    await hold(hostless!)
    for (const member of [one!, other!]) await insertTimeOff(organization, 'live', member, DAY, DAY + HOUR_MS)
  })

  it('show everything of a member, an event type or a room, and nothing of others', async () => {
    expect(await counts(key)).toEqual({ bookings: 2, sessions: 2, holds: 3, time_off: 2, open_hours: 3 })
    const ofOne = { bookings: 1, holds: 1, time_off: 1, open_hours: 1 }
    expect(await counts(key, `&member_id=${one}`)).toEqual(ofOne)
    expect(await counts(key, `&event_type_id=${single}`)).toEqual(ofOne)
    expect(await counts(key, `&resource_id=${room}`)).toEqual(ofOne)
    expect(await counts(key, `&member_id=${one}&event_type_id=${single}&resource_id=${room}`)).toEqual(ofOne)
    const ofGroup = { sessions: 2, holds: 1, time_off: 1, open_hours: 1 }
    expect(await counts(key, `&member_id=${other}`)).toEqual(ofGroup)
    expect(await counts(key, `&event_type_id=${group}`)).toEqual(ofGroup)
    expect(await counts(key, `&event_type_id=${hostless}`)).toEqual({ bookings: 1, holds: 1, open_hours: 1 })
  })

  it('show together what has all of them', async () => {
    expect(await counts(key, `&member_id=${other}&event_type_id=${single}`)).toEqual({ time_off: 1 })
    expect(await counts(key, `&member_id=${other}&resource_id=${room}`)).toEqual({ time_off: 1 })
  })

  it.each(['member_id', 'event_type_id', 'resource_id'])('find no %s of others', async (name) => {
    const ids = { member_id: one, event_type_id: single, resource_id: room } as Record<string, string>
    const foreign = await createOrganization()
    for (const [id, who] of [
      [ids[name], foreign.liveKey],
      ['nothing', key],
      [crypto.randomUUID(), key],
    ] as const) {
      const path = `/v1/agenda?from=${dateOf(DAY)}&to=${dateOf(DAY)}&${name}=${id}`
      const { status, body } = await call('GET', path, { key: who })
      expect([status, body.error.code]).toEqual([404, 'not_found'])
    }
  })
})

describe('the range of an agenda', () => {
  const MARCH = '2026-03-01'

  it.each([
    ['', 'from'],
    [`from=${MARCH}`, 'to'],
    [`from=soon&to=${MARCH}`, 'from'],
    [`from=${MARCH}&to=2026-02-28`, 'to'],
    ['from=2026-03-01T10:00:00Z&to=2026-03-01T10:00:00Z', 'to'],
    [`from=${MARCH}&to=2026-04-12`, 'to'],
    ['from=2026-03-01T00:00:00Z&to=2026-04-12T00:00:00.001Z', 'to'],
  ])('is refused with its field if it is "%s"', async (query, field) => {
    const { liveKey: key } = await createOrganization()
    const { status, body } = await call('GET', `/v1/agenda?${query}`, { key })
    expect([status, body.error.code]).toEqual([400, 'validation_error'])
    expect(Object.keys(body.error.details)).toContain(field)
  })

  it('has 42 days, also if the clocks change in it', async () => {
    const { liveKey: key } = await createOrganization({ timezone: 'Europe/Berlin' })
    const path = '/v1/agenda?from=2026-10-01&to=2026-11-11'
    expect((await call('GET', path, { key })).status).toBe(200)
    const longer = async (to: string, from = '2026-10-01') =>
      (await call('GET', `/v1/agenda?from=${from}&to=${to}`, { key })).body.error.details.to
    expect(await longer('2026-11-12')).toBe('Must be at most 41 days after the start.')
    expect(await longer('2026-11-12T00:00:01Z', '2026-10-01T00:00:00Z')).toBe(
      'Must be at most 42 days after the start.',
    )
  })
})

describe('the cost of an agenda', () => {
  it('is two round trips, and the rows of what is shown, however much else there is', async () => {
    const organization = await createOrganization()
    const { liveKey: key } = organization
    const { id } = await createEventType(key, { assignment_strategy: 'round_robin' })
    const [host] = await addHosts(organization, key, id, 1)
    const room = (await createRoom(key)).id
    const group = await createEventType(key, { max_attendees: 3 })
    const costOf = async (query: string) => {
      const { trips, ran, env: watched } = countedEnv()
      const path = `/v1/agenda?from=${dateOf(DAY)}&to=${dateOf(DAY)}${query}`
      const headers = { Authorization: `Bearer ${key}`, 'CF-Connecting-IP': freshAddress() }
      const request = new Request(`https://holdfast.test${path}`, { headers })
      await worker.fetch(request as Parameters<typeof worker.fetch>[0], watched)
      const own = ran.filter(({ sql }) => !/api_keys/.test(sql))
      const read = own.reduce((sum, one) => sum + one.read, 0)
      return { trips: trips.count - (ran.length - own.length), statements: own.length, read }
    }
    const queries = ['', `&member_id=${host}`, `&event_type_id=${id}`, `&resource_id=${room}`]
    const costs = async () => Promise.all(queries.map(costOf))
    await book(id, TEN)
    await book(group.id, TEN)
    await book(id, TEN + DAY_MS, asInvitee(2))
    await costs()
    const before = await costs()
    for (const { trips, statements } of before) expect([trips, statements]).toEqual([2, 12])
    // A thousand bookings on other days.
    await env.DB.batch([
      env.DB.prepare(
        `INSERT INTO bookings (id, organization_id, event_type_id, is_test, status, start_time, end_time, invitee_name,
           invitee_email, invitee_timezone, metadata, attendees, assigned_host_id, created_at, updated_at)
         WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 1000)
         SELECT printf('0192f1e0-7c11-7000-8000-%012x', random() & 0xffffffffffff), ?1, ?2, 0, 'confirmed', ?3 + i * 3600000,
           ?3 + i * 3600000 + 1800000, 'Ada', 'ada@example.com', 'UTC', '{}', '[]', ?4, 1, 1 FROM n`,
      ).bind(organization.id, id, DAY + 10 * DAY_MS, host!),
      env.DB.prepare(
        `INSERT INTO holds (resource_id, starts_at, ends_at, holder_id, meets_at)
         SELECT assigned_host_id, start_time, end_time, id, start_time FROM bookings WHERE start_time > ?1 AND event_type_id = ?2`,
      ).bind(DAY + 10 * DAY_MS, id),
    ])
    expect(await costs()).toEqual(before)
    // Three hundred requests on other days, which wait for days.
    await env.DB.prepare(
      `INSERT INTO slot_holds (id, organization_id, event_type_id, is_test, purpose, status, start_time, end_time, seats,
         metadata, credited_ids, is_assignment, expires_at, booking_id, created_at, updated_at)
       SELECT id, organization_id, event_type_id, 0, 'approval', 'held', start_time, end_time, 1, '{}', '[]', 0, ?1, id, 1, 1
       FROM bookings WHERE event_type_id = ?2 AND start_time > ?3 LIMIT 300`,
    )
      .bind(Date.now() + 2 * DAY_MS, id, DAY + 10 * DAY_MS)
      .run()
    expect(await costs()).toEqual(before)
    // Each list of a room asks about fifty units.
    const [whole, ofMember, ofEventType, ofRoom] = before.map(({ read }) => read)
    expect(Math.max(whole!, ofMember!, ofEventType!)).toBeLessThan(90)
    expect(ofRoom).toBeLessThan(90 + 3 * 2 * 50)
  })
})
