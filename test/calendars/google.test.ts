import { describe, expect, it } from 'vitest'
import { openGoogleAccount } from '../../src/calendars/google/google-account.ts'
import { ALL_CLEAR } from '../../src/platform/icalendar/unclear-events.ts'
import {
  busyOf,
  callsDuring,
  DAY_MS,
  HOUR_MS,
  MONDAY,
  OWNER,
  openAccount,
  openCalendar,
  sync,
  timed,
  WINDOW,
} from '../support/google-calendar.ts'
import { openWorld } from '../support/world.ts'
import { connectTo, doorTo } from '../support/world-account.ts'

describe('the events of a Google calendar', () => {
  it('block when they take time of their owner, and only then', async () => {
    const { world, client } = await openCalendar()
    const hour = (index: number, more = {}) => ({ ...timed(MONDAY + index * HOUR_MS), ...more })
    const self = (responseStatus: string) => ({
      attendees: [{ email: 'x@y.z' }, { email: OWNER, responseStatus }],
    })
    await world.seed([
      hour(0),
      hour(1, { transparency: 'transparent' }),
      hour(2, self('declined')),
      hour(3, self('tentative')),
      hour(4, { eventType: 'workingLocation' }),
      hour(5, { eventType: 'birthday' }),
      hour(6, { eventType: 'outOfOffice' }),
      hour(7, { eventType: 'focusTime' }),
      hour(8, { status: 'tentative' }),
      hour(9, { attendees: [{ email: 'x@y.z', responseStatus: 'declined' }] }),
    ])
    const events = await client.listEvents(WINDOW)
    expect(events).toHaveLength(10)
    expect(busyOf(events).map(({ start }) => (start - MONDAY) / HOUR_MS)).toEqual([0, 3, 6, 7, 8, 9])
    expect(events[1]!.time).toEqual({ start: MONDAY + HOUR_MS, end: MONDAY + 2 * HOUR_MS })
  })

  it('block also when they are marked free, if all of them count, but no place of work and no birthday', async () => {
    const { world, account } = await openCalendar()
    const hour = (index: number, more = {}) => ({ ...timed(MONDAY + index * HOUR_MS), ...more })
    const free = { transparency: 'transparent' }
    await world.seed([
      hour(0),
      hour(1, free),
      hour(2, { ...free, attendees: [{ email: OWNER, responseStatus: 'declined' }] }),
      hour(3, { ...free, eventType: 'workingLocation' }),
      hour(4, { ...free, eventType: 'birthday' }),
    ])
    const calendar = { calendarId: OWNER, timezone: 'Europe/Berlin', blocks: 'all_events' } as const
    const client = openGoogleAccount(doorTo(account)).openCalendar(calendar)
    const hours = (events: Parameters<typeof busyOf>[0]) =>
      busyOf(events).map(({ start }) => (start - MONDAY) / HOUR_MS)
    expect(hours(await client.listEvents(WINDOW))).toEqual([0, 1])
    expect(hours((await sync(client, null)).changed)).toEqual([0, 1])
  })

  it('last from midnight to midnight of the calendar when they last all day', async () => {
    const { world, client } = await openCalendar()
    const days = (start: string, end: string) => ({ start: { date: start }, end: { date: end } })
    await world.seed([days('2031-03-11', '2031-03-12'), days('2031-03-30', '2031-03-31')])
    expect(busyOf(await client.listEvents(WINDOW))).toEqual([
      { start: Date.UTC(2031, 2, 10, 23), end: Date.UTC(2031, 2, 11, 23) },
      { start: Date.UTC(2031, 2, 29, 23), end: Date.UTC(2031, 2, 30, 22) },
    ])
  })

  it('are cut to what was asked for', async () => {
    const { world, client } = await openCalendar()
    await world.seed([timed(MONDAY, 48)])
    const range = { start: MONDAY + 6 * HOUR_MS, end: MONDAY + 7 * HOUR_MS }
    expect(busyOf(await client.listEvents(range))).toEqual([range])
    expect(await client.listEvents({ start: MONDAY - HOUR_MS, end: MONDAY })).toEqual([])
  })

  it('block as well as they can be understood, and are reported if that changes what blocks', async () => {
    const { world, client } = await openCalendar()
    const tuesday = MONDAY + DAY_MS
    const date = new Date(tuesday).toISOString().slice(0, 10)
    const odd = [
      { iCalUID: 7, attendees: ['me', { self: true, responseStatus: 7 }], conferenceData: 'none' },
      { iCalUID: 'hour', end: { dateTime: 'None' } },
      { iCalUID: 'before', end: timed(MONDAY).start },
      { iCalUID: 'day', start: { date }, end: { date: 'None' } },
      { iCalUID: 'mixed', start: { date } },
      { iCalUID: 'free', transparency: 'transparent', end: undefined },
      { iCalUID: 'never', start: { dateTime: 'None' } },
    ]
    const items = odd.map((event, at) => ({
      id: `odd${at}`,
      status: 'confirmed',
      ...timed(tuesday),
      ...event,
    }))
    const json = { timeZone: 'Europe/Berlin', items: [...items, { status: 'confirmed' }] }
    await world.troubles([{ about: 'GET', status: 200, json }])
    const { changed, unclear } = await sync(client, null)
    const hours = changed.map(({ busy }) => busy.map(({ start, end }) => (end - start) / HOUR_MS))
    expect(hours).toEqual([[1], [1], [1], [24], [24], []])
    expect(unclear).toEqual({ count: 6, earliest: { uid: 'before', date } })
  })

  it('are asked for one by one', async () => {
    const { world, client } = await openCalendar()
    const [id] = await world.seed([timed(MONDAY)])
    expect(await client.findEvent(id!)).toMatchObject({
      id,
      uid: `${id}@google.com`,
      time: { start: MONDAY, end: MONDAY + HOUR_MS },
    })
    await world.remove(id!)
    expect(await client.findEvent(id!)).toBeNull()
    expect(await client.findEvent('nosuchevent')).toBeNull()
  })
})

describe('the sync of a Google calendar', () => {
  it('reads every page, also those with nothing on them', async () => {
    const { world, client } = await openCalendar({ pageSize: 250, emptyPages: 2 })
    const many = Array.from({ length: 1_203 }, (_, index) => timed(MONDAY + index * HOUR_MS))
    await world.seed(many)
    const first = await sync(client, null)
    expect(first.changed).toHaveLength(1_203)
    expect(first).toMatchObject({ isComplete: true, gone: [], unclear: ALL_CLEAR })
    await world.seed(many.slice(0, 601))
    const second = await sync(client, first.cursor)
    expect([second.changed.length, second.isComplete]).toEqual([601, false])
  })

  it('then says what changed and what is gone, with no other restriction beside the token', async () => {
    const { world, client } = await openCalendar()
    const [, moved, removed] = await world.seed([0, 1, 2].map((index) => timed(MONDAY + index * HOUR_MS)))
    const { cursor } = await sync(client, null)
    expect(await sync(client, cursor)).toMatchObject({ changed: [], gone: [], isComplete: false })
    await world.change(moved!, timed(MONDAY + 9 * HOUR_MS))
    await world.remove(removed!)
    const [added] = await world.seed([timed(MONDAY + 20 * HOUR_MS)])
    const changes = await sync(client, cursor)
    expect(changes.changed.map(({ id }) => id).toSorted()).toEqual([moved!, added!].toSorted())
    expect(changes.changed.find(({ id }) => id === moved)!.busy[0]!.start).toBe(MONDAY + 9 * HOUR_MS)
    expect(changes.gone).toEqual([removed])
    expect((await sync(client, changes.cursor)).changed).toEqual([])
  })

  it('goes on counting what is left out until that is understood or gone', async () => {
    const { world, client } = await openCalendar()
    const [, odd, other] = await world.seed([0, 1, 2].map((index) => timed(MONDAY + index * HOUR_MS)))
    // Events that make no sense.
    const strange = (id: string) => ({ id, status: 'confirmed', start: { date: '2031-03-10' } })
    const { cursor } = await sync(client, null)
    const tell = (json: object) => world.troubles([{ about: 'GET', status: 200, json }])
    const answer = (items: object[]) => ({ timeZone: 'Europe/Berlin', items, nextSyncToken: 'next' })
    await tell(answer([strange(odd!), strange(other!)]))
    const first = await sync(client, cursor)
    expect(first.unclear.count).toBe(2)
    await tell(answer([]))
    const second = await sync(client, first.cursor)
    expect(second.unclear.count).toBe(2)
    await tell(answer([strange(odd!), { id: other!, status: 'confirmed', ...timed(MONDAY) }]))
    const third = await sync(client, second.cursor)
    expect(third.unclear.count).toBe(1)
    await tell(answer([{ id: odd!, status: 'cancelled' }]))
    expect((await sync(client, third.cursor)).unclear.count).toBe(0)
  })

  it('releases the time of an event that was moved far away', async () => {
    const { world, client } = await openCalendar()
    const [id] = await world.seed([timed(MONDAY)])
    const { cursor } = await sync(client, null)
    const start = WINDOW.end + 90 * DAY_MS
    await world.change(id!, timed(start))
    expect((await sync(client, cursor)).changed).toMatchObject([
      { id, time: { start, end: start + HOUR_MS }, busy: [] },
    ])
  })

  it('begins again when the token has expired, was cut or is for something else', async () => {
    const { world, client } = await openCalendar()
    await world.seed([timed(MONDAY)])
    const { cursor } = await sync(client, null)
    await world.forget()
    expect(await sync(client, cursor)).toMatchObject({ isComplete: true, changed: [{}] })
    const mixed = cursor!.replace(/"[^"]+"/, '"nonsense"')
    for (const broken of ['', 'nonsense', '[1]', 'null', mixed]) {
      expect((await sync(client, broken)).isComplete).toBe(true)
    }
  })

  it('begins again before the window leaves the range of the token', async () => {
    const { world, client } = await openCalendar()
    const { cursor } = await sync(client, null)
    const later = (days: number) => ({
      window: { start: WINDOW.start + days * DAY_MS, end: WINDOW.end + days * DAY_MS },
    })
    await world.seed([timed(WINDOW.end + 28 * DAY_MS)])
    const same = await sync(client, cursor, later(29))
    expect([same.isComplete, busyOf(same.changed).length]).toEqual([false, 1])
    expect((await sync(client, cursor, later(31))).isComplete).toBe(true)
  })

  it('begins again when the calendar got another zone, for its all-day events moved without a word', async () => {
    const { client } = await openCalendar()
    const { cursor } = await sync(client, null)
    expect((await sync(client, cursor)).isComplete).toBe(false)
    const elsewhere = cursor!.replace('Europe/Berlin', 'America/Lima')
    expect((await sync(client, elsewhere)).isComplete).toBe(true)
  })

  it('fails when Google is busy, for as long as Google asks, and continues from the same place', async () => {
    const { world, client } = await openCalendar()
    const { cursor } = await sync(client, null)
    for (const kind of ['tooManyRequests', 'rateLimitExceeded', 'quotaExceeded', 'backendUnavailable']) {
      await world.set({ refusals: [{ kind, retryAfterSeconds: 9 }] })
      await expect(sync(client, cursor)).rejects.toMatchObject({
        failure: 'unavailable',
        retryAfterMs: 9000,
      })
    }
    expect((await sync(client, cursor)).isComplete).toBe(false)
  })

  it('reports that the calendar does not exist any more', async () => {
    const { world, client: account } = await openAccount()
    const { id } = await world.addCalendar({ name: 'Work' })
    const client = account.openCalendar({ calendarId: id, timezone: null })
    const { cursor } = await sync(client, null)
    await world.removeCalendar(id)
    await expect(sync(client, cursor)).rejects.toMatchObject({ failure: 'absent' })
  })

  it('ends the wait when it is aborted, also for a new token, which is kept all the same', async () => {
    const slow = openWorld('google')
    const { account } = await connectTo('calendar_a', slow)
    const { promise, resolve } = Promise.withResolvers<void>()
    let isKept = false
    const due = {
      ...account,
      tokens: { ...account.tokens, expiresAt: 0 },
      onTokens: async () => {
        await new Promise((done) => setTimeout(done, 300))
        isKept = true
        resolve()
      },
    }
    const calendar = { calendarId: OWNER, timezone: null }
    const late = openGoogleAccount(doorTo(due))
      .openCalendar(calendar)
      .listEvents(WINDOW, AbortSignal.timeout(50))
    await expect(late).rejects.toMatchObject({ failure: 'unavailable' })
    expect(isKept).toBe(false)
    await promise
    const { world, client } = await openCalendar()
    await world.troubles([{ about: 'GET', times: null, delayMs: 2_000 }])
    const asked = client.listEvents(WINDOW, AbortSignal.timeout(100))
    await expect(asked).rejects.toMatchObject({ failure: 'unavailable' })
    expect((await world.look()).calls!.at(-1)!.status).toBeNull()
  })
})

describe('a series in a Google calendar', () => {
  const weekly = { ...timed(MONDAY), recurrence: ['RRULE:FREQ=WEEKLY'] }
  const year = { start: MONDAY, end: MONDAY + 365 * DAY_MS }

  /** A calendar with a weekly series without end and another event, and what is known of it. */
  async function withSeries(settings: Readonly<Record<string, unknown>> = {}) {
    const { world, client } = await openCalendar(settings)
    const [series, other] = await world.seed([weekly, timed(MONDAY + DAY_MS)])
    const { cursor, changed } = await sync(client, null, { window: year })
    return { world, client, series: series!, other: other!, cursor, known: changed }
  }

  it('is all of its occurrences in the window, and costs no more when it changes', async () => {
    const { world, client, series, cursor, known } = await withSeries()
    expect(known).toHaveLength(58)
    await world.change(series, { summary: 'Renamed' })
    const changes = await sync(client, cursor, { window: year, known })
    expect([changes.changed.length, changes.isComplete]).toEqual([57, false])
  })

  it('releases all its time when it was deleted, and nothing else is read again', async () => {
    const { world, client, series, other, cursor, known } = await withSeries()
    await world.remove(series)
    let changes = await sync(client, null)
    const calls = await callsDuring(world, async () => {
      changes = await sync(client, cursor, { window: year, known })
    })
    const ids = known.map(({ id }) => id).filter((id) => id !== other)
    expect(changes).toMatchObject({ isComplete: false, changed: [] })
    expect(changes.gone).toEqual(expect.arrayContaining(ids))
    expect(changes.gone).not.toContain(other)
    const events = `calendars/${encodeURIComponent(OWNER)}/events`
    expect(calls).toEqual([`GET ${events}`, `GET ${events}/${series}/instances`])
    expect(await sync(client, changes.cursor, { window: year, known })).toMatchObject({
      changed: [],
      gone: [],
      isComplete: false,
    })
  })

  it('keeps the rest when it was cut short, or lost an occurrence, or became a single event', async () => {
    const { world, client, series, cursor, known } = await withSeries()
    const first = known.find(({ id }) => id.startsWith(`${series}_`))!
    await world.remove(first.id)
    const one = await sync(client, cursor, { window: year, known })
    expect([one.changed.length, one.gone]).toEqual([56, [first.id]])
    await world.change(series, { recurrence: ['RRULE:FREQ=WEEKLY;COUNT=5'] })
    const short = await sync(client, one.cursor, { window: year, known })
    expect([short.changed.length, short.isComplete]).toEqual([4, false])
    expect(new Set(short.gone).size).toBeGreaterThanOrEqual(48)
    await world.change(series, { recurrence: null })
    const single = await sync(client, short.cursor, { window: year, known })
    expect(single.changed.map(({ id }) => id)).toEqual([series])
    expect(single.gone).toEqual(expect.arrayContaining(short.changed.map(({ id }) => id)))
  })

  it('counts an occurrence that is left out once, and no longer once the series is gone', async () => {
    const { world, client, series, cursor, known } = await withSeries()
    const [cut, odd, later] = known.filter(({ id }) => id.startsWith(`${series}_`)).map(({ id }) => id)
    const strange = { id: odd, recurringEventId: series, start: { date: '2031-03-10' } }
    const gone = (id?: string) => ({ id, recurringEventId: series, status: 'cancelled' })
    const tell = (...lists: object[][]) =>
      world.troubles(
        lists.map((items) => ({
          about: 'GET',
          status: 200,
          json: { timeZone: 'Europe/Berlin', items, nextSyncToken: 'next' },
        })),
      )
    await tell([gone(cut), strange], [strange])
    const first = await sync(client, cursor, { window: year, known })
    expect(first.unclear.count).toBe(1)
    await tell([gone(later)], [])
    expect((await sync(client, first.cursor, { window: year, known })).unclear.count).toBe(0)
  })

  it('is not taken for another whose id begins with its own', async () => {
    const { world, client, series, cursor, known } = await withSeries()
    const other = { ...known[0]!, id: `${series}_R20310401T000000_20310407T000000Z` }
    await world.remove(series)
    const changes = await sync(client, cursor, { window: year, known: [...known, other] })
    expect(changes.gone).not.toContain(other.id)
  })

  it('is read with all the rest if many are cut at once', async () => {
    const { world, client } = await openCalendar()
    const ids = await world.seed(Array.from({ length: 9 }, () => weekly))
    const { cursor, changed } = await sync(client, null)
    for (const id of ids) await world.remove(id)
    expect(await sync(client, cursor, { known: changed })).toMatchObject({ isComplete: true, changed: [] })
  })
})
