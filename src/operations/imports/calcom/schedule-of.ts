import type { FoundSchedule } from '../source.ts'
import { lineOf } from '../text-of.ts'
import type { User } from './user.ts'

const DAYS = ['Sunday', 'Monday', 'Tuesday', 'Wednesday', 'Thursday', 'Friday', 'Saturday']

type Span = { readonly startTime: string; readonly endTime: string }

export type Hours = {
  readonly id: number
  readonly ownerId: number
  readonly name: string
  readonly timeZone: string
  readonly isDefault: boolean
  readonly availability?: readonly (Span & { readonly days: readonly string[] })[]
  readonly overrides?: readonly (Span & { readonly date: string })[]
}

/** The hours of somebody. A date can have several overrides there, and has one here; from 00:00 to 00:00 is a day off. */
export function scheduleOf(hours: Hours, owner: User): FoundSchedule {
  const dates = new Map<string, { start_time: string; end_time: string }[]>()
  for (const override of hours.overrides ?? []) {
    const spans = dates.get(override.date) ?? []
    dates.set(override.date, spans)
    if (override.startTime !== override.endTime) spans.push(spanOf(override))
  }
  return {
    type: 'schedule',
    id: String(hours.id),
    owner,
    name: lineOf(hours.name, 200) ?? 'Hours',
    timezone: hours.timeZone,
    isDefault: hours.isDefault === true,
    rules: (hours.availability ?? []).flatMap(({ days, ...span }) =>
      days.flatMap((day) => {
        const day_of_week = DAYS.indexOf(day)
        return day_of_week === -1 ? [] : [{ day_of_week, ...spanOf(span) }]
      }),
    ),
    overrides: [...dates].map(([date, intervals]) => ({ date, intervals })),
  }
}

/** The last minute of a day cannot be named there. */
function spanOf({ startTime, endTime }: Span) {
  return { start_time: startTime, end_time: endTime === '23:59' ? '24:00' : endTime }
}
