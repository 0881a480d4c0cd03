import type { ScheduleRow } from '../../../platform/db/schema/hours.ts'
import { formatInstant } from '../../../platform/http/instants.ts'
import type { Schedule } from './schema.ts'

export function presentSchedule(row: ScheduleRow): Schedule {
  return {
    id: row.id,
    name: row.name,
    timezone: row.timezone,
    rules: row.rules.map(({ day_of_week, start_time, end_time }) => ({ day_of_week, start_time, end_time })),
    overrides: row.overrides.map(({ date, intervals }) => ({
      date,
      intervals: intervals.map(({ start_time, end_time }) => ({ start_time, end_time })),
    })),
    member_id: row.memberId,
    is_default: row.isDefault,
    created_at: formatInstant(row.createdAt),
    updated_at: formatInstant(row.updatedAt),
  }
}
