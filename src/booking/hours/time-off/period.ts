import type { Interval } from '../../../core/interval.ts'
import { parseDate, startOfDateIn } from '../../../core/local-time.ts'
import { DAY_MS } from '../../../core/time-units.ts'
import type { TimeOffRow } from '../../../platform/db/schema/hours.ts'
import { type DateOrInstant, formatDateOrInstant } from '../../../platform/http/fields.ts'
import { type Problem, problem } from '../../../platform/reasons/reason.ts'

/** Time off as it was sent: instants, or dates, of which the last one is included. */
export type Period = { readonly start: DateOrInstant; readonly end: DateOrInstant }

type Kept = Pick<TimeOffRow, 'startsAt' | 'endsAt' | 'startDate' | 'endDate'>

/** Why its end is invalid; null if it is valid. */
export function refuseEnd({ start, end }: Period): Problem | null {
  if ('midnight' in start) {
    if (!('midnight' in end)) return problem('not_a_date_as_start')
    return end.midnight < start.midnight ? problem('before_start') : null
  }
  if (!('instant' in end)) return problem('not_an_instant_as_start')
  return end.instant <= start.instant ? problem('not_after_start') : null
}

/** The columns of a period for a member in that zone. */
export function keptIn(timeZone: string, { start, end }: Period): Kept {
  const { start: startsAt, end: endsAt } = instantsIn(timeZone, { start, end })
  return {
    startsAt,
    endsAt,
    startDate: 'midnight' in start ? formatDateOrInstant(start) : null,
    endDate: 'midnight' in end ? formatDateOrInstant(end) : null,
  }
}

/** Dates become instants in that zone: from the start of the first to the end of the last. */
export function instantsIn(timeZone: string, { start, end }: Period): Interval {
  return {
    start: 'midnight' in start ? startOfDateIn(timeZone, start.midnight) : start.instant,
    end: 'midnight' in end ? startOfDateIn(timeZone, end.midnight + DAY_MS) : end.instant,
  }
}

export function periodOf({ startsAt, endsAt, startDate, endDate }: Kept): Period {
  if (startDate === null || endDate === null)
    return { start: { instant: startsAt }, end: { instant: endsAt } }
  return { start: { midnight: parseDate(startDate)! }, end: { midnight: parseDate(endDate)! } }
}
