import type { Env } from '../../env.ts'
import { emailBody } from '../../outbox/mail/email-body.ts'
import type { EmailContent } from '../../outbox/mail/email-content.ts'
import { inBody } from '../../outbox/mail/in-body.ts'
import { inSubject } from '../../outbox/mail/in-subject.ts'
import { ownSubject, ownTextOf, withOwnText } from '../../outbox/mail/own-texts/own-text.ts'
import type { Left } from '../../platform/db/schema/records.ts'
import type { Email } from '../../platform/email/email-sender.ts'
import { fill } from '../../platform/i18n/plural.ts'
import { asSeenBy, type BookingNews, inviteeLocale, replyAddress, subjectDate } from './booking-news.ts'
import { attachedFile } from './calendar-file.ts'
import { contentOf, subjectOf } from './email-contents.ts'
import type { Attendee } from './email-recipients.ts'
import { manageUrl } from './invitee-token.ts'
import { type Seen, whatFact, whenFacts, zoneOfPerson } from './meeting-facts.ts'
import { ownValues } from './own-values.ts'

/** The email that notifies one attendee about a booking, with a calendar file. */
export async function bookingEmail(env: Env, told: BookingNews, attendee: Attendee): Promise<Email> {
  const news = asSeenBy(attendee, told)
  const { booking, about, people, kind } = news
  const locale = inviteeLocale(booking, about)
  const seen: Seen = { locale, timeZone: zoneOfPerson(about, attendee.timezone), booking, about }
  const url = attendee.is_primary
    ? await manageUrl(env, { id: booking.id, addressVersion: news.addressVersion })
    : null
  const own = ownTextOf(about, locale)
  const values = ownValues(seen, attendee, people)
  const content = withOwnText(contentOf(env, news, seen, url), own, values)
  const usual = fill(subjectOf(news, locale), { what: inSubject(about.title), date: subjectDate(seen) })
  // Calendars have no unpaid bookings and no requests, and a reminder changes nothing.
  const isWaiting = booking.status === 'pending_approval' || booking.status === 'pending_payment'
  const isOpen = kind === 'booking.payable' || isWaiting || news.wasRequest
  const isCertain = booking.payment?.status !== 'cancelled' && !isOpen
  const hasFile = isCertain && kind !== 'booking.reminded' && kind !== 'booking.followed_up'
  const method = kind === 'booking.cancelled' ? 'CANCEL' : 'REQUEST'
  return {
    to: attendee.email,
    replyTo: replyAddress(booking, people),
    subject: ownSubject(own, values) ?? usual,
    ...emailBody({ locale, sender: about.sender, color: about.color }, content),
    ...(hasFile && {
      attachments: [
        attachedFile(env, method, {
          ...news,
          title: about.title,
          withWhom: about.sender.name,
          organizationName: about.sender.name,
          locale,
          link: url === null ? null : { label: locale.texts.manageBooking, url },
        }),
      ],
    }),
  }
}

/** The email to somebody whose booking it is no longer. It says nothing of what is planned now. */
export async function leftEmail(env: Env, { booking, ...news }: BookingNews, left: Left): Promise<Email> {
  const { about, people, revision, happenedAt } = news
  const seat = { ...left, is_primary: false, no_show: false }
  const nobody = {
    ...booking,
    invitee_name: '',
    notes: null,
    location: null,
    place: null,
    conferencing_url: null,
  }
  const seen: Seen = {
    locale: inviteeLocale(booking, about),
    timeZone: zoneOfPerson(about, left.timezone),
    booking: { ...nobody, attendees: [seat], guests: [] },
    about,
  }
  const { locale } = seen
  const { emails } = locale
  const content: EmailContent = {
    heading: emails.leftHeading,
    paragraphs: [fill(emails.leftText, { org: inBody(about.sender.name) })],
    facts: [whatFact(seen), ...whenFacts(seen, { isOver: true })],
    reason: fill(emails.whyBooked, { org: inBody(about.sender.name) }),
  }
  const file = { booking: seen.booking, revision, happenedAt, title: about.title, locale, link: null }
  const name = about.sender.name
  return {
    to: left.email,
    replyTo: replyAddress(booking, people),
    subject: fill(emails.leftSubject, { what: inSubject(about.title), date: subjectDate(seen) }),
    ...emailBody({ locale, sender: about.sender, color: about.color }, content),
    attachments: [attachedFile(env, 'CANCEL', { ...file, withWhom: name, organizationName: name })],
  }
}
