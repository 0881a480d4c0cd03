import { describe, expect, it } from 'vitest'
import { openCaldavAccount } from '../../src/calendars/caldav/caldav-account.ts'
import { discoverAccount } from '../../src/calendars/caldav/discover-account.ts'
import { SignIn } from '../../src/calendars/caldav/sign-in.ts'
import type { CalendarEvent } from '../../src/platform/icalendar/calendar-event.ts'
import { openWorld } from '../support/world.ts'

const HOUR = 3_600_000
const DAY = 24 * HOUR
const SLOT = Math.ceil(Date.now() / DAY) * DAY + 7 * DAY
const WINDOW = { start: SLOT - 30 * DAY, end: SLOT + 30 * DAY }

const BOOKING: CalendarEvent = {
  uid: '0192f1e0-7c11-7000-8000-3b1f0a5d9c44@holdfast',
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

/** The calendar `work` of an account in a world of its own, followed by its cursor as a sync does. */
async function follow(
  settings: Record<string, unknown>,
  through: typeof fetch = (...asked) => fetch(...asked),
) {
  const world = openWorld('caldav')
  await world.set(settings)
  const shown: any = await world.look()
  const { username, password, url: serverUrl } = shown
  const calendarId = shown.calendars.find(({ id }: { id: string }) => id === 'work').url
  const options = {
    fetch: (url: string, init?: RequestInit) => through(url, init),
    serverUrl,
    signIn: new SignIn({ username, password, scheme: 'basic' }),
    ownerAddresses: [],
    fallbackZone: 'UTC',
    mayReach: () => true,
  }
  const client = openCaldavAccount(options).openCalendar({ calendarId, timezone: null })
  const known = new Map<string, { uid: string; etag: string | null }>()
  let cursor: string | null = null
  const sync = async (isThorough = false) => {
    const etags = async () =>
      new Map([...known].flatMap(([id, { etag }]) => (etag ? [[id, etag] as const] : [])))
    const told = await client.listChanges(WINDOW, { cursor, etags, isThorough })
    if (told.isComplete) known.clear()
    for (const id of told.gone) known.delete(id)
    for (const { id, uid, etag } of told.changed) known.set(id, { uid, etag })
    cursor = told.cursor
    return [...known.values()].map(({ uid }) => uid).sort()
  }
  const at = (uid: string, days: number) => ({
    uid,
    start: new Date(SLOT + days * DAY).toISOString().replace('.000', ''),
    end: new Date(SLOT + days * DAY + HOUR).toISOString().replace('.000', ''),
  })
  const seed = (...uids: string[]) => world.seed(uids.map(at), undefined, 'work')
  const remake = (goesOn = false) => world.control('POST', '/calendars/work/remake', { goesOn })
  return { world, options, client, calendarId, sync, seed, remake }
}

describe('a sync token that is not refused though it is unknown', () => {
  it('is noticed by a thorough sync if everything comes without deletions (DAViCal)', async () => {
    const { sync, seed, remake } = await follow({ unknownToken: 'everything' })
    await seed('a', 'b', 'c', 'd')
    expect(await sync()).toEqual(['a', 'b', 'c', 'd', 'work-1@double'])
    await remake(true)
    await seed('b', 'e')
    expect(await sync()).toEqual(['a', 'b', 'c', 'd', 'e', 'work-1@double'])
    expect(await sync(true)).toEqual(['b', 'e'])
  })

  it('is noticed at once if the calendar counts from a smaller number (SabreDAV)', async () => {
    const { sync, seed, remake } = await follow({ server: 'sabredav', unknownToken: 'nothing' })
    await seed('a', 'b', 'c')
    expect(await sync()).toHaveLength(4)
    await remake()
    await seed('n')
    expect(await sync()).toEqual(['n'])
    await seed('m', 'n')
    expect(await sync()).toEqual(['m', 'n'])
  })

  it('is noticed by a thorough sync if the calendar counts as far as before', async () => {
    const { sync, seed, remake } = await follow({ server: 'sabredav', unknownToken: 'nothing' })
    await seed('a', 'b')
    expect(await sync()).toHaveLength(3)
    await remake()
    await seed('n', 'm', 'o')
    expect(await sync()).toEqual(['a', 'b', 'work-1@double'])
    expect(await sync(true)).toEqual(['m', 'n', 'o'])
    expect(await sync(true)).toEqual(['m', 'n', 'o'])
  })

  it('is noticed by a thorough sync if the server has no tokens and the tag is the same', async () => {
    const { sync, seed, remake } = await follow({ tokenRefusal: null })
    await seed('a', 'b')
    await sync()
    await remake()
    await seed('n', 'm', 'o')
    expect(await sync()).toContain('a')
    expect(await sync(true)).toEqual(['m', 'n', 'o'])
  })
})

describe('the first sync token', () => {
  it('is one that a report gave, because a property may be ahead (SOGo)', async () => {
    const { sync, seed } = await follow({ server: 'sogo', isTokenAhead: true })
    await sync()
    await seed('next')
    expect(await sync()).toEqual(['next', 'work-1@double'])
  })

  it('is the property if the report is not answered', async () => {
    const refusing: typeof fetch = async (url, init) =>
      String(init?.body).includes('<D:sync-token></D:sync-token>')
        ? new Response('', { status: 500 })
        : fetch(url, init)
    const { sync, seed } = await follow({}, refusing)
    expect(await sync()).toEqual(['work-1@double'])
    await seed('next')
    expect(await sync()).toEqual(['next', 'work-1@double'])
  })
})

describe('the default calendar', () => {
  it.each(['principal', 'inbox', null])('is the one that is named at the %s', async (defaultAt) => {
    for (const server of ['nextcloud', 'sabredav', 'cyrus']) {
      const { options, calendarId } = await follow({ server, defaultAt })
      const { main } = await discoverAccount(options)
      expect([server, main.externalId === calendarId]).toEqual([server, defaultAt !== null])
    }
  })
})

describe('an event that its owner deleted', () => {
  it.each(['nextcloud', 'sogo'])('is not brought back by a change of its booking: %s', async (server) => {
    const { client, world } = await follow({ server })
    const written = await client.writeEvent(BOOKING, null)
    await world.remove(`${BOOKING.uid}.ics`)
    const failure = await client
      .writeEvent({ ...BOOKING, sequence: 1 }, written)
      .catch((error) => error.failure)
    expect(failure).toBe('changed')
    expect(await client.findEvent(written.id)).toBeNull()
  })
})

describe('a connection that breaks at once', () => {
  const breaking = (times: number) => {
    const asked: string[] = []
    const through: typeof fetch = async (url, init) => {
      if (asked.push(init!.method!) <= times) throw new TypeError('Network connection lost.')
      return fetch(url, init)
    }
    return { through, asked }
  }

  it('is tried again once', async () => {
    const { through, asked } = breaking(1)
    const { client } = await follow({}, through)
    await client.writeEvent(BOOKING, null)
    expect(asked).toEqual(['PUT', 'PUT'])
  })

  it('and again fails', async () => {
    const { through, asked } = breaking(2)
    const { client } = await follow({}, through)
    expect(await client.listEvents(WINDOW).catch((error) => error.failure)).toBe('unavailable')
    expect(asked).toHaveLength(2)
  })
})
