import type { Interval } from '../../../core/interval.ts'
import { zoneTable } from '../../../core/local-time.ts'
import { NEVER_OPEN, type OpenHours } from '../../../core/open-hours.ts'
import { DAY_MS } from '../../../core/time-units.ts'
import type { AskedMs } from '../../../platform/limits/clock.ts'
import type { Calendar } from '../calendar.ts'
import { decodeHours, listIn } from '../decode-hours.ts'
import {
  type ExpiredValues,
  type KeptValues,
  keptOf,
  type Pair,
  readSession,
  withoutExpired,
} from '../decode-schedule.ts'
import { byId, timeOffIn } from '../resources/decode-resources.ts'
import { needsOf, unitIdOf } from '../resources/rooms.ts'
import { type Host, monthOf, ownScheduleOf, type Room, type Schedule } from '../schedule.ts'
import { readHolds } from '../taken/read-times.ts'
import { deadlinesOf, trueUntil } from '../true-until.ts'
import type { KnownCalendar, KnownPerson } from './decode-people.ts'
import type { Offer, OfferedHost } from './offer.ts'
import type { RawSpan } from './queries.ts'

/** What event types share in a range: people and their calendars by resource, and hours by schedule. */
type SharedTime = {
  readonly people: ReadonlyMap<string, KnownPerson>
  readonly calendarsOfPeople: ReadonlyMap<string, readonly KnownCalendar[]>
  readonly calendars: ReadonlyMap<string, KnownCalendar>
  readonly hours: ReadonlyMap<string, OpenHours>
  readonly closing: ReadonlyMap<string, Calendar>
  readonly rooms: ReadonlyMap<string, Room>
  /** What is held of each unit. */
  readonly units: ReadonlyMap<string, KnownUnit>
}

export type KnownUnit = Pick<KnownPerson, 'holds' | 'hasExpired'>

/** A schedule, and whether some of its time is reserved for the waitlist, which it does not contain itself. */
export type Span = { readonly schedule: Schedule; readonly hasReservedTime: boolean }

/** The instant from which packed times count, as the queries say. */
export function baseOf({ start }: Interval): number {
  return start - (start % DAY_MS)
}

/** The schedule of one event type in `range`, as of `now`. */
export function decodeSpan(
  offer: Offer,
  raw: RawSpan,
  shared: SharedTime,
  range: Interval,
  now: AskedMs,
): Span {
  const { eventType, organization } = offer
  const people = offer.hosts.map((host) => ({ host, person: shared.people.get(host.resourceId) }))
  const calendars = calendarsOf(offer, shared)
  const rooms = [...new Set(needsOf(eventType).flatMap(({ of }) => of))].flatMap(
    (id) => shared.rooms.get(id) ?? [],
  )
  const units = rooms.flatMap(({ id, quantity }) =>
    Array.from({ length: quantity }, (_, at) => unitIdOf(id, at + 1)).map(
      (unitId) => [unitId, shared.units.get(unitId)] as const,
    ),
  )
  const expired = listIn<ExpiredValues>(raw.expired)
  const held = listIn<Pair>(raw.held_starts)
  const holds = new Map([
    [eventType.id, readHolds(raw.holds, baseOf(range), eventType.id)],
    ...people.map(({ host, person }) => [host.resourceId, person?.holds ?? []] as const),
    ...calendars.map(({ calendar, holds: held }) => [calendar.connection.id, held] as const),
    ...units.map(([unitId, unit]) => [unitId, unit?.holds ?? []] as const),
  ])
  const kept = listIn<KeptValues>(raw.kept).map((values) => keptOf(values, eventType.id))
  const hasExpired =
    expired.length > 0 ||
    people.some(({ person }) => person?.hasExpired) ||
    calendars.some((calendar) => calendar.hasExpired) ||
    units.some(([, unit]) => unit?.hasExpired)
  const schedule: Schedule = {
    version: { own: raw.own_version, shared: raw.shared_version },
    trueUntil: trueUntil(offer, [], deadlinesOf(raw, [...holds.values(), kept]), now),
    range,
    eventType,
    organization,
    month: monthOf(now),
    bookingsThisMonth: offer.bookingsThisMonth,
    table: zoneTable(eventType.timezone, range.start, range.end),
    hours: hoursOf(offer, raw, shared),
    closed: timeOffIn(raw.closed),
    closing: offer.closingIds.flatMap((id) => shared.closing.get(id) ?? []).sort(byId),
    hosts: people.flatMap(({ host, person }, addedAt) =>
      person ? [decodeHost(offer, host, person, shared, addedAt)] : [],
    ),
    holds,
    kept,
    calendars: calendars.map(({ calendar }): Calendar => {
      return { ...calendar, isDefault: calendar.connection.id === offer.defaultCalendarId }
    }),
    rooms,
    sessions: withoutExpired(listIn<unknown[]>(raw.sessions).map(readSession), expired),
    seated: new Map(),
    inviteeBookings: 0,
    heldCount: held.reduce((sum, [, count]) => sum + count, 0),
    bookedStarts: [...listIn<Pair>(raw.booked_starts), ...held].map(([start, count]) => ({ start, count })),
    // Only an assignment needs them.
    assignedStarts: [],
    hasExpired,
    freed: [],
    wanted: [],
  }
  return { schedule, hasReservedTime: offer.isWaitedFor && (raw.has_reserved === 1 || hasExpired) }
}

/** The oldest first. */
function calendarsOf({ hosts, calendarIds }: Offer, shared: SharedTime): KnownCalendar[] {
  return [
    ...hosts.flatMap(({ resourceId }) => shared.calendarsOfPeople.get(resourceId) ?? []),
    ...calendarIds.flatMap((id) => shared.calendars.get(id) ?? []),
  ].sort((one, other) => (one.calendar.connection.id < other.calendar.connection.id ? -1 : 1))
}

function hoursOf({ eventType, rules }: Offer, { overrides }: RawSpan, { hours }: SharedTime): OpenHours {
  const scheduleId = ownScheduleOf(eventType)
  if (scheduleId === null) return decodeHours(eventType.timezone, listIn(rules), listIn(overrides))
  return hours.get(scheduleId) ?? NEVER_OPEN
}

function decodeHost(
  { organization, organizationZone }: Offer,
  host: OfferedHost,
  person: KnownPerson,
  { hours }: SharedTime,
  addedAt: number,
): Host {
  // No hours are read if no member of the organization ever had hours.
  const scheduleId = organization.hoursVersion > 0 ? (host.scheduleId ?? person.usualScheduleId) : null
  const { limits } = person
  return {
    id: host.memberId,
    resourceId: host.resourceId,
    part: host.part,
    priority: host.priority,
    weight: host.weight,
    lastAssignment: host.lastAssignment,
    addedAt,
    userId: person.userId,
    email: person.email,
    name: person.name,
    activeBookings: 0,
    scheduleId,
    hours: scheduleId === null ? null : (hours.get(scheduleId) ?? NEVER_OPEN),
    timeOff: person.timeOff,
    limits: limits && { ...limits, timeZone: person.timeZone ?? organizationZone },
  }
}
