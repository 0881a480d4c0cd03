import { type Interval, intersect, mergeIntervals } from '../../core/interval.ts'
import { DAY_MS } from '../../core/time-units.ts'
import type { Clocks } from './event-clock.ts'
import type { EventPart } from './event-part.ts'
import { expandSeries, marks } from './expand-series.ts'
import { timeAt } from './moment.ts'
import type { Occurrence } from './recurrence.ts'

/** For an occurrence found, and for keeping it. */
const STEPS_PER_OCCURRENCE = 20

export type TimedEvent = {
  readonly uid: string
  /** When it, or its first occurrence, takes place, busy or not; null when it is cancelled. */
  readonly time: Interval | null
  /** The time it takes within the window: merged, ascending, cut at the window's ends. */
  readonly busy: readonly Interval[]
}

/** The event that all parts of one UID make together. */
export function readEvent(parts: readonly EventPart[], window: Interval, clocks: Clocks): TimedEvent {
  const series = latest(parts.filter(({ isChange }) => !isChange))
  const changed = [
    ...Map.groupBy(
      parts.filter(({ recurrenceId }) => recurrenceId !== null),
      ({ recurrenceId }) => recurrenceId!.instant,
    ).values(),
  ].flatMap((group) => latest(group).slice(-1))
  const strays = parts.filter(isStray)
  const times = [
    ...series.flatMap((part) => timesOf(part, changed, window, clocks)),
    ...changed.filter((part) => part.isBusy && !isLeftOver(part, series)).map(ownTime),
    ...strays.flatMap((part) => timesOf(part, [], window, clocks)),
  ]
  const alive = (series.length > 0 ? series : [...changed, ...strays]).filter(
    ({ isCancelled }) => !isCancelled,
  )
  return {
    uid: parts[0]!.uid,
    time: alive.map(ownTime).sort((a, b) => a.start - b.start)[0] ?? null,
    busy: intersect(mergeIntervals(times), [window]),
  }
}

/** Whether an occurrence was changed before its series left it out. */
function isLeftOver({ recurrenceId }: EventPart, series: readonly EventPart[]): boolean {
  return series.some(({ begin, recurrence }) => {
    const { instant, isDate } = recurrenceId!
    const wallTime = isDate ? recurrenceId!.wallTime : begin.clock.wallTimeOf(instant)
    return marks(recurrence.excludedDates, begin)({ ...recurrenceId!, wallTime })
  })
}

/** The busy times of the unchanged occurrences of a series. */
function timesOf(
  series: EventPart,
  changed: readonly EventPart[],
  window: Interval,
  clocks: Clocks,
): Interval[] {
  const later = changed
    .filter(({ isThisAndFuture }) => isThisAndFuture)
    .sort((a, b) => b.recurrenceId!.instant - a.recurrenceId!.instant)
  if (!series.isBusy && !later.some(({ isBusy }) => isBusy)) return []
  const isChanged = marks(
    changed.map(({ recurrenceId }) => recurrenceId!),
    series.begin,
  )
  const occurrences = expandSeries(series, rangeOf([series, ...later], window), clocks.budget)
  clocks.budget.spend(occurrences.length * (STEPS_PER_OCCURRENCE + later.length))
  return occurrences
    .filter((occurrence) => !isChanged(occurrence))
    .flatMap((occurrence) => {
      const change = later.find(({ recurrenceId }) => recurrenceId!.instant <= occurrence.instant)
      const { isBusy } = change ?? series
      return isBusy ? [change === undefined ? occurrence.time : movedTime(occurrence, change)] : []
    })
}

/** RFC 5545, section 3.8.4.4: with RANGE=THISANDFUTURE all that follow move by as much as the named one did. */
function movedTime(occurrence: Occurrence, change: EventPart): Interval {
  const { begin, length } = change
  return timeAt(begin, begin.clock.wallTimeOf(occurrence.instant) + shiftOf(change), length)
}

function shiftOf({ begin, recurrenceId }: EventPart): number {
  return begin.wallTime - begin.clock.wallTimeOf(recurrenceId!.instant)
}

function ownTime({ begin, length }: EventPart): Interval {
  return timeAt(begin, begin.wallTime, length)
}

/** The wall times that occurrences touching the window can have, in any zone and moved as far as any of them. */
function rangeOf(parts: readonly EventPart[], window: Interval): Interval {
  const lengths = parts.map(({ length }) => length.days * DAY_MS + length.ms)
  const shifts = parts.map((part) => (part.recurrenceId === null ? 0 : shiftOf(part)))
  return {
    start: window.start - Math.max(...lengths) - Math.max(0, ...shifts) - 2 * DAY_MS,
    end: window.end - Math.min(0, ...shifts) + 2 * DAY_MS,
  }
}

/** Those of the newest revision (RFC 5546, section 2.1.5). */
function latest(parts: readonly EventPart[]): readonly EventPart[] {
  const order = (a: EventPart, b: EventPart) => a.revision[0] - b.revision[0] || a.revision[1] - b.revision[1]
  const newest = parts.toSorted(order).at(-1)
  return newest === undefined ? [] : parts.filter((part) => order(part, newest) === 0)
}

/** Which occurrence it changes is not known, so it takes its time beside all of them. */
export function isStray({ isChange, recurrenceId }: EventPart): boolean {
  return isChange && recurrenceId === null
}
