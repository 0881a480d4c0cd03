import { MINUTE_MS } from '../../core/time-units.ts'
import { withoutOwnEvent } from '../../engine/schedule/calendar-times.ts'
import { type Decision, decideStart, refuseStart, requestFor } from '../../engine/schedule/decide-start.ts'
import { withoutSession, withSession } from '../../engine/schedule/move-session.ts'
import { hostToKeep, refuseHost } from '../../engine/schedule/of-host.ts'
import { uidOf } from '../../engine/schedule/own-uids.ts'
import type { Schedule } from '../../engine/schedule/schedule.ts'
import { coHostsOrNull, hostsOf } from '../../engine/schedule/team.ts'
import { decideAfresh } from '../../engine/turn/decide-afresh.ts'
import { hostsToSkip, refuseOpen } from '../../engine/turn/races.ts'
import type { Decided, State, Turn, Verb } from '../../engine/turn/verb.ts'
import { because, missing } from '../../platform/http/errors.ts'
import type { PresentMs } from '../../platform/limits/clock.ts'
import { endForSession } from '../waitlist/end-for-session.ts'
import type { RescheduleSession } from './commands.ts'
import { movedSession } from './moved-session.ts'
import type { Session } from './schema.ts'
import {
  type AskedOfSession,
  askSession,
  attendedBy,
  type FoundSession,
  givesUp,
  messagesOf,
  presentSession,
  sessionAsItIs,
  stateOf,
  withoutExpired,
} from './session-state.ts'

/** Moves a session with all its bookings and everything that is held of it, or nothing. */
export function rescheduleSession(command: RescheduleSession): Verb<AskedOfSession, Session> {
  const { eventTypeId, sessionId, newStart, claim, now, isDry } = command
  return {
    eventTypeId,
    claim,
    now,
    isDry,
    around: newStart,
    reachesBack: command.setAside.includes('notice'),
    servesFirst: true,
    releases: sessionId,
    // A host's limits need holds from further away than the sessions that are loaded.
    isRemembered: ([[session]], { sessions }) => !session || sessions.some(({ id }) => id === session.id),
    isRacing: true,
    asks: (turn) => askSession(turn, command),
    decide: (turn, state) => decide(turn, state, command),
    asItIs: (rows) => sessionAsItIs(stateOf(rows)),
  }
}

async function decide(
  turn: Turn,
  { rows, schedule, now, lost }: State<AskedOfSession>,
  command: RescheduleSession,
): Promise<Decided<Session>> {
  const { db, arrivedAt } = turn
  const state = withoutExpired(stateOf(rows!), now)
  const { session } = state
  if (!session)
    return { refusal: state.bookings.length > 0 ? because('session_cancelled') : missing('session') }
  if (!schedule) return { refusal: missing('event type') }
  const found: FoundSession = { ...state, session }
  if (session.startTime === command.newStart) return { unchanged: presentSession(session, state.seated) }
  if (command.follows) {
    if (session.startTime !== command.follows.from)
      return { unchanged: presentSession(session, state.seated) }
    if (command.newStart <= now) return { refusal: because('not_open') }
  }
  const outOfSync = command.follows?.event ?? found.seated.find((one) => one.outOfSync)?.outOfSync ?? null
  const { calendarConnectionId } = session
  const left = withoutOwnEvent(schedule, { outOfSync, calendarConnectionId })
  const decision = await decideAfresh(
    turn,
    left,
    arrivedAt,
    (known) => decideMove(known ?? left, found, command, { now, hostsToSkip: hostsToSkip(lost) }),
    uidOf(session.id),
  )
  if ('refusal' in decision) return decision
  const { placement, overridden = null } = decision
  const taken = refuseOpen(decision.schedule, placement, { lost, seats: seatsToMove(schedule, found), now })
  if (taken) return { refusal: taken }

  const why = { reason: 'session_moved', isQuiet: command.isQuiet } as const
  const ended = endForSession(db, command.tenant, session, found.entries, why, now)
  const moved = movedSession(db, decision.schedule, found, { placement, overridden }, command, now)
  const attended = attendedBy(found)
  const { start: startTime, end: endTime, host: assignedHost } = placement
  const coHosts = coHostsOrNull(placement.coHosts)
  return {
    status: 200,
    body: presentSession({ id: session.id, startTime, endTime, assignedHost, coHosts }, found.seated),
    decidedOn: decision.schedule,
    statements: [moved.guard, ...ended.statements, ...moved.statements],
    messages: messagesOf([...moved.eventIds, ...ended.eventIds]),
    frees: {
      booking: { ...session, sessionId: session.id },
      hold: found.hold ?? { start: session.startTime, end: session.endTime },
      endsFor: null,
      givesUp: givesUp(session, found.seated, found.entries),
      after: (known: Schedule) =>
        withSession(withoutSession(known, session, attended), session, placement, attended),
    },
  }
}

/** If the event type has fewer seats than before, those of the session stay. */
function seatsToMove({ eventType }: Schedule, { session }: FoundSession): number {
  return Math.min(Math.max(1, session.seatsTaken), eventType.maxAttendees)
}

function decideMove(
  schedule: Schedule,
  found: FoundSession,
  { newStart, setAside, follows }: RescheduleSession,
  { now, hostsToSkip }: { readonly now: PresentMs; readonly hostsToSkip: number },
): Decision {
  const { session } = found
  const attended = attendedBy(found)
  const left = withoutSession(schedule, session, attended)
  const durationMinutes = (session.endTime - session.startTime) / MINUTE_MS
  const seats = seatsToMove(schedule, found)
  if (left.sessions.some(({ startTime }) => startTime === newStart)) {
    const request = requestFor(left, newStart, { durationMinutes, now, seats })
    return { refusal: refuseStart(request, newStart, (open) => open === session.startTime) }
  }
  const hostId = session.assignedHost?.member_id ?? null
  const memberId = follows ? hostToKeep(schedule, hostId) : null
  const wrong = refuseHost(schedule, memberId, false)
  if (wrong) return { refusal: wrong }
  const decision = decideStart(withRoomFor(left, attended.bookings + attended.held), newStart, {
    durationMinutes,
    now,
    emails: [],
    seats,
    mover: {
      hostIds: hostsOf(session).map(({ member_id }) => member_id),
      isInSession: true,
      start: session.startTime,
      units: session.resources ?? [],
    },
    hostsToSkip,
    memberId,
    setAside,
  })
  return 'refusal' in decision ? decision : { ...decision, schedule: left }
}

/** The same with a cap that has room for one if the cap of a period has room for so many. */
function withRoomFor(schedule: Schedule, places: number): Schedule {
  const { eventType } = schedule
  const { bookingCap, bookingCapPeriod } = eventType
  if (bookingCap === null || bookingCapPeriod === null || bookingCapPeriod === 'total') return schedule
  return { ...schedule, eventType: { ...eventType, bookingCap: bookingCap - Math.max(0, places - 1) } }
}
