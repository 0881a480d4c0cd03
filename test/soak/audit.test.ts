import { beforeAll, describe, expect, it } from 'vitest'
import { looseId } from '../../src/platform/db/ids.ts'
import type { RealMs } from '../../src/platform/limits/clock.ts'
import { handleEvent } from '../../src/worker/jobs/handle-event.ts'
import { call } from '../support/app.ts'
import { book, bookingInput, iso, unique } from '../support/factories.ts'
import { packAll } from '../support/packed.ts'
import { run } from '../support/run.ts'
import { serviceWith } from '../support/service-with.ts'
import { rows, STARTS } from '../support/storm/world.ts'
import { audit } from './audit.ts'
import { auditSent } from './audit-sent.ts'
import { auditedWorld } from './audited-world.ts'
import type { World } from './kinds.ts'
import { type Booking, type Entry, Ledger, placeOf } from './ledger.ts'

const UNTOLD = 'letters told twice or never'
const MINUTE_MS = 60_000
const DAY_MS = 86_400_000

let world: World
const bookings: Booking[] = []
const entries: Entry[] = []

beforeAll(async () => {
  ;({ world } = await auditedWorld())
  const { id: organizationId, types } = world.organizations[0]!
  const of = (eventTypeId: string) => ({
    email: `${unique('soak')}@example.com`,
    organizationId,
    eventTypeId,
  })
  for (const [kind, at] of [
    [0, 0],
    [0, 1],
    [3, 2],
    [6, 3],
    [6, 4],
    [2, 8],
  ] as const) {
    const told = of(types[kind]!)
    const { status, body } = await book(types[kind]!, STARTS[at]!, { invitee_email: told.email })
    expect(status).toBe(201)
    bookings.push({ ...told, id: body.id, token: body.cancel_token, places: [placeOf(body)] })
  }
  for (const _each of [1, 2]) {
    const told = of(types[2]!)
    const body = { event_type_id: types[2], start_time: iso(STARTS[8]!), invitee_email: told.email }
    const joined = await call('POST', '/v1/waitlist', { body: { ...body, invitee_name: 'Ada' } })
    expect(joined.status, JSON.stringify(joined.body)).toBe(201)
    entries.push({ ...told, id: joined.body.id, token: null, hasLeft: false, isRefused: false })
  }
})

/** What an audit finds that knows what was acknowledged, by the words before its colon. */
async function findings(change: (ledger: Ledger) => unknown = () => {}): Promise<string[]> {
  const ledger = new Ledger()
  ledger.bookings.push(...bookings.map((booking) => ({ ...booking })))
  ledger.entries.push(...entries.map((entry) => ({ ...entry })))
  change(ledger)
  const compared = await audit(rows, world, ledger)
  expect(compared.bookings).toBeGreaterThan(4)
  return ledger.findings.map((finding) => finding.split(':')[0]!)
}

/** The row once more, with another id. */
async function double(table: string, id: string): Promise<string> {
  const [row] = await rows(`SELECT * FROM ${table} WHERE id = ?`, id)
  const other = { ...row, id: looseId() }
  const names = Object.keys(other)
  const marks = names.map(() => '?').join(', ')
  await run(`INSERT INTO ${table} (${names.join(', ')}) VALUES (${marks})`, ...Object.values(other))
  return other.id
}

describe('the emails to invitees in a soak', () => {
  /** A booking, what follows from it and what is found; its events are handled when a test says so. */
  async function booked(type: number, at: number) {
    const quiet = serviceWith({})
    const [{ id: organizationId, members, types }] = world.organizations as [World['organizations'][number]]
    const email = `${unique('soak')}@example.com`
    const input = bookingInput(types[type]!, STARTS[at]! + DAY_MS, { invitee_email: email })
    const { status, body } = await quiet.call('POST', '/v1/bookings', { body: input })
    expect(status).toBe(201)
    const { id, cancel_token } = body
    const places = [placeOf(body)]
    const told = { email, organizationId, eventTypeId: types[type]!, id, token: cancel_token, places }
    bookings.push(told)
    return {
      act: async (verb: string, input = {}) => {
        const path = `/v1/bookings/${id}/${verb}?token=${cancel_token}`
        const { status, body } = await quiet.call('POST', path, { body: input })
        expect(status, JSON.stringify(body)).toBe(200)
        told.places = [placeOf(body)]
      },
      /** Handles what was not, so much later. */
      handle: async (laterMs = 0) => {
        const left = await rows(
          "SELECT id FROM events WHERE data ->> 'id' = ? AND handled_at IS NULL ORDER BY sequence",
          id,
        )
        const now = (Date.now() + laterMs) as RealMs
        for (const event of left) await handleEvent(quiet.env, event.id, now)
      },
      count: (by: number) =>
        run('UPDATE letter_counts SET letters = letters + ? WHERE address = ?', by, email),
      /** As if it had been handled, and nobody had been told. */
      skip: (laterMs: number) =>
        run("UPDATE events SET handled_at = created_at + ? WHERE data ->> 'id' = ?", laterMs, id),
      /** As if another member had been its host, or had hosted it too, before it moved. */
      handOver: async (path: '$.host_id' | '$.co_host_ids') => {
        const [host] = await rows('SELECT assigned_host_id AS id FROM bookings WHERE id = ?', id)
        const former = members.find((member) => member !== host!.id)
        const value = path === '$.host_id' ? JSON.stringify(former) : JSON.stringify([former])
        await run(
          `UPDATE events SET previous = json_set(previous, ?, json(?))
           WHERE kind = 'booking.rescheduled' AND data ->> 'id' = ?`,
          path,
          value,
          id,
        )
      },
      found: async () => (await findings()).includes(UNTOLD),
      age: (ms: number) => run('UPDATE bookings SET created_at = created_at - ? WHERE id = ?', ms, id),
    }
  }

  it('of a request that is decided before it is handled are those of its decision', async () => {
    const { act, handle, count, found } = await booked(4, 5)
    await act('cancel')
    await handle()
    expect(await found()).toBe(false)
    await count(1)
    expect(await found()).toBe(true)
    await count(-2)
    expect(await found()).toBe(true)
    await count(1)
    expect(await found()).toBe(false)
  })

  it('of a request that is decided afterwards are both', async () => {
    const { act, handle, count, found } = await booked(4, 6)
    await handle()
    await act('cancel')
    await handle()
    expect(await found()).toBe(false)
    await count(-1)
    expect(await found()).toBe(true)
    await count(1)
  })

  it('of a booking that is handled late are left out only if it was moved or cancelled since then', async () => {
    const { act, handle, count, found } = await booked(6, 7)
    await handle(MINUTE_MS)
    expect(await found()).toBe(false)
    await count(-1)
    expect(await found()).toBe(true)
    await count(1)
    await act('reschedule', { new_start_time: iso(STARTS[9]! + DAY_MS) })
    await act('cancel')
    await handle(MINUTE_MS)
    expect(await found()).toBe(false)
    await count(1)
    expect(await found()).toBe(true)
    await count(-1)
  })

  it.each([
    ['$.host_id', 7],
    ['$.co_host_ids', 2],
  ] as const)('of a late move may go to its former host alone (%s)', async (path, at) => {
    const { act, handOver, handle, count, found } = await booked(0, at)
    await act('reschedule', { new_start_time: iso(STARTS[at + 2]! + DAY_MS) })
    await act('cancel')
    await handOver(path)
    await handle(MINUTE_MS)
    expect(await found()).toBe(false)
    await count(-1)
    expect(await found()).toBe(true)
    await count(1)
  })

  it('are missed of an event without any, even if it was handled late', async () => {
    for (const [at, laterMs] of [
      [0, 0],
      [1, MINUTE_MS],
    ] as const) {
      const { skip, age, found } = await booked(5, at)
      await skip(laterMs)
      expect(await found()).toBe(true)
      // The counts of so long ago are gone.
      await age(3 * DAY_MS)
      expect(await found()).toBe(false)
    }
  })
})

describe('the auditor of a soak', () => {
  it('finds nothing where all is as it was acknowledged', async () => {
    expect(await findings()).toEqual([])
  })

  it('finds rows that differ from the responses', async () => {
    const [first] = bookings
    const told = (change: Partial<Booking>) => findings(({ bookings: [own] }) => Object.assign(own!, change))
    const refused = 'booked, though it was refused'
    const otherwise = 'not as it was acknowledged'
    expect(await told({ places: [] })).toEqual([refused])
    expect(await told({ places: ['cancelled'] })).toEqual([otherwise])
    expect(await told({ id: looseId() })).toEqual([otherwise])
    expect(await told({ places: [...first!.places, 'cancelled'] })).toEqual([])
    expect(await findings((ledger) => ledger.bookings.shift())).toEqual(['booked, and never asked for'])
    expect(await findings(({ entries: [own] }) => Object.assign(own!, { hasLeft: true }))).toEqual([
      'waits, though they left',
    ])
  })

  it('finds a booking that was moved, doubled or lost behind its back', async () => {
    const [moved, doubled, , lost] = bookings
    const HOUR_MS = 3_600_000
    await run('UPDATE bookings SET start_time = start_time + ? WHERE id = ?', HOUR_MS, moved!.id)
    expect(await findings()).toEqual(['not as it was acknowledged', 'unsound holds'])
    await run('UPDATE bookings SET start_time = start_time - ? WHERE id = ?', HOUR_MS, moved!.id)
    const other = await double('bookings', doubled!.id!)
    expect(await findings()).toEqual(
      expect.arrayContaining([
        'booked twice',
        'unsound holds',
        'a host in two places',
        'events unlike bookings',
      ]),
    )
    await run('DELETE FROM bookings WHERE id = ?', other)
    await run('DELETE FROM bookings WHERE id = ?', lost!.id)
    expect(await findings()).toEqual(
      expect.arrayContaining(['an acknowledged booking is gone', 'unsound holds']),
    )
    await run('UPDATE event_types SET active_bookings = 99 WHERE id = ?', moved!.eventTypeId)
    expect(await findings()).toContain('counted wrongly')
  })

  it('finds a fortnight that is packed otherwise than it is held', async () => {
    await packAll(rows)
    expect(await findings()).not.toContain('packed otherwise than held')
    const [packed] = await rows('SELECT * FROM packed_holds LIMIT 1')
    const [of, is] = ['WHERE resource_id = ? AND fortnight = ?', [packed!.resource_id, packed!.fortnight]]
    await run(`UPDATE packed_holds SET times = '1,30,abcdef' ${of}`, ...is)
    expect(await findings()).toContain('packed otherwise than held')
    await run(`DELETE FROM packed_holds ${of}`, ...is)
  })

  it('finds a surplus seat, a missing event, a missing email and an entry that was passed over', async () => {
    const [, , inSession, , untold] = bookings
    await run('UPDATE sessions SET seats_taken = seats_taken + 1')
    expect(await findings()).toContain('unsound seats')
    const [event] = await rows("SELECT id FROM events WHERE data ->> 'id' = ?", inSession!.id)
    await run('DELETE FROM events WHERE id = ?', event!.id)
    expect(await findings()).toEqual(expect.arrayContaining(['a feed with gaps', 'events unlike bookings']))
    // One that is still being told of may be counted later.
    await expect
      .poll(() => rows("SELECT id FROM events WHERE data ->> 'id' = ? AND handled_at IS NULL", untold!.id), {
        timeout: 10_000,
      })
      .toEqual([])
    expect(await rows('SELECT letters FROM letter_counts WHERE address = ?', untold!.email)).toHaveLength(1)
    await run('DELETE FROM letter_counts WHERE address = ?', untold!.email)
    expect(await findings()).toContain(UNTOLD)
    const second = entries[1]!
    await run("UPDATE waitlist_entries SET status = 'promoted' WHERE id = ?", second.id)
    await run("INSERT INTO commits (resource_id, action) VALUES (?, 'waitlist.promoted')", second.id)
    expect(await findings()).toEqual(
      expect.arrayContaining(['promoted, and not booked', 'promoted before somebody who waited longer']),
    )
    await run('DELETE FROM waitlist_entries WHERE id = ?', second.id)
    expect(await findings()).toContain('an acknowledged entry is gone')
  })
})

describe('the responses in a soak', () => {
  it('is each event of the feed, at least once and nothing else', async () => {
    const told = async (sequences: readonly number[], heard: readonly string[]) => {
      const ledger = new Ledger()
      const data = sequences.map((sequence) => ({ id: `event-${sequence}`, sequence }))
      const caller = { must: async () => ({ data, has_more: false }) }
      const receiver = { heardAt: () => new Map(heard.map((id) => [id, 1])) }
      await auditSent(caller, world, ledger, receiver)
      return ledger.findings.map((finding) => finding.split(':')[0])
    }
    expect(await told([1, 2], ['event-2', 'event-1'])).toEqual([])
    expect(await told([1, 2], ['event-1'])).toEqual(['never delivered'])
    expect(await told([1], ['event-1', 'event-2'])).toEqual(['delivered, and not in the feed'])
    expect(await told([1, 3], ['event-1', 'event-3'])).toEqual(['a gap in the feed'])
    expect(await told([1, 1], ['event-1'])).toEqual(['a gap in the feed', 'twice in the feed'])
  })
})
