import * as z from 'zod'
import { type Interval, intersect, mergeIntervals } from '../../core/interval.ts'
import { dateOf, type EventName, shownUid } from '../../platform/icalendar/unclear-events.ts'
import type { ExternalEvent } from '../client/calendar-client.ts'
import { toldTime } from '../client/provider-time.ts'
import { digestOf } from './digest.ts'

const Moment = z.object({ dateTime: z.string() })

/** A field that cannot be understood is as good as none: it spoils no other. */
const lax = <T extends z.ZodType>(schema: T) => schema.nullish().catch(null)

/** https://learn.microsoft.com/graph/api/resources/event */
export const GraphEvent = z.object({
  id: z.string(),
  '@odata.etag': lax(z.string()),
  iCalUId: lax(z.string()),
  transactionId: lax(z.string()),
  type: lax(z.string()),
  seriesMasterId: lax(z.string()),
  subject: lax(z.string()),
  start: lax(Moment),
  end: lax(Moment),
  isAllDay: lax(z.boolean()),
  isCancelled: lax(z.boolean()),
  showAs: lax(z.string()),
  responseStatus: lax(z.object({ response: lax(z.string()) })),
  isOnlineMeeting: lax(z.boolean()),
  onlineMeeting: lax(z.object({ joinUrl: lax(z.string()) })),
  singleValueExtendedProperties: lax(z.array(z.object({ id: z.string(), value: z.string() }))),
})
export type GraphEvent = z.infer<typeof GraphEvent>

/** Our property on an event we wrote: `iCalUId` is Graph's own. */
export const UID_PROPERTY = 'String {5d0b7b3c-4d1e-4a53-9a8e-0f6d6c1f2b9a} Name HoldfastUid'

const BEFORE_CALENDAR = '|'

/**
 * Graph knows transaction ids per mailbox, and members who share one may each have our event in a calendar of their own.
 * https://learn.microsoft.com/graph/api/resources/event
 */
export async function transactionIdOf(uid: string, calendar: string): Promise<string> {
  return `${uid}${BEFORE_CALENDAR}${await digestOf([calendar])}`
}

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

type ReadEvents = {
  /** Null when nothing of it has a start that can be understood. */
  readonly event: ExternalEvent | null
  /** Its name where something that changes busy time could not be understood. */
  readonly unclear: EventName | null
}

/**
 * One event, or all the occurrences of one series, as scheduling sees them; busy time is cut to `within`, and
 * all-day events follow the mailbox's zone.
 */
export function readEvents(
  events: readonly [GraphEvent, ...GraphEvent[]],
  timeZone: string | null,
  within: Interval | null,
  countsFree = false,
): ReadEvents {
  const [first] = events
  const [times, busy, unclear]: [Interval[], Interval[], GraphEvent[]] = [[], [], []]
  const held = events.filter(({ isCancelled }) => !isCancelled)
  for (const event of held) {
    const read = timeOf(event, timeZone)
    if (read !== null) times.push(read.time)
    if (!blocks(event, countsFree)) continue
    if (read !== null) busy.push(read.time)
    if (read === null || read.isGuess) unclear.push(event)
  }
  const merged = mergeIntervals(busy)
  const name = unclear.length > 0 ? nameOf(unclear) : null
  if (times.length === 0 && held.length > 0) return { event: null, unclear: name }
  const event = {
    id: seriesOf(first) ?? first.id,
    uid: uidOf(first),
    etag: first['@odata.etag'] ?? null,
    time: times.toSorted((a, b) => a.start - b.start)[0] ?? null,
    busy: within === null ? merged : intersect(merged, [within]),
  }
  return { event, unclear: name }
}

function nameOf(events: readonly GraphEvent[]): EventName {
  const dates = events.flatMap(({ start }) => dateOf(start && utc(start.dateTime)) ?? [])
  return { uid: shownUid(events[0]!.iCalUId ?? events[0]!.id), date: dates.sort()[0] ?? null }
}

/** The occurrences of a series have UIDs of their own, so the series is known by its id. */
function uidOf(event: GraphEvent): string {
  const { id, iCalUId, transactionId, singleValueExtendedProperties } = event
  const own = singleValueExtendedProperties?.find((property) => sameId(property.id, UID_PROPERTY))
  return own?.value ?? transactionId?.split(BEFORE_CALENDAR)[0] ?? seriesOf(event) ?? iCalUId ?? id
}

/** Graph changes the letter case of an extended property's GUID. */
function sameId(a: string, b: string): boolean {
  return a.toLowerCase() === b.toLowerCase()
}

function blocks({ isCancelled, showAs, responseStatus }: GraphEvent, countsFree: boolean): boolean {
  const isFree = showAs === 'free' || showAs === 'workingElsewhere'
  return !isCancelled && (countsFree || !isFree) && responseStatus?.response !== 'declined'
}

/** Null when the start makes no sense; the end is a guess where it makes none. */
export function timeOf({ start, end, isAllDay }: GraphEvent, timeZone: string | null) {
  const tell = (moment: typeof start) => {
    if (!moment) return null
    const { dateTime } = moment
    return isAllDay ? { date: dateTime.slice(0, 10) } : { instant: utc(dateTime) }
  }
  return toldTime(tell(start), tell(end), timeZone)
}

/** Graph writes seven decimals and no zone: `2026-03-09T13:00:00.0000000`. */
function utc(dateTime: string): number {
  return Date.parse(`${dateTime.replace(/\.\d+$/, '').replace(/Z$/, '')}Z`)
}
