import { holderOf, withHolder } from '../../engine/schedule/held-time.ts'
import type { Schedule } from '../../engine/schedule/schedule.ts'
import type { Decided, State, Turn, Verb } from '../../engine/turn/verb.ts'
import { recordActivities } from '../../outbox/activity/statements.ts'
import { recordEvents } from '../../outbox/events/statements.ts'
import type { Db, Statement } from '../../platform/db/client.ts'
import type { BookingRow } from '../../platform/db/schema/bookings.ts'
import { because, missing, type Refusal } from '../../platform/http/errors.ts'
import { withActs } from '../bookings/acts.ts'
import { guardStays } from '../bookings/departed-hosts/statements.ts'
import {
  changesOfHost,
  placeBookingAfresh,
  takeOverStatements,
} from '../bookings/departed-hosts/take-over.ts'
import { callForSeveral } from '../bookings/follow-ups/statements.ts'
import { presentBooking } from '../bookings/present.ts'
import { planReminders } from '../bookings/reminders/plan-reminders.ts'
import { changeBooking, guardRevisions } from '../bookings/statements.ts'
import { pendingOf } from './cancel-series.ts'
import type { ApproveSeries } from './commands.ts'
import { presentSeries } from './present.ts'
import {
  selectBookingsOfSeries,
  selectRequestsOfSeries,
  selectSeriesAndClock,
  selectStayingOfSeries,
} from './queries.ts'
import type { Series } from './schema.ts'
import { marksOf } from './series-marks.ts'
import { approveRequests, confirmBookings } from './statements.ts'

type Asked = ReturnType<typeof askedOf>

function askedOf(db: Db, seriesId: string) {
  return [
    selectSeriesAndClock(db, seriesId),
    selectBookingsOfSeries(db, seriesId),
    selectRequestsOfSeries(db, seriesId),
    selectStayingOfSeries(db, seriesId),
  ] as const
}

/** All pending requests of a series become bookings, or none. Approving again succeeds and changes nothing. */
export function approveSeries(command: ApproveSeries): Verb<Asked, Series> {
  const { eventTypeId, seriesId, claim, now, start, last, isDry, origin } = command
  return {
    eventTypeId,
    claim,
    now,
    isDry,
    around: start,
    reachesTo: last,
    isDeletedToo: true,
    asks: ({ db }) => askedOf(db, seriesId),
    decide: (turn, state) => decide(turn, state, command),
    asItIs: ([[found], bookings]) => found && presentSeries(origin, found.series, bookings),
  }
}

async function decide(
  turn: Turn,
  { rows, schedule: known, now, lost }: State<Asked>,
  { origin }: ApproveSeries,
): Promise<Decided<Series>> {
  const { db } = turn
  const [[found], bookings, requests, staying] = rows!
  if (!found) return { refusal: missing('series') }
  const read = pendingOf(bookings, requests, now)
  if (read.length === 0) {
    const refusal = refuseDecided(bookings, requests)
    return refusal ? { refusal } : { unchanged: presentSeries(origin, found.series, bookings) }
  }
  if (!known) return { refusal: missing('event type') }
  let schedule: Schedule = known
  const after: BookingRow[] = []
  const takenOver: Statement[] = []
  for (const row of read) {
    const theirs = staying.filter(({ holder }) => holder === holderOf(row)).map(({ host }) => host)
    const decision = await placeBookingAfresh(turn, schedule, row, theirs, lost)
    if ('refusal' in decision) return decision
    const { placement } = decision
    const handedOver = changesOfHost(row, placement)
    const changed: BookingRow = {
      ...row,
      status: 'confirmed',
      ...planReminders(schedule.eventType, row, now),
      ...handedOver,
      ...withActs(row, origin, 'approved'),
      updatedAt: now,
      revision: row.revision + 1,
    }
    after.push(changed)
    if (!handedOver) continue
    takenOver.push(changeBooking(db, row.id, handedOver))
    takenOver.push(...takeOverStatements(db, decision.schedule, placement, changed, now))
    schedule = withHolder(decision.schedule, holderOf(row), placement)
  }
  const hosts = new Map(after.map(({ assignedHost }) => [assignedHost?.member_id, assignedHost]))
  const marks = marksOf(after)
  const events = recordEvents(
    db,
    found.series,
    after.map((row, at) => ({
      kind: 'booking.confirmed' as const,
      data: presentBooking(row),
      revision: row.revision,
      series: marks[at],
    })),
  )
  const ids = after.map(({ id }) => id)
  const changed = new Map(after.map((row) => [row.id, row]))
  return {
    status: 200,
    body: presentSeries(
      origin,
      found.series,
      bookings.map((row) => changed.get(row.id) ?? row),
    ),
    ...(takenOver.length > 0 && known.eventType.deletedAt === null && { decidedOn: schedule }),
    statements: [
      ...approveRequests(db, ids, now),
      ...[...hosts.values()].flatMap((host) => guardStays(db, host)),
      guardRevisions(db, read),
      confirmBookings(db, after, now),
      ...takenOver,
      ...callForSeveral(db, ids),
      recordActivities(
        db,
        found.series,
        origin,
        read.map(({ id, status, assignedHostId }, at) => ({
          action: 'booking.approved',
          resourceType: 'booking' as const,
          resourceId: id,
          changes: {
            status: [status, 'confirmed'],
            ...(after[at]!.assignedHostId !== assignedHostId && {
              assigned_host_id: [assignedHostId, after[at]!.assignedHostId],
            }),
          },
        })),
      ),
      ...events.statements,
    ],
    messages: events.ids.map((eventId) => ({ type: 'event', eventId })),
  }
}

/** Why nothing is left to approve; null if it was approved before. */
function refuseDecided(
  bookings: readonly BookingRow[],
  requests: readonly { readonly id: string; readonly status: string }[],
): Refusal | null {
  const approved = new Set(requests.filter(({ status }) => status === 'confirmed').map(({ id }) => id))
  if (bookings.some(({ id, status }) => status !== 'cancelled' && approved.has(id))) return null
  const isOverdue = bookings.some(({ status }) => status === 'pending_approval')
  if (isOverdue) return because('not_decided')
  const status = bookings[0]?.status ?? 'cancelled'
  return because('cannot_approve', { status })
}
