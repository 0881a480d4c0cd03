import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { Doubles } from '../../doubles/start-doubles.ts'
import { calendarScope, newWorld, reasonOf, redirectUri, startGoogle } from '../support/google-double.ts'

let doubles: Doubles
beforeAll(async () => {
  doubles = await startGoogle()
})
afterAll(() => doubles.stop())

const listScope = `${calendarScope}.calendarlist.readonly`
const eventsScope = `${calendarScope}.events`

describe('consent', () => {
  it('is a page with a button for each pretend account if the request names no account', async () => {
    const world = newWorld(doubles)
    const page = await world.ask(
      `/o/oauth2/v2/auth?client_id=holdfast-double&redirect_uri=${redirectUri}&response_type=code&scope=openid`,
    )
    expect(page.status).toBe(200)
    expect(page.json.text.match(/<button name="as"/g)).toHaveLength(2)
  })

  it('gives a code that is good once, with the verifier of its challenge', async () => {
    const world = newWorld(doubles)
    const code = await world.codeFor()
    const { status, json } = await world.exchange(code)
    expect([status, json.token_type, json.expires_in]).toEqual([200, 'Bearer', 3599])
    expect(json.access_token).toMatch(/^ya29\./)
    expect(json.refresh_token).toMatch(/^1\/\//)
    const again = await world.exchange(code)
    expect([again.status, again.json.error]).toEqual([400, 'invalid_grant'])
  })

  it.each([
    [
      { code_verifier: 'another-verifier-of-more-than-forty-three-signs-01' },
      'invalid_grant',
      'Invalid code verifier.',
    ],
    [{ code_verifier: '' }, 'invalid_grant', 'Missing code verifier.'],
    [{ redirect_uri: 'http://localhost:1/other' }, 'redirect_uri_mismatch', 'Bad Request'],
    [{ code: 'no-code' }, 'invalid_grant', 'Malformed auth code.'],
    [{ grant_type: 'password' }, 'unsupported_grant_type', 'Invalid grant_type: password'],
  ])('refuses an exchange with %j', async (more, error, description) => {
    const world = newWorld(doubles)
    const { status, json } = await world.exchange(await world.codeFor(), more)
    expect([status, json.error, json.error_description]).toEqual([400, error, description])
  })

  it('informs the app that somebody cancelled', async () => {
    const { headers } = await newWorld(doubles).authorize({ deny: '1' })
    const query = new URL(headers.get('location')!).searchParams
    expect([query.get('error'), query.get('state')]).toEqual(['access_denied', 'some-state'])
  })

  it('gives a refresh token for offline access and a requested consent, not for a repeated sign-in', async () => {
    const world = newWorld(doubles)
    const first = await world.connect({ prompt: 'select_account' })
    const returning = await world.connect({ prompt: 'select_account' })
    const online = await world.connect({ access_type: 'online' })
    const asked = await world.connect()
    const has = [first, returning, online, asked].map(({ tokens }) => 'refresh_token' in tokens)
    expect(has).toEqual([true, false, false, true])
  })

  it('grants what people tick, and calls that need more are refused', async () => {
    const world = newWorld(doubles)
    await world.control('PUT', '', { grantedScope: [listScope] })
    const { tokens, call } = await world.connect({ scope: `openid ${listScope} ${eventsScope}` })
    expect(tokens.scope.split(' ')).toEqual(['openid', listScope])
    expect((await call('GET', '/users/me/calendarList')).status).toBe(200)
    const refused = await call('GET', '/calendars/primary/events')
    expect(reasonOf(refused)).toEqual([403, 'insufficientPermissions'])
    expect(refused.json.error.details[0].reason).toBe('ACCESS_TOKEN_SCOPE_INSUFFICIENT')
    expect(refused.headers.get('www-authenticate')).toContain('insufficient_scope')
  })

  it('does not read a calendar with the scopes of events and of the list', async () => {
    const { call } = await newWorld(doubles).connect({ scope: `${listScope} ${eventsScope}` })
    expect(reasonOf(await call('GET', '/calendars/primary'))).toEqual([403, 'insufficientPermissions'])
  })

  it.each([
    ['admin_policy_enforced', 400],
    ['org_internal', 403],
  ])('ends on a page of %s, or comes back with it', async (consent, status) => {
    const world = newWorld(doubles)
    await world.control('PUT', '/registration', { consent })
    const page = await world.authorize()
    expect([page.status, page.json.text.includes(consent)]).toEqual([status, true])
    await world.control('PUT', '', { arePolicyErrorsRedirected: true })
    expect((await world.authorize()).headers.get('location')).toContain(`error=${consent}`)
  })

  it.each([
    [{ redirect_uri: 'http://example.com/callback' }, 400, 'redirect_uri_mismatch'],
    [{ client_id: 'another' }, 401, 'invalid_client'],
    [{ scope: 'https://www.googleapis.com/auth/nothing' }, 400, 'invalid_scope'],
    [{ response_type: 'token' }, 400, 'unsupported_response_type'],
    [{ access_type: 'always' }, 400, 'invalid_request'],
  ])('shows the person what is wrong with %j', async (more, status, error) => {
    const page = await newWorld(doubles).authorize(more)
    expect([page.status, page.headers.has('location')]).toEqual([status, false])
    expect(page.json.text).toContain(error)
  })
})

describe('a grant', () => {
  it('is renewed without another refresh token', async () => {
    const world = newWorld(doubles)
    const { tokens, call } = await world.connect()
    await world.control('POST', '/expire')
    const stale = await call('GET', '/users/me/calendarList')
    expect(reasonOf(stale)).toEqual([401, 'authError'])
    expect(stale.headers.get('www-authenticate')).toContain('invalid_token')
    const { status, json } = await world.refresh(tokens.refresh_token)
    expect([status, 'refresh_token' in json]).toEqual([200, false])
  })

  it.each([
    ['revoked', 'Token has been expired or revoked.'],
    ['expired', 'Token has been expired or revoked.'],
    ['removed', 'The account has been deleted'],
    ['reauth', 'reauth related error (invalid_rapt)'],
  ])('that was %s is an invalid_grant, and consent can be given again', async (how, description) => {
    const world = newWorld(doubles)
    const { tokens, call } = await world.connect()
    await world.control('POST', '/end', { how })
    const { status, json } = await world.refresh(tokens.refresh_token)
    expect([status, json.error, json.error_description]).toEqual([400, 'invalid_grant', description])
    expect((await call('GET', '/users/me/calendarList')).status).toBe(401)
    const fresh = await world.connect()
    expect((await fresh.call('GET', '/users/me/calendarList')).status).toBe(200)
  })

  it('of an app in testing lives seven days by the clock of the world, and says so', async () => {
    const world = newWorld(doubles)
    await world.control('PUT', '/registration', { publishing: 'testing', testUsers: ['owner@example.com'] })
    const { tokens } = await world.connect()
    expect(tokens.refresh_token_expires_in).toBeGreaterThan(604_700)
    await world.control('PUT', '/clock', { ahead_ms: 6 * 86_400_000 })
    expect((await world.refresh(tokens.refresh_token)).status).toBe(200)
    await world.control('PUT', '/clock', { ahead_ms: 7 * 86_400_000 })
    expect((await world.refresh(tokens.refresh_token)).json.error).toBe('invalid_grant')
    expect((await world.authorize({ as: 'stranger@example.com' })).status).toBe(403)
  })

  it('is taken back with all the others that the app has of the person', async () => {
    const world = newWorld(doubles)
    const one = await world.connect()
    const two = await world.connect()
    const theirs = await world.connect({ as: 'other@example.com' })
    expect((await world.form('/revoke', { token: one.tokens.refresh_token })).status).toBe(200)
    expect((await world.refresh(two.tokens.refresh_token)).json.error).toBe('invalid_grant')
    expect((await world.refresh(theirs.tokens.refresh_token)).status).toBe(200)
    const again = await world.form('/revoke', { token: one.tokens.refresh_token })
    expect([again.status, again.json.error]).toEqual([400, 'invalid_token'])
  })

  it('is one of a hundred, and the oldest ends without a word', async () => {
    const world = newWorld(doubles)
    await world.control('PUT', '', { refreshTokensPerAccount: 2 })
    const [first, second] = [await world.connect(), await world.connect(), await world.connect()]
    expect((await world.refresh(first.tokens.refresh_token)).json.error).toBe('invalid_grant')
    expect((await world.refresh(second.tokens.refresh_token)).status).toBe(200)
  })
})

describe('the registration of the app', () => {
  it.each([
    [{ secret: 'another' }, 401, 'invalid_client'],
    [{ client: 'unknown' }, 401, 'invalid_client'],
    [{ client: 'deletedAsInvalid' }, 401, 'invalid_client'],
    [{ client: 'deleted' }, 401, 'deleted_client'],
    [{ client: 'disabled' }, 401, 'disabled_client'],
  ])('with %j keeps grants, though none can be renewed in the meantime', async (fault, status, error) => {
    const world = newWorld(doubles)
    const { tokens } = await world.connect()
    await world.control('PUT', '/registration', fault)
    const refused = await world.refresh(tokens.refresh_token)
    expect([refused.status, refused.json.error]).toEqual([status, error])
    await world.control('PUT', '/registration', { secret: 'double-secret_1', client: 'live' })
    expect((await world.refresh(tokens.refresh_token)).status).toBe(200)
  })

  it('is sent in the form or as Basic, not as both', async () => {
    const world = newWorld(doubles)
    const { tokens } = await world.connect()
    const basic = (more: Record<string, string>) =>
      world.ask('/token', {
        method: 'POST',
        headers: { Authorization: `Basic ${btoa('holdfast-double:double-secret_1')}` },
        body: new URLSearchParams({
          grant_type: 'refresh_token',
          refresh_token: tokens.refresh_token,
          ...more,
        }),
      })
    expect((await basic({})).status).toBe(200)
    expect((await basic({ client_secret: 'double-secret_1' })).json.error).toBe('invalid_request')
  })

  it('without the API switched on has every call refused, though tokens are renewed', async () => {
    const world = newWorld(doubles)
    const { tokens, call } = await world.connect()
    await world.control('PUT', '/registration', { isApiOn: false })
    const refused = await call('GET', '/users/me/calendarList')
    expect(reasonOf(refused)).toEqual([403, 'accessNotConfigured'])
    expect(refused.json.error).toMatchObject({
      status: 'PERMISSION_DENIED',
      details: [{ reason: 'SERVICE_DISABLED' }],
    })
    expect((await world.refresh(tokens.refresh_token)).status).toBe(200)
  })

  it('that an administrator bars later is rejected at the renewal', async () => {
    const world = newWorld(doubles)
    const { tokens } = await world.connect()
    await world.control('PUT', '/registration', { consent: 'admin_policy_enforced' })
    expect((await world.refresh(tokens.refresh_token)).json.error).toBe('admin_policy_enforced')
  })
})

describe('limits and faults', () => {
  it.each([
    ['rateLimitExceeded', 403, 'rateLimitExceeded'],
    ['userRateLimitExceeded', 403, 'userRateLimitExceeded'],
    ['quotaExceeded', 403, 'quotaExceeded'],
    ['tooManyRequests', 429, 'rateLimitExceeded'],
    ['backendError', 500, 'backendError'],
    ['backendUnavailable', 503, 'backendError'],
    ['authError', 401, 'authError'],
  ])('are returned as %s, once', async (kind, status, reason) => {
    const world = newWorld(doubles)
    const { call } = await world.connect()
    await world.control('PUT', '', { refusals: [{ about: 'calendarList', kind, retryAfterSeconds: 7 }] })
    expect(reasonOf(await call('GET', '/users/me/calendarList'))).toEqual([status, reason])
    expect((await call('GET', '/users/me/calendarList')).status).toBe(200)
  })

  it('count the calls of one person in a minute', async () => {
    const world = newWorld(doubles)
    const { call } = await world.connect()
    await world.control('PUT', '', { callsPerMinute: 2 })
    const statuses = []
    for (let times = 0; times < 3; times++)
      statuses.push((await call('GET', '/users/me/calendarList')).status)
    expect(statuses).toEqual([200, 200, 403])
    await world.control('PUT', '/clock', { ahead_ms: 61_000 })
    expect((await call('GET', '/users/me/calendarList')).status).toBe(200)
  })

  it('say which credential was missing', async () => {
    const refused = await newWorld(doubles).ask('/calendar/v3/users/me/calendarList')
    expect(reasonOf(refused)).toEqual([401, 'required'])
  })
})
