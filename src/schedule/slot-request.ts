import type { Refusal } from '../http/errors.ts'
import type { PresentMs } from '../limits/clock.ts'
import { fullCapPeriods } from '../scheduling/caps.ts'
import type { Interval } from '../scheduling/interval.ts'
import type { Person } from '../scheduling/person.ts'
import type { SlotRequest } from '../scheduling/slots.ts'
import { MINUTE_MS } from '../scheduling/time-units.ts'
import { calendarsOf, closedBy, isClosedBy } from './calendar-times.ts'
import type { EventTypeRow, Hold, Host, Schedule } from './schedule.ts'

export type Question = {
  readonly range: Interval
  readonly durationMinutes: number
  readonly now: PresentMs
  /** How many seats are wanted of a session; one unless said otherwise. */
  readonly seats?: number
}

/** The one way from a schedule to a question for the slot core, for availability and booking alike. */
export function slotRequest(schedule: Schedule, question: Question): SlotRequest {
  const { eventType, hours } = schedule
  const { range, durationMinutes, now, seats = 1 } = question
  return {
    range,
    hours: [hours],
    durationMs: durationMinutes * MINUTE_MS,
    stepMs: durationMinutes * MINUTE_MS,
    bufferBeforeMs: eventType.bufferBeforeMinutes * MINUTE_MS,
    bufferAfterMs: eventType.bufferAfterMinutes * MINUTE_MS,
    earliestStart: now + eventType.minimumNoticeMinutes * MINUTE_MS,
    fullPeriods: fullPeriods(schedule, range),
    ...resourcesFor(schedule),
    ...(isGroup(eventType) && { sessions: joinable(schedule, durationMinutes, seats) }),
  }
}

export function isGroup({ maxAttendees }: EventTypeRow): boolean {
  return maxAttendees > 1
}

function timesOf(holds: readonly Hold[]): Interval[] {
  return holds.map(({ startsAt, endsAt }) => ({ start: startsAt, end: endsAt }))
}

/**
 * Tells when a host cannot be booked. Whatever is held of their calendars counts with what the calendars say,
 * wherever a booking would be written now.
 */
export function busyTeller(schedule: Schedule): (host: Host) => Interval[] {
  const holds = Map.groupBy(schedule.holds, ({ resourceId, keptBy }) => (keptBy === '' ? resourceId : null))
  const held = (resourceId: string) => timesOf(holds.get(resourceId) ?? [])
  return (host) => {
    const calendars = calendarsOf(schedule, host.id)
    return [
      ...held(host.resourceId),
      ...calendars.flatMap(({ connection, busy }) => [...held(connection.id), ...busy]),
      ...closedBy(schedule, calendars),
    ]
  }
}

/** The same question as if nothing were taken: what the hours alone offer. */
export function withoutTaken({ oneOf: _hosts, sessions: _sessions, ...request }: SlotRequest): SlotRequest {
  return { ...request, busy: [], fullPeriods: [] }
}

/**
 * Without a strategy, all that the event type holds itself, by its hosts and by those who left; with one, its own
 * time (what was booked while it had no hosts) and one of the hosts'.
 */
function resourcesFor(schedule: Schedule): Pick<SlotRequest, 'busy' | 'oneOf'> {
  const { eventType, hosts, holds, calendars } = schedule
  if (eventType.assignmentStrategy === 'none') {
    return {
      busy: [...timesOf(holds), ...calendars.flatMap(({ busy }) => busy), ...closedBy(schedule, calendars)],
    }
  }
  const busyOf = busyTeller(schedule)
  const own = holds.filter(({ resourceId }) => resourceId === eventType.id)
  return { busy: timesOf(own), oneOf: hosts.map((host) => personOf(busyOf(host))) }
}

/** Somebody who works whenever the event type is open. */
export function personOf(busy: readonly Interval[]): Person {
  return { hours: null, closed: [], busy, full: [] }
}

export function seatsLeft(schedule: Schedule, seatsTaken: number): number {
  return Math.max(0, schedule.eventType.maxAttendees - seatsTaken)
}

/** Who joins a session takes part for as long as it lasts. */
function joinable(schedule: Schedule, durationMinutes: number, seats: number): Map<number, boolean> {
  const isCollective = schedule.eventType.assignmentStrategy === 'none'
  return new Map(
    schedule.sessions.map(({ startTime, endTime, seatsTaken, assignedHost }) => {
      const isSameLength = endTime - startTime === durationMinutes * MINUTE_MS
      const calendars = calendarsOf(schedule, isCollective ? null : (assignedHost?.member_id ?? null))
      const isOpen = isSameLength && !isClosedBy(schedule, calendars)
      return [startTime, isOpen && seatsLeft(schedule, seatsTaken) >= seats]
    }),
  )
}

/** The cap periods touching `range` that take no further booking. */
export function fullPeriods(schedule: Schedule, range: Interval): Interval[] {
  const { bookingCap: cap, bookingCapPeriod: period, activeBookings } = schedule.eventType
  if (cap === null) return []
  return fullCapPeriods({
    cap,
    period: period ?? 'total',
    table: schedule.table,
    range,
    bookings: schedule.bookedStarts,
    totalCount: activeBookings,
  })
}

/** Why `durationMinutes` cannot be booked; null when the event type offers it. */
export function refuseDuration(eventType: EventTypeRow, durationMinutes: number): Refusal | null {
  const offered = eventType.durationOptions ?? [eventType.durationMinutes]
  if (offered.includes(durationMinutes)) return null
  const message = `This event type offers these durations in minutes: ${offered.join(', ')}.`
  return { code: 'bad_request', message }
}
