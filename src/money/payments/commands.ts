import { defineCommand } from '../../engine/turn/command.ts'
import type { Outcome } from '../../engine/turn/outcome.ts'
import type { Origin } from '../../platform/auth/caller.ts'
import type { PresentMs } from '../../platform/limits/clock.ts'

type Command = {
  readonly eventTypeId: string
  readonly bookingId: string
  readonly origin: Origin
  readonly now: PresentMs
}

export type ConfirmBooking = Command & {
  readonly paymentId: string
  /** Null where it is already known, or simulated. */
  readonly intentId: string | null
  /** When the booking begins, where another host must be found for it. */
  readonly around?: number
}

export type GiveUpUnpaid = Command & { readonly reason: string }

/**
 * Too late where the booking lost its time before, unhosted where its host left and nobody can take over: it is to be given up,
 * and then refunded. A number is when it begins: its host left, and it is to be asked again around that.
 */
export type Confirmed = 'too-late' | 'unhosted' | number | null

/** The payment of a booking was made. */
export const CONFIRM_BOOKING = defineCommand<ConfirmBooking, Outcome<Confirmed>>('confirm_booking')
/** A booking will not be paid; one that was paid in between is left alone. */
export const GIVE_UP_UNPAID = defineCommand<GiveUpUnpaid, Outcome<null>>('give_up_unpaid')
