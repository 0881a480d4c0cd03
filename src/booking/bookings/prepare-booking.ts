import { DAY_MS, MINUTE_MS } from '../../core/time-units.ts'
import { holderOf } from '../../engine/schedule/held-time.ts'
import { isCollective, type Placement } from '../../engine/schedule/placement.ts'
import { unitsOrNull } from '../../engine/schedule/resources/rooms.ts'
import type { EventTypeRow, Schedule } from '../../engine/schedule/schedule.ts'
import { NO_RULES, settingAside } from '../../engine/schedule/set-aside.ts'
import { coHostsOrNull } from '../../engine/schedule/team.ts'
import { insertWait } from '../../engine/waits/statements.ts'
import { type Waiting, waitOf } from '../../engine/waits/wait-of.ts'
import { payableUntil, paymentStatements } from '../../money/payments/new-payment.ts'
import { LOGGED_BY_BOOKING, logEntryOf } from '../../outbox/activity/bookings/own-entry.ts'
import { recordActivity } from '../../outbox/activity/statements.ts'
import { recordEvent } from '../../outbox/events/statements.ts'
import type { Origin } from '../../platform/auth/caller.ts'
import type { Db, Statement } from '../../platform/db/client.ts'
import type { BookingRow } from '../../platform/db/schema/bookings.ts'
import type { PresentMs } from '../../platform/limits/clock.ts'
import { PLANS } from '../../platform/limits/plans.ts'
import { creditInserted } from './credits/statements.ts'
import { rehostSession } from './departed-hosts/statements.ts'
import { callForNew } from './follow-ups/statements.ts'
import { capGuards } from './limits/cap-guards.ts'
import { hostGuards, inviteeGuards } from './limits/limit-guards.ts'
import { countInQuota } from './limits/statements.ts'
import { presentBooking } from './present.ts'
import { insertBooking, insertSession, takeHold } from './statements.ts'

/** Everything that a new booking writes. If its time is held already, it takes none. */
export function prepareBooking(
  db: Db,
  schedule: Schedule,
  placement: Placement,
  row: BookingRow,
  { origin, isQuiet }: { readonly origin: Origin; readonly isQuiet?: boolean },
  now: PresentMs,
  { isHeld = false } = {},
) {
  const booking = presentBooking(row)
  const request = row.status === 'pending_approval' ? requestOf(row, schedule.eventType, now) : null
  const payBy = row.payment ? payableUntil(row, origin, now) : null
  const kind = request ? 'booking.requested' : 'booking.created'
  const event = recordEvent(db, row, {
    ...{ kind, data: booking, revision: row.revision },
    isQuiet,
    madeBy: origin.by,
  })
  const entry = {
    action: kind,
    resourceType: 'booking' as const,
    resourceId: row.id,
    changes: {
      status: row.status,
      start_time: booking.start_time,
      end_time: booking.end_time,
      ...(row.overridden && { overridden: row.overridden }),
    },
  }
  // Most bookings are their own entry in the activity log: three rows less each.
  const isOwnEntry = kind === LOGGED_BY_BOOKING && !row.isTest
  const statements = [
    ...quotaStatements(db, schedule, row, isOwnEntry, now),
    ...(isHeld ? openSession(db, row, placement, now) : takeStart(db, schedule, placement, row, now)),
    insertBooking(db, {
      ...row,
      countsForAll: isCollective(schedule, placement),
      ...(isOwnEntry && { logEntry: logEntryOf(origin, entry.changes) }),
    }),
    ...(request ? [insertWait(db, waitOf(row, request, now))] : []),
    ...callForNew(db, row, schedule),
    ...creditInserted(db, schedule, placement, now),
    ...(payBy === null ? [] : paymentStatements(db, schedule, row, origin, now, payBy)),
    ...(isOwnEntry ? [] : [recordActivity(db, row, origin, entry)]),
    ...event.statements,
  ]
  return { statements, eventId: event.id, waitsUntil: request?.expiresAt ?? payBy }
}

/** What takes the time of a booking. */
export function takeStart(
  db: Db,
  schedule: Schedule,
  placement: Placement,
  row: BookingRow,
  now: PresentMs,
): Statement[] {
  const rules = settingAside(schedule, row.overridden ?? NO_RULES)
  return [
    ...capGuards(db, rules, row, now),
    ...inviteeGuards(db, rules, row, now),
    ...openSession(db, row, placement, now),
    ...hostGuards(db, rules, placement, now),
    ...takeHold(db, holderOf(row), placement),
  ]
}

/**
 * The session that the first booking of a start opens; triggers count its seats. If the host of an existing session left,
 * it gets the new host.
 */
export function openSession(
  db: Db,
  row: Pick<
    BookingRow,
    'id' | 'sessionId' | 'eventTypeId' | 'startTime' | 'endTime' | 'calendarConnectionId'
  >,
  placement: Placement,
  now: PresentMs,
): Statement[] {
  const { session, host, coHosts } = placement
  if (session === null) return []
  if (session !== 'new') {
    const isTakenOver = session.assignedHost === null && host !== null
    return isTakenOver ? rehostSession(db, session.id, row.id, placement, now) : []
  }
  return [
    insertSession(db, {
      id: row.sessionId!,
      eventTypeId: row.eventTypeId,
      startTime: row.startTime,
      endTime: row.endTime,
      seatsTaken: 0,
      assignedHost: host,
      coHosts: coHostsOrNull(coHosts),
      calendarConnectionId: row.calendarConnectionId,
      resources: unitsOrNull(placement.units),
      createdAt: now,
    }),
  ]
}

function quotaStatements(
  db: Db,
  { organization, month }: Schedule,
  row: BookingRow,
  countsDay: boolean,
  now: PresentMs,
): Statement[] {
  if (row.isTest) return []
  const quota = PLANS[organization.tier].bookingsPerMonth
  const day = countsDay ? Math.floor(row.createdAt / DAY_MS) : null
  return [countInQuota(db, { organizationId: row.organizationId, month, quota, now, day })]
}

/** Until when a booking awaits approval. The wait has the booking's id. */
export function requestOf(
  { id, startTime }: BookingRow,
  { approvalTtlMinutes }: Pick<EventTypeRow, 'approvalTtlMinutes'>,
  now: PresentMs,
): Waiting {
  const decideBy = now + approvalTtlMinutes * MINUTE_MS
  // A booking of time that has passed can be approved all the same.
  return { id, purpose: 'approval', expiresAt: startTime > now ? Math.min(decideBy, startTime) : decideBy }
}
