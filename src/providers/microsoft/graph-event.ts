import * as z from 'zod'
import { type Interval, intersect, mergeIntervals } from '../../scheduling/interval.ts'
import { datesToInterval } from '../calendar/all-day.ts'
import type { ExternalEvent } from '../calendar/calendar-client.ts'

const Moment = z.object({ dateTime: z.string() })

/** https://learn.microsoft.com/graph/api/resources/event */
export const GraphEvent = z.object({
  id: z.string(),
  '@odata.etag': z.string().optional(),
  iCalUId: z.string().nullish(),
  transactionId: z.string().nullish(),
  type: z.string().nullish(),
  seriesMasterId: z.string().nullish(),
  subject: z.string().nullish(),
  start: Moment.nullish(),
  end: Moment.nullish(),
  isAllDay: z.boolean().nullish(),
  isCancelled: z.boolean().nullish(),
  showAs: z.string().nullish(),
  responseStatus: z.object({ response: z.string().nullish() }).nullish(),
  isOnlineMeeting: z.boolean().nullish(),
  onlineMeeting: z.object({ joinUrl: z.string().nullish() }).nullish(),
  singleValueExtendedProperties: z.array(z.object({ id: z.string(), value: z.string() })).nullish(),
})
export type GraphEvent = z.infer<typeof GraphEvent>

/** Our property on an event we wrote: `iCalUId` is Graph's own. */
export const UID_PROPERTY = 'String {5d0b7b3c-4d1e-4a53-9a8e-0f6d6c1f2b9a} Name HoldfastUid'

const TIMES =
  'id,iCalUId,transactionId,type,seriesMasterId,start,end,isAllDay,isCancelled,showAs,responseStatus'
const OWN_UID = `singleValueExtendedProperties($filter=id eq '${UID_PROPERTY}')`

/** What is read of many events: when they take time, and no word of what they are about. */
export const LIST_QUERY = { $select: TIMES, $expand: OWN_UID }

export const EVENT_QUERY = {
  $select: `${TIMES},subject,isOnlineMeeting,onlineMeeting`,
  $expand: OWN_UID,
}

/** Finds events by the UID that we gave them. https://learn.microsoft.com/graph/api/singlevaluelegacyextendedproperty-get */
export function uidFilter(uid: string): string {
  const quoted = uid.replaceAll("'", "''")
  return `singleValueExtendedProperties/Any(ep: ep/id eq '${UID_PROPERTY}' and ep/value eq '${quoted}')`
}

/**
 * Asks for times in UTC and for ids that stay when an event is moved to another calendar, in every request, also for the
 * links of earlier answers. https://learn.microsoft.com/graph/outlook-immutable-id
 */
export const PREFERENCES = { Prefer: 'IdType="ImmutableId", outlook.timezone="UTC"' } as const

/** The zone of the mailbox, which all-day events follow. It is asked for only where there are some. */
export type ZoneNow = () => Promise<string | null>

/** Whether it is the head of a series: its time is that of the first occurrence, which is listed too. */
export function isSeriesMaster({ type }: GraphEvent): boolean {
  return type === 'seriesMaster'
}

/** The series that an occurrence, or the head of one, belongs to. */
export function seriesOf(event: GraphEvent): string | null {
  return isSeriesMaster(event) ? event.id : (event.seriesMasterId ?? null)
}

/**
 * One event, or all the occurrences of one series, as scheduling sees them; busy time is cut to `within`, and
 * all-day events follow the mailbox's zone. Null when a time makes no sense.
 */
export function readEvents(
  events: readonly [GraphEvent, ...GraphEvent[]],
  timeZone: string | null,
  within: Interval | null,
): ExternalEvent | null {
  const [first] = events
  const busy: Interval[] = []
  let earliest: Interval | null = null
  for (const event of events) {
    const time = intervalOf(event, timeZone)
    if (time === null) return null
    if (event.isCancelled) continue
    if (earliest === null || time.start < earliest.start) earliest = time
    if (blocks(event)) busy.push(time)
  }
  const merged = mergeIntervals(busy)
  return {
    id: seriesOf(first) ?? first.id,
    uid: uidOf(first),
    etag: first['@odata.etag'] ?? null,
    time: earliest,
    busy: within === null ? merged : intersect(merged, [within]),
  }
}

/** The occurrences of a series have UIDs of their own, so the series is known by its id. */
function uidOf(event: GraphEvent): string {
  const { id, iCalUId, transactionId, singleValueExtendedProperties } = event
  const own = singleValueExtendedProperties?.find((property) => sameId(property.id, UID_PROPERTY))
  return own?.value ?? transactionId ?? seriesOf(event) ?? iCalUId ?? id
}

/** Graph changes the letter case of an extended property's GUID. */
function sameId(a: string, b: string): boolean {
  return a.toLowerCase() === b.toLowerCase()
}

function blocks({ isCancelled, showAs, responseStatus }: GraphEvent): boolean {
  return (
    !isCancelled &&
    showAs !== 'free' &&
    showAs !== 'workingElsewhere' &&
    responseStatus?.response !== 'declined'
  )
}

/** Half-open, in epoch milliseconds; null when a time makes no sense. */
export function intervalOf({ start, end, isAllDay }: GraphEvent, timeZone: string | null): Interval | null {
  if (!start || !end) return null
  if (isAllDay) return datesToInterval(start.dateTime.slice(0, 10), end.dateTime.slice(0, 10), timeZone)
  const interval = { start: utc(start.dateTime), end: utc(end.dateTime) }
  return Number.isFinite(interval.start) && Number.isFinite(interval.end) ? interval : null
}

/** Graph writes seven decimals and no zone: `2026-03-09T13:00:00.0000000`. */
function utc(dateTime: string): number {
  return Date.parse(`${dateTime.replace(/\.\d+$/, '').replace(/Z$/, '')}Z`)
}
