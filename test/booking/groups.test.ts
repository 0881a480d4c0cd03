import { env } from 'cloudflare:workers'
import { describe, expect, it } from 'vitest'
import { type Answered, call } from '../support/app.ts'
import {
  book,
  createEventType,
  createOrganization,
  dateOf,
  dayFromNow,
  iso,
  openStarts,
  unique,
} from '../support/factories.ts'
import { addHost, addHosts } from '../support/hosts.ts'

const MINUTE_MS = 60_000
const HOUR_MS = 60 * MINUTE_MS
const SLOT = dayFromNow(3) + 10 * HOUR_MS

async function group(seats: number, input: Record<string, unknown> = {}) {
  const organization = await createOrganization()
  const key = organization.liveKey
  const { id } = await createEventType(key, { max_attendees: seats, ...input })
  return { organization, key, id }
}

const somebody = () => ({ name: 'Grace Hopper', email: `${unique('grace')}@example.com` })

function join(id: string, start = SLOT, input: Record<string, unknown> = {}) {
  return book(id, start, { invitee_email: somebody().email, ...input })
}

function cancel({ id, cancel_token }: { id: string; cancel_token: string }) {
  return call('POST', `/v1/bookings/${id}/cancel?token=${cancel_token}`)
}

function move({ id, cancel_token }: { id: string; cancel_token: string }, start: number) {
  return call('POST', `/v1/bookings/${id}/reschedule?token=${cancel_token}`, {
    body: { new_start_time: iso(start) },
  })
}

function statuses(answers: readonly Answered[]): Record<number, number> {
  const counts: Record<number, number> = {}
  for (const { status } of answers) counts[status] = (counts[status] ?? 0) + 1
  return counts
}

async function slotAt(id: string, start: number) {
  const date = dateOf(start)
  const { body } = await call(
    'GET',
    `/v1/availability?event_type_id=${id}&start=${date}&end=${date}&timezone=UTC`,
  )
  return body.slots.find((slot: { start_time: string }) => slot.start_time === iso(start))
}

/** Sessions with the seats that their bookings really take, and the holds of each. */
async function sessionsOf(id: string) {
  const { results } = await env.DB.prepare(
    `SELECT s.id, s.start_time, s.seats_taken,
      (SELECT coalesce(sum(json_array_length(attendees)), 0) FROM bookings
        WHERE session_id = s.id AND status <> 'cancelled') AS really_taken,
      (SELECT count(*) FROM holds WHERE holder_id = s.id) AS holds
     FROM sessions s WHERE event_type_id = ? ORDER BY start_time`,
  )
    .bind(id)
    .all<{ start_time: number; seats_taken: number; really_taken: number; holds: number }>()
  for (const { seats_taken, really_taken, holds } of results) {
    expect(really_taken).toBe(seats_taken)
    expect(holds).toBeGreaterThan(0)
  }
  return results.map(({ start_time, seats_taken }) => [start_time, seats_taken])
}

describe('a session', () => {
  it('gives exactly seven of 60 parallel joins one of its seven seats', async () => {
    const { id } = await group(7)
    const answers = await Promise.all(Array.from({ length: 60 }, () => join(id)))
    expect(statuses(answers)).toEqual({ 201: 7, 409: 53 })
    expect(await sessionsOf(id)).toEqual([[SLOT, 7]])
    const tokens = answers.flatMap(({ body }) => body.cancel_token ?? [])
    expect(new Set(tokens).size).toBe(7)
    const full = answers.find(({ status }) => status === 409)!
    expect(full.body.error.code).toBe('conflict')
    expect(full.body.error.details.alternatives).toHaveLength(3)
  })

  it('is one session for the first two people, at the same moment', async () => {
    for (let round = 0; round < 5; round++) {
      const { id } = await group(5)
      const answers = await Promise.all([join(id), join(id)])
      expect(statuses(answers)).toEqual({ 201: 2 })
      expect(await sessionsOf(id)).toEqual([[SLOT, 2]])
    }
  })

  it('takes several seats for one booking, and parallel ones never more than there are', async () => {
    const { id } = await group(10)
    const answers = await Promise.all(
      Array.from({ length: 12 }, (_, at) => {
        const attendees = Array.from({ length: at % 4 }, somebody)
        return join(id, SLOT, { attendees })
      }),
    )
    const seats = answers
      .filter(({ status }) => status === 201)
      .reduce((sum, { body }) => sum + body.attendee_count, 0)
    expect(seats).toBeLessThanOrEqual(10)
    expect(await sessionsOf(id)).toEqual([[SLOT, seats]])
    const spots = await slotAt(id, SLOT)
    expect(spots?.spots_remaining ?? 0).toBe(10 - seats)
  })

  it('shows the remaining seats, and closes when it is full', async () => {
    const { id } = await group(3)
    expect(await slotAt(id, SLOT)).toMatchObject({ spots_remaining: 3, total_capacity: 3 })
    await join(id, SLOT, { attendees: [somebody()] })
    expect(await slotAt(id, SLOT)).toMatchObject({ spots_remaining: 1, total_capacity: 3 })
    await join(id)
    expect(await slotAt(id, SLOT)).toBeUndefined()
    const single = await createEventType((await createOrganization()).liveKey)
    expect(await slotAt(single.id, SLOT)).toEqual({
      start_time: iso(SLOT),
      end_time: iso(SLOT + 30 * MINUTE_MS),
    })
  })

  it('is never blocked by its own buffers, and blocks what they reach', async () => {
    const { id } = await group(4, { buffer_before_minutes: 30, buffer_after_minutes: 45 })
    await join(id)
    expect((await join(id)).status).toBe(201)
    expect(await slotAt(id, SLOT)).toMatchObject({ spots_remaining: 2 })
    for (const at of [-1, 1, 2]) expect(await slotAt(id, SLOT + at * 30 * MINUTE_MS)).toBeUndefined()
    expect(await slotAt(id, SLOT + 3 * 30 * MINUTE_MS)).toBeUndefined()
    expect(await slotAt(id, SLOT + 4 * 30 * MINUTE_MS)).toBeDefined()
  })

  it('is joined with its own length only', async () => {
    const { id } = await group(4, { duration_options: [30, 60] })
    expect((await join(id, SLOT, { duration: 60 })).status).toBe(201)
    expect((await join(id, SLOT, { duration: 30 })).body.error.code).toBe('conflict')
    expect((await join(id, SLOT, { duration: 60 })).status).toBe(201)
    expect(await openStarts(id, SLOT)).not.toContain(iso(SLOT))
    expect(await openStarts(id, SLOT, SLOT, '&duration=60')).toContain(iso(SLOT))
  })

  it('has one host, whom its bookings share', async () => {
    const { organization, key, id } = await group(3, { assignment_strategy: 'round_robin' })
    const memberIds = await addHosts(organization, key, id, 2)
    const answers = await Promise.all(Array.from({ length: 5 }, () => join(id)))
    expect(statuses(answers)).toEqual({ 201: 3, 409: 2 })
    const hosts = new Set(answers.flatMap(({ body }) => body.assigned_host?.member_id ?? []))
    expect([...hosts]).toEqual([memberIds[0]])
    for (const { status, body } of answers) if (status === 409) expect(body.error.code).toBe('conflict')
    const other = await createEventType(key, { assignment_strategy: 'round_robin' })
    await addHost(key, other.id, memberIds[0]!)
    expect((await book(other.id, SLOT)).body.error.code).toBe('no_host_available')
    const next = await join(id, SLOT + HOUR_MS)
    expect(next.body.assigned_host.member_id).toBe(memberIds[1])
    // Whoever joins a session takes nobody's turn.
    const [one] = answers.filter(({ status }) => status === 201)
    await call('POST', `/v1/bookings/${one!.body.id}/cancel`, { key })
    expect((await join(id)).body.assigned_host.member_id).toBe(memberIds[0])
    expect((await join(id, SLOT + 2 * HOUR_MS)).body.assigned_host.member_id).toBe(memberIds[0])
  })
})

describe('attendees', () => {
  it('are the invitee first and the others, whether or not the invitee is repeated', async () => {
    const { id, key } = await group(4)
    const [ada, grace] = [
      { name: 'Ada', email: 'Ada@example.com' },
      { ...somebody(), timezone: 'Asia/Tokyo' },
    ]
    const { body } = await book(id, SLOT, {
      invitee_email: 'ada@example.com',
      invitee_timezone: 'Europe/London',
      attendees: [grace, ada, somebody()],
    })
    expect(body.attendee_count).toBe(3)
    expect(body.attendees.map((one: any) => [one.email, one.timezone, one.is_primary])).toEqual([
      ['ada@example.com', 'Europe/London', true],
      [grace.email, 'Asia/Tokyo', false],
      [expect.any(String), 'Europe/London', false],
    ])
    const { body: read } = await call('GET', `/v1/bookings/${body.id}`, { key })
    expect(read.attendees).toEqual(body.attendees)
  })

  it('are refused when there are more than fit, by what they exceed', async () => {
    const { id } = await group(3)
    const tooMany = await join(id, SLOT, { attendees: [somebody(), somebody(), somebody()] })
    expect([tooMany.status, tooMany.body.error.details]).toEqual([
      400,
      { code: 'too_many_attendees', field: 'attendees' },
    ])
    await join(id, SLOT, { attendees: [somebody()] })
    const tooManyNow = await join(id, SLOT, { attendees: [somebody()] })
    expect([tooManyNow.status, tooManyNow.body.error.code]).toEqual([409, 'conflict'])
    expect(tooManyNow.body.error.details.alternatives[0]).toBe(iso(SLOT + 30 * MINUTE_MS))
    expect((await join(id)).status).toBe(201)
  })

  it('are refused twice: in one request, and in one session', async () => {
    const { id } = await group(5)
    const twin = somebody()
    const loud = { ...twin, email: twin.email.toUpperCase() }
    const inRequest = await join(id, SLOT, { attendees: [twin, loud] })
    expect([inRequest.status, inRequest.body.error.details]).toEqual([
      400,
      { code: 'same_email', field: 'attendees' },
    ])
    await join(id, SLOT, { attendees: [twin] })
    for (const input of [{ invitee_email: loud.email }, { attendees: [twin] }]) {
      const inSession = await join(id, SLOT, input)
      expect([inSession.status, inSession.body.error.details]).toEqual([400, { code: 'already_seated' }])
    }
    expect((await join(id, SLOT + HOUR_MS, { invitee_email: twin.email })).status).toBe(201)
  })

  it('take one seat however often the same person asks at once', async () => {
    const { id } = await group(5)
    const { email } = somebody()
    const answers = await Promise.all(
      Array.from({ length: 6 }, () => join(id, SLOT, { invitee_email: email })),
    )
    expect(statuses(answers)).toEqual({ 201: 1, 400: 5 })
  })
})

describe('leaving a session', () => {
  it('releases the seats of that booking only, by its own token; the hold ends with the last one', async () => {
    const { id, key } = await group(3)
    const first = (await join(id, SLOT, { attendees: [somebody()] })).body
    const second = (await join(id)).body
    const wrong = await call('POST', `/v1/bookings/${first.id}/cancel?token=${second.cancel_token}`)
    expect(wrong.status).toBe(401)
    expect((await cancel(first)).status).toBe(200)
    expect((await cancel(first)).status).toBe(200)
    expect(await sessionsOf(id)).toEqual([[SLOT, 1]])
    const { body } = await call('GET', `/v1/bookings/${second.id}`, { key })
    expect(body.status).toBe('confirmed')
    await cancel(second)
    expect(await sessionsOf(id)).toEqual([])
    const { n } = (await env.DB.prepare('SELECT count(*) AS n FROM holds WHERE resource_id = ?')
      .bind(id)
      .first<{ n: number }>())!
    expect(n).toBe(0)
    expect((await join(id, SLOT, { invitee_email: first.invitee_email })).status).toBe(201)
  })

  it('moves the seats of that booking only, into another session or a new one', async () => {
    const { id } = await group(3)
    const first = (await join(id, SLOT, { attendees: [somebody()] })).body
    const second = (await join(id)).body
    const moved = await move(second, SLOT + HOUR_MS)
    expect(moved.body).toMatchObject({ status: 'rescheduled', start_time: iso(SLOT + HOUR_MS) })
    expect(await sessionsOf(id)).toEqual([
      [SLOT, 2],
      [SLOT + HOUR_MS, 1],
    ])
    expect((await move(first, SLOT + HOUR_MS)).status).toBe(200)
    expect(await sessionsOf(id)).toEqual([[SLOT + HOUR_MS, 3]])
    const third = (await join(id)).body
    expect((await move(third, SLOT + HOUR_MS)).body.error.code).toBe('conflict')
    expect(await sessionsOf(id)).toEqual([
      [SLOT, 1],
      [SLOT + HOUR_MS, 3],
    ])
  })

  it('lets its only invitee move to where the buffer of their own booking reaches', async () => {
    const { id } = await group(3, { buffer_after_minutes: 30 })
    const alone = (await join(id)).body
    expect((await move(alone, SLOT + 30 * MINUTE_MS)).status).toBe(200)
    await join(id, SLOT + 30 * MINUTE_MS)
    expect((await move(alone, SLOT)).body.error.code).toBe('conflict')
  })

  it('does not move anybody to the session they are already in', async () => {
    const { id } = await group(3)
    const { email } = somebody()
    const first = (await join(id, SLOT, { invitee_email: email })).body
    await join(id, SLOT + HOUR_MS, { invitee_email: email })
    const refused = await move(first, SLOT + HOUR_MS)
    expect([refused.status, refused.body.error.details]).toEqual([400, { code: 'already_seated' }])
  })
})

describe('a full session', () => {
  it('answers invitees who have a seat like everybody else', async () => {
    const { id } = await group(2)
    const { email } = somebody()
    await join(id, SLOT, { invitee_email: email })
    const seated = () => join(id, SLOT, { invitee_email: email.toUpperCase() })
    expect([(await seated()).status, (await join(id)).status]).toEqual([400, 201])
    const brought = { attendees: [{ name: 'Grace', email }] }
    const answers = await Promise.all([seated(), join(id), join(id, SLOT, brought)])
    const [first] = answers
    expect([first!.status, first!.body.error.code]).toEqual([409, 'conflict'])
    // Each has an id of its own.
    const told = ({ body: { error } }: Answered) => ({ ...error, request_id: null })
    for (const answer of answers) expect([answer.status, told(answer)]).toEqual([409, told(first!)])
  })

  it('rejects a request that has the same address twice before it reads the seats', async () => {
    const { id } = await group(2)
    await join(id)
    await join(id)
    const twin = somebody()
    const { status, body } = await join(id, SLOT, { attendees: [twin, twin] })
    expect([status, body.error.message]).toEqual([
      400,
      'Two attendees or guests have the same email address.',
    ])
  })
})

describe('the session id of a booking', () => {
  it('is set for a lone booking too, shared with others at that start, and another one after a move', async () => {
    const { id, key } = await group(3)
    const first = (await join(id)).body
    expect(first.session_id).toEqual(expect.any(String))
    const second = (await join(id)).body
    expect(second.session_id).toBe(first.session_id)
    const moved = (await move(second, SLOT + HOUR_MS)).body
    expect([null, first.session_id]).not.toContain(moved.session_id)
    const read = await call('GET', `/v1/bookings/${first.id}`, { key })
    expect(read.body.session_id).toBe(first.session_id)
    const single = await createEventType(key)
    expect((await book(single.id, SLOT)).body.session_id).toBeNull()
  })
})

describe('a cap on a group event type', () => {
  it('counts each booking once, however many seats it takes', async () => {
    const { id, key } = await group(10, { booking_cap: 3, booking_cap_period: 'daily' })
    const answers = await Promise.all(
      Array.from({ length: 10 }, () => join(id, SLOT, { attendees: [somebody()] })),
    )
    expect(statuses(answers)).toEqual({ 201: 3, 409: 7 })
    for (const { status, body } of answers) {
      if (status === 409) expect(body.error.code).toBe('booking_cap_reached')
    }
    const { body } = await call('GET', `/v1/event-types/${id}`, { key })
    expect(body.bookings_remaining).toEqual(expect.any(Number))
    expect(await slotAt(id, SLOT)).toBeUndefined()
  })
})

describe('changing the seats', () => {
  it('keeps what is booked when they become fewer, and lets nobody in until there is room', async () => {
    const { id, key } = await group(4)
    const booked = (await Promise.all(Array.from({ length: 4 }, () => join(id)))).map(({ body }) => body)
    await call('PATCH', `/v1/event-types/${id}`, { key, body: { max_attendees: 2 } })
    expect((await join(id)).body.error.code).toBe('conflict')
    await cancel(booked[0])
    await cancel(booked[1])
    expect((await join(id)).body.error.code).toBe('conflict')
    await cancel(booked[2])
    expect((await join(id)).status).toBe(201)
    await call('PATCH', `/v1/event-types/${id}`, { key, body: { max_attendees: 1 } })
    expect((await move(booked[3], SLOT + HOUR_MS)).status).toBe(200)
    expect((await join(id)).body.error.code).toBe('conflict')
    expect(await sessionsOf(id)).toHaveLength(2)
  })

  it('offers no other start to a party that is larger than the current number of seats', async () => {
    const { id, key } = await group(3)
    const { body: party } = await join(id, SLOT, { attendees: [somebody()] })
    await join(id, SLOT + HOUR_MS, { attendees: [somebody()] })
    const other = await move(party, SLOT + HOUR_MS)
    expect(other.body.error.details.alternatives).toHaveLength(3)
    await call('PATCH', `/v1/event-types/${id}`, { key, body: { max_attendees: 1 } })
    const { status, body } = await move(party, SLOT + 2 * HOUR_MS)
    expect([status, body.error.message, body.error.details]).toEqual([
      400,
      'This event type takes at most 1 attendee(s) per booking.',
      { code: 'too_many_attendees' },
    ])
  })

  it('lets a booking move to the start of another session, with another host, once there is one seat', async () => {
    const organization = await createOrganization()
    const key = organization.liveKey
    const { id } = await createEventType(key, { max_attendees: 3, assignment_strategy: 'round_robin' })
    await addHosts(organization, key, id, 2)
    await book(id, SLOT)
    const { body: moved } = await book(id, SLOT + HOUR_MS, { invitee_email: somebody().email })
    await call('PATCH', `/v1/event-types/${id}`, { key, body: { max_attendees: 1 } })
    expect(await openStarts(id, SLOT)).toContain(iso(SLOT))
    const there = { key, body: { new_start_time: iso(SLOT) } }
    expect((await call('POST', `/v1/bookings/${moved.id}/reschedule`, there)).status).toBe(200)
    expect(await openStarts(id, SLOT)).not.toContain(iso(SLOT))
    await call('POST', `/v1/bookings/${moved.id}/cancel`, { key })
    expect(await openStarts(id, SLOT)).toContain(iso(SLOT))
  })

  it('lets an invitee of a session meet another host at its start once there is one seat', async () => {
    const organization = await createOrganization()
    const key = organization.liveKey
    const { id } = await createEventType(key, { max_attendees: 3, assignment_strategy: 'round_robin' })
    await addHosts(organization, key, id, 2)
    await book(id, SLOT)
    await call('PATCH', `/v1/event-types/${id}`, { key, body: { max_attendees: 1 } })
    expect((await book(id, SLOT)).status).toBe(201)
  })

  it('lets others join what was booked while there was one seat', async () => {
    const { id, key } = await group(1)
    const alone = (await join(id)).body
    await call('PATCH', `/v1/event-types/${id}`, { key, body: { max_attendees: 3 } })
    expect(await slotAt(id, SLOT)).toMatchObject({ spots_remaining: 2, total_capacity: 3 })
    const answers = await Promise.all(Array.from({ length: 4 }, () => join(id)))
    expect(statuses(answers)).toEqual({ 201: 2, 409: 2 })
    expect((await join(id, SLOT + HOUR_MS, { invitee_email: alone.invitee_email })).status).toBe(201)
    await cancel(alone)
    expect(await sessionsOf(id)).toEqual([
      [SLOT, 2],
      [SLOT + HOUR_MS, 1],
    ])
  })
})
