import type { BatchItem } from 'drizzle-orm/batch'
import type { Interval } from '../../core/interval.ts'
import { formatDate } from '../../core/local-time.ts'
import { DAY_MS } from '../../core/time-units.ts'
import type { Db } from '../../platform/db/client.ts'
import { emailSpellings } from '../../platform/db/email-spellings.ts'
import { isTooBig } from '../../platform/db/passing-failure.ts'
import type { AskedMs } from '../../platform/limits/clock.ts'
import { decodeSchedule } from './decode-schedule.ts'
import { inPieces, putTogether } from './in-pieces.ts'
import { type RawSchedule, selectSchedule } from './queries.ts'
import { type Invitee, monthOf, type Schedule } from './schedule.ts'

/**
 * Zones are at most 14 hours from UTC, so a range of instants touches dates up to a day outside it in UTC; one more for
 * windows that reach over midnight, and half a week in which one strategy measures the time of hosts.
 */
const DATE_MARGIN_MS = 6 * DAY_MS

/** Nothing is asked for in more pieces than that. */
const MOST_RANGES = 64

type Wanted = {
  readonly range: Interval
  readonly seatsAt: number | null
  readonly invitee?: Invitee | undefined
  /** Whether one that was deleted is wanted too. */
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
 * Loads a schedule, and whatever is asked `beside` it, in one round trip. Null when there is no such event type.
 * Who sits in the session at `seatsAt` is loaded with it, and how many bookings to come the invitee has. Where a large team
 * has more in the range than D1 tells in one value, which is two million bytes, it takes further trips.
 */
export async function loadSchedule<Q extends BatchItem<'sqlite'>[]>(
  db: Db,
  eventTypeId: string,
  wanted: Wanted,
  now: AskedMs,
  ...beside: Q
): Promise<{ readonly schedule: Schedule | null; readonly beside: { [K in keyof Q]: Q[K]['_']['result'] } }> {
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
        beside: rest as { [K in keyof Q]: Q[K]['_']['result'] },
      }
    } catch (error) {
      const smaller = ranges.flatMap(inPieces)
      if (!isTooBig(error) || smaller.length === ranges.length || smaller.length > MOST_RANGES) throw error
      ranges = smaller
    }
  }
}
