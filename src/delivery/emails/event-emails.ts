import { actingMember } from '../../booking/bookings/act-facts.ts'
import { bookingEmail, leftEmail } from '../../booking/bookings/booking-emails.ts'
import type { BookingNews } from '../../booking/bookings/booking-news.ts'
import { dragEmail, membersOfDrag } from '../../booking/bookings/dragged/drag-email.ts'
import {
  addressed,
  attendeesToEmail,
  type EmailedKind,
  everybodyIn,
  isEmailedKind,
  isUnannounced,
  membersToEmail,
} from '../../booking/bookings/email-recipients.ts'
import { memberEmail } from '../../booking/bookings/member-emails.ts'
import { presentPhone } from '../../booking/bookings/present.ts'
import type { Booking } from '../../booking/bookings/schema.ts'
import { openAnswers } from '../../booking/questions/take-answers.ts'
import { seriesEmail, seriesMemberEmail, type Together } from '../../booking/series/series-emails.ts'
import type { WaitlistEntry } from '../../booking/waitlist/schema.ts'
import { heldPlaceEmail, sessionEndedEmail } from '../../booking/waitlist/waitlist-emails.ts'
import { SECOND_MS } from '../../core/time-units.ts'
import type { Env } from '../../env.ts'
import { type Caused, withinDay } from '../../outbox/mail/caused-emails.ts'
import type { Mailing } from '../../outbox/mail/enqueued.ts'
import type { Previous } from '../../platform/db/schema/records.ts'
import type { Email } from '../../platform/email/email-sender.ts'
import type { RealMs } from '../../platform/limits/clock.ts'
import type { selectFactsOfEmail, selectUnhandledEvent } from './queries.ts'

export type EventNews = Awaited<ReturnType<typeof selectFactsOfEmail>>[number] & {
  /** The bookings of its series that changed with it, if it has the emails about them. */
  readonly together?: readonly Together[] | null
}

type UnhandledEvent = Awaited<ReturnType<typeof selectUnhandledEvent>>[number]

/** What emails contain about an event, with the current link; null if its event type is gone. */
export function newsOf(
  { event, ...facts }: UnhandledEvent,
  conferencingUrl: string | null,
  together: readonly Together[] | null = null,
): EventNews | null {
  if (facts.about.title === null) return null
  const { id, organizationId, isTest, kind, data, previous, revision, heldBack } = event
  const { createdAt: happenedAt } = event
  const told = { id, organizationId, isTest, kind, data, previous, revision, heldBack, happenedAt }
  return { ...facts, ...told, conferencingUrl, together }
}

/** The emails of an event, and the recipients who get none because its booking has reached its daily limit. */
export function eventMailing(env: Env, news: EventNews, now: RealMs): EventMailing {
  const { id, heldBack, causedToday, data } = news
  const all = recipientsOf(news, now)
  // Recipients who were rate limited when it was claimed still are.
  const isKnown = heldBack !== null
  const { to, leftOut } = isKnown
    ? { to: all.filter((one) => !heldBack.includes(one.id)), leftOut: heldBack }
    : withinDay(all, causedToday)
  const counts = !isKnown && causedToday !== null && to.length > 0
  const write = async (recipientId: string) => {
    const letter = await writeEventEmail(env, { ...news, heldBack: leftOut }, recipientId, now)
    if (!letter) throw new Error('a recipient of an event has no email about it')
    return letter
  }
  return {
    kind: 'event',
    subjectId: id,
    onceKey: `${id}/event`,
    isOnce: true,
    to,
    write,
    leftOut,
    ...(isAboutBooking(news.kind) && {
      history: {
        bookingIds: news.previous?.series_bookings ?? [(data as Booking).id],
        about: news.kind,
        at: news.happenedAt,
      },
    }),
    caused: counts ? { bookingId: (data as Booking).id, before: causedToday, emails: to.length } : null,
  }
}

function isAboutBooking(kind: EventNews['kind']): boolean {
  return kind.startsWith('booking.')
}

type EventMailing = Mailing & { readonly leftOut: readonly string[]; readonly caused: Caused | null }

type Asking = Pick<EventNews, 'kind' | 'data' | 'status' | 'isPromotion' | 'isPaying' | 'previous' | 'about'>

/** Whether invitees, attendees and guests get no email about it: its caller or its organization wants none. */
function isQuiet({ previous, about }: Pick<EventNews, 'previous' | 'about'>): boolean {
  return previous?.is_quiet === true || !about.emailsInvitees
}

/** Whether its booking awaits a payment, and the payer gets no other email about it. */
export function asksToPay(news: Asking): boolean {
  const { kind, data, status, isPromotion, isPaying } = news
  if (isQuiet(news)) return false
  const isUnpaid = kind === 'booking.created' && (data as Booking).status === 'pending_payment'
  return isUnpaid && status === 'pending_payment' && !isPaying && !isPromotion
}

function recipientsOf(news: EventNews, now: RealMs): Mailing['to'] {
  const { kind, data, status, intentId, isPaying } = news
  if (news.previous?.is_of_series) return []
  if (asksToPay(news)) {
    // If the provider has not created the payment yet, the email's link would lead nowhere.
    return intentId === null
      ? []
      : (data as Booking).attendees
          .map(addressed)
          .filter(({ is_primary, email }) => is_primary && email !== '')
  }
  if (kind === 'booking.out_of_sync') {
    return toldOfDrag(news, now).map(({ id, email }) => ({ id, email, isMember: true as const }))
  }
  if (isEmailedKind(kind)) {
    const isOver = isOvertaken(news, now)
    const members = membersTold(bookingNewsOf(news, kind), news, kind)
    const others = members
      // They get no other email that it was reassigned.
      .filter(({ topic }) => topic === 'handed_over' || !isOver)
      .map(({ person: { id, email } }) => ({ id, email, isMember: true as const }))
    if (isQuiet(news)) return others
    const isSilent = isOver || (kind === 'booking.updated' && !news.previous?.is_emailed)
    const attendees = isSilent ? [] : attendeesTold(news)
    return [...attendees, ...leftOf(news), ...others]
  }
  if (kind === 'waitlist.expired') return endingOf(news) === null || isQuiet(news) ? [] : [entryIn(data)]
  // Invitees who are already booked get the email about the booking, and no second one.
  if (kind !== 'waitlist.promoted' || status !== 'pending_payment' || isPaying || isQuiet(news)) return []
  return [entryIn(data)]
}

/** What is over was only tidied up. */
function toldOfDrag(news: EventNews, now: RealMs) {
  const { status, startTime, endTime, data, previous, people } = news
  const isThere = status !== null && status !== 'cancelled' && endTime! > now
  if (!isThere || previous?.is_of_session || startTime !== Date.parse((data as Booking).start_time)) return []
  return membersOfDrag(people)
}

function entryIn(data: EventNews['data']) {
  const { id, invitee_email: email } = data as WaitlistEntry
  return { id, email }
}

/** Why a waitlist entry ended early; null if it did not, or if its address was erased. */
function endingOf({ data, previous }: EventNews) {
  return (data as WaitlistEntry).invitee_email === '' ? null : (previous?.end_reason ?? null)
}

/** An unpaid booking moves with its session only; nobody else knows of it. */
function attendeesTold({ kind, data, wasRequest }: EventNews) {
  const booking = data as Booking
  const isUnpaidMove = kind === 'booking.rescheduled' && booking.status === 'pending_payment'
  if (!isUnpaidMove) return attendeesToEmail(booking, wasRequest)
  return booking.attendees.map(addressed).filter(({ is_primary, email }) => is_primary && email !== '')
}

/** The people whom the change took out. The invitee's seat keeps its id when another address takes over. */
function leftOf({ previous, data }: EventNews) {
  if (isUnannounced(data as Booking)) return []
  return (previous?.left ?? []).map((one) => ({ ...one, id: `${LEFT}${one.id}` }))
}

const LEFT = 'left/'

/** An email that is sent this late may arrive after the next one about the same booking. */
const LATE_MS = 15 * SECOND_MS

/**
 * Whether another email says what became of the booking: a request that was decided has the email of its decision alone, and one
 * that is late those of a cancel or a move since then.
 */
function isOvertaken(news: EventNews, now: RealMs): boolean {
  const { kind, data, status, startTime, happenedAt, together } = news
  if (kind === 'booking.cancelled' || status === null) return false
  const told = data as Booking
  if (told.status === 'pending_approval' && status !== told.status) return true
  if (together) return together.every(({ booking }) => booking.status === 'cancelled')
  if (now - happenedAt < LATE_MS) return false
  return status === 'cancelled' || startTime !== Date.parse(told.start_time)
}

/** One of them, written now; null when there is nothing left to say. */
export async function writeEventEmail(
  env: Env,
  news: EventNews,
  recipientId: string | null,
  now: RealMs,
): Promise<Email | null> {
  if (!recipientsOf(news, now).some(({ id }) => id === recipientId)) return null
  const { kind, data } = news
  if (kind === 'booking.out_of_sync') {
    const { about, people } = news
    return dragEmail(env, { booking: data as Booking, about }, people.find(({ id }) => id === recipientId)!)
  }
  const ending = kind === 'waitlist.expired' ? endingOf(news) : null
  if (ending) {
    const { about, people } = news
    return sessionEndedEmail(env, { entry: data as WaitlistEntry, why: ending, about, people })
  }
  if (!isEmailedKind(kind)) {
    const { startTime, endTime, payBy, location, about, people } = news
    const entry = data as WaitlistEntry
    const held = { startTime: startTime!, endTime: endTime!, payBy: payBy!, location, place: entry.place }
    const addressVersion = news.addressVersion ?? 0
    return heldPlaceEmail(env, { entry, ...held, addressVersion, about, people })
  }
  // A request that moved is a request still.
  const isOther = kind === 'booking.reassigned' || kind === 'booking.updated'
  const isRequest = (data as Booking).status === 'pending_approval' && !isOther
  const told = bookingNewsOf(news, isRequest ? 'booking.requested' : kind)
  const member = membersTold(told, news, kind).find(({ person }) => person.id === recipientId)
  const series = news.together && { ...told, together: shownOf(news.together, kind) }
  if (member) {
    const answers = await openAnswers(env, news.answers)
    const phone = await presentPhone(env, { inviteePhone: news.inviteePhone })
    if (series) return seriesMemberEmail(env, { ...series, answers, phone }, member.person, member.topic)
    return memberEmail(env, { ...told, answers, phone }, member.person, member.topic)
  }
  const left = leftOf(news).find(({ id }) => id === recipientId)
  if (left) return leftEmail(env, told, left)
  const attendee = everybodyIn(told.booking).find(({ id }) => id === recipientId)!
  if (series) return seriesEmail(env, series, attendee)
  return bookingEmail(env, asksToPay(news) ? { ...told, kind: 'booking.payable' } : told, attendee)
}

/** What has changed again since then has an email of its own. */
function shownOf(together: readonly Together[], kind: EmailedKind): readonly Together[] {
  const isEnd = kind === 'booking.cancelled'
  return together.filter(({ booking }) => (booking.status === 'cancelled') === isEnd)
}

/** The booking as it was then, with the link that may have been made since. */
function bookingNewsOf(news: EventNews, kind: EmailedKind): BookingNews {
  const {
    data,
    status,
    conferencingUrl,
    isKeyless,
    previous,
    answers: _sealed,
    inviteePhone: _phone,
    together,
    ...facts
  } = news
  const { inviteeEmail, addressVersion: current, ...rest } = facts
  const told = data as Booking
  const isAsItWas = kind === 'booking.cancelled' || status === null
  const booking = isAsItWas ? told : { ...told, conferencing_url: conferencingUrl }
  // An address that was replaced since then gets no valid link.
  const addressVersion = inviteeEmail === (told.invitee_email ?? '') ? (current ?? 0) : 0
  const session = {
    bookings: previous?.session_bookings ?? null,
    isToldAlready: previous?.is_of_session === true,
  }
  return {
    ...rest,
    ...(together && { people: everybodyOf(together) }),
    addressVersion,
    kind,
    booking,
    session,
    previous: timesBefore(previous),
    // How a deleted booking was made is unknown.
    isKeyless: isKeyless ?? true,
  }
}

/** The owner, and the hosts of all of them. */
function everybodyOf(together: readonly Together[]) {
  return [...new Map(together.flatMap(({ people }) => people).map((one) => [one.id, one])).values()]
}

function timesBefore(around: EventNews['previous']): Previous | null {
  if (around?.start_time === undefined || around.end_time === undefined) return null
  return { ...around, start_time: around.start_time, end_time: around.end_time }
}

function membersTold(
  { booking, people, previous, session }: BookingNews,
  news: EventNews,
  kind: EmailedKind,
) {
  if (session?.isToldAlready) return []
  const { host_id: hostId, co_host_ids: others = [], taker_id: takerId } = previous ?? {}
  const previousHostIds = hostId === undefined ? undefined : [...(hostId === null ? [] : [hostId]), ...others]
  const actorId = actingMember(booking, kind) ?? news.previous?.maker_id ?? null
  return membersToEmail({ kind, booking, people, previousHostIds, takerId, actorId })
}
