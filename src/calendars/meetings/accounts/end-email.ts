import type { Env } from '../../../env.ts'
import { emailBody } from '../../../outbox/mail/email-body.ts'
import { consoleUrl, memberLocale } from '../../../outbox/mail/for-members.ts'
import { inBody } from '../../../outbox/mail/in-body.ts'
import { inSubject } from '../../../outbox/mail/in-subject.ts'
import type { Person, Sender } from '../../../outbox/mail/sender.ts'
import type { Email } from '../../../platform/email/email-sender.ts'
import { fill } from '../../../platform/i18n/plural.ts'

/** Notifies a member of an account that makes no meetings any more. */
export function endEmail(
  env: Env,
  ended: { readonly account: string; readonly error: string; readonly sender: Sender },
  person: Person,
): Email {
  const { account, error, sender } = ended
  const locale = memberLocale(person, sender)
  const { emails } = locale
  const provider = 'Zoom'
  const subject = fill(emails.lossEndedSubject, { account: inSubject(account), provider })
  const content = {
    heading: fill(emails.lossEndedSubject, { account, provider }),
    paragraphs: [fill(emails.meetingsEndedText, { org: inBody(sender.name) })],
    facts: [{ label: emails.providerMessage, quote: error }],
    action: { label: emails.openCalendars, url: consoleUrl(env, '/calendars') },
    reason: fill(emails.whyMember, { org: inBody(sender.name) }),
  }
  return { to: person.email, subject, ...emailBody({ locale, sender }, content) }
}
