import type { BookingDetail } from '../../booking/bookings/schema.ts'
import { bookingChangeTexts } from '../../platform/i18n/console/booking-changes.ts'
import { bookingsTexts } from '../../platform/i18n/console/bookings.ts'
import { textsOf } from '../../platform/i18n/console/catalogue.ts'
import { fill } from '../../platform/i18n/plural.ts'
import type { MemberRequest } from '../request.ts'
import { NO_TROUBLE, type Trouble } from '../trouble.ts'
import { typedFields } from '../views/fields-for.tsx'
import { Form } from '../views/form.tsx'
import { NotifyField } from './notify-field.tsx'

type Props = {
  readonly request: MemberRequest
  readonly booking: BookingDetail
  readonly trouble?: Trouble | undefined
}

/** Folded away until it is wanted. */
export function CancelForm({ request, booking, trouble = NO_TROUBLE }: Props) {
  const { locale } = request.page
  const texts = textsOf(locale, bookingsTexts)
  const { cancelText } = textsOf(locale, bookingChangeTexts)
  const field = typedFields(request, trouble)
  const isPaid =
    booking.payment !== null && ['succeeded', 'partially_refunded'].includes(booking.payment.status)
  return (
    <details class="panel folded" open={trouble !== NO_TROUBLE}>
      <summary>{texts.cancelBooking}</summary>
      <Form request={request} action={`/console/bookings/${booking.id}/cancel`} trouble={trouble}>
        <p class="soft">
          {cancelText}
          {isPaid && ` ${texts.noAutomaticRefund}`}
        </p>
        {field.text('reason', texts.reasonLabel, { hint: texts.reasonHint, rows: 2, isOptional: true })}
        <NotifyField request={request} isSent={trouble !== NO_TROUBLE} />
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
  const texts = textsOf(request.page.locale, bookingsTexts)
  const field = typedFields(request, trouble)
  const amount = fill(texts.amount, { currency: currency.toUpperCase() })
  return (
    <details class="panel folded" open={trouble !== NO_TROUBLE}>
      <summary>{texts.refund}</summary>
      <Form request={request} action={action} trouble={trouble} once>
        <p class="soft">{texts.refundText}</p>
        {field.text('amount', amount, {
          hint: texts.amountHint,
          inputmode: 'decimal',
          size: 'short',
          isOptional: true,
        })}
        {field.text('refund_reason', texts.reasonLabel, { isOptional: true })}
        <button type="submit" class="button danger">
          {texts.refundNow}
        </button>
      </Form>
    </details>
  )
}
