import { outsideWindow } from '../../core/booking-window.ts'
import type { Cause } from '../../core/causes.ts'
import { holdOf } from '../../core/hold.ts'
import type { Interval } from '../../core/interval.ts'
import { personTeller } from '../../core/person.ts'
import type { SlotRequest } from '../../core/slot-request.ts'
import { causesTeller } from '../../core/slots.ts'
import type { PresentMs } from '../../platform/limits/clock.ts'
import { calendarsOf, isClosedBy } from './calendar-times.ts'
import { hostTeller, idle } from './people.ts'
import { strategyOf } from './placement.ts'
import type { Reason, Told } from './reason-codes.ts'
import { roomReasonsTeller } from './resources/room-reasons.ts'
import { type Host, ownScheduleOf, type Schedule, type Session } from './schedule.ts'
import { hasHost, isGroup, seatsLeft, slotRequest, windowOf } from './slot-request.ts'
import { tagOf } from './taken/read-times.ts'
import { calendarReasons, closedHours, closedReasons, heldReasons, takenReasons } from './taken-reasons.ts'
import { calendarsOfTeam, hostsOf, isSure, lacksHosts } from './team.ts'

type Asked = {
  readonly range: Interval
  readonly durationMinutes: number
  readonly seats: number
  readonly now: PresentMs
}

/**
 * Explains ascending starts: the rules of the core that refuse them, and what these rules checked. A start in the past has
 * only that reason.
 */
export function reasonsTeller(schedule: Schedule, asked: Asked): (start: number) => Told {
  const { eventType, hosts } = schedule
  const request = slotRequest(schedule, { ...asked, isAnyDate: true })
  const causesAt = causesTeller(request)
  const tellers = hosts.map((host) => hostReasons(schedule, host, request))
  const around = { start: request.range.start, end: request.range.end + request.durationMs }
  const roomReasonsAt = roomReasonsTeller(request, around)
  return (start) => {
    if (start < asked.now) return sameForAll(schedule, [{ code: 'in_past' }])
    const causes = causesAt(start)
    const session = isGroup(eventType) ? schedule.sessions.find((one) => one.startTime === start) : undefined
    const at = {
      start,
      end: start + request.durationMs,
      hold: holdOf(start, request),
      session,
      isUnhosted: session !== undefined && !hasHost(schedule, session, request),
      seats: asked.seats,
    }
    const general = [
      ...windowReasons(schedule, start, asked.now),
      ...causes.flatMap((cause) =>
        cause.rule === 'units' ? roomReasonsAt(start) : generalReasons(schedule, cause, at),
      ),
    ]
    const each = tellers.map((reasonsOf) => reasonsOf(at))
    const theirs = each.filter((_, index) =>
      causes.some((cause) => isTheirs(schedule, cause, hosts[index]!, at)),
    )
    return {
      reasons: unique([...general, ...theirs.flat()]),
      hosts: hosts.map(({ id }, index) => ({ id, reasons: unique([...general, ...each[index]!]) })),
    }
  }
}

/** A start in question, and the session that begins then. */
type At = Interval & {
  readonly hold: Interval
  readonly session: Session | undefined
  /** Whether its host left and nobody can take over. */
  readonly isUnhosted: boolean
  readonly seats: number
}

/** The reasons that do not depend on the host. */
export function sameForAll({ hosts }: Schedule, reasons: readonly Reason[]): Told {
  return { reasons, hosts: hosts.map(({ id }) => ({ id, reasons })) }
}

function windowReasons({ eventType }: Schedule, start: number, now: PresentMs): Reason[] {
  const window = windowOf(eventType)
  if (window === null) return []
  const { isTooFar, isOffDates } = outsideWindow(window, start, now)
  return [
    ...(isTooFar ? [{ code: 'too_far' as const }] : []),
    ...(isOffDates ? [{ code: 'outside_window' as const }] : []),
  ]
}

/** Whether the reason behind it is a host's. */
function isTheirs(schedule: Schedule, cause: Cause, host: Host, at: At): boolean {
  const { eventType, hours } = schedule
  switch (cause.rule) {
    case 'hours':
      return (
        isSure(schedule, host) &&
        cause.hours !== null &&
        (eventType.hoursFrom === 'hosts' || cause.hours !== hours)
      )
    case 'busy':
    case 'closed':
    case 'limit':
      return isSure(schedule, host)
    case 'session':
      return strategyOf(eventType) !== null && (at.isUnhosted || isHostedBy(at.session, host))
    case 'people':
      return !isSure(schedule, host)
    default:
      return false
  }
}

function isHostedBy(session: Session | undefined, { id }: Host): boolean {
  return session !== undefined && hostsOf(session).some(({ member_id }) => member_id === id)
}

function generalReasons(
  schedule: Schedule,
  cause: Exclude<Cause, { readonly rule: 'units' }>,
  at: At,
): Reason[] {
  const { eventType, hours } = schedule
  switch (cause.rule) {
    case 'notice':
      return [{ code: 'too_soon' }]
    case 'hours':
      if (cause.hours === null) return [{ code: 'no_hosts' }]
      if (eventType.hoursFrom === 'hosts' || cause.hours !== hours) return []
      return [closedHours(hours, at, ownScheduleOf(eventType), 'outside_hours')]
    case 'grid':
      return [{ code: 'off_grid' }]
    case 'cap':
      return [{ code: 'cap_reached' }]
    case 'people':
      return lacksHosts(schedule) ? [{ code: 'no_hosts' }] : []
    case 'session':
      return at.session ? sessionReasons(schedule, at.session, at) : []
    case 'busy':
      return takenReasons(schedule, at.hold)
    case 'closed':
      return closedReasons(schedule, schedule.closed, at)
    case 'limit':
      return []
  }
}

/** Why nobody can join, except for reasons of its host. */
function sessionReasons(
  schedule: Schedule,
  session: Session,
  { hold, end, seats, isUnhosted }: At,
): Reason[] {
  const { id, endTime, seatsTaken } = session
  if (endTime !== end) return [{ code: 'booked', holder: tagOf(id) }]
  const isCollective = strategyOf(schedule.eventType) === null
  const calendars = calendarsOfTeam(schedule, session)
  const closing = calendars.filter((calendar) => isClosedBy(schedule, [calendar]))
  return [
    ...calendarReasons(schedule, closing, hold),
    ...(seatsLeft(schedule, seatsTaken) < seats ? [{ code: 'session_full' } as const] : []),
    // The reasons of hosts say why none of them can.
    ...(isUnhosted && (isCollective || schedule.hosts.length === 0) ? [{ code: 'no_hosts' } as const] : []),
  ]
}

/**
 * Explains for ascending starts why a host cannot take them. The host of a session at that start only has to be available.
 */
function hostReasons(schedule: Schedule, host: Host, request: SlotRequest) {
  const { range, durationMs } = request
  const around = { start: range.start, end: range.end + durationMs }
  const person = hostTeller(schedule, range)(host)
  const [isFree, isThere] = [person, idle(person)].map((one) => personTeller(one, request, around))
  const calendars = calendarsOf(schedule, host.id)
  const held = [host.resourceId, ...calendars.map(({ connection }) => connection.id)].flatMap(
    (id) => schedule.holds.get(id) ?? [],
  )
  const isCollective = strategyOf(schedule.eventType) === null
  return ({ start, end, hold, session }: At): Reason[] => {
    const holdsIt = session !== undefined && (isCollective || isHostedBy(session, host))
    const causes: Cause[] = []
    const teller = holdsIt ? isThere! : isFree!
    teller(start, (cause) => causes.push(cause) > 0)
    return causes.flatMap(({ rule }): Reason[] => {
      switch (rule) {
        case 'hours':
          return [closedHours(person.hours!, { start, end }, host.scheduleId, 'outside_host_hours')]
        case 'closed':
          return closedReasons(schedule, host.timeOff, { start, end })
        case 'busy':
          return [...heldReasons(held, hold), ...calendarReasons(schedule, calendars, hold)]
        case 'limit':
          return [{ code: 'host_limit' }]
        default:
          return []
      }
    })
  }
}

/** Removes duplicates: a meeting holds its host and their calendar. */
function unique(reasons: readonly Reason[]): Reason[] {
  const seen = new Set<string>()
  return reasons.filter(({ calendar, ...rest }) => {
    const key = JSON.stringify([calendar?.connection.id, rest])
    return !seen.has(key) && seen.add(key)
  })
}
