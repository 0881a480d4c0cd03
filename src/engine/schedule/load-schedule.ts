import type { Interval } from '../../core/interval.ts'
import { formatDate } from '../../core/local-time.ts'
import { DAY_MS } from '../../core/time-units.ts'
import type { Answers, Db, Statement } from '../../platform/db/client.ts'
import { emailSpellings } from '../../platform/db/email-spellings.ts'
import { isTooBig } from '../../platform/db/passing-failure.ts'
import type { AskedMs } from '../../platform/limits/clock.ts'
import { decodeSchedule } from './decode-schedule.ts'
import { inPieces, putTogether } from './in-pieces.ts'
import { type RawSchedule, selectSchedule } from './queries.ts'
import { type Invitee, monthOf, type Schedule } from './schedule.ts'

/**
 * Zones are at most 14 hours from UTC, so instants touch dates up to a day outside their range; one more day for windows
 * across midnight, and half a week in which one strategy measures the hosts' time.
 */
const DATE_MARGIN_MS = 6 * DAY_MS

/** Limit of pieces. */
const MOST_RANGES = 64

type Wanted = {
  readonly range: Interval
  readonly seatsAt: number | null
  readonly invitee?: Invitee | undefined
  /** Whether a deleted one is loaded, too. */
  readonly isDeletedToo?: boolean | undefined
}

function queryFor(
  db: Db,
  eventTypeId: string,
  { range, seatsAt, invitee, isDeletedToo = false }: Wanted,
  now: AskedMs,
) {
  const { start, end } = range
  const dates = [formatDate(start - DATE_MARGIN_MS), formatDate(end + DATE_MARGIN_MS)] as const
  const emails = invitee && 'email' in invitee ? emailSpellings(invitee.email) : null
  const besides = invitee && 'besides' in invitee ? invitee.besides : null
  const told = [emails, besides, Number(isDeletedToo)] as const
  return selectSchedule(db, eventTypeId, now, monthOf(now), start, end, seatsAt, ...dates, ...told)
}

/**
 * Loads a schedule, with other queries `beside` it, in one round trip. Null if there is no such event type. It includes the
 * seats of the session at `seatsAt` and the invitee's upcoming bookings. If a large team has more in the range than the two
 * million bytes of a D1 value, it takes more round trips.
 */
export async function loadSchedule<Q extends Statement[]>(
  db: Db,
  eventTypeId: string,
  wanted: Wanted,
  now: AskedMs,
  ...beside: Q
): Promise<{ readonly schedule: Schedule | null; readonly beside: Answers<Q> }> {
  let ranges: readonly Interval[] = [wanted.range]
  for (;;) {
    try {
      const [query, ...others] = ranges.map((range) => queryFor(db, eventTypeId, { ...wanted, range }, now))
      const asked = [...others, ...beside]
      const answers = asked.length === 0 ? [await query!] : await db.batch([query!, ...asked])
      const rest = answers.slice(ranges.length)
      const raw = putTogether((answers as RawSchedule[][]).slice(0, ranges.length).flat())
      return {
        schedule: raw ? decodeSchedule(raw, wanted, monthOf(now), now) : null,
        beside: rest as Answers<Q>,
      }
    } catch (error) {
      const smaller = ranges.flatMap(inPieces)
      if (!isTooBig(error) || smaller.length === ranges.length || smaller.length > MOST_RANGES) throw error
      ranges = smaller
    }
  }
}
