import { MINUTE_MS } from '../../core/time-units.ts'
import { seatsOf, withBooking, withoutBooking } from '../../engine/schedule/apply-booking.ts'
import { withoutOwnEvent } from '../../engine/schedule/calendar-times.ts'
import { type Decision, decideStart } from '../../engine/schedule/decide-start.ts'
import { holderOf } from '../../engine/schedule/held-time.ts'
import { chosenHost, hostToKeep, refuseHost } from '../../engine/schedule/of-host.ts'
import { uidOf } from '../../engine/schedule/own-uids.ts'
import type { Placement } from '../../engine/schedule/placement.ts'
import { unitsOrNull } from '../../engine/schedule/resources/rooms.ts'
import type { Schedule } from '../../engine/schedule/schedule.ts'
import { NO_RULES } from '../../engine/schedule/set-aside.ts'
import { refuseDuration, refuseSeats } from '../../engine/schedule/slot-request.ts'
import { coHostsOrNull, hostsOf } from '../../engine/schedule/team.ts'
import { decideAfresh } from '../../engine/turn/decide-afresh.ts'
import { hostsToSkip, refuseOpen } from '../../engine/turn/races.ts'
import type { Decided, State, Turn, Verb } from '../../engine/turn/verb.ts'
import { isOver } from '../../engine/waits/wait-of.ts'
import { recordEvent } from '../../outbox/events/statements.ts'
import type { Db } from '../../platform/db/client.ts'
import type { BookingRow } from '../../platform/db/schema/bookings.ts'
import { because, missing } from '../../platform/http/errors.ts'
import type { PresentMs } from '../../platform/limits/clock.ts'
import { noteMove, refuseMoreMoves } from '../anonymous-callers/limit-moves.ts'
import { withActs } from './acts.ts'
import { isSettled, refuseLate, refuseMove } from './allowed-actions.ts'
import { selectRequest } from './approval/queries.ts'
import { withoutAttendance } from './attendance.ts'
import type { RescheduleBooking } from './commands.ts'
import { linkAfterMove } from './meeting-link.ts'
import { sessionIdOf } from './new-booking.ts'
import { coHostIdsOf, presentBooking, presentTo } from './present.ts'
import { selectBookingAndCalendarLink, selectHold } from './queries.ts'
import { NO_REMINDERS, planReminders } from './reminders/plan-reminders.ts'
import type { Booking } from './schema.ts'
import { moveStatements, staysInSession } from './write-move.ts'

type Asked = ReturnType<typeof askedOf>

function askedOf(db: Db, bookingId: string) {
  return [
    selectBookingAndCalendarLink(db, bookingId),
    selectHold(db, bookingId),
    selectRequest(db, bookingId),
  ] as const
}

/** Reschedules a booking. Its own hold and its place in the cap do not block it. */
export function rescheduleBooking(command: RescheduleBooking): Verb<Asked, Booking> {
  const { eventTypeId, bookingId, newStart, claim, now, isDry, read } = command
  return {
    eventTypeId,
    claim,
    now,
    isDry,
    around: newStart,
    reachesBack: command.setAside?.includes('notice') ?? false,
    ...(!isSilent(command) && { invitee: { besides: bookingId } }),
    servesFirst: true,
    releases: bookingId,
    // Others in its session decide what it releases, and a host's limits need that far from the new start.
    isRemembered: ([[found]], { sessions }) =>
      !found?.booking.sessionId || sessions.some(({ id }) => id === found.booking.sessionId),
    isRacing: true,
    ...(read && isSettled(read.booking) && { asRead: [[read], read.hold ? [read.hold] : [], []] }),
    asks: ({ db }) => askedOf(db, bookingId),
    decide: (turn, state) => decide(turn, state, command),
    asItIs: ([[found]]) => found && presentTo(command.origin, found.booking),
  }
}

async function decide(
  turn: Turn,
  { rows, schedule, now, lost }: State<Asked>,
  command: RescheduleBooking,
): Promise<Decided<Booking>> {
  const { db, arrivedAt } = turn
  const { origin } = command
  const [[found], [hold], [request]] = rows!
  if (!found) return { refusal: missing('booking') }
  const { booking: read, calendarLink } = found
  const isInvitee = origin.actorType === 'invitee'
  const notice = schedule?.eventType.rescheduleNoticeMinutes ?? 0
  const tooLate = isInvitee && read.status !== 'cancelled' ? refuseLate(read, notice, now) : null
  const isSame = isMovable(read) && isAsked(read, command)
  if (command.follows) {
    if (read.startTime !== command.follows.from) return { unchanged: presentTo(origin, read) }
    if (command.newStart <= now) return { refusal: because('not_open') }
  }
  if (tooLate && (!isSame || now >= read.startTime)) return { refusal: tooLate }
  if (isSame) return { unchanged: presentTo(origin, read) }
  const isRequest = read.status === 'pending_approval'
  if (isRequest && isOver(request, now)) return { refusal: because('not_decided') }
  const tooOften = refuseMoreMoves(read, origin, now)
  if (tooOften) return { refusal: tooOften }
  const decision = await decideAfresh(
    turn,
    schedule && withoutOwnEvent(schedule, { ...read, outOfSync: command.follows?.event ?? read.outOfSync }),
    arrivedAt,
    (known) => decideMove(read, known, command, { now, hostsToSkip: hostsToSkip(lost) }),
    uidOf(holderOf(read)),
  )
  if ('refusal' in decision) return decision
  const { placement, overridden = null } = decision
  const seats = read.attendees.length
  const taken = refuseOpen(decision.schedule, placement, { lost, seats, now })
  if (taken) return { refusal: taken }

  const placed = { placement, overridden, calendarLink }
  const changes = changesOf(read, decision.schedule, placed, command, now)
  const after: BookingRow = { ...read, ...changes }
  const event = recordMove(turn, read, after, command)
  const waitsUntil = isRequest && request ? Math.min(request.expiresAt, after.startTime) : null
  const free = (known: Schedule) => ({
    ...withBooking(withoutBooking(known, read), after, placement, waitsUntil),
    bookingsThisMonth: known.bookingsThisMonth,
  })
  return {
    status: 200,
    body: presentTo(origin, after),
    decidedOn: decision.schedule,
    statements: [
      ...moveStatements(db, decision.schedule, { read, after, changes, placement }, command, now),
      ...event.statements,
    ],
    messages: [{ type: 'event', eventId: event.id }],
    apply: free,
    ...(hold && { frees: { booking: read, hold, endsFor: null, after: free } }),
  }
}

/** Whether the booking has the requested start, length and host. */
function isAsked(read: BookingRow, { newStart, durationMinutes, memberId }: RescheduleBooking): boolean {
  const isSameLength = durationMinutes == null || durationMinutes === lengthOf(read)
  const isSameHost = memberId == null || memberId === read.assignedHostId
  return read.startTime === newStart && isSameLength && isSameHost
}

function lengthOf({ startTime, endTime }: BookingRow): number {
  return (endTime - startTime) / MINUTE_MS
}

function isMovable({ status }: BookingRow): boolean {
  return status === 'confirmed' || status === 'rescheduled' || status === 'pending_approval'
}

/** Whether the address must not influence the answer: an invitee's dry run leaves no trace. */
function isSilent({ origin, isDry }: RescheduleBooking): boolean {
  return origin.actorType === 'invitee' && isDry === true
}

function decideMove(
  read: BookingRow,
  schedule: Schedule | null,
  command: RescheduleBooking,
  { now, hostsToSkip }: { readonly now: PresentMs; readonly hostsToSkip: number },
): Decision {
  const isKeyless = command.origin.actorType === 'invitee'
  const isBookable = schedule !== null && (schedule.eventType.active || !isKeyless)
  const refusal = refuseMove(read, isBookable)
  if (refusal || !schedule) return { refusal: refusal ?? missing('event type') }
  const { durationMinutes: asked, setAside = NO_RULES } = command
  const memberId = command.follows ? hostToKeep(schedule, read.assignedHostId) : (command.memberId ?? null)
  const durationMinutes = asked ?? lengthOf(read)
  const wrong =
    (asked == null ? null : refuseDuration(schedule.eventType, asked)) ??
    refuseHost(schedule, memberId, isKeyless) ??
    // It may be from before the event type took fewer.
    refuseSeats(schedule.eventType, read.attendees.length)
  if (wrong) return { refusal: wrong }
  const mover = {
    hostIds: hostsOf(read).map(({ member_id }) => member_id),
    isInSession: read.sessionId !== null,
    start: read.startTime,
    units: read.resources ?? [],
  }
  const emails = isSilent(command) ? [] : seatsOf(read)
  const wanted = {
    durationMinutes,
    now,
    emails,
    seats: read.attendees.length,
    mover,
    isAnonymous: isKeyless,
    hostsToSkip,
    memberId: memberId ?? chosenHost(schedule, read),
    setAside,
  }
  return decideStart(withoutBooking(schedule, read), command.newStart, wanted)
}

type Placed = {
  readonly placement: Placement
  readonly overridden: BookingRow['overridden']
  readonly calendarLink: string | null
}

/** The changes to the row. */
function changesOf(
  read: BookingRow,
  { eventType }: Schedule,
  { placement, overridden, calendarLink }: Placed,
  { origin, memberId, isQuiet }: RescheduleBooking,
  now: PresentMs,
) {
  const { calendarConnectionId } = placement
  const sessionId = staysInSession(read, placement)
    ? read.sessionId
    : sessionIdOf(placement, read.eventTypeId)
  const isRequest = read.status === 'pending_approval'
  return {
    status: isRequest ? ('pending_approval' as const) : ('rescheduled' as const),
    startTime: placement.start,
    endTime: placement.end,
    sessionId,
    assignedHostId: placement.host?.member_id ?? null,
    assignedHost: placement.host,
    coHosts: coHostsOrNull(placement.coHosts),
    hostChosen: memberId != null || (read.hostChosen && placement.host?.member_id === read.assignedHostId),
    needsHost: read.needsHost && placement.host === null,
    overridden,
    calendarConnectionId,
    busyAsOf: placement.busyAsOf,
    resources: unitsOrNull(placement.units),
    syncError: null,
    outOfSync: null,
    ...linkAfterMove(read, eventType, { sessionId, calendarConnectionId }, calendarLink),
    previousStartTime: read.startTime,
    ...withActs(read, origin, 'rescheduled'),
    ...withoutAttendance(read),
    ...noteMove(read, origin, now),
    ...(isRequest ? NO_REMINDERS : planReminders(eventType, timesOf(placement), now, isQuiet)),
    rescheduledAt: now,
    updatedAt: now,
  }
}

function timesOf({ start: startTime, end: endTime }: Placement) {
  return { startTime, endTime }
}

function recordMove(
  { db }: Turn,
  read: BookingRow,
  after: BookingRow,
  { reason, isQuiet }: RescheduleBooking,
) {
  const { start_time, end_time } = presentBooking(read)
  return recordEvent(db, after, {
    kind: 'booking.rescheduled',
    data: presentBooking(after),
    revision: read.revision + 1,
    previous: { start_time, end_time, reason, host_id: read.assignedHostId, ...coHostIdsOf(read) },
    isQuiet,
  })
}
