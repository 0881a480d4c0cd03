import { clocksOf } from '../../src/platform/icalendar/event-clock.ts'
import { type EventPart, readPart, uidOf } from '../../src/platform/icalendar/event-part.ts'
import { expandSeries } from '../../src/platform/icalendar/expand-series.ts'
import { readComponents } from '../../src/platform/icalendar/read-components.ts'
import { StepBudget } from '../../src/platform/icalendar/step-budget.ts'

const DAY_MS = 86_400_000
const TWO_YEARS_MS = 731 * DAY_MS

/** One VEVENT that recurs. */
export type Series = {
  readonly uid: string
  /** Its place among the events of the text, as libical meets them. */
  readonly place: number
  /** Its lines as they are written, unfolded. */
  readonly lines: readonly string[]
  readonly from: number
  readonly to: number
  /** The starts that we find in the two years after the first one, in seconds since 1970; null where we refuse it. */
  readonly ours: readonly number[] | null
  readonly part: EventPart
  /** The zones that the text describes. */
  readonly zones: ReadonlySet<string>
}

/** The series of a text; events without a rule or dates say nothing about expanding. */
export function seriesIn(text: string): Series[] {
  const budget = new StepBudget()
  const { events, zones } = readComponents(text, budget)
  const written = linesOf(text)
  return events.flatMap((event, place) => {
    if (!event.lines.has('RRULE') && !event.lines.has('RDATE')) return []
    const clocks = clocksOf('UTC', zones, { start: 0, end: Date.UTC(2040, 0) }, new StepBudget())
    const part = readPart(event, clocks, new Set(), null)
    if (part === null || part.isChange) return []
    const from = part.begin.instant
    const to = from + TWO_YEARS_MS
    const range = { start: part.begin.wallTime - DAY_MS, end: part.begin.wallTime + TWO_YEARS_MS + DAY_MS }
    return [
      {
        uid: uidOf(event),
        place,
        lines: written[place] ?? [],
        from,
        to,
        ours: startsOf(part, range, from, to),
        part,
        zones: new Set(zones.keys()),
      },
    ]
  })
}

function startsOf(part: EventPart, range: { start: number; end: number }, from: number, to: number) {
  try {
    const found = expandSeries(part, range, new StepBudget()).map(({ instant }) => instant)
    return [...new Set(found)]
      .filter((instant) => instant >= from && instant < to)
      .sort((a, b) => a - b)
      .map((instant) => instant / 1000)
  } catch {
    return null
  }
}

function linesOf(text: string): string[][] {
  const unfolded = text.replace(/\r?\n[ \t]/g, '')
  return [...unfolded.matchAll(/^BEGIN:VEVENT\s*$(.*?)(?=^(?:BEGIN|END):VEVENT\s*$)/gims)].map(([, inside]) =>
    inside!
      .replace(/^BEGIN:VALARM\s*$.*?^END:VALARM\s*$/gims, '')
      .split(/\r?\n/)
      .filter((line) => line !== ''),
  )
}
