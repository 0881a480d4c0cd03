import type { Refusal } from '../../platform/http/errors.ts'
import { calendarsTexts } from '../../platform/i18n/console/calendars.ts'
import { textsOf } from '../../platform/i18n/console/catalogue.ts'
import { problemTexts } from '../../platform/i18n/console/problems.ts'
import type { Locale } from '../../platform/i18n/locale.ts'
import { fill } from '../../platform/i18n/plural.ts'
import { type Trouble, troubleOf } from '../trouble.ts'

/** Why a calendar could not be connected: its server has words of its own, which stand behind ours. */
export function connectTrouble(
  locale: Locale,
  refusal: Refusal,
  fields: Readonly<Record<string, string>>,
): Trouble {
  const texts = textsOf(locale, calendarsTexts)
  const said = fill(textsOf(locale, problemTexts).said, { message: refusal.message })
  return troubleOf(locale, refusal, {
    fields,
    codes: {
      conflict: texts.taken,
      bad_request: `${texts.notAccepted} ${said}`,
      bad_gateway: `${texts.noAnswer} ${said}`,
    },
  })
}
