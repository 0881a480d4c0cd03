import type { GivenUp } from '../../booking/hosts/of-member/statements.ts'
import type { Env } from '../../env.ts'
import { emailBody } from '../../outbox/mail/email-body.ts'
import { consoleUrl, memberLocale } from '../../outbox/mail/for-members.ts'
import { inBody } from '../../outbox/mail/in-body.ts'
import { inSubject } from '../../outbox/mail/in-subject.ts'
import type { Person, Sender } from '../../outbox/mail/sender.ts'
import type { Email } from '../../platform/email/email-sender.ts'
import { momentText, pluralText } from '../../platform/i18n/format.ts'
import { fill } from '../../platform/i18n/plural.ts'
import type { MemberRow } from './queries.ts'

/** The bookings that the email lists; the event and the console have all. */
const MOST_LISTED = 50

type Left = {
  readonly member: Pick<MemberRow, 'name' | 'userEmail' | 'userId'>
  readonly unassigned: readonly GivenUp[]
  readonly sender: Sender
}

/** Notifies the owner which upcoming bookings have no host since a member left. */
export function unassignedEmail(env: Env, { member, unassigned, sender }: Left, owner: Person): Email {
  const locale = memberLocale(owner, sender)
  const { emails } = locale
  const number = new Intl.NumberFormat(locale.tag)
  const name = member.name ?? (member.userEmail || member.userId)
  const n = number.format(unassigned.length)
  const zone = owner.timezone ?? sender.timezone
  const lines = unassigned.slice(0, MOST_LISTED).map(({ start_time, title, invitee_name }) => {
    const what = [title, invitee_name].filter((part) => part !== '').map(inBody)
    return [momentText(locale, start_time, zone), ...what].join(' · ')
  })
  const isCut = unassigned.length > lines.length
  const content = {
    heading: fill(emails.unassignedHeading, { name: inBody(name) }),
    paragraphs: [fill(emails.unassignedText, { org: inBody(sender.name) })],
    facts: [{ label: fill(emails.unassignedCount, { n }), lines: [...lines, ...(isCut ? ['…'] : [])] }],
    action: { label: emails.openConsole, url: consoleUrl(env, '/bookings') },
    reason: fill(emails.whyMember, { org: inBody(sender.name) }),
  }
  return {
    to: owner.email,
    subject: fill(pluralText(locale, emails.unassignedSubject, unassigned.length), {
      name: inSubject(name),
    }),
    ...emailBody({ locale, sender }, content),
  }
}
