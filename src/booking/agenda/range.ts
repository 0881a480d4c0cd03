import type { Interval } from '../../core/interval.ts'
import { startOfDateIn } from '../../core/local-time.ts'
import { DAY_MS } from '../../core/time-units.ts'
import { invalid } from '../../platform/http/errors.ts'
import type { DateOrInstant } from '../../platform/http/fields.ts'
import { problem } from '../../platform/reasons/reason.ts'
import type { AgendaQuery } from './schema.ts'

const MOST_DAYS = 42

/** The instants of the range. Dates are counted as dates, because some days have 25 hours. */
export function rangeOf({ from, to }: Pick<AgendaQuery, 'from' | 'to'>, timeZone: string): Interval {
  const start = instantOf(from, timeZone, 0)
  const end = instantOf(to, timeZone, DAY_MS)
  const areDates = 'midnight' in from && 'midnight' in to
  const length = areDates ? to.midnight + DAY_MS - from.midnight : end - start
  if (length <= 0) throw invalid({ to: problem('not_after_start') })
  if (length > MOST_DAYS * DAY_MS) {
    // The last date is included.
    const most = areDates ? MOST_DAYS - 1 : MOST_DAYS
    throw invalid({ to: problem('too_many_days', { most }) })
  }
  return { start, end }
}

function instantOf(value: DateOrInstant, timeZone: string, addedMs: number): number {
  return 'instant' in value ? value.instant : startOfDateIn(timeZone, value.midnight + addedMs)
}
