import { parseDate, parseTimeOfDay } from '../../core/local-time.ts'
import type { OpenHours, TimeWindow } from '../../core/open-hours.ts'

type RuleValues = readonly [dayOfWeek: number, startTime: string, endTime: string]
type Times = { readonly start_time: string; readonly end_time: string }
type OverrideValues = readonly [date: string, intervals: readonly Times[]]
type ScheduleValues = readonly [
  id: string,
  timeZone: string,
  rules: readonly (Times & { readonly day_of_week: number })[],
  overrides: readonly OverrideValues[],
]

/** Most lists of most schedules are empty. */
export function listIn<T>(json: string): readonly T[] {
  return json === '[]' ? [] : JSON.parse(json)
}

/** The hours of each schedule, by its id. */
export function decodeSchedules(json: string): ReadonlyMap<string, OpenHours> {
  return new Map(
    listIn<ScheduleValues>(json).map(([id, timeZone, rules, overrides]) => {
      const values = rules.map((rule): RuleValues => [rule.day_of_week, rule.start_time, rule.end_time])
      return [id, decodeHours(timeZone, values, overrides)]
    }),
  )
}

export function decodeHours(
  timeZone: string,
  rules: readonly RuleValues[],
  overrides: readonly OverrideValues[],
): OpenHours {
  return {
    timeZone,
    weekly: rules.map(([dayOfWeek, startTime, endTime]) => ({ dayOfWeek, ...windowOf(startTime, endTime) })),
    overrides: new Map(
      overrides.map(([date, intervals]) => [
        parseDate(date)!,
        intervals.map(({ start_time, end_time }) => windowOf(start_time, end_time)),
      ]),
    ),
  }
}

function windowOf(startTime: string, endTime: string): TimeWindow {
  return { startMs: parseTimeOfDay(startTime)!, endMs: parseTimeOfDay(endTime)! }
}
