export const TIERS = ['free', 'starter', 'grow', 'scale'] as const
export type Tier = (typeof TIERS)[number]

export type Plan = {
  readonly name: string
  readonly callsPerMinute: number
  readonly callsPerDay: number
  readonly bookingsPerMonth: number
}

/** The shares of the plan's month, in percent, that the owner gets an email about; the greatest comes first. */
export const NOTICE_PERCENTS = [100, 80] as const

/** The greatest of them that is reached; 0 where none is. */
export function percentUsedOf(bookings: number, quota: number): number {
  return NOTICE_PERCENTS.find((percent) => bookings * 100 >= quota * percent) ?? 0
}

export const PLANS: Readonly<Record<Tier, Plan>> = {
  free: { name: 'Free', callsPerMinute: 30, callsPerDay: 200, bookingsPerMonth: 10 },
  starter: { name: 'Launch', callsPerMinute: 60, callsPerDay: 1_000, bookingsPerMonth: 50 },
  grow: { name: 'Grow', callsPerMinute: 500, callsPerDay: 10_000, bookingsPerMonth: 1_000 },
  scale: { name: 'Scale', callsPerMinute: 2_000, callsPerDay: 50_000, bookingsPerMonth: 10_000 },
}
