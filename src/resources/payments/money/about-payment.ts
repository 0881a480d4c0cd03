import { isUsableZone, momentText, moneyText } from '../../../i18n/format.ts'
import { localeOf } from '../../../i18n/locale.ts'
import type { Email } from '../../../providers/email/email-sender.ts'
import { type Line, letterBody } from '../../mail/letter-body.ts'
import type { PaymentFacts } from './queries.ts'

export type Words = { readonly heading: string; readonly lines: readonly Line[] }

/** A letter to the owner about a payment: what happened, and which booking it was for. */
export function letterAboutPayment({ heading, lines }: Words, facts: PaymentFacts, to: string): Email {
  const { title, organizationName, startTime, timezone, inviteeName, inviteeEmail } = facts
  const about: Line[] = [
    `It was for ${title} with ${organizationName}, ${momentFor(startTime, timezone)}.`,
    { label: 'Booked by', quote: `${inviteeName}, ${inviteeEmail}` },
  ]
  return { to, subject: heading, ...letterBody({ heading, lines: [...lines, ...about] }) }
}

export function momentFor(instant: number, timeZone: string): string {
  return momentText(localeOf('en'), instant, isUsableZone(timeZone) ? timeZone : 'UTC')
}

export function priceFor(amount: number, currency: string): string {
  return moneyText(localeOf('en'), amount, currency)
}
