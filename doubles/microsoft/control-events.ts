import type { Json, Reply } from '../world.ts'
import { defaultCalendar } from './accounts.ts'
import { findEvent } from './answer-event.ts'
import { eventJson } from './event-json.ts'
import { occurrenceOn, singleOf } from './expand-series.ts'
import { Refusal } from './graph-reply.ts'
import { readPreferences } from './prefer.ts'
import { calendarOf, deleteEvent, moveEvent } from './remove-event.ts'
import type { Account, Calendar, EventFields, State, StoredEvent } from './state.ts'
import { createEvent, patchEvent } from './write-event.ts'

/** Of an invitation that was accepted, declined or cancelled: what a client of Graph could not write. */
const OWNERS = ['isCancelled', 'isOrganizer', 'organizer', 'responseStatus', 'iCalUId'] as const

/** What the owner's own app may say beside what Graph takes, and what is the double's own. */
function split(said: Json): { plain: Json; more: Partial<EventFields> & { iCalUId?: string } } {
  const { exceptions: _, removedDates: __, ...plain } = said
  const more: Json = {}
  for (const name of OWNERS) if (said[name] !== undefined) more[name] = said[name]
  if (typeof more.responseStatus === 'string') {
    more.responseStatus = { response: more.responseStatus, time: '0001-01-01T00:00:00Z' }
  }
  return { plain, more }
}

/**
 * As the owner puts it in. `exceptions: [{date, …}]` and `removedDates: [date]` change and remove occurrences of a
 * series, by the local date on which they would start.
 */
function put(state: State, account: Account, calendar: Calendar, said: Json): StoredEvent {
  const { plain, more } = split(said)
  const event = createEvent(state, account, calendar, plain, more)
  for (const { date, ...change } of (said.exceptions ?? []) as Json[]) {
    const { plain: changed, more: changedToo } = split(change)
    patchEvent(state, account, event, date, changed, changedToo)
  }
  for (const date of (said.removedDates ?? []) as string[]) deleteEvent(state, account, event, date)
  return event
}

function calendarNamed(account: Account, wanted: string | undefined): Calendar {
  if (wanted === undefined) return defaultCalendar(account)
  const found = account.calendars.find(({ id, immutableId, name }) =>
    [id, immutableId, name].includes(wanted),
  )
  if (!found) throw new Refusal(404, 'NoSuchCalendar', `There is no calendar ${wanted}.`)
  return found
}

export function controlEvents(
  state: State,
  account: Account,
  method: string,
  [id, action]: string[],
  said: Json,
): Reply {
  try {
    if (id === undefined) {
      const calendar = calendarNamed(account, said.calendar)
      const ids = (said.events as Json[]).map((event) => put(state, account, calendar, event).id)
      return { status: 201, json: { ids } }
    }
    const { event, date } = findEvent(account, id)
    if (method === 'DELETE') deleteEvent(state, account, event, date)
    else if (action === 'move') moveEvent(state, account, event, calendarNamed(account, said.calendar))
    else {
      const { plain, more } = split(said)
      patchEvent(state, account, event, date, plain, more)
    }
    return { status: 200, json: { id: event.id } }
  } catch (error) {
    if (!(error instanceof Refusal)) throw error
    return { status: error.status, json: { error: `${error.code}: ${error.message}` } }
  }
}

/** Every event there ever was, with its calendar, its exceptions and whether it is deleted. */
export function knownEvents(account: Account): Json[] {
  const prefer = readPreferences(undefined)
  return account.events.map((event) => ({
    ...eventJson(account, singleOf(event), prefer),
    immutableId: event.immutableId,
    calendar: calendarOf(account, event).id,
    calendarName: calendarOf(account, event).name,
    isDeleted: event.isDeleted,
    singleValueExtendedProperties: event.fields.singleValueExtendedProperties,
    exceptions: [...event.exceptions.keys()].flatMap((date) => {
      const instance = occurrenceOn(event, date)
      return instance ? [{ date, ...eventJson(account, instance, prefer) }] : []
    }),
    removedDates: [...event.removedDates],
  }))
}
