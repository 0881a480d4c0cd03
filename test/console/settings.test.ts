import { env } from 'cloudflare:workers'
import { describe, expect, it, vi } from 'vitest'
import { answerConsole } from '../../src/console/answer-console.ts'
import { call } from '../support/app.ts'
import { codeFor, enter, signIn } from '../support/console.ts'
import { createOrganization, unique } from '../support/factories.ts'
import { memberWithRole } from '../support/members.ts'
import { browserRequest, formOf, seen, type Visit, wordsOf } from '../support/pages.ts'

describe('the settings', () => {
  it('of oneself are for every role, and decide how the console speaks', async () => {
    const organization = await createOrganization()
    const { userId, id } = await memberWithRole(organization, 'viewer')
    const browser = await enter(organization, userId)
    const page = await browser.visit('/console/settings')
    expect(page.text).not.toContain('/console/settings/organization')
    const saved = await browser.send(page, '/console/settings', {
      name: 'Grace Hopper',
      locale: 'de',
      timezone: 'Europe/Berlin',
    })
    expect(saved.status).toBe(303)
    const after = await browser.follow(saved)
    expect([wordsOf(after).includes('Gespeichert.'), after.text.includes('<html lang="de"')]).toEqual([
      true,
      true,
    ])
    const { body } = await call('GET', `/v1/organizations/${organization.id}/members/${id}`, {
      key: organization.liveKey,
    })
    expect(body).toMatchObject({ name: 'Grace Hopper', locale: 'de', timezone: 'Europe/Berlin' })
  })

  it('keep what emails somebody wants: what is not ticked is not sent', async () => {
    const organization = await createOrganization()
    const browser = await enter(organization)
    const page = await browser.visit('/console/settings')
    const csrf = formOf(page, '/console/settings').fields.csrf!
    const form = { csrf, name: '', timezone: '', locale: '', 'notifications.daily_agenda': 'on' }
    expect((await browser.visit('/console/settings', { form })).status).toBe(303)
    const { body } = await call('GET', `/v1/organizations/${organization.id}/members`, {
      key: organization.liveKey,
    })
    expect(body.data[0].notifications).toEqual({
      new: false,
      moved: false,
      cancelled: false,
      requested: false,
      daily_agenda: true,
    })
  })

  it('of the organization are for administrators, and report errors at their fields', async () => {
    const organization = await createOrganization()
    const browser = await enter(organization)
    const page = await browser.visit('/console/settings/organization')
    const bad = await browser.send(page, '/console/settings/organization', {
      active_per_email: 'many',
      invitee_emails: 'some',
      calendar_moves: 'always',
      hosts: 'not a host!',
    })
    expect(bad.status).toBe(422)
    expect(bad.text).toMatch(/id="active_per_email-error"/)
    expect(bad.text).toMatch(/id="invitee_emails-error"/)
    expect(bad.text).toMatch(/id="calendar_moves-error"/)
    expect(bad.text).toMatch(/<textarea[^>]*>not a host!<\/textarea>/)
    const good = await browser.send(page, '/console/settings/organization', {
      name: 'Renamed',
      invitee_emails: 'none',
      calendar_moves: 'follow',
      active_per_email: '7',
      hosts: 'app.example.com\r\nwww.example.com',
    })
    expect(good.status).toBe(303)
    const { body } = await call('GET', `/v1/organizations?owner_user_id=${organization.ownerUserId}`, {
      key: env.SERVICE_KEY,
    })
    expect(body).toMatchObject({
      name: 'Renamed',
      invitee_emails: 'none',
      calendar_moves: 'follow',
      public_limits: { active_per_email: 7 },
      allowed_redirect_hosts: ['app.example.com', 'www.example.com'],
    })
    const { userId } = await memberWithRole(organization, 'member')
    const member = await enter(organization, userId)
    expect((await member.visit('/console/settings/organization')).status).toBe(403)
    const csrf = formOf(await member.visit('/console/settings'), '/console/settings').fields.csrf!
    const sent = await member.visit('/console/settings/organization', { form: { csrf, name: 'Mine' } })
    expect(sent.status).toBe(403)
  })

  it('list and end what a link let in for a member with the address, and not the other way round', async () => {
    const email = `${unique('owner')}@example.com`
    const byLink = await enter(await createOrganization({ ownerEmail: email }))
    const byMail = await signIn(email)
    const SESSIONS = '/console/settings/sessions'
    const endsIn = async (browser: typeof byLink) =>
      (await browser.visit(SESSIONS)).text.split('/end"').length - 1
    const only = await enter(await createOrganization({ ownerEmail: email }))
    // One for each of the others, and one for all of them.
    expect([await endsIn(byLink), await endsIn(byMail), await endsIn(only)]).toEqual([0, 3, 0])
    const page = await byMail.visit(SESSIONS)
    expect(page.text).toContain('With a link, for this organization only')
    expect((await byMail.send(page, `${SESSIONS}/others/end`)).status).toBe(303)
    for (const gone of [byLink, only])
      expect((await gone.visit('/console/settings')).headers.get('location')).toMatch(/^\/console\/sign-in/)
  })

  it('list where somebody is signed in, and end what is theirs and nothing else', async () => {
    const email = `${unique('owner')}@example.com`
    await createOrganization({ ownerEmail: email })
    const here = await signIn(email)
    const there = await signIn(email)
    const stranger = `${unique('other')}@example.com`
    await createOrganization({ ownerEmail: stranger })
    const other = await signIn(stranger)
    const idOf = (of: string) =>
      env.DB.prepare('SELECT id FROM console_sessions WHERE email = ? ORDER BY id DESC')
        .bind(of)
        .first<string>('id')
    const page = await here.visit('/console/settings/sessions')
    const csrf = formOf(page, '/console/settings/sessions').fields.csrf!
    const foreign = await here.visit(`/console/settings/sessions/${await idOf(stranger)}/end`, {
      form: { csrf },
    })
    expect([foreign.status, (await other.visit('/console/settings')).status]).toEqual([404, 200])
    expect((await here.send(page, '/end', {}, csrf)).status).toBe(303)
    expect((await there.visit('/console/settings')).headers.get('location')).toMatch(/^\/console\/sign-in/)
    expect((await here.visit('/console/settings')).status).toBe(200)
    const third = await signIn(email)
    const again = await third.visit('/console/settings/sessions')
    await third.send(again, '/console/settings/sessions/others/end')
    expect((await here.visit('/console/settings')).headers.get('location')).toMatch(/^\/console\/sign-in/)
  })
})

describe('a deployment that anybody may sign up at', () => {
  it('lets people with a proven address create one organization, which opens no other one', async () => {
    const open = { ...env, SIGN_UP: 'open' }
    const email = `${unique('new')}@example.com`
    const cookies = new Map<string, string>()
    const visit = async (path: string, how: Visit = {}) => {
      const Cookie = [...cookies].map(([name, value]) => `${name}=${value}`).join('; ')
      const request = browserRequest(path, { ...how, headers: { ...(Cookie && { Cookie }) } })
      const answer = await seen(await answerConsole(request, open, new URL(request.url).pathname))
      for (const one of answer.headers.getSetCookie()) {
        const [, name, value] = /^([^=]+)=([^;]*)/.exec(one)!
        cookies.set(name!, value!)
      }
      return answer
    }
    expect((await visit('/console/sign-in')).text).toContain('If you are new')
    await visit('/console/sign-in', { form: { email, next: '/console' } })
    expect((await visit('/console/sign-in/code')).text).toContain(`We sent a code to ${email}.`)
    const signedIn = await visit('/console/sign-in/code', { form: { code: await codeFor(email) } })
    expect(signedIn.headers.get('location')).toBe('/console/organizations/new')
    const { fields } = formOf(await visit('/console/organizations/new'), '/new')
    const other = await createOrganization({ ownerEmail: `${unique('victim')}@example.com` })
    const form = {
      ...fields,
      name: 'Sign-up',
      timezone: 'UTC',
      email: 'victim@example.com',
      slug: other.slug,
    }
    expect((await visit('/console/organizations/new', { form })).headers.get('location')).toBe('/console')
    const { body } = await call('GET', `/v1/organizations?owner_user_id=${encodeURIComponent(email)}`, {
      key: env.SERVICE_KEY,
    })
    expect(body).toMatchObject({ name: 'Sign-up', owner_user_id: email })
    const members = await env.DB.prepare('SELECT user_email FROM members WHERE organization_id = ?')
      .bind(body.id)
      .all()
    expect(members.results).toEqual([{ user_email: email }])
    const page = await visit('/console/nothing')
    expect([page.status, page.text.includes(other.slug)]).toEqual([404, false])
  })

  it('refuses at a closed deployment what was begun at an open one', async () => {
    const email = `${unique('new')}@example.com`
    const request = browserRequest('/console/organizations/new', { form: { name: 'Mine', timezone: 'UTC' } })
    const answer = await answerConsole(request, env, '/console/organizations/new')
    expect([answer.status, answer.headers.get('location')]).toEqual([303, '/console/sign-in?unsent'])
    const count = env.DB.prepare('SELECT count(*) AS n FROM members WHERE user_email = ?').bind(email)
    expect(await count.first('n')).toBe(0)
  })
})

describe('a form that was not taken', () => {
  const path = '/console/settings'
  const fillsInAgain = ({ text }: { text: string }) =>
    /data-unsent/.test(text) && /<script[^>]*\/assets\/console\.js/.test(text)
  const ask = async (settings: object, form?: Record<string, string>) => {
    const headers = { 'CF-Connecting-IP': '192.0.2.31', Cookie: '__Host-hf_session=one' }
    const request = browserRequest(path, { headers, ...(form && { form }) })
    return seen(await answerConsole(request, { ...env, ...settings } as typeof env, path))
  }

  it('for too many were sent is filled in again, and a page that was only asked for is not', async () => {
    const braked = { PUBLIC_LIMIT: { limit: async () => ({ success: false }) } }
    // The isolate itself lets the first calls of a minute pass.
    for (let at = 0; at < 12; at++) await ask(braked)
    const [sent, asked] = [await ask(braked, { name: 'Grace' }), await ask(braked)]
    expect([sent.status, fillsInAgain(sent)]).toEqual([429, true])
    expect([asked.status, fillsInAgain(asked)]).toEqual([429, false])
    expect(Number(sent.headers.get('retry-after'))).toBeGreaterThan(0)
    expect(wordsOf(asked)).toContain('Too many requests')
  })

  it('for something failed is filled in again', async () => {
    const log = vi.spyOn(console, 'error').mockImplementation(() => {})
    const broken = {
      DB: {
        withSession: () => {
          throw new Error('There is no database.')
        },
      },
    }
    const [sent, asked] = [await ask(broken, { name: 'Grace' }), await ask(broken)]
    log.mockRestore()
    expect([sent.status, fillsInAgain(sent)]).toEqual([500, true])
    expect(sent.headers.get('content-security-policy')).toContain("script-src 'self'")
    expect(fillsInAgain(asked)).toBe(false)
  })
})
