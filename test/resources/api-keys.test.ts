import { env } from 'cloudflare:workers'
import { describe, expect, it } from 'vitest'
import { call, callAsService, type Json } from '../support/app.ts'
import { createKey, createOrganization, iso, type Organization } from '../support/factories.ts'

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
    expect(key).toMatch(new RegExp(`^hf_${mode}_[\\w-]{43}$`))
    expect(record).toEqual({
      id: expect.stringMatching(/^[0-9a-f]{8}-[0-9a-f]{4}-7[0-9a-f]{3}-/),
      name: 'Server',
      description: null,
      mode,
      key_prefix: key.slice(0, 12),
      last_used_at: null,
      expires_at: null,
      created_at: expect.stringMatching(TIMESTAMP),
      revoked_at: null,
    })
    const listed = await list(mode === 'live' ? organization.liveKey : organization.testKey)
    expect(listed[0]).toEqual(record)
    expect(JSON.stringify(listed)).not.toContain(key)
    expect((await call('GET', '/v1/event-types', { key })).status).toBe(200)
  })

  it('is live when no mode is told, and keeps what was sent', async () => {
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

  it('takes the time of its end with any offset', async () => {
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

  it('takes its mode from the body where no header says it', async () => {
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
