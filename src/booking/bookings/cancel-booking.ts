import { withoutBooking } from '../../engine/schedule/apply-booking.ts'
import { monthOf, type Schedule } from '../../engine/schedule/schedule.ts'
import { insertFreedForInvitee } from '../../engine/schedule/statements.ts'
import type { Decided, State, Turn, Verb } from '../../engine/turn/verb.ts'
import { selectWait } from '../../engine/waits/statements.ts'
import { isOver } from '../../engine/waits/wait-of.ts'
import type { GiveUpUnpaid } from '../../money/payments/commands.ts'
import { giveUpPayment } from '../../money/payments/give-up-payment.ts'
import { NO_HOST_LEFT, PAYMENT_CANCELLED } from '../../money/payments/reasons.ts'
import { refundByPolicy } from '../../money/payments/refunds/policy-refund.ts'
import { recordActivity } from '../../outbox/activity/statements.ts'
import { recordEvent } from '../../outbox/events/statements.ts'
import type { Db } from '../../platform/db/client.ts'
import type { Acts, BookingRow } from '../../platform/db/schema/bookings.ts'
import { because, missing } from '../../platform/http/errors.ts'
import type { Message } from '../../platform/queue/messages.ts'
import { isCancelledEarly } from '../anonymous-callers/early-cancel.ts'
import { withActs } from './acts.ts'
import { isSettled, refuseLate } from './allowed-actions.ts'
import { selectRequest } from './approval/queries.ts'
import type { CancelBooking, DeclineBooking } from './commands.ts'
import { uncountInQuota } from './limits/statements.ts'
import { presentBooking, presentTo } from './present.ts'
import { selectBooking, selectCancelTerms, selectHold } from './queries.ts'
import { NO_REMINDERS } from './reminders/plan-reminders.ts'
import type { Booking } from './schema.ts'
import { releaseHold, updateBookingAsRead } from './statements.ts'

type Asked = ReturnType<typeof askedOf>
type AskedOfRequest = readonly [...Asked, ReturnType<typeof selectRequest>]

const CANCELLED = ['cancelled'] as const
const DECLINED_TOO = ['cancelled', 'declined'] as const

/** The reason if none was given. */
const DECLINED = 'The request was declined.'

/** Cancelling again succeeds and changes nothing. */
export function cancelBooking(command: CancelBooking): Verb<Asked, Booking> {
  const { eventTypeId, bookingId, claim, now, isDry } = command
  return {
    eventTypeId,
    claim,
    now,
    isDry,
    releases: bookingId,
    ...asRead(command.read),
    asks: ({ db }) => askedOf(db, command),
    decide: (turn, state) => decide(turn, state, command),
    asItIs: ([[read]]) => read && presentTo(command.origin, read),
  }
}

/** What the call read is enough of a booking that waits for nothing and is not paid. */
function asRead(read: CancelBooking['read']) {
  if (!read || !isSettled(read.booking)) return {}
  return { asRead: [[read.booking], read.hold ? [read.hold] : [], [{ ...read.terms, payment: null }], []] }
}

function askedOf(db: Db, { eventTypeId, bookingId }: CancelBooking) {
  return [
    selectBooking(db, bookingId),
    selectHold(db, bookingId),
    selectCancelTerms(db, { eventTypeId, bookingId }),
    selectWait(db, bookingId),
  ] as const
}

/** Expired holds are removed first, and their time is offered to the waitlist. */
const ENDS_BY_THE_CLOCK = { isDeletedToo: true, servesFirst: true } as const

/** The reason for an unpaid booking whose payment was processing: it failed, or arrives later and is refunded. */
const ENDS_A_PAYMENT: ReadonlySet<string> = new Set([PAYMENT_CANCELLED, NO_HOST_LEFT])

/**
 * A booking that was paid in between stays, and one whose payment is processing waits for its end, unless its time has
 * expired.
 */
export function giveUpUnpaid(command: GiveUpUnpaid): Verb<Asked, null> {
  const cancel = cancelBooking({ ...command, claim: null })
  return {
    ...cancel,
    ...ENDS_BY_THE_CLOCK,
    around: command.now,
    decide: async (turn, state) => {
      const [[read], , , [wait]] = state.rows!
      if (read?.status !== 'pending_payment') return { unchanged: null }
      const isUnderWay = read.payment?.status === 'processing' && wait?.status !== 'expired'
      if (isUnderWay && !ENDS_A_PAYMENT.has(command.reason)) return { unchanged: null }
      const decided = await cancel.decide(turn, state)
      return 'statements' in decided ? { ...decided, body: null } : { unchanged: null }
    },
    asItIs: () => null,
  }
}

/**
 * Declines a request, on behalf of somebody or because it expired. Declining again succeeds. It no longer counts toward the
 * monthly quota.
 */
export function declineBooking(command: DeclineBooking): Verb<AskedOfRequest, Booking> {
  const { bookingId, isOverdue = false } = command
  const declining = { ...command, reason: command.reason ?? DECLINED }
  return {
    ...cancelBooking(declining),
    ...(isOverdue && { ...ENDS_BY_THE_CLOCK, around: command.now }),
    asks: ({ db }) => [...askedOf(db, command), selectRequest(db, bookingId)] as const,
    isRemembered: () => true,
    decide: async (turn, state) => {
      const [[read], hold, terms, wait, [request]] = state.rows!
      if (!read) return { refusal: missing('booking') }
      if (read.cancelledAt !== null && request?.status === 'released') {
        // The deadline decides, however late the sweep comes.
        const wasLate = request.expiresAt <= read.cancelledAt
        return wasLate && !isOverdue
          ? { refusal: because('not_decided') }
          : { unchanged: presentTo(command.origin, read) }
      }
      if (read.status !== 'pending_approval' || !request) {
        return { refusal: because('cannot_decline', { status: read.status }) }
      }
      const isTooLate = isOver(request, state.now)
      if (isOverdue && !isTooLate) return { unchanged: presentTo(command.origin, read) }
      if (isTooLate && !isOverdue) return { refusal: because('not_decided') }
      const acts = isOverdue ? CANCELLED : DECLINED_TOO
      return decide(turn, { ...state, rows: [[read], hold, terms, wait] }, declining, acts)
    },
    asItIs: ([[read]]) => read && presentTo(command.origin, read),
  }
}

async function decide(
  { env, db }: Turn,
  { rows, now: present }: State<Asked>,
  command: CancelBooking,
  done: readonly (keyof Acts)[] = CANCELLED,
): Promise<Decided<Booking>> {
  const { bookingId, reason, origin, now, paysBack = false } = command
  const [[read], [hold], [terms], [wait]] = rows!
  if (!read) return { refusal: missing('booking') }
  if (read.status === 'cancelled') return { unchanged: presentTo(origin, read) }

  const isInvitee = origin.actorType === 'invitee'
  const tooLate = isInvitee && terms ? refuseLate(read, terms.cancelNoticeMinutes, present) : null
  if (tooLate) return { refusal: tooLate }

  const unpaid = read.status === 'pending_payment' ? read.payment : null
  const isRequest = read.status === 'pending_approval'
  const givesBack = unpaid !== null || isRequest || isCancelledEarly(read, origin, now)
  const changes = {
    status: 'cancelled' as const,
    cancelledAt: now,
    cancelReason: reason,
    ...withActs(read, origin, ...done),
    ...NO_REMINDERS,
    updatedAt: now,
  }
  const refund =
    (isInvitee || paysBack) && !unpaid && terms?.payment
      ? await refundByPolicy(env, db, terms.payment, read.startTime, present)
      : null
  const paymentStatus = unpaid ? ('cancelled' as const) : refund?.status
  const payment = read.payment && paymentStatus ? { ...read.payment, status: paymentStatus } : read.payment
  const after: BookingRow = { ...read, ...changes, payment }
  const booking = presentBooking(after)
  const event = recordEvent(db, after, {
    kind: 'booking.cancelled',
    data: booking,
    revision: read.revision + 1,
    isQuiet: command.isQuiet,
  })
  const messages: Message[] = [{ type: 'event', eventId: event.id }, ...(refund?.messages ?? [])]
  if (unpaid && !read.isTest) messages.push({ type: 'payment', paymentId: unpaid.id })
  const free = (schedule: Schedule) => withoutBooking(schedule, read, givesBack)
  return {
    status: 200,
    body: presentTo(origin, after),
    statements: [
      ...updateBookingAsRead(db, read, changes),
      ...(read.sessionId === null ? [releaseHold(db, bookingId)] : []),
      ...(terms?.inviteeLimit != null ? [insertFreedForInvitee(db, read)] : []),
      ...(unpaid ? giveUpPayment(db, read, unpaid, command) : []),
      ...(givesBack && !read.isTest
        ? [uncountInQuota(db, read.organizationId, monthOf(read.createdAt))]
        : []),
      recordActivity(db, after, origin, {
        action: 'booking.cancelled',
        resourceType: 'booking',
        resourceId: bookingId,
        changes: { status: [read.status, 'cancelled'], reason },
      }),
      ...event.statements,
      // Announced after the cancellation that it follows from.
      ...(refund?.statements ?? []),
    ],
    messages,
    // An expired booking released its time at its deadline.
    ...(!isOver(wait, present) && {
      apply: free,
      ...(hold && { frees: { booking: read, hold, endsFor: read.inviteeEmail, after: free } }),
    }),
  }
}
