import { isOurReason } from '../../money/payments/reasons.ts'
import type { Fact } from '../../outbox/mail/email-content.ts'
import { inBody } from '../../outbox/mail/in-body.ts'
import type { About, Person } from '../../outbox/mail/sender.ts'
import { withHost } from '../../outbox/mail/with-host.ts'
import {
  durationText,
  fullDayText,
  isSameClock,
  isUsableZone,
  moneyText,
  spanText,
  usableZone,
  zoneText,
} from '../../platform/i18n/format.ts'
import type { Locale } from '../../platform/i18n/locale.ts'
import { fill } from '../../platform/i18n/plural.ts'
import { DELETED_IN_CALENDAR } from './deleted-in-calendar.ts'
import { hostsIn } from './email-recipients.ts'
import { isOnSite } from './on-site.ts'
import { ORGANIZATION_CLOSES } from './organization-closes.ts'
import type { Booking } from './schema.ts'

/** A booking for one reader. */
export type Seen = {
  readonly locale: Locale
  /** The reader's own time zone. */
  readonly timeZone: string
  readonly booking: Booking
  readonly about: About
}

type Times = Pick<Booking, 'start_time' | 'end_time'>

type Met = { readonly location: string | null; readonly place?: Booking['place'] | undefined }

/** The time zone of a meeting's place on site; null for other meetings. */
export function placeOf({ timezone, conferencingProvider }: About, { location, place }: Met): string | null {
  return isOnSite({ conferencing_provider: conferencingProvider, location, place }) ? timezone : null
}

/** The zone of an attendee or a guest, whose record says UTC if nobody said which it is. */
export function zoneOfPerson({ zoneUnknown, timezone }: About, told: string): string {
  return zoneUnknown && told === 'UTC' ? timezone : told
}

/** The time zone that is shown first: the place's, or the reader's own. */
export function zoneOf({ timeZone, booking, about }: Seen): string {
  return placeOf(about, booking) ?? usableZone(timeZone)
}

/**
 * Day, time, length and zone, in the place's time if there is a place. If the reader's clock shows another time, both are
 * shown.
 */
export function timeFacts(
  locale: Locale,
  times: Times,
  own: string,
  place: string | null,
  { isOver = false } = {},
): Fact[] {
  const { texts, emails } = locale
  const zone = place ?? own
  const [start, end] = [Date.parse(times.start_time), Date.parse(times.end_time)]
  const span = `${spanText(locale, start, end, zone)} (${durationText(locale, start, end)})`
  const isElsewhere = !isSameClock(start, zone, own)
  return [
    {
      label: texts.when,
      isOver,
      strong: fullDayText(locale, start, zone),
      lines: [span, zoneText(locale, start, zone)],
    },
    ...(isElsewhere ? [{ label: emails.yourTime, isOver, lines: inOneBlock(locale, times, own) }] : []),
  ]
}

export function whenFacts(seen: Seen, past: { readonly isOver?: boolean } = {}): Fact[] {
  const { locale, timeZone, booking, about } = seen
  return timeFacts(locale, booking, usableZone(timeZone), placeOf(about, booking), past)
}

/** The time before the rescheduling. */
export function formerFact(seen: Seen, previous: Times): Fact {
  const lines = inOneBlock(seen.locale, previous, zoneOf(seen))
  return { label: seen.locale.emails.formerly, isOver: true, lines }
}

/** The same time in the reader's own zone; nothing if their clock shows the same. */
export function otherClockFacts(seen: Seen, label: string, timeZone: string): Fact[] {
  const isSame =
    !isUsableZone(timeZone) || isSameClock(Date.parse(seen.booking.start_time), zoneOf(seen), timeZone)
  return isSame ? [] : [{ label, lines: inOneBlock(seen.locale, seen.booking, timeZone) }]
}

/** A time on three lines. */
export function inOneBlock(locale: Locale, { start_time, end_time }: Times, zone: string): string[] {
  const [start, end] = [Date.parse(start_time), Date.parse(end_time)]
  return [fullDayText(locale, start, zone), spanText(locale, start, end, zone), zoneText(locale, start, zone)]
}

export function whatFact({ locale, about }: Pick<Seen, 'locale' | 'about'>): Fact {
  return { label: locale.texts.what, strong: about.title }
}

/** The hosts who have a name, and the organization. */
export function hostFacts({ locale, booking, about }: Seen, people: readonly Person[]): Fact[] {
  const named = new Map(people.map(({ id, name }) => [id, name]))
  const names = hostsIn(booking).flatMap(({ member_id }) => named.get(member_id) || [])
  return [{ label: locale.emails.with, lines: [...names, about.sender.name].map(inBody) }]
}

/** The place, the call, and the link to join. */
export function whereFacts({ locale, booking }: Seen): Fact[] {
  const { texts } = locale
  const { location, conferencing_url: url, place } = booking
  const label = place?.label ? [inBody(place.label)] : []
  const call = phoneLines(locale, place)
  return [
    ...(location ? [{ label: texts.where, ...placeFact(location, label) }] : []),
    ...(call ? [{ label: texts.where, lines: [...label, ...call] }] : []),
    ...(url ? [{ label: texts.videoCall, link: { text: withHost(texts.joinLink, url), url } }] : []),
  ]
}

function placeFact(location: string, label: readonly string[]): Pick<Fact, 'lines' | 'link'> {
  const isLink = /^https?:\/\/\S+$/i.test(location) && URL.canParse(location)
  if (isLink) return { ...(label.length > 0 && { lines: label }), link: { text: location, url: location } }
  return { lines: [...label, ...location.split('\n')] }
}

/** That the host calls, or the number to call; null for other places. */
export function phoneLines({ texts }: Locale, place: Booking['place'] | undefined): string[] | null {
  if (place?.kind === 'phone_out') return [texts.weCallYou]
  return place?.kind === 'phone_in' ? [fill(texts.callUs, { number: place.value ?? '' })] : null
}

/** What calendars show as the place of a call: the number, or that the host calls. */
export function phonePlace({ texts }: Locale, place: Booking['place'] | undefined): string | null {
  if (place?.kind === 'phone_in') return place.value
  return place?.kind === 'phone_out' ? (place.label ?? texts.weCallYou) : null
}

export function priceFacts({ locale, booking: { payment } }: Seen): Fact[] {
  if (!payment) return []
  return [{ label: locale.texts.price, lines: [moneyText(locale, payment.amount, payment.currency)] }]
}

/** What the invitee typed; nothing if they typed nothing. */
export function quoteFacts(label: string, quote: string | null | undefined): Fact[] {
  return quote ? [{ label, quote }] : []
}

/** Why it was cancelled: translated if the reason is one of ours, otherwise as typed. */
export function reasonFacts({ locale, booking: { cancel_reason: reason } }: Seen): Fact[] {
  const { texts, emails } = locale
  const ours = {
    [DELETED_IN_CALENDAR]: emails.deletedInCalendar,
    [ORGANIZATION_CLOSES]: emails.organizationCloses,
  }
  const said = ours[reason as keyof typeof ours]
  if (said !== undefined) return [{ label: texts.reasonGiven, lines: [said] }]
  return isOurReason(reason) ? [] : quoteFacts(texts.reasonGiven, reason)
}
