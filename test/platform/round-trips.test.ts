import { env } from 'cloudflare:workers'
import { expect, it } from 'vitest'
import { cancelBooking } from '../../src/booking/bookings/cancel-booking.ts'
import { createBooking } from '../../src/booking/bookings/create-booking.ts'
import { CreateBookingInput } from '../../src/booking/bookings/input-schema.ts'
import { rescheduleBooking } from '../../src/booking/bookings/reschedule-booking.ts'
import { selectBookingToUpdate } from '../../src/booking/bookings/update/queries.ts'
import { updateBooking } from '../../src/booking/bookings/update-booking.ts'
import { listOpenSlots } from '../../src/booking/slots/list-open-slots.ts'
import { waitlist } from '../../src/booking/waitlist/turn-waitlist.ts'
import { type CalendarLook, CalendarLooks } from '../../src/calendars/check-calendars.ts'
import { selectVersion } from '../../src/engine/schedule/statements.ts'
import { runPlan } from '../../src/engine/turn/run-plan.ts'
import { ScheduleMemory } from '../../src/engine/turn/schedule-memory.ts'
import type { Queries, Verb } from '../../src/engine/turn/verb.ts'
import type { Env } from '../../src/env.ts'
import { openDb } from '../../src/platform/db/client.ts'
import { looseId } from '../../src/platform/db/ids.ts'
import { realNow } from '../../src/platform/limits/clock.ts'
import type { Message } from '../../src/platform/queue/messages.ts'
import { handleEvent } from '../../src/worker/jobs/handle-event.ts'
import { call } from '../support/app.ts'
import { addBusyHosts } from '../support/busy-hosts.ts'
import { countedEnv } from '../support/counted-env.ts'
import {
  bookingInput,
  createEventType,
  createOrganization,
  dateOf,
  dayFromNow,
  type Organization,
} from '../support/factories.ts'
import { daily } from '../support/hours.ts'
import { serviceWith } from '../support/service-with.ts'

const HOUR_MS = 3_600_000
const SLOT = dayFromNow(3) + 10 * HOUR_MS

/** A calendar that has an event on every day, and says so at once. */
const lookQuietly: CalendarLook = async (_env, _accountId, { range: { start } }) => ({
  value: [{ uid: 'night', busy: [{ start, end: start + HOUR_MS }] }],
})

/** Each host of the event type has a calendar, which is as busy as they are. */
async function connectHosts(organization: Organization, eventTypeId: string, first: number) {
  await env.DB.batch([
    env.DB.prepare(
      `INSERT INTO calendar_connections (id, organization_id, is_test, member_id, provider, account_email,
         calendar_id, provider_metadata, status, sync_status, last_sync_at, next_sync_at, connected_at, updated_at,
         account_id, receives_bookings)
       SELECT 'c' || member_id, ?2, 0, member_id, 'caldav', member_id, 'work', '{}', 'active', 'connected',
         1, 1, 1, 1, 'c' || member_id, 1 FROM event_type_hosts WHERE event_type_id = ?1`,
    ).bind(eventTypeId, organization.id),
    env.DB.prepare(
      `INSERT INTO calendar_busy_times (connection_id, event_id, starts_at, ends_at)
       WITH RECURSIVE n(at) AS (SELECT 0 UNION ALL SELECT at + 1 FROM n WHERE at < 199)
       SELECT 'c' || member_id, at, ?2 + at * 10800000, ?2 + at * 10800000 + 1800000
       FROM event_type_hosts, n WHERE event_type_id = ?1`,
    ).bind(eventTypeId, first),
  ])
}

/** Each host works by hours of their own in a zone of their own, is off now and then, and takes so many meetings a day. */
async function giveHours(organization: Organization, eventTypeId: string, first: number) {
  const zones = JSON.stringify(['Europe/Berlin', 'America/New_York', 'Asia/Kathmandu', 'Australia/Lord_Howe'])
  const rules = JSON.stringify(daily(['00:00', '24:00']))
  const hosts = `(SELECT member_id, row_number() OVER (ORDER BY member_id) AS at FROM event_type_hosts WHERE event_type_id = ?1)`
  await env.DB.batch([
    env.DB.prepare(
      `INSERT INTO schedules (id, organization_id, is_test, member_id, name, timezone, rules, is_default, created_at, updated_at)
       SELECT 's' || member_id, ?2, 0, member_id, 'Hours', ?3 ->> (at % 4), ?4, 1, 1, 1 FROM ${hosts}`,
    ).bind(eventTypeId, organization.id, zones, rules),
    env.DB.prepare(
      `INSERT INTO time_off (id, organization_id, is_test, member_id, starts_at, ends_at, created_at, updated_at)
       WITH RECURSIVE n(week) AS (SELECT 0 UNION ALL SELECT week + 1 FROM n WHERE week < 9)
       SELECT 'o' || member_id || week, ?2, 0, member_id, ?3 + week * 604800000, ?3 + week * 604800000 + 3600000, 1, 1
       FROM ${hosts}, n`,
    ).bind(eventTypeId, organization.id, first),
    env.DB.prepare(
      `UPDATE members SET max_bookings_per_day = 50, max_bookings_per_week = 300, timezone = 'Asia/Tokyo'
       WHERE id IN (SELECT member_id FROM event_type_hosts WHERE event_type_id = ?)`,
    ).bind(eventTypeId),
  ])
}

/** Hours from the hosts alone, or theirs within those of the event type. */
function pickHours(strategy: string): 'own' | 'hosts' {
  return strategy === 'round_robin' || strategy === 'none' ? 'hosts' : 'own'
}

it.each([
  ['', false],
  [' with hours of their own', true],
])(
  'asks the database as often for fifty busy hosts%s as for one',
  async (_which, withHours) => {
    for (const strategy of ['none', 'round_robin', 'least_bookings', 'availability_weighted']) {
      const told: number[][] = []
      for (const count of [1, 50]) {
        const organization = await createOrganization()
        const { id } = await createEventType(organization.liveKey, { assignment_strategy: strategy })
        const first = SLOT + 1.25 * HOUR_MS - 124 * 3 * HOUR_MS
        await addBusyHosts(env.DB, id, count, first)
        await connectHosts(organization, id, first)
        if (withHours) {
          await giveHours(organization, id, first + HOUR_MS)
          const body = { booking_window_days: 60, slot_interval_minutes: 15, hours_from: pickHours(strategy) }
          await call('PATCH', `/v1/event-types/${id}`, { key: organization.liveKey, body })
        }
        const { trips, ran, settle, env: counted } = countedEnv()
        // Nobody waits while the holds of a large team are packed.
        const isPacking = ({ sql }: { readonly sql: string }) => sql.startsWith('INSERT INTO packed_holds')
        const waitedFor = () => trips.count - ran.filter(isPacking).length
        const tripsOf = async (work: () => Promise<unknown>) => {
          const before = waitedFor()
          await work()
          await settle()
          return waitedFor() - before
        }
        const origin = { actorType: 'invitee' as const, actorId: null, ipAddress: null, requestId: null }
        const context = {
          env: counted,
          request: new Request('https://holdfast.test'),
          requestId: looseId(),
          now: realNow(),
          ipAddress: null,
          caller: { kind: 'public' as const },
          claim: null,
          isDry: false,
        }
        const workplace = {
          env: counted,
          memory: new ScheduleMemory(),
          checks: new CalendarLooks(counted, lookQuietly),
          announce: () => {},
          announceReleased: () => {},
          waitlist,
        }
        const common = { origin, claim: null, now: realNow(), eventTypeId: id }
        const month = { start: dateOf(dayFromNow(1)), end: dateOf(dayFromNow(30)) }
        const availability = await tripsOf(() =>
          listOpenSlots(context, { event_type_id: id, ...month, timezone: 'UTC' }),
        )
        let bookingId = ''
        const booking = await tripsOf(async () => {
          const input = CreateBookingInput.parse(bookingInput(id, SLOT))
          const command = { ...common, tenant: null, input }
          const outcome = await runPlan(workplace, createBooking(command), workplace.memory.tick())
          if (outcome.kind === 'done') bookingId = String(outcome.body.id)
        })
        expect(bookingId).not.toBe('')
        const next = await tripsOf(async () => {
          const input = CreateBookingInput.parse(bookingInput(id, SLOT + 6 * HOUR_MS))
          const command = { ...common, tenant: null, input }
          const outcome = await runPlan(workplace, createBooking(command), workplace.memory.tick())
          expect(outcome.kind).toBe('done')
        })
        const moving = await tripsOf(() =>
          runPlan(
            workplace,
            rescheduleBooking({ ...common, bookingId, newStart: SLOT + 3 * HOUR_MS, reason: null }),
            workplace.memory.tick(),
          ),
        )
        // With the reading before the turn, which other verbs make besides.
        const changing = await tripsOf(async () => {
          const [read] = await selectBookingToUpdate(openDb(counted, 'decide'), bookingId, true)
          const input = { location: 'Room 4', guests: [{ email: 'bob@example.com' }] }
          const change = updateBooking({ ...common, bookingId, input, read: read! })
          expect((await runPlan(workplace, change, workplace.memory.tick())).kind).toBe('done')
        })
        const cancelling = await tripsOf(() =>
          runPlan(workplace, cancelBooking({ ...common, bookingId, reason: null }), workplace.memory.tick()),
        )
        told.push([availability, booking, next, moving, changing, cancelling])
      }
      expect(told).toEqual(Array(2).fill([1, 2, 1, 2, 2, 2]))
    }
  },
  60_000,
)

/** The figures of `told`, where one is no more than in `most` the one of that. */
function asMuchAs<T>(told: T, most: T): T {
  if (typeof told === 'number') return Math.max(told, most as number) as T
  const entries = Object.entries(told as object).map(([name, each]) => [
    name,
    asMuchAs(each, most[name as keyof T]),
  ])
  return Object.fromEntries(entries) as T
}

type Figures = { readonly trips: number; readonly written: number; readonly read: number }

/** What each change of a booking costs until its letter and its event are out, by somebody without a key. */
async function costs(hosts: number): Promise<Readonly<Record<'booking' | 'moving' | 'cancelling', Figures>>> {
  const organization = await createOrganization()
  const { id } = await createEventType(organization.liveKey, {
    assignment_strategy: hosts > 0 ? 'round_robin' : 'none',
    reminder_intervals: [1440, 60],
  })
  if (hosts > 0) await addBusyHosts(env.DB, id, hosts, SLOT - 124 * 3 * HOUR_MS + 1.25 * HOUR_MS)
  const sent: unknown[] = []
  const EMAIL = { send: async (email: unknown) => void sent.push(email) }
  const EVENTS = { sendBatch: async () => {} }
  const { trips, ran, env: counted } = countedEnv({ ...env, EMAIL, EVENTS } as unknown as Env)
  const events: string[] = []
  const workplace = {
    env: counted,
    memory: new ScheduleMemory(),
    checks: new CalendarLooks(counted, lookQuietly),
    announce: (message: Message) => void (message.type === 'event' && events.push(message.eventId)),
    announceReleased: () => {},
    waitlist,
  }
  const origin = { actorType: 'invitee' as const, actorId: null, ipAddress: '192.0.2.7', requestId: null }
  const common = { origin, claim: null, now: realNow(), eventTypeId: id }
  const costOf = async <Q extends Queries, Body>(verb: Verb<Q, Body>) => {
    ran.length = 0
    const before = trips.count
    const outcome = await runPlan(workplace, verb, workplace.memory.tick())
    await handleEvent(counted, events.pop()!)
    if (outcome.kind !== 'done') throw new Error(JSON.stringify(outcome))
    const sum = (of: 'read' | 'written') => ran.reduce((total, each) => total + each[of], 0)
    const cost = { trips: trips.count - before, written: sum('written'), read: sum('read') }
    return { cost, body: outcome.body }
  }
  const book = (start: number) =>
    costOf(
      createBooking({ ...common, tenant: null, input: CreateBookingInput.parse(bookingInput(id, start)) }),
    )
  await book(SLOT)
  const { cost: booking, body } = await book(SLOT + 6 * HOUR_MS)
  const bookingId = String(body.id)
  const newStart = SLOT + 9 * HOUR_MS
  const moving = await costOf(rescheduleBooking({ ...common, bookingId, newStart, reason: null }))
  const cancelling = await costOf(cancelBooking({ ...common, bookingId, reason: null }))
  // The host has an address, and the owner none.
  expect(sent).toHaveLength(hosts > 0 ? 8 : 4)
  return { booking, moving: moving.cost, cancelling: cancelling.cost }
}

it('writes and reads few rows for a booking, in few round trips, until its email and its event are out', async () => {
  // Whether the organization moves is asked once, and counts as one.
  // The tests' own trigger, which writes down what was posted.
  await env.DB.prepare('DROP TRIGGER emails_posted').run()
  // An event reads the last hundred that are due, of every organization: those of the tests above.
  await env.DB.prepare('UPDATE calendar_writes SET next_attempt_at = NULL').run()
  // One row is the day that reports count it in.
  // Of those read, the owner and the host, before a move too, are one each: they are told of every booking, and no row says so.
  const most = {
    withoutHosts: {
      booking: { trips: 4, written: 20, read: 26 },
      moving: { trips: 5, written: 21, read: 70 },
      cancelling: { trips: 5, written: 20, read: 66 },
    },
    withHost: {
      booking: { trips: 4, written: 24, read: 34 },
      moving: { trips: 5, written: 24, read: 75 },
      cancelling: { trips: 5, written: 24, read: 72 },
    },
  }
  const told = { withoutHosts: await costs(0), withHost: await costs(1) }
  console.log(JSON.stringify(told))
  expect(asMuchAs(told, most)).toEqual(most)
}, 60_000)

it('reads and writes as much for a booking of one of fifty hosts, and a move, as of the only one', async () => {
  const [one, fifty] = [await costs(1), await costs(50)]
  expect(fifty.booking).toEqual(one.booking)
  // It may go to another host, who is credited.
  const most = { ...one.moving, read: one.moving.read + 4 }
  expect(asMuchAs(fifty.moving, most)).toEqual(most)
}, 60_000)

/** What a collective booking writes, and how often it asks each calendar, at most how many at once. */
async function collectiveCost(hosts: number, isConnected: boolean) {
  const organization = await createOrganization()
  const { id } = await createEventType(organization.liveKey, {
    assignment_strategy: 'none',
    reminder_intervals: [1440, 60],
  })
  const first = SLOT + 1.25 * HOUR_MS - 124 * 3 * HOUR_MS
  await addBusyHosts(env.DB, id, hosts, first)
  if (isConnected) await connectHosts(organization, id, first)
  const asked: string[] = []
  const [open, most] = [{ count: 0 }, { count: 0 }]
  const look: CalendarLook = async (_env, accountId) => {
    asked.push(accountId)
    open.count += 1
    most.count = Math.max(most.count, open.count)
    await Promise.resolve()
    open.count -= 1
    return { value: [] }
  }
  const { ran, env: counted } = countedEnv()
  const workplace = {
    env: counted,
    memory: new ScheduleMemory(),
    checks: new CalendarLooks(counted, look),
    announce: () => {},
    announceReleased: () => {},
    waitlist,
  }
  const origin = { actorType: 'invitee' as const, actorId: null, ipAddress: '192.0.2.7', requestId: null }
  const written: number[] = []
  for (const hours of [0, 6]) {
    ran.length = 0
    const input = CreateBookingInput.parse(bookingInput(id, SLOT + hours * HOUR_MS))
    const command = { origin, claim: null, now: realNow(), eventTypeId: id, tenant: null, input }
    const outcome = await runPlan(workplace, createBooking(command), workplace.memory.tick())
    expect(outcome.kind).toBe('done')
    written.push(ran.reduce((total, each) => total + each.written, 0))
  }
  return { written, asked: asked.length, calendars: new Set(asked).size, atOnce: most.count }
}

it('writes two rows a host for a collective booking, which asks each calendar once, six at a time', async () => {
  for (const isConnected of [false, true]) {
    for (const hosts of [2, 10, 50]) {
      const { written, ...calls } = await collectiveCost(hosts, isConnected)
      // With calendars, that of the first host is held too, and an event is to be written there.
      const most = 2 * hosts + (isConnected ? 25 : 18)
      expect(written.map((rows) => Math.max(rows, most))).toEqual([most, most])
      const calendars = isConnected ? hosts : 0
      expect(calls).toEqual({ asked: 2 * calendars, calendars, atOnce: Math.min(calendars, 6) })
    }
  }
}, 60_000)

it('knows the version that a booking makes without asking for it', async () => {
  for (const [hosts, isConnected, isCollective] of [
    [0, false, false],
    [0, true, false],
    [1, false, false],
    [1, true, false],
    [3, false, true],
    [3, true, true],
  ] as const) {
    const organization = await createOrganization()
    const { id } = await createEventType(organization.liveKey, {
      assignment_strategy: hosts > 0 && !isCollective ? 'round_robin' : 'none',
    })
    if (hosts > 0) await addBusyHosts(env.DB, id, hosts, SLOT - 124 * 3 * HOUR_MS + 1.25 * HOUR_MS)
    if (isConnected) {
      const other = await createEventType(organization.liveKey, { assignment_strategy: 'round_robin' })
      await addBusyHosts(env.DB, other.id, 1, SLOT)
      await connectHosts(organization, other.id, SLOT)
    }
    const { ran, env: counted } = countedEnv()
    const workplace = {
      env: counted,
      memory: new ScheduleMemory(),
      checks: new CalendarLooks(counted, lookQuietly),
      announce: () => {},
      announceReleased: () => {},
      waitlist,
    }
    const origin = { actorType: 'invitee' as const, actorId: null, ipAddress: null, requestId: null }
    for (const hours of [0, 6, 12]) {
      ran.length = 0
      const input = CreateBookingInput.parse(bookingInput(id, SLOT + hours * HOUR_MS))
      const command = { origin, claim: null, now: realNow(), eventTypeId: id, tenant: null, input }
      const outcome = await runPlan(workplace, createBooking(command), workplace.memory.tick())
      expect(outcome.kind).toBe('done')
      const [version] = await selectVersion(openDb(env, 'decide'), id)
      expect(version).toMatchObject(workplace.memory.known!.version)
    }
    expect(ran.filter(({ sql }) => /^SELECT e\.version/.test(sql))).toEqual([])
  }
})

it('moves and cancels a booking over HTTP in two round trips, with its token and with a key, unless somebody waits', async () => {
  for (const isKeyed of [false, true]) {
    const organization = await createOrganization()
    const { id } = await createEventType(organization.liveKey, { waitlist_enabled: true })
    const { trips, env: counted } = countedEnv()
    const service = serviceWith({ DB: counted.DB })
    const { body: booked } = await service.book(id, SLOT)
    const key = isKeyed ? { key: organization.liveKey } : {}
    const path = (what: string) =>
      `/v1/bookings/${booked.id}/${what}${isKeyed ? '' : `?token=${booked.cancel_token}`}`
    const tripsOf = async (what: string, body: object) => {
      const before = trips.count
      const { status } = await service.call('POST', path(what), { ...key, body })
      expect(status).toBe(200)
      return trips.count - before
    }
    const to = (hours: number) => ({ new_start_time: new Date(SLOT + hours * HOUR_MS).toISOString() })
    // The key is read once.
    await tripsOf('reschedule', to(3))
    const told = [await tripsOf('reschedule', to(6))]
    const { status } = await service.book(id, SLOT)
    expect(status).toBe(201)
    told.push(await tripsOf('reschedule', to(9)), await tripsOf('cancel', {}))
    expect([isKeyed, told]).toEqual([isKeyed, [2, 2, 2]])
  }
}, 60_000)
