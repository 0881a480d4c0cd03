import type { Env } from '../../env.ts'
import { emailBody } from '../../outbox/mail/email-body.ts'
import { consoleUrl, memberLocale } from '../../outbox/mail/for-members.ts'
import { inBody } from '../../outbox/mail/in-body.ts'
import { inSubject } from '../../outbox/mail/in-subject.ts'
import type { Person, Sender } from '../../outbox/mail/sender.ts'
import type { Email } from '../../platform/email/email-sender.ts'
import { momentText, usableZone } from '../../platform/i18n/format.ts'
import { fill } from '../../platform/i18n/plural.ts'
import type { DeletionRow } from './queries.ts'

/** Notifies the owner that the organization will be deleted, who requested it, and how to withdraw it. */
export function deletionEmail(
  env: Env,
  sender: Sender,
  person: Person,
  { deletesAt, requestedBy }: Pick<DeletionRow, 'deletesAt' | 'requestedBy'>,
): Email {
  const locale = memberLocale(person, sender)
  const { emails } = locale
  const org = { org: inBody(sender.name) }
  const timeZone = usableZone(person.timezone ?? sender.timezone)
  const subject = fill(emails.deletionSubject, { org: inSubject(sender.name) })
  const isOwners = requestedBy === 'owner'
  const content = {
    heading: fill(emails.deletionSubject, org),
    paragraphs: [
      fill(emails.deletionText, org),
      fill(emails.deletionFinal, { time: momentText(locale, deletesAt, timeZone) }),
      ...(isOwners ? [emails.deletionTakeBack] : []),
    ],
    facts: [],
    ...(isOwners && {
      action: { label: emails.openSettings, url: consoleUrl(env, '/settings/delete') },
    }),
    reason: fill(emails.whyMember, org),
  }
  return { to: person.email, subject, ...emailBody({ locale, sender }, content) }
}
