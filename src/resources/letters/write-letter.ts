import type { Db } from '../../db/client.ts'
import type { Env } from '../../env.ts'
import type { Email } from '../../providers/email/email-sender.ts'
import { bookingLetter } from '../bookings/booking-letters.ts'
import { presentBooking } from '../bookings/present.ts'
import type { LetterRow } from '../mail/post-letter.ts'
import { reminderLetter } from '../reminders/reminder-letter.ts'
import { type EventNews, writeEventLetter } from './event-letters.ts'
import { selectBookingOfLetter, selectFactsOfLetter } from './queries.ts'

/** What the letter is about, as queries for any batch: one of them finds it. */
export function selectSubject(db: Db, letterId: string) {
  return [selectFactsOfLetter(db, letterId), selectBookingOfLetter(db, letterId)] as const
}

export type LetterSubject = {
  readonly event: EventNews | undefined
  readonly booked: Awaited<ReturnType<typeof selectBookingOfLetter>>[number] | undefined
}

/** A letter that is not ready, written now; null when there is nothing to say any more. */
export async function writeLetter(
  env: Env,
  letter: LetterRow,
  { event, booked }: LetterSubject,
  now: number,
): Promise<Email | null> {
  const { kind, recipientId } = letter
  if (kind === 'event') return event ? writeEventLetter(env, event, recipientId) : null
  const attendee = booked?.booking.attendees.find(({ id }) => id === recipientId)
  if (!booked || !attendee || booked.booking.status === 'cancelled') return null
  const { booking: row, title, organizationName } = booked
  if (kind === 'reminder') {
    const isOfThisStart = row.startTime === letter.occasion && row.startTime > now
    return isOfThisStart ? reminderLetter(env, booked, attendee) : null
  }
  const { isKeyless, revision } = row
  const news = { kind: 'booking.linked', booking: presentBooking(row), isKeyless, previous: null } as const
  return bookingLetter(
    env,
    { ...news, revision, title, organizationName, happenedAt: letter.createdAt },
    attendee,
  )
}
