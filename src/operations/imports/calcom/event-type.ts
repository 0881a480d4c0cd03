import type { Location } from './place-of.ts'
import type { BookingField } from './questions-of.ts'

type Off = { readonly disabled: true }

export type EventType = {
  readonly id: number
  readonly teamId?: number | null
  readonly title: string
  readonly slug: string
  readonly description?: string | null
  readonly hidden?: boolean
  readonly lengthInMinutes: number
  readonly lengthInMinutesOptions?: readonly number[]
  readonly slotInterval?: number | null
  readonly minimumBookingNotice?: number
  readonly beforeEventBuffer?: number
  readonly afterEventBuffer?: number
  readonly locations?: readonly Location[]
  readonly bookingFields?: readonly BookingField[]
  readonly disableGuests?: boolean
  readonly scheduleId?: number | null
  readonly price?: number
  readonly successRedirectUrl?: string | null
  readonly requiresBookerEmailVerification?: boolean
  readonly color?: { readonly lightThemeHex?: string } | null
  readonly recurrence?: { readonly occurrences?: number } | Off | null
  readonly seats?: { readonly seatsPerTimeSlot?: number } | Off | null
  readonly confirmationPolicy?: { readonly type?: string } | Off | null
  readonly bookingWindow?: { readonly type?: string; readonly value?: unknown } | Off | null
  readonly bookingLimitsCount?: Readonly<Record<string, unknown>> | null
  readonly bookingLimitsDuration?: Readonly<Record<string, unknown>> | null
  readonly schedulingType?: string | null
  readonly hosts?: readonly {
    readonly userId: number
    readonly name?: string | null
    readonly mandatory?: boolean
  }[]
}

/** What is set, unless it is off. */
export function setOf<T extends object>(value: T | Off | null | undefined): T | null {
  return !value || 'disabled' in value ? null : value
}
