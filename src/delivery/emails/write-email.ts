import { bookingEmail } from '../../booking/bookings/booking-emails.ts'
import { everybodyIn } from '../../booking/bookings/email-recipients.ts'
import { presentBooking } from '../../booking/bookings/present.ts'
import { isFollowUpInTime } from '../../booking/bookings/reminders/plan-reminders.ts'
import { presentEntry } from '../../booking/waitlist/present.ts'
import { waitlistEmail } from '../../booking/waitlist/waitlist-emails.ts'
import type { Env } from '../../env.ts'
import type { EmailRow } from '../../outbox/mail/enqueue-email.ts'
import type { EmailWriter } from '../../outbox/mail/send-email.ts'
import { type AskedSignIn, signInEmail } from '../../people/sign-in/sign-in-email.ts'
import { selectSignInOfEmail } from '../../people/sign-in/statements.ts'
import { openDb } from '../../platform/db/client.ts'
import type { Email } from '../../platform/email/email-sender.ts'
import type { RealMs } from '../../platform/limits/clock.ts'
import { type EventNews, writeEventEmail } from './event-emails.ts'
import { selectBookingOfEmail, selectEntryOfEmail, selectFactsOfEmail, selectTogether } from './queries.ts'

type Waiting = Awaited<ReturnType<typeof selectEntryOfEmail>>[number]
type Booked = Awaited<ReturnType<typeof selectBookingOfEmail>>[number]

/** Writes the emails about bookings, the waitlist and payments. */
export const emailWriter: EmailWriter<readonly [EventNews, Booked, Waiting, AskedSignIn]> = {
  select: (db, emailId) => [
    selectFactsOfEmail(db, emailId),
    selectBookingOfEmail(db, emailId),
    selectEntryOfEmail(db, emailId),
    selectSignInOfEmail(db, emailId),
  ],
  write: writeEmail,
}

async function writeEmail(
  env: Env,
  letter: EmailRow,
  [event, booked, waiting, signIn]: readonly [
    EventNews | undefined,
    Booked | undefined,
    Waiting | undefined,
    AskedSignIn | undefined,
  ],
  now: RealMs,
): Promise<Email | null> {
  const { kind, recipientId } = letter
  if (kind === 'ready') return null
  if (kind === 'sign_in') return signIn ? signInEmail(env, letter.recipient, signIn, now) : null
  if (kind === 'event')
    return event ? writeEventEmail(env, await withTogether(env, event), recipientId, now) : null
  if (kind === 'waiting') return waiting ? writeWaiting(env, letter, waiting) : null
  const attendee = booked && everybodyIn(presentBooking(booked.booking)).find(({ id }) => id === recipientId)
  if (!booked || !attendee || booked.booking.status === 'cancelled') return null
  if (!booked.about.emailsInvitees) return null
  const { booking: row, about, people } = booked
  if (kind === 'reminder' && (row.startTime !== letter.occasion || row.startTime <= now)) return null
  if (kind === 'follow_up' && !isStillToFollow(row, attendee, letter, now)) return null
  const { isKeyless, revision, addressVersion } = row
  const told = {
    booking: presentBooking(row),
    isKeyless,
    previous: null,
    revision,
    addressVersion,
    about,
    people,
  }
  if (kind === 'payable') {
    const isPaying = row.payment?.status === 'processing'
    if (row.status !== 'pending_payment' || isPaying || letter.occasion === null) return null
    const payable = { ...told, kind: 'booking.payable' as const, payBy: letter.occasion }
    return bookingEmail(env, { ...payable, happenedAt: letter.createdAt }, attendee)
  }
  if (kind === 'resent') {
    const isRequest = row.status === 'pending_approval'
    const what = isRequest ? ('booking.requested' as const) : ('booking.confirmed' as const)
    return bookingEmail(env, { ...told, kind: what, happenedAt: letter.createdAt }, attendee)
  }
  return bookingEmail(env, { ...told, kind: WHAT[kind], happenedAt: letter.createdAt }, attendee)
}

const WHAT = {
  link: 'booking.linked',
  reminder: 'booking.reminded',
  follow_up: 'booking.followed_up',
} as const

/** Of a meeting that took place, with the end that it had. */
function isStillToFollow(
  { endTime, hostAbsent }: Booked['booking'],
  { no_show }: { readonly no_show: boolean },
  { occasion, createdAt }: EmailRow,
  now: RealMs,
): boolean {
  return endTime === occasion && !hostAbsent && !no_show && isFollowUpInTime(createdAt, now)
}

/** With the bookings of its series, if it has the emails about them. */
async function withTogether(env: Env, news: EventNews): Promise<EventNews> {
  const ids = news.previous?.series_bookings
  return ids ? { ...news, together: await selectTogether(openDb(env, 'decide'), ids) } : news
}

/** If the entry no longer waits, another email says so. */
async function writeWaiting(
  env: Env,
  { occasion }: EmailRow,
  { entry: row, location, about, people }: Waiting,
): Promise<Email | null> {
  if (row.status !== 'waiting' || !about.emailsInvitees) return null
  const entry = presentEntry(row, occasion ?? 1)
  return waitlistEmail(env, {
    entry,
    durationMinutes: row.durationMinutes,
    location,
    place: row.meetsAt,
    about,
    people,
  })
}
