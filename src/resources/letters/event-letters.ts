import type { Env } from '../../env.ts'
import type { Email } from '../../providers/email/email-sender.ts'
import { type BookingNews, bookingLetter, isToldByLetter, toldOf } from '../bookings/booking-letters.ts'
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
  if (title === null || organizationName === null) return null
  const { id, organizationId, isTest, kind, data, previous, revision, createdAt: happenedAt } = event
  const told = { id, organizationId, isTest, kind, data, previous, revision, happenedAt }
  return { ...told, title, organizationName, isKeyless, startTime, status, conferencingUrl: url }
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

function recipientsOf({ kind, data, status }: EventNews): Mailing['to'] {
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
    const booking = { startTime: startTime!, isUnpaid: status === 'pending_payment' }
    return promotionLetter(env, { entry: data as WaitlistEntry, booking, title, organizationName })
  }
  const booking = bookingOf(kind, data as Booking, news)
  const attendee = booking.attendees.find(({ id }) => id === recipientId)!
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
