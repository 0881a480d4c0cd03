import type { Env } from '../../env.ts'
import { emailBody } from '../../outbox/mail/email-body.ts'
import type { Fact } from '../../outbox/mail/email-content.ts'
import { consoleUrl, memberLocale } from '../../outbox/mail/for-members.ts'
import { inBody } from '../../outbox/mail/in-body.ts'
import { inSubject } from '../../outbox/mail/in-subject.ts'
import { ownSubject, ownTextOf, withOwnText } from '../../outbox/mail/own-texts/own-text.ts'
import type { Person } from '../../outbox/mail/sender.ts'
import type { BookingRow } from '../../platform/db/schema/bookings.ts'
import type { Email } from '../../platform/email/email-sender.ts'
import { fullDayText, pluralText, spanText, zoneText } from '../../platform/i18n/format.ts'
import type { Locale } from '../../platform/i18n/locale.ts'
import { fill } from '../../platform/i18n/plural.ts'
import {
  asSeenBy,
  type BookingNews,
  inviteeLocale,
  replyAddress,
  subjectDate,
} from '../bookings/booking-news.ts'
import { attachedFiles, type Meeting } from '../bookings/calendar-file.ts'
import { subjectOf } from '../bookings/email-contents.ts'
import type { Attendee, Topic } from '../bookings/email-recipients.ts'
import { manageUrl } from '../bookings/invitee-token.ts'
import {
  hostFacts,
  quoteFacts,
  reasonFacts,
  type Seen,
  whatFact,
  whereFacts,
  zoneOf,
  zoneOfPerson,
} from '../bookings/meeting-facts.ts'
import { decisionFact, NOBODY, nameAndAddress, WORDS, whoFact } from '../bookings/member-emails.ts'
import { ownValues } from '../bookings/own-values.ts'
import { presentBooking } from '../bookings/present.ts'
import { answerText } from '../questions/answer-text.ts'
import { seriesUrl } from './series-token.ts'

/** A booking that changed with others of its series, as it is now, with the members who get an email about it. */
export type Together = { readonly booking: BookingRow; readonly people: readonly Person[] }

type SeriesNews = BookingNews & { readonly together: readonly Together[] }

const HEADINGS = {
  'booking.created': 'confirmed',
  'booking.confirmed': 'confirmed',
  'booking.requested': 'awaitingApproval',
} as const

function headingOf(kind: BookingNews['kind'], { texts, emails }: Locale): string {
  if (kind === 'booking.cancelled') return texts.cancelled
  if (kind === 'booking.updated') return emails.updatedHeading
  return texts[HEADINGS[kind as keyof typeof HEADINGS] ?? 'confirmed']
}

/** The only email to an attendee about bookings of a series that were made, decided, changed or cancelled together. */
export async function seriesEmail(env: Env, told: SeriesNews, attendee: Attendee): Promise<Email> {
  const news = asSeenBy(attendee, told)
  const { booking, about, people, kind, together } = news
  const locale = inviteeLocale(booking, about)
  const { texts, emails } = locale
  const seen: Seen = { locale, timeZone: zoneOfPerson(about, attendee.timezone), booking, about }
  const isOver = kind === 'booking.cancelled'
  const isRequest = kind === 'booking.requested'
  const urls = await Promise.all(
    together.map(({ booking: row }) => (attendee.is_primary && !isOver ? manageUrl(env, row) : null)),
  )
  const heading = headingOf(kind, locale)
  const seriesId = together[0]?.booking.seriesId ?? null
  const manage = attendee.is_primary && !isOver && seriesId !== null ? await seriesUrl(env, seriesId) : null
  const content = {
    heading,
    ...(isRequest && { intro: texts.awaitingApprovalText }),
    paragraphs: countTexts(locale, together.length, isOver),
    facts: [
      whatFact(seen),
      ...dateFacts(seen, together, { isOver, urls }),
      ...(isOver ? reasonFacts(seen) : [...whereFacts(seen), ...hostFacts(seen, people)]),
      ...(isOver ? [] : quoteFacts(emails.notes, booking.notes)),
    ],
    ...(manage !== null && { action: { label: texts.manageSeries, url: manage } }),
    reason: fill(attendee.is_primary ? emails.whyBooked : emails.whyGuest, {
      org: inBody(about.sender.name),
    }),
  }
  const meetings = together.map(({ booking: row }, at): Meeting & { isCancelled: boolean } => ({
    booking: asSeenBy(attendee, { ...news, booking: presentBooking(row) }).booking,
    revision: row.revision,
    happenedAt: news.happenedAt,
    title: about.title,
    withWhom: about.sender.name,
    organizationName: about.sender.name,
    locale,
    link: urls[at] == null ? null : { label: texts.manageBooking, url: urls[at] },
    isCancelled: isOver,
  }))
  const hasFile = !isRequest && !news.wasRequest
  const own = ownTextOf(about, locale)
  const values = ownValues(seen, attendee, people)
  const usual = fill(subjectOf(news, locale), { what: subjectWhat(news), date: subjectDate(seen) })
  return {
    to: attendee.email,
    replyTo: replyAddress(booking, people),
    subject: ownSubject(own, values) ?? usual,
    ...emailBody({ locale, sender: about.sender, color: about.color }, withOwnText(content, own, values)),
    ...(hasFile && { attachments: [attachedFiles(env, meetings)] }),
  }
}

/** The same for a host or the owner: a host gets those that they host. One button decides about all requests. */
export async function seriesMemberEmail(
  env: Env,
  news: SeriesNews,
  person: Person,
  topic: Topic,
): Promise<Email> {
  const { booking, about, answers = [] } = news
  const locale = memberLocale(person, about.sender)
  const { emails } = locale
  const seen: Seen = { locale, timeZone: person.timezone ?? about.sender.timezone, booking, about }
  const theirs = news.together.filter(({ people }) => people.some(({ id }) => id === person.id))
  const isOver = topic === 'cancelled'
  const url = consoleUrl(env, `/bookings/${booking.id}`)
  const inConsole = { label: emails.openConsole, url }
  const { subject, heading } = WORDS[topic](locale)
  const decision = topic === 'requested' ? [await decisionFact(env, booking.id, person, locale)] : []
  const content = {
    heading,
    paragraphs: countTexts(locale, theirs.length, isOver),
    facts: [
      whoFact(seen, news.phone ?? null),
      whatFact(seen),
      ...dateFacts(seen, theirs, { isOver, urls: [] }),
      ...(isOver ? reasonFacts(seen) : whereFacts(seen)),
      ...quoteFacts(emails.notes, booking.notes),
      ...answers.flatMap(({ label, value }) => quoteFacts(label, answerText(locale, value))),
      ...decision,
    ],
    action: inConsole,
    reason: fill(emails.whyMember, { org: inBody(about.sender.name) }),
  }
  // Calendars that are written need no file.
  const unwritten = theirs.filter(({ booking: row }) => row.calendarConnectionId === null)
  const hasFile = topic !== 'requested' && !news.wasRequest && unwritten.length > 0
  const who = booking.attendees.filter(({ email }) => email !== '').map(nameAndAddress)
  const meetings = unwritten.map(({ booking: row }) => ({
    booking: presentBooking(row),
    revision: row.revision,
    happenedAt: news.happenedAt,
    title: about.title,
    withWhom: booking.invitee_name,
    organizationName: about.sender.name,
    who,
    locale,
    link: { label: emails.openConsole, url: consoleUrl(env, `/bookings/${row.id}`) },
    isCancelled: isOver,
  }))
  return {
    to: person.email,
    replyTo: booking.invitee_email || undefined,
    subject: fill(subject, {
      name: inSubject(booking.invitee_name) || NOBODY,
      what: subjectWhat({ ...news, together: theirs }),
      date: subjectDate(seen),
    }),
    ...emailBody({ locale, sender: about.sender, color: about.color }, content),
    ...(hasFile && { attachments: [attachedFiles(env, meetings)] }),
  }
}

function subjectWhat({ about, together }: Pick<SeriesNews, 'about' | 'together'>): string {
  return inSubject(`${about.title} (${together.length}×)`)
}

function countTexts(locale: Locale, n: number, isOver: boolean): string[] {
  const { seriesBookings, seriesSeparately } = locale.emails
  const count = fill(pluralText(locale, seriesBookings, n), { n })
  return isOver || n === 1 ? [count] : [count, seriesSeparately]
}

/** A fact for each booking; the zone is named where it is another one than that of the booking before. */
function dateFacts(
  seen: Seen,
  together: readonly Together[],
  { isOver, urls }: { readonly isOver: boolean; readonly urls: readonly (string | null)[] },
): Fact[] {
  const { locale } = seen
  const zone = zoneOf(seen)
  let before = ''
  return together.map(({ booking: { startTime, endTime } }, at) => {
    const named = zoneText(locale, startTime, zone)
    const isNews = named !== before
    before = named
    const url = urls[at]
    return {
      label: fill(locale.emails.seriesNumber, { at: at + 1, n: together.length }),
      isOver,
      strong: fullDayText(locale, startTime, zone),
      lines: [spanText(locale, startTime, endTime, zone), ...(isNews ? [named] : [])],
      ...(url != null && { link: { text: locale.texts.manageBooking, url } }),
    }
  })
}
