/** What calls without a key may make by default, and how many text messages follow. */
export const PUBLIC_LIMITS = {
  bookings_per_network_hour: 60,
  pending_per_network: 5,
  active_per_email: 10,
  waiting_per_email: 3,
  attendees_per_booking: 10,
  sms_per_number_day: 5,
  sms_per_day: 100,
} as const

/** What they may be set to. No event type has more seats than 100. */
export const MOST_OF: Readonly<Record<PublicLimit, number>> = {
  bookings_per_network_hour: 1_000_000,
  pending_per_network: 1_000_000,
  active_per_email: 1_000_000,
  waiting_per_email: 1_000_000,
  attendees_per_booking: 100,
  sms_per_number_day: 1_000_000,
  sms_per_day: 1_000_000,
}

export type PublicLimit = keyof typeof PUBLIC_LIMITS

/** Every limit that a 429 without a key can name: those of the organization and the fixed ones. */
export const PUBLIC_BRAKES = [
  'bookings_per_network_hour',
  'pending_per_network',
  'active_per_email',
  'waiting_per_email',
  'verifications_per_email_hour',
  'verifications_per_network_hour',
  'reschedules_per_booking_day',
  'calls_per_booking_minute',
  'cost',
] as const
export type PublicBrake = (typeof PUBLIC_BRAKES)[number]
export type PublicLimits = Readonly<Record<PublicLimit, number>>

/** Only the sender of text messages reads their limits. */
type Chosen = {
  readonly bookingsPerNetworkHour: number | null
  readonly pendingPerNetwork: number | null
  readonly activePerEmail: number | null
  readonly waitingPerEmail: number | null
  readonly attendeesPerBooking: number | null
  readonly smsPerNumberDay?: number | null
  readonly smsPerDay?: number | null
}

/** The numbers in effect. */
export function publicLimitsOf(chosen: Chosen): PublicLimits {
  return {
    bookings_per_network_hour: chosen.bookingsPerNetworkHour ?? PUBLIC_LIMITS.bookings_per_network_hour,
    pending_per_network: chosen.pendingPerNetwork ?? PUBLIC_LIMITS.pending_per_network,
    active_per_email: chosen.activePerEmail ?? PUBLIC_LIMITS.active_per_email,
    waiting_per_email: chosen.waitingPerEmail ?? PUBLIC_LIMITS.waiting_per_email,
    attendees_per_booking: chosen.attendeesPerBooking ?? PUBLIC_LIMITS.attendees_per_booking,
    sms_per_number_day: chosen.smsPerNumberDay ?? PUBLIC_LIMITS.sms_per_number_day,
    sms_per_day: chosen.smsPerDay ?? PUBLIC_LIMITS.sms_per_day,
  }
}
