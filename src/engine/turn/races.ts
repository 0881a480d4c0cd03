import { MINUTE_MS } from '../../core/time-units.ts'
import type { Refusal } from '../../platform/http/errors.ts'
import type { PresentMs } from '../../platform/limits/clock.ts'
import { claimTeller } from '../schedule/claimed-starts.ts'
import { refuseStart, requestFor } from '../schedule/decide-start.ts'
import type { Placement } from '../schedule/placement.ts'
import type { Schedule } from '../schedule/schedule.ts'

/*
 * If a fence refuses a decision, another object was faster: the schedule is read again, and another host may be free. Event
 * types that share hosts compete for each of them.
 */

const FEWEST_ATTEMPTS = 5

/** Every lost race takes a host or a unit: after this many, only what was released in the meantime is free. */
export function attemptsFor({ hosts, rooms }: Schedule): number {
  const units = rooms.reduce((sum, { quantity }) => sum + quantity, 0)
  return Math.max(FEWEST_ATTEMPTS, hosts.length + units + 2)
}

/**
 * How many free hosts to skip after this many lost races. Otherwise all losers would take the same next host, so each skips
 * a random number, up to twice as many as before.
 */
export function hostsToSkip(lost: number): number {
  return lost < 2 ? 0 : Math.floor(Math.random() * 2 ** Math.min(lost - 1, 16))
}

/**
 * Why a start is refused although it is open: every race for it was lost, or it is reserved for waitlist entries that could
 * not be booked just now. Null if it may be tried.
 */
export function refuseOpen(
  schedule: Schedule,
  { start, end }: Placement,
  { lost, seats, now }: { readonly lost: number; readonly seats: number; readonly now: PresentMs },
): Refusal | null {
  const isLost = lost >= attemptsFor(schedule)
  if (!isLost && schedule.freed.length === 0) return null
  const request = requestFor(schedule, start, { durationMinutes: (end - start) / MINUTE_MS, now, seats })
  const isClaimed = claimTeller(schedule, request)
  return isLost || isClaimed(start) ? refuseStart(request, start, isClaimed) : null
}
