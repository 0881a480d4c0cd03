import { openCaldav } from '../../doubles/caldav/open-caldav.ts'
import { startDoubles } from '../../doubles/start-doubles.ts'
import type { Trouble } from '../../doubles/world.ts'
import type { Json } from './caller.ts'
import type { Draws } from './operation.ts'

export type Calendars = Awaited<ReturnType<typeof openCalendars>>

/** An event in a calendar: its name there, its UID and when it begins. */
export type CalendarEvent = {
  readonly name: string
  readonly uid: string
  readonly startsAt: number
  readonly endsAt: number
}

const CALENDAR = 'work'
const HALF_HOUR_MS = 1_800_000
const OURS = '@holdfast'

const bookingOf = ({ uid }: CalendarEvent): string => uid.slice(0, -OURS.length)
export const isOurs = ({ uid }: CalendarEvent): boolean => uid.endsWith(OURS)

/** The double of a CalDAV server, with an account of its own for each organization. */
export async function openCalendars() {
  const doubles = await startDoubles({ caldav: openCaldav })
  const control = async (of: string, method: string, path = '', body?: unknown): Promise<any> => {
    const given = body === undefined ? {} : { body: JSON.stringify(body) }
    const response = await fetch(`${doubles.url}/caldav/${of}/control${path}`, { method, ...given })
    const text = await response.text()
    return text === '' ? null : JSON.parse(text)
  }
  const eventsOf = async (of: string): Promise<CalendarEvent[]> => {
    const { events } = await control(of, 'GET')
    return events
      .filter((one: Json) => one.calendar === CALENDAR && !one.is_deleted)
      .map(({ id, uid, text }: Json) => ({
        name: id,
        uid,
        startsAt: instantIn(text, 'DTSTART'),
        endsAt: instantIn(text, 'DTEND'),
      }))
  }
  const pathOf = (name: string) => `/events/${encodeURIComponent(name)}`
  return {
    stop: () => doubles.stop(),
    eventsOf,
    /** What connects the account. */
    open: async (of: string): Promise<Json> => {
      await control(of, 'PUT', '', { server: 'sabredav' })
      const { username, password, url, calendars } = await control(of, 'GET')
      const { url: calendar_url } = calendars.find(({ id }: Json) => id === CALENDAR)
      return { preset: 'custom', username, password, server_url: url, calendar_url }
    },
    add: (of: string, start: string): Promise<unknown> =>
      control(of, 'POST', '/events', { calendar: CALENDAR, events: [timesOf(start)] }),
    remove: (of: string, name: string): Promise<unknown> => control(of, 'DELETE', pathOf(name)),
    /** Moves the event of a booking, or does nothing if it was not written yet. */
    drag: async (of: string, bookingId: string, start: string): Promise<void> => {
      const event = (await eventsOf(of)).find((one) => isOurs(one) && bookingOf(one) === bookingId)
      if (event) await control(of, 'PATCH', pathOf(event.name), timesOf(start))
    },
    drop: async (of: string, bookingId: string): Promise<void> => {
      const event = (await eventsOf(of)).find((one) => isOurs(one) && bookingOf(one) === bookingId)
      if (event) await control(of, 'DELETE', pathOf(event.name))
    },
    /** One of the next calls fails, before or after it is carried out. */
    trouble: async (of: string, { below, pick }: Draws): Promise<void> => {
      const trouble: Trouble = {
        about: pick(['PUT /', 'PUT /', 'DELETE /', 'REPORT /']),
        isCarriedOut: below(2) === 0,
        ...pick<Partial<Trouble>>([{ does: 'drops' }, { does: 'answers', status: 503 }]),
      }
      await control(of, 'PUT', '/troubles', [trouble])
    },
    calm: (of: string): Promise<unknown> => control(of, 'DELETE', '/troubles'),
  }
}

function timesOf(start: string): Json {
  const at = (instant: number) => `${new Date(instant).toISOString().slice(0, 19)}Z`
  const startsAt = Date.parse(start)
  return { start: at(startsAt), end: at(startsAt + HALF_HOUR_MS) }
}

function instantIn(text: string, property: 'DTSTART' | 'DTEND'): number {
  const [, day, time] = new RegExp(`^${property}[^:]*:(\\d{8})T(\\d{6})Z`, 'm').exec(text) ?? []
  if (!day || !time) throw new Error(`no ${property} in ${text}`)
  const parts = [day.slice(0, 4), day.slice(4, 6), day.slice(6)].join('-')
  return Date.parse(`${parts}T${time.slice(0, 2)}:${time.slice(2, 4)}:${time.slice(4)}Z`)
}
