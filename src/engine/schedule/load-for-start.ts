import type { Interval } from '../../core/interval.ts'
import { DAY_MS } from '../../core/time-units.ts'
import type { Db, Statement } from '../../platform/db/client.ts'
import { type AskedMs, nowAsSeen, realNow } from '../../platform/limits/clock.ts'
import { HORIZON_MS } from './decide-start.ts'
import { loadSchedule } from './load-schedule.ts'
import { isReloadable, reloadSchedule } from './reload-schedule.ts'
import { type Invitee, nowIn, type Schedule } from './schedule.ts'
import { isGroup } from './slot-request.ts'

/** Most bookings are for the next weeks, so all of these are loaded and remembered. */
const NEAR_MS = 28 * DAY_MS
/** Bookings far ahead mostly continue from there. */
const FAR_MS = 14 * DAY_MS

/** What is known is widened while it is shorter than this and few busy times are expected in it. */
const WIDEST_MS = 400 * DAY_MS
const MOST_TIMES = 1_000
/** Of a whole year. */
const MOST_TIMES_OF_ALL = 10_000

/** Each start in it, except at its end, can be asked about with the whole horizon after it. */
function around(start: number, present: number): Interval {
  return start < present + NEAR_MS
    ? { start: present, end: present + NEAR_MS + HORIZON_MS }
    : { start, end: start + FAR_MS + HORIZON_MS }
}

/**
 * The same with the known time before and after it, so that starts all over a year are soon all known; null if it has so
 * many busy times that it would read more than it saves. Once loads without it have read as much as the whole year, that is
 * loaded, so both together cost at most twice what the cheaper one would have. For a group, each start is loaded anyway.
 */
function widened(
  range: Interval,
  known: Schedule | null,
  present: number,
  timesLoaded: number,
): Interval | null {
  if (!known || isGroup(known.eventType)) return range
  const isAll = timesLoaded > 0
  const start = Math.min(range.start, isAll ? present : Math.max(known.range.start, present))
  const end = isAll ? present + WIDEST_MS : Math.max(range.end, known.range.end)
  if (isAll && range.end > end) return null
  if (!isAll && end - start > WIDEST_MS) return range
  const expected = timesIn(known) * ((end - start) / (known.range.end - known.range.start))
  return expected > (isAll ? Math.min(timesLoaded, MOST_TIMES_OF_ALL) : MOST_TIMES) ? null : { start, end }
}

/** How many times are taken or busy in a schedule. */
function timesIn({ holds, calendars }: Schedule): number {
  const held = [...holds.values()].reduce((sum, { length }) => sum + length, 0)
  return held + calendars.reduce((sum, { busy }) => sum + busy.length, 0)
}

function hasStarts({ range }: Schedule, start: number, last: number): boolean {
  return range.start <= start && start + HORIZON_MS <= range.end && last < range.end
}

/**
 * The schedule around a requested start, what was queried `beside` it, and the event type's present. One round trip, unless
 * a sandbox clock is before a start that has passed. What is `known` is loaded again with it if it is small;
 * `timesLoaded` is what loads without it have read since it was too large, and is returned as it is then. Of a `base` that has the
 * start, outdated or not, only what changed since then is loaded.
 */
export async function loadForStart<Q extends Statement[]>(
  db: Db,
  eventTypeId: string,
  {
    start,
    reachesBack = false,
    reachesTo = start,
    invitee,
    isDeletedToo,
  }: {
    readonly start: number
    /** Whether a start that has passed is loaded, too. */
    readonly reachesBack?: boolean | undefined
    /** The last start in question. */
    readonly reachesTo?: number | undefined
    readonly invitee?: Invitee | undefined
    readonly isDeletedToo?: boolean | undefined
  },
  now: AskedMs,
  {
    known,
    base = null,
    timesLoaded = 0,
  }: {
    readonly known: Schedule | null
    readonly base?: Schedule | null
    readonly timesLoaded?: number
  },
  ...beside: Q
) {
  if (base && hasStarts(base, start, reachesTo) && isReloadable(base, realNow())) {
    const again = await reloadSchedule(db, base, { seatsAt: start, invitee, isDeletedToo }, now, ...beside)
    if (again?.schedule) return { ...again, timesLoaded, now: nowIn(again.schedule, now) }
  }
  const load = async (present: AskedMs) => {
    const first = around(start, reachesBack ? Math.min(start, present) : present)
    const near = { ...first, end: Math.max(first.end, reachesTo + 1) }
    const wide = widened(near, known, present, timesLoaded)
    const wanted = { range: wide ?? near, seatsAt: start, invitee, isDeletedToo }
    const loaded = await loadSchedule(db, eventTypeId, wanted, present, ...beside)
    const more = loaded.schedule && wide === null ? timesLoaded + timesIn(loaded.schedule) : 0
    return { ...loaded, timesLoaded: more }
  }
  const first = await load(now)
  if (!first.schedule) return { ...first, now: nowAsSeen(false, null, now) }
  const present = nowIn(first.schedule, now)
  if (present >= now || start >= now || reachesBack) return { ...first, now: present }
  return { ...(await load(present)), now: present }
}
