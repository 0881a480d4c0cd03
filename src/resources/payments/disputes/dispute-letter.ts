import { isUsableZone, momentText, moneyText } from '../../../i18n/format.ts'
import { localeOf } from '../../../i18n/locale.ts'
import type { Email } from '../../../providers/email/email-sender.ts'
import { type Line, letterBody } from '../../mail/letter-body.ts'
import type { DisputeRow } from '../money/money-of.ts'
import type { PaymentFacts } from '../money/queries.ts'
import type { ToldPayment } from '../statements.ts'

type Dispute = Pick<DisputeRow, 'phase' | 'amount' | 'reason' | 'evidenceDueAt'>

/** Tells the owner what a payer's bank wants, or decided. */
export function disputeLetter(
  payment: ToldPayment,
  dispute: Dispute,
  facts: PaymentFacts,
  to: string,
): Email {
  const amount = moneyText(localeOf('en'), dispute.amount, payment.currency)
  const { heading, lines } = wordsOf(payment, dispute, amount, facts.timezone)
  const about: Line[] = [
    `It was for ${facts.title} with ${facts.organizationName}, ${momentOf(facts.startTime, facts.timezone)}.`,
    { label: 'Booked by', quote: `${facts.inviteeName}, ${facts.inviteeEmail}` },
  ]
  return { to, subject: heading, ...letterBody({ heading, lines: [...lines, ...about] }) }
}

function wordsOf(
  payment: ToldPayment,
  { phase, reason, evidenceDueAt }: Dispute,
  amount: string,
  timeZone: string,
): { heading: string; lines: string[] } {
  const why = `The bank's reason: ${reason.replaceAll('_', ' ')}.`
  const until = evidenceDueAt === null ? null : momentOf(evidenceDueAt, timeZone)
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

function momentOf(instant: number, timeZone: string): string {
  return momentText(localeOf('en'), instant, isUsableZone(timeZone) ? timeZone : 'UTC')
}
