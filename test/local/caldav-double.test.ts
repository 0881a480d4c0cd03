import { createHash } from 'node:crypto'
import { describe, expect, it } from 'vitest'
import { openCaldav } from '../../doubles/caldav/open-caldav.ts'
import { childOf, type Element, readXml } from '../../doubles/caldav/read-xml.ts'
import type { Json } from '../../doubles/world.ts'
import { freshWorld } from '../support/fresh-world.ts'

const DAV = '{DAV:}'
const CAL = '{urn:ietf:params:xml:ns:caldav}'
const CS = '{http://calendarserver.org/ns/}'
const NC = '{http://nextcloud.com/ns}'
const BASIC = `Basic ${btoa('owner@example.com:double-password_1')}`

const { base, control } = freshWorld(openCaldav)

const serve = (settings: Json) => control('PUT', '', settings)

function dav(method: string, url: string, body = '', headers: Record<string, string> = {}) {
  return fetch(new URL(url, base()), {
    method,
    redirect: 'manual',
    headers: { Authorization: BASIC, Depth: '1', ...headers },
    ...(body && { body }),
  })
}

type Member = { href: string; status: string | null; found: Map<string, Element>; missing: string[] }

function members(text: string): Member[] {
  const root = readXml(text)!
  expect(root.name).toBe(`${DAV}multistatus`)
  return root.children
    .filter(({ name }) => name === `${DAV}response`)
    .map((response) => {
      const stats = response.children.filter(({ name }) => name === `${DAV}propstat`)
      const of = (code: string) =>
        stats
          .filter((stat) => childOf(stat, `${DAV}status`)!.text.includes(code))
          .flatMap((stat) => childOf(stat, `${DAV}prop`)!.children)
      return {
        href: childOf(response, `${DAV}href`)!.text,
        status: childOf(response, `${DAV}status`)?.text ?? null,
        found: new Map(of(' 200 ').map((one) => [one.name, one])),
        missing: of(' 404 ').map(({ name }) => name),
      }
    })
}

const propfind = (...names: string[]) =>
  `<d:propfind xmlns:d="DAV:" xmlns:c="urn:ietf:params:xml:ns:caldav" xmlns:cs="http://calendarserver.org/ns/" xmlns:nc="http://nextcloud.com/ns"><d:prop>${names.map((name) => `<${name}/>`).join('')}</d:prop></d:propfind>`

const syncFrom = (token: string, more = '') =>
  `<d:sync-collection xmlns:d="DAV:"><d:sync-token>${token}</d:sync-token><d:sync-level>1</d:sync-level>${more}<d:prop><d:getetag/></d:prop></d:sync-collection>`

const ics = (uid: string, summary = 'Busy') =>
  `BEGIN:VCALENDAR\r\nVERSION:2.0\r\nPRODID:x\r\nBEGIN:VEVENT\r\nUID:${uid}\r\nDTSTAMP:20300101T000000Z\r\nDTSTART:20300107T100000Z\r\nDTEND:20300107T110000Z\r\nSUMMARY:${summary}\r\nEND:VEVENT\r\nEND:VCALENDAR\r\n`

/** From the address that a person enters to the calendars, over what each answer says. */
async function discover(): Promise<{ home: string; all: Member[] }> {
  const { url } = await control('GET', '')
  const ask = async (at: string, ...names: string[]) =>
    members(await (await dav('PROPFIND', at, propfind(...names), { Depth: '0' })).text())[0]!.found
  const hrefIn = (element: Element | undefined) => childOf(element, `${DAV}href`)!.text
  const principal = hrefIn((await ask(url, 'd:current-user-principal')).get(`${DAV}current-user-principal`))
  const home = hrefIn((await ask(principal, 'c:calendar-home-set')).get(`${CAL}calendar-home-set`))
  const response = await dav(
    'PROPFIND',
    home,
    propfind(
      'd:displayname',
      'd:resourcetype',
      'd:sync-token',
      'cs:getctag',
      'c:supported-calendar-component-set',
      'd:current-user-privilege-set',
      'nc:deleted-at',
    ),
  )
  return { home, all: members(await response.text()) }
}

const typesOf = (member: Member) => member.found.get(`${DAV}resourcetype`)!.children.map(({ name }) => name)

const calendar = async (id: string) =>
  (await control('GET', '')).calendars.find((one: Json) => one.id === id).url as string

describe('discovery', () => {
  it('leads from each kind of server to a home with calendars, of which few are for events and to be written', async () => {
    for (const server of ['nextcloud', 'sabredav', 'open-xchange', 'icloud']) {
      await serve({ server })
      const { all } = await discover()
      const calendars = all.filter((member) => typesOf(member).includes(`${CAL}calendar`))
      const components = (member: Member) =>
        member.found.get(`${CAL}supported-calendar-component-set`)!.children.map((one) => one.attributes.name)
      expect(calendars).toHaveLength(5)
      expect(calendars.filter((member) => !components(member).includes('VEVENT'))).toHaveLength(1)
      const privileges = (member: Member) =>
        member.found
          .get(`${DAV}current-user-privilege-set`)!
          .children.map((privilege) => privilege.children[0]!.name)
      expect(calendars.filter((member) => privileges(member).includes(`${DAV}write`))).toHaveLength(3)
      expect(all.filter((member) => typesOf(member).includes(`${CAL}schedule-inbox`))).toHaveLength(1)
      expect(all.filter((member) => typesOf(member).includes(`${CS}subscribed`))).toHaveLength(1)
    }
  })

  it('begins at a well-known path, and is in a sub-path at Nextcloud, whose other paths are pages', async () => {
    const response = await dav('PROPFIND', `${base()}/nextcloud/.well-known/caldav`)
    expect(response.status).toBe(301)
    expect(response.headers.get('Location')).toBe(`${new URL(base()).pathname}/nextcloud/remote.php/dav/`)
    expect((await dav('PROPFIND', `${base()}/nextcloud/`)).status).toBe(405)
    const { home, all } = await discover()
    expect(home).toContain('/nextcloud/remote.php/dav/calendars/owner/')
    const readOnly = all.find(({ href }) => href.includes('contact_birthdays'))!
    const names = readOnly.found
      .get(`${DAV}current-user-privilege-set`)!
      .children.map((privilege) => privilege.children[0]!.name)
    expect(names).toContain(`${DAV}write-properties`)
    expect(names).not.toContain(`${DAV}write`)
    const put = await dav('PUT', `${await calendar('contact_birthdays')}a.ics`, ics('a'))
    expect([put.status, await put.text()]).toEqual([403, expect.stringContaining('need-privileges')])
  })

  it('goes to another host at iCloud, whose answers say text/plain and name no prefix', async () => {
    await serve({ server: 'icloud' })
    const { home } = await discover()
    expect(new URL(home).hostname).toBe('localhost')
    const response = await dav('PROPFIND', home, propfind('d:resourcetype'))
    expect(response.headers.get('Content-Type')).toBe('text/plain')
    expect(await response.text()).toContain('<multistatus xmlns="DAV:">')
    const got = await dav('GET', `${await calendar('personal')}personal-1.ics`)
    expect(got.headers.get('Content-Type')).toBe('text/plain')
  })

  it('says text/html at Open-Xchange, whose tags have no quotes', async () => {
    await serve({ server: 'open-xchange' })
    const response = await dav('PROPFIND', await calendar('personal'), propfind('d:getetag'))
    expect(response.headers.get('Content-Type')).toContain('text/html')
    const [, event] = members(await response.text())
    const etag = event!.found.get(`${DAV}getetag`)!.text
    expect(etag).toMatch(/^http:\/\/www\.open-xchange\.com\/etags\//)
    const url = `${await calendar('personal')}personal-1.ics`
    expect((await dav('PUT', url, ics('personal-1@double'), { 'If-Match': etag })).status).toBe(204)
  })
})

describe('another kind of server', () => {
  it('has a main calendar that is an outbox, too, at SOGo, and pages with 200 elsewhere', async () => {
    await serve({ server: 'sogo' })
    const { home, all } = await discover()
    expect(home).toContain('/SOGo/dav/owner/Calendar/')
    const outboxes = all.filter((member) => typesOf(member).includes(`${CAL}schedule-outbox`))
    expect(outboxes.map(typesOf)).toEqual([expect.arrayContaining([`${CAL}calendar`])])
    expect(outboxes[0]!.href).toBe(new URL(await calendar('personal')).pathname)
    const page = await dav('PROPFIND', `${base()}/.well-known/nothing`)
    expect([page.status, (await page.text()).startsWith('<!DOCTYPE html>')]).toEqual([200, true])
    const url = await calendar('personal')
    expect((await dav('PUT', `${url}a.ics`, ics('a'))).status).toBe(201)
    const taken = await dav('PUT', `${url}b.ics`, ics('a'))
    expect([taken.status, await taken.text()]).toEqual([409, expect.stringContaining('already in use. (a)')])
    expect((await dav('PUT', `${await calendar('work')}a.ics`, ics('a'))).status).toBe(201)
  })

  it('says at its top that it knows nobody at Cyrus, and takes a UID once in all calendars', async () => {
    await serve({ server: 'cyrus' })
    const headers = { Depth: '0' }
    const top = await fetch(`${base()}/dav/`, { method: 'PROPFIND', headers })
    expect([top.status, await top.text()]).toEqual([207, expect.stringContaining('unauthenticated')])
    const { home } = await discover()
    const below = await fetch(new URL(home, base()), { method: 'PROPFIND', headers })
    expect([below.status, below.headers.get('WWW-Authenticate')]).toEqual([401, 'Basic realm="Cyrus"'])
    expect((await dav('PUT', `${await calendar('personal')}a.ics`, ics('a'))).status).toBe(201)
    const taken = await dav('PUT', `${await calendar('work')}a.ics`, ics('a'))
    expect([taken.status, await taken.text()]).toEqual([
      403,
      expect.stringMatching(/unique-scheduling-object-resource.*personal\/a\.ics/),
    ])
  })

  it('offers Digest alone or beside Basic, with a nonce that may become stale', async () => {
    await serve({ server: 'sabredav', auth: ['Digest'], nonceUses: 1 })
    const url = await calendar('personal')
    const ask = (Authorization = '') =>
      fetch(url, { method: 'PROPFIND', headers: { Depth: '0', Authorization } })
    const challenge = (await ask()).headers.get('WWW-Authenticate')!
    expect(challenge).toMatch(/^Digest realm="BaikalDAV",qop="auth",nonce="\w+",opaque="\w+"$/)
    const nonce = /nonce="(\w+)"/.exec(challenge)![1]!
    const md5 = (text: string) => createHash('md5').update(text).digest('hex')
    const answer = (nc: string, password = 'double-password_1', uri = new URL(url).pathname) => {
      const ha1 = md5(`owner@example.com:BaikalDAV:${password}`)
      const response = md5(`${ha1}:${nonce}:${nc}:c:auth:${md5(`PROPFIND:${uri}`)}`)
      return `Digest username="owner@example.com", realm="BaikalDAV", uri="${uri}", nonce="${nonce}", nc=${nc}, cnonce="c", qop=auth, response="${response}"`
    }
    expect((await ask(answer('00000001', 'wrong'))).status).toBe(401)
    expect((await ask(BASIC)).status).toBe(401)
    await serve({ nonceUses: 2 })
    expect((await ask(answer('00000002', undefined, '/'))).status).toBe(401)
    expect((await ask(answer('00000002'))).status).toBe(207)
    const repeated = await ask(answer('00000002'))
    expect([repeated.status, repeated.headers.get('WWW-Authenticate')]).toEqual([
      401,
      expect.stringContaining('stale=true'),
    ])
    await serve({ auth: ['Basic', 'Digest'], digestAlgorithms: ['SHA-256', 'MD5'] })
    const both = (await ask()).headers.get('WWW-Authenticate')
    expect(both).toMatch(/^Basic realm=.*, Digest .*algorithm=SHA-256, Digest .*algorithm=MD5$/)
    expect((await ask(BASIC)).status).toBe(207)
    await serve({ auth: [] })
    expect((await ask()).headers.get('WWW-Authenticate')).toBeNull()
  })
})

describe('reading', () => {
  const range = (start: string, end: string) =>
    `<c:calendar-query xmlns:d="DAV:" xmlns:c="urn:ietf:params:xml:ns:caldav"><d:prop><d:getetag/><c:calendar-data/></d:prop><c:filter><c:comp-filter name="VCALENDAR"><c:comp-filter name="VEVENT"><c:time-range start="${start}" end="${end}"/></c:comp-filter></c:comp-filter></c:filter></c:calendar-query>`

  it('finds what is in a time, series from their start on, with the line ends as they were put', async () => {
    await control('POST', '/events', {
      calendar: 'work',
      events: [
        { uid: 'one', start: '2030-01-07T10:00:00Z', end: '2030-01-07T11:00:00Z' },
        { uid: 'series', start: '2029-01-01T10:00:00Z', end: '2029-01-01T11:00:00Z', rrule: 'FREQ=WEEKLY' },
        { uid: 'day', start: '2030-01-08', end: '2030-01-09' },
      ],
    })
    const url = await calendar('work')
    const found = members(
      await (await dav('REPORT', url, range('20300107T000000Z', '20300107T120000Z'))).text(),
    )
    const namesOf = (members: typeof found) => members.map(({ href }) => href.split('/').at(-1)).sort()
    expect(namesOf(found)).toEqual(['one.ics', 'series.ics'])
    const later = await (await dav('REPORT', url, range('20300108T230000Z', '20300109T000000Z'))).text()
    expect(namesOf(members(later))).toEqual(['day.ics', 'series.ics'])
    const none = members(
      await (await dav('REPORT', url, range('20280101T000000Z', '20280201T000000Z'))).text(),
    )
    expect(none).toEqual([])
    expect(found[0]!.found.get(`${CAL}calendar-data`)!.text).toMatch(/^BEGIN:VCALENDAR\r\nVERSION:2.0\r\n/)
    const multiget = `<c:calendar-multiget xmlns:d="DAV:" xmlns:c="urn:ietf:params:xml:ns:caldav"><d:prop><d:getetag/></d:prop><d:href>${new URL(url).pathname}one.ics</d:href><d:href>${new URL(url).pathname}none.ics</d:href></c:calendar-multiget>`
    const got = members(await (await dav('REPORT', url, multiget)).text())
    expect(got.map(({ status }) => status)).toEqual([null, 'HTTP/1.1 404 Not Found'])
  })

  it('returns changes since a token, deletions too, in parts if there are many', async () => {
    const url = await calendar('work')
    const tokenIn = (text: string) => childOf(readXml(text)!, `${DAV}sync-token`)!.text
    const first = await (await dav('REPORT', url, syncFrom(''))).text()
    expect(members(first)).toHaveLength(1)
    await control('POST', '/events', {
      calendar: 'work',
      events: ['a', 'b', 'c'].map((uid) => ({
        uid,
        start: '2030-01-07T10:00:00Z',
        end: '2030-01-07T11:00:00Z',
      })),
    })
    await control('DELETE', '/events/work-1.ics')
    await serve({ syncLimit: 3 })
    const part = await (await dav('REPORT', url, syncFrom(tokenIn(first)))).text()
    expect(members(part).map(({ status }) => status)).toEqual([
      null,
      null,
      null,
      'HTTP/1.1 507 Insufficient Storage',
    ])
    const rest = await (await dav('REPORT', url, syncFrom(tokenIn(part)))).text()
    expect(members(rest).map(({ href, status }) => [href.split('/').at(-1), status])).toEqual([
      ['work-1.ics', 'HTTP/1.1 404 Not Found'],
    ])
  })

  it('refuses a token that it does not know any more in several ways', async () => {
    const url = await calendar('work')
    await control('POST', '/forget')
    for (const tokenRefusal of [403, 409]) {
      await serve({ tokenRefusal })
      const response = await dav('REPORT', url, syncFrom('http://sabre.io/ns/sync/1'))
      expect(response.status).toBe(tokenRefusal)
      expect(childOf(readXml(await response.text())!, `${DAV}valid-sync-token`)).toBeDefined()
    }
    await serve({ tokenRefusal: 507 })
    expect((await dav('REPORT', url, syncFrom('http://sabre.io/ns/sync/1'))).status).toBe(507)
    expect(
      (await dav('REPORT', url, syncFrom('', '<d:limit><d:nresults>5</d:nresults></d:limit>'))).status,
    ).toBe(507)
    await serve({ tokenRefusal: null })
    expect((await dav('REPORT', url, syncFrom(''))).status).toBe(415)
    const [self] = members(await (await dav('PROPFIND', url, propfind('d:sync-token', 'cs:getctag'))).text())
    expect(self!.missing).toEqual([`${DAV}sync-token`])
  })
})

describe('writing', () => {
  it('enforces the tags that it returned', async () => {
    const url = `${await calendar('personal')}a.ics`
    const put = await dav('PUT', url, ics('a'), { 'If-None-Match': '*' })
    expect([put.status, put.headers.get('ETag')]).toEqual([201, expect.stringMatching(/^"\w+"$/)])
    expect((await dav('PUT', url, ics('a'), { 'If-None-Match': '*' })).status).toBe(412)
    expect((await dav('DELETE', url, '', { 'If-Match': '"other"' })).status).toBe(412)
    expect((await dav('DELETE', url, '', { 'If-Match': put.headers.get('ETag')! })).status).toBe(204)
    expect((await dav('DELETE', url)).status).toBe(404)
  })

  it('may return no tag, or one that the server behind does not accept', async () => {
    const url = `${await calendar('personal')}a.ics`
    await serve({ rewritesOnPut: true })
    const put = await dav('PUT', url, ics('a'))
    expect([put.status, put.headers.get('ETag')]).toEqual([201, null])
    expect(await (await dav('GET', url)).text()).toContain('X-SERVER-ADDED')
    for (const [etagAtGet, form] of [
      ['weak', /^W\/"\w+"$/],
      ['with -gzip', /^"\w+-gzip"$/],
    ] as const) {
      await serve({ etagAtGet })
      const etag = (await dav('GET', url)).headers.get('ETag')!
      expect(etag).toMatch(form)
      expect((await dav('PUT', url, ics('a'), { 'If-Match': etag })).status).toBe(412)
    }
  })

  it('changes all tags of what stayed the same', async () => {
    const url = await calendar('personal')
    const tags = async () => members(await (await dav('PROPFIND', url, propfind('d:getetag'))).text())
    const before = (await tags())[1]!.found.get(`${DAV}getetag`)!.text
    await control('POST', '/retag')
    expect((await tags())[1]!.found.get(`${DAV}getetag`)!.text).not.toBe(before)
  })

  it('takes only calendars with a component of the collection, and each UID once', async () => {
    expect((await dav('PUT', `${await calendar('tasks')}a.ics`, ics('a'))).status).toBe(403)
    const url = await calendar('personal')
    expect((await dav('PUT', `${url}a.ics`, 'nonsense')).status).toBe(415)
    await dav('PUT', `${url}a.ics`, ics('a'))
    const again = await dav('PUT', `${url}b.ics`, ics('a'))
    expect([again.status, await again.text()]).toEqual([400, expect.stringContaining('already exists')])
    await serve({ server: 'sabredav' })
    const conflict = await dav('PUT', `${await calendar('personal')}b.ics`, ics('a'))
    expect([conflict.status, await conflict.text()]).toEqual([
      403,
      expect.stringContaining('no-uid-conflict'),
    ])
  })
})

describe('Nextcloud’s trash bin', () => {
  const cycle = async (url: string) => [
    (await dav('PUT', url, ics('a'))).status,
    (await dav('DELETE', url)).status,
  ]

  it('refuses what is in it, as it did first', async () => {
    await serve({ trashBin: 'refuses' })
    const url = `${await calendar('personal')}a.ics`
    expect(await cycle(url)).toEqual([201, 204])
    const again = await dav('PUT', url, ics('a'))
    expect([again.status, await again.text()]).toEqual([
      400,
      expect.stringContaining('Deleted calendar object with uid already exists'),
    ])
  })

  it('has no place for a third deletion, as it had next', async () => {
    const url = `${await calendar('personal')}a.ics`
    expect(await cycle(url)).toEqual([201, 204])
    expect(await cycle(url)).toEqual([201, 204])
    expect(await cycle(url)).toEqual([201, 403])
    await serve({ trashBin: 'empties' })
    const other = `${await calendar('work')}a.ics`
    for (let time = 0; time < 4; time++) expect(await cycle(other)).toEqual([201, 204])
  })

  it('is listed beside the calendars, as are calendars in it, with types of their own', async () => {
    await dav('DELETE', `${await calendar('personal')}personal-1.ics`)
    await control('DELETE', '/calendars/work', { isInTrash: true })
    const { home, all } = await discover()
    expect(all.filter((member) => typesOf(member).includes(`${NC}trash-bin`))).toHaveLength(1)
    const work = all.find(({ href }) => href.endsWith('/work/'))!
    expect(typesOf(work)).toEqual([`${DAV}collection`, `${NC}deleted-calendar`])
    expect(work.found.get(`${NC}deleted-at`)!.text).toMatch(/^\d{4}-/)
    const trash = await dav('PROPFIND', `${home}trashbin/objects/`, propfind('nc:deleted-at'))
    const [, event] = members(await trash.text())
    expect(event!.href).toContain('trashbin/objects/personal-personal-1-deleted.ics')
    expect(event!.found.get(`${NC}deleted-at`)!.text).toMatch(/^\d+$/)
    await serve({ syncsTrash: true })
    const first = members(await (await dav('REPORT', await calendar('personal'), syncFrom(''))).text())
    expect(first.map(({ href }) => href.split('/').at(-1))).toContain('personal-1-deleted.ics')
    await control('POST', '/calendars/work/restore')
    expect(typesOf((await discover()).all.find(({ href }) => href.endsWith('/work/'))!)).toContain(
      `${CAL}calendar`,
    )
  })
})

describe('what passes', () => {
  it('is a 401 to the right password, an end of it, maintenance', async () => {
    const url = await calendar('personal')
    await serve({ refuseNext: 2 })
    const statuses = []
    for (let time = 0; time < 3; time++) statuses.push((await dav('PROPFIND', url)).status)
    expect(statuses).toEqual([401, 401, 207])
    await control('POST', '/end', { how: 'revoked' })
    const refused = await dav('PROPFIND', url)
    expect([refused.status, refused.headers.get('WWW-Authenticate')]).toEqual([
      401,
      expect.stringContaining('Basic realm="Nextcloud"'),
    ])
    await serve({ password: 'another one: ü' })
    const octets = new TextEncoder().encode('owner@example.com:another one: ü')
    const renewed = { Authorization: `Basic ${btoa(String.fromCharCode(...octets))}` }
    expect((await dav('PROPFIND', url, '', renewed)).status).toBe(207)
    await serve({ isInMaintenance: true })
    const down = await dav('PROPFIND', url, '', renewed)
    expect([down.status, down.headers.get('Retry-After'), await down.text()]).toEqual([
      503,
      null,
      expect.stringContaining('maintenance'),
    ])
  })

  it('is a calendar that goes away and comes back, and an event that is dragged elsewhere', async () => {
    const url = await calendar('work')
    for (const status of [404, 410]) {
      await control('DELETE', '/calendars/work', { status })
      expect((await dav('PROPFIND', url)).status).toBe(status)
      expect((await discover()).all.some(({ href }) => href.endsWith('/work/'))).toBe(false)
    }
    await control('POST', '/calendars/work/restore')
    expect((await dav('PROPFIND', url)).status).toBe(207)
    await control('POST', '/events/work-1.ics/move', { calendar: 'personal' })
    expect((await dav('GET', `${url}work-1.ics`)).status).toBe(404)
    expect(await (await dav('GET', `${await calendar('personal')}work-1.ics`)).text()).toContain(
      'UID:work-1@double',
    )
  })
})
