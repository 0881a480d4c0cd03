import type { Call, Json, Reply } from '../world.ts'
import { findPlace } from './accounts.ts'
import type { Caller } from './check-access.ts'
import { exceptionsOf, instanceId, instanceOf, type Span, spanOf, startsOf } from './expand-series.ts'
import { isZone, readInstant, showInstant } from './local-time.ts'
import { readBody } from './read-body.ts'
import { badRequest, emptyRange, invalid, refuse, required } from './refuse.ts'
import { freeBusyFields, selectFields } from './select-fields.ts'
import type { Calendar, State } from './state.ts'

/**
 * `POST /freeBusy`: developers.google.com/workspace/calendar/api/v3/reference/freebusy/query. Errors of one calendar are beside
 * the others' times, in a 200.
 */
export function queryFreeBusy(state: State, { account }: Caller, call: Call): Reply {
  const body = readBody(call)
  const from = readBound(body, 'timeMin')
  const to = readBound(body, 'timeMax')
  if (to <= from) throw emptyRange()
  if (to - from > state.settings.freeBusyMaxDays * 86_400_000) {
    // calcom/cal.diy#11688 and #11696
    const message = 'The requested time range is too long.'
    throw refuse(400, 'timeRangeTooLong', message, { domain: 'calendar', location: 'timeMax' })
  }
  const zone = body.timeZone ?? 'UTC'
  if (!isZone(zone)) throw invalid('Invalid Value', 'timeZone')
  const most = readMost(body.calendarExpansionMax)
  const items: Json[] = Array.isArray(body.items) ? body.items : []
  if (items.some((item) => typeof item?.id !== 'string')) throw required('Required', 'items.id')
  const fails = (domain: string, reason: string) => ({ errors: [{ domain, reason }], busy: [] })
  const calendars = items.map(({ id }): [string, Json] => {
    if (items.length > most) return [id, fails('calendar', 'tooManyCalendarsRequested')]
    const place = findPlace(state, account, id)
    if (!place) return [id, fails('global', 'notFound')]
    const busy = merge(busyTimes(place.calendar, from, to))
    return [
      id,
      {
        busy: busy.map(({ start, end }) => ({
          start: showInstant(zone, start),
          end: showInstant(zone, end),
        })),
      },
    ]
  })
  const json = {
    kind: 'calendar#freeBusy',
    timeMin: new Date(from).toISOString(),
    timeMax: new Date(to).toISOString(),
    calendars: Object.fromEntries(calendars),
  }
  return { status: 200, json: selectFields(json, call.query.get('fields'), freeBusyFields) }
}

function readBound(body: Json, name: 'timeMin' | 'timeMax'): number {
  // aaronsb/google-workspace-mcp#98
  if (body[name] == null) throw required(`Missing ${name} parameter.`)
  const instant = readInstant(body[name])
  if (instant === null) throw badRequest()
  return Math.floor(instant / 1000) * 1000
}

/** Fifty calendars at most. */
function readMost(asked: unknown): number {
  if (asked == null) return 50
  if (!Number.isInteger(asked) || Number(asked) < 1 || Number(asked) > 50) {
    throw invalid('Invalid value for: calendarExpansionMax')
  }
  return Number(asked)
}

/** Times that are not free: not of transparent or deleted events, nor of what the calendar's owner declined. */
function busyTimes(calendar: Calendar, from: number, to: number): Span[] {
  const spans: Span[] = []
  const add = (fields: Json) => {
    const span = spanOf(fields, calendar.timeZone)
    const hasDeclined = fields.attendees?.some((one: Json) => one.self && one.responseStatus === 'declined')
    const isBusy = fields.status !== 'cancelled' && fields.transparency !== 'transparent' && !hasDeclined
    if (!isBusy || fields.eventType === 'workingLocation' || fields.eventType === 'birthday') return
    if (span.start < to && span.end > from) {
      spans.push({ start: Math.max(span.start, from), end: Math.min(span.end, to) })
    }
  }
  for (const { fields, isPurged } of calendar.events.values()) {
    if (isPurged || fields.recurringEventId || fields.status === 'cancelled') continue
    if (!fields.recurrence) {
      add(fields)
      continue
    }
    for (const original of startsOf(fields, calendar.timeZone, to)) {
      if (!calendar.events.has(instanceId(fields.id, original))) {
        add(instanceOf(fields, original, calendar.timeZone))
      }
    }
    for (const exception of exceptionsOf(calendar, fields.id)) add(exception.fields)
  }
  return spans
}

function merge(spans: readonly Span[]): Span[] {
  const merged: { start: number; end: number }[] = []
  for (const span of [...spans].sort((a, b) => a.start - b.start)) {
    const last = merged.at(-1)
    if (last && span.start <= last.end) last.end = Math.max(last.end, span.end)
    else merged.push({ ...span })
  }
  return merged
}
