import { DONE, NO_CONTROL } from '../controls.ts'
import type { Call, Json, Reply } from '../world.ts'
import { calendarOf, findPlace, type Place } from './accounts.ts'
import { checkTimes, storedTime } from './check-event.ts'
import { instanceId } from './expand-series.ts'
import { findEvent, isDeleted } from './find-event.ts'
import { makeEventId } from './make-ids.ts'
import { mergePatch } from './merge-event.ts'
import { carryOver, draggedId } from './move-events.ts'
import type { Account, State } from './state.ts'
import { storeEvent } from './store-event.ts'
import { cancelEvent, nextSequence } from './write-events.ts'

const missing: Reply = { status: 404, json: { error: 'There is no such event.' } }

/** What an owner does with events in Google's own app, which may more than other apps. */
export function controlEvents(
  state: State,
  account: Account,
  call: Call,
  body: Json,
  id: string,
  action: string,
): Reply {
  if (call.method === 'POST' && !id) return addEvents(state, account, body)
  const place = placeWith(state, account, id, call.query.get('calendar'))
  if (!place) return missing
  const found = findEvent(place.calendar, id)!
  if (call.method === 'DELETE') {
    if (!isDeleted(found)) cancelEvent(state, place, found)
    // «Such cancelled events will eventually disappear»
    if (call.query.has('purge')) place.calendar.events.get(id)!.isPurged = true
    return DONE
  }
  if (call.method === 'PATCH') {
    const fields = mergePatch(found.fields, body)
    checkTimes(fields, place.calendar.timeZone)
    fields.sequence = nextSequence(found.fields, fields)
    storeEvent(state, place.calendar, fields)
    return DONE
  }
  if (call.method === 'POST' && action === 'move') {
    const target = findPlace(state, account, body.calendar ?? '')
    if (!target || !found.stored) return missing
    const moved = carryOver(state, place, target.calendar, found.stored, draggedId(state, found.stored))
    return { status: 200, json: { id: moved.fields.id } }
  }
  return NO_CONTROL
}

/** Where an event is; where it is not deleted, if it was in several calendars. */
function placeWith(state: State, account: Account, id: string, calendarId: string | null): Place | null {
  const places = account.entries
    .filter((entry) => calendarId === null || entry.calendarId === calendarId)
    .map((entry) => ({ entry, calendar: calendarOf(state, account.mail, entry.calendarId)! }))
    .filter(({ calendar }) => findEvent(calendar, id))
  return places.find(({ calendar }) => !isDeleted(findEvent(calendar, id)!)) ?? places[0] ?? null
}

/** `{calendar?, events: [event as the API has it]}` → `{ids}`. */
function addEvents(state: State, account: Account, body: Json): Reply {
  const calendar = calendarOf(state, account.mail, body.calendar ?? account.mail)
  if (!calendar) return { status: 404, json: { error: 'There is no such calendar.' } }
  const ids = (body.events ?? []).map((given: Json) => {
    const original =
      given.originalStartTime &&
      storedTime(given.originalStartTime, 'original start', calendar.timeZone, false)
    const id = given.id ?? (original ? instanceId(given.recurringEventId, original) : makeEventId())
    const series = calendar.events.get(given.recurringEventId ?? '')?.fields
    const fields: Json = {
      status: 'confirmed',
      created: new Date(Math.floor(state.frame.now() / 1000) * 1000).toISOString(),
      creator: { email: account.mail },
      organizer: { email: calendar.id },
      sequence: 0,
      reminders: { useDefault: true },
      eventType: 'default',
      ...structuredClone(given),
      id,
      iCalUID: given.iCalUID ?? series?.iCalUID ?? `${id}@google.com`,
      ...(original && { originalStartTime: original }),
    }
    if (given.status === 'cancelled' && original && !given.start) {
      Object.assign(fields, { start: original, end: original })
    } else checkTimes(fields, calendar.timeZone)
    storeEvent(state, calendar, fields)
    return id
  })
  return { status: 201, json: { ids } }
}
