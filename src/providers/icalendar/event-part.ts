import ICAL from 'ical.js'
import type { Interval } from '../../scheduling/interval.ts'
import { DAY_MS } from '../../scheduling/time-units.ts'
import type { Clock, Clocks } from './event-clock.ts'
import { wallOf } from './wall-time.ts'

/** A time in an event: a wall time of a clock, or a whole date. */
export type Moment = {
  readonly clock: Clock
  readonly wallTime: number
  readonly isDate: boolean
  readonly instant: number
}

/** Calendar days, and then milliseconds. */
export type Length = { readonly days: number; readonly ms: number }

/** One VEVENT: an event or series, or a changed occurrence of one. */
export type EventPart = {
  readonly component: ICAL.Component
  readonly uid: string
  readonly revision: readonly [sequence: number, stamp: number]
  readonly recurrenceId: Moment | null
  readonly isThisAndFuture: boolean
  readonly begin: Moment
  readonly length: Length
  readonly isCancelled: boolean
  /** Whether its time is taken: it is not transparent, cancelled, or declined by the owner. */
  readonly isBusy: boolean
}

/** What Exchange calls transparent: MS-OXCICAL, section 2.1.3.1.1.20.25. */
const FREE_AT_MICROSOFT = ['FREE', 'WORKINGELSEWHERE']

/** Throws where the event has no time that can be understood. `owner` holds addresses in lower case. */
export function readPart(component: ICAL.Component, clocks: Clocks, owner: ReadonlySet<string>): EventPart {
  const text = (name: string) => String(component.getFirstPropertyValue(name) ?? '')
  const upper = (name: string) => text(name).trim().toUpperCase()
  const [begin] = momentsOf(component, 'dtstart', clocks)
  if (begin === undefined) throw new RangeError('An event without a start')
  const [recurrenceId] = momentsOf(component, 'recurrence-id', clocks)
  const isCancelled = upper('status') === 'CANCELLED'
  const isFree = upper('transp')
    ? upper('transp') === 'TRANSPARENT'
    : FREE_AT_MICROSOFT.includes(upper('x-microsoft-cdo-busystatus'))
  const stamp = component.getFirstPropertyValue('dtstamp')
  return {
    component,
    uid: text('uid'),
    revision: [Number(text('sequence')) || 0, stamp instanceof ICAL.Time ? wallOf(stamp) : 0],
    recurrenceId: recurrenceId ?? null,
    isThisAndFuture:
      String(component.getFirstProperty('recurrence-id')?.getParameter('range')).toUpperCase() ===
      'THISANDFUTURE',
    begin,
    length: lengthOf(component, begin, clocks),
    isCancelled,
    isBusy: !isCancelled && !isFree && !isDeclined(component, owner),
  }
}

/** The times that all properties of a name hold; of a period its start. */
export function momentsOf(component: ICAL.Component, name: string, clocks: Clocks): Moment[] {
  return component.getAllProperties(name).flatMap((property) =>
    property.getValues().map((value: unknown) => {
      const time = value instanceof ICAL.Period ? value.start : value
      if (!(time instanceof ICAL.Time)) throw new RangeError(`No time in ${name}`)
      return momentOf(time, property, clocks)
    }),
  )
}

/** RFC 5545, section 3.3.5: in UTC, in a zone, or floating, which is in the calendar's zone. */
export function momentOf(time: ICAL.Time, property: ICAL.Property, clocks: Clocks): Moment {
  const tzid = property.getFirstParameter('tzid')
  const wallTime = wallOf(time)
  if (time.isDate) {
    const clock = clocks.ofCalendar
    return { clock, wallTime, isDate: true, instant: clock.startOfDate(wallTime) }
  }
  const isUtc = time.zone === ICAL.Timezone.utcTimezone
  const clock = isUtc ? clocks.ofUtc : tzid ? clocks.named(tzid) : clocks.ofCalendar
  return { clock, wallTime, isDate: false, instant: clock.instantOf(wallTime) }
}

/** The time that begins at a wall time of the clock (or on its date), as long as `length`. */
export function timeAt({ clock, isDate }: Moment, wallTime: number, { days, ms }: Length): Interval {
  const at = (wall: number) => (isDate ? clock.startOfDate(wall) : clock.instantOf(wall))
  const start = at(wallTime)
  return { start: start - clock.doubt, end: (days === 0 ? start : at(wallTime + days * DAY_MS)) + ms }
}

/**
 * RFC 5545, sections 3.6.1 and 3.8.5.3: a DTEND says how long in elapsed time, or in days between dates; a
 * DURATION counts days by the calendar; a date alone is one day, a time alone takes none.
 */
function lengthOf(component: ICAL.Component, begin: Moment, clocks: Clocks): Length {
  const [end] = momentsOf(component, 'dtend', clocks)
  if (end !== undefined) return lengthBetween(begin, end)
  const duration = component.getFirstPropertyValue('duration')
  const length = duration instanceof ICAL.Duration ? lengthOfDuration(duration) : { days: 0, ms: 0 }
  return begin.isDate && length.days === 0 && length.ms === 0 ? { days: 1, ms: 0 } : length
}

function lengthBetween(begin: Moment, end: Moment): Length {
  if (begin.isDate && end.isDate) {
    // Old programs let an all-day event end on its own first day.
    return { days: Math.max(1, Math.round((end.wallTime - begin.wallTime) / DAY_MS)), ms: 0 }
  }
  const elapsed = end.instant - begin.instant
  // A start that a clock change skips can move behind its end.
  const ms = elapsed < 0 && end.clock === begin.clock ? end.wallTime - begin.wallTime : elapsed
  const doubt = end.clock === begin.clock ? 0 : begin.clock.doubt
  if (ms < -doubt) throw new RangeError('An event that ends before it begins')
  return { days: 0, ms: Math.max(0, ms) }
}

export function lengthOfDuration(duration: ICAL.Duration): Length {
  const { weeks, days, hours, minutes, seconds, isNegative } = duration
  const length = { days: weeks * 7 + days, ms: ((hours * 60 + minutes) * 60 + seconds) * 1000 }
  if (!Number.isFinite(length.days + length.ms) || (isNegative && length.days + length.ms > 0)) {
    throw new RangeError('No duration')
  }
  return length
}

function isDeclined(component: ICAL.Component, owner: ReadonlySet<string>): boolean {
  return component.getAllProperties('attendee').some((attendee) => {
    const partstat = String(attendee.getFirstParameter('partstat') ?? '').toUpperCase()
    if (partstat !== 'DECLINED') return false
    const addresses = [attendee.getFirstValue(), attendee.getFirstParameter('email')]
    return addresses.some((address) => owner.has(plainAddress(String(address ?? ''))))
  })
}

/** An address as it is compared: without `mailto:`, in lower case. The Kelvin sign and its like are capitals of no letter of it. */
export function plainAddress(address: string): string {
  return address
    .trim()
    .replace(/^mailto:/i, '')
    .replace(/\p{Lu}/gu, (letter) => {
      const small = letter.toLowerCase()
      return small.toUpperCase() === letter ? small : letter
    })
}
