import type { Call, Json, Reply } from '../world.ts'
import { findPlace } from './accounts.ts'
import type { Caller } from './check-access.ts'
import { viewOf } from './check-calendar.ts'
import { collectEvents } from './collect-events.ts'
import { spanOf } from './expand-series.ts'
import { readBody } from './read-body.ts'
import { invalid, refuse } from './refuse.ts'
import type { State } from './state.ts'

/** Not documented: a quarter of a year is refused, two months are answered. */
const LONGEST_MS = 62 * 86_400_000

/** `POST /freeBusy`: developers.google.com/workspace/calendar/api/v3/reference/freebusy/query. */
export function queryFreeBusy(state: State, caller: Caller, call: Call): Reply {
  const { timeMin, timeMax, items = [] } = readBody(call)
  const [from, to] = [Date.parse(timeMin), Date.parse(timeMax)]
  if (Number.isNaN(from)) throw invalid('Missing timeMin parameter.', 'timeMin')
  if (Number.isNaN(to)) throw invalid('Missing timeMax parameter.', 'timeMax')
  if (to - from > LONGEST_MS) throw refuse(400, 'timeRangeTooLong', 'The requested time range is too long.')
  const calendars = (items as readonly Json[]).map(({ id }) => [
    id,
    busyOf(state, caller, call, id, from, to),
  ])
  return {
    status: 200,
    json: { kind: 'calendar#freeBusy', timeMin, timeMax, calendars: Object.fromEntries(calendars) },
  }
}

function busyOf(state: State, caller: Caller, call: Call, id: string, from: number, to: number): Json {
  const place = findPlace(state, caller.account, id)
  if (!place) return { errors: [{ domain: 'global', reason: 'notFound' }], busy: [] }
  const { calendar } = place
  const wanted = {
    isSingle: true,
    showDeleted: false,
    orderBy: 'startTime' as const,
    from,
    to,
    updatedMin: null,
    eventTypes: [],
    since: null,
    iCalUID: null,
    text: null,
    properties: [],
    maxAttendees: null,
  }
  const spans = collectEvents(viewOf(caller, place, call.query), wanted, call.now)
    .filter(({ status, transparency }) => status !== 'cancelled' && transparency !== 'transparent')
    .map((event) => spanOf(event, calendar.timeZone))
  return { busy: merge(spans.map(({ start, end }) => [Math.max(start, from), Math.min(end, to)])) }
}

/** Busy times touch no other: what overlaps is one. */
function merge(spans: readonly (readonly [number, number])[]): Json[] {
  const merged: [number, number][] = []
  for (const [start, end] of [...spans].sort(([a], [b]) => a - b)) {
    const last = merged.at(-1)
    if (last && start <= last[1]) last[1] = Math.max(last[1], end)
    else merged.push([start, end])
  }
  const told = (at: number) => new Date(at).toISOString().replace('.000Z', 'Z')
  return merged.map(([start, end]) => ({ start: told(start), end: told(end) }))
}
