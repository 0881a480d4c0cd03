import { zoneTable } from '../../src/core/local-time.ts'
import type { OpenHours } from '../../src/core/open-hours.ts'
import type { Calendar } from '../../src/engine/schedule/calendar.ts'
import { isUnitId, unitIdOf } from '../../src/engine/schedule/resources/rooms.ts'
import type { Hold, Host, Room, Schedule, Session } from '../../src/engine/schedule/schedule.ts'
import { tagOf } from '../../src/engine/schedule/taken/read-times.ts'
import type { PresentMs, RealMs } from '../../src/platform/limits/clock.ts'
import type { chance } from './chance.ts'

type Chance = ReturnType<typeof chance>

const MINUTE_MS = 60_000
const HOUR_MS = 60 * MINUTE_MS
const DAY_MS = 24 * HOUR_MS
const ZONES = ['UTC', 'America/New_York', 'Europe/Berlin', 'Asia/Kolkata', 'Australia/Lord_Howe']
const STRATEGIES = ['none', 'round_robin', 'least_recent', 'least_bookings', 'availability_weighted'] as const

/** Some days around a change of clocks, at a present of its own. */
export const FIRST_DAY = Date.parse('2027-03-13T00:00:00Z')
export const NOW = (FIRST_DAY + 3 * HOUR_MS) as PresentMs

/** Everything of a schedule that decides about starts, drawn at random around what `base` says of the rest. */
export function randomSchedule(base: Schedule, { below, pick }: Chance): Schedule {
  const maybe = (one: number) => below(one) === 0
  const range = { start: FIRST_DAY - DAY_MS, end: FIRST_DAY + 20 * DAY_MS }
  const at = () => FIRST_DAY + below(3 * 96) * 15 * MINUTE_MS
  const span = (most: number) => {
    const start = at()
    return { start, end: start + (1 + below(most)) * 15 * MINUTE_MS }
  }
  const window = () => {
    const [one, other] = [below(97), below(97)]
    return {
      startMs: Math.min(one, other) * 15 * MINUTE_MS,
      endMs: (Math.max(one, other) + 0) * 15 * MINUTE_MS,
    }
  }
  const hours = (): OpenHours => ({
    timeZone: pick(ZONES),
    weekly: [0, 1, 2, 3, 4, 5, 6].flatMap((dayOfWeek) =>
      maybe(5) ? [] : [{ dayOfWeek, ...(maybe(3) ? window() : { startMs: 0, endMs: DAY_MS }) }],
    ),
    overrides: new Map(maybe(3) ? [[FIRST_DAY + below(3) * DAY_MS, maybe(2) ? [] : [window()]]] : []),
  })
  const timezone = pick(ZONES)
  const durationMinutes = pick([15, 30, 45, 60])
  const maxAttendees = maybe(3) ? 3 : 1
  const strategy = pick(STRATEGIES)
  const eventType: Schedule['eventType'] = {
    ...base.eventType,
    timezone,
    durationMinutes,
    durationOptions: maybe(3) ? [30, 60, durationMinutes] : null,
    slotIntervalMinutes: maybe(3) ? pick([10, 15, 30]) : null,
    bufferBeforeMinutes: maybe(3) ? pick([5, 30]) : 0,
    bufferAfterMinutes: maybe(3) ? pick([10, 45]) : 0,
    minimumNoticeMinutes: maybe(4) ? below(1_440) : 0,
    bookingWindowDays: maybe(6) ? 1 + below(2) : null,
    bookableFrom: maybe(8) ? '2027-03-14' : null,
    bookableUntil: maybe(8) ? '2027-03-14' : null,
    bookingCap: maybe(3) ? 1 + below(3) : null,
    bookingCapPeriod: pick(['daily', 'weekly', 'monthly', 'total'] as const),
    activeBookings: below(3),
    maxAttendees,
    assignmentStrategy: strategy,
    poolSize: maybe(4) ? 2 : 1,
    hoursFrom: maybe(4) ? 'hosts' : 'own',
    active: !maybe(30),
    priceAmount: maybe(20) ? 5_000 : null,
    calendarOutage: maybe(2) ? 'closed' : 'last_known',
    isTest: maybe(2),
  }
  const hasParts = maybe(3)
  const hosts = Array.from({ length: below(4) }, (_, index): Host => {
    const own = maybe(2) ? hours() : null
    return {
      id: `member-${index}`,
      resourceId: `resource-${index}`,
      part: hasParts && maybe(2) ? 'required' : 'pool',
      priority: 1 + below(3),
      weight: 100,
      addedAt: index,
      lastAssignment: below(5),
      activeBookings: below(3),
      userId: `user-${index}`,
      email: `host-${index}@example.com`,
      name: null,
      hours: own,
      scheduleId: own && `schedule-${index}`,
      timeOff: maybe(3) ? [{ id: `off-${index}`, ...span(30) }] : [],
      limits: maybe(3) ? { timeZone: pick(ZONES), perDay: 1 + below(2), perWeek: maybe(2) ? 2 : null } : null,
    }
  })
  const calendarsNamed = (name: string, most: number) =>
    Array.from(
      { length: below(most) },
      (_, index): Calendar => ({
        connection: {
          id: `${name}-${index}`,
          organizationId: eventType.organizationId,
          accountId: `account-${index}`,
          memberId: hosts.length > 0 ? pick(hosts).id : 'owner',
          calendarId: 'work',
          timezone: null,
          status: 'active',
          canWrite: true,
          checksBusy: true,
          receivesBookings: index === 0,
          lostAt: maybe(8) ? 1 : null,
          lastSyncAt: 1,
        } as Calendar['connection'],
        isDefault: index === 0,
        busy: Array.from({ length: below(4) }, () => span(12)),
        busyAsOf: maybe(2) ? 1 : null,
      }),
    )
  const calendars = calendarsNamed('calendar', 3)
  const closing = maybe(3) ? calendarsNamed('closing', 3) : []
  const rooms = Array.from({ length: maybe(2) ? 1 + below(2) : 0 }, (_, index): Room => {
    const own = maybe(3) ? hours() : null
    return {
      id: `room-${index}`,
      name: `Room ${index}`,
      quantity: 1 + below(2),
      active: !maybe(8),
      scheduleId: own && `schedule-of-room-${index}`,
      hours: own,
      timeOff: maybe(4) ? [{ id: `off-of-room-${index}`, ...span(30) }] : [],
      feeds: [],
    }
  })
  const units = rooms.flatMap(({ id, quantity }) =>
    Array.from({ length: quantity }, (_, at) => unitIdOf(id, at + 1)),
  )
  const resources = [
    ...units,
    ...units,
    eventType.id,
    ...hosts.map(({ resourceId }) => resourceId),
    ...calendars.map(({ connection }) => connection.id),
  ]
  const holds = Array.from({ length: below(8) }, (_, index): Hold => {
    const { start, end } = span(8)
    const resourceId = pick(resources)
    return {
      resourceId,
      start,
      end,
      holder: tagOf(`holder-${index}`),
      keptBy: maybe(10) && !isUnitId(resourceId) ? eventType.id : '',
      meetsAt: start,
      expiresAt: maybe(3) ? NOW + DAY_MS : null,
    }
  })
  const starts = maxAttendees > 1 ? [...new Set(Array.from({ length: below(4) }, at))] : []
  const sessions = starts.map((startTime, index): Session => {
    const host = hosts.length > 0 && strategy !== 'none' ? pick(hosts) : null
    return {
      id: `session-${index}`,
      eventTypeId: eventType.id,
      startTime,
      endTime: startTime + (maybe(4) ? 20 : durationMinutes) * MINUTE_MS,
      seatsTaken: 1 + below(3),
      assignedHost: host && { member_id: host.id, user_id: host.userId, email: host.email },
      coHosts: null,
      calendarConnectionId: null,
      resources: null,
      createdAt: 1,
    }
  })
  const held = sessions.map(
    ({ id, startTime, endTime, assignedHost }): Hold => ({
      resourceId: hosts.find((host) => host.id === assignedHost?.member_id)?.resourceId ?? resources[0]!,
      start: startTime,
      end: endTime,
      holder: tagOf(id),
      keptBy: '',
      meetsAt: startTime,
      expiresAt: null,
    }),
  )
  return {
    ...base,
    trueUntil: Number.POSITIVE_INFINITY as RealMs,
    range,
    eventType: {
      ...eventType,
      requires: rooms.length === 0 ? [] : [{ resource_ids: rooms.map(({ id }) => id), count: 1 + below(2) }],
    },
    organization: {
      ...base.organization,
      tier: 'free',
      suspendedAt: maybe(30) ? 1 : null,
      paymentAccountId: maybe(2) ? 'account' : null,
    },
    bookingsThisMonth: maybe(30) ? 1_000_000 : 0,
    table: zoneTable(timezone, range.start, range.end),
    hours: hours(),
    hosts,
    holds: Map.groupBy(
      [...holds, ...held].filter(({ keptBy }) => keptBy === ''),
      ({ resourceId }) => resourceId,
    ),
    kept: holds.filter(({ keptBy }) => keptBy !== ''),
    calendars,
    closing,
    rooms,
    sessions,
    seated: new Map(),
    inviteeBookings: 0,
    heldCount: 0,
    bookedStarts: Array.from({ length: below(4) }, () => ({ start: at(), count: 1 })),
    hasExpired: false,
    freed: [],
    wanted: [],
  }
}
