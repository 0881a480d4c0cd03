import type { BatchItem } from 'drizzle-orm/batch'
import type { Interval } from '../../core/interval.ts'
import { DAY_MS } from '../../core/time-units.ts'
import type { Db } from '../../platform/db/client.ts'
import { type AskedMs, nowAsSeen } from '../../platform/limits/clock.ts'
import { HORIZON_MS } from './decide-start.ts'
import { loadSchedule } from './load-schedule.ts'
import { type Invitee, nowIn, type Schedule } from './schedule.ts'
import { isGroup } from './slot-request.ts'

/** What is booked is mostly booked for the weeks to come, so all of them are loaded, to be remembered. */
const NEAR_MS = 28 * DAY_MS
/** And who books far ahead mostly books on from there. */
const FAR_MS = 14 * DAY_MS

/** What is known is widened as long as it stays as short as that, and no more busy times are to be expected in it. */
const WIDEST_MS = 400 * DAY_MS
const MOST_TIMES = 1_000

/** Each start in it, but for those at its end, can be asked about with the whole horizon behind it. */
function around(start: number, present: number): Interval {
  return start < present + NEAR_MS
    ? { start: present, end: present + NEAR_MS + HORIZON_MS }
    : { start, end: start + FAR_MS + HORIZON_MS }
}

/**
 * The same with what is known of the time before and after it, so that starts here and there in a year are soon all
 * known; null where so much is busy that it would read more than it saves. Of a group, each start is asked about anyway.
 */
function widened(range: Interval, known: Schedule | null, present: number): Interval | null {
  if (!known || isGroup(known.eventType)) return range
  const start = Math.min(range.start, Math.max(known.range.start, present))
  const end = Math.max(range.end, known.range.end)
  if (end - start > WIDEST_MS) return range
  const times = known.holds.length + known.calendars.reduce((sum, { busy }) => sum + busy.length, 0)
  const expected = times * ((end - start) / (known.range.end - known.range.start))
  return expected > MOST_TIMES ? null : { start, end }
}

/**
 * The schedule around a wanted start, what was asked `beside` it, and the present as the event type's side of
 * the organization sees it. One round trip, unless a sandbox clock stands before a start that has passed. What is `known`
 * already is loaded again with it, where that is little; `isLeft` where it is too much.
 */
export async function loadForStart<Q extends BatchItem<'sqlite'>[]>(
  db: Db,
  eventTypeId: string,
  {
    start,
    invitee,
    isDeletedToo,
  }: {
    readonly start: number
    readonly invitee?: Invitee | undefined
    readonly isDeletedToo?: boolean | undefined
  },
  now: AskedMs,
  known: Schedule | null,
  ...beside: Q
) {
  const load = async (present: AskedMs) => {
    const near = around(start, present)
    const wide = widened(near, known, present)
    const wanted = { range: wide ?? near, seatsAt: start, invitee, isDeletedToo }
    return {
      ...(await loadSchedule(db, eventTypeId, wanted, present, ...beside)),
      isLeft: wide === null,
    }
  }
  const first = await load(now)
  if (!first.schedule) return { ...first, now: nowAsSeen(false, null, now) }
  const present = nowIn(first.schedule, now)
  if (present >= now || start >= now) return { ...first, now: present }
  return { ...(await load(present)), now: present }
}
