import { commitBatch, type Db, openDb } from '../db/client.ts'
import type { Env } from '../env.ts'
import { tellQueue } from '../queue/messages.ts'
import {
  type BookingNews,
  bookingLetter,
  isToldByLetter,
  toldOf,
} from '../resources/bookings/booking-letters.ts'
import type { Booking } from '../resources/bookings/schema.ts'
import { selectDueWritesOf } from '../resources/calendar-writes/store.ts'
import { selectDueMeetingsOf, selectLink } from '../resources/conferencing/store.ts'
import type { EventRow } from '../resources/events/present.ts'
import { findNames, markHandled, selectUnhandledEvent } from '../resources/events/store.ts'
import { type Letter, postLetter } from '../resources/mail/post-letter.ts'
import { paymentNews } from '../resources/payments/payment-news.ts'
import type { WaitlistEntry } from '../resources/waitlist/schema.ts'
import { promotionLetters } from '../resources/waitlist/waitlist-letters.ts'
import { fanOut } from '../resources/webhook-deliveries/fan-out.ts'
import { selectListeners } from '../resources/webhook-deliveries/store.ts'
import { bringAboutLink, isAwaited, LINK_PATIENCE_MS, LINK_RETRY_SECONDS } from './await-link.ts'

/** Puts everything that follows from a committed event on its way, once, however often it is told of it. */
export async function handleEvent(
  env: Env,
  eventId: string,
  now: number = Date.now(),
): Promise<{ readonly retryInSeconds: number } | null> {
  const db = openDb(env, 'decide')
  const [[event], listeners, [linkBefore], meetings, writes] = await db.batch([
    selectUnhandledEvent(db, eventId),
    selectListeners(db, eventId),
    selectLink(db, eventId),
    selectDueMeetingsOf(db, eventId, now),
    selectDueWritesOf(db, eventId, now),
  ])
  if (!event) return null

  const tellOthers = () =>
    tellQueue(
      env,
      ...meetings.map(({ holderId }) => ({ type: 'meeting', holderId }) as const),
      ...writes.map((key) => ({ type: 'calendar-write', ...key }) as const),
    )
  // Of a booking that is gone, nobody knows how it was made.
  const isKeyless = linkBefore?.isKeyless ?? true
  let link = event.kind === 'booking.cancelled' ? undefined : linkBefore
  if (link && isAwaited(link) && isToldByLetter(event.kind)) {
    // Only the letters wait for it.
    const first = await fanOut(env, db, event, listeners, now)
    if (first.statements.length > 0) await commitBatch(db, first.statements)
    await first.announce()
    link = await bringAboutLink(env, db, eventId, link)
    if (link && isAwaited(link) && now - event.createdAt < LINK_PATIENCE_MS) {
      await tellOthers()
      return { retryInSeconds: LINK_RETRY_SECONDS }
    }
  }

  const letters = await lettersOf(env, db, event, isKeyless, link?.url)
  const postings = await Promise.all(letters.map((letter) => postLetter(env, db, event, letter, now)))
  const payment = await paymentNews(env, db, event, now)
  const webhooks = await fanOut(env, db, event, listeners, now)

  await commitBatch(db, [
    ...postings.map(({ statement }) => statement),
    ...payment.statements,
    ...webhooks.statements,
    markHandled(db, eventId, now),
  ])

  await Promise.all([...postings, payment, webhooks].map(({ announce }) => announce()))
  await tellOthers()
  return null
}

async function lettersOf(
  env: Env,
  db: Db,
  event: EventRow,
  isKeyless: boolean,
  url: string | null | undefined,
): Promise<Letter[]> {
  const { kind, data, previous, revision } = event
  const isPromotion = kind === 'waitlist.promoted'
  if (!isToldByLetter(kind) && !isPromotion) return []
  const subject = data as Booking | WaitlistEntry
  const names = await findNames(db, subject.event_type_id)
  if (!names) return []
  if (isPromotion)
    return promotionLetters(env, db, { eventId: event.id, entry: subject as WaitlistEntry, ...names })
  const told = subject as Booking
  const booking = url === undefined ? told : { ...told, conferencing_url: url }
  const happenedAt = event.createdAt
  const news: BookingNews = { kind, booking, isKeyless, previous, revision, happenedAt, ...names }
  return Promise.all(
    toldOf(booking).map(async (attendee) => ({
      onceKey: `event/${event.id}/${attendee.id}`,
      ...(await bookingLetter(env, news, attendee)),
    })),
  )
}
