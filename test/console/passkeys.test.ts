import { env } from 'cloudflare:workers'
import { describe, expect, it } from 'vitest'
import { call } from '../support/app.ts'
import { newAuthenticator, type Said, tampered } from '../support/authenticator.ts'
import { type Browser, enter as enterByLink, openBrowser, signIn } from '../support/console.ts'
import { createOrganization, unique } from '../support/factories.ts'
import { formOf, wordsOf } from '../support/pages.ts'
import { lettersTo } from '../support/ready-emails.ts'

const { origin } = new URL(env.PUBLIC_URL)
const SESSION = '__Host-hf_session'
const OPTIONS = '/console/sign-in/passkey/options'

async function csrfOf(browser: Browser): Promise<string> {
  return formOf(await browser.visit('/console/settings'), '/console/settings').fields.csrf!
}

async function options(browser: Browser, path: string, form: Record<string, string> = { csrf: '' }) {
  const answer = await browser.visit(path, { form })
  return { status: answer.status, body: JSON.parse(answer.text || '{}') }
}

/** Somebody with a passkey, still signed in. */
async function withPasskey(said: Said = {}) {
  const email = `${unique('owner')}@example.com`
  const organization = await createOrganization({ ownerEmail: email })
  return { email, organization, ...(await addPasskey(await signIn(email), said)) }
}

async function addPasskey(browser: Browser, said: Said = {}) {
  const authenticator = await newAuthenticator(origin)
  const csrf = await csrfOf(browser)
  const { body } = await options(browser, '/console/settings/passkeys/options', { csrf })
  const passkey = await authenticator.register(body, said)
  const form = { csrf, name: 'Ada’s phone', passkey }
  const added = await browser.visit('/console/settings/passkeys/new', { form })
  return { browser, csrf, authenticator, asked: body, form, added }
}

type Owner = Awaited<ReturnType<typeof withPasskey>>

async function enter(
  { authenticator }: Pick<Owner, 'authenticator'>,
  said: Said = {},
  change = (text: string) => text,
) {
  const browser = openBrowser()
  const { body } = await options(browser, OPTIONS)
  const passkey = change(await authenticator.assert(body, said))
  const form = { passkey, next: '/console/settings' }
  return { browser, form, answer: await browser.visit('/console/sign-in/passkey', { form }) }
}

async function actions({ organization }: Owner): Promise<string[]> {
  const { body } = await call('GET', '/v1/activity?resource_type=member', { key: organization.liveKey })
  return body.data.map(({ action }: { action: string }) => action)
}

describe('a passkey', () => {
  it('is added and named by a signed-in member, and signs them in from then on', async () => {
    const owner = await withPasskey()
    expect([owner.added.status, owner.added.headers.get('location')]).toEqual([
      303,
      '/console/settings/passkeys?done=1',
    ])
    expect(wordsOf(await owner.browser.follow(owner.added))).toContain('Ada’s phone')
    const { answer, browser } = await enter(owner)
    expect([answer.status, answer.headers.get('location')]).toEqual([303, '/console/settings'])
    expect((await browser.visit('/console/settings')).status).toBe(200)
    expect(await actions(owner)).toEqual([
      'member.signed_in',
      'member.passkey_added',
      'member.signed_in',
      ...(await actions(owner)).slice(3),
    ])
  })

  it('is asked for without a name of anybody, and known by what names nobody', async () => {
    const owner = await withPasskey()
    expect(owner.asked).toMatchObject({
      attestation: 'none',
      authenticatorSelection: { residentKey: 'required', userVerification: 'required' },
    })
    expect(owner.asked.user.id).toMatch(/^[\w-]{43}$/)
    const { body } = await options(openBrowser(), OPTIONS)
    expect(body).toEqual({
      challenge: expect.stringMatching(/^[\w-]{43}$/),
      timeout: 300_000,
      rpId: new URL(env.PUBLIC_URL).hostname,
      userVerification: 'required',
      allowCredentials: [],
    })
  })

  const FORGED: readonly (readonly [string, Said])[] = [
    ['another site', { origin: 'https://evil.example' }],
    ['another host', { rpId: 'evil.example' }],
    ['another challenge', { challenge: 'A'.repeat(43) }],
    ['a passkey that was being made', { type: 'webauthn.create' }],
    ['a frame of another site', { crossOrigin: true }],
    ['nobody who was there', { flags: 0 }],
    ['nobody who was verified', { flags: 1 }],
    ['somebody else', { userHandle: 'A'.repeat(43) }],
    ['a counter that goes back', { counter: 1 }],
    ['a credential that nobody has', { id: 'AAAAAAAAAAAAAAAAAAAAAA' }],
  ]
  it.each(FORGED)('signs nobody in if it is of %s', async (_, said) => {
    const owner = await withPasskey()
    const { answer, browser } = await enter(owner, said)
    expect([answer.status, browser.cookies.has(SESSION)]).toEqual([422, false])
    expect((await enter(owner)).answer.status).toBe(303)
  })

  it('signs nobody in if its signature is wrong, and its owner finds that in the activity log', async () => {
    const owner = await withPasskey()
    const { answer, browser } = await enter(owner, {}, tampered)
    expect([answer.status, browser.cookies.has(SESSION)]).toEqual([422, false])
    expect((await actions(owner))[0]).toBe('member.sign_in_failed')
    for (const passkey of [
      '',
      '{}',
      'null',
      '{"id":1}',
      '{"id":"a","rawId":"a","type":"public-key","response":{}}',
    ]) {
      expect((await enter(owner, {}, () => passkey)).answer.status).toBe(422)
    }
  })

  it('works once for each challenge, in the browser that was given it', async () => {
    // Many authenticators do not count, so the counter says nothing here.
    const owner = await withPasskey({ counter: 0 })
    const { browser, form, answer } = await enter(owner, { counter: 0 })
    expect(answer.status).toBe(303)
    const replay = openBrowser(new Map([...browser.cookies].filter(([name]) => name !== SESSION)))
    expect((await replay.visit('/console/sign-in/passkey', { form })).status).toBe(422)
    const stranger = openBrowser()
    await options(stranger, OPTIONS)
    expect((await stranger.visit('/console/sign-in/passkey', { form })).status).toBe(422)
    expect((await openBrowser().visit('/console/sign-in/passkey', { form })).status).toBe(422)
    const fresh = openBrowser()
    const { body } = await options(fresh, OPTIONS)
    const passkey = await owner.authenticator.assert(body, { counter: 0 })
    const send = () =>
      openBrowser(new Map(fresh.cookies)).visit('/console/sign-in/passkey', { form: { passkey } })
    const statuses = (await Promise.all([send(), send(), send()])).map(({ status }) => status)
    expect(statuses.sort()).toEqual([303, 422, 422])
  })

  it('that was asked for before the secret was rotated signs in though it was added after that', async () => {
    const email = `${unique('owner')}@example.com`
    await createOrganization({ ownerEmail: email })
    const browser = await signIn(email)
    const authenticator = await newAuthenticator(origin)
    const csrf = await csrfOf(browser)
    const { body } = await options(browser, '/console/settings/passkeys/options', { csrf })
    const form = { csrf, name: 'Ada’s phone', passkey: await authenticator.register(body) }
    const { ENCRYPTION_KEY } = env
    Object.assign(env, { ENCRYPTION_KEY: `${'n'.repeat(40)},${ENCRYPTION_KEY}` })
    try {
      expect((await browser.visit('/console/settings/passkeys/new', { form })).status).toBe(303)
      expect((await enter({ authenticator }, { userHandle: body.user.id })).answer.status).toBe(303)
      expect((await enter({ authenticator }, { userHandle: 'A'.repeat(43) })).answer.status).toBe(422)
    } finally {
      Object.assign(env, { ENCRYPTION_KEY })
    }
  })

  it('is added once, and with the challenge of this session alone', async () => {
    const owner = await withPasskey()
    const again = await owner.browser.visit('/console/settings/passkeys/new', { form: owner.form })
    expect(again.status).toBe(422)
    const { body } = await options(owner.browser, '/console/settings/passkeys/options', { csrf: owner.csrf })
    const known = await owner.authenticator.register(body)
    const form = { ...owner.form, passkey: known }
    expect((await owner.browser.visit('/console/settings/passkeys/new', { form })).status).toBe(422)
    // A challenge to sign in adds nothing.
    const other = await newAuthenticator(origin)
    const { body: signIn } = await options(owner.browser, OPTIONS)
    const borrowed = { ...owner.form, passkey: await other.register({ ...body, ...signIn }) }
    expect((await owner.browser.visit('/console/settings/passkeys/new', { form: borrowed })).status).toBe(422)
  })

  it('is added by nobody without a fresh proof or the token of a form', async () => {
    const owner = await withPasskey()
    const path = '/console/settings/passkeys/options'
    expect((await owner.browser.visit(path, { form: { csrf: '' } })).status).toBe(403)
    await env.DB.prepare('UPDATE console_sessions SET proven_at = 0 WHERE email = ?').bind(owner.email).run()
    const refused = await owner.browser.visit(path, { form: { csrf: owner.csrf } })
    expect(refused.status).toBe(403)
    const page = await owner.browser.visit('/console/settings/passkeys/new')
    expect(page.headers.get('location')).toBe('/console/confirm?next=%2Fconsole%2Fsettings%2Fpasskeys%2Fnew')
    const sent = await owner.browser.visit('/console/settings/passkeys/new', { form: owner.form })
    expect([sent.status, wordsOf(sent).includes('Confirm your identity')]).toEqual([200, true])
  })

  it('confirms the identity of its own member', async () => {
    const owner = await withPasskey()
    const other = await withPasskey()
    await env.DB.prepare('UPDATE console_sessions SET proven_at = 0 WHERE email = ?').bind(owner.email).run()
    const prove = async (authenticator: Owner['authenticator']) => {
      const { body } = await options(owner.browser, '/console/confirm/passkey', { csrf: owner.csrf })
      const passkey = await authenticator.assert(body)
      const form = { csrf: owner.csrf, next: '/console/hours', proof: 'passkey', passkey }
      return owner.browser.visit('/console/confirm', { form })
    }
    expect((await prove(other.authenticator)).status).toBe(422)
    const proven = await prove(owner.authenticator)
    expect([proven.status, proven.headers.get('location')]).toEqual([303, '/console/hours'])
    expect((await owner.browser.visit('/console/confirm')).status).toBe(303)
  })

  it('is removed by its owner and nobody else, and signs nobody in then', async () => {
    const owner = await withPasskey()
    const other = await withPasskey()
    const page = await owner.browser.visit('/console/settings/passkeys')
    const { action } = formOf(page, '/remove')
    const foreign = await other.browser.visit(action, { form: { csrf: other.csrf } })
    expect(foreign.status).toBe(404)
    expect((await owner.browser.send(page, '/remove')).status).toBe(303)
    expect((await enter(owner)).answer.status).toBe(422)
    expect((await actions(owner))[0]).toBe('member.passkey_removed')
    const letters = await lettersTo(owner.email)
    expect(letters.map(({ subject }) => subject)).toEqual(['A passkey was added', 'A passkey was removed'])
  })

  it('that was added after a sign-in by link is seen and removed by the owner of the address, and proves nothing', async () => {
    const email = `${unique('owner')}@example.com`
    const linked = await addPasskey(await enterByLink(await createOrganization({ ownerEmail: email })))
    const browser = await signIn(email)
    const provenAt = (at: number) =>
      env.DB.prepare('UPDATE console_sessions SET proven_at = ? WHERE email = ?').bind(at, email).run()
    await provenAt(0)
    expect((await browser.visit('/console/confirm')).text).not.toContain('value="passkey"')
    await provenAt(Date.now())
    const page = await browser.visit('/console/settings/passkeys')
    expect(wordsOf(page)).toContain('Ada’s phone')
    expect((await browser.send(page, '/remove')).status).toBe(303)
    expect((await enter(linked)).answer.status).toBe(422)
  })

  it('opens nothing once its member is gone', async () => {
    const owner = await withPasskey()
    await env.DB.prepare('DELETE FROM members WHERE organization_id = ?').bind(owner.organization.id).run()
    const { answer, browser } = await enter(owner)
    expect([answer.status, browser.cookies.has(SESSION)]).toEqual([422, false])
  })

  it('costs nothing to be asked for: nothing is stored before one is shown', async () => {
    const count = () => env.DB.prepare('SELECT count(*) AS n FROM spent_challenges').first<number>('n')
    const before = await count()
    await options(openBrowser(), OPTIONS)
    expect(await count()).toBe(before)
    const crossSite = { 'Sec-Fetch-Site': 'cross-site' }
    expect((await openBrowser().visit(OPTIONS, { form: {}, headers: crossSite })).status).toBe(403)
  })
})
