import type { Interval } from '../../core/interval.ts'
import { startOfDateIn } from '../../core/local-time.ts'
import { DAY_MS } from '../../core/time-units.ts'
import type { PublicCaller, TenantCaller } from '../../platform/auth/caller.ts'
import { openDb } from '../../platform/db/client.ts'
import { isId, shardOf } from '../../platform/db/ids.ts'
import { inShard } from '../../platform/db/shards.ts'
import type { Context } from '../../platform/http/context.ts'
import { invalid, notFound, refuse } from '../../platform/http/errors.ts'
import type { DateOrInstant } from '../../platform/http/fields.ts'
import { formatInstant, LATEST_START } from '../../platform/http/instants.ts'
import { problem } from '../../platform/reasons/reason.ts'
import { MAX_DAYS, type SearchQuery, type SoonestStarts } from '../hours/event-type/schema.ts'
import { movedBy, readAbout } from './find-slots-for.ts'
import { loadSlots } from './load-slots.ts'
import { type OpenSlots, seatsAt } from './open-slots.ts'
import { WeekLookup, type WeekPart } from './week-lookup.ts'
import { SPAN_MS, weeksIn } from './weeks.ts'

type Found = SoonestStarts['data'][number] & { readonly start: number }

/** If less than this is left of the first week, the second week is searched with it. */
const SHORT_MS = 3 * DAY_MS

/**
 * The soonest bookable starts of several event types; at one instant in the requested order. It searches one week first and
 * then twice as much each time, until it has enough.
 */
export async function searchOpenStarts(ctx: Context, query: SearchQuery): Promise<SoonestStarts> {
  return query.booking_id === undefined ? searchForAll(ctx, query) : searchForMove(ctx, query)
}

/** The same for a booking that moves: what is open for it, among what is open for everybody. */
async function searchForMove(ctx: Context, query: SearchQuery): Promise<SoonestStarts> {
  const { event_type_ids: ids, limit } = query
  const asking = ctx as Context<PublicCaller | TenantCaller>
  const about = await readAbout(asking, query)
  const { eventTypeId: id } = about.booking!
  if (!ids.includes(id)) throw refuse('other_event_type')
  const others = ids.filter((other) => other !== id)
  const asked = { id, duration: undefined, range: rangeOf(query), now: ctx.now }
  const rest = others.length === 0 ? null : await searchForAll(ctx, { ...query, event_type_ids: others })
  const { slots } = await loadSlots(
    openDb(inShard(ctx.env, shardOf(id)), 'read'),
    asked,
    movedBy(asking, about.booking!.id, Promise.resolve(about)),
  )
  const own = about.isTooLate ? [] : foundIn(slots, asked.range).slice(0, limit)
  const data = [...own.map(({ start: _start, ...told }) => told), ...(rest?.data ?? [])]
    .sort(
      (one, other) =>
        Date.parse(one.start_time) - Date.parse(other.start_time) ||
        ids.indexOf(one.event_type_id) - ids.indexOf(other.event_type_id),
    )
    .slice(0, limit)
  return { data, ...(rest?.plan_limit && { plan_limit: true }) }
}

async function searchForAll({ env, now }: Context, query: SearchQuery): Promise<SoonestStarts> {
  const { event_type_ids: ids, limit } = query
  const range = rangeOf(query)
  if (!ids.every(isId)) throw notFound('event type')
  const lookups = [...Map.groupBy(ids, shardOf)].map(
    ([shard, own]) => new WeekLookup(openDb(inShard(env, shard), 'read'), own, now),
  )
  const soonest: Found[] = []
  const weeks = weeksIn(range)
  let atOnce = range.start > weeks[0]! + SPAN_MS - SHORT_MS ? 2 : 1
  let [isAnyFull, isAllClosed] = [false, false]
  while (weeks.length > 0 && soonest.length < limit && !isAllClosed) {
    const firstEnd = endsOf(weeks[0]!, range)[0]!
    const known = await Promise.all(lookups.map((lookup) => lookup.knows(weeks[0]!, firstEnd)))
    const some = weeks.splice(0, known.every(Boolean) ? 1 : atOnce)
    if (!known.every(Boolean)) atOnce *= 2
    for (const part of some.flatMap((week, at) => partsOf(week, range, some.slice(at)))) {
      if (soonest.length >= limit || isAllClosed) break
      const open = await Promise.all(lookups.map((lookup) => lookup.openIn(part)))
      const found = ids.flatMap((id) => {
        const own = open.flatMap((ofShard) => ofShard.get(id) ?? [])
        return own.flatMap((slots) => foundIn(slots, within(part, range))).slice(0, limit)
      })
      soonest.push(...found.sort((one, other) => one.start - other.start))
      const searched = open.flatMap((ofShard) => [...ofShard.values()])
      isAnyFull ||= searched.some(({ isMonthFull }) => isMonthFull)
      isAllClosed = searched.every(({ isClosed }) => isClosed)
    }
  }
  const data = soonest.slice(0, limit).map(({ start: _start, ...told }) => told)
  return { data, ...(isAnyFull && { plan_limit: true }) }
}

/**
 * The ends of the parts in which a week is searched: most searches end on the day on which they begin. Later weeks are
 * searched as a whole.
 */
function endsOf(week: number, { start }: Interval): number[] {
  const end = week + SPAN_MS
  const endOfDay = Math.floor(start / DAY_MS) * DAY_MS + DAY_MS
  return start < week || endOfDay >= end ? [end] : [endOfDay, end]
}

/** `weeks` are those that are read with it, if it is read. */
function partsOf(week: number, range: Interval, weeks: readonly number[]): WeekPart[] {
  const ends = endsOf(week, range)
  return ends.map((end, at) => ({ week, start: ends[at - 1] ?? week, end, weeks }))
}

function within(part: WeekPart, range: Interval): Interval {
  return { start: Math.max(part.start, range.start), end: Math.min(part.end, range.end) }
}

function foundIn(open: OpenSlots, range: Interval): Found[] {
  return open.starts
    .filter((start) => start >= range.start && start < range.end)
    .map((start) => {
      const spots = seatsAt(open, start)
      return {
        start,
        event_type_id: open.eventTypeId,
        start_time: formatInstant(start),
        end_time: formatInstant(start + open.durationMs),
        ...(spots !== null && { spots_remaining: spots }),
      }
    })
}

function rangeOf({ from, to, timezone }: SearchQuery): Interval {
  if (timezone === undefined && ('midnight' in from || 'midnight' in to)) {
    throw invalid({ timezone: problem('required_with_dates') })
  }
  const instantOf = (moment: DateOrInstant) =>
    'instant' in moment ? moment.instant : startOfDateIn(timezone!, moment.midnight)
  const [start, end] = [instantOf(from), instantOf(to)]
  // Calculated with dates, because a zone may have skipped one.
  const areDates = 'midnight' in from && 'midnight' in to
  const length = areDates ? to.midnight - from.midnight : end - start
  if (length <= 0) throw invalid({ to: problem('not_after_start') })
  if (length > MAX_DAYS * DAY_MS) throw invalid({ to: problem('too_many_days', { most: MAX_DAYS }) })
  return { start, end: Math.min(end, LATEST_START) }
}
