import { env } from 'cloudflare:workers'
import { describe, expect, it } from 'vitest'
import { findSlotsToMove } from '../../src/booking/slots/find-open-slots.ts'
import type { Schedule } from '../../src/engine/schedule/schedule.ts'
import worker from '../../src/index.ts'
import type { Context } from '../../src/platform/http/context.ts'
import { call, freshAddress } from '../support/app.ts'
import { addBusyHosts } from '../support/busy-hosts.ts'
import { amount, chance, SEED, SOAK_TIMEOUT_MS } from '../support/chance.ts'
import { countedEnv } from '../support/counted-env.ts'
import {
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
import { addHost, createMember } from '../support/hosts.ts'
import { daily, insertSchedule, insertTimeOff, setLimits } from '../support/hours.ts'
import { FIRST, storm } from '../support/hours-operations.ts'
import { makeWorld } from '../support/hours-world.ts'
import { searchWhole } from '../support/search-whole.ts'

const HOUR_MS = 3_600_000
const DAY_MS = 24 * HOUR_MS
const DAY = dayFromNow(2)

type Range = { readonly start: number; readonly end: number }
type Chance = ReturnType<typeof chance>

function pathOf(ids: readonly string[], { start, end }: Range, limit: number): string {
  return `/v1/availability/search?event_type_ids=${ids.join()}&from=${iso(start)}&to=${iso(end)}&limit=${limit}`
}

/** A search answers what reading everything would, whatever was asked before. */
async function same(ids: readonly string[], range: Range, limit: number): Promise<number> {
  const path = pathOf(ids, range, limit)
  const { status, body } = await call('GET', path)
  expect([path, status, body.data]).toEqual([path, 200, await searchWhole(ids, range, limit)])
  return body.data.length
}

/** Several event types at once, over more or less of the weeks after `first`; and a few days of one alone, to the last start. */
async function compare(ids: readonly string[], first: number, { below, pick }: Chance): Promise<number> {
  const start = first + below(12 * 24) * HOUR_MS + pick([0, 1, 17 * 60_000])
  const some = ids.filter(() => below(3) > 0).toSorted(() => below(3) - 1)
  const range = { start, end: start + 1 + below(31 * 24) * HOUR_MS }
  let found = some.length > 0 ? await same(some, range, pick([1, 3, 10, 40, 100])) : 0
  for (const id of ids) found += await same([id], { start, end: start + 3 * DAY_MS }, 100)
  const zones = ['UTC', 'Pacific/Kiritimati', 'America/Los_Angeles']
  for (const id of [pick(ids), pick(ids), pick(ids)]) {
    const day = first + below(20) * DAY_MS
    const dates = { start: dateOf(day), end: dateOf(day + below(30) * DAY_MS), timezone: pick(zones) }
    await sameAvailability(id, dates, pick)
  }
  return found
}

type Dates = Readonly<Record<'start' | 'end' | 'timezone', string>>

/** Availability answers what reading everything would, whatever was asked before, and what it offers can be booked. */
async function sameAvailability(id: string, dates: Dates, pick: Chance['pick']): Promise<void> {
  const about = JSON.stringify({ id, ...dates })
  const query = { event_type_id: id, ...dates }
  const { status, body } = await call('GET', `/v1/availability?${new URLSearchParams(query)}`)
  const nothing = { bookingId: '', withoutIt: (schedule: Schedule) => ({ schedule, seats: 1 }) }
  const whole = await findSlotsToMove({ env, now: Date.now() } as Context, query, nothing)
  const timesOf = (slots: readonly { start_time: string }[]) => slots.map(({ start_time }) => start_time)
  expect([about, status, timesOf(body.slots)]).toEqual([about, 200, whole.starts.map(iso)])
  expect([about, timesOf(body.waitlist_slots ?? [])]).toEqual([about, (whole.fullStarts ?? []).map(iso)])
  expect([about, body.capped ?? false]).toEqual([about, whole.isCapped])
  if (whole.starts.length === 0) {
    const next = whole.nextAvailable
    expect([about, body.next_available]).toEqual([about, next === null ? null : iso(next)])
    return
  }
  const input = { invitee_email: `${unique('dry')}@example.com` }
  const tried = await call('POST', '/v1/bookings?dry_run=true', {
    body: bookingInput(id, pick(whole.starts), input),
  })
  expect([about, tried.status, tried.body.error]).toEqual([about, 201, undefined])
}

describe(`a search in random worlds: seed ${SEED}`, () => {
  it(
    'answers what reading every schedule as a whole answers, in a sandbox with a clock of its own',
    async () => {
      const world = await makeWorld()
      const draws = chance(SEED)
      let found = 0
      for (let round = 0; round < amount(2, 100); round++) {
        await storm(world, SEED + round, 12, async () => {})
        for (let at = 0; at < 3; at++) found += await compare(world.types, FIRST - DAY_MS, draws)
        if (draws.below(3) === 0) {
          const now = iso(FIRST + draws.below(6 * 24) * HOUR_MS)
          await call('PUT', '/v1/test-data/clock', { key: world.key, body: { now } })
        }
      }
      expect(found).toBeGreaterThan(amount(10, 50))
    },
    SOAK_TIMEOUT_MS,
  )

  it(
    'does so among live event types that share hosts, calendars, caps, sessions and waitlists',
    async () => {
      const draws = chance(SEED + 7)
      const { below, pick } = draws
      let found = 0
      for (let world = 0; world < amount(1, 60); world++) {
        const { ids, act } = await liveWorld(draws)
        for (let round = 0; round < 10; round++) {
          for (let acts = 2 + below(5); acts > 0; acts--) await act(pick(ids))
          found += await compare(ids, DAY - 3 * DAY_MS, draws)
        }
      }
      expect(found).toBeGreaterThan(amount(10, 50))
    },
    SOAK_TIMEOUT_MS,
  )
})

/** Six event types and four members, put together in any way, and what may happen to them. */
async function liveWorld({ below, pick }: Chance) {
  const organization = await createOrganization()
  const key = organization.liveKey
  const maybe = (one: number) => below(one) === 0
  const members: string[] = []
  for (let made = 0; made < 4; made++) members.push((await createMember(organization)).id)
  for (const id of members) {
    if (maybe(2)) await insertSchedule(organization, 'live', { memberId: id, ...someHours({ below, pick }) })
    if (maybe(2)) await setLimits(id, { perDay: 1 + below(3), timezone: 'Asia/Kathmandu' })
    if (maybe(2)) await connect(organization, id, { below, pick })
  }
  const named = await insertSchedule(organization, 'live', someHours({ below, pick }))
  if (maybe(2)) {
    const usual = await connect(organization, pick(members), { below, pick })
    await env.DB.prepare('UPDATE organizations SET default_calendar_connection_id = ? WHERE id = ?')
      .bind(usual, organization.id)
      .run()
  }
  const ids: string[] = []
  for (let made = 0; made < 6; made++) {
    const { id } = await createEventType(
      key,
      {
        assignment_strategy: pick(['none', 'round_robin', 'least_bookings', 'availability_weighted']),
        hours_from: maybe(3) ? 'hosts' : 'own',
        waitlist_enabled: maybe(2),
        minimum_notice_minutes: maybe(3) ? 1_440 : 0,
        ...(maybe(3) && { max_attendees: 3 }),
        ...(maybe(3) && {
          booking_cap: 2,
          booking_cap_period: pick(['daily', 'weekly', 'monthly', 'total']),
        }),
        ...(maybe(4) && { schedule_id: named }),
        ...(maybe(4) && { booking_window_days: 12 }),
        ...(maybe(3) && { buffer_after_minutes: 30, slot_interval_minutes: 20 }),
        ...(maybe(3) && { calendar_outage: 'closed' }),
      },
      daily(['08:00', '12:00'], ['13:00', '16:00']),
    )
    const isHosted = below(3) > 0
    for (const member of members) if (isHosted && maybe(2)) await addHost(key, id, member)
    ids.push(id)
  }
  const someStart = () => DAY + below(10) * DAY_MS + below(48) * (HOUR_MS / 2)
  const openStart = async (id: string) => {
    const open = await searchWhole([id], { start: DAY, end: DAY + (1 + below(10)) * DAY_MS }, 200)
    return open.length > 0 ? Date.parse(pick(open).start_time) : someStart()
  }
  const acts: ((id: string) => Promise<unknown>)[] = [
    async (id) => bookAsAnother(id, await openStart(id)),
    async (id) => bookAsAnother(id, await openStart(id)),
    async (id) => {
      const body = { event_type_id: id, start_time: iso(await openStart(id)) }
      return call('POST', '/v1/holds', { key, body })
    },
    async (id) => {
      const start = await openStart(id)
      await bookAsAnother(id, start)
      const invitee_email = `${unique('w')}@example.com`
      return call('POST', '/v1/waitlist', { body: bookingInput(id, start, { invitee_email }) })
    },
    async (id) => {
      const { body } = await call('GET', `/v1/event-types/${id}/hosts`, { key })
      if (body.data.length > 0 && maybe(2)) {
        await call('DELETE', `/v1/event-types/${id}/hosts/${pick<any>(body.data).id}`, { key })
      }
    },
    () => insertTimeOff(organization, 'live', pick(members), someStart(), someStart() + 2 * DAY_MS),
    () => connect(organization, pick(members), { below, pick }),
    async (id) => {
      const query = 'SELECT id FROM bookings WHERE event_type_id = ? AND status <> ? LIMIT 1'
      const booked = await env.DB.prepare(query).bind(id, 'cancelled').first<{ id: string }>()
      if (booked) await call('POST', `/v1/bookings/${booked.id}/cancel`, { key })
    },
    // Something is held, and over although nobody has written that down.
    async (id) => {
      const body = { event_type_id: id, start_time: iso(await openStart(id)) }
      await call('POST', '/v1/holds', { key, body })
      await env.DB.batch([
        env.DB.prepare(
          "UPDATE slot_holds SET expires_at = 1 WHERE event_type_id = ? AND status = 'held'",
        ).bind(id),
        env.DB.prepare(
          `UPDATE holds SET expires_at = 1 WHERE expires_at IS NOT NULL AND holder_id IN (
             SELECT coalesce(session_id, id) FROM slot_holds WHERE event_type_id = ?)`,
        ).bind(id),
      ])
    },
    // What somebody waits for is owed to them, and they have not got it yet.
    async (id) => {
      const start = await openStart(id)
      await bookAsAnother(id, start)
      await call('POST', '/v1/waitlist', {
        body: bookingInput(id, start, { invitee_email: `${unique('w')}@example.com` }),
      })
      await env.DB.batch([
        env.DB.prepare(
          "UPDATE bookings SET status = 'cancelled' WHERE event_type_id = ? AND start_time = ?",
        ).bind(id, start),
        env.DB.prepare('DELETE FROM holds WHERE starts_at <= ?1 AND ends_at > ?1').bind(start),
      ])
    },
    (id) => call('PATCH', `/v1/event-types/${id}`, { key, body: { minimum_notice_minutes: below(3_000) } }),
  ]
  return { ids, act: (id: string) => pick(acts)(id) }
}

function someHours({ below, pick }: Pick<Chance, 'below' | 'pick'>) {
  const overrides = Array.from({ length: below(12) }, (_, at) => ({
    date: dateOf(DAY + at * 2 * DAY_MS),
    intervals: below(2) ? [] : [{ start_time: '10:00', end_time: '11:30' }],
  }))
  const timezone = pick(['UTC', 'America/New_York', 'Pacific/Apia', 'Australia/Lord_Howe'])
  return { timezone, rules: daily(['07:00', '12:00'], ['13:00', '21:00']), overrides }
}

/** A calendar of theirs that is busy now and then, and may be lost. */
async function connect(
  organization: Organization,
  memberId: string,
  { below }: Pick<Chance, 'below' | 'pick'>,
) {
  const id = unique('calendar')
  await env.DB.batch([
    env.DB.prepare(
      `INSERT INTO calendar_connections (id, organization_id, is_test, member_id, provider, account_email,
         calendar_id, provider_metadata, status, sync_status, last_sync_at, next_sync_at, connected_at, updated_at,
         account_id, lost_at) VALUES (?1, ?2, 0, ?3, 'caldav', ?1, 'work', '{}', 'active', 'connected', 1,
         ?4, 1, 1, ?1, ?5)`,
    ).bind(id, organization.id, memberId, DAY + 90 * DAY_MS, below(4) === 0 ? 1 : null),
    env.DB.prepare(
      `INSERT INTO calendar_busy_times (connection_id, event_id, starts_at, ends_at)
       WITH RECURSIVE n(at) AS (SELECT 0 UNION ALL SELECT at + 1 FROM n WHERE at < 20)
       SELECT ?1, at, ?2 + at * ?3, ?2 + at * ?3 + 5400000 FROM n`,
    ).bind(id, DAY + below(24) * HOUR_MS, (1 + below(20)) * HOUR_MS),
  ])
  return id
}

/** The rows that the database reads for a search. */
async function rowsFor(path: string): Promise<number> {
  const counted = countedEnv()
  const request = new Request(`https://holdfast.test${path}`, {
    headers: { 'CF-Connecting-IP': freshAddress() },
  })
  const response = await worker.fetch(request as Parameters<typeof worker.fetch>[0], counted.env)
  expect(response.status).toBe(200)
  return counted.ran.reduce((sum, { read }) => sum + read, 0)
}

const WINDOWS = Array.from({ length: 14 }, (_, at) => {
  const hour = String(6 + at).padStart(2, '0')
  return [`${hour}:00`, `${hour}:50`] as const
})
const YEAR = Array.from({ length: 366 }, (_, at) => ({
  date: dateOf(DAY + at * DAY_MS),
  intervals: [{ start_time: '08:00', end_time: '12:00' }],
}))

/** Event types that all have the same hosts, each of whom has a schedule of 98 rules and 366 dates. */
async function sharedTeam(types: number, hosts: number, own: readonly (readonly [string, string])[]) {
  const organization = await createOrganization()
  const ids: string[] = []
  for (let made = 0; made < types; made++) {
    const { id } = await createEventType(
      organization.liveKey,
      { assignment_strategy: 'round_robin' },
      daily(...own),
    )
    ids.push(id)
  }
  await addBusyHosts(env.DB, ids[0]!, hosts, DAY - 180 * DAY_MS)
  const members = await env.DB.prepare('SELECT member_id FROM event_type_hosts WHERE event_type_id = ?')
    .bind(ids[0])
    .all<{ member_id: string }>()
  await env.DB.batch(
    ids.slice(1).map((id) =>
      env.DB.prepare(
        `INSERT INTO event_type_hosts (id, event_type_id, member_id, resource_id, priority, weight, created_at)
         SELECT ?1 || member_id, ?1, member_id, resource_id, 50, 100, 1 FROM event_type_hosts WHERE event_type_id = ?2`,
      ).bind(id, ids[0]),
    ),
  )
  for (const { member_id } of members.results) {
    await insertSchedule(organization, 'live', {
      memberId: member_id,
      rules: daily(...WINDOWS),
      overrides: YEAR,
    })
    await env.DB.prepare(
      'INSERT INTO holds (resource_id, starts_at, ends_at, holder_id, meets_at) VALUES (?1, ?2, ?3, ?4, ?2)',
    )
      .bind(member_id, DAY + 9 * HOUR_MS, DAY + 10 * HOUR_MS, unique('holder'))
      .run()
  }
  return { organization, ids }
}

describe('a search of a few days', () => {
  const range = { start: DAY, end: DAY + 2 * DAY_MS }
  const starts = async (id: string): Promise<string[]> => {
    const { body } = await call('GET', pathOf([id], range, 100))
    return body.data.map((one: { start_time: string }) => one.start_time)
  }

  it('offers no time at which a former host still has a booking', async () => {
    const organization = await createOrganization()
    const key = organization.liveKey
    const { id } = await createEventType(key, { assignment_strategy: 'none' }, daily(['08:00', '12:00']))
    const host = await addHost(key, id, (await createMember(organization)).id)
    expect((await bookAsAnother(id, DAY + 9 * HOUR_MS)).status).toBe(201)
    expect((await call('DELETE', `/v1/event-types/${id}/hosts/${host.id}`, { key })).status).toBeLessThan(300)
    expect(await starts(id)).not.toContain(iso(DAY + 9 * HOUR_MS))
    expect(await same([id], range, 100)).toBe(15)
  })

  it('finds the rest of a week of which an earlier search needed the first day only', async () => {
    const { liveKey: key } = await createOrganization()
    const { id } = await createEventType(key, { assignment_strategy: 'none' }, daily(['08:00', '12:00']))
    const week = { start: DAY, end: DAY + 7 * DAY_MS }
    for (const limit of [1, 100, 3]) await same([id], week, limit)
    await same([id], { start: DAY + 2 * DAY_MS, end: DAY + 3 * DAY_MS }, 100)
    expect((await starts(id)).length).toBe(16)
  })

  it('offers seats that were held until they are expired', async () => {
    const { liveKey: key } = await createOrganization()
    const { id } = await createEventType(key, { max_attendees: 2 }, daily(['08:00', '12:00']))
    const start = DAY + 9 * HOUR_MS
    expect((await bookAsAnother(id, start)).status).toBe(201)
    const body = { event_type_id: id, start_time: iso(start) }
    expect((await call('POST', '/v1/holds', { key, body })).status).toBe(201)
    expect(await starts(id)).not.toContain(iso(start))
    await env.DB.prepare("UPDATE slot_holds SET expires_at = 1 WHERE event_type_id = ? AND status = 'held'")
      .bind(id)
      .run()
    // A change that is read, because nobody writes down that time has passed.
    await call('PATCH', `/v1/event-types/${id}`, { key, body: { title: 'Renamed' } })
    expect(await starts(id)).toContain(iso(start))
    await same([id], range, 100)
  })
})

describe('a search of twenty event types with thirty hosts, 98 rules and 366 dates each', () => {
  const range = { start: DAY, end: DAY + 31 * DAY_MS }

  it('reads at most 2,000 rows, and 40 for later searches with other times and another limit', async () => {
    const { organization, ids } = await sharedTeam(20, 30, [['09:00', '17:00']])
    const first = await rowsFor(pathOf(ids, range, 10))
    expect(first).toBeLessThanOrEqual(2_000)
    const later = { start: DAY + HOUR_MS, end: DAY + 9 * DAY_MS }
    const again = [
      await rowsFor(pathOf(ids, range, 10)),
      await rowsFor(pathOf(ids, later, 12)),
      await rowsFor(pathOf(ids.toReversed(), range, 3)),
    ]
    expect(Math.max(...again)).toBeLessThanOrEqual(40)
    // Whatever changes is seen at once, and is not dearer than the first time.
    await call('PATCH', `/v1/event-types/${ids[0]}`, {
      key: organization.liveKey,
      body: { minimum_notice_minutes: 60 * 24 * 20 },
    })
    expect(await rowsFor(pathOf(ids, range, 10))).toBeLessThanOrEqual(2_000 + 40)
    const { body } = await call('GET', pathOf(ids, range, 10))
    expect(body.data).toEqual(await searchWhole(ids, range, 10))
  }, 60_000)
})
