import ICAL from 'ical.js'
import { type Interval, intersect, mergeIntervals } from '../../scheduling/interval.ts'
import { DAY_MS } from '../../scheduling/time-units.ts'
import { type Clocks, clocksOf } from './event-clock.ts'
import { type EventPart, plainAddress, readPart, timeAt } from './event-part.ts'
import { expandSeries, marks, type Occurrence } from './expand-series.ts'
import { type Components, readComponents, readManyComponents } from './read-components.ts'
import { type StepBudget, TooManyOccurrences, TooMuchWork } from './step-budget.ts'
import { wallOf } from './wall-time.ts'

/** For an occurrence found, and for keeping it. */
const STEPS_PER_OCCURRENCE = 20

type CalendarText = {
  readonly window: Interval
  /** The calendar's IANA zone, for dates and floating times. */
  readonly timeZone: string
  /** The addresses of the calendar's owner: an invitation they declined blocks nothing. */
  readonly ownerAddresses: readonly string[]
  /** Shared by all texts of one calendar. */
  readonly budget: StepBudget
}

type TimedEvent = {
  readonly uid: string
  /** When it, or its first occurrence, takes place, busy or not; null when it is cancelled. */
  readonly time: Interval | null
  /** The time it takes within the window: merged, ascending, cut at the window's ends. */
  readonly busy: readonly Interval[]
}

type ReadEvents = {
  readonly events: readonly TimedEvent[]
  /** Events (or changed occurrences) that were left out: they make no sense or happen too often. */
  readonly skipped: number
}

/**
 * The events of an iCalendar text (RFC 5545), each series as one, with the times they take. Instants are epoch
 * milliseconds. Throws TooMuchWork when the budget is used up, and nothing else for any text.
 */
export function readEvents(text: string, calendar: CalendarText): ReadEvents {
  try {
    return readAll(text, calendar)
  } catch (error) {
    if (error instanceof TooManyOccurrences) return { events: [], skipped: 1 }
    throw error
  }
}

function readAll(text: string, calendar: CalendarText): ReadEvents {
  const reader = readerOf(readComponents(text, calendar.budget), calendar)
  for (const group of reader.groups) reader.read(group)
  return reader.done()
}

/**
 * The same of a text of many events, such as a whole calendar: others have their turns between them, and one that takes too
 * many steps is left out alone.
 */
export async function readManyEvents(text: string, calendar: CalendarText): Promise<ReadEvents> {
  const { budget } = calendar
  const reader = readerOf(await readManyComponents(text, budget), calendar)
  for (const group of reader.groups) {
    await budget.nextEvent()
    reader.read(group)
  }
  return reader.done()
}

/** Reads the events of a text one after the other, each with all that has its UID. */
function readerOf(components: Components, { window, timeZone, ownerAddresses, budget }: CalendarText) {
  const clocks = clocksOf(timeZone, components.zones, spanOf(components, window), budget)
  const owner = new Set(ownerAddresses.map(plainAddress))
  const events: TimedEvent[] = []
  let skipped = components.broken
  const tryTo = <T>(read: () => T): T | null => {
    try {
      return read()
    } catch (error) {
      if (error instanceof TooMuchWork) throw error
      skipped++
      return null
    }
  }
  const groups = Map.groupBy(components.events, (component) => uidOf(component) || component)
  return {
    groups: [...groups.values()],
    read: (group: readonly ICAL.Component[]) => {
      const parts = group
        .map((component) => tryTo(() => readPart(component, clocks, owner)))
        .filter((part) => part !== null)
      const event = parts.length === 0 ? null : tryTo(() => readEvent(parts, window, clocks))
      if (event !== null) events.push(event)
    },
    done: (): ReadEvents => ({ events, skipped }),
  }
}

function uidOf(component: ICAL.Component): string {
  try {
    return String(component.getFirstPropertyValue('uid') ?? '')
  } catch {
    return ''
  }
}

function readEvent(parts: readonly EventPart[], window: Interval, clocks: Clocks): TimedEvent {
  const series = latest(parts.filter(({ recurrenceId }) => recurrenceId === null))
  const changed = [
    ...Map.groupBy(
      parts.filter(({ recurrenceId }) => recurrenceId !== null),
      ({ recurrenceId }) => recurrenceId!.instant,
    ).values(),
  ].flatMap((group) => latest(group).slice(-1))
  const times = [
    ...series.flatMap((part) => timesOf(part, changed, window, clocks)),
    ...changed.filter(({ isBusy }) => isBusy).map(ownTime),
  ]
  const alive = (series.length > 0 ? series : changed).filter(({ isCancelled }) => !isCancelled)
  return {
    uid: parts[0]!.uid,
    time: alive.map(ownTime).sort((a, b) => a.start - b.start)[0] ?? null,
    busy: intersect(mergeIntervals(times), [window]),
  }
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
  // Some servers leave the zone out of an EXDATE: https://github.com/sabre-io/vobject/issues/722
  const ownClocks = { ...clocks, ofCalendar: series.begin.clock }
  const occurrences = expandSeries(series, rangeOf([series, ...later], window), ownClocks)
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

/** The stretch of time that the zones of a text must cover. */
function spanOf({ events }: Components, window: Interval): Interval {
  let { start, end } = window
  for (const event of events) {
    const wallTime = wallOfStart(event)
    if (wallTime < start) start = wallTime
    if (wallTime > end) end = wallTime
  }
  return { start, end }
}

function wallOfStart(event: ICAL.Component): number {
  try {
    const begin = event.getFirstPropertyValue('dtstart')
    return begin instanceof ICAL.Time ? wallOf(begin) : Number.NaN
  } catch {
    // Reported when the event itself is read.
    return Number.NaN
  }
}
