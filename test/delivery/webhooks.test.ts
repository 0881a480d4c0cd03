import { env } from 'cloudflare:workers'
import { eq } from 'drizzle-orm'
import { Webhook } from 'standardwebhooks'
import { describe, expect, inject, it, vi } from 'vitest'
import { beginAttempt } from '../../src/delivery/webhooks/deliveries/attempt-delivery.ts'
import { fanOut } from '../../src/delivery/webhooks/deliveries/fan-out.ts'
import { FirstAttempts } from '../../src/delivery/webhooks/deliveries/first-attempts.ts'
import { firstDeliveryId } from '../../src/delivery/webhooks/deliveries/first-id.ts'
import type { Listener } from '../../src/delivery/webhooks/deliveries/queries.ts'
import { EVENTS, ServiceEvent } from '../../src/delivery/webhooks/feed/schema.ts'
import type { Env } from '../../src/env.ts'
import { openDb } from '../../src/platform/db/client.ts'
import { isId, looseId, newIdIn, shardOf } from '../../src/platform/db/ids.ts'
import { EVENT_KINDS } from '../../src/platform/db/schema/records.ts'
import { webhookEndpoints } from '../../src/platform/db/schema/webhooks.ts'
import { createFetch } from '../../src/platform/http/router.ts'
import { type RealMs, realNow } from '../../src/platform/limits/clock.ts'
import { scatteredRetryAt } from '../../src/platform/queue/retry-schedules.ts'
import { rooms } from '../../src/routes.ts'
import { consume } from '../../src/worker/jobs/consume.ts'
import { handleEvent } from '../../src/worker/jobs/handle-event.ts'
import { sweep } from '../../src/worker/jobs/sweep.ts'
import { call } from '../support/app.ts'
import { book, createEventType, createOrganization, dayFromNow, iso, unique } from '../support/factories.ts'
import { patienceOf } from '../support/patience.ts'
import type { Behaviour, Received } from '../support/receiver.ts'

const HOUR_MS = 3_600_000
const DAY_MS = 24 * HOUR_MS
const SLOT = dayFromNow(3) + 10 * HOUR_MS
const ALL = ['booking.created', 'booking.cancelled', 'booking.rescheduled']

const serve = createFetch(rooms)

/** Calls the service as it is configured on a developer's machine, where receivers may be private. */
async function callLocally(method: string, path: string, key: string, body?: unknown, headers = {}) {
  const request = new Request(`https://holdfast.test${path}`, {
    method,
    headers: { Authorization: `Bearer ${key}`, ...headers },
    ...(body !== undefined && { body: JSON.stringify(body) }),
  })
  const response = await serve(request, { ...env, ALLOW_PRIVATE_HOSTS: 'true' })
  const text = await response.text()
  return { status: response.status, headers: response.headers, body: text === '' ? null : JSON.parse(text) }
}

function freshUrl(): string {
  return `${inject('receiver')}/${unique('hook')}`
}

async function behave(url: string, behaviour: Behaviour): Promise<void> {
  await (await fetch(url, { method: 'PUT', body: JSON.stringify(behaviour) })).text()
}

async function received(url: string): Promise<(Received & { json: any })[]> {
  const all = (await (await fetch(url)).json()) as Received[]
  return all
    .map((one) => ({ ...one, json: JSON.parse(one.body) }))
    .filter(({ json }) => json.type !== 'webhook.verification')
}

async function createEndpoint(key: string, url = freshUrl(), events = ALL) {
  const { status, body } = await callLocally('POST', '/v1/webhooks', key, { url, events })
  expect(status).toBe(201)
  return body
}

const get = async (key: string, path: string) => (await call('GET', path, { key })).body
const deliveriesOf = async (key: string, id: string, query = '') =>
  (await get(key, `/v1/webhooks/${id}/deliveries${query}`)).data

function waitFor<T>(look: () => Promise<T>): Promise<T> {
  return vi.waitFor(look, { timeout: 10_000, interval: 50 })
}

/** The endpoint's deliveries once the queue has made an attempt at each. */
function attempted(key: string, id: string, count: number) {
  return waitFor(async () => {
    const deliveries = await deliveriesOf(key, id, '?limit=100')
    expect(deliveries).toHaveLength(count)
    for (const delivery of deliveries) expect(delivery.response_status_code).toEqual(expect.any(Number))
    return deliveries as any[]
  })
}

const sql = (query: string, ...values: unknown[]) =>
  env.DB.prepare(query)
    .bind(...values)
    .run()

/** A live organization with an event type, and an endpoint that is verified and behaves as told. */
async function scene(behaviour: Behaviour = {}, mode: 'live' | 'test' = 'live') {
  const organization = await createOrganization()
  const key = mode === 'live' ? organization.liveKey : organization.testKey
  const { id: eventTypeId } = await createEventType(key, { reminder_intervals: [] })
  const url = freshUrl()
  const endpoint = await createEndpoint(key, url)
  await behave(url, behaviour)
  return { organization, key, eventTypeId, url, endpoint, path: `/v1/webhooks/${endpoint.id}` }
}

/** A delivery that nobody has told the queue of. */
async function insertDelivery(
  endpointId: string,
  organizationId: string,
  columns: Record<string, unknown> = {},
) {
  const row: Record<string, unknown> = {
    id: looseId(),
    organization_id: organizationId,
    is_test: 0,
    endpoint_id: endpointId,
    event_id: looseId(),
    event_kind: 'booking.created',
    payload: '{"event":"booking.created"}',
    status: 'pending',
    next_retry_at: 0,
    created_at: Date.now(),
    ...columns,
  }
  const names = Object.keys(row)
  const marks = names.map(() => '?')
  await sql(`INSERT INTO webhook_deliveries (${names}) VALUES (${marks})`, ...Object.values(row))
  return row.id as string
}

async function attempt(deliveryId: string, number: number, now = Date.now()): Promise<boolean> {
  const work = await beginAttempt(env, { type: 'delivery', deliveryId, attempt: number }, now as RealMs)
  await work?.()
  return work !== null
}

/** The endpoint as an event finds it. */
async function listenerOf(id: string): Promise<Listener> {
  const [row] = await openDb(env, 'decide').select().from(webhookEndpoints).where(eq(webhookEndpoints.id, id))
  return row!
}

/** What a process has room for, and what it began. */
function firstAttempts() {
  const begun: Promise<void>[] = []
  return { attempts: new FirstAttempts((_, own, work) => void begun.push(work(own))), begun }
}

function eventAbout(organizationId: string) {
  const nothing = { previous: null, handledAt: null, retryAt: null, claimedUntil: null, heldBack: null }
  return {
    ...{ id: looseId(), organizationId, isTest: false, sequence: 1, kind: 'booking.created' as const },
    ...{ data: { id: looseId() }, revision: 1, createdAt: Date.now(), ...nothing },
  }
}

const rowOf = (id: string) =>
  env.DB.prepare('SELECT * FROM webhook_deliveries WHERE id = ?').bind(id).first<Record<string, any>>()

describe('an endpoint', () => {
  it.each([['json'], ['text']] as const)(
    'is verified when it says the challenge back as %s',
    async (challenge) => {
      const { liveKey } = await createOrganization()
      const url = freshUrl()
      await behave(url, { challenge })
      const events = ['booking.created', 'booking.cancelled', 'booking.created']
      const { status, body } = await callLocally('POST', '/v1/webhooks', liveKey, { url, events })
      expect(status).toBe(201)
      expect(body).toEqual({
        id: expect.any(String),
        url,
        description: null,
        events: ['booking.created', 'booking.cancelled'],
        active: true,
        verification_status: 'verified',
        verified_at: expect.any(String),
        verification_last_error: null,
        consecutive_failures: 0,
        suspended_at: null,
        created_at: expect.any(String),
        updated_at: expect.any(String),
        secret: expect.stringMatching(/^whsec_[A-Za-z0-9+/]{43}=$/),
      })
      const [asked] = (await (await fetch(url)).json()) as Received[]
      expect(new Webhook(body.secret).verify(asked!.body, asked!.headers)).toEqual({
        type: 'webhook.verification',
        challenge: expect.any(String),
        created_at: expect.any(String),
      })
      const { secret, ...shown } = body
      expect(await get(liveKey, `/v1/webhooks/${body.id}`)).toEqual(shown)
      expect((await get(liveKey, '/v1/webhooks')).data).toEqual([shown])
      const stored = await env.DB.prepare('SELECT * FROM webhook_endpoints WHERE id = ?')
        .bind(body.id)
        .first()
      expect(JSON.stringify(stored)).not.toContain(secret.slice(6))
    },
  )

  it.each([
    [{ challenge: 'silence' }, /does not contain/],
    [{ challenge: 'something else' }, /does not contain/],
    [{ location: 'https://example.com/' }, /307/],
  ] satisfies [Behaviour, RegExp][])('is made all the same when it answers %o', async (behaviour, error) => {
    const { liveKey } = await createOrganization()
    const url = freshUrl()
    await behave(url, behaviour)
    const made = await createEndpoint(liveKey, url)
    expect([made.verification_status, made.verified_at]).toEqual(['failed', null])
    expect(made.verification_last_error).toMatch(error)
    await behave(url, {})
    const path = `/v1/webhooks/${made.id}/verify`
    const again = await call('POST', path, { key: liveKey })
    expect([again.status, again.body.verification_status]).toEqual([200, 'verified'])
    await behave(url, behaviour)
    expect((await call('POST', path, { key: liveKey })).body.verification_status).toBe('failed')
  })

  it('that takes longer than ten seconds is not verified', async () => {
    const { liveKey } = await createOrganization()
    const url = freshUrl()
    await behave(url, { delayMs: 3_000 })
    const patience = patienceOf(10_000)
    const making = createEndpoint(liveKey, url)
    await waitFor(async () => expect(await (await fetch(url)).json()).toHaveLength(1))
    patience.lose()
    expect((await making).verification_last_error).toBe('Did not answer within 10 seconds.')
  })

  it('that needs longer than everything else of a request may take is verified all the same', async () => {
    const { liveKey } = await createOrganization()
    const url = freshUrl()
    await behave(url, { delayMs: 1_800 })
    Object.assign(env, { answerMs: 1_200 })
    const made = await createEndpoint(liveKey, url)
    expect(made.verification_status).toBe('verified')
    const path = `/v1/webhooks/${made.id}/verify`
    const again = await call('POST', path, { key: liveKey })
    const sample = { key: liveKey, body: { event: 'booking.created' } }
    const tried = await call('POST', `/v1/webhooks/${made.id}/test`, sample)
    Object.assign(env, { answerMs: undefined })
    expect([again.status, again.body.verification_status]).toEqual([200, 'verified'])
    expect([tried.status, tried.body.success]).toEqual([200, true])
  })

  it('may be at a private address if it is the receiver of the service itself', async () => {
    const { liveKey } = await createOrganization()
    const create = async (url: string) => {
      const own = { ...env, ALLOW_PRIVATE_HOSTS: 'false', PUBLIC_URL: 'http://localhost:9' }
      const headers = { Authorization: `Bearer ${liveKey}` }
      const body = JSON.stringify({ url, events: ALL })
      return serve(new Request('https://holdfast.test/v1/webhooks', { method: 'POST', headers, body }), own)
    }
    const receiver = 'http://localhost:9/v1/test-data/webhook'
    expect((await create(receiver)).status).toBe(201)
    for (const url of [`${receiver}/x`, `${receiver}?x`, receiver.replace(':9', ':10')]) {
      expect((await create(url)).status, url).toBe(400)
    }
  })

  it('that nobody listens at is not verified', async () => {
    const { liveKey } = await createOrganization()
    const made = await createEndpoint(liveKey, 'http://127.0.0.1:9/hook')
    expect([made.verification_status, made.verification_last_error]).toEqual([
      'failed',
      'Could not be reached.',
    ])
  })

  it('is refused when its url is not public or its events are unknown', async () => {
    const { liveKey: key } = await createOrganization()
    const refused = async (body: object) => {
      const answer = await call('POST', '/v1/webhooks', { key, body })
      expect([answer.status, answer.body.error.code]).toEqual([400, 'validation_error'])
      return Object.keys(answer.body.error.details)
    }
    for (const url of [
      'http://example.com',
      'https://127.1/',
      'https://db.internal/',
      'https://a:b@c.de/',
      'x',
    ]) {
      expect(await refused({ url, events: ALL })).toEqual(['url'])
    }
    const url = 'https://example.com/hook'
    expect(await refused({ url, events: ['booking.eaten'] })).toEqual(['events.0'])
    expect(await refused({ url, events: [] })).toEqual(['events'])
    expect(await refused({ url })).toEqual(['events'])
    expect(await get(key, '/v1/webhooks')).toEqual({ data: [], has_more: false })
  })

  it('is kept once for one Idempotency-Key, its answer with the outcome of the challenge', async () => {
    const { liveKey } = await createOrganization()
    const input = { url: freshUrl(), events: ALL }
    const headers = { 'Idempotency-Key': 'once' }
    const first = await callLocally('POST', '/v1/webhooks', liveKey, input, headers)
    const second = await callLocally('POST', '/v1/webhooks', liveKey, input, headers)
    expect(first.body.verification_status).toBe('verified')
    expect([second.status, second.body]).toEqual([201, first.body])
    expect(second.headers.get('idempotent-replayed')).toBe('true')
    expect((await get(liveKey, '/v1/webhooks')).data).toHaveLength(1)
  })

  it('signs with the secret that its maker chose, from the first challenge on', async () => {
    const { liveKey } = await createOrganization()
    for (const bytes of [24, 64]) {
      const secret = `whsec_${btoa('s'.repeat(bytes))}`
      const url = freshUrl()
      const made = await callLocally('POST', '/v1/webhooks', liveKey, { url, events: ALL, secret })
      expect([made.status, made.body.secret, made.body.verification_status]).toEqual([
        201,
        secret,
        'verified',
      ])
      const [challenge] = (await (await fetch(url)).json()) as Received[]
      const said = new Webhook(secret).verify(challenge!.body, challenge!.headers)
      expect(said).toMatchObject({ type: 'webhook.verification' })
    }
  })

  it.each([
    ['too short', `whsec_${btoa('s'.repeat(23))}`],
    ['too long', `whsec_${btoa('s'.repeat(65))}`],
    ['without its prefix', btoa('s'.repeat(32))],
    ['of no base64', `whsec_${'-'.repeat(32)}`],
    ['no text', 32],
  ])('is not made with a secret that is %s', async (_, secret) => {
    const { liveKey: key } = await createOrganization()
    const body = { url: 'https://example.com/hook', events: ALL, secret }
    const { status, body: answer } = await call('POST', '/v1/webhooks', { key, body })
    expect([status, answer.error.code, Object.keys(answer.error.details)]).toEqual([
      400,
      'validation_error',
      ['secret'],
    ])
    expect((await get(key, '/v1/webhooks')).data).toEqual([])
  })

  it('is one of fifty at most in its mode, however many come at once', async () => {
    const { liveKey, testKey } = await createOrganization()
    const url = freshUrl()
    for (let made = 0; made < 46; made++) await createEndpoint(testKey, url)
    const answers = await Promise.all(
      Array.from({ length: 10 }, () => callLocally('POST', '/v1/webhooks', testKey, { url, events: ALL })),
    )
    const statuses = answers.map(({ status }) => status).sort()
    expect(statuses).toEqual([201, 201, 201, 201, 409, 409, 409, 409, 409, 409])
    expect((await get(testKey, '/v1/webhooks?limit=100')).data).toHaveLength(50)
    await createEndpoint(liveKey, url)
    expect((await get(liveKey, '/v1/webhooks')).data).toHaveLength(1)
  })

  it('changes its events at once and starts over with another url', async () => {
    const { key, path, url, endpoint } = await scene()
    await sql(
      'UPDATE webhook_endpoints SET suspended_at = 5, consecutive_failures = 20 WHERE id = ?',
      endpoint.id,
    )
    const renamed = await callLocally('PATCH', path, key, { url, events: ['booking.created'], active: false })
    expect(renamed.body).toMatchObject({
      events: ['booking.created'],
      active: false,
      consecutive_failures: 20,
    })
    const other = freshUrl()
    await behave(other, { challenge: 'silence' })
    const moved = await callLocally('PATCH', path, key, { url: other, active: true })
    expect(moved.body).toMatchObject({
      url: other,
      verification_status: 'failed',
      verified_at: null,
      consecutive_failures: 0,
      suspended_at: null,
    })
    expect((await callLocally('PATCH', path, key, { url })).body.verification_status).toBe('verified')
    expect((await call('PATCH', path, { key, body: { url: 'https://10.0.0.1/' } })).status).toBe(400)
    expect((await call('PATCH', path, { key, body: { events: [] } })).status).toBe(400)
    expect((await call('PATCH', path, { key, body: {} })).status).toBe(200)
  })

  it('signs with both secrets for a day after a rotation', async () => {
    const { key, path, url, endpoint, eventTypeId } = await scene()
    const { status, body } = await call('POST', `${path}/rotate-secret`, { key })
    expect([status, Object.keys(body)]).toEqual([200, ['secret']])
    await book(eventTypeId, SLOT)
    await attempted(key, endpoint.id, 1)
    const [both] = await received(url)
    for (const secret of [endpoint.secret, body.secret]) new Webhook(secret).verify(both!.body, both!.headers)
    await sql('UPDATE webhook_endpoints SET previous_secret_expires_at = ?', Date.now())
    await book(eventTypeId, SLOT + HOUR_MS)
    await attempted(key, endpoint.id, 2)
    const [, one] = await received(url)
    new Webhook(body.secret).verify(one!.body, one!.headers)
    expect(() => new Webhook(endpoint.secret).verify(one!.body, one!.headers)).toThrow()
  })

  it('belongs to one organization and one mode', async () => {
    const { path, organization } = await scene()
    const other = await createOrganization()
    for (const key of [organization.testKey, other.liveKey]) {
      for (const [method, rest] of [
        ['GET', ''],
        ['PATCH', ''],
        ['DELETE', ''],
        ['POST', '/verify'],
        ['POST', '/rotate-secret'],
        ['GET', '/deliveries'],
        ['POST', `/deliveries/${looseId()}/retry`],
      ] as const) {
        const body = method === 'PATCH' ? { body: {} } : {}
        expect((await call(method, path + rest, { key, ...body })).status).toBe(404)
      }
    }
  })
})

describe('verifying', () => {
  it('ends at five challenges an hour for one endpoint, another url included', async () => {
    const { liveKey: key } = await createOrganization()
    const { id } = await createEndpoint(key)
    const other = await createEndpoint(key)
    const verify = (endpointId = id) => callLocally('POST', `/v1/webhooks/${endpointId}/verify`, key)
    const first = await Promise.all([1, 2, 3, 4, 5, 6, 7].map(() => verify()))
    expect(first.map(({ status }) => status).toSorted()).toEqual([200, 200, 200, 200, 200, 429, 429])
    const { body, headers } = first.find(({ status }) => status === 429)!
    expect(body.error.code).toBe('rate_limit_exceeded')
    expect(body.error.details).toEqual({ limit: 'verifications_per_hour', retry_after: body.retry_after })
    expect(body.retry_after).toBeGreaterThan(3_500)
    expect(headers.get('Retry-After')).toBe(String(body.retry_after))
    expect((await callLocally('PATCH', `/v1/webhooks/${id}`, key, { url: freshUrl() })).status).toBe(429)
    expect(
      (await callLocally('PATCH', `/v1/webhooks/${id}`, key, { events: ['booking.created'] })).status,
    ).toBe(200)
    expect((await verify(other.id)).status).toBe(200)
    await sql(
      'UPDATE webhook_endpoints SET challenged_at = (SELECT json_group_array(value - 3600001) FROM json_each(challenged_at)) WHERE id = ?',
      id,
    )
    expect((await verify()).status).toBe(200)
  })
})

describe('events', () => {
  it('are delivered signed, as the feed shows them, one for each thing that happens', async () => {
    const { key, url, endpoint, eventTypeId, organization } = await scene()
    const { body: booking } = await book(eventTypeId, SLOT)
    await attempted(key, endpoint.id, 1)
    const token = `?token=${booking.cancel_token}`
    await call('POST', `/v1/bookings/${booking.id}/reschedule${token}`, {
      body: { new_start_time: iso(SLOT + HOUR_MS) },
    })
    await attempted(key, endpoint.id, 2)
    await call('POST', `/v1/bookings/${booking.id}/cancel`, { key })
    await call('POST', `/v1/bookings/${booking.id}/cancel`, { key })
    const deliveries = await attempted(key, endpoint.id, 3)
    const got = await received(url)
    expect(got.map(({ json }) => [json.event, json.sequence, json.previous?.start_time])).toEqual([
      ['booking.created', 1, undefined],
      ['booking.rescheduled', 2, iso(SLOT)],
      ['booking.cancelled', 3, undefined],
    ])
    for (const { body, headers, json } of got) {
      expect(new Webhook(endpoint.secret).verify(body, headers)).toEqual(json)
      expect(headers['webhook-id']).toBe(json.id)
      expect([json.organization_id, json.is_test, json.data.id]).toEqual([organization.id, false, booking.id])
      expect(body).not.toContain('token')
    }
    expect(await get(key, '/v1/events')).toEqual({ data: got.map(({ json }) => json), has_more: false })
    expect(deliveries.map(({ payload }) => payload).reverse()).toEqual(got.map(({ json }) => json))
    expect(deliveries[0]).toMatchObject({
      webhook_endpoint_id: endpoint.id,
      event_id: got[2]!.json.id,
      event_type: 'booking.cancelled',
      status: 'success',
      attempts: 1,
      response_status_code: 200,
      response_body: 'ok',
      next_retry_at: null,
      retry_of: null,
    })
  })

  it('go to those who asked for them and can take them', async () => {
    const { key, organization, eventTypeId, endpoint } = await scene()
    const others = {
      otherKinds: await createEndpoint(key, freshUrl(), ['booking.cancelled', 'waitlist.promoted']),
      inactive: await createEndpoint(key),
      unverified: await createEndpoint(key),
      suspended: await createEndpoint(key),
      ofTheSandbox: await createEndpoint(organization.testKey),
    }
    await call('PATCH', `/v1/webhooks/${others.inactive.id}`, { key, body: { active: false } })
    await sql(
      "UPDATE webhook_endpoints SET verification_status = 'failed' WHERE id = ?",
      others.unverified.id,
    )
    await sql('UPDATE webhook_endpoints SET suspended_at = 1 WHERE id = ?', others.suspended.id)
    await book(eventTypeId, SLOT)
    await attempted(key, endpoint.id, 1)
    for (const { id, url } of Object.values(others)) {
      expect(await received(url)).toEqual([])
      const rows = await env.DB.prepare('SELECT id FROM webhook_deliveries WHERE endpoint_id = ?')
        .bind(id)
        .all()
      expect(rows.results).toEqual([])
    }
  })

  it('are recorded once for each endpoint however often the queue repeats them', async () => {
    const { key, url, endpoint, eventTypeId, organization } = await scene()
    await book(eventTypeId, SLOT)
    await attempted(key, endpoint.id, 1)
    const event = await env.DB.prepare('SELECT id FROM events WHERE organization_id = ?')
      .bind(organization.id)
      .first<{ id: string }>()
    for (let round = 0; round < 3; round++) {
      await sql('UPDATE events SET handled_at = NULL WHERE id = ?', event!.id)
      await Promise.all([handleEvent(env, event!.id), handleEvent(env, event!.id)])
    }
    expect(await deliveriesOf(key, endpoint.id)).toHaveLength(1)
    expect(await received(url)).toHaveLength(1)
  })

  it('of the sandbox reach its endpoints and are listed in its outbox', async () => {
    const { key, url, endpoint, eventTypeId, organization } = await scene({}, 'test')
    await book(eventTypeId, SLOT)
    await attempted(key, endpoint.id, 1)
    const [got] = await received(url)
    expect(got!.json).toMatchObject({ event: 'booking.created', is_test: true, sequence: 1 })
    const { data } = await get(key, '/v1/test-data/outbox')
    const items = data.filter(({ channel }: { channel: string }) => channel === 'webhook')
    expect(items).toEqual([expect.objectContaining({ to: url, subject: 'booking.created', body: got!.body })])
    expect((await get(organization.liveKey, '/v1/events')).data).toEqual([])
    const gone = await call('DELETE', '/v1/test-data', { key })
    expect(gone.body.deleted.webhook_endpoints).toBe(1)
    expect((await call('GET', `/v1/webhooks/${endpoint.id}`, { key })).status).toBe(404)
  })

  it('are read in order by sequence, page by page', async () => {
    const { key, eventTypeId } = await scene()
    await Promise.all(Array.from({ length: 5 }, (_, at) => book(eventTypeId, SLOT + at * HOUR_MS)))
    const sequences = async (query: string) => {
      const { data, has_more } = await get(key, `/v1/events?${query}`)
      return [data.map(({ sequence }: { sequence: number }) => sequence), has_more]
    }
    expect(await sequences('limit=2')).toEqual([[1, 2], true])
    expect(await sequences('limit=3&after=2')).toEqual([[3, 4, 5], false])
    expect(await sequences('after=99')).toEqual([[], false])
    for (const query of ['after=-1', 'after=x', 'limit=0', 'limit=101']) {
      expect((await call('GET', `/v1/events?${query}`, { key })).status).toBe(400)
    }
  })
})

describe('a delivery', () => {
  it('whose event waits for its link is attempted by the process that has the event, and claimed by its row', async () => {
    const { organization, endpoint } = await scene()
    const listener = await listenerOf(endpoint.id)
    const { attempts, begun } = firstAttempts()
    const db = openDb(env, 'decide')
    const event = eventAbout(organization.id)
    const fan = async () => {
      const fanned = await fanOut(env, db, event, [listener], attempts, realNow())
      const answers = (await db.batch(fanned.statements as never)) as unknown[][]
      await fanned.announce((statement) => answers[fanned.statements.indexOf(statement)]!)
      fanned.end()
    }
    await fan()
    const id = firstDeliveryId(event.id, endpoint.id)
    // While it runs, nobody else makes the same attempt or the next one.
    expect(await attempt(id, 1)).toBe(false)
    expect(await attempt(id, 2)).toBe(false)
    expect(begun).toHaveLength(1)
    await Promise.all(begun)
    expect(await rowOf(id)).toMatchObject({ status: 'success', attempts: 1 })
    // Handled once more, the event begins no attempt again.
    await fan()
    expect(begun).toHaveLength(1)
  })

  it('that its process began and did not end is made by the sweep when its lease is over', async () => {
    const { endpoint, organization, url } = await scene()
    const now = Date.now()
    const columns = { attempts: 1, last_attempt_at: now, next_retry_at: now }
    const id = await insertDelivery(endpoint.id, organization.id, columns)
    expect(await attempt(id, 2, now + 29_000)).toBe(false)
    expect(await received(url)).toEqual([])
    expect(await attempt(id, 2, now + 31_000)).toBe(true)
    expect(await rowOf(id)).toMatchObject({ status: 'success', attempts: 2 })
  })

  it('has an id that is made of its event and its endpoint, as hard to guess, in the order of the events', () => {
    const [event, endpoint] = [newIdIn(3), newIdIn(3)]
    const id = firstDeliveryId(event, endpoint)
    expect([isId(id), shardOf(id), id.slice(0, 24)]).toEqual([true, 3, event.slice(0, 24)])
    expect(firstDeliveryId(event, endpoint)).toBe(id)
    expect(
      new Set([id, event, firstDeliveryId(event, newIdIn(3)), firstDeliveryId(newIdIn(3), endpoint)]).size,
    ).toBe(4)
    expect(firstDeliveryId(event, event)).toBe(`${event.slice(0, 24)}000000000000`)
  })

  it('of a Worker that makes other ids is one for its event, too', async () => {
    const { endpoint, organization, key } = await scene()
    const event = eventAbout(organization.id)
    const row = { event_id: event.id, next_retry_at: Date.now() + DAY_MS }
    const first = firstDeliveryId(event.id, endpoint.id)
    await insertDelivery(endpoint.id, organization.id, { ...row, id: first })
    await insertDelivery(endpoint.id, organization.id, { ...row, id: looseId() })
    expect((await deliveriesOf(key, endpoint.id)).map(({ id }: any) => id)).toEqual([first])
    const again = { ...row, id: looseId(), retry_of: first }
    await insertDelivery(endpoint.id, organization.id, again)
    expect(await deliveriesOf(key, endpoint.id)).toHaveLength(2)
  })

  it('is tried again with the same id and body, about five seconds after it failed', async () => {
    const { endpoint, organization, url } = await scene({ statuses: [500, 200], body: 'x'.repeat(3000) })
    const deliveryId = await insertDelivery(endpoint.id, organization.id)
    const put = vi.fn(async () => ({}))
    const told = { ...env, WEBHOOKS: { sendBatch: put } as unknown as typeof env.WEBHOOKS }
    const began = Date.now()
    await (await beginAttempt(told, { type: 'delivery', deliveryId, attempt: 1 }, realNow()))!()
    const took = Date.now() - began
    const first = (await rowOf(deliveryId))!
    expect(first).toMatchObject({ status: 'pending', attempts: 1, response_status_code: 500 })
    expect(first.response_body).toBe('x'.repeat(1024))
    const waits = first.next_retry_at - first.last_attempt_at
    // It fails when it ends, and is told by when it began.
    expect(waits).toBeGreaterThanOrEqual(4_500)
    expect(waits).toBeLessThanOrEqual(5_500 + took)
    const again = { type: 'delivery', deliveryId, attempt: 2 } as const
    expect(put).toHaveBeenCalledExactlyOnceWith([{ body: again }], { delaySeconds: expect.any(Number) })
    const [, { delaySeconds }] = put.mock.calls[0] as unknown as [unknown, { delaySeconds: number }]
    // What is left of it then: less where the machine is busy.
    expect(delaySeconds).toBeGreaterThanOrEqual(0)
    expect(delaySeconds).toBeLessThanOrEqual(waits / 1_000 + 1)
    expect(await attempt(deliveryId, 2, first.next_retry_at)).toBe(true)
    expect(await rowOf(deliveryId)).toMatchObject({ status: 'success', attempts: 2 })
    const [a, b] = await received(url)
    expect([b!.body, b!.headers['webhook-id']]).toEqual([a!.body, a!.headers['webhook-id']])
    new Webhook(endpoint.secret).verify(b!.body, b!.headers)
  })

  it('waits longer and longer, up to a tenth more or less', () => {
    const waits = [5, 300, 1_800, 7_200, 18_000, 36_000, 36_000]
    for (const [at, seconds] of waits.entries()) {
      const ends = [0, 0.5, 1].map((random) => scatteredRetryAt('delivery', at + 1, 1_000, random)! - 1_000)
      expect(ends).toEqual([seconds * 900, seconds * 1_000, seconds * 1_100])
    }
    expect(scatteredRetryAt('delivery', 8, 1_000, 0.5)).toBeNull()
  })

  it('is given up after eight attempts, and twenty of those suspend the endpoint until it is verified', async () => {
    const { key, path, url, endpoint, organization } = await scene({ statuses: [503] })
    for (let failed = 1; failed <= 20; failed++) {
      const tries = failed === 1 ? 0 : 7
      const id = await insertDelivery(endpoint.id, organization.id, { attempts: tries })
      for (let number = tries + 1; number <= 8; number++) {
        expect(await attempt(id, number, Date.now() + number * DAY_MS)).toBe(true)
      }
      expect(await rowOf(id)).toMatchObject({ status: 'failed', attempts: 8, next_retry_at: null })
      const { consecutive_failures, suspended_at } = await get(key, path)
      expect([consecutive_failures, suspended_at !== null]).toEqual([failed, failed === 20])
    }
    const skipped = await insertDelivery(endpoint.id, organization.id, { attempts: 7 })
    await attempt(skipped, 8)
    expect(await rowOf(skipped)).toMatchObject({ status: 'failed', response_status_code: null })
    expect((await get(key, path)).consecutive_failures).toBe(20)
    expect(await received(url)).toHaveLength(8 + 19)
    const log = await get(key, '/v1/activity?action=webhook_endpoint.suspended')
    expect(log.data).toEqual([expect.objectContaining({ actor_type: 'system', resource_id: endpoint.id })])
    const { body } = await call('POST', `${path}/verify`, { key })
    expect([body.consecutive_failures, body.suspended_at]).toEqual([0, null])
  })

  it('that timed out is reported once it arrived, and otherwise not', async () => {
    const { endpoint, organization } = await scene({ statuses: [410, 200], body: 'o\0k' })
    const id = await insertDelivery(endpoint.id, organization.id)
    const begin = (number: number, at: number) =>
      beginAttempt(env, { type: 'delivery', deliveryId: id, attempt: number }, at as RealMs)
    const lost = [await begin(1, Date.now()), await begin(2, Date.now() + HOUR_MS)]
    await lost[0]!()
    expect(await rowOf(id)).toMatchObject({ status: 'pending', attempts: 2 })
    await begin(3, Date.now() + 2 * HOUR_MS)
    await lost[1]!()
    expect(await rowOf(id)).toMatchObject({ status: 'success', response_body: 'o\ufffdk' })
  })

  it('that arrives resets the count of failures', async () => {
    const { key, path, endpoint, organization } = await scene({ statuses: [500, 200] })
    await attempt(await insertDelivery(endpoint.id, organization.id, { attempts: 7 }), 8)
    expect((await get(key, path)).consecutive_failures).toBe(1)
    await attempt(await insertDelivery(endpoint.id, organization.id), 1)
    expect((await get(key, path)).consecutive_failures).toBe(0)
  })

  it.each([
    [{ statuses: [302], location: '/elsewhere' }],
    [{ statuses: [404] }],
    [{ statuses: [199 + 101] }],
  ] satisfies [Behaviour][])('does not arrive when the answer is %o', async (behaviour) => {
    const { endpoint, organization, url } = await scene(behaviour)
    const id = await insertDelivery(endpoint.id, organization.id)
    await attempt(id, 1)
    expect(await rowOf(id)).toMatchObject({ status: 'pending', attempts: 1 })
    expect(await received(url)).toHaveLength(1)
  })

  it('fails for good and stops all others when the endpoint says that it is gone', async () => {
    const { key, path, url, endpoint, organization } = await scene({ statuses: [410] })
    const [id, other] = [
      await insertDelivery(endpoint.id, organization.id),
      await insertDelivery(endpoint.id, organization.id),
    ]
    await attempt(id, 1)
    expect(await rowOf(id)).toMatchObject({ status: 'failed', attempts: 1, response_status_code: 410 })
    expect(await get(key, path)).toMatchObject({ active: false, consecutive_failures: 1 })
    await attempt(other, 1)
    expect(await rowOf(other)).toMatchObject({ status: 'pending', attempts: 1, response_status_code: null })
    expect(await received(url)).toHaveLength(1)
    const log = await get(key, '/v1/activity?action=webhook_endpoint.deactivated')
    expect(log.data).toHaveLength(1)
  })

  it('to an endpoint that was deleted ends', async () => {
    const { key, path, url, endpoint, organization } = await scene()
    const id = await insertDelivery(endpoint.id, organization.id)
    expect((await call('DELETE', path, { key })).status).toBe(204)
    await attempt(id, 1)
    expect(await rowOf(id)).toMatchObject({ status: 'failed', next_retry_at: null })
    expect(await received(url)).toEqual([])
  })

  it('is attempted once by parallel messages, and never before its time', async () => {
    const { url, endpoint, organization } = await scene()
    const id = await insertDelivery(endpoint.id, organization.id)
    expect((await Promise.all([1, 1, 1, 1].map((n) => attempt(id, n)))).filter(Boolean)).toHaveLength(1)
    expect(await attempt(id, 1)).toBe(false)
    const later = await insertDelivery(endpoint.id, organization.id, {
      next_retry_at: Date.now() + 60 * HOUR_MS,
    })
    const put = vi.fn(async () => ({}))
    const told = { ...env, WEBHOOKS: { sendBatch: put } as unknown as typeof env.WEBHOOKS }
    const message = { type: 'delivery', deliveryId: later, attempt: 1 } as const
    expect(await beginAttempt(told, message, realNow())).toBeNull()
    expect(put).toHaveBeenCalledExactlyOnceWith([{ body: message }], { delaySeconds: 43_200 })
    expect(await received(url)).toHaveLength(1)
  })

  it('that takes ten seconds fails, keeps the queue waiting for nothing and delays no other', async () => {
    const slow = await scene({ delayMs: 3_000 })
    const quick = await scene()
    const patience = patienceOf(10_000)
    const pending: Promise<unknown>[] = []
    const ctx = { waitUntil: (work: Promise<unknown>) => void pending.push(work) }
    const ids = [
      await insertDelivery(slow.endpoint.id, slow.organization.id),
      await insertDelivery(quick.endpoint.id, quick.organization.id),
    ]
    const acks: string[] = []
    const messages = ids.map((deliveryId) => ({
      body: { type: 'delivery' as const, deliveryId, attempt: 1 },
      attempts: 1,
      ack: () => void acks.push(deliveryId),
      retry: () => {},
    }))
    await consume({ queue: 'holdfast-webhooks', messages } as never, env, ctx)
    expect(acks.sort()).toEqual([...ids].sort())
    await waitFor(async () => expect(await rowOf(ids[1]!)).toMatchObject({ status: 'success' }))
    await waitFor(async () => expect(await received(slow.url)).toHaveLength(1))
    let isOver = false
    const all = Promise.all(pending).then(() => {
      isOver = true
    })
    expect(isOver).toBe(false)
    patience.lose()
    await all
    expect(await rowOf(ids[0]!)).toMatchObject({
      status: 'pending',
      attempts: 1,
      response_status_code: null,
    })
  })

  it('arrives although the answer never ends', async () => {
    const { endpoint, organization } = await scene({ body: 'y'.repeat(2000), isEndless: true })
    const id = await insertDelivery(endpoint.id, organization.id)
    await attempt(id, 1)
    expect(await rowOf(id)).toMatchObject({ status: 'success', response_body: 'y'.repeat(1024) })
  })

  it('that was never enqueued, or whose process died, is found by the sweep', async () => {
    const { key, endpoint, organization, url } = await scene()
    const now = Date.now()
    await insertDelivery(endpoint.id, organization.id, { next_retry_at: now })
    await insertDelivery(endpoint.id, organization.id, { next_retry_at: now, attempts: 3 })
    const dead = await insertDelivery(endpoint.id, organization.id, { next_retry_at: now, attempts: 8 })
    await sweep(env, now + 59_000)
    expect(await received(url)).toEqual([])
    await sweep(env, now + 61_000)
    await waitFor(async () => {
      const statuses = (await deliveriesOf(key, endpoint.id)).map(({ status, attempts }: any) => [
        status,
        attempts,
      ])
      expect(statuses.sort()).toEqual([
        ['failed', 8],
        ['success', 1],
        ['success', 4],
      ])
    })
    expect(await rowOf(dead)).toMatchObject({ status: 'failed' })
  })

  it('that the sweep enqueued is enqueued as soon as any other when its next attempt is lost', async () => {
    const { endpoint, organization, url } = await scene({ statuses: [500] })
    const id = await insertDelivery(endpoint.id, organization.id, {
      next_retry_at: Date.now() - HOUR_MS,
    })
    const told: any[] = []
    const sendBatch = async (batch: Iterable<{ body: unknown }>) => {
      for (const { body } of batch) told.push(body)
    }
    const deaf = { ...env, WEBHOOKS: { sendBatch } } as unknown as Env
    const isTold = async (instant: number) => {
      told.length = 0
      await sweep(deaf, instant)
      return told.some(({ deliveryId }) => deliveryId === id)
    }
    expect(await isTold(Date.now())).toBe(true)
    const work = await beginAttempt(deaf, { type: 'delivery', deliveryId: id, attempt: 1 }, realNow())
    const { next_retry_at: leaseEnds } = (await rowOf(id))!
    expect(await isTold(leaseEnds + 61_000)).toBe(true)
    await work!()
    const { next_retry_at: due } = (await rowOf(id))!
    expect(await isTold(due + 61_000)).toBe(true)
    await behave(url, {})
    expect(await attempt(id, 2, due)).toBe(true)
    expect(await rowOf(id)).toMatchObject({ status: 'success' })
  })

  it('that the queue gave up on is failed, not lost', async () => {
    const { endpoint, organization } = await scene()
    const id = await insertDelivery(endpoint.id, organization.id)
    const taken = await insertDelivery(endpoint.id, organization.id, { attempts: 1 })
    const ack = vi.fn()
    const messages = [id, taken].map((deliveryId) => {
      const body = { type: 'delivery', deliveryId, attempt: 1 }
      return { body, attempts: 1, ack, retry: vi.fn() }
    })
    await consume({ queue: 'holdfast-webhooks-dead', messages } as never, env, { waitUntil: () => {} })
    expect(ack).toHaveBeenCalledTimes(2)
    expect(await rowOf(id)).toMatchObject({ status: 'failed', attempts: 0, next_retry_at: null })
    expect((await rowOf(taken))!.status).toBe('pending')
  })

  it('that failed is retried once however many ask, and no other is', async () => {
    const { key, path, url, endpoint, organization } = await scene()
    const id = await insertDelivery(endpoint.id, organization.id, {
      status: 'failed',
      attempts: 8,
      next_retry_at: null,
    })
    const ask = () => call('POST', `${path}/deliveries/${id}/retry`, { key })
    const answers = await Promise.all(Array.from({ length: 6 }, ask))
    expect(answers.map(({ status }) => status).sort()).toEqual([201, 409, 409, 409, 409, 409])
    const { body: again } = answers.find(({ status }) => status === 201)!
    expect(again).toMatchObject({ retry_of: id, status: 'pending', attempts: 0, response_body: null })
    await waitFor(async () => expect(await rowOf(again.id)).toMatchObject({ status: 'success' }))
    expect((await rowOf(id))!.status).toBe('retried')
    expect(await received(url)).toHaveLength(1)
    const statuses = async (query: string) =>
      (await deliveriesOf(key, endpoint.id, query)).map((one: { id: string }) => one.id)
    expect(await statuses('?status=retried')).toEqual([id])
    expect(await statuses('?status=success')).toEqual([again.id])
    expect(await statuses('?limit=1')).toEqual([again.id])
    expect(await statuses(`?starting_after=${again.id}`)).toEqual([id])
    for (const query of ['?status=lost', `?starting_after=${looseId()}`]) {
      expect((await call('GET', `${path}/deliveries${query}`, { key })).status).toBe(400)
    }
    expect((await call('POST', `${path}/deliveries/${again.id}/retry`, { key })).status).toBe(409)
    expect((await call('POST', `${path}/deliveries/${looseId()}/retry`, { key })).status).toBe(404)
  })
})

describe('what is older than thirty days', () => {
  it('goes, and the sequence goes on', async () => {
    const { key, endpoint, organization, eventTypeId } = await scene()
    await book(eventTypeId, SLOT)
    await attempted(key, endpoint.id, 1)
    const waiting = await insertDelivery(endpoint.id, organization.id, {
      next_retry_at: Date.now() + 100 * DAY_MS,
    })
    await sweep(env, Date.now() + 29 * DAY_MS)
    expect((await get(key, '/v1/events')).data).toHaveLength(1)
    await sweep(env, Date.now() + 31 * DAY_MS)
    expect((await get(key, '/v1/events')).data).toEqual([])
    expect(await deliveriesOf(key, endpoint.id)).toHaveLength(2)
    await sweep(env, Date.now() + 91 * DAY_MS)
    expect((await deliveriesOf(key, endpoint.id)).map(({ id }: { id: string }) => id)).toEqual([waiting])
    await book(eventTypeId, SLOT + HOUR_MS)
    expect((await get(key, '/v1/events')).data).toMatchObject([{ sequence: 2 }])
  })
})

describe('an endpoint that asks for everything', () => {
  it('gets every kind, says so, and keeps the words it is described with', async () => {
    const { liveKey: key } = await createOrganization()
    const url = freshUrl()
    const made = await callLocally('POST', '/v1/webhooks', key, {
      url,
      events: ['booking.created', '*'],
      description: 'The bookkeeper',
    })
    expect([made.status, made.body.events, made.body.description]).toEqual([201, ['*'], 'The bookkeeper'])
    const { id } = await createEventType(key)
    const { body: booking } = await book(id, SLOT)
    await call('POST', `/v1/bookings/${booking.id}/cancel`, { key })
    await waitFor(async () => {
      const kinds = (await received(url)).map(({ json }) => json.event)
      expect(kinds.sort()).toEqual(['booking.cancelled', 'booking.created'])
    })
    const path = `/v1/webhooks/${made.body.id}`
    const renamed = await callLocally('PATCH', path, key, { description: null })
    expect([renamed.status, renamed.body.description]).toEqual([200, null])
    const long = await callLocally('PATCH', path, key, { description: 'x'.repeat(501) })
    expect([long.status, Object.keys(long.body.error.details)]).toEqual([400, ['description']])
  })
})

describe('a sample', () => {
  it('exists for every kind, as in the feed', () => {
    const samples = EVENT_KINDS.map((kind) => EVENTS[kind].meta()!.example)
    expect(samples.map((sample) => ServiceEvent.parse(sample).event)).toEqual(EVENT_KINDS)
  })

  it('of each kind comes signed, is in no feed and leaves no delivery', async () => {
    const { id: organizationId, testKey: key } = await createOrganization()
    const url = freshUrl()
    const endpoint = await createEndpoint(key, url, ['booking.created'])
    for (const event of ['booking.rescheduled', 'waitlist.expired', 'payment.disputed']) {
      const { status, body } = await callLocally('POST', `/v1/webhooks/${endpoint.id}/test`, key, { event })
      expect([status, body.success, body.response_status_code, body.error]).toEqual([200, true, 200, null])
      const got = (await received(url)).at(-1)!
      expect(got.json).toEqual(body.payload)
      expect(body.payload).toMatchObject({
        event,
        organization_id: organizationId,
        is_test: true,
        sequence: 0,
      })
      expect(new Webhook(endpoint.secret).verify(got.body, got.headers)).toEqual(body.payload)
    }
    expect((await get(key, '/v1/events')).data).toEqual([])
    expect(await deliveriesOf(key, endpoint.id)).toEqual([])
  })

  it('returns what went wrong, and counts toward no limit', async () => {
    const { liveKey: key } = await createOrganization()
    const url = freshUrl()
    const endpoint = await createEndpoint(key, url)
    await behave(url, { statuses: [503], body: 'not today' })
    const headers = { 'Idempotency-Key': 'sample' }
    const send = () =>
      callLocally('POST', `/v1/webhooks/${endpoint.id}/test`, key, { event: 'booking.created' }, headers)
    const [first, again] = [await send(), await send()]
    expect(first.body).toMatchObject({
      success: false,
      response_status_code: 503,
      response_body: 'not today',
    })
    expect(again.body).toEqual(first.body)
    expect(await received(url)).toHaveLength(1)
    expect((await get(key, `/v1/webhooks/${endpoint.id}`)).consecutive_failures).toBe(0)
  })

  it('goes to no endpoint that is not verified, and is of a kind that there is', async () => {
    const { liveKey: key } = await createOrganization()
    const url = freshUrl()
    await behave(url, { challenge: 'silence' })
    const { id } = await createEndpoint(key, url)
    const path = `/v1/webhooks/${id}/test`
    const unverified = await callLocally('POST', path, key, { event: 'booking.created' })
    expect([unverified.status, unverified.body.error.code]).toEqual([409, 'conflict'])
    for (const body of [{}, { event: '*' }, { event: 'booking.exploded' }]) {
      const wrong = await callLocally('POST', path, key, body)
      expect([wrong.status, Object.keys(wrong.body.error.details)]).toEqual([400, ['event']])
    }
  })
})
