import { env } from 'cloudflare:workers'
import { describe, expect, it } from 'vitest'
import { callAsService } from '../support/app.ts'
import { type Browser, codeFor, enter, lastCodeOf, openBrowser, signIn } from '../support/console.ts'
import { sentTrips } from '../support/console-trips.ts'
import { createOrganization, unique } from '../support/factories.ts'
import { formOf, type Visited, wordsOf } from '../support/pages.ts'

const HALF_AN_HOUR_MS = 30 * 60_000
const CONFIRM = '/console/confirm?next=%2Fconsole%2Fsettings'

async function owner() {
  const email = `${unique('owner')}@example.com`
  await createOrganization({ ownerEmail: email })
  return { email, browser: await signIn(email) }
}

/** The last proof of all sessions of the address is older than it may be. */
async function makeOld(email: string): Promise<void> {
  const old = Date.now() - HALF_AN_HOUR_MS
  await env.DB.prepare('UPDATE console_sessions SET proven_at = ? WHERE email = ?').bind(old, email).run()
}

/** Asks for a code on a page that asks for a proof. */
async function mailed(browser: Browser, page: Visited): Promise<Visited> {
  return browser.send(page, '/console/', { proof: 'mail' }, 'name="proof"')
}

function answer(browser: Browser, page: Visited, code: string): Promise<Visited> {
  return browser.send(page, '/console/', { proof: 'code', proof_code: code }, 'name="proof"')
}

describe('a proof of who somebody is', () => {
  it('is fresh for half an hour after signing in, and asked for afterwards', async () => {
    const { email, browser } = await owner()
    const fresh = await browser.visit(CONFIRM)
    expect([fresh.status, fresh.headers.get('location')]).toEqual([303, '/console/settings'])
    await makeOld(email)
    const page = await browser.visit(CONFIRM)
    expect([page.status, wordsOf(page).includes('Confirm your identity')]).toEqual([200, true])
  })

  it('is six digits in an email, and leads on to the requested page', async () => {
    const { email, browser } = await owner()
    await makeOld(email)
    const page = await mailed(browser, await browser.visit(CONFIRM))
    const code = await codeFor(email)
    const wrong = await answer(browser, page, String((Number(code) + 1) % 1_000_000).padStart(6, '0'))
    expect([wrong.status, wordsOf(wrong).includes('This code is wrong')]).toEqual([422, true])
    const right = await answer(browser, wrong, `${code.slice(0, 3)} ${code.slice(3)}`)
    expect([right.status, right.headers.get('location')]).toEqual([303, '/console/settings'])
    expect((await browser.visit(CONFIRM)).status).toBe(303)
  })

  it('costs two round trips at each step, and so does a link of the service key', async () => {
    const { email, browser } = await owner()
    await makeOld(email)
    const page = await browser.visit(CONFIRM)
    const send = (on: Visited, fields: Record<string, string>) =>
      sentTrips(browser, on, '/console/', fields, 'name="proof"')
    expect(await send(page, { proof: 'mail' })).toEqual({ status: 200, trips: 2 })
    const asked = await mailed(browser, page)
    const code = await codeFor(email)
    const wrong = String((Number(code) + 1) % 1_000_000).padStart(6, '0')
    for (const [digits, status] of [
      [wrong, 422],
      [code, 303],
    ] as const) {
      expect(await send(asked, { proof: 'code', proof_code: digits })).toEqual({ status, trips: 2 })
    }
    expect((await browser.visit(CONFIRM)).status).toBe(303)

    const body = { organization_id: (await createOrganization()).id }
    const { pathname, search } = new URL(
      (await callAsService('POST', '/v1/console-links', { body })).body.url,
    )
    const stranger = openBrowser()
    const link = await stranger.visit(pathname + search)
    const told = await Promise.all([0, 1].map(() => sentTrips(stranger, link, '/console/link')))
    expect(told.toSorted((one, other) => one.status - other.status)).toEqual([
      { status: 303, trips: 2 },
      { status: 410, trips: expect.any(Number) },
    ])
  })

  it('loses nothing that was typed into the form that needed it', async () => {
    const { email, browser } = await owner()
    const { csrf } = formOf(await browser.visit('/console/settings'), '/console/settings').fields
    await makeOld(email)
    const typed = [
      ['next', '/console/hours'],
      ['name', 'Ada & "Sons" <'],
      ['days', '1'],
      ['days', '3'],
      ['note', 'two\nlines'],
    ] as const
    const page = await browser.visit('/console/confirm', { form: [['csrf', csrf!], ...typed] })
    const again = [...formOf(page, '/console/confirm').pairs, ['proof', 'mail'] as const]
    const asked = await browser.visit('/console/confirm', { form: again })
    for (const shown of [page, asked]) {
      const { pairs } = formOf(shown, '/console/confirm')
      expect(pairs.filter(([name]) => typed.some(([own]) => own === name))).toEqual(typed)
    }
    const done = await answer(browser, asked, await codeFor(email))
    expect(done.headers.get('location')).toBe('/console/hours')
  })

  it('is valid once, in the session that requested it', async () => {
    const { email, browser } = await owner()
    const other = await signIn(email)
    await makeOld(email)
    const page = await mailed(browser, await browser.visit(CONFIRM))
    const code = await codeFor(email)
    const theirs = await mailed(other, await other.visit(CONFIRM))
    const asked = formOf(page, '/console/').fields.proof_asked!
    const borrowed = await other.send(
      theirs,
      '/console/',
      { proof: 'code', proof_code: code, proof_asked: asked },
      'name="proof"',
    )
    expect(borrowed.status).toBe(422)
    expect((await answer(browser, page, code)).status).toBe(303)
    await makeOld(email)
    expect((await answer(browser, page, code)).status).toBe(422)
    expect((await other.visit(CONFIRM)).status).toBe(200)
  })

  it('allows five wrong codes, also if they arrive at the same time', async () => {
    const { email, browser } = await owner()
    await makeOld(email)
    const page = await mailed(browser, await browser.visit(CONFIRM))
    const code = await codeFor(email)
    const wrong = [1, 2, 3, 4, 5, 6].map((by) => String((Number(code) + by) % 1_000_000).padStart(6, '0'))
    const statuses = (await Promise.all(wrong.map((one) => answer(browser, page, one)))).map(
      ({ status }) => status,
    )
    expect(statuses).toEqual(Array(6).fill(422))
    expect((await answer(browser, page, code)).status).toBe(422)
    const tries = env.DB.prepare('SELECT wrong_tries FROM sign_in_codes WHERE id = ?')
    expect(await tries.bind(await lastCodeOf(email)).first('wrong_tries')).toBe(5)
  })

  it('sends no code if the form was not sent', async () => {
    const { email, browser } = await owner()
    await makeOld(email)
    const forged = await browser.visit('/console/confirm', { form: { proof: 'mail', next: '/console' } })
    expect(forged.status).toBe(403)
    const count = env.DB.prepare('SELECT count(*) AS n FROM sign_in_codes WHERE email = ?').bind(email)
    expect(await count.first('n')).toBe(1)
  })

  it('leads only into the console', async () => {
    const { browser } = await owner()
    for (const next of ['//evil.example', 'https://evil.example', '/console/../book/x', '/book/x']) {
      const page = await browser.visit(`/console/confirm?next=${encodeURIComponent(next)}`)
      expect(page.headers.get('location')).toBe('/console')
    }
  })

  it('asks members without an address who signed in by a link to get another link', async () => {
    const organization = await createOrganization()
    const browser = await enter(organization)
    await env.DB.prepare(
      'UPDATE console_sessions SET proven_at = 0 WHERE member_id IN (SELECT id FROM members WHERE organization_id = ?)',
    )
      .bind(organization.id)
      .run()
    const page = await browser.visit(CONFIRM)
    expect([page.status, wordsOf(page).includes('You signed in with a link')]).toEqual([403, true])
  })
})
