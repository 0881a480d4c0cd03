import type { Json } from '../world.ts'
import { showInstant } from './local-time.ts'
import type { Calendar, Role, StoredEvent } from './state.ts'

export type View = {
  readonly calendar: Calendar
  readonly role: Role
  readonly mail: string
  /** The zone of the times; the calendar's own by default. */
  readonly zone: string
  readonly maxAttendees: number | null
}

/** Twice the microseconds of the last change, in quotation marks that belong to it. */
export function etagOf({ fields, version }: Pick<StoredEvent, 'fields' | 'version'>): string {
  return `"${Date.parse(fields.updated) * 2000 + (version % 1000) * 2}"`
}

/** An event as somebody may see it. */
export function showEvent(view: View, fields: Json, version: number): Json {
  const { calendar, role } = view
  const etag = etagOf({ fields, version })
  const isHidden =
    role === 'freeBusyReader' ||
    ((role === 'reader' || role === 'writerWithoutPrivateAccess') &&
      ['private', 'confidential'].includes(fields.visibility))
  const time = (one: Json | undefined): Json | undefined =>
    one?.dateTime ? { ...one, dateTime: showInstant(view.zone, Date.parse(one.dateTime)) } : one
  const shown: Json = isHidden ? pickBusy(fields) : { ...fields }
  for (const name of ['start', 'end', 'originalStartTime']) if (shown[name]) shown[name] = time(shown[name])
  if (isHidden) return { kind: 'calendar#event', etag, ...shown, visibility: 'private' }
  return {
    kind: 'calendar#event',
    etag,
    ...shown,
    htmlLink: `https://www.google.com/calendar/event?eid=${linkOf(fields.id, calendar.id)}`,
    ...(fields.attendees && showAttendees(fields.attendees, view.maxAttendees)),
  }
}

/** What a reader of free and busy times gets of an event: developers.google.com/workspace/calendar/api/concepts/sharing. */
function pickBusy(fields: Json): Json {
  const names =
    'id status start end recurrence recurringEventId originalStartTime transparency iCalUID eventType updated'
  return Object.fromEntries(
    names.split(' ').flatMap((name) => (name in fields ? [[name, fields[name]]] : [])),
  )
}

const linkOf = (id: string, calendarId: string) =>
  Buffer.from(`${id} ${calendarId.replace('@group.calendar.google.com', '@g')}`).toString('base64url')

/** Beyond `maxAttendees` only the one whose calendar it is. */
function showAttendees(attendees: readonly Json[], most: number | null): Json {
  if (most === null || attendees.length <= most) return { attendees }
  return { attendees: attendees.filter(({ self }) => self), attendeesOmitted: true }
}

/**
 * A deleted event. Only `id` is certain, and `recurringEventId` and `originalStartTime` of an instance; the organizer's calendar
 * has details, except in an incremental list without `showDeleted`:
 * developers.google.com/workspace/calendar/api/v3/reference/events#status.
 */
export function showDeletedEvent(view: View, stored: StoredEvent, hasDetails: boolean): Json {
  const { fields } = stored
  if (fields.recurringEventId) {
    return showBare(view, fields.id, etagOf(stored), fields.recurringEventId, fields.originalStartTime)
  }
  if (!hasDetails || stored.hasMovedAway) return showBare(view, fields.id, etagOf(stored))
  return showEvent(view, fields, stored.version)
}

export function showBare(view: View, id: string, etag: string, seriesId?: string, original?: Json): Json {
  return {
    kind: 'calendar#event',
    etag,
    id,
    status: 'cancelled',
    ...(seriesId && { recurringEventId: seriesId }),
    ...(original && {
      originalStartTime: original.dateTime
        ? { ...original, dateTime: showInstant(view.zone, Date.parse(original.dateTime)) }
        : original,
    }),
  }
}
