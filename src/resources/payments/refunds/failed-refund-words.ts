import type { Words } from '../money/about-payment.ts'
import { priceFor } from '../money/about-payment.ts'
import type { ToldPayment } from '../statements.ts'
import type { RefundRow } from './queries.ts'

/** What the owner reads of a refund that did not reach the payer, and that nobody would hear of otherwise; else null. */
export function failedRefundWords(
  payment: ToldPayment,
  before: RefundRow | null,
  { status, amount, cause }: RefundRow,
): Words | null {
  if (status !== 'failed') return null
  const price = priceFor(amount, payment.currency)
  const advice = `Refund it once more, or settle it with the payer: ${priceFor(payment.refundedAmount, payment.currency)} went back so far.`
  if (before?.status === 'succeeded') {
    return {
      heading: `A refund of ${price} came back`,
      lines: ["The payer's bank did not take it, so the money is yours again.", advice],
    }
  }
  if (cause !== 'policy' && cause !== 'late') return null
  const why =
    cause === 'policy'
      ? 'Its booking was cancelled in time, so the refund policy gives it back.'
      : 'It was paid after its booking had been given up.'
  return {
    heading: `A refund of ${price} could not be made`,
    lines: [why, 'The payment provider did not take the refund.', advice],
  }
}
