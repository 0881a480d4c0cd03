import type { Payment } from '../../money/payments/schema.ts'
import { textsOf } from '../../platform/i18n/console/catalogue.ts'
import { paymentsTexts } from '../../platform/i18n/console/payments.ts'
import { moneyText, ownShortMomentText } from '../../platform/i18n/format.ts'
import { fill } from '../../platform/i18n/plural.ts'
import type { MemberRequest } from '../request.ts'

/** What a bank wants, while it wants something, and what it took for good. */
export function DisputeNotice({
  request,
  payment,
}: {
  readonly request: MemberRequest
  readonly payment: Payment
}) {
  const { page, zone } = request
  const { locale } = page
  const texts = textsOf(locale, paymentsTexts)
  const { dispute } = payment
  if (!dispute || dispute.status === 'won' || dispute.status === 'closed') return null
  const amount = moneyText(locale, dispute.amount, payment.currency)
  const told = { open: texts.disputeText, inquiry: texts.inquiryText, lost: texts.disputeLostText }[
    dispute.status
  ]
  const due = dispute.evidence_due_at
  return (
    <section
      class={dispute.status === 'inquiry' ? 'band test-band' : 'band bad-band'}
      aria-label={texts.disputeTitle}
    >
      <p>{fill(told, { amount })}</p>
      <p>{fill(texts.disputeReason, { reason: dispute.reason })}</p>
      {due && dispute.status !== 'lost' && (
        <p>{fill(texts.disputeDue, { time: ownShortMomentText(locale, Date.parse(due), zone) })}</p>
      )}
    </section>
  )
}
