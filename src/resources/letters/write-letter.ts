import type { Env } from '../../env.ts'
import type { RealMs } from '../../limits/clock.ts'
import type { Email } from '../../providers/email/email-sender.ts'
import { bookingLetter } from '../bookings/booking-letters.ts'
import { presentBooking } from '../bookings/present.ts'
import { reminderLetter } from '../bookings/reminders/reminder-letter.ts'
import type { LetterRow } from '../mail/post-letter.ts'
import type { LetterWriter } from '../mail/send-letter.ts'
import { type EventNews, writeEventLetter } from './event-letters.ts'
import { selectBookingOfLetter, selectFactsOfLetter } from './queries.ts'

type Booked = Awaited<ReturnType<typeof selectBookingOfLetter>>[number]

/** Writes what the organization tells its invitees of bookings and of the waitlist. */
export const letterWriter: LetterWriter<readonly [EventNews, Booked]> = {
  select: (db, letterId) => [selectFactsOfLetter(db, letterId), selectBookingOfLetter(db, letterId)],
  write: writeLetter,
}

async function writeLetter(
  env: Env,
  letter: LetterRow,
  [event, booked]: readonly [EventNews | undefined, Booked | undefined],
  now: RealMs,
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
