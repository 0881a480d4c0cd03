import type ICAL from 'ical.js'
import type { Interval } from '../../core/interval.ts'
import type { ZoneTable } from '../../core/local-time.ts'
import { DAY_MS } from '../../core/time-units.ts'
import { expandRule } from './expand-rule.ts'
import { readRule } from './recurrence-rule.ts'
import { type StepBudget, TooMuchWork } from './step-budget.ts'
import { wallOf } from './wall-time.ts'

type Onset = { readonly at: number; readonly from: number; readonly to: number }

/** Room for the onset that holds when the span begins, and the one after it ends. */
const MARGIN_MS = 800 * DAY_MS

/**
 * The offsets of a VTIMEZONE (RFC 5545, section 3.6.5) over `span`, before the first onset as it says; null if none can be
 * understood.
 */
export function readZone(definition: ICAL.Component, span: Interval, budget: StepBudget): ZoneTable | null {
  try {
    return tableOf(definition, span, budget)
  } catch (error) {
    if (error instanceof TooMuchWork) throw error

    return null
  }
}

function tableOf(definition: ICAL.Component, span: Interval, budget: StepBudget): ZoneTable | null {
  const range = { start: span.start - MARGIN_MS, end: span.end + MARGIN_MS }
  const observances = definition
    .getAllSubcomponents()
    .filter(({ name }) => name === 'standard' || name === 'daylight')
  const onsets = observances
    .flatMap((observance) => onsetsOf(observance, range, budget))
    .sort((a, b) => a.at - b.at)
  if (onsets.length === 0) return null
  // What lies before the range says only which offset was the last.
  const past = onsets.findLastIndex(({ at }) => at < range.start)
  const needed = onsets.slice(Math.max(past, 0))
  return {
    timeZone: String(definition.getFirstPropertyValue('tzid')),
    transitions: needed.map(({ at }) => at),
    offsets: [needed[0]!.from, ...needed.map(({ to }) => to)],
  }
}

function onsetsOf(observance: ICAL.Component, range: Interval, budget: StepBudget): Onset[] {
  const [from, to] = [offsetOf(observance, 'tzoffsetfrom'), offsetOf(observance, 'tzoffsetto')]
  const begin = observance.getFirstPropertyValue('dtstart') as ICAL.Time | null
  if (from === null || to === null || begin === null) return []
  const start = wallOf(begin)
  const rules = observance.getAllProperties('rrule').flatMap((property) => {
    const recur = property.getFirstValue() as ICAL.Recur
    const until = recur.until ? wallOf(recur.until) + (recur.until.zone?.tzid === 'UTC' ? from : 0) : null
    // An onset before the range is wanted too: where the rule ended long ago, its last one.
    const end = Math.min(range.end, until === null ? range.end : until + 1)
    return expandRule(
      readRule(recur, until),
      start,
      { start: Math.min(range.start, end - MARGIN_MS), end },
      budget,
    )
  })
  const dates = observance
    .getAllProperties('rdate')
    .flatMap((property) => (property.getValues() as ICAL.Time[]).map(wallOf))
  return [...new Set([start, ...rules, ...dates])].map((wallTime) => ({ at: wallTime - from, from, to }))
}

/** Milliseconds; null when there is none. */
function offsetOf(observance: ICAL.Component, name: string): number | null {
  const offset = observance.getFirstPropertyValue(name) as ICAL.UtcOffset | null
  const seconds = offset?.toSeconds()
  return seconds !== undefined && Number.isFinite(seconds) ? seconds * 1000 : null
}
