import { DAY_MS } from '../../core/time-units.ts'
import { holderOf } from '../../engine/schedule/held-time.ts'
import { isCollective } from '../../engine/schedule/placement.ts'
import { insertWaits } from '../../engine/waits/statements.ts'
import { waitOf } from '../../engine/waits/wait-of.ts'
import { LOGGED_BY_BOOKING, logEntryOf } from '../../outbox/activity/bookings/own-entry.ts'
import { recordActivities } from '../../outbox/activity/statements.ts'
import { recordEvents } from '../../outbox/events/statements.ts'
import type { Db, Statement } from '../../platform/db/client.ts'
import type { SeriesRow } from '../../platform/db/schema/series.ts'
import type { PresentMs } from '../../platform/limits/clock.ts'
import { PLANS } from '../../platform/limits/plans.ts'
import { creditPlacements } from '../bookings/credits/statements.ts'
import { callForSeveral } from '../bookings/follow-ups/statements.ts'
import { capGuardsOfAll } from '../bookings/limits/cap-guards.ts'
import { hostGuardsOfAll } from '../bookings/limits/limit-guards.ts'
import { countInQuota, guardInvitee } from '../bookings/limits/statements.ts'
import { openSession } from '../bookings/prepare-booking.ts'
import { presentBooking } from '../bookings/present.ts'
import { insertBookings, insertSessions, takeHolds } from '../bookings/statements.ts'
import type { CreateSeries } from './commands.ts'
import type { Placed } from './decide-series.ts'
import { marksOf } from './series-marks.ts'
import { insertSeries } from './statements.ts'

/** Everything that a new series writes: the same number of statements however many bookings it has. */
export function prepareSeries(
  db: Db,
  series: SeriesRow,
  placed: readonly Placed[],
  { origin, isQuiet }: CreateSeries,
  now: PresentMs,
): { readonly statements: Statement[]; readonly eventIds: readonly string[] } {
  const { schedule } = placed[0]!
  const isRequest = schedule.eventType.requiresApproval
  const kind = isRequest ? ('booking.requested' as const) : ('booking.created' as const)
  const isOwnEntry = kind === LOGGED_BY_BOOKING && !series.isTest
  const rows = placed.map(({ row }) => row)
  const shown = rows.map((row) => presentBooking(row))
  const changes = shown.map(({ status, start_time, end_time }) => ({
    ...{ status, start_time, end_time },
    series_id: series.id,
  }))
  const entries = rows.map(({ id }, at) => ({
    action: kind,
    resourceType: 'booking' as const,
    resourceId: id,
    changes: changes[at]!,
  }))
  const bookings = placed.map((one, at) => ({
    ...one.row,
    countsForAll: isCollective(one.schedule, one.placement),
    ...(isOwnEntry && { logEntry: logEntryOf(origin, changes[at]!) }),
  }))
  const waits = placed.flatMap(({ row, waitsUntil }, at) => {
    if (waitsUntil === null) return []
    const wait = waitOf(row, { id: row.id, purpose: 'approval', expiresAt: waitsUntil }, now)
    // A series is one request of its network.
    return [at === 0 ? wait : { ...wait, networkMark: null }]
  })
  const marks = marksOf(rows)
  const { ids, statements } = recordEvents(db, series, [
    {
      kind: 'series.created',
      data: {
        id: series.id,
        event_type_id: series.eventTypeId,
        bookings: rows.map(({ id }) => id),
        skipped: series.skipped,
      },
      revision: 1,
    },
    ...shown.map((data, at) => ({
      kind,
      data,
      revision: rows[at]!.revision,
      isQuiet,
      madeBy: origin.by,
      series: marks[at],
    })),
  ])
  return {
    statements: [
      ...quotaStatements(db, placed, isOwnEntry, now),
      ...takeStarts(db, placed, now),
      insertSeries(db, series),
      ...insertBookings(db, bookings),
      ...(waits.length > 0 ? insertWaits(db, waits) : []),
      ...callsFor(db, placed, isRequest),
      ...creditPlacements(db, placed, now),
      ...(isOwnEntry ? [] : [recordActivities(db, series, origin, entries)]),
      ...statements,
    ],
    eventIds: ids,
  }
}

function quotaStatements(db: Db, placed: readonly Placed[], countsDay: boolean, now: PresentMs): Statement[] {
  const { row, schedule } = placed[0]!
  const { organization, month } = schedule
  if (row.isTest) return []
  const quota = PLANS[organization.tier].bookingsPerMonth
  const day = countsDay ? Math.floor(row.createdAt / DAY_MS) : null
  const { organizationId } = row
  return [countInQuota(db, { organizationId, month, quota, now, day, many: placed.length })]
}

function takeStarts(db: Db, placed: readonly Placed[], now: PresentMs): Statement[] {
  const { row, schedule } = placed[0]!
  const { inviteeLimit } = schedule.eventType
  const placements = placed.map(({ placement }) => placement)
  const starts = placements.map(({ start }) => start)
  const opened = placed.filter(({ placement }) => placement.session === 'new')
  const joining = placed.filter(({ placement }) => placement.session !== 'new')
  return [
    ...capGuardsOfAll(db, schedule, starts, now),
    ...(inviteeLimit === null || row.inviteeEmail === ''
      ? []
      : [guardInvitee(db, row, inviteeLimit - placed.length + 1, now)]),
    ...(opened.length > 0
      ? insertSessions(
          db,
          opened.map((one) => sessionOf(one, now)),
        )
      : []),
    // Only a session whose host left needs statements of its own.
    ...joining.flatMap((one) => openSession(db, one.row, one.placement, now)),
    ...hostGuardsOfAll(db, schedule, placements, now),
    ...takeHolds(
      db,
      placed.map((one) => ({ id: holderOf(one.row), placement: one.placement })),
    ),
  ]
}

function sessionOf({ row, placement }: Placed, now: PresentMs) {
  const { eventTypeId, startTime, endTime, coHosts, calendarConnectionId, resources } = row
  return {
    ...{ id: row.sessionId!, eventTypeId, startTime, endTime, coHosts, calendarConnectionId, resources },
    seatsTaken: 0,
    assignedHost: placement.host,
    createdAt: now,
  }
}

/** Calendar events and meetings, if they may be needed; a request needs nothing yet. */
function callsFor(db: Db, placed: readonly Placed[], isRequest: boolean): Statement[] {
  const { eventType, organization } = placed[0]!.schedule
  const { conferencingProvider, assignmentStrategy } = eventType
  const isNeeded =
    conferencingProvider === 'video_a' ||
    placed.some(({ row }) => row.calendarConnectionId !== null || row.sessionId !== null) ||
    (assignmentStrategy !== 'none' &&
      organization.hasCalendars &&
      placed.some(({ row }) => row.coHosts !== null))
  return isRequest || !isNeeded
    ? []
    : callForSeveral(
        db,
        placed.map(({ row }) => row.id),
      )
}
