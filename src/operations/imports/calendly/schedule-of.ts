import type { FoundSchedule } from '../source.ts'
import { idIn, lineOf } from '../text-of.ts'
import type { User } from './user.ts'

const DAYS = ['sunday', 'monday', 'tuesday', 'wednesday', 'thursday', 'friday', 'saturday']

type Intervals = readonly { readonly from: string; readonly to: string }[]

export type Hours = {
  readonly uri: string
  readonly name: string
  readonly default: boolean
  readonly timezone: string
  readonly rules: readonly {
    readonly type: 'wday' | 'date'
    readonly wday?: string
    readonly date?: string
    readonly intervals: Intervals
  }[]
}

/** The hours of somebody; null if they have no id. */
export function scheduleOf(hours: Hours, user: User): FoundSchedule | null {
  const id = idIn(hours.uri)
  if (id === null) return null
  const rules = hours.rules ?? []
  const dates = new Map<string, FoundSchedule['overrides'][number]>()
  for (const { type, date, intervals } of rules) {
    if (type === 'date' && date) dates.set(date, { date, intervals: spansOf(intervals) })
  }
  return {
    type: 'schedule',
    id,
    owner: user,
    name: lineOf(hours.name, 200) ?? 'Hours',
    timezone: hours.timezone,
    isDefault: hours.default === true,
    rules: rules.flatMap(({ type, wday = '', intervals }) => {
      const day_of_week = DAYS.indexOf(wday)
      if (type !== 'wday' || day_of_week === -1) return []
      return spansOf(intervals).map((span) => ({ day_of_week, ...span }))
    }),
    overrides: [...dates.values()],
  }
}

function spansOf(intervals: Intervals) {
  return (intervals ?? []).map(({ from, to }) => ({ start_time: from, end_time: to }))
}
