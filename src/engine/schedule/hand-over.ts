import { holdOf } from '../../core/hold.ts'
import type { Interval } from '../../core/interval.ts'
import type { RuleToSetAside } from '../../core/rules-to-set-aside.ts'
import { MINUTE_MS } from '../../core/time-units.ts'
import { because, type Refusal } from '../../platform/http/errors.ts'
import { formatInstant } from '../../platform/http/instants.ts'
import { withHolder, withoutHolder } from './apply-booking.ts'
import { calendarFor, calendarHeld, calendarsOf, oldestOf } from './calendar-times.ts'
import { type Decision, onPurpose } from './decide-start.ts'
import { asAssigned, hostsHeldBy, isHeldBy } from './hostless-sessions.ts'
import { freeHosts, isHeld, type Placement, strategyOf } from './placement.ts'
import { isUnitId } from './resources/rooms.ts'
import type { Host, Schedule } from './schedule.ts'
import { settingAside } from './set-aside.ts'

/** A meeting that another host takes over: its time, what it holds with its buffers, and who has it now. */
export type Handed = {
  readonly holderId: string
  readonly start: number
  readonly end: number
  readonly held: Interval | null
  /** The host who gives it up; null if it has none. */
  readonly fromId: string | null
}

type Wish = {
  /** The host who must take it; null for any. */
  readonly memberId: string | null
  readonly setAside: readonly RuleToSetAside[]
  readonly hostsToSkip: number
}

/** The hosts who take part in a meeting now. */
export function participantsOf(schedule: Schedule, { holderId, start }: Handed): readonly Host[] {
  return hostsHeldBy(schedule, holderId, start)
}

/**
 * Places a meeting at its own time with another host. Only what the host can take is judged: the start is not a new one.
 * `creditedIds` is the new host.
 */
export function decideHandOver(schedule: Schedule, handed: Handed, wish: Wish): Decision {
  return onPurpose(wish.setAside, (rules) => decideBy(schedule, handed, wish, rules))
}

function decideBy(
  schedule: Schedule,
  handed: Handed,
  { memberId, hostsToSkip }: Wish,
  setAside: readonly RuleToSetAside[],
): Decision {
  const others = withoutHolder(settingAside(schedule, setAside), handed.holderId, handed.start)
  const asked = askedOf(schedule, handed, memberId)
  const free = freeHosts(others, timeOf(schedule, handed)).filter(({ id }) => asked.has(id))
  const taker = free[hostsToSkip % Math.max(1, free.length)]
  if (!taker) return { refusal: refuseOthers(schedule, handed, memberId) }
  return { schedule, placement: placementOf(others, handed, taker, stayingIn(schedule, handed)) }
}

/** The refusal if none of the hosts who could take it is free. */
export function refuseOthers(schedule: Schedule, handed: Handed, memberId: string | null): Refusal {
  const details = {
    requested_time: formatInstant(handed.start),
    hosts_checked: askedOf(schedule, handed, memberId).size,
  }
  return because('no_other_host', details)
}

/** The hosts who could take it if they are free. */
function askedOf(schedule: Schedule, handed: Handed, memberId: string | null): ReadonlySet<string> {
  const cannot = new Set([handed.fromId, ...stayingIn(schedule, handed).map(({ id }) => id)])
  const ids = schedule.hosts.map(({ id }) => id).filter((id) => !cannot.has(id))
  return new Set(ids.filter((id) => memberId === null || id === memberId))
}

/** The other hosts of a collective meeting, who stay. */
function stayingIn(schedule: Schedule, handed: Handed): readonly Host[] {
  if (strategyOf(schedule.eventType) !== null) return []
  return participantsOf(schedule, handed).filter(({ id }) => id !== handed.fromId)
}

/** Judged by the larger of the buffers that it was made with and today's. */
function timeOf({ eventType }: Schedule, { start, end, held }: Handed) {
  const today = holdOf(start, {
    durationMs: end - start,
    bufferBeforeMs: eventType.bufferBeforeMinutes * MINUTE_MS,
    bufferAfterMs: eventType.bufferAfterMinutes * MINUTE_MS,
  })
  const hold = {
    start: Math.min(today.start, held?.start ?? today.start),
    end: Math.max(today.end, held?.end ?? today.end),
  }
  return { start, end, hold }
}

function placementOf(others: Schedule, handed: Handed, taker: Host, staying: readonly Host[]): Placement {
  const { hosts } = others
  const time = timeOf(others, handed)
  const part = new Set([taker.id, ...staying.map(({ id }) => id)])
  const taking = hosts.filter(({ id }) => part.has(id))
  const first = taking[0]!
  const held = calendarHeld(others, first.id)
  const isFree = held !== null && !isHeld(others, held.connection.id, time.hold)
  return {
    ...time,
    hold: handed.held ?? time.hold,
    resourceIds: [...taking.map(({ resourceId }) => resourceId), ...(isFree ? [held.connection.id] : [])],
    units: [],
    session: null,
    host: asAssigned(first),
    calendarConnectionId: isFree ? (calendarFor(others, first.id)?.connection.id ?? null) : null,
    busyAsOf: oldestOf(calendarsOf(others, first.id)),
    creditedIds: [taker.id],
    isAssignment: true,
  }
}

/** The units of a meeting, which it keeps. */
function unitIdsHeldBy({ holds }: Schedule, holderId: string, start: number): string[] {
  const isTheirs = isHeldBy(holderId, start)
  return [...holds].flatMap(([id, ofResource]) => (isUnitId(id) && ofResource.some(isTheirs) ? [id] : []))
}

/** The schedule after the hand-over, except for the order of assignments. */
export function withHandOver(
  schedule: Schedule,
  { holderId, start }: Handed,
  placement: Placement,
): Schedule {
  const { host, calendarConnectionId } = placement
  const hosted = { assignedHost: host, calendarConnectionId }
  return {
    ...withHolder(withoutHolder(schedule, holderId, start), holderId, {
      ...placement,
      resourceIds: [...placement.resourceIds, ...unitIdsHeldBy(schedule, holderId, start)],
    }),
    sessions: schedule.sessions.map((one) => (one.id === holderId ? { ...one, ...hosted } : one)),
  }
}
