import { openDb } from '../../db/client.ts'
import type { Context } from '../../http/context.ts'
import { invalid, notFound, Refused } from '../../http/errors.ts'
import { formatInstant } from '../../http/fields.ts'
import { parseDate, startOfDate, zoneTable } from '../../scheduling/local-time.ts'
import { openStarts } from '../../scheduling/slots.ts'
import { fullPeriods, loadSchedule, presentIn, refuseDuration, slotRequest } from './schedule.ts'
import { type Availability, type AvailabilityQuery, LATEST_START, MAX_DAYS } from './schema.ts'

const DAY_MS = 86_400_000

export async function listOpenSlots(ctx: Context, query: AvailabilityQuery): Promise<Availability> {
  const range = rangeOf(query)
  const db = openDb(ctx.env, 'read')
  const id = query.event_type_id.toLowerCase()
  const { schedule } = await loadSchedule(db, id, range, ctx.now)
  if (!schedule?.eventType.active) throw notFound('event type')
  const durationMinutes = query.duration ?? schedule.eventType.durationMinutes
  const refusal = refuseDuration(schedule.eventType, durationMinutes)
  if (refusal) throw new Refused(refusal)

  const now = presentIn(schedule, ctx.now)
  const starts = openStarts(slotRequest(schedule, { range, durationMinutes, now }))
  const isCapped = fullPeriods(schedule, range).length > 0
  return {
    event_type_id: schedule.eventType.id,
    timezone: query.timezone,
    start: query.start,
    end: query.end,
    slots: starts.map((start) => ({
      start_time: formatInstant(start),
      end_time: formatInstant(start + durationMinutes * 60_000),
    })),
    ...(isCapped && { capped: true as const }),
  }
}

/** Both dates are included, as the query's zone has them. */
function rangeOf(query: AvailabilityQuery) {
  const first = parseDate(query.start)!
  const last = parseDate(query.end)!
  if (last < first) throw invalid({ end: 'Must not be before start.' })
  if (last - first >= MAX_DAYS * DAY_MS)
    throw invalid({ end: `Must be at most ${MAX_DAYS} days after start.` })
  const table = zoneTable(query.timezone, first, last + DAY_MS)
  return { start: startOfDate(table, first), end: Math.min(startOfDate(table, last + DAY_MS), LATEST_START) }
}
