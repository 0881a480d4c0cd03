import type { Json } from '../world.ts'
import { exceptionsOf, horizonOf, instanceId, startsOf, timeOf } from './expand-series.ts'
import { tellChannels } from './notify-channels.ts'
import type { Calendar, State, StoredEvent } from './state.ts'

/** Stores an event in a calendar, counts the change and notifies the channels. */
export function storeEvent(state: State, calendar: Calendar, given: Json): StoredEvent {
  const now = state.frame.now()
  const before = calendar.events.get(given.id)
  const version = ++state.version
  const fields = withSelves(calendar, { ...given, updated: new Date(now).toISOString() })
  const stored: StoredEvent = {
    fields,
    version,
    hasMovedAway: false,
    isPurged: false,
    dropped: [...(before?.dropped ?? []), ...droppedBy(state, calendar, before?.fields, fields, version)],
  }
  calendar.events.set(fields.id, stored)
  calendar.version = version
  tellChannels(state, calendar.id)
  return stored
}

/** An event leaves for another calendar: developers.google.com/workspace/calendar/api/v3/reference/events#status. */
export function leaveBehind(state: State, calendar: Calendar, id: string): void {
  const stored = calendar.events.get(id)!
  const series = stored.fields
  storeEvent(state, calendar, { ...series, status: 'cancelled' }).hasMovedAway = true
  for (const exception of exceptionsOf(calendar, id)) calendar.events.delete(exception.fields.id)
}

/** The owner of the copy, as the calendar sees it. */
function withSelves(calendar: Calendar, fields: Json): Json {
  const isHere = (mail: string | undefined) => mail?.toLowerCase() === calendar.id.toLowerCase()
  const mark = ({ self: _, ...person }: Json) => (isHere(person.email) ? { ...person, self: true } : person)
  return {
    ...fields,
    ...(fields.creator && { creator: mark(fields.creator) }),
    ...(fields.organizer && { organizer: mark(fields.organizer) }),
    ...(fields.attendees && {
      attendees: fields.attendees.map((one: Json) => {
        const isOrganizer = one.email?.toLowerCase() === fields.organizer?.email?.toLowerCase()
        const { organizer: _, ...rest } = mark(one)
        return isOrganizer ? { ...rest, organizer: true } : rest
      }),
    }),
  }
}

/**
 * The instances that a series lost, for later lists of single events. A deleted one lists about half a year:
 * googleapis/google-api-ruby-client#860.
 */
function droppedBy(
  state: State,
  calendar: Calendar,
  before: Json | undefined,
  after: Json,
  version: number,
): StoredEvent['dropped'] {
  if (!before?.recurrence || before.status === 'cancelled') return []
  const now = state.frame.now()
  const isDeleted = after.status === 'cancelled'
  const first = Math.max(now, timeOf(before.start, calendar.timeZone))
  const horizon = isDeleted ? first + 183 * 86_400_000 : horizonOf(before, calendar.timeZone, now)
  const earlier = [...startsOf(before, calendar.timeZone, horizon)]
  const end = Math.max(0, ...earlier.map((one) => timeOf(one, calendar.timeZone))) + 1
  const keep = new Set<string>()
  if (!isDeleted && after.recurrence) {
    for (const one of startsOf(after, calendar.timeZone, end)) keep.add(instanceId(after.id, one))
    for (const { fields } of exceptionsOf(calendar, before.id)) {
      const isBeyond = timeOf(fields.originalStartTime, calendar.timeZone) >= end
      if (!isBeyond && !keep.has(fields.id)) calendar.events.delete(fields.id)
    }
  }
  return earlier
    .filter((one) => !keep.has(instanceId(before.id, one)))
    .map((originalStartTime) => ({ originalStartTime, version }))
}
