import { randomUUID } from 'node:crypto'
import { openCaldavAccount } from '../../src/calendars/caldav/caldav-account.ts'
import { discoverAccount } from '../../src/calendars/caldav/discover-account.ts'
import { SignIn } from '../../src/calendars/caldav/sign-in.ts'
import type { CalendarEvent } from '../../src/platform/icalendar/calendar-event.ts'
import type { Server } from './servers.ts'

export const HOUR_MS = 3_600_000
export const DAY_MS = 24 * HOUR_MS
export const SLOT = Math.ceil(Date.now() / DAY_MS) * DAY_MS + 7 * DAY_MS + 10 * HOUR_MS
export const WINDOW = { start: SLOT - 30 * DAY_MS, end: SLOT + 60 * DAY_MS }
export const NOTHING = { cursor: null, etags: async () => new Map<string, string>() }

/** An account on a server: as the service sees it, and as its owner's own program does. */
export function accountOn(server: Server, password = server.password) {
  const { username } = server
  const options = (serverUrl: string) => ({
    fetch: (url: string, init?: RequestInit) => fetch(url, init),
    serverUrl,
    signIn: new SignIn({ username, password, scheme: null }),
    ownerAddresses: [],
    fallbackZone: 'Europe/Berlin',
    mayReach: () => true,
  })
  const authorization = `Basic ${Buffer.from(`${username}:${password}`).toString('base64')}`
  async function dav(method: string, url: string, body?: string, more: Record<string, string> = {}) {
    const type = method === 'PUT' ? 'text/calendar; charset=utf-8' : 'application/xml'
    const headers = { Authorization: authorization, 'Content-Type': type, ...more }
    const send = () => fetch(url, { method, headers, ...(body !== undefined && { body }) })
    // SOGo ends connections and does not say so.
    const response = await send().catch(send)
    return { status: response.status, text: await response.text() }
  }
  async function must(method: string, url: string, body?: string, more: Record<string, string> = {}) {
    const { status, text } = await dav(method, url, body, more)
    if (status < 200 || status > 299) throw new Error(`${method} ${url}: ${status} ${text.slice(0, 200)}`)
    return text
  }
  const account = openCaldavAccount(options(server.home))
  const open = (url: string) => account.openCalendar({ calendarId: url, timezone: null })
  const newCalendar = async (name: string = randomUUID()) => {
    const url = `${server.home}${name}/`
    const set = `<D:set><D:prop><D:displayname>${name}</D:displayname></D:prop></D:set>`
    const body = `<C:mkcalendar xmlns:D="DAV:" xmlns:C="urn:ietf:params:xml:ns:caldav">${set}</C:mkcalendar>`
    // SOGo makes no second one in the same second.
    for (let tries = 0; tries < 3; tries++) {
      if ((await dav('MKCALENDAR', url, body)).status < 300) return url
      await new Promise((done) => setTimeout(done, 1_100))
    }
    await must('MKCALENDAR', url, body)
    return url
  }
  return {
    account,
    open,
    newCalendar,
    dav,
    must,
    discover: (serverUrl: string) => discoverAccount(options(serverUrl)),
    put: (calendar: string, uid: string, ...lines: readonly string[]) =>
      must('PUT', `${calendar}${uid}.ics`, calendarOf(uid, ...lines)),
    remove: (calendar: string, uid: string) => must('DELETE', `${calendar}${uid}.ics`),
  }
}

export type Account = ReturnType<typeof accountOn>

export function calendarOf(uid: string, ...lines: readonly string[]): string {
  const event = ['BEGIN:VEVENT', `UID:${uid}`, 'DTSTAMP:20260101T000000Z', ...lines, 'END:VEVENT']
  return ['BEGIN:VCALENDAR', 'VERSION:2.0', 'PRODID:-//Test//EN', ...event, 'END:VCALENDAR', ''].join('\r\n')
}

/** The lines of an hour that begins so many hours after the first one. */
export function hour(after: number): string[] {
  const stamp = (at: number) => new Date(at).toISOString().replace(/[-:]|\.\d+/g, '')
  const start = SLOT + after * HOUR_MS
  return [`DTSTART:${stamp(start)}`, `DTEND:${stamp(start + HOUR_MS)}`]
}

export function newBooking(): CalendarEvent {
  return {
    uid: `${randomUUID()}@holdfast`,
    sequence: 0,
    start: SLOT,
    end: SLOT + HOUR_MS,
    stamp: SLOT - 3 * DAY_MS,
    summary: 'Intro · Zoë',
    description: 'Line one\nLine two; with, all \\ signs 🎉',
    location: 'Saal 1; Haus B,\nHinterhof',
    url: 'https://example.com/b?x=1&y=2',
    organizer: { name: 'Grace', email: 'grace@example.com' },
    attendees: [{ name: 'Ada "Ace" L', email: 'ada@example.org' }],
    wantsMeeting: false,
  }
}
