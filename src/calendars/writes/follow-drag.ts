import { RESCHEDULE_BOOKING } from '../../booking/bookings/commands.ts'
import { isMovableTo, lengthOf } from '../../booking/bookings/dragged/movable.ts'
import { RESCHEDULE_SESSION } from '../../booking/sessions/commands.ts'
import { HOUR_MS, MINUTE_MS } from '../../core/time-units.ts'
import { askEventType } from '../../engine/turn/command.ts'
import { SYSTEM } from '../../platform/auth/caller.ts'
import type { BookingRow } from '../../platform/db/schema/bookings.ts'
import { type Refusal, Refused } from '../../platform/http/errors.ts'
import { formatInstant } from '../../platform/http/instants.ts'
import type { Attempt } from './attempt.ts'
import type { Written } from './describe-event.ts'
import { findCalendarMoves } from './queries.ts'

type Event = NonNullable<BookingRow['outOfSync']>

/** The shortest day of a zone: an all-day event is never followed. */
const SHORTEST_DAY_MS = 23 * HOUR_MS

/**
 * Reschedules a booking, or a session as a whole, to where its event was dragged, if its organization wants that and nothing else
 * takes that time. Returns whether the booking follows; if it does not, its hosts are asked.
 */
export async function followDrag(
  attempt: Attempt,
  written: readonly [Written, ...Written[]],
  event: Event,
): Promise<boolean> {
  const { db, write, now } = attempt
  const [{ booking }] = written
  // Each change is tried once.
  const isKnown = written.some(({ booking: { outOfSync } }) => isSame(outOfSync, event))
  if (isKnown || event.startTime <= now || !mayFollow(booking, event)) return false
  if ((await findCalendarMoves(db, write.organizationId)) !== 'follow') return false
  const outcome = await move(attempt, booking, event)
  if (outcome.kind !== 'refused') return true
  if (isPassing(outcome.refusal)) throw new Refused(outcome.refusal)
  return false
}

function mayFollow(booking: BookingRow, event: Event): boolean {
  const there = timesOf(event)
  return (
    lengthOf(there) < SHORTEST_DAY_MS &&
    isMovableTo({ ...timesOf(booking), session_id: booking.sessionId }, there)
  )
}

function move({ env, write, now }: Attempt, booking: BookingRow, event: Event) {
  const { eventTypeId, organizationId, isTest, sessionId } = booking
  const command = {
    origin: SYSTEM,
    claim: null,
    now,
    isQuiet: false,
    eventTypeId,
    newStart: event.startTime,
    reason: null,
    setAside: ['hours', 'notice'] as const,
    follows: { from: write.writtenStart!, event },
  }
  if (sessionId !== null) {
    const tenant = { organizationId, isTest }
    return askEventType(env, eventTypeId, RESCHEDULE_SESSION, { ...command, tenant, sessionId })
  }
  const length = lengthOf(timesOf(event))
  const durationMinutes = length === lengthOf(timesOf(booking)) ? null : length / MINUTE_MS
  return askEventType(env, eventTypeId, RESCHEDULE_BOOKING, {
    ...command,
    bookingId: booking.id,
    durationMinutes,
  })
}

function timesOf({ startTime, endTime }: Event) {
  return { start_time: formatInstant(startTime), end_time: formatInstant(endTime) }
}

function isSame(one: BookingRow['outOfSync'], other: Event): boolean {
  return one?.startTime === other.startTime && one.endTime === other.endTime
}

/** Whether the same may be decided otherwise in a moment. */
function isPassing({ code, reason }: Refusal): boolean {
  return reason === 'changing' || code === 'service_unavailable' || code === 'internal_error'
}
