import { type Interval, overlaps } from '../../core/interval.ts'

/*
 * Time that a session gave up when it was moved or cancelled as a whole. Nobody is booked there for waiting: entries for its
 * start have ended, and entries for any start wait on. Entries for other starts in that time get it as usual.
 */

const MARK = 'besides/'

/** The source of such time, with the start of the session. */
export function givenUpBy(sessionId: string, start: number): string {
  return `${MARK}${start}/${sessionId}`
}

/** The start of the session that gave time from this source up; null if none did. */
export function startGivenUp(source: string): number | null {
  return source.startsWith(MARK) ? Number.parseInt(source.slice(MARK.length), 10) : null
}

/** Released time; `givenUp` is the start of the session that gave it up. */
export type ReleasedHold = Interval & { readonly givenUp: number | null }

/** Whether a start with this hold is not for an entry that waits for `wanted`; null is any start. */
export function isGivenUpFor(
  times: readonly ReleasedHold[],
  { start, hold }: { readonly start: number; readonly hold: Interval },
  wanted: number | null,
): boolean {
  return times.some(
    (time) => time.givenUp !== null && (wanted === null || time.givenUp === start) && overlaps(time, hold),
  )
}
