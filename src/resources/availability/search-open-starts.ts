import { openDb } from '../../db/client.ts'
import { isId, shardOf } from '../../db/ids.ts'
import { inShard } from '../../db/shards.ts'
import type { Env } from '../../env.ts'
import type { Context } from '../../http/context.ts'
import { invalid, notFound } from '../../http/errors.ts'
import type { DateOrInstant } from '../../http/fields.ts'
import { formatInstant, LATEST_START } from '../../http/instants.ts'
import type { AskedMs } from '../../limits/clock.ts'
import { isMonthFull } from '../../schedule/full-month.ts'
import { loadSchedules, nowIn } from '../../schedule/schedule.ts'
import type { Interval } from '../../scheduling/interval.ts'
import { startOfDateIn } from '../../scheduling/local-time.ts'
import { DAY_MS } from '../../scheduling/time-units.ts'
import { servedButClaimed } from '../waitlist/served.ts'
import { openStartsOf, seatsAt } from './open-slots.ts'
import { MAX_DAYS, type SearchQuery, type SoonestStarts } from './schema.ts'

type Found = SoonestStarts['data'][number] & { readonly start: number }

/** The soonest starts that can be booked over several event types; at one instant in the order they were asked for. */
export async function searchOpenStarts({ env, now }: Context, query: SearchQuery): Promise<SoonestStarts> {
  const { event_type_ids: ids, limit } = query
  const range = rangeOf(query)
  if (!ids.every(isId)) throw notFound('event type')
  const schedules = await loadEach(env, ids, range, now)
  let soonest: readonly Found[] = []
  let isAnyFull = false
  for (const schedule of schedules) {
    if (!schedule?.eventType.active) throw notFound('event type')
    if (isMonthFull(schedule)) {
      isAnyFull = true
      continue
    }
    const { id, durationMinutes } = schedule.eventType
    // What begins with the last of those that fill the answer already, or later, comes too late.
    const end = soonest[limit - 1]?.start ?? range.end
    const open = openStartsOf(schedule, {
      range: { start: range.start, end },
      durationMinutes,
      now: nowIn(schedule, now),
    })
    const found = open.starts.slice(0, limit).map((start): Found => {
      const spots = seatsAt(open, start)
      return {
        start,
        event_type_id: id,
        start_time: formatInstant(start),
        end_time: formatInstant(start + open.durationMs),
        ...(spots !== null && { spots_remaining: spots }),
      }
    })
    soonest = [...soonest, ...found].sort((one, other) => one.start - other.start).slice(0, limit)
  }
  const data = soonest.map(({ start: _start, ...told }) => told)
  return { data, ...(isAnyFull && { plan_limit: true }) }
}

/** In the order of the ids, whichever databases they are in. */
async function loadEach(env: Env, ids: readonly string[], range: Interval, now: AskedMs) {
  const byShard = Map.groupBy(ids, shardOf)
  const found = [...byShard].map(async ([shard, own]) => {
    const db = openDb(inShard(env, shard), 'read')
    const schedules = await loadSchedules(db, own, range, now)
    const known = await Promise.all(
      schedules.map((schedule) => schedule && servedButClaimed(db, schedule, now)),
    )
    return own.map((id, at) => [id, known[at]!] as const)
  })
  const known = new Map((await Promise.all(found)).flat())
  return ids.map((id) => known.get(id) ?? null)
}

function rangeOf({ from, to, timezone }: SearchQuery): Interval {
  if (timezone === undefined && ('midnight' in from || 'midnight' in to)) {
    throw invalid({ timezone: 'Is required where from or to is a date.' })
  }
  const instantOf = (moment: DateOrInstant) =>
    'instant' in moment ? moment.instant : startOfDateIn(timezone!, moment.midnight)
  const [start, end] = [instantOf(from), instantOf(to)]
  // By the calendar, for a zone may have skipped a date.
  const areDates = 'midnight' in from && 'midnight' in to
  const length = areDates ? to.midnight - from.midnight : end - start
  if (length <= 0) throw invalid({ to: 'Must be after from.' })
  if (length > MAX_DAYS * DAY_MS) throw invalid({ to: `Must be at most ${MAX_DAYS} days after from.` })
  return { start, end: Math.min(end, LATEST_START) }
}
