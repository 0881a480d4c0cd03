import { commitBatch, type Db, openDb } from '../db/client.ts'
import type { Env } from '../env.ts'
import { bookingLetters, isToldByLetter } from '../resources/bookings/booking-letters.ts'
import type { Booking } from '../resources/bookings/schema.ts'
import type { EventRow } from '../resources/events/present.ts'
import { findNames, markHandled, selectUnhandledEvent } from '../resources/events/store.ts'
import { type Letter, postLetter } from '../resources/mail/post-letter.ts'
import { paymentNews } from '../resources/payments/payment-news.ts'
import type { WaitlistEntry } from '../resources/waitlist/schema.ts'
import { promotionLetters } from '../resources/waitlist/waitlist-letters.ts'
import { fanOut } from '../resources/webhook-deliveries/fan-out.ts'
import { selectListeners } from '../resources/webhook-deliveries/store.ts'

/** Puts everything that follows from a committed event on its way, once, however often it is told of it. */
export async function handleEvent(env: Env, eventId: string): Promise<void> {
  const db = openDb(env, 'decide')
  const [[event], listeners] = await db.batch([
    selectUnhandledEvent(db, eventId),
    selectListeners(db, eventId),
  ])
  if (!event) return

  const now = Date.now()
  const letters = await lettersOf(env, db, event)
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
}

async function lettersOf(env: Env, db: Db, event: EventRow): Promise<Letter[]> {
  const { kind, data, previous, revision } = event
  const isPromotion = kind === 'waitlist.promoted'
  if (!isToldByLetter(kind) && !isPromotion) return []
  const subject = data as Booking | WaitlistEntry
  const names = await findNames(db, subject.event_type_id)
  if (!names) return []
  if (isPromotion)
    return promotionLetters(env, db, { eventId: event.id, entry: subject as WaitlistEntry, ...names })
  const booking = subject as Booking
  const happenedAt = event.createdAt
  return bookingLetters(env, { eventId: event.id, kind, booking, previous, revision, happenedAt, ...names })
}
