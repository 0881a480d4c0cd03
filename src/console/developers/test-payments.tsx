import type { Payment } from '../../money/payments/schema.ts'
import { textsOf } from '../../platform/i18n/console/catalogue.ts'
import { sandboxTexts } from '../../platform/i18n/console/sandbox.ts'
import { moneyText, ownShortMomentText } from '../../platform/i18n/format.ts'
import { PaymentBadge } from '../payments/status.tsx'
import type { MemberRequest } from '../request.ts'
import { NO_TROUBLE, type Trouble } from '../trouble.ts'
import { Form } from '../views/form.tsx'
import { Sign } from '../views/icons.tsx'

export type PaymentPage = { readonly data: readonly Payment[]; readonly has_more: boolean }

/** What can be made of a payment, as its provider or a bank would. */
const MOVES: Readonly<Partial<Record<Payment['status'], readonly Move[]>>> = {
  pending: ['succeed', 'process', 'fail'],
  failed: ['succeed', 'process', 'fail'],
  processing: ['succeed', 'fail'],
  succeeded: ['dispute', 'inquiry'],
  partially_refunded: ['dispute', 'inquiry'],
  disputed: ['won', 'lost'],
}
type Move = 'succeed' | 'process' | 'fail' | 'dispute' | 'inquiry' | 'won' | 'lost'

type Props = {
  readonly request: MemberRequest
  readonly payments: PaymentPage
  readonly mayChange: boolean
  readonly trouble: Trouble | undefined
}

export function TestPayments({ request, payments, mayChange, trouble = NO_TROUBLE }: Props) {
  const { locale } = request.page
  const texts = textsOf(locale, sandboxTexts)
  return (
    <section class="part" aria-labelledby="payments">
      <h2 id="payments">{texts.payments}</h2>
      {trouble.title && (
        <p class="problem" role="alert">
          {trouble.title}
        </p>
      )}
      {payments.data.length === 0 ? (
        <div class="empty">
          <Sign name="price" />
          <strong>{texts.noPayments}</strong>
          <p>{texts.noPaymentsText}</p>
        </div>
      ) : (
        <ul class="rows">
          {payments.data.map((payment) => (
            <li key={payment.id}>
              <div>
                <strong>{moneyText(locale, payment.amount, payment.currency)}</strong>{' '}
                <PaymentBadge request={request} status={payment.status} />
                <p class="soft">
                  {ownShortMomentText(locale, Date.parse(payment.created_at), request.zone)} ·{' '}
                  <a href={`/console/bookings/${payment.booking_id}`}>{texts.toBooking}</a>
                </p>
                {mayChange && <Moves request={request} payment={payment} />}
              </div>
            </li>
          ))}
        </ul>
      )}
    </section>
  )
}

function Moves({ request, payment }: { readonly request: MemberRequest; readonly payment: Payment }) {
  const texts = textsOf(request.page.locale, sandboxTexts)
  return (
    <div class="actions">
      {(MOVES[payment.status] ?? []).map((move) => (
        <Form
          key={move}
          request={request}
          action={`/console/developers/sandbox/payments/${payment.id}/${move}`}
          class="inline"
        >
          <button type="submit" class="soft-button">
            {texts[move]}
          </button>
        </Form>
      ))}
    </div>
  )
}
