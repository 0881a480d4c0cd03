import * as z from 'zod'
import { PLAN_LIMITS, type PlanLimit, planLimitsOf } from '../../platform/limits/plan-limits.ts'

const COUNTED = {
  calendars_per_member: 'Calendars of one member in one mode.',
  calendar_feeds: 'Feeds of bookings.',
  members: 'Members. Invitations do not count before they are accepted.',
  event_types: 'Event types in one mode.',
  resources: 'Rooms, equipment and other resources in one mode.',
  invitations_per_day: 'Invitations in a UTC day.',
} as const satisfies Record<PlanLimit, string>

export const PlanNumbers = z
  .object({
    calendars_per_member: z.int().describe(COUNTED.calendars_per_member),
    calendar_feeds: z.int().describe(COUNTED.calendar_feeds),
    members: z.int().describe(COUNTED.members),
    event_types: z.int().describe(COUNTED.event_types),
    resources: z.int().describe(COUNTED.resources),
    invitations_per_day: z.int().describe(COUNTED.invitations_per_day),
  })
  .meta({
    id: 'OrganizationPlanLimits',
    description: "The organization's limits: those of its plan, unless the operator set others.",
    example: planLimitsOf({ tier: 'free', planLimits: null }),
  })

/** What the operator may set in its place. */
export const PlanNumber = (what: PlanLimit) => {
  const { free, starter, grow, scale } = PLAN_LIMITS[what]
  const plans = `Free ${free}, Launch ${starter}, Grow ${grow}, Scale ${scale}`
  return z
    .int()
    .min(0)
    .max(1_000_000)
    .nullable()
    .optional()
    .describe(`${COUNTED[what]} Null restores the plan's number: ${plans}.`)
}
