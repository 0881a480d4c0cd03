import { DAY_MS, MINUTE_MS } from '../../core/time-units.ts'
import { weeklyStarts } from '../../core/weekly-starts.ts'
import { invalid } from '../../platform/http/errors.ts'
import type { PresentMs } from '../../platform/limits/clock.ts'
import { type Problem, problem } from '../../platform/reasons/reason.ts'
import type { CreateSeriesInput } from './schema.ts'

/** How far ahead the last start may be. */
const MOST_DAYS_AHEAD = 730
/** A clock change moves a start by no more than this. */
const MARGIN_MS = 2 * DAY_MS

type Input = Pick<CreateSeriesInput, 'start_time' | 'every_weeks' | 'count' | 'starts'>

/** The first and the last start that it may have, before its zone is known. */
export function spanOf({ start_time, every_weeks = 1, count = 2, starts }: Input) {
  if (starts) return { first: Math.min(...starts), last: Math.max(...starts) }
  const first = start_time!
  const last = first + (count - 1) * every_weeks * 7 * DAY_MS + MARGIN_MS
  return { first, last: Math.min(last, first + MOST_DAYS_AHEAD * DAY_MS + MARGIN_MS) }
}

/** Its starts in ascending order. Throws if two of them overlap, or if the last one is too far ahead. */
export function startsOf(
  { start_time, every_weeks = 1, count, starts: given }: Input,
  timeZone: string,
  durationMinutes: number,
  now: PresentMs,
): readonly number[] {
  const starts = given
    ? [...given].sort((a, b) => a - b)
    : weeklyStarts(timeZone, start_time!, every_weeks, count!)
  const field = given ? 'starts' : 'count'
  const wrong = (message: Problem) => invalid({ [field]: message })
  const isOverlapping = starts.some(
    (start, at) => at > 0 && start < starts[at - 1]! + durationMinutes * MINUTE_MS,
  )
  if (isOverlapping) throw wrong(problem('overlapping_starts'))
  const isTooFar = starts.at(-1)! > Math.min(now, starts[0]!) + MOST_DAYS_AHEAD * DAY_MS
  if (isTooFar) throw wrong(problem('too_far_ahead', { days: MOST_DAYS_AHEAD }))
  return starts
}
