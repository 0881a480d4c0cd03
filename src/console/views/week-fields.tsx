import { DAY_MS } from '../../core/time-units.ts'
import { textsOf } from '../../platform/i18n/console/catalogue.ts'
import { hoursTexts } from '../../platform/i18n/console/hours.ts'
import { weekdayText } from '../../platform/i18n/format.ts'
import type { Locale } from '../../platform/i18n/locale.ts'
import type { Form } from '../request.ts'
import type { Trouble } from '../trouble.ts'

type Interval = { readonly start_time: string; readonly end_time: string }
type Rule = Interval & { readonly day_of_week: number }
type Override = { readonly date: string; readonly intervals: readonly Interval[] }
export type Hours = { readonly rules: readonly Rule[]; readonly overrides: readonly Override[] }

/** Monday first; 0 is Sunday. */
const WEEK = [1, 2, 3, 4, 5, 6, 0] as const
/** A Sunday. */
const SUNDAY = 3 * DAY_MS
const BLANK: Interval = { start_time: '', end_time: '' }

type Props = { readonly locale: Locale; readonly hours: Hours; readonly trouble?: Trouble | undefined }

/** The hours of each day, and of single dates. Whatever is left empty counts for nothing, so no script is needed. */
export function WeekFields({ locale, hours, trouble }: Props) {
  const texts = textsOf(locale, hoursTexts)
  return (
    <>
      <p class="hint">{texts.weekHint}</p>
      <div class="week">
        {WEEK.map((day) => {
          const name = weekdayText(locale, SUNDAY + day * DAY_MS, 'long')
          const own = hours.rules.filter((rule) => rule.day_of_week === day)
          const error = trouble?.fields?.[`day_${day}`]
          return (
            <fieldset key={day} class={error ? 'weekday wrong' : 'weekday'} id={`day_${day}`}>
              <legend class="weekday-name">{name}</legend>
              <div class="spans">
                {(own.length > 0 ? own : [BLANK]).map((one, at) => (
                  <Times key={at} locale={locale} name={`d${day}`} of={name} interval={one} />
                ))}
                <details>
                  <summary class="more">{texts.moreTimes}</summary>
                  <Times locale={locale} name={`d${day}`} of={name} interval={BLANK} />
                  <Times locale={locale} name={`d${day}`} of={name} interval={BLANK} />
                </details>
                <button type="button" class="ghost" data-copy-day hidden>
                  {texts.copyToAll}
                  <span class="unseen"> ({name})</span>
                </button>
                {error && <p class="error">{error}</p>}
              </div>
            </fieldset>
          )
        })}
      </div>
      <h2>{texts.overrides}</h2>
      <p class="hint">{texts.overridesHint}</p>
      <OverrideFields locale={locale} hours={hours} trouble={trouble} />
    </>
  )
}

function OverrideFields({ locale, hours, trouble }: Props) {
  const texts = textsOf(locale, hoursTexts)
  const rows = hours.overrides.flatMap(({ date, intervals }, at) =>
    (intervals.length > 0 ? intervals : [BLANK]).map((interval, nth) => ({
      date,
      interval,
      id: rowId(at, nth),
    })),
  )
  const row = (date: string, interval: Interval, id: string) => {
    const wrong = trouble?.fields?.[id]
    return (
      <div class="override" key={id} id={id}>
        <input type="date" name="o_date" value={date} aria-label={texts.date} />
        <Times locale={locale} name="o" of={date || texts.date} interval={interval} />
        {wrong && <p class="error">{wrong}</p>}
      </div>
    )
  }
  const error = trouble?.fields?.overrides
  return (
    <div class={error ? 'spans wrong' : 'spans'} id="overrides">
      {rows.map(({ date, interval, id }) => row(date, interval, id))}
      {row('', BLANK, 'override_new')}
      <details>
        <summary class="more">{texts.moreDates}</summary>
        {[1, 2, 3, 4].map((at) => row('', BLANK, `override_more_${at}`))}
      </details>
      {error && <p class="error">{error}</p>}
    </div>
  )
}

/** Where what is wrong with one time of a date is told. */
function rowId(at: number, nth: number): string {
  return `override_${at}_${nth}`
}

type TimesProps = {
  readonly locale: Locale
  readonly name: string
  readonly of: string
  readonly interval: Interval
}

function Times({ locale, name, of, interval }: TimesProps) {
  const texts = textsOf(locale, hoursTexts)
  // The field of a browser knows no 24:00: as an end, midnight is that of the next day.
  const end = interval.end_time.startsWith('24:00') ? '00:00' : interval.end_time
  return (
    <span class="times-row">
      <input
        type="time"
        name={`${name}_from`}
        value={interval.start_time}
        aria-label={`${of}: ${texts.from}`}
      />
      <span aria-hidden="true">–</span>
      <input type="time" name={`${name}_to`} value={end} aria-label={`${of}: ${texts.to}`} />
      <button type="button" class="round" data-clear hidden aria-label={`${of}: ${texts.clear}`}>
        <span aria-hidden="true">×</span>
      </button>
    </span>
  )
}

/** What was typed, and how the form calls the fields that the endpoint names. */
export function readHours(form: Form): { readonly hours: Hours; readonly names: Record<string, string> } {
  const names: Record<string, string> = {}
  const rules = WEEK.flatMap((day) =>
    intervalsIn(form, `d${day}`).flatMap((interval) =>
      isBlank(interval) ? [] : [{ day_of_week: day, ...interval }],
    ),
  )
  for (const [at, { day_of_week: day }] of rules.entries()) {
    names[`rules.${at}.start_time`] = names[`rules.${at}.end_time`] = `day_${day}`
  }
  const byDate = new Map<string, Interval[]>()
  const intervals = intervalsIn(form, 'o')
  for (const [at, date] of form.all('o_date').entries()) {
    const interval = intervals[at] ?? BLANK
    if (date === '' && isBlank(interval)) continue
    byDate.set(date, [...(byDate.get(date) ?? []), ...(isBlank(interval) ? [] : [interval])])
  }
  const overrides = [...byDate].map(([date, own]) => ({ date, intervals: own }))
  for (const [at, { intervals: own }] of overrides.entries()) {
    names[`overrides.${at}.date`] = names[`overrides.${at}.intervals`] = rowId(at, 0)
    for (const nth of own.keys()) {
      const path = `overrides.${at}.intervals.${nth}`
      names[`${path}.start_time`] = names[`${path}.end_time`] = rowId(at, nth)
    }
  }
  return { hours: { rules, overrides }, names }
}

function intervalsIn(form: Form, name: string): Interval[] {
  const ends = form.all(`${name}_to`)
  return form.all(`${name}_from`).map((start_time, at) => {
    const end = ends[at] ?? ''
    return { start_time, end_time: end === '00:00' ? '24:00' : end }
  })
}

function isBlank({ start_time, end_time }: Interval): boolean {
  return start_time === '' && end_time === ''
}
