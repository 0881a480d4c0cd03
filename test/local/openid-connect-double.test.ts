import { createHash } from 'node:crypto'
import { describe, expect, it } from 'vitest'
import {
  BASIC,
  basic,
  openidConnectDouble,
  REDIRECT,
  SECRET,
  VERIFIER,
} from '../support/openid-connect-double.ts'

const double = openidConnectDouble()
const { authorize, redeem, signIn, userinfo, register, set, control } = double
const codeFor = async () => (await authorize()).back!.code

const problem = ({ status, json }: { status: number; json: { error?: string } }) => [status, json.error]

describe('discovery', () => {
  it('returns the issuer it was requested from, and addresses that answer', async () => {
    const told = await double.configuration()
    expect(told).toMatchObject({
      issuer: double.base(),
      response_types_supported: ['code'],
      subject_types_supported: ['public'],
      id_token_signing_alg_values_supported: ['RS256'],
      code_challenge_methods_supported: ['S256'],
      authorization_response_iss_parameter_supported: true,
    })
    expect((await fetch(told.jwks_uri)).status).toBe(200)
    expect((await fetch(told.userinfo_endpoint)).status).toBe(401)
    expect((await double.ask('//.well-known/openid-configuration')).status).toBe(404)
  })
})

describe('the authorization endpoint', () => {
  it('goes back with a code, the state as it came, the issuer and the query of the address', async () => {
    const { status, back } = await authorize()
    expect(status).toBe(302)
    expect(back).toEqual({ kept: '1', code: expect.any(String), state: 's 1&', iss: double.base() })
  })

  it.each([
    ['another client', { client_id: 'other' }],
    ['no redirect_uri', { redirect_uri: null }],
    ['a redirect_uri that only begins alike', { redirect_uri: `${REDIRECT}&more=1` }],
    ['one with a fragment', { redirect_uri: `${REDIRECT}#` }],
  ])('shows an error to the person, and does not redirect, for %s', async (_, changes) => {
    await register({ redirectUris: [REDIRECT] })
    const { status, back } = await authorize(changes)
    expect([status, back]).toEqual([400, null])
  })

  it.each([
    ['invalid_request', { response_type: null }],
    ['unsupported_response_type', { response_type: 'id_token' }],
    ['invalid_scope', { scope: 'email' }],
    ['invalid_request', { code_challenge: null, code_challenge_method: null }],
    ['invalid_request', { code_challenge_method: 'plain' }],
    ['invalid_request', { code_challenge_method: null }],
    ['invalid_request', { code_challenge: 'short' }],
    ['invalid_request', { prompt: 'none login' }],
    ['invalid_request', { response_mode: 'fragment' }],
    ['request_not_supported', { request: 'x' }],
    ['login_required', { prompt: 'none', as: null }],
    ['access_denied', { deny: '1' }],
  ])('goes back with %s, the state and the issuer for %o', async (error, changes) => {
    const { back } = await authorize(changes)
    expect(back).toMatchObject({ error, state: 's 1&', iss: double.base() })
    expect(back).not.toHaveProperty('code')
  })

  it('shows a page with a button for each person, unless one is signed in', async () => {
    const { json } = await authorize({ as: null, login_hint: 'bea@acme.example' })
    expect(json.text).toContain('value="bea@acme.example"')
    await set({ signedIn: 'bea@acme.example' })
    expect((await authorize({ as: null })).back).toHaveProperty('code')
    expect((await authorize({ as: null, prompt: 'none' })).back).toHaveProperty('code')
    expect((await authorize({ as: null, prompt: 'login' })).status).toBe(200)
  })
})

describe('the token endpoint', () => {
  it('gives an id_token with its issuer and audience, and binds the access token', async () => {
    const { tokens, claims } = await signIn()
    expect(tokens).toMatchObject({ token_type: 'Bearer', expires_in: 3600, access_token: expect.any(String) })
    expect(claims).toMatchObject({
      iss: double.base(),
      aud: 'holdfast-double',
      nonce: 'n1',
      sub: expect.any(String),
    })
    expect(claims).toMatchObject({ email: 'ada@acme.example', email_verified: true, name: 'Ada Example' })
    expect(claims.exp - claims.iat).toBe(3600)
    const half = createHash('sha256')
      .update(tokens.access_token)
      .digest()
      .subarray(0, 16)
      .toString('base64url')
    expect(claims.at_hash).toBe(half)
    expect(await double.isSigned(tokens.id_token)).toBe(true)
  })

  it('is kept by nobody', async () => {
    expect((await redeem(await codeFor())).headers.get('cache-control')).toBe('no-store')
  })

  it('takes id and secret form-encoded in a header, or in the body', async () => {
    expect((await redeem(await codeFor())).status).toBe(200)
    const body = { client_id: 'holdfast-double', client_secret: SECRET }
    expect((await redeem(await codeFor(), body, {})).status).toBe(200)
  })

  it('reads a plus that was not encoded as a space, unless it reads no encoding', async () => {
    const plain = { Authorization: basic('holdfast-double', SECRET) }
    const refused = await redeem(await codeFor(), {}, plain)
    expect(problem(refused)).toEqual([401, 'invalid_client'])
    expect(refused.headers.get('www-authenticate')).toContain('Basic')
    await set({ basicIs: 'as it is' })
    expect((await redeem(await codeFor(), {}, plain)).status).toBe(200)
    expect((await redeem(await codeFor())).status).toBe(401)
  })

  it('refuses a way of authenticating that the client is not registered for', async () => {
    await register({ tokenEndpointAuthMethod: 'client_secret_post' })
    expect(problem(await redeem(await codeFor()))).toEqual([401, 'invalid_client'])
  })

  it.each([
    [401, 'invalid_client', {}, {}],
    [401, 'invalid_client', { client_id: 'holdfast-double', client_secret: 'other' }, {}],
    [400, 'invalid_request', { client_secret: SECRET }, { Authorization: BASIC }],
    [400, 'invalid_request', { grant_type: null }, { Authorization: BASIC }],
    [400, 'unsupported_grant_type', { grant_type: 'password' }, { Authorization: BASIC }],
    [400, 'invalid_request', { code: null }, { Authorization: BASIC }],
    [400, 'invalid_grant', { code: 'other' }, { Authorization: BASIC }],
    [400, 'invalid_grant', { redirect_uri: 'https://app.example/callback' }, { Authorization: BASIC }],
    [400, 'invalid_grant', { redirect_uri: null }, { Authorization: BASIC }],
    [400, 'invalid_grant', { code_verifier: null }, { Authorization: BASIC }],
    [400, 'invalid_grant', { code_verifier: VERIFIER.toUpperCase() }, { Authorization: BASIC }],
    [400, 'invalid_grant', { code_verifier: 'short' }, { Authorization: BASIC }],
  ])('answers %i %s to %o', async (status, error, changes, headers) => {
    expect(problem(await redeem(await codeFor(), changes, headers as Record<string, string>))).toEqual([
      status,
      error,
    ])
  })

  it('wants a form in the body of a POST', async () => {
    expect((await double.ask('/token')).status).toBe(405)
    const json = { Authorization: BASIC, 'Content-Type': 'application/json' }
    expect(problem(await redeem(await codeFor(), {}, json))).toEqual([400, 'invalid_request'])
  })

  it('takes a code once, and revokes what it brought when it comes again', async () => {
    const code = await codeFor()
    const { json: tokens } = await redeem(code)
    expect((await userinfo(tokens.access_token)).status).toBe(200)
    expect(problem(await redeem(code))).toEqual([400, 'invalid_grant'])
    expect((await userinfo(tokens.access_token)).status).toBe(401)
  })

  it('takes no code that is too old', async () => {
    const code = await codeFor()
    await control('PUT', '/clock', { ahead_ms: 600_000 })
    expect(problem(await redeem(code))).toEqual([400, 'invalid_grant'])
  })

  it('refuses a verifier for a code that was asked without a challenge', async () => {
    await register({ requiresPkce: false })
    const without = { code_challenge: null, code_challenge_method: null }
    const { back } = await authorize(without)
    expect(problem(await redeem(back!.code))).toEqual([400, 'invalid_grant'])
    const again = await authorize(without)
    expect((await redeem(again.back!.code, { code_verifier: null })).status).toBe(200)
  })
})

describe('the userinfo endpoint', () => {
  it('says what the scopes allow, of the person of the id_token', async () => {
    const { tokens, claims } = await signIn({ scope: 'openid email' })
    const { json } = await userinfo(tokens.access_token)
    expect(json).toMatchObject({ sub: claims.sub, email: 'ada@acme.example', email_verified: true })
    expect(json).not.toHaveProperty('name')
    expect(claims).not.toHaveProperty('name')
  })

  it('names an error only if there was a token', async () => {
    expect((await double.ask('/userinfo')).headers.get('www-authenticate')).not.toContain('error')
    const { tokens } = await signIn()
    await control('POST', '/expire')
    const { status, headers } = await userinfo(tokens.access_token)
    expect([status, headers.get('www-authenticate')]).toEqual([401, expect.stringContaining('invalid_token')])
  })
})

it('keeps what it was asked for a test to see', async () => {
  await signIn()
  const { calls, codes, grants } = await control('GET', '')
  expect(calls.map(({ method, path }: { method: string; path: string }) => `${method} ${path}`)).toEqual([
    'GET /authorize',
    'POST /token',
  ])
  expect(codes[0]).toMatchObject({ login: 'ada@acme.example', nonce: 'n1', isSpent: true })
  expect(grants[0]).toMatchObject({ scope: 'openid email profile', ending: null })
})
