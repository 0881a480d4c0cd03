import ICAL from 'ical.js'
import { DAY_MS, HOUR_MS } from '../../core/time-units.ts'
import type { Clocks } from './event-clock.ts'
import { beside, firstMoment, type Length, type Moment } from './moment.ts'
import type { EventText } from './read-components.ts'

/** `isGuess` where the event says something of its end that cannot be understood. */
type ReadLength = { readonly length: Length; readonly isGuess: boolean }

const ONE_DAY: Length = { days: 1, ms: 0 }

/**
 * RFC 5545, sections 3.6.1 and 3.8.5.3: a DTEND is elapsed time, or days between dates; a DURATION counts days by the calendar.
 * Without a valid end, a date lasts one day and a time an hour.
 */
export function lengthOf({ lines, isWhole }: EventText, begin: Moment, clocks: Clocks): ReadLength {
  const [ends, durations] = [lines.get('DTEND') ?? [], lines.get('DURATION') ?? []]
  const end = firstMoment(ends, beside(begin, clocks))
  const length =
    (end && lengthBetween(begin, end)) ??
    durations.map(({ value }) => lengthOfDuration(value)).find((each) => each !== null) ??
    null
  if (length !== null) {
    return { length: begin.isDate ? inDays(length) : length, isGuess: false }
  }
  const isGuess = ends.length + durations.length > 0 || !isWhole
  if (begin.isDate) return { length: ONE_DAY, isGuess }
  return { length: { days: 0, ms: isGuess ? HOUR_MS : 0 }, isGuess }
}

/** A date lasts whole days where it can: `PT24H` is the day, also one of 25 hours. */
function inDays({ days, ms, ...shown }: Length): Length {
  const [whole, rest] = [days + Math.floor(ms / DAY_MS), ms % DAY_MS]
  if (rest > 0) return { days: whole, ms: rest, ...shown }
  return whole === 0 ? ONE_DAY : { days: whole, ms: 0 }
}

/** Null where the end comes before the beginning. */
function lengthBetween(begin: Moment, end: Moment): Length | null {
  if (begin.isDate && end.isDate) {
    const days = Math.round((end.wallTime - begin.wallTime) / DAY_MS)
    // Old programs let an all-day event end on its own first day.
    return days < 0 ? null : { days: Math.max(1, days), ms: 0 }
  }
  if (begin.isDate) {
    const ms = begin.clock.wallTimeOf(end.instant) - begin.wallTime
    return ms < 0 ? null : { days: 0, ms, shownMs: ms }
  }
  const isSameClock = end.clock === begin.clock
  const elapsed = end.instant - begin.instant
  const shown = end.wallTime - begin.wallTime
  // A start that a clock change skips can move behind its end.
  const ms = elapsed < 0 && isSameClock ? shown : elapsed
  const doubt = isSameClock ? 0 : begin.clock.doubt
  if (ms < -doubt) return null
  const length = { days: 0, ms: Math.max(0, ms) }
  // Clients show a night that ends at six until six, also when the night is an hour longer.
  return isSameClock ? { ...length, shownMs: shown } : length
}

/** Null where the text is not a duration (RFC 5545, section 3.3.6), or one that goes back in time. */
export function lengthOfDuration(text: string | null): Length | null {
  try {
    const duration = ICAL.Duration.fromString(text?.trim().toUpperCase() ?? '')
    const { weeks, days, hours, minutes, seconds, isNegative } = duration
    const length = { days: weeks * 7 + days, ms: ((hours * 60 + minutes) * 60 + seconds) * 1000 }
    const whole = length.days + length.ms
    return Number.isFinite(whole) && !(isNegative && whole > 0) ? length : null
  } catch {
    return null
  }
}
