import type { Call, Json, Reply } from '../world.ts'
import { liveEvents } from './accounts.ts'
import { EVENT_PROPERTIES, eventJson } from './event-json.ts'
import { type Instance, instancesIn, singleOf } from './expand-series.ts'
import { FILTERABLE, type Filterable, readFilter } from './filter-events.ts'
import { expandedIds } from './filter-extended.ts'
import { badRequest } from './graph-reply.ts'
import { readTime, utcText, wallText } from './local-time.ts'
import type { Preferences } from './prefer.ts'
import { checkSelect, nextLink, pick, type Query, readQuery } from './read-query.ts'
import type { Account, State } from './state.ts'

/** learn.microsoft.com/graph/api/calendar-list-calendarview; more is cut, not refused: microsoft-graph-docs#12653 */
const MOST_ON_A_PAGE = 1_000
const LONGEST_VIEW_DAYS = 1_825

/** The stretch of time of a view, which has to be said: offsets count, the preferred zone does not. */
export function readWindow({ startDateTime, endDateTime }: Pick<Query, 'startDateTime' | 'endDateTime'>): {
  fromMs: number
  toMs: number
} {
  if (!startDateTime || !endDateTime) {
    throw badRequest(
      'This request requires a time window specified by the query string parameters StartDateTime and EndDateTime.',
      'ErrorInvalidParameter',
    )
  }
  const read = (text: string, name: string) => {
    const ms = readTime(text, 'UTC')
    if (ms === null)
      throw badRequest(`The value '${text}' of parameter '${name}' is invalid.`, 'ErrorInvalidParameter')
    return ms
  }
  const [fromMs, toMs] = [read(startDateTime, 'StartDateTime'), read(endDateTime, 'EndDateTime')]
  if (toMs < fromMs) {
    throw badRequest('The start of the time window must not be behind its end.', 'ErrorInvalidParameter')
  }
  // microsoftgraph/microsoft-graph-docs#6284: five years of 365 days
  if (toMs - fromMs > LONGEST_VIEW_DAYS * 86_400_000) {
    throw badRequest(
      `Your request can't be completed. The range between the start and end dates is greater than the allowed range. Maximum number of days: ${LONGEST_VIEW_DAYS}`,
      'ErrorInvalidRequest',
    )
  }
  return { fromMs, toMs }
}

/** As stored: all-day events by midnight in their own zone (microsoft-graph-docs#16798). */
function filterableOf(instance: Instance): Filterable {
  const { event, fields, type, date } = instance
  return {
    values: new Map<string, string | number | boolean | null>([
      ['start/datetime', wallText(fields.start.ms)],
      ['end/datetime', wallText(fields.end.ms)],
      ['createddatetime', utcText(event.createdMs)],
      ['lastmodifieddatetime', utcText(event.modifiedMs)],
      ['icaluid', event.iCalUId],
      ['transactionid', event.transactionId],
      ['seriesmasterid', date === null ? null : event.id],
      ['type', type],
      ...(
        ['subject', 'showAs', 'isCancelled', 'isAllDay', 'isOrganizer', 'importance', 'sensitivity'] as const
      ).map((name) => [name.toLowerCase(), fields[name]] as const),
    ]),
    extended: fields.singleValueExtendedProperties,
  }
}

/** Of these a client may order by those that it may filter by. */
function inOrder(instances: Instance[], query: Query): Instance[] {
  for (const { path } of query.orderBy) {
    if (!FILTERABLE.has(path)) {
      throw badRequest(`The property '${path}' does not support sorting.`, 'ErrorInvalidProperty')
    }
  }
  const ranked = instances.map((instance) => ({ instance, values: filterableOf(instance).values }))
  ranked.sort((one, other) => {
    for (const { path, isDescending } of query.orderBy) {
      const [left, right] = [String(one.values.get(path) ?? ''), String(other.values.get(path) ?? '')]
      if (left !== right) return (left < right ? -1 : 1) * (isDescending ? -1 : 1)
    }
    return 0
  })
  return ranked.map(({ instance }) => instance)
}

/**
 * In no particular order: single events stand before what belongs to series, so that who reads the first page only
 * misses series first. Softeria/ms-365-mcp-server#367
 */
const asKept = (instances: Instance[]): Instance[] => [
  ...instances.filter(({ date }) => date === null),
  ...instances.filter(({ date }) => date !== null),
]

export type Listing = {
  readonly account: Account
  /** `null` for all of them. */
  readonly calendar: number | null
  readonly prefer: Preferences
  readonly isBasic: boolean
}

export function viewCalendar(state: State, listing: Listing, call: Call): Reply {
  const query = readQuery(call.query)
  const { fromMs, toMs } = readWindow(query)
  const instances = liveEvents(listing.account, listing.calendar).flatMap((event) =>
    instancesIn(event, fromMs, toMs),
  )
  return page(state, listing, call, query, asKept(instances), 'view')
}

/** Single events and series, no occurrences: learn.microsoft.com/graph/api/user-list-events */
export function listEvents(state: State, listing: Listing, call: Call): Reply {
  const instances = liveEvents(listing.account, listing.calendar).map(singleOf)
  return page(state, listing, call, readQuery(call.query), instances, 'events')
}

export function page(
  state: State,
  listing: Listing,
  call: Call,
  query: Query,
  all: Instance[],
  kind: 'view' | 'events',
): Reply {
  const test = query.filter === null ? null : readFilter(query.filter)
  const found = inOrder(test ? all.filter((one) => test(filterableOf(one))) : all, query)
  const top = Math.min(query.top ?? state.settings.pageSize, MOST_ON_A_PAGE)
  const shown = found.slice(query.skip, query.skip + top)
  const next = query.skip + shown.length
  const json: Json = {
    '@odata.context': `https://graph.microsoft.com/v1.0/$metadata#users('${listing.account.id}')/${kind === 'view' ? 'calendarView' : 'events'}`,
    ...(query.isCounted && { '@odata.count': found.length }),
    value: shown.map((one) => shownEvent(listing, query, one, kind)),
    ...(next < found.length && { '@odata.nextLink': nextLink(call.base + call.path, query.said, next) }),
  }
  return { status: 200, json, headers: appliedHeaders(listing.prefer) }
}

export const appliedHeaders = ({ applied }: Preferences): Record<string, string> =>
  applied.length > 0 ? { 'Preference-Applied': applied.join(', ') } : {}

/** Documented as not to be selected in a view, on the same page: they are left out. */
const NOT_SELECTED_IN_A_VIEW = ['createdDateTime', 'lastModifiedDateTime']

export function shownEvent(
  { account, prefer, isBasic }: Listing,
  query: Pick<Query, 'select' | 'expand'>,
  instance: Instance,
  kind: 'view' | 'events',
): Json {
  const selected = checkSelect(query.select, EVENT_PROPERTIES, 'event')
  const select =
    kind === 'view' ? (selected?.filter((name) => !NOT_SELECTED_IN_A_VIEW.includes(name)) ?? null) : selected
  const whole = eventJson(account, instance, prefer)
  const { body: _, bodyPreview: __, ...basic } = whole
  return { ...pick(isBasic ? basic : whole, select), ...expanded(query.expand, instance) }
}

/** Extended properties are returned only if their ids are requested and the event has them. */
function expanded(expand: string | null, { fields }: Instance): Json {
  if (expand === null) return {}
  if (['attachments', 'extensions'].includes(expand.toLowerCase())) return { [expand.toLowerCase()]: [] }
  const ids = expandedIds(expand)
  if (ids === null)
    throw badRequest(`Parsing OData Select and Expand failed: '${expand}' can not be expanded.`)
  const found = fields.singleValueExtendedProperties.filter(({ id }) => ids.includes(id))
  return found.length > 0 ? { singleValueExtendedProperties: found } : {}
}
