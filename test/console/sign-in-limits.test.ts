import { env } from 'cloudflare:workers'
import { describe, expect, it } from 'vitest'
import { sealUntil } from '../../src/platform/auth/seal-until.ts'
import { newAuthenticator } from '../support/authenticator.ts'
import { type Browser, codeFor, enter, letterLinkFor, openBrowser, signIn } from '../support/console.ts'
import { createOrganization, unique } from '../support/factories.ts'
import { formOf, wordsOf } from '../support/pages.ts'

const HOUR_MS = 3_600_000
const KNOWN = '__Host-hf_known'

const newAddress = () => `${unique('owner')}@example.com`

async function owned(email = newAddress()) {
  return { email, organization: await createOrganization({ ownerEmail: email }) }
}

async function ask(email: string, browser: Browser = openBrowser(), headers: Record<string, string> = {}) {
  return (await browser.visit('/console/sign-in', { form: { email, next: '/console' }, headers })).status
}

/** Asks one after another, each time from another network. */
async function askTimes(times: number, email: string, browser?: Browser): Promise<number[]> {
  const statuses: number[] = []
  for (let time = 0; time < times; time++) statuses.push(await ask(email, browser))
  return statuses
}

/** Whatever was asked for was asked for so much earlier. */
async function later(email: string, ms: number): Promise<void> {
  await env.DB.prepare(
    'UPDATE sign_in_codes SET created_at = created_at - ?, expires_at = expires_at - ? WHERE email = ?',
  )
    .bind(ms, ms, email)
    .run()
}

/** A day on which strangers asked for all codes that they get. */
async function exhaust(email: string): Promise<void> {
  for (let hour = 0; hour < 3; hour++) {
    await Promise.all(Array.from({ length: 10 }, () => ask(email)))
    await later(email, HOUR_MS)
  }
}

/** A browser that signed in as the address and out again. */
async function knownBrowser(email: string): Promise<Browser> {
  const browser = await signIn(email)
  await browser.send(await browser.visit('/console/nothing'), '/console/sign-out')
  await later(email, 24 * HOUR_MS)
  return browser
}

const times = (n: number, status: number) => Array<number>(n).fill(status)

describe('codes that anonymous callers request', () => {
  it('are thirty a day for one mailbox however it is spelled, also if they are requested at the same time', async () => {
    const { email } = await owned()
    await exhaust(email)
    const [local, domain] = email.split('@')
    const spelled = [email, email.toUpperCase(), `${local}+x@${domain}`, `${local}@ｅxample.com`]
    const statuses = await Promise.all([...spelled, ...spelled].map((one) => ask(one)))
    expect(statuses).toEqual(times(8, 429))
    const count = env.DB.prepare('SELECT count(*) AS n FROM sign_in_codes WHERE mailbox = ?').bind(email)
    expect(await count.first('n')).toBe(30)
    await later(email, 21 * HOUR_MS)
    expect(await ask(email)).toBe(303)
  })

  it('are refused alike for an unknown address, in words that say how to sign in', async () => {
    const [{ email }, nobody] = [await owned(), newAddress()]
    await Promise.all([exhaust(email), exhaust(nobody)])
    const told = async (address: string) => {
      const page = await openBrowser().visit('/console/sign-in', {
        form: { email: address, next: '/console' },
      })
      return {
        status: page.status,
        words: wordsOf(page),
        cookies: page.headers.getSetCookie().length,
        text: page.text,
      }
    }
    const [known, unknown] = [await told(email), await told(nobody)]
    expect([known.status, known.words]).toEqual([429, unknown.words])
    expect(known.cookies).toBe(unknown.cookies)
    expect(known.text.replaceAll(email, nobody).length).toBe(unknown.text.length)
    expect(known.words).toContain('a passkey, a browser in which you have signed in before, or a link')
  })

  it('leave a link of the operator and a passkey to sign in with', async () => {
    const { email, organization } = await owned()
    const first = await signIn(email)
    const authenticator = await newAuthenticator(new URL(env.PUBLIC_URL).origin)
    const { csrf } = formOf(await first.visit('/console/settings'), '/console/settings').fields
    const offered = await first.visit('/console/settings/passkeys/options', { form: { csrf: csrf! } })
    const made = await authenticator.register(JSON.parse(offered.text), {})
    await first.visit('/console/settings/passkeys/new', {
      form: { csrf: csrf!, name: 'Phone', passkey: made },
    })
    await exhaust(email)
    expect((await (await enter(organization)).visit('/console/settings')).status).toBe(200)
    const browser = openBrowser()
    const asked = await browser.visit('/console/sign-in/passkey/options', { form: { csrf: '' } })
    const passkey = await authenticator.assert(JSON.parse(asked.text), {})
    const form = { passkey, next: '/console/settings' }
    expect((await browser.visit('/console/sign-in/passkey', { form })).status).toBe(303)
    expect(browser.cookies.has(KNOWN)).toBe(true)
  })

  it('take nothing from a browser that signed in as the address before', async () => {
    const { email } = await owned()
    const browser = await knownBrowser(email)
    await exhaust(email)
    expect(await ask(email)).toBe(429)
    expect(await ask(email, browser)).toBe(303)
    const signedIn = await browser.visit('/console/sign-in/code', { form: { code: await codeFor(email) } })
    expect(signedIn.status).toBe(303)
  })

  it('take nothing from a known browser in their own network', async () => {
    const { email } = await owned()
    const browser = await knownBrowser(email)
    const headers = { 'CF-Connecting-IP': '192.0.2.78' }
    const others = await Promise.all(
      Array.from({ length: 21 }, () => ask(newAddress(), openBrowser(), headers)),
    )
    expect(others.filter((status) => status === 429)).toHaveLength(1)
    expect(await ask(email, browser, headers)).toBe(303)
  })
})

describe('codes that a known browser requests', () => {
  it('are five an hour and ten a day of its own, also if they are requested at the same time', async () => {
    const { email } = await owned()
    const [browser, other] = [await knownBrowser(email), await knownBrowser(email)]
    const same = () => openBrowser(new Map(browser.cookies))
    const sent = await Promise.all(Array.from({ length: 8 }, () => ask(email, same())))
    expect(sent.toSorted()).toEqual([...times(5, 303), ...times(3, 429)])
    await later(email, HOUR_MS)
    expect(await askTimes(6, email, browser)).toEqual([...times(5, 303), 429])
    await later(email, HOUR_MS)
    expect(await ask(email, browser)).toBe(429)
    expect([await ask(email, other), await ask(email)]).toEqual([303, 303])
    await later(email, 22 * HOUR_MS)
    expect(await ask(email, browser)).toBe(303)
  })

  it('take nothing from anonymous callers', async () => {
    const { email } = await owned()
    const browser = await knownBrowser(email)
    await askTimes(5, email, browser)
    const headers = { 'CF-Connecting-IP': '192.0.2.79' }
    const statuses = [1, 2, 3, 4].map(() => ask(email, openBrowser(), headers))
    expect((await Promise.all(statuses)).toSorted()).toEqual([303, 303, 303, 429])
    expect(await askTimes(8, email)).toEqual([...times(7, 303), 429])
  })

  it('are counted for each of the addresses that signed in there', async () => {
    const [one, two] = [await owned(), await owned()]
    const browser = await knownBrowser(one.email)
    await signIn(two.email, browser)
    await later(two.email, 24 * HOUR_MS)
    await Promise.all([exhaust(one.email), exhaust(two.email)])
    expect(await askTimes(6, one.email, browser)).toEqual([...times(5, 303), 429])
    expect(await ask(two.email, browser)).toBe(303)
  })

  it('are no more for signing in again', async () => {
    const { email } = await owned()
    const browser = await knownBrowser(email)
    for (let time = 0; time < 5; time++) await signIn(email, browser)
    expect(await ask(email, browser)).toBe(429)
  })

  it('are proofs too, which anonymous callers cannot keep somebody from', async () => {
    const { email } = await owned()
    for (const forget of [false, true]) {
      const browser = await signIn(email)
      await later(email, 24 * HOUR_MS)
      await exhaust(email)
      // As a session that began before browsers were known.
      if (forget) browser.cookies.delete(KNOWN)
      await env.DB.prepare('UPDATE console_sessions SET proven_at = 0 WHERE email = ?').bind(email).run()
      const page = await browser.visit('/console/confirm?next=%2Fconsole%2Fsettings')
      const mailed = await Promise.all(
        Array.from({ length: 6 }, () => browser.send(page, '/console/', { proof: 'mail' }, 'name="proof"')),
      )
      const statuses = mailed.map(({ status }) => status)
      expect(statuses.toSorted()).toEqual([...times(5, 200), 429])
      await later(email, 24 * HOUR_MS)
    }
  })
})

describe('the cookie of a known browser', () => {
  it('is kept by the browser alone, for as long as browsers keep one, and names nobody', async () => {
    const { email } = await owned()
    const browser = openBrowser()
    await ask(email, browser)
    expect(browser.cookies.has(KNOWN)).toBe(false)
    const answer = await browser.visit('/console/sign-in/code', { form: { code: await codeFor(email) } })
    const cookie = answer.headers.getSetCookie().find((one) => one.startsWith(KNOWN))!
    expect(cookie).toMatch(/; Path=\/; Max-Age=34560000; HttpOnly; Secure; SameSite=Lax$/)
    const sealed = cookie.split('.')[2]!.split(';')[0]!
    const readable = atob(sealed.replaceAll('-', '+').replaceAll('_', '/'))
    expect(cookie + readable).not.toContain(email.split('@')[0])
  })

  it('is given for a link in an email, and not for a link of the operator, which proves no address', async () => {
    const { email, organization } = await owned()
    await ask(email)
    const byMail = openBrowser()
    await byMail.send(await byMail.visit(await letterLinkFor(email)), '/console/sign-in/link')
    const byOperator = await enter(organization)
    expect([byMail.cookies.has(KNOWN), byOperator.cookies.has(KNOWN)]).toEqual([true, false])
  })

  it('is worth nothing for another address, changed, sealed for something else, by another key, or too old', async () => {
    const [{ email }, thief] = [await owned(), await owned()]
    const own = (await knownBrowser(email)).cookies.get(KNOWN)!
    const theirs = (await knownBrowser(thief.email)).cookies.get(KNOWN)!
    await exhaust(email)
    const claim = { browser: 'mine', emails: [email] }
    const until = Date.now() + HOUR_MS
    const [version, iv, text] = own.split('.') as [string, string, string]
    const flipped = (text[9] === 'A' ? 'B' : 'A') + text.slice(10)
    const forged = [
      theirs,
      `${version}.${iv}.${text.slice(0, 9)}${flipped}`,
      await sealUntil(env.ENCRYPTION_KEY, 'console-code', claim, until),
      await sealUntil('another-encryption-key-0123456789', 'known-browser', claim, until),
      await sealUntil(env.ENCRYPTION_KEY, 'known-browser', claim, Date.now()),
      JSON.stringify(claim),
      '',
    ]
    for (const cookie of forged) {
      expect(await ask(email, openBrowser(new Map([[KNOWN, cookie]]))), cookie).toBe(429)
    }
    expect(await ask(email, openBrowser(new Map([[KNOWN, own]])))).toBe(303)
  })

  it('goes on while the key that sealed it is in the list, and not beyond', async () => {
    const { email } = await owned()
    const browser = await knownBrowser(email)
    await exhaust(email)
    const { ENCRYPTION_KEY } = env
    const withKeys = async (keys: string) => {
      Object.assign(env, { ENCRYPTION_KEY: keys })
      try {
        return await ask(email, openBrowser(new Map(browser.cookies)))
      } finally {
        Object.assign(env, { ENCRYPTION_KEY })
      }
    }
    const next = 'next-encryption-key-0123456789abcdef'
    expect(await withKeys(`${next},${ENCRYPTION_KEY}`)).toBe(303)
    expect(await withKeys(next)).toBe(429)
  })

  it('is given for an address that somebody proves as theirs', async () => {
    const { email } = await owned()
    const browser = await signIn(email)
    const wanted = newAddress()
    const page = await browser.visit('/console/settings/address')
    const asked = await browser.send(page, '/console/settings/address', { email: wanted })
    await browser.send(asked, '/console/settings/address', { code: await codeFor(wanted) })
    await exhaust(wanted)
    expect([await ask(wanted), await ask(wanted, browser)]).toEqual([429, 303])
  })
})
