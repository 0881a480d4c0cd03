import { parseDate, parseTimeOfDay } from '../../core/local-time.ts'
import type { OpenHours, TimeWindow } from '../../core/open-hours.ts'

type RuleValues = readonly [dayOfWeek: number, startTime: string, endTime: string]
type Times = { readonly start_time: string; readonly end_time: string }
export type OverrideValues = readonly [date: string, intervals: readonly Times[]]
export type RuleOfSchedule = Times & { readonly day_of_week: number }

/** Most lists of most schedules are empty. */
export function listIn<T>(json: string): readonly T[] {
  return json === '[]' ? [] : JSON.parse(json)
}

/** The rules of a schedule, as those of an event type are read. */
export function rulesOf(rules: readonly RuleOfSchedule[]): RuleValues[] {
  return rules.map(({ day_of_week, start_time, end_time }) => [day_of_week, start_time, end_time])
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
