import { describe, expect, inject, it } from 'vitest'
import type { CalendarClient, ExternalEvent } from '../../src/providers/calendar/calendar-client.ts'
import { zoneOfEitherName } from '../../src/providers/calendar/windows-zones.ts'
import { openMicrosoftAccount } from '../../src/providers/microsoft/microsoft-account.ts'
import { isTimeZone } from '../../src/scheduling/local-time.ts'
import { connect, doorOf } from '../support/doubles/connect.ts'
import { openWorld } from '../support/doubles/control.ts'
import { CALENDAR_ID } from '../support/doubles/credentials.ts'
import { sampleEvent } from '../support/doubles/sample-event.ts'

const HOUR_MS = 3_600_000
const DAY_MS = 24 * HOUR_MS
const MONDAY = Date.UTC(2026, 2, 9)
const WINDOW = { start: MONDAY, end: MONDAY + 60 * DAY_MS }

async function openCalendar(timezone: string | null = 'Europe/Berlin') {
  const world = openWorld(inject('doubles'), 'microsoft')
  const { account } = await connect('calendar_b', world)
  return {
    world,
    account,
    client: openMicrosoftAccount(doorOf(account)).openCalendar({ calendarId: CALENDAR_ID, timezone }),
  }
}

const at = (instant: number) => new Date(instant).toISOString().slice(0, 19)
const timed = (start: number, hours = 1) => ({ start: at(start), end: at(start + hours * HOUR_MS) })
const weekly = (count: number) => ({
  ...timed(MONDAY),
  id: 'AAMkSeries=',
  occurrences: Array.from({ length: count }, (_, week) => ({
    id: `occurrence-${week}`,
    ...timed(MONDAY + week * 7 * DAY_MS),
  })),
})

const busyOf = (events: readonly ExternalEvent[]) => events.flatMap(({ busy }) => busy)
const sync = (client: CalendarClient, cursor: string | null, window = WINDOW) =>
  client.listChanges(window, { cursor, etags: async () => new Map() })

describe('a Microsoft account', () => {
  it('is known by its address, its default calendar and the zone of its mailbox', async () => {
    const { account } = await openCalendar()
    const client = openMicrosoftAccount(doorOf(account))
    expect(await client.identify()).toEqual({ email: 'owner@example.com' })
    expect(await client.listCalendars()).toMatchObject([
      { externalId: CALENDAR_ID, isPrimary: true, canWrite: true, timezone: 'Europe/Berlin' },
    ])
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
})

describe('the events of a Microsoft calendar', () => {
  it('block when they take time of their owner, and only then', async () => {
    const { world, client } = await openCalendar()
    const hour = (index: number, more = {}) => ({ ...timed(MONDAY + index * HOUR_MS), ...more })
    await world.seed([
      hour(0),
      hour(1, { showAs: 'free' }),
      hour(2, { showAs: 'workingElsewhere' }),
      hour(3, { showAs: 'tentative' }),
      hour(4, { showAs: 'oof' }),
      hour(5, { isCancelled: true }),
      hour(6, { responseStatus: { response: 'declined' } }),
      hour(7, { responseStatus: { response: 'tentativelyAccepted' } }),
    ])
    const events = await client.listEvents(WINDOW)
    expect(busyOf(events).map(({ start }) => (start - MONDAY) / HOUR_MS)).toEqual([0, 3, 4, 7])
    expect(events.find(({ time }) => time === null)).toBeDefined()
  })

  it('last from midnight to midnight of the mailbox when they last all day', async () => {
    const { world, client } = await openCalendar()
    await world.seed([{ start: '2026-03-29T00:00:00', end: '2026-03-30T00:00:00', isAllDay: true }])
    expect(busyOf(await client.listEvents(WINDOW))).toEqual([
      { start: Date.UTC(2026, 2, 28, 23), end: Date.UTC(2026, 2, 29, 22) },
    ])
  })

  it('of a series are one, with the time of every occurrence', async () => {
    const { world, client } = await openCalendar()
    const series = weekly(4)
    Object.assign(series.occurrences[2]!, { showAs: 'free' })
    await world.seed([series])
    const events = await client.listEvents(WINDOW)
    expect(events).toMatchObject([{ id: 'AAMkSeries=', time: { start: MONDAY }, etag: null }])
    expect(busyOf(events).map(({ start }) => (start - MONDAY) / DAY_MS)).toEqual([0, 7, 21])
  })

  it('are asked for one by one', async () => {
    const { world, client } = await openCalendar()
    const [id] = await world.seed([timed(MONDAY)])
    expect(await client.findEvent(id!)).toMatchObject({ id, time: { start: MONDAY, end: MONDAY + HOUR_MS } })
    await world.remove(id!)
    expect(await client.findEvent(id!)).toBeNull()
  })

  it('that make no sense are left out and counted', async () => {
    const { world, client } = await openCalendar()
    await world.seed([timed(MONDAY), { ...timed(MONDAY), iCalUId: 7 }])
    const { changed, skipped } = await sync(client, null)
    expect([changed.length, skipped]).toEqual([1, 1])
  })
})

describe('the sync of a Microsoft calendar', () => {
  it('reads every page, far beyond the first 250 events', async () => {
    const { world, client } = await openCalendar()
    const many = Array.from({ length: 702 }, (_, index) => timed(MONDAY + index * HOUR_MS))
    await world.seed(many)
    const first = await sync(client, null)
    expect(first.changed).toHaveLength(702)
    expect(first).toMatchObject({ isComplete: true, skipped: 0 })
    await world.seed(many.slice(0, 301))
    const second = await sync(client, first.cursor)
    expect([second.changed.length, second.isComplete]).toEqual([301, false])
  })

  it('then tells what changed and what is gone', async () => {
    const { world, client } = await openCalendar()
    const [, moved, removed] = await world.seed([0, 1, 2].map((index) => timed(MONDAY + index * HOUR_MS)))
    const { cursor } = await sync(client, null)
    expect(await sync(client, cursor)).toMatchObject({ changed: [], gone: [], isComplete: false })
    await world.change(moved!, timed(MONDAY + 9 * HOUR_MS))
    await world.remove(removed!)
    const [added] = await world.seed([timed(MONDAY + 20 * HOUR_MS)])
    const changes = await sync(client, cursor)
    expect(changes.changed.map(({ id }) => id)).toEqual([moved, added])
    expect(changes.changed[0]!.busy[0]!.start).toBe(MONDAY + 9 * HOUR_MS)
    expect(changes.gone).toEqual([removed])
    expect((await sync(client, changes.cursor)).changed).toEqual([])
  })

  it('tells an event that was moved far away from one that is gone', async () => {
    const { world, client } = await openCalendar()
    const [moved, removed] = await world.seed([timed(MONDAY), timed(MONDAY + HOUR_MS)])
    const { cursor } = await sync(client, null)
    const start = WINDOW.end + 90 * DAY_MS
    await world.change(moved!, timed(start))
    await world.remove(removed!)
    const { changed, gone } = await sync(client, cursor)
    expect(changed).toMatchObject([{ id: moved, time: { start, end: start + HOUR_MS }, busy: [] }])
    expect(gone).toEqual([removed])
  })

  it('asks for a changed series as a whole, since the delta hides what was deleted of it', async () => {
    const { world, client } = await openCalendar()
    const series = weekly(4)
    await world.seed([{ ...series, showAs: 'busy' }])
    const { cursor } = await sync(client, null)
    await world.change(series.id, { occurrences: series.occurrences.filter((_, week) => week !== 1) })
    const { changed, gone, cursor: next } = await sync(client, cursor)
    expect(gone).toEqual([])
    expect(busyOf(changed).map(({ start }) => (start - MONDAY) / DAY_MS)).toEqual([0, 14, 21])
    await world.change(series.id, { showAs: 'free' })
    expect((await sync(client, next)).changed).toMatchObject([{ id: series.id, busy: [] }])
    await world.remove(series.id)
    expect((await sync(client, next)).gone).toEqual([series.id])
  })

  it('reads everything when very many series changed', async () => {
    const { world, client } = await openCalendar()
    const { cursor } = await sync(client, null)
    await world.seed(Array.from({ length: 21 }, (_, index) => ({ ...weekly(2), id: `series-${index}` })))
    const changes = await sync(client, cursor)
    expect([changes.isComplete, changes.changed.length]).toEqual([true, 21])
    expect((await sync(client, changes.cursor)).changed).toEqual([])
  })

  it('begins anew when the delta is known no more, or the window leaves it', async () => {
    const { world, client } = await openCalendar()
    await world.seed([timed(MONDAY)])
    const { cursor } = await sync(client, null)
    const later = { start: WINDOW.start + 2 * DAY_MS, end: WINDOW.end + 2 * DAY_MS }
    expect((await sync(client, cursor, later)).isComplete).toBe(true)
    expect((await sync(client, 'nonsense')).isComplete).toBe(true)
    await world.forget()
    expect(await sync(client, cursor)).toMatchObject({ isComplete: true, changed: [{}] })
  })

  it('follows no link to another host', async () => {
    const { client } = await openCalendar()
    const window = [WINDOW.start - DAY_MS, WINDOW.end + DAY_MS]
    const cursor = JSON.stringify([...window, 'https://evil.example/delta?token=1'])
    await expect(sync(client, cursor)).rejects.toMatchObject({ failure: 'unusable' })
  })

  it('fails when Graph is busy, and goes on from the same place', async () => {
    const { world, client } = await openCalendar()
    const { cursor } = await sync(client, null)
    await world.set({ failures: 1, failureStatus: 429, retryAfter: '9' })
    await expect(sync(client, cursor)).rejects.toMatchObject({ failure: 'unavailable', retryAfterMs: 9000 })
    expect((await sync(client, cursor)).isComplete).toBe(false)
  })
})

describe('an event in a Microsoft calendar', () => {
  it('is written, found by its UID, moved and removed, and nobody is mailed', async () => {
    const { world, client } = await openCalendar()
    const { cursor } = await sync(client, null)
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
    expect((await sync(client, cursor)).changed).toEqual([expected])
    expect(await client.findEvent(written.id)).toEqual(expected)
    const moved = { ...event, sequence: 1, start: event.start + DAY_MS, end: event.end + DAY_MS }
    const again = await client.writeEvent(moved, written)
    expect(again.id).toBe(written.id)
    expect((await client.findEvent(again.id))!.time).toEqual({ start: moved.start, end: moved.end })
    const { events, mails } = await world.look()
    expect(mails).toEqual([])
    expect(events).toMatchObject([{ subject: event.summary, location: { displayName: 'Room 4' } }])
    expect(events[0]!.body.content).toContain('Ada Lovelace (ada@example.com)')
    await client.removeEvent(again.id)
    await client.removeEvent(again.id)
    expect(await client.findEvent(again.id)).toBeNull()
  })

  it.each(['answer', 'refuse'] as const)(
    'is one event when it is written twice and Graph does %s',
    async (duplicates) => {
      const { world, client } = await openCalendar()
      await world.set({ duplicates })
      const event = sampleEvent(MONDAY, { uid: "o'hara@holdfast.test" })
      const first = await client.writeEvent(event, null)
      const time = { start: event.start + DAY_MS, end: event.end + DAY_MS }
      const moved = { ...event, ...time, sequence: 1 }
      const again = await client.writeEvent(moved, null)
      expect(again.id).toBe(first.id)
      expect(await client.listEvents(WINDOW)).toMatchObject([
        { id: first.id, uid: event.uid, etag: again.etag, busy: [time] },
      ])
      expect((await client.writeEvent(moved, null)).id).toBe(first.id)
      expect((await world.look()).events).toHaveLength(1)
    },
  )

  it('is left alone when its owner changed or deleted it', async () => {
    const { world, client } = await openCalendar()
    const event = sampleEvent(MONDAY)
    const written = await client.writeEvent(event, null)
    await world.change(written.id, timed(MONDAY + 5 * HOUR_MS))
    await expect(client.writeEvent(event, written)).rejects.toMatchObject({ failure: 'changed' })
    const current = (await client.findEvent(written.id))!
    expect(current.time!.start).toBe(MONDAY + 5 * HOUR_MS)
    await world.remove(written.id)
    await expect(client.writeEvent(event, current)).rejects.toMatchObject({ failure: 'changed' })
  })

  it.each(['ready', 'pending'] as const)(
    'gets a Teams meeting that is %s, and keeps it when it moves',
    async (meeting) => {
      const { world, client } = await openCalendar()
      await world.set({ meeting })
      const event = sampleEvent(MONDAY, { wantsMeeting: true })
      const written = await client.writeEvent(event, null)
      expect(written.meetingUrl).toBe(`https://teams.microsoft.com/l/meetup-join/${event.uid}`)
      const moved = { ...event, sequence: 1, start: event.start - HOUR_MS }
      expect((await client.writeEvent(moved, written)).meetingUrl).toBe(written.meetingUrl)
    },
  )

  it('tells refusals and withdrawn access apart', async () => {
    const { world, client } = await openCalendar()
    await world.set({
      failures: 1,
      failureStatus: 403,
      failureBody: { error: { code: 'ErrorAccessDenied' } },
    })
    await expect(client.writeEvent(sampleEvent(MONDAY), null)).rejects.toMatchObject({ failure: 'refused' })
    await world.end('expired')
    await expect(client.removeEvent('x')).rejects.toMatchObject({ failure: 'expired' })
  })
})
