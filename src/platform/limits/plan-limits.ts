import type { Tier } from './plans.ts'

/** How many of something an organization may have, by its plan, and how many invitations it may send in a UTC day. */
export const PLAN_LIMITS = {
  calendars_per_member: { free: 5, starter: 10, grow: 20, scale: 50 },
  calendar_feeds: { free: 5, starter: 20, grow: 100, scale: 500 },
  members: { free: 5, starter: 25, grow: 250, scale: 5_000 },
  event_types: { free: 25, starter: 100, grow: 1_000, scale: 10_000 },
  resources: { free: 5, starter: 25, grow: 250, scale: 2_500 },
  invitations_per_day: { free: 10, starter: 25, grow: 100, scale: 500 },
} as const satisfies Record<string, Readonly<Record<Tier, number>>>

export type PlanLimit = keyof typeof PLAN_LIMITS
export type PlanLimits = Readonly<Record<PlanLimit, number>>

/** What `details.limit` of a `plan_limit_exceeded` names. */
export const PLAN_CAPS = [
  'bookings_per_month',
  'calendars_per_member',
  'calendar_feeds',
  'members',
  'event_types',
  'resources',
  'invitations_pending',
] as const
export type PlanCap = (typeof PLAN_CAPS)[number]

/** In every plan. */
export const MOST_PENDING_INVITATIONS = 50
export const SUPPORT_REQUESTS_A_DAY = 10

type Chosen = { readonly tier: Tier; readonly planLimits: Readonly<Partial<Record<string, number>>> | null }

/** The numbers in effect: those of the plan, or what the operator set instead. */
export function planLimitsOf({ tier, planLimits }: Chosen): PlanLimits {
  const limit = (name: PlanLimit) => planLimits?.[name] ?? PLAN_LIMITS[name][tier]
  return {
    calendars_per_member: limit('calendars_per_member'),
    calendar_feeds: limit('calendar_feeds'),
    members: limit('members'),
    event_types: limit('event_types'),
    resources: limit('resources'),
    invitations_per_day: limit('invitations_per_day'),
  }
}
