import { createPublicKey, verify } from 'node:crypto'
import { beforeEach, describe, expect, it } from 'vitest'
import { openMicrosoft } from '../../doubles/microsoft/open-microsoft.ts'
import { freshWorld } from '../support/fresh-world.ts'
import { type MicrosoftWorld, microsoftWorld, OWNER, REDIRECT, SCOPE } from '../support/microsoft-world.ts'

let world: MicrosoftWorld

const { base } = freshWorld(openMicrosoft)
beforeEach(() => {
  world = microsoftWorld(base())
})

const PERSONAL = 'nina@outlook.com'
const codesOf = ({ status, json }: { status: number; json: Record<string, any> }) => ({
  status,
  error: json.error,
  codes: json.error_codes,
  suberror: json.suberror,
})

describe('signing in at the double of Microsoft', () => {
  it('shows a page with a button for each pretend account, and one for cancelling', async () => {
    const { authorize } = world
    const response = await fetch(
      `${world.base}/common/oauth2/v2.0/authorize?client_id=holdfast-double&response_type=code&redirect_uri=${REDIRECT}&scope=User.Read`,
    )
    const page = await response.text()
    expect(page).toContain('mara.lindqvist@contoso.example')
    expect(page).toContain('mara.lindqvist@outlook.example')
    expect(page).toContain('it@contoso.example')
    expect((await authorize({ deny: '1' })).back).toMatchObject({
      error: 'access_denied',
      error_subcode: 'cancel',
      error_description: expect.stringMatching(/^AADSTS65004: /),
      state: 'st',
    })
  })

  it('gives tokens for a code, once, with the verifier and for the same address only', async () => {
    const { back } = await world.authorize()
    expect(codesOf(await world.redeem(back!.code, { code_verifier: 'w'.repeat(64) }))).toMatchObject({
      status: 400,
      error: 'invalid_grant',
      codes: [501481],
    })
    expect((await world.redeem(back!.code, { redirect_uri: 'https://app.example/other' })).status).toBe(400)
    const { status, json } = await world.redeem(back!.code)
    expect(status).toBe(200)
    expect(json).toMatchObject({ token_type: 'Bearer', expires_in: 3599, ext_expires_in: 3599 })
    expect(json.scope.split(' ').sort()).toEqual([
      ...['Calendars.ReadWrite', 'MailboxSettings.Read', 'User.Read', 'email', 'openid', 'profile'],
    ])
    expect(codesOf(await world.redeem(back!.code))).toMatchObject({ error: 'invalid_grant', codes: [54005] })
  })

  it('gives a refresh token only for offline_access, and takes one until it is unused for ninety days', async () => {
    expect((await world.signIn(OWNER, { scope: 'User.Read' })).refresh_token).toBeUndefined()
    const first = await world.signIn()
    const second = (await world.refresh(first.refresh_token)).json
    expect(second.refresh_token).not.toBe(first.refresh_token)
    expect((await world.refresh(first.refresh_token)).status).toBe(200)
    await world.control('PUT', '/clock', { ahead_ms: 91 * 86_400_000 })
    expect(codesOf(await world.refresh(second.refresh_token))).toMatchObject({
      status: 400,
      error: 'invalid_grant',
      codes: [700082],
    })
  })

  it('refuses codes after ten minutes, of personal accounts in other words', async () => {
    const { back } = await world.authorize()
    const personal = await world.authorize({ as: PERSONAL })
    await world.control('PUT', '/clock', { ahead_ms: 601_000 })
    expect(codesOf(await world.redeem(back!.code)).codes).toEqual([70008])
    expect(codesOf(await world.redeem(personal.back!.code)).codes).toEqual([70000])
  })

  it('signs an id token that its published keys verify', async () => {
    const { id_token } = await world.signIn(OWNER, { scope: `${SCOPE} profile email`, nonce: 'n1' })
    const [head, body, signature] = id_token.split('.')
    const { json } = await world.graphWith('').get(`${world.base}/common/discovery/v2.0/keys`)
    const key = createPublicKey({ key: json.keys[0], format: 'jwk' })
    const isSigned = verify(
      'RSA-SHA256',
      Buffer.from(`${head}.${body}`),
      key,
      Buffer.from(signature, 'base64url'),
    )
    expect(isSigned).toBe(true)
    expect(JSON.parse(Buffer.from(body, 'base64url').toString())).toMatchObject({
      ...{ aud: 'holdfast-double', nonce: 'n1', preferred_username: OWNER, email: OWNER, ver: '2.0' },
    })
  })

  it('takes the secret in the body or as Basic, and distinguishes a wrong, a missing and an expired one with 401', async () => {
    const { refresh_token } = await world.signIn()
    const basic = `Basic ${btoa('holdfast-double:double-secret_1')}`
    const said = { grant_type: 'refresh_token', refresh_token, client_id: '', client_secret: '' }
    expect((await world.token(said, { Authorization: basic })).status).toBe(200)
    const wrong = await world.refresh(refresh_token, { client_secret: 'guessed' })
    expect(codesOf(wrong)).toMatchObject({ status: 401, error: 'invalid_client', codes: [7000215] })
    expect(codesOf(await world.refresh(refresh_token, { client_secret: '' })).codes).toEqual([7000218])
    await world.control('PUT', '/registration', { secretState: 'expired' })
    const expired = codesOf(await world.refresh(refresh_token))
    expect(expired).toMatchObject({ status: 401, error: 'invalid_client', codes: [7000222] })
    await world.control('PUT', '/registration', { secretState: 'valid', isDisabled: true })
    expect(codesOf(await world.refresh(refresh_token)).codes).toEqual([7000112])
    await world.control('PUT', '/registration', { isDisabled: false, isKnown: false })
    expect(codesOf(await world.refresh(refresh_token)).codes).toEqual([700016])
  })

  it('shows what must not go back to an address that is not the app’s', async () => {
    await world.control('PUT', '/registration', { redirectUris: [REDIRECT] })
    const { status, json } = await world.authorize({ redirect_uri: `${REDIRECT}/` })
    expect(status).toBe(400)
    expect(json.text).toContain('AADSTS50011')
    expect((await world.authorize()).status).toBe(302)
  })
})

describe('consent at the double of Microsoft', () => {
  it.each([
    ['AADSTS65001', 'consent_required', /^AADSTS65001: /],
    ['AADSTS90094', 'access_denied', /^AADSTS90094: /],
    ['AADSTS90095', 'access_denied', /^AADSTS90095: /],
    ['silent', 'access_denied', undefined],
  ])('is refused to users if their organization says %s', async (userConsent, error, description) => {
    await world.control('PUT', '', { userConsent })
    const { back } = await world.authorize()
    expect(back!.error).toBe(error)
    if (description) expect(back!.error_description).toMatch(description)
    else expect(back!.error_description).toBeUndefined()
    expect((await world.authorize({ scope: 'User.Read' })).back!.code).toBeTruthy()
  })

  it('is given by an administrator for everybody, but not if consent is requested again', async () => {
    await world.control('PUT', '', { userConsent: 'AADSTS90094' })
    const { back } = await world.adminConsent({ as: 'boss@example.com' })
    expect(back).toBeNull()
    await world.control('PUT', '?as=boss@example.com', { isAdministrator: true })
    const given = await world.adminConsent({ as: 'boss@example.com' })
    const { account } = await world.control('GET', '')
    expect(given.back).toEqual({ admin_consent: 'True', tenant: account.tenantId, scope: SCOPE, state: 'st' })
    expect((await world.authorize()).back!.code).toBeTruthy()
    expect((await world.authorize({ prompt: 'consent' })).back!.error_description).toMatch(/^AADSTS90094: /)
  })

  it('of an administrator comes back as refused, and never through common', async () => {
    const denied = await world.adminConsent({ deny: '1' })
    expect(denied.back).toMatchObject({ admin_consent: 'True', error: 'consent_required', state: 'st' })
    expect(denied.back!.error_description).toMatch(/^AADSTS65004: /)
    expect((await world.adminConsent({ deny: '1' }, 'common')).status).toBe(400)
  })

  it('keeps guests and accounts of the other kind on a page', async () => {
    await world.control('PUT', '', { signInError: 'AADSTS50020' })
    const guest = await world.authorize()
    expect(guest.back).toBeNull()
    expect(guest.json.text).toContain('AADSTS50020')
    expect((await world.authorize({ as: PERSONAL }, 'organizations')).json.text).toContain('AADSTS50020')
    expect((await world.authorize({ as: PERSONAL })).back!.code).toMatch(/^M\.C5/)
  })

  it('has no permissions for personal accounts that only organizations have', async () => {
    const { back } = await world.authorize({ as: PERSONAL, scope: `${SCOPE} OnlineMeetings.ReadWrite` })
    expect(back).toMatchObject({
      error: 'invalid_scope',
      error_description: expect.stringMatching(/^AADSTS70011: /),
    })
    expect((await world.authorize({ scope: `${SCOPE} OnlineMeetings.ReadWrite` })).back!.code).toBeTruthy()
  })
})

describe('the end of a grant at the double of Microsoft', () => {
  it.each([
    [OWNER, 'revoked', 50173, 'bad_token'],
    [OWNER, 'expired', 700082, undefined],
    [OWNER, 'removed', 65001, 'consent_required'],
    [PERSONAL, 'revoked', 70000, undefined],
    [PERSONAL, 'expired', 70000, undefined],
    [PERSONAL, 'removed', 70000, undefined],
  ])('of %s that was %s is invalid_grant with %i', async (mail, how, code, suberror) => {
    const { refresh_token, access_token } = await world.signIn(mail)
    await world.control('POST', `/end?as=${mail}`, { how })
    expect(codesOf(await world.refresh(refresh_token))).toEqual({
      ...{ status: 400, error: 'invalid_grant', codes: [code], suberror },
    })
    const { status, headers } = await world.graphWith(access_token).get('/me')
    expect(status).toBe(401)
    expect(headers.get('www-authenticate')).toContain('TokenIssuedBeforeRevocationTimestamp')
    const again = await world.signIn(mail)
    expect((await world.graphWith(again.access_token).get('/me')).status).toBe(200)
  })

  it('leaves access tokens valid for their hour without continuous access evaluation', async () => {
    const { access_token } = await world.signIn()
    await world.control('POST', '/end', { how: 'revoked', keepsAccessTokens: true })
    expect((await world.graphWith(access_token).get('/me')).status).toBe(200)
  })

  it.each([
    ['AADSTS53003', 'invalid_grant', 53003, 'message_only'],
    ['AADSTS50076', 'interaction_required', 50076, 'basic_action'],
  ])('is not what %s of conditional access means: it passes', async (refreshError, error, code, suberror) => {
    const { refresh_token } = await world.signIn()
    await world.control('PUT', '', { refreshError })
    const refused = await world.refresh(refresh_token)
    expect(codesOf(refused)).toEqual({ status: 400, error, codes: [code], suberror })
    expect(JSON.parse(refused.json.claims).access_token.capolids.essential).toBe(true)
    await world.control('PUT', '', { refreshError: 'none' })
    expect((await world.refresh(refresh_token)).status).toBe(200)
  })

  it('requires a consent if a refresh requests more than was granted', async () => {
    const { refresh_token } = await world.signIn()
    expect(codesOf(await world.refresh(refresh_token, { scope: 'Calendars.ReadWrite' })).status).toBe(200)
    expect(codesOf(await world.refresh(refresh_token, { scope: 'Mail.Send' }))).toEqual({
      ...{ status: 400, error: 'invalid_grant', codes: [65001], suberror: 'consent_required' },
    })
  })

  it('answers expired access tokens with a challenge', async () => {
    const graph = await world.graph()
    await world.control('POST', '/expire')
    const { status, json, headers } = await graph.get('/me')
    expect(status).toBe(401)
    expect(json.error).toMatchObject({
      code: 'InvalidAuthenticationToken',
      message: expect.stringContaining('expired'),
    })
    expect(headers.get('www-authenticate')).toMatch(/^Bearer realm=""/)
  })
})
