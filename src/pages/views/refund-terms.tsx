import type { RefundStep } from '../../money/payments/refunds/refund-steps.ts'
import { headed } from '../../platform/i18n/colon.ts'
import { moneyText } from '../../platform/i18n/format.ts'
import { fill } from '../../platform/i18n/plural.ts'
import { momentOn } from '../booking-times.ts'
import type { Page } from '../page.ts'

type Props = {
  readonly page: Page
  readonly steps: readonly RefundStep[]
  readonly currency: string
  readonly zone: string
}

/** The refund policy with its deadlines, shown before paying. */
export function RefundTerms({ page, steps, currency, zone }: Props) {
  const { locale } = page
  const { texts } = locale
  const lines = steps.map(({ until, amount }) =>
    fill(texts.refundUntil, {
      amount: moneyText(locale, amount, currency),
      time: momentOn(page, until, zone),
    }),
  )
  const last = steps.length > 0 ? texts.refundAfter : texts.refundNone
  return (
    <>
      {headed(locale, texts.ifYouCancel)}
      {[...lines, last].map((line) => (
        <span key={line} class="term">
          {line}
        </span>
      ))}
    </>
  )
}
