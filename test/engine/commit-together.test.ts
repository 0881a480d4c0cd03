import { env } from 'cloudflare:workers'
import { describe, expect, it, vi } from 'vitest'
import type { Answered, Json } from '../support/app.ts'
import { call, callAsService } from '../support/app.ts'
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
import { bookedIn, rushedService } from '../support/rush.ts'

const HALF_HOUR_MS = 1_800_000
const FIRST = dayFromNow(2)
const startAt = (at: number) => FIRST + at * HALF_HOUR_MS

type Service = ReturnType<typeof rushedService>

function times<T>(count: number, make: (at: number) => T): T[] {
  return Array.from({ length: count }, (_, at) => make(at))
}

function statuses(answers: readonly Answered[]): Record<number, number> {
  const counts: Record<number, number> = {}
  for (const { status } of answers) counts[status] = (counts[status] ?? 0) + 1
  return counts
}

/** Books as somebody whom no limit has counted yet. */
function booking({ book }: Service, id: string, start: number, input: Json = {}) {
  return () => book(id, start, { invitee_email: `${unique('rush')}@example.com`, ...input })
}

async function bookedStarts(eventTypeId: string): Promise<number[]> {
  const { results } = await env.DB.prepare(
    "SELECT start_time FROM bookings WHERE event_type_id = ? AND status <> 'cancelled' ORDER BY start_time",
  )
    .bind(eventTypeId)
    .all<{ start_time: number }>()
  return results.map(({ start_time }) => start_time)
}

/** What was answered is what is booked, once, and the queue got a message for each of them. */
async function expectAcknowledged(service: Service, eventTypeId: string, answers: readonly Answered[]) {
  const made = answers.filter(({ status }) => status === 201).map(({ body }) => String(body.id))
  const { results } = await env.DB.prepare(
    `SELECT b.id, (SELECT group_concat(e.id) FROM events e WHERE json_extract(e.data, '$.id') = b.id) AS event
     FROM bookings b WHERE b.event_type_id = ?`,
  )
    .bind(eventTypeId)
    .all<{ id: string; event: string }>()
  expect(results.map(({ id }) => id).sort()).toEqual(made.sort())
  const told = service.messages.flatMap((message) => (message.type === 'event' ? [message.eventId] : []))
  await vi.waitFor(() => expect(told.length).toBeGreaterThanOrEqual(made.length))
  expect(told).toEqual(expect.arrayContaining(results.map(({ event }) => event)))
  expect(new Set(told).size).toBe(told.length)
}

describe('a rush', () => {
  it.each([
    [60, 5],
    [500, 30],
  ])(
    'of %i callers for as many starts books all of them in %i round trips',
    async (callers, most) => {
      const { liveKey } = await createOrganization()
      const { id } = await createEventType(liveKey)
      const service = rushedService()
      const answers = await service.rush(times(callers, (at) => booking(service, id, startAt(at))))
      expect(statuses(answers)).toEqual({ 201: callers })
      expect(service.trips.length).toBeLessThanOrEqual(most)
      expect(await bookedStarts(id)).toEqual(times(callers, startAt))
      await expectAcknowledged(service, id, answers)
    },
    60_000,
  )

  it('of a hundred callers for forty seats of a class fills it in few round trips', async () => {
    const { liveKey } = await createOrganization()
    const { id } = await createEventType(liveKey, { max_attendees: 40 })
    const service = rushedService()
    const answers = await service.rush(times(100, () => booking(service, id, FIRST)))
    expect(statuses(answers)).toEqual({ 201: 40, 409: 60 })
    expect(service.trips.length).toBeLessThanOrEqual(5)
    const session = await env.DB.prepare('SELECT seats_taken AS seats FROM sessions WHERE event_type_id = ?')
      .bind(id)
      .all<{ seats: number }>()
    expect(session.results).toEqual([{ seats: 40 }])
    await expectAcknowledged(service, id, answers)
  })

  it('of five hundred callers for one start reads once and commits once', async () => {
    const { liveKey } = await createOrganization()
    const { id } = await createEventType(liveKey)
    const service = rushedService()
    const answers = await service.rush(times(500, () => booking(service, id, FIRST)))
    expect(statuses(answers)).toEqual({ 201: 1, 409: 499 })
    expect(service.trips).toHaveLength(2)
  }, 60_000)

  it('of callers with an Idempotency-Key repeats to each the response of their own', async () => {
    const { liveKey } = await createOrganization()
    const { id } = await createEventType(liveKey)
    const service = rushedService()
    const keyed = (at: number) => () =>
      service.call('POST', '/v1/bookings', {
        headers: { 'Idempotency-Key': `rush ${at}` },
        body: bookingInput(id, startAt(at), { invitee_email: `rush-${at}@example.com` }),
      })
    const first = await service.rush(times(30, keyed))
    expect(statuses(first)).toEqual({ 201: 30 })
    expect(service.trips.length).toBeLessThanOrEqual(5)
    const again = await Promise.all(times(30, (at) => keyed(at)()))
    for (const [at, { status, body, headers }] of again.entries()) {
      expect([status, body]).toEqual([201, first[at]!.body])
      expect(headers.get('idempotent-replayed')).toBe('true')
    }
    await expectAcknowledged(service, id, first)
  })

  it('divides what its batches read and write among their commands', async () => {
    const { liveKey } = await createOrganization()
    const { id } = await createEventType(liveKey)
    const lines: { verb: string; rows_read: number; round_trips: number }[] = []
    vi.spyOn(console, 'log').mockImplementation((line) => void lines.push(JSON.parse(line)))
    const service = rushedService(() => null, { LOG_LINES: 'on' })
    try {
      await service.rush(times(15, (at) => booking(service, id, startAt(at))))
    } finally {
      vi.restoreAllMocks()
    }
    const turns = lines.filter(({ verb }) => verb === 'create_booking')
    expect(turns.reduce((sum, { round_trips }) => sum + round_trips, 0)).toBe(3)
    const read = turns.map(({ rows_read }) => rows_read).sort((a, b) => a - b)
    expect(read[0]).toBeGreaterThan(4)
    expect(read[12]).toBe(read[0])
  })

  it('of bookings, holds, cancellations and dry runs does each of them, in their order', async () => {
    const { liveKey } = await createOrganization()
    const { id } = await createEventType(liveKey)
    const { body: old } = await bookAsAnother(id, startAt(0))
    const service = rushedService()
    const post = (path: string, body: Json) => () => service.call('POST', path, { body })
    const hold = (at: number) =>
      post('/v1/holds', { event_type_id: id, start_time: iso(startAt(at)), ttl_seconds: 600 })
    const dry = (at: number) => post('/v1/bookings?dry_run=true', bookingInput(id, startAt(at)))
    const answers = await service.rush([
      ...times(4, (at) => booking(service, id, startAt(at + 1))),
      hold(6),
      hold(7),
      dry(8),
      dry(1),
      booking(service, id, startAt(7)),
      post(`/v1/bookings/${old.id}/cancel?token=${old.cancel_token}`, {}),
      ...times(4, (at) => booking(service, id, startAt(at + 9))),
    ])
    expect(answers.map(({ status }) => status)).toEqual([
      ...[201, 201, 201, 201, 201, 201, 201, 409, 409, 200],
      ...[201, 201, 201, 201],
    ])
    expect(await bookedStarts(id)).toEqual([1, 2, 3, 4, 9, 10, 11, 12].map(startAt))
    expect(service.trips.some(({ queries }) => bookedIn(queries) > 2)).toBe(true)
  })
})

describe('a batch that a fence refuses', () => {
  it('because another event type has taken the host of one books all others, and that one a free host', async () => {
    const organization = await createOrganization()
    const { liveKey } = organization
    const hosted = { assignment_strategy: 'round_robin' }
    const [{ id }, other] = [await createEventType(liveKey, hosted), await createEventType(liveKey, hosted)]
    const members = [await createMember(organization), await createMember(organization)]
    for (const member of members) await addHost(liveKey, id, member.id)
    await addHost(liveKey, other.id, members[0]!.id)
    const service = rushedService(async ({ together }) => {
      if (together !== 0) return null
      // Both hosts of one start, and one of the next.
      for (const start of [startAt(4), startAt(5)])
        expect((await bookAsAnother(other.id, start)).status).toBe(201)
      return null
    })
    const answers = await service.rush(times(12, (at) => booking(service, id, startAt(at >> 1))))
    expect(statuses(answers)).toEqual({ 201: 10, 409: 2 })
    expect(answers.map(({ status }) => status).indexOf(409)).toBe(9)
    expect(await bookedStarts(id)).toEqual([0, 0, 1, 1, 2, 2, 3, 3, 4, 5].map(startAt))
    await expectAcknowledged(service, id, answers)
  })

  it('because the month of the plan is used up refuses those who came last', async () => {
    const organization = await createOrganization({ tier: 'free' })
    const { id } = await createEventType(organization.liveKey)
    const other = await createEventType(organization.liveKey)
    const service = rushedService(async ({ together }) => {
      if (together === 0) for (const at of [0, 1, 2]) await bookAsAnother(other.id, startAt(at))
      return null
    })
    const answers = await service.rush(times(12, (at) => booking(service, id, startAt(at))))
    expect(answers.map(({ status }) => status)).toEqual([...times(7, () => 201), ...times(5, () => 403)])
    expect(answers.at(-1)!.body.error.code).toBe('plan_limit_exceeded')
    await expectAcknowledged(service, id, answers)
  })

  it('because a cap was lowered in the meantime books as many as it allows', async () => {
    const { liveKey } = await createOrganization()
    const { id } = await createEventType(liveKey, { booking_cap: 10, booking_cap_period: 'total' })
    const service = rushedService(async ({ together }) => {
      if (together === 0)
        await env.DB.prepare('UPDATE event_types SET booking_cap = 4 WHERE id = ?').bind(id).run()
      return null
    })
    const answers = await service.rush(times(12, (at) => booking(service, id, startAt(at))))
    expect(answers.map(({ status }) => status)).toEqual([...times(4, () => 201), ...times(8, () => 409)])
    expect(answers.at(-1)!.body.error.code).toBe('booking_cap_reached')
    await expectAcknowledged(service, id, answers)
  })

  it('because one network books too much refuses only that network', async () => {
    const organization = await createOrganization()
    const limits = { public_limits: { bookings_per_network_hour: 2 } }
    await callAsService('PATCH', `/v1/organizations/${organization.id}`, { body: limits })
    const { id } = await createEventType(organization.liveKey)
    const service = rushedService()
    const greedy = { 'CF-Connecting-IP': '192.0.2.77' }
    const answers = await service.rush(
      times(18, (at) => {
        const body = bookingInput(id, startAt(at), { invitee_email: `${unique('rush')}@example.com` })
        return () => service.call('POST', '/v1/bookings', { body, ...(at % 3 === 0 && { headers: greedy }) })
      }),
    )
    expect(answers.map(({ status }) => status)).toEqual(
      times(18, (at) => (at % 3 === 0 && at > 3 ? 429 : 201)),
    )
    await expectAcknowledged(service, id, answers)
  })

  it('tries each alone in the order in which they came, and refuses nobody for another', async () => {
    const { liveKey } = await createOrganization()
    const { id } = await createEventType(liveKey)
    const barred = startAt(5)
    await env.DB.prepare(
      `CREATE TRIGGER rival BEFORE INSERT ON holds WHEN NEW.resource_id = '${id}' AND NEW.starts_at = ${barred}
       BEGIN SELECT RAISE(ABORT, 'SLOT_TAKEN'); END`,
    ).run()
    try {
      const service = rushedService()
      const answers = await service.rush(times(10, (at) => booking(service, id, startAt(at))))
      expect(answers.map(({ status }) => status)).toEqual(times(10, (at) => (at === 5 ? 409 : 201)))
      const alone = service.trips.filter(({ queries }) => bookedIn(queries) === 1)
      expect(alone.length).toBeGreaterThanOrEqual(10)
      await expectAcknowledged(service, id, answers)
    } finally {
      await env.DB.prepare('DROP TRIGGER rival').run()
    }
  })

  it.each([
    ['open again', true],
    ['taken by that booking', false],
  ])('or a key that was used, whose start is %s, keeps nobody from being booked', async (_, isCancelled) => {
    const { liveKey } = await createOrganization()
    const { id } = await createEventType(liveKey)
    const keyed = {
      headers: { 'Idempotency-Key': unique('used') },
      body: bookingInput(id, startAt(3), { invitee_email: `${unique('rush')}@example.com` }),
    }
    const { body: first } = await call('POST', '/v1/bookings', keyed)
    if (isCancelled) await call('POST', `/v1/bookings/${first.id}/cancel?token=${first.cancel_token}`)
    const service = rushedService()
    const again = () => service.call('POST', '/v1/bookings', keyed)
    const answers = await service.rush(
      times(8, (at) => (at === 3 ? again : booking(service, id, startAt(at)))),
    )
    expect(statuses(answers)).toEqual({ 201: 8 })
    expect(answers[3]!.body).toEqual(first)
    const booked = [0, 1, 2, ...(isCancelled ? [] : [3]), 4, 5, 6, 7]
    expect(await bookedStarts(id)).toEqual(booked.map(startAt))
  })
})

describe('the connection of a batch', () => {
  it.each(['before', 'after'] as const)('may be lost %s its commit: all are booked once', async (when) => {
    const { liveKey } = await createOrganization()
    const { id } = await createEventType(liveKey)
    let lost = 0
    const service = rushedService(({ together }) => (together === 0 && lost++ === 0 ? when : null))
    const answers = await service.rush(times(30, (at) => booking(service, id, startAt(at))))
    expect(lost).toBe(1)
    expect(statuses(answers)).toEqual({ 201: 30 })
    expect(await bookedStarts(id)).toEqual(times(30, startAt))
    await expectAcknowledged(service, id, answers)
  })

  it('may be lost for good: those callers get a 503, and later ones are decided on what was committed', async () => {
    const { liveKey } = await createOrganization()
    const { id } = await createEventType(liveKey)
    const keyed = (service: Service, at: number) => () =>
      service.call('POST', '/v1/bookings', {
        headers: { 'Idempotency-Key': `gone ${at}` },
        body: bookingInput(id, startAt(at), { invitee_email: `gone-${at}@example.com` }),
      })
    // The commit arrives; neither its second try does, nor the two reads that look for it.
    let left = 0
    const service = rushedService(({ together }) => {
      if (together === 0) left = 3
      else if (left > 0) left -= 1
      else return null
      return together === 0 ? 'after' : 'before'
    })
    const answers = await service.rush(times(30, (at) => keyed(service, at)))
    const { 201: booked, 503: failed } = statuses(answers)
    expect(booked! + failed!).toBe(30)
    expect(failed).toBeGreaterThan(10)
    expect(await bookedStarts(id)).toEqual(times(30, startAt))
    const calm = rushedService()
    const again = await Promise.all(times(30, (at) => keyed(calm, at)()))
    expect(statuses(again)).toEqual({ 201: 30 })
    expect(await bookedStarts(id)).toEqual(times(30, startAt))
  })
})
