import { type AskedMs, nowAsSeen, type PresentMs } from '../../../platform/limits/clock.ts'
import { listIn } from '../decode-hours.ts'
import { organizationOf, readEventType } from '../decode-schedule.ts'
import type { EventTypeRow, Schedule, ScheduleVersion } from '../schedule.ts'
import type { RawOffer } from './queries.ts'

/** The parts of an event type that do not depend on the time in question. */
export type Offer = {
  readonly eventType: EventTypeRow
  readonly version: ScheduleVersion
  readonly organization: Schedule['organization']
  readonly organizationZone: string
  readonly defaultCalendarId: string | null
  readonly bookingsThisMonth: number
  /** Its own weekly rules. */
  readonly rules: string
  /** In the order of priority, then age. */
  readonly hosts: readonly OfferedHost[]
  /** The calendars that are checked if it has no hosts. */
  readonly calendarIds: readonly string[]
  /** The calendars of everybody. */
  readonly closingIds: readonly string[]
  readonly isWaitedFor: boolean
  /** Its present. */
  readonly present: PresentMs
}

export type OfferedHost = {
  readonly memberId: string
  readonly resourceId: string
  readonly priority: number
  readonly weight: number
  readonly lastAssignment: number
  readonly scheduleId: string | null
  readonly createdAt: number
  readonly id: string
  readonly part: 'pool' | 'required'
}

type HostValues = readonly [
  memberId: string,
  resourceId: string,
  priority: number,
  weight: number,
  lastAssignment: number,
  scheduleId: string | null,
  createdAt: number,
  id: string,
  part: 'pool' | 'required',
]

export function decodeOffer(raw: RawOffer, now: AskedMs): Offer {
  const eventType = readEventType(raw)
  const organization = organizationOf(raw)
  return {
    eventType,
    version: { own: eventType.version, shared: raw.shared_version },
    organization,
    organizationZone: raw.organization_timezone,
    defaultCalendarId: raw.default_calendar,
    bookingsThisMonth: raw.bookings_this_month,
    rules: raw.rules,
    hosts: listIn<HostValues>(raw.hosts).map(hostOf).sort(byPriority),
    calendarIds: listIn<string>(raw.own_calendars),
    closingIds: listIn<string>(raw.closing),
    isWaitedFor: raw.is_waited_for === 1,
    present: nowAsSeen(eventType.isTest, organization.sandboxNow, now),
  }
}

function hostOf([
  memberId,
  resourceId,
  priority,
  weight,
  lastAssignment,
  scheduleId,
  createdAt,
  id,
  part,
]: HostValues): OfferedHost {
  return {
    memberId,
    resourceId,
    priority,
    weight,
    lastAssignment,
    scheduleId,
    createdAt,
    id,
    part,
  }
}

function byPriority(one: OfferedHost, other: OfferedHost): number {
  return one.priority - other.priority || one.createdAt - other.createdAt || (one.id < other.id ? -1 : 1)
}
