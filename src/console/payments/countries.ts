import type { Locale } from '../../platform/i18n/locale.ts'
import type { Option } from '../views/fields.tsx'

/**
 * Countries where the payment provider has accounts (https://stripe.com/global). The provider refuses a country that it has
 * left.
 */
const COUNTRIES =
  'AE AT AU BE BG BR CA CH CY CZ DE DK EE ES FI FR GB GI GR HK HR HU IE IT JP LI LT LU LV MT MX MY NL NO NZ PL PT RO SE SG SI SK TH US'.split(
    ' ',
  )

/** Countries by their names in the reader's language, in its order. */
export function countryOptions({ tag }: Locale): readonly Option[] {
  const names = new Intl.DisplayNames(tag, { type: 'region' })
  return COUNTRIES.map((value) => ({ value, text: names.of(value) ?? value })).sort((a, b) =>
    a.text.localeCompare(b.text, tag),
  )
}
