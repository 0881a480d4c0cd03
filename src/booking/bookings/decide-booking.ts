import { type Decision, decideStart } from '../../engine/schedule/decide-start.ts'
import { isMonthFull } from '../../engine/schedule/full-month.ts'
import { refuseHost } from '../../engine/schedule/of-host.ts'
import { priceShown, refuseOtherPrice, refusePayment } from '../../engine/schedule/price.ts'
import type { Schedule } from '../../engine/schedule/schedule.ts'
import { refuseDuration, refuseSeats } from '../../engine/schedule/slot-request.ts'
import type { Tenant } from '../../platform/auth/caller.ts'
import type { ShownPrice } from '../../platform/db/schema/bookings.ts'
import { because, invalid, missing, type Refusal } from '../../platform/http/errors.ts'
import type { PresentMs } from '../../platform/limits/clock.ts'
import { PLANS } from '../../platform/limits/plans.ts'
import { publicLimitsOf } from '../../platform/limits/public-limits.ts'
import { problem } from '../../platform/reasons/reason.ts'
import { isSilent } from '../anonymous-callers/anonymous-caller.ts'
import { refusePlace } from '../places/choose-place.ts'
import { type Answers, refuseAnswers } from '../questions/take-answers.ts'
import type { CreateBooking } from './commands.ts'

/** Why this caller cannot book this event type at all, or not with these answers; null checks no answers. */
export function refuseCaller(
  schedule: Schedule | null,
  tenant: Tenant | null,
  answers: Answers | null,
): Refusal | null {
  if (!schedule?.eventType.active) return missing('event type')
  const { eventType } = schedule
  if (tenant && (tenant.organizationId !== eventType.organizationId || tenant.isTest !== eventType.isTest)) {
    return missing('event type')
  }
  const wrong = answers && refuseAnswers(eventType.questions, answers)
  if (wrong) return wrong
  return refuseSuspended(schedule)
}

export function refuseSuspended({ organization }: Schedule): Refusal | null {
  return organization.suspendedAt === null ? null : because('takes_no_bookings')
}

/**
 * Places a booking, or returns the first refusal in the documented order. `anonymous` is why a caller without a key cannot
 * book at all, `evenIfOpen` why not even an open start.
 */
export function decideBooking(
  schedule: Schedule | null,
  command: CreateBooking & { readonly now: PresentMs },
  hostsToSkip: number,
  anonymous: Refusal | null,
  evenIfOpen: Refusal | null = null,
): Decision {
  const { tenant, input } = command
  const noEntry = refuseCaller(schedule, tenant, input.answers ?? {})
  if (noEntry || !schedule) return { refusal: noEntry ?? missing('event type') }
  const refusal = refuseFullMonth(schedule) ?? anonymous ?? refuseBooking(schedule, command)
  if (refusal) return { refusal }
  return decideStart(schedule, input.start_time, wantedOf(schedule, command, hostsToSkip, evenIfOpen))
}

type Judged = Pick<CreateBooking, 'tenant' | 'isDry' | 'setAside'> & {
  readonly input: Omit<CreateBooking['input'], 'start_time' | 'event_type_id' | 'override' | 'notify'>
}

/** Why this caller cannot book this, at whatever start. */
export function refuseBooking(schedule: Schedule, { tenant, input }: Judged): Refusal | null {
  const { eventType } = schedule
  const emails = emailsOf(input)
  const seats = seatsOf(input)
  const memberId = input.member_id ?? null
  return (
    refuseNobody(input, tenant, priceShown(eventType)) ??
    refusePlace(eventType, input) ??
    refuseDuration(eventType, input.duration ?? eventType.durationMinutes) ??
    refuseHost(schedule, memberId, tenant === null) ??
    refuseUnchosen(schedule, memberId, tenant) ??
    refuseTwice(input) ??
    refuseSeats(eventType, seats) ??
    refuseCrowd(schedule, tenant, seats) ??
    refuseGuests(eventType, input.guests ?? [], emails) ??
    refusePayment(schedule, seats) ??
    refuseOtherPrice(priceShown(eventType), input)
  )
}

/** What each start of the call is judged by. */
export function wantedOf(
  { eventType }: Schedule,
  command: Judged & { readonly now: PresentMs },
  hostsToSkip: number,
  evenIfOpen: Refusal | null,
) {
  const { tenant, input, now, setAside } = command
  const emails = emailsOf(input)
  return {
    ...{ now, hostsToSkip, evenIfOpen },
    durationMinutes: input.duration ?? eventType.durationMinutes,
    emails: isSilent(command) ? [] : emails,
    seats: seatsOf(input),
    mover: null,
    isAnonymous: tenant === null,
    memberId: input.member_id ?? null,
    ...(setAside && { setAside }),
  }
}

/** Why an invitee needs an address: to be emailed, or to pay. With a key, a phone number is enough. */
export function refuseNobody(
  { invitee_email: email, invitee_phone: phone }: Judged['input'],
  tenant: Tenant | null,
  price: ShownPrice,
): Refusal | null {
  if (email !== '') return null
  if (tenant === null) return invalid({ invitee_email: problem('required') }).refusal
  if (price.amount > 0) return invalid({ invitee_email: problem('required_to_pay') }).refusal
  return phone ? null : invalid({ invitee_phone: problem('required_without_email') }).refusal
}

/** Why a caller without a key must choose a host. */
export function refuseUnchosen(
  { eventType, hosts }: Schedule,
  memberId: string | null,
  tenant: Tenant | null,
): Refusal | null {
  const isAllRequired = hosts.length > 0 && hosts.every(({ part }) => part === 'required')
  const hasChoice = eventType.assignmentStrategy !== 'none' && !isAllRequired
  const isAsked = eventType.hostChoice === 'required' && hasChoice
  const isRequired = isAsked && tenant === null && memberId === null
  return isRequired ? because('host_required') : null
}

/** Why a caller without a key cannot bring that many attendees; with a key, the seats are the limit. */
export function refuseCrowd(
  { organization }: Schedule,
  tenant: Tenant | null,
  attendees: number,
): Refusal | null {
  const { attendees_per_booking: most } = publicLimitsOf(organization)
  if (tenant !== null || attendees <= most) return null
  return because('attendees_per_booking', { most }, { limit: 'attendees_per_booking' })
}

export function refuseFullMonth(schedule: Schedule): Refusal | null {
  if (!isMonthFull(schedule)) return null
  const most = PLANS[schedule.organization.tier].bookingsPerMonth
  return because('bookings_per_month', { most }, { limit: 'bookings_per_month' })
}

/** Why these guests cannot come along with these attendees. */
export function refuseGuests(
  { maxGuests: most }: { readonly maxGuests: number },
  guests: readonly { readonly email: string }[],
  attendees: readonly string[],
): Refusal | null {
  if (guests.length > most) return because('too_many_guests', { most })
  const emails = [...attendees, ...guests.map(({ email }) => email.toLowerCase())]
  return new Set(emails).size === emails.length ? null : because('same_email')
}

/** The addresses of the invitee and the other attendees, without duplicates. */
export function emailsOf(input: Judged['input']): string[] {
  const others = input.attendees.map(({ email }) => email.toLowerCase())
  const invitee = input.invitee_email.toLowerCase()
  return [...new Set([...(invitee === '' ? [] : [invitee]), ...others])]
}

/** An invitee without an address has a seat, too. */
export function seatsOf(input: Judged['input']): number {
  return emailsOf(input).length + (input.invitee_email === '' ? 1 : 0)
}

export function refuseTwice(input: Judged['input']): Refusal | null {
  const others = input.attendees.map(({ email }) => email.toLowerCase())
  return new Set(others).size === others.length ? null : because('same_email', { field: 'attendees' })
}
