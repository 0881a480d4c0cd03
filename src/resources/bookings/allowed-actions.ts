import type { BookingRow } from '../../db/schema/bookings.ts'
import type { Refusal } from '../../http/errors.ts'

/** Why a booking cannot be moved to any start; null when it can. */
export function refuseMove(booking: BookingRow, isBookable: boolean): Refusal | null {
  const { status } = booking
  if (status === 'pending_payment' || status === 'cancelled') {
    return { code: 'conflict', message: `A ${status} booking cannot be rescheduled.` }
  }
  if (isBookable) return null
  return { code: 'conflict', message: 'This event type takes no more bookings.' }
}

/** How cancelling and moving would be answered now. */
export function allowedActions(booking: BookingRow, isBookable: boolean) {
  const isCancelled = booking.status === 'cancelled'
  const move = refuseMove(booking, isBookable)
  return {
    cancel: {
      allowed: !isCancelled,
      reason: isCancelled ? 'This booking is cancelled already.' : null,
      // A cancellation refunds nothing by itself.
      refund_amount: !isCancelled && booking.payment?.status === 'succeeded' ? 0 : null,
    },
    reschedule: { allowed: move === null, reason: move?.message ?? null },
  }
}
