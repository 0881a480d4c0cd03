import type { DateOverride } from '../../../platform/db/schema/hours.ts'

/** Overrides are returned by date, whatever their order was. */
export function byDate(overrides: readonly DateOverride[]): DateOverride[] {
  return [...overrides].sort((one, other) => (one.date < other.date ? -1 : 1))
}
