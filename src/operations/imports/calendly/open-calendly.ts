import { type Asking, askSource, type Json } from '../ask-source.ts'
import { readable, recordsOf } from '../readable.ts'
import { type Found, type Source, SourceError } from '../source.ts'
import { emailOf, idIn, lineOf } from '../text-of.ts'
import { leftOut } from '../whys.ts'
import { bookingOf, type Event } from './booking-of.ts'
import { type EventType, eventTypeOf } from './event-type-of.ts'
import { type Hours, scheduleOf } from './schedule-of.ts'
import type { User } from './user.ts'

/** The prefix of everything, of which addresses in answers are names. */
export const CALENDLY_API = 'https://api.calendly.com'

const A_PAGE = 100
/** More pages than that are not read: of all that an account has. */
const MOST_PAGES = 200

/** An account at Calendly, by a personal access token: developer.calendly.com/api-docs, version 2. */
export function openCalendly(asking: Asking, token: string, now: number): Source {
  const ask = (path: string, query: Readonly<Record<string, string | number>> = {}) =>
    askSource(asking, path, query, { Authorization: `Bearer ${token}` })

  async function* list<T>(path: string, query: Readonly<Record<string, string | number>>): AsyncGenerator<T> {
    let page = await ask(path, query)
    for (let read = 1; ; read++) {
      yield* recordsOf<T>(page.collection)
      const next = nextPage(page.pagination as Json | undefined)
      if (next === null || read === MOST_PAGES) return
      page = await ask(path, { ...query, page_token: next })
    }
  }

  /** Everything of the organization, or of the user alone if they may not read that. */
  async function* listAll<T>(path: string, me: Me, query: Readonly<Record<string, string | number>>) {
    try {
      yield* list<T>(path, { ...query, count: A_PAGE, organization: me.organization })
    } catch (error) {
      if (!isNotAllowed(error)) throw error
      yield* list<T>(path, { ...query, count: A_PAGE, user: me.user.uri })
    }
  }

  async function* read(): AsyncGenerator<Found> {
    const me = meOf(await ask('/users/me'))
    const people = new Map([[me.user.uri, me.user]])
    try {
      const memberships = list<Json>('/organization_memberships', {
        organization: me.organization,
        count: A_PAGE,
      })
      for await (const { user } of memberships) {
        const found = userOf(user as Json)
        if (found) people.set(found.uri, found)
      }
    } catch (error) {
      if (!isNotAllowed(error)) throw error
      yield { type: 'left_out', lost: leftOut({ part: 'people' }, 'not_allowed') }
    }

    const defaults = new Map<string, string>()
    for (const user of people.values()) {
      try {
        const { collection } = await ask('/user_availability_schedules', { user: user.uri })
        for (const hours of recordsOf<Hours>(collection)) {
          const schedule = readable(hours.name, () => scheduleOf(hours, user))
          if (schedule === null) continue
          if (schedule.type === 'schedule' && schedule.isDefault) defaults.set(user.uri, schedule.id)
          yield schedule
        }
      } catch (error) {
        if (!isNotAllowed(error)) throw error
        yield { type: 'left_out', lost: leftOut({ part: 'hours_of', of: user.name }, 'not_allowed') }
      }
    }

    // Their number of seats is in what was booked only.
    const events: Event[] = []
    const upcoming = { min_start_time: new Date(now).toISOString(), status: 'active', sort: 'start_time:asc' }
    for await (const event of listAll<Event>('/scheduled_events', me, upcoming)) events.push(event)
    yield* readEventTypes(me, people, defaults, events)
    for (const event of events) {
      const invitees = () =>
        collect(
          list<Json>(`/scheduled_events/${idIn(event.uri)}/invitees`, { count: A_PAGE, status: 'active' }),
        )
      const found = readable(event.name, () => bookingOf(event, people, invitees))
      if (found) yield found
    }
  }

  async function* readEventTypes(
    me: Me,
    people: ReadonlyMap<string, User>,
    defaults: ReadonlyMap<string, string>,
    events: readonly Event[],
  ): AsyncGenerator<Found> {
    let hasAny = false
    for await (const one of listAll<EventType>('/event_types', me, {})) {
      const hosts = await hostsOf(one, people)
      const found = readable(one.name, () => eventTypeOf(one, hosts, defaults, events))
      hasAny ||= found.type === 'event_type'
      yield found
    }
    if (!hasAny) return
    for (const part of ['notice', 'window', 'limits', 'hours_besides', 'workflows'] as const) {
      yield { type: 'left_out', lost: leftOut({ part }, 'not_told') }
    }
  }

  async function hostsOf(one: EventType, people: ReadonlyMap<string, User>): Promise<readonly User[]> {
    const { owner, type } = one.profile ?? {}
    if (type === 'User') return userAt(owner, one.profile?.name, people)
    try {
      const memberships = list<Json>('/event_type_memberships', { event_type: one.uri, count: A_PAGE })
      const members = await collect(memberships)
      return members.flatMap(({ member }) => {
        const { uri, name } = (member ?? {}) as Json
        return userAt(uri, name, people)
      })
    } catch (error) {
      if (isNotAllowed(error) || (error instanceof SourceError && error.kind === 'missing')) return []
      throw error
    }
  }

  return { name: 'calendly', check: async () => void meOf(await ask('/users/me')), read }
}

type Me = { readonly user: User; readonly organization: string }

function meOf({ resource }: Json): Me {
  const user = userOf(resource as Json)
  const organization = (resource as Json | undefined)?.current_organization
  if (user === null || typeof organization !== 'string') throw new SourceError('unavailable')
  return { user, organization }
}

function userOf(user: Json | undefined): User | null {
  const id = idIn(user?.uri)
  if (!user || id === null) return null
  return { uri: String(user.uri), id, name: lineOf(user.name, 100) ?? id, email: emailOf(user.email) }
}

function userAt(uri: unknown, name: unknown, people: ReadonlyMap<string, User>): User[] {
  const known = people.get(String(uri))
  const id = idIn(uri)
  if (known || id === null) return known ? [known] : []
  return [{ uri: String(uri), id, name: lineOf(name, 100) ?? id, email: null }]
}

/** What the next page is asked for with; its address may be at another host. */
function nextPage(pagination: Json | undefined): string | null {
  const { next_page_token: token, next_page: address } = pagination ?? {}
  if (typeof token === 'string') return token
  return typeof address === 'string' ? (URL.parse(address)?.searchParams.get('page_token') ?? null) : null
}

function isNotAllowed(error: unknown): boolean {
  return error instanceof SourceError && error.kind === 'not_allowed'
}

async function collect<T>(items: AsyncIterable<T>): Promise<T[]> {
  const all: T[] = []
  for await (const one of items) all.push(one)
  return all
}
