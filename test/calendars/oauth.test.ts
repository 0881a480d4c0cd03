import { describe, expect, it } from 'vitest'
import type { OAuthAccount } from '../../src/calendars/oauth/access.ts'
import { openApi } from '../../src/calendars/oauth/api.ts'
import { authorizationUrl } from '../../src/calendars/oauth/authorization-url.ts'
import { readConsentRefusal } from '../../src/calendars/oauth/consent-refusal.ts'
import { type OAuthProvider, readOAuthConfig } from '../../src/calendars/oauth/oauth-config.ts'
import { exchangeCode, refreshTokens, revokeTokens, type Tokens } from '../../src/calendars/oauth/tokens.ts'
import { newVerifier, openOAuthState, sealOAuthState } from '../../src/platform/auth/oauth-state.ts'
import { seal } from '../../src/platform/auth/secret.ts'
import type { Fetch } from '../../src/platform/transport/fetch.ts'
import { openWorld } from '../support/world.ts'
import {
  configOf,
  connectTo,
  consentedCodeOf,
  doorTo,
  REDIRECT_URI,
  settingsOf,
  VERIFIER,
} from '../support/world-account.ts'

const KEY = 'oauth-test-encryption-key-0123456789abcdef'
const NOW = Date.UTC(2026, 2, 1, 9)
const MINUTE_MS = 60_000

const NAMES = { calendar_a: 'google', calendar_b: 'microsoft', video_a: 'zoom' } as const
const PROVIDERS = Object.keys(NAMES) as OAuthProvider[]
/** Any call that needs a token. */
const PATHS = { calendar_a: '/users/me/calendarList', calendar_b: '/me', video_a: '/users/me' } as const

function worldOf(provider: OAuthProvider) {
  return openWorld(NAMES[provider])
}

function withTokens(account: OAuthAccount, change: Partial<Tokens>): OAuthAccount {
  return { ...account, tokens: { ...account.tokens, ...change } }
}

const answering = (status: number, body: string, headers = {}): Fetch => {
  return async () =>
    new Response(body, { status, headers: { 'Content-Type': 'application/json', ...headers } })
}

describe('the configuration of a provider', () => {
  it('is null without a client id and a secret', () => {
    expect(readOAuthConfig('calendar_a', {})).toBeNull()
    expect(readOAuthConfig('calendar_a', { GOOGLE_CLIENT_ID: 'x', GOOGLE_CLIENT_SECRET: '' })).toBeNull()
    expect(readOAuthConfig('calendar_b', { GOOGLE_CLIENT_ID: 'x', GOOGLE_CLIENT_SECRET: 'y' })).toBeNull()
  })

  it('has the addresses of the providers, unless configured otherwise', () => {
    const config = readOAuthConfig('calendar_a', { GOOGLE_CLIENT_ID: 'x', GOOGLE_CLIENT_SECRET: 'y' })!
    expect([config.apiBase, config.tokenEndpoint, config.allowsHttp]).toEqual([
      'https://www.googleapis.com/calendar/v3',
      'https://oauth2.googleapis.com/token',
      false,
    ])
    const { MICROSOFT_AUTH_BASE: _, ...together } = settingsOf('calendar_b', 'http://127.0.0.1:4000')
    const moved = readOAuthConfig('calendar_b', {
      ...together,
      MICROSOFT_API_BASE: 'http://127.0.0.1:4000/graph/',
    })!
    expect([moved.apiBase, moved.tokenEndpoint]).toEqual([
      'http://127.0.0.1:4000/graph',
      'http://127.0.0.1:4000/graph/common/oauth2/v2.0/token',
    ])
    const apart = { ...settingsOf('video_a', 'https://api.example'), ZOOM_AUTH_BASE: 'https://auth.example' }
    expect(readOAuthConfig('video_a', apart)!.revocationEndpoint).toBe('https://auth.example/oauth/revoke')
  })

  it('sends nothing over plain http unless private hosts are allowed', async () => {
    const config = { ...configOf('calendar_a', 'http://127.0.0.1:1'), allowsHttp: false }
    const exchange = { code: 'x', verifier: VERIFIER, redirectUri: REDIRECT_URI }
    let calls = 0
    const send: Fetch = async () => {
      calls += 1
      return new Response('{}')
    }
    await expect(exchangeCode(config, exchange, send)).rejects.toThrow()
    expect(calls).toBe(0)
  })
})

describe('the state', () => {
  const STATE = {
    organizationId: 'org-1',
    isTest: false,
    memberId: null,
    provider: 'calendar_a',
    redirectUrl: 'https://app.example/done',
    verifier: newVerifier(),
  }

  it('comes back as it was for ten minutes, and shows nothing on the way', async () => {
    const sealed = await sealOAuthState(KEY, STATE, NOW)
    expect(sealed).toMatch(/^[\w.-]+$/)
    expect(atob(sealed.split('.')[2]!.replaceAll('-', '+').replaceAll('_', '/'))).not.toContain('org-1')
    expect(await openOAuthState(KEY, sealed, 'calendar_a', NOW + 10 * MINUTE_MS - 1)).toEqual(STATE)
    expect(await openOAuthState(KEY, sealed, 'calendar_a', NOW + 10 * MINUTE_MS)).toBeNull()
  })

  it('is refused when it was changed, is for another provider or was sealed for something else', async () => {
    const sealed = await sealOAuthState(KEY, STATE, NOW)
    const changed = `${sealed.slice(0, -2)}${sealed.endsWith('AA') ? 'BB' : 'AA'}`
    expect(await openOAuthState(KEY, changed, 'calendar_a', NOW)).toBeNull()
    expect(await openOAuthState(KEY, sealed, 'calendar_b', NOW)).toBeNull()
    expect(await openOAuthState(`${KEY}x`, sealed, 'calendar_a', NOW)).toBeNull()
    expect(await openOAuthState(KEY, 'nonsense', 'calendar_a', NOW)).toBeNull()
    const other = await seal(KEY, JSON.stringify({ ...STATE, expiresAt: NOW + MINUTE_MS }))
    expect(await openOAuthState(KEY, other, 'calendar_a', NOW)).toBeNull()
    expect(await openOAuthState(KEY, await seal(KEY, 'a password'), 'calendar_a', NOW)).toBeNull()
  })
})

describe.each(PROVIDERS)('an account of %s', (provider) => {
  it('is connected with a code that only the right verifier and redirect URI redeem, once', async () => {
    const world = worldOf(provider)
    const config = configOf(provider, world.base)
    const code = await consentedCodeOf(config, world)
    const exchange = { code, verifier: VERIFIER, redirectUri: REDIRECT_URI }
    const tokens = await exchangeCode(config, exchange, fetch)
    expect(tokens.accessToken).toBeTruthy()
    expect(tokens.refreshToken).toBeTruthy()
    expect(tokens.expiresAt - Date.now()).toBeGreaterThan(3_500_000)
    await expect(exchangeCode(config, exchange, fetch)).rejects.toMatchObject({ failure: 'refused' })
    for (const wrong of [{ verifier: `${VERIFIER}x` }, { redirectUri: `${REDIRECT_URI}x` }]) {
      const again = { ...exchange, code: await consentedCodeOf(config, world), ...wrong }
      await expect(exchangeCode(config, again, fetch)).rejects.toMatchObject({ failure: 'refused' })
    }
  })

  it('returns the state unchanged, also when the owner declines', async () => {
    const world = worldOf(provider)
    const request = { state: 'a.b-c_d', verifier: VERIFIER, redirectUri: `${REDIRECT_URI}?x=1` }
    const url = await authorizationUrl(configOf(provider, world.base), request)
    expect(url).not.toContain(VERIFIER)
    expect((await world.consent(url)).searchParams.get('state')).toBe('a.b-c_d')
    const refused = await world.consent(url, 'owner@example.com', 'no')
    expect(Object.fromEntries(refused.searchParams)).toMatchObject({
      x: '1',
      state: 'a.b-c_d',
      error: 'access_denied',
    })
  })

  it('renews its tokens a minute before they run out, and keeps them before it uses them', async () => {
    const world = worldOf(provider)
    const { account, kept } = await connectTo(provider, world)
    const order: string[] = []
    const due = withTokens(account, { expiresAt: Date.now() + 59_000 })
    const renewing: OAuthAccount = {
      ...due,
      onTokens: async (tokens) => {
        await new Promise((done) => setTimeout(done, 50))
        order.push('kept')
        kept.push(tokens)
      },
    }
    const api = openApi(
      doorTo(renewing, (url, init) => {
        if (url.endsWith(PATHS[provider])) order.push('used')
        return fetch(url, init)
      }),
    )
    await Promise.all([api({ path: PATHS[provider] }), api({ path: PATHS[provider] })])
    expect(order).toEqual(['kept', 'used', 'used'])
    expect(kept[1]!.accessToken).not.toBe(kept[0]!.accessToken)
    expect(kept[1]!.refreshToken === kept[0]!.refreshToken).toBe(provider === 'calendar_a')
    expect(kept[1]!.scope).toBe(kept[0]!.scope)
  })

  it('renews them once when the API takes them no longer', async () => {
    const world = worldOf(provider)
    const { account, kept } = await connectTo(provider, world)
    await world.expire()
    const api = openApi(doorTo(account))
    expect((await api({ path: PATHS[provider] })).status).toBe(200)
    expect((await api({ path: PATHS[provider] })).status).toBe(200)
    expect(kept).toHaveLength(2)
  })

  it('says that access was withdrawn', async () => {
    const world = worldOf(provider)
    const { account } = await connectTo(provider, world)
    await world.end('revoked')
    await expect(openApi(doorTo(account))({ path: PATHS[provider] })).rejects.toMatchObject({
      failure: 'revoked',
    })
  })

  it('gives the permission back', async () => {
    const world = worldOf(provider)
    const { account, config } = await connectTo(provider, world)
    await revokeTokens(config, account.tokens, fetch)
    await revokeTokens(config, account.tokens, fetch)
    const asked = openApi(doorTo(account))({ path: PATHS[provider] })
    if (provider === 'calendar_b') expect((await asked).status).toBe(200)
    else await expect(asked).rejects.toMatchObject({ failure: 'revoked' })
  })
})

describe('tokens', () => {
  it('that expired are distinguished from withdrawn ones if the provider does so', async () => {
    for (const [provider, failure] of [
      ['calendar_a', 'revoked'],
      ['calendar_b', 'expired'],
      ['video_a', 'revoked'],
    ] as const) {
      const world = worldOf(provider)
      const { account, config } = await connectTo(provider, world)
      await world.end('expired')
      await expect(refreshTokens(config, account.tokens, fetch)).rejects.toMatchObject({ failure })
    }
  })

  it('that another request renewed at the same moment are used instead', async () => {
    const world = worldOf('video_a')
    const { account, config, kept } = await connectTo('video_a', world)
    const renewed = await refreshTokens(config, account.tokens, fetch)
    const due = withTokens(account, { expiresAt: 0 })
    const api = openApi(doorTo({ ...due, loadTokens: async () => renewed }))
    expect((await api({ path: PATHS.video_a })).status).toBe(200)
    expect(kept).toHaveLength(1)
    await expect(openApi(doorTo(due))({ path: PATHS.video_a })).rejects.toMatchObject({ failure: 'revoked' })
  })

  it('are not taken without a refresh token, or without every permission', async () => {
    const world = worldOf('calendar_a')
    const config = configOf('calendar_a', world.base)
    const exchange = (code: string) =>
      exchangeCode(config, { code, verifier: VERIFIER, redirectUri: REDIRECT_URI }, fetch)
    const online = { ...config, authorizationParameters: {} }
    await world.set({ grantedScope: config.scopes[0]! })
    await expect(consentedCodeOf(config, world).then(exchange)).rejects.toMatchObject({
      failure: 'refused',
      message: expect.stringContaining('«See the list of Google calendars you’re subscribed to»'),
    })
    await world.set({ grantedScope: 'all' })
    await expect(consentedCodeOf(online, world).then(exchange)).rejects.toMatchObject({ failure: 'refused' })
  })

  it('are not given to a service with the wrong secret', async () => {
    for (const provider of PROVIDERS) {
      const world = worldOf(provider)
      const { account, config } = await connectTo(provider, world)
      const wrong = { ...config, clientSecret: 'wrong' }
      await expect(refreshTokens(wrong, account.tokens, fetch)).rejects.toMatchObject({
        failure: 'misconfigured',
      })
    }
  })

  it('stay as they are when the endpoint cannot be asked or makes no sense', async () => {
    const { account, config } = await connectTo('calendar_a', worldOf('calendar_a'))
    const refresh = (send: Fetch) => refreshTokens(config, account.tokens, send)
    const late = answering(503, '', { 'Retry-After': '7' })
    await expect(refresh(late)).rejects.toMatchObject({ failure: 'unavailable', retryAfterMs: 7000 })
    const broken: Fetch = async () => {
      throw new TypeError('no route to 10.0.0.1')
    }
    const unanswered = refresh(broken)
    await expect(unanswered).rejects.toMatchObject({ failure: 'unavailable' })
    await expect(unanswered).rejects.not.toThrow('10.0.0.1')
    for (const body of ['{}', '<html>', '"x"', JSON.stringify({ access_token: 1, token_type: 'Bearer' })]) {
      await expect(refresh(answering(200, body))).rejects.toMatchObject({ failure: 'unusable' })
    }
    await expect(refresh(answering(200, ' '.repeat(70_000)))).rejects.toMatchObject({ failure: 'unusable' })
  })
})

describe('a permission', () => {
  const refresh = async (error: Readonly<Record<string, string>>, status = 400) => {
    const { account, config } = await connectTo('calendar_a', worldOf('calendar_a'))
    return refreshTokens(config, account.tokens, answering(status, JSON.stringify(error)))
  }

  it.each([
    ['invalid_client', 401],
    ['deleted_client', 401],
    ['disabled_client', 401],
    ['unauthorized_client', 400],
  ])('stays when this service is refused with %s', async (error, status) => {
    await expect(refresh({ error }, status)).rejects.toMatchObject({ failure: 'misconfigured' })
  })

  it('ends with invalid_grant, and with nothing else', async () => {
    await expect(refresh({ error: 'invalid_grant' })).rejects.toMatchObject({ failure: 'revoked' })
    for (const error of [
      { error: 'interaction_required', suberror: 'basic_action' },
      { error: 'invalid_grant', suberror: 'message_only' },
      { error: 'invalid_request' },
    ]) {
      await expect(refresh(error)).rejects.toMatchObject({ failure: 'refused' })
    }
    const busy = refresh({ error: 'temporarily_unavailable' })
    await expect(busy).rejects.toMatchObject({ failure: 'unavailable' })
  })

  it.each([
    ['AADSTS53003', 'refused'],
    ['AADSTS50076', 'refused'],
    ['AADSTS50079', 'refused'],
    ['AADSTS50020', 'revoked'],
    ['AADSTS50057', 'revoked'],
    ['AADSTS50173', 'revoked'],
    ['AADSTS65001', 'revoked'],
    ['AADSTS70008', 'expired'],
    ['AADSTS70043', 'expired'],
    ['AADSTS700082', 'expired'],
    ['AADSTS90033', 'unavailable'],
  ])('that Microsoft does not renew with %s is %s', async (refreshError, failure) => {
    const world = worldOf('calendar_b')
    const { account, config } = await connectTo('calendar_b', world)
    await world.set({ refreshError })
    await expect(refreshTokens(config, account.tokens, fetch)).rejects.toMatchObject({ failure })
  })

  it.each([{ secret: 'another' }, { secretState: 'expired' }, { isKnown: false }, { isDisabled: true }])(
    'stays when Microsoft takes this service for %o',
    async (registration) => {
      const world = worldOf('calendar_b')
      const { account, config } = await connectTo('calendar_b', world)
      await world.register(registration)
      const refused = refreshTokens(config, account.tokens, fetch)
      await expect(refused).rejects.toMatchObject({ failure: 'misconfigured' })
    },
  )
})

describe('the API of a provider', () => {
  const ask = async (send: Fetch, path = '/x') => {
    const config = configOf('calendar_a', 'https://api.example')
    const tokens = { accessToken: 'secret-token', refreshToken: 'r', expiresAt: Date.now() + 1e6, scope: '' }
    return openApi(doorTo({ config, tokens, onTokens: async () => {} }, send))({ path })
  }

  it('is classified by what it refuses', async () => {
    const limit = JSON.stringify({ error: { errors: [{ reason: 'rateLimitExceeded' }] } })
    const forbidden = JSON.stringify({ error: { errors: [{ reason: 'insufficientPermissions' }] } })
    const switchedOff = JSON.stringify({
      error: { errors: [{ reason: 'accessNotConfigured' }], details: [{ reason: 'SERVICE_DISABLED' }] },
    })
    for (const [status, body, failure] of [
      [403, limit, 'unavailable'],
      [403, forbidden, 'refused'],
      [403, '', 'refused'],
      [403, switchedOff, 'misconfigured'],
      [429, '', 'unavailable'],
      [502, '<html>', 'unavailable'],
      [400, '{}', 'unusable'],
      [302, '', 'unusable'],
    ] as const) {
      await expect(ask(answering(status, body))).rejects.toMatchObject({ failure })
    }
  })

  it('does not end a permission that was renewed, whatever it refuses', async () => {
    const renewed = JSON.stringify({ access_token: 'new', token_type: 'Bearer', expires_in: 3600 })
    const send: Fetch = (url, init) =>
      url.endsWith('/token') ? answering(200, renewed)(url, init) : answering(401, '{}')(url, init)
    await expect(ask(send)).rejects.toMatchObject({ failure: 'refused' })
  })

  it('says when it wants to be asked again', async () => {
    const inAMinute = new Date(Date.now() + 60_000).toUTCString()
    await expect(ask(answering(429, '', { 'Retry-After': '30' }))).rejects.toMatchObject({
      retryAfterMs: 30_000,
    })
    const error = await ask(answering(503, '', { 'Retry-After': inAMinute })).catch((thrown) => thrown)
    expect(error.retryAfterMs).toBeGreaterThan(55_000)
    await expect(ask(answering(503, ''))).rejects.toMatchObject({ retryAfterMs: null })
    await expect(ask(answering(429, '', { 'Retry-After': '1.5' }))).rejects.toMatchObject({
      retryAfterMs: 1500,
    })
  })

  it('gets the token only below its own address, and no redirect is followed', async () => {
    const urls: string[] = []
    const send: Fetch = async (url, init) => {
      urls.push(url)
      expect(init!.redirect).toBe('manual')
      return new Response('{}')
    }
    await ask(send, 'https://api.example/calendar/v3/next?x=1')
    for (const elsewhere of [
      'https://evil.example/next',
      'https://api.example.evil/x',
      'http://api.example/x',
    ]) {
      await expect(ask(send, elsewhere)).rejects.toMatchObject({ failure: 'unusable' })
    }
    expect(urls).toEqual(['https://api.example/calendar/v3/next?x=1'])
  })

  it('is not waited for longer than the caller wants, nor read without end', async () => {
    const never: Fetch = (_, init) =>
      new Promise((_, reject) => init!.signal!.addEventListener('abort', () => reject(new Error('aborted'))))
    const config = configOf('calendar_a', 'https://api.example')
    const tokens = { accessToken: 'x', refreshToken: 'r', expiresAt: Date.now() + 1e6, scope: '' }
    const api = openApi(doorTo({ config, tokens, onTokens: async () => {} }, never))
    await expect(api({ path: '/x', signal: AbortSignal.timeout(50) })).rejects.toMatchObject({
      failure: 'unavailable',
    })
    const endless: Fetch = async () => {
      const piece = new Uint8Array(1024 * 1024).fill(32)
      return new Response(new ReadableStream({ pull: (controller) => controller.enqueue(piece) }))
    }
    await expect(ask(endless)).rejects.toMatchObject({ failure: 'unusable' })
  })
})

describe('a consent that was not given', () => {
  it.each([
    ['AADSTS65001', 'administrator'],
    ['AADSTS90093', 'administrator'],
    ['AADSTS90094', 'administrator'],
    ['AADSTS90095', 'administrator-asked'],
    ['AADSTS90090', 'busy'],
    ['AADSTS65004', 'declined'],
    ['AADSTS1', 'cancelled'],
  ])('is recognized by its code: %s', (code, why) => {
    const answered = { error: 'access_denied', error_description: `${code}: Something. Trace ID: 1` }
    expect(readConsentRefusal(answered)).toBe(why)
  })
})
