import { env } from 'cloudflare:workers'
import { beforeAll, describe, expect, it, vi } from 'vitest'
import { recognize } from '../../src/people/sign-in/openid/accounts.ts'
import { openIdOf } from '../../src/people/sign-in/openid/settings.ts'
import { beginTransaction } from '../../src/people/sign-in/openid/transaction.ts'
import { openSession } from '../../src/people/sign-in/sessions.ts'
import { fenceOf } from '../../src/platform/db/refusals.ts'
import { realNow } from '../../src/platform/limits/clock.ts'
import { openBrowser } from '../support/console.ts'
import { unique } from '../support/factories.ts'
import {
  accountsOf,
  actionsOf,
  arrive,
  newProvider,
  owned,
  SESSION,
  START,
  wayBack,
} from '../support/openid.ts'
import { wordsOf } from '../support/pages.ts'
import { lettersTo } from '../support/ready-emails.ts'

describe('a provider that proves nothing', () => {
  const email = `${unique('owner')}@example.com`
  beforeAll(async () => void (await owned(email)))

  const FORGED: readonly (readonly [string, Record<string, unknown>])[] = [
    ['a signature that is broken', { signature: 'broken' }],
    ['a signature by another key', { signature: 'by another key' }],
    ['a signature by a key in its header', { signature: 'by a key in its header' }],
    ['a signature with the public key', { signature: 'with the public key' }],
    ['a signature of other claims', { signature: 'of other claims' }],
    ['no signature', { algorithm: 'none' }],
    ['a signature with the secret', { algorithm: 'HS256' }],
    ['another nonce', { claimChanges: { nonce: 'another' } }],
    ['no nonce', { claimChanges: { nonce: null } }],
    ['another client', { claimChanges: { aud: 'another' } }],
    ['several clients', { claimChanges: { aud: ['holdfast-double', 'another'] } }],
    ['another party', { claimChanges: { azp: 'another' } }],
    ['another issuer', { claimChanges: { iss: 'https://evil.example' } }],
    ['a time that is over', { idTokenLifetimeSeconds: -120 }],
    ['a time to come', { claimChanges: { nbf: 9_999_999_999 } }],
    ['no subject', { claimChanges: { sub: null } }],
    ['an empty subject', { claimChanges: { sub: '' } }],
    ['no token', { tokenChanges: { id_token: null } }],
    ['an answer of another issuer', { answerChanges: { iss: 'https://evil.example' } }],
    ['an answer of no issuer, which it promised', { answerChanges: { iss: null } }],
    ['an answer to another state', { answerChanges: { state: 'another' } }],
    ['an answer to no state', { answerChanges: { state: null } }],
  ]
  it.each(FORGED)('signs nobody in with %s', async (_, settings) => {
    const world = newProvider()
    await world.set(settings)
    const { answer, browser } = await arrive(world, email)
    expect([answer.status, browser.cookies.has(SESSION)]).toEqual([422, false])
    expect(await accountsOf(email)).toBe(0)
  })

  it('links no account by an address that its userinfo endpoint returns for another subject', async () => {
    const world = newProvider()
    await world.set({ idTokenTells: 'nothing', userinfoChanges: { sub: 'another' } })
    const { answer, browser } = await arrive(world, email)
    expect([answer.status, browser.cookies.has(SESSION), await accountsOf(email)]).toEqual([503, false, 0])
    expect(wordsOf(answer)).toContain('is not set up correctly')
  })

  it('is logged with the reason if its userinfo endpoint returns no address', async () => {
    const world = newProvider({ OIDC_NAME: 'Acme' })
    await world.set({ idTokenTells: 'nothing' })
    await world.troubles([{ about: 'GET /userinfo ', status: 404 }])
    const logged = vi.spyOn(console, 'error').mockImplementation(() => {})
    const { answer, browser } = await arrive(world, email)
    expect([answer.status, browser.cookies.has(SESSION), await accountsOf(email)]).toEqual([503, false, 0])
    expect(wordsOf(answer)).toContain('The connection to Acme is not set up correctly')
    expect(logged.mock.calls.flat().join()).toMatch(/"request_id":"[^"]+","openid":"misconfigured"/)
  })

  it('raises no alarm for an answer that only the browser attributes to the provider', async () => {
    const world = newProvider()
    const logged = vi.spyOn(console, 'error').mockImplementation(() => {})
    const told = vi.spyOn(console, 'warn').mockImplementation(() => {})
    const ip = '203.0.113.78'
    const browser = openBrowser()
    const visit = (path: string) => browser.visit(path, { headers: { 'CF-Connecting-IP': ip } })
    const { url } = await wayBack(world, email, browser)
    const [state, kept] = [url.searchParams.get('state')!, new Map(browser.cookies)]
    const said = new URLSearchParams({ state, error: 'unauthorized_client', iss: world.base })
    const back = `${START}/callback?${said}`
    const answer = await visit(back)
    expect([answer.status, wordsOf(answer).includes('is not set up correctly')]).toEqual([503, true])
    expect(logged.mock.calls).toEqual([])
    expect(told.mock.calls.flat().join()).toContain('"openid":"misconfigured"')
    expect((await visit(START)).status).toBe(303)
    const asked = (await world.look()).calls!.filter(({ path }) => String(path).includes('.well-known'))
    expect(asked).toHaveLength(1)
    for (let at = 0; at < 59; at++) await env.FAILED_LIMIT.limit({ key: ip })
    const again = openBrowser(kept)
    expect((await again.visit(back, { headers: { 'CF-Connecting-IP': ip } })).status).toBe(429)
    expect(told.mock.calls).toHaveLength(1)
  })

  it.each([
    ['calls itself otherwise', { discoveryChanges: { issuer: 'https://evil.example' } }],
    ['leads to a script', { discoveryChanges: { authorization_endpoint: 'javascript:alert(1)' } }],
    ['has no address for its keys', { discoveryChanges: { jwks_uri: null } }],
  ])('sends nobody to one that %s, and says so on a page with the other ways in', async (_, settings) => {
    const world = newProvider({ OIDC_NAME: 'Acme' })
    await world.set(settings)
    const answer = await openBrowser().visit(START)
    expect([answer.status, answer.headers.get('location')]).toEqual([503, null])
    expect(wordsOf(answer)).toMatch(/The connection to Acme is not set up correctly.*Send code/)
  })

  it.each([
    ['is not verified', { email_verified: false }, ['member.sign_in_failed']],
    ['nobody calls verified', { email_verified: null }, []],
    ['is only a name', { email: null }, []],
  ])('links no account by an address that %s', async (_, claims, noted) => {
    const world = newProvider()
    const { email, organization } = await owned()
    await world.control('PUT', '/person', { claims }, email)
    const { answer, browser } = await arrive(world, email)
    expect([answer.status, browser.cookies.has(SESSION)]).toEqual([422, false])
    expect(wordsOf(answer)).toContain('does not confirm that your address is verified')
    expect(await accountsOf(email)).toBe(0)
    expect((await actionsOf(organization)).filter((one) => one.includes('fail'))).toEqual(noted)
  })

  it('lets nobody in by the address of another account there, and its owner finds the attempt in the log', async () => {
    const world = newProvider()
    const { email, organization } = await owned()
    expect((await arrive(world, email)).answer.status).toBe(303)
    const second = `${unique('second')}@example.com`
    await world.control('PUT', '/person', { claims: { email } }, second)
    const { answer, browser } = await arrive(world, second)
    expect([answer.status, browser.cookies.has(SESSION)]).toEqual([422, false])
    expect(wordsOf(answer)).toContain('Another account')
    expect((await actionsOf(organization))[0]).toBe('member.sign_in_failed')
    expect(await accountsOf(email)).toBe(1)
  })

  it('lets in only one of two accounts that arrive with the same address at the same moment', async () => {
    newProvider()
    const { email: address } = await owned()
    const [openId, now] = [openIdOf(env)!, realNow()]
    const [first, second] = await Promise.all(
      ['one', 'another'].map(async (subject) => {
        const told = { address, isVerified: true }
        const identity = { subject, authenticatedAt: null, email: told, askEmail: async () => told }
        const { transaction } = await beginTransaction(env, openId, { kind: 'enter', next: '/console' }, now)
        const found = await recognize(env, openId, identity, transaction, { device: '', now })
        if (found.is !== 'person') throw new Error(found.is)
        const visitor = { ipAddress: null, requestId: null, device: '', former: null, now }
        return () => openSession(env, found.person, visitor, false, found.entry)
      }),
    )
    expect(await first!()).toMatchObject({ token: expect.any(String) })
    await expect(second!()).rejects.toSatisfy((error) => fenceOf(error) === 'STALE')
    const sessions = env.DB.prepare('SELECT count(*) AS n FROM console_sessions WHERE email = ?')
    expect([await sessions.bind(address).first('n'), await accountsOf(address)]).toEqual([1, 1])
    expect(await lettersTo(address)).toHaveLength(1)
  })

  it('has its answer accepted once, and only in the browser that was sent there', async () => {
    const world = newProvider()
    const { email } = await owned()
    const { browser, back } = await wayBack(world, email)
    const stranger = openBrowser()
    await stranger.visit(START)
    for (const other of [openBrowser(), stranger]) {
      const answer = await other.visit(back)
      expect([answer.status, other.cookies.has(SESSION)]).toEqual([422, false])
    }
    const copy = openBrowser(new Map(browser.cookies))
    expect((await browser.visit(back)).status).toBe(303)
    expect((await copy.visit(back)).status).toBe(422)
    // A provider that takes a code twice does not make it good.
    const fresh = await wayBack(world, email)
    const twice = new Map(fresh.browser.cookies)
    expect((await fresh.browser.visit(fresh.back)).status).toBe(303)
    const again = openBrowser(twice)
    const { pathname, search } = await world.consent(fresh.url.href, email)
    expect([(await again.visit(pathname + search)).status, again.cookies.has(SESSION)]).toEqual([422, false])
  })

  it('has its answer refused if another provider replaced it in the meantime', async () => {
    const { email } = await owned()
    const { browser, back } = await wayBack(newProvider(), email)
    const other = newProvider()
    const answer = await browser.visit(back)
    expect([answer.status, wordsOf(answer).includes('Start again here')]).toEqual([422, true])
    expect((await other.look()).calls).toEqual([])
  })

  it('ends the session that the browser held, so that nobody goes on with one that they planted', async () => {
    const world = newProvider()
    const [planted, { email }] = [await owned(), await owned()]
    const { browser } = await arrive(world, planted.email)
    const former = new Map(browser.cookies)
    await arrive(world, email, browser)
    expect(browser.cookies.get(SESSION)).not.toBe(former.get(SESSION))
    expect((await openBrowser(former).visit('/console/settings')).status).toBe(303)
  })

  it.each([
    'https://evil.example',
    '//evil.example',
    '/console/../v1',
    '/console\\evil',
    '/console/sign-out',
  ])('leads nobody to %s', async (next) => {
    const world = newProvider()
    const { email } = await owned()
    const { browser, back } = await wayBack(
      world,
      email,
      openBrowser(),
      `${START}?next=${encodeURIComponent(next)}`,
    )
    expect((await browser.visit(back)).headers.get('location')).toBe('/console')
  })

  it('shows a page saying that no member has the proven address, and stores nothing', async () => {
    const world = newProvider()
    const email = `${unique('nobody')}@example.com`
    const { answer, browser } = await arrive(world, email)
    expect([answer.status, browser.cookies.has(SESSION)]).toEqual([422, false])
    expect(wordsOf(answer)).toContain(`signed you in as ${email}, but no organization has a member`)
    expect([await accountsOf(email), await lettersTo(email)]).toEqual([0, []])
    Object.assign(env, { SIGN_UP: 'open' })
    const welcome = await arrive(world, email)
    Object.assign(env, { SIGN_UP: 'closed' })
    expect(welcome.answer.headers.get('location')).toBe('/console/organizations/new')
    expect(await accountsOf(email)).toBe(1)
  })
})
