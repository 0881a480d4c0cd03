import type { Call, Json, Reply } from '../world.ts'
import type { Place } from './accounts.ts'
import type { Caller } from './check-access.ts'
import { viewOf } from './check-calendar.ts'
import { readCount, readFlag, readTime } from './check-query.ts'
import { horizonOf, instanceId, instanceOf, spanOf, startsOf } from './expand-series.ts'
import { findEvent, isDeleted } from './find-event.ts'
import { emptyRange, invalid, notFound } from './refuse.ts'
import { eventFields, eventsFields, selectFields } from './select-fields.ts'
import { etagOf, showDeletedEvent, showEvent } from './show-event.ts'
import type { State } from './state.ts'
import { firstPage, nextPage, settingsOf } from './turn-pages.ts'

/** `GET …/events/{id}`, which gives deleted ones too: …/v3/reference/events#status. */
export function getEvent(caller: Caller, place: Place, call: Call, id: string): Reply {
  const found = findEvent(place.calendar, id)
  if (!found) throw notFound()
  const etag = etagOf(found)
  if (call.headers['if-none-match'] === etag) return { status: 304, headers: { ETag: etag } }
  const most = call.query.has('maxAttendees') ? readCount(call.query, 'maxAttendees', 1, 10_000) : null
  const view = { ...viewOf(caller, place, call.query), maxAttendees: most }
  const shown =
    isDeleted(found) && found.stored
      ? showDeletedEvent(view, found.stored, Boolean(found.fields.organizer?.self))
      : { ...showEvent(view, found.fields, found.version), ...(isDeleted(found) && { status: 'cancelled' }) }
  return {
    status: 200,
    json: selectFields(shown, call.query.get('fields'), eventFields),
    headers: { ETag: etag },
  }
}

/** `GET …/events/{id}/instances`: …/v3/reference/events/instances. */
export function listInstances(state: State, caller: Caller, place: Place, call: Call, id: string): Reply {
  const { query } = call
  const { calendar } = place
  const series = findEvent(calendar, id)
  if (!series || isDeleted(series)) throw notFound()
  if (!series.fields.recurrence) throw invalid('Invalid Value', 'eventId')
  const [from, to] = [readTime(query, 'timeMin'), readTime(query, 'timeMax')]
  if (from !== null && to !== null && to <= from) throw emptyRange()
  const showDeleted = readFlag(query, 'showDeleted') ?? false
  const view = viewOf(caller, place, query)
  const horizon = to ?? horizonOf(series.fields, calendar.timeZone, call.now)
  const items: Json[] = []
  for (const original of startsOf(series.fields, calendar.timeZone, horizon)) {
    const changed = calendar.events.get(instanceId(id, original))
    const fields = changed?.fields ?? instanceOf(series.fields, original, calendar.timeZone)
    const { end } = spanOf(fields, calendar.timeZone)
    if (from !== null && end <= from) continue
    if (fields.status !== 'cancelled') items.push(showEvent(view, fields, changed?.version ?? series.version))
    else if (showDeleted) items.push(showDeletedEvent(view, changed!, true))
  }
  const list = {
    about: `instances of ${id}`,
    settings: settingsOf(query, ['pageToken', 'maxResults', 'fields']),
    pageSize: readCount(query, 'maxResults', 250, 2500),
  }
  const pageToken = query.get('pageToken')
  const page = pageToken ? nextPage(state, list, pageToken) : firstPage(state, list, items, {})
  const json = {
    kind: 'calendar#events',
    summary: calendar.summary,
    timeZone: view.zone,
    accessRole: place.entry.accessRole,
    ...page,
  }
  return { status: 200, json: selectFields(json, query.get('fields'), eventsFields, { items: eventFields }) }
}
