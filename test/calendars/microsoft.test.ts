import { describe, expect, it } from 'vitest'
import type { CalendarClient, ExternalEvent } from '../../src/calendars/client/calendar-client.ts'
import { openMicrosoftAccount } from '../../src/calendars/microsoft/microsoft-account.ts'
import { isTimeZone } from '../../src/core/local-time.ts'
import { ALL_CLEAR } from '../../src/platform/icalendar/unclear-events.ts'
import { zoneOfEitherName } from '../../src/platform/icalendar/windows-zones.ts'
import type { Fetch } from '../../src/platform/transport/fetch.ts'
import { sampleEvent } from '../support/sample-event.ts'
import { openWorld } from '../support/world.ts'
import { connectTo, doorTo } from '../support/world-account.ts'

const HOUR_MS = 3_600_000
const DAY_MS = 24 * HOUR_MS
const MONDAY = Date.UTC(2026, 2, 9)
const WINDOW = { start: MONDAY, end: MONDAY + 60 * DAY_MS }
const OWNER = 'owner@example.com'

async function openAccount({ as = OWNER, settings = {}, send = fetch as Fetch } = {}) {
  const world = openWorld('microsoft')
  await world.control('PUT', '', settings, as)
  const { account } = await connectTo('calendar_b', world, as)
  const client = openMicrosoftAccount(doorTo(account, send))
  const [main] = await client.listCalendars()
  const { externalId: calendarId, timezone } = main!
  const open = () => openMicrosoftAccount(doorTo(account, send)).openCalendar({ calendarId, timezone })
  return { world, account: client, calendarId, client: client.openCalendar({ calendarId, timezone }), open }
}

const at = (instant: number) => ({ dateTime: new Date(instant).toISOString().slice(0, 19), timeZone: 'UTC' })
const timed = (start: number, hours = 1) => ({ start: at(start), end: at(start + hours * HOUR_MS) })
/** Without an end. */
const series = (type: 'daily' | 'weekly') => ({
  ...timed(MONDAY),
  recurrence: {
    pattern: { type, interval: 1, ...(type === 'weekly' && { daysOfWeek: ['monday'] }) },
    range: { type: 'noEnd', startDate: '2026-03-09' },
  },
})

const busyOf = (events: readonly ExternalEvent[]) => events.flatMap(({ busy }) => busy)
const startsOf = (events: readonly ExternalEvent[], unit: number) =>
  busyOf(events).map(({ start }) => (start - MONDAY) / unit)

/** A calendar that is synced as the service does it; `known` is what is kept of its events. */
function synced(client: CalendarClient) {
  const known = new Map<string, string>()
  const kept = { cursor: null as string | null, asked: 0 }
  return {
    known,
    kept,
    sync: async (window = WINDOW) => {
      const etags = async () => {
        kept.asked += 1
        return known
      }
      const changes = await client.listChanges(window, { cursor: kept.cursor, etags })
      for (const { id, etag } of changes.changed) known.set(id, etag!)
      for (const id of changes.gone) known.delete(id)
      kept.cursor = changes.cursor
      return changes
    },
  }
}

describe('a Microsoft account', () => {
  it('is known by its address', async () => {
    const { world, account } = await openAccount()
    expect(await account.identify()).toEqual({ email: OWNER })
    await world.set({ isMailNull: true })
    expect(await account.identify()).toEqual({ email: OWNER })
  })

  it('has every calendar of the mailbox on however many pages, each with the zone of the mailbox', async () => {
    const { world, account, calendarId } = await openAccount({ settings: { pageSize: 2 } })
    const { id } = await world.addCalendar({ name: 'Team', canWrite: false, ownerMail: 'boss@example.com' })
    for (let made = 0; made < 60; made++) await world.addCalendar({ name: `Project ${made}` })
    const calendars = await account.listCalendars()
    expect(calendars).toHaveLength(62)
    expect(calendars.slice(0, 2)).toEqual([
      {
        externalId: calendarId,
        name: 'Calendar',
        isPrimary: true,
        canWrite: true,
        timezone: 'Europe/Berlin',
        makesMeetings: true,
      },
      {
        externalId: id,
        name: 'Team',
        isPrimary: false,
        canWrite: false,
        owner: 'boss@example.com',
        timezone: 'Europe/Berlin',
        makesMeetings: false,
      },
    ])
    const { calls } = await world.look()
    const listed = calls!.filter(({ path }) => path === '/v1.0/me/calendars')
    // With it, Graph names calendars otherwise than before.
    expect(listed.some(({ headers }) => /IdType/.test(headers.prefer ?? ''))).toBe(false)
  })

  it('has its calendars though Graph cannot say which meetings can be created in them', async () => {
    const { world, account, client } = await openAccount()
    for (const onlineMeetingProvidersFail of [403, 500]) {
      await world.set({ onlineMeetingProvidersFail })
      const [main] = await account.listCalendars()
      expect(main).toMatchObject({ name: 'Calendar', canWrite: true })
      expect(main).not.toHaveProperty('makesMeetings')
    }
    await world.set({ meeting: 'failed' })
    const written = await client.writeEvent(sampleEvent(MONDAY, { wantsMeeting: true }), null)
    expect(written).toMatchObject({ id: expect.any(String), meetingUrl: null })
    expect(written.noMeeting).toBeUndefined()
    await world.set({ onlineMeetingProvidersFail: 0, onlineMeetingProviders: 'teamsForBusiness' })
    expect(await account.listCalendars()).toMatchObject([{ name: 'Calendar' }])
  })

  it('is not asked again for a list that is limited', async () => {
    const { world, account } = await openAccount()
    await world.set({ requestsPerTenMinutes: 0 })
    await expect(account.listCalendars()).rejects.toMatchObject({ failure: 'unavailable', status: 429 })
  })

  it('without a mailbox in the cloud is reported as such', async () => {
    const { world, account, client } = await openAccount()
    await world.set({ mailbox: 'none' })
    await expect(account.listCalendars()).rejects.toMatchObject({ failure: 'absent' })
    await expect(client.findEvent('AAMkA'.padEnd(60, 'x'))).rejects.toMatchObject({ failure: 'absent' })
  })

  it('has the zone that its Windows or IANA name means', async () => {
    for (const [name, zone] of [
      ['Pacific Standard Time (Mexico)', 'America/Tijuana'],
      ['India Standard Time', 'Asia/Calcutta'],
      ['UTC', 'Etc/UTC'],
      ['Russia Time Zone 11', 'Asia/Kamchatka'],
      ['America/New_York', 'America/New_York'],
      ['tzone://Microsoft/Custom', null],
      ['toString', null],
    ] as const) {
      expect(zoneOfEitherName(name)).toBe(zone)
      if (zone) expect(isTimeZone(zone)).toBe(true)
    }
  })

  it('is asked for no more at once than a mailbox takes', async () => {
    const { client } = await openAccount({ settings: { answerMs: 20 } })
    const asked = Array.from({ length: 9 }, () => client.listEvents(WINDOW))
    expect(await Promise.all(asked)).toHaveLength(9)
  })
})

describe('the events of a Microsoft calendar', () => {
  it('block when they take time of their owner, and only then', async () => {
    const { world, account, calendarId, client } = await openAccount()
    const hour = (index: number, more = {}) => ({ ...timed(MONDAY + index * HOUR_MS), ...more })
    await world.seed([
      hour(0),
      hour(1, { showAs: 'free' }),
      hour(2, { showAs: 'workingElsewhere' }),
      hour(3, { showAs: 'tentative' }),
      hour(4, { showAs: 'oof' }),
      hour(5, { isCancelled: true }),
      hour(6, { responseStatus: 'declined' }),
      hour(7, { responseStatus: 'tentativelyAccepted' }),
    ])
    const events = await client.listEvents(WINDOW)
    expect(startsOf(events, HOUR_MS)).toEqual([0, 3, 4, 7])
    const all = account.openCalendar({ calendarId, timezone: null, blocks: 'all_events' })
    expect(startsOf(await all.listEvents(WINDOW), HOUR_MS)).toEqual([0, 1, 2, 3, 4, 7])
    expect(events.find(({ time }) => time === null)).toBeDefined()
  })

  it.each([
    ['New Zealand Standard Time', Date.UTC(2026, 2, 28, 11)],
    ['Pacific Standard Time', Date.UTC(2026, 2, 29, 7)],
  ])('last from midnight to midnight of the mailbox in %s when they last all day', async (zone, start) => {
    const { world, client } = await openAccount({ settings: { mailboxTimeZone: zone } })
    const date = (day: string, timeZone: string) => ({ dateTime: `${day}T00:00:00`, timeZone })
    // However they were made.
    for (const made of [zone, 'UTC']) {
      const times = { start: date('2026-03-29', made), end: date('2026-03-30', made) }
      await world.seed([{ ...times, isAllDay: true, showAs: 'oof' }])
    }
    const day = { start, end: start + DAY_MS }
    expect(busyOf(await client.listEvents(WINDOW))).toEqual([day, day])
    const first = { start, end: start + HOUR_MS }
    const last = { start: day.end - HOUR_MS, end: day.end }
    for (const part of [first, last]) expect(busyOf(await client.listEvents(part))).toEqual([part, part])
    expect(await client.listEvents({ start: day.end, end: day.end + HOUR_MS })).toEqual([])
  })

  it('that last all day follow the mailbox into another zone, even though they are not listed as changed', async () => {
    const { world, client, open } = await openAccount()
    const date = (day: string) => ({ dateTime: `${day}T00:00:00`, timeZone: 'UTC' })
    await world.seed([
      { start: date('2026-03-29'), end: date('2026-03-30'), isAllDay: true, showAs: 'oof' },
      timed(MONDAY),
    ])
    const { sync, kept } = synced(client)
    expect((await sync()).changed).toHaveLength(2)
    await world.control('PUT', '', { mailboxTimeZone: 'Pacific Standard Time' }, OWNER)
    const changes = await open().listChanges(WINDOW, { cursor: kept.cursor, etags: async () => new Map() })
    const start = Date.UTC(2026, 2, 29, 7)
    expect(busyOf(changes.changed)).toContainEqual({ start, end: start + DAY_MS })
    expect(changes.cursor).not.toBe(kept.cursor)
  })

  it('of a series are one, with the time of every occurrence', async () => {
    const { world, client } = await openAccount()
    await world.seed([{ ...series('weekly'), exceptions: [{ date: '2026-03-23', showAs: 'free' }] }])
    const events = await client.listEvents({ start: MONDAY, end: MONDAY + 25 * DAY_MS })
    expect(events).toMatchObject([{ time: { start: MONDAY } }])
    expect(startsOf(events, DAY_MS)).toEqual([0, 7, 21])
  })

  it('are asked for one by one', async () => {
    const { world, client } = await openAccount()
    const [id] = await world.seed([timed(MONDAY)])
    const [{ id: listedId }] = (await client.listEvents(WINDOW)) as [ExternalEvent]
    for (const either of [id!, listedId]) {
      expect(await client.findEvent(either)).toMatchObject({
        id: listedId,
        time: { start: MONDAY, end: MONDAY + HOUR_MS },
      })
    }
    await world.remove(id!)
    expect(await client.findEvent(id!)).toBeNull()
    expect(await client.findEvent('no id of anything')).toBeNull()
  })

  it('block as well as they can be understood, and are reported if that changes what blocks', async () => {
    const tuesday = MONDAY + DAY_MS
    const day = new Date(tuesday).toISOString().slice(0, 10)
    const odd = [
      { iCalUId: 7, showAs: null, responseStatus: 'declined' },
      { iCalUId: 'hour', end: { dateTime: 'None' } },
      { iCalUId: 'before', end: { dateTime: '2001-01-01T00:00:00' } },
      { iCalUId: 'day', isAllDay: true, start: { dateTime: `${day}T00:00:00` }, end: null },
      { iCalUId: 'free', showAs: 'free', end: null },
      { iCalUId: 'never', start: { dateTime: 'None' } },
      { iCalUId: 'series', type: 'occurrence', seriesMasterId: 's' },
      { iCalUId: 'series', type: 'occurrence', seriesMasterId: 's', start: null },
    ]
    const strange: Fetch = async (url, init) => {
      const answer = await fetch(url, init)
      if (!url.includes('/calendarView')) return answer
      const { value, ...rest } = (await answer.json()) as { value: object[] }
      const items = odd.map((changes, at) => ({ ...value[0], id: `odd${at}`, ...changes }))
      return Response.json({ ...rest, value: [...items, { subject: 'no id' }] })
    }
    const { world, client } = await openAccount({ send: strange })
    await world.seed([timed(tuesday)])
    const { changed, unclear } = await synced(client).sync()
    const hours = changed.map(({ busy }) => busy.map(({ start, end }) => (end - start) / HOUR_MS))
    expect(hours).toEqual([[1], [1], [1], [24], [], [1]])
    expect(unclear).toEqual({ count: 6, earliest: { uid: 'before', date: day } })
  })

  it('are read without their words', async () => {
    const { world, client } = await openAccount()
    await world.seed([{ ...timed(MONDAY), subject: 'Secret' }])
    await synced(client).sync()
    const { calls } = await world.look()
    const views = calls!.filter(({ path }) => path.includes('/calendarView'))
    expect(views).toHaveLength(1)
    expect(views[0]!.path).not.toContain('delta')
    expect(views[0]!.query.$select).not.toMatch(/subject|body/)
  })
})

describe('the sync of a Microsoft calendar', () => {
  it('ends for series that do not, weekly and daily', async () => {
    const { world, client } = await openAccount()
    await world.seed([series('weekly'), series('daily')])
    const window = { start: MONDAY, end: MONDAY + 400 * DAY_MS }
    const { changed, isComplete } = await synced(client).sync(window)
    expect([changed.length, isComplete]).toEqual([2, true])
    expect(changed.map(({ busy }) => busy.length).toSorted((a, b) => a - b)).toEqual([58, 402])
    const { calls } = await world.look()
    expect(calls!.filter(({ path }) => path.includes('/calendarView'))).toHaveLength(1)
  })

  it('reads every page', async () => {
    const { world, client } = await openAccount()
    const many = Array.from({ length: 702 }, (_, index) => timed(MONDAY + index * HOUR_MS))
    await world.seed(many)
    const { sync } = synced(client)
    const first = await sync()
    expect(first.changed).toHaveLength(702)
    expect(first).toMatchObject({ isComplete: true, unclear: ALL_CLEAR })
    await world.seed(many.slice(0, 301))
    const second = await sync()
    expect([second.changed.length, second.isComplete]).toEqual([301, false])
  })

  it('reads known events again only if something changed, and returns what', async () => {
    const { world, client } = await openAccount()
    const [, moved, removed] = await world.seed([0, 1, 2].map((index) => timed(MONDAY + index * HOUR_MS)))
    const { sync, kept, known } = synced(client)
    await sync()
    const before = [...known.keys()]
    expect(await sync()).toMatchObject({ changed: [], gone: [], isComplete: false, cursor: kept.cursor })
    expect(kept.asked).toBe(0)
    await world.change(moved!, timed(MONDAY + 9 * HOUR_MS))
    await world.remove(removed!)
    await world.seed([timed(MONDAY + 20 * HOUR_MS)])
    const changes = await sync()
    expect(startsOf(changes.changed, HOUR_MS)).toEqual([9, 20])
    expect(before).toContain(changes.changed[0]!.id)
    expect(changes.gone).toEqual([before[2]])
    expect(kept.asked).toBe(1)
    expect(await sync()).toMatchObject({ changed: [], gone: [] })
    expect(kept.asked).toBe(1)
  })

  it('lists a series if any of its occurrences changed or was removed', async () => {
    const listed: { id: string; start: { dateTime: string } }[] = []
    const noting: Fetch = async (url, init) => {
      const answer = await fetch(url, init)
      if (url.includes('/calendarView')) listed.push(...((await answer.clone().json()) as any).value)
      return answer
    }
    const { world, client } = await openAccount({ send: noting })
    const [id] = await world.seed([series('weekly'), timed(MONDAY + DAY_MS)])
    const window = { start: MONDAY, end: MONDAY + 20 * DAY_MS }
    const { sync, known } = synced(client)
    await sync(window)
    const occurrence = (date: string) => listed.find(({ start }) => start.dateTime.startsWith(date))!.id
    await world.remove(occurrence('2026-03-16'))
    const { changed, gone } = await sync(window)
    expect([startsOf(changed, DAY_MS), gone]).toEqual([[0, 14, 21], []])
    await world.change(occurrence('2026-03-23'), { showAs: 'free' })
    expect(startsOf((await sync(window)).changed, DAY_MS)).toEqual([0, 21])
    await world.change(id!, { showAs: 'free' })
    expect((await sync(window)).changed).toMatchObject([{ busy: [] }])
    await world.remove(id!)
    expect((await sync(window)).gone).toHaveLength(1)
    expect([...known.keys()]).toHaveLength(1)
  })

  it('knows an event that was dragged away and back by the id that it had', async () => {
    const { world, client } = await openAccount()
    const [id] = await world.seed([timed(MONDAY)])
    const { id: other } = await world.addCalendar({ name: 'Other' })
    const { sync, known } = synced(client)
    await sync()
    const before = [...known.keys()]
    const { id: there } = await world.drag(id!, other)
    expect((await sync()).gone).toEqual(before)
    await world.drag(there, 'Calendar')
    expect((await sync()).changed.map((event) => event.id)).toEqual(before)
  })

  it('forgets nothing that is only over, as time goes on', async () => {
    const { world, client } = await openAccount()
    const far = WINDOW.end + 12 * DAY_MS
    await world.seed([timed(MONDAY), series('weekly'), timed(far)])
    const { sync } = synced(client)
    expect((await sync()).changed).toHaveLength(2)
    const later = (days: number) => ({
      start: WINDOW.start + days * DAY_MS,
      end: WINDOW.end + days * DAY_MS,
    })
    expect(await sync(later(1))).toMatchObject({ changed: [], gone: [] })
    const { changed, gone, isComplete } = await sync(later(14))
    expect([changed.length, gone, isComplete]).toEqual([2, [], false])
  })

  it('begins again without a cursor of its own, and if the window begins earlier', async () => {
    const { world, client } = await openAccount()
    await world.seed([timed(MONDAY)])
    const { sync, kept } = synced(client)
    await sync()
    expect((await sync({ start: WINDOW.start - DAY_MS, end: WINDOW.end })).isComplete).toBe(true)
    kept.cursor = JSON.stringify([WINDOW.start, WINDOW.end, 'https://graph.example/delta?token=1'])
    expect((await sync()).isComplete).toBe(true)
  })

  it('follows no link to another host', async () => {
    const elsewhere: Fetch = async (url, init) =>
      url.includes('/calendarView')
        ? Response.json({ value: [], '@odata.nextLink': 'https://evil.example/next' })
        : fetch(url, init)
    const { client } = await openAccount({ send: elsewhere })
    await expect(synced(client).sync()).rejects.toMatchObject({ failure: 'unusable' })
  })

  it('of a calendar without end gives up', async () => {
    const endless: Fetch = async (url, init) =>
      url.includes('/calendarView') ? Response.json({ value: [], '@odata.nextLink': url }) : fetch(url, init)
    const { client } = await openAccount({ send: endless })
    await expect(synced(client).sync()).rejects.toMatchObject({
      failure: 'overlong',
      message: 'The Microsoft 365 calendar has more events than can be read.',
    })
  })

  it('of an account with calendars without end gives up too, and says so', async () => {
    const endless: Fetch = async (url, init) =>
      url.endsWith('/calendars?end=none') || (isEndless && /\/calendars\?/.test(url))
        ? Response.json({ value: [], '@odata.nextLink': url.replace(/\?.*/, '?end=none') })
        : fetch(url, init)
    let isEndless = false
    const { account } = await openAccount({ send: endless })
    isEndless = true
    await expect(account.listCalendars()).rejects.toMatchObject({
      failure: 'overlong',
      message: 'The Microsoft 365 account has more calendars than can be read.',
    })
  })

  it('fails when Graph is busy, and continues from the same place', async () => {
    const { world, client } = await openAccount()
    const { sync } = synced(client)
    await sync()
    const busy = { status: 429, headers: { 'Retry-After': '8.5' }, json: { error: { code: 'x' } } }
    await world.troubles([{ about: '/calendarView', ...busy }])
    await expect(sync()).rejects.toMatchObject({ failure: 'unavailable', retryAfterMs: 8500 })
    expect((await sync()).isComplete).toBe(false)
    await world.set({ serviceState: 'gatewayTimeout' })
    await expect(sync()).rejects.toMatchObject({ failure: 'unavailable', retryAfterMs: 10_000 })
  })

  it('of a calendar that is gone says so', async () => {
    const { world, account } = await openAccount()
    const { id: calendarId } = await world.addCalendar({ name: 'Other' })
    await world.removeCalendar(calendarId)
    const client = account.openCalendar({ calendarId, timezone: null })
    await expect(synced(client).sync()).rejects.toMatchObject({ failure: 'absent' })
  })
})

describe('an event in a Microsoft calendar', () => {
  it('is written, found by its UID, moved and removed, and no email is sent', async () => {
    const { world, client } = await openAccount()
    const { sync } = synced(client)
    await sync()
    const event = sampleEvent(MONDAY, { location: 'Room 4' })
    const written = await client.writeEvent(event, null)
    expect(written.meetingUrl).toBeNull()
    const expected = {
      id: written.id,
      uid: event.uid,
      etag: written.etag,
      time: { start: event.start, end: event.end },
      busy: [{ start: event.start, end: event.end }],
    }
    expect(await client.listEvents(WINDOW)).toEqual([expected])
    expect((await sync()).changed).toEqual([expected])
    expect(await client.findEvent(written.id)).toEqual(expected)
    const moved = { ...event, sequence: 1, start: event.start + DAY_MS, end: event.end + DAY_MS }
    const again = await client.writeEvent(moved, written)
    expect(again.id).toBe(written.id)
    expect((await client.findEvent(again.id))!.time).toEqual({ start: moved.start, end: moved.end })
    const { events, mails } = await world.look()
    expect(mails).toEqual([])
    expect(events).toMatchObject([{ subject: event.summary, location: { displayName: 'Room 4' } }])
    expect(events![0]!.body.content).toContain('Ada Lovelace (ada@example.com)')
    await client.removeEvent(again.id)
    await client.removeEvent(again.id)
    expect(await client.findEvent(again.id)).toBeNull()
  })

  it('is one event when it is written twice, the same or otherwise', async () => {
    const { world, client } = await openAccount()
    const event = sampleEvent(MONDAY, { uid: "o'hara@holdfast.test" })
    const first = await client.writeEvent(event, null)
    expect((await client.writeEvent(event, null)).id).toBe(first.id)
    const time = { start: event.start + DAY_MS, end: event.end + DAY_MS }
    const again = await client.writeEvent({ ...event, ...time, sequence: 1 }, null)
    expect(again.id).toBe(first.id)
    expect(await client.listEvents(WINDOW)).toMatchObject([
      { id: first.id, uid: event.uid, etag: again.etag, busy: [time] },
    ])
    expect((await world.look()).events).toHaveLength(1)
  })

  it('is written to each of two calendars of a mailbox, and once to each', async () => {
    const { world, account, calendarId, client } = await openAccount()
    const { id: team } = await world.addCalendar({ name: 'Team' })
    const inTeam = account.openCalendar({ calendarId: team, timezone: null })
    const event = sampleEvent(MONDAY)
    const [first, second] = [await client.writeEvent(event, null), await inTeam.writeEvent(event, null)]
    expect(second.id).not.toBe(first.id)
    expect((await inTeam.writeEvent({ ...event, sequence: 1, summary: 'Again' }, null)).id).toBe(second.id)
    const listed = [await client.listEvents(WINDOW), await inTeam.listEvents(WINDOW)]
    expect(listed).toMatchObject([[{ uid: event.uid }], [{ uid: event.uid }]])
    const around = { eventId: second.id, uid: event.uid, around: WINDOW }
    expect(await account.findAnywhere({ ...around, calendarId })).toMatchObject({ calendarId: team })
  })

  it('is known by its transaction id where our property is missing, however that was made', async () => {
    const { world, client } = await openAccount()
    const plain = { ...timed(MONDAY), transactionId: 'one@holdfast' }
    await world.seed([plain, { ...timed(MONDAY + DAY_MS), transactionId: 'two@holdfast|Y2FsZW5kYXI' }])
    expect((await client.listEvents(WINDOW)).map(({ uid }) => uid)).toEqual(['one@holdfast', 'two@holdfast'])
  })

  it('is found by its UID if Graph says that it exists, and not which it is', async () => {
    const { world, client } = await openAccount()
    const event = sampleEvent(MONDAY)
    const first = await client.writeEvent(event, null)
    const refusal = { error: { code: 'ErrorDuplicateTransactionId', message: 'It was used before.' } }
    await world.troubles([{ about: 'POST ', status: 409, json: refusal }])
    expect((await client.writeEvent(event, null)).id).toBe(first.id)
  })

  it('is left alone when its owner changed or deleted it', async () => {
    const { world, client } = await openAccount()
    const event = sampleEvent(MONDAY)
    const written = await client.writeEvent(event, null)
    await world.change(written.id, timed(MONDAY + 5 * HOUR_MS))
    await expect(client.writeEvent(event, written)).rejects.toMatchObject({ failure: 'changed' })
    const current = (await client.findEvent(written.id))!
    expect(current.time!.start).toBe(MONDAY + 5 * HOUR_MS)
    await world.remove(written.id)
    await expect(client.writeEvent(event, current)).rejects.toMatchObject({ failure: 'changed' })
  })

  it('that Graph rejects is reported with the reason', async () => {
    const { client } = await openAccount()
    const event = sampleEvent(MONDAY)
    const written = await client.writeEvent(event, null)
    for (const known of [null, written]) {
      const wrong = { ...event, uid: 'wrong@holdfast.test', end: event.start - HOUR_MS }
      await expect(client.writeEvent(wrong, known)).rejects.toMatchObject({
        failure: 'rejected',
        message: expect.stringContaining('earlier than the start'),
      })
    }
  })

  it('distinguishes refusals from withdrawn access', async () => {
    const { world, client } = await openAccount()
    await world.troubles([{ about: 'POST ', status: 403, json: { error: { code: 'ErrorAccessDenied' } } }])
    await expect(client.writeEvent(sampleEvent(MONDAY), null)).rejects.toMatchObject({ failure: 'refused' })
    await world.set({ mailbox: 'full' })
    await expect(client.writeEvent(sampleEvent(MONDAY), null)).rejects.toMatchObject({
      failure: 'unavailable',
    })
    await world.end('expired')
    await expect(client.removeEvent('AAMkA'.padEnd(60, 'x'))).rejects.toMatchObject({ failure: 'expired' })
  })
})

describe('the Teams meeting of an event', () => {
  const wanted = sampleEvent(MONDAY, { wantsMeeting: true })

  it.each(['long', 'short', 'safe'])(
    'comes with a %s link, and stays when the event changes',
    async (meetingLink) => {
      const { world, client } = await openAccount()
      await world.set({ meetingLink })
      const notes = { description: `Notes: ${'_'.repeat(60)} see https://example.com & <more>` }
      const event = { ...wanted, ...notes }
      const written = await client.writeEvent(event, null)
      expect(written.meetingUrl).toMatch(/^https:\/\/teams\./)
      const moved = { ...event, sequence: 1, start: event.start - HOUR_MS, url: written.meetingUrl }
      const again = await client.writeEvent(moved, written)
      expect(again.meetingUrl).toBe(written.meetingUrl)
      const [{ body: before }] = (await world.look()).events as [any]
      const attendees = [{ name: 'Bob <Builder>', email: 'bob@example.com' }]
      const third = await client.writeEvent({ ...moved, sequence: 2, attendees }, again)
      expect(third.meetingUrl).toBe(written.meetingUrl)
      const [{ body }] = (await world.look()).events as [any]
      expect(before.content).toContain('Ada Lovelace')
      expect(body.content).toContain('Bob &lt;Builder&gt; (bob@example.com)')
      expect(body.content).not.toContain('Ada Lovelace')
      expect(body.content.split('Join the meeting now')).toHaveLength(2)
      expect(body.content.split('see https://example.com')).toHaveLength(2)
    },
  )

  it('stays beside our text without a mark, and with the mark of somebody else in it', async () => {
    const { world, client } = await openAccount()
    const mark = '\u2063\u2064\u2063'
    const event = { ...wanted, description: `Notes: ${mark} of mine` }
    const written = await client.writeEvent(event, null)
    const [{ id, body }] = (await world.look()).events as [any]
    expect(body.content.split(mark)).toHaveLength(2)
    await world.change(id, { body: { ...body, content: body.content.replace(mark, '') } })
    const again = await client.writeEvent(
      { ...event, description: 'Other notes' },
      { id: written.id, etag: null },
    )
    const [{ body: after }] = (await world.look()).events as [any]
    expect(after.content).toContain('Other notes')
    expect(after.content).not.toContain('of mine')
    expect(after.content.split(mark)).toHaveLength(2)
    expect(again.meetingUrl).toBe(written.meetingUrl)
  })

  it('is waited for if it comes later, and requested once more if it did not come', async () => {
    const { world, client } = await openAccount()
    await world.set({ meeting: 'pending' })
    const event = { ...wanted, uid: 'pending@holdfast.test' }
    const asked = client.writeEvent(event, null)
    await new Promise((done) => setTimeout(done, 100))
    await world.set({ meeting: 'ready' })
    expect((await asked).meetingUrl).toMatch(/^https:\/\/teams\./)
    await world.set({ meeting: 'failed' })
    const failed = await client.writeEvent(wanted, null)
    expect(failed).toMatchObject({ meetingUrl: null })
    expect(failed.noMeeting).toBeUndefined()
    await world.set({ meeting: 'ready' })
    expect((await client.writeEvent(wanted, failed)).meetingUrl).toMatch(/^https:\/\/teams\./)
  })

  it('is not available for a personal account, which is reported at once', async () => {
    const { account, client } = await openAccount({ as: 'mara@outlook.com' })
    expect(await account.listCalendars()).toMatchObject([{ makesMeetings: false }])
    expect(await client.writeEvent(wanted, null)).toMatchObject({
      meetingUrl: null,
      noMeeting: expect.stringContaining('work or school account'),
    })
    expect(await client.listEvents(WINDOW)).toHaveLength(1)
  })
})

describe('an event that its owner dragged to another calendar of the account', () => {
  const around = { start: MONDAY - DAY_MS, end: MONDAY + 2 * DAY_MS }

  it('is found there, and changed there', async () => {
    const { world, account, client, calendarId } = await openAccount()
    const { id: other } = await world.addCalendar({ name: 'Other' })
    const event = sampleEvent(MONDAY)
    const { id: eventId } = await client.writeEvent(event, null)
    const known = { calendarId, eventId, uid: event.uid, around }
    expect(await account.findAnywhere(known)).toMatchObject({ calendarId, event: { id: eventId } })
    await world.drag(eventId, other)
    const found = await account.findAnywhere(known)
    expect(found).toMatchObject({ calendarId: other, event: { id: eventId, uid: event.uid } })
    const there = account.openCalendar({ calendarId: other, timezone: null })
    const moved = { ...event, start: MONDAY + DAY_MS, end: MONDAY + DAY_MS + HOUR_MS }
    expect((await there.writeEvent(moved, found!.event)).id).toBe(eventId)
    await there.removeEvent(eventId)
    expect(await account.findAnywhere(known)).toBeNull()
  })

  it('is found by our mark if its id is not a permanent one', async () => {
    const { world, account, client, calendarId } = await openAccount()
    const { id: other } = await world.addCalendar({ name: 'Other' })
    const event = sampleEvent(MONDAY)
    await client.writeEvent(event, null)
    const [{ id: eventId }] = (await world.look()).events as [any]
    await world.drag(eventId, other)
    const known = { calendarId, eventId, uid: event.uid, around }
    expect(await account.findAnywhere(known)).toMatchObject({ calendarId: other, event: { uid: event.uid } })
  })

  it('is nowhere only once every calendar that may have it answered', async () => {
    const { world, account, client, calendarId } = await openAccount()
    const { id: other } = await world.addCalendar({ name: 'Other' })
    const readOnly = await world.addCalendar({ name: 'Holidays', canWrite: false })
    const event = sampleEvent(MONDAY)
    const { id: eventId } = await client.writeEvent(event, null)
    await client.removeEvent(eventId)
    const known = { calendarId, eventId, uid: event.uid, around }
    await world.troubles([{ about: `/calendars/${encodeURIComponent(other)}/events`, status: 503 }])
    await expect(account.findAnywhere(known)).rejects.toMatchObject({ failure: 'unavailable' })
    await world.troubles([{ about: encodeURIComponent(readOnly.id), status: 503, times: null }])
    expect(await account.findAnywhere(known)).toBeNull()
  })
})

describe('a subscription to a Microsoft calendar', () => {
  const subscriber = {
    id: 'ours',
    secret: 'the secret of the channel',
    address: 'https://holdfast.test/v1/calendars/calendar_b/notifications',
    lifetimeMs: 30 * DAY_MS,
  }
  const subscriptions = async (world: Awaited<ReturnType<typeof openAccount>>['world']) =>
    (await world.look()).subscriptions!

  it('is of that calendar, for as long as may be, with a secret and an address for its own fate', async () => {
    const { world, account } = await openAccount({ settings: { isLifecycleUrlRequired: true } })
    const { id } = await world.addCalendar({ name: 'Other' })
    const channel = await account.push!.watch(id, subscriber)
    expect(channel.resourceId).toBeNull()
    expect(channel.expiresAt).toBeGreaterThan(Date.now() + 6.9 * DAY_MS)
    expect(await subscriptions(world)).toMatchObject([
      {
        id: channel.id,
        resource: `me/calendars/${encodeURIComponent(id)}/events`,
        clientState: subscriber.secret,
        notificationUrl: subscriber.address,
        lifecycleNotificationUrl: subscriber.address,
        isImmutable: true,
      },
    ])
  })

  it('is shorter if its length is refused, and is prolonged, ended, and made again once it has ended', async () => {
    const { world, account, calendarId } = await openAccount({ settings: { subscriptionMaxMinutes: 4230 } })
    const { watch, prolong, unwatch } = account.push!
    const channel = await watch(calendarId, { ...subscriber, lifetimeMs: HOUR_MS })
    expect(channel.expiresAt).toBeLessThanOrEqual(Date.now() + HOUR_MS)
    const longer = (await prolong(channel, 30 * DAY_MS))!
    expect(longer.id).toBe(channel.id)
    expect(longer.expiresAt).toBeGreaterThan(Date.now() + 2.8 * DAY_MS)
    await unwatch(longer)
    await unwatch(longer)
    expect(await subscriptions(world)).toEqual([])
    expect(await prolong(longer, DAY_MS)).toBeNull()
  })

  it('says what is refused beside', async () => {
    const { account, calendarId } = await openAccount()
    const address = 'http://elsewhere.example/notifications'
    await expect(account.push!.watch(calendarId, { ...subscriber, address })).rejects.toMatchObject({
      failure: 'unusable',
      message: expect.stringContaining('not supported'),
    })
  })
})
