import { env } from 'cloudflare:workers'
import { describe, expect, it, vi } from 'vitest'
import { writeToCalendar } from '../../src/calendars/writes/write-to-calendar.ts'
import { sweep } from '../../src/worker/jobs/sweep.ts'
import { call } from '../support/app.ts'
import { insertConnection } from '../support/connections.ts'
import { answerConsent } from '../support/consent.ts'
import {
  bookAsAnother,
  createEventType,
  createOrganization,
  dayFromNow,
  iso,
  openStarts,
  unique,
} from '../support/factories.ts'
import { addHost, createMember } from '../support/hosts.ts'
import { visit } from '../support/pages.ts'
import { openWorld } from '../support/world.ts'
import { settingsOf } from '../support/world-account.ts'

const HOUR_MS = 3_600_000
const SLOT = dayFromNow(3) + 10 * HOUR_MS
const world = openWorld('microsoft')
Object.assign(env, settingsOf('calendar_b', world.base))

/** An organization with a member who hosts an event type of the sandbox, and one without hosts. */
async function hosted(input: Record<string, unknown> = {}) {
  const organization = await createOrganization()
  const key = organization.testKey
  const member = await createMember(organization)
  const { id } = await createEventType(key, { assignment_strategy: 'round_robin', ...input })
  await addHost(key, id, member.id)
  return {
    organization,
    key,
    member,
    id: id as string,
    connect: (memberId: string | null = member.id) =>
      insertConnection(organization, 'test', { memberId, calendarId: unique('work') }),
    receive: (calendar: string) =>
      call('PATCH', `/v1/calendars/${calendar}`, { key, body: { receives_bookings: true } }),
    read: async (booking: string) => (await call('GET', `/v1/bookings/${booking}`, { key })).body,
  }
}

type Write = { holder_id: string; status: string; next_attempt_at: number | null; event_id: string | null }

async function writesOf(connectionId: string): Promise<Write[]> {
  const { results } = await env.DB.prepare(
    'SELECT holder_id, status, next_attempt_at, event_id FROM calendar_writes WHERE connection_id = ? ORDER BY holder_id',
  )
    .bind(connectionId)
    .all<Write>()
  return results
}

/** Makes the writes that are due for a calendar, as the queue does. */
async function writeDue(connectionId: string): Promise<void> {
  for (const { holder_id, next_attempt_at } of await writesOf(connectionId)) {
    if (next_attempt_at !== null) await writeToCalendar(env, { holderId: holder_id, connectionId })
  }
}

describe('a calendar that begins to receive bookings', () => {
  it("gets its member's upcoming bookings, and the one before gives them up", async () => {
    const { id, key, connect, receive, read } = await hosted()
    const before = await connect()
    const { body: booked } = await bookAsAnother(id, SLOT)
    const { body: cancelled } = await bookAsAnother(id, SLOT + HOUR_MS)
    await call('POST', `/v1/bookings/${cancelled.id}/cancel`, { key })
    await writeDue(before)
    const after = await connect()
    expect((await receive(after)).status).toBe(200)
    expect((await read(booked.id)).calendar_connection_id).toBe(after)
    expect((await read(cancelled.id)).calendar_connection_id).toBe(before)
    await writeDue(after)
    await writeDue(before)
    expect(await writesOf(after)).toMatchObject([{ holder_id: booked.id, status: 'written' }])
    expect((await writesOf(before)).map(({ status }) => status)).toEqual(['removed', 'removed'])
    const { calendar_event_id } = await read(booked.id)
    expect(calendar_event_id).toBe((await writesOf(after))[0]!.event_id)
  })

  it('gets them back when it receives again', async () => {
    const { id, connect, receive, read } = await hosted()
    const first = await connect()
    const { body: booked } = await bookAsAnother(id, SLOT)
    await writeDue(first)
    const second = await connect()
    for (const calendar of [second, first]) {
      await receive(calendar)
      await writeDue(second)
      await writeDue(first)
    }
    expect(await writesOf(first)).toMatchObject([{ holder_id: booked.id, status: 'written' }])
    expect(await writesOf(second)).toMatchObject([{ holder_id: booked.id, status: 'removed' }])
    expect((await read(booked.id)).calendar_connection_id).toBe(first)
  })

  it('gets a session as one event, a request once it is approved, and nothing that others host', async () => {
    const { organization, id, key, connect, receive, read } = await hosted({ max_attendees: 5 })
    await connect()
    const seats = [await bookAsAnother(id, SLOT), await bookAsAnother(id, SLOT)]
    const other = await createMember(organization)
    const { id: others } = await createEventType(key, { assignment_strategy: 'round_robin' })
    await addHost(key, others, other.id)
    const { body: elsewhere } = await bookAsAnother(others, SLOT)
    await call('PATCH', `/v1/event-types/${id}`, { key, body: { requires_approval: true } })
    const { body: asked } = await bookAsAnother(id, SLOT + 2 * HOUR_MS)
    expect(asked.status).toBe('pending_approval')
    const after = await connect()
    await receive(after)
    const session = seats[0]!.body.session_id
    expect((await writesOf(after)).map(({ holder_id }) => holder_id)).toEqual([session])
    for (const { body } of seats) expect((await read(body.id)).calendar_connection_id).toBe(after)
    expect((await read(elsewhere.id)).calendar_connection_id).toBeNull()
    expect((await read(asked.id)).calendar_connection_id).toBe(after)
    expect((await call('POST', `/v1/bookings/${asked.id}/approve`, { key })).status).toBe(200)
    expect(await writesOf(after)).toHaveLength(2)
    expect((await bookAsAnother(id, SLOT)).body.calendar_connection_id).toBe(after)
  })

  it('gets what its member hosts beside others, and the one before gives it up', async () => {
    const { organization, id, key, member, connect, receive, read } = await hosted()
    const pair = { assignment_strategy: 'round_robin', max_attendees: 5 }
    const { id: group } = await createEventType(key, pair)
    await addHost(key, group, member.id)
    const required = (await createMember(organization)).id
    for (const one of [id, group]) await addHost(key, one, required, { part: 'required' })
    const own = await connect()
    const { body: booked } = await bookAsAnother(id, SLOT)
    const { body: seat } = await bookAsAnother(group, SLOT + HOUR_MS)
    await bookAsAnother(group, SLOT + HOUR_MS)
    expect(await writesOf(own)).toHaveLength(2)
    const [first, second] = [await connect(required), await connect(required)]
    const holders = [booked.id, seat.session_id].sort()
    for (const [to, from, before] of [
      [second, first, []],
      [first, second, ['removed', 'removed']],
    ] as const) {
      await receive(to)
      expect((await writesOf(to)).map(({ holder_id }) => holder_id)).toEqual(holders)
      await writeDue(from)
      await writeDue(to)
      expect((await writesOf(to)).map(({ status }) => status)).toEqual(['written', 'written'])
      expect((await writesOf(from)).map(({ status }) => status)).toEqual(before)
    }
    expect(await writesOf(own)).toHaveLength(2)
    expect((await read(booked.id)).calendar_connection_id).toBe(own)
  })

  it('writes nothing of what is over, nor for a change that does not begin anything', async () => {
    const { id, key, connect, receive, read } = await hosted()
    const first = await connect()
    const { body: over } = await bookAsAnother(id, SLOT)
    const { body: upcoming } = await bookAsAnother(id, SLOT + 3 * HOUR_MS)
    await writeDue(first)
    await call('PUT', '/v1/test-data/clock', { key, body: { now: iso(SLOT + 2 * HOUR_MS) } })
    const second = await connect()
    await receive(second)
    expect((await writesOf(second)).map(({ holder_id }) => holder_id)).toEqual([upcoming.id])
    expect((await read(over.id)).calendar_connection_id).toBe(first)
    await writeDue(second)
    await receive(second)
    expect((await writesOf(second)).map(({ next_attempt_at }) => next_attempt_at)).toEqual([null])
  })

  it('takes over when the one before is disconnected', async () => {
    const { id, key, connect, read } = await hosted()
    const first = await connect()
    const second = await connect()
    const { body: booked } = await bookAsAnother(id, SLOT)
    expect((await call('DELETE', `/v1/calendars/${first}`, { key })).status).toBe(204)
    expect((await read(booked.id)).calendar_connection_id).toBe(second)
    await writeDue(second)
    expect(await writesOf(second)).toMatchObject([{ holder_id: booked.id, status: 'written' }])
  })
})

/** Makes copies of a booking and its hold at later starts. */
async function copy(bookingId: string, copies: number): Promise<void> {
  const columnsOf = async (table: string) => {
    const { results } = await env.DB.prepare(`SELECT name FROM pragma_table_info('${table}')`).all<any>()
    return results.map(({ name }) => name as string)
  }
  const id = "substr(?1, 1, 24) || printf('%012x', n)"
  const later = (column: string) => `${column} + n * ${HOUR_MS}`
  const clone = async (table: string, key: string, instants: readonly string[]) => {
    const columns = await columnsOf(table)
    const values = columns.map((name) => (name === key ? id : instants.includes(name) ? later(name) : name))
    return env.DB.prepare(
      `WITH RECURSIVE numbers(n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM numbers WHERE n < ?2)
       INSERT INTO ${table} (${columns}) SELECT ${values} FROM ${table} CROSS JOIN numbers WHERE ${key} = ?1`,
    ).bind(bookingId, copies)
  }
  await env.DB.batch([
    await clone('bookings', 'id', ['start_time', 'end_time']),
    await clone('holds', 'holder_id', ['starts_at', 'ends_at', 'meets_at']),
  ])
}

describe('a calendar that begins to receive more than a thousand bookings', () => {
  it('gets the soonest at once, and the others with the next sweeps', async () => {
    const { id, connect, receive } = await hosted()
    const [first, second] = [await connect(), await connect()]
    const { body } = await bookAsAnother(id, SLOT)
    await copy(body.id, 1_499)
    const inCalendar = async (calendar: string) =>
      env.DB.prepare(
        'SELECT count(*) AS n, max(start_time) AS last FROM bookings WHERE calendar_connection_id = ?',
      )
        .bind(calendar)
        .first<{ n: number; last: number }>()
    const isGoingOn = async () =>
      env.DB.prepare('SELECT bring_at IS NOT NULL AS more FROM calendar_connections WHERE id = ?')
        .bind(second)
        .first<number>('more')
    expect((await inCalendar(first))!.n).toBe(1_500)
    expect((await receive(second)).status).toBe(200)
    expect(await inCalendar(second)).toEqual({ n: 1_000, last: SLOT + 999 * HOUR_MS })
    expect([(await inCalendar(first))!.n, await isGoingOn()]).toEqual([500, 1])
    await sweep(env, Date.now())
    expect([(await inCalendar(second))!.n, (await inCalendar(first))!.n]).toEqual([1_500, 0])
    await sweep(env, Date.now())
    expect(await isGoingOn()).toBe(0)
    const writes = await writesOf(second)
    expect(writes).toHaveLength(1_500)
  }, 60_000)
})

describe('a calendar that is connected in place of another', () => {
  it("gets the owner's bookings, and event types without hosts still know of each other", async () => {
    const { liveKey: key } = await createOrganization()
    const connect = async () => {
      const { body } = await call('GET', '/v1/calendars/calendar_b/connect', { key })
      const consent = await world.consent(body.url, `${unique('a')}@example.com`)
      expect((await answerConsent(visit, consent)).status).toBe(200)
      const { data } = (await call('GET', '/v1/calendars', { key })).body
      return data[0].id as string
    }
    const [one, two] = [await createEventType(key), await createEventType(key)]
    const { body: early } = await bookAsAnother(one.id, SLOT)
    const first = await connect()
    const read = async (id: string) => (await call('GET', `/v1/bookings/${id}`, { key })).body
    expect((await read(early.id)).calendar_connection_id).toBe(first)
    const { body: booked } = await bookAsAnother(one.id, SLOT + 2 * HOUR_MS)
    await writeDue(first)
    await call('DELETE', `/v1/calendars/${first}`, { key })
    const second = await connect()
    for (const { id } of [early, booked]) expect((await read(id)).calendar_connection_id).toBe(second)
    // The queue makes them too.
    await vi.waitFor(async () => {
      await writeDue(second)
      expect((await writesOf(second)).map(({ status }) => status)).toEqual(['written', 'written'])
    })
    expect((await read(booked.id)).calendar_event_id).not.toBeNull()
    expect(await openStarts(two.id, SLOT)).not.toContain(iso(SLOT + 2 * HOUR_MS))
    expect((await bookAsAnother(two.id, SLOT + 2 * HOUR_MS)).status).toBe(409)
  })
})
