import type { BookingDetail } from '../../booking/bookings/schema.ts'
import { bookingsTexts } from '../../platform/i18n/console/bookings.ts'
import { textsOf } from '../../platform/i18n/console/catalogue.ts'
import { fill } from '../../platform/i18n/plural.ts'
import type { MemberRequest } from '../request.ts'
import { NO_TROUBLE, type Trouble } from '../trouble.ts'
import { TextField } from '../views/fields.tsx'
import { Form } from '../views/form.tsx'

type Props = {
  readonly request: MemberRequest
  readonly booking: BookingDetail
  readonly trouble?: Trouble | undefined
}

/** Folded away until it is wanted. */
export function CancelForm({ request, booking, trouble = NO_TROUBLE }: Props) {
  const { locale } = request.page
  const texts = textsOf(locale, bookingsTexts)
  const isPaid =
    booking.payment !== null && ['succeeded', 'partially_refunded'].includes(booking.payment.status)
  return (
    <details class="panel folded" open={trouble !== NO_TROUBLE}>
      <summary>{texts.cancelBooking}</summary>
      <Form request={request} action={`/console/bookings/${booking.id}/cancel`} trouble={trouble}>
        <p class="soft">
          {texts.cancelText}
          {isPaid && ` ${texts.noRefundByItself}`}
        </p>
        <TextField
          {...{ locale, trouble }}
          name="reason"
          label={texts.tellReason}
          hint={texts.reasonHint}
          value={request.form.get('reason') ?? ''}
          rows={2}
          isOptional
        />
        <button type="submit" class="button danger">
          {texts.cancelBooking}
        </button>
      </Form>
    </details>
  )
}

type RefundProps = Omit<Props, 'booking'> & {
  readonly action: `/console/${string}`
  readonly currency: string
}

/** What goes back of a payment. */
export function RefundForm({ request, action, currency, trouble = NO_TROUBLE }: RefundProps) {
  const { locale } = request.page
  const texts = textsOf(locale, bookingsTexts)
  return (
    <details class="panel folded" open={trouble !== NO_TROUBLE}>
      <summary>{texts.refund}</summary>
      <Form request={request} action={action} trouble={trouble} once>
        <p class="soft">{texts.refundText}</p>
        <TextField
          {...{ locale, trouble }}
          name="amount"
          label={fill(texts.amount, { currency: currency.toUpperCase() })}
          hint={texts.amountHint}
          value={request.form.get('amount') ?? ''}
          inputmode="decimal"
          size="short"
          isOptional
        />
        <TextField
          {...{ locale, trouble }}
          name="refund_reason"
          label={texts.tellReason}
          value={request.form.get('refund_reason') ?? ''}
          isOptional
        />
        <button type="submit" class="button danger">
          {texts.refundNow}
        </button>
      </Form>
    </details>
  )
}
