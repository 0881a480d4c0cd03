import { describe, expect, inject, it } from 'vitest'
import type { CalendarClient, ExternalEvent } from '../../src/providers/calendar/calendar-client.ts'
import { openGoogleAccount } from '../../src/providers/google/google-account.ts'
import { eventIdOf } from '../../src/providers/google/google-event.ts'
import { connect, doorOf } from '../support/doubles/connect.ts'
import { openWorld } from '../support/doubles/control.ts'
import { sampleEvent } from '../support/doubles/sample-event.ts'

const HOUR_MS = 3_600_000
const DAY_MS = 24 * HOUR_MS
/** A Monday; Berlin changes its clocks on the 29th. */
const MONDAY = Date.UTC(2026, 2, 9)
const WINDOW = { start: MONDAY, end: MONDAY + 60 * DAY_MS }
const NO_CURSOR = { cursor: null, etags: async () => new Map() }

async function openCalendar() {
  const world = openWorld(inject('doubles'), 'google')
  const { account } = await connect('calendar_a', world)
  const calendar = { calendarId: 'owner@example.com', timezone: 'Europe/Berlin' }
  return { world, account, client: openGoogleAccount(doorOf(account)).openCalendar(calendar) }
}

const timed = (start: number, hours = 1) => ({
  start: { dateTime: new Date(start).toISOString() },
  end: { dateTime: new Date(start + hours * HOUR_MS).toISOString() },
})

const since = (cursor: string | null) => ({ ...NO_CURSOR, cursor })
const busyOf = (events: readonly ExternalEvent[]) => events.flatMap(({ busy }) => busy)
const sync = (client: CalendarClient, cursor: string | null, window = WINDOW) =>
  client.listChanges(window, since(cursor))

describe('a Google account', () => {
  it('is known by the address and the zone of its primary calendar', async () => {
    const world = openWorld(inject('doubles'), 'google')
    await world.set({ timeZone: 'America/Sao_Paulo' })
    const { account } = await connect('calendar_a', world, 'ada@example.com')
    const client = openGoogleAccount(doorOf(account))
    expect(await client.identify()).toEqual({ email: 'ada@example.com' })
    expect(await client.listCalendars()).toMatchObject([
      { externalId: 'ada@example.com', isPrimary: true, canWrite: true, timezone: 'America/Sao_Paulo' },
    ])
  })
})

describe('the events of a Google calendar', () => {
  it('block when they take time of their owner, and only then', async () => {
    const { world, client } = await openCalendar()
    const hour = (index: number, more = {}) => ({ ...timed(MONDAY + index * HOUR_MS), ...more })
    const self = (responseStatus: string) => ({
      attendees: [{ email: 'x@y.z' }, { self: true, responseStatus }],
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
      hour(9, { ...self('accepted'), attendees: [{ responseStatus: 'declined' }] }),
    ])
    const events = await client.listEvents(WINDOW)
    expect(events).toHaveLength(10)
    expect(busyOf(events).map(({ start }) => (start - MONDAY) / HOUR_MS)).toEqual([0, 3, 6, 7, 8, 9])
    expect(events[1]!.time).toEqual({ start: MONDAY + HOUR_MS, end: MONDAY + 2 * HOUR_MS })
  })

  it('last from midnight to midnight of the calendar when they last all day', async () => {
    const { world, client } = await openCalendar()
    const days = (start: string, end: string) => ({ start: { date: start }, end: { date: end } })
    await world.seed([days('2026-03-10', '2026-03-11'), days('2026-03-29', '2026-03-30')])
    expect(busyOf(await client.listEvents(WINDOW))).toEqual([
      { start: Date.UTC(2026, 2, 9, 23), end: Date.UTC(2026, 2, 10, 23) },
      { start: Date.UTC(2026, 2, 28, 23), end: Date.UTC(2026, 2, 29, 22) },
    ])
  })

  it('are cut to what was asked for', async () => {
    const { world, client } = await openCalendar()
    await world.seed([timed(MONDAY, 48)])
    const range = { start: MONDAY + 6 * HOUR_MS, end: MONDAY + 7 * HOUR_MS }
    expect(busyOf(await client.listEvents(range))).toEqual([range])
    expect(await client.listEvents({ start: MONDAY - HOUR_MS, end: MONDAY })).toEqual([])
  })

  it('that make no sense are left out and counted', async () => {
    const { world, client } = await openCalendar()
    await world.seed([timed(MONDAY), { start: { date: '2026-03-10' }, end: { date: '2026-3-11' } }])
    await world.seed([{ ...timed(MONDAY), iCalUID: 7 }])
    const { changed, skipped } = await sync(client, null)
    expect([changed.length, skipped]).toEqual([1, 2])
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
  it('reads every page, far beyond the first 250 events', async () => {
    const { world, client } = await openCalendar()
    const many = Array.from({ length: 1_203 }, (_, index) => timed(MONDAY + index * HOUR_MS))
    await world.seed(many)
    const first = await sync(client, null)
    expect(first.changed).toHaveLength(1_203)
    expect(first).toMatchObject({ isComplete: true, gone: [], skipped: 0 })
    await world.seed(many.slice(0, 601))
    const second = await sync(client, first.cursor)
    expect([second.changed.length, second.isComplete]).toEqual([601, false])
  })

  it('then tells what changed and what is gone, with no other restriction beside the token', async () => {
    const { world, client } = await openCalendar()
    const [kept, moved, removed] = await world.seed([0, 1, 2].map((index) => timed(MONDAY + index * HOUR_MS)))
    const { cursor } = await sync(client, null)
    expect(await sync(client, cursor)).toMatchObject({ changed: [], gone: [], isComplete: false })
    await world.change(moved!, timed(MONDAY + 9 * HOUR_MS))
    await world.remove(removed!)
    const [added] = await world.seed([timed(MONDAY + 20 * HOUR_MS)])
    const changes = await sync(client, cursor)
    expect(changes.changed.map(({ id }) => id)).toEqual([moved, added])
    expect(changes.changed[0]!.busy[0]!.start).toBe(MONDAY + 9 * HOUR_MS)
    expect(changes.gone).toEqual([removed])
    expect(changes.changed.map(({ id }) => id)).not.toContain(kept)
    expect((await sync(client, changes.cursor)).changed).toEqual([])
  })

  it('frees the time of an event that was moved far away', async () => {
    const { world, client } = await openCalendar()
    const [id] = await world.seed([timed(MONDAY)])
    const { cursor } = await sync(client, null)
    const start = WINDOW.end + 90 * DAY_MS
    await world.change(id!, timed(start))
    expect((await sync(client, cursor)).changed).toMatchObject([
      { id, time: { start, end: start + HOUR_MS }, busy: [] },
    ])
  })

  it('frees all the time of a series that was deleted', async () => {
    const { world, client } = await openCalendar()
    const year = { start: MONDAY, end: MONDAY + 365 * DAY_MS }
    const ids = await world.seed(
      [0, 100, 300].map((days) => ({ ...timed(MONDAY + days * DAY_MS), recurringEventId: 'weekly' })),
    )
    const [other] = await world.seed([timed(MONDAY + DAY_MS)])
    const { cursor, changed } = await sync(client, null, year)
    expect(changed).toHaveLength(4)
    for (const id of ids) await world.remove(id)
    const changes = await sync(client, cursor, year)
    expect(changes).toMatchObject({ isComplete: true, changed: [{ id: other }] })
    expect((await sync(client, changes.cursor, year)).isComplete).toBe(false)
  })

  it('begins anew when the token is known no more, was cut or is of something else', async () => {
    const { world, client } = await openCalendar()
    await world.seed([timed(MONDAY)])
    const { cursor } = await sync(client, null)
    await world.forget()
    expect(await sync(client, cursor)).toMatchObject({ isComplete: true, changed: [{}] })
    for (const broken of ['', 'nonsense', '[1]', 'null']) {
      expect((await sync(client, broken)).isComplete).toBe(true)
    }
  })

  it('begins anew before the window leaves what the token tells of', async () => {
    const { world, client } = await openCalendar()
    const { cursor } = await sync(client, null)
    const later = (hours: number) => ({
      start: WINDOW.start + hours * HOUR_MS,
      end: WINDOW.end + hours * HOUR_MS,
    })
    await world.seed([timed(WINDOW.end + 12 * HOUR_MS)])
    const same = await sync(client, cursor, later(13))
    expect([same.isComplete, busyOf(same.changed).length]).toEqual([false, 1])
    expect((await sync(client, cursor, later(25))).isComplete).toBe(true)
  })

  it('fails when Google is busy, and goes on from the same place', async () => {
    const { world, client } = await openCalendar()
    const { cursor } = await sync(client, null)
    await world.set({ failures: 1, failureStatus: 429, retryAfter: '9' })
    await expect(sync(client, cursor)).rejects.toMatchObject({ failure: 'unavailable', retryAfterMs: 9000 })
    expect((await sync(client, cursor)).isComplete).toBe(false)
  })

  it('ends the wait when it is told to, also for a new token, which is kept all the same', async () => {
    const slow = openWorld(inject('doubles'), 'google')
    const { account } = await connect('calendar_a', slow)
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
    const calendar = { calendarId: 'owner@example.com', timezone: null }
    const late = openGoogleAccount(doorOf(due))
      .openCalendar(calendar)
      .listEvents(WINDOW, AbortSignal.timeout(50))
    await expect(late).rejects.toMatchObject({ failure: 'unavailable' })
    expect(isKept).toBe(false)
    await promise
    const { world, client } = await openCalendar()
    await world.set({ delayMs: 2_000 })
    const started = Date.now()
    const asked = client.listEvents(WINDOW, AbortSignal.timeout(100))
    await expect(asked).rejects.toMatchObject({ failure: 'unavailable' })
    expect(Date.now() - started).toBeLessThan(1_500)
  })
})

describe('an event in a Google calendar', () => {
  it('is written, found by its UID, moved and removed, and nobody is mailed', async () => {
    const { world, client } = await openCalendar()
    const event = sampleEvent(MONDAY, { location: 'Room 4', url: 'https://meet.example/x' })
    const written = await client.writeEvent(event, null)
    expect(written).toMatchObject({ id: eventIdOf(event.uid), meetingUrl: null })
    expect(written.id).toMatch(/^[a-v0-9]{5,1024}$/)
    const [listed] = await client.listEvents(WINDOW)
    expect(listed).toEqual({
      id: written.id,
      uid: event.uid,
      etag: written.etag,
      time: { start: event.start, end: event.end },
      busy: [{ start: event.start, end: event.end }],
    })
    const moved = { ...event, sequence: 1, start: event.start + DAY_MS, end: event.end + DAY_MS }
    const again = await client.writeEvent(moved, written)
    expect(again.id).toBe(written.id)
    expect((await client.findEvent(again.id))!.time).toEqual({ start: moved.start, end: moved.end })
    const { events, mails } = await world.look()
    expect(mails).toEqual([])
    expect(events).toMatchObject([{ summary: event.summary, location: 'Room 4', sequence: 1 }])
    expect(events[0]!.description).toContain('Ada Lovelace (ada@example.com)')
    expect(events[0]!.description).toContain('https://meet.example/x')
    await client.removeEvent(again.id)
    await client.removeEvent(again.id)
    await client.removeEvent('neverthere')
    expect(await client.findEvent(again.id)).toBeNull()
    expect((await world.look()).mails).toEqual([])
  })

  it('says what people wrote as they wrote it, and never as markup', async () => {
    const { world, client } = await openCalendar()
    const evil = 'Notes: <a href="https://evil.example">Join</a>\n<img src=x> & more'
    const attendees = [{ name: '<b>Ada</b>', email: 'ada@example.com' }]
    await client.writeEvent(sampleEvent(MONDAY, { description: evil, attendees, url: null }), null)
    const long = { uid: 'long@holdfast', description: `<${'&'.repeat(8000)}`, attendees: [], url: null }
    await client.writeEvent({ ...sampleEvent(MONDAY), ...long }, null)
    const plain = { uid: 'plain@holdfast', description: 'Tea\nand cake', attendees: [], url: null }
    await client.writeEvent({ ...sampleEvent(MONDAY), ...plain }, null)
    const texts = (await world.look()).events.map(({ description }) => description as string)
    expect(texts[0]).toBe(
      'Notes: &lt;a href="https://evil.example"&gt;Join&lt;/a&gt;<br>&lt;img src=x&gt; &amp; more' +
        '<br><br>&lt;b&gt;Ada&lt;/b&gt; (ada@example.com)',
    )
    expect(texts[1]).toMatch(/^&lt;(&amp;)+$/)
    expect(texts[1]!.length).toBeLessThanOrEqual(8000)
    expect(texts[2]).toBe('Tea\nand cake')
  })

  it('is one event when it is written twice', async () => {
    const { world, client } = await openCalendar()
    const event = sampleEvent(MONDAY)
    await client.writeEvent(event, null)
    const time = { start: event.start + DAY_MS, end: event.end + DAY_MS }
    const again = await client.writeEvent({ ...event, ...time, sequence: 1 }, null)
    expect(await client.listEvents(WINDOW)).toMatchObject([{ id: again.id, etag: again.etag, busy: [time] }])
    expect((await world.look()).events).toHaveLength(1)
  })

  it('comes back under its id after it was removed', async () => {
    const { client } = await openCalendar()
    const event = sampleEvent(MONDAY)
    const { id } = await client.writeEvent(event, null)
    await client.removeEvent(id)
    expect((await client.writeEvent({ ...event, sequence: 2 }, null)).id).toBe(id)
    expect(await client.listEvents(WINDOW)).toHaveLength(1)
  })

  it('is left alone when its owner changed or deleted it', async () => {
    const { world, client } = await openCalendar()
    const event = sampleEvent(MONDAY)
    const written = await client.writeEvent(event, null)
    await world.change(written.id, timed(MONDAY + 5 * HOUR_MS))
    await expect(client.writeEvent(event, written)).rejects.toMatchObject({ failure: 'changed' })
    const current = (await client.findEvent(written.id))!
    expect(current.time!.start).toBe(MONDAY + 5 * HOUR_MS)
    expect((await client.writeEvent(event, current)).id).toBe(written.id)
    await world.remove(written.id)
    for (const known of [current, { id: written.id, etag: null }, { id: 'nosuchevent', etag: null }]) {
      await expect(client.writeEvent(event, known)).rejects.toMatchObject({ failure: 'changed' })
    }
  })

  it('is somebody else’s when its owner made a copy of it', async () => {
    const { world, client } = await openCalendar()
    const event = sampleEvent(MONDAY)
    const { id } = await client.writeEvent(event, null)
    const { extendedProperties } = (await world.look()).events[0]!
    await world.seed([{ ...timed(MONDAY + DAY_MS), id: 'copy1', extendedProperties }])
    const events = await client.listEvents(WINDOW)
    expect(events.map(({ id: one, uid }) => [one, uid])).toEqual([
      [id, event.uid],
      ['copy1', 'copy1@google.com'],
    ])
  })

  it.each(['ready', 'pending'] as const)('gets a meeting that is %s', async (meeting) => {
    const { world, client } = await openCalendar()
    await world.set({ meeting })
    const event = sampleEvent(MONDAY, { wantsMeeting: true })
    const written = await client.writeEvent(event, null)
    expect(written.meetingUrl).toBe(`https://meet.google.com/${event.uid.slice(0, 12)}`)
    const again = await client.writeEvent({ ...event, sequence: 1 }, written)
    expect(again.meetingUrl).toBe(written.meetingUrl)
  })

  it('gets a meeting when it is wanted later, and has none when Google makes none', async () => {
    const { world, client } = await openCalendar()
    const event = sampleEvent(MONDAY)
    const plain = await client.writeEvent(event, null)
    expect(plain.meetingUrl).toBeNull()
    await world.set({ meeting: 'failed' })
    const failed = await client.writeEvent({ ...event, wantsMeeting: true }, plain)
    expect(failed.meetingUrl).toBeNull()
    await world.set({ meeting: 'ready' })
    const made = await client.writeEvent({ ...event, wantsMeeting: true }, failed)
    expect(made.meetingUrl).toContain('https://meet.google.com/')
  })

  it('tells refusals and bad moments apart', async () => {
    const { world, client } = await openCalendar()
    const forbid = (reason: string) =>
      world.set({ failures: 1, failureStatus: 403, failureBody: { error: { errors: [{ reason }] } } })
    await forbid('userRateLimitExceeded')
    await expect(client.writeEvent(sampleEvent(MONDAY), null)).rejects.toMatchObject({
      failure: 'unavailable',
    })
    await forbid('insufficientPermissions')
    await expect(client.writeEvent(sampleEvent(MONDAY), null)).rejects.toMatchObject({ failure: 'refused' })
    await world.end('revoked')
    await expect(client.removeEvent('x')).rejects.toMatchObject({ failure: 'revoked' })
  })
})

describe('the id of an event', () => {
  it('is base32hex of its UID', () => {
    // RFC 4648, section 10.
    expect(['f', 'fo', 'foo', 'foob', 'fooba', 'foobar'].map(eventIdOf)).toEqual([
      'co',
      'cpng',
      'cpnmu',
      'cpnmuog',
      'cpnmuoj1',
      'cpnmuoj1e8',
    ])
    expect(eventIdOf('Größe')).not.toBe(eventIdOf('Grosse'))
  })
})
