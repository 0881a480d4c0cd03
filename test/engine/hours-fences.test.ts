import { env } from 'cloudflare:workers'
import { describe, expect, it } from 'vitest'
import { cancelBooking } from '../../src/booking/bookings/cancel-booking.ts'
import { createBooking } from '../../src/booking/bookings/create-booking.ts'
import { CreateBookingInput } from '../../src/booking/bookings/input-schema.ts'
import { guardHolds, guardInvitee } from '../../src/booking/bookings/limits/statements.ts'
import { rescheduleBooking } from '../../src/booking/bookings/reschedule-booking.ts'
import { waitlist } from '../../src/booking/waitlist/turn-waitlist.ts'
import { CalendarLooks } from '../../src/calendars/check-calendars.ts'
import type { Outcome } from '../../src/engine/turn/outcome.ts'
import { runPlan } from '../../src/engine/turn/run-plan.ts'
import { ScheduleMemory } from '../../src/engine/turn/schedule-memory.ts'
import type { Queries, Verb } from '../../src/engine/turn/verb.ts'
import { openDb } from '../../src/platform/db/client.ts'
import { fenceOf } from '../../src/platform/db/refusals.ts'
import { realNow } from '../../src/platform/limits/clock.ts'
import { call } from '../support/app.ts'
import { countedEnv } from '../support/counted-env.ts'
import {
  bookAsAnother,
  bookingInput,
  createEventType,
  createOrganization,
  dayFromNow,
  iso,
  unique,
} from '../support/factories.ts'
import { addHost, createMember } from '../support/hosts.ts'
import { daily, insertSchedule, insertTimeOff, setLimits } from '../support/hours.ts'
import { run } from '../support/run.ts'

const HOUR_MS = 3_600_000
const SLOT = dayFromNow(3) + 10 * HOUR_MS
const ELSEWHERE = SLOT + 2 * HOUR_MS
const OTHER_DAY = SLOT + 24 * HOUR_MS

async function worldOf() {
  const organization = await createOrganization()
  const key = organization.liveKey
  const input = { assignment_strategy: 'round_robin', waitlist_enabled: true }
  const { id: memberId } = await createMember(organization)
  const [{ id }, { id: other }] = [await createEventType(key, input), await createEventType(key, input)]
  const scheduleId = await insertSchedule(organization, 'live', { memberId })
  for (const eventTypeId of [id, other]) await addHost(key, eventTypeId, memberId)
  return { organization, key, id, other, memberId, scheduleId }
}

type World = Awaited<ReturnType<typeof worldOf>>

/** What somebody else commits between a decision and its commit; afterwards `SLOT` is closed. */
const MEANWHILE: Readonly<Record<string, (world: World) => Promise<unknown>>> = {
  'takes time off': ({ organization, memberId }) =>
    insertTimeOff(organization, 'live', memberId, SLOT, SLOT + HOUR_MS),
  'makes the hours of the host fewer': ({ scheduleId }) =>
    run('UPDATE schedules SET rules = ? WHERE id = ?', JSON.stringify(daily(['12:00', '24:00'])), scheduleId),
  'closes a date in them': ({ scheduleId }) =>
    run(
      'UPDATE schedules SET overrides = ? WHERE id = ?',
      JSON.stringify([{ date: iso(SLOT).slice(0, 10), intervals: [] }]),
      scheduleId,
    ),
  'has the host take fewer meetings': async ({ memberId }) => setLimits(memberId, { perDay: 1 }),
}

const RIVAL = 'books the last meeting of the day in another event type'

/** A turn of the event type's object, into which somebody else gets with a commit of their own. */
function turnsOf(world: World) {
  const pending: (() => Promise<unknown>)[] = []
  const { env: counted } = countedEnv(env, async (texts) => {
    if (texts.some((sql) => /^insert into "?(holds|bookings)/i.test(sql))) await pending.shift()?.()
  })
  const workplace = {
    env: counted,
    memory: new ScheduleMemory(),
    checks: new CalendarLooks(counted),
    announce: () => {},
    announceReleased: () => {},
    waitlist,
  }
  const origin = { actorType: 'invitee' as const, actorId: null, ipAddress: null, requestId: null }
  const common = { origin, claim: null, now: realNow(), eventTypeId: world.id }
  const go = async <Q extends Queries, Body>(verb: Verb<Q, Body>, meanwhile?: () => Promise<unknown>) => {
    if (meanwhile) pending.push(meanwhile)
    const outcome = await runPlan(workplace, verb, workplace.memory.tick())
    expect(pending).toEqual([])
    return codeOf(outcome)
  }
  return {
    book: (start: number, meanwhile?: () => Promise<unknown>) => {
      const email = `${unique('ada')}@example.com`
      const input = CreateBookingInput.parse(bookingInput(world.id, start, { invitee_email: email }))
      return go(createBooking({ ...common, tenant: null, input }), meanwhile)
    },
    move: (bookingId: string, newStart: number, meanwhile?: () => Promise<unknown>) =>
      go(rescheduleBooking({ ...common, bookingId, newStart, reason: null }), meanwhile),
    cancel: (bookingId: string, meanwhile?: () => Promise<unknown>) =>
      go(cancelBooking({ ...common, bookingId, reason: null }), meanwhile),
  }
}

function codeOf(outcome: Outcome<unknown>): string {
  return outcome.kind === 'refused' ? outcome.refusal.code : outcome.kind
}

const BUSY = ['conflict', 'no_host_available']

async function startsOf({ id }: World): Promise<number[]> {
  const query = `SELECT start_time AS start FROM bookings WHERE event_type_id = ? AND status <> 'cancelled' ORDER BY start_time`
  const { results } = await env.DB.prepare(query).bind(id).all<{ start: number }>()
  return results.map(({ start }) => start)
}

describe.each([...Object.keys(MEANWHILE), RIVAL])('while somebody %s', (what) => {
  const meanwhileIn = async (world: World) => {
    const change = MEANWHILE[what]
    if (change) {
      // A limit closes the day only where something is booked on it.
      await bookAsAnother(world.other, SLOT + 5 * HOUR_MS)
      return () => change(world)
    }
    await setLimits(world.memberId, { perDay: 1 })
    return async () => expect((await bookAsAnother(world.other, SLOT + 5 * HOUR_MS)).status).toBe(201)
  }

  it('nothing is booked that was decided before', async () => {
    const world = await worldOf()
    const turns = turnsOf(world)
    const meanwhile = await meanwhileIn(world)
    expect(BUSY).toContain(await turns.book(SLOT, meanwhile))
    expect(await startsOf(world)).toEqual([])
  })

  it('nothing is booked by what was remembered', async () => {
    const world = await worldOf()
    const turns = turnsOf(world)
    expect(await turns.book(OTHER_DAY)).toBe('done')
    const meanwhile = await meanwhileIn(world)
    // A few more, so that memory knows what was changed for this, and trusts itself again.
    for (const days of [1, 2, 3]) expect(await turns.book(OTHER_DAY + days * 24 * HOUR_MS)).toBe('done')
    expect(BUSY).toContain(await turns.book(SLOT, meanwhile))
    expect(await startsOf(world)).not.toContain(SLOT)
  })

  it('nothing is moved there', async () => {
    const world = await worldOf()
    const turns = turnsOf(world)
    const { body } = await bookAsAnother(world.id, OTHER_DAY)
    const meanwhile = await meanwhileIn(world)
    expect(BUSY).toContain(await turns.move(body.id, SLOT, meanwhile))
    expect(await startsOf(world)).toEqual([OTHER_DAY])
  })

  it('nobody who waits is promoted there', async () => {
    const world = await worldOf()
    const turns = turnsOf(world)
    const { body } = await bookAsAnother(world.id, SLOT)
    const wait = bookingInput(world.id, SLOT, { invitee_email: `${unique('w')}@example.com` })
    const { body: entry } = await call('POST', '/v1/waitlist', { body: wait })
    const change = MEANWHILE[what]
    await setLimits(world.memberId, { perDay: change ? null : 1 })
    const meanwhile = change
      ? async () => {
          await bookAsAnother(world.other, SLOT + 5 * HOUR_MS)
          await change(world)
        }
      : async () => {
          // Nobody may book there while the other one is still held, so the hold is put there as the object would.
          await run(
            "INSERT INTO holds (resource_id, starts_at, ends_at, holder_id, meets_at) VALUES (?1, ?2, ?2 + 1, 'rival', ?2)",
            world.memberId,
            SLOT + 5 * HOUR_MS,
          )
        }
    expect(await turns.cancel(body.id, meanwhile)).toBe('done')
    expect(await startsOf(world)).toEqual([])
    const { body: told } = await call('GET', `/v1/waitlist/${entry.id}`, { key: world.key })
    expect(told.status).toBe('waiting')
  })
})

describe('the commit itself', () => {
  it('refuses a meeting more than a resource takes in a stretch of time', async () => {
    const world = await worldOf()
    await bookAsAnother(world.id, SLOT)
    await bookAsAnother(world.other, ELSEWHERE)
    const db = openDb(env, 'decide')
    const guard = (most: number, start: number, end: number) =>
      db.batch([guardHolds(db, [{ resourceId: world.memberId, most, start, end }], realNow() as never)]).then(
        () => null,
        (error: unknown) => fenceOf(error),
      )
    expect(await guard(3, SLOT, ELSEWHERE + 1)).toBe(null)
    expect(await guard(2, SLOT, ELSEWHERE + 1)).toBe('CAP_REACHED')
    expect(await guard(2, SLOT, ELSEWHERE)).toBe(null)
    expect(await guard(1, SLOT + 1, ELSEWHERE)).toBe(null)
  })

  it('refuses a booking more than an invitee may have', async () => {
    const world = await worldOf()
    const email = `${unique('ada')}@example.com`
    const { body } = await bookAsAnother(world.id, SLOT, { invitee_email: email })
    const db = openDb(env, 'decide')
    const row = {
      id: 'another',
      organizationId: world.organization.id,
      isTest: false,
      inviteeEmail: email.toUpperCase(),
      eventTypeId: world.id,
    }
    const guard = (changes: Partial<typeof row>, limit = 1) =>
      db.batch([guardInvitee(db, { ...row, ...changes } as never, limit, realNow() as never)]).then(
        () => null,
        (error: unknown) => fenceOf(error),
      )
    expect(await guard({})).toBe('CAP_REACHED')
    expect(await guard({}, 2)).toBe(null)
    expect(await guard({ id: body.id })).toBe(null)
    expect(await guard({ eventTypeId: world.other })).toBe(null)
    expect(await guard({ isTest: true })).toBe(null)
  })
})
