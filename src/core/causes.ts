import type { Interval } from './interval.ts'
import type { OpenHours } from './open-hours.ts'

/** A rule that closes a start, with the hours that it checked. */
export type Cause =
  /** It begins before the earliest start. */
  | { readonly rule: 'notice' }
  /** These hours do not cover the meeting; null if no hours exist at all. */
  | { readonly rule: 'hours'; readonly hours: OpenHours | null }
  /** It is on none of the grids. */
  | { readonly rule: 'grid' }
  /** It touches time off. */
  | { readonly rule: 'closed' }
  /** The cap of its period is reached. */
  | { readonly rule: 'cap' }
  /** A session begins then that nobody else can join. */
  | { readonly rule: 'session' }
  /** Its hold overlaps taken time. */
  | { readonly rule: 'busy' }
  /** A host has reached their limit of meetings. */
  | { readonly rule: 'limit' }
  /** Too few of the people, of whom some are enough, can take it. */
  | { readonly rule: 'people' }
  /** Too few units of rooms or equipment are free. */
  | { readonly rule: 'units' }

/**
 * Receives why a start is refused. If it returns true, the check goes on as if the rule were met; without a listener the
 * first reason ends it.
 */
export type Note = (cause: Cause) => boolean

/** The intervals that overlap the span. */
export function among<I extends Interval>(intervals: readonly I[], { start, end }: Interval): I[] {
  return intervals.filter((one) => one.start < end && one.end > start && one.end > one.start)
}
