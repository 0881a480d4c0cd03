import type { Interval } from '../../../core/interval.ts'
import { MAX_HOLD_MS } from '../../../core/longest-hold.ts'
import { FREE_TIME_REACH_MS } from '../../../core/rotation.ts'
import { LIMIT_MARGIN_MS } from '../queries.ts'
import type { EventTypeRow } from '../schedule.ts'
import type { Window } from './read-times.ts'

/** Which holds count for a question: as the queries say. */
export type Windows = {
  readonly near: Window
  /** Of hosts with limits. */
  readonly inLimit: Window
}

export function windowsAround(
  { start, end }: Interval,
  { assignmentStrategy }: Pick<EventTypeRow, 'assignmentStrategy'>,
): Windows {
  const reach = assignmentStrategy === 'availability_weighted' ? FREE_TIME_REACH_MS : 0
  return {
    near: { after: start - 2 * MAX_HOLD_MS - reach, before: end + MAX_HOLD_MS + reach },
    inLimit: { after: start - LIMIT_MARGIN_MS, before: end + LIMIT_MARGIN_MS },
  }
}
