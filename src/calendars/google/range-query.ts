import type { Interval } from '../../core/interval.ts'

/** For the events that touch an interval. */
export function rangeQuery({ start, end }: Interval): Record<string, string> {
  return { timeMin: new Date(start).toISOString(), timeMax: new Date(end).toISOString() }
}
