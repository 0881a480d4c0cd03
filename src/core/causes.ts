import type { Interval } from './interval.ts'
import type { OpenHours } from './open-hours.ts'

/** A rule that keeps a start from being open, with what of the question it goes by. */
export type Cause =
  /** It begins before the earliest start. */
  | { readonly rule: 'notice' }
  /** These hours are not open for the whole of it; null where nobody brings any. */
  | { readonly rule: 'hours'; readonly hours: OpenHours | null }
  /** It is on none of the grids. */
  | { readonly rule: 'grid' }
  /** It touches time off. */
  | { readonly rule: 'closed' }
  /** The cap of its period is reached. */
  | { readonly rule: 'cap' }
  /** A session is held then, and nobody else may join. */
  | { readonly rule: 'session' }
  /** Its hold meets a time that is taken. */
  | { readonly rule: 'busy' }
  /** Somebody has as many meetings then as they take. */
  | { readonly rule: 'limit' }
  /** Nobody of those of whom one is enough can take it. */
  | { readonly rule: 'people' }

/**
 * Hears why a start is refused, and says whether to go on as if it were not: whoever listens hears everything, and
 * without a listener the first reason is the last one.
 */
export type Note = (cause: Cause) => boolean

/** Those of the intervals that share an instant with the span. */
export function among<I extends Interval>(intervals: readonly I[], { start, end }: Interval): I[] {
  return intervals.filter((one) => one.start < end && one.end > start && one.end > one.start)
}
