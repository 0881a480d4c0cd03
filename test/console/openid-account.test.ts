import { env } from 'cloudflare:workers'
import { describe, expect, it } from 'vitest'
import { forgetWaysIn } from '../../src/people/sign-in/ways-in/forget-ways-in.ts'
import { call } from '../support/app.ts'
import { type Browser, codeFor, enter, openBrowser, signIn } from '../support/console.ts'
import { consoleTrips } from '../support/console-trips.ts'
import { createOrganization, unique } from '../support/factories.ts'
import { memberWithRole } from '../support/members.ts'
import { actionsOf, arrive, leadsTo, newProvider, owned, SESSION, START } from '../support/openid.ts'
import { formOf, type Visited, wordsOf } from '../support/pages.ts'
import { lettersTo } from '../support/ready-emails.ts'
import { bindShards, databaseOf, organizationIn } from '../support/shards.ts'
import type { World } from '../support/world.ts'

const SESSIONS = '/console/settings/sessions'
const LINK = '/console/settings/openid/link'
/** What the double leaves out of its discovery. */
const TELLS_WHEN = { discoveryChanges: { claims_supported: ['sub', 'auth_time'] } }

/** Goes on from a page of ours to the provider, and comes back to where that leads. */
async function viaProvider(world: World, browser: Browser, page: Visited, as: string): Promise<Visited> {
  const { pathname, search } = await world.consent(leadsTo(page), as)
  return browser.follow(await browser.visit(pathname + search))
}

async function linked(world: World, browser: Browser, as: string) {
  const page = await browser.send(await browser.visit(SESSIONS), LINK)
  return viaProvider(world, browser, page, as)
}

function makeOld(email: string) {
  return env.DB.prepare('UPDATE console_sessions SET proven_at = 0 WHERE email = ?').bind(email).run()
}

describe('the account at a provider', () => {
  it('is linked by a signed-in member, whatever address it has there, and can be removed by them alone', async () => {
    const world = newProvider({ OIDC_NAME: 'Acme' })
    await world.set({ neverTells: ['email', 'email_verified'] })
    const { email, organization } = await owned()
    const browser = await signIn(email)
    const there = `${unique('there')}@example.com`
    const done = await linked(world, browser, there)
    expect(done.headers.get('location')).toBe(`${SESSIONS}?done=1&about=linked`)
    expect(wordsOf(await browser.follow(done))).toMatch(
      /Your account was linked.*Account at Acme Linked .* Never used/,
    )
    const [told] = await lettersTo(email)
    expect([told?.subject, told?.text]).toEqual([
      'An account was linked',
      expect.stringMatching(/Account at:\s+Acme[\s\S]*If this was not you/),
    ])
    expect((await arrive(world, there)).answer.status).toBe(303)
    expect(wordsOf(await browser.visit(SESSIONS))).toContain('Last used')
    expect(await consoleTrips(browser, [SESSIONS])).toEqual([{ path: SESSIONS, trips: 2 }])
    const page = await browser.visit(SESSIONS)
    const foreign = await signIn((await owned()).email)
    const { csrf } = formOf(await foreign.visit('/console/settings'), '/console/settings').fields
    const { action } = formOf(page, '/settings/openid/')
    expect((await foreign.visit(action, { form: { csrf: csrf! } })).status).toBe(404)
    expect((await browser.send(page, '/settings/openid/')).status).toBe(303)
    expect((await lettersTo(email)).map(({ subject }) => subject)).toEqual([
      'An account was linked',
      'An account was unlinked',
    ])
    expect((await arrive(world, there)).answer.status).toBe(422)
    expect((await actionsOf(organization)).slice(0, 3)).toEqual([
      'member.openid_removed',
      'member.signed_in',
      'member.openid_linked',
    ])
  })

  it('is let follow nobody who uses a browser that was left open, before a proof', async () => {
    const world = newProvider()
    const { email } = await owned()
    const browser = await signIn(email)
    const there = `${unique('there')}@example.com`
    await linked(world, browser, there)
    await makeOld(email)
    const asking = await browser.send(await browser.visit(SESSIONS), '/settings/openid/')
    expect(wordsOf(asking)).toContain('Confirm your identity')
    expect((await arrive(world, there)).answer.status).toBe(303)
    const mailed = await browser.send(asking, '/settings/openid/', { proof: 'mail' })
    const proof_code = await codeFor(email)
    const done = await browser.send(mailed, '/settings/openid/', { proof: 'code', proof_code })
    expect(done.headers.get('location')).toBe(`${SESSIONS}?done=1&about=unlinked`)
    expect((await arrive(world, there)).answer.status).toBe(422)
  })

  it('is linked to the one member whom a link of the operator let in', async () => {
    const world = newProvider()
    const organization = await createOrganization()
    const there = `${unique('there')}@example.com`
    await linked(world, await enter(organization), there)
    const { answer, browser } = await arrive(world, there)
    expect(answer.status).toBe(303)
    expect(wordsOf(await browser.visit(SESSIONS))).toContain('With a link, for this organization only')
  })

  it('that was linked after a sign-in by link is seen and removed by the owner of the address, and proves nothing', async () => {
    const world = newProvider({ OIDC_NAME: 'Acme' })
    await world.set(TELLS_WHEN)
    const { email, organization } = await owned()
    const there = `${unique('there')}@example.com`
    await linked(world, await enter(organization), there)
    const browser = await signIn(email)
    await makeOld(email)
    expect(wordsOf(await browser.visit('/console/confirm'))).not.toContain('Confirm with Acme')
    const page = await browser.visit(SESSIONS)
    const words = wordsOf(page)
    expect(words).toContain('Never used. With a link, for this organization only')
    expect(words).toContain('Link an account at Acme')
    const proven = await signIn(email)
    const gone = await proven.send(await proven.visit(SESSIONS), '/settings/openid/', {}, 'Unlink')
    expect(gone.status).toBe(303)
    expect((await arrive(world, there)).answer.status).toBe(422)
    expect(wordsOf(await browser.visit(SESSIONS))).toContain('No account is linked')
  })

  it('that was linked with a proven address is neither shown nor removed after a sign-in by link', async () => {
    const world = newProvider()
    const { email, organization } = await owned()
    const { browser } = await arrive(world, email)
    const { action } = formOf(await browser.visit(SESSIONS), '/settings/openid/', 'Unlink')
    const byLink = await enter(organization)
    const page = await byLink.visit(SESSIONS)
    expect(wordsOf(page)).toContain('No account is linked')
    const { csrf } = formOf(page, '/settings/openid/').fields
    expect((await byLink.visit(action, { form: { csrf: csrf! } })).status).toBe(404)
    expect((await arrive(world, email)).answer.status).toBe(303)
  })

  it('belongs to the member who linked it last; the previous one gets an email and finds it in the log', async () => {
    const world = newProvider()
    const [first, last] = [await owned(), await owned()]
    const there = `${unique('there')}@example.com`
    const browser = await signIn(first.email)
    await linked(world, browser, there)
    await linked(world, await signIn(last.email), there)
    expect(wordsOf(await browser.visit(SESSIONS))).toContain('No account is linked')
    expect((await lettersTo(first.email)).map(({ subject }) => subject)).toEqual([
      'An account was linked',
      'An account was unlinked',
    ])
    expect((await lettersTo(last.email)).map(({ subject }) => subject)).toEqual(['An account was linked'])
    const { body } = await call('GET', '/v1/activity?action=member.openid_removed', {
      key: first.organization.liveKey,
    })
    expect(body.data).toEqual([expect.objectContaining({ actor_type: 'system', actor_id: null })])
    expect(await actionsOf(last.organization)).not.toContain('member.openid_removed')
    await linked(world, await enter(last.organization), there)
    expect(await lettersTo(last.email)).toHaveLength(2)
  })

  it('is linked by nobody without a fresh proof', async () => {
    const world = newProvider()
    const { email } = await owned()
    const browser = await signIn(email)
    const page = await browser.visit(SESSIONS)
    await makeOld(email)
    expect(wordsOf(await browser.send(page, LINK))).toContain('Confirm your identity')
    expect((await browser.visit(LINK, { form: {} })).status).toBe(403)
    expect((await world.look()).codes).toEqual([])
  })

  it('is linked in the session that went there, once, and to nobody who has another one there', async () => {
    const world = newProvider()
    const [mine, theirs] = [await owned(), await owned()]
    const [browser, other] = [await signIn(mine.email), await signIn(theirs.email)]
    const page = await other.send(await other.visit(SESSIONS), LINK)
    const { pathname, search } = await world.consent(leadsTo(page), theirs.email)
    // Somebody gives away the address that their own account comes back by, and even what their browser kept.
    expect((await browser.visit(pathname + search)).status).toBe(422)
    browser.cookies.set('__Host-hf_openid', other.cookies.get('__Host-hf_openid')!)
    const stolen = await browser.follow(await browser.visit(pathname + search))
    expect([stolen.status, wordsOf(stolen).includes('started in another browser')]).toEqual([422, true])
    const kept = new Map(other.cookies)
    expect((await other.follow(await other.visit(pathname + search))).status).toBe(303)
    const again = openBrowser(kept)
    expect((await again.follow(await again.visit(pathname + search))).status).toBe(422)
    const { csrf } = formOf(await other.visit(SESSIONS), '/settings/openid/').fields
    const second = await other.visit(LINK, { form: { csrf: csrf! } })
    const refused = await viaProvider(world, other, second, `${unique('second')}@example.com`)
    expect([refused.status, wordsOf(refused).includes('was not linked')]).toEqual([422, true])
  })

  it('is removed with its member, and the next member with that address uses an account of their own', async () => {
    const world = newProvider()
    const organization = await createOrganization()
    const first = await memberWithRole(organization, 'member')
    const email = `${first.userId}@example.com`
    const { browser } = await arrive(world, email)
    const path = `/v1/organizations/${organization.id}/members/${first.id}`
    expect((await call('DELETE', path, { key: organization.liveKey })).status).toBe(204)
    const { id } = await memberWithRole(organization, 'member')
    await env.DB.prepare('UPDATE members SET user_email = ? WHERE id = ?').bind(email, id).run()
    const left = await browser.visit('/console/settings')
    expect([left.status, left.headers.get('location')]).toEqual([
      303,
      '/console/sign-in?next=%2Fconsole%2Fsettings',
    ])
    expect(
      await env.DB.prepare('SELECT count(*) AS n FROM openid_accounts WHERE email = ?')
        .bind(email)
        .first('n'),
    ).toBe(0)
    await world.control('PUT', '/person', { sub: 'another' }, email)
    expect((await arrive(world, email)).answer.status).toBe(303)
  })
})

describe('a proof by the account at a provider', () => {
  const CONFIRM = '/console/confirm?next=%2Fconsole%2Fhours'

  async function settled() {
    const world = newProvider({ OIDC_NAME: 'Acme' })
    await world.set(TELLS_WHEN)
    const { email } = await owned()
    const { browser } = await arrive(world, email)
    return { world, email, browser }
  }

  it('is needed though somebody came in by it, for who is signed in there comes in without a word', async () => {
    const { world, email, browser } = await settled()
    const page = await browser.visit(CONFIRM)
    expect(wordsOf(page)).toContain('Confirm with Acme')
    const gone = await browser.send(page, '/console/confirm', { proof: 'openid' })
    expect(new URL(leadsTo(gone)).searchParams.get('prompt')).toBe('login')
    const proven = await viaProvider(world, browser, gone, email)
    expect([proven.status, proven.headers.get('location')]).toEqual([303, '/console/hours'])
    expect((await browser.visit(CONFIRM)).status).toBe(303)
  })

  it('loses nothing that was typed', async () => {
    const { world, email, browser } = await settled()
    const { csrf } = formOf(await browser.visit('/console/settings'), '/console/settings').fields
    const typed = [
      ['name', 'Ada & "Sons" <'],
      ['scopes', 'read'],
      ['scopes', 'write'],
    ] as const
    const path = '/console/developers/keys/new'
    const gone = await browser.visit(path, { form: [['csrf', csrf!], ...typed, ['proof', 'openid']] })
    const page = await viaProvider(world, browser, gone, email)
    const { action, pairs } = formOf(page, path)
    expect([action, pairs.filter(([name]) => name !== 'csrf')]).toEqual([path, typed])
    expect((await browser.visit(path, { form: [...pairs] })).status).not.toBe(403)
  })

  it.each([
    ['somebody who was signed in there before', { signedInSecondsAgo: 600 }, null],
    ['an account whose time of sign-in is not given', { claimChanges: { auth_time: null } }, null],
    ['somebody else', {}, 'stranger@example.com'],
  ])('is refused for %s', async (_, settings, as) => {
    const { world, email, browser } = await settled()
    await world.set(settings)
    const gone = await browser.send(await browser.visit(CONFIRM), '/console/confirm', { proof: 'openid' })
    const page = await viaProvider(world, browser, gone, as ?? email)
    expect([page.status, wordsOf(page).includes('Confirm your identity')]).toEqual([422, true])
    expect((await browser.visit(CONFIRM)).status).toBe(200)
  })

  it('is requested again if none was pending, and while the provider does not answer', async () => {
    const { world, email, browser } = await settled()
    const uncalled = await browser.visit('/console/confirm/openid?code=x&state=1')
    expect([uncalled.status, wordsOf(uncalled).includes('Confirm your identity')]).toEqual([422, true])
    const gone = await browser.send(await browser.visit(CONFIRM), '/console/confirm', { proof: 'openid' })
    await world.troubles([{ about: 'POST /token ', status: 500 }])
    const late = await viaProvider(world, browser, gone, email)
    expect([late.status, wordsOf(late).includes('Acme is not available')]).toEqual([503, true])
    expect((await browser.visit(CONFIRM)).status).toBe(200)
  })

  it('is not offered by a provider that does not say when somebody signed in', async () => {
    const world = newProvider({ OIDC_NAME: 'Acme' })
    const { email } = await owned()
    const { browser } = await arrive(world, email)
    expect(wordsOf(await browser.visit(CONFIRM))).not.toContain('Confirm with Acme')
    expect(browser.cookies.has(SESSION)).toBe(true)
    expect((await browser.visit(START)).status).toBe(303)
  })
})

describe('the account of somebody in several databases', () => {
  it('opens all organizations they belong to, and is forgotten everywhere once there are no more', async () => {
    await bindShards()
    const world = newProvider()
    const email = `${unique('owner')}@example.com`
    const own = [
      await organizationIn(2, { ownerEmail: email }),
      await organizationIn(1, { ownerEmail: email }),
    ]
    for (const _ of ['linked now', 'linked before']) {
      const { answer, browser } = await arrive(world, email)
      expect([answer.status, answer.headers.get('location')]).toEqual([303, '/console'])
      const { text } = await browser.visit('/console/organizations')
      expect(own.map(({ id }) => text.includes(id))).toEqual([true, true])
    }
    const count = async (table: string, shard: number) => {
      const statement = databaseOf(shard).prepare(`SELECT count(*) AS n FROM ${table} WHERE email = ?`)
      return statement.bind(email).first<number>('n')
    }
    const left = async (shard: number) => {
      await databaseOf(shard).prepare('DELETE FROM members WHERE lower(user_email) = ?').bind(email).run()
      await forgetWaysIn(env, { memberIds: [], emails: [email] })
      return [
        await count('openid_accounts', 0),
        ...(await Promise.all([0, 1, 2].map((each) => count('console_sessions', each)))),
      ]
    }
    expect(await left(1)).toEqual([1, 0, 0, 2])
    expect(await left(2)).toEqual([0, 0, 0, 0])
    expect((await arrive(world, email)).answer.status).toBe(422)
  })
})
