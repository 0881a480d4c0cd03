import { emailBody } from '../../../outbox/mail/email-body.ts'
import type { OutgoingEmail } from '../../../outbox/mail/enqueue-email.ts'
import { inBody } from '../../../outbox/mail/in-body.ts'
import { inSubject } from '../../../outbox/mail/in-subject.ts'
import type { About, Person } from '../../../outbox/mail/sender.ts'
import { localeOf } from '../../../platform/i18n/locale.ts'
import { fill } from '../../../platform/i18n/plural.ts'

type News = {
  readonly onceKey: string
  readonly to: string
  /** The recipient's language: a tag of one of our languages. */
  readonly locale: string
  readonly code: string
  readonly about: About
  readonly people: readonly Person[]
}

export function verificationEmail({ onceKey, to, locale: tag, code, about, people }: News): OutgoingEmail {
  const locale = localeOf(tag)
  const { emails } = locale
  const names = { what: about.title, org: inBody(about.sender.name) }
  const content = {
    heading: emails.codeHeading,
    paragraphs: [fill(emails.codeText, names)],
    code,
    reason: emails.codeUnasked,
  }
  const head = { locale, sender: about.sender, color: about.color }
  return {
    onceKey,
    to,
    replyTo: people.find(({ isOwner }) => isOwner)?.email || undefined,
    subject: fill(emails.codeSubject, { what: inSubject(about.title) }),
    ...emailBody(head, content),
  }
}
