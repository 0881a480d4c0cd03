import type { Interval } from '../../core/interval.ts'
import { DAY_MS } from '../../core/time-units.ts'
import { listIn } from './decode-hours.ts'
import type { RawSchedule } from './queries.ts'

/** The calendars of a large team hold more in a year than the 2 MB that a row of D1 takes. */
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
  const all = (column: keyof RawSchedule) =>
    pieces.flatMap((piece) => listIn<unknown>(piece[column] as string))
  return {
    ...first,
    overrides: eachOnce(all('overrides')),
    time_off: eachOnce(all('time_off')),
    holds: eachOnce(all('holds')),
    sessions: eachOnce(all('sessions')),
    booked_starts: eachOnce(all('booked_starts')),
    schedules: joined(all('schedules') as readonly unknown[][]),
    calendars: joined(all('calendars') as readonly unknown[][]),
  }
}

/** Pieces reach a little outside their range, so neighbours overlap. */
function eachOnce(list: readonly unknown[]): string {
  return `[${[...new Set(list.map((one) => JSON.stringify(one)))].join()}]`
}

/** Lists that differ only in the range that they were read for. */
function joined(lists: readonly unknown[][]): string {
  const within = new Map<string, unknown[]>()
  for (const list of lists) {
    const known = JSON.stringify(list.slice(0, -1)).slice(1, -1)
    within.set(known, [...(within.get(known) ?? []), ...(list.at(-1) as unknown[])])
  }
  return `[${[...within].map(([known, inRange]) => `[${known},${eachOnce(inRange)}]`).join()}]`
}
