import type { DateOverride } from '../../../platform/db/schema/hours.ts'

/** Overrides are told in the order of their dates, whatever order they were sent in. */
export function byDate(overrides: readonly DateOverride[]): DateOverride[] {
  return [...overrides].sort((one, other) => (one.date < other.date ? -1 : 1))
}
