import { bareError } from '../../../db/bare-error.ts'
import { commitBatch, type Db } from '../../../db/client.ts'
import { fenceOf } from '../../../db/refusals.ts'
import type { Env } from '../../../env.ts'
import type { PresentMs } from '../../../limits/clock.ts'
import { postMailing } from '../../mail/post-letter.ts'
import { type BookingNews, bookingLetter } from '../booking-letters.ts'
import { presentAttendees, presentBooking } from '../present.ts'
import { dueAt, dueReminders, planReminders } from './plan-reminders.ts'
import { type DueReminders, selectDueInSandbox, takeReminders } from './queries.ts'

/** The limit of rounds for one sandbox, in case its reminders cannot be taken off the list. */
const MAX_PAGES = 20

/** Sends each of the due reminders once: taking them off their booking and posting their letters is one commit. */
export async function sendDueReminders(
  env: Env,
  db: Db,
  due: readonly DueReminders[],
  now: PresentMs,
): Promise<void> {
  const sent = await Promise.allSettled(due.map((one) => sendReminder(env, db, one, now)))
  for (const outcome of sent) {
    // Cancelled or moved in between: then there is nothing to send, or it is not due yet.
    if (outcome.status === 'fulfilled' || fenceOf(outcome.reason) === 'STALE') continue
    console.error(JSON.stringify({ sweep: 'reminder', cause: bareError(outcome.reason).stack }))
  }
}

/** The same for one sandbox, by its own clock, until nothing more is due. */
export async function sendSandboxReminders(
  env: Env,
  db: Db,
  organizationId: string,
  now: PresentMs,
): Promise<void> {
  for (let page = 1; page <= MAX_PAGES; page++) {
    const due = await selectDueInSandbox(db, organizationId, now)
    if (due.length === 0) return
    await sendDueReminders(env, db, due, now)
  }
}

async function sendReminder(env: Env, db: Db, due: DueReminders, now: PresentMs): Promise<void> {
  const { booking } = due
  const { startTime, reminderMinutes } = booking
  const rest = planReminders(reminderMinutes ?? [], startTime, now)
  const take = takeReminders(db, booking, rest)
  if (startTime <= now) return void (await commitBatch(db, take))
  const attendeeOf = new Map(presentAttendees(booking).map((attendee) => [attendee.id, attendee]))
  const mailings = dueReminders(booking, now).map((minutes) =>
    postMailing(env, db, booking, {
      kind: 'reminder',
      subjectId: booking.id,
      occasion: startTime,
      onceKey: `${booking.id}/reminder/${minutes}/${dueAt(startTime, minutes)}`,
      to: booking.attendees.filter(({ email }) => email !== ''),
      write: (id) => bookingLetter(env, reminderNews(due, now), attendeeOf.get(id)!),
    }),
  )
  const postings = await Promise.all(mailings)
  await commitBatch(db, [...take, ...postings.flatMap(({ statements }) => statements)])
  await Promise.all(postings.map(({ announce }) => announce()))
}

function reminderNews({ booking, about, people }: DueReminders, now: PresentMs): BookingNews {
  const { isKeyless, revision } = booking
  const told = { booking: presentBooking(booking), isKeyless, previous: null, revision }
  return { ...told, kind: 'booking.reminded', happenedAt: now, about, people }
}
