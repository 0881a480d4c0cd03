import { commitBatch, type Db, openDb } from '../../db/client.ts'
import { fenceOf } from '../../db/refusals.ts'
import type { BookingRow } from '../../db/schema/bookings.ts'
import type { Env } from '../../env.ts'
import { keepStatements, STILL_RUNNING, selectKept } from '../../http/idempotency.ts'
import { holderOf, seatsOf, withBooking, withoutBooking } from '../../schedule/apply-booking.ts'
import { isOwed } from '../../schedule/claimed-starts.ts'
import { type Decision, decideStart } from '../../schedule/decide-start.ts'
import { guardSchedule } from '../../schedule/guard-schedule.ts'
import { loadForStart } from '../../schedule/load-for-start.ts'
import type { Schedule } from '../../schedule/schedule.ts'
import { decideAfresh } from '../../turn/decide-afresh.ts'
import { keptOutcome } from '../../turn/kept-outcome.ts'
import { type Outcome, refused, unchanged } from '../../turn/outcome.ts'
import { lookPast, MAX_SERVED, refuseOpen } from '../../turn/races.ts'
import type { Workplace } from '../../turn/workplace.ts'
import { recordActivity } from '../activity/statements.ts'
import { recordEvent } from '../events/statements.ts'
import { noteMove, refuseMoreMoves } from '../public-limits/moves.ts'
import { chooseSuccessors, interestQueries, passOnTime, SUCCESSION_LATER } from '../waitlist/free-time.ts'
import { promoteWaiting } from '../waitlist/promote-waiting.ts'
import { refuseMove } from './allowed-actions.ts'
import { capGuards } from './cap-guards.ts'
import type { RescheduleBooking } from './commands.ts'
import { NO_EVENT_TYPE } from './decide-booking.ts'
import { keptAfterMove } from './made-links.ts'
import { sessionIdOf } from './new-booking.ts'
import { openSession } from './prepare-booking.ts'
import { presentBooking } from './present.ts'
import {
  creditHosts,
  guardOwnName,
  releaseHold,
  selectBooking,
  selectHold,
  takeHold,
  updateBookingAsRead,
} from './queries.ts'
import { dropReminders, planReminders } from './reminders/plan-reminders.ts'
import type { Booking } from './schema.ts'

/** Successors are booked in the same commit; where that was refused so often, they follow after it. */
const MAX_TOGETHER = 4
const MINUTE_MS = 60_000

/** Runs in the event type's object. The booking's own hold and its place in the cap do not stand in its way. */
export async function rescheduleBooking(
  workplace: Workplace,
  command: RescheduleBooking,
): Promise<Outcome<Booking>> {
  const { env, memory, announce } = workplace
  const { bookingId, newStart, claim } = command
  const db = openDb(env, 'decide')
  const since = memory.tick()
  for (let lost = 0, served = 0; ; ) {
    const { read, schedule, now, kept, held, interest } = await load(env, db, command)
    if (kept) return kept
    if (!read) return refused({ code: 'not_found', message: 'No such booking.' })
    if (served < MAX_SERVED && isOwed(schedule, interest[2])) {
      served++
      await promoteWaiting(workplace, command.eventTypeId, now)
      continue
    }
    if (isMovable(read) && read.startTime === newStart) return unchanged(presentBooking(read))
    const tooOften = refuseMoreMoves(read, command.origin, now)
    if (tooOften) return refused(tooOften)
    const decision = await decideAfresh(workplace, schedule, since, (known) =>
      decide(read, known, newStart, now, lookPast(lost)),
    )
    if ('refusal' in decision) return refused(decision.refusal)
    const { placement } = decision
    const seats = read.attendees.length
    const taken = await refuseOpen(db, decision.schedule, placement, { lost, owed: interest[2], seats, now })
    if (taken) return refused(taken)

    const { calendarConnectionId } = placement
    const sessionId = sessionIdOf(placement)
    const changes = {
      status: 'rescheduled' as const,
      startTime: placement.start,
      endTime: placement.end,
      sessionId,
      assignedHostId: placement.host?.member_id ?? null,
      assignedHost: placement.host,
      calendarConnectionId,
      busyAsOf: placement.busyAsOf,
      syncError: null,
      ...keptAfterMove(read, decision.schedule.eventType, { sessionId, calendarConnectionId }),
      previousStartTime: read.startTime,
      ...noteMove(read, command.origin, now),
      rescheduledAt: now,
      updatedAt: now,
    }
    const after: BookingRow = { ...read, ...changes }
    const before = presentBooking(read)
    const booking = presentBooking(after)
    const previous = { start_time: before.start_time, end_time: before.end_time }
    const revision = read.revision + 1
    const event = recordEvent(db, after, { kind: 'booking.rescheduled', data: booking, revision, previous })
    const move = (known: Schedule) => ({
      ...withBooking(withoutBooking(known, read), after, placement),
      bookingsThisMonth: known.bookingsThisMonth,
    })
    const succession =
      held && lost < MAX_TOGETHER
        ? await chooseSuccessors(db, interest, read, held, move, now)
        : SUCCESSION_LATER
    try {
      await commitBatch(db, [
        ...(await keepStatements(env, db, claim, { status: 200, body: booking })),
        guardSchedule(db, decision.schedule),
        ...capGuardsOfMove(db, decision.schedule, after),
        ...openSession(db, after, placement, now),
        ...updateBookingAsRead(db, read, changes),
        ...(read.sessionId === null ? [releaseHold(db, bookingId)] : []),
        ...dropReminders(db, bookingId),
        ...planReminders(db, after, decision.schedule.eventType.reminderIntervals, now),
        ...(after.sessionId === null ? [guardOwnName(db, bookingId)] : []),
        ...takeHold(db, holderOf(after), placement.resourceIds, placement.hold),
        ...creditHosts(db, after.eventTypeId, placement.creditedIds, placement.isAssignment, now),
        recordActivity(db, after, command.origin, {
          action: 'booking.rescheduled',
          resourceType: 'booking',
          resourceId: bookingId,
          changes: { start_time: [before.start_time, booking.start_time], reason: command.reason },
        }),
        ...event.statements,
        ...succession.statements,
      ])
      announce({ type: 'event', eventId: event.id })
      if (held) await passOnTime(workplace, interest, succession, read, now)
      return { kind: 'done', body: booking }
    } catch (error) {
      const fence = fenceOf(error)
      if (fence === 'KEY_IN_USE') return refused(STILL_RUNNING)
      if (fence === null) throw error
      lost++
    } finally {
      memory.forget()
    }
  }
}

async function load(env: Env, db: Db, command: RescheduleBooking) {
  const { eventTypeId, bookingId, newStart, claim } = command
  const { schedule, beside, now } = await loadForStart(
    db,
    eventTypeId,
    newStart,
    command.now,
    selectBooking(db, bookingId),
    selectKept(db, claim),
    selectHold(db, bookingId),
    ...interestQueries(db, eventTypeId, bookingId),
  )
  const [[read], keptRows, [held], ...interest] = beside
  const kept = await keptOutcome(env, claim, keptRows, () => read && presentBooking(read))
  return { read, schedule, now, kept, held, interest }
}

function isMovable({ status }: BookingRow): boolean {
  return status === 'confirmed' || status === 'rescheduled'
}

function decide(
  read: BookingRow,
  schedule: Schedule | null,
  newStart: number,
  now: number,
  lookPast: number,
): Decision {
  const refusal = refuseMove(read, schedule?.eventType.active ?? false)
  if (refusal || !schedule) return { refusal: refusal ?? NO_EVENT_TYPE }
  const durationMinutes = (read.endTime - read.startTime) / MINUTE_MS
  const mover = { hostId: read.assignedHostId, isInSession: read.sessionId !== null }
  const wanted = { durationMinutes, now, emails: seatsOf(read), mover, lookPast }
  return decideStart(withoutBooking(schedule, read), newStart, wanted)
}

/** A total cap counts the booking wherever it lies, so moving it takes no place. */
function capGuardsOfMove(db: Db, schedule: Schedule, after: BookingRow) {
  const period = schedule.eventType.bookingCapPeriod
  return period === null || period === 'total' ? [] : capGuards(db, schedule, after)
}
