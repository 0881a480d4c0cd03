import { fill } from '../../../platform/i18n/plural.ts'
import type { PaymentWords } from '../money/about-payment.ts'
import type { DisputeRow } from '../money/money-of.ts'

type Dispute = Pick<DisputeRow, 'phase' | 'amount' | 'reason' | 'evidenceDueAt'>

/** What the owner reads of what a payer's bank wants, or decided. */
export function disputeWords({ phase, reason, evidenceDueAt, amount: sum }: Dispute): PaymentWords {
  return ({ emails, price, moment }) => {
    const amount = price(sum)
    const until = (text: string) =>
      evidenceDueAt === null ? [] : [fill(text, { time: moment(evidenceDueAt) })]
    const facts = [{ label: emails.bankReason, quote: reason.replaceAll('_', ' ') }]
    switch (phase) {
      case 'inquiry':
        return {
          heading: fill(emails.inquirySubject, { amount }),
          paragraphs: [emails.inquiryText, ...until(emails.inquiryUntil)],
          facts,
        }
      case 'open': {
        const due = evidenceDueAt === null ? [emails.noEvidence] : until(emails.evidenceUntil)
        return {
          heading: fill(emails.disputedSubject, { amount }),
          paragraphs: [emails.disputedText, ...due],
          facts,
        }
      }
      case 'won':
        return { heading: fill(emails.disputeWonSubject, { amount }), paragraphs: [emails.disputeWonText] }
      case 'lost':
        return {
          heading: fill(emails.disputeLostSubject, { amount }),
          paragraphs: [emails.disputeLostText],
        }
      case 'closed':
        return {
          heading: fill(emails.inquiryClosedSubject, { amount }),
          paragraphs: [emails.inquiryClosedText],
        }
    }
  }
}
