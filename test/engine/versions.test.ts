import { env } from 'cloudflare:workers'
import { describe, expect, it, vi } from 'vitest'
import type { AvailabilityQuery } from '../../src/booking/hours/event-type/schema.ts'
import { findSlotsToMove } from '../../src/booking/slots/find-open-slots.ts'
import { openToBook, seatsAt } from '../../src/booking/slots/open-slots.ts'
import { type Asking, type Found, SlotMemory } from '../../src/booking/slots/slot-memory.ts'
import { loadSchedule } from '../../src/engine/schedule/load-schedule.ts'
import type { Schedule } from '../../src/engine/schedule/schedule.ts'
import { guardVersion, selectVersion } from '../../src/engine/schedule/statements.ts'
import { concernsOf, isCurrent, movedBy } from '../../src/engine/schedule/version.ts'
import { openDb } from '../../src/platform/db/client.ts'
import { fenceOf } from '../../src/platform/db/refusals.ts'
import type { BookingRow } from '../../src/platform/db/schema/bookings.ts'
import type { Context } from '../../src/platform/http/context.ts'
import { Refused } from '../../src/platform/http/errors.ts'
import { realNow } from '../../src/platform/limits/clock.ts'
import { call, callAsService } from '../support/app.ts'
import { amount, chance } from '../support/chance.ts'
import { insertConnection } from '../support/connections.ts'
import {
  ALL_DAY,
  bookAsAnother,
  createEventType,
  createOrganization,
  dateOf,
  dayFromNow,
  iso,
  type Organization,
  unique,
} from '../support/factories.ts'
import { addHost, addHosts, createMember } from '../support/hosts.ts'
import { insertSchedule, insertTimeOff } from '../support/hours.ts'
import { memberWithRole } from '../support/members.ts'
import { connectAccount } from '../support/payments.ts'
import { run } from '../support/run.ts'

const HOUR_MS = 3_600_000
const SLOT = dayFromNow(3) + 10 * HOUR_MS

type Mode = 'live' | 'test'
type World = {
  readonly organization: Organization
  readonly key: string
  /** The event type whose version is looked at. */
  readonly id: string
}
type Change = () => Promise<unknown>

async function worldOf(mode: Mode, input: Record<string, unknown> = {}): Promise<World> {
  const organization = await createOrganization()
  const key = mode === 'live' ? organization.liveKey : organization.testKey
  const { id } = await createEventType(key, { waitlist_enabled: true, ...input })
  return { organization, key, id }
}

async function versionOf(eventTypeId: string) {
  const [version] = await selectVersion(openDb(env, 'decide'), eventTypeId)
  return version!
}

/** Whose changes the schedule depends on. */
async function concernsIn(eventTypeId: string) {
  const range = { start: dayFromNow(1), end: dayFromNow(8) }
  const db = openDb(env, 'decide')
  const { schedule } = await loadSchedule(db, eventTypeId, { range, seatsAt: null }, realNow())
  return concernsOf(schedule!)
}

const WEEK = { start: dateOf(dayFromNow(1)), end: dateOf(dayFromNow(7)), timezone: 'UTC' }

/** The starts that the API tells of, whatever it remembers; none where it knows no such event type. */
async function told(id: string, query: Omit<AvailabilityQuery, 'event_type_id'> = WEEK): Promise<string[]> {
  const { duration, start, end, timezone } = query
  const dates = { start, end, timezone }
  const asked = new URLSearchParams({ event_type_id: id, ...dates })
  if (duration !== undefined) asked.set('duration', String(duration))
  const { status, body } = await call('GET', `/v1/availability?${asked}`)
  if (status === 404) return []
  if (status !== 200) throw new Error(JSON.stringify(body))
  const open = body.slots.map(({ start_time, spots_remaining: seats }: Told) =>
    seats === undefined ? start_time : `${start_time} ${seats}`,
  )
  return [...open, ...(body.waitlist_slots ?? []).map(({ start_time }: Told) => `${start_time} full`)]
}

function isOpen(told: string): boolean {
  return !told.endsWith('full')
}

/** Without the seats. */
function startIn(told: string): string {
  return told.split(' ')[0]!
}

type Told = { readonly start_time: string; readonly spots_remaining?: number }

/** The same, read again. */
async function truth(id: string, query: Omit<AvailabilityQuery, 'event_type_id'> = WEEK): Promise<string[]> {
  const ctx = { env, now: Date.now() } as Context
  let known: Schedule | null = null
  const nothing = {
    bookingId: '',
    withoutIt: (schedule: Schedule) => {
      known = schedule
      return { schedule, seats: 1 }
    },
  }
  try {
    const found = await findSlotsToMove(ctx, { event_type_id: id, ...query }, nothing)
    // What closes it to new bookings closes no move.
    const slots = openToBook(known!, found)
    const seats = (start: number) => (slots.seats ? ` ${seatsAt(slots, start)}` : '')
    return [
      ...slots.starts.map((start) => iso(start) + seats(start)),
      ...(slots.fullStarts ?? []).map((start) => `${iso(start)} full`),
    ]
  } catch (error) {
    if (error instanceof Refused && error.refusal.code === 'not_found') return []
    throw error
  }
}

/** Fails where the API refuses: a change that does not happen moves nothing on. */
async function done(answer: Promise<{ readonly status: number; readonly body: unknown }>): Promise<any> {
  const { status, body } = await answer
  if (status >= 300) throw new Error(JSON.stringify(body))
  return body
}

function wait(id: string, start: number | null = SLOT) {
  return done(
    call('POST', '/v1/waitlist', {
      body: {
        event_type_id: id,
        ...(start !== null && { start_time: iso(start) }),
        invitee_name: 'Ada',
        invitee_email: `${unique('w')}@example.com`,
      },
    }),
  )
}

/** Another event type of the same organization. */
async function another({ key }: World, memberId: string): Promise<string> {
  const { id } = await createEventType(key)
  await addHost(key, id, memberId)
  return id
}

function patch({ key, id }: World, body: Record<string, unknown>) {
  return done(call('PATCH', `/v1/event-types/${id}`, { key, body }))
}

function setOrganization({ organization }: World, body: Record<string, unknown>) {
  return done(callAsService('PATCH', `/v1/organizations/${organization.id}`, { body }))
}

/** Each thing that a schedule is made of: what comes before, and the change itself. */
const CHANGES: Readonly<Record<string, (world: World) => Promise<Change> | Change>> = {
  'a booking': (world) => () => done(bookAsAnother(world.id, SLOT)),
  'a cancellation': async (world) => {
    const { id } = await done(bookAsAnother(world.id, SLOT))
    return () => done(call('POST', `/v1/bookings/${id}/cancel`, { key: world.key }))
  },
  'a move': async (world) => {
    const { id } = await done(bookAsAnother(world.id, SLOT))
    const body = { new_start_time: iso(SLOT + 2 * HOUR_MS) }
    return () => done(call('POST', `/v1/bookings/${id}/reschedule`, { key: world.key, body }))
  },
  'a session that moves': async (world) => {
    await patch(world, { max_attendees: 3 })
    const { session_id } = await done(bookAsAnother(world.id, SLOT))
    const body = { new_start_time: iso(SLOT + 2 * HOUR_MS) }
    return () => done(call('POST', `/v1/sessions/${session_id}/reschedule`, { key: world.key, body }))
  },
  'a session that moves with held seats only': async (world) => {
    await patch(world, { max_attendees: 3 })
    const held = { event_type_id: world.id, start_time: iso(SLOT) }
    await done(call('POST', '/v1/holds', { body: held }))
    const [{ id }] = (await done(call('GET', `/v1/event-types/${world.id}/sessions`, { key: world.key })))
      .data
    const body = { new_start_time: iso(SLOT + 2 * HOUR_MS) }
    return () => done(call('POST', `/v1/sessions/${id}/reschedule`, { key: world.key, body }))
  },
  'a session that is cancelled': async (world) => {
    await patch(world, { max_attendees: 3 })
    const { session_id } = await done(bookAsAnother(world.id, SLOT))
    return () => done(call('POST', `/v1/sessions/${session_id}/cancel`, { key: world.key }))
  },
  'an attendee of a session': async (world) => {
    await patch(world, { max_attendees: 2 })
    const { id } = await done(bookAsAnother(world.id, SLOT))
    const body = { attendees: [{ name: 'Bob', email: 'bob@example.com' }] }
    return () => done(call('PATCH', `/v1/bookings/${id}`, { key: world.key, body }))
  },
  'a booking that is no more': async (world) => {
    const { id } = await done(bookAsAnother(world.id, SLOT))
    return () => run('DELETE FROM bookings WHERE id = ?', id)
  },
  'the hours':
    ({ key, id }) =>
    () =>
      done(call('PUT', `/v1/event-types/${id}/availability`, { key, body: { rules: ALL_DAY.slice(0, 3) } })),
  'the settings': (world) => () => patch(world, { minimum_notice_minutes: 600 }),
  'the end of the event type':
    ({ key, id }) =>
    () =>
      done(call('DELETE', `/v1/event-types/${id}`, { key })),
  'a host who comes': async (world) => {
    const { id } = await createMember(world.organization)
    return () => addHost(world.key, world.id, id)
  },
  'a host who goes': async (world) => {
    const { id } = await createMember(world.organization)
    await addHost(world.key, world.id, id)
    return () => done(call('DELETE', `/v1/event-types/${world.id}/hosts/${id}`, { key: world.key }))
  },
  'the priority of a host': async (world) => {
    await addHosts(world.organization, world.key, world.id, 1)
    return () => run('UPDATE event_type_hosts SET priority = 1 WHERE event_type_id = ?', world.id)
  },
  'the schedule of a host': async (world) => {
    await addHosts(world.organization, world.key, world.id, 1)
    const id = await insertSchedule(world.organization, modeOf(world))
    return () => run('UPDATE event_type_hosts SET schedule_id = ? WHERE event_type_id = ?', id, world.id)
  },
  'a host whom another event type takes': async (world) => {
    const [host] = await addHosts(world.organization, world.key, world.id, 1)
    const other = await another(world, host!)
    return () => done(bookAsAnother(other, SLOT))
  },
  'a host whom another event type gives back': async (world) => {
    const [host] = await addHosts(world.organization, world.key, world.id, 1)
    const { id } = await done(bookAsAnother(await another(world, host!), SLOT))
    return () => done(call('POST', `/v1/bookings/${id}/cancel`, { key: world.key }))
  },
  'a host whom another event type takes at another time': async (world) => {
    const [host] = await addHosts(world.organization, world.key, world.id, 1)
    const { id } = await done(bookAsAnother(await another(world, host!), SLOT))
    const body = { new_start_time: iso(SLOT + 2 * HOUR_MS) }
    return () => done(call('POST', `/v1/bookings/${id}/reschedule`, { key: world.key, body }))
  },
  'a booking of a host that is no more': async (world) => {
    const [host] = await addHosts(world.organization, world.key, world.id, 1)
    const { id } = await done(bookAsAnother(await another(world, host!), SLOT))
    return () => run('DELETE FROM bookings WHERE id = ?', id)
  },
  "a member's address": async (world) => {
    await addHosts(world.organization, world.key, world.id, 1)
    return () =>
      run(
        "UPDATE members SET user_email = 'new@example.com' WHERE organization_id = ?",
        world.organization.id,
      )
  },
  'a member who leaves': async (world) => {
    const { id } = await memberWithRole(world.organization, 'member')
    return () =>
      done(
        callAsService('DELETE', `/v1/organizations/${world.organization.id}/members/${id}`, service(world)),
      )
  },
  'another owner': async (world) => {
    const { id } = await memberWithRole(world.organization, 'admin')
    const body = { member_id: id }
    const path = `/v1/organizations/${world.organization.id}/transfer-ownership`
    return () => done(callAsService('POST', path, { body, ...service(world) }))
  },
  'the plan': (world) => () => setOrganization(world, { tier: 'grow' }),
  'a suspension': (world) => () => setOrganization(world, { suspended: true }),
  'the limits of the public': (world) => () =>
    run('UPDATE organizations SET pending_per_network = 1 WHERE id = ?', world.organization.id),
  'an account that is paid': (world) => () => connectAccount(world.organization),
  'an account that is paid no more': async (world) => {
    await connectAccount(world.organization)
    return () =>
      run('UPDATE payment_accounts SET charges_enabled = 0 WHERE organization_id = ?', world.organization.id)
  },
  'an account that is gone': async (world) => {
    await connectAccount(world.organization)
    return () => run('DELETE FROM payment_accounts WHERE organization_id = ?', world.organization.id)
  },
  'freed time': async (world) => {
    await done(bookAsAnother(world.id, SLOT))
    await wait(world.id)
    return () =>
      run(
        "INSERT INTO freed_times (event_type_id, source, starts_at, ends_at) VALUES (?1, 'test', ?2, ?2 + 1)",
        world.id,
        SLOT,
      )
  },
  'freed time that was offered': async (world) => {
    await run(
      "INSERT INTO freed_times (event_type_id, source, starts_at, ends_at) VALUES (?1, 'test', ?2, ?2 + 1)",
      world.id,
      SLOT,
    )
    return () => run('DELETE FROM freed_times WHERE event_type_id = ?', world.id)
  },
  'somebody who waits for freed time no more': async (world) => {
    await done(bookAsAnother(world.id, SLOT))
    await wait(world.id)
    await run(
      "INSERT INTO freed_times (event_type_id, source, starts_at, ends_at) VALUES (?1, 'test', ?2, ?2 + 1)",
      world.id,
      SLOT,
    )
    return () => run("UPDATE waitlist_entries SET status = 'expired' WHERE event_type_id = ?", world.id)
  },
  'a calendar that is connected': (world) => () => insertConnection(world.organization, modeOf(world)),
  'a calendar that was read': async (world) => {
    const id = await insertConnection(world.organization, modeOf(world))
    return () => run('UPDATE calendar_connections SET last_sync_at = 2 WHERE id = ?', id)
  },
  'a calendar whose permission ended': async (world) => {
    const id = await insertConnection(world.organization, modeOf(world))
    return () => run("UPDATE calendar_connections SET status = 'revoked' WHERE id = ?", id)
  },
  'a calendar that is lost': async (world) => {
    const id = await insertConnection(world.organization, modeOf(world))
    return () => run('UPDATE calendar_connections SET lost_at = 2 WHERE id = ?', id)
  },
  'a calendar that is disconnected': async (world) => {
    const id = await insertConnection(world.organization, modeOf(world))
    return () => done(call('DELETE', `/v1/calendars/${id}`, { key: world.key }))
  },
}

/** What the hours of people are made of: it moves a version of its own on, too. */
const HOURS: typeof CHANGES = {
  'a schedule that is made': (world) => () => insertSchedule(world.organization, modeOf(world)),
  'the hours of a schedule': async (world) => {
    const id = await insertSchedule(world.organization, modeOf(world))
    return () => run("UPDATE schedules SET rules = '[]' WHERE id = ?", id)
  },
  'the dates of a schedule': async (world) => {
    const id = await insertSchedule(world.organization, modeOf(world))
    return () =>
      run(`UPDATE schedules SET overrides = '[{"date":"2030-01-01","intervals":[]}]' WHERE id = ?`, id)
  },
  'the zone of a schedule': async (world) => {
    const id = await insertSchedule(world.organization, modeOf(world))
    return () => run("UPDATE schedules SET timezone = 'Asia/Tokyo' WHERE id = ?", id)
  },
  'a schedule that becomes the default': async (world) => {
    const { id: memberId } = await createMember(world.organization)
    const id = await insertSchedule(world.organization, modeOf(world), { memberId, isDefault: false })
    return () => run('UPDATE schedules SET is_default = 1 WHERE id = ?', id)
  },
  'a schedule that is deleted': async (world) => {
    const id = await insertSchedule(world.organization, modeOf(world))
    return () => run('DELETE FROM schedules WHERE id = ?', id)
  },
  'time off': async (world) => {
    const [host] = await addHosts(world.organization, world.key, world.id, 1)
    return () => insertTimeOff(world.organization, modeOf(world), host!, SLOT, SLOT + HOUR_MS)
  },
  'time off that moves': async (world) => {
    const [host] = await addHosts(world.organization, world.key, world.id, 1)
    const id = await insertTimeOff(world.organization, modeOf(world), host!, SLOT, SLOT + HOUR_MS)
    return () => run('UPDATE time_off SET ends_at = ends_at + ? WHERE id = ?', HOUR_MS, id)
  },
  'time off that is taken back': async (world) => {
    const [host] = await addHosts(world.organization, world.key, world.id, 1)
    const id = await insertTimeOff(world.organization, modeOf(world), host!, SLOT, SLOT + HOUR_MS)
    return () => run('DELETE FROM time_off WHERE id = ?', id)
  },
  'the zone of a member': async (world) => {
    await addHosts(world.organization, world.key, world.id, 1)
    return () =>
      run("UPDATE members SET timezone = 'Asia/Tokyo' WHERE organization_id = ?", world.organization.id)
  },
  'the limit of a day': async (world) => {
    await addHosts(world.organization, world.key, world.id, 1)
    return () =>
      run('UPDATE members SET max_bookings_per_day = 1 WHERE organization_id = ?', world.organization.id)
  },
  'the limit of a week': async (world) => {
    await addHosts(world.organization, world.key, world.id, 1)
    return () =>
      run('UPDATE members SET max_bookings_per_week = 1 WHERE organization_id = ?', world.organization.id)
  },
  'the zone of the organization': (world) => () =>
    run("UPDATE organizations SET timezone = 'Asia/Tokyo' WHERE id = ?", world.organization.id),
}

/** What only one of the modes has. */
const LIVE_ONLY: typeof CHANGES = {
  'the last booking of the month': async (world) => {
    await done(bookAsAnother(world.id, SLOT))
    return () =>
      run('UPDATE booking_quotas SET bookings = quota WHERE organization_id = ?', world.organization.id)
  },
  'a place in the month that is given back': async (world) => {
    await done(bookAsAnother(world.id, SLOT))
    return () =>
      run(
        'UPDATE booking_quotas SET bookings = bookings - 1 WHERE organization_id = ?',
        world.organization.id,
      )
  },
  'the default calendar': async (world) => {
    const id = await insertConnection(world.organization, 'live')
    return () => setOrganization(world, { default_calendar_connection_id: id })
  },
}
const TEST_ONLY: typeof CHANGES = {
  'the clock of the sandbox':
    ({ key }) =>
    () =>
      done(call('PUT', '/v1/test-data/clock', { key, body: { now: iso(SLOT) } })),
  'an emptied sandbox':
    ({ key }) =>
    () =>
      done(call('DELETE', '/v1/test-data', { key })),
}

function modeOf({ organization, key }: World): Mode {
  return key === organization.liveKey ? 'live' : 'test'
}

function service(world: World) {
  const { organization } = world
  return {
    headers: {
      'X-Org-Id': organization.id,
      'X-Service-Mode': modeOf(world),
      'X-User-Id': organization.ownerUserId,
    },
  }
}

/** What both modes have is tried in one of them, in turn; `npm run storms` tries it in both. */
const CASES = (['live', 'test'] as const).flatMap((mode, turn) => {
  const inBoth = Object.entries({ ...CHANGES, ...HOURS }).filter(
    (_, at) => at % amount(2, 1) === turn % amount(2, 1),
  )
  const changes = [...inBoth, ...Object.entries(mode === 'live' ? LIVE_ONLY : TEST_ONLY)]
  return changes.map(([what, make]) => [mode, what, make] as const)
})

describe('the version of a schedule', () => {
  it.each(CASES)(
    'increases in %s mode with %s, and the next response shows it',
    async (mode, _what, make) => {
      const world = await worldOf(mode)
      const change = await make(world)
      const before = await versionOf(world.id)
      const known = await told(world.id)
      expect(await told(world.id)).toEqual(known)
      const concerns = await concernsIn(world.id)
      await change()
      const [after] = await selectVersion(openDb(env, 'decide'), world.id)
      expect(after !== undefined && isCurrent(before, concerns, after)).toBe(false)

      const now = await told(world.id)
      expect(now).toEqual(await truth(world.id))
      const openNow = new Set(now.filter(isOpen).map(startIn))
      const openBefore = new Set(known.filter(isOpen).map(startIn))
      const [lost] = openBefore.difference(openNow)
      const [gained] = openNow.difference(openBefore)
      if (lost) expect((await bookAsAnother(world.id, Date.parse(lost))).status).not.toBe(201)
      if (gained) expect((await bookAsAnother(world.id, Date.parse(gained))).status).toBe(201)
    },
  )

  it.each(Object.entries(HOURS))('moves on with that of the hours of people: %s', async (_what, make) => {
    const world = await worldOf('live')
    const hours = async () => {
      const query = env.DB.prepare('SELECT hours_version AS at FROM organizations WHERE id = ?')
      return (await query.bind(world.organization.id).first<{ at: number }>())!.at
    }
    const change = await make(world)
    const before = await hours()
    await change()
    expect(await hours()).toBeGreaterThan(before)
  })

  it('stays while nothing that decides changes', async () => {
    const world = await worldOf('live')
    const other = await createEventType(world.key)
    const before = await versionOf(world.id)
    await done(bookAsAnother(other.id, SLOT))
    await wait(world.id, null)
    await createMember(world.organization)
    await run("UPDATE organizations SET name = 'Another' WHERE id = ?", world.organization.id)
    expect(await versionOf(world.id)).toEqual(before)
  })

  it('moves on after a booking exactly as far as memory expects, whatever its hosts', async () => {
    for (const [strategy, count, parts] of [
      ['round_robin', 1, {}],
      ['least_bookings', 3, {}],
      ['none', 3, {}],
      ['round_robin', 4, { pool_size: 2 }],
    ] as const) {
      const world = await worldOf('live', { assignment_strategy: strategy, ...parts })
      await addHosts(world.organization, world.key, world.id, count)
      const before = await versionOf(world.id)
      const { assigned_host: host, hosts: team } = await done(bookAsAnother(world.id, SLOT))
      const after = await versionOf(world.id)
      const range = { start: dayFromNow(1), end: dayFromNow(8) }
      const db = openDb(env, 'decide')
      const { schedule } = await loadSchedule(db, world.id, { range, seatsAt: null }, realNow())
      const hosted = { assignedHostId: host.member_id, assignedHost: host, coHosts: team.slice(1) }
      const row = { ...hosted, calendarConnectionId: null } as BookingRow
      const moved = movedBy(schedule!, row, { resourceIds: [] })
      const told = { own: after.own - before.own, shared: after.shared - before.shared }
      expect([strategy, told]).toEqual([strategy, moved])
    }
  })

  it('is one for live and one for test', async () => {
    const world = await worldOf('live')
    const [host] = await addHosts(world.organization, world.key, world.id, 1)
    const sandbox = await createEventType(world.organization.testKey)
    const before = await versionOf(sandbox.id)
    await done(bookAsAnother(await another(world, host!), SLOT))
    expect(await versionOf(sandbox.id)).toEqual(before)
  })

  it('refuses the batch that was decided on another one, and no other', async () => {
    const world = await worldOf('live')
    const db = openDb(env, 'decide')
    const version = await versionOf(world.id)
    const decided = { eventType: { id: world.id } as never, version }
    await db.batch([guardVersion(db, decided)])
    await done(bookAsAnother(world.id, SLOT))
    const refused = await db.batch([guardVersion(db, decided)]).catch(fenceOf)
    expect(refused).toBe('STALE')
  })
})

/** What people do, in an order that chance decides; whatever the API refuses is refused. */
async function someThings(mode: Mode, seed: number) {
  const { below: random } = chance(seed)
  const world = await worldOf(mode, { duration_options: [30, 60], max_attendees: 1 + 2 * (seed % 2) })
  const { organization, key, id } = world
  const members = [await createMember(organization), await createMember(organization)]
  const other = (await createEventType(key)).id as string
  const made: string[] = []
  const start = () => dayFromNow(2 + random(3)) + random(12) * 30 * 60_000
  const keep = async (booked: ReturnType<typeof bookAsAnother>) => {
    const { status, body } = await booked
    if (status === 201) made.push(body.id)
  }
  const one = (from: readonly string[]) => from[random(from.length)] ?? id
  const things: Change[] = [
    () => keep(bookAsAnother(id, start())),
    () => keep(bookAsAnother(id, start(), { duration: 60 })),
    () => keep(bookAsAnother(other, start())),
    () => call('POST', `/v1/bookings/${one(made)}/cancel`, { key }),
    () => {
      const body = { new_start_time: iso(start()) }
      return call('POST', `/v1/bookings/${one(made)}/reschedule`, { key, body })
    },
    () => wait(id, random(2) ? start() : null).catch(() => null),
    () => {
      const strategy = ['none', 'round_robin', 'least_bookings', 'availability_weighted'][random(4)]
      const body = { assignment_strategy: strategy, buffer_after_minutes: 15 * random(3) }
      return call('PATCH', `/v1/event-types/${id}`, { key, body })
    },
    () => {
      const body = { booking_cap: random(2) ? null : 1 + random(3), booking_cap_period: 'daily' }
      return call('PATCH', `/v1/event-types/${id}`, { key, body })
    },
    () => {
      const body = { minimum_notice_minutes: random(3) * 1_500, max_attendees: 1 + random(3) }
      return call('PATCH', `/v1/event-types/${id}`, { key, body })
    },
    () => {
      const body = {
        rules: ALL_DAY.filter(() => random(3) > 0),
        timezone: random(2) ? 'UTC' : 'Europe/Berlin',
      }
      return call('PUT', `/v1/event-types/${id}/availability`, { key, body })
    },
    () => {
      const body = { member_id: members[random(2)]!.id, priority: random(3) }
      return call('POST', `/v1/event-types/${random(2) ? id : other}/hosts`, { key, body })
    },
    () =>
      call('DELETE', `/v1/event-types/${random(2) ? id : other}/hosts/${members[random(2)]!.id}`, { key }),
    () => insertConnection(organization, mode, { memberId: members[random(2)]!.id }),
    () => setOrganization(world, { tier: random(2) ? 'grow' : 'scale' }),
    () => {
      const body = { now: random(2) ? null : iso(dayFromNow(1 + random(4))) }
      return call('PUT', '/v1/test-data/clock', { key, body })
    },
  ]
  return { world, next: () => things[random(things.length)]!() }
}

describe('what the isolate found open', () => {
  const QUERIES = [
    WEEK,
    { ...WEEK, duration: 60 },
    { ...WEEK, timezone: 'Asia/Tokyo' },
    { start: WEEK.start, end: dateOf(dayFromNow(2)), timezone: 'UTC' },
  ]

  it.each([
    ['live', 1],
    ['test', 2],
  ] as const)('is what there is, whatever happens: %s %i', async (mode, seed) => {
    const { world, next } = await someThings(mode, seed)
    for (let turn = 0; turn < amount(25, 50); turn++) {
      await next()
      for (const query of QUERIES) {
        expect([turn, query, await told(world.id, query)]).toEqual([
          turn,
          query,
          await truth(world.id, query),
        ])
      }
    }
  })
})

describe('the memory of what is open', () => {
  const MINUTE_MS = 60_000
  const NOW = 1_000 * HOUR_MS

  function found(
    own: number,
    starts: readonly number[] = [NOW, NOW + HOUR_MS],
    more: Partial<Found> = {},
  ): Found {
    return {
      organizationId: 'studio',
      version: { own, shared: 0 },
      concerns: new Set(),
      trueUntil: Number.POSITIVE_INFINITY,
      noticeMs: 0,
      sandboxNow: null,
      earliest: NOW,
      slots: {
        eventTypeId: 'one',
        durationMs: MINUTE_MS,
        starts,
        fullStarts: null,
        seats: null,
        isCapped: false,
        isClosed: false,
        isMonthFull: false,
        nextAvailable: null,
      },
      ...more,
    }
  }

  /** Asks as of the time when `own` was the version; writes down what it asked for. */
  function asking(asked: string[], own: number, more: Partial<Asking> = {}): Asking {
    return {
      now: NOW,
      askVersion: async () => {
        asked.push('version')
        return { own, shared: 0, changes: '' }
      },
      load: async () => {
        asked.push('load')
        return found(own)
      },
      ...more,
    }
  }

  it('asks for the version alone while nothing changes, and loads once when something does', async () => {
    const memory = new SlotMemory(1_000_000)
    const asked: string[] = []
    const first = await memory.find('one', asking(asked, 1))
    expect(await memory.find('one', asking(asked, 1))).toBe(first)
    await memory.find('one', asking(asked, 2))
    await memory.find('one', asking(asked, 2))
    expect(asked).toEqual(['load', 'version', 'version', 'load', 'version'])
  })

  it('is loaded once for all requests during the load', async () => {
    const memory = new SlotMemory(1_000_000)
    const asked: string[] = []
    await memory.find('one', asking([], 1))
    await Promise.all(Array.from({ length: 8 }, () => memory.find('one', asking(asked, 2))))
    expect(asked.filter((what) => what === 'load')).toHaveLength(1)
  })

  it('shares nothing that is older than what somebody knows of', async () => {
    const memory = new SlotMemory(1_000_000)
    const slow = Promise.withResolvers<Found>()
    const first = memory.find('one', asking([], 1, { load: () => slow.promise }))
    const second = memory.find('one', asking([], 2))
    slow.resolve(found(1))
    expect((await first).found.version.own).toBe(1)
    expect((await second).found.version.own).toBe(2)
  })

  it('does not wait for a load that never ends', async () => {
    const memory = new SlotMemory(1_000_000)
    void memory.find('one', asking([], 1, { load: () => new Promise(() => {}) }))
    expect((await memory.find('one', asking([], 1))).found.version.own).toBe(1)
  })

  it('forgets a load that never ends, whatever is asked for next', async () => {
    const memory = new SlotMemory(1_000_000)
    void memory.find('one', asking([], 1, { load: () => new Promise(() => {}) }))
    const asked: string[] = []
    const later = { now: NOW + 5_000 }
    await memory.find('two', asking([], 1, later))
    await memory.find('one', asking(asked, 1, later))
    // Who knew of a load would ask for the version first, and wait.
    expect(asked).toEqual(['load'])
  })

  it('asks for everything at once where every question meets a change, until one meets none', async () => {
    const memory = new SlotMemory(1_000_000)
    const asked: string[] = []
    for (const own of [1, 2, 3, 4, 5, 5, 5]) await memory.find('one', asking(asked, own))
    expect(asked.join(' ')).toBe('load version load version load load load load version')
  })

  it('leaves out what has begun, and loads again when time alone has changed more', async () => {
    const memory = new SlotMemory(1_000_000)
    const asked: string[] = []
    const load = async (now: number) => {
      asked.push('load')
      return found(1, [NOW, NOW + HOUR_MS], { trueUntil: NOW + 2 * HOUR_MS, earliest: now })
    }
    const startsAt = async (now: number) => [
      ...(await memory.find('one', asking([], 1, { now, load: () => load(now) }))).slots.starts,
    ]
    expect(await startsAt(NOW)).toEqual([NOW, NOW + HOUR_MS])
    expect(await startsAt(NOW + 1)).toEqual([NOW + HOUR_MS])
    expect(asked).toHaveLength(1)
    await startsAt(NOW + 2 * HOUR_MS)
    expect(asked).toHaveLength(2)
    // A clock that goes back is believed.
    await startsAt(NOW)
    expect(asked).toHaveLength(3)
  })

  it('writes an answer again only when a start is gone', async () => {
    const memory = new SlotMemory(1_000_000)
    const write = vi.fn(() => new Uint8Array(1))
    for (const now of [NOW, NOW, NOW + 1, NOW + 2]) {
      const known = await memory.find('one', asking([], 1, { now }))
      known.written(write)
    }
    expect(write).toHaveBeenCalledTimes(2)
  })

  it('loses first the answers that were not written for longest, and writes them again without a load', async () => {
    const starts = Array.from({ length: 100 }, (_, at) => NOW + at * HOUR_MS)
    // Four times what is open, and two answers.
    const memory = new SlotMemory(24_000)
    const [asked, written]: [string[], string[]] = [[], []]
    const answer = async (key: string) => {
      const load = async () => {
        asked.push(key)
        return found(1, starts)
      }
      const known = await memory.find(key, asking([], 1, { load }))
      known.written(() => {
        written.push(key)
        return new Uint8Array(1)
      })
    }
    for (const key of ['one', 'two', 'three', 'four', 'four', 'three', 'one', 'one', 'two']) await answer(key)
    expect(asked).toEqual(['one', 'two', 'three', 'four'])
    expect(written).toEqual(['one', 'two', 'three', 'four', 'one', 'two'])
  })

  it('stays within its bounds, and loses first what was not asked for longest', async () => {
    const memory = new SlotMemory(3_000)
    const asked: string[] = []
    const lean = async (key: string) => {
      const load = async () => {
        asked.push(key)
        return found(1, [])
      }
      await memory.find(key, asking([], 1, { load }))
    }
    for (const key of ['one', 'two', 'three', 'one', 'four', 'one', 'two']) await lean(key)
    expect(asked).toEqual(['one', 'two', 'three', 'four', 'two'])
  })
})
