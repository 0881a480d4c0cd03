import type { OverrideRow, RuleRow } from '../../../platform/db/schema/event-types.ts'
import { formatInstant } from '../../../platform/http/instants.ts'
import type { AvailabilityRules } from './schema.ts'

export function presentAvailabilityRules(
  eventTypeId: string,
  timezone: string,
  rules: readonly RuleRow[],
  overrides: readonly OverrideRow[],
): AvailabilityRules {
  return {
    event_type_id: eventTypeId,
    timezone,
    rules: rules.map((rule) => ({
      id: rule.id,
      event_type_id: rule.eventTypeId,
      day_of_week: rule.dayOfWeek,
      start_time: rule.startTime,
      end_time: rule.endTime,
      created_at: formatInstant(rule.createdAt),
    })),
    overrides: overrides.map((override) => ({
      id: override.id,
      date: override.date,
      intervals: override.intervals.map(({ start_time, end_time }) => ({ start_time, end_time })),
      created_at: formatInstant(override.createdAt),
    })),
  }
}
