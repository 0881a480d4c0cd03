import { isTimeZone } from '../scheduling/local-time.ts'
import { MINUTE_MS } from '../scheduling/time-units.ts'
import type { Locale } from './locale.ts'
import { fill, type Plural } from './plural.ts'

const formats = new Map<string, Intl.DateTimeFormat>()

/** Making a format costs a hundred times using it, so they are kept. */
function formatFor(tag: string, options: Intl.DateTimeFormatOptions): Intl.DateTimeFormat {
  const key = `${tag}\n${JSON.stringify(options)}`
  const known = formats.get(key)
  if (known) return known
  if (formats.size > 500) formats.clear()
  const made = new Intl.DateTimeFormat(tag, { calendar: 'gregory', ...options })
  formats.set(key, made)
  return made
}

export function counted(
  { tag, language, texts }: Locale,
  plural: keyof PluralKeys<Locale['texts']>,
  n: number,
) {
  const forms = texts[plural] as Plural
  const text = forms[new Intl.PluralRules(language).select(n)] ?? forms.other
  return fill(text, { n: new Intl.NumberFormat(tag).format(n) })
}
type PluralKeys<T> = { [K in keyof T as T[K] extends Plural ? K : never]: true }

export function timeText(locale: Locale, instant: number, timeZone: string): string {
  return formatFor(locale.tag, { hour: 'numeric', minute: '2-digit', timeZone }).format(instant)
}

/** The same where a clock change makes one time happen twice. */
export function timeWithZoneText(locale: Locale, instant: number, timeZone: string): string {
  const options = { hour: 'numeric', minute: '2-digit', timeZoneName: 'short', timeZone } as const
  return formatFor(locale.tag, options).format(instant)
}

/** Day and time in one, with the zone, for a deadline that may lie on any day. */
export function momentText(locale: Locale, instant: number, timeZone: string): string {
  const time = { hour: 'numeric', minute: '2-digit', timeZoneName: 'short' } as const
  const options = { weekday: 'long', day: 'numeric', month: 'long', ...time, timeZone } as const
  return formatFor(locale.tag, options).format(instant)
}

export function dayText(locale: Locale, instant: number, timeZone: string): string {
  return formatFor(locale.tag, { weekday: 'long', day: 'numeric', month: 'long', timeZone }).format(instant)
}

/** Short enough to stand above a column of times. */
export function shortDayText(locale: Locale, midnight: number): string {
  const options = { weekday: 'short', day: 'numeric', month: 'long', timeZone: 'UTC' } as const
  return formatFor(locale.tag, options).format(midnight)
}

export function fullDayText(locale: Locale, instant: number, timeZone: string): string {
  return formatFor(locale.tag, { dateStyle: 'full', timeZone }).format(instant)
}

/** From when to when; with both days where midnight lies between. */
export function spanText(locale: Locale, start: number, end: number, timeZone: string): string {
  const isOneDay = fullDayText(locale, start, timeZone) === fullDayText(locale, end, timeZone)
  const until = isOneDay
    ? timeText(locale, end, timeZone)
    : `${dayText(locale, end, timeZone)}, ${timeText(locale, end, timeZone)}`
  return `${timeText(locale, start, timeZone)} – ${until}`
}

/** A date of the calendar, given as the midnight it would be in UTC. */
export function dateText(locale: Locale, midnight: number): string {
  return dayText(locale, midnight, 'UTC')
}

export function monthText(locale: Locale, midnight: number): string {
  return formatFor(locale.tag, { month: 'long', year: 'numeric', timeZone: 'UTC' }).format(midnight)
}

export function dayNumber(locale: Locale, midnight: number): string {
  return new Intl.NumberFormat(locale.tag).format(new Date(midnight).getUTCDate())
}

export function weekdayText(locale: Locale, midnight: number, weekday: 'long' | 'short'): string {
  return formatFor(locale.tag, { weekday, timeZone: 'UTC' }).format(midnight)
}

/** `Central European Standard Time (Europe/Berlin)` at that instant. */
export function zoneText(locale: Locale, instant: number, timeZone: string): string {
  const parts = formatFor(locale.tag, { timeZoneName: 'long', timeZone }).formatToParts(instant)
  const name = parts.find(({ type }) => type === 'timeZoneName')?.value
  return name && name !== timeZone ? `${name} (${timeZone.replaceAll('_', ' ')})` : timeZone
}

export function durationText(locale: Locale, start: number, end: number): string {
  return counted(locale, 'minutes', Math.round((end - start) / MINUTE_MS))
}

/** `amount` is in the smallest unit of the currency, which is the whole for some (ISO 4217). */
export function moneyText({ tag }: Locale, amount: number, currency: string): string {
  const code = currency.toUpperCase()
  try {
    const format = new Intl.NumberFormat(tag, { style: 'currency', currency: code })
    return format.format(amount / 10 ** minorDigits(code))
  } catch {
    return `${amount} ${code}`
  }
}

/** How many digits the payment provider counts in: as ISO 4217, but for two currencies that it treats otherwise. */
function minorDigits(code: string): number {
  if (code === 'ISK' || code === 'UGX') return 2
  return new Intl.NumberFormat('en', { style: 'currency', currency: code }).resolvedOptions()
    .maximumFractionDigits as number
}

/** Whether slots can be worked out and shown in the zone. */
export function isUsableZone(name: string | null | undefined): name is string {
  if (name == null || !isTimeZone(name)) return false
  try {
    formatFor('en', { hour: 'numeric', timeZone: name })
    return true
  } catch {
    return false
  }
}
