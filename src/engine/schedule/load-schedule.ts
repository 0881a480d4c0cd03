import type { Interval } from '../../core/interval.ts'
import { formatDate } from '../../core/local-time.ts'
import { DAY_MS, MINUTE_MS } from '../../core/time-units.ts'
import type { Answers, Db, Statement } from '../../platform/db/client.ts'
import { emailSpellings } from '../../platform/db/email-spellings.ts'
import { isTooBig } from '../../platform/db/passing-failure.ts'
import type { AskedMs } from '../../platform/limits/clock.ts'
import { decodeSchedule } from './decode-schedule.ts'
import { inPieces, joinResources, putTogether } from './in-pieces.ts'
import { type RawSchedule, selectSchedule } from './queries.ts'
import { type DecodeFrom, decodeResources } from './resources/decode-resources.ts'
import { type RawResource, selectChangedResources, selectResources } from './resources/queries.ts'
import { type Invitee, monthOf, type Schedule } from './schedule.ts'

/**
 * Zones are at most 14 hours from UTC, so instants touch dates up to a day outside their range; one more day for windows
 * across midnight, and half a week in which one strategy measures the hosts' time.
 */
const DATE_MARGIN_MS = 6 * DAY_MS

/** Limit of pieces. */
const MOST_RANGES = 64

export type Wanted = {
  readonly range: Interval
  readonly seatsAt: number | null
  readonly invitee?: Invitee | undefined
  /** Whether a deleted one is loaded, too. */
  readonly isDeletedToo?: boolean | undefined
}

/** What is asked about one range: the event type's own part, and its resources, or those that changed since `known`. */
export function queriesFor(
  db: Db,
  eventTypeId: string,
  { range, seatsAt, invitee, isDeletedToo = false }: Wanted,
  base: number,
  now: AskedMs,
  known?: Schedule,
) {
  const { start, end } = range
  const dates = datesOf(range)
  const emails = invitee && 'email' in invitee ? emailSpellings(invitee.email) : null
  const besides = invitee && 'besides' in invitee ? invitee.besides : null
  const told = [emails, besides, Number(isDeletedToo), base] as const
  const since = known ? sinceOf(known) : NOTHING_KNOWN
  const around = [eventTypeId, now, start, end, ...dates, base] as const
  return [
    selectSchedule(db, eventTypeId, now, monthOf(now), start, end, seatsAt, ...dates, ...told, ...since),
    known ? changedSince(db, known, now) : selectResources(db, ...around),
  ] as const
}

/** What is asked about the hosts who changed since `known`. */
export function changedSince(db: Db, known: Schedule, now: AskedMs) {
  const { range, eventType } = known
  const { start, end } = range
  const around = [eventType.id, now, start, end, ...datesOf(range), baseOf(range)] as const
  return selectChangedResources(db, ...around, ...sinceOf(known))
}

function datesOf({ start, end }: Interval) {
  return [formatDate(start - DATE_MARGIN_MS), formatDate(end + DATE_MARGIN_MS)] as const
}

type Since = readonly [shared: number | null, hosts: number | null, asksFor: string | null]

const NOTHING_KNOWN: Since = [null, null, null]

function sinceOf({ version, eventType }: Schedule): Since {
  const { hostsVersion, assignmentStrategy, requires } = eventType
  return [version.shared, hostsVersion, assignmentStrategy + JSON.stringify(requires)]
}

/**
 * Loads a schedule, with other queries `beside` it, in one round trip. Null if there is no such event type. It includes the
 * seats of the session at `seatsAt` and the invitee's upcoming bookings. If a calendar or the sessions have more in the range
 * than the two million bytes of a D1 value, it takes more round trips.
 */
export async function loadSchedule<Q extends Statement[]>(
  db: Db,
  eventTypeId: string,
  wanted: Wanted,
  now: AskedMs,
  ...beside: Q
): Promise<{
  readonly schedule: Schedule | null
  /** How many holds of hosts of a pool were read one by one. */
  readonly unpacked: number
  readonly beside: Answers<Q>
}> {
  const base = baseOf(wanted.range)
  let ranges: readonly Interval[] = [wanted.range]
  for (;;) {
    try {
      const asked = ranges.flatMap((range) => queriesFor(db, eventTypeId, { ...wanted, range }, base, now))
      const answers: readonly unknown[] = await db.batch([...asked, ...beside])
      const raw = putTogether(ranges.flatMap((_, at) => answers[2 * at] as RawSchedule[]))
      const resources = joinResources(ranges.map((_, at) => answers[2 * at + 1] as RawResource[]))
      let unpacked = 0
      const decode = (from: DecodeFrom) => {
        const read = decodeResources(resources, from)
        unpacked = read.unpacked
        return read
      }
      return {
        schedule: raw ? decodeSchedule(raw, decode, wanted, base, now) : null,
        unpacked,
        beside: answers.slice(asked.length) as unknown as Answers<Q>,
      }
    } catch (error) {
      const smaller = ranges.flatMap(inPieces)
      if (!isTooBig(error) || smaller.length === ranges.length || smaller.length > MOST_RANGES) throw error
      ranges = smaller
    }
  }
}

/** The instant from which packed times count. */
export function baseOf({ start }: Interval): number {
  return Math.floor(start / MINUTE_MS) * MINUTE_MS
}
