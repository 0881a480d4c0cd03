import type { BatchItem } from 'drizzle-orm/batch'
import type { Db } from '../db/client.ts'
import { type AskedMs, nowAsSeen } from '../limits/clock.ts'
import type { Interval } from '../scheduling/interval.ts'
import { DAY_MS } from '../scheduling/time-units.ts'
import { HORIZON_MS } from './decide-start.ts'
import { loadSchedule, nowIn } from './schedule.ts'

/** What is booked is mostly booked for the weeks to come, so all of them are loaded, to be remembered. */
const NEAR_MS = 28 * DAY_MS
/** And who books far ahead mostly books on from there. */
const FAR_MS = 14 * DAY_MS

/** Each start in it, but for those at its end, can be asked about with the whole horizon behind it. */
function around(start: number, present: number): Interval {
  return start < present + NEAR_MS
    ? { start: present, end: present + NEAR_MS + HORIZON_MS }
    : { start, end: start + FAR_MS + HORIZON_MS }
}

/**
 * The schedule around a wanted start, what was asked `beside` it, and the present as the event type's side of
 * the organization sees it. One round trip, unless a sandbox clock stands before a start that has passed.
 */
export async function loadForStart<Q extends BatchItem<'sqlite'>[]>(
  db: Db,
  eventTypeId: string,
  start: number,
  now: AskedMs,
  ...beside: Q
) {
  const load = (present: AskedMs) => {
    const range = around(start, present)
    return loadSchedule(db, eventTypeId, { range, seatsAt: start }, present, ...beside)
  }
  const first = await load(now)
  if (!first.schedule) return { ...first, now: nowAsSeen(false, null, now) }
  const present = nowIn(first.schedule, now)
  if (present >= now || start >= now) return { ...first, now: present }
  return { ...(await load(present)), now: present }
}
