import type { Schedule } from '../../engine/schedule/schedule.ts'
import type { Db, Statement } from '../../platform/db/client.ts'
import type { Refusal } from '../../platform/http/errors.ts'
import type { AskedMs, PresentMs } from '../../platform/limits/clock.ts'
import { publicLimitsOf } from '../../platform/limits/public-limits.ts'
import type { AnonymousCaller } from './anonymous-caller.ts'
import { overAddressLimit, refuseNetwork, refusePending } from './over-limit.ts'
import { countBooking, type Known, selectBookingCounts } from './queries.ts'

/** What an anonymous caller has made here so far, read together with the schedule; nothing for a call with a key. */
export function bookingCounts(
  db: Db,
  eventTypeId: string,
  anonymous: AnonymousCaller | null,
  realNow: AskedMs,
) {
  return anonymous ? [selectBookingCounts(db, eventTypeId, anonymous, realNow)] : []
}

export type BookingCounts = Awaited<ReturnType<typeof selectBookingCounts>>[number]

/** Why `many` bookings cannot be made from the caller's network at the moment. `now` is the event type's present. */
export function refuseToBook(
  { eventType, organization }: Schedule,
  anonymous: AnonymousCaller,
  counts: BookingCounts,
  now: PresentMs,
  realNow: AskedMs,
  many = 1,
): Refusal | null {
  const limits = publicLimitsOf(organization)
  const waits = eventType.priceAmount !== null || eventType.requiresApproval
  const made = counts.made + many - 1
  return waits
    ? refusePending(limits, { ...counts, made }, anonymous, now, realNow)
    : refuseNetwork(limits, made, anonymous, realNow)
}

type Found = { readonly schedule: Schedule | null; readonly counts: BookingCounts | undefined }

/**
 * Why the caller's address may not have one more booking. It is returned only if the start is open: otherwise the answer
 * would reveal something about the address, and nothing would be booked.
 */
export function refuseAddress({ schedule, counts }: Found, now: PresentMs): Refusal | null {
  if (!schedule || !counts) return null
  const limits = publicLimitsOf(schedule.organization)
  const [active, next] = counts.active
  if (active < limits.active_per_email) return null
  return overAddressLimit(limits, 'active_per_email', next, now)
}

/** Counts `many` alike in the batch that creates them, which fails if a limit was reached in the meantime. */
export function countAnonymousBooking(
  db: Db,
  { organization }: Schedule,
  anonymous: AnonymousCaller | null,
  booking: Known & { readonly payment: unknown; readonly status: string },
  now: PresentMs,
  many = 1,
): Statement[] {
  if (!anonymous) return []
  const limits = publicLimitsOf(organization)
  return countBooking(
    db,
    { ...booking, isPending: booking.payment !== null || booking.status === 'pending_approval' },
    anonymous,
    limits,
    now,
    many,
  )
}

/** The columns by which later counts recognize the caller. */
export function marksOf(anonymous: AnonymousCaller | null) {
  return anonymous && { networkMark: anonymous.networkMark, addressMark: anonymous.addressMark }
}
