import { env } from 'cloudflare:workers'
import { describe, expect, it, onTestFinished, vi } from 'vitest'
import DEV_VARS from '../../.dev.vars?raw'
import { assertConfigured } from '../../src/env.ts'
import { isKeyShaped, newApiKey } from '../../src/platform/auth/api-key.ts'
import { type Caller, loggedActorOf, type Role } from '../../src/platform/auth/caller.ts'
import { isPermitted, type Permission } from '../../src/platform/auth/policy.ts'
import {
  isSameSecret,
  isTokenFor,
  randomSecret,
  seal,
  sha256,
  tokenFor,
  unseal,
} from '../../src/platform/auth/secret.ts'
import { createFetch } from '../../src/platform/http/router.ts'
import { rooms } from '../../src/routes.ts'
import { call, freshAddress } from '../support/app.ts'
import {
  book,
  createEventType,
  createKey,
  createOrganization,
  dayFromNow,
  iso,
} from '../support/factories.ts'

const ORGANIZATION = '0192f1e0-7c11-7000-8000-3b1f0a5d9c42'
const OLD = 'the-old-key-0123456789abcdef-0123456789'
const NEW = 'the-new-key-0123456789abcdef-0123456789'

function onBehalfOf(role: Role): Caller {
  return {
    kind: 'service',
    organizationId: ORGANIZATION,
    isTest: false,
    onBehalfOf: { memberId: ORGANIZATION, userId: 'user_42', role, name: 'Grace Hopper' },
  }
}

function keyWith(role: Role): Caller {
  return {
    kind: 'api_key',
    keyId: ORGANIZATION,
    organizationId: ORGANIZATION,
    isTest: false,
    role,
    userId: null,
    by: { type: 'api_key', id: ORGANIZATION, name: 'Server' },
  }
}

describe('the policy', () => {
  const CALLERS: Readonly<Record<string, Caller>> = {
    public: { kind: 'public' },
    apiKey: keyWith('owner'),
    adminKey: keyWith('admin'),
    memberKey: keyWith('member'),
    viewerKey: keyWith('viewer'),
    service: { kind: 'service', organizationId: ORGANIZATION, isTest: false, onBehalfOf: null },
    operator: { kind: 'operator', userId: null },
    viewer: onBehalfOf('viewer'),
    member: onBehalfOf('member'),
    admin: onBehalfOf('admin'),
    owner: onBehalfOf('owner'),
  }
  const ALLOWED: Readonly<Record<string, readonly Permission[]>> = {
    public: ['anyone', 'read', 'book'],
    apiKey: ['anyone', 'read', 'book', 'administer', 'own'],
    adminKey: ['anyone', 'read', 'book', 'administer'],
    memberKey: ['anyone', 'read', 'book'],
    viewerKey: ['anyone', 'read'],
    service: ['anyone', 'read', 'book', 'administer', 'own', 'service-only'],
    operator: ['anyone', 'read', 'book', 'administer', 'own', 'service-only'],
    viewer: ['anyone', 'read'],
    member: ['anyone', 'read', 'book'],
    admin: ['anyone', 'read', 'book', 'administer', 'service-only'],
    owner: ['anyone', 'read', 'book', 'administer', 'own', 'service-only'],
  }
  const PERMISSIONS: readonly Permission[] = ['anyone', 'read', 'book', 'administer', 'own', 'service-only']

  it.each(Object.keys(CALLERS))('lets %s do exactly what it may', (name) => {
    const allowed = PERMISSIONS.filter((permission) => isPermitted(CALLERS[name]!, permission))
    expect(allowed).toEqual(ALLOWED[name])
  })

  it('says who acted', () => {
    expect(loggedActorOf(CALLERS.public!)).toEqual({ actorType: 'invitee', actorId: null })
    expect(loggedActorOf(CALLERS.apiKey!)).toEqual({ actorType: 'api_key', actorId: ORGANIZATION })
    expect(loggedActorOf(CALLERS.service!)).toEqual({ actorType: 'service', actorId: null })
    expect(loggedActorOf(CALLERS.operator!)).toEqual({ actorType: 'service', actorId: null })
    expect(loggedActorOf({ kind: 'operator', userId: 'user_42' })).toEqual({
      actorType: 'user',
      actorId: 'user_42',
    })
    expect(loggedActorOf(CALLERS.member!)).toEqual({ actorType: 'user', actorId: 'user_42' })
  })
})

describe('secrets', () => {
  it('are 256 random bits that fit into URLs and headers', () => {
    const secrets = Array.from({ length: 100 }, randomSecret)
    expect(new Set(secrets).size).toBe(100)
    for (const secret of secrets) expect(secret).toMatch(/^[\w-]{43}$/)
  })

  it('are compared as a whole, whatever their length', async () => {
    expect(await isSameSecret('abc', 'abc')).toBe(true)
    for (const other of ['', 'ab', 'abcd', 'abC', 'xbc']) expect(await isSameSecret(other, 'abc')).toBe(false)
  })

  it('are hashed with SHA-256', async () => {
    expect(await sha256('abc')).toBe('ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad')
  })

  it.each(['', 'text', 'ünïcödé 🗓', '\u0000', 'x'.repeat(200_000)])(
    'are sealed and opened again',
    async (text) => {
      const sealed = await seal(NEW, text)
      expect(await unseal(NEW, sealed)).toBe(text)
      if (text.length > 1) expect(sealed).not.toContain(text)
    },
  )

  it('are sealed differently every time', async () => {
    expect(await seal(NEW, 'text')).not.toBe(await seal(NEW, 'text'))
  })

  it.each([',', ', '])('are opened after rotation by %j, and sealed with the new key', async (comma) => {
    const before = await seal(OLD, 'sealed before')
    const rotated = NEW + comma + OLD
    expect(await unseal(rotated, before)).toBe('sealed before')
    const after = await seal(rotated, 'sealed after')
    expect(await unseal(NEW, after)).toBe('sealed after')
    await expect(unseal(OLD, after)).rejects.toThrow()
    await expect(unseal(NEW, before)).rejects.toThrow('not configured')
  })

  it('stay closed when one character was changed anywhere', async () => {
    const sealed = await seal(NEW, 'a secret')
    for (let at = 0; at < sealed.length; at++) {
      const other = sealed[at] === 'A' ? 'B' : 'A'
      const changed = sealed.slice(0, at) + other + sealed.slice(at + 1)
      // The last character of a part may hold bits that stand for nothing.
      const opened = await unseal(NEW, changed).catch(() => null)
      if (opened !== null) {
        expect(sealed[at + 1] ?? '.').toBe('.')
        expect(opened).toBe('a secret')
      }
    }
  })

  it.each(['', '.', '..', 'nonsense', 'a.b.c', 'a.b.c.d'])(
    'stay closed when the text is %j',
    async (text) => {
      await expect(unseal(NEW, text)).rejects.toThrow()
    },
  )

  it('stay closed when a part is cut off', async () => {
    const [version, iv, ciphertext] = (await seal(NEW, 'a secret')).split('.')
    for (const cut of [`${version}.${iv}`, `${version}..${ciphertext}`, `${version}.${iv}.`]) {
      await expect(unseal(NEW, cut)).rejects.toThrow()
    }
    await expect(unseal(NEW, `${version}.${iv}.${ciphertext!.slice(0, -8)}`)).rejects.toThrow()
  })
})

describe('tokens', () => {
  const OTHER = '0192f1e0-7c11-7000-8000-3b1f0a5d9c43'

  it('belong to one id and one key', async () => {
    const token = await tokenFor(NEW, ORGANIZATION)
    expect(token).toMatch(/^[\w-]{43}$/)
    expect(await tokenFor(NEW, ORGANIZATION)).toBe(token)
    expect(await isTokenFor(NEW, ORGANIZATION, token)).toBe(true)
    expect(await isTokenFor(NEW, OTHER, token)).toBe(false)
    expect(await isTokenFor(OLD, ORGANIZATION, token)).toBe(false)
  })

  it('still hold after the key is rotated', async () => {
    const token = await tokenFor(OLD, ORGANIZATION)
    expect(await isTokenFor(`${NEW},${OLD}`, ORGANIZATION, token)).toBe(true)
    expect(await tokenFor(`${NEW},${OLD}`, ORGANIZATION)).toBe(await tokenFor(NEW, ORGANIZATION))
  })

  it('are refused when they are malformed or changed', async () => {
    const token = await tokenFor(NEW, ORGANIZATION)
    const flipped = (token[0] === 'A' ? 'B' : 'A') + token.slice(1)
    for (const wrong of [
      '',
      'x',
      '=',
      token.slice(1),
      `${token}A`,
      ` ${token}`,
      flipped,
      token.toLowerCase(),
    ]) {
      expect(await isTokenFor(NEW, ORGANIZATION, wrong)).toBe(false)
    }
  })
})

describe('the shape of a key', () => {
  const BODY = 'a'.repeat(43)
  // What CRC-32 and base 62 of somebody else's making say.
  const KNOWN = `hf_live_${BODY}3B4FEY`

  it('is a prefix, 43 random characters and six that follow from them', () => {
    const keys = Array.from({ length: 200 }, (_, at) => newApiKey(at % 2 ? 'live' : 'test'))
    expect(new Set(keys).size).toBe(200)
    for (const key of keys) {
      expect(key).toMatch(/^hf_(live|test)_[\w-]{43}[0-9A-Za-z]{6}$/)
      expect(isKeyShaped(key)).toBe(true)
    }
    expect(isKeyShaped(KNOWN)).toBe(true)
    expect(isKeyShaped(`hf_test_${'A'.repeat(43)}1Nowxq`)).toBe(true)
  })

  it('rejects a text that differs in one character', () => {
    for (let at = 0; at < KNOWN.length; at++) {
      const other = KNOWN[at] === 'x' ? 'y' : 'x'
      expect(isKeyShaped(KNOWN.slice(0, at) + other + KNOWN.slice(at + 1))).toBe(false)
    }
  })

  it.each([
    '',
    'hf_live_',
    `hf_live_${BODY}`,
    `hf_live_${BODY}a`,
    `${KNOWN}a`,
    KNOWN.slice(1),
    ` ${KNOWN}`,
    `${KNOWN}\n`,
    `hf_prod_${BODY}3B4FEY`,
  ])('is not that of %j', (text) => {
    expect(isKeyShaped(text)).toBe(false)
  })
})

describe('the configuration', () => {
  const GOOD = { SERVICE_KEY: 's'.repeat(32), ENCRYPTION_KEY: NEW }
  const check = (secrets: Record<string, unknown>) => () =>
    assertConfigured({ ...env, ...GOOD, ...secrets } as typeof env)

  it('is complete with two long secrets', () => {
    expect(check({})).not.toThrow()
    expect(check({ ENCRYPTION_KEY: `${NEW},${OLD}` })).not.toThrow()
  })

  it.each([
    ['SERVICE_KEY', undefined],
    ['SERVICE_KEY', ''],
    ['SERVICE_KEY', 'x'.repeat(31)],
    ['ENCRYPTION_KEY', undefined],
    ['ENCRYPTION_KEY', 'x'.repeat(31)],
  ])('is refused when %s is %j', (name, value) => {
    expect(check({ [name]: value })).toThrow(name)
  })

  it('takes the examples of .dev.vars on the machine of a developer only', () => {
    const examples = DEV_VARS.split('\n').flatMap((line: string) => {
      const [name, value] = line.split('=')
      return name === 'SERVICE_KEY' || name === 'ENCRYPTION_KEY' ? [[name, value!] as const] : []
    })
    expect(examples.map(([name]) => name)).toEqual(['SERVICE_KEY', 'ENCRYPTION_KEY'])
    for (const [name, example] of examples) {
      for (const value of [example, `${NEW},${example}`]) {
        for (const PUBLIC_URL of [
          'http://localhost:8787',
          'http://127.0.0.1:1',
          'http://[::1]',
          'http://a.localhost',
        ]) {
          expect(check({ [name]: value, PUBLIC_URL })).not.toThrow()
        }
        for (const PUBLIC_URL of [
          'https://book.acme.com',
          'http://localhost.acme.com',
          'http://192.168.1.2',
          '',
        ]) {
          expect(check({ [name]: value, PUBLIC_URL })).toThrow(name)
        }
      }
    }
    expect(check({ PUBLIC_URL: 'https://book.acme.com' })).not.toThrow()
  })

  it.each([`${NEW},`, `,${NEW}`, `${NEW},short`, ''])(
    'is refused when one of several service keys is empty or short: %s',
    (keys) => {
      expect(check({ SERVICE_KEY: keys })).toThrow('SERVICE_KEY')
    },
  )

  it('may list several service keys, each of which is valid until it is removed', async () => {
    const ask = async (key: string, SERVICE_KEY: string) => {
      const headers = {
        Authorization: `Bearer ${key}`,
        'X-User-Id': 'ada',
        'CF-Connecting-IP': freshAddress(),
      }
      const request = new Request('https://holdfast.test/v1/me/organizations', { headers })
      return (await createFetch(rooms)(request, { ...env, SERVICE_KEY })).status
    }
    for (const key of [OLD, NEW]) expect(await ask(key, `${NEW},${OLD}`)).toBe(200)
    expect(await ask(NEW, NEW)).toBe(200)
    expect(await ask(OLD, NEW)).toBe(401)
    for (const none of ['', ',', `${NEW},${OLD}`, `${NEW} `.slice(0, -2)]) {
      expect([none, await ask(none, `${NEW},${OLD}`)]).toEqual([none, 401])
    }
  })

  it.each([`${NEW},`, `,${NEW}`, `${NEW},short`, `${'x'.repeat(20)},${'y'.repeat(20)}`])(
    'is refused when one of several encryption keys is empty or short: %s',
    (keys) => {
      expect(check({ ENCRYPTION_KEY: keys })).toThrow('ENCRYPTION_KEY')
    },
  )
})

describe('API keys', () => {
  it('act in the next request as if they had never been, once revoked', async () => {
    const { id: organizationId, liveKey } = await createOrganization()
    const { id, key } = await createKey(organizationId)
    for (let at = 0; at < 3; at++) {
      expect((await call('GET', '/v1/event-types', { key })).status).toBe(200)
    }
    expect((await call('DELETE', `/v1/api-keys/${id}`, { key: liveKey })).status).toBe(204)
    expect((await call('GET', '/v1/event-types', { key })).status).toBe(401)
    expect((await call('GET', '/v1/event-types', { key: liveKey })).status).toBe(200)
  })

  it('may revoke themselves', async () => {
    const { id: organizationId } = await createOrganization()
    const { id, key } = await createKey(organizationId)
    expect((await call('DELETE', `/v1/api-keys/${id}`, { key })).status).toBe(204)
    expect((await call('DELETE', `/v1/api-keys/${id}`, { key })).status).toBe(401)
  })

  it('act until they expire, also when they were in use just before', async () => {
    const { id: organizationId } = await createOrganization()
    const expiresAt = Date.now() + 30_000
    const { key } = await createKey(organizationId, 'live', { expires_at: iso(expiresAt) })
    const clock = vi.spyOn(Date, 'now')
    onTestFinished(() => clock.mockRestore())
    for (const [now, status] of [
      [expiresAt - 1, 200],
      [expiresAt, 401],
    ] as const) {
      clock.mockReturnValue(now)
      expect([now, (await call('GET', '/v1/event-types', { key })).status]).toEqual([now, status])
    }
  })

  it('are taken with any spelling of the scheme, but only as they were made', async () => {
    const { liveKey } = await createOrganization()
    const ask = (Authorization: string) => call('GET', '/v1/event-types', { headers: { Authorization } })
    for (const good of [`bearer ${liveKey}`, `BEARER ${liveKey}`, `Bearer  ${liveKey}`]) {
      expect((await ask(good)).status).toBe(200)
    }
    for (const bad of [
      liveKey,
      `Token ${liveKey}`,
      `Bearer ${liveKey}x`,
      `Bearer ${liveKey.slice(0, -1)}`,
      `Bearer ${liveKey} x`,
      `Bearer ${liveKey.replace('live', 'test')}`,
    ]) {
      expect((await ask(bad)).status).toBe(401)
    }
  })

  it('are not in the database', async () => {
    const { id: organizationId } = await createOrganization()
    const { id, key } = await createKey(organizationId)
    const row = await env.DB.prepare('SELECT * FROM api_keys WHERE id = ?').bind(id).first()
    expect(row).toMatchObject({ hash: await sha256(key), key_prefix: key.slice(0, 12) })
    expect(JSON.stringify(row)).not.toContain(key.slice(12))
  })

  it('say when they were last used', async () => {
    const { id: organizationId, liveKey } = await createOrganization()
    const { id, key } = await createKey(organizationId)
    const before = Date.now()
    await call('GET', '/v1/event-types', { key })
    await expect
      .poll(async () => {
        const { body } = await call('GET', '/v1/api-keys', { key: liveKey })
        const record = body.data.find((each: { id: string }) => each.id === id)
        return Date.parse(record.last_used_at ?? 0)
      })
      .toBeGreaterThanOrEqual(before)
  })
})

describe('cancel tokens', () => {
  it('open their own booking and no other one', async () => {
    const { liveKey } = await createOrganization()
    const { id } = await createEventType(liveKey)
    const [mine, yours] = [await book(id, dayFromNow(2)), await book(id, dayFromNow(3))]
    const cancel = (bookingId: string, query: string) =>
      call('POST', `/v1/bookings/${bookingId}/cancel${query}`)
    for (const query of ['', '?token=', '?token=nope', `?token=${yours.body.cancel_token}`]) {
      const answer = await cancel(mine.body.id, query)
      expect([query, answer.status, answer.body.error.code]).toEqual([query, 401, 'unauthorized'])
      expect(answer.headers.get('WWW-Authenticate')).toBe(
        query === ''
          ? 'Bearer'
          : 'Bearer error="invalid_token", error_description="The token does not belong to this booking."',
      )
    }
    expect((await cancel(crypto.randomUUID(), `?token=${mine.body.cancel_token}`)).status).toBe(404)
    expect((await cancel(mine.body.id, `?token=${mine.body.cancel_token}`)).status).toBe(200)
  })

  it('are not in the database', async () => {
    const { liveKey } = await createOrganization()
    const { id } = await createEventType(liveKey)
    const { body } = await book(id, dayFromNow(2))
    for (const table of ['bookings', 'events', 'activity', 'idempotency_keys']) {
      const { results } = await env.DB.prepare(`SELECT * FROM ${table}`).all()
      expect(JSON.stringify(results)).not.toContain(body.cancel_token)
    }
  })

  it('open nothing that needs a key', async () => {
    const { liveKey } = await createOrganization()
    const { id } = await createEventType(liveKey)
    const { body } = await book(id, dayFromNow(2))
    expect((await call('GET', `/v1/bookings?token=${body.cancel_token}`)).status).toBe(401)
    const other = await book(id, dayFromNow(3))
    for (const path of ['/v1/bookings', `/v1/bookings/${other.body.id}`]) {
      expect((await call('GET', path, { key: body.cancel_token })).status).toBe(401)
    }
  })
})
