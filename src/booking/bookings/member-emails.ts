import type { Env } from '../../env.ts'
import { emailBody } from '../../outbox/mail/email-body.ts'
import type { EmailContent, Fact } from '../../outbox/mail/email-content.ts'
import { consoleUrl, memberLocale } from '../../outbox/mail/for-members.ts'
import { inBody } from '../../outbox/mail/in-body.ts'
import { inSubject } from '../../outbox/mail/in-subject.ts'
import type { Person } from '../../outbox/mail/sender.ts'
import type { Email } from '../../platform/email/email-sender.ts'
import { pluralText } from '../../platform/i18n/format.ts'
import type { Locale } from '../../platform/i18n/locale.ts'
import { fill } from '../../platform/i18n/plural.ts'
import { mailtoUri } from '../../platform/icalendar/content-lines.ts'
import { answerText } from '../questions/answer-text.ts'
import { actFacts } from './act-facts.ts'
import { decisionUrl } from './approval/decision-link.ts'
import { type BookingNews, subjectDate } from './booking-news.ts'
import { attachedFile } from './calendar-file.ts'
import { type Attendee, addressed, hostsIn, type Topic } from './email-recipients.ts'
import {
  formerFact,
  otherClockFacts,
  priceFacts,
  quoteFacts,
  reasonFacts,
  type Seen,
  whatFact,
  whenFacts,
  whereFacts,
  zoneOfPerson,
} from './meeting-facts.ts'
import type { Booking } from './schema.ts'

/** Erased invitees have no name. */
export const NOBODY = '–'

/**
 * The email that notifies a host or the owner about a booking, or asks them to decide about it. Replies go to its invitee.
 */
export async function memberEmail(env: Env, news: BookingNews, person: Person, topic: Topic): Promise<Email> {
  const { booking, about } = news
  const locale = memberLocale(person, about.sender)
  const seen: Seen = { locale, timeZone: person.timezone ?? about.sender.timezone, booking, about }
  const subject = fill(WORDS[topic](locale).subject, {
    name: inSubject(booking.invitee_name) || NOBODY,
    what: inSubject(about.title),
    date: subjectDate(seen),
  })
  const url = consoleUrl(env, `/bookings/${booking.id}`)
  const inConsole = { label: locale.emails.openConsole, url }
  const content = contentOf(news, seen, topic, inConsole)
  const decision = topic === 'requested' ? [await decisionFact(env, booking.id, person, locale)] : []
  return {
    to: person.email,
    replyTo: booking.invitee_email || undefined,
    subject,
    ...emailBody(
      { locale, sender: about.sender, color: about.color },
      { ...content, facts: [...content.facts, ...decision] },
    ),
    ...filesOf(env, news, topic, { locale, link: inConsole }),
  }
}

export const WORDS: Readonly<
  Record<Topic, (locale: Locale) => Pick<EmailContent, 'heading' | 'paragraphs'> & { subject: string }>
> = {
  new: ({ emails }) => ({ subject: emails.newSubject, heading: emails.newHeading }),
  moved: ({ emails }) => ({ subject: emails.memberMovedSubject, heading: emails.memberMovedHeading }),
  cancelled: ({ emails }) => ({
    subject: emails.memberCancelledSubject,
    heading: emails.memberCancelledHeading,
  }),
  requested: ({ emails }) => ({ subject: emails.requestedSubject, heading: emails.requestedHeading }),
  handed_over: ({ emails }) => ({
    subject: emails.handedOverSubject,
    heading: emails.handedOverHeading,
    paragraphs: [emails.handedOverText],
  }),
}

function contentOf(
  news: BookingNews,
  seen: Seen,
  topic: Topic,
  action: EmailContent['action'] & {},
): EmailContent & { readonly facts: readonly Fact[] } {
  const { locale } = seen
  const { kind, booking, previous, about, answers = [], phone, heldBack, session } = news
  const { texts, emails } = locale
  const { heading, paragraphs = [] } = WORDS[topic](locale)
  const isOver = topic === 'cancelled'
  const isInPlace = kind === 'booking.reassigned'
  const former =
    previous && !isInPlace && (topic === 'moved' || topic === 'handed_over')
      ? [formerFact(seen, previous)]
      : []
  const theirs = fill(emails.theirTime, { name: inBody(booking.invitee_name) })
  return {
    heading,
    paragraphs: [
      ...(isInPlace && topic === 'handed_over' ? [emails.handedOverInPlaceText] : paragraphs),
      ...sessionTexts(locale, session?.bookings ?? null),
    ],
    facts: [
      whoFact(seen, phone ?? null),
      whatFact(seen),
      ...withFacts(seen),
      ...whenFacts(seen, { isOver }),
      ...(isOver || !booking.invitee_email
        ? []
        : otherClockFacts(seen, theirs, zoneOfPerson(about, booking.invitee_timezone))),
      ...former,
      ...actFacts(locale, news),
      ...(former.length > 0 || isInPlace ? quoteFacts(texts.reasonGiven, previous?.reason) : []),
      ...(isOver ? reasonFacts(seen) : whereFacts(seen)),
      ...guestFacts(seen),
      ...leftOutFacts(seen, heldBack ?? []),
      ...priceFacts(seen),
      ...quoteFacts(emails.notes, booking.notes),
      ...answers.flatMap(({ label, value }) => quoteFacts(label, answerText(locale, value))),
    ],
    action,
    reason: fill(emails.whyMember, { org: inBody(about.sender.name) }),
  }
}

/** That the email is about a whole session. */
function sessionTexts(locale: Locale, bookings: number | null): string[] {
  if (bookings === null) return []
  return [fill(pluralText(locale, locale.emails.sessionBookings, bookings), { n: bookings })]
}

/** A member on the move decides without signing in, by a link that is signed for them. */
export async function decisionFact(
  env: Env,
  bookingId: string,
  { id }: Person,
  { emails }: Locale,
): Promise<Fact> {
  const url = await decisionUrl(env, bookingId, id)
  return { label: emails.decideSignedOut, link: { text: emails.decide, url } }
}

export function whoFact(
  { locale, booking: { invitee_name, invitee_email } }: Seen,
  phone: string | null,
): Fact {
  if (invitee_email === '') return { label: locale.texts.who, strong: NOBODY }
  return {
    label: locale.texts.who,
    strong: inBody(invitee_name),
    ...(phone !== null && { lines: [phone] }),
    ...(invitee_email !== null && { link: { text: invitee_email, url: mailtoUri(invitee_email) } }),
  }
}

/** The hosts, so that an owner sees whose booking it is. */
function withFacts({ locale, booking }: Seen): Fact[] {
  const lines = hostsIn(booking).map(({ name, email }) => inBody(name ?? email ?? ''))
  return lines.length > 0 ? [{ label: locale.emails.with, lines }] : []
}

function guestFacts({ locale, booking: { attendees } }: Seen): Fact[] {
  const guests = attendees.map(addressed).filter(({ is_primary, email }) => !is_primary && email !== '')
  if (guests.length === 0) return []
  return [{ label: locale.emails.guests, lines: guests.map(inLine) }]
}

/** The attendees who get no email because of a daily limit, so that a member can notify them. */
function leftOutFacts({ locale, booking: { attendees } }: Seen, heldBack: readonly string[]): Fact[] {
  const leftOut = attendees.map(addressed).filter(({ id, email }) => heldBack.includes(id) && email !== '')
  if (leftOut.length === 0) return []
  return [{ label: locale.emails.leftOut, lines: leftOut.map(inLine) }]
}

function inLine({ name, email }: Attendee): string {
  return nameAndAddress({ name: inBody(name), email })
}

export function nameAndAddress({
  name,
  email,
}: Pick<Booking['attendees'][number], 'name' | 'email'>): string {
  return email === null ? name : `${name} (${email})`
}

type Reading = { readonly locale: Locale; readonly link: { readonly label: string; readonly url: string } }

/** A file for the member's own calendar, if none is written automatically. */
function filesOf(
  env: Env,
  news: BookingNews,
  topic: Topic,
  { locale, link }: Reading,
): Pick<Email, 'attachments'> {
  const { booking, about } = news
  // The calendar is that of the current host.
  const isWritten = booking.calendar_connection_id !== null && topic !== 'handed_over'
  if (isWritten || news.wasRequest || booking.status === 'pending_approval') return {}
  const method = topic === 'cancelled' || topic === 'handed_over' ? 'CANCEL' : 'PUBLISH'
  const who = booking.attendees.filter(({ email }) => email !== '').map(nameAndAddress)
  const names = {
    who,
    title: about.title,
    withWhom: booking.invitee_name,
    organizationName: about.sender.name,
  }
  return { attachments: [attachedFile(env, method, { ...news, ...names, locale, link })] }
}
