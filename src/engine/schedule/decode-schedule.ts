import type { Interval } from '../../core/interval.ts'
import { LAST_INSTANT } from '../../core/last-instant.ts'
import { zoneTable } from '../../core/local-time.ts'
import { NEVER_OPEN } from '../../core/open-hours.ts'
import { rowReader } from '../../platform/db/row-reader.ts'
import { sessions } from '../../platform/db/schema/bookings.ts'
import { eventTypes } from '../../platform/db/schema/event-types.ts'
import type { Tier } from '../../platform/limits/plans.ts'
import { decodeHours, listIn } from './decode-hours.ts'
import { LIMIT_MARGIN_MS, type RawOrganization, type RawSchedule } from './queries.ts'
import type { Ahead, DecodeFrom, Resources } from './resources/decode-resources.ts'
import {
  type EventTypeRow,
  type Hold,
  type Host,
  monthOf,
  ownScheduleOf,
  type Schedule,
  type Session,
} from './schedule.ts'
import { windowsAround } from './taken/around.ts'
import { readHolds, tagOf } from './taken/read-times.ts'
import { deadlinesOf, trueUntil } from './true-until.ts'

export const readEventType = rowReader<EventTypeRow>(eventTypes, 'names')
export const readSession = rowReader<Session>(sessions, 'list')

type Wanted = { readonly range: Interval; readonly seatsAt: number | null }

/** Builds a schedule from what was read at `now`. Packed times count from `base`. */
export function decodeSchedule(
  raw: RawSchedule,
  decode: (from: DecodeFrom) => Resources,
  { range, seatsAt }: Wanted,
  base: number,
  now: number,
): Schedule {
  const eventType = readEventType(raw)
  const counted = listIn<Ahead>(raw.ahead)
  const isWeighted = eventType.assignmentStrategy === 'availability_weighted'
  const ahead = new Map(isWeighted ? [] : counted.map((one) => [one[0], one]))
  const around = windowsAround(range, eventType)
  const resources = decode({ base, around, organizationZone: raw.organization_timezone, ahead })
  const { hosts, calendars, rooms } = resources
  const expired = [
    ...listIn<ExpiredValues>(raw.expired),
    ...resources.expired.map(({ resourceId, values: [source, start, end, meetsAt] }): ExpiredValues => {
      return [source, start, end, null, 0, resourceId, meetsAt]
    }),
  ]
  const wanted = listIn<number | null>(raw.wanted)
  const held = listIn<Pair>(raw.held_starts)
  const holds = new Map(resources.holds)
  if (raw.held !== null) holds.set(eventType.id, readHolds(raw.held, base, eventType.id))
  const kept = listIn<KeptValues>(raw.kept).map((values) => keptOf(values, eventType.id))
  const organization = organizationOf(raw)
  const scheduleId = ownScheduleOf(eventType)
  return {
    version: { own: eventType.version, shared: raw.shared_version },
    trueUntil: trueUntil(
      { eventType, organization },
      [...ahead.values()],
      deadlinesOf(raw, [...holds.values(), kept]),
      now,
    ),
    range,
    eventType,
    organization,
    month: monthOf(now),
    bookingsThisMonth: raw.bookings_this_month,
    table: zoneTable(eventType.timezone, range.start, range.end),
    hours:
      scheduleId === null
        ? decodeHours(eventType.timezone, listIn(raw.rules), listIn(raw.overrides))
        : (resources.hours.get(scheduleId) ?? NEVER_OPEN),
    closed: resources.closed,
    closing: resources.closing,
    hosts,
    holds,
    kept,
    calendars,
    rooms,
    sessions: withoutExpired(listIn<unknown[]>(raw.sessions).map(readSession), expired),
    seated: new Map(
      seatsAt === null
        ? []
        : [[seatsAt, new Set(listIn<string>(raw.seats).map((email) => email.toLowerCase()))]],
    ),
    inviteeBookings: raw.invitee_bookings,
    heldCount: held.reduce((sum, [, count]) => sum + count, 0),
    bookedStarts: [...listIn<Pair>(raw.booked_starts), ...held].map(([start, count]) => ({ start, count })),
    assignedStarts: isWeighted ? counted.map(([hostId, count, start]) => ({ hostId, start, count })) : [],
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
    timezone: raw.organization_timezone,
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
export type KeptValues = readonly [
  resourceId: string,
  startsAt: number,
  endsAt: number,
  holderId: string,
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

export function keptOf(
  [resourceId, start, end, holderId, meetsAt, expiresAt]: KeptValues,
  keptBy: string,
): Hold {
  return { resourceId, start, end, holder: tagOf(holderId), keptBy, meetsAt, expiresAt }
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
