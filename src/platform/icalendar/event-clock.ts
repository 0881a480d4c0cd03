import type ICAL from 'ical.js'
import type { Interval } from '../../core/interval.ts'
import {
  instantOf,
  isTimeZone,
  startOfDate,
  wallTimeOf,
  type ZoneTable,
  zoneTable,
} from '../../core/local-time.ts'
import { HOUR_MS } from '../../core/time-units.ts'
import { readDisplayName, zoneOfPlaces } from './display-names.ts'
import { readComponents } from './read-components.ts'
import { readZone } from './read-zone.ts'
import { StepBudget } from './step-budget.ts'
import { zoneOfWindowsName } from './windows-zones.ts'

/** Turns the wall times of one time zone into instants and back; all are milliseconds. */
export type Clock = {
  readonly instantOf: (wallTime: number) => number
  readonly wallTimeOf: (instant: number) => number
  /** The first instant of the date whose midnight is `midnight`. */
  readonly startOfDate: (midnight: number) => number
  /** How much earlier its instants may be, in milliseconds: more than 0 where nothing says whether there is summer time. */
  readonly doubt: number
}

export type Clocks = {
  /** The clock of floating times and dates. */
  readonly ofCalendar: Clock
  readonly ofUtc: Clock
  /** The clock of a TZID; the calendar's own where the TZID is unknown. */
  readonly named: (tzid: string) => Clock
  /** The budget of everything that is read of the calendar. */
  readonly budget: StepBudget
}

/**
 * The clocks of one calendar text. The IANA database wins over a VTIMEZONE of the same name, which may be old (except names such
 * as EST); then the VTIMEZONE, then Windows names. `span` is the time that definitions are needed for.
 */
export function clocksOf(
  timeZone: string,
  definitions: ReadonlyMap<string, ICAL.Component>,
  span: Interval,
  budget: StepBudget,
): Clocks {
  const clockOfZone = (name: string) => clockOf((instant) => zoneTable(name, instant, instant), budget)
  const ofCalendar = clockOfZone(timeZone)
  const known = new Map<string, Clock>()
  const findShown = (tzid: string): Clock | null => {
    const display = readDisplayName(tzid)
    if (display === null) return null
    budget.spend(OTHER_ZONE * display.places.length)
    const zone = zoneOfPlaces(display, span.end)
    if (zone !== null) return clockOfZone(zone)
    const table = { timeZone: tzid, transitions: [], offsets: [display.offset] }
    return clockOf(() => table, budget, display.places.length > 0 ? HOUR_MS : 0)
  }
  const find = (tzid: string): Clock => {
    budget.spend(OTHER_ZONE)
    const name = ianaNameIn(tzid)
    if (name?.includes('/')) return clockOfZone(name)
    const definition = definitions.get(tzid)
    const table = definition === undefined ? null : readZone(definition, span, budget)
    if (table !== null) return clockOf(() => table, budget)
    const known = name ?? zoneOfWindowsName(tzid)
    return known === null ? (findShown(tzid) ?? ofCalendar) : clockOfZone(known)
  }
  return {
    ofCalendar,
    budget,
    ofUtc: clockOfZone('UTC'),
    named: (tzid) => {
      const clock = known.get(tzid) ?? find(tzid)
      known.set(tzid, clock)
      return clock
    },
  }
}

/**
 * The IANA name of the zone that a `calendar-timezone` (a VCALENDAR with one VTIMEZONE, RFC 4791, section 5.2.2)
 * is about; null where it has none.
 */
export function zoneNameOf(text: string): string | null {
  const [tzid] = readComponents(text, new StepBudget()).zones.keys()
  return tzid === undefined ? null : (ianaNameIn(tzid) ?? zoneOfWindowsName(tzid))
}

/** The IANA name that a TZID is or, after a globally unique prefix (`/mozilla.org/20050126_1/…`), ends with. */
function ianaNameIn(tzid: string): string | null {
  const name = tzid.trim().replace(/^"|"$/g, '')
  if (isTimeZone(name)) return name
  const parts = name.split('/')
  // No name has more than three parts.
  for (let from = Math.max(1, parts.length - 3); from < parts.length - 1; from++) {
    const tail = parts.slice(from).join('/')
    if (isTimeZone(tail)) return tail
  }
  return null
}

/** Steps that asking a clock takes, finding the table of another half-year, and finding out what a TZID means. */
const [ASKING, OTHER_TABLE, OTHER_ZONE] = [5, 200, 500]

/** A table reaches at least 40 days around the instant it is for, so that a wall time will do as one. */
function clockOf(find: (instant: number) => ZoneTable, budget: StepBudget, doubt = 0): Clock {
  let last: ZoneTable | null = null
  const tableAt = (instant: number) => {
    const table = find(instant)
    budget.spend(ASKING + table.transitions.length + (table === last ? 0 : OTHER_TABLE))
    last = table
    return table
  }
  return {
    instantOf: (wallTime) => instantOf(tableAt(wallTime), wallTime),
    wallTimeOf: (instant) => wallTimeOf(tableAt(instant), instant),
    startOfDate: (midnight) => startOfDate(tableAt(midnight), midnight),
    doubt,
  }
}
