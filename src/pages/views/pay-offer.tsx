import type { Booking } from '../../booking/bookings/schema.ts'
import { moneyText } from '../../platform/i18n/format.ts'
import { fill } from '../../platform/i18n/plural.ts'
import type { Page } from '../page.ts'
import { HiddenFields } from './hidden-fields.tsx'
import { Icon } from './icon.tsx'

/** Whether the provider has still to say how a payment ends, which may take days: nobody pays a second time. */
export function isPaymentUnderWay({ status, payment }: Pick<Booking, 'status' | 'payment'>): boolean {
  return status === 'pending_payment' && payment?.status === 'processing'
}

type Props = {
  readonly page: Page
  readonly orgName: string
  readonly booking: Pick<Booking, 'id' | 'payment'>
  readonly token: string
}

/** Leads to the payment of an unpaid booking. The token is posted: the provider's script reads addresses. */
export function PayOffer({ page, orgName, booking, token }: Props) {
  const { texts } = page.locale
  const { payment } = booking
  if (!payment || !page.ctx.env.STRIPE_PUBLISHABLE_KEY) {
    return (
      <p class="hint">
        <Icon name="wait" /> {fill(texts.paymentElsewhere, { org: orgName })}
      </p>
    )
  }
  return (
    <form
      method="post"
      action={`/bookings/${booking.id}/pay`}
      class="links"
      target={page.isEmbedded ? '_blank' : undefined}
    >
      <HiddenFields fields={[['token', token]]} />
      <button type="submit" class="button">
        {fill(texts.pay, { amount: moneyText(page.locale, payment.amount, payment.currency) })}
      </button>
    </form>
  )
}
