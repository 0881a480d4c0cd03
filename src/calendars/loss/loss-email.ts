import type { Env } from '../../env.ts'
import { emailBody } from '../../outbox/mail/email-body.ts'
import { consoleUrl, memberLocale } from '../../outbox/mail/for-members.ts'
import { inBody } from '../../outbox/mail/in-body.ts'
import { inSubject } from '../../outbox/mail/in-subject.ts'
import type { Person } from '../../outbox/mail/sender.ts'
import type { Email } from '../../platform/email/email-sender.ts'
import { fill } from '../../platform/i18n/plural.ts'
import type { Affected } from './queries.ts'

const PROVIDERS = {
  caldav: 'CalDAV',
  calendar_a: 'Google Calendar',
  calendar_b: 'Microsoft 365',
  ics: 'iCalendar',
} as const

/** Notifies a member of calendars of one account that were lost together. */
export function lossEmail(env: Env, lost: readonly [Affected, ...Affected[]], person: Person): Email {
  const [{ connection, memberName, sender }] = lost
  const { provider, accountEmail, status, syncError } = connection
  const locale = memberLocale(person, sender)
  const { emails } = locale
  const hasEnded = status === 'revoked' || status === 'expired'
  const names = { account: accountEmail, provider: PROVIDERS[provider] }
  const told = hasEnded ? emails.lossEndedSubject : emails.lossSubject
  const subject = fill(told, { ...names, account: inSubject(accountEmail) })
  const content = {
    heading: fill(told, names),
    paragraphs: [
      fill(emails.lossText, {
        name: memberName ? inBody(memberName) : accountEmail,
        org: inBody(sender.name),
      }),
      emails.lossConsequence,
      hasEnded ? emails.lossEndedText : emails.lossTriedText,
    ],
    facts: [
      { label: emails.calendars, quote: lost.map(({ connection: { name } }) => name).join('\n') },
      ...(syncError === null ? [] : [{ label: emails.providerMessage, quote: syncError }]),
    ],
    action: { label: emails.openCalendars, url: consoleUrl(env, '/calendars') },
    reason: fill(emails.whyMember, { org: inBody(sender.name) }),
  }
  return { to: person.email, subject, ...emailBody({ locale, sender }, content) }
}
