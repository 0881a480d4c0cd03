import { HOUR_MS, MINUTE_MS } from '../../../scheduling/time-units.ts'
import type { Synced } from './sync-calendar.ts'

/** When a calendar is asked again, in epoch milliseconds. */
export type Poll = {
  readonly at: number
  /** When it was last read. */
  readonly readAt: number
  readonly everyMs: number
}

type Pace = { readonly shortest: number; readonly longest: number; readonly first: number }

/** The more often it changes, the more often it is asked. */
const POLLED: Pace = { shortest: MINUTE_MS, longest: 15 * MINUTE_MS, first: 4 * MINUTE_MS }
/** A feed is whole each time, and its host writes it anew that seldom or less often. */
const FEED: Pace = { shortest: 15 * MINUTE_MS, longest: 15 * MINUTE_MS, first: 15 * MINUTE_MS }
/** Where the provider tells of changes, asking only heals what it did not tell. */
const TOLD: Pace = { shortest: 15 * MINUTE_MS, longest: 6 * HOUR_MS, first: 15 * MINUTE_MS }

const JITTER = 0.1

export function firstPoll(readAt: number): Poll {
  return { at: readAt + POLLED.first, readAt, everyMs: POLLED.first }
}

/** The next poll after a sync that began at `began`; null where the sweep asks again, or nobody. `random` is from 0 to 1. */
export function pollAfter(before: Poll | null, synced: Synced, began: number, random: number): Poll | null {
  if (!('isTold' in synced)) return null
  const { shortest, longest, first } = synced.isTold ? TOLD : synced.isFeed ? FEED : POLLED
  const wanted = !before ? first : before.everyMs * (synced.outcome === 'changed' ? 0.5 : 1.5)
  const everyMs = Math.min(Math.max(wanted, shortest), longest)
  return { at: began + Math.round(everyMs * (1 - JITTER * random)), readAt: began, everyMs }
}
