import { DAY_MS } from '../../core/time-units.ts'
import { type Refusal, tooOften } from '../../platform/http/errors.ts'
import type { AskedMs } from '../../platform/limits/clock.ts'
import type { PublicLimit, PublicLimits } from '../../platform/limits/public-limits.ts'
import type { AnonymousCaller } from './anonymous-caller.ts'

/** Limits that have room again after some time. */
type Braking = Exclude<PublicLimit, 'attendees_per_booking' | 'sms_per_number_day' | 'sms_per_day'>

/** The refusal of an anonymous caller who has reached a limit; after `waitMs` there is room again. */
export function overLimit(limits: PublicLimits, limit: Braking, waitMs: number): Refusal {
  return tooOften(limit, waitMs, { most: limits[limit] })
}

/**
 * The same for a limit per address. The exact time would reveal when a booking or waitlist entry of the address ends, so it
 * is rounded to the end of that UTC day.
 */
export function overAddressLimit(
  limits: PublicLimits,
  limit: Braking,
  endsAt: number | null,
  now: AskedMs,
): Refusal {
  return overLimit(limits, limit, Math.ceil(((endsAt ?? now) + 1) / DAY_MS) * DAY_MS - now)
}

/** The refusal of a network that has made too much this hour, or has too much that is pending. */
export function refusePending(
  limits: PublicLimits,
  { made, pending: [count, soonest] }: Pending,
  anonymous: AnonymousCaller,
  now: AskedMs,
  realNow: AskedMs,
): Refusal | null {
  const busy = refuseNetwork(limits, made, anonymous, realNow)
  if (busy || count < limits.pending_per_network) return busy
  return overLimit(limits, 'pending_per_network', (soonest ?? now) - now)
}

type Pending = { readonly made: number; readonly pending: readonly [count: number, soonest: number | null] }

export function refuseNetwork(
  limits: PublicLimits,
  made: number,
  { hourEndsAt }: AnonymousCaller,
  realNow: AskedMs,
): Refusal | null {
  if (made < limits.bookings_per_network_hour) return null
  return overLimit(limits, 'bookings_per_network_hour', hourEndsAt - realNow)
}
