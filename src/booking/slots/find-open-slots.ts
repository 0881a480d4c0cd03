import type { Interval } from '../../core/interval.ts'
import { parseDate, startOfDate, zoneTable } from '../../core/local-time.ts'
import { DAY_MS, HOUR_MS } from '../../core/time-units.ts'
import { selectVersion } from '../../engine/schedule/statements.ts'
import { openDb } from '../../platform/db/client.ts'
import type { Context } from '../../platform/http/context.ts'
import { invalid } from '../../platform/http/errors.ts'
import { LATEST_START } from '../../platform/http/instants.ts'
import { problem } from '../../platform/reasons/reason.ts'
import { type AvailabilityQuery, MAX_DAYS } from '../hours/event-type/schema.ts'
import { findByWeek } from './find-by-week.ts'
import { loadWhole, type Moved } from './load-slots.ts'
import type { OpenSlots } from './open-slots.ts'
import { type Known, SlotMemory } from './slot-memory.ts'

/** The finished answers. An isolate has 128 MB for everything. */
export const MOST_BYTES = 16_000_000
const memory = new SlotMemory(MOST_BYTES)

/** How much earlier and later than in UTC a date begins somewhere today. */
const EARLIER_MS = 14 * HOUR_MS
const LATER_MS = 12 * HOUR_MS

/** What is open between two dates, both included, in the query's zone. */
export async function findOpenSlots(ctx: Context, query: AvailabilityQuery): Promise<OpenSlots> {
  return (await knownSlots(ctx, query)).slots
}

/** The same, with the earlier answer to the very same question, if there is one. */
export function knownSlots({ env, now }: Context, query: AvailabilityQuery): Promise<Known> {
  const { event_type_id: id, start, end, timezone, duration } = query
  const db = openDb(env, 'read')
  return memory.find(`${id} ${start} ${end} ${duration ?? ''} ${timezone}`, {
    now,
    askVersion: async () => (await selectVersion(db, id))[0] ?? null,
    load: async (version) => {
      const range = rangeOf(query)
      return findByWeek(db, { id, duration, range, now }, anywhere(query, range), version)
    },
  })
}

/** The same for rescheduling a booking, which does not block itself. */
export async function findSlotsToMove(
  { env, now }: Context,
  query: AvailabilityQuery,
  moved: Moved,
): Promise<OpenSlots> {
  const { event_type_id: id, duration } = query
  const asked = { id, duration, range: rangeOf(query), now }
  return (await loadWhole(openDb(env, 'read'), asked, moved)).slots
}

/** The same for the bearer of a hold. A full month does not close it, because it can be confirmed once there is room. */
export async function findSlotsOfHolder({ env, now }: Context, query: AvailabilityQuery): Promise<OpenSlots> {
  const { event_type_id: id, duration } = query
  const asked = { id, duration, range: rangeOf(query), now }
  return (await loadWhole(openDb(env, 'read'), asked, 'holder')).slots
}

export function rangeOf(query: AvailabilityQuery): Interval {
  const first = parseDate(query.start)!
  const last = parseDate(query.end)!
  if (last < first) throw invalid({ end: problem('before_start') })
  if (last - first >= MAX_DAYS * DAY_MS)
    throw invalid({ end: problem('too_many_days', { most: MAX_DAYS - 1 }) })
  const table = zoneTable(query.timezone, first, last + DAY_MS)
  return { start: startOfDate(table, first), end: Math.min(startOfDate(table, last + DAY_MS), LATEST_START) }
}

/** From where the dates begin first to where they end last, so that the next zone finds everything. */
function anywhere(query: AvailabilityQuery, { start, end }: Interval): Interval {
  const [first, last] = [parseDate(query.start)!, parseDate(query.end)!]
  return {
    start: Math.min(start, first - EARLIER_MS),
    end: Math.max(end, Math.min(last + DAY_MS + LATER_MS, LATEST_START)),
  }
}
