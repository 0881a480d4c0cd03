import type { Env } from '../../env.ts'
import type { Email } from '../../providers/email/email-sender.ts'
import { type BookingNews, bookingLetter, isToldByLetter, toldOf } from '../bookings/booking-letters.ts'
import { payLetter } from '../bookings/pay-letter.ts'
import type { Booking } from '../bookings/schema.ts'
import type { Mailing } from '../mail/post-letter.ts'
import type { WaitlistEntry } from '../waitlist/schema.ts'
import { promotionLetter } from '../waitlist/waitlist-letters.ts'
import type { selectFactsOfLetter, selectUnhandledEvent } from './queries.ts'

export type EventNews = Awaited<ReturnType<typeof selectFactsOfLetter>>[number]

type UnhandledEvent = Awaited<ReturnType<typeof selectUnhandledEvent>>[number]

/** What letters say about an event, with the link as it is now; null where its event type is gone. */
export function newsOf({ event, ...facts }: UnhandledEvent, url: string | null): EventNews | null {
  const { title, organizationName, isKeyless, startTime, status } = facts
  const { payBy, intentId, givenBack, isPromotion } = facts
  if (title === null || organizationName === null) return null
  const { id, organizationId, isTest, kind, data, previous, revision, createdAt: happenedAt } = event
  const told = { id, organizationId, isTest, kind, data, previous, revision, happenedAt }
  const paid = { payBy, intentId, givenBack, isPromotion }
  return { ...told, title, organizationName, isKeyless, startTime, status, ...paid, conferencingUrl: url }
}

/** The letters that follow from an event. */
export function eventMailing(env: Env, news: EventNews): Mailing {
  const { id } = news
  const write = async (recipientId: string) => {
    const letter = await writeEventLetter(env, news, recipientId)
    if (!letter) throw new Error('a recipient of an event has no letter of it')
    return letter
  }
  return { kind: 'event', subjectId: id, onceKey: `${id}/event`, isOnce: true, to: recipientsOf(news), write }
}

/** Whether it tells of a booking that waits to be paid, by somebody whom nobody else tells of it. */
export function asksToPay({
  kind,
  data,
  status,
  isPromotion,
}: Pick<EventNews, 'kind' | 'data' | 'status' | 'isPromotion'>): boolean {
  const isUnpaid = kind === 'booking.created' && (data as Booking).status === 'pending_payment'
  return isUnpaid && status === 'pending_payment' && !isPromotion
}

function recipientsOf(news: EventNews): Mailing['to'] {
  const { kind, data, status, intentId } = news
  if (asksToPay(news)) {
    // Where the provider has made nothing to pay yet, a letter would lead nowhere.
    return intentId === null ? [] : (data as Booking).attendees.filter(({ is_primary }) => is_primary)
  }
  if (isToldByLetter(kind)) return toldOf(data as Booking)
  if (kind !== 'waitlist.promoted' || status === null || status === 'cancelled') return []
  const { id, invitee_email: email } = data as WaitlistEntry
  return [{ id, email }]
}

/** One of them, written now; null when there is nothing left to say. */
export async function writeEventLetter(
  env: Env,
  news: EventNews,
  recipientId: string | null,
): Promise<Email | null> {
  if (!recipientsOf(news).some(({ id }) => id === recipientId)) return null
  const { kind, data, startTime, status, title, organizationName } = news
  if (!isToldByLetter(kind)) {
    const booking = { startTime: startTime!, payBy: status === 'pending_payment' ? news.payBy : null }
    return promotionLetter(env, { entry: data as WaitlistEntry, booking, title, organizationName })
  }
  const booking = bookingOf(kind, data as Booking, news)
  const attendee = booking.attendees.find(({ id }) => id === recipientId)!
  if (asksToPay(news))
    return payLetter(env, { booking, payBy: news.payBy!, title, organizationName }, attendee)
  // How a deleted booking was made is unknown.
  return bookingLetter(env, { ...news, kind, booking, isKeyless: news.isKeyless ?? true }, attendee)
}

/** The booking as it was then, with the link that may have been made since. */
function bookingOf(
  kind: BookingNews['kind'],
  told: Booking,
  { status, conferencingUrl }: EventNews,
): Booking {
  if (kind === 'booking.cancelled' || status === null) return told
  return { ...told, conferencing_url: conferencingUrl }
}
