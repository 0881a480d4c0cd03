import { env } from 'cloudflare:workers'
import { describe, expect, it } from 'vitest'
import { answerConsole } from '../../src/console/answer-console.ts'
import { call } from '../support/app.ts'
import { insertConnection } from '../support/connections.ts'
import { type Browser, enter } from '../support/console.ts'
import { countedEnv } from '../support/counted-env.ts'
import {
  book,
  createEventType,
  createOrganization,
  dayFromNow,
  type Organization,
  unique,
} from '../support/factories.ts'
import { memberWithRole } from '../support/members.ts'
import { browserRequest, wordsOf } from '../support/pages.ts'

const HOUR_MS = 3_600_000
const SLOT = dayFromNow(3) + 10 * HOUR_MS

const csrfOf = async (browser: Browser) =>
  /name="csrf" value="([^"]*)"/.exec((await browser.visit('/console/team')).text)![1]!

const get = async ({ liveKey }: Organization, path: string) =>
  (await call('GET', path, { key: liveKey })).body
const memberOf = (organization: Organization, id: string) =>
  get(organization, `/v1/organizations/${organization.id}/members/${id}`)

describe('the team', () => {
  it('is invited by emails, which can be revoked until they are accepted', async () => {
    const organization = await createOrganization()
    const browser = await enter(organization)
    const page = await browser.visit('/console/team/invite')
    const email = `${unique('grace')}@example.com`
    const bad = await browser.send(page, '/console/team/invite', { email: 'grace' })
    expect([bad.status, /id="email-error"/.test(bad.text)]).toEqual([422, true])
    const sent = await browser.send(page, '/console/team/invite', { email, role: 'viewer' })
    const list = await browser.follow(sent)
    expect(wordsOf(list)).toMatch(/The invitation was sent.*Invitations/)
    expect(list.text).toContain(email)
    const again = await browser.send(await browser.visit('/console/team/invite'), '/invite', { email })
    expect([again.status, wordsOf(again).includes('An invitation for this email is pending')]).toEqual([
      409,
      true,
    ])
    const revoked = await browser.follow(await browser.send(list, '/revoke'))
    expect(revoked.text).not.toContain(email)
    const { data } = await get(organization, `/v1/organizations/${organization.id}/invitations`)
    expect(data).toEqual([])
  })

  it('is joined by no email of the sandbox, whose outbox any administrator reads', async () => {
    const organization = await createOrganization()
    const browser = await enter(organization)
    await browser.send(await browser.visit('/console/team'), '/console/mode', { mode: 'test' })
    const list = await browser.visit('/console/team')
    expect(list.text).not.toContain('/console/team/invite')
    expect(wordsOf(list)).toContain('Switch to live mode to invite somebody')
    const form = { csrf: await csrfOf(browser), email: 'third@example.com', role: 'admin' }
    expect((await browser.visit('/console/team/invite')).status).toBe(403)
    expect((await browser.visit('/console/team/invite', { form })).status).toBe(403)
    const { data } = (await call('GET', '/v1/test-data/outbox', { key: organization.testKey })).body
    expect(data).toEqual([])
  })

  it('is listed by name within each role, whatever capitals and accents it has', async () => {
    const organization = await createOrganization()
    for (const name of ['Zoe', 'Östen', 'Olga', 'adam']) {
      const { id } = await memberWithRole(organization, 'member')
      await env.DB.prepare('UPDATE members SET name = ? WHERE id = ?').bind(name, id).run()
    }
    const browser = await enter(organization)
    const { text } = await browser.visit('/console/team')
    const shown = [...text.matchAll(/class="row-link"[^>]*><bdi>([^<]*)/g)].map(([, name]) => name)
    expect(shown.slice(1)).toEqual(['adam', 'Olga', 'Östen', 'Zoe'])
  })

  it('has profiles, roles and limits, and reports errors at their fields', async () => {
    const organization = await createOrganization()
    const { id } = await memberWithRole(organization, 'member')
    const browser = await enter(organization)
    const page = await browser.visit(`/console/team/${id}`)
    const bad = await browser.send(page, `/console/team/${id}`, {
      name: 'Grace Hopper',
      avatar_url: 'http://picture.example',
      max_bookings_per_day: '0',
    })
    expect(bad.status).toBe(422)
    expect(bad.text).toMatch(/id="max_bookings_per_day-error"/)
    expect(bad.text).toContain('value="Grace Hopper"')
    const done = await browser.send(page, `/console/team/${id}`, {
      name: 'Grace Hopper',
      avatar_url: 'https://pictures.example/grace.png',
      role: 'admin',
      max_bookings_per_day: '4',
      timezone: 'America/New_York',
    })
    expect(done.status).toBe(303)
    expect((await browser.follow(done)).text).toContain('Saved.')
    expect(await memberOf(organization, id)).toMatchObject({
      name: 'Grace Hopper',
      avatar_url: 'https://pictures.example/grace.png',
      role: 'admin',
      max_bookings_per_day: 4,
      timezone: 'America/New_York',
    })
    expect((await browser.visit('/console/team')).text).toContain('https://pictures.example/grace.png')
  })

  it('shows what happens to a member’s bookings before the member is removed', async () => {
    const organization = await createOrganization()
    const { id } = await memberWithRole(organization, 'member')
    const eventType = await createEventType(organization.liveKey, { assignment_strategy: 'round_robin' })
    await call('POST', `/v1/event-types/${eventType.id}/hosts`, {
      key: organization.liveKey,
      body: { member_id: id },
    })
    const { body: booking } = await book(eventType.id, SLOT)
    const browser = await enter(organization)
    const page = await browser.visit(`/console/team/${id}`)
    expect(wordsOf(page)).toContain('This member has 1 upcoming booking')
    expect(page.text).toContain(`/console/bookings/${booking.id}`)
    const done = await browser.follow(await browser.send(page, '/remove'))
    expect(wordsOf(done)).toContain('The member was removed')
    expect((await get(organization, `/v1/bookings/${booking.id}`)).status).toBe('confirmed')
    expect((await browser.visit(`/console/team/${id}`)).status).toBe(404)
  })

  it('names a calendar that closes everybody’s times before its member is removed', async () => {
    const organization = await createOrganization()
    const { id } = await memberWithRole(organization, 'admin')
    const connection = await insertConnection(organization, 'live', { memberId: id })
    const removal = async () => wordsOf(await (await enter(organization)).visit(`/console/team/${id}`))
    expect(await removal()).not.toContain('closes every host')
    await env.DB.prepare(
      "UPDATE calendar_connections SET everybody = 1, receives_bookings = 0, name = 'Holidays' WHERE id = ?",
    )
      .bind(connection)
      .run()
    expect(await removal()).toContain('The calendar “Holidays” closes every host and event type.')
    await env.DB.prepare("UPDATE calendar_connections SET provider = 'ics' WHERE id = ?")
      .bind(connection)
      .run()
    expect(await removal()).toContain('It becomes the owner’s, so its days stay closed.')
    const calendars = wordsOf(await (await enter(organization)).visit('/console/calendars'))
    expect(calendars).toMatch(/Holidays .*· Closes every host and event type/)
  })

  it('gets a new owner only after a fresh proof', async () => {
    const organization = await createOrganization()
    const { id } = await memberWithRole(organization, 'admin')
    const browser = await enter(organization)
    const page = await browser.visit(`/console/team/${id}`)
    await env.DB.prepare('UPDATE console_sessions SET proven_at = 0 WHERE organization_id = ?')
      .bind(organization.id)
      .run()
    const asked = await browser.send(page, '/own')
    expect(asked.headers.get('location') ?? '').not.toContain('done=transferred')
    expect((await memberOf(organization, id)).role).toBe('admin')
    const fresh = await enter(organization)
    const done = await fresh.send(await fresh.visit(`/console/team/${id}`), '/own')
    expect(wordsOf(await fresh.follow(done))).toContain('The organization has a new owner')
    expect((await memberOf(organization, id)).role).toBe('owner')
    expect((await fresh.visit(`/console/team/${id}`)).text).not.toContain('/own"')
  })

  it('is changed by nobody whose role does not allow it, and by nobody from elsewhere', async () => {
    const organization = await createOrganization()
    const other = await memberWithRole(organization, 'member')
    const { body: invitation } = await call('POST', `/v1/organizations/${organization.id}/invitations`, {
      key: organization.liveKey,
      body: { email: `${unique('new')}@example.com`, role: 'viewer' },
    })
    for (const role of ['viewer', 'member'] as const) {
      const self = await memberWithRole(organization, role)
      const browser = await enter(organization, self.userId)
      const csrf = await csrfOf(browser)
      const send = async (path: string, form: Record<string, string> = {}) =>
        (await browser.visit(`/console/team/${path}`, { form: { csrf, ...form } })).status
      expect((await browser.visit('/console/team/invite')).status).toBe(403)
      expect((await browser.visit(`/console/team/${other.id}`)).text).not.toMatch(/\/remove"|\/own"/)
      const refused = [
        await send('invite', { email: 'eve@example.com', role: 'admin' }),
        await send(`invitations/${invitation.id}/revoke`),
        await send(other.id, { name: 'Eve', role: 'viewer' }),
        await send(`${other.id}/remove`),
        await send(`${other.id}/own`),
      ]
      expect(refused).toEqual([403, 403, 403, 403, 403])
      expect(await send(self.id, { name: 'Self', role: 'admin', max_bookings_per_day: '9' })).toBe(303)
      expect(await memberOf(organization, self.id)).toMatchObject({
        name: 'Self',
        role,
        max_bookings_per_day: null,
      })
    }
    const stranger = await enter(await createOrganization())
    const csrf = await csrfOf(stranger)
    const at = `/console/team/${other.id}`
    expect((await stranger.visit(at)).status).toBe(404)
    expect((await stranger.visit(`${at}/remove`, { form: { csrf } })).status).toBe(404)
    const admin = await memberWithRole(organization, 'admin')
    const second = await enter(organization, admin.userId)
    const form = { csrf: await csrfOf(second) }
    expect((await second.visit(`${at}/own`, { form })).status).toBe(403)
    expect((await memberOf(organization, other.id)).name).toBeNull()
  })
})

describe('the activity log', () => {
  it('shows who did what, filtered by resource type, by action and by one resource', async () => {
    const organization = await createOrganization()
    const browser = await enter(organization)
    const eventType = await createEventType(organization.liveKey, { title: 'Intro call' })
    const { body: booking } = await book(eventType.id, SLOT)
    const page = await browser.visit(`/console/bookings/${booking.id}`)
    await browser.send(page, '/cancel', { reason: 'I am ill' })
    const log = await browser.visit('/console/team/activity')
    expect(wordsOf(log)).toMatch(/Booking cancelled.*Booking created Invitee.*Event type created.*Key/)
    expect(log.text).toContain(`href="/console/bookings/${booking.id}"`)
    const kinds = await browser.visit('/console/team/activity?what=event_type')
    expect(wordsOf(kinds)).toContain('Event type created')
    expect(kinds.text).not.toContain(booking.id)
    const deeds = await browser.visit('/console/team/activity?what=booking.cancelled')
    expect(deeds.text.match(/href="\/console\/bookings\/[0-9a-f]/g)).toHaveLength(1)
    expect(deeds.text).toContain('I am ill')
    const about = await browser.visit(`/console/team/activity?about=${booking.id}`)
    expect(about.text.match(new RegExp(`href="/console/bookings/${booking.id}"`, 'g'))).toHaveLength(2)
    const none = await browser.visit('/console/team/activity?what=api_key.revoked')
    expect(wordsOf(none)).toContain('No activity matches this filter')
  })

  it('shows times in changes as the API does', async () => {
    const organization = await createOrganization()
    const changes = JSON.stringify({ connected_at: [null, 1_795_853_567_569] })
    await env.DB.prepare('UPDATE activity SET changes = ? WHERE organization_id = ?')
      .bind(changes, organization.id)
      .run()
    const log = await (await enter(organization)).visit('/console/team/activity')
    expect(wordsOf(log)).toContain('2026-11-28T08:12:47.569Z')
  })

  it('goes on where a page ends, and keeps to its filter', async () => {
    const organization = await createOrganization()
    for (let at = 0; at < 52; at++) {
      await call('POST', '/v1/schedules', {
        key: organization.liveKey,
        body: { name: `Hours ${at}`, timezone: 'UTC', rules: [], overrides: [] },
      })
    }
    const browser = await enter(organization)
    const first = await browser.visit('/console/team/activity?what=schedule')
    const more = /href="(\/console\/team\/activity\?what=schedule&amp;after=[^"]+)"/.exec(first.text)![1]!
    const second = await browser.visit(more.replaceAll('&amp;', '&'))
    const count = (text: string) => text.match(/href="\/console\/hours\/[0-9a-f]/g)?.length
    expect([count(first.text), count(second.text)]).toEqual([50, 2])
  })

  it('and the team ask the database twice for each screen', async () => {
    const organization = await createOrganization()
    const { id } = await memberWithRole(organization, 'member')
    const browser = await enter(organization)
    const Cookie = [...browser.cookies].map(([name, value]) => `${name}=${value}`).join('; ')
    const paths = [
      '/console/team',
      `/console/team/${id}`,
      '/console/team/activity',
      '/console/team/activity?what=booking',
      '/console/team/activity?what=booking.cancelled',
    ]
    for (const path of paths) {
      const counted = countedEnv(env)
      const request = browserRequest(path, { headers: { Cookie } })
      const answer = await answerConsole(request, counted.env, new URL(request.url).pathname)
      expect([path, answer.status, counted.trips.count]).toEqual([path, 200, 2])
    }
  })

  it('shows nothing of another organization or of the other data', async () => {
    const organization = await createOrganization()
    const test = await createEventType(organization.testKey)
    const browser = await enter(organization)
    const page = await browser.visit(`/console/team/activity?about=${test.id}`)
    expect(wordsOf(page)).toContain('No activity matches this filter')
    const stranger = await enter(await createOrganization())
    const other = await createEventType(organization.liveKey)
    const seen = await stranger.visit(`/console/team/activity?about=${other.id}`)
    expect(wordsOf(seen)).toContain('No activity matches this filter')
  })
})
