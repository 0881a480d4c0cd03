import { env } from 'cloudflare:workers'
import { describe, expect, it } from 'vitest'
import { call } from '../support/app.ts'
import { codeFor, enter, lastCodeOf, letterLinkFor, openBrowser, signIn } from '../support/console.ts'
import { createOrganization, unique } from '../support/factories.ts'
import { visit, wordsOf } from '../support/pages.ts'
import { emailTo } from '../support/sign-in-email.ts'

const SESSION = '__Host-hf_session'

function newAddress(): string {
  return `${unique('owner')}@example.com`
}

async function owned(email = newAddress()) {
  return { email, organization: await createOrganization({ ownerEmail: email }) }
}

async function ask(email: string, headers: Record<string, string> = {}) {
  const browser = openBrowser()
  const answer = await browser.visit('/console/sign-in', { form: { email, next: '/console' }, headers })
  return { browser, answer }
}

async function guess(browser: ReturnType<typeof openBrowser>, code: string) {
  return browser.visit('/console/sign-in/code', { form: { code } })
}

/** Digits that are not the code. */
function wrong(code: string, by = 1): string {
  return String((Number(code) + by) % 1_000_000).padStart(6, '0')
}

describe('signing in', () => {
  it('accepts the mailed code, once, and opens the organization', async () => {
    const { email, organization } = await owned()
    const { browser, answer } = await ask(email)
    expect([answer.status, answer.headers.get('location')]).toEqual([303, '/console/sign-in/code'])
    const signedIn = await guess(browser, await codeFor(email))
    expect([signedIn.status, signedIn.headers.get('location')]).toEqual([303, '/console'])
    const cookie = signedIn.headers.getSetCookie().find((one) => one.startsWith(SESSION))!
    expect(cookie).toMatch(/; Path=\/; Max-Age=2592000; HttpOnly; Secure; SameSite=Lax$/)
    const home = await browser.follow(signedIn)
    expect([home.status, home.headers.get('location')]).toEqual([303, '/console/start'])
    const { body } = await call('GET', '/v1/activity?action=member.signed_in', { key: organization.liveKey })
    expect(body.data).toMatchObject([{ actor_type: 'user', actor_id: organization.ownerUserId }])
  })

  it('takes a code once', async () => {
    const { email } = await owned()
    const { browser } = await ask(email)
    const code = await codeFor(email)
    const other = openBrowser(new Map(browser.cookies))
    expect((await guess(browser, code)).status).toBe(303)
    expect((await guess(other, code)).status).toBe(422)
  })

  it('accepts the link of the email by its button, and not by opening it', async () => {
    const { email } = await owned()
    await ask(email)
    const link = await letterLinkFor(email)
    const browser = openBrowser()
    const page = await browser.visit(link)
    expect([page.status, browser.cookies.has(SESSION)]).toEqual([200, false])
    expect((await browser.send(page, '/console/sign-in/link')).status).toBe(303)
    expect(browser.cookies.has(SESSION)).toBe(true)
    expect((await openBrowser().visit(link)).status).toBe(410)
  })

  it('says the same for an unknown address, and sends it no email', async () => {
    const { email } = await owned()
    const nobody = newAddress()
    const [known, unknown] = [await ask(email), await ask(nobody)]
    expect(unknown.answer.status).toBe(known.answer.status)
    const [a, b] = [await known.browser.follow(known.answer), await unknown.browser.follow(unknown.answer)]
    expect(wordsOf(b).replaceAll(nobody, email)).toBe(wordsOf(a))
    const guessed = await guess(unknown.browser, await codeFor(nobody))
    const missed = await guess(known.browser, wrong(await codeFor(email)))
    expect(guessed.status).toBe(422)
    expect(wordsOf(guessed).replaceAll(nobody, email)).toBe(wordsOf(missed))
    expect([await emailTo(email), await emailTo(nobody)]).toEqual([
      expect.objectContaining({ to: email, subject: 'Your code to sign in' }),
      null,
    ])
  })

  it('writes the email in the requester’s language, with the code and the link', async () => {
    const { email } = await owned()
    await ask(email, { 'Accept-Language': 'de' })
    const letter = (await emailTo(email))!
    expect(letter.subject).toBe('Ihr Code zum Anmelden')
    expect(letter.text).toContain(await codeFor(email))
    expect(letter.text).toContain(`${env.PUBLIC_URL}${await letterLinkFor(email)}`)
  })

  it('ends a code after five wrong ones, also if they arrive at the same time', async () => {
    const { email } = await owned()
    const { browser } = await ask(email)
    const code = await codeFor(email)
    const tries = [1, 2, 3, 4, 5, 6, 7, 8].map((by) =>
      guess(openBrowser(new Map(browser.cookies)), wrong(code, by)),
    )
    expect((await Promise.all(tries)).map(({ status }) => status)).toEqual(Array(8).fill(422))
    expect((await guess(browser, code)).status).toBe(422)
    const row = env.DB.prepare('SELECT wrong_tries FROM sign_in_codes WHERE id = ?')
    expect(await row.bind(await lastCodeOf(email)).first('wrong_tries')).toBe(5)
  })

  it('leaves wrong codes in the log of each organization where the address belongs, and in no other', async () => {
    const email = newAddress()
    const first = (await owned(email)).organization
    const second = (await owned(email)).organization
    const other = (await owned()).organization
    const { browser } = await ask(email)
    await guess(browser, wrong(await codeFor(email)))
    const unknown = await ask(newAddress())
    await guess(unknown.browser, '000000')
    const failed = async ({ liveKey }: typeof first) => {
      const { body } = await call('GET', '/v1/activity?action=member.sign_in_failed', { key: liveKey })
      return body.data.map(({ actor_type, actor_id, resource_type }: Record<string, unknown>) => [
        actor_type,
        actor_id,
        resource_type,
      ])
    }
    const once = [['system', null, 'member']]
    expect([await failed(first), await failed(second), await failed(other)]).toEqual([once, once, []])
  })

  it('accepts a code only from the browser that requested it', async () => {
    const { email } = await owned()
    await ask(email)
    const stranger = await ask(newAddress())
    expect((await guess(stranger.browser, await codeFor(email))).status).toBe(422)
    expect((await guess(openBrowser(), await codeFor(email))).headers.get('location')).toBe(
      '/console/sign-in',
    )
  })

  it('accepts no code that is ten minutes old', async () => {
    const { email } = await owned()
    const { browser } = await ask(email)
    await env.DB.prepare('UPDATE sign_in_codes SET expires_at = ? WHERE email = ?')
      .bind(Date.now(), email)
      .run()
    expect((await guess(browser, await codeFor(email))).status).toBe(422)
    expect((await openBrowser().visit(await letterLinkFor(email))).status).toBe(410)
  })

  it('sends an address three codes an hour from one network', async () => {
    const email = newAddress()
    const headers = { 'CF-Connecting-IP': '192.0.2.77' }
    const statuses: number[] = []
    for (let time = 0; time < 4; time++) statuses.push((await ask(email, headers)).answer.status)
    expect(statuses).toEqual([303, 303, 303, 429])
    expect((await ask(email)).answer.status).toBe(303)
  })

  it('sends a mailbox ten codes an hour, whatever follows a plus and however its domain is spelled', async () => {
    const [local, domain] = newAddress().split('@')
    const send = async (address: string) => (await ask(address)).answer.status
    const spelled = ['ｅxample.com', 'eｘample.com', 'exａmple.com', 'EXAMPＬE.com'].map(
      (one) => `${local}@${one}`,
    )
    const tagged = Array.from({ length: 6 }, (_, at) => `${local}+${at}@${domain}`)
    expect(await Promise.all([...spelled, ...tagged].map(send))).toEqual(Array(10).fill(303))
    for (const further of [`${local}+x@${domain}`, `${local}@${domain}`, `${local}@exaｍple.com`]) {
      expect(await send(further), further).toBe(429)
    }
    expect([await send(`${local}+x@example.org`), await send(`x${local}@${domain}`)]).toEqual([303, 303])
  })

  it('signs in a member whose domain has other emails than ASCII', async () => {
    const { email, organization } = await owned(`${unique('owner')}@bücher.example`)
    await signIn(email)
    const { body } = await call('GET', '/v1/activity?action=member.signed_in', { key: organization.liveKey })
    expect(body.data).toMatchObject([{ actor_type: 'user', actor_id: organization.ownerUserId }])
  })

  it('begins a session of its own, whatever the browser held before', async () => {
    const { email } = await owned()
    const planted = await signIn((await owned()).email)
    const token = planted.cookies.get(SESSION)!
    const browser = await signIn(email, openBrowser(new Map([[SESSION, token]])))
    expect(browser.cookies.get(SESSION)).not.toBe(token)
    expect((await planted.visit('/console')).headers.get('location')).toBe('/console/sign-in')
  })

  it('leads on to the requested page, and nowhere else', async () => {
    const { email } = await owned()
    const inside = await openBrowser().visit('/console/bookings/abc')
    expect(inside.headers.get('location')).toBe('/console/sign-in?next=%2Fconsole%2Fbookings%2Fabc')
    const lead = async (next: string) => {
      const browser = openBrowser()
      const page = await browser.visit(`/console/sign-in?next=${encodeURIComponent(next)}`)
      const headers = { 'CF-Connecting-IP': '' }
      await browser.visit('/console/sign-in', {
        form: { email, next: /name="next" value="([^"]*)"/.exec(page.text)![1]! },
      })
      void headers
      return (await guess(browser, await codeFor(email))).headers.get('location')
    }
    expect(await lead('/console/bookings/abc')).toBe('/console/bookings/abc')
    for (const next of [
      '//evil.example',
      'https://evil.example/console',
      '/console/../book/x',
      '/console\\@evil.example',
    ]) {
      expect(await lead(next)).toBe('/console')
    }
  })
})

describe('a session', () => {
  it('ends when somebody signs out', async () => {
    const { email } = await owned()
    const browser = await signIn(email)
    const token = browser.cookies.get(SESSION)!
    const page = await browser.visit('/console/nothing')
    expect(page.status).toBe(404)
    expect((await browser.send(page, '/console/sign-out')).status).toBe(200)
    expect(browser.cookies.has(SESSION)).toBe(false)
    const again = await openBrowser(new Map([[SESSION, token]])).visit('/console')
    expect(again.headers.get('location')).toBe('/console/sign-in')
  })

  it('ends after thirty days in which it was not used, and is kept as a hash', async () => {
    const { email } = await owned()
    const browser = await signIn(email)
    const set = env.DB.prepare('UPDATE console_sessions SET used_at = ? WHERE email = ?')
    await set.bind(Date.now() - 29 * 86_400_000, email).run()
    expect((await browser.visit('/console')).headers.get('location')).toBe('/console/start')
    await set.bind(Date.now() - 30 * 86_400_000, email).run()
    expect((await browser.visit('/console')).headers.get('location')).toBe('/console/sign-in')
    const rows = JSON.stringify((await env.DB.prepare('SELECT * FROM console_sessions').all()).results)
    expect(rows).not.toContain(browser.cookies.get(SESSION))
  })

  it('ends with the membership', async () => {
    const { email, organization } = await owned()
    const browser = await signIn(email)
    await env.DB.prepare('DELETE FROM members WHERE organization_id = ?').bind(organization.id).run()
    const page = await browser.follow(await browser.visit('/console/bookings'))
    expect([page.status, wordsOf(page).includes('You are not a member of an organization')]).toEqual([
      403,
      true,
    ])
  })

  it('that has ended answers a form with a page saying that nothing was changed', async () => {
    const { email } = await owned()
    const browser = await signIn(email)
    const page = await browser.visit('/console/settings')
    await env.DB.prepare('DELETE FROM console_sessions WHERE email = ?').bind(email).run()
    const sent = await browser.send(page, '/console/settings', { name: 'Grace' })
    expect([sent.status, sent.headers.get('location')]).toEqual([303, '/console/sign-in?unsent'])
    expect(wordsOf(await browser.follow(sent))).toContain('You are signed out, so nothing was changed.')
  })

  it('that is over keeps nobody from going elsewhere with words about what they never changed', async () => {
    const { email } = await owned()
    const browser = await signIn(email)
    const page = await browser.visit('/console/settings')
    await env.DB.prepare('DELETE FROM console_sessions WHERE email = ?').bind(email).run()
    for (const action of ['/console/sign-out', '/console/mode']) {
      const sent = await browser.send(page, action)
      expect([sent.status, sent.headers.get('location')]).toEqual([303, '/console/sign-in'])
    }
  })

  it('takes forms that carry its token, from its own pages, for the organization that they show', async () => {
    const email = newAddress()
    const first = await owned(email)
    const browser = await signIn(email)
    const page = await browser.visit('/console/nothing')
    const other = await signIn((await owned()).email)
    const foreign = await other.visit('/console/nothing')
    const csrf = (visited: { text: string }) => /name="csrf" value="([^"]*)"/.exec(visited.text)![1]!
    const sent = (form: Record<string, string>, headers = {}) =>
      browser.visit('/console/mode', { form, headers })
    expect((await sent({ mode: 'test' })).status).toBe(403)
    expect((await sent({ mode: 'test', csrf: csrf(foreign) })).status).toBe(403)
    const crossSite = { 'Sec-Fetch-Site': 'cross-site' }
    expect((await sent({ mode: 'test', csrf: csrf(page) }, crossSite)).status).toBe(403)
    const mode = env.DB.prepare('SELECT is_test FROM console_sessions WHERE email = ?').bind(email)
    expect(await mode.first('is_test')).toBe(0)
    expect((await sent({ mode: 'test', csrf: csrf(page) })).status).toBe(303)
    expect(await mode.first('is_test')).toBe(1)
    // It was made for real data.
    expect((await sent({ mode: 'live', csrf: csrf(page) })).status).toBe(403)
    expect(first.organization.id).toBeTruthy()
  })

  it('is not shown in frames, not stored and not listed, and runs nothing foreign', async () => {
    const { email } = await owned()
    const browser = await signIn(email)
    for (const path of ['/console/sign-in', '/console/nothing', '/console/nothing?embed=1']) {
      const { headers } = await browser.visit(path)
      const policy = headers.get('Content-Security-Policy')!
      expect(policy).toContain("frame-ancestors 'none'")
      expect(policy).toContain("default-src 'none'")
      expect(policy).toContain("script-src 'self';")
      expect(headers.get('X-Frame-Options')).toBe('DENY')
      expect(headers.get('Cache-Control')).toBe('no-store')
      expect(headers.get('X-Robots-Tag')).toContain('noindex')
    }
  })
})

describe('somebody who works in several organizations', () => {
  it('chooses one, and changes to another', async () => {
    const email = newAddress()
    const one = await owned(email)
    const two = await owned()
    await join(two.organization.id, email)
    const browser = await signIn(email)
    const choice = await browser.follow(await browser.visit('/console'))
    expect(wordsOf(choice)).toContain('Choose an organization')
    await browser.send(choice, '/console/organizations', {}, one.organization.id)
    const page = await browser.visit('/console/nothing')
    expect(page.text).toContain(`/book/${one.organization.slug}`)
    await browser.send(page, '/console/organizations', {}, two.organization.id)
    expect((await browser.visit('/console/nothing')).text).toContain(`/book/${two.organization.slug}`)
  })

  it('cannot enter one that they do not belong to', async () => {
    const email = newAddress()
    await owned(email)
    const foreign = await owned()
    const browser = await signIn(email)
    const page = await browser.visit('/console/nothing')
    const csrf = /name="csrf" value="([^"]*)"/.exec(page.text)![1]!
    await browser.visit('/console/organizations', {
      form: { csrf, organization_id: foreign.organization.id },
    })
    expect((await browser.visit('/console/nothing')).text).not.toContain(foreign.organization.slug)
  })
})

describe('a link of the service key', () => {
  it('signs the owner in once, and is valid for that member alone', async () => {
    const email = newAddress()
    const { organization } = await owned(email)
    const elsewhere = await owned()
    await join(elsewhere.organization.id, email)
    const browser = await enter(organization)
    const page = await browser.visit('/console/nothing')
    expect(page.text).toContain(`/book/${organization.slug}`)
    expect(page.text).not.toContain(elsewhere.organization.id)
  })

  it('makes an organization, once, whose owner is signed in to it alone', async () => {
    const victim = newAddress()
    const { organization } = await owned(victim)
    const path = await bootstrapLink()
    const browser = openBrowser()
    const page = await browser.visit(path)
    const refused = await browser.send(page, '/console/link', { name: 'New Studio', email: 'nobody' })
    expect(refused.status).toBe(422)
    const email = newAddress()
    const made = await browser.send(refused, '/console/link', {
      name: 'New Studio',
      email,
      timezone: 'Europe/Berlin',
    })
    expect(made.status).toBe(303)
    expect((await browser.visit('/console/nothing')).text).toContain('New Studio')
    expect((await openBrowser().visit(path)).status).toBe(410)

    // The word of whoever has a link opens nothing of who has the address.
    const taken = openBrowser()
    await taken.send(await taken.visit(await bootstrapLink()), '/console/link', {
      name: 'Mine',
      email: victim,
    })
    const inside = await taken.visit('/console/nothing')
    expect(inside.text).not.toContain(organization.slug)
  })

  it('makes one for an address whose owner has another one by now, and none for who owns one', async () => {
    const email = newAddress()
    const made = async () => {
      const browser = openBrowser()
      return browser.send(await browser.visit(await bootstrapLink()), '/console/link', {
        name: 'Mine',
        email,
      })
    }
    expect((await made()).status).toBe(303)
    const again = await made()
    expect([again.status, wordsOf(again).includes('already owns an organization')]).toEqual([422, true])
    await env.DB.prepare('UPDATE members SET user_email = ? WHERE user_email = ?')
      .bind(newAddress(), email)
      .run()
    expect((await made()).status).toBe(303)
  })

  it('makes one organization where it is used twice at the same time', async () => {
    const path = await bootstrapLink()
    const page = await visit(path)
    const token = /name="token" value="([^"]*)"/.exec(page.text)![1]!
    const name = unique('Twice')
    const send = () =>
      openBrowser().visit('/console/link', { form: { token, name, email: newAddress(), timezone: 'UTC' } })
    const statuses = (await Promise.all([send(), send(), send()])).map(({ status }) => status)
    expect(statuses.sort()).toEqual([303, 410, 410])
    const count = env.DB.prepare('SELECT count(*) AS n FROM organizations WHERE name = ?')
    expect(await count.bind(name).first('n')).toBe(1)
  })
})

describe('signing up', () => {
  it('is closed unless the deployment opens it', async () => {
    const email = newAddress()
    const { browser } = await ask(email)
    expect((await guess(browser, await codeFor(email))).status).toBe(422)
  })
})

async function bootstrapLink(): Promise<string> {
  const { body } = await call('POST', '/v1/console-links', { key: env.SERVICE_KEY, body: {} })
  const { pathname, search } = new URL(body.url)
  return pathname + search
}

async function join(organizationId: string, email: string): Promise<void> {
  const now = Date.now()
  await env.DB.prepare(
    'INSERT INTO members (id, organization_id, user_id, user_email, role, created_at, updated_at) VALUES (?, ?, ?, ?, ?, ?, ?)',
  )
    .bind(crypto.randomUUID(), organizationId, unique('user'), email, 'member', now, now)
    .run()
}
