import { momentFor, priceFor, type Words } from '../money/about-payment.ts'
import type { DisputeRow } from '../money/money-of.ts'
import type { ToldPayment } from '../statements.ts'

type Dispute = Pick<DisputeRow, 'phase' | 'amount' | 'reason' | 'evidenceDueAt'>

/** What the owner reads of what a payer's bank wants, or decided. */
export function disputeWords(
  payment: ToldPayment,
  { phase, reason, evidenceDueAt, ...dispute }: Dispute,
  timeZone: string,
): Words {
  const amount = priceFor(dispute.amount, payment.currency)
  const why = `The bank's reason: ${reason.replaceAll('_', ' ')}.`
  const until = evidenceDueAt === null ? null : momentFor(evidenceDueAt, timeZone)
  switch (phase) {
    case 'inquiry':
      return {
        heading: `A bank asks about a payment of ${amount}`,
        lines: [
          'No money was taken. If it is not answered, or the payer insists, it may become a dispute.',
          ...(until
            ? [`Answer in the payment provider's dashboard until ${until}, or refund the payment.`]
            : []),
          why,
        ],
      }
    case 'open':
      return {
        heading: `A payment of ${amount} is disputed`,
        lines: [
          'The payer went to their bank, which has taken the money back until it is decided. Until then it cannot be refunded.',
          until
            ? `Your evidence must be in the payment provider's dashboard until ${until}.`
            : 'This bank takes no evidence.',
          why,
        ],
      }
    case 'won':
      return {
        heading: `You won a dispute: ${amount} is yours again`,
        lines: [`The payment is ${payment.status.replaceAll('_', ' ')} as before.`],
      }
    case 'lost':
      return {
        heading: `You lost a dispute about ${amount}`,
        lines: ['The payer keeps the money, so the payment can no longer be refunded.'],
      }
    case 'closed':
      return {
        heading: `An inquiry about a payment of ${amount} is closed`,
        lines: ['No money was taken.'],
      }
  }
}
