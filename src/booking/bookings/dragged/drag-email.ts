import type { Env } from '../../../env.ts'
import { emailBody } from '../../../outbox/mail/email-body.ts'
import { memberLocale } from '../../../outbox/mail/for-members.ts'
import { inBody } from '../../../outbox/mail/in-body.ts'
import { inSubject } from '../../../outbox/mail/in-subject.ts'
import { mailboxOf } from '../../../outbox/mail/mailbox.ts'
import { notificationsOf } from '../../../outbox/mail/notifications.ts'
import type { Person } from '../../../outbox/mail/sender.ts'
import type { Email } from '../../../platform/email/email-sender.ts'
import { fill } from '../../../platform/i18n/plural.ts'
import { decisionUrl } from '../approval/decision-link.ts'
import { type BookingNews, subjectDate } from '../booking-news.ts'
import { inOneBlock, type Seen, whatFact, whenFacts } from '../meeting-facts.ts'
import { isMovableTo } from './movable.ts'

/** The members who get an email about a moved event, one per mailbox. */
export function membersOfDrag(people: readonly Person[]): readonly Person[] {
  const told = new Set<string>()
  return people.filter(({ email, notifications }) => {
    if (email === '' || !notificationsOf(notifications).moved || told.has(mailboxOf(email))) return false
    told.add(mailboxOf(email))
    return true
  })
}

/** Asks a host or the owner what to do about an event that was moved in a calendar. */
export async function dragEmail(
  env: Env,
  { booking, about }: Pick<BookingNews, 'booking' | 'about'>,
  person: Person,
): Promise<Email> {
  const locale = memberLocale(person, about.sender)
  const { emails, texts } = locale
  const seen: Seen = { locale, timeZone: person.timezone ?? about.sender.timezone, booking, about }
  const event = booking.out_of_sync!
  const url = await decisionUrl(env, booking.id, person.id, 'places')
  const back = { label: emails.putEventBack, url }
  const content = {
    heading: emails.outOfSyncHeading,
    paragraphs: [emails.outOfSyncText],
    facts: [
      { label: texts.who, strong: inBody(booking.invitee_name) || '–' },
      whatFact(seen),
      ...whenFacts(seen),
      { label: emails.inCalendar, lines: inOneBlock(locale, event, seen.timeZone) },
    ],
    ...(isMovableTo(booking, event)
      ? { action: { label: emails.moveToEvent, url }, otherAction: back }
      : { action: back }),
    reason: fill(emails.whyMember, { org: inBody(about.sender.name) }),
  }
  return {
    to: person.email,
    replyTo: booking.invitee_email || undefined,
    subject: fill(emails.outOfSyncSubject, {
      name: inSubject(booking.invitee_name) || '–',
      what: inSubject(about.title),
      date: subjectDate(seen),
    }),
    ...emailBody({ locale, sender: about.sender, color: about.color }, content),
  }
}
