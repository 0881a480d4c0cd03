import type { CalendarClient, ExternalEvent } from '../../src/calendars/client/calendar-client.ts'
import { openGoogleAccount } from '../../src/calendars/google/google-account.ts'
import { openWorld, type World } from './world.ts'
import { connectTo, doorTo } from './world-account.ts'

export const HOUR_MS = 3_600_000
export const DAY_MS = 24 * HOUR_MS
/** A Monday; Berlin changes its clocks on the 30th. */
export const MONDAY = Date.UTC(2031, 2, 10)
export const WINDOW = { start: MONDAY, end: MONDAY + 60 * DAY_MS }
export const OWNER = 'owner@example.com'

const API = '/calendar/v3/'

/** An account at a Google of its own. */
export async function openAccount() {
  const world = openWorld('google')
  const { account } = await connectTo('calendar_a', world)
  return { world, account, client: openGoogleAccount(doorTo(account)) }
}

/** The main calendar of such an account. */
export async function openCalendar(settings: Readonly<Record<string, unknown>> = {}) {
  const { world, account, client } = await openAccount()
  await world.set(settings)
  const calendar = { calendarId: OWNER, timezone: 'Europe/Berlin' }
  return { world, account, client: client.openCalendar(calendar) }
}

/** What the calendars are asked meanwhile. */
export async function callsDuring(world: World, work: () => Promise<unknown>): Promise<string[]> {
  const before = (await world.look()).calls!.length
  await work()
  const calls = (await world.look()).calls!.slice(before)
  return calls.map(({ method, path }) => `${method} ${path.replace(API, '')}`)
}

export const timed = (start: number, hours = 1) => ({
  start: { dateTime: new Date(start).toISOString(), timeZone: 'Europe/Berlin' },
  end: { dateTime: new Date(start + hours * HOUR_MS).toISOString(), timeZone: 'Europe/Berlin' },
})

export const busyOf = (events: readonly ExternalEvent[]) => events.flatMap(({ busy }) => busy)

export function sync(
  client: CalendarClient,
  cursor: string | null,
  { window = WINDOW, known = [] }: { window?: typeof WINDOW; known?: readonly ExternalEvent[] } = {},
) {
  const etags = new Map(known.map(({ id, etag }) => [id, etag ?? '']))
  return client.listChanges(window, { cursor, etags: async () => etags })
}
