import { env } from 'cloudflare:workers'
import { describe, expect, it, vi } from 'vitest'
import { CREATE_BOOKING } from '../../src/booking/bookings/commands.ts'
import { createBooking } from '../../src/booking/bookings/create-booking.ts'
import { waitlist } from '../../src/booking/waitlist/turn-waitlist.ts'
import { CalendarLooks } from '../../src/calendars/check-calendars.ts'
import { askEventType } from '../../src/engine/turn/command.ts'
import { runPlan } from '../../src/engine/turn/run-plan.ts'
import { ScheduleMemory } from '../../src/engine/turn/schedule-memory.ts'
import { openDb } from '../../src/platform/db/client.ts'
import { looseId } from '../../src/platform/db/ids.ts'
import { fenceOf } from '../../src/platform/db/refusals.ts'
import { holds } from '../../src/platform/db/schema/bookings.ts'
import { realNow } from '../../src/platform/limits/clock.ts'
import { type Answered, call, callAsService, type Json } from '../support/app.ts'
import { countedEnv } from '../support/counted-env.ts'
import {
  book,
  bookAsAnother,
  bookingInput,
  createEventType,
  createOrganization,
  dayFromNow,
  iso,
  type Organization,
  openStarts,
  unique,
} from '../support/factories.ts'
import { addHost, createMember } from '../support/hosts.ts'
import { serviceWith } from '../support/service-with.ts'

const HOUR_MS = 3_600_000
const SLOT = dayFromNow(3) + 10 * HOUR_MS

function times<T>(count: number, make: (at: number) => PromiseLike<T>): Promise<T[]> {
  return Promise.all(Array.from({ length: count }, (_, at) => make(at)))
}

function statusCounts(answers: readonly Answered[]): Record<number, number> {
  const counts: Record<number, number> = {}
  for (const { status } of answers) counts[status] = (counts[status] ?? 0) + 1
  return counts
}

async function holdsOf(resourceId: string) {
  const { results } = await env.DB.prepare(
    'SELECT starts_at, ends_at, holder_id FROM holds WHERE resource_id = ? ORDER BY starts_at',
  )
    .bind(resourceId)
    .all<{ starts_at: number; ends_at: number; holder_id: string }>()
  return results
}

async function activeBookings(eventTypeId: string) {
  const { results } = await env.DB.prepare(
    "SELECT id, start_time, end_time, status FROM bookings WHERE event_type_id = ? AND status <> 'cancelled'",
  )
    .bind(eventTypeId)
    .all<{ id: string; start_time: number; end_time: number; status: string }>()
  return results
}

/** What must be true after any storm: one hold per active booking, at its time, and none that overlap. */
async function expectSound(eventTypeId: string): Promise<void> {
  const [held, active] = await Promise.all([holdsOf(eventTypeId), activeBookings(eventTypeId)])
  expect(new Set(held.map((hold) => hold.holder_id))).toEqual(new Set(active.map(({ id }) => id)))
  expect(held).toHaveLength(active.length)
  for (const [at, hold] of held.entries()) {
    if (at > 0) expect(hold.starts_at).toBeGreaterThanOrEqual(held[at - 1]!.ends_at)
  }
  const counted = await env.DB.prepare('SELECT active_bookings AS n FROM event_types WHERE id = ?')
    .bind(eventTypeId)
    .first<{ n: number }>()
  expect(counted!.n).toBe(active.length)
}

describe('a stampede on one slot', () => {
  it('gives one of 100 parallel posts the slot and ninety-nine a conflict with alternatives', async () => {
    const { liveKey } = await createOrganization()
    const { id } = await createEventType(liveKey)
    const answers = await times(100, () => book(id, SLOT))
    expect(statusCounts(answers)).toEqual({ 201: 1, 409: 99 })
    for (const { status, body } of answers) {
      if (status !== 409) continue
      expect(body.error.code).toBe('conflict')
      expect(body.error.details.alternatives).toEqual([30, 60, 90].map((min) => iso(SLOT + min * 60_000)))
    }
    await expectSound(id)
  })

  it('takes every one of 100 parallel posts for 100 different slots', async () => {
    const { liveKey } = await createOrganization()
    const { id } = await createEventType(liveKey)
    const answers = await times(100, (at) => bookAsAnother(id, dayFromNow(2) + at * 30 * 60_000))
    expect(statusCounts(answers)).toEqual({ 201: 100 })
    await expectSound(id)
  })

  it('never lets bookings of different lengths and buffers overlap', async () => {
    const { liveKey } = await createOrganization()
    const { id } = await createEventType(liveKey, {
      duration_options: [15, 30, 60],
      buffer_before_minutes: 10,
      buffer_after_minutes: 5,
    })
    const answers = await times(90, (at) =>
      bookAsAnother(id, SLOT + Math.floor(at / 3) * 15 * 60_000, { duration: [15, 30, 60][at % 3] }),
    )
    const counts = statusCounts(answers)
    expect(counts[201]! + (counts[409] ?? 0)).toBe(90)
    expect(counts[201]).toBeGreaterThan(3)
    await expectSound(id)
  })

  it('offers the slot again after a cancel and lets exactly one of the next stampede have it', async () => {
    const { liveKey } = await createOrganization()
    const { id } = await createEventType(liveKey)
    for (let round = 0; round < 3; round++) {
      const answers = await times(20, () => book(id, SLOT))
      expect(statusCounts(answers)).toEqual({ 201: 1, 409: 19 })
      const won = answers.find(({ status }) => status === 201)!.body
      expect(await openStarts(id, dayFromNow(3))).not.toContain(iso(SLOT))
      const cancelled = await call('POST', `/v1/bookings/${won.id}/cancel?token=${won.cancel_token}`)
      expect(cancelled.status).toBe(200)
      expect(await openStarts(id, dayFromNow(3))).toContain(iso(SLOT))
    }
    await expectSound(id)
  })
})

describe('the database as the fence', () => {
  it('refuses a hold that overlaps another one of its resource, and takes one that only touches it', async () => {
    const db = openDb(env, 'decide')
    const resourceId = looseId()
    const hold = (startsAt: number, endsAt: number) =>
      db.insert(holds).values({ resourceId, startsAt, endsAt, holderId: looseId() })
    await hold(SLOT, SLOT + HOUR_MS)
    for (const [start, end] of [
      [0, HOUR_MS],
      [-1, 1],
      [HOUR_MS - 1, HOUR_MS + 1],
      [-HOUR_MS, 2 * HOUR_MS],
      [1000, 2000],
      [HOUR_MS - 12 * HOUR_MS, HOUR_MS],
    ] as const) {
      const refusal = await hold(SLOT + start, SLOT + end).catch((error: unknown) => error)
      expect(fenceOf(refusal)).toBe('SLOT_TAKEN')
    }
    await hold(SLOT - HOUR_MS, SLOT)
    await hold(SLOT + HOUR_MS, SLOT + 2 * HOUR_MS)
    expect(await holdsOf(resourceId)).toHaveLength(3)
  })

  it('sees a hold of twelve hours, the longest there is, from its last millisecond', async () => {
    const db = openDb(env, 'decide')
    const resourceId = looseId()
    await db
      .insert(holds)
      .values({ resourceId, startsAt: SLOT, endsAt: SLOT + 12 * HOUR_MS, holderId: looseId() })
    const last = {
      resourceId,
      startsAt: SLOT + 12 * HOUR_MS - 1,
      endsAt: SLOT + 13 * HOUR_MS,
      holderId: looseId(),
    }
    expect(
      fenceOf(
        await db
          .insert(holds)
          .values(last)
          .catch((error: unknown) => error),
      ),
    ).toBe('SLOT_TAKEN')
    const longer = {
      resourceId: looseId(),
      startsAt: SLOT,
      endsAt: SLOT + 12 * HOUR_MS + 1,
      holderId: looseId(),
    }
    await expect(db.insert(holds).values(longer)).rejects.toThrow()
  })

  it('never lets a hold be moved in place, because the fence would not see it', async () => {
    const db = openDb(env, 'decide')
    const resourceId = looseId()
    await db.insert(holds).values({ resourceId, startsAt: SLOT, endsAt: SLOT + 1, holderId: looseId() })
    await expect(
      env.DB.prepare('UPDATE holds SET starts_at = 0 WHERE resource_id = ?').bind(resourceId).run(),
    ).rejects.toThrow('HOLD_IMMUTABLE')
  })

  it('uses its index for the overlap check, so that history costs nothing', async () => {
    const { results } = await env.DB.prepare(
      'EXPLAIN QUERY PLAN SELECT 1 FROM holds WHERE resource_id = ? AND kept_by = ? AND starts_at > ? AND starts_at < ? AND ends_at > ?',
    )
      .bind('r', '', 0, 1, 0)
      .all<{ detail: string }>()
    expect(results.map(({ detail }) => detail).join()).toMatch(
      /SEARCH.*resource_id=\? AND kept_by=\? AND starts_at>\? AND starts_at<\?/,
    )
  })

  it('turns a hold that somebody else took behind the object into a conflict, never a failure', async () => {
    const { liveKey } = await createOrganization()
    const { id } = await createEventType(liveKey)
    const outcomes = await Promise.all([
      ...Array.from({ length: 5 }, () => book(id, SLOT)),
      openDb(env, 'decide')
        .insert(holds)
        .values({ resourceId: id, startsAt: SLOT, endsAt: SLOT + 30 * 60_000, holderId: looseId() })
        .catch(() => undefined),
    ])
    const counts = statusCounts(outcomes.slice(0, 5) as Answered[])
    expect((counts[201] ?? 0) + (counts[409] ?? 0)).toBe(5)
    expect(await holdsOf(id)).toHaveLength(1)
  })

  it('answers a conflict when the fence refuses what the object decided on', async () => {
    const { liveKey } = await createOrganization()
    const { id } = await createEventType(liveKey)
    // A hold that no schedule shows, as another object's commit between load and commit would be.
    await env.DB.prepare(
      `CREATE TRIGGER rival BEFORE INSERT ON bookings WHEN NEW.event_type_id = '${id}' BEGIN SELECT RAISE(ABORT, 'SLOT_TAKEN'); END`,
    ).run()
    try {
      const { status, body } = await book(id, SLOT)
      expect({ status, code: body.error.code }).toEqual({ status: 409, code: 'conflict' })
    } finally {
      await env.DB.prepare('DROP TRIGGER rival').run()
    }
    expect(await holdsOf(id)).toEqual([])
    expect((await book(id, SLOT)).status).toBe(201)
  })

  it('offers other starts to callers who lost every race, and repeats that answer for the same key', async () => {
    const { liveKey } = await createOrganization()
    const { id } = await createEventType(liveKey)
    const { body: moving } = await book(id, SLOT + 5 * HOUR_MS)
    const sends = [
      ['/v1/bookings', bookingInput(id, SLOT)],
      [`/v1/bookings/${moving.id}/reschedule?token=${moving.cancel_token}`, { new_start_time: iso(SLOT) }],
    ] as const
    const send = (at: number) =>
      call('POST', sends[at]![0], { headers: { 'Idempotency-Key': `late ${at}` }, body: sends[at]![1] })
    await env.DB.prepare(
      `CREATE TRIGGER rival BEFORE INSERT ON holds WHEN NEW.resource_id = '${id}' BEGIN SELECT RAISE(ABORT, 'SLOT_TAKEN'); END`,
    ).run()
    let lost: Answered[]
    try {
      lost = [await send(0), await send(1)]
    } finally {
      await env.DB.prepare('DROP TRIGGER rival').run()
    }
    for (const [at, { status, body }] of lost.entries()) {
      expect([status, body.error.code]).toEqual([409, 'conflict'])
      expect(body.error.details.alternatives[0]).toBe(iso(SLOT + HOUR_MS / 2))
      const again = await send(at)
      expect([again.status, again.body]).toEqual([409, body])
      expect(again.headers.get('idempotent-replayed')).toBe('true')
    }
  })

  it('keeps reserved time for the waitlist, even if its entries cannot be booked just now', async () => {
    const { liveKey } = await createOrganization()
    const { id } = await createEventType(liveKey, { waitlist_enabled: true })
    const { body: held } = await book(id, SLOT)
    const { body: elsewhere } = await book(id, SLOT + 5 * HOUR_MS)
    const { body: entry } = await call('POST', '/v1/waitlist', { body: bookingInput(id, SLOT) })
    // Who loses waits a random while before the next try.
    const chance = vi.spyOn(Math, 'random').mockReturnValue(0)
    await env.DB.prepare(
      `CREATE TRIGGER rival BEFORE UPDATE ON waitlist_entries WHEN NEW.event_type_id = '${id}' BEGIN SELECT RAISE(ABORT, 'STALE'); END`,
    ).run()
    try {
      expect((await call('POST', `/v1/bookings/${held.id}/cancel`, { key: liveKey })).status).toBe(200)
      const booked = await book(id, SLOT)
      const moved = await call('POST', `/v1/bookings/${elsewhere.id}/reschedule`, {
        key: liveKey,
        body: { new_start_time: iso(SLOT) },
      })
      for (const { status, body } of [booked, moved]) {
        expect([status, body.error?.code]).toEqual([409, 'conflict'])
        expect(body.error.details.alternatives[0]).toBe(iso(SLOT + HOUR_MS / 2))
      }
      expect((await book(id, SLOT + HOUR_MS)).status).toBe(201)
    } finally {
      await env.DB.prepare('DROP TRIGGER rival').run()
      chance.mockRestore()
    }
    expect((await book(id, SLOT)).status).toBe(409)
    const { body: told } = await call('GET', `/v1/waitlist/${entry.id}`, { key: liveKey })
    expect(told.status).toBe('promoted')
  })

  it('lets one of two objects that compete for one resource have it', async () => {
    const { liveKey } = await createOrganization()
    const { id } = await createEventType(liveKey)
    const command = (at: number) => ({
      eventTypeId: id,
      tenant: null,
      input: {
        ...bookingInput(id, SLOT),
        start_time: SLOT,
        invitee_timezone: 'UTC',
        metadata: {},
        attendees: [],
      },
      origin: { actorType: 'invitee' as const, actorId: null, ipAddress: null, requestId: String(at) },
      claim: null,
      now: realNow(),
    })
    // Twenty objects that know nothing of each other, each convinced that it is the only one.
    const outcomes = await times(20, (at) => askEventType(env, unique('rival'), CREATE_BOOKING, command(at)))
    const kinds = outcomes.map((outcome) =>
      outcome.kind === 'refused' ? outcome.refusal.code : outcome.kind,
    )
    expect(kinds.filter((kind) => kind === 'done')).toHaveLength(1)
    expect(kinds.filter((kind) => kind === 'conflict')).toHaveLength(19)
    await expectSound(id)
  })
})

describe('event types that share hosts', () => {
  /** As many event types as hosts; each is hosted by all. */
  async function shared(count: number, input: Json = {}) {
    const organization = await createOrganization()
    const key = organization.liveKey
    const members: string[] = []
    for (let made = 0; made < count; made++) members.push((await createMember(organization)).id)
    const types = await times(count, async () => {
      const { id } = await createEventType(key, { assignment_strategy: 'round_robin', ...input })
      for (const member of members) await addHost(key, id, member)
      return String(id)
    })
    return { key, members, types }
  }

  it('are all booked at once if each can have a host, whether by booking or by moving there', async () => {
    const { types } = await shared(10)
    for (let round = 0; round < 3; round++) {
      const start = SLOT + round * HOUR_MS
      const booked = await times(10, (at) => book(types[at]!, start))
      expect(statusCounts(booked)).toEqual({ 201: 10 })
      const moved = await times(10, (at) => {
        const { id, cancel_token } = booked[at]!.body
        const body = { new_start_time: iso(start + 24 * HOUR_MS) }
        return call('POST', `/v1/bookings/${id}/reschedule?token=${cancel_token}`, { body })
      })
      expect(statusCounts(moved)).toEqual({ 200: 10 })
      for (const answers of [booked, moved]) {
        expect(new Set(answers.map(({ body }) => body.assigned_host.member_id)).size).toBe(10)
      }
    }
  })

  it('are refused for good if no host is left', async () => {
    const { types } = await shared(4)
    const answers = await times(12, (at) =>
      book(types[at % 4]!, SLOT, { invitee_email: `${unique('g')}@example.com` }),
    )
    expect(statusCounts(answers)).toEqual({ 201: 4, 409: 8 })
    for (const { status, body } of answers) {
      if (status === 409) expect(body.error.code).toBe('no_host_available')
    }
  })

  it('each book their waitlist entry when all hosts are released at once', async () => {
    const { key, members, types } = await shared(8, { waitlist_enabled: true })
    const all = await createEventType(key)
    for (const member of members) await addHost(key, all.id, member)
    const { body: held } = await book(all.id, SLOT)
    const entries = await times(8, (at) =>
      call('POST', '/v1/waitlist', { body: bookingInput(types[at]!, SLOT) }),
    )
    expect(statusCounts(entries)).toEqual({ 201: 8 })
    await call('POST', `/v1/bookings/${held.id}/cancel`, { key })
    await vi.waitFor(
      async () => {
        const told = await times(8, (at) => call('GET', `/v1/waitlist/${entries[at]!.body.id}`, { key }))
        expect(told.map(({ body }) => body.status)).toEqual(Array(8).fill('promoted'))
      },
      { timeout: 15_000, interval: 200 },
    )
  })
})

describe('a booking that waited its turn', () => {
  const changes: [string, string, (organization: Organization, id: string) => Promise<unknown>][] = [
    ['was deactivated', 'not_found', ({ liveKey }, id) => patch(liveKey, id, { active: false })],
    [
      'was deleted',
      'not_found',
      ({ liveKey }, id) => call('DELETE', `/v1/event-types/${id}`, { key: liveKey }),
    ],
    ['was capped', 'booking_cap_reached', ({ liveKey }, id) => patch(liveKey, id, { booking_cap: 1 })],
    [
      'has other buffers',
      'conflict',
      ({ liveKey }, id) => patch(liveKey, id, { buffer_before_minutes: 120 }),
    ],
    [
      'has no hours left',
      'conflict',
      ({ liveKey }, id) =>
        call('PUT', `/v1/event-types/${id}/availability`, { key: liveKey, body: { rules: [] } }),
    ],
    [
      'is of a suspended organization',
      'org_suspended',
      ({ id }) => callAsService('PATCH', `/v1/organizations/${id}`, { body: { suspended: true } }),
    ],
  ]
  const patch = (key: string, id: string, body: Json) => call('PATCH', `/v1/event-types/${id}`, { key, body })

  it.each(changes)(
    'is judged by what is true when it is made: the event type %s',
    async (_, code, change) => {
      const organization = await createOrganization()
      const { id } = await createEventType(organization.liveKey)
      const workplace = {
        env,
        memory: new ScheduleMemory(),
        checks: new CalendarLooks(env),
        announce: () => {},
        announceReleased: () => {},
        waitlist,
      }
      const command = (start: number) => ({
        eventTypeId: id,
        tenant: null,
        input: {
          ...bookingInput(id, SLOT),
          start_time: start,
          invitee_timezone: 'UTC',
          metadata: {},
          attendees: [],
        },
        origin: { actorType: 'invitee' as const, actorId: null, ipAddress: null, requestId: null },
        claim: null,
        now: realNow(),
      })
      const arrivals = [workplace.memory.tick(), workplace.memory.tick()] as const
      expect((await runPlan(workplace, createBooking(command(SLOT)), arrivals[0])).kind).toBe('done')
      await change(organization, id)
      const outcome = await runPlan(workplace, createBooking(command(SLOT + HOUR_MS)), arrivals[1])
      expect(outcome).toMatchObject({ kind: 'refused', refusal: { code } })
      expect(await activeBookings(id)).toHaveLength(1)
    },
  )
})

describe('an object that remembers its schedule', () => {
  /** Two event types with one host, whose objects both know it. */
  async function shared() {
    const organization = await createOrganization()
    const key = organization.liveKey
    const { id: member } = await createMember(organization)
    const ids: string[] = []
    for (let made = 0; made < 2; made++) {
      const { id } = await createEventType(key, { assignment_strategy: 'round_robin' })
      await addHost(key, id, member)
      ids.push(id)
    }
    for (const [at, id] of ids.entries()) await book(id, SLOT - 24 * HOUR_MS + at * HOUR_MS)
    return { key, here: ids[0]!, there: ids[1]! }
  }
  const ask = (id: string, start: number, options: Record<string, unknown> = {}) =>
    call('POST', '/v1/bookings', { body: bookingInput(id, start), ...options })

  it('does not book time that was taken elsewhere since', async () => {
    const { here, there } = await shared()
    expect((await ask(there, SLOT)).status).toBe(201)
    const refusal = await ask(here, SLOT)
    expect([refusal.status, refusal.body.error.code]).toEqual([409, 'no_host_available'])
    expect((await ask(here, SLOT + HOUR_MS)).status).toBe(201)
  })

  it('does not refuse time that was released elsewhere since', async () => {
    const { key, here, there } = await shared()
    const { body } = await ask(there, SLOT)
    expect((await ask(here, SLOT)).status).toBe(409)
    expect((await call('POST', `/v1/bookings/${body.id}/cancel`, { key, body: {} })).status).toBe(200)
    expect((await ask(here, SLOT)).status).toBe(201)
  })

  it('offers others as far ahead of a refused start as a question would find them', async () => {
    const { liveKey: key } = await createOrganization()
    const { id } = await createEventType(key)
    const first = SLOT + 24 * HOUR_MS
    const rules = [{ day_of_week: new Date(first).getUTCDay(), start_time: '10:00', end_time: '10:30' }]
    await call('PUT', `/v1/event-types/${id}/availability`, { key, body: { rules } })
    const [soon, late, later] = [0, 3, 4].map((weeks) => first + weeks * 7 * 24 * HOUR_MS)
    expect((await ask(id, soon!)).status).toBe(201)
    expect((await ask(id, late!)).status).toBe(201)
    const { body } = await ask(id, late!)
    expect(body.error.details.alternatives).toEqual([iso(later!)])
  })

  it('asks less and less before it books where it was right, and refuses without a question where it was wrong', async () => {
    const { liveKey } = await createOrganization()
    const { id } = await createEventType(liveKey)
    const { trips, env: counted } = countedEnv()
    const memory = new ScheduleMemory()
    const workplace = {
      env: { ...env, DB: counted.DB },
      memory,
      checks: new CalendarLooks(env),
      announce: () => {},
      announceReleased: () => {},
      waitlist,
    }
    const tripsOf = async (start: number, arrivedAt = memory.tick()) => {
      const before = trips.count
      const input = {
        ...bookingInput(id, SLOT),
        start_time: start,
        invitee_timezone: 'UTC',
        metadata: {},
        attendees: [],
      }
      const origin = { actorType: 'invitee' as const, actorId: null, ipAddress: null, requestId: null }
      const asked = { eventTypeId: id, tenant: null, input, origin, claim: null, now: realNow() }
      const { kind } = await runPlan(workplace, createBooking(asked), arrivedAt)
      return [kind, trips.count - before]
    }
    for (let wrong = 0; wrong < 3; wrong++) memory.doubt()
    const arrivals = Array.from({ length: 4 }, () => memory.tick())
    // Three wrong guesses in a row are worth seven questions.
    expect(await tripsOf(SLOT)).toEqual(['done', 2])
    for (const arrival of arrivals) expect(await tripsOf(SLOT, arrival)).toEqual(['refused', 0])
    const later = [1, 2, 3, 4, 5].map((at) => SLOT + at * HOUR_MS)
    const costs: unknown[] = []
    for (const start of later) costs.push((await tripsOf(start))[1])
    expect(costs).toEqual([2, 2, 2, 1, 1])
  })

  it('returns the first answer again under an Idempotency-Key, even if it would refuse now', async () => {
    const { here } = await shared()
    const headers = { 'Idempotency-Key': unique('key') }
    const first = await ask(here, SLOT, { headers })
    const again = await ask(here, SLOT, { headers })
    expect([first.status, again.status, again.body.id]).toEqual([201, 201, first.body.id])
    expect(again.headers.get('Idempotent-Replayed')).toBe('true')
    expect((await ask(here, SLOT)).status).toBe(409)
  })

  it('knows who took part in what, whatever was booked, moved and cancelled in it', async () => {
    const { key, here } = await shared()
    const made = await times(4, (at) => ask(here, SLOT + at * HOUR_MS))
    expect(statusCounts(made)).toEqual({ 201: 4 })
    const [first, second] = made.map(({ body }) => body)
    expect((await call('POST', `/v1/bookings/${first.id}/cancel`, { key, body: {} })).status).toBe(200)
    const moved = await call('POST', `/v1/bookings/${second.id}/reschedule`, {
      key,
      body: { new_start_time: iso(SLOT + 8 * HOUR_MS) },
    })
    expect(moved.status).toBe(200)
    const tried = await times(10, (at) => ask(here, SLOT + at * HOUR_MS, { key }))
    expect(tried.map(({ status }) => status)).toEqual([201, 201, 409, 409, 201, 201, 201, 201, 409, 201])
  })
})

describe('moving and cancelling while others book', () => {
  it('gives a start to a reschedule or to a booking, never to both', async () => {
    const { liveKey } = await createOrganization()
    const { id } = await createEventType(liveKey)
    for (let round = 0; round < 8; round++) {
      const target = SLOT + round * 2 * HOUR_MS
      const { body: moving } = await bookAsAnother(id, target + HOUR_MS)
      const reschedule = () =>
        call('POST', `/v1/bookings/${moving.id}/reschedule?token=${moving.cancel_token}`, {
          body: { new_start_time: iso(target) },
        })
      const answers = await Promise.all(
        round % 2 === 0
          ? [reschedule(), bookAsAnother(id, target)]
          : [bookAsAnother(id, target), reschedule()],
      )
      const good = answers.filter(({ status }) => status < 300)
      expect(good).toHaveLength(1)
      expect(answers.find(({ status }) => status >= 300)!.body.error.code).toBe('conflict')
    }
    await expectSound(id)
  })

  it('lets one of many bookings that are moved to one start have it', async () => {
    const { liveKey } = await createOrganization()
    const { id } = await createEventType(liveKey)
    const booked = await times(10, (at) => book(id, SLOT + (at + 1) * 30 * 60_000))
    const answers = await Promise.all(
      booked.map(({ body }) =>
        call('POST', `/v1/bookings/${body.id}/reschedule?token=${body.cancel_token}`, {
          body: { new_start_time: iso(SLOT) },
        }),
      ),
    )
    expect(statusCounts(answers)).toEqual({ 200: 1, 409: 9 })
    await expectSound(id)
  })

  it('gives a slot that is cancelled in a stampede to one other at the most', async () => {
    const { liveKey } = await createOrganization()
    const { id } = await createEventType(liveKey)
    const { body: first } = await book(id, SLOT)
    const [cancelled, ...others] = await Promise.all([
      call('POST', `/v1/bookings/${first.id}/cancel`, { key: liveKey }),
      ...Array.from({ length: 30 }, () => book(id, SLOT)),
    ])
    expect(cancelled!.status).toBe(200)
    expect(statusCounts(others)[201] ?? 0).toBeLessThanOrEqual(1)
    await expectSound(id)
  })

  it('cancels once however many cancel at the same time', async () => {
    const { id: organizationId, liveKey } = await createOrganization()
    const { id } = await createEventType(liveKey)
    const { body: booking } = await book(id, SLOT)
    const answers = await times(10, () => call('POST', `/v1/bookings/${booking.id}/cancel`, { key: liveKey }))
    expect(statusCounts(answers)).toEqual({ 200: 10 })
    expect(new Set(answers.map(({ body }) => body.cancelled_at)).size).toBe(1)
    const events = await env.DB.prepare('SELECT kind FROM events WHERE organization_id = ? ORDER BY sequence')
      .bind(organizationId)
      .all<{ kind: string }>()
    expect(events.results.map(({ kind }) => kind)).toEqual(['booking.created', 'booking.cancelled'])
  })
})

describe('limits that hold under parallel calls', () => {
  it('takes exactly as many bookings as the cap allows', async () => {
    const { liveKey } = await createOrganization()
    for (const period of ['daily', 'weekly', 'monthly', 'total']) {
      const { id } = await createEventType(liveKey, { booking_cap: 7, booking_cap_period: period })
      const answers = await times(20, (at) => book(id, SLOT + (at - 10) * 30 * 60_000))
      expect(statusCounts(answers)).toEqual({ 201: 7, 409: 13 })
      const refusals = answers.filter(({ status }) => status === 409).map(({ body }) => body.error.code)
      expect(new Set(refusals)).toEqual(new Set(['booking_cap_reached']))
    }
  })

  it('refuses in the commit what would go over the cap, even when the object is bypassed', async () => {
    const { liveKey } = await createOrganization()
    const { id } = await createEventType(liveKey, { booking_cap: 3, booking_cap_period: 'daily' })
    const command = (at: number) => ({
      eventTypeId: id,
      tenant: null,
      input: {
        ...bookingInput(id, SLOT),
        start_time: SLOT + at * 30 * 60_000,
        invitee_timezone: 'UTC',
        metadata: {},
        attendees: [],
      },
      origin: { actorType: 'invitee' as const, actorId: null, ipAddress: null, requestId: null },
      claim: null,
      now: realNow(),
    })
    const outcomes = await times(12, (at) => askEventType(env, unique('rival'), CREATE_BOOKING, command(at)))
    expect(outcomes.filter(({ kind }) => kind === 'done')).toHaveLength(3)
    expect(await activeBookings(id)).toHaveLength(3)
  })

  it('takes exactly the plan quota of bookings across event types', async () => {
    const { id: organizationId, liveKey } = await createOrganization({ tier: 'free' })
    const eventTypes = await times(4, () => createEventType(liveKey))
    const answers = await times(24, (at) => book(eventTypes[at % 4].id, SLOT + at * 30 * 60_000))
    expect(statusCounts(answers)).toEqual({ 201: 10, 403: 14 })
    expect(answers.find(({ status }) => status === 403)!.body.error.code).toBe('plan_limit_exceeded')
    const quota = await env.DB.prepare('SELECT bookings FROM booking_quotas WHERE organization_id = ?')
      .bind(organizationId)
      .first<{ bookings: number }>()
    expect(quota!.bookings).toBe(10)
  })
})

describe('one Idempotency-Key, sent many times', () => {
  it('gives one booking for 30 parallel sends, and the same answer from then on', async () => {
    const { liveKey } = await createOrganization()
    const { id } = await createEventType(liveKey)
    const headers = { 'Idempotency-Key': unique('send') }
    const send = () => call('POST', '/v1/bookings', { headers, body: bookingInput(id, SLOT) })
    const answers = await times(30, send)
    const counts = statusCounts(answers)
    expect((counts[201] ?? 0) + (counts[409] ?? 0)).toBe(30)
    const created = answers.filter(({ status }) => status === 201)
    expect(created.length).toBeGreaterThanOrEqual(1)
    expect(new Set(created.map(({ body }) => body.id)).size).toBe(1)
    expect(await activeBookings(id)).toHaveLength(1)

    const again = await send()
    expect(again.status).toBe(201)
    expect(again.headers.get('idempotent-replayed')).toBe('true')
    expect(again.body).toEqual(created[0]!.body)
  })

  it('refuses the key for another request and keeps refusals too', async () => {
    const { liveKey } = await createOrganization()
    const { id } = await createEventType(liveKey)
    const headers = { 'Idempotency-Key': unique('send') }
    await call('POST', '/v1/bookings', { headers, body: bookingInput(id, SLOT) })
    const other = await call('POST', '/v1/bookings', { headers, body: bookingInput(id, SLOT + HOUR_MS) })
    expect(other.status).toBe(409)
    expect(await activeBookings(id)).toHaveLength(1)

    const late = { 'Idempotency-Key': unique('send') }
    const lost = await call('POST', '/v1/bookings', { headers: late, body: bookingInput(id, SLOT) })
    expect(lost.status).toBe(409)
    const { results } = await env.DB.prepare('SELECT id FROM bookings WHERE event_type_id = ?').bind(id).all()
    await call('POST', `/v1/bookings/${results[0]!.id}/cancel`, { key: liveKey })
    const replayed = await call('POST', '/v1/bookings', { headers: late, body: bookingInput(id, SLOT) })
    expect(replayed.status).toBe(409)
    expect(replayed.headers.get('idempotent-replayed')).toBe('true')
    expect(replayed.body).toEqual(lost.body)
  })

  it('costs one commit when the object rejects the booking, for every caller', async () => {
    const { liveKey } = await createOrganization()
    const { id } = await createEventType(liveKey)
    const { trips, env: counted } = countedEnv()
    const service = serviceWith({ DB: counted.DB })
    await service.book(id, SLOT)
    const cost = async (key?: string) => {
      await service.call('GET', '/v1/event-types', { ...(key && { key }) })
      const before = trips.count
      const { status } = await service.call('POST', '/v1/bookings', {
        headers: { 'Idempotency-Key': unique('late') },
        body: bookingInput(id, SLOT),
        ...(key && { key }),
      })
      expect(status).toBe(409)
      return trips.count - before
    }
    // What was asked, and what is kept of the answer; a key is also told whether the start is the invitee's own.
    expect([await cost(), await cost(liveKey)]).toEqual([2, 2])
  })

  it('belongs to its caller: the public and a key, and two event types, do not share it', async () => {
    const { liveKey } = await createOrganization()
    const [one, two] = [await createEventType(liveKey), await createEventType(liveKey)]
    const headers = { 'Idempotency-Key': unique('send') }
    const sends = [
      await call('POST', '/v1/bookings', { headers, body: bookingInput(one.id, SLOT) }),
      await call('POST', '/v1/bookings', { headers, body: bookingInput(two.id, SLOT) }),
      await call('POST', '/v1/bookings', {
        headers,
        key: liveKey,
        body: bookingInput(one.id, SLOT + HOUR_MS),
      }),
    ]
    expect(sends.map(({ status }) => status)).toEqual([201, 201, 201])
  })

  it('gives one booking when a key caller sends it to two event types at once', async () => {
    const { liveKey } = await createOrganization()
    const eventTypes = [await createEventType(liveKey), await createEventType(liveKey)]
    const headers = { 'Idempotency-Key': unique('send') }
    const answers = await times(10, (at) =>
      call('POST', '/v1/bookings', {
        headers,
        key: liveKey,
        body: bookingInput(eventTypes[at % 2].id, SLOT),
      }),
    )
    const ids = answers.filter(({ status }) => status === 201).map(({ body }) => body.id)
    expect(new Set(ids).size).toBe(1)
    const active = await Promise.all(eventTypes.map(({ id }) => activeBookings(id)))
    expect(active.flat()).toHaveLength(1)
  })

  it('replays a cancel and a reschedule', async () => {
    const { liveKey } = await createOrganization()
    const { id } = await createEventType(liveKey)
    const { body: booking } = await book(id, SLOT)
    const move = { headers: { 'Idempotency-Key': 'move' }, body: { new_start_time: iso(SLOT + HOUR_MS) } }
    const path = `/v1/bookings/${booking.id}`
    const moved = await call('POST', `${path}/reschedule?token=${booking.cancel_token}`, move)
    const cancel = { headers: { 'Idempotency-Key': 'stop' } }
    const stopped = await call('POST', `${path}/cancel?token=${booking.cancel_token}`, cancel)
    expect([moved.status, stopped.status]).toEqual([200, 200])
    const again = await call('POST', `${path}/reschedule?token=${booking.cancel_token}`, move)
    expect(again.headers.get('idempotent-replayed')).toBe('true')
    expect(again.body).toEqual(moved.body)
    const stoppedAgain = await call('POST', `${path}/cancel?token=${booking.cancel_token}`, cancel)
    expect(stoppedAgain.headers.get('idempotent-replayed')).toBe('true')
  })

  it('remembers that nothing was changed, so that a late repetition undoes nothing', async () => {
    const { liveKey } = await createOrganization()
    const { id } = await createEventType(liveKey)
    const { body: booking } = await book(id, SLOT)
    const path = `/v1/bookings/${booking.id}`
    const move = (start: number, key: string) =>
      call('POST', `${path}/reschedule`, {
        key: liveKey,
        headers: { 'Idempotency-Key': key },
        body: { new_start_time: iso(start) },
      })
    const stayed = await move(SLOT, 'stay')
    expect((await move(SLOT + HOUR_MS, 'go')).body.start_time).toBe(iso(SLOT + HOUR_MS))
    const late = await move(SLOT, 'stay')
    expect([stayed.status, late.status, late.headers.get('idempotent-replayed')]).toEqual([200, 200, 'true'])
    const { body: asItIs } = await call('GET', path, { key: liveKey })
    expect(late.body.start_time).toBe(iso(SLOT + HOUR_MS))
    expect(asItIs).toMatchObject(late.body)
    await call('POST', `${path}/cancel`, { key: liveKey })
    const cancel = { key: liveKey, headers: { 'Idempotency-Key': 'stop' } }
    const again = await call('POST', `${path}/cancel`, cancel)
    const replayed = await call('POST', `${path}/cancel`, cancel)
    expect([replayed.body, replayed.headers.get('idempotent-replayed')]).toEqual([again.body, 'true'])
  })

  it('needs almost no storage if nothing is changed, however large the booking', async () => {
    const { liveKey } = await createOrganization()
    const { id } = await createEventType(liveKey, { waitlist_enabled: true })
    const metadata = { large: 'x'.repeat(16_000) }
    const { body: booking } = await book(id, SLOT, { metadata, notes: 'y'.repeat(2_000) })
    const { body: entry } = await call('POST', '/v1/waitlist', {
      body: { ...bookingInput(id, SLOT), notes: 'z'.repeat(2_000) },
    })
    const sends: [string, Json][] = [
      [`/v1/bookings/${booking.id}/reschedule?token=${booking.cancel_token}`, { new_start_time: iso(SLOT) }],
      [`/v1/waitlist/${entry.id}/cancel?token=${entry.cancel_token}`, {}],
      [`/v1/bookings/${booking.id}/cancel?token=${booking.cancel_token}`, {}],
    ]
    for (const [path, body] of sends) {
      if (path.includes('/cancel')) await call('POST', path, { body })
      const headers = { 'Idempotency-Key': unique('idle') }
      const first = await call('POST', path, { headers, body })
      const again = await call('POST', path, { headers, body })
      expect([first.status, again.status, again.body]).toEqual([200, 200, first.body])
      expect(again.headers.get('idempotent-replayed')).toBe('true')
      const kept = await env.DB.prepare(
        'SELECT length(answer) AS answer, length(scope) + length(key) + length(request_hash) + length(answer) AS whole FROM idempotency_keys WHERE key = ?',
      )
        .bind(headers['Idempotency-Key'])
        .first<{ answer: number; whole: number }>()
      expect(kept!.answer).toBeLessThan(60)
      expect(kept!.whole).toBeLessThan(240)
    }
  })

  it('keeps no secret that can be read in the database', async () => {
    const { liveKey } = await createOrganization()
    const { id } = await createEventType(liveKey)
    const headers = { 'Idempotency-Key': unique('send') }
    const { body } = await call('POST', '/v1/bookings', { headers, body: bookingInput(id, SLOT) })
    const kept = await env.DB.prepare('SELECT * FROM idempotency_keys WHERE scope = ?')
      .bind(`public/${id}`)
      .all()
    expect(kept.results).toHaveLength(1)
    expect(JSON.stringify(kept.results)).not.toContain(body.cancel_token)
    expect(JSON.stringify(kept.results)).not.toContain('ada@example.com')
  })
})
