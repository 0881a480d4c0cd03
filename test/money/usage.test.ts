import { runInDurableObject } from 'cloudflare:test'
import { env } from 'cloudflare:workers'
import { beforeEach, describe, expect, it } from 'vitest'
import { Usage, UsageSummary } from '../../src/money/usage/schema.ts'
import { sha256 } from '../../src/platform/auth/secret.ts'
import { type RealMs, realNow } from '../../src/platform/limits/clock.ts'
import { countDay, type DayCalls, sumDays } from '../../src/platform/limits/daily-calls.ts'
import { keyCounterOf } from '../../src/platform/limits/key-counter.ts'
import type { RateLimiter } from '../../src/worker/objects/rate-limiter.ts'
import { call, callAsService } from '../support/app.ts'
import {
  book,
  bookAsAnother,
  createEventType,
  createKey,
  createOrganization,
  dayFromNow,
  iso,
} from '../support/factories.ts'
import { stayInOneMinute } from '../support/minute.ts'

const HOUR_MS = 3_600_000
const DAY_MS = 24 * HOUR_MS
const SLOT = dayFromNow(3) + 10 * HOUR_MS

async function usageOf(key: string): Promise<Usage> {
  const { status, body } = await call('GET', '/v1/usage', { key })
  if (status !== 200) throw new Error(JSON.stringify(body))
  return body
}

async function summaryOf(key: string, query = ''): Promise<UsageSummary> {
  const { status, body } = await call('GET', `/v1/usage/summary${query}`, { key })
  if (status !== 200) throw new Error(JSON.stringify(body))
  return body
}

async function callsOf(key: string, query = '?period=7d'): Promise<number> {
  return (await summaryOf(key, query)).api_calls.total
}

function read(key: string) {
  return call('GET', '/v1/event-types', { key })
}

async function readTimes(key: string, times: number): Promise<void> {
  for (let at = 0; at < times; at++) await read(key)
}

/** A counted call of the key, as if it had been made then. */
async function callAt(key: string, instant: number): Promise<void> {
  const hash = await sha256(key)
  const admission = await keyCounterOf(env, hash).admit(hash, instant as RealMs, true)
  expect(admission?.rate.refusedBy).toBeNull()
}

async function lastUsedAt(keyId: string): Promise<number | null> {
  const row = await env.DB.prepare('SELECT last_used_at FROM api_keys WHERE id = ?')
    .bind(keyId)
    .first<{ last_used_at: number | null }>()
  return row!.last_used_at
}

/** The database, with every update held up. */
function slowToWrite(database: D1Database): D1Database {
  const slow = (statement: D1PreparedStatement): D1PreparedStatement =>
    new Proxy(statement, {
      get(target, name) {
        if (name === 'bind') return (...values: unknown[]) => slow(target.bind(...values))
        const method = Reflect.get(target, name) as (...values: unknown[]) => Promise<unknown>
        return async (...values: unknown[]) => {
          await new Promise((resolve) => setTimeout(resolve, 100))
          return method.apply(target, values)
        }
      },
    })
  const withSession = (constraint?: D1SessionBookmark | D1SessionConstraint) => {
    const session = database.withSession(constraint)
    const prepare = (query: string) =>
      query.startsWith('update') ? slow(session.prepare(query)) : session.prepare(query)
    return { prepare }
  }
  return { withSession } as unknown as D1Database
}

function setBooking(id: string, column: string, value: unknown) {
  return env.DB.prepare(`UPDATE bookings SET ${column} = ? WHERE id = ?`).bind(value, id).run()
}

describe('the calls of days', () => {
  const DAY = Date.UTC(2026, 2, 9)

  it('are counted by UTC day', () => {
    let days: readonly DayCalls[] = []
    for (const instant of [DAY, DAY + DAY_MS - 1, DAY + DAY_MS, DAY + 3 * DAY_MS]) {
      days = countDay(days, instant)
    }
    expect(sumDays(days, DAY, DAY)).toBe(2)
    expect(sumDays(days, DAY, DAY + DAY_MS)).toBe(3)
    expect(sumDays(days, DAY + 1, DAY + 2 * DAY_MS)).toBe(1)
    expect(sumDays(days, DAY - DAY_MS, DAY + 9 * DAY_MS)).toBe(4)
  })

  it('are kept for a month and no longer', () => {
    let days: readonly DayCalls[] = []
    for (let day = 0; day < 400; day++) days = countDay(days, DAY + day * DAY_MS)
    expect(days).toHaveLength(31)
    expect(sumDays(days, 0, Number.MAX_SAFE_INTEGER)).toBe(31)
    expect(sumDays(days, DAY + 369 * DAY_MS, DAY + 399 * DAY_MS)).toBe(31)
  })

  it('survive a clock that goes away and comes back', () => {
    let days = countDay([], DAY)
    days = countDay(days, DAY + 4000 * DAY_MS)
    days = countDay(days, DAY)
    expect(sumDays(days, DAY, DAY)).toBe(2)
  })
})

describe('usage', () => {
  // A day and a month end with a minute.
  beforeEach(() => stayInOneMinute())

  it('begins with nothing used, and takes nothing from what it counts', async () => {
    const { liveKey } = await createOrganization({ tier: 'starter' })
    const before = Date.now()
    for (let at = 0; at < 3; at++) {
      const body = await usageOf(liveKey)
      expect(Usage.parse(body)).toEqual(body)
      const today = new Date(before)
      const month = Date.UTC(today.getUTCFullYear(), today.getUTCMonth() + 1)
      expect(body).toEqual({
        tier: 'starter',
        limits: {
          api_calls_per_minute: 60,
          api_calls_per_day: 1000,
          bookings_per_month: 50,
          calendars_per_member: 10,
          calendar_feeds: 20,
          members: 25,
          resources: 25,
          event_types: 100,
          invitations_per_day: 25,
        },
        usage: {
          api_calls_today: 0,
          api_calls_remaining_daily: 1000,
          bookings_this_month: 0,
          bookings_remaining_monthly: 50,
        },
        reset_at: { daily: iso(dayFromNow(1)), monthly: iso(month) },
      })
    }
  })

  it('counts the calls of all keys of one mode, also of keys that were revoked since', async () => {
    const organization = await createOrganization()
    const neighbour = await createOrganization()
    const second = await createKey(organization.id)
    await readTimes(organization.liveKey, 3)
    await readTimes(second.key, 2)
    await readTimes(organization.testKey, 1)
    await readTimes(neighbour.liveKey, 7)
    await call('DELETE', `/v1/api-keys/${second.id}`, { key: organization.liveKey })
    const { usage } = await usageOf(organization.liveKey)
    expect(usage).toMatchObject({ api_calls_today: 6, api_calls_remaining_daily: 49_994 })
    expect((await usageOf(organization.testKey)).usage.api_calls_today).toBe(1)
    const asService = await callAsService('GET', '/v1/usage', { headers: { 'X-Org-Id': organization.id } })
    expect(asService.body.usage.api_calls_today).toBe(6)
    expect(await callsOf(organization.liveKey)).toBe(6)
    expect(await callsOf(organization.testKey, '')).toBe(1)
  })

  it('counts what was refused for what it asked, and not what was refused by the brake', async () => {
    const { liveKey } = await createOrganization({ tier: 'free' })
    await call('GET', '/v1/event-types/nope', { key: liveKey })
    await call('POST', '/v1/event-types', { key: liveKey, body: {} })
    expect((await usageOf(liveKey)).usage.api_calls_today).toBe(2)
    const answers = await Promise.all(Array.from({ length: 60 }, () => read(liveKey)))
    const taken = answers.filter(({ status }) => status === 200).length
    expect(taken).toBeLessThan(60)
    expect((await usageOf(liveKey)).usage.api_calls_today).toBe(2 + taken)
  })

  it('knows of a key from its first call on, however many come at once', async () => {
    const { id: organizationId, liveKey } = await createOrganization()
    for (let round = 1; round <= 3; round++) {
      const { id, key } = await createKey(organizationId)
      await Promise.all(
        Array.from({ length: 10 }, async () => {
          await read(key)
          expect(await lastUsedAt(id)).not.toBeNull()
        }),
      )
      expect((await usageOf(liveKey)).usage.api_calls_today).toBe(round * 10)
    }
  })

  it('answers the first calls of a key only when that is written down', async () => {
    const organization = await createOrganization()
    const { id, key } = await createKey(organization.id)
    const hash = await sha256(key)
    const counter = env.RATE_LIMITS.getByName(hash) as unknown as DurableObjectStub<RateLimiter>
    await runInDurableObject(counter, async (object) => {
      Object.defineProperty(object, 'env', { value: { ...env, DB: slowToWrite(env.DB) } })
      const answers = [0, 1, 2].map(async () => {
        await object.admit(hash, realNow(), true)
        return lastUsedAt(id)
      })
      for (const written of await Promise.all(answers)) expect(written).not.toBeNull()
    })
  })

  it('writes the day down again when a key that knows yesterday is used today', async () => {
    const organization = await createOrganization()
    const { id, key } = await createKey(organization.id)
    const today = dayFromNow(0)
    await callAt(key, today - 1)
    await callAt(key, today + 1)
    expect(await lastUsedAt(id)).toBe(today + 1)
    expect((await usageOf(organization.liveKey)).usage.api_calls_today).toBe(1)
    expect(await callsOf(organization.liveKey)).toBe(2)
  })

  it('counts live bookings against the month, cancelled or not, and lets test bookings be free', async () => {
    const organization = await createOrganization({ tier: 'free' })
    const live = await createEventType(organization.liveKey)
    const test = await createEventType(organization.testKey)
    const { body: booking } = await book(live.id, SLOT)
    await book(live.id, SLOT + HOUR_MS)
    for (let at = 0; at < 12; at++)
      expect((await bookAsAnother(test.id, SLOT + at * HOUR_MS)).status).toBe(201)
    await call('POST', `/v1/bookings/${booking.id}/cancel`, { key: organization.liveKey })
    expect((await usageOf(organization.liveKey)).usage).toMatchObject({
      bookings_this_month: 2,
      bookings_remaining_monthly: 8,
    })
    expect((await usageOf(organization.testKey)).usage).toMatchObject({
      bookings_this_month: 12,
      bookings_remaining_monthly: 10,
    })
  })

  it('leaves nothing when a plan shrinks below what was used', async () => {
    const { id, liveKey } = await createOrganization()
    const eventType = await createEventType(liveKey)
    for (let at = 0; at < 12; at++) await bookAsAnother(eventType.id, SLOT + at * HOUR_MS)
    await callAsService('PATCH', `/v1/organizations/${id}`, { body: { tier: 'free' } })
    expect((await usageOf(liveKey)).usage).toMatchObject({
      bookings_this_month: 12,
      bookings_remaining_monthly: 0,
    })
  })

  it('counts calls by the real clock in test mode too, and bookings by that of the sandbox', async () => {
    const { liveKey, testKey } = await createOrganization()
    await readTimes(testKey, 2)
    await readTimes(liveKey, 1)
    const clock = await call('PUT', '/v1/test-data/clock', {
      key: testKey,
      body: { now: '2030-01-15T12:00:00Z' },
    })
    expect(clock.status).toBe(200)
    await readTimes(testKey, 4)
    const then = await usageOf(testKey)
    // With the one that set the clock.
    expect(then.usage.api_calls_today).toBe(7)
    expect(then.reset_at).toEqual({
      daily: iso(dayFromNow(1)),
      monthly: '2030-02-01T00:00:00.000Z',
    })
    const summary = await summaryOf(testKey)
    expect(summary.api_calls.total).toBe(7)
    expect(summary.period_end).toBe('2030-01-15T12:00:00.000Z')
    expect((await usageOf(liveKey)).usage.api_calls_today).toBe(1)
  })
})

describe('the usage summary', () => {
  beforeEach(() => stayInOneMinute())

  it('covers whole UTC days up to now, 30 of them by default', async () => {
    const { liveKey } = await createOrganization()
    const [week, month] = [await summaryOf(liveKey, '?period=7d'), await summaryOf(liveKey)]
    expect(UsageSummary.parse(week)).toEqual(week)
    expect(week).toEqual({
      period: '7d',
      period_start: iso(dayFromNow(-6)),
      period_end: expect.any(String),
      api_calls: { total: 0 },
      bookings: { total: 0, confirmed: 0, cancelled: 0, pending_approval: 0, pending_payment: 0 },
      attendance: { no_shows: 0, host_absent: 0 },
      event_types: { total: 0, active: 0 },
      calendar_connections: { total: 0, active: 0 },
      webhooks: { total_deliveries: 0, successful: 0, failed: 0 },
    })
    expect(Math.abs(Date.parse(week.period_end) - Date.now())).toBeLessThan(60_000)
    expect([month.period, month.period_start]).toEqual(['30d', iso(dayFromNow(-29))])
  })

  it.each(['1d', '', '7', '30D', '90d'])('knows no period %s', async (period) => {
    const { liveKey } = await createOrganization()
    const { status, body } = await call('GET', `/v1/usage/summary?period=${period}`, { key: liveKey })
    expect([status, body.error.code]).toEqual([400, 'validation_error'])
    expect(body.error.details).toHaveProperty('period')
  })

  it('counts the calls of the days in its period', async () => {
    const { liveKey } = await createOrganization()
    for (const day of [-40, -30, -29, -7, -6, -1]) await callAt(liveKey, dayFromNow(day) + 12 * HOUR_MS)
    await read(liveKey)
    expect(await callsOf(liveKey, '?period=7d')).toBe(3)
    expect(await callsOf(liveKey, '?period=30d')).toBe(5)
    expect((await usageOf(liveKey)).usage.api_calls_today).toBe(1)
  })

  it('counts bookings by their outcome', async () => {
    const { liveKey: key, testKey } = await createOrganization()
    const eventType = await createEventType(key)
    const test = await createEventType(testKey)
    const ids: string[] = []
    for (let at = 0; at < 8; at++) ids.push((await book(eventType.id, SLOT + at * HOUR_MS)).body.id)
    await book(test.id, SLOT)
    await call('POST', `/v1/bookings/${ids[0]}/cancel`, { key })
    await call('POST', `/v1/bookings/${ids[1]}/reschedule`, {
      key,
      body: { new_start_time: iso(SLOT + DAY_MS) },
    })
    await setBooking(ids[2]!, 'status', 'pending_payment')
    await setBooking(ids[3]!, 'created_at', dayFromNow(-6))
    await setBooking(ids[7]!, 'status', 'pending_approval')
    await setBooking(ids[7]!, 'created_at', dayFromNow(-6))
    await setBooking(ids[4]!, 'created_at', dayFromNow(-6) - 1)
    await setBooking(ids[5]!, 'created_at', dayFromNow(-29) - 1)
    expect((await summaryOf(key, '?period=7d')).bookings).toEqual({
      total: 6,
      confirmed: 3,
      cancelled: 1,
      pending_approval: 1,
      pending_payment: 1,
    })
    expect((await summaryOf(key, '?period=30d')).bookings).toEqual({
      total: 7,
      confirmed: 4,
      cancelled: 1,
      pending_approval: 1,
      pending_payment: 1,
    })
    expect((await summaryOf(testKey)).bookings).toMatchObject({ total: 1, confirmed: 1 })
    expect((await summaryOf((await createOrganization()).liveKey)).bookings.total).toBe(0)
  })

  it('counts the event types that are there', async () => {
    const { liveKey: key, testKey } = await createOrganization()
    const [, paused, deleted] = [
      await createEventType(key),
      await createEventType(key),
      await createEventType(key),
      await createEventType(testKey),
    ]
    await call('PATCH', `/v1/event-types/${paused.id}`, { key, body: { active: false } })
    await call('DELETE', `/v1/event-types/${deleted.id}`, { key })
    expect((await summaryOf(key)).event_types).toEqual({ total: 2, active: 1 })
    expect((await summaryOf(testKey)).event_types).toEqual({ total: 1, active: 1 })
  })
})
