import type { Env } from '../../../env.ts'
import type { Email } from '../../../providers/email/email-sender.ts'
import { letterBody } from '../../mail/letter-body.ts'
import { asSeenBy } from '../booking-letters.ts'
import { manageUrl } from '../manage-url.ts'
import { meetingLines } from '../meeting-lines.ts'
import { presentBooking } from '../present.ts'
import type { Booking } from '../schema.ts'
import type { DueReminders } from './queries.ts'

/** Reminds one attendee of a booking that is about to start. */
export async function reminderLetter(
  env: Env,
  { booking: row, title, organizationName }: Pick<DueReminders, 'booking' | 'title' | 'organizationName'>,
  attendee: Booking['attendees'][number],
): Promise<Email> {
  const booking = asSeenBy(attendee, { booking: presentBooking(row), isKeyless: row.isKeyless })
  const heading = `Reminder: ${title} with ${organizationName}`
  const lines = meetingLines(booking, attendee.timezone)
  const url = attendee.is_primary ? await manageUrl(env, row.id) : null
  const action = url === null ? {} : { action: { label: 'Cancel or reschedule', url } }
  return { to: attendee.email, subject: heading, ...letterBody({ heading, lines, ...action }) }
}
