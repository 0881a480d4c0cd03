import { createHash, createHmac } from 'node:crypto'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { describe, expect, it } from 'vitest'
import type { Json } from '../../doubles/world.ts'
import { openZoom } from '../../doubles/zoom/open-zoom.ts'
import { freshWorld } from '../support/fresh-world.ts'

const REDIRECT_URI = 'http://127.0.0.1:4000/callback'
const VERIFIER = 'a'.repeat(64)
const CHALLENGE = createHash('sha256').update(VERIFIER).digest('base64url')
const BASIC = `Basic ${btoa('holdfast-double:double-secret_1')}`

const { base, control } = freshWorld(openZoom)

async function authorize(more: Record<string, string> = {}): Promise<Response> {
  const query = new URLSearchParams({
    response_type: 'code',
    client_id: 'holdfast-double',
    redirect_uri: REDIRECT_URI,
    state: 's1',
    code_challenge: CHALLENGE,
    code_challenge_method: 'S256',
    ...more,
  })
  return fetch(`${base()}/oauth/authorize?${query}`, { redirect: 'manual' })
}

async function consent(email = 'owner@example.com'): Promise<string> {
  const response = await authorize({ as: email })
  return new URL(response.headers.get('Location')!).searchParams.get('code')!
}

async function token(
  form: Record<string, string>,
  authorization = BASIC,
): Promise<{ status: number } & Json> {
  const response = await fetch(`${base()}/oauth/token`, {
    method: 'POST',
    headers: { Authorization: authorization },
    body: new URLSearchParams(form),
  })
  return { status: response.status, ...((await response.json()) as Json) }
}

function exchange(code: string, more: Record<string, string> = {}) {
  return token({
    grant_type: 'authorization_code',
    code,
    redirect_uri: REDIRECT_URI,
    code_verifier: VERIFIER,
    ...more,
  })
}

const refresh = (refresh_token: string) => token({ grant_type: 'refresh_token', refresh_token })

async function connect(email?: string): Promise<Json> {
  return exchange(await consent(email))
}

async function api(
  accessToken: string,
  method: string,
  path: string,
  json?: unknown,
): Promise<{ status: number; json: Json; headers: Headers }> {
  const response = await fetch(`${base()}/v2${path}`, {
    method,
    headers: { Authorization: `Bearer ${accessToken}`, 'Content-Type': 'application/json' },
    ...(json !== undefined && { body: typeof json === 'string' ? json : JSON.stringify(json) }),
  })
  const text = await response.text()
  return { status: response.status, json: text ? JSON.parse(text) : {}, headers: response.headers }
}

const clock = (ms: number) => control('PUT', '/clock', { ahead_ms: ms })

const MEETING = { topic: 'Intro', type: 2, start_time: '2030-01-07T10:00:00Z', duration: 30 }

describe('consent', () => {
  it('shows a page with a button for each pretend account', async () => {
    const response = await authorize()
    const html = await response.text()
    expect(response.headers.get('Content-Type')).toContain('text/html')
    expect(html).toContain('value="owner@example.com"')
    expect(html).toContain('value="colleague@example.com"')
  })

  it('goes back with a code and the state, or with the denial', async () => {
    const allowed = new URL((await authorize({ as: 'owner@example.com' })).headers.get('Location')!)
    expect(allowed.searchParams.get('state')).toBe('s1')
    expect(allowed.searchParams.get('code')).toBeTruthy()
    const denied = new URL((await authorize({ deny: '1' })).headers.get('Location')!)
    expect(denied.searchParams.get('error')).toBe('access_denied')
  })

  it('says what is wrong with the request at the page and not to the app', async () => {
    await control('PUT', '/registration', { redirectUris: ['http://127.0.0.1:1/callback'] })
    expect((await authorize({ as: 'owner@example.com' })).status).toBe(302)
    for (const wrong of [
      { client_id: 'other' },
      { redirect_uri: 'https://evil.example/callback' },
      { scope: 'meeting:write:meeting phone:read:user' },
    ]) {
      const response = await authorize({ as: 'owner@example.com', ...wrong })
      expect(response.status).toBe(400)
      expect(await response.json()).toMatchObject({ status: false, errorCode: 4700 })
    }
    await control('PUT', '/registration', { needsAdminApproval: true })
    expect((await authorize({ as: 'owner@example.com' })).status).toBe(200)
  })
})

describe('tokens', () => {
  it('are issued for a code with PKCE, once and within five minutes', async () => {
    const code = await consent()
    const tokens = await exchange(code)
    expect(tokens).toMatchObject({ status: 200, token_type: 'bearer', expires_in: 3599, api_url: base() })
    expect(tokens.scope).toContain('meeting:write:meeting')
    expect(await exchange(code)).toMatchObject({
      status: 400,
      error: 'invalid_request',
      reason: `Invalid authorization code ${code}`,
    })
    const late = await consent()
    await clock(301_000)
    expect(await exchange(late)).toMatchObject({ status: 400, reason: 'Code is expired' })
  })

  it('need the verifier and the redirect address of the consent', async () => {
    expect((await exchange(await consent(), { code_verifier: 'b'.repeat(64) })).status).toBe(400)
    expect(await exchange(await consent(), { redirect_uri: 'http://127.0.0.1:4000/other' })).toMatchObject({
      reason: 'Redirect URI mismatch.',
    })
  })

  it('need credentials that are not percent-encoded before they are in Base64', async () => {
    const encoded = `Basic ${btoa('holdfast%2Ddouble:double%2Dsecret%5F1')}`
    expect(await token({ grant_type: 'refresh_token', refresh_token: 'x' }, encoded)).toEqual({
      status: 400,
      reason: 'Invalid client_id or client_secret',
      error: 'invalid_client',
    })
    expect(await token({ grant_type: 'password' })).toMatchObject({ error: 'unsupported_grant_type' })
  })

  it('take each other’s place: the refresh token works once, and only the newest access token works', async () => {
    const first = await connect()
    const [one, two] = await Promise.all([refresh(first.refresh_token), refresh(first.refresh_token)])
    expect([one.status, two.status].sort()).toEqual([200, 400])
    const [kept, refused] = one.status === 200 ? [one, two] : [two, one]
    expect(refused).toEqual({ status: 400, reason: 'Invalid Token!', error: 'invalid_grant' })
    expect((await api(first.access_token, 'GET', '/users/me')).json).toEqual({
      code: 124,
      message: 'Invalid access token.',
    })
    expect((await api(kept!.access_token, 'GET', '/users/me')).status).toBe(200)
    expect((await refresh(kept!.refresh_token)).status).toBe(200)
  })

  it('may all end with a refresh token that is used again', async () => {
    await control('PUT', '', { reusedRefreshToken: 'ends the grant' })
    const first = await connect()
    const second = await refresh(first.refresh_token)
    await refresh(first.refresh_token)
    expect((await refresh(second.refresh_token)).status).toBe(400)
    expect((await api(second.access_token, 'GET', '/users/me')).status).toBe(401)
  })

  it('live an hour and 90 days', async () => {
    const tokens = await connect()
    await clock(3_600_000)
    const expired = await api(tokens.access_token, 'GET', '/users/me')
    expect([expired.status, expired.json]).toEqual([401, { code: 124, message: 'Access token is expired.' }])
    await clock(90 * 86_400_000 + 1000)
    expect((await refresh(tokens.refresh_token)).error).toBe('invalid_grant')
  })

  it('of an earlier consent of the same user end with the next, those of another do not', async () => {
    const [first, other] = [await connect(), await connect('colleague@example.com')]
    await connect()
    expect((await api(first.access_token, 'GET', '/users/me')).status).toBe(401)
    expect(await refresh(first.refresh_token)).toMatchObject({ status: 400, error: 'invalid_grant' })
    expect((await api(other.access_token, 'GET', '/users/me')).json.email).toBe('colleague@example.com')
  })

  it('end as a test says', async () => {
    const tokens = await connect()
    await control('POST', '/expire')
    expect((await api(tokens.access_token, 'GET', '/users/me')).json.message).toBe('Access token is expired.')
    const renewed = await refresh(tokens.refresh_token)
    await control('POST', '/end', { how: 'removed' })
    expect((await refresh(renewed.refresh_token)).reason).toBe('The owner of the token does not exist.')
    expect((await connect()).status).toBe(200)
    await control('PUT', '/registration', { isDisabled: true })
    expect(await token({ grant_type: 'refresh_token', refresh_token: 'x' })).toMatchObject({
      error: 'invalid_client',
      reason: 'The app has been disabled',
    })
  })
})

describe('scopes', () => {
  it('are listed if they are missing, and users other than me are an administrator’s', async () => {
    await control('PUT', '', { grantedScope: 'user:read:user' })
    const { access_token } = await connect()
    const refused = await api(access_token, 'POST', '/users/me/meetings', MEETING)
    expect([refused.status, refused.json]).toEqual([
      400,
      {
        code: 4711,
        message:
          'Invalid access token, does not contain scopes:[meeting:write:meeting, meeting:write:meeting:admin].',
      },
    ])
    expect((await api(access_token, 'GET', '/users/owner@example.com')).json.message).toContain(
      'scopes:[user:read:user:admin]',
    )
  })

  it('of classic apps do for all that they cover', async () => {
    await control('PUT', '/registration', { scopes: ['user:read', 'meeting:write'] })
    const { access_token } = await connect()
    const made = await api(access_token, 'POST', '/users/me/meetings', MEETING)
    expect(made.status).toBe(201)
    expect((await api(access_token, 'GET', `/meetings/${made.json.id}`)).json.message).toContain(
      'scopes:[meeting:read, meeting:read:admin]',
    )
    expect((await api(access_token, 'DELETE', `/meetings/${made.json.id}`)).status).toBe(204)
  })
})

describe('meetings', () => {
  it('are made, returned, changed and deleted once', async () => {
    const { access_token } = await connect()
    const me = (await api(access_token, 'GET', '/users/me')).json
    expect(me).toMatchObject({ email: 'owner@example.com', account_id: expect.any(String) })
    expect(String(me.pmi)).toMatch(/^\d{10}$/)
    const made = await api(access_token, 'POST', '/users/me/meetings', MEETING)
    expect(made.status).toBe(201)
    expect(made.json).toMatchObject({
      host_id: me.id,
      status: 'waiting',
      start_time: '2030-01-07T10:00:00Z',
      join_url: expect.stringContaining(`/j/${made.json.id}?pwd=`),
    })
    expect(made.json.id).toBeGreaterThan(2 ** 32)
    const path = `/meetings/${made.json.id}`
    expect((await api(access_token, 'PATCH', path, { topic: 'Moved', duration: 45 })).status).toBe(204)
    expect((await api(access_token, 'GET', path)).json).toMatchObject({ topic: 'Moved', duration: 45 })
    expect((await api(access_token, 'DELETE', path)).status).toBe(204)
    const again = await api(access_token, 'DELETE', path)
    expect([again.status, again.json]).toEqual([
      404,
      { code: 3001, message: `Meeting does not exist: ${made.json.id}.` },
    ])
  })

  it('start by the clocks of their time zone, and not in the past of a change', async () => {
    const { access_token } = await connect()
    const local = { ...MEETING, start_time: '2030-07-07T10:00:00', timezone: 'America/New_York' }
    const made = await api(access_token, 'POST', '/users/me/meetings', local)
    expect(made.json).toMatchObject({ start_time: '2030-07-07T14:00:00Z', timezone: 'America/New_York' })
    const past = await api(access_token, 'PATCH', `/meetings/${made.json.id}`, {
      start_time: '2020-01-01T10:00:00Z',
    })
    expect(past.status).toBe(204)
    expect((await api(access_token, 'GET', `/meetings/${made.json.id}`)).json.start_time).toBe(
      '2030-07-07T14:00:00Z',
    )
    const timeless = await api(access_token, 'POST', '/users/me/meetings', { topic: 'Now', type: 2 })
    expect(timeless.json.type).toBe(1)
  })

  it('are refused with the fields that are wrong', async () => {
    const { access_token } = await connect()
    const wrong = {
      topic: 'x'.repeat(201),
      agenda: 'x'.repeat(2001),
      type: 5,
      start_time: '2030-01-07T10:00:00+02:00',
      timezone: 'Mars/Base',
    }
    const refused = await api(access_token, 'POST', '/users/me/meetings', wrong)
    expect(refused.status).toBe(400)
    expect(refused.json).toMatchObject({ code: 300, message: 'Validation Failed.' })
    expect(refused.json.errors.map(({ field }: Json) => field).sort()).toEqual(Object.keys(wrong).sort())
    expect((await api(access_token, 'POST', '/users/me/meetings', 'nonsense')).json).toEqual({
      code: 300,
      message: 'Request Body should be a valid JSON object.',
    })
    await control('PUT', '', { meeting: 'failed' })
    expect((await api(access_token, 'POST', '/users/me/meetings', MEETING)).json.code).toBe(3161)
  })
})

describe('limits', () => {
  it('end a host’s day after 100 meetings that were made or changed, until midnight in UTC', async () => {
    await control('PUT', '', { plan: 'business', dailyMeetingRequests: 2 })
    await clock(Date.parse('2031-05-30T12:00:00Z') - Date.now())
    const { access_token } = await connect()
    const made = await api(access_token, 'POST', '/users/me/meetings', MEETING)
    expect(made.headers.get('X-RateLimit-Remaining')).toBe('1')
    await api(access_token, 'PATCH', `/meetings/${made.json.id}`, { topic: 'Changed' })
    const refused = await api(access_token, 'POST', '/users/me/meetings', MEETING)
    expect(refused.status).toBe(429)
    expect(refused.json.code).toBe(429)
    expect(refused.json.message).toContain(
      'You have exceeded the daily rate limit (2) of Meeting Create/Update',
    )
    expect(refused.headers.get('X-RateLimit-Type')).toBe('Daily-limit')
    expect(refused.headers.get('Retry-After')).toBe('2031-05-31T00:00:00Z')
    expect((await api(access_token, 'DELETE', `/meetings/${made.json.id}`)).status).toBe(204)
    await control('PUT', '', { dailyLimitHeaders: 'reported' })
    const bare = await api(access_token, 'POST', '/users/me/meetings', MEETING)
    expect([bare.status, bare.headers.get('Retry-After')]).toEqual([429, null])
  })

  it('hold an account to so many requests in a second', async () => {
    await control('PUT', '', { plan: 'free' })
    const { access_token } = await connect()
    const all = await Promise.all(Array.from({ length: 12 }, () => api(access_token, 'GET', '/users/me')))
    const refused = all.find(({ status }) => status === 429)!
    expect(refused.json.message).toContain('maximum per-second rate limit')
    expect(refused.headers.get('X-RateLimit-Type')).toBe('QPS')
    expect(refused.headers.get('Retry-After')).toBeNull()
  })
})

describe('the app’s endpoint', () => {
  it('gets a signed notification that the app was removed, at zoom.us or by revocation', async () => {
    await control('PUT', '/registration', { notificationUrl: 'https://app.example/zoom' })
    const { access_token } = await connect()
    const revoked = await fetch(`${base()}/oauth/revoke?token=${encodeURIComponent(access_token)}`, {
      method: 'POST',
      headers: { Authorization: BASIC },
    })
    expect(await revoked.json()).toEqual({ status: 'success' })
    expect((await api(access_token, 'GET', '/users/me')).status).toBe(401)
    await connect()
    await control('POST', '/end', { how: 'revoked' })
    const { notifications, user } = await control('GET', '')
    expect(notifications).toHaveLength(2)
    for (const { headers, body } of notifications) {
      const mac = createHmac('sha256', 'double-webhook-secret_1')
        .update(`v0:${headers['x-zm-request-timestamp']}:${body}`)
        .digest('hex')
      expect(headers['x-zm-signature']).toBe(`v0=${mac}`)
      expect(headers.authorization).toBe('double-verification-token')
      expect(JSON.parse(body)).toMatchObject({
        event: 'app_deauthorized',
        payload: { user_id: user.id, account_id: user.account_id, client_id: 'holdfast-double' },
      })
    }
  })

  it('is validated with a token that it has to sign', async () => {
    let secret = 'double-webhook-secret_1'
    const server = createServer(async (request, response) => {
      let body = ''
      for await (const piece of request) body += piece
      const { plainToken } = JSON.parse(body).payload
      const encryptedToken = createHmac('sha256', secret).update(plainToken).digest('hex')
      response.end(JSON.stringify({ plainToken, encryptedToken }))
    })
    await new Promise<void>((done) => server.listen(0, '127.0.0.1', done))
    const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/zoom`
    expect(await control('POST', '/validate-endpoint', { url })).toMatchObject({ isValid: true })
    secret = 'another'
    expect(await control('POST', '/validate-endpoint', { url })).toMatchObject({ isValid: false })
    server.close()
  })
})
