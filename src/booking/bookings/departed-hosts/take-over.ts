import type { Decision } from '../../../engine/schedule/decide-start.ts'
import { holderOf } from '../../../engine/schedule/held-time.ts'
import type { Placement } from '../../../engine/schedule/placement.ts'
import type { Schedule } from '../../../engine/schedule/schedule.ts'
import { coHostsOrNull } from '../../../engine/schedule/team.ts'
import { decideAfresh } from '../../../engine/turn/decide-afresh.ts'
import { attemptsFor, hostsToSkip } from '../../../engine/turn/races.ts'
import type { Plan, Turn } from '../../../engine/turn/verb.ts'
import type { Db, Statement } from '../../../platform/db/client.ts'
import type { AssignedHost } from '../../../platform/db/schema/assigned-host.ts'
import type { BookingRow } from '../../../platform/db/schema/bookings.ts'
import type { PresentMs } from '../../../platform/limits/clock.ts'
import { creditHosts } from '../credits/statements.ts'
import { hostGuards } from '../limits/limit-guards.ts'
import { openSession } from '../prepare-booking.ts'
import { takeHold } from '../statements.ts'
import { placementOfBooking, placeWaiting, refuseUnhosted } from './place-waiting.ts'

type Waiting = Parameters<typeof placeWaiting>[1]

/**
 * Places what waits, and checks the calendars of a host who would take over. After too many lost races for hosts, nobody is
 * found.
 */
export async function placeAfresh(
  turn: Turn,
  known: Schedule,
  waiting: Waiting,
  placedIn: (schedule: Schedule) => Placement,
  staying: readonly AssignedHost[],
  lost: number,
): Promise<Decision> {
  const decision = await decideAfresh(turn, known, turn.arrivedAt, (schedule) =>
    placeWaiting(schedule ?? known, waiting, placedIn(schedule ?? known), staying, hostsToSkip(lost)),
  )
  const isLost = 'placement' in decision && decision.placement.isAssignment && lost >= attemptsFor(known)
  return isLost ? { refusal: refuseUnhosted(known, waiting.startTime) } : decision
}

/** The same for a booking that waits. */
export function placeBookingAfresh(
  turn: Turn,
  known: Schedule,
  read: BookingRow,
  staying: readonly AssignedHost[],
  lost: number,
): Promise<Decision> {
  return placeAfresh(turn, known, read, () => placementOfBooking(read), staying, lost)
}

/** What the plan rests on if another host takes over. A hold of a deleted event type can still be confirmed. */
export function restsOn(
  schedule: Schedule,
  { assignedHost }: Waiting,
  { host }: Placement,
): Pick<Plan<unknown>, 'decidedOn'> {
  const isSame = host?.member_id === assignedHost?.member_id
  return isSame || schedule.eventType.deletedAt !== null ? {} : { decidedOn: schedule }
}

/** Takes the new host's time; nothing if it is held already. */
export function takeTime(
  db: Db,
  schedule: Schedule,
  placement: Placement,
  row: BookingRow,
  now: PresentMs,
): Statement[] {
  return [...hostGuards(db, schedule, placement, now), ...takeHold(db, holderOf(row), placement)]
}

/** The changes to a booking whose host left. */
export function changesOfHost(read: BookingRow, placement: Placement) {
  const { host, calendarConnectionId, busyAsOf } = placement
  if (host === null || host.member_id === read.assignedHostId) return null
  const coHosts = coHostsOrNull(placement.coHosts)
  const hosted = { assignedHostId: host.member_id, assignedHost: host, coHosts, needsHost: false }
  return { ...hosted, calendarConnectionId, busyAsOf }
}

/** The rest of the batch that gives a waiting booking to the new host, after the booking was changed. */
export function takeOverStatements(
  db: Db,
  schedule: Schedule,
  placement: Placement,
  after: BookingRow,
  now: PresentMs,
): Statement[] {
  return [
    ...takeTime(db, schedule, placement, after, now),
    ...creditHosts(db, schedule, placement, now),
    ...openSession(db, after, placement, now),
  ]
}
