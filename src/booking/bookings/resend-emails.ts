import { DAY_MS } from '../../core/time-units.ts'
import { recordActivity } from '../../outbox/activity/statements.ts'
import { withinDay } from '../../outbox/mail/caused-emails.ts'
import { DAILY_LIMIT } from '../../outbox/mail/daily-limit.ts'
import { enqueueMailing } from '../../outbox/mail/enqueue-email.ts'
import { mailboxOf } from '../../outbox/mail/mailbox.ts'
import { countCaused, selectLetterCounts } from '../../outbox/mail/statements.ts'
import type { TenantCaller } from '../../platform/auth/caller.ts'
import type { Db } from '../../platform/db/client.ts'
import { newId } from '../../platform/db/ids.ts'
import { type Context, originOf } from '../../platform/http/context.ts'
import { notFound, Refused, refuse, tooOften } from '../../platform/http/errors.ts'
import { type Change, runChange } from '../../platform/http/run-change.ts'
import { nowAsSeen, realNow } from '../../platform/limits/clock.ts'
import { assertTheirs } from './authorize-change.ts'
import type { BookingNews } from './booking-news.ts'
import { attendeesToEmail } from './email-recipients.ts'
import { presentBooking } from './present.ts'
import { selectToResend } from './queries.ts'

type Input = { readonly to?: 'invitee' | 'everybody' | undefined }

/** Sends the current confirmation again, to everybody who has room for it today. */
export function resendEmails(
  ctx: Context<TenantCaller>,
  id: string,
  input: Input,
): Promise<{ sent: number }> {
  return runChange(ctx, (db) => decide(ctx, db, id, input))
}

async function decide(
  ctx: Context<TenantCaller>,
  db: Db,
  id: string,
  { to: wanted = 'invitee' }: Input,
): Promise<Change<{ sent: number }>> {
  const [found] = await selectToResend(db, id, realNow())
  if (!found) throw notFound('booking')
  const { booking: row, about, people, causedToday } = found
  await assertTheirs(ctx, row, undefined)
  const { status, isKeyless, revision, addressVersion } = row
  if (status === 'cancelled' || status === 'pending_payment') throw refuse('cannot_resend', { status })
  if (nowAsSeen(row.isTest, found.sandboxNow, ctx.now) >= row.endTime) throw refuse('over_already')
  if (!about.emailsInvitees) throw refuse('sends_own_emails')

  const booking = presentBooking(row)
  const all = attendeesToEmail(booking).filter(({ is_primary }) => wanted === 'everybody' || is_primary)
  const now = realNow()
  const counts = await selectLetterCounts(
    db,
    row,
    all.map(({ email }) => mailboxOf(email)),
    now,
  )
  const full = new Set(counts.filter(({ letters }) => letters >= DAILY_LIMIT).map(({ address }) => address))
  const { to } = withinDay(
    all.filter(({ email }) => !full.has(mailboxOf(email))),
    causedToday,
  )
  if (to.length === 0 && all.length > 0) {
    throw new Refused(tooOften('emails_per_address_day', DAY_MS - (now % DAY_MS), { most: DAILY_LIMIT }))
  }
  const body = { sent: to.length }
  if (ctx.isDry) return { body, statements: [] }
  const kind = status === 'pending_approval' ? ('booking.requested' as const) : ('booking.confirmed' as const)
  const facts = { revision, addressVersion, happenedAt: now, about, people }
  const news: BookingNews = { kind, booking, isKeyless, previous: null, ...facts }
  const posting = await enqueueMailing(ctx.env, db, row, {
    kind: 'resent',
    subjectId: id,
    onceKey: `${id}/resent/${newId(row.organizationId)}`,
    to,
    history: { bookingIds: [id], about: 'resent', at: now },
    write: async (recipientId) => {
      const { bookingEmail } = await import('./booking-emails.ts')
      return bookingEmail(ctx.env, news, all.find((one) => one.id === recipientId)!)
    },
  })
  const caused = causedToday === null ? null : { bookingId: id, before: causedToday, emails: to.length }
  return {
    status: 202,
    body,
    statements: [
      ...countCaused(db, row, caused, now),
      ...posting.statements,
      recordActivity(db, row, originOf(ctx), {
        action: 'booking.emails_resent',
        resourceType: 'booking',
        resourceId: id,
        changes: { to: wanted, sent: to.length },
      }),
    ],
    announce: posting.announce,
  }
}
