import type { Env } from '../../../env.ts'
import { emailBody } from '../../../outbox/mail/email-body.ts'
import type { Fact } from '../../../outbox/mail/email-content.ts'
import { consoleUrl, memberLocale } from '../../../outbox/mail/for-members.ts'
import { inBody } from '../../../outbox/mail/in-body.ts'
import type { Person } from '../../../outbox/mail/sender.ts'
import type { Email } from '../../../platform/email/email-sender.ts'
import { momentText, moneyText, usableZone } from '../../../platform/i18n/format.ts'
import type { Locale } from '../../../platform/i18n/locale.ts'
import { fill } from '../../../platform/i18n/plural.ts'
import type { PaymentWithDispute } from '../statements.ts'
import type { PaymentFacts } from './queries.ts'

/** What one reader reads of a payment. */
export type PaymentWords = (reader: Reader) => {
  readonly heading: string
  readonly paragraphs: readonly string[]
  readonly facts?: readonly Fact[]
}

type Reader = {
  readonly emails: Locale['emails']
  readonly price: (amount: number) => string
  readonly moment: (instant: number) => string
}

/** An email to a member about a payment: what happened, and the booking it was for. */
export function emailAboutPayment(
  env: Env,
  payment: Pick<PaymentWithDispute, 'id' | 'currency'>,
  words: PaymentWords,
  { about, startTime, inviteeName, inviteeEmail }: PaymentFacts,
  person: Person,
): Email {
  const { sender } = about
  const locale = memberLocale(person, sender)
  const { texts, emails } = locale
  const zone = person.timezone ?? sender.timezone
  const moment = (instant: number) => momentText(locale, instant, usableZone(zone))
  const price = (amount: number) => moneyText(locale, amount, payment.currency)
  const { heading, paragraphs, facts = [] } = words({ emails, price, moment })
  const content = {
    heading,
    paragraphs,
    facts: [
      ...facts,
      { label: texts.what, strong: about.title },
      { label: texts.when, lines: [moment(startTime)] },
      ...(inviteeEmail === '' ? [] : [{ label: texts.who, lines: [inBody(inviteeName), inviteeEmail] }]),
    ],
    action: { label: emails.openConsole, url: consoleUrl(env, `/payments/${payment.id}`) },
    reason: fill(emails.whyMember, { org: inBody(sender.name) }),
  }
  const head = { locale, sender, color: about.color }
  return { to: person.email, subject: heading, ...emailBody(head, content) }
}
