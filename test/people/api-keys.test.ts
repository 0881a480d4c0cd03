import { env } from 'cloudflare:workers'
import { describe, expect, it } from 'vitest'
import type { Env } from '../../src/env.ts'
import { newApiKey } from '../../src/platform/auth/api-key.ts'
import { sha256 } from '../../src/platform/auth/secret.ts'
import { createFetch } from '../../src/platform/http/router.ts'
import { keyCounterOf } from '../../src/platform/limits/key-counter.ts'
import { rooms } from '../../src/routes.ts'
import { call, callAsService, freshAddress, type Json } from '../support/app.ts'
import { countedEnv } from '../support/counted-env.ts'
import {
  createEventType,
  createKey,
  createOrganization,
  iso,
  type Organization,
} from '../support/factories.ts'
import { memberWithRole } from '../support/members.ts'
import { stayInOneRealMinute } from '../support/minute.ts'

const TIMESTAMP = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/
type Mode = 'live' | 'test'

function create({ id }: Organization, body: Json, mode?: Mode) {
  return callAsService('POST', '/v1/api-keys', {
    headers: { 'X-Org-Id': id, ...(mode && { 'X-Service-Mode': mode }) },
    body,
  })
}

async function list(key: string): Promise<Json[]> {
  return (await call('GET', '/v1/api-keys?limit=100', { key })).body.data
}

describe('a new API key', () => {
  it.each(['live', 'test'] as const)('has exactly these fields and its secret once: %s', async (mode) => {
    const organization = await createOrganization()
    const { status, body } = await create(organization, { name: 'Server' }, mode)
    expect(status).toBe(201)
    const { key, ...record } = body
    expect(key).toMatch(new RegExp(`^hf_${mode}_[\\w-]{43}[0-9A-Za-z]{6}$`))
    expect(record).toEqual({
      id: expect.stringMatching(/^[0-9a-f]{8}-[0-9a-f]{4}-7[0-9a-f]{3}-/),
      name: 'Server',
      description: null,
      mode,
      key_prefix: key.slice(0, 12),
      last_used_at: null,
      expires_at: null,
      created_by: { type: 'service', id: null, name: null },
      created_at: expect.stringMatching(TIMESTAMP),
      revoked_at: null,
    })
    const listed = await list(mode === 'live' ? organization.liveKey : organization.testKey)
    expect(listed[0]).toEqual(record)
    expect(JSON.stringify(listed)).not.toContain(key)
    expect((await call('GET', '/v1/event-types', { key })).status).toBe(200)
  })

  it('is live if no mode is given, and keeps what was sent', async () => {
    const organization = await createOrganization()
    const expires_at = iso(Date.now() + 3_600_000)
    const { body } = await create(organization, {
      name: 'x'.repeat(100),
      description: 'y'.repeat(500),
      expires_at,
    })
    expect(body).toMatchObject({
      mode: 'live',
      name: 'x'.repeat(100),
      description: 'y'.repeat(500),
      expires_at,
    })
  })

  it('accepts its expiry with any offset', async () => {
    const { body } = await create(await createOrganization(), {
      name: 'Offset',
      expires_at: '2099-01-01T02:00:00+02:00',
    })
    expect(body.expires_at).toBe('2099-01-01T00:00:00.000Z')
  })

  it.each<[string, Json]>([
    ['name', { name: '' }],
    ['name', { name: 'x'.repeat(101) }],
    ['name', { name: null }],
    ['name', {}],
    ['description', { name: 'x', description: 'y'.repeat(501) }],
    ['description', { name: 'x', description: 5 }],
    ['mode', { name: 'x', mode: 'sandbox' }],
    ['expires_at', { name: 'x', expires_at: '2020-01-01T00:00:00Z' }],
    ['expires_at', { name: 'x', expires_at: '2099-01-01T00:00:00' }],
    ['expires_at', { name: 'x', expires_at: '2099-01-01' }],
    ['expires_at', { name: 'x', expires_at: 'tomorrow' }],
    ['expires_at', { name: 'x', expires_at: 4_070_908_800 }],
    ['expires_at', { name: 'x', expires_at: '2099-02-30T00:00:00Z' }],
  ])('is refused when %s is wrong: %j', async (name, input) => {
    const organization = await createOrganization()
    const before = await list(organization.liveKey)
    const { status, body } = await create(organization, input)
    expect([status, body.error.code]).toEqual([400, 'validation_error'])
    expect(Object.keys(body.error.details)).toEqual([name])
    expect((await list(organization.liveKey)).length).toBe(before.length)
  })

  it('takes its mode from the body if no header has it', async () => {
    const { id } = await createOrganization()
    const { status, body } = await callAsService('POST', '/v1/api-keys', {
      headers: { 'X-Org-Id': id },
      body: { name: 'x', mode: 'test' },
    })
    expect([status, body.mode, body.key.slice(0, 8)]).toEqual([201, 'test', 'hf_test_'])
  })

  it('may name the mode that the service key acts in, and no other one', async () => {
    const organization = await createOrganization()
    for (const mode of ['live', 'test'] as const) {
      expect((await create(organization, { name: 'x', mode }, mode)).body.mode).toBe(mode)
      const { status, body } = await create(
        organization,
        { name: 'x', mode },
        mode === 'live' ? 'test' : 'live',
      )
      expect([status, Object.keys(body.error.details)]).toEqual([400, ['mode']])
    }
  })

  it('is not made by a key', async () => {
    const organization = await createOrganization()
    for (const key of [organization.liveKey, organization.testKey]) {
      const before = await list(key)
      const { status, body } = await call('POST', '/v1/api-keys', { key, body: { name: 'Mine' } })
      expect([status, body.error.code]).toEqual([403, 'forbidden'])
      expect((await list(key)).length).toBe(before.length)
    }
  })

  it('leaves a trace without its secret', async () => {
    const { body } = await create(await createOrganization(), { name: 'Traced' })
    const row = await env.DB.prepare('SELECT * FROM activity WHERE resource_id = ?').bind(body.id).first()
    expect(row).toMatchObject({ action: 'api_key.created', actor_type: 'service', resource_type: 'api_key' })
    expect(JSON.stringify(row)).not.toContain(body.key.slice(12))
  })
})

describe('the list of API keys', () => {
  it('holds the keys of one mode, newest first, revoked ones too', async () => {
    const organization = await createOrganization()
    const one = await createKey(organization.id, 'live', { name: 'One' })
    const two = await createKey(organization.id, 'live', { name: 'Two' })
    await createKey(organization.id, 'test', { name: 'Sandbox' })
    await call('DELETE', `/v1/api-keys/${one.id}`, { key: organization.liveKey })
    const listed = await list(organization.liveKey)
    expect(listed).toHaveLength(3)
    expect(listed.slice(0, 2).map(({ id }) => id)).toEqual([two.id, one.id])
    expect(listed[0]!.revoked_at).toBeNull()
    expect(listed[1]!.revoked_at).toMatch(TIMESTAMP)
    expect(listed.every(({ mode }) => mode === 'live')).toBe(true)
    const sandboxed = await list(organization.testKey)
    expect(sandboxed.map(({ name }) => name)).toContain('Sandbox')
    expect(sandboxed.every(({ mode }) => mode === 'test')).toBe(true)
  })
})

describe('revoking an API key', () => {
  it('may be repeated, and keeps the first time', async () => {
    const { id: organizationId, liveKey: key } = await createOrganization()
    const { id } = await createKey(organizationId)
    const read = async () => (await list(key)).find((record) => record.id === id)!.revoked_at
    const first = await call('DELETE', `/v1/api-keys/${id}`, { key })
    expect([first.status, first.body]).toEqual([204, undefined])
    const revokedAt = await read()
    await new Promise((resolve) => setTimeout(resolve, 3))
    expect((await call('DELETE', `/v1/api-keys/${id}`, { key })).status).toBe(204)
    expect(await read()).toBe(revokedAt)
    const { results } = await env.DB.prepare(
      "SELECT id FROM activity WHERE resource_id = ? AND action = 'api_key.revoked'",
    )
      .bind(id)
      .all()
    expect(results).toHaveLength(1)
  })

  it('works with the service key', async () => {
    const organization = await createOrganization()
    const { status } = await callAsService(
      'DELETE',
      `/v1/api-keys/${(await list(organization.testKey))[0]!.id}`,
      {
        headers: { 'X-Org-Id': organization.id, 'X-Service-Mode': 'test' },
      },
    )
    expect(status).toBe(204)
    expect((await call('GET', '/v1/event-types', { key: organization.testKey })).status).toBe(401)
    expect((await call('GET', '/v1/event-types', { key: organization.liveKey })).status).toBe(200)
  })

  it('touches no key of another organization or mode', async () => {
    const organization = await createOrganization()
    const neighbour = await createOrganization()
    const { id, key } = await createKey(organization.id, 'live')
    for (const other of [neighbour.liveKey, organization.testKey]) {
      expect((await call('DELETE', `/v1/api-keys/${id}`, { key: other })).status).toBe(404)
    }
    expect((await call('GET', '/v1/event-types', { key })).status).toBe(200)
  })
})

describe('a key that was made on behalf of a member', () => {
  async function scene(role: 'admin' | 'owner' = 'admin', mode: Mode = 'live') {
    const organization = await createOrganization()
    const member = await memberWithRole(organization, role)
    const { id, key } = await createKey(organization.id, mode, {}, member.userId)
    const asOwner = (method: string, path: string, body?: Json) =>
      call(method, `/v1/organizations/${organization.id}${path}`, {
        key: organization.liveKey,
        ...(body && { body }),
      })
    const may = async () => {
      const read = await call('GET', '/v1/event-types', { key })
      const body = { title: 'Intro', slug: crypto.randomUUID(), duration_minutes: 30 }
      const administer = await call('POST', '/v1/event-types', { key, body })
      const support = { subject: 'Hello', message: 'World', category: 'question' }
      const book = await call('POST', '/v1/support', { key, body: support })
      return [read, book, administer].map(({ status }) => status)
    }
    return { organization, member, id, key, asOwner, may }
  }

  it('may do what they may, and never more', async () => {
    const { organization, member, key, asOwner, may } = await scene()
    expect(await may()).toEqual([200, 201, 201])
    const give = () =>
      call('POST', `/v1/organizations/${organization.id}/transfer-ownership`, {
        key,
        body: { member_id: member.id },
      })
    const refused = await give()
    expect([refused.status, refused.body.error.code]).toEqual([403, 'forbidden'])

    await asOwner('PATCH', `/members/${member.id}`, { role: 'member' })
    expect(await may()).toEqual([200, 201, 403])
    await asOwner('PATCH', `/members/${member.id}`, { role: 'viewer' })
    expect(await may()).toEqual([200, 403, 403])
    await asOwner('PATCH', `/members/${member.id}`, { role: 'admin' })
    expect(await may()).toEqual([200, 403, 403])

    expect((await asOwner('POST', '/transfer-ownership', { member_id: member.id })).status).toBe(200)
    expect((await give()).status).toBe(403)
  })

  it('is that of an admin as soon as its owner owns no more', async () => {
    const { organization, key, asOwner, may } = await scene('owner')
    const other = await memberWithRole(organization, 'member')
    const path = `/v1/organizations/${organization.id}/transfer-ownership`
    const third = await memberWithRole(organization, 'member')
    expect((await call('POST', path, { key, body: { member_id: other.id } })).status).toBe(200)
    expect(await may()).toEqual([200, 201, 201])
    expect((await call('POST', path, { key, body: { member_id: third.id } })).status).toBe(403)
    // A key of the organization itself is nobody's, so it goes on doing what an owner does.
    expect((await asOwner('POST', '/transfer-ownership', { member_id: third.id })).status).toBe(200)
  })

  it.each(['live', 'test'] as const)('ends with the membership, in the next request: %s', async (mode) => {
    const { organization, member, id, key, asOwner } = await scene('admin', mode)
    const own = mode === 'live' ? organization.liveKey : organization.testKey
    expect((await call('GET', '/v1/event-types', { key })).status).toBe(200)
    expect((await asOwner('DELETE', `/members/${member.id}`)).status).toBe(204)
    expect((await call('GET', '/v1/event-types', { key })).status).toBe(401)
    expect((await call('GET', '/v1/event-types', { key: own })).status).toBe(200)
    const record = (await list(own)).find((each) => each.id === id)!
    expect(record.revoked_at).toMatch(TIMESTAMP)
    const entries = await env.DB.prepare(
      'SELECT action, is_test FROM activity WHERE resource_id = ? ORDER BY id',
    )
      .bind(id)
      .all()
    expect(entries.results.map(({ action, is_test }) => [action, is_test === 1 ? 'test' : 'live'])).toEqual([
      ['api_key.created', mode],
      ['api_key.revoked', mode],
    ])
  })

  it('ends even if that could not be recorded', async () => {
    const { member, key } = await scene()
    await env.DB.prepare('DELETE FROM members WHERE id = ?').bind(member.id).run()
    expect((await call('GET', '/v1/event-types', { key })).status).toBe(401)
  })

  it('needs a member who may create keys', async () => {
    const organization = await createOrganization()
    const { userId } = await memberWithRole(organization, 'member')
    const { status } = await callAsService('POST', '/v1/api-keys', {
      headers: { 'X-Org-Id': organization.id, 'X-User-Id': userId },
      body: { name: 'Mine' },
    })
    expect(status).toBe(403)
  })

  it('may name its own member in X-User-Id, and no other', async () => {
    const { organization, member, key } = await scene()
    const ask = (userId: string) => call('GET', '/v1/event-types', { key, headers: { 'X-User-Id': userId } })
    expect((await ask(member.userId)).status).toBe(200)
    for (const other of [organization.ownerUserId, 'mallory', '']) {
      const { status, body } = await ask(other)
      expect([status, Object.keys(body.error.details)]).toEqual([400, ['X-User-Id']])
    }
  })
})

describe('the headers that describe a key', () => {
  it('are refused if they are wrong, and counted', async () => {
    const organization = await createOrganization()
    const neighbour = await createOrganization()
    const wrong: [string, string, Mode][] = [
      ['X-Service-Mode', 'test', 'live'],
      ['X-Service-Mode', 'live', 'test'],
      ['X-Service-Mode', 'LIVE', 'live'],
      ['X-Org-Id', neighbour.id, 'live'],
      ['X-Org-Id', 'nope', 'live'],
      ['X-User-Id', organization.ownerUserId, 'live'],
    ]
    for (const [header, value, mode] of wrong) {
      const key = mode === 'live' ? organization.liveKey : organization.testKey
      const answer = await call('GET', '/v1/event-types', { key, headers: { [header]: value } })
      expect([header, answer.status, answer.body.error.code]).toEqual([header, 400, 'validation_error'])
      expect(answer.body.error.details).toEqual({
        [header]: expect.stringMatching(/^Must be .+ or left out\.$/),
      })
      expect(answer.headers.get('X-RateLimit-Limit')).toBe('2000')
    }
    for (const mode of ['live', 'test'] as const) {
      const headers = { 'X-Org-Id': organization.id.toUpperCase(), 'X-Service-Mode': mode }
      const key = mode === 'live' ? organization.liveKey : organization.testKey
      expect((await call('GET', '/v1/event-types', { key, headers })).status).toBe(200)
    }
  })

  it('create no booking in the other mode', async () => {
    const organization = await createOrganization()
    const { id } = await createEventType(organization.testKey)
    const body = {
      event_type_id: id,
      start_time: iso(Date.now()),
      invitee_name: 'A',
      invitee_email: 'a@example.com',
    }
    const headers = { 'X-Service-Mode': 'test' }
    const answer = await call('POST', '/v1/bookings', { key: organization.liveKey, headers, body })
    expect([answer.status, Object.keys(answer.body.error.details)]).toEqual([400, ['X-Service-Mode']])
  })
})

describe('looking a key up', () => {
  /** What asking with `key` costs: round trips to the database, and the objects that were named. */
  async function costOf(key: string, ip = freshAddress()) {
    const { trips, env: counted } = countedEnv()
    const named: string[] = []
    const RATE_LIMITS = {
      getByName: (name: string) => {
        named.push(name)
        return env.RATE_LIMITS.getByName(name)
      },
    } as unknown as Env['RATE_LIMITS']
    const request = new Request('https://holdfast.test/v1/event-types?limit=0', {
      headers: { Authorization: `Bearer ${key}`, 'CF-Connecting-IP': ip },
    })
    const { status } = await createFetch(rooms)(request, { ...counted, RATE_LIMITS })
    return { status, trips: trips.count, named: named.length }
  }

  it('makes no request for a malformed key', async () => {
    const key = newApiKey('live')
    const changed = key.slice(0, -1) + (key.endsWith('a') ? 'b' : 'a')
    for (const text of [
      'nonsense',
      changed,
      `${key}x`,
      key.slice(0, -6),
      key.replace('hf_live', 'hf_test'),
    ]) {
      expect([text, await costOf(text)]).toEqual([text, { status: 401, trips: 0, named: 0 }])
    }
  })

  it('goes to the object of a current key at once', async () => {
    const { liveKey } = await createOrganization()
    for (let at = 0; at < 2; at++) expect(await costOf(liveKey)).toEqual({ status: 400, trips: 0, named: 1 })
  })

  it('reads once for an unknown key in a while', async () => {
    const key = newApiKey('live')
    const hash = await sha256(key)
    expect((await costOf(key)).status).toBe(401)
    // What the object once read it does not read again: otherwise it would find this one.
    const { id } = await createKey((await createOrganization()).id)
    await env.DB.prepare('UPDATE api_keys SET hash = ? WHERE id = ?').bind(hash, id).run()
    expect((await costOf(key)).status).toBe(401)
    await keyCounterOf(env, hash).forget()
    expect((await costOf(key)).status).toBe(400)
  })

  it('names no object for one that a network makes up whose keys proved nothing too often, and goes on taking its others', async () => {
    await stayInOneRealMinute(5)
    const ip = freshAddress()
    const key = () => newApiKey('live')
    expect(await costOf(key(), ip)).toEqual({ status: 401, trips: 0, named: 1 })
    for (let at = 0; at < 59; at++) await env.FAILED_LIMIT.limit({ key: ip })
    expect(await costOf(key(), ip)).toMatchObject({ status: 429, named: 1 })
    const bogus = key()
    expect(await costOf(bogus, ip)).toEqual({ status: 429, trips: 1, named: 0 })
    expect(await costOf(bogus, ip)).toEqual({ status: 429, trips: 0, named: 0 })
    const { liveKey } = await createOrganization()
    expect(await costOf(liveKey, ip)).toEqual({ status: 400, trips: 1, named: 1 })
    expect(await costOf(liveKey, ip)).toEqual({ status: 400, trips: 0, named: 1 })
    expect(await costOf(key())).toEqual({ status: 401, trips: 0, named: 1 })
  })
})
