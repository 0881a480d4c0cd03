import ICAL from 'ical.js'
import { EVENT_PROPERTIES, nameOf, type PropertyLine, readLine } from './property-line.ts'
import type { StepBudget } from './step-budget.ts'

/** What an event says of its times, by the names of its properties. */
export type EventText = {
  readonly lines: ReadonlyMap<string, readonly PropertyLine[]>
  /** False where it does not end, so that something may be missing. */
  readonly isWhole: boolean
}

export type Components = {
  readonly events: readonly EventText[]
  /** Free/busy times (RFC 5545, section 3.6.4), which are not read. */
  readonly freeBusy: readonly EventText[]
  /** VTIMEZONE definitions by their TZID. */
  readonly zones: ReadonlyMap<string, ICAL.Component>
}

/** What a zone follows from. Mistakes in all others do no harm. */
const ZONE_PROPERTIES = new Set(['TZID', 'DTSTART', 'RRULE', 'RDATE', 'TZOFFSETFROM', 'TZOFFSETTO'])

/** Dates in a zone, which ical.js takes for times: https://github.com/kewisch/ical.js/issues/186 */
const UNNAMED_DATES = /^((?:DTSTART|RDATE)(?!.*;VALUE=)[^:]*):(?=\d{8}(?:,\d{8})*\s*$)/i

/**
 * A zone whose name has a colon and no quotes, which RFC 5545, section 3.2, wants then: `TZID=(UTC+01:00) Amsterdam`. No value of
 * a time has one.
 */
const UNQUOTED_ZONE = /^([^:"]*;TZID=)([^":;]*:[^";]*)((?:;[^:"]*)?:[^:]*)$/i

/**
 * The events and time zones of an iCalendar text (RFC 5545, section 3.4), each read alone, so that a broken
 * one spoils no other. Lines may end with LF alone. Throws what the budget throws.
 */
export function readComponents(text: string, budget: StepBudget): Components {
  const found = { events: [], freeBusy: [], zones: new Map() }
  for (const block of blocksIn(text, budget)) take(found, block, budget)
  return found
}

/** The same of a text of many events, between which others have their turns. */
export async function readManyComponents(text: string, budget: StepBudget): Promise<Components> {
  const found = { events: [], freeBusy: [], zones: new Map() }
  for (const block of blocksIn(text, budget)) {
    await budget.nextEvent()
    take(found, block, budget)
  }
  return found
}

function blocksIn(text: string, budget: StepBudget): Block[] {
  const lines = unfold(text)
  budget.spend(text.length / 10 + lines.length * 3)
  return blocksOf(lines)
}

type Found = {
  readonly events: EventText[]
  readonly freeBusy: EventText[]
  readonly zones: Map<string, ICAL.Component>
}

function take(found: Found, { name, lines, isWhole }: Block, budget: StepBudget): void {
  budget.spend(lines.reduce((sum, line) => sum + line.length, 0))
  if (name === 'VTIMEZONE') {
    const zone = isWhole ? parseZone(lines) : null
    if (zone !== null) found.zones.set(String(zone.getFirstPropertyValue('tzid')), zone)
    return
  }
  const text = { lines: Map.groupBy(lines.map(readLine), ({ name }) => name), isWhole }
  if (name === 'VEVENT') found.events.push(text)
  else found.freeBusy.push(text)
}

type Block = { readonly name: string; readonly lines: string[]; isWhole: boolean }

const BLOCKS = new Set(['VEVENT', 'VTIMEZONE', 'VFREEBUSY'])

/** The lines between the first and the last of each VEVENT, VTIMEZONE and VFREEBUSY, without what events contain (VALARM). */
function blocksOf(lines: readonly string[]): Block[] {
  const blocks: Block[] = []
  let open: Block | null = null
  let depth = 0
  for (const line of lines) {
    const [, mark, name] = /^(BEGIN|END):([A-Z-]+)\s*$/i.exec(line)?.map((part) => part.toUpperCase()) ?? []
    if (mark === 'BEGIN' && name !== undefined && BLOCKS.has(name)) {
      // One that begins inside another ends that one.
      open = { name, lines: [], isWhole: false }
      blocks.push(open)
      depth = 0
    } else if (open === null) {
    } else if (mark === 'END' && depth === 0) {
      open.isWhole = name === open.name
      open = null
    } else if (mark === 'BEGIN' || mark === 'END') {
      depth += mark === 'BEGIN' ? 1 : -1
      if (open.name === 'VTIMEZONE') open.lines.push(`${mark}:${name}`)
    } else if (open.name === 'VTIMEZONE') {
      if (ZONE_PROPERTIES.has(nameOf(line))) open.lines.push(line.replace(UNNAMED_DATES, '$1;VALUE=DATE:'))
    } else if (depth === 0 && EVENT_PROPERTIES.has(nameOf(line))) {
      open.lines.push(line.replace(UNQUOTED_ZONE, '$1"$2"$3'))
    }
  }
  return blocks
}

/** RFC 5545, section 3.1. */
function unfold(text: string): string[] {
  return text
    .replace(/^\uFEFF/, '')
    .replace(/\r?\n[ \t]/g, '')
    .split(/\r\n|\n|\r/)
    .filter((line) => line.trim() !== '')
}

function parseZone(lines: readonly string[]): ICAL.Component | null {
  try {
    return new ICAL.Component(ICAL.parse(['BEGIN:VTIMEZONE', ...lines, 'END:VTIMEZONE'].join('\r\n')))
  } catch {
    return null
  }
}
