import type { Interval } from '../../core/interval.ts'
import { type Clocks, clocksOf } from './event-clock.ts'
import { type EventPart, isBusy, plainAddress, readPart, uidOf } from './event-part.ts'
import { isStray, readEvent, type TimedEvent } from './event-times.ts'
import { wallTimeIn } from './moment.ts'
import { type Components, type EventText, readComponents, readManyComponents } from './read-components.ts'
import { type StepBudget, TooManyOccurrences, TooMuchWork } from './step-budget.ts'
import { dateOf, type EventName, shownUid, together, type Unclear, unclearEvent } from './unclear-events.ts'

type CalendarText = {
  readonly window: Interval
  /** The calendar's IANA zone, for dates and floating times. */
  readonly timeZone: string
  /** The addresses of the calendar's owner: an invitation they declined blocks nothing. */
  readonly ownerAddresses: readonly string[]
  /** Whether events that are marked free block time, too. */
  readonly countsFree?: boolean
  /** Shared by all texts of one calendar. */
  readonly budget: StepBudget
}

type ReadEvents = {
  readonly events: readonly TimedEvent[]
  readonly unclear: Unclear
  /** Whether an event is missing, since it has no start that can be read or happens too often. */
  readonly isCut: boolean
}

/**
 * The events of an iCalendar text (RFC 5545), each series as one, with the times they take. Instants are epoch
 * milliseconds. Throws TooMuchWork when the budget is used up, and nothing else for any text.
 */
export function readEvents(text: string, calendar: CalendarText): ReadEvents {
  try {
    return readAll(text, calendar)
  } catch (error) {
    if (error instanceof TooManyOccurrences) {
      return { events: [], unclear: unclearEvent({ uid: null, date: null }), isCut: true }
    }
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
function readerOf(
  components: Components,
  { window, timeZone, ownerAddresses, countsFree = false, budget }: CalendarText,
) {
  const clocks = clocksOf(timeZone, components.zones, spanOf(components, window), budget)
  const owner = new Set(ownerAddresses.map(plainAddress))
  const events: TimedEvent[] = []
  const unclear = components.freeBusy.map((text) => unclearEvent(nameOf([text])))
  let isCut = unclear.length > 0
  const groups = Map.groupBy(components.events, (text) => uidOf(text) || text)
  return {
    groups: [...groups.values()],
    read: (group: readonly EventText[]) => {
      try {
        const { event, isUnclear } = readGroup(group, { owner, countsFree }, window, clocks)
        if (event !== null) events.push(event)
        else isCut = true
        if (isUnclear) unclear.push(unclearEvent(nameOf(group)))
      } catch (error) {
        if (error instanceof TooMuchWork) throw error
        unclear.push(unclearEvent(nameOf(group)))
        isCut = true
      }
    },
    done: (): ReadEvents => ({ events, unclear: together(unclear), isCut }),
  }
}

function nameOf(group: readonly EventText[]): EventName {
  const starts = group.flatMap((text) => startsOf(text))
  return { uid: shownUid(uidOf(group[0]!)), date: starts.length > 0 ? dateOf(Math.min(...starts)) : null }
}

/** As wall times. */
function startsOf({ lines }: EventText): number[] {
  return (lines.get('DTSTART') ?? []).flatMap(({ value }) => wallTimeIn(value ?? '') ?? [])
}

/** The event of one UID, null where nothing of it has a start; and whether something that changes its busy time is unclear. */
function readGroup(
  group: readonly EventText[],
  { owner, countsFree }: { readonly owner: ReadonlySet<string>; readonly countsFree: boolean },
  window: Interval,
  clocks: Clocks,
): { readonly event: TimedEvent | null; readonly isUnclear: boolean } {
  const [heads, changes] = [false, true].map((isChange) =>
    group.filter(({ lines }) => lines.has('RECURRENCE-ID') === isChange),
  ) as [EventText[], EventText[]]
  const series = heads.map((text) => readPart(text, clocks, owner, null, countsFree))
  const begin = series.find((part) => part !== null)?.begin ?? null
  const read = [...series, ...changes.map((text) => readPart(text, clocks, owner, begin, countsFree))]
  const parts = read.filter((part) => part !== null)
  const event = parts.length === 0 ? null : readEvent(parts, window, clocks)
  const isLacking = [...heads, ...changes].some(
    (text, at) => read[at] === null && isBusy(text, owner, countsFree),
  )
  return { event, isUnclear: isLacking || parts.some((part) => isUnclear(part, parts, event!.busy, window)) }
}

/** Whether the event may take more or less time within the window than was read. */
function isUnclear(
  part: EventPart,
  all: readonly EventPart[],
  busy: readonly Interval[],
  window: Interval,
): boolean {
  const { begin, recurrence, isBusy, isGuess } = part
  if (isBusy && recurrence.lacksTimes && begin.instant < window.end) return true
  const isMore = recurrence.lacksExceptions || (isStray(part) && all.length > 1)
  return busy.length > 0 && (isMore || (isBusy && isGuess))
}

/** The stretch of time that the zones of a text must cover. */
function spanOf({ events }: Components, window: Interval): Interval {
  let { start, end } = window
  for (const wallTime of events.flatMap(startsOf)) {
    if (wallTime < start) start = wallTime
    if (wallTime > end) end = wallTime
  }
  return { start, end }
}
