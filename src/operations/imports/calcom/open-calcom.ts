import { type Asking, askSource, type Json } from '../ask-source.ts'
import { readable, recordsOf } from '../readable.ts'
import { type Found, type FoundSchedule, type Source, SourceError } from '../source.ts'
import { emailOf, lineOf } from '../text-of.ts'
import { leftOut } from '../whys.ts'
import { type Booking, bookingOf } from './booking-of.ts'
import type { EventType } from './event-type.ts'
import { eventTypeOf } from './event-type-of.ts'
import { type Hours, scheduleOf } from './schedule-of.ts'
import type { User } from './user.ts'

/** Version 2, which has versions of its own for each address. */
export const CALCOM_API = 'https://api.cal.com/v2'

const SCHEDULES = '2024-06-11'
const EVENT_TYPES = '2024-06-14'
const BOOKINGS = '2024-08-13'

const A_PAGE = 100
/** More pages than that are not read: of all that an account has. */
const MOST_PAGES = 200

/** Recurring and unconfirmed ones are among the upcoming ones too. */
const STATUSES = 'upcoming,recurring,unconfirmed'

/** An account at Cal.com, by an API key: cal.com/docs/api-reference/v2. */
export function openCalcom(asking: Asking, key: string, now: number): Source {
  const ask = (
    path: string,
    version: string | null,
    query: Readonly<Record<string, string | number>> = {},
  ) => {
    const headers = { Authorization: `Bearer ${key}`, ...(version && { 'cal-api-version': version }) }
    return askSource(asking, path, query, headers)
  }

  /** All of a list; nothing if there is no such list, or if it may not be read. */
  async function list(path: string, version: string | null, query = {}): Promise<unknown[] | null> {
    try {
      const { data } = await ask(path, version, query)
      return Array.isArray(data) ? data : []
    } catch (error) {
      if (!(error instanceof SourceError)) throw error
      if (error.kind === 'missing') return []
      if (error.kind === 'not_allowed') return null
      throw error
    }
  }

  /** Lists without pages answer every question with all of it. */
  async function* pages<T>(path: string, version: string | null, query: Json): AsyncGenerator<T> {
    for (let page = 0; page < MOST_PAGES; page++) {
      const found = await list(path, version, { ...query, take: A_PAGE, skip: page * A_PAGE })
      yield* recordsOf<T>(found)
      if (!found || found.length < A_PAGE) return
    }
  }

  async function* read(): AsyncGenerator<Found> {
    const me = userOf((await ask('/me', null)).data as Json)
    const people = new Map([[me.id, me]])
    const teams = recordsOf<{ readonly id: number }>(await list('/teams', null))
    for (const { id } of teams) {
      const memberships = pages<Membership>(`/teams/${id}/memberships`, null, {})
      for await (const { userId, accepted, user } of memberships) {
        if (accepted && typeof userId === 'number') people.set(userId, userOf({ ...user, id: userId }))
      }
    }

    const defaults = new Map<number, string>()
    const schedules = new Map<string, FoundSchedule>()
    for (const path of ['/schedules', ...teams.map(({ id }) => `/teams/${id}/schedules`)]) {
      const found = await list(path, SCHEDULES)
      if (found === null)
        yield { type: 'left_out', lost: leftOut({ part: 'hours_of_others' }, 'not_allowed') }
      for (const hours of recordsOf<Hours>(found)) {
        const owner = people.get(hours.ownerId)
        if (!owner || schedules.has(String(hours.id))) continue
        const schedule = readable(hours.name, () => scheduleOf(hours, owner))
        if (schedule.type === 'schedule') {
          schedules.set(schedule.id, schedule)
          if (schedule.isDefault) defaults.set(owner.id, schedule.id)
        }
        yield schedule
      }
    }

    const types = new Map<number, EventType>()
    for (const path of ['/event-types', ...teams.map(({ id }) => `/teams/${id}/event-types`)]) {
      for (const one of recordsOf<EventType>(await list(path, EVENT_TYPES))) {
        if (types.has(one.id)) continue
        types.set(one.id, one)
        yield readable(one.title, () => eventTypeOf(one, hostsOf(one, me, people), defaults))
      }
    }
    if (types.size > 0) {
      yield { type: 'left_out', lost: leftOut({ part: 'apps' }, 'not_told') }
    }

    const seen = new Set<string>()
    for (const path of ['/bookings', ...teams.map(({ id }) => `/teams/${id}/bookings`)]) {
      const query = { status: STATUSES, sortStart: 'asc' }
      for await (const booking of pages<Booking>(path, BOOKINGS, query)) {
        if (seen.has(booking.uid)) continue
        seen.add(booking.uid)
        const eventType = types.get(booking.eventTypeId ?? Number.NaN)
        const found = readable(booking.title, () => bookingOf(booking, eventType, people, now))
        if (found) yield found
      }
    }
  }

  return { name: 'calcom', check: async () => void userOf((await ask('/me', null)).data as Json), read }
}

type Membership = { readonly userId: number; readonly accepted: boolean; readonly user?: Json }

function userOf(data: Json | undefined): User {
  if (typeof data?.id !== 'number') throw new SourceError('unavailable')
  const name = lineOf(data.name, 100) ?? lineOf(data.username, 100) ?? ''
  return { id: data.id, name, email: emailOf(data.email) }
}

/** Those of a team's event type, or the person whose own it is. */
function hostsOf({ hosts, teamId }: EventType, me: User, people: ReadonlyMap<number, User>): readonly User[] {
  if (!teamId) return [me]
  return (hosts ?? []).map(({ userId, name }) => {
    return people.get(userId) ?? { id: userId, name: lineOf(name, 100) ?? '', email: null }
  })
}
