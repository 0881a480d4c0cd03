import type { SandboxSweep } from '../../../engine/sandbox-sweep.ts'
import type { Env } from '../../../env.ts'
import { type Caused, withinDay } from '../../../outbox/mail/caused-emails.ts'
import { enqueueMailing } from '../../../outbox/mail/enqueue-email.ts'
import type { Mailing } from '../../../outbox/mail/enqueued.ts'
import { countedOf, isSentAtOnce, sendAtOnce } from '../../../outbox/mail/send-at-once.ts'
import { countCaused } from '../../../outbox/mail/statements.ts'
import { bareError } from '../../../platform/db/bare-error.ts'
import { commitBatch, type Db } from '../../../platform/db/client.ts'
import { leaseAt } from '../../../platform/db/leases.ts'
import { fenceOf } from '../../../platform/db/refusals.ts'
import type { BookingRow } from '../../../platform/db/schema/bookings.ts'
import { nowAsLive, type PresentMs, type RealMs, realNow } from '../../../platform/limits/clock.ts'
import type { Message } from '../../../platform/queue/messages.ts'
import { type BookingNews, bookingEmail } from '../booking-emails.ts'
import { everybodyIn } from '../email-recipients.ts'
import { presentBooking } from '../present.ts'
import { dueAt, dueReminders, planReminders, type Reminders } from './plan-reminders.ts'
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
  const { mailings, caused } =
    booking.startTime > now ? mailingsOf(env, due, now) : { mailings: [], caused: null }
  const rest = planReminders(booking.reminderMinutes ?? [], booking.startTime, now)
  const [mailing, second] = mailings
  try {
    // Behind what waits for the quota of the account, it waits with the emails that are queued.
    if (mailing && !second && !due.othersWait && isSentAtOnce(booking, mailing)) {
      const { until } = leaseAt('email', now)
      await sendLeased(env, db, booking, mailing, caused, rest, until, realTime)
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
  caused: Caused | null,
  rest: Reminders,
  until: number,
  realTime: RealMs,
): Promise<void> {
  const { statements, leases } = leaseReminders(db, booking, countedOf(mailing), caused, until, realTime)
  const told = await commitBatch(db, statements)
  const [leased] = (told?.at(-1) ?? []) as Awaited<typeof leases>
  const read = { ...booking, nextReminderAt: until }
  const ends = {
    sent: endReminders(db, read, rest),
    posted: (emailIds: readonly string[]) => endLease(db, read, rest, emailIds),
  }
  await sendAtOnce(env, db, booking, mailing, leased?.heldBack ?? [], ends, realTime)
}

/** One email for each due reminder, and their total count. Guests get none once the booking has caused too many. */
function mailingsOf(env: Env, due: DueReminders, now: PresentMs) {
  const { booking, about, causedToday } = due
  const { id, startTime } = booking
  const everybody = everybodyIn(presentBooking(booking))
  const attendeeOf = new Map(everybody.map((attendee) => [attendee.id, attendee]))
  const all = about.emailsInvitees ? everybody.filter(({ email }) => email !== '') : []
  let emails = 0
  const mailings = dueReminders(booking, now).map((minutes): Mailing => {
    const { to } = withinDay(all, causedToday === null ? null : causedToday + emails)
    emails += to.length
    return {
      kind: 'reminder',
      subjectId: id,
      occasion: startTime,
      onceKey: `${id}/reminder/${minutes}/${dueAt(startTime, minutes)}`,
      to,
      write: (recipientId) => bookingEmail(env, reminderNews(due, now), attendeeOf.get(recipientId)!),
    }
  })
  const counts = causedToday !== null && emails > 0
  return { mailings, caused: counts ? { bookingId: id, before: causedToday, emails } : null }
}

function reminderNews({ booking, about, people }: DueReminders, now: PresentMs): BookingNews {
  const { isKeyless, revision, addressVersion } = booking
  const told = { booking: presentBooking(booking), isKeyless, previous: null, revision, addressVersion }
  return { ...told, kind: 'booking.reminded', happenedAt: now, about, people }
}
