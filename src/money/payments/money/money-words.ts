import { disputeWords } from '../disputes/dispute-words.ts'
import { failedRefundWords } from '../refunds/failed-refund-words.ts'
import type { RefundRow } from '../refunds/queries.ts'
import type { PaymentWithDispute } from '../statements.ts'
import type { PaymentWords } from './about-payment.ts'
import type { DisputeRow } from './money-of.ts'

type Changed<Row> = { readonly before: Row | null; readonly after: Row }

/** What the owner is to read, each under a name of its own: disputes that changed, and refunds that failed. */
export function wordsAbout(
  payment: PaymentWithDispute,
  disputes: readonly Changed<DisputeRow>[],
  refunds: readonly Changed<RefundRow>[],
): { readonly once: string; readonly words: PaymentWords }[] {
  // A dispute may be opened and ended again.
  const changed = disputes.map(({ after }) => ({
    once: `dispute/${after.id}/${after.phase}/${after.updatedAt}`,
    words: disputeWords(after),
  }))
  const failed = refunds.flatMap(({ before, after }) => {
    const words = failedRefundWords(payment, before, after)
    return words ? [{ once: `refund/${after.id}/${after.updatedAt}`, words }] : []
  })
  return [...changed, ...failed]
}
