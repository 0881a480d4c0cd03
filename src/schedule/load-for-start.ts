import type { BatchItem } from 'drizzle-orm/batch'
import type { Db } from '../db/client.ts'
import { DAY_MS } from '../scheduling/time-units.ts'
import { loadSchedule, presentIn } from './schedule.ts'

/** How far ahead alternatives are looked for. */
const HORIZON_MS = 14 * DAY_MS

function from(start: number) {
  return { start, end: start + HORIZON_MS }
}

/**
 * The schedule around a wanted start, what was asked `beside` it, and the present as the event type's side of
 * the organization sees it. One round trip, unless a sandbox clock stands before a start that has passed.
 */
export async function loadForStart<Q extends BatchItem<'sqlite'>[]>(
  db: Db,
  eventTypeId: string,
  start: number,
  now: number,
  ...beside: Q
) {
  const load = (present: number) => {
    const range = from(Math.max(start, present))
    return loadSchedule(db, eventTypeId, { range, seatsAt: start }, present, ...beside)
  }
  const first = await load(now)
  if (!first.schedule) return { ...first, now }
  const present = presentIn(first.schedule, now)
  if (present >= now || start >= now) return { ...first, now: present }
  return { ...(await load(present)), now: present }
}
