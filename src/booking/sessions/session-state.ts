import { seatsOf } from '../../engine/schedule/apply-booking.ts'
import { givenUpBy } from '../../engine/schedule/given-up.ts'
import type { Attended } from '../../engine/schedule/move-session.ts'
import type { Rows, Turn } from '../../engine/turn/verb.ts'
import type { BookingRow } from '../../platform/db/schema/bookings.ts'
import type { OfSession } from '../../platform/db/schema/records.ts'
import { formatInstant } from '../../platform/http/instants.ts'
import type { PresentMs } from '../../platform/limits/clock.ts'
import type { Message } from '../../platform/queue/messages.ts'
import { presentHosts } from '../bookings/present.ts'
import {
  selectBookingsOf,
  selectCalendarLink,
  selectHeldOf,
  selectInviteeLimit,
  selectOverdueIn,
  selectSession,
  selectTimeOf,
  selectWaitingForSession,
} from './queries.ts'
import type { Session } from './schema.ts'

export type AskedOfSession = ReturnType<typeof askSession>

/** Everything that a change of a whole session decides on, besides the schedule. */
export function askSession(
  { db }: Turn,
  { sessionId, eventTypeId }: { readonly sessionId: string; readonly eventTypeId: string },
) {
  return [
    selectSession(db, sessionId),
    selectBookingsOf(db, sessionId),
    selectHeldOf(db, sessionId),
    selectOverdueIn(db, sessionId),
    selectTimeOf(db, sessionId),
    selectWaitingForSession(db, sessionId),
    selectCalendarLink(db, sessionId),
    selectInviteeLimit(db, eventTypeId),
  ] as const
}

export type SessionState = ReturnType<typeof stateOf>

/** A session that still exists, and what belongs to it. */
export type FoundSession = SessionState & { readonly session: NonNullable<SessionState['session']> }

/** The rows by their names. */
export function stateOf(rows: Rows<AskedOfSession>) {
  const [[session], bookings, held, overdue, [hold], entries, [written], [eventType]] = rows
  const isOverdue = new Set(overdue.map(({ bookingId }) => bookingId))
  return {
    /** Undefined if it ended. */
    session,
    /** All that are active, or of a session that ended, those that were cancelled last. */
    bookings,
    /** Those whose seats are not released yet. */
    seated: bookings.filter(({ id }) => !isOverdue.has(id)),
    held,
    hold,
    entries,
    calendarLink: written?.link ?? null,
    inviteeLimit: eventType?.inviteeLimit ?? null,
  }
}

/** The same once what has expired by `now` is ended: a dry run ends nothing. A session ends with its last seat. */
export function withoutExpired(state: SessionState, now: PresentMs): SessionState {
  const expired = state.held.filter(({ expiresAt }) => expiresAt <= now)
  if (!state.session || expired.length === 0) return state
  const held = state.held.filter(({ expiresAt }) => expiresAt > now)
  const gone = new Set(expired.map(({ bookingId }) => bookingId))
  const seated = state.seated.filter(({ id }) => !gone.has(id))
  const isOver = seated.length === 0 && held.length === 0
  const seatsTaken = state.session.seatsTaken - expired.reduce((sum, { seats }) => sum + seats, 0)
  return { ...state, held, seated, session: isOver ? undefined : { ...state.session, seatsTaken } }
}

export function attendedBy({ seated, held }: Pick<SessionState, 'seated' | 'held'>): Attended {
  return {
    bookings: seated.length,
    held: held.filter(({ purpose }) => purpose === 'hold').length,
    emails: new Set(seated.flatMap(seatsOf)),
  }
}

type Shown = {
  readonly id: string
  readonly startTime: number
  readonly endTime: number
  readonly assignedHost: BookingRow['assignedHost']
  readonly coHosts: BookingRow['coHosts']
}

export function presentSession(
  { id, startTime, endTime, ...hosted }: Shown,
  bookings: readonly Pick<BookingRow, 'id'>[],
): Session {
  return {
    id,
    start_time: formatInstant(startTime),
    end_time: formatInstant(endTime),
    ...presentHosts(hosted),
    booking_ids: bookings.map((row) => row.id),
  }
}

/** The answer to a repeated command; undefined if there was never such a session. */
export function sessionAsItIs({ session, bookings }: SessionState): Session | undefined {
  const [first] = bookings
  const shown = session ?? (first && { ...first, id: first.sessionId! })
  return shown && presentSession(shown, bookings)
}

/** The marks of the events of one change: members get one email, with the event of a booking that they know of. */
export function marksOf(read: readonly BookingRow[]): OfSession[] {
  const statuses = ['confirmed', 'rescheduled', 'pending_approval', 'pending_payment']
  const ranks = read.map(({ status }) => statuses.indexOf(status))
  const first = ranks.indexOf(Math.min(...ranks))
  return read.map((_, at) => (at === first ? { session_bookings: read.length } : { is_of_session: true }))
}

export function messagesOf(eventIds: readonly string[]): Message[] {
  return eventIds.map((eventId) => ({ type: 'event', eventId }))
}

/** What the waitlist has to know about the time that the session gives up. */
export function givesUp(
  { id, startTime }: FoundSession['session'],
  bookings: readonly Pick<BookingRow, 'id'>[],
  entries: readonly { readonly id: string }[],
) {
  return {
    entryIds: new Set(entries.map((entry) => entry.id)),
    sources: [id, givenUpBy(id, startTime), `limit/${id}`, ...bookings.map((row) => row.id)],
  }
}
