import type { LeftOut } from '../../../platform/db/schema/import-jobs.ts'
import type { Part } from '../../../platform/reasons/left-out.ts'
import { leftOut } from '../whys.ts'
import { type EventType, setOf } from './event-type.ts'

const PERIODS = [
  ['day', 'daily'],
  ['week', 'weekly'],
  ['month', 'monthly'],
] as const

const LIMITS: Readonly<Record<string, Part>> = {
  day: 'limit_day',
  week: 'limit_week',
  month: 'limit_month',
  year: 'limit_year',
}

const MOST_DAYS = 730

/** From when, until when and how often it can be booked. */
export function windowOf(
  title: string,
  one: EventType,
): { readonly fields: Readonly<Record<string, unknown>>; readonly leftOut: readonly LeftOut[] } {
  const lost: LeftOut[] = []
  const window = setOf(one.bookingWindow)
  const counts = Object.entries(setOf(one.bookingLimitsCount) ?? {}).filter(([, most]) => most)
  const found = PERIODS.find(([there]) => counts.some(([period]) => period === there))
  for (const [period] of counts) {
    if (period !== found?.[0])
      lost.push(leftOut({ part: LIMITS[period] ?? 'limits', of: title }, 'one_limit'))
  }
  if (setOf(one.bookingLimitsDuration))
    lost.push(leftOut({ part: 'limit_hours', of: title }, 'not_supported'))
  if (window?.type === 'businessDays') lost.push(leftOut({ part: 'window_of', of: title }, 'business_days'))
  return {
    fields: {
      ...datesOf(window),
      ...(found && {
        booking_cap: counts.find(([one]) => one === found[0])![1],
        booking_cap_period: found[1],
      }),
    },
    leftOut: lost,
  }
}

function datesOf(window: { readonly type?: string; readonly value?: unknown } | null) {
  const { type, value } = window ?? {}
  if (type === 'range' && Array.isArray(value)) return { bookable_from: value[0], bookable_until: value[1] }
  if (typeof value !== 'number' || value < 1) return {}
  const days = type === 'businessDays' ? Math.ceil((value * 7) / 5) : value
  return { booking_window_days: Math.min(days, MOST_DAYS) }
}
