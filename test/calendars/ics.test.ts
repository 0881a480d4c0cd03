import { describe, expect, it } from 'vitest'
import type { Since } from '../../src/calendars/client/calendar-client.ts'
import { openIcsAccount } from '../../src/calendars/ics/ics-account.ts'
import { openWorld } from '../support/world.ts'

const HOUR = 3_600_000
const DAY = 24 * HOUR
const SLOT = Date.UTC(2030, 0, 7, 10)
const WINDOW = { start: SLOT - 30 * DAY, end: SLOT + 30 * DAY }
const AROUND = { start: SLOT - DAY, end: SLOT + DAY }
const EVENT = { uid: 'e1', start: '2030-01-07T10:00:00Z', end: '2030-01-07T11:00:00Z' }
const LATER = { uid: 'e2', start: '2030-01-08T10:00:00Z', end: '2030-01-08T11:00:00Z' }
const FIRST: Since = { cursor: null, etags: async () => new Map() }

/** A feed at a host of its own. */
async function newFeed(settings: Record<string, unknown> = {}, over: Record<string, unknown> = {}) {
  const world = openWorld('ics')
  const feed = (changes: Record<string, unknown>) =>
    world.control('PUT', '/feeds', { path: '/team.ics', ...changes })
  const { url } = await feed(settings)
  const answers: number[] = []
  const account = openIcsAccount({
    fetch: async (target, init) => {
      const response = await fetch(target, init)
      answers.push(response.status)
      return response
    },
    url: url as string,
    name: null,
    fallbackZone: 'Europe/Berlin',
    mayReach: (target) => new URL(target).hostname === '127.0.0.1',
    ...over,
  })
  const client = account.openCalendar({ calendarId: '', timezone: null })
  const seed = (...events: readonly unknown[]) => world.seed(events as any, undefined, '/team.ics')
  const busyOf = async () => (await client.listEvents(WINDOW)).flatMap(({ busy }) => busy)
  return { world, feed, account, client, seed, busyOf, answers, url: url as string }
}

function failureOf(promise: Promise<unknown>): Promise<string | null> {
  return promise.then(
    () => null,
    ({ failure }) => failure,
  )
}

/** What is known of a feed after an answer, as the service keeps it. */
function keeper(client: Awaited<ReturnType<typeof newFeed>>['client']) {
  let cursor: string | null = null
  const etags = new Map<string, string>()
  return async () => {
    const told = await client.listChanges(WINDOW, { cursor, etags: async () => etags })
    for (const id of told.gone) etags.delete(id)
    for (const { id, etag } of told.changed) etags.set(id, etag!)
    cursor = told.cursor
    return { isComplete: told.isComplete, changed: told.changed.map(({ uid }) => uid), gone: told.gone }
  }
}

describe('a feed', () => {
  it('is one calendar that is only read, by the name and in the zone that it says', async () => {
    const properties = { 'X-WR-CALNAME': 'Ada\\, Work', 'X-WR-TIMEZONE': 'America/New_York' }
    const { account, client, url } = await newFeed({ properties })
    const { host } = new URL(url)
    expect(await account.identify()).toEqual({ email: host })
    const listed = { externalId: host, isPrimary: true, canWrite: false }
    expect(await account.listCalendars()).toEqual([
      { ...listed, name: 'Ada, Work', timezone: 'America/New_York' },
    ])
    const plain = await newFeed({}, { name: 'Mine' })
    expect(await plain.account.listCalendars()).toMatchObject([{ name: 'Mine', timezone: null }])
    expect(await failureOf(client.removeEvent('e1'))).toBe('refused')
  })

  it.each([
    { contentType: 'text/plain' },
    { contentType: 'text/html' },
    { contentType: 'application/octet-stream' },
    { contentType: null },
    { lineEnd: 'LF' },
    { hasByteOrderMark: true },
    { gzip: 'asked' },
    { gzip: 'always', hasLength: false },
    { failure: 'wants a browser' },
    { padToBytes: 4_000_000 },
  ])('is read however its host gives it: %j', async (settings) => {
    const { seed, busyOf } = await newFeed(settings)
    await seed(EVENT)
    expect(await busyOf()).toEqual([{ start: SLOT, end: SLOT + HOUR }])
  })

  it('says times in zones of Windows that nothing describes, and days in its own zone', async () => {
    const { seed, account } = await newFeed({ properties: { 'X-WR-TIMEZONE': 'Tokyo Standard Time' } })
    await seed(
      {
        start: '2030-01-07T10:00:00',
        end: '2030-01-07T11:00:00',
        timeZone: 'W. Europe Standard Time',
        'x-microsoft-cdo-busystatus': 'BUSY',
      },
      { start: '2030-01-08', end: '2030-01-09' },
    )
    const [calendar] = await account.listCalendars()
    const client = account.openCalendar({ calendarId: '', timezone: calendar!.timezone })
    const midnight = Date.UTC(2030, 0, 7, 15)
    expect((await client.listEvents(WINDOW)).flatMap(({ busy }) => busy)).toEqual([
      { start: SLOT - HOUR, end: SLOT },
      { start: midnight, end: midnight + DAY },
    ])
  })

  it('leaves out what cannot be understood, does not block by free events, and knows events without a UID', async () => {
    const { feed, client } = await newFeed()
    const event = (lines: string) => `BEGIN:VEVENT\nDTSTAMP:20260101T000000Z\n${lines}\nEND:VEVENT`
    await feed({
      events: [
        event('UID:free\nDTSTART:20300107T100000Z\nDTEND:20300107T110000Z\nTRANSP:TRANSPARENT'),
        event('UID:broken\nDTSTART:yesterday'),
        event('DTSTART:20300107T120000Z\nDTEND:20300107T130000Z'),
        event('DTSTART:20300107T140000Z\nDTEND:20300107T150000Z'),
        event(
          'UID:flood\nDTSTART:20300107T100000Z\nDURATION:PT1S\nRRULE:FREQ=SECONDLY;BYMONTH=2;BYMONTHDAY=30',
        ),
        event('UID:past\nDTSTART:20200107T100000Z\nDTEND:20200107T110000Z'),
      ],
    })
    const { changed, unclear, isComplete } = await client.listChanges(WINDOW, FIRST)
    expect([changed.length, new Set(changed.map(({ id }) => id)).size]).toEqual([2, 2])
    expect([unclear.count, isComplete]).toEqual([2, true])
  })

  it('is read whole with five thousand events, and while others have their turns', async () => {
    const { feed, client } = await newFeed()
    const events = Array.from({ length: 5_000 }, (_, at) => {
      const stamp = new Date(WINDOW.start + at * 900_000).toISOString().replace(/[-:]|\.\d+/g, '')
      return `BEGIN:VEVENT\nUID:n${at}\nDTSTAMP:20260101T000000Z\nDTSTART:${stamp}\nDURATION:PT10M\nEND:VEVENT`
    })
    await feed({ events })
    let [turns, isOver] = [0, false]
    const reading = client.listChanges(WINDOW, FIRST).finally(() => {
      isOver = true
    })
    while (!isOver) {
      await new Promise((resolve) => setTimeout(resolve, 0))
      turns++
    }
    const { changed, unclear } = await reading
    expect([changed.length, unclear.count]).toEqual([5_000, 0])
    expect(turns).toBeGreaterThan(5)
  })
})

describe('what happened in a feed', () => {
  it.each([
    ['by its tag', {}],
    ['by its date', { etag: 'none' }],
    ['by a weak tag', { etag: 'weak' }],
    ['by neither', { etag: 'none', hasLastModified: false }],
    ['though each answer says that it was written now', { stampsEachAnswer: true }],
    ['though its host looks at no conditions', { answersConditions: false }],
  ])('is returned, and nothing if nothing happened: %s', async (_, settings) => {
    const { seed, client, world, feed } = await newFeed(settings)
    const look = keeper(client)
    await seed(EVENT, LATER)
    expect(await look()).toEqual({ isComplete: true, changed: ['e1', 'e2'], gone: [] })
    const nothing = { isComplete: false, changed: [], gone: [] }
    await world.setAhead(60_000)
    expect(await look()).toEqual(nothing)

    await world.change('e1', { start: EVENT.start, end: '2030-01-07T12:00:00Z' })
    expect(await look()).toEqual({ ...nothing, changed: ['e1'] })
    await world.remove('e2')
    expect(await look()).toEqual({ ...nothing, gone: ['e2'] })
    await feed({ properties: { 'X-WR-CALNAME': 'Renamed' } })
    expect(await look()).toEqual(nothing)
    expect(await look()).toEqual(nothing)
  })

  it.each([
    ['by the tag', {}, [200, 304]],
    ['by the date', { etag: 'none', changedAt: Date.now() - HOUR }, [200, 304]],
    ['not by a date that is too young to tell', { etag: 'none' }, [200, 200]],
  ])('is read without the body if its host says that nothing did: %s', async (_, settings, told) => {
    const { feed, seed, client, answers } = await newFeed()
    await seed(EVENT)
    await feed(settings)
    const look = keeper(client)
    await look()
    await look()
    expect(answers).toEqual(told)
  })
})

describe('a feed that cannot be read', () => {
  it.each([
    [{ failure: 'missing' }, 'absent'],
    [{ failure: 'gone' }, 'absent'],
    [{ failure: 'reset' }, 'absent'],
    [{ failure: 'login page' }, 'absent'],
    [{ text: '' }, 'absent'],
    [{ text: 'BEGIN:VCALENDAR\r\nVERSION:2.0\r\nBEGIN:VEVENT\r\n' }, 'unusable'],
    [{ failure: 'wants a password' }, 'refused'],
    [{ failure: 'broken' }, 'unavailable'],
    [{ failure: 'unavailable' }, 'unavailable'],
    [{ failure: 'too many' }, 'unavailable'],
    [{ padToBytes: 4_500_000 }, 'overlong'],
    [{ padToBytes: 4_500_000, hasLength: false, gzip: 'always' }, 'overlong'],
    [{ redirect: { to: 'http://10.0.0.1/x.ics', status: 302 } }, 'unusable'],
    [{ redirect: { to: 'file:///etc/passwd', status: 301 } }, 'unusable'],
    [{ redirect: { to: '/team.ics', status: 302 } }, 'unusable'],
  ] as const)('says why: %j is %s', async (settings, failure) => {
    const { client } = await newFeed(settings)
    expect(await failureOf(client.listChanges(WINDOW, FIRST))).toBe(failure)
    expect(await failureOf(client.listEvents(AROUND))).toBe(failure)
  })

  it('says when it wants to be asked again', async () => {
    const { client } = await newFeed({ failure: 'too many' })
    const error = await client.listEvents(AROUND).catch((reason) => reason)
    expect(error.retryAfterMs).toBe(3_600_000)
  })

  it('is waited for as long as the caller says', async () => {
    const { client, world } = await newFeed()
    await world.troubles([{ about: '/team.ics', does: 'hangs' }])
    expect(await failureOf(client.listEvents(AROUND, AbortSignal.timeout(200)))).toBe('unavailable')
  })

  it('may be somewhere else, which is asked first whether it may be reached', async () => {
    const asked: string[] = []
    const mayReach = (url: string) => {
      asked.push(new URL(url).pathname.split('/').at(-1)!)
      return true
    }
    const { feed, seed, world } = await newFeed({})
    await seed(EVENT)
    await world.control('PUT', '/feeds', { path: '/old.ics', redirect: { to: '/team.ics', status: 308 } })
    const { url } = await feed({})
    const account = openIcsAccount({
      fetch: (target, init) => fetch(target, init),
      url: url.replace('team.ics', 'old.ics'),
      name: null,
      fallbackZone: 'UTC',
      mayReach,
    })
    expect(await account.openCalendar({ calendarId: '', timezone: null }).listEvents(AROUND)).toMatchObject([
      { uid: 'e1' },
    ])
    expect(asked).toEqual(['old.ics', 'team.ics'])
  })
})
