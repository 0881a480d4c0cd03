import { nextDateAt } from '../../core/booking-window.ts'
import type { Interval } from '../../core/interval.ts'
import { LAST_INSTANT } from '../../core/last-instant.ts'
import { zoneTable } from '../../core/local-time.ts'
import { NEVER_OPEN } from '../../core/open-hours.ts'
import { rowReader } from '../../platform/db/row-reader.ts'
import { sessions } from '../../platform/db/schema/bookings.ts'
import { calendarConnections } from '../../platform/db/schema/calendars.ts'
import { eventTypes } from '../../platform/db/schema/event-types.ts'
import type { RealMs } from '../../platform/limits/clock.ts'
import type { Tier } from '../../platform/limits/plans.ts'
import { type Calendar, CONNECTION_FACTS } from './calendar.ts'
import { type Ahead, decodeHosts } from './decode-hosts.ts'
import { decodeHours, decodeSchedules, listIn } from './decode-hours.ts'
import { nextMonthAt } from './full-month.ts'
import { LIMIT_MARGIN_MS, type RawOrganization, type RawSchedule } from './queries.ts'
import type { EventTypeRow, Host, Schedule, Session } from './schedule.ts'

export const readEventType = rowReader<EventTypeRow>(eventTypes, 'names')
export const readSession = rowReader<Session>(sessions, 'list')
const readConnection = rowReader<Calendar['connection']>(calendarConnections, 'list', CONNECTION_FACTS)

type Wanted = { readonly range: Interval; readonly seatsAt: number | null }

/** Builds a schedule from the row that was read at `now`. */
export function decodeSchedule(
  raw: RawSchedule,
  { range, seatsAt }: Wanted,
  month: string,
  now: number,
): Schedule {
  const eventType = readEventType(raw)
  const ahead = new Map(listIn<Ahead>(raw.ahead).map((one) => [one[0], one]))
  const schedules = decodeSchedules(raw.schedules)
  const expired = listIn<ExpiredValues>(raw.expired)
  const wanted = listIn<number | null>(raw.wanted)
  const held = listIn<Pair>(raw.held_starts)
  const holds = listIn<HoldValues>(raw.holds)
  const organization = organizationOf(raw)
  const hosts = decodeHosts(raw, schedules, ahead)
  return {
    version: { own: eventType.version, shared: raw.shared_version },
    trueUntil: trueUntil({ eventType, organization }, [...ahead.values()], deadlinesOf(raw, holds), now),
    range,
    eventType,
    organization,
    month,
    bookingsThisMonth: raw.bookings_this_month,
    table: zoneTable(eventType.timezone, range.start, range.end),
    hours:
      eventType.scheduleId === null
        ? decodeHours(eventType.timezone, listIn(raw.rules), listIn(raw.overrides))
        : (schedules.get(eventType.scheduleId) ?? NEVER_OPEN),
    hosts,
    holds: holds.map(([resourceId, startsAt, endsAt, holderId, keptBy, meetsAt, expiresAt]) => ({
      resourceId,
      startsAt,
      endsAt,
      holderId,
      keptBy,
      meetsAt,
      expiresAt,
    })),
    calendars: listIn<CalendarValues>(raw.calendars).map(calendarOf),
    sessions: withoutExpired(listIn<unknown[]>(raw.sessions).map(readSession), expired),
    seated: new Map(
      seatsAt === null
        ? []
        : [[seatsAt, new Set(listIn<string>(raw.seats).map((email) => email.toLowerCase()))]],
    ),
    inviteeBookings: raw.invitee_bookings,
    heldCount: held.reduce((sum, [, count]) => sum + count, 0),
    bookedStarts: [...listIn<Pair>(raw.booked_starts), ...held].map(([start, count]) => ({ start, count })),
    hasExpired: expired.length > 0,
    freed: [
      ...listIn<FreedValues>(raw.freed),
      ...(wanted.length > 0 ? freedBy(expired, eventType.bookingCap !== null, hosts) : []),
    ].map(([id, source, startsAt, endsAt]) => ({ id, eventTypeId: eventType.id, source, startsAt, endsAt })),
    wanted,
  }
}

export function organizationOf(raw: RawOrganization): Schedule['organization'] {
  return {
    tier: raw.tier as Tier,
    hoursVersion: raw.hours_version,
    locale: raw.locale,
    suspendedAt: raw.suspended_at,
    sandboxNow: raw.sandbox_now,
    paymentAccountId: raw.payment_account_id,
    hasCalendars: raw.has_calendars === 1,
    bookingsPerNetworkHour: raw.bookings_per_network_hour,
    pendingPerNetwork: raw.pending_per_network,
    activePerEmail: raw.active_per_email,
    waitingPerEmail: raw.waiting_per_email,
    attendeesPerBooking: raw.attendees_per_booking,
  }
}

export type Pair = readonly [number, number]
type HoldValues = readonly [
  resourceId: string,
  startsAt: number,
  endsAt: number,
  holderId: string,
  keptBy: string,
  meetsAt: number,
  expiresAt: number | null,
]
type FreedValues = readonly [id: number, source: string, startsAt: number, endsAt: number]
export type ExpiredValues = readonly [
  source: string,
  startsAt: number,
  endsAt: number,
  sessionId: string | null,
  seats: number,
  resourceId?: string | null,
  meetsAt?: number | null,
]
type CalendarValues = readonly [connection: unknown[], isDefault: number, busy: readonly Pair[]]

export function calendarOf([values, isDefault, busy]: CalendarValues): Calendar {
  const connection = readConnection(values)
  return {
    connection,
    isDefault: isDefault === 1,
    busy: busy.map(([start, end]) => ({ start, end })),
    busyAsOf: connection.lastSyncAt,
  }
}

/** The sessions without expired seats; without the session if no seat is left. */
export function withoutExpired(
  sessions: readonly Session[],
  expired: readonly ExpiredValues[],
): readonly Session[] {
  if (expired.length === 0) return sessions
  const over = new Map<string, number>()
  for (const [, , , id, seats] of expired) if (id !== null) over.set(id, (over.get(id) ?? 0) + seats)
  return sessions
    .map((session) => ({ ...session, seatsTaken: session.seatsTaken - (over.get(session.id) ?? 0) }))
    .filter(({ id, seatsTaken }) => seatsTaken > 0 || !over.has(id))
}

/**
 * Expired time is reserved for the waitlist at once, as the triggers will record it. If it had seats of the event type
 * itself, its cap has room too, at any time; if it counted toward a host's limits, the host has room on the days around it.
 */
function freedBy(
  expired: readonly ExpiredValues[],
  isCapped: boolean,
  hosts: readonly Host[],
): FreedValues[] {
  const limited = new Set(hosts.flatMap(({ limits, resourceId }) => (limits ? [resourceId] : [])))
  return expired.flatMap(([source, startsAt, endsAt, , seats, resourceId, meetsAt]): FreedValues[] => [
    [0, source, startsAt, endsAt],
    ...(isCapped && seats > 0 ? [[0, source, 0, LAST_INSTANT] as const] : []),
    ...(meetsAt && resourceId && limited.has(resourceId)
      ? [[0, `limit/${source}`, meetsAt - LIMIT_MARGIN_MS, meetsAt + LIMIT_MARGIN_MS] as const]
      : []),
  ])
}

function deadlinesOf({ next_expiry }: RawSchedule, holds: readonly HoldValues[]): number[] {
  return [next_expiry, ...holds.map((values) => values[6])].filter((one) => one !== null)
}

/**
 * The instants at which the schedule changes without a commit. The plan's months are UTC's. A window of days ahead moves on
 * with the date. A hold expires at its deadline. One strategy counts the hosts' upcoming bookings; a sandbox clock of its
 * own does not move.
 */
export function trueUntil(
  { eventType, organization }: Pick<Schedule, 'eventType' | 'organization'>,
  ahead: readonly Ahead[],
  deadlines: readonly number[],
  now: number,
): RealMs {
  const nextMonth = nextMonthAt(now)
  if (eventType.isTest && organization.sandboxNow !== null) return Number.POSITIVE_INFINITY as RealMs
  const nextDate = eventType.bookingWindowDays === null ? nextMonth : nextDateAt(eventType.timezone, now)
  return Math.min(nextMonth, nextDate, ...ahead.map(([, , next]) => next), ...deadlines) as RealMs
}
