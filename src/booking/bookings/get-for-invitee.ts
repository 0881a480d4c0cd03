import { refundSteps } from '../../money/payments/refunds/refund-steps.ts'
import { openDb } from '../../platform/db/client.ts'
import { isId } from '../../platform/db/ids.ts'
import type { Context } from '../../platform/http/context.ts'
import { notFound, refuse } from '../../platform/http/errors.ts'
import { nowAsSeen } from '../../platform/limits/clock.ts'
import { noteOrganization } from '../../platform/log/tally.ts'
import { assertCalled, countTokenCall } from '../anonymous-callers/token-calls.ts'
import { presentBranding } from '../branding/present.ts'
import { openAnswers } from '../questions/take-answers.ts'
import { allowedActions, lastMoment, refuseLate, termsOf } from './allowed-actions.ts'
import { versionOfToken } from './invitee-token.ts'
import { presentTo } from './present.ts'
import { selectBookingWithOwner } from './queries.ts'

/** A booking for its invitee. Without its token the caller is `unauthorized`. */
export async function getBookingForInvitee(ctx: Context, id: string, token: string) {
  const bookingId = id.toLowerCase()
  const version = isId(bookingId) ? await versionOfToken(ctx.env, bookingId, token) : null
  if (version === null) throw refuse('wrong_token', { thing: 'booking' })
  const db = openDb(ctx.env, 'decide')
  const [[found], calls] = await db.batch([
    selectBookingWithOwner(db, bookingId),
    countTokenCall(db, bookingId, ctx.now, version),
  ])
  assertCalled(calls, ctx.now)
  if (!found) throw notFound('booking')
  if (found.booking.addressVersion !== version) throw refuse('wrong_token', { thing: 'booking' })
  const { booking, eventType, organization, payment, hosts, toChoose } = found
  noteOrganization(ctx.env, booking.organizationId)
  const now = nowAsSeen(booking.isTest, organization.sandboxNow, ctx.now)
  const isActive = booking.status !== 'cancelled'
  return {
    booking: presentTo({ actorType: 'invitee' }, booking),
    actions: allowedActions(booking, termsOf(found), true, now),
    isTooLate: {
      cancel: isActive && refuseLate(booking, eventType.cancelNoticeMinutes, now) !== null,
      reschedule: isActive && refuseLate(booking, eventType.rescheduleNoticeMinutes, now) !== null,
    },
    /** Until when it can be cancelled and rescheduled here, if notice is required; null means until the start. */
    lastMoment: {
      cancel: lastMoment(booking.startTime, eventType.cancelNoticeMinutes),
      reschedule: lastMoment(booking.startTime, eventType.rescheduleNoticeMinutes),
    },
    /** What a cancellation would refund from now on, once it is paid. */
    refundSteps:
      booking.payment && payment
        ? refundSteps(payment.refundPolicy, booking.payment, booking.startTime, now)
        : [],
    /** What was refunded, or is being refunded. */
    givenBack: payment ? payment.refundedAmount + payment.reservedAmount : 0,
    /** Its hosts, as far as the public may see them. */
    hosts,
    /** Until when it can be paid; null if it is free. */
    payBy: payment?.payBy ?? null,
    /** What the invitee answered, with the questions as they were then. */
    answers: await openAnswers(ctx.env, booking.answers),
    /** As it is stored: its own time is left out where it may move to. */
    row: booking,
    /** The hosts that its move offers, but of a collective meeting; null if invitees choose none. */
    hostsToChoose: eventType.assignmentStrategy === 'none' ? null : toChoose,
    addressVersion: booking.addressVersion,
    revision: booking.revision,
    updatedAt: booking.updatedAt,
    now,
    eventType: {
      title: eventType.title,
      slug: eventType.slug,
      color: eventType.color,
      hasPage: eventType.bookingPageEnabled && !booking.isTest,
      hasSeats: eventType.maxAttendees > 1,
      timezone: eventType.timezone,
      conferencingProvider: eventType.conferencingProvider,
      redirectUrl: eventType.redirectUrl,
    },
    organization: {
      name: organization.name,
      slug: organization.slug,
      branding: presentBranding(organization),
      redirectHosts: organization.redirectHosts,
    },
  }
}
export type InviteeBooking = Awaited<ReturnType<typeof getBookingForInvitee>>
