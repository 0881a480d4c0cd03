import type { Env } from '../../env.ts'
import { letterBody } from '../../outbox/mail/email-body.ts'
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
export function lossLetter(env: Env, lost: readonly [Affected, ...Affected[]], person: Person): Email {
  const [{ connection, memberName, sender }] = lost
  const { provider, accountEmail, status, syncError } = connection
  const locale = memberLocale(person, sender)
  const { letters } = locale
  const hasEnded = status === 'revoked' || status === 'expired'
  const names = { account: accountEmail, provider: PROVIDERS[provider] }
  const told = hasEnded ? letters.lossEndedSubject : letters.lossSubject
  const subject = fill(told, { ...names, account: inSubject(accountEmail) })
  const content = {
    heading: fill(told, names),
    paragraphs: [
      fill(letters.lossText, {
        name: memberName ? inBody(memberName) : accountEmail,
        org: inBody(sender.name),
      }),
      letters.lossConsequence,
      hasEnded ? letters.lossEndedText : letters.lossTriedText,
    ],
    facts: [
      { label: letters.calendars, quote: lost.map(({ connection: { name } }) => name).join('\n') },
      ...(syncError === null ? [] : [{ label: letters.toldOfIt, quote: syncError }]),
    ],
    action: { label: letters.openCalendars, url: consoleUrl(env, '/calendars') },
    reason: fill(letters.whyMember, { org: inBody(sender.name) }),
  }
  return { to: person.email, subject, ...letterBody({ locale, sender }, content) }
}
