import { beforeAll, describe, expect, inject, it } from 'vitest'
import { createCaldavClient } from '../../src/calendars/caldav/caldav-client.ts'
import type { CaldavCalendar } from '../../src/calendars/caldav/calendar-resource.ts'
import { type DiscoverOptions, discoverAccount } from '../../src/calendars/caldav/discover-account.ts'
import { isSameServer } from '../../src/calendars/caldav/same-server.ts'
import { SignIn } from '../../src/calendars/caldav/sign-in.ts'
import type { Since } from '../../src/calendars/client/calendar-client.ts'
import type { CalendarFailure } from '../../src/platform/icalendar/calendar-error.ts'
import type { CalendarEvent } from '../../src/platform/icalendar/calendar-event.ts'
import { ALL_CLEAR } from '../../src/platform/icalendar/unclear-events.ts'
import {
  CALDAV_USERS,
  type CaldavUser,
  deleteResource,
  getResource,
  makeCalendar,
  putCalendar,
  putEvent,
} from '../support/caldav.ts'
import { HOSTILE, manyEvents } from '../support/many-events.ts'
import { patienceOf } from '../support/patience.ts'

const { ada, grace, edith } = CALDAV_USERS
const [MARCH, APRIL] = [Date.UTC(2026, 2, 1), Date.UTC(2026, 3, 1)]
const WINDOW = { start: MARCH, end: APRIL }
const HOUR = 3_600_000

function at(day: number, hour: number): number {
  return Date.UTC(2026, 2, day, hour)
}

function hour(day: number, from: number) {
  return { start: at(day, from), end: at(day, from + 1) }
}

function since(cursor: string | null, etags: ReadonlyMap<string, string> = new Map()): Since {
  return { cursor, etags: async () => etags }
}

/** A client that counts what it sends, and may reach this machine only. */
function connect(calendarUrl: string, user: CaldavUser = grace, over: Partial<CaldavCalendar> = {}) {
  const sent: { readonly method: string; readonly url: string }[] = []
  const client = createCaldavClient({
    fetch: (url, init) => {
      sent.push({ method: init?.method ?? 'GET', url })
      return fetch(url, init)
    },
    url: calendarUrl,
    signIn: new SignIn({ ...user, scheme: 'basic' }),
    ownerAddresses: ['grace@example.com'],
    timeZone: 'America/New_York',
    mayReach: (url) => new URL(url).hostname === '127.0.0.1',
    spellings: new Map(),
    ...over,
  })
  return { ...client, sent }
}

function discover(serverUrl: string, user: CaldavUser, over: Partial<DiscoverOptions> = {}) {
  return discoverAccount({
    fetch: (url, init) => fetch(url, init),
    serverUrl,
    signIn: new SignIn({ ...user, scheme: null }),
    mayReach: (url) => new URL(url).hostname === '127.0.0.1',
    ...over,
  })
}

async function failureOf(promise: Promise<unknown>) {
  const error = await promise.then(
    () => null,
    (reason) => reason,
  )
  if (error?.name !== 'CalendarError') throw new Error('No CalendarError', { cause: error })
  return error as Error & { failure: CalendarFailure; retryAfterMs: number | null }
}

const BOOKING: CalendarEvent = {
  uid: '0192f1e0-7c11-7000-8000-3b1f0a5d9c43@holdfast',
  sequence: 0,
  start: at(10, 14),
  end: at(10, 15),
  stamp: at(1, 9),
  summary: 'Intro, with Zoë; and more',
  description: 'First line\nSecond line',
  location: 'Room 4',
  url: 'https://meet.example.com/1',
  organizer: { name: 'Grace', email: 'grace@example.com' },
  attendees: [{ name: 'Ada', email: 'ada@example.com' }],
  wantsMeeting: false,
}

let server: string
beforeAll(() => {
  server = inject('radicale')
})

describe('finding the calendar', () => {
  let [first, second] = ['', '']
  beforeAll(async () => {
    await makeCalendar(server, edith, 'a-tasks', ['VTODO'])
    first = await makeCalendar(server, edith, 'b-work')
    second = await makeCalendar(server, edith, 'c-home')
  })

  it('begins at the server, its root, a principal or a calendar', async () => {
    const home = `${server}/edith/`
    for (const url of [server, `${server}/`, home]) {
      const { main, email, calendars } = await discover(url, edith)
      expect(calendars.map(({ externalId }) => externalId).sort()).toEqual([first, second])
      expect(calendars.filter(({ isPrimary }) => isPrimary)).toEqual([main])
      expect([email, main.timezone, main.canWrite]).toEqual(['edith', null, true])
    }
    const named = { externalId: second, name: 'c-home', isPrimary: true }
    expect((await discover(second, edith)).main).toMatchObject(named)
  })

  it('takes the requested one, if it is a calendar', async () => {
    const found = await discover(server, edith, { calendarUrl: second })
    expect(found.main).toMatchObject({ externalId: second, name: 'c-home' })
    expect(found.calendars).toHaveLength(2)
    for (const calendarUrl of [`${server}/edith/`, `${server}/edith/a-tasks/`]) {
      expect(await failureOf(discover(server, edith, { calendarUrl }))).toMatchObject({ failure: 'absent' })
    }
  })

  it('knows the owner by the name that is an address', async () => {
    await makeCalendar(server, ada, 'mine')
    expect(await discover(server, ada)).toMatchObject({
      // Other tests make calendars of hers too.
      main: { externalId: expect.stringContaining(`${server}/ada%40example.com/`) },
      email: 'ada@example.com',
      ownerAddresses: ['ada@example.com'],
    })
  })

  it('refuses a wrong password, and another person’s calendar', async () => {
    expect(await failureOf(discover(server, { ...edith, password: 'wrong' }))).toMatchObject({
      failure: 'refused',
    })
    const options = { calendarUrl: second }
    expect(await failureOf(discover(server, grace, options))).toMatchObject({ failure: 'absent' })
  })
})

describe('listing a calendar of six hundred events', () => {
  let url: string
  beforeAll(async () => {
    url = `${server}/grace/many/`
    const event = (uid: string, ...lines: string[]) => [
      'BEGIN:VEVENT',
      `UID:${uid}`,
      'DTSTAMP:20260101T000000Z',
      ...lines,
      'END:VEVENT',
    ]
    const stamp = (instant: number) => new Date(instant).toISOString().replace(/[-:]|\.\d{3}/g, '')
    const single = Array.from({ length: 590 }, (_, index) =>
      event(`single-${index}`, `DTSTART:${stamp(MARCH + index * HOUR)}`, 'DURATION:PT30M'),
    )
    const old = Array.from({ length: 50 }, (_, index) =>
      event(`old-${index}`, `DTSTART:${stamp(Date.UTC(2020, 0, 1 + index))}`, 'DURATION:PT30M'),
    )
    const series = Array.from({ length: 10 }, (_, index) =>
      event(
        `series-${index}`,
        'DTSTART;TZID=America/New_York:20240101T003000',
        'DURATION:PT10M',
        `RRULE:FREQ=DAILY;INTERVAL=${index + 1}`,
      ),
    )
    const text = ['BEGIN:VCALENDAR', 'VERSION:2.0', 'PRODID:-//T//EN', ...[single, old, series].flat(2)]
    await putCalendar(url, grace, [...text, 'END:VCALENDAR', ''].join('\r\n'))
  }, 60_000)

  it('brings all that touch the window, in few requests, and nothing of the past', async () => {
    const { listChanges, sent } = connect(url)
    const { changed, isComplete, gone, cursor, unclear } = await listChanges(WINDOW, since(null))
    expect(changed).toHaveLength(600)
    expect(new Set(changed.map(({ uid }) => uid)).size).toBe(600)
    expect({ isComplete, gone, unclear }).toEqual({ isComplete: true, gone: [], unclear: ALL_CLEAR })
    expect(cursor).toMatch(/^sync3:/)
    expect(sent.length).toBeLessThanOrEqual(10)
    const daily = changed.find(({ uid }) => uid === 'series-0')!
    expect(daily.busy).toHaveLength(31)
    // Midnight and a half in New York, before and after the clocks change on the 8th.
    expect(daily.busy[0]!.start).toBe(MARCH + 5.5 * HOUR)
    expect(daily.busy.at(-1)!.start).toBe(at(31, 4) + HOUR / 2)
  })

  it('reports in one small request that nothing changed', async () => {
    const { listChanges, sent } = connect(url)
    const { cursor } = await listChanges(WINDOW, since(null))
    sent.length = 0
    const again = await listChanges(WINDOW, since(cursor))
    expect(again).toMatchObject({ changed: [], gone: [], isComplete: false, unclear: ALL_CLEAR })
    expect(sent).toHaveLength(1)
  })

  it('brings what touches a wanted time only', async () => {
    const events = await connect(url).listEvents({ start: at(10, 12), end: at(10, 14) })
    expect(events.map(({ uid }) => uid).sort()).toEqual(['single-228', 'single-229'])
    const starts = events.flatMap(({ busy }) => busy).map(({ start }) => start)
    expect(starts.sort()).toEqual([at(10, 12), at(10, 13)])
  })
})

describe('an all-day event', () => {
  const day = (zone: string) => {
    const url = `${server}/grace/day-${zone.replace('/', '-')}/`
    const event = [
      'BEGIN:VEVENT',
      `UID:day-${zone}`,
      'DTSTAMP:20260101T000000Z',
      'DTSTART;VALUE=DATE:20260316',
    ]
    const text = [
      'BEGIN:VCALENDAR',
      'VERSION:2.0',
      'PRODID:-//T//EN',
      ...event,
      'END:VEVENT',
      'END:VCALENDAR',
    ]
    return { url, text: [...text, ''].join('\r\n') }
  }

  it.each([
    ['Pacific/Auckland', hour(15, 20)],
    ['America/Los_Angeles', hour(17, 1)],
  ])('is found on its day in %s, which is another one for the server', async (calendarZone, inside) => {
    const { url, text } = day(calendarZone)
    await putCalendar(url, grace, text)
    const start = Math.floor(inside.start / (24 * HOUR)) * 24 * HOUR
    const events = await connect(url, grace, { timeZone: calendarZone }).listEvents({
      start,
      end: start + 24 * HOUR,
    })
    const isBusy = events.some(({ busy }) =>
      busy.some((time) => time.start <= inside.start && inside.end <= time.end),
    )
    expect(isBusy).toBe(true)
  })
})

describe('what happened since', () => {
  it('is what was added, changed and removed, and what moved out of the window', async () => {
    const url = await makeCalendar(server, grace, 'since')
    const put = (uid: string, ...lines: string[]) => putEvent(url, grace, uid, ...lines)
    await put('stays', 'DTSTART:20260302T090000Z', 'DURATION:PT1H')
    await put('changes', 'DTSTART:20260303T090000Z', 'DURATION:PT1H')
    await put('moves', 'DTSTART:20260305T090000Z', 'DURATION:PT1H')
    const goes = await put('goes@x', 'DTSTART:20260304T090000Z', 'DURATION:PT1H')
    const client = connect(url)
    const first = await client.listChanges(WINDOW, since(null))
    expect(first.changed.map(({ uid }) => uid).sort()).toEqual(['changes', 'goes@x', 'moves', 'stays'])

    await put('changes', 'DTSTART:20260303T100000Z', 'DURATION:PT1H')
    await put('comes', 'DTSTART:20260306T090000Z', 'DURATION:PT1H')
    await put('moves', 'DTSTART:20270305T090000Z', 'DURATION:PT1H')
    await deleteResource(goes, grace)
    const next = await client.listChanges(WINDOW, since(first.cursor))
    const byUid = new Map(next.changed.map((event) => [event.uid, event]))
    expect([...byUid.keys()].sort()).toEqual(['changes', 'comes', 'moves'])
    expect(byUid.get('changes')!.busy).toEqual([hour(3, 10)])
    expect(byUid.get('moves')!.busy).toEqual([])
    expect(next.gone).toEqual([first.changed.find(({ uid }) => uid === 'goes@x')!.id])
    expect(next.isComplete).toBe(false)
    expect((await client.listChanges(WINDOW, since(next.cursor))).changed).toEqual([])
  })

  it('is all there is when the server has forgotten the token', async () => {
    const url = await makeCalendar(server, grace, 'forgotten')
    await putEvent(url, grace, 'one', 'DTSTART:20260302T090000Z', 'DURATION:PT1H')
    const token = `sync3:http://radicale.org/ns/sync/${'0'.repeat(64)}`
    const { changed, isComplete } = await connect(url).listChanges(WINDOW, since(token))
    expect([changed.length, isComplete]).toEqual([1, true])
  })

  it('is found by tag and etags if the server knows no tokens', async () => {
    const url = await makeCalendar(server, grace, 'tags')
    for (const uid of ['a', 'b', 'c']) {
      await putEvent(url, grace, uid, 'DTSTART:20260302T090000Z', 'DURATION:PT1H')
    }
    /** Radicale as it would be without tokens. */
    const client = connect(url, grace, {
      fetch: async (target, init) => {
        const response = await fetch(target, init)
        if (init?.method !== 'PROPFIND') return response
        const text = (await response.text()).replace(/<sync-token>.*?<\/sync-token>/g, '')
        return new Response(text, response)
      },
    })
    const first = await client.listChanges(WINDOW, since(null))
    expect(first.cursor).toMatch(/^ctag3:./)
    const etags = new Map(first.changed.map(({ id, etag }) => [id, etag!]))
    client.sent.length = 0
    expect((await client.listChanges(WINDOW, since(first.cursor, etags))).changed).toEqual([])

    await putEvent(url, grace, 'a', 'DTSTART:20260302T100000Z', 'DURATION:PT1H')
    await putEvent(url, grace, 'b', 'DTSTART:20270302T100000Z', 'DURATION:PT1H')
    await deleteResource(`${url}c.ics`, grace)
    const next = await client.listChanges(WINDOW, since(first.cursor, etags))
    expect(Object.fromEntries(next.changed.map(({ uid, busy }) => [uid, busy]))).toEqual({
      a: [hour(2, 10)],
      b: [],
    })
    expect(next.gone).toEqual([...etags.keys()].filter((id) => id.endsWith('/c.ics')))
  })

  it('leaves out events that cannot be understood, and counts them', async () => {
    const url = await makeCalendar(server, grace, 'floods')
    await putEvent(url, grace, 'fine', 'DTSTART:20260302T090000Z', 'DURATION:PT1H')
    await putEvent(
      url,
      grace,
      'flood',
      'DTSTART:20260302T090000Z',
      'DURATION:PT1S',
      'RRULE:FREQ=MINUTELY;COUNT=9000',
    )
    const { changed, unclear, gone } = await connect(url).listChanges(WINDOW, since(null))
    expect([changed.map(({ uid }) => uid), unclear.count, gone]).toEqual([['fine'], 1, []])
  })
})

describe('a booking in the calendar', () => {
  it('is written once, moved and removed', async () => {
    const url = await makeCalendar(server, grace, 'bookings')
    const client = connect(url)
    const written = await client.writeEvent(BOOKING, null)
    expect(written.etag).toEqual(expect.any(String))
    expect(written.meetingUrl).toBeNull()
    const text = (await getResource(new URL(written.id, url).href, grace)).replace(/\r?\n[ \t]/g, '')
    expect(text).not.toContain('METHOD')
    expect(text).toMatch(/ATTENDEE;[^\n]*SCHEDULE-AGENT=CLIENT/)
    expect(text).toMatch(/ORGANIZER;[^\n]*SCHEDULE-AGENT=CLIENT/)
    expect(await client.findEvent(written.id)).toEqual({
      id: written.id,
      uid: BOOKING.uid,
      etag: written.etag,
      time: hour(10, 14),
      busy: [hour(10, 14)],
    })

    const again = await client.writeEvent(BOOKING, null)
    expect(again.id).toBe(written.id)
    expect((await client.listChanges(WINDOW, since(null))).changed).toHaveLength(1)

    const moved = { ...BOOKING, sequence: 1, start: at(11, 14), end: at(11, 15) }
    const after = await client.writeEvent(moved, again)
    expect(after.etag).not.toBe(again.etag)
    expect((await client.findEvent(after.id))!.time).toEqual(hour(11, 14))
    await client.removeEvent(after.id)
    expect(await client.findEvent(after.id)).toBeNull()
    await client.removeEvent(after.id)
  })

  it('is left alone when its owner changed or removed it in the meantime', async () => {
    const url = await makeCalendar(server, grace, 'conflicts')
    const client = connect(url)
    const written = await client.writeEvent(BOOKING, null)
    await putEvent(url, grace, BOOKING.uid, 'DTSTART:20260320T090000Z', 'DURATION:PT1H')
    const moved = { ...BOOKING, sequence: 1, start: at(11, 14), end: at(11, 15) }
    expect(await failureOf(client.writeEvent(moved, written))).toMatchObject({ failure: 'changed' })
    expect((await client.findEvent(written.id))!.time).toEqual(hour(20, 9))
    await client.removeEvent(written.id)
    expect(await failureOf(client.writeEvent(moved, written))).toMatchObject({ failure: 'changed' })
    expect(await client.findEvent(written.id)).toBeNull()
  })
})

describe('a server that misbehaves', () => {
  let double: string
  let count = 0
  beforeAll(() => {
    double = inject('caldavDouble')
  })

  async function misbehave(script: object) {
    const name = `server-${++count}`
    await fetch(`${double}/_script/${name}`, { method: 'PUT', body: JSON.stringify(script) })
    const url = `${double}/${name}/cal/`
    return {
      url,
      client: connect(url),
      seen: async (): Promise<any[]> => (await fetch(`${double}/_seen/${name}`)).json(),
    }
  }

  /** The path of the next one's calendar, or that of so many later. */
  const itself = (later = 1) => `/server-${count + later}/cal`
  const listed = (script: object) =>
    misbehave(script).then(({ client }) => client.listChanges(WINDOW, since(null)))

  it.each([
    [
      'a web page',
      { status: 200, headers: { 'Content-Type': 'text/html' }, body: '<h1>Hi</h1>' },
      'unusable',
    ],
    ['plain text', { headers: { 'Content-Type': 'text/plain' }, body: 'hi' }, 'unusable'],
    ['no XML', { body: 'hi' }, 'unusable'],
    ['half an XML', { body: '<multistatus xmlns="DAV:"><response><href>/a' }, 'unusable'],
    ['something else than a multistatus', { body: '<error xmlns="DAV:"/>' }, 'unusable'],
    ['nothing', { body: '' }, 'unusable'],
    ['401', { status: 401 }, 'refused'],
    ['403', { status: 403 }, 'refused'],
    ['404', { status: 404 }, 'absent'],
    ['410', { status: 410 }, 'absent'],
    ['501', { status: 501 }, 'unusable'],
    ['500', { status: 500 }, 'unavailable'],
    ['a redirect to nowhere', { status: 302 }, 'unusable'],
  ] as const)('is distinguished from one that works: %s', async (_, answer, failure) => {
    expect(await failureOf(listed({ '*': answer }))).toMatchObject({ failure })
  })

  it('says when it wants to be asked again', async () => {
    const busy = { status: 503, headers: { 'Retry-After': '120' } }
    expect(await failureOf(listed({ '*': busy }))).toMatchObject({
      failure: 'unavailable',
      retryAfterMs: 120_000,
    })
    const limited = { status: 429, headers: { 'Retry-After': 'soon' } }
    expect(await failureOf(listed({ '*': limited }))).toMatchObject({
      failure: 'unavailable',
      retryAfterMs: null,
    })
  })

  it('is not read beyond a few megabytes', async () => {
    const body = `<response><href>/${'x'.repeat(1000)}</href></response>`
    const { url } = await misbehave({ '*': { body, repeat: 10_000 } })
    let bytes = 0
    const client = connect(url, grace, {
      fetch: async (target, init) => {
        const response = await fetch(target, init)
        const counted = new TransformStream<Uint8Array, Uint8Array>({
          transform(piece, controller) {
            bytes += piece.byteLength
            controller.enqueue(piece)
          },
        })
        return new Response(response.body!.pipeThrough(counted), response)
      },
    })
    expect(await failureOf(client.listChanges(WINDOW, since(null)))).toMatchObject({ failure: 'unusable' })
    expect(bytes).toBeGreaterThan(4_000_000)
    expect(bytes).toBeLessThan(5_000_000)
  })

  it('is asked for fewer events at a time if so many make an answer too long', async () => {
    const url = await makeCalendar(server, grace, 'long')
    // Five octets each in an answer, of which such a server reads only one when it is written.
    const long = '&'.repeat(300_000)
    for (const uid of ['a', 'b', 'c']) {
      await putEvent(url, grace, uid, 'DTSTART:20260302T090000Z', 'DURATION:PT1H', `DESCRIPTION:${long}`)
    }
    await putEvent(
      url,
      grace,
      'd',
      'DTSTART:20260302T090000Z',
      'DURATION:PT1H',
      `DESCRIPTION:${long.repeat(3)}`,
    )
    const { changed, unclear } = await connect(url).listChanges(WINDOW, since(null))
    expect(changed.map(({ uid }) => uid).sort()).toEqual(['a', 'b', 'c'])
    expect(unclear.count).toBe(1)
    const events = await connect(url).listEvents(WINDOW)
    expect(events.map(({ uid }) => uid).sort()).toEqual(['a', 'b', 'c'])
  })

  it('expands no entities', async () => {
    const bomb = `<?xml version="1.0"?><!DOCTYPE m [<!ENTITY a "aaaaaaaaaa">${Array.from(
      { length: 20 },
      (_, index) => `<!ENTITY a${index} "${`&a${index === 0 ? '' : index - 1};`.repeat(10)}">`,
    ).join('')}]><multistatus xmlns="DAV:"><sync-token>&a19;</sync-token></multistatus>`
    expect(await failureOf(listed({ '*': { body: bomb } }))).toMatchObject({ failure: 'unusable' })
  })

  it('is given up soon if its sections never end', async () => {
    const body = `<multistatus xmlns="DAV:">${'<![CDATA['.repeat(100_000)}`
    expect(await failureOf(listed({ '*': { body } }))).toMatchObject({ failure: 'unusable' })
  })

  it('is followed round a circle of redirects five times', async () => {
    const { client, seen } = await misbehave({ '*': { status: 307, headers: { Location: 'x/' } } })
    expect(await failureOf(client.listChanges(WINDOW, since(null)))).toMatchObject({ failure: 'unusable' })
    expect(await seen()).toHaveLength(6)
  })

  it.each([
    'http://169.254.169.254/latest/meta-data/',
    'http://10.0.0.1/',
    'http://localhost/',
    'http://127.0.0.1:1/',
    'https://127.0.0.1.evil.example/',
    'file:///etc/passwd',
  ])('leads nobody to %s', async (target) => {
    const { url, seen } = await misbehave({ '*': { status: 301, headers: { Location: target } } })
    const client = connect(url)
    expect(await failureOf(client.listChanges(WINDOW, since(null)))).toMatchObject({ failure: 'unusable' })
    expect(client.sent).toHaveLength(1)
    expect(await failureOf(discover(url, grace))).toMatchObject({ failure: 'unusable' })
    expect((await seen()).length).toBeGreaterThan(0)
  })

  it('leads nobody astray by the addresses it names', async () => {
    const props = '<current-user-principal><href>http://10.0.0.1/me/</href></current-user-principal>'
    const { url } = await misbehave({
      '*': {
        body: `<multistatus xmlns="DAV:"><response><href>/</href><propstat><prop>${props}</prop><status>HTTP/1.1 200 OK</status></propstat></response></multistatus>`,
      },
    })
    expect(await failureOf(discover(url, grace))).toMatchObject({ failure: 'unusable' })
  })

  it('refuses a password by knowing nobody', async () => {
    const props = '<current-user-principal><unauthenticated/></current-user-principal>'
    const { url } = await misbehave({
      '*': {
        body: `<multistatus xmlns="DAV:"><response><href>/</href><propstat><prop>${props}</prop><status>HTTP/1.1 200 OK</status></propstat></response></multistatus>`,
      },
    })
    expect(await failureOf(discover(url, grace))).toMatchObject({ failure: 'refused' })
  })

  it.each([
    ['never begins', { isSilent: true }],
    ['never ends', { body: '<multistatus xmlns="DAV:">', isEndless: true }],
  ])('is waited for as long as the caller says: it %s', async (_, answer) => {
    const { client } = await misbehave({ '*': answer })
    // Otherwise it would wait for ever.
    patienceOf(10_000)
    const asked = client.listEvents(WINDOW, AbortSignal.timeout(300))
    expect(await failureOf(asked)).toMatchObject({ failure: 'unavailable' })
  })

  it('is unavailable if nothing listens', async () => {
    const client = connect('http://127.0.0.1:1/cal/')
    expect(await failureOf(client.listChanges(WINDOW, since(null)))).toMatchObject({ failure: 'unavailable' })
  })

  it('may return no etag for what it was given', async () => {
    const { client, seen } = await misbehave({
      PUT: { status: 201 },
      propfind: {
        body: '<d:multistatus xmlns:d="DAV:"><d:response><d:href>/x</d:href><d:propstat><d:prop><d:getetag>&quot;e&#49;&quot;</d:getetag></d:prop><d:status>HTTP/1.1 200 OK</d:status></d:propstat></d:response></d:multistatus>',
      },
    })
    expect((await client.writeEvent(BOOKING, null)).etag).toBe('"e1"')
    expect((await seen())[0].headers).toMatchObject({ 'if-none-match': '*' })
  })

  it('lists the calendar with its events, and without its slash', async () => {
    const { client, seen, url } = await misbehave({
      'sync-collection': {
        body: `<d:multistatus xmlns:d="DAV:"><d:response><d:href>${itself()}</d:href><d:propstat><d:prop><d:getetag>None</d:getetag></d:prop><d:status>HTTP/1.1 200 OK</d:status></d:propstat></d:response><d:sync-token>2</d:sync-token></d:multistatus>`,
      },
      'calendar-multiget': { status: 404 },
    })
    const changes = await client.listChanges(WINDOW, since('sync3:1'))
    expect([url, changes]).toMatchObject([expect.stringContaining(itself(0)), { changed: [], gone: [] }])
    expect(await seen()).toHaveLength(1)
  })

  it('has removed nothing if nothing at all is found', async () => {
    const { client } = await misbehave({ '*': { status: 404 } })
    expect(await failureOf(client.removeEvent('/cal/1.ics'))).toMatchObject({ failure: 'absent' })
    const there = await misbehave({
      DELETE: { status: 404 },
      propfind: { body: '<multistatus xmlns="DAV:"/>' },
    })
    await there.client.removeEvent('/cal/1.ics')
  })

  it('keeps another event under the name of ours', async () => {
    const { client } = await misbehave({
      PUT: { status: 412 },
      GET: {
        status: 200,
        headers: { 'Content-Type': 'text/calendar' },
        body: 'BEGIN:VCALENDAR\nBEGIN:VEVENT\nUID:other\nDTSTART:20260310T140000Z\nEND:VEVENT\nEND:VCALENDAR\n',
      },
    })
    expect(await failureOf(client.writeEvent(BOOKING, null))).toMatchObject({ failure: 'changed' })
  })

  it('keeps the password from its messages', async () => {
    const { message } = await failureOf(listed({ '*': { status: 401 } }))
    expect(message).not.toContain(grace.password)
  })
})

describe('a server that says more than Radicale', () => {
  const response = (href: string, props: string) =>
    `<A:response><A:href>${href}</A:href><A:propstat><A:prop>${props}</A:prop><A:status>HTTP/1.1 200 OK</A:status></A:propstat></A:response>`
  const multistatus = (...responses: string[]) => ({
    body: `<A:multistatus xmlns:A="DAV:" xmlns="urn:ietf:params:xml:ns:caldav">${responses.join('')}</A:multistatus>`,
  })
  const calendar = (name: string, privilege: string, more = '') =>
    response(
      `cal/${name}/`,
      `<A:resourcetype><A:collection/><calendar/></A:resourcetype><A:displayname>${name} &amp; more</A:displayname><A:current-user-privilege-set><A:privilege><A:${privilege}/></A:privilege></A:current-user-privilege-set><supported-calendar-component-set><comp name="VEVENT"/></supported-calendar-component-set>${more}`,
    )
  const zone =
    '<calendar-timezone><![CDATA[BEGIN:VCALENDAR\r\nBEGIN:VTIMEZONE\r\nTZID:Europe/Berlin\r\nEND:VTIMEZONE\r\nEND:VCALENDAR]]></calendar-timezone>'

  it.each([
    ['home', 'home'],
    ['holidays', 'work'],
  ])('is believed: its default calendar is %s, which gives %s', async (preferred, chosen) => {
    const double = inject('caldavDouble')
    const name = `default-${preferred}`
    const script = {
      propfind: [
        multistatus(
          response('', '<A:current-user-principal><A:href>me/</A:href></A:current-user-principal>'),
        ),
        multistatus(
          response(
            '',
            '<calendar-home-set><A:href>../cals/</A:href></calendar-home-set><calendar-user-address-set><A:href>/me/</A:href><A:href>mailto:Me@Example.com</A:href></calendar-user-address-set><schedule-inbox-URL><A:href>../inbox/</A:href></schedule-inbox-URL>',
          ),
        ),
        multistatus(
          calendar('holidays', 'read'),
          calendar('work', 'write', zone),
          calendar('home', 'all', zone),
          calendar('freebusy', 'read-free-busy'),
          response(
            'cal/elsewhere/',
            '<A:resourcetype><A:collection/><calendar/><subscribed xmlns="http://calendarserver.org/ns/"/></A:resourcetype>',
          ),
        ),
        multistatus(
          response(
            '',
            `<schedule-default-calendar-URL><A:href>../cals/cal/${preferred}/</A:href></schedule-default-calendar-URL>`,
          ),
        ),
      ],
    }
    await fetch(`${double}/_script/${name}`, { method: 'PUT', body: JSON.stringify(script) })
    const listed = (calendar: string, canWrite: boolean) => ({
      externalId: `${double}/${name}/dav/cals/cal/${calendar}/`,
      name: `${calendar} & more`,
      isPrimary: calendar === chosen,
      canWrite,
      timezone: canWrite ? 'Europe/Berlin' : null,
    })
    expect(await discover(`${double}/${name}/dav/`, grace)).toEqual({
      email: 'me@example.com',
      ownerAddresses: ['me@example.com'],
      calendars: [listed('holidays', false), listed('work', true), listed('home', true)],
      main: listed(chosen, true),
    })
  })
})

describe('the password goes', () => {
  it.each([
    ['https://caldav.icloud.com/', 'https://p42-caldav.icloud.com:443/1/', true],
    ['https://p42-caldav.icloud.com/', 'https://caldav.icloud.com/', true],
    ['https://example.com/', 'https://dav.example.com/', true],
    ['http://example.com/', 'https://example.com/', true],
    ['https://example.com/a', 'https://example.com/b', true],
    ['https://example.com/', 'http://example.com/', false],
    ['https://example.com/', 'https://example.com:8443/', false],
    ['https://example.com/', 'https://evil-example.com/', false],
    ['https://example.co.uk/', 'https://evil.co.uk/', false],
    ['https://me.github.io/', 'https://evil.github.io/', false],
    ['https://caldav.icloud.com/', 'https://evil.example/', false],
    ['https://caldav.icloud.com/', 'https://caldav.icloud.com.evil.example/', false],
  ])('from %s to %s: %s', (from, to, may) => {
    expect(isSameServer(new URL(from), new URL(to))).toBe(may)
  })
})

describe('a calendar of many series', () => {
  const DAY = 24 * HOUR
  const YEAR = { start: MARCH - DAY, end: MARCH + 370 * DAY }

  /** How often others had their turn until it ended. */
  async function turnsDuring(reading: Promise<unknown>): Promise<number> {
    let [turns, isOver] = [0, false]
    const over = () => {
      isOver = true
    }
    reading.then(over, over)
    while (!isOver) {
      await new Promise((resolve) => setTimeout(resolve, 0))
      turns++
    }
    return turns
  }

  const BUSY = [
    'DTSTART;TZID=Europe/Berlin:20100104T100000',
    'DTEND;TZID=Europe/Berlin:20100104T103000',
    'RRULE:FREQ=DAILY',
  ]

  it('is read whole where people made them, while others have their turns', async () => {
    const { client } = manyEvents(600, BUSY)
    const reading = client.listChanges(YEAR, since(null))
    const turns = await turnsDuring(reading)
    const { changed, unclear } = await reading
    expect([changed.length, unclear.count]).toEqual([600, 0])
    expect(changed.every(({ busy }) => busy.length > 360)).toBe(true)
    expect(turns).toBeGreaterThan(20)
  })

  it('is given up soon if somebody made them slow on purpose, while others have their turns', async () => {
    const { client, asked } = manyEvents(6_000, HOSTILE)
    const reading = client.listChanges(YEAR, since(null))
    const turns = await turnsDuring(reading)
    expect((await failureOf(reading)).failure).toBe('overlong')
    expect(asked.events).toBeLessThan(600)
    expect(turns).toBeGreaterThan(10)
    const never = [...HOSTILE.slice(0, 2), 'RRULE:FREQ=SECONDLY;BYMONTH=2;BYMONTHDAY=30']
    expect((await failureOf(manyEvents(6_000, never).client.listEvents(YEAR))).failure).toBe('overlong')
  }, 60_000)
})
