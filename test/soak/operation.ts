import { randomUUID } from 'node:crypto'
import type { chance } from '../support/draws.ts'
import type { Answer, Asked } from './caller.ts'
import type { Organization } from './kinds.ts'
import { type Booking, isActive, placeOf } from './ledger.ts'

/** One request, what it means to the ledger while nobody knows what became of it, and once an answer came. */
export type Operation = {
  readonly name: string
  readonly asked: Asked
  /** What happens elsewhere just before; returns what to send instead. */
  readonly prepare?: () => Promise<Asked>
  /** Whether a provider that fails may be answered with. */
  readonly mayFail?: boolean
  readonly settle: (answer: Answer) => void
}

export type Draws = ReturnType<typeof chance>

export type Drawn = {
  readonly organization: Organization
  readonly kind: number
  readonly eventTypeId: string
  readonly start: string
}

export function address(): string {
  return `${randomUUID()}@example.com`
}

/** Seven of ten requests can be sent again. */
export function keyOf({ below }: Draws): string | null {
  return below(10) < 7 ? randomUUID() : null
}

/** Asks something of a booking which, until it is answered, is where it was or at `place`; then it is in `booked` again. */
export function ofBooking(
  booked: Booking[],
  name: string,
  booking: Booking,
  asked: Asked,
  place: string,
): Operation {
  const before = booking.places
  booking.places = [...before, place]
  return {
    name,
    asked,
    settle: ({ status, body }) => {
      booking.places = status === 200 ? [placeOf(body)] : before
      if (isActive(booking)) booked.push(booking)
    },
  }
}
