import type { SandboxSweep } from '../../../engine/sandbox-sweep.ts'
import type { Env } from '../../../env.ts'
import { type Caused, withinDay } from '../../../outbox/mail/caused-emails.ts'
import { enqueueMailing } from '../../../outbox/mail/enqueue-email.ts'
import type { Mailing } from '../../../outbox/mail/enqueued.ts'
import { isSentAtOnce, sendAtOnce } from '../../../outbox/mail/send-at-once.ts'
import { countCaused } from '../../../outbox/mail/statements.ts'
import { bareError } from '../../../platform/db/bare-error.ts'
import { commitBatch, type Db } from '../../../platform/db/client.ts'
import { LEASE_MS } from '../../../platform/db/leases.ts'
import { fenceOf } from '../../../platform/db/refusals.ts'
import type { BookingRow } from '../../../platform/db/schema/bookings.ts'
import { nowAsLive, type PresentMs, type RealMs, realNow } from '../../../platform/limits/clock.ts'
import type { Message } from '../../../platform/queue/messages.ts'
import { bookingEmail } from '../booking-emails.ts'
import type { BookingNews } from '../booking-news.ts'
import { type Attendee, addressed, everybodyIn } from '../email-recipients.ts'
import { presentBooking } from '../present.ts'
import { dueAt, dueReminders, isFollowUpDue, planRest, type Reminders } from './plan-reminders.ts'
import {
  type DueReminders,
  endLease,
  endReminders,
  leaseReminders,
  selectDueInSandbox,
  selectRemindersToSend,
  takeReminders,
} from './queries.ts'

/** Limit of rounds for one sandbox, in case its reminders cannot be removed. */
const MAX_PAGES = 20

type Asked = Pick<Extract<Message, { readonly type: 'reminder' }>, 'bookingId' | 'dueBy'>

/** Sends the reminders of a live booking that were due at the sweep. */
export async function remind(env: Env, db: Db, { bookingId, dueBy }: Asked, now: RealMs): Promise<void> {
  // The sweep's clock may be a little ahead.
  const asked = Math.max(dueBy, now) as RealMs
  const [due] = await selectRemindersToSend(db, bookingId, asked)
  if (due) await sendReminders(env, db, due, nowAsLive(asked), now)
}

/** The same for one sandbox in its present, until nothing more is due or the time is up. */
export async function sendSandboxReminders({
  env,
  db,
  organizationId,
  present,
  isOver,
}: SandboxSweep): Promise<void> {
  for (let page = 1; page <= MAX_PAGES; page++) {
    const found = await selectDueInSandbox(db, organizationId, present)
    if (found.length === 0) return
    const sent = await Promise.allSettled(found.map((due) => sendReminders(env, db, due, present, realNow())))
    for (const outcome of sent) {
      if (outcome.status === 'fulfilled') continue
      console.error(JSON.stringify({ sandbox: 'reminder', cause: bareError(outcome.reason).stack }))
    }
    if (isOver()) return
  }
}

/** Each due reminder once: it is removed in the batch that enqueues its emails, or after they are sent. */
async function sendReminders(
  env: Env,
  db: Db,
  due: DueReminders,
  now: PresentMs,
  realTime: RealMs,
): Promise<void> {
  const { booking } = due
  const { mailings, caused } = mailingsOf(env, due, now)
  const rest = planRest(booking, now)
  const [mailing, second] = mailings
  try {
    // Behind what waits for the quota of the account, it waits with the emails that are queued.
    if (mailing && !second && !due.othersWait && isSentAtOnce(booking, mailing)) {
      const notedAt = due.noted[mailing.onceKey] ?? null
      // If that process dies, the sweep finds them again.
      if (notedAt !== null && notedAt + LEASE_MS.email > now) return
      await sendLeased(env, db, booking, mailing, notedAt, caused, rest, realTime)
      return
    }
    const postings = await Promise.all(mailings.map((each) => enqueueMailing(env, db, booking, each)))
    const take = takeReminders(db, booking, rest)
    const counts = countCaused(db, booking, caused, realTime)
    await commitBatch(db, [...take, ...counts, ...postings.flatMap(({ statements }) => statements)])
    await Promise.all(postings.map(({ announce }) => announce()))
  } catch (error) {
    // The booking was cancelled or rescheduled, or the reminder was sent: nothing is due. If other emails of it were
    // counted, the sweep finds it again.
    if (fenceOf(error) !== 'STALE') throw error
  }
}

/** Sends the emails of one reminder without a row for each: it is leased until they are sent. */
async function sendLeased(
  env: Env,
  db: Db,
  booking: BookingRow,
  mailing: Mailing,
  notedAt: number | null,
  caused: Caused | null,
  rest: Reminders,
  realTime: RealMs,
): Promise<void> {
  const { statements, heldBack } = leaseReminders(db, booking, mailing, notedAt, caused, realTime)
  const told = await commitBatch(db, statements)
  const [leased] = (told?.at(-1) ?? []) as Awaited<typeof heldBack>
  const ends = {
    sent: endReminders(db, booking, rest),
    posted: (emailIds: readonly string[]) => endLease(db, booking, rest, emailIds),
  }
  await sendAtOnce(env, db, booking, mailing, leased?.heldBack ?? [], ends, realTime)
}

/** One email for each due reminder, and their total count. Guests get none once the booking has caused too many. */
function mailingsOf(env: Env, due: DueReminders, now: PresentMs) {
  const { booking, about, causedToday } = due
  const { id, startTime } = booking
  const isBefore = startTime > now
  const all = about.emailsInvitees ? recipientsOf(booking, isBefore) : []
  const attendeeOf = new Map(all.map((attendee) => [attendee.id, attendee]))
  let emails = 0
  const mailings = occasionsOf(booking, isBefore, now).map((occasion): Mailing => {
    const { to } = withinDay(all, causedToday === null ? null : causedToday + emails)
    emails += to.length
    const write = (recipientId: string) =>
      bookingEmail(env, newsOf(due, occasion.kind, now), attendeeOf.get(recipientId)!)
    const history = { bookingIds: [id], about: occasion.kind, at: now }
    return { ...occasion, subjectId: id, to, history, write }
  })
  const counts = causedToday !== null && emails > 0
  return { mailings, caused: counts ? { bookingId: id, before: causedToday, emails } : null }
}

/** Everybody is reminded. Attendees who came are written to afterwards, and guests are not. */
function recipientsOf(row: BookingRow, isBefore: boolean): readonly Attendee[] {
  const booking = presentBooking(row)
  if (isBefore) return everybodyIn(booking).filter(({ email }) => email !== '')
  if (row.hostAbsent) return []
  return booking.attendees.map(addressed).filter(({ email, no_show }) => email !== '' && !no_show)
}

/** What is due: reminders before the start, the follow-up after the end. */
function occasionsOf(booking: BookingRow, isBefore: boolean, now: PresentMs) {
  const { id, startTime, endTime } = booking
  if (isBefore) {
    return dueReminders(booking, now).map((minutes) => {
      const onceKey = `${id}/reminder/${minutes}/${dueAt(startTime, minutes)}`
      return { kind: 'reminder' as const, occasion: startTime, onceKey }
    })
  }
  if (!isFollowUpDue(booking, now)) return []
  return [{ kind: 'follow_up' as const, occasion: endTime, onceKey: `${id}/follow-up/${endTime}` }]
}

function newsOf(
  { booking, about, people }: DueReminders,
  kind: 'reminder' | 'follow_up',
  now: PresentMs,
): BookingNews {
  const { isKeyless, revision, addressVersion } = booking
  const told = { booking: presentBooking(booking), isKeyless, previous: null, revision, addressVersion }
  const what = kind === 'reminder' ? ('booking.reminded' as const) : ('booking.followed_up' as const)
  return { ...told, kind: what, happenedAt: now, about, people }
}
