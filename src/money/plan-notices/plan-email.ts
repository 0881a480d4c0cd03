import { nextMonthAt } from '../../engine/schedule/full-month.ts'
import type { Env } from '../../env.ts'
import { emailBody } from '../../outbox/mail/email-body.ts'
import { consoleUrl, memberLocale } from '../../outbox/mail/for-members.ts'
import { inBody } from '../../outbox/mail/in-body.ts'
import { inSubject } from '../../outbox/mail/in-subject.ts'
import type { Person } from '../../outbox/mail/sender.ts'
import type { Email } from '../../platform/email/email-sender.ts'
import { dateText } from '../../platform/i18n/format.ts'
import { fill } from '../../platform/i18n/plural.ts'
import { PLANS } from '../../platform/limits/plans.ts'
import type { Notice } from './queries.ts'

type At = { readonly quota: number; readonly now: number }

/** Notifies the owner of how much of the plan's month is used, and what follows when it is used up. */
export function planEmail(
  env: Env,
  { tier, bookings, sender }: Notice,
  person: Person,
  { quota, now }: At,
): Email {
  const locale = memberLocale(person, sender)
  const { emails } = locale
  const number = new Intl.NumberFormat(locale.tag)
  const facts = {
    org: inBody(sender.name),
    plan: PLANS[tier].name,
    n: number.format(bookings),
    all: number.format(quota),
    date: dateText(locale, nextMonthAt(now)),
  }
  const isFull = bookings >= quota
  const heading = isFull ? emails.planFullSubject : emails.planSubject
  const subject = fill(heading, { ...facts, org: inSubject(sender.name) })
  const content = {
    heading: fill(heading, facts),
    paragraphs: [
      fill(isFull ? emails.planFullText : emails.planText, facts),
      fill(emails.planConsequence, facts),
    ],
    action: { label: emails.openPlan, url: consoleUrl(env, '/payments/plan') },
    reason: fill(emails.whyMember, { org: inBody(sender.name) }),
  }
  return { to: person.email, subject, ...emailBody({ locale, sender }, content) }
}
