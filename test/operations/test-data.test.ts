import { env } from 'cloudflare:workers'
import { describe, expect, it } from 'vitest'
import type { Env } from '../../src/env.ts'
import { deleteTestData } from '../../src/operations/sandbox/delete-test-data.ts'
import { selectMadeTimeOff } from '../../src/operations/sandbox/queries.ts'
import { openDb } from '../../src/platform/db/client.ts'
import { newIdIn } from '../../src/platform/db/ids.ts'
import { realNow } from '../../src/platform/limits/clock.ts'
import { type Answered, call, callAsService, type Json } from '../support/app.ts'
import { insertConnection } from '../support/connections.ts'
import { databaseThrough } from '../support/database-through.ts'
import {
  book,
  bookingInput,
  createEventType,
  createKey,
  createOrganization,
  dayFromNow,
  iso,
  openStarts,
} from '../support/factories.ts'
import { stayInOneMinute } from '../support/minute.ts'
import { serviceWith } from '../support/service-with.ts'

const HOUR_MS = 3_600_000
const DAY_MS = 24 * HOUR_MS
const SLOT = dayFromNow(3) + 10 * HOUR_MS

function setClock(key: string, now: number | null) {
  return call('PUT', '/v1/test-data/clock', { key, body: { now: now === null ? null : iso(now) } })
}

/** The database, with something that others do after each batch. */
function afterEachBatch(act: () => Promise<void>) {
  const withSession = (...constraint: Parameters<D1Database['withSession']>) => {
    const session = env.DB.withSession(...constraint)
    const batch = async (statements: D1PreparedStatement[]) => {
      const results = await session.batch(statements)
      await act()
      return results
    }
    return { prepare: session.prepare.bind(session), batch, getBookmark: () => session.getBookmark() }
  }
  return { withSession }
}

/** Empties a sandbox while others do something after each batch. */
function emptyWhile(act: () => Promise<void>, organizationId: string) {
  return deleteTestData({
    env: { ...env, DB: afterEachBatch(act) } as unknown as Env,
    request: new Request('https://holdfast.test/v1/test-data'),
    requestId: 'request',
    now: realNow(),
    ipAddress: null,
    caller: { kind: 'service', organizationId, isTest: true, onBehalfOf: null },
    claim: null,
    isDry: false,
  })
}

describe('test data', () => {
  it('is created as a believable set and deleted without a trace in live data', async () => {
    const { liveKey, testKey } = await createOrganization()
    const live = await createEventType(liveKey)
    const { body: liveBooking } = await book(live.id, SLOT)
    const made = await call('POST', '/v1/test-data', { key: testKey })
    expect([made.status, made.body]).toEqual([201, { created: { event_types: 2, bookings: 3 } }])
    expect((await call('POST', '/v1/test-data', { key: testKey })).status).toBe(201)
    const types = await call('GET', '/v1/event-types', { key: testKey })
    expect(types.body.data).toHaveLength(4)
    expect((await call('GET', '/v1/bookings', { key: testKey })).body.data).toHaveLength(6)
    expect((await call('GET', '/v1/bookings', { key: liveKey })).body.data).toHaveLength(1)

    const gone = await call('DELETE', '/v1/test-data', { key: testKey })
    expect(gone.status).toBe(200)
    expect(gone.body.deleted).toMatchObject({ event_types: 4, bookings: 6 })
    expect((await call('GET', '/v1/event-types', { key: testKey })).body.data).toEqual([])
    expect((await call('GET', '/v1/bookings', { key: testKey })).body.data).toEqual([])
    expect((await call('GET', '/v1/test-data/outbox', { key: testKey })).body.data).toEqual([])
    expect((await call('GET', `/v1/bookings/${liveBooking.id}`, { key: liveKey })).status).toBe(200)
    expect(await openStarts(live.id, dayFromNow(3))).not.toContain(iso(SLOT))
    for (const { id } of types.body.data) {
      const holds = await env.DB.prepare('SELECT * FROM holds WHERE resource_id = ?').bind(id).all()
      expect(holds.results).toEqual([])
    }
  })

  it('is deleted with its holds, even expired ones', async () => {
    const { id: organizationId, liveKey, testKey } = await createOrganization()
    const live = await createEventType(liveKey)
    const { id } = await createEventType(testKey, { requires_approval: true })
    const hold = async (event_type_id: string, start: number) =>
      (await call('POST', '/v1/holds', { body: { event_type_id, start_time: iso(start) } })).body
    await hold(live.id, SLOT)
    await hold(id, SLOT)
    const released = await hold(id, SLOT + HOUR_MS)
    await call('POST', `/v1/holds/${released.id}/release?token=${released.token}`)
    const { body: declined } = await book(id, SLOT + 2 * HOUR_MS)
    await call('POST', `/v1/bookings/${declined.id}/decline`, { key: testKey })
    await book(id, SLOT + 3 * HOUR_MS)
    const left = async () =>
      (
        await env.DB.prepare('SELECT event_type_id FROM slot_holds WHERE organization_id = ?')
          .bind(organizationId)
          .all()
      ).results
    expect(await left()).toHaveLength(5)
    await call('DELETE', '/v1/test-data', { key: testKey })
    expect(await left()).toEqual([{ event_type_id: live.id }])
  })

  it('is deleted with the meetings of sessions that their attendees left', async () => {
    const { id: organizationId, testKey } = await createOrganization()
    const { id } = await createEventType(testKey, { max_attendees: 3, conferencing_provider: 'video_a' })
    const { body: moved } = await book(id, SLOT)
    await call('POST', `/v1/bookings/${moved.id}/reschedule`, {
      key: testKey,
      body: { new_start_time: iso(SLOT + HOUR_MS) },
    })
    const meetings = env.DB.prepare('SELECT count(*) AS n FROM meetings WHERE organization_id = ?')
    expect(await meetings.bind(organizationId).first('n')).toBe(2)
    await call('DELETE', '/v1/test-data', { key: testKey })
    expect(await meetings.bind(organizationId).first('n')).toBe(0)
  })

  it('that is deleted cannot be booked, and is not remembered anywhere', async () => {
    const { testKey } = await createOrganization()
    const { id } = await createEventType(testKey)
    const bookings = Array.from({ length: 20 }, (_, at) => book(id, SLOT + at * HOUR_MS))
    await Promise.all([
      ...bookings.slice(0, 10),
      call('DELETE', '/v1/test-data', { key: testKey }),
      ...bookings.slice(10),
    ])
    expect((await book(id, SLOT)).status).toBe(404)
    const left = await env.DB.prepare('SELECT * FROM holds WHERE resource_id = ?').bind(id).all()
    expect(left.results).toEqual([])
  })

  it('is deleted even if the clock of the process that created it was ahead', async () => {
    const { testKey } = await createOrganization()
    const made = await call('POST', '/v1/schedules', { key: testKey, body: { name: 'Mine', rules: [] } })
    const ahead = newIdIn(0, Date.now()).replace(/^\w{8}/, 'ffffffff')
    await env.DB.prepare('UPDATE schedules SET id = ? WHERE id = ?').bind(ahead, made.body.id).run()
    const { body } = await call('DELETE', '/v1/test-data', { key: testKey })
    expect(body.deleted.schedules).toBe(1)
    expect((await call('GET', '/v1/schedules', { key: testKey })).body.data).toEqual([])
  })

  it('is forgotten for callers without a key too', async () => {
    const { testKey } = await createOrganization()
    const { id } = await createEventType(testKey)
    const headers = { 'Idempotency-Key': 'once' }
    const ask = () => call('POST', '/v1/bookings', { headers, body: bookingInput(id, SLOT) })
    expect((await ask()).status).toBe(201)
    await call('DELETE', '/v1/test-data', { key: testKey })
    expect((await ask()).status).toBe(404)
  })

  it('that is created while the rest is deleted stays complete', async () => {
    const organization = await createOrganization()
    const { id: organizationId, testKey } = organization
    await createEventType(testKey)
    let made: string | undefined
    const bookOnce = () =>
      call('POST', '/v1/bookings', {
        key: testKey,
        headers: { 'Idempotency-Key': 'once' },
        body: bookingInput(made!, SLOT),
      })
    const members = await call('GET', `/v1/organizations/${organizationId}/members`, { key: testKey })
    const others = [
      ['/v1/schedules', { name: 'Mine', rules: [] }],
      ['/v1/webhooks', { url: 'https://hooks.invalid/', events: ['booking.created'] }],
      ['/v1/support', { subject: 'Sundays', message: 'Can they be open?', category: 'question' }],
      ['/v1/time-off', { member_ids: [members.body.data[0].id], start: '2030-12-24', end: '2030-12-26' }],
    ] as const
    const makeOthers = () =>
      Promise.all(
        others.map(([path, body]) =>
          call('POST', path, { key: testKey, headers: { 'Idempotency-Key': path }, body }),
        ),
      )
    const makeMore = async () => {
      if (made !== undefined) return
      made = ''
      made = (await createEventType(testKey)).id as string
      await bookOnce()
      await Promise.all([makeOthers(), insertConnection(organization, 'test')])
    }
    await emptyWhile(makeMore, organizationId)
    const { body } = await call('GET', '/v1/bookings', { key: testKey })
    const shown = await call('GET', `/v1/event-types/${made}`, { key: testKey })
    expect([shown.status, body.data.length]).toEqual([200, 1])
    const again = await bookOnce()
    expect([again.status, again.headers.get('Idempotent-Replayed')]).toEqual([201, 'true'])
    const told = await makeOthers()
    const kept = await Promise.all(others.map(([path]) => call('GET', path, { key: testKey })))
    const ids = kept.map((page) => page.body.data.map(({ id }: Json) => id))
    expect(told.map(({ headers }) => headers.get('Idempotent-Replayed'))).toEqual(Array(4).fill('true'))
    const calendars = await call('GET', '/v1/calendars', { key: testKey })
    expect(calendars.body.data).toHaveLength(1)
    expect(ids).toEqual(
      told.map(({ status, body }) => (status === 201 ? [body.id ?? body.data[0].id] : status)),
    )
  })

  it('of an event type that is made, booked and deleted in the meantime stays with it', async () => {
    const { id: organizationId, testKey: key } = await createOrganization()
    const come = async () => {
      const { id } = await createEventType(key, {})
      expect((await book(id, SLOT)).status).toBe(201)
      expect((await call('DELETE', `/v1/event-types/${id}`, { key })).status).toBe(204)
    }
    await emptyWhile(come, organizationId)
    const { body } = await call('GET', '/v1/bookings', { key })
    expect(body.data.length).toBeGreaterThan(0)
    for (const { id } of body.data) {
      expect((await call('POST', `/v1/bookings/${id}/cancel`, { key })).status).toBe(200)
    }
    expect((await call('DELETE', '/v1/test-data', { key })).body.deleted.bookings).toBe(body.data.length)
    expect((await call('GET', '/v1/bookings', { key })).body.data).toEqual([])
  })

  it('that was being created when the deletion began stays, as a retry by its caller shows', async () => {
    const { id: organizationId, testKey } = await createOrganization()
    const [asked, hidden] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()]
    const slow = serviceWith({
      DB: databaseThrough(async (ask, queries) => {
        if (!queries.some((query) => /^insert into "schedules"/i.test(query))) return ask()
        asked.resolve()
        await hidden.promise
        return ask()
      }),
    })
    const headers = { 'Idempotency-Key': 'once' }
    const make = (through: { call: typeof call }) =>
      through.call('POST', '/v1/schedules', { key: testKey, headers, body: { name: 'Mine', rules: [] } })
    const making = make(slow)
    await asked.promise
    await emptyWhile(async () => {
      hidden.resolve()
      await making
    }, organizationId)
    const [made, told] = [await making, await make({ call })]
    expect([made.status, told.headers.get('Idempotent-Replayed')]).toEqual([201, 'true'])
    const { body } = await call('GET', '/v1/schedules', { key: testKey })
    expect(body.data.map(({ id }: Json) => id)).toEqual([told.body.id])
  })

  it('is emptied of more time off than one list of ids can name', async () => {
    const { id, testKey } = await createOrganization()
    const { status: made } = await call('POST', '/v1/time-off', {
      key: testKey,
      body: { all: true, start: iso(dayFromNow(3)), end: iso(dayFromNow(4)) },
    })
    expect(made).toBe(201)
    const count = 10_000
    await env.DB.prepare(
      `INSERT INTO time_off SELECT printf('%s-%012x', substr(id, 1, 23), value), organization_id, is_test, member_id, starts_at,
        ends_at, NULL, NULL, NULL, NULL, created_at, updated_at, resource_id
      FROM time_off, (WITH RECURSIVE n(value) AS (SELECT 1 UNION ALL SELECT value + 1 FROM n WHERE value < ?) SELECT value FROM n)
      WHERE organization_id = ?`,
    )
      .bind(count, id)
      .run()
    expect(await selectMadeTimeOff(openDb(env, 'decide'), id)).toHaveLength(3)
    const { status, body } = await call('DELETE', '/v1/test-data', { key: testKey })
    expect([status, body.deleted?.time_off]).toEqual([200, 2 * (count + 1)])
    expect((await call('GET', '/v1/time-off', { key: testKey })).body.data).toEqual([])
  })

  it('is created once for one Idempotency-Key, which accepts no other body', async () => {
    const { testKey } = await createOrganization()
    const headers = { 'Idempotency-Key': 'once' }
    const first = await call('POST', '/v1/test-data', { key: testKey, headers })
    const second = await call('POST', '/v1/test-data', { key: testKey, headers })
    expect([second.status, second.body, second.headers.get('idempotent-replayed')]).toEqual([
      201,
      first.body,
      'true',
    ])
    const other = await call('POST', '/v1/test-data', { key: testKey, headers, body: { size: 'large' } })
    expect([other.status, other.body.error.code]).toEqual([409, 'conflict'])
    expect((await call('GET', '/v1/event-types', { key: testKey })).body.data).toHaveLength(2)
  })

  it('is refused to live callers', async () => {
    const { id, liveKey } = await createOrganization()
    const calls: [string, string, unknown?][] = [
      ['POST', '/v1/test-data'],
      ['DELETE', '/v1/test-data'],
      ['GET', '/v1/test-data/outbox'],
      ['PUT', '/v1/test-data/clock', { now: iso(SLOT) }],
    ]
    for (const [method, path, body] of calls) {
      const options = body === undefined ? {} : { body }
      const byKey = await call(method, path, { key: liveKey, ...options })
      const byService = await callAsService(method, path, { headers: { 'X-Org-Id': id }, ...options })
      expect([byKey.status, byKey.body.error.code]).toEqual([403, 'forbidden'])
      expect(byService.status).toBe(403)
    }
  })
})

describe("the sandbox's clock", () => {
  it('decides what is open, for the public too, in the past as in the future', async () => {
    const { testKey, liveKey } = await createOrganization()
    const { id } = await createEventType(testKey, { minimum_notice_minutes: 60 })
    const live = await createEventType(liveKey)
    for (const now of [SLOT - 400 * DAY_MS, SLOT + 400 * DAY_MS]) {
      expect((await setClock(testKey, now)).body).toEqual({ now: iso(now) })
      const open = await openStarts(id, now)
      expect(open[0]).toBe(iso(now + HOUR_MS))
      expect((await book(id, now + HOUR_MS - HOUR_MS / 2)).status).toBe(409)
      const { status, body } = await book(id, now + HOUR_MS)
      expect([status, body.created_at]).toEqual([201, iso(now)])
      const byKey = await call('POST', '/v1/bookings', {
        key: testKey,
        body: bookingInput(id, now + 2 * HOUR_MS),
      })
      expect([byKey.status, byKey.body.created_at]).toEqual([201, iso(now)])
      const moved = await call('POST', `/v1/bookings/${body.id}/reschedule?token=${body.cancel_token}`, {
        body: { new_start_time: iso(now + 4 * HOUR_MS) },
      })
      expect([moved.status, moved.body.rescheduled_at]).toEqual([200, iso(now)])
      const cancelled = await call('POST', `/v1/bookings/${body.id}/cancel?token=${body.cancel_token}`)
      expect(cancelled.body.cancelled_at).toBe(iso(now))
    }
    expect((await book(live.id, SLOT)).status).toBe(201)
    expect(await openStarts(live.id, dayFromNow(-1))).toEqual([])
  })

  it('follows the real clock again when it is set to null', async () => {
    const { testKey } = await createOrganization()
    const { id } = await createEventType(testKey)
    await setClock(testKey, SLOT + 30 * DAY_MS)
    expect(await openStarts(id, dayFromNow(3))).toEqual([])
    expect((await setClock(testKey, null)).body).toEqual({ now: null })
    expect(await openStarts(id, dayFromNow(3))).toHaveLength(48)
  })

  it('decides whether a key has expired', async () => {
    const { id, testKey } = await createOrganization()
    const expiring = await createKey(id, 'test', { expires_at: iso(SLOT) })
    await setClock(testKey, SLOT - 1)
    expect((await call('GET', '/v1/event-types', { key: expiring.key })).status).toBe(200)
    await setClock(testKey, SLOT)
    expect((await call('GET', '/v1/event-types', { key: expiring.key })).status).toBe(401)
  })

  it('restores no calls: the rate limit windows of a key end with the real clock', async () => {
    const { id, testKey } = await createOrganization({ tier: 'free' })
    stayInOneMinute(15)
    const reset = Math.floor(Date.now() / 60_000) * 60_000 + 60_000
    const answers: Answered[] = []
    for (let at = 0; at < 10; at++) {
      await callAsService('PUT', '/v1/test-data/clock', {
        headers: { 'X-Org-Id': id, 'X-Service-Mode': 'test' },
        body: { now: iso(SLOT + at * 86_400_000) },
      })
      for (let made = 0; made < 5; made++)
        answers.push(await call('GET', '/v1/event-types', { key: testKey }))
    }
    expect(answers.filter(({ status }) => status === 200)).toHaveLength(30)
    for (const { headers } of answers) expect(headers.get('X-RateLimit-Reset')).toBe(String(reset / 1000))
    const { status, headers, body } = answers.at(-1)!
    expect([status, body.reset_at]).toEqual([429, iso(reset)])
    expect(Number(headers.get('Retry-After'))).toBeLessThanOrEqual(60)
  })

  it('accepts a timestamp with an offset or null and nothing else', async () => {
    const { testKey } = await createOrganization()
    for (const body of [{}, { now: 'noon' }, { now: '2027-03-01T09:00:00' }, { now: 5 }, { now: '' }]) {
      const { status, body: answer } = await call('PUT', '/v1/test-data/clock', { key: testKey, body })
      expect([status, Object.keys(answer.error.details)]).toEqual([400, ['now']])
    }
  })
})
