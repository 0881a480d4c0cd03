import { env } from 'cloudflare:workers'
import { describe, expect, it } from 'vitest'
import { offerFreedOf } from '../../src/engine/freed-times/offer-freed.ts'
import { openDb } from '../../src/platform/db/client.ts'
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
  unique,
} from '../support/factories.ts'
import { addHost, createMember } from '../support/hosts.ts'
import { daily, insertSchedule, insertTimeOff, setLimits } from '../support/hours.ts'
import { run } from '../support/run.ts'

const HOUR_MS = 3_600_000
const DAY_MS = 24 * HOUR_MS
const DAY = dayFromNow(3)
/** The only start of the day, and of all days. */
const SLOT = DAY + 10 * HOUR_MS
const ONLY = [{ date: dateOf(DAY), intervals: [{ start_time: '10:00', end_time: '10:30' }] }]

async function worldOf(input: Record<string, unknown> = {}) {
  const organization = await createOrganization()
  const key = organization.liveKey
  const { id: memberId } = await createMember(organization)
  const given = { assignment_strategy: 'round_robin', waitlist_enabled: true, ...input }
  const { id } = await createEventType(key, given, [])
  await call('PUT', `/v1/event-types/${id}/availability`, { key, body: { rules: [], overrides: ONLY } })
  await addHost(key, id, memberId)
  const other = await createEventType(key, { assignment_strategy: 'round_robin' })
  await addHost(key, other.id, memberId)
  const patch = async (body: Record<string, unknown>) => {
    const { status } = await call('PATCH', `/v1/event-types/${id}`, { key, body })
    expect(status).toBe(200)
  }
  const patchHost = async (body: Record<string, unknown>) => {
    const { status } = await call('PATCH', `/v1/event-types/${id}/hosts/${memberId}`, { key, body })
    expect(status).toBe(200)
  }
  /** A schedule that is open at no other time than the start; `hours` are its windows on that day. */
  const schedule = (
    hours: readonly (readonly [string, string])[],
    more: Parameters<typeof insertSchedule>[2] = {},
  ) => insertSchedule(organization, 'live', { rules: daily(...hours), ...more })
  const bookElsewhere = async (start: number) => (await bookAsAnother(other.id, start)).body.id as string
  return {
    organization,
    key,
    id,
    memberId,
    patch,
    patchHost,
    schedule,
    bookElsewhere,
    cancel: (bookingId: string) => call('POST', `/v1/bookings/${bookingId}/cancel`, { key }),
    move: (bookingId: string, to: number) =>
      call('POST', `/v1/bookings/${bookingId}/reschedule`, { key, body: { new_start_time: iso(to) } }),
  }
}

type World = Awaited<ReturnType<typeof worldOf>>

const DATE = dateOf(DAY)
const NEXT = dateOf(DAY + DAY_MS)
const FAR = dateOf(DAY + 5 * DAY_MS)

/** Closes the start, and tells how it is opened again. */
const CHANGES: Readonly<Record<string, (world: World) => Promise<() => Promise<unknown>>>> = {
  'time off that is taken back': async ({ organization, memberId }) => {
    const id = await insertTimeOff(organization, 'live', memberId, DAY, DAY + DAY_MS)
    return () => run('DELETE FROM time_off WHERE id = ?', id)
  },
  'time off that begins later': async ({ organization, memberId }) => {
    const id = await insertTimeOff(organization, 'live', memberId, DAY, DAY + DAY_MS)
    return () => run('UPDATE time_off SET starts_at = ? WHERE id = ?', SLOT + HOUR_MS, id)
  },
  'time off that ends earlier': async ({ organization, memberId }) => {
    const id = await insertTimeOff(organization, 'live', memberId, DAY, DAY + DAY_MS)
    return () => run('UPDATE time_off SET ends_at = ? WHERE id = ?', SLOT, id)
  },
  'time off that moves': async ({ organization, memberId }) => {
    const id = await insertTimeOff(organization, 'live', memberId, DAY, DAY + DAY_MS)
    return () =>
      run('UPDATE time_off SET starts_at = starts_at + ?1, ends_at = ends_at + ?1 WHERE id = ?2', DAY_MS, id)
  },
  'hours that are widened': async ({ schedule, memberId }) => {
    const id = await schedule([['12:00', '18:00']], { memberId })
    return () =>
      run('UPDATE schedules SET rules = ? WHERE id = ?', JSON.stringify(daily(['09:00', '18:00'])), id)
  },
  'hours whose date is open again': async ({ schedule, memberId }) => {
    const id = await schedule([['09:00', '18:00']], { memberId, overrides: [{ date: DATE, intervals: [] }] })
    return () => run("UPDATE schedules SET overrides = '[]' WHERE id = ?", id)
  },
  'hours in another zone': async ({ schedule, memberId }) => {
    const id = await schedule([['19:00', '20:00']], { memberId })
    return () => run("UPDATE schedules SET timezone = 'Asia/Tokyo' WHERE id = ?", id)
  },
  'hours that are the default no more': async ({ schedule, memberId }) => {
    const id = await schedule([['12:00', '18:00']], { memberId })
    return () => run('UPDATE schedules SET is_default = 0 WHERE id = ?', id)
  },
  'hours that are deleted': async ({ schedule, memberId }) => {
    const id = await schedule([['12:00', '18:00']], { memberId })
    return () => run('DELETE FROM schedules WHERE id = ?', id)
  },
  'default hours where there were none': async ({ patch, schedule, memberId }) => {
    await patch({ hours_from: 'hosts' })
    return () => schedule([], { memberId, overrides: ONLY })
  },
  'hours of the organization that a host goes by': async ({ schedule, patchHost }) => {
    const schedule_id = await schedule([['12:00', '18:00']])
    await patchHost({ schedule_id })
    return () =>
      run(
        'UPDATE schedules SET rules = ? WHERE id = ?',
        JSON.stringify(daily(['09:00', '18:00'])),
        schedule_id,
      )
  },
  'hours that the event type goes by': async ({ schedule, patch }) => {
    const schedule_id = await schedule([])
    await patch({ schedule_id })
    return () => run('UPDATE schedules SET overrides = ? WHERE id = ?', JSON.stringify(ONLY), schedule_id)
  },
  'another schedule of a host': async ({ schedule, patchHost }) => {
    await patchHost({ schedule_id: await schedule([['12:00', '18:00']]) })
    return () => patchHost({ schedule_id: null })
  },
  'another schedule of the event type': async ({ schedule, patch }) => {
    await patch({ schedule_id: await schedule([]) })
    return () => patch({ schedule_id: null })
  },
  'hours from elsewhere': async ({ patch }) => {
    await patch({ hours_from: 'hosts' })
    return () => patch({ hours_from: 'own' })
  },
  'a window of more days': async ({ patch }) => {
    await patch({ booking_window_days: 1 })
    return () => patch({ booking_window_days: 3 })
  },
  'a window that begins earlier': async ({ patch }) => {
    await patch({ bookable_from: NEXT })
    return () => patch({ bookable_from: DATE })
  },
  'a window that ends later': async ({ patch }) => {
    await patch({ bookable_until: dateOf(DAY - DAY_MS) })
    return () => patch({ bookable_until: FAR })
  },
  'a higher limit of a day': async ({ memberId, bookElsewhere }) => {
    await setLimits(memberId, { perDay: 1 })
    await bookElsewhere(SLOT + 2 * HOUR_MS)
    return () => setLimits(memberId, { perDay: 2 })
  },
  'no limit of a week': async ({ memberId, bookElsewhere }) => {
    await setLimits(memberId, { perWeek: 1 })
    await bookElsewhere(SLOT + 2 * HOUR_MS)
    return () => setLimits(memberId, {})
  },
  'another zone of a member': async ({ memberId, bookElsewhere }) => {
    await setLimits(memberId, { perDay: 1, timezone: 'UTC' })
    await bookElsewhere(DAY + HOUR_MS)
    // In New York it was still the day before.
    return () => setLimits(memberId, { perDay: 1, timezone: 'America/New_York' })
  },
  'another zone of the organization': async ({ organization, memberId, bookElsewhere }) => {
    await setLimits(memberId, { perDay: 1 })
    await bookElsewhere(DAY + HOUR_MS)
    return () => run("UPDATE organizations SET timezone = 'America/New_York' WHERE id = ?", organization.id)
  },
  'a cancelled booking of the day elsewhere': async ({ memberId, bookElsewhere, cancel }) => {
    await setLimits(memberId, { perDay: 1 })
    const booked = await bookElsewhere(SLOT + 2 * HOUR_MS)
    return () => cancel(booked)
  },
  'a booking elsewhere that moves to another week': async ({ memberId, bookElsewhere, move }) => {
    await setLimits(memberId, { perWeek: 1 })
    const booked = await bookElsewhere(SLOT + 2 * HOUR_MS)
    return () => move(booked, SLOT + 14 * DAY_MS)
  },
}

/** What the API tells at once by itself, without anybody who asks for a booking. */
const BY_API = ['another', 'hours from', 'a window', 'a cancelled', 'a booking']

const CASES = Object.entries(CHANGES).map(
  ([what, close], at) => [what, at % 2 ? 'any start' : 'the start', close] as const,
)

describe('time that is opened', () => {
  it.each(CASES)(
    'by %s goes to the waitlist entry for %s before anybody can book it',
    async (what, which, close) => {
      const start = which === 'the start' ? SLOT : null
      const world = await worldOf()
      const { id, key } = world
      const wait = (invitee_email: string) => {
        const { start_time: _start, ...input } = bookingInput(id, SLOT, { invitee_email })
        return call('POST', '/v1/waitlist', { body: { ...input, ...(start && { start_time: iso(start) }) } })
      }
      const { body: entry, status } = await wait(`${unique('w')}@example.com`)
      expect(status).toBe(201)
      const open = await close(world)
      expect(await openStarts(id, DAY - 2 * DAY_MS, DAY + 3 * DAY_MS)).toEqual([])
      expect((await bookAsAnother(id, SLOT)).status).toBe(409)
      await open()
      expect(await openStarts(id, DAY - 2 * DAY_MS, DAY + 3 * DAY_MS)).not.toContain(iso(SLOT))
      const statusOf = async () => (await call('GET', `/v1/waitlist/${entry.id}`, { key })).body
      if (!BY_API.some((begin) => what.startsWith(begin)) || what.includes('zone')) {
        expect((await statusOf()).status).toBe('waiting')
      }
      expect((await bookAsAnother(id, SLOT)).status).toBe(409)
      const told = await statusOf()
      expect(told.status).toBe('promoted')
      const { body: booking } = await call('GET', `/v1/bookings/${told.promoted_booking_id}`, { key })
      expect([booking.start_time, booking.status]).toEqual([iso(SLOT), 'confirmed'])
      const { results } = await env.DB.prepare('SELECT * FROM freed_times WHERE event_type_id = ?')
        .bind(id)
        .all()
      expect(results).toEqual([])
    },
  )
})

describe('time reserved for the waitlist', () => {
  it('is what another step between starts opens', async () => {
    const { id, key, patch } = await worldOf()
    const overrides = [{ date: DATE, intervals: [{ start_time: '09:00', end_time: '10:30' }] }]
    await call('PUT', `/v1/event-types/${id}/availability`, { key, body: { rules: [], overrides } })
    for (const half of [2, 1]) await bookAsAnother(id, SLOT - (half * HOUR_MS) / 2)
    const { body: entry } = await call('POST', '/v1/waitlist', { body: bookingInput(id, SLOT) })
    await patch({ slot_interval_minutes: 45 })
    expect((await bookAsAnother(id, SLOT)).status).toBe(409)
    await patch({ slot_interval_minutes: null })
    const { body: told } = await call('GET', `/v1/waitlist/${entry.id}`, { key })
    expect(told.status).toBe('promoted')
  })

  it('is handed out by the sweep if nobody asks, and recorded once for many changes', async () => {
    const { organization, id, key, memberId, schedule } = await worldOf()
    const { body: entry } = await call('POST', '/v1/waitlist', { body: bookingInput(id, SLOT) })
    const scheduleId = await schedule([], { memberId })
    const hours = JSON.stringify(daily(['09:00', '12:00']))
    for (let times = 0; times < 3; times++) {
      await run('UPDATE schedules SET rules = ? WHERE id = ?', times < 2 ? '[]' : hours, scheduleId)
    }
    const { results } = await env.DB.prepare('SELECT source FROM freed_times WHERE event_type_id = ?')
      .bind(id)
      .all()
    expect(results).toEqual([{ source: 'hours' }])
    await offerFreedOf(env, openDb(env, 'decide'), organization.id)
    const { body: told } = await call('GET', `/v1/waitlist/${entry.id}`, { key })
    expect(told.status).toBe('promoted')
  })

  it('is nothing if nobody waits, or if time off only grows or changes its reason', async () => {
    const { organization, id, memberId, schedule } = await worldOf()
    const scheduleId = await schedule([['09:00', '10:00']], { memberId })
    const off = await insertTimeOff(organization, 'live', memberId, SLOT, SLOT + HOUR_MS)
    await run("UPDATE schedules SET rules = '[]' WHERE id = ?", scheduleId)
    await call('POST', '/v1/waitlist', {
      body: { event_type_id: id, invitee_name: 'Ada', invitee_email: 'any@example.com' },
    })
    await run("UPDATE time_off SET reason = 'Rest' WHERE id = ?", off)
    await run('UPDATE time_off SET starts_at = starts_at - 1, ends_at = ends_at + 1 WHERE id = ?', off)
    await run("UPDATE schedules SET name = 'Other' WHERE id = ?", scheduleId)
    await setLimits(memberId, { perDay: 2 })
    await setLimits(memberId, { perDay: 1 })
    const { results } = await env.DB.prepare('SELECT * FROM freed_times WHERE event_type_id = ?')
      .bind(id)
      .all()
    expect(results).toEqual([])
  })

  it('is offered to the other event types of a member who can take one more booking that day', async () => {
    const { id, key, memberId, bookElsewhere, cancel } = await worldOf()
    await setLimits(memberId, { perDay: 1 })
    const booked = await bookElsewhere(SLOT + 5 * HOUR_MS)
    const { body: entry } = await call('POST', '/v1/waitlist', { body: bookingInput(id, SLOT) })
    await cancel(booked)
    await expect
      .poll(async () => (await call('GET', `/v1/waitlist/${entry.id}`, { key })).body.status)
      .toBe('promoted')
  })

  it('goes to a waitlist entry for another start of the same day, in the commit that makes room', async () => {
    const { id, key, memberId, cancel } = await worldOf()
    await call('PUT', `/v1/event-types/${id}/availability`, {
      key,
      body: { rules: daily(['09:00', '12:00']), overrides: [] },
    })
    await setLimits(memberId, { perDay: 1 })
    const { body: booked } = await bookAsAnother(id, SLOT)
    const { body: entry } = await call('POST', '/v1/waitlist', { body: bookingInput(id, SLOT + HOUR_MS) })
    await cancel(booked.id)
    const { body: told } = await call('GET', `/v1/waitlist/${entry.id}`, { key })
    expect(told.status).toBe('promoted')
    const { results } = await env.DB.prepare('SELECT * FROM freed_times WHERE event_type_id = ?')
      .bind(id)
      .all()
    expect(results).toEqual([])
  })
})
