import { holderOf } from '../../../engine/schedule/apply-booking.ts'
import {
  decideHandOver,
  type Handed,
  participantsOf,
  refuseOthers,
  withHandOver,
} from '../../../engine/schedule/hand-over.ts'
import { strategyOf } from '../../../engine/schedule/placement.ts'
import type { Schedule } from '../../../engine/schedule/schedule.ts'
import { decideAfresh } from '../../../engine/turn/decide-afresh.ts'
import { attemptsFor, hostsToSkip } from '../../../engine/turn/races.ts'
import type { Decided, State, Turn, Verb } from '../../../engine/turn/verb.ts'
import { selectWait } from '../../../engine/waits/statements.ts'
import { isOver } from '../../../engine/waits/wait-of.ts'
import type { AssignedHost } from '../../../platform/db/schema/assigned-host.ts'
import type { BookingRow } from '../../../platform/db/schema/bookings.ts'
import { because, missing, type Refusal } from '../../../platform/http/errors.ts'
import type { PresentMs } from '../../../platform/limits/clock.ts'
import type { ReassignBooking } from '../commands.ts'
import { presentBooking } from '../present.ts'
import { selectBookingAndCalendarLink, selectHold } from '../queries.ts'
import type { Booking } from '../schema.ts'
import { handedOver } from './handed-over.ts'
import { selectSessionOf } from './queries.ts'

type Asked = ReturnType<typeof askedOf>

function askedOf(db: Turn['db'], bookingId: string) {
  return [
    selectBookingAndCalendarLink(db, bookingId),
    selectHold(db, bookingId),
    selectWait(db, bookingId),
    selectSessionOf(db, bookingId),
  ] as const
}

/** Gives a booking to another host at the same time; in a group, the whole session. */
export function reassignBooking(command: ReassignBooking): Verb<Asked, Booking> {
  const { eventTypeId, bookingId, start, claim, now, isDry } = command
  return {
    eventTypeId,
    claim,
    now,
    isDry,
    around: start,
    reachesBack: true,
    servesFirst: true,
    releases: bookingId,
    isRacing: true,
    asks: ({ db }) => askedOf(db, bookingId),
    decide: (turn, state) => decide(turn, state, command),
    asItIs: ([[found]]) => found && presentBooking(found.booking),
  }
}

async function decide(
  turn: Turn,
  { rows, schedule, now, lost }: State<Asked>,
  command: ReassignBooking,
): Promise<Decided<Booking>> {
  const [[found], [held], [wait], session] = rows!
  if (!found) return { refusal: missing('booking') }
  const { booking: read, calendarLink } = found
  const tooLate = refuseOver(read, now) ?? (isOver(wait, now) ? because('not_decided') : null)
  if (tooLate) return { refusal: tooLate }
  if (!schedule) return { refusal: because('not_bookable') }
  const { start, end } = { start: read.startTime, end: read.endTime }
  const meeting = { holderId: holderOf(read), start, end, held: held ?? null }
  const giver = giverOf(schedule, read, { ...meeting, fromId: null }, command)
  if ('refusal' in giver) return giver
  const { fromId } = giver
  if (command.memberId !== null && command.memberId === fromId) return { unchanged: presentBooking(read) }
  const handed: Handed = { ...meeting, fromId }
  const decision = await decideAfresh(turn, schedule, turn.arrivedAt, (known) =>
    decideHandOver(known ?? schedule, handed, {
      memberId: command.memberId,
      setAside: command.setAside,
      hostsToSkip: hostsToSkip(lost),
    }),
  )
  if ('refusal' in decision) return decision
  if (lost >= attemptsFor(schedule)) return { refusal: refuseOthers(schedule, handed, command.memberId) }
  const { placement, overridden } = decision
  const from = hostNamed(schedule, read, fromId)
  const others = session.filter(({ id }) => id !== read.id)
  const handedTo = { placement, overridden: overridden ?? null, from, calendarLink }
  const { after, statements, messages } = handedOver(
    turn,
    decision.schedule,
    [read, ...others],
    handedTo,
    command,
    now,
  )
  return {
    status: 200,
    body: presentBooking(after),
    decidedOn: decision.schedule,
    statements,
    messages,
    ...(held && {
      frees: {
        booking: read,
        hold: held,
        endsFor: null,
        after: (known: Schedule) => withHandOver(known, handed, placement),
      },
    }),
  }
}

function refuseOver({ status, endTime }: BookingRow, now: PresentMs): Refusal | null {
  if (status === 'cancelled') return because('cannot_reassign', { status })
  return now >= endTime ? because('over_already') : null
}

/** The host who gives the meeting up. */
function giverOf(
  schedule: Schedule,
  { assignedHostId }: BookingRow,
  meeting: Handed,
  { memberId, fromMemberId }: ReassignBooking,
): { readonly fromId: string | null } | { readonly refusal: Refusal } {
  const { hosts, eventType } = schedule
  if (hosts.length === 0) return { refusal: because('has_no_hosts') }
  if (memberId !== null && !hosts.some(({ id }) => id === memberId)) return { refusal: because('not_a_host') }
  if (strategyOf(eventType) !== null) {
    const isOther = fromMemberId !== null && fromMemberId !== assignedHostId
    return isOther ? { refusal: because('not_its_host') } : { fromId: assignedHostId }
  }
  const participants = participantsOf(schedule, meeting)
  if (participants.length === 0) return { fromId: assignedHostId }
  if (fromMemberId === null) return { refusal: because('needs_from_member') }
  const takesPart = participants.some(({ id }) => id === fromMemberId)
  return takesPart ? { fromId: fromMemberId } : { refusal: because('not_its_host') }
}

function hostNamed(
  { hosts }: Schedule,
  { assignedHost }: BookingRow,
  id: string | null,
): AssignedHost | null {
  if (assignedHost?.member_id === id) return assignedHost
  const host = hosts.find((one) => one.id === id)
  return host ? { member_id: host.id, user_id: host.userId, email: host.email, name: host.name } : null
}
