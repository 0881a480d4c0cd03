import { type Interval, overlaps } from '../../core/interval.ts'
import { DAY_MS } from '../../core/time-units.ts'
import type { OpenSlots } from './open-slots.ts'
import type { Found, Part } from './slot-memory.ts'

/** Weeks begin at the same instants for everybody, so that searches and availability share them. */
export const SPAN_MS = 7 * DAY_MS

/** The open starts of a part of a week. */
export type Week = Found & { readonly part: Part }

export function weekOf(instant: number): number {
  return Math.floor(instant / SPAN_MS) * SPAN_MS
}

export function weeksIn({ start, end }: Interval): number[] {
  const first = weekOf(start)
  return Array.from({ length: Math.ceil((end - first) / SPAN_MS) }, (_, at) => first + at * SPAN_MS)
}

/** What was found in a range, week by week. Before its earliest start nothing is open in any case. */
export function splitInWeeks(found: Found, range: Interval, fullPeriods: readonly Interval[]): Week[] {
  const isFromEarliest = range.start <= found.earliest
  return weeksIn(range).map((week) => {
    const start = isFromEarliest ? week : Math.max(week, range.start)
    const part = { start, end: Math.min(week + SPAN_MS, range.end) }
    const full = fullPeriods.filter((period) => overlaps(period, part))
    return { ...found, slots: within(part, found.slots), part: { ...part, fullPeriods: full, later: null } }
  })
}

/** The open slots of a range, from the weeks that have all of it, in any order. */
export function joinWeeks(range: Interval, weeks: readonly Week[]): Found {
  const inOrder = weeks.toSorted((one, other) => one.part.start - other.part.start)
  const { part: _, ...first } = inOrder[0]!
  const all = inOrder.map(({ slots }) => within(range, slots))
  const { seats, fullStarts } = first.slots
  return {
    ...first,
    trueUntil: Math.min(...inOrder.map(({ trueUntil }) => trueUntil)),
    earliest: Math.max(...inOrder.map(({ earliest }) => earliest)),
    slots: {
      ...first.slots,
      starts: all.flatMap(({ starts }) => starts),
      fullStarts: fullStarts && all.flatMap((one) => one.fullStarts!),
      seats: seats && { ...seats, left: new Map(all.flatMap((one) => [...one.seats!.left])) },
      isCapped: inOrder.some(({ part }) => part.fullPeriods!.some((period) => overlaps(period, range))),
    },
  }
}

/** A part of a week with the part that was found after it, which counts where both have something; if they touch. */
export function joinParts(before: Week, found: Week): Week {
  const [one, other] = [before.part, found.part]
  const areAlike = one.fullPeriods !== null && other.fullPeriods !== null
  if (!areAlike || one.start > other.end || other.start > one.end) return found
  const earlier = { ...before, slots: within({ start: one.start, end: other.start }, before.slots) }
  const later = { ...before, slots: within({ start: other.end, end: one.end }, before.slots) }
  const range = { start: Math.min(one.start, other.start), end: Math.max(one.end, other.end) }
  const sides = [
    ...(one.start < other.start ? [earlier] : []),
    found,
    ...(one.end > other.end ? [{ ...later, part: { ...one, start: other.end } }] : []),
  ]
  const periods = [...one.fullPeriods!, ...other.fullPeriods!]
  const fullPeriods = [...new Map(periods.map((period) => [period.start, period])).values()]
  const last = one.end > other.end || (one.end === other.end && other.later === null) ? one : other
  return { ...found, ...joinWeeks(range, sides), part: { ...range, fullPeriods, later: last.later } }
}

function within(range: Interval, slots: OpenSlots): OpenSlots {
  const { starts, fullStarts, seats } = slots
  const left = [...(seats?.left ?? [])].filter(([at]) => at >= range.start && at < range.end)
  return {
    ...slots,
    starts: between(range, starts),
    fullStarts: fullStarts && between(range, fullStarts),
    seats: seats && { ...seats, left: new Map(left) },
  }
}

/** The starts ascend. */
function between({ start, end }: Interval, starts: readonly number[]): readonly number[] {
  return starts.slice(firstFrom(start, starts), firstFrom(end, starts))
}

function firstFrom(instant: number, starts: readonly number[]): number {
  let [from, to] = [0, starts.length]
  while (from < to) {
    const middle = (from + to) >> 1
    if (starts[middle]! < instant) from = middle + 1
    else to = middle
  }
  return from
}
