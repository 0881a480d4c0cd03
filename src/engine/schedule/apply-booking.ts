import type { BookingRow } from '../../platform/db/schema/bookings.ts'
import type { SlotHoldRow } from '../../platform/db/schema/slot-holds.ts'
import type { RealMs } from '../../platform/limits/clock.ts'
import { assignmentsOf, withAssigned } from './assignments.ts'
import { holderOf, type Taker, takenBy, withHolds, withoutHolds } from './held-time.ts'
import { isCollective, type Placement } from './placement.ts'
import { unitsOrNull } from './resources/rooms.ts'
import { type Hold, type Host, monthOf, nowIn, type Schedule, type Session } from './schedule.ts'
import { tagOf } from './taken/read-times.ts'
import { coHostsOrNull, hostsOf } from './team.ts'

/** The addresses of all attendees, in lower case. */
export function seatsOf({ attendees }: BookingRow): string[] {
  return attendees.map(({ email }) => email.toLowerCase())
}

/** The schedule with `row` booked where `placement` says; with a deadline `until` if it waits. */
export function withBooking(
  schedule: Schedule,
  row: BookingRow,
  placement: Placement,
  until: number | null = null,
): Schedule {
  const { eventType, seated } = schedule
  const { start, host: assignedHost, coHosts } = placement
  const hostIds = idsOf({ assignedHost, coHosts })
  // Only one strategy counts upcoming bookings.
  const isAhead = eventType.assignmentStrategy === 'least_bookings'
  const assignments = assignmentsOf(schedule, placement)
  const isForAll = isCollective(schedule, placement)
  const emails = row.sessionId === null ? undefined : seated.get(start)
  return {
    ...schedule,
    trueUntil: trueUpTo(schedule, until, isAhead ? start : null),
    holds: withHolds(schedule.holds, takenBy(row, placement, until)),
    sessions: withSeats(schedule, row, row.attendees.length, placement),
    seated: emails ? new Map([...seated, [start, new Set([...emails, ...seatsOf(row)])]]) : seated,
    hosts: schedule.hosts.map((host) =>
      withCounts(
        host,
        isAhead && hostIds.includes(host.id) ? 1 : 0,
        (isForAll ? null : assignments.get(host.id)) ?? host.lastAssignment,
      ),
    ),
    bookedStarts: withStart(schedule, start, 1),
    assignedStarts: withAssigned(schedule, hostIds, start, 1),
    bookingsThisMonth: schedule.bookingsThisMonth + (eventType.isTest ? 0 : 1),
    eventType: {
      ...eventType,
      activeBookings: eventType.activeBookings + 1,
      ...(isForAll && {
        collectiveBookings: eventType.collectiveBookings + 1,
        collectiveBookedAt: row.createdAt,
      }),
    },
  }
}

/** The same object if nothing changes: what is remembered of a host is found by it. */
function withCounts(host: Host, more: number, lastAssignment = host.lastAssignment): Host {
  const { activeBookings } = host
  if (more === 0 && lastAssignment === host.lastAssignment) return host
  return { ...host, activeBookings: activeBookings + more, lastAssignment }
}

/** A sandbox clock of its own does not move. */
function trueUpTo(
  { eventType, organization, trueUntil }: Schedule,
  deadline: number | null,
  start: number | null = null,
): RealMs {
  const standsStill = eventType.isTest && organization.sandboxNow !== null
  const ends = standsStill ? [start] : [start, deadline]
  return Math.min(trueUntil, ...ends.filter((end) => end !== null)) as RealMs
}

/** The schedule with `row` held where `placement` says until its deadline; it counts for no host. */
export function withHold(schedule: Schedule, row: SlotHoldRow, placement: Placement): Schedule {
  const isCapped = schedule.eventType.bookingCap !== null
  return {
    ...schedule,
    trueUntil: trueUpTo(schedule, row.expiresAt),
    holds: withHolds(schedule.holds, takenBy(row, placement, row.expiresAt)),
    sessions: withSeats(schedule, row, row.seats, placement),
    heldCount: schedule.heldCount + (isCapped ? 1 : 0),
    bookedStarts: withStart(schedule, placement.start, 1),
  }
}

/** The schedule without a hold: its time, its seats and its place in the cap. */
export function withoutHold(schedule: Schedule, row: SlotHoldRow): Schedule {
  const isCapped = schedule.eventType.bookingCap !== null
  return {
    ...schedule,
    ...withoutTime(schedule, row, row.seats),
    heldCount: schedule.heldCount - (isCapped ? 1 : 0),
    bookedStarts: withStart(schedule, row.startTime, -1),
  }
}

/** The schedule without these seats; a session's time is released with its last seats. */
function withoutTime(
  { holds, kept, sessions, trueUntil }: Schedule,
  row: Pick<BookingRow, 'id' | 'sessionId' | 'startTime'>,
  seats: number,
): Pick<Schedule, 'holds' | 'kept' | 'sessions' | 'trueUntil'> {
  const tag = tagOf(holderOf(row))
  const isOfTheirs = ({ holder, meetsAt }: Hold) => holder === tag && meetsAt === row.startTime
  const session = sessions.find(({ id }) => id === row.sessionId)
  const isHeld = [kept, ...holds.values()].some((ofResource) => ofResource.some(isOfTheirs))
  // A host's limits need holds from further away than the sessions that are loaded: then everything is loaded again.
  if (row.sessionId !== null && !session)
    return { holds, kept, sessions, trueUntil: isHeld ? (0 as RealMs) : trueUntil }
  if (!session || session.seatsTaken <= seats) {
    return {
      holds: withoutHolds(holds, isOfTheirs),
      kept: kept.filter((one) => !isOfTheirs(one)),
      sessions: sessions.filter((one) => one !== session),
      trueUntil,
    }
  }
  const left = sessions.map((one) => (one === session ? { ...one, seatsTaken: one.seatsTaken - seats } : one))
  return { holds, kept, sessions: left, trueUntil }
}

/** Whether a booking is among its host's upcoming ones, which one strategy counts. */
function isCounted(schedule: Schedule, row: BookingRow, { id }: Host): boolean {
  if (!idsOf(row).includes(id) || schedule.eventType.assignmentStrategy !== 'least_bookings') return false
  // As long as the schedule is true, no counted booking has begun.
  return row.startTime > nowIn(schedule, (schedule.trueUntil - 1) as RealMs)
}

/** Only caps of a period need them: a cap on all bookings has a counter. */
function withStart({ eventType, bookedStarts }: Schedule, start: number, count: number) {
  const { bookingCap, bookingCapPeriod } = eventType
  const isAsked = bookingCap !== null && bookingCapPeriod !== null && bookingCapPeriod !== 'total'
  return isAsked ? [...bookedStarts, { start, count }] : bookedStarts
}

function idsOf(hosted: Parameters<typeof hostsOf>[0]): readonly string[] {
  return hostsOf(hosted).map(({ member_id }) => member_id)
}

function withSeats(
  { sessions }: Schedule,
  row: Taker,
  seats: number,
  placement: Placement,
): readonly Session[] {
  const { session, start, end, host, calendarConnectionId } = placement
  if (session === null) return sessions
  const coHosts = coHostsOrNull(placement.coHosts)
  if (session !== 'new') {
    // A session that had lost its host has one again.
    const hosted = { assignedHost: host, coHosts, calendarConnectionId }
    return sessions.map((one) =>
      one.id === session.id ? { ...one, ...hosted, seatsTaken: one.seatsTaken + seats } : one,
    )
  }
  const opened: Session = {
    id: row.sessionId!,
    eventTypeId: row.eventTypeId,
    startTime: start,
    endTime: end,
    seatsTaken: seats,
    assignedHost: host,
    coHosts,
    calendarConnectionId: row.calendarConnectionId,
    resources: unitsOrNull(placement.units),
    createdAt: row.updatedAt,
  }
  return [...sessions, opened]
}

/** The schedule after the attendees of a booking changed from `read` to `after`. */
export function withAttendees(schedule: Schedule, read: BookingRow, after: BookingRow): Schedule {
  if (read.sessionId === null) return schedule
  const { seated, sessions } = schedule
  const more = after.attendees.length - read.attendees.length
  const there = seated.get(read.startTime)
  const others = new Set(there).difference(new Set(seatsOf(read)))
  return {
    ...schedule,
    sessions: sessions.map((one) =>
      one.id === read.sessionId ? { ...one, seatsTaken: one.seatsTaken + more } : one,
    ),
    seated: there ? new Map([...seated, [read.startTime, others.union(new Set(seatsOf(after)))]]) : seated,
  }
}

/**
 * The schedule without the active booking `row`: its hold, its seats and its place in a cap. An unpaid one, or one that is
 * uncounted (`givesBack`), no longer counts toward the monthly quota.
 */
export function withoutBooking(
  schedule: Schedule,
  row: BookingRow,
  givesBack: boolean = row.status === 'pending_payment',
): Schedule {
  const { eventType, seated } = schedule
  const emails = row.sessionId === null ? undefined : seated.get(row.startTime)
  const left = new Set(emails).difference(new Set(seatsOf(row)))
  const isUncounted = givesBack && !row.isTest && monthOf(row.createdAt) === schedule.month
  return {
    ...schedule,
    ...withoutTime(schedule, row, row.attendees.length),
    seated: emails ? new Map([...seated, [row.startTime, left]]) : seated,
    hosts: schedule.hosts.map((host) => withCounts(host, isCounted(schedule, row, host) ? -1 : 0)),
    bookedStarts: withStart(schedule, row.startTime, -1),
    assignedStarts: withAssigned(schedule, idsOf(row), row.startTime, -1),
    bookingsThisMonth: schedule.bookingsThisMonth - (isUncounted ? 1 : 0),
    eventType: { ...eventType, activeBookings: eventType.activeBookings - 1 },
  }
}
