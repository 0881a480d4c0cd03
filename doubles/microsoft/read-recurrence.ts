import type { Json } from '../world.ts'
import { invalid } from './read-event.ts'

const RANGES = ['endDate', 'noEnd', 'numbered']
const NEEDED: Record<string, readonly string[]> = {
  daily: [],
  weekly: ['daysOfWeek'],
  absoluteMonthly: ['dayOfMonth'],
  relativeMonthly: ['daysOfWeek'],
  absoluteYearly: ['dayOfMonth', 'month'],
  relativeYearly: ['daysOfWeek', 'month'],
}

export function readRecurrence(said: Json, zone: string): Json {
  const { pattern, range } = said
  const needed = NEEDED[pattern?.type]
  const isWhole =
    needed?.every((name) => pattern[name] !== undefined) &&
    RANGES.includes(range?.type) &&
    /^\d{4}-\d\d-\d\d$/.test(range.startDate ?? '') &&
    (range.type !== 'endDate' || /^\d{4}-\d\d-\d\d$/.test(range.endDate ?? '')) &&
    (range.type !== 'numbered' || range.numberOfOccurrences > 0)
  if (!isWhole) throw invalid('At least one property failed validation. Property: Recurrence.')
  return {
    pattern: {
      ...{ type: pattern.type, interval: pattern.interval ?? 1, month: pattern.month ?? 0 },
      ...{ dayOfMonth: pattern.dayOfMonth ?? 0, firstDayOfWeek: pattern.firstDayOfWeek ?? 'sunday' },
      ...(pattern.daysOfWeek && { daysOfWeek: pattern.daysOfWeek }),
      index: pattern.index ?? 'first',
    },
    range: {
      ...{ type: range.type, startDate: range.startDate, endDate: range.endDate ?? '0001-01-01' },
      ...{ recurrenceTimeZone: range.recurrenceTimeZone || zone },
      numberOfOccurrences: range.numberOfOccurrences ?? 0,
    },
  }
}
