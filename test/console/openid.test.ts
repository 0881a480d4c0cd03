import { env } from 'cloudflare:workers'
import { describe, expect, it } from 'vitest'
import { answerConsole } from '../../src/console/answer-console.ts'
import { openBrowser } from '../support/console.ts'
import { countedEnv } from '../support/counted-env.ts'
import { unique } from '../support/factories.ts'
import { stayInOneRealMinute } from '../support/minute.ts'
import { actionsOf, arrive, newProvider, owned, START, TRANSACTION, wayBack } from '../support/openid.ts'
import { browserRequest, linksOf, wordsOf } from '../support/pages.ts'
import { patienceOf } from '../support/patience.ts'
import { lettersTo } from '../support/ready-emails.ts'

describe('signing in with a provider of OpenID Connect', () => {
  it('opens the organization of the member with the verified address, and knows the account from then on', async () => {
    const world = newProvider({ OIDC_NAME: 'Acme' })
    const { email, organization } = await owned()
    const start = linksOf(await openBrowser().visit('/console/sign-in?next=/console/hours')).at(-1)
    expect(start).toBe(`${env.PUBLIC_URL}${START}?next=%2Fconsole%2Fhours`)
    const { browser, back, url } = await wayBack(world, email, openBrowser(), start)
    expect(Object.fromEntries(url.searchParams)).toMatchObject({
      ...{ response_type: 'code', scope: 'openid email', code_challenge_method: 'S256' },
      redirect_uri: `${env.PUBLIC_URL}/console/sign-in/openid/callback`,
    })
    const answer = await browser.visit(back)
    expect([answer.status, answer.headers.get('location')]).toEqual([303, '/console/hours'])
    expect(answer.headers.getSetCookie()).toContainEqual(
      expect.stringMatching(
        /^__Host-hf_session=[\w-]{43}; Path=\/; Max-Age=2592000; HttpOnly; Secure; SameSite=Lax$/,
      ),
    )
    expect(browser.cookies.has(TRANSACTION)).toBe(false)
    expect((await browser.visit('/console/hours')).status).toBe(200)
    expect((await actionsOf(organization)).slice(0, 2).sort()).toEqual([
      'member.openid_linked',
      'member.signed_in',
    ])
    const [told] = await lettersTo(email)
    expect([told?.subject, told?.text]).toEqual([
      'An account was linked',
      expect.stringMatching(/Account at:\s+Acme[\s\S]*If this was not you/),
    ])
    const changed = { claims: { email: `${unique('new')}@example.com`, email_verified: false } }
    await world.control('PUT', '/person', changed, email)
    expect((await arrive(world, email)).answer.headers.get('location')).toBe('/console')
    expect((await actionsOf(organization))[0]).toBe('member.signed_in')
    expect(await lettersTo(email)).toHaveLength(1)
  })

  it('needs two round trips, however the member is identified', async () => {
    const world = newProvider()
    const { email } = await owned()
    for (const _ of ['linked now', 'linked before']) {
      const { browser, back } = await wayBack(world, email)
      const counted = countedEnv(env)
      const Cookie = [...browser.cookies].map(([name, value]) => `${name}=${value}`).join('; ')
      const request = browserRequest(back, { headers: { Cookie } })
      const { status } = await answerConsole(request, counted.env, new URL(request.url).pathname)
      expect([status, counted.trips.count]).toEqual([303, 2])
    }
  })

  const KINDS = ['google', 'okta', 'auth0', 'authentik', 'keycloak', 'cognito', 'authelia'] as const
  const PATHS: Readonly<Record<string, string>> = {
    auth0: '/',
    authentik: '/application/o/holdfast/',
    keycloak: '/realms/holdfast',
    cognito: '/eu-central-1_Example',
  }
  it.each(KINDS)('works with a provider that is like %s', async (like) => {
    const world = newProvider()
    Object.assign(env, { OIDC_ISSUER: world.base + (PATHS[like] ?? '') })
    await world.set({ like })
    const { email } = await owned()
    expect((await arrive(world, email)).answer.status).toBe(303)
  })

  it.each([
    ['reads the header as it is', { clientAuthentication: ['client_secret_basic'] }, 'double+secret/1='],
    ['takes the body alone', { clientAuthentication: ['client_secret_post'] }, 'double+secret/1='],
    ['does not decode', { clientAuthentication: ['client_secret_basic'], basicIs: 'as it is' }, 'se-cr_et.1'],
    ['has a query in its addresses', { endpointQuery: 'p=B2C_1_signin' }, 'double+secret/1='],
    [
      'has keys of every kind',
      { hasStrangeKeys: true, keysLack: ['alg'], algorithm: 'ES256' },
      'double+secret/1=',
    ],
    [
      'has a clock that is ahead',
      { claimChanges: { nbf: Math.floor(Date.now() / 1000) + 45 } },
      'double+secret/1=',
    ],
    [
      'tells parts of a second',
      { claimChanges: { auth_time: Date.now() / 1000 - 0.1234567 } },
      'double+secret/1=',
    ],
  ])('works with a provider that %s', async (_, settings, secret) => {
    const world = newProvider({ OIDC_CLIENT_SECRET: secret })
    await world.set(settings)
    await world.register({ clientSecret: secret })
    expect((await arrive(world, (await owned()).email)).answer.status).toBe(303)
  })

  it.each([{}, { keepsKid: true, keepsEarlier: false }])('takes a new key at once: %j', async (how) => {
    const world = newProvider()
    const { email } = await owned()
    expect((await arrive(world, email)).answer.status).toBe(303)
    await world.control('POST', '/rotate', how)
    expect((await arrive(world, email)).answer.status).toBe(303)
  })

  it('finds the key among two with the same id, in any order', async () => {
    const world = newProvider()
    const { email } = await owned()
    for (const kid of ['kept', 'kept once more']) {
      expect([kid, (await arrive(world, email)).answer.status]).toEqual([kid, 303])
      await world.control('POST', '/rotate', { keepsKid: true })
      await world.control('POST', '/publish')
    }
    expect((await arrive(world, email)).answer.status).toBe(303)
    expect(new Set((await world.look()).keys!.map(({ kid }) => kid)).size).toBe(1)
    await world.set({ signature: 'by another key' })
    expect((await arrive(world, email)).answer.status).toBe(422)
  })
})

describe('a provider that does not answer', () => {
  it.each([
    ['drops', 'drops', 503],
    ['is down', undefined, 503],
  ] as const)('%s, which a page explains with the other ways to sign in', async (_, does, status) => {
    const world = newProvider({ OIDC_NAME: 'Acme' })
    await world.troubles([{ about: '.well-known', ...(does ? { does } : { status: 502 }) }])
    const { email } = await owned()
    const answer = await openBrowser().visit(START)
    expect([answer.status, wordsOf(answer).includes('Acme is not available at the moment')]).toEqual([
      status,
      true,
    ])
    const { browser, back } = await wayBack(world, email)
    await world.troubles([{ about: 'POST /token ', ...(does ? { does } : { status: 500 }) }])
    const late = await browser.visit(back)
    expect([late.status, wordsOf(late).includes('Send code')]).toEqual([status, true])
  })

  it('is waited for four seconds at the start, and six once somebody came back', async () => {
    const patience = patienceOf(4_000, 6_000)
    const world = newProvider()
    const { email } = await owned()
    const { browser, back } = await wayBack(world, email)
    const silent = newProvider()
    await silent.troubles([{ about: '.well-known', does: 'hangs' }])
    await world.troubles([{ about: 'GET /keys ', does: 'hangs', times: null }])
    patience.lose()
    expect((await openBrowser().visit(START)).status).toBe(503)
    Object.assign(env, { OIDC_ISSUER: world.base })
    expect((await browser.visit(back)).status).toBe(503)
  })

  it('causes no server error if it denies access', async () => {
    const world = newProvider()
    await world.set({ refusal: { error: 'access_denied' } })
    const { answer } = await arrive(world, (await owned()).email)
    expect([answer.status, wordsOf(answer).includes('did not sign you in')]).toEqual([422, true])
  })

  it('is not offered unless it is set up, and a direct request gets an error page', async () => {
    const open = async () => {
      const page = await openBrowser().visit('/console/sign-in')
      return [linksOf(page).some((link) => link.includes(START)), (await openBrowser().visit(START)).status]
    }
    newProvider()
    expect(await open()).toEqual([true, expect.any(Number)])
    newProvider({ OIDC_CLIENT_SECRET: '' })
    expect(await open()).toEqual([false, 503])
    newProvider({ OIDC_ISSUER: 'https://login.microsoftonline.com/common/v2.0' })
    expect(await open()).toEqual([false, 503])
    newProvider({ OIDC_CLIENT_SECRET: '', OIDC_CLIENT_ID: '', OIDC_ISSUER: '' })
    expect(await open()).toEqual([false, 404])
  })

  it('cannot be used for guessing: failed sign-ins count for the network that sent them', async () => {
    newProvider()
    const ip = '203.0.113.77'
    const visit = (path: string) => openBrowser().visit(path, { headers: { 'CF-Connecting-IP': ip } })
    expect((await visit(`${START}/callback?code=x&state=1`)).status).toBe(422)
    for (let at = 0; at < 59; at++) await env.FAILED_LIMIT.limit({ key: ip })
    expect((await visit(`${START}/callback?code=x&state=1`)).status).toBe(429)
    expect((await visit('/console/sign-in')).status).toBe(200)
  })

  it('is asked about no further code that a network makes up which guessed too often', async () => {
    await stayInOneRealMinute(5)
    const world = newProvider()
    const headers = { 'CF-Connecting-IP': '203.0.113.79' }
    const { browser, url } = await wayBack(world, (await owned()).email)
    const said = { code: 'x', state: url.searchParams.get('state')!, iss: world.base }
    const back = `${START}/callback?${new URLSearchParams(said)}`
    const kept = new Map(browser.cookies)
    const guess = async () => (await openBrowser(new Map(kept)).visit(back, { headers })).status
    const asked = async () => (await world.look()).calls!.filter(({ path }) => path === '/token').length
    expect([await guess(), await asked()]).toEqual([422, 1])
    for (let at = 0; at < 59; at++) await env.FAILED_LIMIT.limit({ key: headers['CF-Connecting-IP'] })
    expect([await guess(), await asked()]).toEqual([429, 2])
    expect([await guess(), await asked()]).toEqual([429, 2])
  })
})
