import { DAY_MS, HOUR_MS, MINUTE_MS, SECOND_MS } from '../../core/time-units.ts'
import type { Synced } from './synced.ts'

/** When a calendar is asked again, in epoch milliseconds. */
export type Poll = {
  readonly at: number
  /** When it was last read. */
  readonly readAt: number
  readonly everyMs: number
  /** When its provider last reported a change that no sync has read yet. */
  readonly toldAt?: number
  /** When all its events were last compared with the known ones. */
  readonly comparedAt?: number
}

type Pace = { readonly shortest: number; readonly longest: number; readonly first: number }

/** The more often it changes, the more often it is asked. */
const POLLED: Pace = { shortest: MINUTE_MS, longest: 15 * MINUTE_MS, first: 4 * MINUTE_MS }
/** A feed is whole each time, and its host writes it again that seldom or less often. */
const FEED: Pace = { shortest: 15 * MINUTE_MS, longest: 15 * MINUTE_MS, first: 15 * MINUTE_MS }
/** If the provider notifies, polling only finds what it missed. */
const TOLD: Pace = { shortest: 15 * MINUTE_MS, longest: 6 * HOUR_MS, first: 15 * MINUTE_MS }

const JITTER = 0.1

/** One change causes several notifications and seldom comes alone. */
const GATHER_MS = SECOND_MS
/** A calendar that changes all the time is asked this often. */
const SPACING_MS = 3 * SECOND_MS

/** When a calendar is synced after a notification; null if that is planned already. */
export function pollWhenNotified(before: Poll | null, now: number, isRunning: boolean): Poll | null {
  if (before?.toldAt !== undefined && before.at > now && !isRunning) return null
  const planned = before ?? { ...firstPoll(0), at: Number.POSITIVE_INFINITY }
  const { readAt, at } = planned
  const soon = Math.max(now + GATHER_MS, readAt + SPACING_MS)
  return { ...planned, at: at > now ? Math.min(at, soon) : soon, toldAt: now }
}

/** All calendars of an account of which something is known that only a sync keeps. */
export function pollAtOnce(polls: Readonly<Record<string, Poll>>, now: number): Record<string, Poll> {
  const sooner = Object.entries(polls).map(
    ([id, poll]) => [id, { ...poll, at: Math.min(poll.at, now + GATHER_MS) }] as const,
  )
  return Object.fromEntries(sooner)
}

export function firstPoll(readAt: number): Poll {
  return { at: readAt + POLLED.first, readAt, everyMs: POLLED.first, comparedAt: readAt }
}

/** Some servers do not refuse a cursor that they do not know, so all events are compared once a day. */
export function isComparisonDue(before: Poll | undefined, now: number): boolean {
  return (before?.comparedAt ?? 0) + DAY_MS <= now
}

/** The next poll after a sync that began at `began`; null where the sweep asks again, or nobody. `random` is from 0 to 1. */
export function pollAfter(before: Poll | null, synced: Synced, began: number, random: number): Poll | null {
  if (!('isTold' in synced)) return null
  const { shortest, longest, first } = synced.isTold ? TOLD : synced.isFeed ? FEED : POLLED
  // A reported change needs no sooner poll.
  const isNews = synced.outcome === 'changed' && !(synced.isTold && before?.toldAt !== undefined)
  const wanted = !before ? first : before.everyMs * (isNews ? 0.5 : 1.5)
  const everyMs = Math.min(Math.max(wanted, shortest), longest)
  const planned = { at: began + Math.round(everyMs * (1 - JITTER * random)), readAt: began, everyMs }
  // Notified during the sync, which may have read an older state.
  if (before?.toldAt === undefined || before.toldAt <= began) return planned
  return { ...planned, at: Math.max(before.at, began + SPACING_MS), toldAt: before.toldAt }
}
