import ICAL from 'ical.js'
import type { StepBudget } from './step-budget.ts'

export type Components = {
  readonly events: readonly ICAL.Component[]
  /** VTIMEZONE definitions by their TZID. */
  readonly zones: ReadonlyMap<string, ICAL.Component>
  /** Events that could not be read, and free/busy times (RFC 5545, section 3.6.4), which are not. */
  readonly broken: number
}

/** The properties that times follow from. Mistakes in all others do no harm. */
const EVENT_PROPERTIES = new Set([
  'UID',
  'SEQUENCE',
  'DTSTAMP',
  'DTSTART',
  'DTEND',
  'DURATION',
  'RRULE',
  'EXRULE',
  'RDATE',
  'EXDATE',
  'RECURRENCE-ID',
  'STATUS',
  'TRANSP',
  'ATTENDEE',
  'X-MICROSOFT-CDO-BUSYSTATUS',
])

/**
 * Dates of which nothing says that they are no times. Many feeds write them so, and Google and Outlook take them for dates:
 * https://github.com/kewisch/ical.js/issues/186, https://github.com/derekantrican/GAS-ICS-Sync/issues/229
 */
const UNNAMED_DATES =
  /^((?:DTSTART|DTEND|RDATE|EXDATE|RECURRENCE-ID)(?!.*;VALUE=)[^:]*):(?=\d{8}(?:,\d{8})*\s*$)/i

/**
 * A zone whose name has a colon and no quotes, which RFC 5545, section 3.2, wants then: `TZID=(UTC+01:00) Amsterdam`. No value of
 * a time has one.
 */
const UNQUOTED_ZONE = /^([^:"]*;TZID=)([^":;]*:[^";]*)((?:;[^:"]*)?:[^:]*)$/i

/**
 * The events and time zones of an iCalendar text (RFC 5545, section 3.4), each read by itself, so that a broken
 * one spoils no other. Lines may end with LF alone. Throws what the budget throws.
 */
export function readComponents(text: string, budget: StepBudget): Components {
  const found = { events: [], zones: new Map(), broken: 0 }
  for (const block of blocksIn(text, budget)) take(found, block, budget)
  return found
}

/** The same of a text of many events, between which others have their turns. */
export async function readManyComponents(text: string, budget: StepBudget): Promise<Components> {
  const found = { events: [], zones: new Map(), broken: 0 }
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
  readonly events: ICAL.Component[]
  readonly zones: Map<string, ICAL.Component>
  broken: number
}

function take(found: Found, { name, lines, isWhole }: Block, budget: StepBudget): void {
  budget.spend(lines.reduce((sum, line) => sum + line.length, 0))
  const component = isWhole ? parse(lines) : null
  if (name === 'VEVENT') {
    if (component === null) found.broken++
    else found.events.push(component)
  } else if (name === 'VFREEBUSY') {
    found.broken++
  } else if (component !== null) {
    found.zones.set(String(component.getFirstPropertyValue('tzid')), component)
  }
}

type Block = { readonly name: string; readonly lines: string[]; isWhole: boolean }

const BLOCKS = new Set(['VEVENT', 'VTIMEZONE', 'VFREEBUSY'])

/** The lines of each VEVENT, VTIMEZONE and VFREEBUSY, without what events contain (VALARM). */
function blocksOf(lines: readonly string[]): Block[] {
  const blocks: Block[] = []
  let open: Block | null = null
  let depth = 0
  for (const line of lines) {
    const [, mark, name] = /^(BEGIN|END):([A-Z-]+)\s*$/i.exec(line)?.map((part) => part.toUpperCase()) ?? []
    if (mark === 'BEGIN' && name !== undefined && BLOCKS.has(name)) {
      // One that begins inside another leaves that one broken.
      open = { name, lines: [`BEGIN:${name}`], isWhole: false }
      blocks.push(open)
      depth = 0
    } else if (open === null) {
    } else if (mark === 'END' && depth === 0) {
      open.lines.push(`END:${open.name}`)
      open.isWhole = name === open.name
      open = null
    } else if (mark === 'BEGIN' || mark === 'END') {
      depth += mark === 'BEGIN' ? 1 : -1
      if (open.name === 'VTIMEZONE') open.lines.push(`${mark}:${name}`)
    } else if (open.name === 'VTIMEZONE' || (depth === 0 && EVENT_PROPERTIES.has(nameOf(line)))) {
      open.lines.push(line.replace(UNNAMED_DATES, '$1;VALUE=DATE:').replace(UNQUOTED_ZONE, '$1"$2"$3'))
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

function nameOf(line: string): string {
  return /^[^;:]*/.exec(line)![0].toUpperCase()
}

function parse(lines: readonly string[]): ICAL.Component | null {
  try {
    return new ICAL.Component(ICAL.parse(lines.join('\r\n')))
  } catch {
    return null
  }
}
