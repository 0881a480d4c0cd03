import { openDb } from '../../db/client.ts'
import type { Context } from '../../http/context.ts'
import { invalid, notFound, Refused } from '../../http/errors.ts'
import { formatInstant, LATEST_START } from '../../http/fields.ts'
import { claimTeller } from '../../schedule/claimed-starts.ts'
import { loadSchedule, presentIn, type Schedule } from '../../schedule/schedule.ts'
import {
  fullPeriods,
  isGroup,
  refuseDuration,
  seatsLeft,
  slotRequest,
  withoutTaken,
} from '../../schedule/slot-request.ts'
import { parseDate, startOfDate, zoneTable } from '../../scheduling/local-time.ts'
import { openStarts } from '../../scheduling/slots.ts'
import { DAY_MS, MINUTE_MS } from '../../scheduling/time-units.ts'
import { type Availability, type AvailabilityQuery, MAX_DAYS } from './schema.ts'

/** `seen` may leave out of the schedule what does not stand in the caller's way, such as the booking that is to be moved. */
export async function listOpenSlots(
  ctx: Context,
  query: AvailabilityQuery,
  seen: (schedule: Schedule) => Schedule = (schedule) => schedule,
): Promise<Availability> {
  const range = rangeOf(query)
  const db = openDb(ctx.env, 'read')
  const id = query.event_type_id.toLowerCase()
  const wanted = { range, seatsAt: null }
  const loaded = await loadSchedule(db, id, wanted, ctx.now)
  if (!loaded.schedule?.eventType.active) throw notFound('event type')
  const schedule = seen(loaded.schedule)
  const durationMinutes = query.duration ?? schedule.eventType.durationMinutes
  const refusal = refuseDuration(schedule.eventType, durationMinutes)
  if (refusal) throw new Refused(refusal)

  const now = presentIn(schedule, ctx.now)
  const request = slotRequest(schedule, { range, durationMinutes, now })
  const isClaimed = claimTeller(schedule, request)
  const starts = openStarts(request).filter((start) => !isClaimed(start))
  const slotAt = (start: number) => ({
    start_time: formatInstant(start),
    end_time: formatInstant(start + durationMinutes * MINUTE_MS),
  })
  const seatsAt = seatsTeller(schedule)
  const isCapped = fullPeriods(schedule, range).length > 0
  return {
    event_type_id: schedule.eventType.id,
    timezone: query.timezone,
    start: query.start,
    end: query.end,
    slots: starts.map((start) => ({ ...slotAt(start), ...seatsAt(start) })),
    ...(schedule.eventType.waitlistEnabled && {
      waitlist_slots: without(openStarts(withoutTaken(request)), starts).map(slotAt),
    }),
    ...(isCapped && { capped: true as const }),
  }
}

function without(all: readonly number[], some: readonly number[]): number[] {
  const left = new Set(some)
  return all.filter((start) => !left.has(start))
}

/** What a slot tells of its seats; nothing where bookings do not share any. */
function seatsTeller(schedule: Schedule) {
  if (!isGroup(schedule.eventType)) return () => ({})
  const taken = new Map(schedule.sessions.map(({ startTime, seatsTaken }) => [startTime, seatsTaken]))
  const total_capacity = schedule.eventType.maxAttendees
  return (start: number) => ({
    spots_remaining: seatsLeft(schedule, taken.get(start) ?? 0),
    total_capacity,
  })
}

/** Both dates are included, as the query's zone has them. */
function rangeOf(query: AvailabilityQuery) {
  const first = parseDate(query.start)!
  const last = parseDate(query.end)!
  if (last < first) throw invalid({ end: 'Must not be before start.' })
  if (last - first >= MAX_DAYS * DAY_MS)
    throw invalid({ end: `Must be at most ${MAX_DAYS - 1} days after start.` })
  const table = zoneTable(query.timezone, first, last + DAY_MS)
  return { start: startOfDate(table, first), end: Math.min(startOfDate(table, last + DAY_MS), LATEST_START) }
}
