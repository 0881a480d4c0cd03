import * as z from 'zod'
import { type Interval, intersect } from '../../scheduling/interval.ts'
import { datesToInterval } from '../calendar/all-day.ts'
import type { ExternalEvent } from '../calendar/calendar-client.ts'

const Moment = z.union([z.object({ dateTime: z.string() }), z.object({ date: z.string() })])

/** https://developers.google.com/workspace/calendar/api/v3/reference/events */
export const GoogleEvent = z.object({
  id: z.string(),
  status: z.string().optional(),
  etag: z.string().optional(),
  iCalUID: z.string().optional(),
  sequence: z.number().optional(),
  recurringEventId: z.string().optional(),
  start: Moment.optional(),
  end: Moment.optional(),
  transparency: z.string().optional(),
  eventType: z.string().optional(),
  attendees: z
    .array(z.object({ self: z.boolean().optional(), responseStatus: z.string().optional() }))
    .optional(),
  extendedProperties: z.object({ private: z.record(z.string(), z.string()).optional() }).optional(),
  hangoutLink: z.string().optional(),
  conferenceData: z
    .object({
      createRequest: z
        .object({
          requestId: z.string().optional(),
          status: z.object({ statusCode: z.string().optional() }).optional(),
        })
        .optional(),
      entryPoints: z
        .array(z.object({ entryPointType: z.string().optional(), uri: z.string().optional() }))
        .optional(),
    })
    .optional(),
})
export type GoogleEvent = z.infer<typeof GoogleEvent>

/** Those of the fields above that say when somebody is busy, as a partial response asks for them. */
export const EVENT_FIELDS =
  'id,status,etag,iCalUID,recurringEventId,start,end,transparency,eventType,' +
  'attendees(self,responseStatus),extendedProperties/private'

/** The private extended property with our UID: Google makes its own iCalUID for an event whose id we choose. */
export const UID_PROPERTY = 'holdfastUid'

/** These say where somebody is or whose birthday it is, not that they are busy. */
const IDLE_TYPES = ['workingLocation', 'birthday']

const ALPHABET = '0123456789abcdefghijklmnopqrstuv'

/** The id of the event for a UID: base32hex (RFC 4648, section 7), lower case, unpadded, as Google wants ids. */
export function eventIdOf(uid: string): string {
  let [bits, size, id] = [0, 0, '']
  for (const byte of new TextEncoder().encode(uid)) {
    bits = (bits << 8) | byte
    size += 8
    for (; size >= 5; size -= 5) id += ALPHABET[(bits >> (size - 5)) & 31]
    bits &= (1 << size) - 1
  }
  return size > 0 ? id + ALPHABET[(bits << (5 - size)) & 31] : id
}

/** How often an event may have another id, because those before are of events that Google does not let come back. */
const MAX_IDS = 5

/** The ids that the event for a UID may have: the first one, unless it cannot be had any more. */
export function eventIdsOf(uid: string): string[] {
  return Array.from({ length: MAX_IDS }, (_, index) => eventIdOf(index === 0 ? uid : `${uid}#${index + 1}`))
}

/**
 * An event as scheduling sees it, its busy time cut to `within`; all-day events follow the calendar's zone.
 * Null when it makes no sense.
 */
export function readEvent(
  event: GoogleEvent,
  timeZone: string | null,
  within: Interval | null,
): ExternalEvent | null {
  const { id, etag = null, iCalUID = id, start, end } = event
  const time = start && end ? intervalOf(start, end, timeZone) : null
  if (time === null && event.status !== 'cancelled') return null
  return {
    id,
    uid: ownUid(event) ?? iCalUID,
    etag,
    time: event.status === 'cancelled' ? null : time,
    busy: time !== null && time.start < time.end && blocks(event) ? intersect([time], [within ?? time]) : [],
  }
}

export function isCancelled(event: GoogleEvent): boolean {
  return event.status === 'cancelled'
}

/** Where to join the meeting that Google made for the event. */
export function meetingUrlOf({ hangoutLink, conferenceData }: GoogleEvent): string | null {
  const video = conferenceData?.entryPoints?.find(({ entryPointType }) => entryPointType === 'video')
  return hangoutLink ?? video?.uri ?? null
}

export function isMeetingPending({ conferenceData }: GoogleEvent): boolean {
  return conferenceData?.createRequest?.status?.statusCode === 'pending'
}

/** The id under which a meeting is asked for. Google ignores one that it had before, also after it failed. */
export function requestIdFor(uid: string, { conferenceData }: Pick<GoogleEvent, 'conferenceData'>): string {
  const { requestId, status } = conferenceData?.createRequest ?? {}
  if (requestId === undefined || status?.statusCode !== 'failure') return uid
  const tries = /#(\d+)$/.exec(requestId)?.[1]
  return `${uid}#${Number(tries ?? 1) + 1}`
}

/** Only the event we wrote has an id that follows from the UID; a copy of it belongs to its maker. */
function ownUid({ id, extendedProperties }: GoogleEvent): string | null {
  const uid = extendedProperties?.private?.[UID_PROPERTY]
  return uid !== undefined && eventIdsOf(uid).includes(id) ? uid : null
}

function blocks(event: GoogleEvent): boolean {
  const { status, transparency, eventType = 'default', attendees = [] } = event
  if (status === 'cancelled' || transparency === 'transparent' || IDLE_TYPES.includes(eventType)) return false
  return !attendees.some(({ self, responseStatus }) => self && responseStatus === 'declined')
}

type Moment = z.infer<typeof Moment>

function intervalOf(start: Moment, end: Moment, timeZone: string | null): Interval | null {
  if ('date' in start) return 'date' in end ? datesToInterval(start.date, end.date, timeZone) : null
  if ('date' in end) return null
  const interval = { start: Date.parse(start.dateTime), end: Date.parse(end.dateTime) }
  return Number.isFinite(interval.start) && Number.isFinite(interval.end) ? interval : null
}
