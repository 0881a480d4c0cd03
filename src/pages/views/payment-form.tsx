import { moneyText } from '../../platform/i18n/format.ts'
import { fill } from '../../platform/i18n/plural.ts'
import type { Page } from '../page.ts'
import { HiddenFields } from './hidden-fields.tsx'
import { Icon } from './icon.tsx'

export type Payment = {
  readonly client_secret?: string | null | undefined
  readonly payment_provider_account_id?: string | null | undefined
  readonly amount: number
  readonly currency: string
}

type Props = {
  readonly page: Page
  readonly orgName: string
  readonly payment: Payment | null
  readonly bookingId: string
  readonly token: string
  /** Where the provider sends people back to. The provider sees it, so it holds no token. */
  readonly next: string
}

export function canPay({ ctx }: Page, payment: Payment | null): boolean {
  return Boolean(ctx.env.STRIPE_PUBLISHABLE_KEY && payment?.client_secret)
}

/** The provider's own form for one payment, or why there is none. */
export function PaymentForm({ page, orgName, payment, bookingId, token, next }: Props) {
  const { texts, language } = page.locale
  const { STRIPE_PUBLISHABLE_KEY: key } = page.ctx.env
  if (!key || payment === null) {
    return (
      <p class="hint">
        <Icon name="wait" /> {fill(texts.paymentElsewhere, { org: orgName })}
      </p>
    )
  }
  if (!payment.client_secret) return <PayAgain page={page} bookingId={bookingId} token={token} />
  return (
    <form
      id="pay"
      data-key={key}
      data-script={page.ctx.env.STRIPE_SCRIPT_URL || undefined}
      data-secret={payment.client_secret}
      data-account={payment.payment_provider_account_id ?? undefined}
      data-next={new URL(next, page.url).href}
      data-declined={texts.paymentFailed}
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

/** While the provider has not made the payment yet, or does not answer. */
function PayAgain({ page, bookingId, token }: Pick<Props, 'page' | 'bookingId' | 'token'>) {
  const { texts } = page.locale
  return (
    <form
      method="post"
      action={`/bookings/${bookingId}/pay`}
      class="links"
      target={page.isEmbedded ? '_blank' : undefined}
    >
      <HiddenFields fields={[['token', token]]} />
      <p class="hint" role="status">
        <Icon name="wait" /> {texts.paymentNotReady}
      </p>
      <button type="submit" class="button">
        {texts.tryAgain}
      </button>
    </form>
  )
}
