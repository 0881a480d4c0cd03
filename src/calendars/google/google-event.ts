import * as z from 'zod'
import { type Interval, intersect } from '../../core/interval.ts'
import { type EventName, shownUid } from '../../platform/icalendar/unclear-events.ts'
import type { ExternalEvent } from '../client/calendar-client.ts'
import { type Told, toldTime } from '../client/provider-time.ts'

const Moment = z.union([z.object({ dateTime: z.string() }), z.object({ date: z.string() })])

/** A field that cannot be understood is as good as none: it spoils no other. */
const lax = <T extends z.ZodType>(schema: T) => schema.optional().catch(undefined)

/** https://developers.google.com/workspace/calendar/api/v3/reference/events */
export const GoogleEvent = z.object({
  id: z.string(),
  status: lax(z.string()),
  etag: lax(z.string()),
  iCalUID: lax(z.string()),
  sequence: lax(z.number()),
  recurringEventId: lax(z.string()),
  start: lax(Moment),
  end: lax(Moment),
  transparency: lax(z.string()),
  eventType: lax(z.string()),
  attendees: lax(z.array(z.object({ self: lax(z.boolean()), responseStatus: lax(z.string()) }).catch({}))),
  extendedProperties: lax(z.object({ private: lax(z.record(z.string(), z.string())) })),
  hangoutLink: lax(z.string()),
  conferenceData: lax(
    z.object({
      createRequest: lax(
        z.object({
          requestId: lax(z.string()),
          status: lax(z.object({ statusCode: lax(z.string()) })),
        }),
      ),
      entryPoints: lax(z.array(z.object({ entryPointType: lax(z.string()), uri: lax(z.string()) }))),
    }),
  ),
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

type ReadEvent = {
  /** Null when it has no start that can be understood. */
  readonly event: ExternalEvent | null
  /** Its name where something that changes busy time could not be understood. */
  readonly unclear: EventName | null
}

/** An event as scheduling sees it, its busy time cut to `within`; all-day events follow the calendar's zone. */
export function readEvent(
  event: GoogleEvent,
  timeZone: string | null,
  within: Interval | null,
  countsFree = false,
): ReadEvent {
  const { id, etag = null, iCalUID = id, start, end } = event
  const name = { uid: shownUid(iCalUID), date: dateIn(start) }
  const known = { id, uid: ownUid(event) ?? iCalUID, etag }
  if (isCancelled(event)) return { event: { ...known, time: null, busy: [] }, unclear: null }
  const read = toldTime(tell(start), tell(end), timeZone)
  if (read === null) return { event: null, unclear: blocks(event, countsFree) ? name : null }
  const { time, isGuess } = read
  const busy = time.start < time.end && blocks(event, countsFree) ? intersect([time], [within ?? time]) : []
  return { event: { ...known, time, busy }, unclear: isGuess && busy.length > 0 ? name : null }
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

/** Where somebody works and when somebody was born never blocks, whatever counts. */
function blocks(event: GoogleEvent, countsFree: boolean): boolean {
  const { status, transparency, eventType = 'default', attendees = [] } = event
  if (status === 'cancelled' || IDLE_TYPES.includes(eventType)) return false
  if (transparency === 'transparent' && !countsFree) return false
  return !attendees.some(({ self, responseStatus }) => self && responseStatus === 'declined')
}

type Moment = z.infer<typeof Moment>

function tell(moment: Moment | undefined): Told {
  if (moment === undefined) return null
  return 'date' in moment ? moment : { instant: Date.parse(moment.dateTime) }
}

function dateIn(moment: Moment | undefined): string | null {
  if (moment === undefined) return null
  return /^\d{4}-\d\d-\d\d/.exec('date' in moment ? moment.date : moment.dateTime)?.[0] ?? null
}
