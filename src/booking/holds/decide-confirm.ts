import { ALREADY_SEATED } from '../../engine/schedule/decide-start.ts'
import { isSessionAt, type Placement } from '../../engine/schedule/placement.ts'
import { priceKept, refuseOtherPrice, refusePayment } from '../../engine/schedule/price.ts'
import type { Schedule, Session } from '../../engine/schedule/schedule.ts'
import { isGroup } from '../../engine/schedule/slot-request.ts'
import type { Tenant } from '../../platform/auth/caller.ts'
import type { SlotHoldRow } from '../../platform/db/schema/slot-holds.ts'
import { because, type Refusal } from '../../platform/http/errors.ts'
import {
  emailsOf,
  refuseCrowd,
  refuseFullMonth,
  refuseGuests,
  refuseNobody,
  refuseSuspended,
  refuseTwice,
  seatsOf,
} from '../bookings/decide-booking.ts'
import type { CreateBookingInput } from '../bookings/input-schema.ts'
import { refusePlace } from '../places/choose-place.ts'
import { refuseAnswers } from '../questions/take-answers.ts'

/**
 * Why a hold cannot become a booking: the input, a suspension, the monthly quota or the payment. If it is silent, the
 * address does not influence the answer.
 */
export function refuseConfirm(
  schedule: Schedule,
  hold: SlotHoldRow,
  input: CreateBookingInput,
  tenant: Tenant | null,
  isSilent: boolean,
): Refusal | null {
  const emails = emailsOf(input)
  const seats = seatsOf(input)
  const price = priceKept(hold, schedule.eventType)
  return (
    refuseNobody(input, tenant, price) ??
    refuseAnswers(schedule.eventType.questions, input.answers ?? {}) ??
    refusePlace(schedule.eventType, input) ??
    refuseSuspended(schedule) ??
    refuseFullMonth(schedule) ??
    refuseTwice(input) ??
    refuseMore(seats, hold) ??
    refuseCrowd(schedule, tenant, seats) ??
    refuseGuests(schedule.eventType, input.guests ?? [], emails) ??
    refusePayment(schedule, seats, price) ??
    refuseOtherPrice(price, input) ??
    // Checked last: no other refusal may reveal who has a seat.
    (isSilent ? null : refuseSeated(schedule, hold, emails))
  )
}

function refuseMore(attendees: number, { seats }: SlotHoldRow): Refusal | null {
  return attendees <= seats ? null : because('too_many_for_hold', { most: seats })
}

function refuseSeated(schedule: Schedule, hold: SlotHoldRow, emails: readonly string[]): Refusal | null {
  if (hold.sessionId === null) return null
  const seated = schedule.seated.get(hold.startTime)
  if (!emails.some((email) => seated?.has(email))) return null
  return ALREADY_SEATED
}

/**
 * The placement of the hold, without taking its time again. If the event type got more seats since, it opens a session,
 * unless one begins there already.
 */
export function placementOf(schedule: Schedule, hold: SlotHoldRow): Placement {
  const isOpened =
    hold.sessionId === null && isGroup(schedule.eventType) && !isSessionAt(schedule, hold.startTime)
  const session = hold.sessionId === null ? null : ({ id: hold.sessionId } as Session)
  return {
    start: hold.startTime,
    end: hold.endTime,
    hold: { start: hold.startTime, end: hold.endTime },
    resourceIds: [],
    units: hold.resources ?? [],
    session: isOpened ? 'new' : session,
    host: hold.assignedHost,
    coHosts: hold.coHosts ?? [],
    calendarConnectionId: hold.calendarConnectionId,
    busyAsOf: hold.busyAsOf,
    creditedIds: hold.creditedIds,
    isAssignment: hold.isAssignment,
  }
}
