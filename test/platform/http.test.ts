import { env } from 'cloudflare:workers'
import { afterEach, describe, expect, it, vi } from 'vitest'
import * as z from 'zod'
import { sha256 } from '../../src/platform/auth/secret.ts'
import { Refused } from '../../src/platform/http/errors.ts'
import { answerHead } from '../../src/platform/http/head.ts'
import { formatInstant } from '../../src/platform/http/instants.ts'
import { nestedRouter } from '../../src/platform/http/nested-router.ts'
import { defineRoute, defineRoutes } from '../../src/platform/http/route.ts'
import { createFetch } from '../../src/platform/http/router.ts'
import { runChange } from '../../src/platform/http/run-change.ts'
import { rooms } from '../../src/routes.ts'
import { type Answered, type Call, call, callAsService, freshAddress } from '../support/app.ts'
import { countedEnv } from '../support/counted-env.ts'
import {
  bookingInput,
  createEventType,
  createKey,
  createOrganization,
  dayFromNow,
  type Organization,
  unique,
} from '../support/factories.ts'
import { fc, runs } from '../support/fast-check.ts'

type Poster = (key: string, body?: unknown, headers?: Record<string, string>) => Promise<Answered>

/** The POSTs that keep their answers themselves: how each is called, and how a request that creates something looks. */
const POSTS = {
  'POST /v1/organizations': {
    send: async (_organization: Organization, call: Call) => callAsService('POST', '/v1/organizations', call),
    input: () => ({ name: unique('Acme'), owner_user_id: unique('owner') }),
    count: "SELECT count(*) AS n FROM activity WHERE action = 'organization.created'",
  },
  'POST /v1/event-types': {
    send: async ({ liveKey }: Organization, options: Call) =>
      call('POST', '/v1/event-types', { ...options, key: liveKey }),
    input: () => ({ title: 'Intro', slug: unique('intro'), duration_minutes: 30 }),
    count: 'SELECT count(*) AS n FROM event_types',
  },
  'POST /v1/api-keys': {
    send: async ({ id }: Organization, options: Call) =>
      callAsService('POST', '/v1/api-keys', { ...options, headers: { ...options.headers, 'X-Org-Id': id } }),
    input: () => ({ name: unique('key') }),
    count: 'SELECT count(*) AS n FROM api_keys',
  },
} as const

async function countOf(query: string): Promise<number> {
  return (await env.DB.prepare(query).first<number>('n'))!
}

function newKey(): string {
  return unique('idempotency')
}

afterEach(() => vi.restoreAllMocks())

describe.each(Object.entries(POSTS))('Idempotency-Key on %s', (name, { send, input, count }) => {
  async function poster(): Promise<Poster> {
    const organization = await createOrganization()
    return (key, body, headers) =>
      send(organization, { body, headers: { 'Idempotency-Key': key, ...headers } })
  }

  it('creates once and gives the first answer again, to the email', async () => {
    const post = await poster()
    const [key, body] = [newKey(), input()]
    const first = await post(key, body)
    expect(first.status).toBe(201)
    expect(first.headers.has('Idempotent-Replayed')).toBe(false)
    const made = await countOf(count)
    for (let at = 0; at < 3; at++) {
      const again = await post(key, body)
      expect(again.status).toBe(201)
      expect(JSON.stringify(again.body)).toBe(JSON.stringify(first.body))
      expect(again.headers.get('Idempotent-Replayed')).toBe('true')
      expect(again.headers.get('X-Request-Id')).not.toBe(first.headers.get('X-Request-Id'))
    }
    expect(await countOf(count)).toBe(made)
  })

  it('repeats a refusal as it was, with the id of the request that was refused', async () => {
    const { liveKey: key } = await createOrganization()
    const send = () =>
      call('POST', '/v1/event-types', { key, headers: { 'Idempotency-Key': 'refused' }, body: {} })
    const [first, again] = [await send(), await send()]
    expect(first.body.error.request_id).toBe(first.headers.get('X-Request-Id'))
    expect([again.status, again.body]).toEqual([400, first.body])
    expect(again.headers.get('X-Request-Id')).not.toBe(first.body.error.request_id)
    const { id } = await createEventType(key)
    const book = () => {
      const headers = { 'Idempotency-Key': 'off the grid' }
      return call('POST', '/v1/bookings', { headers, body: bookingInput(id, dayFromNow(2) + 1) })
    }
    const [refused, repeated] = [await book(), await book()]
    expect(refused.body.error.request_id).toBe(refused.headers.get('X-Request-Id'))
    expect([repeated.status, repeated.body]).toEqual([409, refused.body])
  })

  it('answers 409 to another request with the same key, and the first answer stays', async () => {
    const post = await poster()
    const [key, body] = [newKey(), input()]
    const first = await post(key, body)
    const made = await countOf(count)
    for (const other of [input(), { ...body, more: 1 }, {}, '{']) {
      const answer = await post(key, other)
      expect([answer.status, answer.body.error.code]).toEqual([409, 'conflict'])
      expect(answer.headers.has('Idempotent-Replayed')).toBe(false)
    }
    expect(await countOf(count)).toBe(made)
    expect((await post(key, body)).body).toEqual(first.body)
  })

  it('knows the same JSON in another order and spelling', async () => {
    const post = await poster()
    const [key, body] = [newKey(), { ...input(), more: [{ a: '/', b: 1 }] }]
    const first = await post(key, body)
    const inReverse = Object.fromEntries(Object.entries({ ...body, more: [{ b: 1, a: '/' }] }).reverse())
    const spelled = JSON.stringify(inReverse, null, 2).replace('"/"', '"\\u002f"').replace('1\n', '1.0\n')
    const again = await post(key, spelled)
    expect([again.status, again.body]).toEqual([201, first.body])
    expect(again.headers.get('Idempotent-Replayed')).toBe('true')
    const other = await post(key, { ...body, more: [{ a: '/', b: 2 }] })
    expect([other.status, other.body.error.code]).toEqual([409, 'conflict'])
  })

  it('knows a request of which the bytes were kept, as they were until a deployment', async () => {
    const post = await poster()
    const [key, body] = [newKey(), input()]
    const first = await post(key, body)
    await env.DB.prepare('UPDATE idempotency_keys SET request_hash = ? WHERE key = ?')
      .bind(await sha256(`${name}\n${JSON.stringify(body)}`), key)
      .run()
    const again = await post(key, body)
    expect([again.status, again.body]).toEqual([201, first.body])
    expect((await post(key, { ...body, more: 1 })).status).toBe(409)
  })

  it('creates once when 20 requests with one key come at once', async () => {
    const post = await poster()
    const [key, body] = [newKey(), input()]
    const before = await countOf(count)
    const answers = await Promise.all(Array.from({ length: 20 }, () => post(key, body)))
    expect(await countOf(count)).toBe(before + 1)
    const good = answers.filter(({ status }) => status === 201)
    const refused = answers.filter(({ status }) => status !== 201)
    expect(good.length).toBeGreaterThan(0)
    expect(good.filter(({ headers }) => !headers.has('Idempotent-Replayed'))).toHaveLength(1)
    expect(new Set(good.map((answer) => JSON.stringify(answer.body))).size).toBe(1)
    for (const answer of refused) expect([answer.status, answer.body.error.code]).toEqual([409, 'conflict'])
    const after = await post(key, body)
    expect([after.status, after.body]).toEqual([201, good[0]!.body])
  })

  it('creates one of two different things that come at once with one key', async () => {
    const post = await poster()
    const key = newKey()
    const before = await countOf(count)
    const answers = await Promise.all([post(key, input()), post(key, input())])
    expect(answers.map(({ status }) => status).sort()).toEqual([201, 409])
    expect(await countOf(count)).toBe(before + 1)
  })

  it('gives a 400 again, also when the request would now be answered otherwise', async () => {
    const post = await poster()
    const key = newKey()
    const first = await post(key, {})
    expect(first.status).toBe(400)
    const again = await post(key, {})
    expect(again.headers.get('Idempotent-Replayed')).toBe('true')
    expect([again.status, again.body]).toEqual([400, first.body])
    expect((await post(key, input())).status).toBe(409)
  })

  it('takes keys of 1 to 255 characters', async () => {
    const post = await poster()
    const before = await countOf(count)
    for (const key of ['', 'x'.repeat(256)]) {
      const answer = await post(key, input())
      expect([answer.status, answer.body.error.code]).toEqual([400, 'validation_error'])
      expect(answer.body.error.details).toHaveProperty('Idempotency-Key')
    }
    expect(await countOf(count)).toBe(before)
    for (const key of [unique('').slice(-1), unique('x').padEnd(255, 'x')]) {
      expect((await post(key, input())).status).toBe(201)
    }
  })

  it('keeps the answer for 24 hours and not longer', async () => {
    const post = await poster()
    const [key, body] = [newKey(), input()]
    const before = Date.now()
    await post(key, body)
    const read = env.DB.prepare('SELECT expires_at FROM idempotency_keys WHERE key = ?').bind(key)
    const expiresAt = (await read.first<number>('expires_at'))!
    expect(expiresAt).toBeGreaterThanOrEqual(before + 86_400_000)
    expect(expiresAt).toBeLessThanOrEqual(Date.now() + 86_400_000)
    await env.DB.prepare('UPDATE idempotency_keys SET expires_at = ? WHERE key = ?')
      .bind(Date.now() - 1, key)
      .run()
    const made = await countOf(count)
    const fresh = await post(key, input())
    expect(fresh.status).toBe(201)
    expect(fresh.headers.has('Idempotent-Replayed')).toBe(false)
    expect(await countOf(count)).toBe(made + 1)
    expect((await read.first<number>('expires_at'))!).toBeGreaterThanOrEqual(expiresAt)
  })

  it('makes two things without a key, and with two keys', async () => {
    const organization = await createOrganization()
    const before = await countOf(count)
    await send(organization, { body: input() })
    await send(organization, { body: input() })
    await send(organization, { body: input(), headers: { 'Idempotency-Key': newKey() } })
    await send(organization, { body: input(), headers: { 'Idempotency-Key': newKey() } })
    expect(await countOf(count)).toBe(before + 4)
  })
})

describe('an Idempotency-Key', () => {
  const input = () => ({ title: 'Intro', slug: unique('intro'), duration_minutes: 30 })

  it('belongs to one organization in one mode', async () => {
    const one = await createOrganization()
    const two = await createOrganization()
    const body = input()
    const headers = { 'Idempotency-Key': newKey() }
    const answers = []
    for (const key of [one.liveKey, one.testKey, two.liveKey, two.testKey]) {
      answers.push(await call('POST', '/v1/event-types', { key, body, headers }))
    }
    expect(answers.map(({ status }) => status)).toEqual([201, 201, 201, 201])
    expect(answers.some(({ headers }) => headers.has('Idempotent-Replayed'))).toBe(false)
    expect(new Set(answers.map((answer) => answer.body.id)).size).toBe(4)
    expect(new Set(answers.map((answer) => answer.body.organization_id))).toEqual(new Set([one.id, two.id]))
  })

  it('is shared by the keys of one organization and mode, and apart from those of the service key', async () => {
    const { id, liveKey } = await createOrganization()
    const { key: secondKey } = await createKey(id)
    const body = input()
    const headers = { 'Idempotency-Key': newKey() }
    const first = await call('POST', '/v1/event-types', { key: liveKey, body, headers })
    const again = await call('POST', '/v1/event-types', { key: secondKey, body, headers })
    expect([again.status, again.body]).toEqual([201, first.body])
    expect(again.headers.get('Idempotent-Replayed')).toBe('true')
    const byService = await callAsService('POST', '/v1/event-types', {
      body: input(),
      headers: { ...headers, 'X-Org-Id': id },
    })
    expect(byService.status).toBe(201)
    expect(byService.body.id).not.toBe(first.body.id)
  })

  it('answers 409 when it comes with the same body at another endpoint', async () => {
    const { id } = await createOrganization()
    const body = { ...input(), name: 'A key' }
    const headers = { 'Idempotency-Key': newKey(), 'X-Org-Id': id }
    expect((await callAsService('POST', '/v1/event-types', { body, headers })).status).toBe(201)
    const other = await callAsService('POST', '/v1/api-keys', { body, headers })
    expect([other.status, other.body.error.code]).toEqual([409, 'conflict'])
    expect(other.body).not.toHaveProperty('key')
  })

  it('gives a 409 again when what was in the way is gone', async () => {
    const { liveKey: key } = await createOrganization()
    const body = input()
    const headers = { 'Idempotency-Key': newKey() }
    const { body: inTheWay } = await call('POST', '/v1/event-types', { key, body })
    const first = await call('POST', '/v1/event-types', { key, body, headers })
    expect(first.status).toBe(409)
    await call('DELETE', `/v1/event-types/${inTheWay.id}`, { key })
    const again = await call('POST', '/v1/event-types', { key, body, headers })
    expect([again.status, again.body]).toEqual([409, first.body])
    expect(again.headers.get('Idempotent-Replayed')).toBe('true')
    const { status } = await call('POST', '/v1/event-types', { key, body })
    expect(status).toBe(201)
  })

  it('repeats a 404 for something unknown, and refuses another body after it', async () => {
    const { liveKey: key } = await createOrganization()
    const headers = { 'Idempotency-Key': newKey() }
    const id = crypto.randomUUID()
    const cancel = (body: object) => call('POST', `/v1/bookings/${id}/cancel`, { key, headers, body })
    const first = await cancel({})
    const again = await cancel({})
    expect([first.status, again.status, again.body]).toEqual([404, 404, first.body])
    expect(again.headers.get('Idempotent-Replayed')).toBe('true')
    const other = await cancel({ reason: 'Ill.' })
    expect([other.status, other.body.error.code]).toEqual([409, 'conflict'])
  })

  it('gives a 422 again', async () => {
    const { liveKey: key } = await createOrganization()
    const body = { ...input(), conferencing_provider: 'calendar_a_meet' }
    const headers = { 'Idempotency-Key': newKey() }
    const first = await call('POST', '/v1/event-types', { key, body, headers })
    const again = await call('POST', '/v1/event-types', { key, body, headers })
    expect([first.status, again.status]).toEqual([422, 422])
    expect(again.body).toEqual(first.body)
    expect(again.headers.get('Idempotent-Replayed')).toBe('true')
  })

  it('can be used again if others changed too much in the meantime', async () => {
    vi.spyOn(Math, 'random').mockReturnValue(0)
    const { id, liveKey: key } = await createOrganization()
    const path = `/v1/organizations/${id}/invitations`
    const body = { email: `${unique('guest')}@example.com`, role: 'viewer' }
    const headers = { 'Idempotency-Key': newKey() }
    const changing =
      "CREATE TRIGGER changing BEFORE INSERT ON invitations BEGIN SELECT RAISE(ABORT, 'STALE'); END"
    await env.DB.prepare(changing).run()
    const lost = await call('POST', path, { key, body, headers })
    await env.DB.prepare('DROP TRIGGER changing').run()
    expect([lost.status, lost.body.error.code]).toEqual([409, 'conflict'])
    const again = await call('POST', path, { key, body, headers })
    expect([again.status, again.headers.has('Idempotent-Replayed')]).toEqual([201, false])
  })

  it('is decided twenty times at most if others change what was read', async () => {
    vi.spyOn(Math, 'random').mockReturnValue(0)
    const attempt = vi.fn(async () => {
      throw new Error('STALE')
    })
    await expect(runChange({ env }, attempt)).rejects.toThrow(Refused)
    expect(attempt).toHaveBeenCalledTimes(20)
  })

  it('does not let in callers who would not be let in without it', async () => {
    const { id, liveKey } = await createOrganization()
    const body = { name: 'A key' }
    const headers = { 'Idempotency-Key': newKey() }
    const first = await callAsService('POST', '/v1/api-keys', {
      body,
      headers: { ...headers, 'X-Org-Id': id },
    })
    expect(first.body.key).toMatch(/^hf_live_/)
    expect((await call('POST', '/v1/api-keys', { key: liveKey, body, headers })).status).toBe(403)
    expect((await call('POST', '/v1/api-keys', { body, headers })).status).toBe(401)
  })

  it('stores a new API key unreadably', async () => {
    const { id } = await createOrganization()
    const idempotencyKey = newKey()
    const headers = { 'Idempotency-Key': idempotencyKey, 'X-Org-Id': id }
    const { body } = await callAsService('POST', '/v1/api-keys', { body: { name: 'Secret keeper' }, headers })
    const secret = body.key.slice(12)
    const kept = await env.DB.prepare('SELECT * FROM idempotency_keys WHERE key = ?')
      .bind(idempotencyKey)
      .first()
    expect(kept).not.toBeNull()
    const { results: activity } = await env.DB.prepare('SELECT * FROM activity').all()
    expect(activity.length).toBeGreaterThan(0)
    for (const text of [JSON.stringify(kept), JSON.stringify(activity)]) {
      expect(text).not.toContain(secret)
      expect(text).not.toContain(btoa(body.key).slice(0, -4))
    }
    expect(JSON.stringify(kept)).not.toContain('Secret keeper')
  })

  it('means nothing to other methods than POST', async () => {
    const { liveKey: key } = await createOrganization()
    const { id } = await createEventType(key)
    const headers = { 'Idempotency-Key': newKey() }
    for (const title of ['One', 'Two']) {
      const answer = await call('PATCH', `/v1/event-types/${id}`, { key, body: { title }, headers })
      expect([answer.status, answer.body.title]).toEqual([200, title])
      expect(answer.headers.has('Idempotent-Replayed')).toBe(false)
    }
  })
})

describe.each(['event-types', 'api-keys'])('the pages of /v1/%s', (noun) => {
  async function fill(organization: Organization, count: number): Promise<string[]> {
    const ids: string[] = []
    for (let at = 0; at < count; at++) {
      const { body } =
        noun === 'event-types'
          ? await call('POST', '/v1/event-types', {
              key: organization.liveKey,
              body: { title: `No. ${at}`, slug: unique('intro'), duration_minutes: 30 },
            })
          : await callAsService('POST', '/v1/api-keys', {
              body: { name: `No. ${at}` },
              headers: { 'X-Org-Id': organization.id },
            })
      ids.push(body.id)
    }
    return ids.reverse()
  }
  const list = ({ liveKey }: Organization, query = '') => call('GET', `/v1/${noun}${query}`, { key: liveKey })
  const idsOf = ({ body }: Answered): string[] => body.data.map(({ id }: { id: string }) => id)

  it('hold 20 of the newest first, and the next page starts after the last item seen', async () => {
    const organization = await createOrganization()
    const oldest = idsOf(await list(organization))
    const newestFirst = [...(await fill(organization, 21)), ...oldest]
    const first = await list(organization)
    expect(idsOf(first)).toEqual(newestFirst.slice(0, 20))
    expect(first.body.has_more).toBe(true)
    const next = await list(organization, `?starting_after=${newestFirst[19]}`)
    expect(idsOf(next)).toEqual(newestFirst.slice(20))
    expect(next.body.has_more).toBe(false)
    const last = await list(organization, `?starting_after=${newestFirst.at(-1)}`)
    expect(last.body).toEqual({ data: [], has_more: false })
  })

  it('show everything once when they are walked, whatever their size', async () => {
    const organization = await createOrganization()
    await fill(organization, 5)
    const all = idsOf(await list(organization, '?limit=100'))
    for (const limit of [1, 2, 3, all.length - 1, all.length, all.length + 1, 100]) {
      const walked: string[] = []
      for (let query = `?limit=${limit}`; ; query = `?limit=${limit}&starting_after=${walked.at(-1)}`) {
        const page = await list(organization, query)
        walked.push(...idsOf(page))
        expect(page.body.data.length).toBeLessThanOrEqual(limit)
        expect(page.body.has_more).toBe(walked.length < all.length)
        if (!page.body.has_more) break
      }
      expect(walked).toEqual(all)
    }
  })

  it('are walked backwards, and from the oldest to the newest', async () => {
    const organization = await createOrganization()
    await fill(organization, 5)
    const newestFirst = idsOf(await list(organization, '?limit=100'))
    const oldestFirst = newestFirst.toReversed()
    for (const [order, all] of [
      ['desc', newestFirst],
      ['asc', oldestFirst],
    ] as const) {
      const whole = await list(organization, `?limit=100&order=${order}`)
      expect([order, idsOf(whole)]).toEqual([order, all])
      const next = await list(organization, `?order=${order}&limit=2&starting_after=${all[0]}`)
      expect([idsOf(next), next.body.has_more]).toEqual([all.slice(1, 3), true])
      const before = await list(organization, `?order=${order}&limit=2&ending_before=${all[4]}`)
      expect([idsOf(before), before.body.has_more]).toEqual([all.slice(2, 4), true])
      const first = await list(organization, `?order=${order}&limit=2&ending_before=${all[2]}`)
      expect([idsOf(first), first.body.has_more]).toEqual([all.slice(0, 2), false])
    }
    for (const [query, field] of [
      [`ending_before=${crypto.randomUUID()}`, 'ending_before'],
      [`starting_after=${newestFirst[0]}&ending_before=${newestFirst[1]}`, 'ending_before'],
      ['order=up', 'order'],
      ['created_after=yesterday', 'created_after'],
    ]) {
      const { status, body } = await list(organization, `?${query}`)
      expect([query, status, Object.keys(body.error.details)]).toEqual([query, 400, [field]])
    }
  })

  it('leave out what was made until an instant', async () => {
    const organization = await createOrganization()
    await fill(organization, 4)
    const { body } = await list(organization, '?order=asc&limit=100')
    expect(body.data.length).toBeGreaterThanOrEqual(4)
    for (const { created_at } of body.data as { created_at: string }[]) {
      const since = await list(organization, `?order=asc&limit=100&created_after=${created_at}`)
      const later = body.data.filter((one: { created_at: string }) => one.created_at > created_at)
      expect(since.body.data).toEqual(later)
    }
  })

  it.each(['0', '101', '-1', 'abc', '1.5', '', '1e1', '%2B5', '0x10', '99999999999'])(
    'refuse the limit %j',
    async (limit) => {
      const answer = await list(await createOrganization(), `?limit=${limit}`)
      expect([answer.status, answer.body.error.code]).toEqual([400, 'validation_error'])
      expect(Object.keys(answer.body.error.details)).toEqual(['limit'])
    },
  )

  it('refuse a cursor that names nothing in the list', async () => {
    const organization = await createOrganization()
    const neighbour = await createOrganization()
    const [foreign] = await fill(neighbour, 1)
    const asTest = { ...organization, liveKey: organization.testKey }
    const [own] = await fill(organization, 1)
    const cursors: [Organization, string][] = [
      [organization, crypto.randomUUID()],
      [organization, 'nope'],
      [organization, ''],
      [organization, organization.id],
      [organization, foreign!],
      [asTest, own!],
    ]
    for (const [caller, cursor] of cursors) {
      const answer = await list(caller, `?starting_after=${cursor}`)
      expect([cursor, answer.status]).toEqual([cursor, 400])
      expect(answer.body.error.code).toBe('validation_error')
      expect(Object.keys(answer.body.error.details)).toEqual(['starting_after'])
    }
    expect((await list(organization, `?starting_after=${own}`)).status).toBe(200)
  })
})

describe('a page', () => {
  it('continues after an item that was deleted in the meantime', async () => {
    const { liveKey: key } = await createOrganization()
    const [a, b, c] = [await createEventType(key), await createEventType(key), await createEventType(key)]
    await call('DELETE', `/v1/event-types/${b.id}`, { key })
    const { status, body } = await call('GET', `/v1/event-types?starting_after=${b.id}`, { key })
    expect(status).toBe(200)
    expect(body.data.map(({ id }: { id: string }) => id)).toEqual([a.id])
    const all = await call('GET', '/v1/event-types', { key })
    expect(all.body.data.map(({ id }: { id: string }) => id)).toEqual([c.id, a.id])
  })

  it('holds only what its filter lets through, across pages', async () => {
    const { liveKey: key } = await createOrganization()
    const made = []
    for (let at = 0; at < 6; at++) made.unshift(await createEventType(key, { active: at % 2 === 0 }))
    const active = made.filter((eventType) => eventType.active).map(({ id }) => id)
    const first = await call('GET', '/v1/event-types?active=true&limit=2', { key })
    expect(first.body.data.map(({ id }: { id: string }) => id)).toEqual(active.slice(0, 2))
    expect(first.body.has_more).toBe(true)
    const next = await call('GET', `/v1/event-types?active=true&limit=2&starting_after=${active[1]}`, { key })
    expect(next.body.data.map(({ id }: { id: string }) => id)).toEqual(active.slice(2))
    expect(next.body.has_more).toBe(false)
    const inactive = await call('GET', '/v1/event-types?active=false', { key })
    expect(inactive.body.data).toHaveLength(3)
    const bad = await call('GET', '/v1/event-types?active=yes', { key })
    expect([bad.status, Object.keys(bad.body.error.details)]).toEqual([400, ['active']])
  })
})

describe('HEAD', () => {
  it('reads nothing of what would come line by line', async () => {
    let reads = 0
    const pull = () => {
      reads += 1
      throw new Error('read')
    }
    const lines = new ReadableStream({ pull }, { highWaterMark: 0 })
    const headers = { 'Content-Type': 'application/x-ndjson; charset=utf-8' }
    const request = new Request('https://holdfast.test/v1/export', { method: 'HEAD' })
    const answer = await answerHead(request, async () => new Response(lines, { headers }))
    expect([answer.status, answer.headers.has('Content-Length'), reads]).toEqual([200, false, 0])
  })
})

describe('an unexpected failure', () => {
  const FIXED = {
    error: {
      code: 'internal_error',
      message: 'Something failed on our side. It is logged under the request id.',
      doc_url: expect.stringContaining('/docs/errors#internal_error'),
      request_id: expect.any(String),
    },
  }
  const SECRET = 'hunter2 at db.internal:5432'

  class Leaky extends Error {
    readonly status = 418
    readonly code = 'not_found'
    readonly details = { password: SECRET }
  }

  function failing(thrown: unknown) {
    const route = defineRoute({
      method: 'GET',
      path: '/fail',
      tag: 'Tests',
      summary: 'Fail',
      auth: 'none',
      permission: 'anyone',
      scope: 'read',
      limit: 'uncounted',
      request: {},
      response: { status: 200, body: z.object({}), headers: { 'Cache-Control': 'public' } },
      errors: [],
      handler: async () => {
        throw thrown
      },
    })
    return createFetch([{ at: ['/fail'], open: async () => defineRoutes({ fail: route }) }])
  }

  it('is logged without the parameters of the query that failed', async () => {
    const { liveKey } = await createOrganization()
    const log = vi.spyOn(console, 'error').mockImplementation(() => {})
    await env.DB.prepare('ALTER TABLE members RENAME TO members_away').run()
    try {
      const asked = await callAsService('GET', '/v1/me/organizations', {
        headers: { 'X-User-Id': 'SECRET-OWNER' },
      })
      expect([asked.status, asked.body]).toEqual([500, FIXED])
      const logged = log.mock.calls.flat().join(' ')
      expect(logged).toContain('no such table')
      expect(logged).toContain(asked.headers.get('X-Request-Id'))
      expect(logged).not.toContain('SECRET-OWNER')
    } finally {
      await env.DB.prepare('ALTER TABLE members_away RENAME TO members').run()
    }
    expect((await call('GET', '/v1/event-types', { key: liveKey })).status).toBe(200)
  })

  it.each([
    ['an error', new Error(SECRET)],
    ['an error that looks like an answer', new Leaky(SECRET)],
    ['a text', SECRET],
    ['a plain object', { code: 'not_found', message: SECRET, status: 404 }],
    ['undefined', undefined],
    ['a response', new Response(SECRET, { status: 404 })],
  ])('answers 500 with a fixed message when a handler throws %s', async (_, thrown) => {
    const log = vi.spyOn(console, 'error').mockImplementation(() => {})
    const response = await failing(thrown)(new Request('https://holdfast.test/fail'), env)
    expect(response.status).toBe(500)
    expect(await response.json()).toEqual(FIXED)
    expect(response.headers.get('Cache-Control')).toBe('no-store')
    const requestId = response.headers.get('X-Request-Id')!
    expect(log).toHaveBeenCalledTimes(1)
    expect(JSON.parse(log.mock.calls[0]![0]).request_id).toBe(requestId)
    if (thrown instanceof Error) expect(log.mock.calls[0]![0]).toContain(SECRET)
  })

  const ask = (brokenEnv: object, request: Request) =>
    createFetch(rooms)(request, { ...env, ...brokenEnv } as typeof env)
  const request = (path: string, init: RequestInit = {}) =>
    new Request(`https://holdfast.test${path}`, {
      ...init,
      headers: { 'CF-Connecting-IP': freshAddress(), ...init.headers },
    })
  const deadDb = {
    withSession() {
      throw new Error(SECRET)
    },
  }

  it('answers 500 while the database does not answer, and health 503', async () => {
    vi.spyOn(console, 'error').mockImplementation(() => {})
    const fault = await ask({ DB: deadDb }, request(`/v1/public/event-types/${crypto.randomUUID()}`))
    expect([fault.status, await fault.json()]).toEqual([500, FIXED])
    expect(fault.headers.get('Access-Control-Allow-Origin')).toBe('*')
    const health = await ask({ DB: deadDb }, request('/health'))
    expect(health.status).toBe(503)
    expect(await health.json()).toEqual({ status: 'unavailable', version: expect.any(String) })
    expect(health.headers.has('X-Request-Id')).toBe(true)
  })

  it('asks the database for its health once, however often anonymous callers ask in a moment', async () => {
    const counted = countedEnv()
    const asked = async () => (await ask(counted.env, request('/health'))).status
    expect(await asked()).toBe(200)
    expect(await Promise.all(Array.from({ length: 20 }, asked))).toEqual(Array(20).fill(200))
    expect(counted.trips.count).toBeLessThan(5)
  })

  it.each(['SERVICE_KEY', 'ENCRYPTION_KEY'])('answers 500 to everything when %s is missing', async (name) => {
    vi.spyOn(console, 'error').mockImplementation(() => {})
    for (const authorization of ['Bearer undefined', 'Bearer ', `Bearer ${env.SERVICE_KEY}`]) {
      const path = '/v1/organizations?owner_user_id=x'
      const answer = await ask(
        { [name]: undefined },
        request(path, { headers: { Authorization: authorization } }),
      )
      expect([answer.status, await answer.json()]).toEqual([500, FIXED])
    }
  })

  it('keeps no 500 for an Idempotency-Key', async () => {
    vi.spyOn(console, 'error').mockImplementation(() => {})
    const { liveKey } = await createOrganization()
    const body = { title: 'Kept', slug: unique('kept'), duration_minutes: 30 }
    const headers = { 'Idempotency-Key': newKey() }
    await env.DB.prepare('ALTER TABLE activity RENAME TO activity_away').run()
    const fault = await call('POST', '/v1/event-types', { key: liveKey, body, headers })
    await env.DB.prepare('ALTER TABLE activity_away RENAME TO activity').run()
    expect([fault.status, fault.body]).toEqual([500, FIXED])
    const again = await call('POST', '/v1/event-types', { key: liveKey, body, headers })
    expect(again.status).toBe(201)
    expect(again.headers.has('Idempotent-Replayed')).toBe(false)
  })

  it('reveals nothing that the database said, and logs no value that was sent', async () => {
    const log = vi.spyOn(console, 'error').mockImplementation(() => {})
    const { liveKey } = await createOrganization()
    await env.DB.prepare('ALTER TABLE event_types RENAME TO event_types_away').run()
    const eventType = { title: 'A private title', slug: 'private-slug', duration_minutes: 30 }
    const answers = [
      await call('GET', `/v1/event-types/${crypto.randomUUID()}`, { key: liveKey }),
      await call('GET', '/v1/event-types', { key: liveKey }),
      await call('POST', '/v1/event-types', { key: liveKey, body: eventType }),
    ]
    await env.DB.prepare('ALTER TABLE event_types_away RENAME TO event_types').run()
    for (const { status, body, headers } of answers) {
      expect([status, body]).toEqual([500, FIXED])
      expect(headers.has('X-RateLimit-Remaining')).toBe(true)
    }
    const logged = log.mock.calls.map(([line]) => String(line)).join('\n')
    expect(logged).toContain('no such table: event_types')
    for (const { headers } of answers) expect(logged).toContain(headers.get('X-Request-Id')!)
    expect(logged).not.toContain('private')
    expect(logged).not.toContain(liveKey)
  })
})

describe('odd input', () => {
  it.each([
    ['a NUL', 'a\u0000b'],
    ['emoji', '🗓️'.repeat(50)],
    ['right-to-left text', 'שלום'],
    ['what looks like SQL', "'); DROP TABLE event_types; --"],
    ['what looks like markup', '<script>alert(1)</script>'],
  ])('comes back as it was sent or is refused: %s', async (_, title) => {
    const { liveKey: key } = await createOrganization()
    const body = { title, slug: unique('odd'), duration_minutes: 30 }
    const answer = await call('POST', '/v1/event-types', { key, body })
    if (answer.status === 400) {
      expect(Object.keys(answer.body.error.details)).toEqual(['title'])
      return
    }
    expect([answer.status, answer.body.title]).toEqual([201, title])
    const read = await call('GET', `/v1/event-types/${answer.body.id}`, { key })
    expect(read.body.title).toBe(title)
  })

  it('comes back as it was sent or is refused: half a surrogate pair', async () => {
    const { liveKey: key } = await createOrganization()
    const text = `{"title":"a\\ud800b","slug":"${unique('odd')}","duration_minutes":30}`
    const answer = await call('POST', '/v1/event-types', { key, body: text })
    const wasSent = (title: string) => title === `a${String.fromCharCode(0xd800)}b`
    if (answer.status === 400) {
      expect(Object.keys(answer.body.error.details)).toEqual(['title'])
      return
    }
    expect([answer.status, wasSent(answer.body.title)]).toEqual([201, true])
    const read = await call('GET', `/v1/event-types/${answer.body.id}`, { key })
    expect(wasSent(read.body.title)).toBe(true)
  })

  it.each(['1e400', '-1e+0400', '9'.repeat(310)])(
    'refuses %s, which would come back as null',
    async (number) => {
      const { liveKey: key } = await createOrganization()
      const { id } = await createEventType(key)
      const body = `{"event_type_id":"${id}","metadata":{"far":[${number}]}}`
      const answer = await call('POST', '/v1/bookings', { key, body })
      expect([answer.status, Object.keys(answer.body.error.details)]).toEqual([400, ['metadata.far.0']])
    },
  )

  it('refuses metadata that is nested beyond reason', async () => {
    const { liveKey: key } = await createOrganization()
    const { id } = await createEventType(key)
    const depth = 30_000
    const text = JSON.stringify({
      event_type_id: id,
      start_time: '2030-01-01T00:00:00Z',
      invitee_name: 'Ada',
      invitee_email: 'ada@example.com',
      metadata: { deep: 0 },
    }).replace('"deep":0', `"deep":${'['.repeat(depth)}${']'.repeat(depth)}`)
    const answer = await call('POST', '/v1/bookings', { body: text })
    expect([answer.status, answer.body.error.code]).toEqual([400, 'validation_error'])
    expect(Object.keys(answer.body.error.details)[0]).toMatch(/^(metadata|body)/)
  })

  it.each([1_000, 4_000, 7_000])(
    'answers to metadata that is nested %i deep without failing',
    async (depth) => {
      const { liveKey: key } = await createOrganization()
      const { id } = await createEventType(key)
      const text = JSON.stringify({
        event_type_id: id,
        start_time: '2030-01-01T00:00:00Z',
        invitee_name: 'Ada',
        invitee_email: 'ada@example.com',
        metadata: { deep: 0 },
      }).replace('"deep":0', `"deep":${'['.repeat(depth)}${']'.repeat(depth)}`)
      const answer = await call('POST', '/v1/bookings', { body: text })
      expect([201, 400]).toContain(answer.status)
    },
  )

  it('keeps metadata as it was sent, nested within reason', async () => {
    const { liveKey: key } = await createOrganization()
    const { id } = await createEventType(key)
    const metadata = {
      'a "key": [{': '}]\\"',
      list: [1, -0.5, 1e21, true, null, { x: [] }],
      deep: JSON.parse(`${'['.repeat(20)}${']'.repeat(20)}`),
      '': 'empty',
      emoji: '🗓️',
    }
    const body = bookingInput(id, dayFromNow(2), { metadata })
    const created = await call('POST', '/v1/bookings', { body })
    expect([created.status, created.body.metadata]).toEqual([201, metadata])
    const read = await call('GET', `/v1/bookings/${created.body.id}`, { key })
    expect(read.body.metadata).toEqual(metadata)
  })

  it('reads a list as commas, as repetition and with brackets', async () => {
    const { liveKey: key } = await createOrganization()
    const { id } = await createEventType(key)
    const other = await createEventType(key)
    await call('POST', '/v1/bookings', { body: bookingInput(id, dayFromNow(2)) })
    const listed = async (query: string) => {
      const { status, body } = await call('GET', `/v1/bookings?${query}`, { key })
      return status === 200 ? body.data.length : [status, Object.keys(body.error.details)]
    }
    for (const query of [
      'status=cancelled&status=confirmed',
      'status[]=cancelled&status[]=confirmed',
      'status%5B%5D=cancelled&status=confirmed,confirmed',
      `event_type_id=${other.id}&event_type_id[]=${id},${id}`,
    ])
      expect([query, await listed(query)]).toEqual([query, 1])
    for (const [query, name] of [
      ['status=confirmed&status=', 'status'],
      ['status[]=', 'status'],
      ['status=confirmed&status=done', 'status'],
      ['status[0]=confirmed', 'status[0]'],
      ['limit[]=5', 'limit[]'],
    ] as const)
      expect([query, await listed(query)]).toEqual([query, [400, [name]]])
    const range = 'from=2030-01-01&to=2030-01-02&timezone=UTC'
    const search = `/v1/availability/search?event_type_ids=${id}&event_type_ids[]=${other.id}&${range}`
    expect((await call('GET', search)).status).toBe(200)
  })

  it('names each query parameter that cannot be meant so', async () => {
    const { liveKey: key } = await createOrganization()
    const answer = await call('GET', '/v1/event-types?limit=5&limit=5&activ=true&__proto__=x&=y&', { key })
    const unknown =
      'Must not be sent: this endpoint takes limit, starting_after, ending_before, order, created_after, active, listed.'
    expect([answer.status, answer.body.error.details]).toEqual([
      400,
      Object.fromEntries([
        ['limit', 'Must be sent once.'],
        ['activ', unknown],
        ['__proto__', unknown],
        ['query', unknown],
      ]),
    ])
    for (const [list, filters] of [
      [
        'bookings',
        ['event_type_id', 'assigned_host_id', 'invitee_email', 'status', 'starting_after', 'expand'],
      ],
      ['activity', ['action', 'resource_type', 'resource_id']],
      ['waitlist', ['event_type_id', 'status']],
    ] as const) {
      for (const filter of filters) {
        const empty = await call('GET', `/v1/${list}?${filter}=`, { key })
        expect([filter, empty.status, Object.keys(empty.body.error?.details ?? {})]).toEqual([
          filter,
          400,
          [filter],
        ])
      }
    }
    const booked = await call('GET', '/v1/branding?', { key })
    expect(booked.status).toBe(200)
  })
})

describe('an instant', () => {
  it('is written as the standard library writes it, whichever was written before', () => {
    fc.assert(
      fc.property(
        fc.array(fc.integer({ min: -62_167_219_200_000, max: 253_402_300_799_998 })),
        (instants) => {
          for (const instant of instants) {
            expect(formatInstant(instant)).toBe(new Date(instant).toISOString())
            expect(formatInstant(instant + 1)).toBe(new Date(instant + 1).toISOString())
          }
        },
      ),
      runs(),
    )
  })
})

describe('a nested router', () => {
  const at = (pathname: string) => new URL(`https://holdfast.test${pathname}`)
  const place = (method: string, path: string) => ({
    method,
    path,
    answer: ({ params }: { readonly params: object }) => ({ place: `${method} ${path}`, params }),
  })
  const places = [
    place('GET', '/v1/things/all'),
    place('GET', '/v1/things/:id'),
    place('POST', '/v1/things/:id'),
    place('GET', '/v1/things/:thingId/parts/:partId'),
    place('GET', '/v1/:noun/last'),
  ]
  const find = nestedRouter<unknown, object>([{ at: ['/v1'], open: async () => places }])

  it.each([
    ['GET', '/v1/things/all', '/v1/things/all', {}],
    ['GET', '/v1/things/last', '/v1/things/:id', { id: 'last' }],
    ['GET', '/v1/others/last', '/v1/:noun/last', { noun: 'others' }],
    ['POST', '/v1/things/all', '/v1/things/:id', { id: 'all' }],
    ['GET', '/v1/things/7///', '/v1/things/:id', { id: '7' }],
    [
      'GET',
      '/v1/things/a%2Fb/parts/%zz',
      '/v1/things/:thingId/parts/:partId',
      { thingId: 'a%2Fb', partId: '%zz' },
    ],
  ])('finds %s %s', async (method, sent, path, params) => {
    expect(await find(method, at(sent), {})).toEqual({ place: `${method} ${path}`, params })
  })

  it.each([
    ['GET', '/v1/things'],
    ['GET', '/v1/things/'],
    ['GET', '/v1/things//parts/7'],
    ['GET', '//v1/things/7'],
    ['GET', '/v1/things/7/parts'],
    ['GET', '/v1/Things/7'],
    ['DELETE', '/v1/things/7'],
    ['get', '/v1/things/7'],
    ['GET', '/'],
    ['GET', ''],
  ])('has nothing for %s %s', async (method, sent) => {
    expect(await find(method, at(sent), {})).toBeUndefined()
  })

  it.each([
    ['/v1/things', '/v1/things'],
    ['/v1/things/', '/v1/things'],
    ['/v1/things/7', '/v1/things'],
    ['/v1/things/7/holes/8', '/v1/things'],
    ['/v1/things/7/parts', '/v1/things/:id/parts'],
    ['/v1/things/7/parts/8', '/v1/things/:id/parts'],
    ['/v1/things/all/parts/8', '/v1/things/:id/parts'],
    ['/v1/things/all/parts/used/8', '/v1/things/all/parts/used'],
    ['/v1/things//parts', '/v1/things'],
    ['/v1/thingsandmore', undefined],
    ['/v1', undefined],
    ['/v3/things', undefined],
    ['/', undefined],
    ['', undefined],
  ])('opens for %s the branch with the longest path, once', async (sent, path) => {
    const opened: string[] = []
    const branches = ['/v1/things', '/v1/things/:id/parts', '/v1/things/all/parts/used', '/v2'].map(
      (begin) => ({
        at: [begin],
        open: async () => {
          opened.push(begin)
          return [{ method: 'GET', path: `${begin}/*`, answer: () => begin }]
        },
      }),
    )
    const findBranch = nestedRouter(branches)
    for (let time = 0; time < 2; time++) expect(await findBranch('GET', at(sent), {})).toBe(path)
    expect(opened).toEqual(path === undefined ? [] : [path])
  })
})
