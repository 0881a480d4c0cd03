import { tokenFor } from '../../auth/secret.ts'
import { bareError } from '../../db/bare-error.ts'
import { commitBatch, type Db } from '../../db/client.ts'
import { fenceOf } from '../../db/refusals.ts'
import type { Env } from '../../env.ts'
import { asSeenBy } from '../bookings/booking-letters.ts'
import { meetingLines } from '../bookings/meeting-lines.ts'
import { presentBooking } from '../bookings/present.ts'
import { letterBody } from '../mail/letter-body.ts'
import { postLetter } from '../mail/post-letter.ts'
import { REMINDERS_A_PAGE, selectDueInSandbox, selectDueReminders, takeReminder } from './store.ts'

/** One sweep does not run for ever; the next one goes on. */
const MAX_PAGES = 20

export type DueReminder = Awaited<ReturnType<typeof selectDueReminders>>[number]

/** Sends each of the due reminders once: taking it off the list and posting its letter is one commit. */
async function sendDueReminders(env: Env, db: Db, due: readonly DueReminder[], now: number): Promise<void> {
  const sent = await Promise.allSettled(due.map((one) => sendReminder(env, db, one, now)))
  for (const outcome of sent) {
    // Cancelled or moved in between: then there is nothing to send, or it is not due yet.
    if (outcome.status === 'fulfilled' || fenceOf(outcome.reason) === 'STALE') continue
    console.error(JSON.stringify({ sweep: 'reminder', cause: bareError(outcome.reason).stack }))
  }
}

/** Everything that is due by the real clock, a page at a time, beginning with the page that was read already. */
export async function sendAllDueReminders(
  env: Env,
  db: Db,
  first: readonly DueReminder[],
  now: number,
): Promise<void> {
  let due = first
  for (let page = 1; due.length > 0; page++) {
    await sendDueReminders(env, db, due, now)
    if (due.length < REMINDERS_A_PAGE || page === MAX_PAGES) return
    due = await selectDueReminders(db, now)
  }
}

/** The same for one sandbox, by its own clock, until nothing more is due. */
export async function sendSandboxReminders(
  env: Env,
  db: Db,
  organizationId: string,
  now: number,
): Promise<void> {
  for (let page = 1; page <= MAX_PAGES; page++) {
    const due = await selectDueInSandbox(db, organizationId, now)
    if (due.length === 0) return
    await sendDueReminders(env, db, due, now)
  }
}

async function sendReminder(env: Env, db: Db, due: DueReminder, now: number): Promise<void> {
  const { booking, minutesBefore, dueAt, title, organizationName } = due
  const reminder = { bookingId: booking.id, minutesBefore, dueAt }
  if (booking.startTime <= now) return commitBatch(db, takeReminder(db, reminder))
  const token = await tokenFor(env.ENCRYPTION_KEY, booking.id)
  const heading = `Reminder: ${title} with ${organizationName}`
  const postings = await Promise.all(
    booking.attendees.map((attendee) => {
      const url = `${env.PUBLIC_URL}/bookings/${booking.id}?token=${token}`
      const news = { booking: presentBooking(booking), isKeyless: booking.isKeyless }
      const lines = meetingLines(asSeenBy(attendee, news), attendee.timezone)
      const action = attendee.is_primary ? { action: { label: 'Cancel or reschedule', url } } : {}
      const letter = {
        onceKey: `reminder/${booking.id}/${minutesBefore}/${dueAt}/${attendee.id}`,
        to: attendee.email,
        subject: heading,
        ...letterBody({ heading, lines, ...action }),
      }
      return postLetter(env, db, booking, letter, now)
    }),
  )
  await commitBatch(db, [...takeReminder(db, reminder), ...postings.map(({ statement }) => statement)])
  await Promise.all(postings.map(({ announce }) => announce()))
}
