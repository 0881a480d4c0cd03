import { MINUTE_MS } from '../../core/time-units.ts'
import { policyAmount } from '../../money/payments/refunds/policy-refund.ts'
import type { BookingRow } from '../../platform/db/schema/bookings.ts'
import { because, type Refusal } from '../../platform/http/errors.ts'
import type { PresentMs } from '../../platform/limits/clock.ts'
import { sentenceOf } from '../../platform/reasons/reason.ts'

/** Why a booking cannot be rescheduled at all; null if it can. */
export function refuseMove(booking: BookingRow, isBookable: boolean): Refusal | null {
  const { status } = booking
  if (status === 'pending_payment' || status === 'cancelled') {
    return because('cannot_reschedule', { status })
  }
  return isBookable ? null : because('not_bookable')
}

/** Whether it waits for nothing and was not to be paid, so that its row is all there is to know of it. */
export function isSettled({ status, payment }: Pick<BookingRow, 'status' | 'payment'>): boolean {
  return (status === 'confirmed' || status === 'rescheduled') && payment === null
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
  const tooLate = (minutes: number | null) =>
    because('too_late', { minutes }, { notice_minutes: noticeMinutes })
  if (now >= startTime) return tooLate(null)
  const last = lastMoment(startTime, noticeMinutes)
  const isAgreed = status !== 'pending_payment' && status !== 'pending_approval'
  return isAgreed && last !== null && now > last ? tooLate(noticeMinutes) : null
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
  const cancel = isCancelled ? because('already_cancelled') : late(terms.cancelNoticeMinutes)
  const lateToMove = isCancelled ? null : late(terms.rescheduleNoticeMinutes)
  const move = lateToMove ?? refuseMove(booking, terms.isBookable)
  return {
    cancel: {
      allowed: cancel === null,
      reason: cancel && sentenceOf(cancel),
      refund_amount: cancel === null ? refundOf(booking, terms, isInvitee, now) : null,
    },
    reschedule: { allowed: move === null, reason: move && sentenceOf(move) },
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
