import { type Interval, mergeIntervals } from './interval.ts'
import { DAY_MS } from './time-units.ts'

export type Strategy = 'round_robin' | 'least_recent' | 'least_bookings' | 'availability_weighted'

/** How far around a start the free time of hosts is measured: seven days in all. */
export const FREE_TIME_REACH_MS = 3.5 * DAY_MS

/** What is known of one host of an event type. Every figure is about that event type alone, but `freeMs`. */
export type Candidate = {
  readonly id: string
  /** The lowest comes first. */
  readonly priority: number
  /** Where the host stands in the order in which they were added: the oldest comes first. */
  readonly addedAt: number
  /** The number of the host's last assignment, in the order that assignments were made; 0 before the first. */
  readonly lastAssignment: number
  /** Bookings to come. */
  readonly activeBookings: number
  /** Every booking that the host was ever given. */
  readonly totalBookings: number
  /** The host's share among equals, positive. */
  readonly weight: number
  /** Time not taken around the wanted start, in milliseconds. */
  readonly freeMs: number
}

type Order = (a: Candidate, b: Candidate) => number

const byRank: Order = (a, b) =>
  a.priority - b.priority || a.addedAt - b.addedAt || (a.id < b.id ? -1 : a.id > b.id ? 1 : 0)

/** The hosts in the order of priority, then age: what every tie falls to. */
export function inRank<C extends Candidate>(hosts: readonly C[]): C[] {
  return hosts.toSorted(byRank)
}

/**
 * All hosts, the one to ask first in front: whoever is free first in this order is assigned. Busy hosts belong
 * in it too, since the round goes on after the last one assigned, whether or not that one is free now.
 *
 * `availability_weighted` divides bookings among equally free hosts in proportion to their weights: the next
 * goes to whom it leaves with the fewest bookings for their weight, so weights of 3 and 1 give a, a, a, b.
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
      return ranked.toSorted((a, b) => b.freeMs - a.freeMs || loadOf(a) - loadOf(b))
  }
}

function loadOf({ totalBookings, weight }: Candidate): number {
  return (totalBookings + 1) / weight
}

/** How much of `window` is in none of the busy times, in milliseconds; they may overlap and reach outside. */
export function freeTimeIn(window: Interval, busy: readonly Interval[]): number {
  const taken = mergeIntervals(
    busy.map(({ start, end }) => ({
      start: Math.max(start, window.start),
      end: Math.min(end, window.end),
    })),
  )
  return window.end - window.start - taken.reduce((sum, { start, end }) => sum + (end - start), 0)
}
