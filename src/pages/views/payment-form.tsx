import { moneyText } from '../format.ts'
import { fill } from '../i18n/plural.ts'
import type { Page } from '../page.ts'
import { Icon } from './icon.tsx'

export type Payment = {
  readonly client_secret?: string | null
  readonly amount: number
  readonly currency: string
}

type Props = {
  readonly page: Page
  readonly orgName: string
  readonly payment: Payment | null
  /** Where the provider sends people back to. */
  readonly next: string
}

export function canPay({ ctx }: Page, payment: Payment | null): boolean {
  return Boolean(ctx.env.STRIPE_PUBLISHABLE_KEY && payment?.client_secret)
}

/** The provider's own form for one payment, or why there is none. */
export function PaymentForm({ page, orgName, payment, next }: Props) {
  const { texts, language } = page.locale
  if (payment === null || !canPay(page, payment)) {
    return (
      <p class="hint">
        <Icon name="wait" /> {fill(texts.paymentElsewhere, { org: orgName })}
      </p>
    )
  }
  return (
    <form
      id="pay"
      data-key={page.ctx.env.STRIPE_PUBLISHABLE_KEY}
      data-secret={payment.client_secret}
      data-next={new URL(next, page.url).href}
      data-failed={texts.paymentFailed}
      data-language={language}
    >
      <div id="payment-element" />
      <noscript>
        <p class="error">{texts.paymentNeedsScript}</p>
      </noscript>
      <p id="payment-error" class="error" role="alert" />
      <button type="submit" class="button">
        {fill(texts.pay, { amount: moneyText(page.locale, payment.amount, payment.currency) })}
      </button>
    </form>
  )
}
