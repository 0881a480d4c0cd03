import { isTimeZone, wallTimeOf, zoneTable } from '../../core/local-time.ts'
import { MINUTE_MS } from '../../core/time-units.ts'
import type { Clock, Locale } from './locale.ts'
import { fill, type Plural } from './plural.ts'

const formats = new Map<string, Intl.DateTimeFormat>()

/** Creating a format costs a hundred times as much as using it, so formats are cached. */
function formatFor(tag: string, options: Intl.DateTimeFormatOptions): Intl.DateTimeFormat {
  const key = `${tag}\n${JSON.stringify(options)}`
  const known = formats.get(key)
  if (known) return known
  if (formats.size > 500) formats.clear()
  const made = new Intl.DateTimeFormat(tag, { calendar: 'gregory', ...options })
  formats.set(key, made)
  return made
}

export function counted(locale: Locale, plural: keyof PluralKeys<Locale['texts']>, n: number): string {
  return pluralText(locale, locale.texts[plural] as Plural, n)
}

const pluralRules = new Map<string, Intl.PluralRules>()

/** The plural form for the number, with the number filled in. */
export function pluralText({ tag, language }: Locale, forms: Plural, n: number): string {
  const rules = pluralRules.get(language) ?? new Intl.PluralRules(language)
  pluralRules.set(language, rules)
  const text = forms[rules.select(n)] ?? forms.other
  return fill(text, { n: new Intl.NumberFormat(tag).format(n) })
}

type PluralKeys<T> = { [K in keyof T as T[K] extends Plural ? K : never]: true }

export function timeText(locale: Locale, instant: number, timeZone: string): string {
  return formatFor(locale.tag, { ...timeOptions(locale), timeZone }).format(instant)
}

/** The format of times, so that scripts in the browser use the same. */
export function timeOptions({ clock, tag }: Locale): TimeOptions {
  return {
    hour: 'numeric',
    minute: '2-digit',
    // The language's own clock needs no option: it may write an hour in two digits.
    ...(clock && clock !== ownClock(tag) && { hourCycle: clock === '12' ? 'h12' : 'h23' }),
  }
}
type TimeOptions = Pick<Intl.DateTimeFormatOptions, 'hour' | 'minute' | 'hourCycle'>

export function clockOf({ clock, tag }: Locale): Clock {
  return clock ?? ownClock(tag)
}

function ownClock(tag: string): Clock {
  return formatFor(tag, { hour: 'numeric' }).resolvedOptions().hour12 ? '12' : '24'
}

/** A time with its zone, for when a clock change makes one time happen twice. */
export function timeWithZoneText(locale: Locale, instant: number, timeZone: string): string {
  return `${timeText(locale, instant, timeZone)} ${zoneName(locale, instant, timeZone, 'short')}`
}

/** Day and time in one, with the zone, for a deadline that may lie on any day. */
export function momentText(locale: Locale, instant: number, timeZone: string): string {
  const time = { ...timeOptions(locale), timeZoneName: 'short' } as const
  const options = { weekday: 'long', day: 'numeric', month: 'long', ...time, timeZone } as const
  return formatFor(locale.tag, options).format(instant)
}

/** The same without the zone, for readers whose own zone it is. */
export function ownMomentText(locale: Locale, instant: number, timeZone: string): string {
  const options = {
    weekday: 'long',
    day: 'numeric',
    month: 'long',
    ...timeOptions(locale),
    timeZone,
  } as const
  return formatFor(locale.tag, options).format(instant)
}

/** A moment in short: its day, its time and its zone. */
export function shortMomentText(locale: Locale, instant: number, timeZone: string): string {
  const day = { weekday: 'short', day: 'numeric', month: 'short' } as const
  const options = { ...day, ...timeOptions(locale), timeZoneName: 'short', timeZone } as const
  return formatFor(locale.tag, options).format(instant)
}

/** The same for readers whose own zone it is. */
export function ownShortMomentText(locale: Locale, instant: number, timeZone: string): string {
  const day = { weekday: 'short', day: 'numeric', month: 'short' } as const
  return formatFor(locale.tag, { ...day, ...timeOptions(locale), timeZone }).format(instant)
}

/** `Europe/Berlin` as its city, and how far it is from UTC at that instant. */
export function cityText(locale: Locale, instant: number, timeZone: string): string {
  const offset = zoneName(locale, instant, timeZone, 'shortOffset')
  const city = timeZone.split('/').at(-1)!.replaceAll('_', ' ')
  return offset && offset !== city ? `${city} (${offset})` : city
}

/** Whether clocks in both zones show the same at that instant. */
export function isSameClock(instant: number, one: string, other: string): boolean {
  const options = { dateStyle: 'short', timeStyle: 'short' } as const
  const [a, b] = [one, other].map((timeZone) => formatFor('en', { ...options, timeZone }).format(instant))
  return a === b
}

/** `Mon, Mar 9, 2026`: a day in the subject of an email. */
export function subjectDateText(locale: Locale, instant: number, timeZone: string): string {
  const options = { weekday: 'short', day: 'numeric', month: 'short', year: 'numeric', timeZone } as const
  return formatFor(locale.tag, options).format(instant)
}

export function dayText(locale: Locale, instant: number, timeZone: string): string {
  return formatFor(locale.tag, { weekday: 'long', day: 'numeric', month: 'long', timeZone }).format(instant)
}

/** Short enough for the head of a column of times. */
export function shortDayText(locale: Locale, midnight: number): string {
  const options = { weekday: 'short', day: 'numeric', month: 'long', timeZone: 'UTC' } as const
  return formatFor(locale.tag, options).format(midnight)
}

export function fullDayText(locale: Locale, instant: number, timeZone: string): string {
  return formatFor(locale.tag, { dateStyle: 'full', timeZone }).format(instant)
}

/** From when to when; with both days if it crosses midnight. */
export function spanText(locale: Locale, start: number, end: number, timeZone: string): string {
  const isOneDay = fullDayText(locale, start, timeZone) === fullDayText(locale, end, timeZone)
  const text = isClockChanged(start, end, timeZone) ? timeWithZoneText : timeText
  const until = isOneDay
    ? text(locale, end, timeZone)
    : `${dayText(locale, end, timeZone)}${locale.texts.comma}${text(locale, end, timeZone)}`
  return `${text(locale, start, timeZone)} – ${until}`
}

/** Whether the clocks change in between: then each end names its zone. */
function isClockChanged(start: number, end: number, timeZone: string): boolean {
  const table = zoneTable(timeZone, start, end)
  return wallTimeOf(table, end) - wallTimeOf(table, start) !== end - start
}

/** The same on one line, with the day and the zone. */
export function shortSpanText(locale: Locale, start: number, end: number, timeZone: string): string {
  const from = isClockChanged(start, end, timeZone) ? timeWithZoneText : timeText
  const until = timeWithZoneText(locale, end, timeZone)
  return `${spanDayText(locale, start, timeZone)}${from(locale, start, timeZone)} – ${until}`
}

/** The same for readers whose own zone it is: it has the zone only if the clocks change in between. */
export function ownSpanText(locale: Locale, start: number, end: number, timeZone: string): string {
  const text = isClockChanged(start, end, timeZone) ? timeWithZoneText : timeText
  const until = text(locale, end, timeZone)
  return `${spanDayText(locale, start, timeZone)}${text(locale, start, timeZone)} – ${until}`
}

function spanDayText(locale: Locale, start: number, timeZone: string): string {
  const options = { weekday: 'short', day: 'numeric', month: 'short', timeZone } as const
  return formatFor(locale.tag, options).format(start) + locale.texts.comma
}

/** The hour that clocks in the zone show, 0 to 23. */
export function hourOf(instant: number, timeZone: string): number {
  return Number(formatFor('en', { hour: 'numeric', hourCycle: 'h23', timeZone }).format(instant))
}

/** A date of the calendar, given as the midnight it would be in UTC. */
export function dateText(locale: Locale, midnight: number): string {
  return dayText(locale, midnight, 'UTC')
}

/** From one date to another, such as “March 9 – 15, 2026”. */
export function dateRangeText(locale: Locale, first: number, last: number): string {
  const options = { day: 'numeric', month: 'long', year: 'numeric', timeZone: 'UTC' } as const
  return formatFor(locale.tag, options).formatRange(first, last)
}

export function monthText(locale: Locale, midnight: number): string {
  return formatFor(locale.tag, { month: 'long', year: 'numeric', timeZone: 'UTC' }).format(midnight)
}

/** The months from one date to another: `November – December 2026`. */
export function monthsText(locale: Locale, first: number, last: number): string {
  const options = { month: 'long', year: 'numeric', timeZone: 'UTC' } as const
  return formatFor(locale.tag, options).formatRange(first, last)
}

/** `Dec`, beside the first day of a month that follows another. */
export function shortMonthText(locale: Locale, midnight: number): string {
  return formatFor(locale.tag, { month: 'short', timeZone: 'UTC' }).format(midnight)
}

export function dayNumber(locale: Locale, midnight: number): string {
  return new Intl.NumberFormat(locale.tag).format(new Date(midnight).getUTCDate())
}

export function weekdayText(locale: Locale, midnight: number, weekday: 'long' | 'short' | 'narrow'): string {
  return formatFor(locale.tag, { weekday, timeZone: 'UTC' }).format(midnight)
}

/** `Central European Standard Time (Europe/Berlin)` at that instant. */
export function zoneText(locale: Locale, instant: number, timeZone: string): string {
  const name = zoneName(locale, instant, timeZone, 'long')
  return name && name !== timeZone ? `${name} (${timeZone.replaceAll('_', ' ')})` : timeZone
}

function zoneName({ tag }: Locale, instant: number, timeZone: string, timeZoneName: ZoneStyle) {
  const parts = formatFor(tag, { timeZoneName, timeZone }).formatToParts(instant)
  return parts.find(({ type }) => type === 'timeZoneName')?.value
}
type ZoneStyle = 'short' | 'long' | 'shortOffset'

export function durationText(locale: Locale, start: number, end: number): string {
  return lengthText(locale, Math.round((end - start) / MINUTE_MS))
}

/** `45 minutes`, `3 h`, `1 h 30 min`, `7 days`; in short `45 min`. */
export function lengthText(locale: Locale, minutes: number, isShort = false): string {
  if (minutes < 60) return counted(locale, isShort ? 'shortMinutes' : 'minutes', minutes)
  if (minutes >= 2880 && minutes % 1440 === 0) {
    return new Intl.NumberFormat(locale.tag, { style: 'unit', unit: 'day', unitDisplay: 'long' }).format(
      minutes / 1440,
    )
  }
  const hours = counted(locale, 'hours', Math.floor(minutes / 60))
  if (minutes % 60 === 0) return hours
  return fill(locale.texts.hoursMinutes, { hours, minutes: counted(locale, 'shortMinutes', minutes % 60) })
}

/** `amount` is in the smallest unit of the currency as the payment provider counts, which is the whole for some. */
export function moneyText({ tag, direction }: Locale, amount: number, currency: string): string {
  const code = currency.toUpperCase()
  const digits = minorDigits(code)
  const shown = ALWAYS_WHOLE.has(code) ? 0 : digits
  try {
    const format = new Intl.NumberFormat(tag, {
      style: 'currency',
      currency: code,
      minimumFractionDigits: shown,
      maximumFractionDigits: shown,
    })
    const parts = format.formatToParts(amount / 10 ** digits)
    // From right to left, the sign of `US$` would move before its letters of the alphabet.
    const mark = direction === 'rtl' ? '\u200e' : ''
    return parts.map(({ type, value }) => (type === 'currency' ? `${value}${mark}` : value)).join('')
  } catch {
    return `${amount} ${code}`
  }
}

const NO_DIGITS = new Set('BIF CLP DJF GNF JPY KMF KRW MGA PYG RWF VND VUV XAF XOF XPF'.split(' '))
const THREE_DIGITS = new Set('BHD JOD KWD OMR TND'.split(' '))
/** The provider counts them in hundredths that do not exist. */
const ALWAYS_WHOLE = new Set(['ISK', 'UGX'])

/**
 * How many decimal digits the payment provider uses. Runtimes differ: they format forints and rupiahs without decimals, which
 * would make a price a hundred times too high.
 * Source: https://docs.stripe.com/currencies#zero-decimal
 */
export function minorDigits(code: string): number {
  if (NO_DIGITS.has(code)) return 0
  return THREE_DIGITS.has(code) ? 3 : 2
}

/** The zone, or UTC if it cannot be formatted. */
export function usableZone(name: string): string {
  return isUsableZone(name) ? name : 'UTC'
}

/** Whether slots can be computed and shown in the zone. */
export function isUsableZone(name: string | null | undefined): name is string {
  if (name == null || !isTimeZone(name)) return false
  try {
    formatFor('en', { hour: 'numeric', timeZone: name })
    return true
  } catch {
    return false
  }
}

/** Parses a typed amount such as `25`, `25.00` or `25,5` into the payment provider's smallest unit; null if it is not valid. */
export function minorAmount(typed: string, currency: string): number | null {
  const [, whole, fraction = ''] = /^(\d{1,10})(?:[.,](\d{1,3}))?$/.exec(typed.replace(/\s/g, '')) ?? []
  const digits = minorDigits(currency.toUpperCase())
  if (whole === undefined || fraction.length > digits) return null
  return Number(whole + fraction.padEnd(digits, '0'))
}
