import { evictDurableObject, runInDurableObject } from 'cloudflare:test'
import { env, exports } from 'cloudflare:workers'
import { describe, expect, it } from 'vitest'
import { DAY_MS, MINUTE_MS } from '../../src/core/time-units.ts'
import { newApiKey } from '../../src/platform/auth/api-key.ts'
import { sha256 } from '../../src/platform/auth/secret.ts'
import {
  nowAsLive,
  nowAsSeen,
  type PresentMs,
  type RealMs,
  realNow,
} from '../../src/platform/limits/clock.ts'
import { PLANS } from '../../src/platform/limits/plans.ts'
import { type Counters, type RateDecision, takeCall } from '../../src/platform/limits/window.ts'
import type { RateLimiter } from '../../src/worker/objects/rate-limiter.ts'
import { type Answered, type Call, call, callAsService, freshAddress } from '../support/app.ts'
import {
  book,
  bookingInput,
  createEventType,
  createKey,
  createOrganization,
  dayFromNow,
  iso,
  type Organization,
} from '../support/factories.ts'
import { stayInOneMinute, stayInOneRealMinute } from '../support/minute.ts'
import { serviceWith } from '../support/service-with.ts'

const MIDNIGHT = Date.UTC(2030, 0, 15)

/** Calls one after another, all counted. */
function takeCalls(before: Counters | null, instants: readonly number[], plan = PLANS.free) {
  let counters = before
  const decisions: RateDecision[] = []
  for (const now of instants) {
    const taken = takeCall(counters, plan, now, true)
    counters = taken.counters
    decisions.push(taken.decision)
  }
  return { counters: counters!, decisions, admitted: decisions.filter(({ refusedBy }) => !refusedBy).length }
}

function times(count: number, instant: number): number[] {
  return Array<number>(count).fill(instant)
}

const EXPLAINED = { doc_url: expect.stringContaining('/docs/errors#'), request_id: expect.any(String) }

describe('the plans', () => {
  it('are these', () => {
    const limits = Object.entries(PLANS).map(([tier, plan]) => [
      tier,
      plan.name,
      plan.callsPerMinute,
      plan.callsPerDay,
      plan.bookingsPerMonth,
    ])
    expect(limits).toEqual([
      ['free', 'Free', 30, 200, 10],
      ['starter', 'Launch', 60, 1_000, 50],
      ['grow', 'Grow', 500, 10_000, 1_000],
      ['scale', 'Scale', 2_000, 50_000, 10_000],
    ])
  })
})

describe('the windows', () => {
  it('count down to nothing and refuse until the minute ends', () => {
    const { decisions } = takeCalls(null, times(32, MIDNIGHT + 1_500))
    expect(decisions[0]).toEqual({
      limit: 30,
      remaining: 29,
      resetAt: MIDNIGHT + MINUTE_MS,
      refusedBy: null,
    })
    expect(decisions.slice(0, 30).map(({ remaining }) => remaining)).toEqual(
      Array.from({ length: 30 }, (_, at) => 29 - at),
    )
    for (const decision of decisions.slice(30)) {
      expect(decision).toEqual({
        limit: 30,
        remaining: 0,
        resetAt: MIDNIGHT + MINUTE_MS,
        refusedBy: { window: '1m', limit: 30, resetAt: MIDNIGHT + MINUTE_MS },
      })
    }
  })

  it('are fixed: a new minute starts from nothing at its first millisecond', () => {
    const end = MIDNIGHT + MINUTE_MS
    const { decisions } = takeCalls(null, [...times(31, end - 1), end])
    expect(decisions[30]!.refusedBy?.window).toBe('1m')
    expect(decisions[31]).toMatchObject({ remaining: 29, resetAt: end + MINUTE_MS, refusedBy: null })
  })

  it('take nothing for a refused call, in either window', () => {
    const full = takeCalls(null, times(30, MIDNIGHT)).counters
    const { counters } = takeCalls(full, times(500, MIDNIGHT + 1))
    expect(counters).toEqual(full)
  })

  it('take nothing for an uncounted call and refuse none', () => {
    const full = takeCalls(null, times(30, MIDNIGHT)).counters
    const { counters, decision } = takeCall(full, PLANS.free, MIDNIGHT + 1, false)
    expect(counters).toEqual(full)
    expect(decision).toEqual({ limit: 30, remaining: 0, resetAt: MIDNIGHT + MINUTE_MS, refusedBy: null })
    expect(takeCall(null, PLANS.free, MIDNIGHT, false).decision).toMatchObject({
      remaining: 30,
      refusedBy: null,
    })
  })

  it('refuse for the day when the day is used up, until midnight UTC', () => {
    const instants = Array.from({ length: 10 }, (_, minute) =>
      times(30, MIDNIGHT + minute * MINUTE_MS),
    ).flat()
    const { admitted, decisions } = takeCalls(null, instants)
    expect(admitted).toBe(200)
    expect(decisions[299]!.refusedBy).toEqual({ window: '24h', limit: 200, resetAt: MIDNIGHT + DAY_MS })
    const { counters } = takeCalls(null, instants)
    expect(takeCall(counters, PLANS.free, MIDNIGHT + DAY_MS - 1, true).decision.refusedBy?.window).toBe('24h')
    expect(takeCall(counters, PLANS.free, MIDNIGHT + DAY_MS, true).decision).toMatchObject({
      remaining: 29,
      refusedBy: null,
    })
  })

  it('hold nobody up whose counts were made by a sandbox clock that was far ahead', () => {
    const ahead = MIDNIGHT + 400 * DAY_MS
    const before: Counters = { minuteStart: ahead, minuteCalls: 30, dayStart: ahead, dayCalls: 200 }
    expect(takeCalls(before, times(40, MIDNIGHT)).admitted).toBe(30)
  })

  it('give the number of calls left in the window that is nearer its end', () => {
    const before: Counters = { minuteStart: MIDNIGHT, minuteCalls: 2, dayStart: MIDNIGHT, dayCalls: 195 }
    expect(takeCall(before, PLANS.free, MIDNIGHT, true).decision.remaining).toBe(4)
  })

  it('follow another plan with what is counted already', () => {
    const full = takeCalls(null, times(30, MIDNIGHT)).counters
    expect(takeCall(full, PLANS.starter, MIDNIGHT, true).decision).toMatchObject({
      limit: 60,
      remaining: 29,
      refusedBy: null,
    })
    const used = takeCalls(null, times(45, MIDNIGHT), PLANS.starter).counters
    expect(takeCall(used, PLANS.free, MIDNIGHT, true).decision).toMatchObject({ remaining: 0 })
  })

  it('forget nothing when a call arrives late, from the minute or the day before', () => {
    const used = takeCalls(null, times(30, MIDNIGHT)).counters
    const late = takeCall(used, PLANS.free, MIDNIGHT - 1, true).counters
    const { admitted, counters } = takeCalls(late, times(30, MIDNIGHT + 1))
    expect(admitted).toBe(0)
    expect(counters.dayCalls).toBeGreaterThanOrEqual(30)
  })
})

function tenWays(organization: Organization, count: number, path = '/v1/event-types'): Promise<Answered[]> {
  return Promise.all(Array.from({ length: count }, () => call('GET', path, { key: organization.liveKey })))
}

describe('a key', () => {
  it('gets exactly its 30 calls a minute, however many come at once', async () => {
    const organization = await createOrganization({ tier: 'free' })
    stayInOneMinute()
    const answers = await tenWays(organization, 100)
    const good = answers.filter(({ status }) => status === 200)
    const refused = answers.filter(({ status }) => status === 429)
    expect([good.length, refused.length]).toEqual([30, 70])
    const left = good.map(({ headers }) => Number(headers.get('X-RateLimit-Remaining'))).sort((a, b) => a - b)
    expect(left).toEqual(Array.from({ length: 30 }, (_, at) => at))
  })

  it('gets the time at which it may call again', async () => {
    const organization = await createOrganization({ tier: 'free' })
    stayInOneMinute()
    await tenWays(organization, 30)
    const before = Date.now()
    const { status, headers, body } = await call('GET', '/v1/event-types', { key: organization.liveKey })
    const after = Date.now()
    const reset = Math.floor(before / MINUTE_MS) * MINUTE_MS + MINUTE_MS
    expect(status).toBe(429)
    const told = {
      limit: 30,
      window: '1m',
      reset_at: iso(reset),
      retry_after: body.retry_after,
      tier: 'free',
    }
    expect(body).toEqual({
      error: { code: 'rate_limit_exceeded', message: expect.any(String), details: told, ...EXPLAINED },
      ...told,
    })
    expect(Number.isInteger(body.retry_after)).toBe(true)
    expect(body.retry_after).toBeGreaterThanOrEqual(Math.ceil((reset - after) / 1000))
    expect(body.retry_after).toBeLessThanOrEqual(Math.ceil((reset - before) / 1000))
    expect(headers.get('Retry-After')).toBe(String(body.retry_after))
    expect(headers.get('X-RateLimit-Limit')).toBe('30')
    expect(headers.get('X-RateLimit-Remaining')).toBe('0')
    expect(headers.get('X-RateLimit-Reset')).toBe(String(reset / 1000))
  })

  it('calls the uncounted endpoints for nothing, also when its minute is used up', async () => {
    const organization = await createOrganization({ tier: 'free' })
    const { liveKey: key, testKey } = organization
    const { id } = await createEventType(testKey)
    const booking = (await book(id, dayFromNow(2))).body
    stayInOneMinute(10)
    const uncounted = [
      ['GET', `/v1/bookings/${booking.id}`, undefined],
      ['POST', `/v1/bookings/${booking.id}/reschedule`, { new_start_time: iso(dayFromNow(3)) }],
      ['POST', `/v1/bookings/${booking.id}/cancel`, {}],
    ] as const
    const first = await call('GET', '/v1/event-types', { key: testKey })
    const left = Number(first.headers.get('X-RateLimit-Remaining'))
    for (const [method, path, body] of uncounted) {
      const answer = await call(method, path, { key: testKey, ...(body && { body }) })
      expect(answer.status).toBe(200)
      expect(answer.headers.get('X-RateLimit-Remaining')).toBe(String(left))
    }
    await tenWays({ ...organization, liveKey: testKey }, left)
    expect((await call('GET', '/v1/event-types', { key: testKey })).status).toBe(429)
    for (const [method, path, body] of uncounted.filter(([, path]) => !path.endsWith('reschedule'))) {
      const answer = await call(method, path, { key: testKey, ...(body && { body }) })
      expect([path, answer.status]).toEqual([path, 200])
      expect(answer.headers.get('X-RateLimit-Remaining')).toBe('0')
    }
    // Each key has windows of its own.
    expect((await call('GET', '/v1/event-types', { key })).status).toBe(200)
  })

  it('pays for what is refused with 400, 403 and 404, and not for what is refused with 401', async () => {
    const { liveKey: key } = await createOrganization({ tier: 'free' })
    stayInOneMinute()
    const left = async (method: string, path: string, body?: unknown) => {
      const { headers } = await call(method, path, { key, ...(body !== undefined && { body }) })
      return Number(headers.get('X-RateLimit-Remaining'))
    }
    expect(await left('GET', '/v1/event-types')).toBe(29)
    expect(await left('GET', '/v1/event-types?limit=0')).toBe(28)
    expect(await left('GET', `/v1/event-types/${crypto.randomUUID()}`)).toBe(27)
    expect(await left('POST', '/v1/api-keys', { name: 'x' })).toBe(26)
    expect(await left('POST', '/v1/event-types', '{')).toBe(25)
    expect((await call('POST', '/v1/organizations', { key, body: {} })).status).toBe(401)
    expect(await left('GET', '/v1/event-types')).toBe(24)
  })

  it('counts by its new plan at once, both ways', async () => {
    const { id, liveKey: key } = await createOrganization({ tier: 'free' })
    stayInOneMinute()
    const ask = async () => (await call('GET', '/v1/event-types', { key })).headers
    expect((await ask()).get('X-RateLimit-Limit')).toBe('30')
    for (const [tier, limit, left] of [
      ['grow', '500', '498'],
      ['starter', '60', '57'],
      ['free', '30', '26'],
    ]) {
      await callAsService('PATCH', `/v1/organizations/${id}`, { body: { tier } })
      const headers = await ask()
      expect(headers.get('X-RateLimit-Limit')).toBe(limit)
      expect(headers.get('X-RateLimit-Remaining')).toBe(left)
    }
  })

  it('does not limit the service key', async () => {
    const { id } = await createOrganization({ tier: 'free' })
    const answers = await Promise.all(
      Array.from({ length: 60 }, () =>
        callAsService('GET', '/v1/event-types', { headers: { 'X-Org-Id': id } }),
      ),
    )
    expect(answers.every(({ status }) => status === 200)).toBe(true)
    expect(answers.some(({ headers }) => headers.has('X-RateLimit-Limit'))).toBe(false)
  })
})

/** A database whose answers, once read, wait for `afterRead` before they are handed on. */
function slow<T extends object>(target: T, afterRead: () => Promise<void>): T {
  return new Proxy(target, {
    get: (_, name) => {
      const value: unknown = Reflect.get(target, name)
      if (typeof value !== 'function') return value
      return (...args: unknown[]) => {
        const result: unknown = value.apply(target, args)
        if (result instanceof Promise) {
          return result.then(async (rows) => {
            await afterRead()
            return rows
          })
        }
        return typeof result === 'object' && result !== null ? slow(result, afterRead) : result
      }
    },
  })
}

describe("a key's object", () => {
  async function limiterOf(organization: Organization) {
    const hash = await sha256(organization.liveKey)
    return { hash, limiter: env.RATE_LIMITS.getByName(hash) as unknown as DurableObjectStub<RateLimiter> }
  }

  it('refuses for the day after 200 calls of the free plan', async () => {
    const { hash, limiter } = await limiterOf(await createOrganization({ tier: 'free' }))
    const tomorrow = dayFromNow(1)
    for (let minute = 0; minute < 6; minute++) {
      for (let at = 0; at < 30; at++)
        await limiter.admit(hash, (tomorrow + minute * MINUTE_MS + at) as RealMs, true)
    }
    for (let at = 0; at < 20; at++) {
      const admission = await limiter.admit(hash, (tomorrow + 7 * MINUTE_MS) as RealMs, true)
      expect(admission!.rate).toMatchObject({ refusedBy: null, remaining: 19 - at })
    }
    const refused = await limiter.admit(hash, (tomorrow + 7 * MINUTE_MS) as RealMs, true)
    expect(refused!.rate.refusedBy).toEqual({ window: '24h', limit: 200, resetAt: tomorrow + DAY_MS })
    const uncounted = await limiter.admit(hash, (tomorrow + 7 * MINUTE_MS) as RealMs, false)
    expect(uncounted!.rate.refusedBy).toBeNull()
    const nextDay = await limiter.admit(hash, (tomorrow + DAY_MS) as RealMs, true)
    expect(nextDay!.rate).toMatchObject({ refusedBy: null, remaining: 29 })
  })

  it('keeps its counts when it is evicted', async () => {
    const organization = await createOrganization({ tier: 'free' })
    const { hash, limiter } = await limiterOf(organization)
    stayInOneMinute()
    await tenWays(organization, 12)
    await evictDurableObject(limiter)
    const { headers } = await call('GET', '/v1/event-types', { key: organization.liveKey })
    expect(headers.get('X-RateLimit-Remaining')).toBe('17')
    await evictDurableObject(limiter)
    const { headers: uncounted } = await call('GET', `/v1/bookings/${crypto.randomUUID()}`, {
      key: organization.liveKey,
    })
    expect(uncounted.get('X-RateLimit-Remaining')).toBe('17')
    await evictDurableObject(limiter)
    const answers = await tenWays(organization, 40)
    expect(answers.filter(({ status }) => status === 200)).toHaveLength(17)
    expect((await limiter.admit(hash, realNow(), true))!.rate.refusedBy?.window).toBe('1m')
  })

  it('admits no key that is unknown, revoked or expired', async () => {
    const organization = await createOrganization()
    const { hash, limiter } = await limiterOf(organization)
    expect(await limiter.admit(await sha256('nobody'), realNow(), true)).toBeNull()
    const expiresAt = Date.now() + 60_000
    await env.DB.prepare('UPDATE api_keys SET expires_at = ? WHERE hash = ?').bind(expiresAt, hash).run()
    await limiter.forget()
    expect(await limiter.admit(hash, (expiresAt - 1) as RealMs, true)).not.toBeNull()
    expect(await limiter.admit(hash, expiresAt as RealMs, true)).toBeNull()
    await env.DB.prepare('UPDATE api_keys SET expires_at = NULL, revoked_at = 1 WHERE hash = ?')
      .bind(hash)
      .run()
    await limiter.forget()
    expect(await limiter.admit(hash, realNow(), true)).toBeNull()
  })

  it('also forgets what it was just reading when forget is called', async () => {
    const { hash, limiter } = await limiterOf(await createOrganization())
    await runInDurableObject(limiter, async (object: RateLimiter) => {
      const read = Promise.withResolvers<void>()
      const released = Promise.withResolvers<void>()
      const DB = slow(env.DB, async () => {
        read.resolve()
        await released.promise
      })
      Object.defineProperty(object, 'env', { value: { ...env, DB } })

      const racing = object.admit(hash, realNow(), false)
      await read.promise
      await env.DB.prepare('UPDATE api_keys SET revoked_at = 1 WHERE hash = ?').bind(hash).run()
      object.forget()
      released.resolve()
      expect(await racing).toBeNull()
      expect(await object.admit(hash, realNow(), false)).toBeNull()
    })
  })
})

describe('the public', () => {
  it('may call 600 times a minute from one address', async () => {
    await stayInOneRealMinute(10)
    const address = { 'CF-Connecting-IP': freshAddress() }
    const path = '/v1/public/event-types/nope'
    const answers: Answered[] = []
    for (let at = 0; at < 13; at++) {
      answers.push(
        ...(await Promise.all(Array.from({ length: 50 }, () => call('GET', path, { headers: address })))),
      )
    }
    expect(answers.filter(({ status }) => status === 404)).toHaveLength(600)
    const refused = answers.filter(({ status }) => status === 429)
    expect(refused).toHaveLength(50)
    const { headers, body } = refused[0]!
    expect(body).toEqual({
      error: { code: 'rate_limit_exceeded', message: expect.any(String), ...EXPLAINED },
      retry_after: expect.any(Number),
    })
    expect(body.retry_after).toBeGreaterThan(0)
    expect(body.retry_after).toBeLessThanOrEqual(60)
    expect(headers.get('Retry-After')).toBe(String(body.retry_after))
    expect(headers.get('Access-Control-Allow-Origin')).toBe('*')

    const { liveKey } = await createOrganization()
    expect((await call('GET', '/health', { headers: address })).status).toBe(200)
    expect((await call('GET', '/v1/openapi.json', { headers: address })).status).toBe(200)
    expect((await call('GET', '/v1/event-types', { headers: address, key: liveKey })).status).toBe(200)
    expect((await call('GET', path)).status).toBe(404)
  })
})

describe('a caller without valid credentials', () => {
  const CHALLENGES = 60

  /** Every way to try a key or a token, each of which is 401 (404 on a page) while it is not braked. */
  async function attempts() {
    const { liveKey } = await createOrganization()
    const { id } = await createEventType(liveKey, { waitlist_enabled: true })
    const { body: booking } = await book(id, dayFromNow(2))
    const entry = await call('POST', '/v1/waitlist', {
      body: bookingInput(id, dayFromNow(2), { invitee_email: 'x@example.com' }),
    })
    const revoked = await createKey(booking.organization_id)
    await call('DELETE', `/v1/api-keys/${revoked.id}`, { key: liveKey })
    const withKey = (key: string): [string, string, Call] => ['GET', '/v1/event-types', { key }]
    return {
      liveKey,
      booking,
      tries: [
        withKey('nonsense'),
        withKey(newApiKey('live')),
        withKey(revoked.key),
        ['GET', '/v1/event-types', {}],
        ['POST', '/v1/organizations', { key: liveKey, body: {} }],
        ['GET', '/v1/me/organizations', { key: `${env.SERVICE_KEY}x` }],
        ['POST', '/v1/bookings', { key: 'nonsense', body: {} }],
        ['POST', `/v1/bookings/${booking.id}/cancel?token=nonsense`, {}],
        ['POST', `/v1/bookings/${booking.id}/cancel`, {}],
        [
          'POST',
          `/v1/bookings/${booking.id}/reschedule?token=nope`,
          { body: { new_start_time: iso(dayFromNow(3)) } },
        ],
        ['GET', `/v1/bookings/${booking.id}/payment?token=nope`, {}],
        ['POST', `/v1/waitlist/${entry.body.id}/cancel?token=nope`, {}],
      ] as [string, string, Call][],
    }
  }

  it('must wait after 60 attempts a minute, and valid credentials still work from there', async () => {
    const { liveKey, booking, tries } = await attempts()
    await stayInOneRealMinute(15)
    const network = '2001:db8:77:1'
    let at = 0
    const from = () => ({ 'CF-Connecting-IP': `${network}::${(++at).toString(16)}` })
    const attempt = ([method, path, options]: [string, string, Call]) =>
      call(method, path, { ...options, headers: from() })
    for (let made = 0; made < CHALLENGES; made++) {
      expect([made, (await attempt(tries[made % tries.length]!)).status]).toEqual([made, 401])
    }
    for (const one of tries) {
      const { status, headers, body } = await attempt(one)
      expect([one[1], status]).toEqual([one[1], 429])
      expect(body).toEqual({
        error: {
          code: 'rate_limit_exceeded',
          message: 'Too many wrong keys or tokens from this network.',
          ...EXPLAINED,
        },
        retry_after: expect.any(Number),
      })
      expect(headers.get('Retry-After')).toBe(String(body.retry_after))
      expect(headers.has('WWW-Authenticate')).toBe(false)
    }
    const page = await exports.default.fetch(
      new Request(`https://holdfast.test/bookings/${booking.id}?token=nope`, { headers: from() }),
    )
    expect([page.status, page.headers.has('Retry-After')]).toEqual([429, true])

    expect((await call('GET', '/v1/event-types', { key: liveKey, headers: from() })).status).toBe(200)
    expect(
      (
        await call('GET', '/v1/me/organizations', {
          key: env.SERVICE_KEY,
          headers: { ...from(), 'X-User-Id': 'x' },
        })
      ).status,
    ).toBe(200)
    const cancelled = await call('POST', `/v1/bookings/${booking.id}/cancel?token=${booking.cancel_token}`, {
      headers: from(),
    })
    expect(cancelled.status).toBe(200)
    expect((await call('GET', '/v1/event-types')).status).toBe(401)
  })

  it('gets the same answer on the pages too', async () => {
    const { booking } = await attempts()
    await stayInOneRealMinute(15)
    const address = { 'CF-Connecting-IP': freshAddress() }
    const statuses: number[] = []
    for (let made = 0; made < 2 * CHALLENGES + 1; made++) {
      const path =
        made % 2 ? `/bookings/${booking.id}?token=nope` : `/waitlist/${crypto.randomUUID()}?token=nope`
      const page = await exports.default.fetch(
        new Request(`https://holdfast.test${path}`, { headers: address }),
      )
      statuses.push(page.status)
    }
    expect(statuses.filter((status) => status === 404)).toHaveLength(CHALLENGES)
    expect(statuses.slice(CHALLENGES).every((status) => status === 429)).toBe(true)
  })
})

describe('a caller with a token', () => {
  it('is counted like anybody without a key, as a /64 together', async () => {
    const { liveKey } = await createOrganization()
    const { id } = await createEventType(liveKey)
    const { body } = await book(id, dayFromNow(2))
    const path = `/v1/bookings/${body.id}/cancel`
    const asked: string[] = []
    const limit = async ({ key }: { key: string }) => {
      asked.push(key)
      return { success: false }
    }
    const service = serviceWith({ PUBLIC_LIMIT: { limit } })
    const cancel = (at: number) =>
      service.call('POST', `${path}?token=${body.cancel_token}`, {
        headers: { 'CF-Connecting-IP': `2001:DB8:77:2:${at.toString(16)}::1` },
      })
    let last = await cancel(1)
    expect(last.status).toBe(200)
    for (let at = 2; at < 25 && last.status === 200; at++) last = await cancel(at)
    expect([last.status, asked]).toEqual([429, ['2001:db8:77:2::/64']])
    const headers = { 'CF-Connecting-IP': '2001:db8:77:2::1' }
    expect((await service.call('POST', path, { key: liveKey, headers })).status).toBe(200)
  })
})

describe('the two clocks', () => {
  it('are distinguished by their types', () => {
    const seen = nowAsSeen(true, 1_000, realNow())
    // @ts-expect-error What a sandbox sees is no instant of the service's own clock.
    const real: RealMs = seen
    // @ts-expect-error Nor is it the other way round.
    const present: PresentMs = realNow()
    expect([real, present > 1_000]).toEqual([1_000, true])
  })

  it('are the same if a sandbox has no clock of its own, and for all live data', () => {
    const now = realNow()
    expect([nowAsSeen(true, null, now), nowAsSeen(false, 1_000, now), nowAsLive(now)]).toEqual([
      now,
      now,
      now,
    ])
  })
})
