import { type BookingWindow, bookableRange } from '../../core/booking-window.ts'
import { fullCapPeriods } from '../../core/caps.ts'
import type { SlotRules } from '../../core/hold.ts'
import type { Interval } from '../../core/interval.ts'
import { parseDate } from '../../core/local-time.ts'
import { canTake, type Person } from '../../core/person.ts'
import type { SlotRequest } from '../../core/slot-request.ts'
import { isOpenStart } from '../../core/slots.ts'
import { MINUTE_MS } from '../../core/time-units.ts'
import type { Needed } from '../../core/units.ts'
import { because, type Refusal } from '../../platform/http/errors.ts'
import type { PresentMs } from '../../platform/limits/clock.ts'
import { calendarsOf, closedBy, closingTimes, isClosedBy } from './calendar-times.ts'
import { hostTimes } from './host-times.ts'
import { heirsOf, isHostless } from './hostless-sessions.ts'
import { attendedSessions, fullTimesOf, hostTeller, idle, idleHosts, presenceOf } from './people.ts'
import { isUnitId, neededOf } from './resources/rooms.ts'
import type { EventTypeRow, Hold, Schedule, Session } from './schedule.ts'
import { calendarsOfTeam, candidatesOf, teamOf } from './team.ts'

export type Question = {
  readonly range: Interval
  readonly durationMinutes: number
  readonly now: PresentMs
  /** The number of seats; one by default. */
  readonly seats?: number
  /** Whether starts outside the booking window are judged like any others. */
  readonly isAnyDate?: true
}

/** The only way from a schedule to a question for the slot core, for availability and booking alike. */
export function slotRequest(schedule: Schedule, question: Question): SlotRequest {
  const { eventType } = schedule
  const { durationMinutes, now, seats = 1 } = question
  const range = question.isAnyDate ? question.range : offeredIn(eventType, question.range, now, seats)
  const rules = {
    durationMs: durationMinutes * MINUTE_MS,
    bufferBeforeMs: eventType.bufferBeforeMinutes * MINUTE_MS,
    bufferAfterMs: eventType.bufferAfterMinutes * MINUTE_MS,
  }
  const needed = neededOf(schedule)
  return {
    ...rules,
    range,
    stepMs: (eventType.slotIntervalMinutes ?? durationMinutes) * MINUTE_MS,
    earliestStart: now + eventType.minimumNoticeMinutes * MINUTE_MS,
    fullPeriods: fullPeriods(schedule, range),
    ...(eventType.assignmentStrategy === 'none' ? allOf(schedule, range) : teamIn(schedule, range)),
    ...(isGroup(eventType) && { sessions: joinable(schedule, rules, seats) }),
    ...(needed && { needed }),
  }
}

/** The part of `range` in the event type's booking window; empty for more seats than it has. */
function offeredIn(eventType: EventTypeRow, range: Interval, now: PresentMs, seats: number): Interval {
  if (seats > eventType.maxAttendees) return { start: range.start, end: range.start }
  const window = windowOf(eventType)
  if (window === null) return range
  const offered = bookableRange(window, now)
  const start = Math.max(range.start, offered.start)
  const end = Math.min(range.end, offered.end)
  return start < end ? { start, end } : { start: range.start, end: range.start }
}

/** Null if starts are offered on any date. */
export function windowOf(eventType: EventTypeRow): BookingWindow | null {
  const { bookingWindowDays, bookableFrom, bookableUntil, timezone } = eventType
  if (bookingWindowDays === null && bookableFrom === null && bookableUntil === null) return null
  return {
    timeZone: timezone,
    daysAhead: bookingWindowDays,
    from: bookableFrom === null ? null : parseDate(bookableFrom),
    until: bookableUntil === null ? null : parseDate(bookableUntil),
  }
}

/** Whether the request's range contains `start` and it is open. */
export function isOffered(request: SlotRequest, start: number): boolean {
  const { range } = request
  return range.start <= start && start < range.end && isOpenStart(request, start)
}

export function isGroup({ maxAttendees }: EventTypeRow): boolean {
  return maxAttendees > 1
}

/** The same question as if nothing were taken: what hours and time off alone offer. */
export function withoutTaken({
  anyOf,
  needed,
  sessions: _,
  fullForNew: __,
  taken: ___,
  ...request
}: SlotRequest): SlotRequest {
  const people = anyOf?.map(idle) ?? []
  const isThere = (one: Person) => !one.hours && one.closed.length === 0
  const isAnybodyThere = people.length === 0 || people.filter(isThere).length >= (request.count ?? 1)
  const isOpenAnyway = request.hours !== null && isAnybodyThere
  return {
    ...request,
    busy: [],
    fullPeriods: [],
    ...(anyOf && !isOpenAnyway && { anyOf: people }),
    ...(needed && { needed: untaken(needed) }),
  }
}

function untaken({ needs, things }: Needed): Needed {
  return { needs, things: things.map(({ id, units }) => ({ id, units: units.map(idle) })) }
}

type Parties = Pick<
  SlotRequest,
  'hours' | 'within' | 'closed' | 'busy' | 'taken' | 'anyOf' | 'count' | 'fullForNew'
>

/** Without a strategy: all hosts, and everything that the event type holds, by its hosts and those who left. */
function allOf(schedule: Schedule, range: Interval): Parties {
  const { eventType, hours, hosts, holds, kept, calendars } = schedule
  const people = hosts.map((host) => presenceOf(schedule, host))
  const ofHosts = people.flatMap((one) => one.hours ?? [])
  return {
    ...(eventType.hoursFrom === 'hosts' ? { hours: ofHosts } : { hours: [hours], within: ofHosts }),
    closed: [
      ...people.flatMap(({ closed }) => closed),
      ...schedule.closed,
      ...(hosts.length === 0 ? closingTimes(schedule) : []),
    ],
    busy: closedBy(schedule, calendars),
    taken: [...heldByItself(holds), kept, ...calendars.map(({ busy }) => busy)],
    fullForNew: hosts.flatMap((host) => fullTimesOf(schedule, host, range)),
  }
}

/** What is held of the event type, its hosts and calendars: of rooms, other units may be free. */
export function heldByItself(holds: Schedule['holds']): (readonly Hold[])[] {
  return [...holds].flatMap(([id, ofResource]) => (isUnitId(id) ? [] : [ofResource]))
}

/**
 * With a strategy: the event type's own time (bookings from when it had no hosts), everybody who always takes part, and so
 * many of the pool.
 */
function teamIn(schedule: Schedule, range: Interval): Parties {
  const { eventType, hours, holds } = schedule
  const { sure, pool, size } = teamOf(schedule)
  const anyOf = pool.map(hostTeller(schedule, range))
  const busy = holds.get(eventType.id) ?? []
  const isOfHosts = eventType.hoursFrom === 'hosts'
  const ofTeam = sure.length === 0 || size > 0 ? { anyOf, count: size } : {}
  if (sure.length === 0) return { hours: isOfHosts ? null : [hours], busy, ...ofTeam }
  const people = sure.map((host) => presenceOf(schedule, host))
  const theirs = people.flatMap((one) => one.hours ?? [])
  return {
    ...(isOfHosts && size === 0 ? { hours: theirs } : { hours: isOfHosts ? null : [hours], within: theirs }),
    closed: people.flatMap(({ closed }) => closed),
    busy,
    taken: sure.map((host) => hostTimes(schedule, host)),
    fullForNew: sure.flatMap((host) => fullTimesOf(schedule, host, range)),
    ...ofTeam,
  }
}

/** The same question as if hosts were only ever busy, which distinguishes starts that nobody can take from others. */
export function withIdleHosts(schedule: Schedule, request: SlotRequest): SlotRequest {
  const { eventType, holds } = schedule
  const { sure, pool, size } = teamOf(schedule)
  const lost = sure.flatMap((host) => closedBy(schedule, calendarsOf(schedule, host.id)))
  const anyOf = schedule.hosts.length === 0 ? [idle({ hours: null, closed: [] })] : idleHosts(schedule, pool)
  return {
    ...request,
    busy: [...(holds.get(eventType.id) ?? []), ...lost],
    taken: [],
    fullForNew: [],
    // Of a pool that is too small, all are busy.
    ...(request.anyOf && { anyOf, count: Math.max(1, Math.min(size, pool.length)) }),
  }
}

export function seatsLeft(schedule: Schedule, seatsTaken: number): number {
  return Math.max(0, schedule.eventType.maxAttendees - seatsTaken)
}

/** Seats last as long as the session. The hours of all hosts are checked separately. */
function joinable(schedule: Schedule, rules: SlotRules, seats: number): Map<number, boolean> {
  const isCollective = schedule.eventType.assignmentStrategy === 'none'
  const attended = isCollective ? null : attendedSessions(schedule, rules)
  return new Map(
    schedule.sessions.map((session) => {
      const { startTime, endTime, seatsTaken } = session
      const isSameLength = endTime - startTime === rules.durationMs
      const calendars = calendarsOfTeam(schedule, session)
      const isHeld = attended?.has(session) ?? true
      const isOpen =
        isSameLength && isHeld && !isClosedBy(schedule, calendars) && hasHost(schedule, session, rules)
      return [startTime, isOpen && seatsLeft(schedule, seatsTaken) >= seats]
    }),
  )
}

/** Whether the session has a host, or somebody could take over from a host who left. */
export function hasHost(schedule: Schedule, session: Session, rules: SlotRules): boolean {
  if (!isHostless(schedule, session)) return true
  if (heirsOf(schedule, session.id, session.startTime).length > 0) return true
  if (schedule.eventType.assignmentStrategy === 'none') return false
  const { startTime: start } = session
  const personOf = hostTeller(schedule, { start, end: start + 1 })
  return candidatesOf(schedule).some((host) => canTake(personOf(host), start, rules))
}

/** The cap periods touching `range` that are full. */
export function fullPeriods(schedule: Schedule, range: Interval): Interval[] {
  const { bookingCap: cap, bookingCapPeriod: period, activeBookings } = schedule.eventType
  if (cap === null) return []
  return fullCapPeriods({
    cap,
    period: period ?? 'total',
    table: schedule.table,
    range,
    bookings: schedule.bookedStarts,
    totalCount: activeBookings + schedule.heldCount,
  })
}

/** Why `durationMinutes` cannot be booked; null if the event type offers it. */
export function refuseDuration(eventType: EventTypeRow, durationMinutes: number): Refusal | null {
  const offered = lengthsOf(eventType)
  if (offered.includes(durationMinutes)) return null
  return because('other_duration', { offered })
}

/** The offered lengths, in minutes. */
export function lengthsOf({ durationOptions, durationMinutes }: EventTypeRow): readonly number[] {
  return durationOptions ?? [durationMinutes]
}

/** Why this many seats cannot be booked at once; null if the event type has them. */
export function refuseSeats({ maxAttendees }: EventTypeRow, seats: number): Refusal | null {
  return seats <= maxAttendees ? null : because('too_many_attendees', { most: maxAttendees })
}
