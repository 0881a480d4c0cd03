import { holdOf } from '../../../core/hold.ts'
import { MINUTE_MS } from '../../../core/time-units.ts'
import { isHostless } from '../../../engine/schedule/hostless-sessions.ts'
import { type Placement, takeOver } from '../../../engine/schedule/placement.ts'
import type { Schedule } from '../../../engine/schedule/schedule.ts'
import { isRequired } from '../../../engine/schedule/team.ts'
import type { AssignedHost } from '../../../platform/db/schema/assigned-host.ts'
import type { BookingRow } from '../../../platform/db/schema/bookings.ts'
import { because, type Refusal } from '../../../platform/http/errors.ts'
import { formatInstant } from '../../../platform/http/instants.ts'

/** What holds time and is to become a booking: a hold, a request, or an unpaid booking. */
type Waiting = {
  readonly id: string
  readonly startTime: number
  readonly endTime: number
  readonly sessionId: string | null
  readonly assignedHost: AssignedHost | null
  readonly coHosts: readonly AssignedHost[] | null
  readonly needsHost?: boolean
}

type Placed = { readonly schedule: Schedule; readonly placement: Placement } | { readonly refusal: Refusal }

/**
 * Its placement; if its host left the organization, with the host who takes over at the same time. `staying` are its hosts
 * who did not leave.
 */
export function placeWaiting(
  schedule: Schedule,
  waiting: Waiting,
  placed: Placement,
  staying: readonly AssignedHost[],
  hostsToSkip: number,
): Placed {
  const { startTime: start, endTime: end } = waiting
  const session = schedule.sessions.find(({ id }) => id === waiting.sessionId)
  const time = { start, end, hold: holdOf(start, rulesOf(schedule, end - start)) }
  if (session && !isHostless(schedule, session)) {
    const { assignedHost: host, calendarConnectionId } = session
    const coHosts = session.coHosts ?? []
    return { schedule, placement: { ...placed, session, host, coHosts, calendarConnectionId } }
  }
  const coHosts = (waiting.coHosts ?? []).filter((one) => isAmong(staying, one))
  if (!hasHostLeft(waiting, staying)) return { schedule, placement: { ...placed, coHosts } }
  const taken = takeOver(schedule, time, session?.id ?? waiting.id, hostsToSkip)
  // Hosts who are members but no longer host this event type keep the meeting.
  const host = taken.host ?? staying.find(({ member_id }) => canLead(schedule, member_id)) ?? null
  if (host === null) return { refusal: refuseUnhosted(schedule, start) }
  const { creditedIds, isAssignment } = taken.isAssignment ? taken : placed
  return {
    schedule,
    placement: {
      ...taken,
      units: placed.units,
      host,
      coHosts: coHosts.filter(({ member_id }) => member_id !== host.member_id),
      session: session ?? placed.session,
      creditedIds,
      isAssignment,
    },
  }
}

/** With a pool, a host who always takes part does not lead a meeting alone. */
function canLead(schedule: Schedule, memberId: string): boolean {
  const { hosts } = schedule
  const hasPool = hosts.some((host) => !isRequired(schedule, host))
  return !hasPool || !hosts.some((host) => host.id === memberId && isRequired(schedule, host))
}

/** Whether its host is not a member any more. `staying` are its hosts who are. */
export function hasHostLeft(
  { assignedHost, needsHost = false }: Pick<Waiting, 'assignedHost' | 'needsHost'>,
  staying: readonly AssignedHost[],
): boolean {
  if (assignedHost === null) return needsHost
  return !isAmong(staying, assignedHost)
}

function isAmong(hosts: readonly AssignedHost[], one: AssignedHost): boolean {
  return hosts.some(({ member_id }) => member_id === one.member_id)
}

/** The placement of a booking that keeps what it has. */
export function placementOfBooking({ startTime, endTime, ...row }: BookingRow): Placement {
  return {
    start: startTime,
    end: endTime,
    hold: { start: startTime, end: endTime },
    resourceIds: [],
    units: row.resources ?? [],
    session: null,
    host: row.assignedHost,
    coHosts: row.coHosts ?? [],
    calendarConnectionId: row.calendarConnectionId,
    busyAsOf: row.busyAsOf,
    creditedIds: [],
    isAssignment: false,
  }
}

export function refuseUnhosted({ hosts }: Schedule, start: number): Refusal {
  return because('host_left', { requested_time: formatInstant(start), hosts_checked: hosts.length })
}

function rulesOf({ eventType }: Schedule, durationMs: number) {
  return {
    durationMs,
    bufferBeforeMs: eventType.bufferBeforeMinutes * MINUTE_MS,
    bufferAfterMs: eventType.bufferAfterMinutes * MINUTE_MS,
  }
}
