import type { Env } from '../../env.ts'
import { emailBody } from '../../outbox/mail/email-body.ts'
import { consoleUrl, memberLocale } from '../../outbox/mail/for-members.ts'
import { inBody } from '../../outbox/mail/in-body.ts'
import { inSubject } from '../../outbox/mail/in-subject.ts'
import type { Email } from '../../platform/email/email-sender.ts'
import { fill } from '../../platform/i18n/plural.ts'
import type { Invited } from './queries.ts'

/** Its link leads to a screen behind the sign-in, so it needs no token and does not expire. */
export function invitationEmail(env: Env, { person, people, sender }: Invited): Email {
  const locale = memberLocale(person, sender)
  const { emails } = locale
  const org = inBody(sender.name)
  const content = {
    heading: emails.connectCalendarHeading,
    paragraphs: [fill(emails.connectCalendarText, { org }), emails.connectCalendarHow],
    action: { label: emails.connectCalendar, url: consoleUrl(env, '/calendars/connect') },
    reason: fill(emails.whyMember, { org }),
  }
  return {
    to: person.email,
    replyTo: people.find(({ isOwner }) => isOwner)?.email || undefined,
    subject: fill(emails.connectCalendarSubject, { org: inSubject(sender.name) }),
    ...emailBody({ locale, sender }, content),
  }
}
