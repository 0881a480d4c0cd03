import type { Interval } from '../../core/interval.ts'
import { DAY_MS } from '../../core/time-units.ts'
import { listIn } from './decode-hours.ts'
import type { RawSchedule } from './queries.ts'
import type { RawResource } from './resources/queries.ts'
import { joinFortnights, joinPacked } from './taken/read-times.ts'

/** The calendars of some people hold more in a year than the 2 MB that a row of D1 takes. */
const PIECE_MS = 92 * DAY_MS
/** Hardly anything is known after two years, so the last piece takes the rest. */
const MOST_PIECES = 8

/** A range that is too large at once, in pieces: quarters of a year, or quarters of a shorter range. */
export function inPieces({ start, end }: Interval): readonly Interval[] {
  const length = end - start > PIECE_MS ? PIECE_MS : Math.max(1, Math.ceil((end - start) / 4))
  const count = Math.min(MOST_PIECES, Math.max(1, Math.ceil((end - start) / length)))
  return Array.from({ length: count }, (_, at) => ({
    start: start + at * length,
    end: at === count - 1 ? end : start + (at + 1) * length,
  }))
}

/** The pieces together, as of one moment: one batch read them. */
export function putTogether(pieces: readonly RawSchedule[]): RawSchedule | undefined {
  const [first, ...others] = pieces
  if (!first || others.length === 0) return first
  const all = (column: 'overrides' | 'kept' | 'sessions' | 'booked_starts' | 'ahead') =>
    eachOnce(pieces.map((piece) => piece[column]))
  return {
    ...first,
    overrides: all('overrides'),
    held: joinPacked(pieces.map(({ held }) => held)),
    kept: all('kept'),
    sessions: all('sessions'),
    booked_starts: all('booked_starts'),
    ahead: all('ahead'),
  }
}

/** The same for resources. */
export function joinResources(pieces: readonly (readonly RawResource[])[]): readonly RawResource[] {
  if (pieces.length === 1) return pieces[0]!
  const byResource = Map.groupBy(pieces.flat(), ({ kind, id }) => `${kind} ${id}`)
  return [...byResource.values()].map((ofOne) => ({
    ...ofOne[0]!,
    dated: eachOnce(ofOne.map(({ dated }) => dated)),
    held: joinPacked(ofOne.map(({ held }) => held)),
    busy: joinFortnights(ofOne.map(({ busy }) => busy)),
  }))
}

/** Pieces reach a little outside their range, so neighbours overlap. */
function eachOnce(lists: readonly string[]): string {
  const all = lists.flatMap((list) => listIn<unknown>(list))
  return `[${[...new Set(all.map((one) => JSON.stringify(one)))].join()}]`
}
