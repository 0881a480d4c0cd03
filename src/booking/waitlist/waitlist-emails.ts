import { MINUTE_MS } from '../../core/time-units.ts'
import { type Env, urlAt } from '../../env.ts'
import { emailBody } from '../../outbox/mail/email-body.ts'
import { oneLine } from '../../outbox/mail/email-content.ts'
import { inBody } from '../../outbox/mail/in-body.ts'
import { inSubject } from '../../outbox/mail/in-subject.ts'
import { type OwnValues, ownSubject, ownTextOf, withOwnText } from '../../outbox/mail/own-texts/own-text.ts'
import type { About, Person } from '../../outbox/mail/sender.ts'
import { tokenFor } from '../../platform/auth/secret.ts'
import type { Place } from '../../platform/db/schema/event-types.ts'
import type { SessionEnd } from '../../platform/db/schema/records.ts'
import type { Email } from '../../platform/email/email-sender.ts'
import { formatInstant } from '../../platform/http/instants.ts'
import { momentText, subjectDateText, usableZone } from '../../platform/i18n/format.ts'
import { type Locale, localeOf } from '../../platform/i18n/locale.ts'
import { fill } from '../../platform/i18n/plural.ts'
import { spokenTag } from '../../platform/i18n/tags.ts'
import { replyAddress } from '../bookings/booking-news.ts'
import { manageUrl } from '../bookings/invitee-token.ts'
import { placeOf, quoteFacts, timeFacts, whatFact, zoneOfPerson } from '../bookings/meeting-facts.ts'
import type { WaitlistEntry } from './schema.ts'

/** The page on which invitees see their waitlist entry and leave. Anyone with the link can. */
async function entryUrl(env: Env, id: string): Promise<string> {
  return urlAt(env, `/waitlist/${id}?token=${await tokenFor(env.ENCRYPTION_KEY, id)}`)
}

type EntryNews = {
  readonly entry: WaitlistEntry
  readonly durationMinutes: number
  /** The event type's location. */
  readonly location: string | null
  readonly place: Place | null
  readonly about: About
  readonly people: readonly Person[]
}

/** Confirms a waitlist entry, with a link to leave. */
export async function waitlistEmail(env: Env, news: EntryNews): Promise<Email> {
  const { entry, durationMinutes, about, people } = news
  const locale = entryLocale(entry, about)
  const { texts, emails } = locale
  const zone = usableZone(zoneOfPerson(about, entry.invitee_timezone))
  const place = placeOf(about, news)
  const start = entry.start_time === null ? null : Date.parse(entry.start_time)
  const end = start === null ? null : formatInstant(start + durationMinutes * MINUTE_MS)
  const times =
    entry.start_time === null || end === null
      ? [{ label: texts.when, lines: [texts.anyTime] }]
      : timeFacts(locale, { start_time: entry.start_time, end_time: end }, zone, place)
  const usual =
    start === null
      ? fill(emails.waitingAnySubject, { what: inSubject(about.title) })
      : fill(emails.waitingSubject, {
          what: inSubject(about.title),
          date: subjectDateText(locale, start, place ?? zone),
        })
  const content = {
    heading: texts.onWaitlist,
    intro: emails.waitingText,
    facts: [
      whatFact({ locale, about }),
      ...times,
      { label: emails.position, lines: [new Intl.NumberFormat(locale.tag).format(entry.position)] },
      { label: emails.waitsUntil, lines: [momentText(locale, Date.parse(entry.expires_at), zone)] },
      ...quoteFacts(emails.notes, entry.notes),
    ],
    action: { label: texts.leaveWaitlist, url: await entryUrl(env, entry.id) },
    reason: fill(emails.whyWaiting, { org: inBody(about.sender.name) }),
  }
  const replyTo = replyAddress({ assigned_host: null }, people)
  const own = ownTextOf(about, locale)
  const values = entryValues(news, locale, start, place ?? zone)
  const subject = ownSubject(own, values) ?? usual
  const body = emailBody(headOf(locale, about), withOwnText(content, own, values))
  return { to: entry.invitee_email, replyTo, subject, ...body }
}

type HeldNews = {
  readonly entry: WaitlistEntry
  readonly startTime: number
  readonly endTime: number
  readonly payBy: number
  readonly location: string | null
  readonly place: Place | null
  readonly addressVersion: number
  readonly about: About
  readonly people: readonly Person[]
}

/** Notifies a promoted invitee that a place is held until they have paid. */
export async function heldPlaceEmail(env: Env, news: HeldNews): Promise<Email> {
  const { entry, startTime, endTime, payBy, addressVersion, about, people } = news
  const locale = entryLocale(entry, about)
  const { texts, emails } = locale
  const zone = usableZone(zoneOfPerson(about, entry.invitee_timezone))
  const place = placeOf(about, news)
  const times = { start_time: formatInstant(startTime), end_time: formatInstant(endTime) }
  const url = await manageUrl(env, { id: entry.promoted_booking_id ?? '', addressVersion })
  const content = {
    heading: texts.promoted,
    paragraphs: [fill(emails.heldText, { time: momentText(locale, payBy, zone) })],
    facts: [whatFact({ locale, about }), ...timeFacts(locale, times, zone, place)],
    action: { label: emails.payOrCancel, url },
    reason: fill(emails.whyWaiting, { org: inBody(about.sender.name) }),
  }
  const date = subjectDateText(locale, startTime, place ?? zone)
  const own = ownTextOf(about, locale)
  const values = entryValues(news, locale, startTime, place ?? zone)
  return {
    to: entry.invitee_email,
    replyTo: replyAddress({ assigned_host: null }, people),
    subject: ownSubject(own, values) ?? fill(emails.promotedSubject, { what: inSubject(about.title), date }),
    ...emailBody(headOf(locale, about), withOwnText(content, own, values)),
  }
}

type EndedNews = {
  readonly entry: WaitlistEntry
  readonly why: SessionEnd
  readonly about: About
  readonly people: readonly Person[]
}

/** Notifies the invitee of an entry that ended because its whole session was moved or cancelled. */
export function sessionEndedEmail(env: Env, { entry, why, about, people }: EndedNews): Email {
  const locale = entryLocale(entry, about)
  const { texts, emails } = locale
  const isMoved = why === 'session_moved'
  const start = Date.parse(entry.start_time ?? '')
  const zone = usableZone(zoneOfPerson(about, entry.invitee_timezone))
  const content = {
    heading: isMoved ? emails.sessionMovedHeading : emails.sessionCancelledHeading,
    paragraphs: [isMoved ? emails.sessionMovedText : emails.sessionCancelledText],
    facts: [whatFact({ locale, about }), { label: texts.when, lines: [momentText(locale, start, zone)] }],
    ...(about.pagePath !== null && {
      action: { label: texts.bookAgain, url: urlAt(env, `/book/${about.pagePath}`) },
    }),
    reason: fill(emails.whyWaiting, { org: inBody(about.sender.name) }),
  }
  const subject = isMoved ? emails.sessionMovedSubject : emails.cancelledSubject
  return {
    to: entry.invitee_email,
    replyTo: replyAddress({ assigned_host: null }, people),
    subject: fill(subject, {
      what: inSubject(about.title),
      date: subjectDateText(locale, start, placeOf(about, { location: null }) ?? zone),
    }),
    ...emailBody(headOf(locale, about), content),
  }
}

/** The values of placeholders; without a start, any time suits the entry. */
function entryValues(
  { entry, about, location, place }: Pick<EntryNews, 'entry' | 'about' | 'location' | 'place'>,
  locale: Locale,
  start: number | null,
  zone: string,
): OwnValues {
  const { anyTime } = locale.texts
  return {
    invitee_name: oneLine(entry.invitee_name),
    event_type: oneLine(about.title),
    start: start === null ? anyTime : momentText(locale, start, zone),
    day: start === null ? anyTime : subjectDateText(locale, start, zone),
    host: oneLine(about.sender.name),
    place: oneLine(place?.label ?? location ?? ''),
    organization: oneLine(about.sender.name),
  }
}

function headOf(locale: Locale, { sender, color }: About) {
  return { locale, sender, color }
}

function entryLocale({ invitee_locale }: WaitlistEntry, { sender }: About): Locale {
  return localeOf(spokenTag(invitee_locale, sender.locale))
}
