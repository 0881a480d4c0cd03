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
    return ({ letters, price }) => ({
      heading: fill(letters.refundBackSubject, { amount: price(amount) }),
      paragraphs: [letters.refundBackText, fill(letters.refundAdvice, { amount: price(refundedAmount) })],
    })
  }
  if (cause !== 'policy' && cause !== 'late') return null
  return ({ letters, price }) => ({
    heading: fill(letters.refundFailedSubject, { amount: price(amount) }),
    paragraphs: [
      cause === 'policy' ? letters.refundOwedByPolicy : letters.refundOwedLate,
      letters.refundFailedText,
      fill(letters.refundAdvice, { amount: price(refundedAmount) }),
    ],
  })
}
