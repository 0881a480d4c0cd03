import { describe, expect, it } from 'vitest'
import { openCaldavAccount } from '../../src/calendars/caldav/caldav-account.ts'
import { readFound } from '../../src/calendars/caldav/choose-calendar.ts'
import { discoverAccount, namesCalendar } from '../../src/calendars/caldav/discover-account.ts'
import { SignIn } from '../../src/calendars/caldav/sign-in.ts'
import type { CalendarEvent } from '../../src/platform/icalendar/calendar-event.ts'
import { openWorld } from '../support/world.ts'

const HOUR = 3_600_000
const DAY = 24 * HOUR
const SLOT = Math.ceil(Date.now() / DAY) * DAY + 7 * DAY
const WINDOW = { start: SLOT - 30 * DAY, end: SLOT + 30 * DAY }
const AROUND = { start: SLOT - DAY, end: SLOT + DAY }
const UID = '0192f1e0-7c11-7000-8000-3b1f0a5d9c43@holdfast'
const NOTHING = { cursor: null, etags: async () => new Map<string, string>() }

const BOOKING: CalendarEvent = {
  uid: UID,
  sequence: 0,
  start: SLOT,
  end: SLOT + HOUR,
  stamp: SLOT - 3 * DAY,
  summary: 'Intro',
  description: '',
  location: null,
  url: null,
  organizer: { name: 'Grace', email: 'grace@example.com' },
  attendees: [{ name: 'Ada', email: 'ada@example.com' }],
  wantsMeeting: false,
}

/** An account in a world of its own; `over` stands between it and the world. */
async function newAccount(settings: Record<string, unknown> = {}, over: Record<string, unknown> = {}) {
  const world = openWorld('caldav')
  await world.set(settings)
  const shown: any = await world.look()
  const { username, password } = shown
  const asked: { readonly method: string; readonly url: string; readonly headers: Headers }[] = []
  const options = {
    fetch: (url: string, init?: RequestInit) => {
      asked.push({ method: init?.method ?? 'GET', url, headers: new Headers(init?.headers) })
      return fetch(url, init)
    },
    serverUrl: shown.url as string,
    /** A new one for each that is made of these. */
    get signIn() {
      return new SignIn({ username, password, scheme: null, ...over })
    },
    ownerAddresses: [],
    fallbackZone: 'Europe/Berlin',
    mayReach: (url: string) => ['127.0.0.1', 'localhost'].includes(new URL(url).hostname),
    ...over,
  }
  const urlOf = (id: string): string =>
    shown.calendars.find((calendar: { id: string }) => calendar.id === id).url
  const account = openCaldavAccount(options)
  const open = (id: string) => account.openCalendar({ calendarId: urlOf(id), timezone: null })
  return { world, shown, options, account, asked, urlOf, open }
}

function failureOf(promise: Promise<unknown>) {
  return promise.then(
    () => null,
    ({ failure }) => failure,
  )
}

const SERVERS = ['nextcloud', 'sabredav', 'open-xchange', 'icloud', 'sogo', 'cyrus'] as const

describe('an account of many calendars', () => {
  it.each(SERVERS)('is listed but for what is not for its events: %s', async (server) => {
    const { account, urlOf } = await newAccount({ server, partition: '127.0.0.1' })
    expect((await account.identify()).email).toBe('owner@example.com')
    const listed = await account.listCalendars()
    const [personal, work, shared] = ['personal', 'work', 'team_shared_by_colleague'].map((id) => {
      const found = listed.find(({ externalId }) => externalId === urlOf(id))
      return found && [found.isPrimary, found.canWrite]
    })
    expect([personal, work, shared]).toEqual([
      [true, true],
      [false, true],
      [false, false],
    ])
    expect(listed.filter(({ isPrimary }) => isPrimary)).toHaveLength(1)
    const others = listed.filter(({ externalId }) => /tasks|inbox|outbox|subscri|trash/i.test(externalId))
    expect(others).toEqual([])
  })

  it.each(SERVERS)('does not take being allowed to set a colour for writing: %s', async (server) => {
    const { account, world } = await newAccount({ server, partition: '127.0.0.1' })
    await world.addCalendar({ name: 'Holidays', canWrite: false })
    const found = (await account.listCalendars()).find(({ name }) => name === 'Holidays')
    expect(found).toMatchObject({ canWrite: false, isPrimary: false })
  })

  it('takes no calendar for its own whose privileges the server refuses to name, if it names others (DAViCal)', async () => {
    const silent = (name: string) =>
      new RegExp(
        `(${name}/<(?:(?!/\\w+:response>)[^])*?)<\\w+:current-user-privilege-set>[^]*?</\\w+:current-user-privilege-set>`,
        'g',
      )
    const canWrite = async (...names: readonly string[]) => {
      const { account, urlOf } = await newAccount(
        {},
        {
          fetch: async (url: string, init?: RequestInit) => {
            const response = await fetch(url, init)
            if (init?.method !== 'PROPFIND') return response
            const text = names.reduce((each, name) => each.replace(silent(name), '$1'), await response.text())
            return new Response(text, response)
          },
        },
      )
      const listed = await account.listCalendars()
      return ['personal', 'work'].map(
        (id) => listed.find(({ externalId }) => externalId === urlOf(id))?.canWrite,
      )
    }
    expect(await canWrite()).toEqual([true, true])
    expect(await canWrite('work')).toEqual([true, false])
    expect(await canWrite('[^/<>]+')).toEqual([true, true])
  })

  it('has no calendar any more that its owner put into the trash, and has it again', async () => {
    const { account, world, urlOf } = await newAccount()
    const ids = async () => (await account.listCalendars()).map(({ externalId }) => externalId)
    await world.control('DELETE', '/calendars/work', { isInTrash: true })
    expect(await ids()).not.toContain(urlOf('work'))
    await world.restoreCalendar('work')
    expect(await ids()).toContain(urlOf('work'))
  })
})

describe('a kind of collection', () => {
  const types = (...names: readonly string[]) =>
    readFound('https://dav.example.com/a/', {
      resourcetype: Object.fromEntries(['collection', ...names].map((name) => [name, ''])),
    }).isCalendar

  it.each([
    ['of SOGo, its owner’s own', ['calendar', 'vevent-collection', 'vtodo-collection', 'schedule-outbox']],
    ['of SOGo, a further one', ['calendar', 'vevent-collection', 'vtodo-collection']],
    ['of Cyrus, DAViCal, SabreDAV, iCloud and Fastmail', ['calendar']],
    ['that its owner shares', ['calendar', 'shared-owner']],
    ['that somebody else shares', ['calendar', 'shared']],
    ['of Zimbra, the default', ['calendar', 'default-calendar']],
  ])('is a calendar: %s', (_, names) => {
    expect(types(...names)).toBe(true)
  })

  it.each([
    ['the inbox', ['schedule-inbox']],
    ['the inbox of Zimbra', ['calendar', 'schedule-inbox']],
    ['the outbox', ['schedule-outbox']],
    ['a subscription', ['subscribed']],
    ['a subscription of Nextcloud that is kept as a calendar', ['calendar', 'subscribed']],
    ['a calendar in Nextcloud’s trash', ['deleted-calendar']],
    ['a calendar in Nextcloud’s trash, of both kinds', ['calendar', 'deleted-calendar']],
    ['Nextcloud’s trash', ['trash-bin']],
    ['an address book', ['addressbook']],
    ['a delegate of DAViCal', ['principal', 'calendar-proxy-read']],
    ['notifications', ['notification']],
  ])('is not a calendar: %s', (_, names) => {
    expect(types(...names)).toBe(false)
  })
})

describe('a calendar that is named by its address', () => {
  it.each(SERVERS)('is connected, by either way to name it: %s', async (server) => {
    const { options, urlOf } = await newAccount({ server, partition: '127.0.0.1' })
    for (const id of ['personal', 'work', 'team_shared_by_colleague']) {
      for (const url of [urlOf(id), urlOf(id).replace(/\/$/, '')]) {
        const byServer = await discoverAccount({ ...options, serverUrl: url })
        const byCalendar = await discoverAccount({ ...options, calendarUrl: url })
        expect([byServer.main.externalId, byCalendar.main.externalId]).toEqual([urlOf(id), urlOf(id)])
      }
    }
  })

  it.each(SERVERS)(
    'is refused if the account has none there, and no other replaces it: %s',
    async (server) => {
      const { options, urlOf, shown } = await newAccount({ server, partition: '127.0.0.1' })
      const nothing = urlOf('work').replace('/work/', '/no-such/')
      const event = `${urlOf('work')}work-1.ics`
      for (const url of [nothing, event, urlOf('tasks'), urlOf('inbox'), `${urlOf('work')}deeper/`]) {
        expect([url, await failureOf(discoverAccount({ ...options, serverUrl: url }))]).toEqual([
          url,
          'absent',
        ])
        expect([url, await failureOf(discoverAccount({ ...options, calendarUrl: url }))]).toEqual([
          url,
          'absent',
        ])
      }
      expect(await failureOf(discoverAccount({ ...options, calendarUrl: shown.home }))).toBe('absent')
      expect((await discoverAccount({ ...options, serverUrl: shown.home })).main.externalId).toBe(
        urlOf('personal'),
      )
    },
  )

  it.each(SERVERS)('is refused if it is another person’s: %s', async (server) => {
    const { options, world } = await newAccount({ server, partition: '127.0.0.1' })
    const { calendars }: any = await world.look('colleague@example.com')
    const { url } = calendars.find(({ id }: { id: string }) => id === 'personal')
    // Open-Xchange has one folder for all: there it is the own one that has this name.
    if (server === 'open-xchange') return
    for (const named of [{ serverUrl: url }, { calendarUrl: url }]) {
      expect(await failureOf(discoverAccount({ ...options, ...named }))).toBe('absent')
    }
  })

  it.each([
    ['/SOGo/dav/ada/Calendar/personal/', true],
    ['/SOGo/dav/ada/Calendar/personal', true],
    ['/SOGo/dav/grace/Calendar/personal/', true],
    ['/SOGo/dav/ada/Calendar/', false],
    ['/SOGo/dav/ada/', false],
    ['/SOGo/dav/grace/Calendar/', false],
    ['/SOGo/so/ada/Calendar/view', false],
    ['/SOGo/dav/', false],
    ['/', false],
  ])('is known by its address among others: %s', (path, isNamed) => {
    const at = (each: string) => `https://sogo.example.com${each}`
    const principal = { url: at('/SOGo/dav/ada'), homes: [at('/SOGo/dav/ada/Calendar/')] }
    const survey = { entry: { isGiven: false, isCalendar: false }, principal }
    expect(namesCalendar(at(path), survey as never)).toBe(isNamed)
  })

  it('that goes away later takes no other calendar of the account with it', async () => {
    const { options, world, urlOf } = await newAccount({ server: 'sabredav' })
    const account = openCaldavAccount({ ...options, serverUrl: urlOf('work') })
    expect((await account.listCalendars()).find(({ isPrimary }) => isPrimary)!.externalId).toBe(urlOf('work'))
    await world.removeCalendar('work')
    const left = await account.listCalendars()
    expect(left.find(({ isPrimary }) => isPrimary)!.externalId).toBe(urlOf('personal'))
    expect(left.map(({ externalId }) => externalId)).not.toContain(urlOf('work'))
  })
})

describe('the address that an owner knows', () => {
  it.each([
    '/nextcloud',
    '/nextcloud/',
    '/nextcloud/remote.php/dav',
    '/nextcloud/remote.php/dav/calendars/owner/',
    '/nextcloud/index.php/apps/calendar/dayGridMonth/now',
    '/nextcloud/remote.php/dav/calendars/owner/personal/',
  ])('leads to the account: %s', async (path) => {
    const { world, options, urlOf } = await newAccount()
    const { calendars, main } = await discoverAccount({ ...options, serverUrl: world.base + path })
    expect(main).toMatchObject({ externalId: urlOf('personal'), isPrimary: true })
    expect(calendars.length).toBeGreaterThan(1)
  })

  it('ends the search if the password is refused, which is not sent before the server asks', async () => {
    const { options, asked } = await newAccount({}, { password: 'wrong' })
    expect(await failureOf(discoverAccount(options))).toBe('refused')
    expect(asked.map(({ headers }) => headers.get('Authorization')?.split(' ')[0])).toEqual([
      undefined,
      'Basic',
    ])
  })

  it('that answers everybody does not serve for signing in (Cyrus), and leads to one below it', async () => {
    const { options, urlOf, shown } = await newAccount({ server: 'cyrus' })
    expect(shown.url).toMatch(/\/dav\/$/)
    // The world is not at the top of its host, where a server has its well-known path.
    const through = (url: string, init?: RequestInit) => {
      const isWellKnown = new URL(url).pathname === '/.well-known/caldav'
      if (isWellKnown) return Promise.resolve(Response.redirect(shown.home.replace(/user\/.*$/, ''), 301))
      return options.fetch(url, init)
    }
    const { main } = await discoverAccount({ ...options, fetch: through })
    expect(main.externalId).toBe(urlOf('personal'))
  })

  it('that lets everybody in is asked again once another one has asked for the password (Cyrus)', async () => {
    const { options, urlOf } = await newAccount({ server: 'cyrus' })
    expect((await discoverAccount(options)).main.externalId).toBe(urlOf('personal'))
  })

  it.each([
    [{ auth: ['Bearer'] }, /only Bearer/],
    [{ auth: ['Digest', 'Basic'], digestAlgorithms: ['SHA-512-256'] }, /SHA-512-256/],
  ])('that accepts everybody reports no wrong password if none was sent: %j', async (settings, message) => {
    const { options, urlOf, shown } = await newAccount({ server: 'cyrus', ...settings })
    for (const serverUrl of [shown.url as string, urlOf('personal')]) {
      const error = await discoverAccount({ ...options, serverUrl }).catch((reason) => reason)
      expect(error).toMatchObject({ failure: 'refused', message: expect.stringMatching(message) })
    }
  })
})

describe('a home at another host', () => {
  it('gets the password if it is a partition of the same server', async () => {
    const { world, account, asked, options } = await newAccount({ server: 'icloud' })
    const { origin, port } = new URL(world.base)
    const [common, partition] = ['https://caldav.icloud.com', 'https://p42-caldav.icloud.com:443']
    const through = async (url: string, init?: RequestInit) => {
      asked.push({ method: init?.method ?? 'GET', url, headers: new Headers(init?.headers) })
      const real = url.replace(/^https:\/\/(p42-)?caldav\.icloud\.com/, origin)
      const response = await fetch(real, init)
      const text = (await response.text()).replaceAll(`http://localhost:${port}`, partition)
      return new Response(text, response)
    }
    const remote = openCaldavAccount({
      ...options,
      fetch: through,
      serverUrl: options.serverUrl.replace(origin, common),
      mayReach: () => true,
    })
    const hosts = (await remote.listCalendars()).map(({ externalId }) => new URL(externalId).origin)
    expect(new Set(hosts)).toEqual(new Set(['https://p42-caldav.icloud.com']))
    // As it stands, it is another server: on this machine, at `localhost`.
    asked.length = 0
    expect(await failureOf(account.listCalendars())).toBe('unusable')
    expect(asked.map(({ url }) => new URL(url).hostname)).not.toContain('localhost')
  })
})

describe('an answer', () => {
  it.each([
    ...SERVERS.map((server) => ({ server })),
    { contentType: '', objectContentType: '' },
    { contentType: 'text/html', objectContentType: 'application/octet-stream' },
  ])('is judged by what it says, whatever it is called: %j', async (settings) => {
    const { open, world } = await newAccount({ partition: '127.0.0.1', ...settings })
    const client = open('work')
    const [written, again] = [await client.writeEvent(BOOKING, null), await client.writeEvent(BOOKING, null)]
    expect(again.id).toBe(written.id)
    expect(await client.findEvent(written.id)).toMatchObject({ uid: UID, time: { start: SLOT } })
    const first = await client.listChanges(WINDOW, NOTHING)
    expect(first.changed.map(({ uid }) => uid).sort()).toEqual([UID, 'work-1@double'])
    expect(first.unclear.count).toBe(0)
    await world.remove('work-1.ics')
    const next = await client.listChanges(WINDOW, { ...NOTHING, cursor: first.cursor })
    expect([next.isComplete, next.gone.length, next.changed]).toEqual([false, 1, []])
    expect(await client.listEvents(AROUND)).toMatchObject([{ uid: UID }])
    const moved = { ...BOOKING, start: SLOT + HOUR, end: SLOT + 2 * HOUR, sequence: 1 }
    await client.writeEvent(moved, written)
    await client.removeEvent(written.id)
    expect(await client.findEvent(written.id)).toBeNull()
  })

  it('is asked for in the spelling that the server lists (Forward Email finds no other)', async () => {
    const named = (text: string, from: string, to: string) =>
      text.replace(/href>[^<]*/g, (href) => href.replaceAll(from, to))
    const { open } = await newAccount(
      {},
      {
        fetch: async (url: string, init?: RequestInit) => {
          if (init?.method !== 'REPORT') return fetch(url, init)
          const body = named(String(init.body), '%40', 'nowhere')
          const response = await fetch(url, { ...init, body })
          return new Response(named(await response.text(), '%40', '@'), response)
        },
      },
    )
    const client = open('work')
    const first = await client.listChanges(WINDOW, NOTHING)
    const { id } = await client.writeEvent(BOOKING, null)
    const next = await client.listChanges(WINDOW, { ...NOTHING, cursor: first.cursor })
    expect(next).toMatchObject({ isComplete: false, gone: [], changed: [{ id, uid: UID }] })
    const again = await client.listChanges(WINDOW, NOTHING)
    expect(again.changed.map(({ uid }) => uid)).toContain(UID)
  })

  it('that is a web page is rejected, even if it is labelled as a calendar', async () => {
    const { options, world } = await newAccount()
    await world.troubles([
      {
        about: '/nextcloud/',
        times: null,
        status: 200,
        headers: { 'Content-Type': 'application/xml' },
        json: { html: true },
      },
    ])
    expect(await failureOf(discoverAccount(options))).toBe('unusable')
  })
})

describe('an event of ours', () => {
  const known = (id: string, calendarId: string) => ({ calendarId, eventId: id, uid: UID, around: AROUND })

  it.each(SERVERS)('is found in the calendar its owner dragged it to: %s', async (server) => {
    const { account, world, open, urlOf } = await newAccount({ server, partition: '127.0.0.1' })
    const { id } = await open('personal').writeEvent(BOOKING, null)
    await world.drag(`${UID}.ics`, 'work')
    const found = await account.findAnywhere(known(id, urlOf('personal')))
    expect(found).toMatchObject({ calendarId: urlOf('work'), event: { uid: UID, time: { start: SLOT } } })
    // Later changes go there.
    const moved = { ...BOOKING, start: SLOT + HOUR, end: SLOT + 2 * HOUR, sequence: 1 }
    await open('work').writeEvent(moved, found!.event)
    expect((await open('work').findEvent(found!.event.id))!.time).toEqual({
      start: moved.start,
      end: moved.end,
    })
  })

  it('is nowhere once its owner deleted it, and only if every calendar says so', async () => {
    const { account, world, open, urlOf } = await newAccount()
    const { id } = await open('personal').writeEvent(BOOKING, null)
    await world.remove(`${UID}.ics`)
    expect(await account.findAnywhere(known(id, urlOf('personal')))).toBeNull()
    await world.troubles([{ about: 'REPORT /nextcloud/remote.php/dav/calendars/owner/work/', status: 503 }])
    expect(await failureOf(account.findAnywhere(known(id, urlOf('personal'))))).toBe('unavailable')
    await world.noTroubles()
    await world.removeCalendar('personal')
    expect(await failureOf(account.findAnywhere(known(id, urlOf('personal'))))).toBe('absent')
  })
})

describe('the trash of Nextcloud', () => {
  it('does not release UIDs, so an event that is written again gets a new UID and is recognized as the same event', async () => {
    const { account, world, open, urlOf } = await newAccount({ trashBin: 'refuses' })
    const client = open('personal')
    const ids = new Set<string>()
    for (let time = 0; time < 4; time++) {
      const { id, etag } = await client.writeEvent(BOOKING, null)
      ids.add(id)
      // The answer got lost: it is written twice and there once.
      expect((await client.writeEvent(BOOKING, null)).id).toBe(id)
      const events = await client.listEvents(AROUND)
      expect(events.map(({ uid }) => uid)).toEqual([UID])
      const moved = { ...BOOKING, start: SLOT + HOUR, end: SLOT + 2 * HOUR, sequence: time }
      const after = await client.writeEvent(moved, { id, etag })
      expect((await client.findEvent(id))!.time!.start).toBe(SLOT + HOUR)
      await world.drag(decodeURIComponent(id.split('/').at(-1)!), 'work')
      const found = await account.findAnywhere({
        calendarId: urlOf('personal'),
        eventId: id,
        uid: UID,
        around: AROUND,
      })
      expect(found!.calendarId).toBe(urlOf('work'))
      await world.drag(decodeURIComponent(id.split('/').at(-1)!), 'personal')
      await client.removeEvent(after.id)
    }
    expect(ids.size).toBe(4)
  })

  it.each(['fills', 'empties', 'off'])(
    'lets an event come and go any number of times: %s',
    async (trashBin) => {
      const { open } = await newAccount({ trashBin })
      const client = open('personal')
      for (let time = 0; time < 5; time++) {
        const { id } = await client.writeEvent(BOOKING, null)
        expect((await client.listEvents(AROUND)).flatMap(({ busy }) => busy)).toHaveLength(1)
        await client.removeEvent(id)
        // One that can not be deleted any more stays as called off.
        const there = await client.findEvent(id)
        expect(there?.time ?? null).toBeNull()
        expect((await client.listEvents(AROUND)).flatMap(({ busy }) => busy)).toEqual([])
      }
    },
  )

  it('does not make an event count as removed if removing it is not allowed', async () => {
    const { open, world } = await newAccount({ server: 'sabredav' })
    const { id } = await open('work').writeEvent(BOOKING, null)
    await world.addCalendar({ name: 'Work', id: 'work', canWrite: false })
    await world.seed(
      [{ uid: UID, start: '2030-01-07T10:00:00Z', end: '2030-01-07T11:00:00Z' }],
      undefined,
      'work',
    )
    expect(await failureOf(open('work').removeEvent(id))).toBe('refused')
  })
})

describe('a UID that is taken', () => {
  it('in another calendar of the account (Cyrus) is written under a new name, and known as the same', async () => {
    const { account, open, urlOf } = await newAccount({ server: 'cyrus' })
    await open('work').writeEvent(BOOKING, null)
    const client = open('personal')
    const first = await client.writeEvent(BOOKING, null)
    // The answer got lost: it is written twice and there once.
    expect((await client.writeEvent(BOOKING, null)).id).toBe(first.id)
    expect((await client.listEvents(AROUND)).map(({ uid }) => uid)).toEqual([UID])
    const moved = { ...BOOKING, start: SLOT + HOUR, end: SLOT + 2 * HOUR, sequence: 1 }
    await client.writeEvent(moved, await client.findEvent(first.id))
    expect((await client.findEvent(first.id))!.time!.start).toBe(SLOT + HOUR)
    const known = { calendarId: urlOf('personal'), eventId: first.id, uid: UID, around: AROUND }
    expect(await account.findAnywhere(known)).toMatchObject({ calendarId: urlOf('personal') })
    await client.removeEvent(first.id)
    expect(await client.listEvents(AROUND)).toEqual([])
    // What is in the other one stays its owner's.
    expect((await open('work').listEvents(AROUND)).map(({ uid }) => uid)).toContain(UID)
  })

  it.each(['sogo', 'cyrus', 'icloud', 'nextcloud'])(
    'in the same calendar under another name is that event, and is not written twice: %s',
    async (server) => {
      const { open, world, urlOf } = await newAccount({ server, partition: '127.0.0.1', trashBin: 'off' })
      const { id } = await open('personal').writeEvent(BOOKING, null)
      const text = (await world.look()).events!.find(({ uid }) => uid === UID)!.text
      await open('personal').removeEvent(id)
      const name = `${urlOf('personal')}dragged.ics`
      const headers = { Authorization: `Basic ${btoa('owner@example.com:double-password_1')}` }
      expect((await fetch(name, { method: 'PUT', headers, body: text })).status).toBe(201)
      const moved = { ...BOOKING, start: SLOT + HOUR, end: SLOT + 2 * HOUR, sequence: 1 }
      const written = await open('personal').writeEvent(moved, null)
      expect(written.id).toContain('dragged.ics')
      const events = await open('personal').listEvents(AROUND)
      expect(events.filter(({ uid }) => uid === UID)).toMatchObject([{ time: { start: SLOT + HOUR } }])
    },
  )
})

describe('a sync token that is refused', () => {
  it.each([403, 409, 507, null])('with %s brings all there is', async (tokenRefusal) => {
    const { open, world } = await newAccount({ tokenRefusal })
    const client = open('work')
    const first = await client.listChanges(WINDOW, NOTHING)
    const etags = async () => new Map(first.changed.map(({ id, etag }) => [id, etag!]))
    await world.forget()
    await world.seed(
      [{ uid: 'new', start: '2030-01-07T10:00:00Z', end: '2030-01-07T11:00:00Z' }],
      undefined,
      'work',
    )
    await world.remove('work-1.ics')
    const next = await client.listChanges(
      { start: 0, end: Date.UTC(2031, 0) },
      { cursor: first.cursor, etags },
    )
    expect(next.changed.map(({ uid }) => uid)).toEqual(['new'])
    expect(next.isComplete || next.gone.length === 1).toBe(true)
  })

  it('leaves old servers to say 404 of a whole answer for one event that is gone, while the calendar is there', async () => {
    const { open, world, options, urlOf } = await newAccount({
      server: 'sabredav',
      tokenRefusal: null,
      multigetMissing: 404,
    })
    const client = open('work')
    const events = Array.from({ length: 7 }, (_, at) => ({
      uid: `day-${at}`,
      start: new Date(SLOT + at * DAY).toISOString().replace('.000', ''),
      end: new Date(SLOT + at * DAY + HOUR).toISOString().replace('.000', ''),
    }))
    await world.seed(events, undefined, 'work')
    const first = await client.listChanges(WINDOW, NOTHING)
    const etags = async () => new Map(first.changed.map(({ id, etag }) => [id, etag!]))
    for (const gone of ['day-2.ics', 'day-5.ics']) await world.remove(gone)
    await world.change('day-3.ics', { start: '2030-01-07T10:00:00Z', end: '2030-01-07T11:00:00Z' })
    const next = await client.listChanges(WINDOW, { cursor: first.cursor, etags })
    expect(next.gone.map((id) => id.split('/').at(-1)).sort()).toEqual(['day-2.ics', 'day-5.ics'])
    expect(next.changed.map(({ uid }) => uid)).toEqual(['day-3'])
    // Nothing is gone because a server goes away in between, and a proxy says 404 to everything.
    let isAway = false
    const leaving = (url: string, init?: RequestInit) => {
      isAway ||= String(init?.body).includes('calendar-multiget')
      return isAway ? Promise.resolve(new Response(null, { status: 404 })) : fetch(url, init)
    }
    const { calendarId, ...account } = { ...options, fetch: leaving, calendarId: urlOf('work') }
    const other = openCaldavAccount(account).openCalendar({ calendarId, timezone: null })
    expect(await failureOf(other.listChanges(WINDOW, { cursor: first.cursor, etags }))).toBe('absent')
  })

  it('is not one that was cut off', async () => {
    const { open, world } = await newAccount({ syncLimit: 2 })
    const client = open('work')
    const { cursor } = await client.listChanges(WINDOW, NOTHING)
    const events = [1, 2, 3, 4, 5].map((day) => ({
      uid: `day-${day}`,
      start: new Date(SLOT + day * DAY).toISOString().replace('.000', ''),
      end: new Date(SLOT + day * DAY + HOUR).toISOString().replace('.000', ''),
    }))
    await world.seed(events, undefined, 'work')
    const next = await client.listChanges(WINDOW, { ...NOTHING, cursor })
    expect([next.isComplete, next.changed.length]).toEqual([false, 5])
  })
})

describe('an etag', () => {
  it.each([
    { etagAtGet: 'weak' },
    { etagAtGet: 'with -gzip' },
    { etagAfterPut: false },
    { rewritesOnPut: true },
    { server: 'open-xchange', etagAfterPut: false },
  ])('is the one that the server knows: %j', async (settings) => {
    const { open, world } = await newAccount(settings)
    const client = open('work')
    const written = await client.writeEvent(BOOKING, null)
    const there = await client.findEvent(written.id)
    expect(there!.etag).toBe(written.etag)
    const [first, second] = [1, 2].map((sequence) => ({ ...BOOKING, sequence, end: SLOT + 2 * HOUR }))
    const after = await client.writeEvent(first!, there)
    await client.writeEvent(second!, after)
    await world.change(`${UID}.ics`, { start: '2030-01-07T10:00:00Z', end: '2030-01-07T11:00:00Z' })
    expect(await failureOf(client.writeEvent(BOOKING, after))).toBe('changed')
  })
})

describe('a server in trouble', () => {
  it('refuses the right password for a while, which ends no permission', async () => {
    const { open, world } = await newAccount()
    await world.set({ refuseNext: 2 })
    expect(await failureOf(open('work').listEvents(AROUND))).toBe('refused')
    expect(await failureOf(open('work').listChanges(WINDOW, NOTHING))).toBe('refused')
    expect(await open('work').listEvents(AROUND)).toEqual([])
  })

  it('is in maintenance, and may say until when', async () => {
    const { open, world } = await newAccount({ isInMaintenance: true })
    expect(await failureOf(open('work').listEvents(AROUND))).toBe('unavailable')
    await world.troubles([{ about: 'REPORT', status: 503, headers: { 'Retry-After': '7200' } }])
    const error = await open('work')
      .listEvents(AROUND)
      .catch((reason) => reason)
    expect(error).toMatchObject({ failure: 'unavailable', retryAfterMs: 7_200_000 })
  })

  it.each([404, 410])('has lost a calendar with %s, until it is back', async (status) => {
    const { open, world } = await newAccount()
    const client = open('work')
    const { cursor } = await client.listChanges(WINDOW, NOTHING)
    await world.control('DELETE', '/calendars/work', { status })
    expect(await failureOf(client.listChanges(WINDOW, { ...NOTHING, cursor }))).toBe('absent')
    expect(await failureOf(client.listEvents(AROUND))).toBe('absent')
    expect(await failureOf(client.writeEvent(BOOKING, null))).toBe('absent')
    await world.restoreCalendar('work')
    expect((await client.listChanges(WINDOW, { ...NOTHING, cursor })).changed).toEqual([])
  })
})
