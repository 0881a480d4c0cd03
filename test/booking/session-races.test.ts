import { env } from 'cloudflare:workers'
import { describe, expect, it } from 'vitest'
import { cancelSession } from '../../src/booking/sessions/cancel-session.ts'
import { rescheduleSession } from '../../src/booking/sessions/reschedule-session.ts'
import { waitlist } from '../../src/booking/waitlist/turn-waitlist.ts'
import { CalendarLooks } from '../../src/calendars/check-calendars.ts'
import { runPlan } from '../../src/engine/turn/run-plan.ts'
import { ScheduleMemory } from '../../src/engine/turn/schedule-memory.ts'
import type { Verb } from '../../src/engine/turn/verb.ts'
import { realNow } from '../../src/platform/limits/clock.ts'
import { call } from '../support/app.ts'
import { countedEnv } from '../support/counted-env.ts'
import { book, createEventType, createOrganization, dayFromNow, iso, unique } from '../support/factories.ts'

const HOUR_MS = 3_600_000
const SLOT = dayFromNow(3) + 10 * HOUR_MS

async function group(seats: number, input: Record<string, unknown> = {}) {
  const organization = await createOrganization({ tier: 'scale' })
  const key = organization.testKey
  const { id } = await createEventType(key, { max_attendees: seats, waitlist_enabled: true, ...input })
  const join = (start = SLOT) => book(id, start, { invitee_email: `${unique('grace')}@example.com` })
  const move = (sessionId: string, start: number) =>
    call('POST', `/v1/sessions/${sessionId}/reschedule`, { key, body: { new_start_time: iso(start) } })
  return { organization, key, id, join, move }
}

/** Every active booking is where its session is, the seats are those of the bookings, and no hold is left alone. */
async function audit(eventTypeId: string) {
  const { results } = await env.DB.prepare(
    `SELECT 'astray ' || b.id AS wrong FROM bookings b LEFT JOIN sessions s ON s.id = b.session_id
       WHERE b.event_type_id = ?1 AND b.status <> 'cancelled' AND (s.id IS NULL OR s.start_time <> b.start_time OR s.end_time <> b.end_time)
     UNION ALL SELECT 'seats ' || s.id FROM sessions s WHERE s.event_type_id = ?1 AND s.seats_taken <>
       (SELECT coalesce(sum(json_array_length(attendees)), 0) FROM bookings WHERE session_id = s.id AND status <> 'cancelled')
     UNION ALL SELECT 'unheld ' || s.id FROM sessions s WHERE s.event_type_id = ?1
       AND NOT EXISTS (SELECT 1 FROM holds WHERE holder_id = s.id AND meets_at = s.start_time)
     UNION ALL SELECT 'alone ' || h.holder_id FROM holds h WHERE h.resource_id = ?1
       AND NOT EXISTS (SELECT 1 FROM sessions WHERE id = h.holder_id AND start_time = h.meets_at)`,
  )
    .bind(eventTypeId)
    .all()
  expect(results).toEqual([])
}

describe('a session that moves', () => {
  it('takes along everybody who joined it before, and loses nobody, while others join and cancel', async () => {
    for (let round = 0; round < 4; round++) {
      const { id, key, join, move } = await group(30)
      const first = await Promise.all(Array.from({ length: 6 }, () => join()))
      const sessionId = first[0]!.body.session_id
      const leaving = first.slice(0, 3).map(({ body }) => body)
      const [moved, ...others] = await Promise.all([
        move(sessionId, SLOT + 3 * HOUR_MS),
        ...Array.from({ length: 8 }, () => join()),
        ...leaving.map((one) => call('POST', `/v1/bookings/${one.id}/cancel`, { key })),
      ])
      expect(moved.status).toBe(200)
      expect(others.map(({ status }) => status).filter((status) => status >= 300)).toEqual([])
      await audit(id)
      const { body } = await call('GET', `/v1/bookings?event_type_id=${id}&limit=100`, { key })
      const active = body.data.filter(({ status }: any) => status !== 'cancelled')
      expect(active).toHaveLength(11)
      for (const one of active.filter((each: any) => each.session_id === sessionId)) {
        expect(one.start_time).toBe(iso(SLOT + 3 * HOUR_MS))
      }
    }
  })

  it('wins once when it moves to two starts at once, and both moves see all its bookings', async () => {
    const { id, join, move } = await group(30)
    const joined = await Promise.all(Array.from({ length: 5 }, () => join()))
    const sessionId = joined[0]!.body.session_id
    const answers = await Promise.all(
      [1, 2, 3, 4].map((hours) => move(sessionId, SLOT + hours * 2 * HOUR_MS)),
    )
    for (const { status, body } of answers) {
      expect([status, body.booking_ids.length]).toEqual([200, 5])
    }
    await audit(id)
  })

  it('never overlaps a booking of the time that it moves to', async () => {
    for (let round = 0; round < 4; round++) {
      const { id, join, move } = await group(3)
      const { body } = await join()
      const to = SLOT + 3 * HOUR_MS
      const [moved, booked] = await Promise.all([move(body.session_id, to), join(to)])
      // Either the new booking joins the moved session, or opens one of its own that the move cannot join.
      if (moved.status === 200) expect(booked.body.session_id).toBe(body.session_id)
      else expect([moved.status, booked.status]).toEqual([409, 201])
      await audit(id)
    }
  })

  it('ends everybody who waits for its start, or promotes them before, and leaves nobody waiting there', async () => {
    for (let round = 0; round < 4; round++) {
      const { id, key, join, move } = await group(3)
      const joined = await Promise.all([join(), join(), join()])
      const sessionId = joined[0]!.body.session_id
      const waiting = await Promise.all(
        Array.from({ length: 4 }, () =>
          call('POST', '/v1/waitlist', {
            body: {
              event_type_id: id,
              invitee_name: 'Wanda',
              invitee_email: `${unique('wanda')}@example.com`,
              start_time: iso(SLOT),
            },
          }),
        ),
      )
      await Promise.all([
        call('POST', `/v1/bookings/${joined[0]!.body.id}/cancel`, { key }),
        move(sessionId, SLOT + 3 * HOUR_MS),
      ])
      await audit(id)
      const entries = await Promise.all(
        waiting.map(async ({ body }) => (await call('GET', `/v1/waitlist/${body.id}`, { key })).body),
      )
      for (const { status, promoted_booking_id } of entries) {
        expect(['expired', 'promoted']).toContain(status)
        if (status !== 'promoted') continue
        const { body } = await call('GET', `/v1/bookings/${promoted_booking_id}`, { key })
        // Entries that were promoted before the move are in the session and moved along.
        expect([body.session_id, body.start_time]).toEqual([sessionId, iso(SLOT + 3 * HOUR_MS)])
      }
    }
  })
})

describe('a session of a hundred bookings', () => {
  it('is moved in two round trips of its turn, and cancelled in two, like one of three bookings', async () => {
    const told: number[][] = []
    for (const count of [3, 100]) {
      const { id, join, organization } = await group(100)
      const joined = []
      for (let at = 0; at < count; at++) joined.push((await join()).body)
      const { trips, ran, env: counted } = countedEnv()
      const workplace = {
        env: counted,
        memory: new ScheduleMemory(),
        checks: new CalendarLooks(counted, async () => ({ value: [] })),
        announce: () => {},
        announceReleased: () => {},
        waitlist,
      }
      const origin = { actorType: 'api_key' as const, actorId: null, ipAddress: null, requestId: null }
      const command = {
        ...{ origin, claim: null, now: realNow(), eventTypeId: id, reason: null, isQuiet: false },
        tenant: { organizationId: organization.id, isTest: true },
        sessionId: joined[0].session_id,
      }
      const tripsOf = async (verb: Verb<any, any>) => {
        const before = trips.count
        const outcome = await runPlan(workplace, verb, workplace.memory.tick())
        expect(outcome.kind === 'done' && outcome.body.booking_ids.length).toBe(count)
        return trips.count - before
      }
      const newStart = SLOT + 3 * HOUR_MS
      const moving = await tripsOf(rescheduleSession({ ...command, newStart, setAside: [] }))
      const cancelling = await tripsOf(cancelSession(command))
      told.push([moving, cancelling])
      expect(ran.length).toBeLessThan(2 * (3 * count + 60))
      await audit(id)
    }
    // The caller's session is looked up before, so the whole call takes three.
    expect(told).toEqual([
      [2, 2],
      [2, 2],
    ])
  }, 60_000)
})

it('a session is cancelled with everybody who joined before, and nobody sits in it afterwards', async () => {
  for (let round = 0; round < 4; round++) {
    const { id, key, join } = await group(30)
    const first = await join()
    const [cancelled, ...others] = await Promise.all([
      call('POST', `/v1/sessions/${first.body.session_id}/cancel`, { key }),
      ...Array.from({ length: 8 }, () => join()),
    ])
    expect(cancelled.status).toBe(200)
    expect(others.map(({ status }) => status)).toEqual(Array(8).fill(201))
    await audit(id)
    const { body } = await call('GET', `/v1/bookings?event_type_id=${id}&limit=100`, { key })
    for (const { status, session_id } of body.data) {
      if (status !== 'cancelled') expect(session_id).not.toBe(first.body.session_id)
    }
  }
})
