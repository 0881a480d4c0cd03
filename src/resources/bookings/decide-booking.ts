import type { Tenant } from '../../auth/caller.ts'
import type { Refusal } from '../../http/errors.ts'
import { formatInstant } from '../../http/fields.ts'
import { PLANS } from '../../limits/plans.ts'
import { holdOf, isOpenStart, openStarts, type SlotRequest } from '../../scheduling/slots.ts'
import type { Schedule } from '../availability/schedule.ts'
import { fullPeriods, type Question, refuseDuration, slotRequest } from '../availability/slot-request.ts'
import { refusePayment } from '../payments/price.ts'
import type { CreateBooking } from './commands.ts'
import { type Mover, type Placement, placeAt } from './placement.ts'

const ALTERNATIVES = 3

export const NO_EVENT_TYPE: Refusal = { code: 'not_found', message: 'No such event type.' }

export type Decision =
  | { readonly schedule: Schedule; readonly placement: Placement }
  | { readonly refusal: Refusal }

/** Why the caller finds nothing to book here, or nothing that takes bookings. */
export function refuseCaller(schedule: Schedule | null, tenant: Tenant | null): Refusal | null {
  if (!schedule?.eventType.active) return NO_EVENT_TYPE
  const { eventType, organization } = schedule
  if (tenant && (tenant.organizationId !== eventType.organizationId || tenant.isTest !== eventType.isTest)) {
    return NO_EVENT_TYPE
  }
  if (organization.suspendedAt === null) return null
  return { code: 'org_suspended', message: 'This organization takes no bookings at the moment.' }
}

/**
 * Whether a booking can be made now, and if not, the first reason in the documented order. `stranger` is
 * why somebody without a key may not book, whatever is open.
 */
export function decideBooking(
  schedule: Schedule | null,
  command: CreateBooking,
  lookPast: number,
  stranger: Refusal | null,
): Decision {
  const { tenant, input, now } = command
  const noEntry = refuseCaller(schedule, tenant)
  if (noEntry || !schedule) return { refusal: noEntry ?? NO_EVENT_TYPE }
  const { eventType, organization } = schedule
  const quota = PLANS[organization.tier].bookingsPerMonth
  if (!eventType.isTest && schedule.bookingsThisMonth >= quota) {
    const message = `The plan's ${quota} bookings of this month are used up.`
    return { refusal: { code: 'plan_limit_exceeded', message } }
  }
  if (stranger) return { refusal: stranger }
  const durationMinutes = input.duration ?? eventType.durationMinutes
  const emails = emailsOf(input)
  const refusal =
    refuseDuration(eventType, durationMinutes) ??
    refuseAttendees(schedule, input) ??
    refusePayment(schedule, emails.length)
  if (refusal) return { refusal }
  return decideStart(schedule, input.start_time, { durationMinutes, now, emails, mover: null, lookPast })
}

export type Wanted = {
  readonly durationMinutes: number
  readonly now: number
  /** Everybody who comes, in lower case: each takes a seat. */
  readonly emails: readonly string[]
  readonly mover: Mover | null
  /** How many free hosts are left to others who race for them. */
  readonly lookPast: number
}

/** Whether `start` is open, and for whom: the part that booking, rescheduling and promotion share. */
export function decideStart(schedule: Schedule, start: number, wanted: Wanted): Decision {
  const { durationMinutes, now, emails } = wanted
  if (fullPeriods(schedule, { start, end: start + 1 }).length > 0) {
    return { refusal: { code: 'booking_cap_reached', message: 'The booking cap of this period is reached.' } }
  }
  const request = requestFor(schedule, { durationMinutes, now, seats: emails.length })
  // What lies outside the loaded range is in the past.
  const isLoaded = schedule.range.start <= start && start < schedule.range.end
  const isRoomy = emails.length <= schedule.eventType.maxAttendees
  if (isLoaded && isRoomy && isOpenStart(request, start)) {
    // Judged last: where there is no room, nobody learns who sits there.
    if (emails.some((email) => schedule.seated.get(start)?.has(email))) {
      return { refusal: { code: 'bad_request', message: 'An attendee has a seat in this session already.' } }
    }
    const time = { start, end: start + request.durationMs, hold: holdOf(start, request) }
    return { schedule, placement: placeAt(schedule, time, wanted.mover, wanted.lookPast) }
  }
  const isBusyOnly = request.oneOf && isLoaded && isRoomy && !request.sessions?.has(start)
  if (isBusyOnly && isOpenStart({ ...request, oneOf: [[]] }, start)) {
    const details = { requested_time: formatInstant(start), hosts_checked: schedule.hosts.length }
    return { refusal: { code: 'no_host_available', message: 'Every host is busy at this time.', details } }
  }
  return { refusal: refuseStart(request, start) }
}

export function requestFor(schedule: Schedule, wanted: Omit<Question, 'range'>): SlotRequest {
  return slotRequest(schedule, { range: schedule.range, ...wanted })
}

/** The refusal of a start, with what is open after it and claimed by nobody. */
export function refuseStart(
  request: SlotRequest,
  start: number,
  isClaimed: (start: number) => boolean = () => false,
): Refusal {
  const after = { start: Math.max(start + 1, request.range.start), end: request.range.end }
  const alternatives = openStarts({ ...request, range: after })
    .filter((open) => !isClaimed(open))
    .slice(0, ALTERNATIVES)
    .map(formatInstant)
  return { code: 'conflict', message: 'This time is not open.', details: { alternatives } }
}

/** The invitee and the others, each once. */
function emailsOf(input: CreateBooking['input']): string[] {
  const others = input.attendees.map(({ email }) => email.toLowerCase())
  return [...new Set([input.invitee_email.toLowerCase(), ...others])]
}

function refuseAttendees(schedule: Schedule, input: CreateBooking['input']): Refusal | null {
  const others = input.attendees.map(({ email }) => email.toLowerCase())
  if (new Set(others).size < others.length) {
    return { code: 'bad_request', message: 'Two attendees have the same email address.' }
  }
  if (emailsOf(input).length <= schedule.eventType.maxAttendees) return null
  const message = `This event type takes at most ${schedule.eventType.maxAttendees} attendee(s) a booking.`
  return { code: 'bad_request', message }
}
