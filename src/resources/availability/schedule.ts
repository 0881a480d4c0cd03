import type { BatchItem } from 'drizzle-orm/batch'
import type { Db } from '../../db/client.ts'
import type { eventTypes } from '../../db/schema/event-types.ts'
import type { Refusal } from '../../http/errors.ts'
import { presentOf } from '../../limits/clock.ts'
import type { Tier } from '../../limits/plans.ts'
import { fullCapPeriods } from '../../scheduling/caps.ts'
import type { Interval } from '../../scheduling/interval.ts'
import { parseTimeOfDay, type ZoneTable, zoneTable } from '../../scheduling/local-time.ts'
import type { OpenHours, TimeWindow } from '../../scheduling/open-hours.ts'
import type { SlotRequest } from '../../scheduling/slots.ts'
import { type OverrideRow, type RuleRow, scheduleQueries } from './store.ts'

const MINUTE_MS = 60_000

export type EventTypeRow = typeof eventTypes.$inferSelect
export type Hold = { readonly holderId: string; readonly startsAt: number; readonly endsAt: number }

/** What decides which starts of one event type are open in `range`, as it was in one moment. */
export type Schedule = {
  readonly range: Interval
  readonly eventType: EventTypeRow
  readonly organization: {
    readonly tier: Tier
    readonly suspendedAt: number | null
    readonly sandboxNow: number | null
  }
  /** Live bookings that the plan counts in `month`, a UTC month such as `2026-03`. */
  readonly month: string
  readonly bookingsThisMonth: number
  readonly table: ZoneTable
  readonly hours: OpenHours
  readonly holds: readonly Hold[]
  /** Active bookings by start around the range; empty where no cap asks for them. */
  readonly bookedStarts: readonly { readonly start: number; readonly count: number }[]
}

/** The present on the event type's side of its organization: a sandbox may have a clock of its own. */
export function presentIn(schedule: Schedule, now: number): number {
  return presentOf(schedule.eventType.isTest, schedule.organization.sandboxNow, now)
}

export function monthOf(instant: number): string {
  return new Date(instant).toISOString().slice(0, 7)
}

/** Loads a schedule, and whatever is asked `beside` it, in one round trip. Null when there is no such event type. */
export async function loadSchedule<Q extends BatchItem<'sqlite'>[]>(
  db: Db,
  eventTypeId: string,
  range: Interval,
  now: number,
  ...beside: Q
): Promise<{ readonly schedule: Schedule | null; readonly beside: { [K in keyof Q]: Q[K]['_']['result'] } }> {
  const month = monthOf(now)
  const [found, rules, overrides, holds, bookedStarts, ...rest] = await db.batch([
    ...scheduleQueries(db, eventTypeId, range, month),
    ...beside,
  ])
  const besides = rest as { [K in keyof Q]: Q[K]['_']['result'] }
  const [head] = found
  if (!head || head.eventType.deletedAt !== null) return { schedule: null, beside: besides }
  const schedule = {
    range,
    eventType: head.eventType,
    organization: head.organization,
    month,
    bookingsThisMonth: head.bookingsThisMonth ?? 0,
    table: zoneTable(head.eventType.timezone, range.start, range.end),
    hours: openHoursOf(rules, overrides),
    holds,
    bookedStarts,
  }
  return { schedule, beside: besides }
}

function openHoursOf(rules: readonly RuleRow[], overrides: readonly OverrideRow[]): OpenHours {
  return {
    weekly: rules.map((rule) => ({ dayOfWeek: rule.dayOfWeek, ...windowOf(rule.startTime, rule.endTime) })),
    overrides: new Map(
      overrides.map(({ date, intervals }) => [
        date,
        intervals.map(({ start_time, end_time }) => windowOf(start_time, end_time)),
      ]),
    ),
  }
}

function windowOf(startTime: string, endTime: string): TimeWindow {
  return { startMs: parseTimeOfDay(startTime)!, endMs: parseTimeOfDay(endTime)! }
}

export type Question = {
  readonly range: Interval
  readonly durationMinutes: number
  readonly now: number
  /** The booking that is being moved: its own hold and its own place in a cap do not stand in its way. */
  readonly moving?: { readonly holderId: string; readonly start: number }
}

/** The one way from a schedule to a question for the slot core, for availability and booking alike. */
export function slotRequest(schedule: Schedule, question: Question): SlotRequest {
  const { eventType, table, hours } = schedule
  const { range, durationMinutes, now, moving } = question
  return {
    range,
    table,
    hours,
    durationMs: durationMinutes * MINUTE_MS,
    bufferBeforeMs: eventType.bufferBeforeMinutes * MINUTE_MS,
    bufferAfterMs: eventType.bufferAfterMinutes * MINUTE_MS,
    earliestStart: now + eventType.minimumNoticeMinutes * MINUTE_MS,
    busy: schedule.holds
      .filter((hold) => hold.holderId !== moving?.holderId)
      .map((hold) => ({ start: hold.startsAt, end: hold.endsAt })),
    fullPeriods: fullPeriods(schedule, range, moving),
  }
}

/** The cap periods touching `range` that take no further booking. */
export function fullPeriods(schedule: Schedule, range: Interval, moving?: Question['moving']): Interval[] {
  const { bookingCap: cap, bookingCapPeriod: period, activeBookings } = schedule.eventType
  if (cap === null) return []
  const bookings = moving
    ? schedule.bookedStarts.map((at) => (at.start === moving.start ? { ...at, count: at.count - 1 } : at))
    : schedule.bookedStarts
  const totalCount = activeBookings - (moving ? 1 : 0)
  return fullCapPeriods({
    cap,
    period: period ?? 'total',
    table: schedule.table,
    range,
    bookings,
    totalCount,
  })
}

/** Why `durationMinutes` cannot be booked; null when the event type offers it. */
export function refuseDuration(eventType: EventTypeRow, durationMinutes: number): Refusal | null {
  const offered = eventType.durationOptions ?? [eventType.durationMinutes]
  if (offered.includes(durationMinutes)) return null
  const message = `This event type offers these durations in minutes: ${offered.join(', ')}.`
  return { code: 'bad_request', message }
}
