import { PRICE_CURRENCIES } from '../../booking/event-types/choices.ts'
import { textsOf } from '../../platform/i18n/console/catalogue.ts'
import { eventTypeTexts } from '../../platform/i18n/console/event-types.ts'
import { minorAmount, minorDigits, moneyText } from '../../platform/i18n/format.ts'
import type { Locale } from '../../platform/i18n/locale.ts'
import { fill } from '../../platform/i18n/plural.ts'
import { numbersOf, problem } from '../../platform/reasons/reason.ts'
import { isChecked, numberIn, orNull } from '../form.ts'
import type { Form } from '../request.ts'
import { CheckField, SelectField, TextField } from '../views/fields.tsx'
import { SpanField, spanIn } from '../views/span-field.tsx'
import { When } from '../views/when.tsx'
import { NumberField } from './number-field.tsx'
import type { EventTypeBody, FieldsProps, FieldsTab, Problems } from './tabs.ts'

/** As many as the endpoint takes. */
const MOST_RULES = 5

/** The price and the refund policy. */
export const paymentTab: FieldsTab = {
  at: '/payment',
  read,
  reword,
  Fields,
  asSent: ({ refund_policy: rules }) => ({
    refund_policy: rules.map(({ until_minutes_before, percent }) => ({ until_minutes_before, percent })),
  }),
  names: { refund_policy: 'refund_policy' },
}

function read(form: Form): EventTypeBody {
  const currency = form.get('price_currency') ?? 'usd'
  const price = orNull(form, 'price_amount')
  const refunds = Array.from({ length: MOST_RULES }, (_, at) => ({
    until_minutes_before: spanIn(form, `until_${at}`),
    percent: numberIn(form, `percent_${at}`),
  }))
  return {
    price_currency: currency,
    // A value that is not a number is sent as text. A dot before three digits may be meant between thousands.
    price_amount: price && (minorAmount(price, currency) ?? price),
    delayed_payment_methods: isChecked(form, 'delayed_payment_methods'),
    // A time without a percentage is an error at the percentage, and not a rule that was removed.
    refund_policy: refunds
      .filter(({ percent, until_minutes_before: until }) => percent !== null || (until ?? 0) !== 0)
      .map((rule) => ({
        ...rule,
        until_minutes_before: rule.until_minutes_before ?? 0,
      })),
  }
}

/** The endpoint counts in cents. */
function reword(
  locale: Locale,
  fields: Problems,
  { price_currency: chosen, price_amount: price }: EventTypeBody,
): Problems {
  const { price_amount: wrong } = fields
  if (wrong === undefined) return fields
  if (typeof price === 'string') return { ...fields, price_amount: problem('not_an_amount') }
  const currency = String(chosen)
  const money = (amount: number | string) => moneyText(locale, Number(amount), currency)
  const low = numbersOf(wrong, 'price_too_low') ?? numbersOf(wrong, 'too_low')
  const high = numbersOf(wrong, 'too_high')
  const uneven = numbersOf(wrong, 'price_uneven')
  return {
    ...fields,
    ...(low && { price_amount: problem('price_too_low', { least: money(low.least), currency }) }),
    ...(high && { price_amount: problem('too_high', { most: money(high.most) }) }),
    ...(uneven && { price_amount: problem('price_uneven', { step: money(uneven.step), currency }) }),
  }
}

function Fields({ request, locale, value, trouble }: FieldsProps) {
  const texts = textsOf(locale, eventTypeTexts)
  const shared = { locale, trouble }
  const digits = minorDigits(value.price_currency.toUpperCase())
  const price = value.price_amount as number | string | null
  return (
    <>
      <section class="panel" aria-label={texts.tabPayment}>
        <div class="pair">
          <TextField
            {...shared}
            name="price_amount"
            inputmode="decimal"
            placeholder=" "
            label={texts.price}
            hint={texts.priceHint}
            value={typeof price === 'number' ? (price / 10 ** digits).toFixed(digits) : (price ?? '')}
            isOptional
          />
          <SelectField
            {...shared}
            name="price_currency"
            label={texts.currency}
            value={value.price_currency}
            options={PRICE_CURRENCIES.map((one) => ({ value: one, text: one.toUpperCase() }))}
          />
        </div>
        <When name="price">
          <CheckField
            {...shared}
            name="delayed_payment_methods"
            label={texts.delayed}
            hint={texts.delayedHint}
            isChecked={value.delayed_payment_methods}
          />
        </When>
      </section>
      <When name="price">
        <fieldset class="panel" id="refund_policy">
          <legend>{texts.refunds}</legend>
          <p class="hint">{texts.refundsHint}</p>
          {trouble.fields?.refund_policy && <p class="error">{trouble.fields.refund_policy}</p>}
          {Array.from({ length: MOST_RULES }, (_, at) => {
            const rule = value.refund_policy[at]
            if (at > value.refund_policy.length) return null
            return (
              <fieldset class="pair plain-set" key={at} aria-label={fill(texts.refundRow, { n: at + 1 })}>
                <SpanField
                  locale={locale}
                  name={`until_${at}`}
                  label={texts.refundUntil}
                  value={rule?.until_minutes_before ?? null}
                  unit={request.form.get(`until_${at}_unit`)}
                  isOptional
                />
                <NumberField
                  locale={locale}
                  name={`percent_${at}`}
                  label={texts.refundPercent}
                  value={rule?.percent ?? null}
                  isOptional
                />
              </fieldset>
            )
          })}
        </fieldset>
      </When>
    </>
  )
}
