import { formatInstant } from '../../platform/http/instants.ts'
import { dayText } from '../../platform/i18n/format.ts'
import { timeOn } from '../booking-times.ts'
import type { Page } from '../page.ts'

type Props = {
  readonly page: Page
  readonly zone: string
  readonly starts: readonly number[]
  readonly name: string
}

/** The next open times, to be taken with everything that was typed. */
export function Alternatives({ page, zone, starts, name }: Props) {
  const { locale } = page
  return (
    <fieldset class="alternatives">
      <legend>{locale.texts.otherTimes}</legend>
      {starts.map((start, at) => (
        <label key={start}>
          <input type="radio" name={name} value={formatInstant(start)} defaultChecked={at === 0} />
          <span>
            {dayText(locale, start, zone)}
            {locale.texts.comma}
            <strong>{timeOn(page, start, zone)}</strong>
          </span>
        </label>
      ))}
    </fieldset>
  )
}
