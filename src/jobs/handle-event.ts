import { commitBatch, type Db, openDb } from '../db/client.ts'
import type { Env } from '../env.ts'
import { bookingLetters } from '../resources/bookings/booking-letters.ts'
import type { Booking } from '../resources/bookings/schema.ts'
import type { EventKind } from '../resources/events/record-event.ts'
import { type EventRow, findNames, findUnhandledEvent, markHandled } from '../resources/events/store.ts'
import { type Letter, postLetter } from '../resources/mail/post-letter.ts'
import type { WaitlistEntry } from '../resources/waitlist/schema.ts'
import { promotionLetters } from '../resources/waitlist/waitlist-letters.ts'

/** Puts everything that follows from a committed event on its way, once, however often it is told of it. */
export async function handleEvent(env: Env, eventId: string): Promise<void> {
  const db = openDb(env, 'decide')
  const event = await findUnhandledEvent(db, eventId)
  if (!event) return
  const letters = await lettersOf(env, db, event)

  const now = Date.now()
  const postings = await Promise.all(letters.map((letter) => postLetter(env, db, event, letter, now)))
  await commitBatch(db, [...postings.map(({ statement }) => statement), markHandled(db, eventId, now)])
  await Promise.all(postings.map(({ announce }) => announce()))
}

async function lettersOf(env: Env, db: Db, event: EventRow): Promise<Letter[]> {
  const subject = event.data as Booking | WaitlistEntry
  const names = await findNames(db, subject.event_type_id)
  if (!names) return []
  const kind = event.kind as EventKind
  switch (kind) {
    case 'booking.created':
    case 'booking.cancelled':
    case 'booking.rescheduled':
      return bookingLetters(env, {
        eventId: event.id,
        kind,
        booking: subject as Booking,
        previous: event.previous,
        revision: event.revision,
        happenedAt: event.createdAt,
        ...names,
      })
    case 'waitlist.promoted':
      return promotionLetters(db, { eventId: event.id, entry: subject as WaitlistEntry, ...names })
    case 'waitlist.expired':
      return []
  }
}
