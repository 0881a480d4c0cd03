import { fill } from '../../../platform/i18n/plural.ts'
import type { PaymentWords } from '../money/about-payment.ts'
import type { DisputeRow } from '../money/money-of.ts'

type Dispute = Pick<DisputeRow, 'phase' | 'amount' | 'reason' | 'evidenceDueAt'>

/** What the owner reads of what a payer's bank wants, or decided. */
export function disputeWords({ phase, reason, evidenceDueAt, amount: sum }: Dispute): PaymentWords {
  return ({ letters, price, moment }) => {
    const amount = price(sum)
    const until = (text: string) =>
      evidenceDueAt === null ? [] : [fill(text, { time: moment(evidenceDueAt) })]
    const facts = [{ label: letters.bankReason, quote: reason.replaceAll('_', ' ') }]
    switch (phase) {
      case 'inquiry':
        return {
          heading: fill(letters.inquirySubject, { amount }),
          paragraphs: [letters.inquiryText, ...until(letters.inquiryUntil)],
          facts,
        }
      case 'open': {
        const due = evidenceDueAt === null ? [letters.noEvidence] : until(letters.evidenceUntil)
        return {
          heading: fill(letters.disputedSubject, { amount }),
          paragraphs: [letters.disputedText, ...due],
          facts,
        }
      }
      case 'won':
        return { heading: fill(letters.disputeWonSubject, { amount }), paragraphs: [letters.disputeWonText] }
      case 'lost':
        return {
          heading: fill(letters.disputeLostSubject, { amount }),
          paragraphs: [letters.disputeLostText],
        }
      case 'closed':
        return {
          heading: fill(letters.inquiryClosedSubject, { amount }),
          paragraphs: [letters.inquiryClosedText],
        }
    }
  }
}
