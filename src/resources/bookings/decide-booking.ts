import type { Refusal } from '../../http/errors.ts'
import { formatInstant } from '../../http/fields.ts'
import { PLANS } from '../../limits/plans.ts'
import type { Interval } from '../../scheduling/interval.ts'
import { holdOf, isOpenStart, openStarts } from '../../scheduling/slots.ts'
import {
  fullPeriods,
  type Question,
  refuseDuration,
  type Schedule,
  slotRequest,
} from '../availability/schedule.ts'
import type { CreateBooking } from './commands.ts'

const ALTERNATIVES = 3

export const NO_EVENT_TYPE: Refusal = { code: 'not_found', message: 'No such event type.' }

export type Decision =
  | { readonly schedule: Schedule; readonly durationMinutes: number; readonly hold: Interval }
  | { readonly refusal: Refusal }

/** Whether a booking can be made now, and if not, the first reason in the documented order. */
export function decideBooking(schedule: Schedule | null, command: CreateBooking): Decision {
  const { tenant, input, now } = command
  if (!schedule?.eventType.active) return { refusal: NO_EVENT_TYPE }
  const { eventType, organization } = schedule
  if (tenant && (tenant.organizationId !== eventType.organizationId || tenant.isTest !== eventType.isTest)) {
    return { refusal: NO_EVENT_TYPE }
  }
  if (organization.suspendedAt !== null) {
    return {
      refusal: { code: 'org_suspended', message: 'This organization takes no bookings at the moment.' },
    }
  }
  const quota = PLANS[organization.tier].bookingsPerMonth
  if (!eventType.isTest && schedule.bookingsThisMonth >= quota) {
    const message = `The plan's ${quota} bookings of this month are used up.`
    return { refusal: { code: 'plan_limit_exceeded', message } }
  }
  const durationMinutes = input.duration ?? eventType.durationMinutes
  const refusal = refuseDuration(eventType, durationMinutes) ?? refuseAttendees(schedule, input)
  if (refusal) return { refusal }
  return decideStart(schedule, input.start_time, { durationMinutes, now })
}

/** Whether `start` is open: the part that booking and rescheduling share. */
export function decideStart(
  schedule: Schedule,
  start: number,
  { durationMinutes, now, moving }: Omit<Question, 'range'>,
): Decision {
  const only = { start, end: start + 1 }
  if (fullPeriods(schedule, only, moving).length > 0) {
    return { refusal: { code: 'booking_cap_reached', message: 'The booking cap of this period is reached.' } }
  }
  const request = slotRequest(schedule, {
    range: schedule.range,
    durationMinutes,
    now,
    ...(moving && { moving }),
  })
  // What lies outside the loaded range is in the past.
  const isLoaded = schedule.range.start <= start && start < schedule.range.end
  if (isLoaded && isOpenStart(request, start)) {
    return { schedule, durationMinutes, hold: holdOf(start, request) }
  }

  const after = { start: Math.max(start + 1, request.range.start), end: request.range.end }
  const alternatives = openStarts({ ...request, range: after })
    .slice(0, ALTERNATIVES)
    .map(formatInstant)
  return { refusal: { code: 'conflict', message: 'This time is not open.', details: { alternatives } } }
}

function refuseAttendees(schedule: Schedule, input: CreateBooking['input']): Refusal | null {
  const invitee = input.invitee_email.toLowerCase()
  const others = input.attendees.map(({ email }) => email.toLowerCase())
  if (new Set(others).size < others.length) {
    return { code: 'bad_request', message: 'Two attendees have the same email address.' }
  }
  const seats = 1 + others.filter((email) => email !== invitee).length
  if (seats <= schedule.eventType.maxAttendees) return null
  const message = `This event type takes at most ${schedule.eventType.maxAttendees} attendee(s) a booking.`
  return { code: 'bad_request', message }
}
