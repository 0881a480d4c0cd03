import { runInDurableObject } from 'cloudflare:test'
import { env } from 'cloudflare:workers'
import { describe, expect, it } from 'vitest'
import { callAsService } from '../support/app.ts'
import { type Browser, enter } from '../support/console.ts'
import type { Organization } from '../support/factories.ts'
import { ended, getImport, openForeign, secretOf } from '../support/foreign.ts'
import { memberWithRole } from '../support/members.ts'
import { type Visited, wordsOf } from '../support/pages.ts'

const HERE = '/console/settings/import'
const STUDIO = ['ada.berger@example.com', 'ben.okafor@example.com', 'cem.yilmaz@example.com']
const TOKEN = (secretOf('calendly') as { token: string }).token

const jobs = (organization: Organization) =>
  env.DB.prepare('SELECT count(*) AS n FROM import_jobs WHERE organization_id = ?')
    .bind(organization.id)
    .first('n')

const idIn = (answer: Visited) => answer.headers.get('location')!.split('/').at(-1)!

function send(browser: Browser, page: Visited, act: 'look' | 'start', secret = TOKEN, source = 'calendly') {
  return browser.send(page, HERE, { source, secret, act })
}

describe('the screen of an import', () => {
  it('shows what would be made and what is left out, makes nothing, and never contains the secret', async () => {
    const { organization } = await openForeign('calendly', { emails: STUDIO })
    const browser = await enter(organization)
    const page = await browser.visit(HERE)
    expect(page.text).toMatch(/<input[^>]*type="password"[^>]*name="secret"/)
    expect(page.text).toMatch(/<input[^>]*name="secret"[^>]*autocomplete="off"/)
    const looked = await send(browser, page, 'look')
    expect([looked.status, looked.text.includes(TOKEN)]).toEqual([200, false])
    const words = wordsOf(looked)
    expect(words).toContain('Event types (11)')
    expect(words).toContain('Prices are not imported. Set one here.')
    expect(await jobs(organization)).toBe(0)
  })

  it('starts an import once, refreshes while it runs, and then says what was made and left out', async () => {
    const { organization, world } = await openForeign('calendly', { emails: STUDIO })
    await world.troubles([{ about: '/invitees', does: 'hangs', times: null }])
    const browser = await enter(organization)
    const page = await browser.visit(HERE)
    const started = await send(browser, page, 'start')
    expect([started.status, started.headers.get('location')!.includes(TOKEN)]).toEqual([303, false])
    const twice = await send(browser, page, 'start')
    expect(idIn(twice)).toBe(idIn(started))
    expect(await jobs(organization)).toBe(1)
    const running = await browser.follow(started)
    expect(running.text).toMatch(/<noscript><meta http-equiv="refresh" content="4"/)
    expect(running.text).toMatch(/id="progress"[^>]*data-poll/)
    expect(wordsOf(await browser.visit(HERE))).toContain('Running')
    await world.noTroubles()
    await ended(organization, idIn(started))
    const done = await browser.follow(started)
    expect(done.text).not.toMatch(/http-equiv="refresh"|data-poll/)
    const words = wordsOf(done)
    expect(words).toContain('Finished. Created: hours 4, event types 11, bookings 9')
    // Times are those of the reader.
    expect(words).toMatch(/Old format, \w{3}, \w{3} \d+, \d+:30 [AP]M/)
    expect(words).not.toMatch(/\dT\d|UTC/)
    expect(words).toContain('Prices are not imported. Set one here.')
    const { results } = await env.DB.prepare('SELECT * FROM idempotency_keys WHERE scope LIKE ?')
      .bind(`${organization.id}%`)
      .all()
    expect([results.length > 0, JSON.stringify(results).includes(TOKEN)]).toEqual([true, false])
  })

  it('says in German why something was left out, in every reason of its own', async () => {
    const { organization } = await openForeign('calcom', { emails: STUDIO })
    const path = `/v1/organizations/${organization.id}`
    expect((await callAsService('PATCH', path, { body: { locale: 'de' } })).status).toBe(200)
    const browser = await enter(organization)
    const headers = { 'Accept-Language': 'de' }
    const page = await browser.visit(HERE, { headers })
    const { api_key: secret } = secretOf('calcom') as { api_key: string }
    const started = await send(browser, page, 'start', secret, 'calcom')
    await ended(organization, idIn(started))
    const words = wordsOf(await browser.visit(started.headers.get('location')!, { headers }))
    expect(words).toContain('Preise werden nicht importiert.')
    expect(words).toContain('Preis von Portfolio review')
    expect(words).toContain('Der andere Dienst nennt nicht, wer gebucht hat.')
    expect(words).not.toMatch(/The other|Price of|here\./)
    // The API stays English.
    const job = await getImport(organization, idIn(started))
    expect(JSON.stringify(job.left_out)).toContain('Prices are not imported.')
  })

  it('continues after an interruption when the secret is pasted again', async () => {
    const { organization, world } = await openForeign('calendly', { emails: STUDIO })
    await world.troubles([{ about: '/invitees', does: 'hangs', times: null }])
    const browser = await enter(organization)
    const started = await send(browser, await browser.visit(HERE), 'start')
    const object = env.IMPORTS.getByName(`${organization.id}/calendly`)
    await runInDurableObject(object, (_, state) => state.abort('killed')).catch(() => {})
    await world.noTroubles()
    const page = await expect
      .poll(() => browser.follow(started), { timeout: 10_000 })
      .toMatchObject({ text: expect.stringContaining('Interrupted') })
      .then(() => browser.follow(started))
    expect(wordsOf(page)).toContain('Paste the secret, and the import continues where it stopped')
    const again = await send(browser, page, 'start')
    expect(idIn(again)).toBe(idIn(started))
    expect((await ended(organization, idIn(again))).status).toBe('done')
    expect(wordsOf(await browser.follow(again))).toContain('Run it again')
  })

  it('says what to do after a failure', async () => {
    const { organization, world } = await openForeign('calendly', { emails: STUDIO })
    await world.troubles([{ about: '/event_types', status: 401, json: {}, times: null }])
    const browser = await enter(organization)
    const started = await send(browser, await browser.visit(HERE), 'start')
    await ended(organization, idIn(started))
    const words = wordsOf(await browser.follow(started))
    expect(words).toContain('Failed.')
    expect(words).toContain('The other service refuses the secret since then.')
  })

  it('shows a refused or malformed secret at its field, and that the other service is down, without the secret', async () => {
    const { organization, world } = await openForeign('calendly')
    const browser = await enter(organization)
    const page = await browser.visit(HERE)
    for (const secret of ['not-a-token', 'with space', '']) {
      const answer = await send(browser, page, 'start', secret)
      expect([secret, answer.status]).toEqual([secret, 422])
      expect(answer.text).toContain('id="secret-error"')
      if (secret !== '') expect(answer.text).not.toContain(secret)
      expect(wordsOf(answer)).not.toMatch(/the token|api_key/)
    }
    const german = { headers: { 'Accept-Language': 'de' } }
    const asked = await browser.visit(HERE, german)
    const csrf = /name="csrf" value="([^"]*)"/.exec(asked.text)![1]!
    const form = { csrf, source: 'calcom', secret: 'not-a-key', act: 'look' }
    expect(wordsOf(await browser.visit(HERE, { ...german, form }))).toContain(
      'Cal.com nimmt die Angabe nicht an.',
    )
    await world.troubles([{ about: '/users/me', status: 503, times: null }])
    const down = await send(browser, page, 'start')
    expect([down.status, wordsOf(down).includes('Calendly')]).toEqual([502, true])
    expect(await jobs(organization)).toBe(0)
  })

  it('is for the owner and live data only, and says so to everybody else', async () => {
    const { organization } = await openForeign('calendly')
    for (const role of ['admin', 'member', 'viewer'] as const) {
      const { userId } = await memberWithRole(organization, role)
      const browser = await enter(organization, userId)
      const page = await browser.visit(HERE)
      expect(wordsOf(page)).toContain('Only the owner can import')
      expect(page.text).not.toContain('name="secret"')
      const csrf = /name="csrf" value="([^"]*)"/.exec(page.text)![1]!
      const form = { csrf, source: 'calendly', secret: TOKEN, act: 'start' }
      expect((await browser.visit(HERE, { form })).status).toBe(403)
    }
    const browser = await enter(organization)
    await browser.send(await browser.visit(HERE), '/console/mode', { mode: 'test' })
    const page = await browser.visit(HERE)
    expect(wordsOf(page)).toContain('Switch to live data first')
    expect(page.text).not.toContain('name="secret"')
  })
})
