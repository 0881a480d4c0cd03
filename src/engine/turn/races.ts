import { MINUTE_MS } from '../../core/time-units.ts'
import type { Refusal } from '../../platform/http/errors.ts'
import type { PresentMs } from '../../platform/limits/clock.ts'
import { claimTeller } from '../schedule/claimed-starts.ts'
import { refuseStart, requestFor } from '../schedule/decide-start.ts'
import type { Placement } from '../schedule/placement.ts'
import type { Schedule } from '../schedule/schedule.ts'

/*
 * A fence that refuses what was just decided means that another object was faster: then the world is read again, and
 * another host may be free. Event types that share hosts race for each of them.
 */

const FEWEST_ATTEMPTS = 5

/** Every lost race takes a host: who has lost so often finds none free, but for those who were freed meanwhile. */
export function attemptsFor({ hosts }: Schedule): number {
  return Math.max(FEWEST_ATTEMPTS, hosts.length + 2)
}

/**
 * How many of the free hosts are left to others after so many lost races. All who lost would take the same next host;
 * so each looks past twice as many as before at most, and as far as chance has it.
 */
export function hostsToSkip(lost: number): number {
  return lost < 2 ? 0 : Math.floor(Math.random() * 2 ** Math.min(lost - 1, 16))
}

/**
 * Why a start is refused although it is open: every race for it was lost, or it is left to those who wait for it and
 * could not be booked just now. Null where it may be tried.
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
