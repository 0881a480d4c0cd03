import { type Interval, mergeIntervals } from './interval.ts'
import { DAY_MS } from './time-units.ts'

export type Strategy = 'round_robin' | 'least_recent' | 'least_bookings' | 'availability_weighted'

/** How far before and after a start the free time of hosts is measured. */
export const FREE_TIME_REACH_MS = 3.5 * DAY_MS

/** A host of an event type. All figures except `freeMs` are about that event type only. */
export type Candidate = {
  readonly id: string
  /** The lowest comes first. */
  readonly priority: number
  /** The order in which hosts were added: the oldest comes first. */
  readonly addedAt: number
  /** The number of the host's last assignment, in the order of assignments; 0 before the first. */
  readonly lastAssignment: number
  /** Upcoming bookings. */
  readonly activeBookings: number
  /** Active bookings in the seven days around the requested start. */
  readonly nearBookings: number
  /** The host's share of the bookings in a week, positive. */
  readonly weight: number
  /** Free time around the requested start, in milliseconds. */
  readonly freeMs: number
}

type Order = (a: Candidate, b: Candidate) => number

const byRank: Order = (a, b) =>
  a.priority - b.priority || a.addedAt - b.addedAt || (a.id < b.id ? -1 : a.id > b.id ? 1 : 0)

/** The hosts in the order of priority, then age, which decides every tie. */
export function inRank<C extends Candidate>(hosts: readonly C[]): C[] {
  return hosts.toSorted(byRank)
}

/**
 * All hosts in the order in which they are asked: the first free one is assigned. Busy hosts are included, because the
 * round goes on after the last assigned host, free or not. `availability_weighted` divides the bookings of a week in
 * proportion to the hosts' weights and free time: the next one goes to the host who would then have the largest part of
 * both for each booking, so weights of 3 and 1 give a, a, a, b.
 */
export function rankHosts<C extends Candidate>(strategy: Strategy, hosts: readonly C[]): C[] {
  const ranked = inRank(hosts)
  switch (strategy) {
    case 'round_robin': {
      const last = ranked.reduce(
        (found, host, at) => (host.lastAssignment > (ranked[found]?.lastAssignment ?? 0) ? at : found),
        -1,
      )
      return [...ranked.slice(last + 1), ...ranked.slice(0, last + 1)]
    }
    case 'least_recent':
      return ranked.toSorted((a, b) => a.lastAssignment - b.lastAssignment)
    case 'least_bookings':
      return ranked.toSorted((a, b) => a.activeBookings - b.activeBookings)
    case 'availability_weighted':
      return ranked.toSorted((a, b) => shareOf(b) - shareOf(a))
  }
}

function shareOf({ weight, freeMs, nearBookings }: Candidate): number {
  return (weight * freeMs) / (1 + nearBookings)
}

/** How much of `window` is in none of the busy times, in milliseconds; these may overlap and reach outside. */
export function freeTimeIn(window: Interval, busy: readonly Interval[]): number {
  const taken = mergeIntervals(
    busy.map(({ start, end }) => ({
      start: Math.max(start, window.start),
      end: Math.min(end, window.end),
    })),
  )
  return window.end - window.start - taken.reduce((sum, { start, end }) => sum + (end - start), 0)
}
