import { fill } from '../../../platform/i18n/plural.ts'
import type { PaymentWords } from '../money/about-payment.ts'
import type { PaymentWithDispute } from '../statements.ts'
import type { RefundRow } from './queries.ts'

/** What the owner reads about a failed refund that nothing else would report; else null. */
export function failedRefundWords(
  { refundedAmount }: PaymentWithDispute,
  before: RefundRow | null,
  { status, amount, cause }: RefundRow,
): PaymentWords | null {
  if (status !== 'failed') return null
  if (before?.status === 'succeeded') {
    return ({ emails, price }) => ({
      heading: fill(emails.refundBackSubject, { amount: price(amount) }),
      paragraphs: [emails.refundBackText, fill(emails.refundAdvice, { amount: price(refundedAmount) })],
    })
  }
  if (cause !== 'policy' && cause !== 'late') return null
  return ({ emails, price }) => ({
    heading: fill(emails.refundFailedSubject, { amount: price(amount) }),
    paragraphs: [
      cause === 'policy' ? emails.refundOwedByPolicy : emails.refundOwedLate,
      emails.refundFailedText,
      fill(emails.refundAdvice, { amount: price(refundedAmount) }),
    ],
  })
}
