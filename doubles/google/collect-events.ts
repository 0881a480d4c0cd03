import type { Json } from '../world.ts'
import { horizonOf, instanceId, instanceOf, type Span, spanOf, startsOf, timeOf } from './expand-series.ts'
import { etagOf, showBare, showDeletedEvent, showEvent, type View } from './show-event.ts'
import type { StoredEvent } from './state.ts'

/** What a list asks for. */
export type Wanted = {
  readonly isSingle: boolean
  readonly showDeleted: boolean
  readonly orderBy: 'startTime' | 'updated' | null
  readonly from: number | null
  readonly to: number | null
  readonly updatedMin: number | null
  readonly eventTypes: readonly string[]
  /** Only what changed after that many changes; null for everything. */
  readonly since: number | null
  readonly iCalUID: string | null
  readonly text: string | null
  readonly properties: readonly { kind: 'private' | 'shared'; name: string; value: string }[]
  readonly maxAttendees: number | null
}

type Item = { readonly json: Json; readonly start: number; readonly updated: number }

export function collectEvents(view: View, wanted: Wanted, now: number): Json[] {
  const seen = { ...view, maxAttendees: wanted.maxAttendees }
  const horizon = (fields: Json) => horizonOf(fields, view.calendar.timeZone, now)
  const items = [...view.calendar.events.values()]
    .filter((stored) => !stored.isPurged && fits(wanted, stored))
    .flatMap((stored) =>
      wanted.isSingle ? singlesOf(seen, wanted, stored, horizon) : itselfOf(seen, wanted, stored, horizon),
    )
  if (wanted.orderBy === 'startTime') items.sort((a, b) => a.start - b.start)
  if (wanted.orderBy === 'updated') items.sort((a, b) => a.updated - b.updated)
  return items.map(({ json }) => json)
}

function fits(wanted: Wanted, { fields, version }: StoredEvent): boolean {
  if (wanted.since !== null && version <= wanted.since) return false
  if (wanted.updatedMin !== null && Date.parse(fields.updated) < wanted.updatedMin) return false
  if (wanted.eventTypes.length && !wanted.eventTypes.includes(fields.eventType)) return false
  if (wanted.iCalUID !== null && fields.iCalUID !== wanted.iCalUID) return false
  if (wanted.text !== null && !textOf(fields).includes(wanted.text)) return false
  return wanted.properties.every(
    ({ kind, name, value }) => fields.extendedProperties?.[kind]?.[name] === value,
  )
}

const textOf = (fields: Json): string =>
  [
    fields.summary,
    fields.description,
    fields.location,
    ...[fields.organizer, ...(fields.attendees ?? [])].flatMap((one) => [one?.displayName, one?.email]),
  ]
    .join(' ')
    .toLowerCase()

/** Deleted ones come where they are asked for, and always to who asks what changed. */
const tellsDeleted = (wanted: Wanted) =>
  wanted.showDeleted || wanted.since !== null || wanted.updatedMin !== null

const isWithin = ({ from, to }: Wanted, { start, end }: Span) =>
  (from === null || end > from) && (to === null || start < to)

const itemOf = (json: Json, fields: Json, span: Span): Item => ({
  json,
  start: span.start,
  updated: Date.parse(fields.updated),
})

/** With `singleEvents=false`: single events, series themselves, and the instances of series that differ. */
function itselfOf(
  view: View,
  wanted: Wanted,
  stored: StoredEvent,
  horizon: (fields: Json) => number,
): Item[] {
  const { fields } = stored
  const zone = view.calendar.timeZone
  const span = spanOf(fields, zone)
  const isDeleted = fields.status === 'cancelled'
  const series = view.calendar.events.get(fields.recurringEventId ?? '')
  const isOrphan = series?.fields.status === 'cancelled'
  // «Cancelled instances of recurring events (but not the underlying recurring event) will still be included»
  const isTold = isDeleted || isOrphan ? tellsDeleted(wanted) || (Boolean(series) && !isOrphan) : true
  if (!isTold) return []
  const isThere = fields.recurrence
    ? isDeleted || hasInstance(wanted, fields, zone, horizon)
    : isWithin(wanted, span)
  if (!isThere) return []
  const json = isDeleted
    ? showDeletedEvent(view, stored, wanted.showDeleted)
    : showEvent(view, fields, stored.version)
  return [itemOf(json, fields, span)]
}

function hasInstance(wanted: Wanted, fields: Json, zone: string, horizon: (fields: Json) => number): boolean {
  if (wanted.from === null && wanted.to === null) return true
  const { start, end } = spanOf(fields, zone)
  for (const original of startsOf(
    fields,
    zone,
    wanted.to ?? Math.max(horizon(fields), (wanted.from ?? 0) + 366 * 86_400_000),
  )) {
    const at = timeOf(original, zone)
    if (isWithin(wanted, { start: at, end: at + end - start })) return true
  }
  return false
}

/**
 * With `singleEvents=true`: single events and the instances of series, never series themselves. Without `timeMax` series
 * without end go on for a long time, which a list after a sync token cannot hinder: stackoverflow.com/questions/30599745.
 */
function singlesOf(
  view: View,
  wanted: Wanted,
  stored: StoredEvent,
  horizon: (fields: Json) => number,
): Item[] {
  const { fields } = stored
  const zone = view.calendar.timeZone
  const isDeleted = fields.status === 'cancelled'
  if (fields.recurringEventId) {
    const series = view.calendar.events.get(fields.recurringEventId)
    const isGone = isDeleted || series?.fields.status === 'cancelled'
    if ((isGone && !tellsDeleted(wanted)) || !isWithin(wanted, spanOf(fields, zone))) return []
    const json = isGone
      ? showDeletedEvent(view, stored, wanted.showDeleted)
      : showEvent(view, fields, stored.version)
    return [itemOf(json, fields, spanOf(fields, zone))]
  }
  if (!fields.recurrence) {
    const isTold = (!isDeleted || tellsDeleted(wanted)) && isWithin(wanted, spanOf(fields, zone))
    const lost = droppedOf(view, wanted, stored)
    if (!isTold) return lost
    const json = isDeleted
      ? showDeletedEvent(view, stored, wanted.showDeleted)
      : showEvent(view, fields, stored.version)
    return [...lost, itemOf(json, fields, spanOf(fields, zone))]
  }
  if (isDeleted && !wanted.showDeleted) return droppedOf(view, wanted, stored)
  const items: Item[] = []
  for (const original of startsOf(fields, zone, wanted.to ?? horizon(fields))) {
    if (view.calendar.events.has(instanceId(fields.id, original))) continue
    const instance = instanceOf(fields, original, zone)
    const span = spanOf(instance, zone)
    if (!isWithin(wanted, span)) continue
    const json = isDeleted
      ? showBare(view, instance.id, etagOf(stored), fields.id, original)
      : showEvent(view, instance, stored.version)
    items.push(itemOf(json, fields, span))
  }
  return [...droppedOf(view, wanted, stored), ...items]
}

/** Instances that a series had when somebody last asked, and has no longer. */
function droppedOf(view: View, wanted: Wanted, stored: StoredEvent): Item[] {
  const { since } = wanted
  if (since === null || (stored.fields.status === 'cancelled' && wanted.showDeleted)) return []
  const { id, status, recurrence } = stored.fields
  const lost = stored.dropped.filter(({ version }) => version > since)
  const told = new Map(
    lost.map(({ originalStartTime }) => [instanceId(id, originalStartTime), originalStartTime]),
  )
  if (told.size && recurrence && status !== 'cancelled') {
    const zone = view.calendar.timeZone
    const last = Math.max(...[...told.values()].map((original) => timeOf(original, zone)))
    for (const original of startsOf(stored.fields, zone, last + 1)) told.delete(instanceId(id, original))
  }
  return [...told].map(([instance, original]) => {
    const at = timeOf(original, view.calendar.timeZone)
    return itemOf(showBare(view, instance, etagOf(stored), id, original), stored.fields, {
      start: at,
      end: at,
    })
  })
}
