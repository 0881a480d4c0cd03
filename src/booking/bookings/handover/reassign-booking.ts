import {
  decideHandOver,
  type Handed,
  refuseOthers,
  withHandOver,
} from '../../../engine/schedule/hand-over.ts'
import { holderOf } from '../../../engine/schedule/held-time.ts'
import { strategyOf } from '../../../engine/schedule/placement.ts'
import type { Schedule } from '../../../engine/schedule/schedule.ts'
import { hostsOf } from '../../../engine/schedule/team.ts'
import { decideAfresh } from '../../../engine/turn/decide-afresh.ts'
import { attemptsFor, hostsToSkip } from '../../../engine/turn/races.ts'
import type { Decided, State, Turn, Verb } from '../../../engine/turn/verb.ts'
import { selectWait } from '../../../engine/waits/statements.ts'
import { isOver } from '../../../engine/waits/wait-of.ts'
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
  const hosts = hostsOf(read)
  const giver = giverOf(schedule, read, command)
  if ('refusal' in giver) return giver
  const { fromId } = giver
  const meeting = { holderId: holderOf(read), start, end, held: held ?? null, hosts }
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
  const from = hosts.find(({ member_id }) => member_id === fromId) ?? null
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

/** The host who gives the meeting up; null if its host left. */
function giverOf(
  { hosts, eventType }: Schedule,
  read: BookingRow,
  { memberId, fromMemberId }: ReassignBooking,
): { readonly fromId: string | null } | { readonly refusal: Refusal } {
  if (hosts.length === 0) return { refusal: because('has_no_hosts') }
  if (memberId !== null && !hosts.some(({ id }) => id === memberId)) return { refusal: because('not_a_host') }
  const participants = hostsOf(read)
  const takesPart = participants.some(({ member_id }) => member_id === fromMemberId)
  if (fromMemberId !== null)
    return takesPart ? { fromId: fromMemberId } : { refusal: because('not_its_host') }
  const isOfSeveral = read.assignedHostId !== null && participants.length > 1
  const isCollective = strategyOf(eventType) === null
  if (isOfSeveral || (isCollective && participants.length > 0))
    return { refusal: because('needs_from_member') }
  return { fromId: read.assignedHostId }
}
