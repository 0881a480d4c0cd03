import { nextDateAt } from '../../core/booking-window.ts'
import type { Interval } from '../../core/interval.ts'
import { parseDate, startOfDate, zoneTable } from '../../core/local-time.ts'
import { DAY_MS, MINUTE_MS } from '../../core/time-units.ts'
import { isMonthFull } from '../../engine/schedule/full-month.ts'
import type { Seen } from '../../engine/schedule/leaving-out.ts'
import { loadSchedule } from '../../engine/schedule/load-schedule.ts'
import { nowIn, type Schedule } from '../../engine/schedule/schedule.ts'
import { refuseDuration } from '../../engine/schedule/slot-request.ts'
import { selectVersion } from '../../engine/schedule/statements.ts'
import { concernsOf } from '../../engine/schedule/version.ts'
import { type Db, openDb } from '../../platform/db/client.ts'
import type { Context } from '../../platform/http/context.ts'
import { invalid, notFound, Refused } from '../../platform/http/errors.ts'
import { LATEST_START } from '../../platform/http/instants.ts'
import { type AskedMs, nowAsSeen } from '../../platform/limits/clock.ts'
import { problem } from '../../platform/reasons/reason.ts'
import { type AvailabilityQuery, MAX_DAYS } from '../hours/event-type/schema.ts'
import { servedButClaimed } from '../waitlist/serve-waitlist.ts'
import { closedByPlan, firstOpenOf, type OpenSlots, openSlotsOf } from './open-slots.ts'
import { type Found, type Known, SlotMemory } from './slot-memory.ts'

/** An isolate has 128 MB for everything. */
const memory = new SlotMemory(16_000_000)

const SEARCH_AHEAD_MS = 366 * DAY_MS
const NOTHING_LATER: Later = { start: null, trueUntil: Number.POSITIVE_INFINITY }

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
    load: async () => load(db, id, rangeOf(query), duration, now),
  })
}

/** A booking that is to be rescheduled: a schedule without it, for all its attendees. */
export type Moved = {
  readonly bookingId: string
  readonly withoutIt: (schedule: Schedule) => Seen | Promise<Seen>
}

/** The same for rescheduling a booking, which does not block itself. */
export async function findSlotsToMove(
  { env, now }: Context,
  query: AvailabilityQuery,
  moved: Moved,
): Promise<OpenSlots> {
  const range = rangeOf(query)
  const db = openDb(env, 'read')
  return (await load(db, query.event_type_id, range, query.duration, now, moved)).slots
}

/** The same for the bearer of a hold. A full month does not close it, because it can be confirmed once there is room. */
export async function findSlotsOfHolder({ env, now }: Context, query: AvailabilityQuery): Promise<OpenSlots> {
  const db = openDb(env, 'read')
  return (await load(db, query.event_type_id, rangeOf(query), query.duration, now, 'holder')).slots
}

async function load(
  db: Db,
  id: string,
  range: Interval,
  duration: number | undefined,
  now: AskedMs,
  exempt?: Moved | 'holder',
): Promise<Found> {
  const moved = exempt === 'holder' ? undefined : exempt
  const seen = await loadSeen(db, id, range, now, moved)
  if (!seen?.schedule.eventType.active) throw notFound('event type')
  const { schedule, seats } = seen
  const { eventType, organization, version, trueUntil } = schedule
  const durationMinutes = duration ?? eventType.durationMinutes
  const refusal = refuseDuration(eventType, durationMinutes)
  if (refusal) throw new Refused(refusal)
  const present = nowIn(schedule, now)
  const offered = openSlotsOf(schedule, { range, durationMinutes, now: present, seats })
  const slots = exempt === undefined && isMonthFull(schedule) ? closedByPlan(offered) : offered
  const later = await laterThan(db, schedule, slots, { range, durationMinutes, now }, moved)
  const noticeMs = eventType.minimumNoticeMinutes * MINUTE_MS
  return {
    organizationId: eventType.organizationId,
    version,
    concerns: concernsOf(schedule),
    trueUntil: Math.min(trueUntil, later.trueUntil),
    noticeMs,
    sandboxNow: eventType.isTest ? organization.sandboxNow : null,
    earliest: present + noticeMs,
    slots: { ...slots, nextAvailable: later.start },
  }
}

async function loadSeen(
  db: Db,
  id: string,
  range: Interval,
  now: AskedMs,
  moved: Moved | undefined,
): Promise<Seen | null> {
  // The booking's session is loaded wherever it is, if the booking is named as the one to be rescheduled.
  const wanted = { range, seatsAt: null, ...(moved && { invitee: { besides: moved.bookingId } }) }
  const { schedule } = await loadSchedule(db, id, wanted, now)
  const known = schedule && (await servedButClaimed(db, schedule, now))
  return known && (moved ? moved.withoutIt(known) : { schedule: known, seats: 1 })
}

type Later = { readonly start: number | null; readonly trueUntil: number }

/** If nothing is open, the next open start is searched for. The time that far ahead is loaded only then. */
async function laterThan(
  db: Db,
  { eventType, organization }: Schedule,
  { starts, isMonthFull }: OpenSlots,
  asked: { range: Interval; durationMinutes: number; now: AskedMs },
  moved: Moved | undefined,
): Promise<Later> {
  const { isTest, timezone } = eventType
  const present = nowAsSeen(isTest, organization.sandboxNow, asked.now)
  const range = {
    start: Math.max(asked.range.end, present),
    end: Math.min(nextDateAt(timezone, present + SEARCH_AHEAD_MS), LATEST_START),
  }
  if (starts.length > 0 || isMonthFull) return NOTHING_LATER
  // Each day brings another date within reach.
  const standsStill = isTest && organization.sandboxNow !== null
  const nothing = {
    start: null,
    trueUntil: standsStill ? Number.POSITIVE_INFINITY : nextDateAt(timezone, present),
  }
  if (range.start >= range.end) return nothing
  const seen = await loadSeen(db, eventType.id, range, asked.now, moved)
  const start = seen && firstOpenOf(seen.schedule, { ...asked, range, now: present, seats: seen.seats })
  return start === null ? nothing : { start, trueUntil: seen!.schedule.trueUntil }
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
