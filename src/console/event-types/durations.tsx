import { textsOf } from '../../platform/i18n/console/catalogue.ts'
import { eventTypeTexts } from '../../platform/i18n/console/event-types.ts'
import { lengthText } from '../../platform/i18n/format.ts'
import { fill } from '../../platform/i18n/plural.ts'
import type { FieldsProps } from './tabs.ts'

const COMMON = [15, 30, 45, 60, 90, 120] as const
const OTHERS = [1, 2] as const

/** The durations that invitees choose from: common ones to tick, and fields for others. */
export function DurationFields({ locale, value, trouble }: Omit<FieldsProps, 'request'>) {
  const texts = textsOf(locale, eventTypeTexts)
  const typed: readonly unknown[] = value.duration_options ?? []
  const chosen = typed.filter((one): one is number => Number.isSafeInteger(one))
  const refused = typed.filter((one) => typeof one === 'string')
  const offered = [...new Set([...COMMON, ...chosen])].sort((a, b) => a - b)
  const error = trouble.fields?.duration_options
  return (
    <fieldset class={error ? 'field wrong' : 'field'} id="duration_options">
      <legend>
        {texts.durations}
        <span class="soft"> ({locale.texts.optional})</span>
      </legend>
      <div class="days">
        {offered.map((minutes) => (
          <label key={minutes}>
            <input
              type="checkbox"
              name="duration_options"
              value={minutes}
              checked={chosen.includes(minutes)}
            />
            <span>{lengthText(locale, minutes, true)}</span>
          </label>
        ))}
        {OTHERS.map((n) => (
          <input
            key={n}
            class="short"
            name="duration_other"
            inputmode="numeric"
            value={refused[n - 1]}
            aria-label={fill(texts.durationOther, { n })}
            placeholder={texts.durationMinutes}
          />
        ))}
      </div>
      {error && (
        <p class="error" id="duration_options-error">
          {error}
        </p>
      )}
      <p class="hint">{texts.durationsHint}</p>
    </fieldset>
  )
}
