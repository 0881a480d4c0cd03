import type { Booking } from '../resources/bookings/schema.ts'
import type { Offer } from './event-offer.ts'
import { moneyText } from './format.ts'
import { fill } from './i18n/plural.ts'
import type { Page } from './page.ts'
import { html } from './respond.ts'
import { EventDocument } from './views/event-document.tsx'
import { Icon } from './views/icon.tsx'

type Payable = Pick<Booking, 'start_time' | 'end_time'> & {
  readonly payment: {
    readonly client_secret?: string
    readonly amount: number
    readonly currency: string
  } | null
}

/**
 * The provider's own form for one payment, the only page that loads foreign code. It answers the form that
 * booked, because the secret is told once; sent again, the same form gives the same booking.
 */
export function paymentPage(page: Page, offer: Offer, booking: Payable, next: string): Response {
  const { texts } = page.locale
  const key = page.ctx.env.STRIPE_PUBLISHABLE_KEY
  const { payment } = booking
  const canPay = Boolean(key && payment?.client_secret)
  const [start, end] = [Date.parse(booking.start_time), Date.parse(booking.end_time)]
  return html(
    page,
    <EventDocument
      page={page}
      offer={offer}
      slot={{ start, end, seatsLeft: null, isFull: false }}
      isPrivate
      {...(canPay && { script: 'pay' as const })}
    >
      <div class="pane form">
        <h2 tabIndex={-1} data-focus>
          {texts.payHeading}
        </h2>
        <p>{texts.awaitingPaymentText}</p>
        {canPay ? (
          <form
            id="pay"
            data-key={key}
            data-secret={payment!.client_secret}
            data-next={new URL(next, page.url).href}
            data-failed={texts.paymentFailed}
            data-language={page.locale.language}
          >
            <div id="payment-element" />
            <noscript>
              <p class="error">{texts.paymentNeedsScript}</p>
            </noscript>
            <p id="payment-error" class="error" role="alert" />
            <button type="submit" class="button">
              {fill(texts.pay, { amount: moneyText(page.locale, payment!.amount, payment!.currency) })}
            </button>
          </form>
        ) : (
          <p class="hint">
            <Icon name="wait" /> {fill(texts.paymentElsewhere, { org: offer.orgName })}
          </p>
        )}
        <p class="links">
          <a href={next}>{texts.yourBooking}</a>
        </p>
      </div>
    </EventDocument>,
    { isPrivate: true, isFrameable: true, takesPayment: canPay },
  )
}
