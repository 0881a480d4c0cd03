export const TIERS = ['free', 'starter', 'grow', 'scale'] as const
export type Tier = (typeof TIERS)[number]

export type Plan = {
  readonly name: string
  readonly callsPerMinute: number
  readonly callsPerDay: number
  readonly bookingsPerMonth: number
}

export const PLANS: Readonly<Record<Tier, Plan>> = {
  free: { name: 'Free', callsPerMinute: 30, callsPerDay: 200, bookingsPerMonth: 10 },
  starter: { name: 'Launch', callsPerMinute: 60, callsPerDay: 1_000, bookingsPerMonth: 50 },
  grow: { name: 'Grow', callsPerMinute: 500, callsPerDay: 10_000, bookingsPerMonth: 1_000 },
  scale: { name: 'Scale', callsPerMinute: 2_000, callsPerDay: 50_000, bookingsPerMonth: 10_000 },
}
