import type { Json } from '../world.ts'
import type { Place } from './accounts.ts'
import { makeEventId } from './make-ids.ts'
import type { Calendar, State, StoredEvent } from './state.ts'
import { leaveBehind, storeEvent } from './store-event.ts'
import { wholeOf } from './write-events.ts'

/** An owner drags an event into another of their calendars, which leaves a cancelled one with nothing but the id behind. */
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
