import type { BookingRow } from '../../platform/db/schema/bookings.ts'
import type { SlotHoldRow } from '../../platform/db/schema/slot-holds.ts'
import type { RealMs } from '../../platform/limits/clock.ts'
import { isHeldBy } from './hostless-sessions.ts'
import { isCollective, type Placement, strategyOf } from './placement.ts'
import { unitsOrNull } from './resources/rooms.ts'
import {
  type AssignedStart,
  type Hold,
  type Holds,
  type Host,
  monthOf,
  nowIn,
  type Schedule,
  type Session,
} from './schedule.ts'
import { tagOf } from './taken/read-times.ts'
import { coHostsOrNull, hostsOf, isRequired } from './team.ts'

/** The addresses of all attendees, in lower case. */
export function seatsOf({ attendees }: BookingRow): string[] {
  return attendees.map(({ email }) => email.toLowerCase())
}

/** Under which id the time of a booking or hold is held: its session's, or its own. */
export function holderOf(row: Pick<BookingRow, 'id' | 'sessionId'>): string {
  return row.sessionId ?? row.id
}

/** The number of the next assignment. */
export function nextAssignment({ hosts }: Schedule): number {
  return 1 + Math.max(0, ...hosts.map(({ lastAssignment }) => lastAssignment))
}

/** The numbers of the assignments that a booking makes, by host: in the order in which they were chosen. */
export function assignmentsOf(
  schedule: Schedule,
  { creditedIds, isAssignment }: Pick<Placement, 'creditedIds' | 'isAssignment'>,
): ReadonlyMap<string, number> {
  if (!isAssignment || creditedIds.length === 0) return new Map()
  const first = nextAssignment(schedule)
  if (strategyOf(schedule.eventType) === null) return new Map(creditedIds.map((id) => [id, first]))
  const alwaysThere = new Set(schedule.hosts.filter((one) => isRequired(schedule, one)).map(({ id }) => id))
  const inTurn = creditedIds.filter((id) => !alwaysThere.has(id))
  return new Map(inTurn.map((id, at) => [id, first + at]))
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
    hosts: schedule.hosts.map((host) => ({
      ...host,
      activeBookings: host.activeBookings + (isAhead && hostIds.includes(host.id) ? 1 : 0),
      lastAssignment: (isForAll ? null : assignments.get(host.id)) ?? host.lastAssignment,
    })),
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

type Taker = Pick<BookingRow, 'id' | 'sessionId' | 'eventTypeId' | 'calendarConnectionId' | 'updatedAt'>

function takenBy(
  row: Pick<Taker, 'id' | 'sessionId'>,
  { resourceIds, hold, start }: Placement,
  expiresAt: number | null,
): Hold[] {
  return resourceIds.map((resourceId) => ({
    resourceId,
    startsAt: hold.start,
    endsAt: hold.end,
    holder: tagOf(holderOf(row)),
    keptBy: '',
    meetsAt: start,
    expiresAt,
  }))
}

/** Only the lists of the resources that are taken are other ones then. */
function withHolds(holds: Holds, taken: readonly Hold[]): Holds {
  const after = new Map(holds)
  for (const hold of taken) after.set(hold.resourceId, [...(after.get(hold.resourceId) ?? []), hold])
  return after
}

function withoutHolds(holds: Holds, isGone: (hold: Hold) => boolean): Holds {
  const after = new Map(holds)
  for (const [id, ofResource] of holds) {
    if (ofResource.some(isGone))
      after.set(
        id,
        ofResource.filter((hold) => !isGone(hold)),
      )
  }
  return after
}

/** The schedule without what a booking or session holds at that start. */
export function withoutHolder(schedule: Schedule, holderId: string, start: number): Schedule {
  const isTheirs = isHeldBy(holderId, start)
  return {
    ...schedule,
    holds: withoutHolds(schedule.holds, isTheirs),
    kept: schedule.kept.filter((one) => !isTheirs(one)),
  }
}

/** The schedule with the time that `placement` takes, held by that holder. */
export function withHolder(schedule: Schedule, holderId: string, placement: Placement): Schedule {
  const taken = takenBy({ id: holderId, sessionId: null }, placement, null)
  return { ...schedule, holds: withHolds(schedule.holds, taken) }
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

/** Only one strategy divides them by weight. */
function withAssigned(
  { eventType, assignedStarts }: Schedule,
  hostIds: readonly string[],
  start: number,
  count: number,
): readonly AssignedStart[] {
  if (eventType.assignmentStrategy !== 'availability_weighted') return assignedStarts
  return hostIds.reduce((known, hostId) => withOneAssigned(known, { hostId, start, count }), assignedStarts)
}

function withOneAssigned(
  known: readonly AssignedStart[],
  { hostId, start, count }: AssignedStart,
): readonly AssignedStart[] {
  const isSame = (one: AssignedStart) => one.hostId === hostId && one.start === start
  const before = known.find(isSame)?.count ?? 0
  const others = known.filter((one) => !isSame(one))
  if (before + count <= 0) return others
  const after = { hostId, start, count: before + count }
  return [...others, after].sort((a, b) => a.start - b.start || (a.hostId < b.hostId ? -1 : 1))
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
    hosts: schedule.hosts.map((host) => ({
      ...host,
      activeBookings: host.activeBookings - (isCounted(schedule, row, host) ? 1 : 0),
    })),
    bookedStarts: withStart(schedule, row.startTime, -1),
    assignedStarts: withAssigned(schedule, idsOf(row), row.startTime, -1),
    bookingsThisMonth: schedule.bookingsThisMonth - (isUncounted ? 1 : 0),
    eventType: { ...eventType, activeBookings: eventType.activeBookings - 1 },
  }
}
