import { holdOf } from '../../core/hold.ts'
import { overlaps } from '../../core/interval.ts'
import { LAST_INSTANT } from '../../core/last-instant.ts'
import type { SlotRequest } from '../../core/slot-request.ts'
import { openStarts } from '../../core/slots.ts'
import { DAY_MS } from '../../core/time-units.ts'
import { badRequest, type Refusal } from '../../platform/http/errors.ts'
import { formatInstant } from '../../platform/http/instants.ts'
import type { PresentMs } from '../../platform/limits/clock.ts'
import { idleHosts } from './people.ts'
import { type Mover, type Placement, placeAt } from './placement.ts'
import type { Schedule } from './schedule.ts'
import { fullPeriods, isGroup, isOffered, type Question, slotRequest } from './slot-request.ts'

const ALTERNATIVES = 3
/** How far ahead they are searched for. */
export const HORIZON_MS = 14 * DAY_MS

export type Decision =
  | { readonly schedule: Schedule; readonly placement: Placement }
  | { readonly refusal: Refusal }

type Wanted = {
  readonly durationMinutes: number
  readonly now: PresentMs
  /** Everybody who comes, in lower case; empty where nobody is judged by who sits there. */
  readonly emails: readonly string[]
  /** How many seats are wanted; one for each address by default. */
  readonly seats?: number
  readonly mover: Mover | null
  /** Whether the caller is anonymous: then the limit of an invitee is told only if the start is open. */
  readonly isAnonymous?: boolean
  /** Why the invitee may not have the start although it is open. */
  readonly evenIfOpen?: Refusal | null
  /** How many free hosts are left to others who race for them. */
  readonly hostsToSkip: number
}

export const ALREADY_SEATED = badRequest('already_seated', 'An attendee already has a seat in this session.')

/** Whether `start` is open, and for whom: the part that booking, rescheduling and promotion share. */
export function decideStart(schedule: Schedule, start: number, wanted: Wanted): Decision {
  const { durationMinutes, now, emails, seats = emails.length, mover } = wanted
  if (fullPeriods(schedule, { start, end: start + 1 }).length > 0) {
    return { refusal: { code: 'booking_cap_reached', message: 'The booking cap of this period is reached.' } }
  }
  const tooMany = refuseInvitee(schedule)
  if (tooMany && !wanted.isAnonymous) return { refusal: tooMany }
  const request = requestFor(schedule, start, { durationMinutes, now, seats })
  if (isOffered(request, start)) {
    // Who comes is judged last: if there is no room, nobody learns who sits there or is booked.
    const refused = tooMany ?? wanted.evenIfOpen
    if (refused) return { refusal: refused }
    const time = { start, end: start + request.durationMs, hold: holdOf(start, request) }
    const placement = placeAt(schedule, time, mover, wanted.hostsToSkip)
    const joins = placement.session !== null && placement.session !== 'new'
    if (joins && emails.some((email) => schedule.seated.get(start)?.has(email))) {
      return { refusal: ALREADY_SEATED }
    }
    return { schedule, placement }
  }
  if (request.oneOf && isOffered({ ...request, oneOf: idleHosts(schedule) }, start)) {
    const details = {
      requested_time: formatInstant(start),
      hosts_checked: schedule.hosts.length,
      ...heldUntil(schedule, start, { durationMinutes, now, seats }),
    }
    return { refusal: { code: 'no_host_available', message: 'Every host is busy at this time.', details } }
  }
  const refusal = refuseStart(request, start, (open) => open === mover?.start)
  const held = heldUntil(schedule, start, { durationMinutes, now, seats })
  return { refusal: { ...refusal, details: { ...refusal.details, ...held } } }
}

/**
 * Until when a start is taken by nothing but what ends by the clock, such as holds; nothing where it would not be open then.
 * Sessions are left out: only the database knows whose seats end.
 */
function heldUntil(schedule: Schedule, start: number, wanted: Omit<Question, 'range'>) {
  if (isGroup(schedule.eventType)) return {}
  const hold = holdOf(start, requestFor(schedule, start, wanted))
  const ending = schedule.holds.filter((one) => {
    const time = { start: one.startsAt, end: one.endsAt }
    return one.expiresAt !== null && one.expiresAt < LAST_INSTANT && overlaps(time, hold)
  })
  const ends = [...new Set(ending.map(({ expiresAt }) => expiresAt!))].sort((a, b) => a - b)
  const isOpenAfter = (end: number) => {
    const holds = schedule.holds.filter(({ expiresAt }) => expiresAt === null || expiresAt > end)
    return isOffered(requestFor({ ...schedule, holds }, start, wanted), start)
  }
  if (ends.length === 0 || !isOpenAfter(ends.at(-1)!)) return {}
  // What is open once one of them is over is open once all are, so the first is found by halves.
  let [from, to] = [0, ends.length - 1]
  while (from < to) {
    const middle = (from + to) >> 1
    if (isOpenAfter(ends[middle]!)) to = middle
    else from = middle + 1
  }
  return { held_until: formatInstant(ends[to]!) }
}

/** Why the invitee may not have one more booking to come here. */
function refuseInvitee({ eventType, inviteeBookings }: Schedule): Refusal | null {
  const { inviteeLimit } = eventType
  if (inviteeLimit === null || inviteeBookings < inviteeLimit) return null
  const message = `An invitee may have ${inviteeLimit} booking(s) to come here.`
  return { code: 'conflict', message, details: { code: 'invitee_limit_reached' } }
}

/** The question whether `start` is open, and what is after it. */
export function requestFor(schedule: Schedule, start: number, wanted: Omit<Question, 'range'>): SlotRequest {
  const from = Math.max(start, schedule.range.start)
  const range = { start: from, end: Math.min(schedule.range.end, from + HORIZON_MS) }
  return slotRequest(schedule, { range, ...wanted })
}

/** The refusal of a start, with what is open after it and claimed by nobody. */
export function refuseStart(
  request: SlotRequest,
  start: number,
  isClaimed: (start: number) => boolean = () => false,
): Refusal {
  const alternatives = alternativesTo(request, start, isClaimed).map(formatInstant)
  return { code: 'conflict', message: 'This time is not open.', details: { alternatives } }
}

/** What is open after a start and claimed by nobody. */
export function alternativesTo(
  request: SlotRequest,
  start: number,
  isClaimed: (start: number) => boolean = () => false,
): number[] {
  const after = { start: Math.max(start + 1, request.range.start), end: request.range.end }
  return openStarts({ ...request, range: after })
    .filter((open) => !isClaimed(open))
    .slice(0, ALTERNATIVES)
}
