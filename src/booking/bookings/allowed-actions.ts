import { MINUTE_MS } from '../../core/time-units.ts'
import { policyAmount } from '../../money/payments/refunds/policy-refund.ts'
import type { BookingRow } from '../../platform/db/schema/bookings.ts'
import type { Refusal } from '../../platform/http/errors.ts'
import type { PresentMs } from '../../platform/limits/clock.ts'

/** Why a booking cannot be rescheduled at all; null if it can. */
export function refuseMove(booking: BookingRow, isBookable: boolean): Refusal | null {
  const { status } = booking
  if (status === 'pending_payment' || status === 'cancelled') {
    return { code: 'conflict', message: `A ${status} booking cannot be rescheduled.` }
  }
  if (isBookable) return null
  return { code: 'conflict', message: 'This event type takes no more bookings.' }
}

/** Until when an invitee can change a booking, if the event type requires notice; null means until the start. */
export function lastMoment(startTime: number, noticeMinutes: number): number | null {
  return noticeMinutes === 0 ? null : startTime - noticeMinutes * MINUTE_MS
}

/**
 * Why an invitee is too late to change an active booking: it has begun, or the notice has passed. Notice is required only
 * once a booking is approved and paid.
 */
export function refuseLate(
  { status, startTime }: Pick<BookingRow, 'status' | 'startTime'>,
  noticeMinutes: number,
  now: PresentMs,
): Refusal | null {
  const tooLate = (message: string): Refusal => {
    return { code: 'forbidden', message, details: { code: 'too_late', notice_minutes: noticeMinutes } }
  }
  if (now >= startTime) {
    return tooLate(
      'This booking has begun, so its invitee can no longer change it. Contact the organization.',
    )
  }
  const last = lastMoment(startTime, noticeMinutes)
  if (status === 'pending_payment' || status === 'pending_approval' || last === null || now <= last)
    return null
  const until = `until ${spanOf(noticeMinutes)} before the start`
  return tooLate(`An invitee can change this booking ${until} only. Contact the organization.`)
}

function spanOf(minutes: number): string {
  const units = [
    [1440, 'day'],
    [60, 'hour'],
    [1, 'minute'],
  ] as const
  const [size, unit] = units.find(([each]) => minutes % each === 0)!
  const count = minutes / size
  return `${count} ${unit}${count === 1 ? '' : 's'}`
}

/** What an invitee's change depends on, besides the booking itself. */
type Terms = {
  readonly isBookable: boolean
  readonly cancelNoticeMinutes: number
  readonly rescheduleNoticeMinutes: number
  readonly payment: Omit<Parameters<typeof policyAmount>[0], 'status' | 'amount' | 'currency'> | null
}

type Found = Pick<Terms, 'payment'> & {
  readonly eventType: Omit<Terms, 'payment' | 'isBookable'> & {
    readonly active: boolean
    readonly deletedAt: number | null
  }
}

export function termsOf({ eventType, payment }: Found): Terms {
  const { active, deletedAt, cancelNoticeMinutes, rescheduleNoticeMinutes } = eventType
  return { isBookable: active && deletedAt === null, cancelNoticeMinutes, rescheduleNoticeMinutes, payment }
}

/** What cancelling and rescheduling would be answered now. Notices and refunds apply to invitees only. */
export function allowedActions(booking: BookingRow, terms: Terms, isInvitee: boolean, now: PresentMs) {
  const isCancelled = booking.status === 'cancelled'
  const late = (minutes: number) => (isInvitee ? refuseLate(booking, minutes, now) : null)
  const cancel = isCancelled ? 'This booking is cancelled already.' : late(terms.cancelNoticeMinutes)?.message
  const lateToMove = isCancelled ? null : late(terms.rescheduleNoticeMinutes)
  const move = lateToMove ?? refuseMove(booking, terms.isBookable)
  return {
    cancel: {
      allowed: cancel === undefined,
      reason: cancel ?? null,
      refund_amount: cancel === undefined ? refundOf(booking, terms, isInvitee, now) : null,
    },
    reschedule: { allowed: move === null, reason: move?.message ?? null },
  }
}

const PAID = ['succeeded', 'partially_refunded', 'refunded', 'disputed', 'dispute_lost']

function refundOf(
  { payment, startTime }: BookingRow,
  terms: Terms,
  isInvitee: boolean,
  now: PresentMs,
): number | null {
  if (!payment || !PAID.includes(payment.status)) return null
  if (!isInvitee || !terms.payment) return 0
  return policyAmount({ ...terms.payment, ...payment }, startTime, now)
}
