import type { Schedule } from '../../engine/schedule/schedule.ts'
import type { Db, Statement } from '../../platform/db/client.ts'
import type { Refusal } from '../../platform/http/errors.ts'
import type { AskedMs, PresentMs } from '../../platform/limits/clock.ts'
import { publicLimitsOf } from '../../platform/limits/public-limits.ts'
import type { Stranger } from './anonymous-caller.ts'
import { beyond, beyondForAddress, refuseNetwork } from './over-limit.ts'
import { countBooking, type Known, selectBookingCounts } from './queries.ts'

/** What a stranger has made here so far, to be read with the schedule; nothing for a call with a key. */
export function bookingCounts(db: Db, eventTypeId: string, stranger: Stranger | null, realNow: AskedMs) {
  return stranger ? [selectBookingCounts(db, eventTypeId, stranger, realNow)] : []
}

export type BookingCounts = Awaited<ReturnType<typeof selectBookingCounts>>[number]

/** Why nobody may book here from the stranger's network for now. `now` is the present of the event type's side. */
export function refuseToBook(
  { eventType, organization }: Schedule,
  stranger: Stranger,
  counts: BookingCounts,
  now: PresentMs,
  realNow: AskedMs,
): Refusal | null {
  const limits = publicLimitsOf(organization)
  const busy = refuseNetwork(limits, counts.made, stranger, realNow)
  if (busy) return busy
  const [pending, soonest] = counts.pending
  const waits = eventType.priceAmount !== null || eventType.requiresApproval
  if (!waits || pending < limits.pending_per_network) return null
  return beyond(limits, 'pending_per_network', (soonest ?? now) - now)
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
  return beyondForAddress(limits, 'active_per_email', next, now)
}

/** Counts the booking in the batch that makes it, which fails where a limit was reached meanwhile. */
export function countAsStranger(
  db: Db,
  { organization }: Schedule,
  stranger: Stranger | null,
  booking: Known & { readonly payment: unknown; readonly status: string },
  now: PresentMs,
): Statement[] {
  if (!stranger) return []
  const limits = publicLimitsOf(organization)
  return countBooking(
    db,
    { ...booking, isPending: booking.payment !== null || booking.status === 'pending_approval' },
    stranger,
    limits,
    now,
  )
}

/** The columns by which later counts recognize who made it. */
export function marksOf(stranger: Stranger | null) {
  return stranger && { networkMark: stranger.networkMark, addressMark: stranger.addressMark }
}
