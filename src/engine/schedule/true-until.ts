import { nextDateAt } from '../../core/booking-window.ts'
import type { RealMs } from '../../platform/limits/clock.ts'
import { nextMonthAt } from './full-month.ts'
import type { RawSchedule } from './queries.ts'
import type { Ahead } from './resources/decode-resources.ts'
import type { Hold, Schedule } from './schedule.ts'

/** When holds expire: the first of each list. */
export function deadlinesOf(
  { next_expiry }: Pick<RawSchedule, 'next_expiry'>,
  holds: readonly (readonly Hold[])[],
): number[] {
  const deadlines = next_expiry === null ? [] : [next_expiry]
  return [...deadlines, ...holds.map(firstDeadline).filter(Number.isFinite)]
}

/** So that those of a team are not searched again after each change of one host. */
const firstDeadlines = new WeakMap<readonly Hold[], number>()

function firstDeadline(holds: readonly Hold[]): number {
  const known = firstDeadlines.get(holds)
  if (known !== undefined) return known
  let first = Number.POSITIVE_INFINITY
  for (const { expiresAt } of holds) if (expiresAt !== null && expiresAt < first) first = expiresAt
  firstDeadlines.set(holds, first)
  return first
}

/**
 * The instants at which the schedule changes without a commit. The plan's months are UTC's. A window of days ahead moves on
 * with the date. A hold expires at its deadline. One strategy counts the hosts' upcoming bookings; a sandbox clock of its
 * own does not move.
 */
export function trueUntil(
  { eventType, organization }: Pick<Schedule, 'eventType' | 'organization'>,
  ahead: readonly Ahead[],
  deadlines: readonly number[],
  now: number,
): RealMs {
  const nextMonth = nextMonthAt(now)
  if (eventType.isTest && organization.sandboxNow !== null) return Number.POSITIVE_INFINITY as RealMs
  const nextDate = eventType.bookingWindowDays === null ? nextMonth : nextDateAt(eventType.timezone, now)
  return Math.min(nextMonth, nextDate, ...ahead.map(([, , next]) => next), ...deadlines) as RealMs
}
