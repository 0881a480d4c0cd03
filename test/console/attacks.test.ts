import { env } from 'cloudflare:workers'
import { describe, expect, it } from 'vitest'
import { answerConsole } from '../../src/console/answer-console.ts'
import { nextPath } from '../../src/console/next-path.ts'
import { signInEmail } from '../../src/people/sign-in/sign-in-email.ts'
import { SCREENS } from '../e2e/console/screens.ts'
import { call } from '../support/app.ts'
import { type Browser, enter, openBrowser, signIn } from '../support/console.ts'
import { countedEnv } from '../support/counted-env.ts'
import {
  bookingInput,
  createEventType,
  createOrganization,
  dayFromNow,
  type Organization,
  unique,
} from '../support/factories.ts'
import { memberWithRole } from '../support/members.ts'
import { browserRequest, formOf, linksOf, seen, type Visited, wordsOf } from '../support/pages.ts'

type Pairs = readonly (readonly [string, string])[]
type Sent = { readonly action: string; readonly pairs: Pairs }

/** What everybody does for themselves, whatever their role. */
const OWN = /^\/console\/(settings(\/(sessions|passkeys)\b.*)?|mode|organizations|sign-out)$/
const ENOUGH = 70

/** An organization with something on every screen. */
async function busyOrganization() {
  const organization = await createOrganization({ ownerEmail: `${unique('owner')}@example.com` })
  const key = organization.liveKey
  const eventType = await createEventType(key)
  await createEventType(key)
  const member = await memberWithRole(organization, 'member')
  const body = bookingInput(eventType.id, dayFromNow(3) + 10 * 3_600_000)
  await call('POST', '/v1/bookings', { body })
  await call('POST', '/v1/schedules', { key, body: { name: 'Mornings', timezone: 'UTC', rules: [] } })
  await call('POST', `/v1/organizations/${organization.id}/invitations`, {
    key: env.SERVICE_KEY,
    headers: { 'X-Org-Id': organization.id },
    body: { email: `${unique('guest')}@example.com`, role: 'member' },
  })
  return { organization, eventType, member }
}

/**
 * Looks at every screen that links lead to: their pages, the forms on them, and what looking changed. Clients and words to search
 * are counted up to now first.
 */
async function walk(browser: Browser) {
  const Cookie = [...browser.cookies].map((pair) => pair.join('=')).join('; ')
  const ahead = SCREENS.map(([, path]) => path)
  const pages = new Map<string, Visited>()
  const forms = new Map<string, Sent>()
  const changed: string[] = []
  for (const path of ahead) {
    if (pages.has(path) || pages.size >= ENOUGH) continue
    const counted = countedEnv(env)
    const request = browserRequest(path, { headers: { Cookie } })
    const page = await seen(await answerConsole(request, counted.env, new URL(request.url).pathname))
    pages.set(path, page)
    const writes = counted.ran.filter(
      ({ sql, written }) =>
        written > 0 && !/console_sessions|booking_searches|booking_words|clients|client_/.test(sql),
    )
    if (writes.length > 0) changed.push(`${path}: ${writes[0]!.sql}`)
    ahead.push(...linksOf(page).filter((to) => to.startsWith('/console/')))
    for (const [, action] of page.text.matchAll(/<form[^>]*action="(\/console[^"]*)"/g)) {
      if (forms.has(action!)) continue
      try {
        forms.set(action!, formOf(page, action!))
      } catch {
        // It only looks for something.
      }
    }
  }
  return { pages, forms: [...forms.values()], changed }
}

async function csrfOf(browser: Browser): Promise<string> {
  return formOf(await browser.visit('/console/settings'), '/console/settings').fields.csrf!
}

async function logOf({ liveKey }: Organization): Promise<unknown[]> {
  const { body } = await call('GET', '/v1/activity?limit=100', { key: liveKey })
  return body.data
}

/** Sends forms of somebody else's pages with a token of one's own; which of them were not refused. */
async function sendAll(browser: Browser, forms: readonly Sent[], csrf: string | null): Promise<string[]> {
  const done: string[] = []
  for (const { action, pairs } of forms) {
    const form = pairs.flatMap(([name, value]): [string, string][] =>
      name !== 'csrf' ? [[name, value]] : csrf === null ? [] : [[name, csrf]],
    )
    const { status } = await browser.visit(action, { form })
    if (status < 400) done.push(`${action} ${status}`)
  }
  return done
}

describe('the console under attack', () => {
  it('changes nothing when a page is opened, and forbids frames and caches', async () => {
    const { organization } = await busyOrganization()
    const { pages, forms, changed } = await walk(await enter(organization))
    expect([pages.size > 25, forms.length > 15]).toEqual([true, true])
    expect(changed).toEqual([])
    for (const [path, { headers, status }] of pages) {
      const policy = headers.get('Content-Security-Policy')
      expect([path, policy?.includes("frame-ancestors 'none'")]).toEqual([path, true])
      expect([path, headers.get('X-Frame-Options')]).toEqual([path, 'DENY'])
      expect([path, status, headers.get('Cache-Control')]).toEqual([path, status, 'no-store'])
    }
  }, 120_000)

  it('refuses the forms of an owner from viewers, and from members except for bookings', async () => {
    const { organization, member } = await busyOrganization()
    const { forms } = await walk(await enter(organization))
    const foreign = forms.filter(({ action }) => !OWN.test(action))
    const viewer = await enter(organization, (await memberWithRole(organization, 'viewer')).userId)
    const before = await logOf(organization)
    expect(await sendAll(viewer, foreign, await csrfOf(viewer))).toEqual([])
    const colleague = await enter(organization, member.userId)
    // What letters they get is theirs to say, what they may do is not.
    const themselves = `/console/team/${member.id}`
    const beyond = foreign.filter(
      ({ action }) => !action.startsWith('/console/bookings') && action !== themselves,
    )
    const form = { csrf: await csrfOf(colleague), role: 'admin' }
    await colleague.visit(themselves, { form })
    expect(await sendAll(colleague, beyond, await csrfOf(colleague))).toEqual([])
    const since = (await logOf(organization)) as { action: string }[]
    const added = since.slice(0, since.length - before.length)
    const own = ['member.signed_in', 'member.updated']
    expect(added.filter(({ action }) => !own.includes(action))).toEqual([])
    const role = env.DB.prepare('SELECT role FROM members WHERE id = ?').bind(member.id)
    expect(await role.first('role')).toBe('member')
  }, 120_000)

  it('changes nothing by a form without the token of this session', async () => {
    const { organization } = await busyOrganization()
    const owner = await enter(organization)
    const { forms } = await walk(owner)
    const before = await logOf(organization)
    expect(await sendAll(owner, forms, null)).toEqual([])
    const again = await enter(organization)
    expect(await sendAll(owner, forms, await csrfOf(again))).toEqual([])
    expect((await logOf(organization)).length).toBe(before.length + 1)
  }, 120_000)

  it('refuses a form from a member who was demoted or removed after opening it', async () => {
    const { organization } = await busyOrganization()
    const admin = await memberWithRole(organization, 'admin')
    const browser = await enter(organization, admin.userId)
    const page = await browser.visit('/console/settings/organization')
    expect(page.status).toBe(200)
    await env.DB.prepare("UPDATE members SET role = 'viewer' WHERE id = ?").bind(admin.id).run()
    const sent = await browser.send(page, '/console/settings/organization', { name: 'Mine now' })
    expect(sent.status).toBe(403)
    await env.DB.prepare('DELETE FROM members WHERE id = ?').bind(admin.id).run()
    const gone = await browser.send(page, '/console/settings/organization', { name: 'Mine now' })
    expect(gone.status).toBe(403)
    expect((await browser.visit('/console/settings')).headers.get('location')).toBe('/console/organizations')
  })

  it('treats addresses as equal only if they differ in nothing but upper and lower case', async () => {
    const name = unique('kim')
    const organization = await createOrganization({ ownerEmail: `${name}@example.com` })
    const upper = await signIn(`${name.toUpperCase()}@EXAMPLE.com`)
    expect((await upper.visit('/console/settings')).status).toBe(200)
    for (const other of [
      `\u212aim${name.slice(3)}@example.com`,
      `${name}@ex\u0430mple.com`,
      `${name}+x@example.com`,
    ]) {
      await expect(signIn(other)).rejects.toThrow()
    }
    expect(organization.id).toBeTruthy()
  })

  it('writes emails about its own address, whatever host it was asked by', async () => {
    const email = `${unique('owner')}@example.com`
    await createOrganization({ ownerEmail: email })
    const headers = {
      Host: 'evil.example',
      'X-Forwarded-Host': 'evil.example',
      Origin: 'https://holdfast.test',
    }
    const answer = await openBrowser().visit('/console/sign-in', {
      form: { email, next: '/console' },
      headers,
    })
    expect(answer.headers.get('location')).toBe('/console/sign-in/code')
    const state = { expiresAt: 1, isUsed: false, isMember: true }
    const asked = { id: crypto.randomUUID(), locale: 'en', path: '/console', ...state }
    const letter = await signInEmail(env, email, asked, 0)
    expect(letter!.text).toContain(`${env.PUBLIC_URL}/console/sign-in/link?token=`)
  })

  it('signs nobody in by a form from another site', async () => {
    const email = `${unique('owner')}@example.com`
    await createOrganization({ ownerEmail: email })
    for (const path of [
      '/console/sign-in',
      '/console/sign-in/code',
      '/console/sign-in/link',
      '/console/link',
    ]) {
      for (const headers of [{ 'Sec-Fetch-Site': 'cross-site' }, { 'Sec-Fetch-Site': 'same-site' }]) {
        const answer = await openBrowser().visit(path, { form: { email, token: 'x' }, headers })
        expect([path, answer.status]).toEqual([path, 403])
      }
    }
  })

  it.each([
    '//evil.example',
    '/\\evil.example',
    '/console//evil.example',
    '/console/..//evil.example',
    '/console/%2e%2e/x',
    '/console/a?next=//evil.example',
    '/console/a#x',
    ' /console/a',
    '/console/a\n',
    '/consolex',
    '/console/sign-out',
    'javascript:alert(1)',
    `/console/${'a'.repeat(300)}`,
  ])('leads nobody to %j', (asked) => {
    expect(nextPath(asked)).toBe('/console')
  })

  it('explains why it refuses a form that is too large', async () => {
    const answer = await openBrowser().visit('/console/sign-in', { form: { email: 'a'.repeat(65_536) } })
    expect([answer.status, wordsOf(answer)]).toEqual([400, expect.stringContaining('64 KiB')])
  })

  it('does not reveal to other organizations that something exists', async () => {
    const { eventType } = await busyOrganization()
    const stranger = await enter(await createOrganization())
    const csrf = await csrfOf(stranger)
    const there = await stranger.visit(`/console/event-types/${eventType.id}`)
    const nowhere = await stranger.visit(`/console/event-types/${crypto.randomUUID()}`)
    expect([there.status, wordsOf(there)]).toEqual([404, wordsOf(nowhere)])
    const form = { csrf }
    const gone = await stranger.visit(`/console/event-types/${eventType.id}/delete`, { form })
    expect(gone.status).toBe(404)
  })
})
