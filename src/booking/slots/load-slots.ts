import { nextDateAt } from '../../core/booking-window.ts'
import type { Interval } from '../../core/interval.ts'
import { DAY_MS, MINUTE_MS } from '../../core/time-units.ts'
import type { Seen } from '../../engine/schedule/leaving-out.ts'
import { loadSchedule } from '../../engine/schedule/load-schedule.ts'
import { type CurrentVersion, nowIn, type Schedule } from '../../engine/schedule/schedule.ts'
import { refuseDuration } from '../../engine/schedule/slot-request.ts'
import { isTurnedOff } from '../../engine/schedule/takes-no-bookings.ts'
import { concernsOf } from '../../engine/schedule/version.ts'
import type { Db } from '../../platform/db/client.ts'
import { notFound, Refused } from '../../platform/http/errors.ts'
import { LATEST_START } from '../../platform/http/instants.ts'
import type { AskedMs } from '../../platform/limits/clock.ts'
import { servedButClaimed } from '../waitlist/serve-waitlist.ts'
import { firstOpenOf, type OpenSlots, openSlotsOf, openToBook } from './open-slots.ts'
import { loadRecent } from './recent-schedules.ts'
import type { Found, Later } from './slot-memory.ts'

/** The next open start is searched for this far ahead, and to the end of that date. */
export const SEARCH_AHEAD_MS = 366 * DAY_MS
const NOTHING_LATER: Later = { start: null, trueUntil: Number.POSITIVE_INFINITY }

/** A question that is not everybody's: about a booking that is to be rescheduled, or about one host. */
export type Moved = {
  /** The booking; null if it is about a new one. */
  readonly bookingId: string | null
  /** The schedule without the booking, for all its attendees, or as the host has it. */
  readonly withoutIt: (schedule: Schedule) => Seen | Promise<Seen>
  /** Whether an inactive event type is shown, too: a key moves its bookings. */
  readonly isByKey?: boolean
}

/** A question about an event type; without a duration, about its usual one. */
export type Asked = {
  readonly id: string
  readonly duration: number | undefined
  readonly range: Interval
  readonly now: AskedMs
  /** The version if it was just read. */
  readonly told?: CurrentVersion | null
}

/** The open slots of a range, and the schedule that has them. */
export type Loaded = {
  readonly schedule: Schedule
  readonly durationMinutes: number
  readonly slots: OpenSlots
}

/** What is open in a range and, if that is nothing, what is open after it. A full month does not close it for a holder. */
export async function loadWhole(db: Db, asked: Asked, exempt?: Moved | 'holder'): Promise<Found> {
  const { schedule, durationMinutes, slots } = await loadSlots(db, asked, exempt)
  const isAnyOpen = slots.starts.length > 0 || slots.isClosed
  const moved = exempt === 'holder' ? undefined : exempt
  const { range, now } = asked
  const later = isAnyOpen
    ? NOTHING_LATER
    : await loadLater(db, schedule, { after: range.end, durationMinutes, now }, moved)
  return withLater(foundIn(schedule, slots, now), later)
}

export async function loadSlots(
  db: Db,
  { id, range, duration, now, told }: Asked,
  exempt?: Moved | 'holder',
): Promise<Loaded> {
  const seen = await loadSeen(db, id, range, now, exempt === 'holder' ? undefined : exempt, told)
  const moved = exempt === 'holder' ? undefined : exempt
  const isShown = seen?.schedule.eventType.active || (moved?.isByKey && moved.bookingId !== null)
  if (!seen || !isShown) throw notFound('event type')
  const { schedule, seats } = seen
  // A booking that moves keeps its length, whether that is still offered or not.
  const ownLength = duration === undefined ? seen.durationMinutes : undefined
  const durationMinutes = duration ?? ownLength ?? schedule.eventType.durationMinutes
  const refusal = ownLength !== undefined ? null : refuseDuration(schedule.eventType, durationMinutes)
  if (refusal) throw new Refused(refusal)
  const offered = openSlotsOf(schedule, { range, durationMinutes, now: nowIn(schedule, now), seats })
  return { schedule, durationMinutes, slots: slotsFor(schedule, offered, exempt) }
}

/** A booking moves whatever closes the event type to new ones. */
function slotsFor(schedule: Schedule, offered: OpenSlots, exempt: Moved | 'holder' | undefined): OpenSlots {
  if (exempt === 'holder') return isTurnedOff(schedule) ? openToBook(schedule, offered) : offered
  return exempt === undefined || exempt.bookingId === null ? openToBook(schedule, offered) : offered
}

/** Open slots as they can be remembered. */
export function foundIn(schedule: Schedule, slots: OpenSlots, now: AskedMs): Found {
  const { eventType, organization, version, trueUntil } = schedule
  const noticeMs = eventType.minimumNoticeMinutes * MINUTE_MS
  return {
    organizationId: eventType.organizationId,
    version,
    concerns: concernsOf(schedule),
    trueUntil,
    noticeMs,
    sandboxNow: eventType.isTest ? organization.sandboxNow : null,
    earliest: nowIn(schedule, now) + noticeMs,
    slots,
  }
}

export function withLater(found: Found, later: Later): Found {
  return {
    ...found,
    trueUntil: Math.min(found.trueUntil, later.trueUntil),
    slots: { ...found.slots, nextAvailable: later.start },
  }
}

async function loadSeen(
  db: Db,
  id: string,
  range: Interval,
  now: AskedMs,
  moved: Moved | undefined,
  told?: CurrentVersion | null,
): Promise<Seen | null> {
  const schedule = moved
    ? await loadToMove(db, id, range, now, moved)
    : await loadRecent(db, { id, range, now, told })
  const known = schedule && (await servedButClaimed(db, schedule, now))
  return known && (moved ? moved.withoutIt(known) : { schedule: known, seats: 1 })
}

/** The booking's session is loaded wherever it is, if the booking is named as the one to be rescheduled. */
async function loadToMove(db: Db, id: string, range: Interval, now: AskedMs, { bookingId }: Moved) {
  const wanted = { range, seatsAt: null, ...(bookingId !== null && { invitee: { besides: bookingId } }) }
  return (await loadSchedule(db, id, wanted, now)).schedule
}

/** The next open start after an instant. The time that far ahead is loaded only if nothing is open before. */
export async function loadLater(
  db: Db,
  schedule: Schedule,
  asked: { readonly after: number; readonly durationMinutes: number; readonly now: AskedMs },
  moved?: Moved,
): Promise<Later> {
  const { eventType, organization } = schedule
  const { isTest, timezone } = eventType
  const present = nowIn(schedule, asked.now)
  const range = {
    start: Math.max(asked.after, present),
    end: searchedUntil(schedule, asked.now),
  }
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

/** Until when the next open start is searched for. */
export function searchedUntil(schedule: Schedule, now: AskedMs): number {
  const { timezone } = schedule.eventType
  return Math.min(nextDateAt(timezone, nowIn(schedule, now) + SEARCH_AHEAD_MS), LATEST_START)
}
