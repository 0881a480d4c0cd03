import type { ComponentChildren } from 'preact'
import { bookingFormTexts } from '../../platform/i18n/console/booking-forms.ts'
import { textsOf } from '../../platform/i18n/console/catalogue.ts'
import type { Locale } from '../../platform/i18n/locale.ts'

export type Fact = readonly [name: string, told: ComponentChildren] | null | false | ''

/** What is known, each by its name; what is not known is left out. */
export function Facts({ facts }: { readonly facts: readonly Fact[] }) {
  return (
    <dl class="pairs">
      {facts.map(
        (fact, at) =>
          fact && (
            <div key={at}>
              <dt>{fact[0]}</dt>
              <dd>{fact[1]}</dd>
            </div>
          ),
      )}
    </dl>
  )
}

type AnswerProps = {
  readonly locale: Locale
  readonly value: string | number | boolean | readonly string[]
}

/** What was answered to a question of the form. */
export function AnswerText({ locale, value }: AnswerProps) {
  const { yes, no } = textsOf(locale, bookingFormTexts)
  if (typeof value === 'boolean') return <>{value ? yes : no}</>
  const text = typeof value === 'number' ? value.toLocaleString(locale.tag) : value
  return (
    <span class="pre" dir="auto">
      {Array.isArray(text) ? text.join(', ') : text}
    </span>
  )
}
