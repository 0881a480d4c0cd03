import { capPeriodAt } from '../../core/caps.ts'
import type { Placement } from '../../engine/schedule/placement.ts'
import { unitsOrNull } from '../../engine/schedule/resources/rooms.ts'
import type { Schedule } from '../../engine/schedule/schedule.ts'
import { NO_RULES, settingAside } from '../../engine/schedule/set-aside.ts'
import { coHostsOrNull, hostsOf } from '../../engine/schedule/team.ts'
import { recordActivities } from '../../outbox/activity/statements.ts'
import { recordEvent } from '../../outbox/events/statements.ts'
import type { Db, Statement } from '../../platform/db/client.ts'
import type { BookingRow } from '../../platform/db/schema/bookings.ts'
import { formatInstant } from '../../platform/http/instants.ts'
import type { PresentMs } from '../../platform/limits/clock.ts'
import { withActs } from '../bookings/acts.ts'
import { withoutAttendance } from '../bookings/attendance.ts'
import { creditHosts } from '../bookings/credits/statements.ts'
import { guardStays } from '../bookings/departed-hosts/statements.ts'
import { callForSession } from '../bookings/follow-ups/statements.ts'
import { hostGuards } from '../bookings/limits/limit-guards.ts'
import { guardFullCap } from '../bookings/limits/statements.ts'
import { linkAfterMove } from '../bookings/meeting-link.ts'
import { coHostIdsOf, presentBooking } from '../bookings/present.ts'
import { NO_REMINDERS, planReminders } from '../bookings/reminders/plan-reminders.ts'
import { releaseHold, takeHold } from '../bookings/statements.ts'
import type { RescheduleSession } from './commands.ts'
import { type FoundSession, marksOf } from './session-state.ts'
import {
  type Changed,
  changeBookings,
  guardSession,
  markGivenUp,
  moveHeld,
  moveSession,
} from './statements.ts'

type Placed = {
  readonly placement: Placement
  readonly overridden: BookingRow['overridden']
}

/** The statements that move a session where `placement` says, except the guard, which comes first. */
export function movedSession(
  db: Db,
  schedule: Schedule,
  found: FoundSession,
  placed: Placed,
  command: RescheduleSession,
  now: PresentMs,
) {
  const { placement, overridden } = placed
  const rules = settingAside(schedule, overridden ?? NO_RULES)
  const { session, bookings, seated } = found
  const changed = seated.map((read) => ({
    read,
    changes: changesOf(read, found, schedule, placed, command, now),
  }))
  const events = recordMoves(db, changed, command)
  const [start, newStart] = [session.startTime, placement.start].map(formatInstant)
  const hostIds = hostsOf({ ...placement, assignedHost: placement.host }).map(({ member_id }) => member_id)
  const creditedIds = placement.creditedIds.length === 0 ? null : hostIds
  const statements: Statement[] = [
    ...guardStays(db, placement.host),
    releaseHold(db, session.id),
    moveSession(db, session.id, placement),
    ...changeBookings(db, changed),
    ...hostGuards(db, rules, placement, now),
    ...takeHold(db, session.id, placement, deadlineOf(found, placement)),
    moveHeld(db, session.id, placement, creditedIds, now),
    ...capGuardOf(db, rules, placement, now),
    markGivenUp(db, session),
    ...creditHosts(db, schedule, placement, now, Math.max(1, seated.length)),
    ...callForSession(db, session.id),
    ...(seated.length === 0
      ? []
      : [
          recordActivities(
            db,
            command.tenant,
            command.origin,
            seated.map(({ id }) => ({
              action: 'booking.rescheduled',
              resourceType: 'booking' as const,
              resourceId: id,
              changes: {
                start_time: [start, newStart],
                reason: command.reason,
                ...(overridden && { overridden }),
              },
            })),
          ),
        ]),
    ...events.flatMap((event) => event.statements),
  ]
  return { guard: guardSession(db, session, bookings), statements, eventIds: events.map(({ id }) => id) }
}

/** What moves and what waits, changes alike; recorded attendance and links of one's own are cleared one by one. */
function changesOf(
  read: BookingRow,
  { session, calendarLink }: FoundSession,
  { eventType }: Schedule,
  { placement, overridden }: Placed,
  { origin, isQuiet }: RescheduleSession,
  now: PresentMs,
): Partial<BookingRow> {
  const { start, end, host, coHosts, units, calendarConnectionId, busyAsOf } = placement
  const waits = read.status === 'pending_approval' || read.status === 'pending_payment'
  const isSameHost = host?.member_id === read.assignedHostId
  return {
    ...(!waits && { status: 'rescheduled' as const }),
    startTime: start,
    endTime: end,
    assignedHostId: host?.member_id ?? null,
    assignedHost: host,
    coHosts: coHostsOrNull(coHosts),
    ...(!isSameHost && { hostChosen: false }),
    ...(host !== null && { needsHost: false }),
    overridden,
    outOfSync: null,
    calendarConnectionId,
    busyAsOf,
    resources: unitsOrNull(units),
    syncError: null,
    ...linkAfterMove(read, eventType, { sessionId: session.id, calendarConnectionId }, calendarLink),
    previousStartTime: read.startTime,
    ...withoutAttendance(read),
    ...(waits ? NO_REMINDERS : planReminders(eventType, { startTime: start, endTime: end }, now, isQuiet)),
    ...withActs(read, origin, 'rescheduled'),
    rescheduledAt: now,
    updatedAt: now,
  }
}

function recordMoves(db: Db, changed: readonly Changed[], { reason, isQuiet }: RescheduleSession) {
  const marks = marksOf(changed.map(({ read }) => read))
  return changed.map(({ read, changes }, at) => {
    const { start_time, end_time } = presentBooking(read)
    const after: BookingRow = { ...read, ...changes }
    return recordEvent(db, after, {
      kind: 'booking.rescheduled',
      data: presentBooking(after),
      revision: read.revision + 1,
      previous: { start_time, end_time, reason, host_id: read.assignedHostId, ...coHostIdsOf(read) },
      session: marks[at],
      isQuiet,
    })
  })
}

/** Until when the session holds its time: null if one of its bookings waits for nothing. */
function deadlineOf({ seated, held }: FoundSession, { start }: Placement): number | null {
  const waits = new Set(held.map(({ bookingId }) => bookingId))
  if (seated.some(({ id }) => !waits.has(id))) return null
  return Math.max(
    ...held.map(({ purpose, expiresAt }) => (purpose === 'payment' ? expiresAt : Math.min(expiresAt, start))),
  )
}

/** A cap on all bookings counts them wherever they are. */
function capGuardOf(
  db: Db,
  { eventType, table }: Schedule,
  { start }: Placement,
  now: PresentMs,
): Statement[] {
  const { id, bookingCap, bookingCapPeriod: period } = eventType
  if (bookingCap === null || period === null || period === 'total') return []
  return [guardFullCap(db, id, bookingCap, capPeriodAt(period, table, start), now)]
}
