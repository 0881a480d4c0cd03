import type { Refusal } from '../../platform/http/errors.ts'
import { bookingsTexts } from '../../platform/i18n/console/bookings.ts'
import { textsOf } from '../../platform/i18n/console/catalogue.ts'
import { moneyText } from '../../platform/i18n/format.ts'
import type { Locale } from '../../platform/i18n/locale.ts'
import { fill } from '../../platform/i18n/plural.ts'
import { type Trouble, troubleOf } from '../trouble.ts'

/** Why the refund failed. The endpoint counts what is left in cents; people do not. */
export function refundTrouble(locale: Locale, refusal: Refusal, currency: string): Trouble {
  const left = refusal.details?.refundable_amount
  if (typeof left !== 'number') return troubleOf(locale, refusal, { fields: { reason: 'refund_reason' } })
  const { refundAtMost } = textsOf(locale, bookingsTexts)
  return { fields: { amount: fill(refundAtMost, { amount: moneyText(locale, left, currency) }) } }
}
