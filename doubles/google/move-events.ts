import type { Call, Json, Reply } from '../world.ts'
import type { Place } from './accounts.ts'
import type { Caller } from './check-access.ts'
import { checkEtag, checkMayWrite, placeOf } from './check-calendar.ts'
import { findEvent, isDeleted } from './find-event.ts'
import { makeEventId } from './make-ids.ts'
import { readBody } from './read-body.ts'
import { notFound, refuse, required } from './refuse.ts'
import { sendMails } from './send-mails.ts'
import type { Calendar, State, StoredEvent } from './state.ts'
import { leaveBehind, storeEvent } from './store-event.ts'
import { answer, newEvent, wholeOf } from './write-events.ts'

/**
 * `POST …/events/{id}/move?destination=…`: …/v3/reference/events/move. The calendar that it goes to becomes the organizer,
 * the id stays as it is (Credal-ai/actions-sdk#179), and a cancelled event with nothing but the id is left behind.
 */
export function moveEvent(state: State, caller: Caller, place: Place, call: Call, id: string): Reply {
  const destination = call.query.get('destination')
  if (!destination) throw required('Required', 'destination')
  checkMayWrite(place)
  const target = placeOf(state, caller, 'Events.Move', destination)
  checkMayWrite(target)
  const found = findEvent(place.calendar, id)
  if (!found || isDeleted(found)) throw notFound()
  checkEtag(call, found)
  if (found.fields.recurringEventId) {
    const message = 'Cannot change the organizer of an instance.'
    throw refuse(400, 'cannotChangeOrganizerOfInstance', message, { domain: 'calendar' })
  }
  if (found.fields.eventType !== 'default') {
    const message = 'Events of this type cannot be moved.'
    throw refuse(400, 'eventTypeRestriction', message, { domain: 'calendar' })
  }
  if (!found.fields.organizer?.self) {
    const message = 'The organizer of the event cannot be changed.'
    throw refuse(400, 'cannotChangeOrganizer', message, { domain: 'calendar' })
  }
  if (place.calendar === target.calendar) return answer(caller, place, call, found.stored!)
  const taken = target.calendar.events.get(id)
  if (taken && !taken.hasMovedAway) {
    throw refuse(409, 'duplicate', 'The requested identifier already exists.')
  }
  const moved = carryOver(state, place, target.calendar, found.stored!, id)
  sendMails(state, caller.account, call.query, found.fields, moved.fields)
  return answer(caller, target, call, moved)
}

/** Also what happens when an owner drags an event into another of their calendars. */
export function carryOver(
  state: State,
  place: Place,
  target: Calendar,
  stored: StoredEvent,
  id: string,
): StoredEvent {
  const whole = wholeOf(place, stored).map(({ fields }) => structuredClone(fields))
  leaveBehind(state, place.calendar, stored.fields.id)
  const organizer =
    target.kind === 'primary' ? { email: target.owner } : { email: target.id, displayName: target.summary }
  const [moved] = whole.map((fields) => {
    const renamed: Json = { ...fields, organizer, id: fields.id.replace(stored.fields.id, id) }
    if (renamed.recurringEventId) renamed.recurringEventId = id
    return storeEvent(state, target, renamed)
  })
  return moved!
}

/** Which id an event has after it was dragged: its own, unless the world is set otherwise. */
export function draggedId(state: State, stored: StoredEvent): string {
  return state.settings.movedEventsKeepId ? stored.fields.id : makeEventId()
}

/** `POST …/events/import`: …/v3/reference/events/import. Again the same `iCalUID` is the same event. */
export function importEvent(state: State, caller: Caller, place: Place, call: Call): Reply {
  checkMayWrite(place)
  const { id: _, ...body } = readBody(call)
  if (!body.iCalUID) throw required('Missing iCal UID.')
  const known = [...place.calendar.events.values()].find(
    ({ fields, hasMovedAway }) =>
      fields.iCalUID === body.iCalUID && !fields.recurringEventId && !hasMovedAway,
  )
  const made = newEvent(state, caller, place, { ...body, eventType: 'default' }, 0, call.now)
  const organizer = body.organizer ?? made.organizer
  const stored = storeEvent(state, place.calendar, {
    ...made,
    ...(known && { id: known.fields.id, created: known.fields.created }),
    organizer,
  })
  return answer(caller, place, call, stored)
}
