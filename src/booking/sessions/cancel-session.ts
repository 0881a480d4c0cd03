import { withoutSession } from '../../engine/schedule/move-session.ts'
import { monthOf, type Schedule } from '../../engine/schedule/schedule.ts'
import type { Decided, State, Turn, Verb } from '../../engine/turn/verb.ts'
import { giveUpPayment } from '../../money/payments/give-up-payment.ts'
import { type Change, recordActivities } from '../../outbox/activity/statements.ts'
import { recordEvent } from '../../outbox/events/statements.ts'
import type { Db, Statement } from '../../platform/db/client.ts'
import type { BookingRow } from '../../platform/db/schema/bookings.ts'
import { missing } from '../../platform/http/errors.ts'
import type { PresentMs } from '../../platform/limits/clock.ts'
import type { Message } from '../../platform/queue/messages.ts'
import { withActs } from '../bookings/acts.ts'
import { callForSession } from '../bookings/follow-ups/statements.ts'
import { uncountInQuota } from '../bookings/limits/statements.ts'
import { presentBooking } from '../bookings/present.ts'
import { NO_REMINDERS } from '../bookings/reminders/plan-reminders.ts'
import { endForSession } from '../waitlist/end-for-session.ts'
import type { CancelSession } from './commands.ts'
import type { Session } from './schema.ts'
import {
  type AskedOfSession,
  askSession,
  attendedBy,
  givesUp,
  marksOf,
  messagesOf,
  presentSession,
  type SessionState,
  sessionAsItIs,
  stateOf,
} from './session-state.ts'
import {
  changeBookings,
  guardSession,
  insertFreedForInvitees,
  markGivenUp,
  releaseHeld,
} from './statements.ts'

/** Cancels all bookings of a session, and releases what is held of it. Cancelling again succeeds and changes nothing. */
export function cancelSession(command: CancelSession): Verb<AskedOfSession, Session> {
  const { eventTypeId, sessionId, claim, now, isDry } = command
  return {
    eventTypeId,
    claim,
    now,
    isDry,
    releases: sessionId,
    asks: (turn) => askSession(turn, command),
    decide: (turn, state) => decide(turn, state, command),
    asItIs: (rows) => sessionAsItIs(stateOf(rows)),
  }
}

function decide(
  { db }: Turn,
  { rows, now: present }: State<AskedOfSession>,
  command: CancelSession,
): Decided<Session> {
  const found = stateOf(rows!)
  const { session, bookings: read, hold, entries } = found
  if (!session) {
    const ended = sessionAsItIs(found)
    return ended ? { unchanged: ended } : { refusal: missing('session') }
  }
  const { tenant, isQuiet } = command
  const events = recordCancellations(db, read, command)
  const why = { reason: 'session_cancelled', isQuiet } as const
  const ended = endForSession(db, tenant, session, entries, why, present)
  const attended = attendedBy(found)
  const emails = read.map(({ inviteeEmail }) => inviteeEmail)
  return {
    status: 200,
    body: presentSession(session, read),
    statements: [
      guardSession(db, session, read),
      ...ended.statements,
      ...cancelStatements(db, found, command, present),
      ...(found.inviteeLimit === null ? [] : insertFreedForInvitees(db, session, emails)),
      markGivenUp(db, session),
      ...callForSession(db, session.id),
      ...events.flatMap(({ statements }) => statements),
    ],
    messages: [
      ...messagesOf(events.map(({ id }) => id)),
      ...messagesOf(ended.eventIds),
      ...unpaidMessages(read),
    ],
    frees: {
      booking: { ...session, sessionId: session.id },
      hold: hold ?? { start: session.startTime, end: session.endTime },
      endsFor: emails,
      givesUp: givesUp(session, read, entries),
      after: (schedule: Schedule) => withoutSession(schedule, session, attended),
    },
  }
}

function cancelledRow(read: BookingRow, command: CancelSession): BookingRow {
  const payment = isUnpaid(read) ? { ...read.payment!, status: 'cancelled' as const } : read.payment
  return { ...read, ...cancellation(read, command), payment, revision: read.revision + 1 }
}

function cancellation(read: BookingRow, { origin, now, reason }: CancelSession) {
  return {
    status: 'cancelled' as const,
    cancelledAt: now,
    cancelReason: reason,
    ...withActs(read, origin, 'cancelled'),
    ...NO_REMINDERS,
    updatedAt: now,
  }
}

function isUnpaid({ status, payment }: BookingRow): boolean {
  return status === 'pending_payment' && payment !== null
}

function unpaidMessages(read: readonly BookingRow[]): Message[] {
  return read
    .filter((row) => isUnpaid(row) && !row.isTest)
    .map(({ payment }) => ({ type: 'payment', paymentId: payment!.id }))
}

function recordCancellations(db: Db, read: readonly BookingRow[], command: CancelSession) {
  const marks = marksOf(read)
  return read.map((row, at) => {
    const after = cancelledRow(row, command)
    return recordEvent(db, after, {
      kind: 'booking.cancelled',
      data: presentBooking(after),
      revision: after.revision,
      session: marks[at],
      isQuiet: command.isQuiet,
    })
  })
}

/** The bookings and what is held of the session; with its last seat, a trigger ends it and releases its time. */
function cancelStatements(
  db: Db,
  { session, bookings: read, held }: SessionState,
  command: CancelSession,
  present: PresentMs,
): Statement[] {
  const { tenant, origin, now, reason } = command
  const uncounted = read.filter(
    (row) => !row.isTest && (row.status === 'pending_payment' || row.status === 'pending_approval'),
  )
  const logged: Change[] = [
    ...read.map(({ id, status }) => ({
      action: 'booking.cancelled',
      resourceType: 'booking' as const,
      resourceId: id,
      changes: { status: [status, 'cancelled'], reason },
    })),
    ...held
      .filter(({ purpose }) => purpose === 'hold')
      .map(({ id }) => ({ action: 'hold.released', resourceType: 'hold' as const, resourceId: id })),
  ]
  return [
    ...changeBookings(
      db,
      read.map((row) => ({ read: row, changes: cancellation(row, command) })),
    ),
    releaseHeld(db, session!.id, present),
    ...read.filter(isUnpaid).flatMap((row) => giveUpPayment(db, row, row.payment!, { origin, now })),
    ...uncounted.map((row) => uncountInQuota(db, row.organizationId, monthOf(row.createdAt))),
    ...(logged.length === 0 ? [] : [recordActivities(db, tenant, origin, logged)]),
  ]
}
