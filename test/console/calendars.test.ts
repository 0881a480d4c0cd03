import { env } from 'cloudflare:workers'
import { describe, expect, it } from 'vitest'
import { call } from '../support/app.ts'
import { misbehavingServer, newCalendar } from '../support/caldav-calendars.ts'
import { insertConnection } from '../support/connections.ts'
import { type Browser, enter } from '../support/console.ts'
import { consoleTrips } from '../support/console-trips.ts'
import {
  createEventType,
  createOrganization,
  dayFromNow,
  iso,
  type Organization,
} from '../support/factories.ts'
import { memberWithRole } from '../support/members.ts'
import { lettersTo } from '../support/outbox.ts'
import { formOf, wordsOf } from '../support/pages.ts'

Object.assign(env, { ALLOW_PRIVATE_HOSTS: 'true' })

const HOUR_MS = 3_600_000
const SLOT = dayFromNow(3) + 10 * HOUR_MS

const stamp = (instant: number) => iso(instant).replace(/[-:]|\.\d+/g, '')

async function calendarsOf({ liveKey: key }: Organization): Promise<any[]> {
  return (await call('GET', '/v1/calendars', { key })).body.data
}

/** Through the screens, as the owner does it. */
async function connect(browser: Browser, fields: Record<string, string>, way = 'caldav') {
  const form = await browser.visit(`/console/calendars/connect/${way}`)
  return browser.send(form, `/console/calendars/connect/server/${way}`, fields)
}

/** An organization whose owner has connected a calendar on a real server. */
async function connected() {
  const organization = await createOrganization()
  const own = await newCalendar()
  const browser = await enter(organization)
  const fields = { server: own.serverUrl, username: own.username, password: own.password }
  const answer = await connect(browser, fields)
  expect([answer.status, answer.headers.get('location')]).toEqual([303, '/console/calendars?done=connected'])
  const [connection] = await calendarsOf(organization)
  return { organization, own, browser, connection }
}

describe('connecting a calendar in the console', () => {
  it('leads an owner to a real server, and what is in the calendar there closes its times', async () => {
    const organization = await createOrganization()
    const { id } = await createEventType(organization.liveKey)
    const [own, other] = [await newCalendar(), await newCalendar()]
    const browser = await enter(organization)
    const empty = await browser.visit('/console/calendars')
    expect(wordsOf(empty)).toContain('No calendar is connected')
    expect(empty.text).toContain('href="/console/calendars/connect"')
    const choice = await browser.visit('/console/calendars/connect')
    expect(choice.text).toContain('/console/calendars/connect/caldav?member=')
    const fields = { server: own.serverUrl, username: own.username, password: own.password }
    const page = await browser.follow(await connect(browser, fields))
    expect(wordsOf(page)).toContain('The calendar is connected')
    expect(wordsOf(page)).toContain('Connected')
    expect(page.text).not.toContain(own.password)
    const [main] = await calendarsOf(organization)
    expect(main).toMatchObject({ checks_busy: true, receives_bookings: true, status: 'active' })

    // The lunch is in another calendar of the account than its main one, and that is added by its name.
    const second = main.calendar_id === own.calendarUrl ? other : own
    await second.put('lunch', `DTSTART:${stamp(SLOT)}`, `DTEND:${stamp(SLOT + HOUR_MS)}`)
    const account = await browser.visit(`/console/calendars/accounts/${main.account_id}`)
    const { action, fields: add } = formOf(account, '/console/calendars/accounts/', second.calendarUrl)
    const nowhere = await browser.visit(action, { form: { ...add, external_id: `${own.serverUrl}nowhere/` } })
    expect([nowhere.status, nowhere.text.includes('role="alert"')]).toEqual([404, true])
    expect(await calendarsOf(organization)).toHaveLength(1)
    const added = await browser.visit(action, { form: add })
    expect(wordsOf(await browser.follow(added))).toContain('The calendar was added')
    const connectedNow = (await calendarsOf(organization)).map((one) => one.calendar_id).sort()
    expect(connectedNow).toEqual([main.calendar_id, second.calendarUrl].sort())
    const { body } = await call('GET', `/v1/event-types/${id}/explain?start_time=${iso(SLOT)}`, {
      key: organization.liveKey,
    })
    expect(body.reasons.map(({ code }: { code: string }) => code)).toContain('busy_calendar')
  })

  it('reports what a server refuses, keeps the input except for the password, and connects nothing', async () => {
    const organization = await createOrganization()
    const own = await newCalendar()
    const browser = await enter(organization)
    const refused = await connect(browser, {
      server: own.serverUrl,
      username: own.username,
      password: 'wrong',
    })
    expect(refused.status).toBe(422)
    expect(wordsOf(refused)).toContain('The server refuses the user name or password.')
    expect(refused.text).toContain(`value="${own.username}"`)
    expect(refused.text).not.toContain('wrong')
    const silent = await misbehavingServer({ '*': { status: 503 } })
    const failed = await connect(browser, { server: silent, username: 'ada', password: 'secret' })
    expect([failed.status, wordsOf(failed).includes('The server answered with status 503.')]).toEqual([
      502,
      true,
    ])
    const blank = await connect(browser, { server: own.serverUrl, username: '', password: '' })
    expect(blank.text).toContain('id="username-error"')
    expect(await calendarsOf(organization)).toEqual([])
  })

  it('accepts an account once', async () => {
    const { organization, own, browser } = await connected()
    const again = await connect(browser, {
      server: own.serverUrl,
      username: own.username,
      password: own.password,
    })
    expect([again.status, wordsOf(again).includes('already connected')]).toEqual([409, true])
    expect(await calendarsOf(organization)).toHaveLength(1)
  })

  it('connects a read-only calendar by its address, also for another member', async () => {
    const organization = await createOrganization()
    const colleague = await memberWithRole(organization, 'member')
    const ics = ['BEGIN:VCALENDAR', 'VERSION:2.0', 'PRODID:-//Test//EN', 'END:VCALENDAR', ''].join('\r\n')
    const headers = { 'Content-Type': 'text/calendar' }
    const feed = await misbehavingServer({ '*': { status: 200, headers, body: ics } })
    const nothing = await misbehavingServer({ '*': { status: 200, body: '<html></html>' } })
    const browser = await enter(organization)
    const form = await browser.visit(`/console/calendars/connect/feed?member=${colleague.id}`)
    const send = (url: string) =>
      browser.send(form, '/console/calendars/connect/feed', { url, name: 'Practice' })
    const refused = await send(nothing)
    expect([refused.status, refused.text.includes(nothing)]).toEqual([422, true])
    const unsafe = await send('file:///etc/passwd')
    expect(unsafe.text).toContain('id="url-error"')
    expect(await calendarsOf(organization)).toEqual([])
    const page = await browser.follow(await send(feed))
    expect(wordsOf(page)).toContain('Practice')
    expect(await calendarsOf(organization)).toMatchObject([
      { provider: 'ics', name: 'Practice', member_id: colleague.id, receives_bookings: false },
    ])
  })

  it('offers to close everybody on public holidays, and changes that', async () => {
    const organization = await createOrganization()
    const ics = ['BEGIN:VCALENDAR', 'VERSION:2.0', 'PRODID:-//Test//EN', 'END:VCALENDAR', ''].join('\r\n')
    const headers = { 'Content-Type': 'text/calendar' }
    const url = await misbehavingServer({ '*': { status: 200, headers, body: ics } })
    const browser = await enter(organization)
    const form = await browser.visit('/console/calendars/connect/feed')
    const sent = await browser.send(form, '/console/calendars/connect/feed', { url, everybody: 'on' })
    const [connection] = await calendarsOf(organization)
    expect(connection).toMatchObject({ everybody: true, blocks: 'all_events' })
    const page = await browser.follow(sent)
    const { action, fields } = formOf(page, `/console/calendars/${connection.id}/use`)
    expect([fields.everybody, fields.closes]).toEqual(['on', 'on'])
    const { everybody: _, ...without } = fields
    await browser.visit(action, { form: without })
    expect(await calendarsOf(organization)).toMatchObject([{ everybody: false, blocks: 'all_events' }])
  })

  it('offers nothing that this service has no registration for', async () => {
    const browser = await enter(await createOrganization())
    const choice = await browser.visit('/console/calendars/connect')
    expect(choice.text).not.toContain('action="/console/calendars/connect/google"')
    expect(wordsOf(choice)).toContain('no registration at Google Calendar or Microsoft 365')
    expect((await browser.visit('/console/calendars/connect/administrator')).status).toBe(404)
    const { csrf } = formOf(choice, '/console/mode').fields
    for (const way of ['google', 'microsoft', 'zoom', 'meet', 'teams', 'toString']) {
      const answer = await browser.visit(`/console/calendars/connect/${way}`, { form: { csrf: csrf! } })
      expect([way, answer.status]).toEqual([way, 404])
    }
    expect(wordsOf(await browser.visit('/console/calendars'))).not.toContain('Zoom')
  })
})

describe('a connected calendar', () => {
  it('is read for conflicts and written to as its owner says', async () => {
    const { organization, browser, connection } = await connected()
    const page = await browser.visit('/console/calendars')
    const { action, fields } = formOf(page, `/console/calendars/${connection.id}/use`)
    expect(Object.keys(fields).sort()).toEqual(['checks_busy', 'csrf', 'receives_bookings'])
    const saved = await browser.visit(action, { form: { csrf: fields.csrf!, receives_bookings: 'on' } })
    expect(wordsOf(await browser.follow(saved))).toContain('Does not block times')
    expect(await calendarsOf(organization)).toMatchObject([{ checks_busy: false, receives_bookings: true }])
    await browser.visit(action, { form: { csrf: fields.csrf!, checks_busy: 'on' } })
    expect(await calendarsOf(organization)).toMatchObject([{ checks_busy: true, receives_bookings: false }])
  })

  it('is read at once, which says how it went', async () => {
    const { own, browser, connection } = await connected()
    const read = async () =>
      browser.follow(await browser.send(await browser.visit('/console/calendars'), `/${connection.id}/sync`))
    expect(wordsOf(await read())).toContain('The calendar was synced.')
    await env.DB.prepare('UPDATE calendar_connections SET calendar_id = ?, sync_cursor = NULL WHERE id = ?')
      .bind(`${own.serverUrl}nobody/nothing/`, connection.id)
      .run()
    for (let times = 0; times < 3; times++) await read()
    const page = await read()
    expect(wordsOf(page)).toContain('The calendar could not be synced')
    expect(wordsOf(page)).toMatch(/Sync problem .*The server does not permit/)
  })

  it('that lost its permission says so, and how it is connected again', async () => {
    const { browser, connection } = await connected()
    const set = (status: string) =>
      env.DB.prepare("UPDATE calendar_connections SET status = ?, sync_error = 'No more.' WHERE id = ?")
        .bind(status, connection.id)
        .run()
    await set('revoked')
    const page = await browser.visit('/console/calendars')
    expect(wordsOf(page)).toMatch(/Reconnection needed .*The permission was revoked.*No more\./)
    const link = /href="(\/console\/calendars\/connect\/caldav\?[^"]+)"/.exec(page.text)![1]!
    const form = await browser.visit(link.replaceAll('&amp;', '&'))
    const { fields } = formOf(form, '/console/calendars/connect/server/caldav')
    expect(fields).toMatchObject({
      member: connection.member_id,
      server: connection.provider_metadata.server_url,
    })
    await set('expired')
    expect(wordsOf(await browser.visit('/console/calendars'))).toContain('The permission has expired')
  })

  it('is disconnected after its owner read what that means', async () => {
    const { organization, browser, connection } = await connected()
    const asked = await browser.visit(`/console/calendars/${connection.id}/disconnect`)
    expect(wordsOf(asked)).toContain('Its events no longer block times')
    expect(await calendarsOf(organization)).toHaveLength(1)
    const gone = await browser.send(asked, `/${connection.id}/disconnect`)
    expect(wordsOf(await browser.follow(gone))).toContain('The calendar was disconnected.')
    expect(await calendarsOf(organization)).toEqual([])
    expect((await browser.visit(`/console/calendars/${connection.id}/disconnect`)).status).toBe(404)
  })
})

describe('an address for other programs', () => {
  it('is refused at its field if the member does not exist', async () => {
    const browser = await enter(await createOrganization())
    const page = await browser.visit('/console/calendars')
    const refused = await browser.send(page, '/console/calendars/feeds', { feed_member: 'nobody' })
    expect(refused.status).toBe(422)
    expect(refused.text).toContain('href="#feed_member"')
    expect(refused.text).toContain('id="feed_member-error"')
  })

  it('is shown once, reads bookings, and ends when it is revoked', async () => {
    const organization = await createOrganization()
    const browser = await enter(organization)
    const page = await browser.visit('/console/calendars')
    const form = formOf(page, '/console/calendars/feeds')
    const made = await browser.visit(form.action, { form: form.fields })
    const url = /https?:\/\/[^"<]+\/calendar-feeds\/[^"<]+\.ics/.exec(made.text)![0]
    const twice = await browser.visit(form.action, { form: form.fields })
    expect(twice.text).toContain(url)
    const { pathname } = new URL(url)
    expect((await browser.visit(pathname)).status).toBe(200)
    const list = await browser.visit('/console/calendars')
    expect(list.text).not.toContain(pathname)
    const revoked = await browser.send(list, '/revoke')
    expect(wordsOf(await browser.follow(revoked))).toContain('The address was revoked')
    expect((await browser.visit(pathname)).status).toBe(404)
  })
})

describe('the calendars of others', () => {
  it('are listed by name, whatever accents it has', async () => {
    const organization = await createOrganization()
    const people = ['Zoe', 'Östen', 'Olga']
    for (const name of people) {
      const { id } = await memberWithRole(organization, 'member')
      await env.DB.prepare('UPDATE members SET name = ? WHERE id = ?').bind(name, id).run()
      await insertConnection(organization, 'live', { mark: `${name}@example.com`, memberId: id })
    }
    const browser = await enter(organization)
    const page = await browser.visit('/console/calendars')
    const headings = [...page.text.matchAll(/<h2><bdi>([^<]*)/g)].map(([, name]) => name!)
    expect(headings.filter((name) => people.includes(name))).toEqual(['Olga', 'Östen', 'Zoe'])
  })

  it('are seen by administrators alone; a member sees and reads their own', async () => {
    const organization = await createOrganization()
    const own = await insertConnection(organization, 'live', { mark: 'owner@example.com' })
    const colleague = await memberWithRole(organization, 'member')
    const theirs = await insertConnection(organization, 'live', {
      mark: 'colleague@example.com',
      memberId: colleague.id,
    })
    const admin = await memberWithRole(organization, 'admin')
    expect(wordsOf(await (await enter(organization, admin.userId)).visit('/console/calendars'))).toMatch(
      /owner@example.com[\s\S]*colleague@example.com|colleague@example.com[\s\S]*owner@example.com/,
    )
    const browser = await enter(organization, colleague.userId)
    const page = await browser.visit('/console/calendars')
    expect(wordsOf(page)).toContain('colleague@example.com')
    expect(wordsOf(page)).not.toContain('owner@example.com')
    expect(page.text).toContain(`/console/calendars/${theirs}/sync`)
    const { csrf } = formOf(page, '/sync').fields
    const foreign = await browser.visit(`/console/calendars/${own}/sync`, { form: { csrf: csrf! } })
    expect(foreign.status).toBe(404)
  })

  it('are changed by nobody else below an administrator, whatever form they send', async () => {
    const organization = await createOrganization()
    const id = await insertConnection(organization, 'live')
    const { id: ownerId } = await memberWithRole(organization, 'owner')
    for (const role of ['viewer', 'member'] as const) {
      const { userId } = await memberWithRole(organization, role)
      const browser = await enter(organization, userId)
      const page = await browser.visit('/console/calendars')
      expect(page.text.includes('/console/calendars/connect')).toBe(role === 'member')
      const { csrf } = formOf(page, '/console/mode').fields
      const form = { csrf: csrf!, member: ownerId, external_id: 'x', url: 'https://a.example/b.ics' }
      for (const path of [
        'connect/feed',
        'connect/server/icloud',
        'connect/invite',
        `accounts/${id}`,
        'feeds',
        `feeds/${id}/revoke`,
        'zoom/disconnect',
        `${id}/use`,
        `${id}/disconnect`,
      ]) {
        const answer = await browser.visit(`/console/calendars/${path}`, { form })
        expect([role, path, answer.status]).toEqual([role, path, 403])
      }
      for (const path of [
        `connect?member=${ownerId}`,
        `connect/feed?member=${ownerId}`,
        'connect/feed?resource=nothing',
        `connect/caldav?member=${ownerId}`,
        `accounts/${id}`,
        `zoom/disconnect?member=${ownerId}`,
        `${id}/disconnect`,
        ...(role === 'viewer' ? ['connect', 'connect/feed', 'connect/caldav'] : []),
      ]) {
        expect([path, (await browser.visit(`/console/calendars/${path}`)).status]).toEqual([path, 403])
      }
    }
    expect(await calendarsOf(organization)).toHaveLength(1)
  })

  it('are connected, changed and disconnected by the member whose they are', async () => {
    const organization = await createOrganization()
    const colleague = await memberWithRole(organization, 'member')
    const own = await newCalendar()
    const browser = await enter(organization, colleague.userId)
    const empty = await browser.visit('/console/calendars')
    expect(empty.text).toContain('href="/console/calendars/connect"')
    const choice = await browser.visit('/console/calendars/connect')
    expect(choice.text).not.toContain('connect/administrator')
    expect(choice.text).not.toContain('connect/invite')
    const fields = { server: own.serverUrl, username: own.username, password: own.password }
    await browser.follow(await connect(browser, fields))
    const [connection] = await calendarsOf(organization)
    expect(connection).toMatchObject({ member_id: colleague.id, checks_busy: true })
    const page = await browser.visit('/console/calendars')
    expect(page.text).toContain(`/console/calendars/accounts/${connection.account_id}`)
    expect(page.text).not.toContain('name="everybody"')
    const { action, fields: use } = formOf(page, `/console/calendars/${connection.id}/use`)
    await browser.visit(action, { form: { csrf: use.csrf!, receives_bookings: 'on' } })
    expect(await calendarsOf(organization)).toMatchObject([{ checks_busy: false, everybody: false }])
    const ending = await browser.visit(`/console/calendars/${connection.id}/disconnect`)
    const ended = await browser.send(ending, `/console/calendars/${connection.id}/disconnect`)
    expect(wordsOf(await browser.follow(ended))).toContain('No calendar is connected')
  })

  it('are left to administrators where they close the times of everybody', async () => {
    const organization = await createOrganization()
    const { id: memberId, userId } = await memberWithRole(organization, 'member')
    const id = await insertConnection(organization, 'live', { memberId })
    await env.DB.prepare('UPDATE calendar_connections SET everybody = 1, receives_bookings = 0 WHERE id = ?')
      .bind(id)
      .run()
    const browser = await enter(organization, userId)
    const page = await browser.visit('/console/calendars')
    expect(page.text).toContain(`/console/calendars/${id}/sync`)
    expect(page.text).not.toContain(`/console/calendars/${id}/use`)
    expect((await browser.visit(`/console/calendars/${id}/disconnect`)).status).toBe(403)
  })

  it('are connected by a member whom an email leads to the same screen', async () => {
    const organization = await createOrganization()
    const colleague = await memberWithRole(organization, 'member')
    const viewer = await memberWithRole(organization, 'viewer')
    const browser = await enter(organization)
    await browser.send(await browser.visit('/console/calendars'), '/console/mode', { mode: 'test' })
    const form = await browser.visit(`/console/calendars/connect?member=${colleague.id}`)
    const sent = await browser.send(form, '/console/calendars/connect/invite')
    expect(wordsOf(await browser.follow(sent))).toContain('The invitation was sent')
    const [letter] = await lettersTo(organization.testKey, `${colleague.userId}@example.com`, 1)
    expect(letter!.body).toContain('/console/calendars/connect')
    const other = await browser.visit(`/console/calendars/connect?member=${viewer.id}`)
    const refused = await browser.send(other, '/console/calendars/connect/invite')
    expect([refused.status, wordsOf(refused).includes('viewers connect no calendars')]).toEqual([409, true])
  })

  it('of another organization are not there', async () => {
    const { connection } = await connected()
    const browser = await enter(await createOrganization())
    const page = await browser.visit('/console/calendars')
    const { csrf } = formOf(page, '/console/mode').fields
    for (const path of ['use', 'sync', 'disconnect']) {
      const answer = await browser.visit(`/console/calendars/${connection.id}/${path}`, {
        form: { csrf: csrf! },
      })
      expect([path, answer.status]).toEqual([path, 404])
    }
    expect((await browser.visit(`/console/calendars/accounts/${connection.account_id}`)).status).toBe(404)
  })
})

describe('the screens of calendars', () => {
  it('ask the database twice each', async () => {
    const { browser, connection } = await connected()
    const paths = [
      '',
      '/connect',
      '/connect/caldav',
      '/connect/feed',
      `/accounts/${connection.account_id}`,
      `/${connection.id}/disconnect`,
      '/zoom/disconnect',
    ].map((path) => `/console/calendars${path}`)
    // What the account has is remembered once somebody looked.
    await browser.visit(paths[4]!)
    const told = await consoleTrips(browser, paths)
    expect(told.filter(({ trips }) => trips > 2)).toEqual([])
  })

  it('are shown in German too', async () => {
    const { browser } = await connected()
    const page = await browser.visit('/console/calendars?lang=de')
    expect(wordsOf(page)).toContain('Kalender und Meetings')
    expect(wordsOf(page)).toContain('Verbunden')
  })
})
