import type { RuleToSetAside } from '../../core/rules-to-set-aside.ts'
import { defineCommand } from '../../engine/turn/command.ts'
import type { Outcome } from '../../engine/turn/outcome.ts'
import type { Origin, Tenant } from '../../platform/auth/caller.ts'
import type { BookingRow } from '../../platform/db/schema/bookings.ts'
import type { IdempotencyClaim } from '../../platform/http/idempotency-claim.ts'
import type { AskedMs } from '../../platform/limits/clock.ts'
import type { BookingAsRead } from './as-read/queries.ts'
import type { CreateBookingInput } from './input-schema.ts'
import type { Booking, CreatedBooking, UpdatedBooking } from './schema.ts'
import type { UpdateBookingInput } from './update/input.ts'
import type { BookingToUpdate } from './update/queries.ts'

/** A command for an EventType object: plain data, the same for every kind of caller. */
type Command = {
  readonly origin: Origin
  readonly claim: IdempotencyClaim | null
  readonly now: AskedMs
  readonly isDry?: boolean
  /** Whether invitees, attendees and guests get no email about it. */
  readonly isQuiet?: boolean
}

/**
 * The move of a booking to where its event was dragged. It happens if the booking is still where the event was written, its
 * host stays, and the start is in the future.
 */
export type Followed = {
  readonly from: number
  readonly event: NonNullable<BookingRow['outOfSync']>
}

export type CreateBooking = Command & {
  readonly eventTypeId: string
  /** The tenant that the event type must belong to; null for an anonymous caller, who may book any. */
  readonly tenant: Tenant | null
  readonly input: CreateBookingInput
  readonly setAside?: readonly RuleToSetAside[]
  /** Whether the caller may learn that a start is the invitee's own: see `own-start.ts`. */
  readonly isProven?: boolean
}

export type CancelBooking = Command & {
  readonly eventTypeId: string
  readonly bookingId: string
  readonly reason: string | null
  /** Whether to refund as if the invitee had cancelled, for anybody's cancellation. */
  readonly paysBack?: boolean
  /** As the call read it. */
  readonly read?: BookingAsRead
}

export type RescheduleBooking = Command & {
  readonly eventTypeId: string
  readonly bookingId: string
  readonly newStart: number
  readonly reason: string | null
  /** Null keeps the length. */
  readonly durationMinutes?: number | null
  /** The host who must take it; null keeps the host if they are free. */
  readonly memberId?: string | null
  readonly setAside?: readonly RuleToSetAside[]
  readonly follows?: Followed
  /** As the call read it. */
  readonly read?: BookingAsRead
}

export type ReassignBooking = Command & {
  readonly eventTypeId: string
  readonly bookingId: string
  /** The booking's start. */
  readonly start: number
  /** The host who gets it; null leaves the choice to the strategy. */
  readonly memberId: string | null
  /** The host who gives it up; null where there is only one. */
  readonly fromMemberId: string | null
  readonly reason: string | null
  readonly setAside: readonly RuleToSetAside[]
}

export type UpdateBooking = Command & {
  readonly eventTypeId: string
  readonly bookingId: string
  readonly input: UpdateBookingInput
  /** As the call read it. */
  readonly read: BookingToUpdate
}

export type RecordAttendance = Command & {
  readonly eventTypeId: string
  readonly bookingId: string
  /** The ids of the attendees who did not come. */
  readonly noShows: readonly string[]
  readonly hostAbsent: boolean
}

export type ApproveBooking = Command & {
  readonly eventTypeId: string
  readonly bookingId: string
  readonly start: number
}

/** Declines a request; with `isOverdue` only if it has expired. */
export type DeclineBooking = CancelBooking & { readonly isOverdue?: boolean }

/** The link of the meeting that was made for a booking or a session. */
export type LinkMeeting = {
  readonly eventTypeId: string
  readonly holderId: string
  readonly url: string
  /** What made it: a meeting account, or the calendar with its event. */
  readonly maker: 'account' | 'calendar'
  readonly now: AskedMs
}

/** Where the event of a booking or a session stands, while the booking is at `start`; null is where it should be. */
export type NoteDrag = {
  readonly eventTypeId: string
  readonly holderId: string
  readonly start: number
  readonly stands: BookingRow['outOfSync']
  readonly syncError: string | null
  readonly now: AskedMs
}

export const CREATE_BOOKING = defineCommand<CreateBooking, Outcome<CreatedBooking>>('create_booking')
export const CANCEL_BOOKING = defineCommand<CancelBooking, Outcome<Booking>>('cancel_booking')
export const RESCHEDULE_BOOKING = defineCommand<RescheduleBooking, Outcome<Booking>>('reschedule_booking')
export const REASSIGN_BOOKING = defineCommand<ReassignBooking, Outcome<Booking>>('reassign_booking')
export const NOTE_DRAG = defineCommand<NoteDrag, Outcome<null>>('note_drag')
export const UPDATE_BOOKING = defineCommand<UpdateBooking, Outcome<UpdatedBooking>>('update_booking')
export const RECORD_ATTENDANCE = defineCommand<RecordAttendance, Outcome<Booking>>('record_attendance')
export const APPROVE_BOOKING = defineCommand<ApproveBooking, Outcome<Booking>>('approve_booking')
export const DECLINE_BOOKING = defineCommand<DeclineBooking, Outcome<Booking>>('decline_booking')
export const LINK_MEETING = defineCommand<LinkMeeting, Outcome<null>>('link_meeting')
/** The input is the id of the event type. */
export const DELETE_TEST_BOOKINGS = defineCommand<string, Outcome<null>>('delete_test_bookings')
