import { env } from 'cloudflare:workers'
import { describe, expect, it } from 'vitest'
import { answerConsole } from '../../src/console/answer-console.ts'
import { call } from '../support/app.ts'
import { type Browser, enter } from '../support/console.ts'
import { countedEnv } from '../support/counted-env.ts'
import { book, createEventType, createOrganization, dayFromNow } from '../support/factories.ts'
import { memberWithRole } from '../support/members.ts'
import { browserRequest, formOf, wordsOf } from '../support/pages.ts'

const SLOT = dayFromNow(3) + 36_000_000
const csrfOf = async (browser: Browser) =>
  /name="csrf" value="([^"]*)"/.exec((await browser.visit('/console/settings')).text)![1]!

async function booked() {
  const organization = await createOrganization()
  const eventType = await createEventType(organization.liveKey)
  const { body } = await book(eventType.id, SLOT, { invitee_email: 'ada@example.com' })
  return { organization, id: body.id as string }
}

describe('the data of a person', () => {
  it('is looked up by their address, in any letter case, and exported', async () => {
    const { organization } = await booked()
    const browser = await enter(organization)
    const page = await browser.visit('/console/settings/people')
    const nobody = await browser.send(page, '/people/find', { email: 'nobody@example.com' })
    expect([nobody.status, wordsOf(nobody).includes('No such person')]).toEqual([404, true])
    for (const [verb, email] of [
      ['find', 'ada'],
      ['find', 'ada%40example.com'],
      ['download', 'ada'],
      ['erase', 'ada'],
    ] as const) {
      const form = { csrf: formOf(page, '/people/find').fields.csrf!, email, again: email }
      const bad = await browser.visit(`/console/settings/people/${verb}`, { form })
      const told = /id="email-error"[^>]*>.*?Must be an email address/s.test(bad.text)
      expect([verb, bad.status, told, bad.text.includes(`value="${email}"`)]).toEqual([verb, 422, true, true])
    }
    const found = await browser.send(page, '/people/find', { email: 'ADA@example.com' })
    expect(wordsOf(found)).toMatch(/Stored about .*Bookings 1/)
    const file = await browser.send(found, '/people/download')
    expect(file.headers.get('Content-Disposition')).toContain('attachment')
    expect(JSON.parse(file.text).bookings).toHaveLength(1)
  })

  it('is erased once the address is typed again with a fresh proof', async () => {
    const { organization, id } = await booked()
    const browser = await enter(organization)
    const page = await browser.visit('/console/settings/people')
    const found = await browser.send(page, '/people/find', { email: 'ada@example.com' })
    const other = await browser.send(found, '/people/erase', { again: 'grace@example.com' })
    expect([other.status, /id="again-error"/.test(other.text)]).toEqual([422, true])
    const nameOf = async () =>
      (await call('GET', `/v1/bookings/${id}`, { key: organization.liveKey })).body.invitee_name
    await env.DB.prepare('UPDATE console_sessions SET proven_at = 0 WHERE organization_id = ?')
      .bind(organization.id)
      .run()
    const again = { again: 'ada@example.com' }
    const asked = await browser.send(found, '/people/erase', again)
    expect([asked.headers.get('location'), await nameOf()]).toEqual([null, 'Ada Lovelace'])
    const fresh = await enter(organization)
    const seen = await fresh.send(await fresh.visit('/console/settings/people'), '/people/find', {
      email: 'ada@example.com',
    })
    const done = await fresh.send(seen, '/people/erase', again)
    expect(wordsOf(await fresh.follow(done))).toContain('The person was erased: 1 in bookings')
    expect(await nameOf()).toBe('')
  })

  it('is for the owner alone', async () => {
    const { organization, id } = await booked()
    for (const role of ['viewer', 'member', 'admin'] as const) {
      const browser = await enter(organization, (await memberWithRole(organization, role)).userId)
      expect((await browser.visit('/console/settings/people')).status).toBe(403)
      const form = { csrf: await csrfOf(browser), email: 'ada@example.com', again: 'ada@example.com' }
      for (const verb of ['find', 'download', 'erase']) {
        const sent = await browser.visit(`/console/settings/people/${verb}`, { form })
        expect([verb, sent.status, sent.text.includes(id)]).toEqual([verb, 403, false])
      }
    }
    const stranger = await enter(await createOrganization())
    const page = await stranger.visit('/console/settings/people')
    expect((await stranger.send(page, '/people/find', { email: 'ada@example.com' })).status).toBe(404)
  })
})

describe('help', () => {
  it('is requested once, however often the form is sent, and listed', async () => {
    const organization = await createOrganization()
    const browser = await enter(organization)
    const page = await browser.visit('/console/settings/support')
    const bad = await browser.send(page, '/console/settings/support', { subject: 'Sundays' })
    expect([bad.status, /id="message-error"/.test(bad.text), bad.text.includes('value="Sundays"')]).toEqual([
      422,
      true,
      true,
    ])
    const fields = { subject: 'Sundays', message: 'Can it be open on every second Sunday?' }
    for (let time = 0; time < 2; time++) {
      const sent = await browser.send(page, '/console/settings/support', fields)
      expect(wordsOf(await browser.follow(sent))).toMatch(/Your message was sent.*every second Sunday/)
    }
    const { body } = await call('GET', '/v1/support', { key: organization.liveKey })
    expect(body.data).toHaveLength(1)
    const viewer = await enter(organization, (await memberWithRole(organization, 'viewer')).userId)
    const form = { csrf: await csrfOf(viewer), category: 'bug', ...fields }
    expect((await viewer.visit('/console/settings/support', { form })).status).toBe(403)
  })

  it('and people ask the database twice for each screen', async () => {
    const browser = await enter(await createOrganization())
    const Cookie = [...browser.cookies].map(([name, value]) => `${name}=${value}`).join('; ')
    for (const path of ['/console/settings/people', '/console/settings/support']) {
      const counted = countedEnv(env)
      const request = browserRequest(path, { headers: { Cookie } })
      expect((await answerConsole(request, counted.env, path)).status).toBe(200)
      expect(counted.trips.count).toBeLessThanOrEqual(2)
    }
  })
})
