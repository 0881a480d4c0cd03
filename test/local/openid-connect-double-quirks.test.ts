import { createHmac, createPublicKey } from 'node:crypto'
import { describe, expect, it } from 'vitest'
import type { Json } from '../../doubles/world.ts'
import { openidConnectDouble, read, SECRET } from '../support/openid-connect-double.ts'

const double = openidConnectDouble()
const { authorize, signIn, userinfo, set, control, isSigned, keys, configuration } = double

const isHs256Of = (token: string, secret: string) => {
  const [header, claims, signature] = token.split('.')
  return createHmac('sha256', secret).update(`${header}.${claims}`).digest('base64url') === signature
}

describe('signatures', () => {
  it.each(['RS256', 'ES256', 'EdDSA'])(
    'are of %s, which is advertised and whose key is published',
    async (algorithm) => {
      await set({ algorithm })
      const { tokens, header } = await signIn()
      expect(header.alg).toBe(algorithm)
      expect((await configuration()).id_token_signing_alg_values_supported).toContain(algorithm)
      expect(await isSigned(tokens.id_token)).toBe(true)
    },
  )

  it('are of the secret for HS256, and none for none', async () => {
    await set({ algorithm: 'HS256' })
    expect(isHs256Of((await signIn()).tokens.id_token, SECRET)).toBe(true)
    expect(await keys()).toEqual([])
    await set({ algorithm: 'none' })
    expect((await signIn()).tokens.id_token).toMatch(/^[^.]+\.[^.]+\.$/)
  })

  it.each(['broken', 'by another key', 'by a key in its header', 'of other claims'])(
    'are wrong: %s',
    async (signature) => {
      await set({ signature })
      const { tokens, header } = await signIn()
      expect((await keys()).map(({ kid }) => kid)).toContain(header.kid)
      expect(await isSigned(tokens.id_token)).toBe(false)
      await set({ signature: 'right' })
      expect(await isSigned((await signIn()).tokens.id_token)).toBe(true)
    },
  )

  it('are of the public key, taken for a secret', async () => {
    await set({ signature: 'with the public key' })
    const { tokens, header } = await signIn()
    expect(header.alg).toBe('HS256')
    const [jwk] = await keys()
    const pem = createPublicKey({ key: jwk!, format: 'jwk' })
      .export({ format: 'pem', type: 'spki' })
      .toString()
    expect(isHs256Of(tokens.id_token, pem)).toBe(true)
  })

  it('change with the key, before or after it is published, and under the same name', async () => {
    const before = (await signIn()).tokens.id_token
    const { kid } = await control('POST', '/rotate', { publishes: false })
    const { tokens, header } = await signIn()
    expect(header.kid).toBe(kid)
    expect(await isSigned(tokens.id_token)).toBe(false)
    await control('POST', '/publish')
    expect([await isSigned(tokens.id_token), await isSigned(before)]).toEqual([true, true])
    expect((await control('POST', '/rotate', { keepsKid: true })).kid).toBe(kid)
    expect(await isSigned(tokens.id_token)).toBe(false)
    expect(await keys()).toHaveLength(1)
  })

  it('are found among keys that nobody understands', async () => {
    await set({ hasStrangeKeys: true, keysLack: ['alg'] })
    const { tokens } = await signIn()
    expect((await keys()).map(({ kty }) => kty)).toEqual(['AKP', 'OKP', 'EC', 'RSA', 'RSA', 'EC', 'RSA'])
    expect(await isSigned(tokens.id_token)).toBe(true)
  })
})

describe('a provider that is like', () => {
  const as = (like: string, more: Json = {}) => set({ like, ...more })

  it('Entra has an issuer for each tenant, and accepts any address in the claim', async () => {
    await as('entra')
    await control('PUT', '/person?as=mallory@attacker.example', { claims: { email: 'ada@acme.example' } })
    const mallory = (await signIn({ as: 'mallory@attacker.example' })).claims
    const ada = (await signIn()).claims
    expect(mallory).toMatchObject({ email: 'ada@acme.example', iss: `${double.base()}/${mallory.tid}/v2.0` })
    expect(ada.tid).not.toBe(mallory.tid)
    for (const name of ['email_verified', 'at_hash']) expect(mallory).not.toHaveProperty(name)
    const issuers = ['common', 'organizations', 'consumers', ada.tid].map(
      async (tenant) => (await configuration(`/${tenant}/v2.0`)).issuer,
    )
    expect(await Promise.all(issuers)).toEqual(
      ['{tenantid}', '{tenantid}', '9188040d-6c67-4c5b-b112-36a304b66dad', ada.tid].map(
        (tenant) => `${double.base()}/${tenant}/v2.0`,
      ),
    )
    expect((await authorize()).back).not.toHaveProperty('iss')
    expect(await keys()).toEqual([expect.not.objectContaining({ alg: expect.anything() })])
  })

  it('Okta leaves it to the userinfo endpoint whether the address is verified', async () => {
    await as('okta')
    const { tokens, claims } = await signIn()
    expect(claims).toMatchObject({ email: 'ada@acme.example' })
    expect(claims).not.toHaveProperty('email_verified')
    expect((await userinfo(tokens.access_token)).json).toMatchObject({ email_verified: true })
  })

  it('Authelia returns only the subject in the id_token', async () => {
    await as('authelia')
    const { tokens, claims } = await signIn()
    for (const name of ['email', 'email_verified', 'name']) expect(claims).not.toHaveProperty(name)
    expect((await userinfo(tokens.access_token)).json).toMatchObject({ email: 'ada@acme.example' })
  })

  it('Cognito says "true"', async () => {
    await as('cognito')
    expect((await userinfo((await signIn()).tokens.access_token)).json.email_verified).toBe('true')
  })

  it.each([
    ['auth0', '/'],
    ['authentik', '/application/o/holdfast/'],
  ])('%s has a slash at the end of its issuer', async (like, path) => {
    await as(like)
    expect((await configuration(path.slice(0, -1))).issuer).toBe(double.base() + path)
    expect((await signIn()).claims.iss).toBe(double.base() + path)
  })

  it('Keycloak sends the state of a session along', async () => {
    await as('keycloak')
    const { back } = await authorize()
    expect(back).toMatchObject({ iss: `${double.base()}/realms/holdfast`, session_state: expect.any(String) })
    expect((await authorize({ scope: 'openid roles-of-mine' })).back!.error).toBe('invalid_scope')
    expect((await signIn()).claims).toMatchObject({ azp: 'holdfast-double', typ: 'ID' })
  })

  it('nobody, is refused', async () => {
    expect(await as('nobody')).toEqual({ error: 'There is nobody like nobody.' })
    expect(await set({ colour: 'red' })).toEqual({ error: 'There is no colour.' })
  })
})

describe('changes', () => {
  it('are laid over what is right, and take away', async () => {
    await set({
      claimChanges: { aud: ['holdfast-double', 'other'], azp: 'other', nonce: null },
      headerChanges: { kid: null },
      answerChanges: { iss: 'https://elsewhere.example', state: null },
      discoveryChanges: { issuer: 'https://elsewhere.example', userinfo_endpoint: null },
      tokenChanges: { token_type: 'bearer', expires_in: '3600' },
      userinfoChanges: { sub: 'other' },
    })
    const { tokens, claims, header } = await signIn()
    expect(claims).toMatchObject({ aud: ['holdfast-double', 'other'], azp: 'other' })
    expect(claims).not.toHaveProperty('nonce')
    expect(header).not.toHaveProperty('kid')
    expect((await authorize()).back).toEqual({
      kept: '1',
      code: expect.any(String),
      iss: 'https://elsewhere.example',
    })
    expect(await configuration()).toMatchObject({ issuer: 'https://elsewhere.example' })
    expect(await configuration()).not.toHaveProperty('userinfo_endpoint')
    expect(tokens).toMatchObject({ token_type: 'bearer', expires_in: '3600' })
    expect((await userinfo(tokens.access_token)).json.sub).toBe('other')
  })

  it('of the clock and of lifetimes move the times of tokens', async () => {
    await control('PUT', '/clock', { ahead_ms: -90_000 })
    await set({ idTokenLifetimeSeconds: 30, notBeforeSeconds: 5, signedInSecondsAgo: 60 })
    const { claims } = await signIn({ max_age: '10' })
    const late = Date.now() / 1000 - claims.iat
    expect(late).toBeGreaterThanOrEqual(90)
    expect(claims).toMatchObject({ exp: claims.iat + 30, nbf: claims.iat - 5, auth_time: claims.iat - 60 })
  })

  it('of a person reach both tokens and the userinfo endpoint', async () => {
    await control('PUT', '/person?as=ada@acme.example', {
      sub: 's-1',
      claims: { email_verified: false, hd: 'acme.example', name: null },
    })
    const { tokens, claims } = await signIn()
    for (const told of [claims, (await userinfo(tokens.access_token)).json]) {
      expect(told).toMatchObject({ sub: 's-1', email_verified: false, hd: 'acme.example' })
      expect(told).not.toHaveProperty('name')
    }
  })
})

it('signs the userinfo response on request', async () => {
  await set({ userinfoIs: 'jwt' })
  const { json, headers } = await userinfo((await signIn()).tokens.access_token)
  expect(headers.get('content-type')).toBe('application/jwt')
  expect(read(json.text).claims).toMatchObject({ iss: double.base(), aud: 'holdfast-double' })
  expect(await isSigned(json.text)).toBe(true)
})

it('refuses requests without the query of its addresses', async () => {
  await set({ endpointQuery: 'p=B2C_1_signin' })
  expect((await configuration()).token_endpoint).toBe(`${double.base()}/token?p=B2C_1_signin`)
  expect((await authorize()).status).toBe(400)
  expect((await authorize({ p: 'B2C_1_signin' })).status).toBe(302)
})
