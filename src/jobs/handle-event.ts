import { commitBatch, openDb } from '../db/client.ts'
import type { Env } from '../env.ts'
import { bookingLetters } from '../resources/bookings/booking-letters.ts'
import type { Booking } from '../resources/bookings/schema.ts'
import type { EventKind } from '../resources/events/record-event.ts'
import { findNames, findUnhandledEvent, markHandled } from '../resources/events/store.ts'
import { postLetter } from '../resources/mail/post-letter.ts'

/** Puts everything that follows from a committed event on its way, once, however often it is told of it. */
export async function handleEvent(env: Env, eventId: string): Promise<void> {
  const db = openDb(env, 'decide')
  const event = await findUnhandledEvent(db, eventId)
  if (!event) return
  const booking = event.data as Booking
  const names = await findNames(db, booking.event_type_id)
  const letters = names
    ? await bookingLetters(env, {
        eventId,
        kind: event.kind as EventKind,
        booking,
        previous: event.previous,
        revision: event.revision,
        happenedAt: event.createdAt,
        ...names,
      })
    : []

  const now = Date.now()
  const postings = await Promise.all(letters.map((letter) => postLetter(env, db, event, letter, now)))
  await commitBatch(db, [...postings.map(({ statement }) => statement), markHandled(db, eventId, now)])
  await Promise.all(postings.map(({ announce }) => announce()))
}
