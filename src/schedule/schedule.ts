import type { BatchItem } from 'drizzle-orm/batch'
import type { Db } from '../db/client.ts'
import type { holds, sessions } from '../db/schema/bookings.ts'
import type { eventTypes, OverrideRow, RuleRow } from '../db/schema/event-types.ts'
import { presentOf } from '../limits/clock.ts'
import type { Tier } from '../limits/plans.ts'
import type { Interval } from '../scheduling/interval.ts'
import { parseTimeOfDay, type ZoneTable, zoneTable } from '../scheduling/local-time.ts'
import type { OpenHours, TimeWindow } from '../scheduling/open-hours.ts'
import type { Candidate } from '../scheduling/rotation.ts'
import type { Calendar } from './calendar-times.ts'
import { scheduleQueries } from './queries.ts'
import type { ScheduleVersion } from './version.ts'

export type EventTypeRow = typeof eventTypes.$inferSelect
export type Hold = Readonly<typeof holds.$inferSelect>
export type Session = Readonly<typeof sessions.$inferSelect>

/** A member who hosts the event type; `id` is the member's. The free time is measured when it is asked for. */
export type Host = Omit<Candidate, 'freeMs'> & {
  readonly resourceId: string
  readonly userId: string
  readonly email: string
}

/** What decides which starts of one event type are open in `range`, as it was in one moment. */
export type Schedule = {
  readonly version: ScheduleVersion
  /** When it changes by the passing of time alone, although nothing is committed: see `isStillTrue`. */
  readonly trueUntil: number
  readonly range: Interval
  readonly eventType: EventTypeRow
  readonly organization: {
    readonly tier: Tier
    readonly suspendedAt: number | null
    readonly sandboxNow: number | null
    /** Where it is paid; null while the payment provider takes no payments for it. */
    readonly paymentAccountId: string | null
    /** What calls without a key may make; null is the default. */
    readonly bookingsPerNetworkHour: number | null
    readonly pendingPerNetwork: number | null
    readonly activePerEmail: number | null
    readonly waitingPerEmail: number | null
  }
  /** Live bookings that the plan counts in `month`, a UTC month such as `2026-03`. */
  readonly month: string
  readonly bookingsThisMonth: number
  readonly table: ZoneTable
  readonly hours: OpenHours
  /** In the order of priority, then age. */
  readonly hosts: readonly Host[]
  /** Of the event type itself, of its hosts and calendars, and what it keeps of hosts who left. */
  readonly holds: readonly Hold[]
  /** Of its hosts; where it has none, its owner's and the default. The oldest comes first. */
  readonly calendars: readonly Calendar[]
  readonly sessions: readonly Session[]
  /** Who sits in which session, by their addresses in lower case; only where that was asked for. */
  readonly seated: ReadonlyMap<number, ReadonlySet<string>>
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

/**
 * Loads a schedule, and whatever is asked `beside` it, in one round trip. Null when there is no such event type.
 * Who sits in the session at `seatsAt` is loaded with it.
 */
export async function loadSchedule<Q extends BatchItem<'sqlite'>[]>(
  db: Db,
  eventTypeId: string,
  wanted: { readonly range: Interval; readonly seatsAt: number | null },
  now: number,
  ...beside: Q
): Promise<{ readonly schedule: Schedule | null; readonly beside: { [K in keyof Q]: Q[K]['_']['result'] } }> {
  const month = monthOf(now)
  const [found, rules, overrides, hosts, holds, sessions, seats, bookedStarts, connected, busy, ...rest] =
    await db.batch([...scheduleQueries(db, eventTypeId, wanted, month, now), ...beside])
  const besides = rest as { [K in keyof Q]: Q[K]['_']['result'] }
  const [head] = found
  if (!head || head.eventType.deletedAt !== null) return { schedule: null, beside: besides }
  const { range, seatsAt } = wanted
  const emails = new Set(seats.map(({ email }) => email))
  const schedule = {
    version: { own: head.eventType.version, shared: head.sharedVersion },
    trueUntil: trueUntil(head, hosts, now),
    range,
    eventType: head.eventType,
    organization: head.organization,
    month,
    bookingsThisMonth: head.bookingsThisMonth ?? 0,
    table: zoneTable(head.eventType.timezone, range.start, range.end),
    hours: openHoursOf(rules, overrides),
    hosts,
    holds,
    calendars: calendarsOf(connected, busy),
    sessions,
    seated: new Map(seatsAt === null ? [] : [[seatsAt, emails]]),
    bookedStarts,
  }
  return { schedule, beside: besides }
}

/**
 * The plan's months are UTC's. One strategy counts what lies ahead of the hosts, and what has begun does not; a
 * sandbox with a clock of its own stands still.
 */
function trueUntil(
  { eventType, organization }: Pick<Schedule, 'eventType' | 'organization'>,
  hosts: readonly { readonly nextCounted: number | null }[],
  now: number,
): number {
  const today = new Date(now)
  const nextMonth = Date.UTC(today.getUTCFullYear(), today.getUTCMonth() + 1)
  if (eventType.isTest && organization.sandboxNow !== null) return Number.POSITIVE_INFINITY
  return Math.min(nextMonth, ...hosts.flatMap(({ nextCounted }) => nextCounted ?? []))
}

function calendarsOf(
  connected: readonly Pick<Calendar, 'connection' | 'isDefault'>[],
  busy: readonly (Interval & { readonly connectionId: string })[],
): Calendar[] {
  const byConnection = Map.groupBy(busy, ({ connectionId }) => connectionId)
  return connected.map(({ connection, isDefault }) => ({
    connection,
    isDefault,
    busy: byConnection.get(connection.id) ?? [],
    busyAsOf: connection.lastSyncAt,
  }))
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
