import { holdOf } from '../../core/hold.ts'
import { overlaps } from '../../core/interval.ts'
import { LAST_INSTANT } from '../../core/last-instant.ts'
import type { RuleToSetAside } from '../../core/rules-to-set-aside.ts'
import type { SlotRequest } from '../../core/slot-request.ts'
import { causesTeller, openStarts } from '../../core/slots.ts'
import { DAY_MS } from '../../core/time-units.ts'
import { because, type Refusal } from '../../platform/http/errors.ts'
import { formatInstant } from '../../platform/http/instants.ts'
import type { PresentMs } from '../../platform/limits/clock.ts'
import { ofHost } from './of-host.ts'
import { type Mover, type Placement, placeAt, strategyOf } from './placement.ts'
import type { Hold, Schedule } from './schedule.ts'
import { NO_RULES, settingAside } from './set-aside.ts'
import {
  fullPeriods,
  isGroup,
  isOffered,
  type Question,
  slotRequest,
  withIdleHosts,
  withoutTaken,
} from './slot-request.ts'

const ALTERNATIVES = 3
/** How far ahead alternatives are searched for. */
export const HORIZON_MS = 14 * DAY_MS

export type Decision =
  | {
      readonly schedule: Schedule
      readonly placement: Placement
      /** The rules that had to be set aside for it; left out if none had to. */
      readonly overridden?: readonly RuleToSetAside[]
    }
  | { readonly refusal: Refusal }

type Wanted = {
  readonly durationMinutes: number
  readonly now: PresentMs
  /** The addresses of all attendees, in lower case; empty if they must not influence the answer. */
  readonly emails: readonly string[]
  /** The number of seats; one per address by default. */
  readonly seats?: number
  readonly mover: Mover | null
  /** Whether the caller is anonymous: then the invitee's limit refuses only an open start. */
  readonly isAnonymous?: boolean
  /** Why the invitee cannot have the start even if it is open. */
  readonly evenIfOpen?: Refusal | null
  /** How many free hosts are skipped, so that others in the race get them. */
  readonly hostsToSkip: number
  /** The host who must take it; null for any. */
  readonly memberId?: string | null
  /** The rules that are set aside, if the start is not open otherwise. */
  readonly setAside?: readonly RuleToSetAside[]
}

export const ALREADY_SEATED = because('already_seated')

/** Whether `start` is open, and its placement: shared by booking, rescheduling and promotion. */
export function decideStart(schedule: Schedule, start: number, wanted: Wanted): Decision {
  const { setAside = NO_RULES, memberId = null } = wanted
  const asked = memberId === null ? schedule : ofHost(schedule, memberId)
  const decide = (rules: readonly RuleToSetAside[]) => {
    const decided = decideBy(asked, start, wanted, rules)
    return 'refusal' in decided ? decided : { ...decided, schedule }
  }
  return onPurpose(setAside, decide)
}

/** Decides with as few of the rules set aside as possible. */
export function onPurpose<D extends Decision>(
  setAside: readonly RuleToSetAside[],
  decide: (rules: readonly RuleToSetAside[]) => D,
): Decision {
  const decided = decide(NO_RULES)
  if (setAside.length === 0 || !('refusal' in decided)) return decided
  let found = decide(setAside)
  if ('refusal' in found) return found
  let needed = setAside
  for (const rule of setAside) {
    const fewer = needed.filter((one) => one !== rule)
    const again = decide(fewer)
    if (!('refusal' in again)) [found, needed] = [again, fewer]
  }
  return { ...found, overridden: needed }
}

function decideBy(
  plain: Schedule,
  start: number,
  wanted: Wanted,
  setAside: readonly RuleToSetAside[],
): Decision {
  const { durationMinutes, now, emails, seats = emails.length, mover } = wanted
  const schedule = settingAside(plain, setAside)
  if (fullPeriods(schedule, { start, end: start + 1 }).length > 0) {
    return { refusal: because('cap_reached') }
  }
  const tooMany = refuseInvitee(schedule)
  if (tooMany && !wanted.isAnonymous) return { refusal: tooMany }
  const plainRequest = requestFor(plain, start, { durationMinutes, now, seats })
  const isOffGrid = missesGrid(plain, start, wanted, setAside)
  const asked = setAside.length === 0 ? plainRequest : exactly(schedule, start, wanted, setAside)
  if (!isOffGrid && isOffered(asked, start)) {
    // The attendees are checked last: if there is no room, nobody learns who has a seat or a booking.
    const refused = tooMany ?? wanted.evenIfOpen
    if (refused) return { refusal: refused }
    const time = { start, end: start + asked.durationMs, hold: holdOf(start, asked) }
    const placement = placeAt(schedule, time, mover, wanted.hostsToSkip)
    const joins = placement.session !== null && placement.session !== 'new'
    if (joins && emails.some((email) => schedule.seated.get(start)?.has(email))) {
      return { refusal: ALREADY_SEATED }
    }
    return { schedule, placement }
  }
  const hasStrategy = strategyOf(schedule.eventType) !== null
  if (!isOffGrid && hasStrategy && isOffered(withIdleHosts(schedule, asked), start)) {
    const details = {
      requested_time: formatInstant(start),
      hosts_checked: schedule.hosts.length,
      ...heldUntil(plain, start, { durationMinutes, now, seats }),
    }
    return { refusal: because('hosts_busy', details) }
  }
  const refusal = refuseStart(plainRequest, start, (open) => open === mover?.start)
  const held = heldUntil(plain, start, { durationMinutes, now, seats })
  return { refusal: { ...refusal, details: { ...refusal.details, ...held } } }
}

/** The request for one start when rules are set aside; without hours or a grid, every instant is a step. */
function exactly(
  schedule: Schedule,
  start: number,
  { durationMinutes, now, emails, seats = emails.length }: Wanted,
  setAside: readonly RuleToSetAside[],
): SlotRequest {
  const request = requestFor(schedule, start, { durationMinutes, now, seats })
  const isAnyStep = setAside.includes('grid') || setAside.includes('hours')
  return isAnyStep ? { ...request, stepMs: 1 } : request
}

/** Whether a start in open time is off the grid, while the hours are set aside: outside open time there is no grid. */
function missesGrid(
  schedule: Schedule,
  start: number,
  { durationMinutes, now }: Wanted,
  setAside: readonly RuleToSetAside[],
): boolean {
  if (!setAside.includes('hours') || setAside.includes('grid')) return false
  const range = { start, end: start + 1 }
  const { needed: _, ...request } = slotRequest(schedule, { range, durationMinutes, now, isAnyDate: true })
  const causes = causesTeller({ ...withoutTaken(request), earliestStart: start })(start)
  return causes.some(({ rule }) => rule === 'grid')
}

/**
 * Until when a start is taken only by what expires, such as holds; null if it would not be open then. Sessions are not
 * considered: only the database knows which of their seats expire.
 */
function heldUntil(schedule: Schedule, start: number, wanted: Omit<Question, 'range'>) {
  if (isGroup(schedule.eventType)) return {}
  const hold = holdOf(start, requestFor(schedule, start, wanted))
  const ending = [...schedule.holds.values(), schedule.kept].flat().filter((one) => {
    return one.expiresAt !== null && one.expiresAt < LAST_INSTANT && overlaps(one, hold)
  })
  const ends = [...new Set(ending.map(({ expiresAt }) => expiresAt!))].sort((a, b) => a - b)
  const isOpenAfter = (end: number) => {
    const isLeft = ({ expiresAt }: Hold) => expiresAt === null || expiresAt > end
    const holds = new Map([...schedule.holds].map(([id, ofResource]) => [id, ofResource.filter(isLeft)]))
    return isOffered(
      requestFor({ ...schedule, holds, kept: schedule.kept.filter(isLeft) }, start, wanted),
      start,
    )
  }
  if (ends.length === 0 || !isOpenAfter(ends.at(-1)!)) return {}
  // If it is open once one of them has expired, it stays open, so a binary search finds the first.
  let [from, to] = [0, ends.length - 1]
  while (from < to) {
    const middle = (from + to) >> 1
    if (isOpenAfter(ends[middle]!)) to = middle
    else from = middle + 1
  }
  return { held_until: formatInstant(ends[to]!) }
}

/** Why the invitee cannot have one more upcoming booking here. */
function refuseInvitee({ eventType, inviteeBookings }: Schedule): Refusal | null {
  const { inviteeLimit } = eventType
  if (inviteeLimit === null || inviteeBookings < inviteeLimit) return null
  return because('invitee_limit_reached', { most: inviteeLimit })
}

/** The request whether `start` is open, and what is open after it. */
export function requestFor(schedule: Schedule, start: number, wanted: Omit<Question, 'range'>): SlotRequest {
  const from = Math.max(start, schedule.range.start)
  const range = { start: from, end: Math.min(schedule.range.end, from + HORIZON_MS) }
  return slotRequest(schedule, { range, ...wanted })
}

/** The refusal of a start, with the open starts after it that are not reserved. */
export function refuseStart(
  request: SlotRequest,
  start: number,
  isClaimed: (start: number) => boolean = () => false,
): Refusal {
  const alternatives = alternativesTo(request, start, isClaimed).map(formatInstant)
  return because('not_open', { alternatives })
}

/** The open starts after a start that are not reserved. */
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
