import type { Env } from '../../env.ts'
import type { Tenant } from '../../platform/auth/caller.ts'
import { commitBatch, type Db, type Statement } from '../../platform/db/client.ts'
import { newId } from '../../platform/db/ids.ts'
import { onceMore } from '../../platform/db/once-more.ts'
import { fenceOf } from '../../platform/db/refusals.ts'
import { bindingSender, type EmailSender } from '../../platform/email/email-sender.ts'
import type { RealMs } from '../../platform/limits/clock.ts'
import { wakeQueueLater } from '../../platform/queue/messages.ts'
import { retrySeconds } from '../../platform/queue/retry-schedules.ts'
import type { CountedRecipient } from './daily-limit.ts'
import type { Mailing } from './enqueued.ts'
import { mailboxOf } from './mailbox.ts'
import { secondsToNextAttempt } from './next-attempt.ts'
import { giveUpEmail } from './queries.ts'
import { reportFailure } from './report-failure.ts'
import { whyOf } from './send-email.ts'
import { insertEmails } from './statements.ts'

/** Emails to more people than this are left to the queue, which sends each one separately. */
const SENT_AT_ONCE = 6

/** Whether the emails are sent directly, without a row for each. */
export function isSentAtOnce({ isTest }: Tenant, { to }: Mailing): boolean {
  return !isTest && to.length > 0 && to.length <= SENT_AT_ONCE
}

/** The recipients whose emails count toward the daily limit of their address. */
export function countedOf({ to }: Pick<Mailing, 'to'>): CountedRecipient[] {
  const counted = to.filter(({ isMember }) => !isMember)
  return counted.map(({ id, email }) => ({ id, address: mailboxOf(email) }))
}

/** What ends the lease on the event or the reminders. */
type Ends = {
  /** If all emails were sent. It may run twice; otherwise a network error would send all of them again. */
  readonly sent: Statement
  /** For the batch that enqueues the failed ones. It is refused if the lease was lost. */
  readonly posted: (emailIds: readonly string[]) => readonly Statement[]
  /** What goes before either of them. */
  readonly before?: readonly Statement[]
}

/**
 * Sends the emails of a leased event or reminder, except to `rateLimited` recipients, and ends the lease. Failed emails are
 * enqueued and retried like all others. If this process dies in between, the next one claims the event again.
 */
export async function sendAtOnce(
  env: Env,
  db: Db,
  tenant: Tenant,
  { kind, subjectId, occasion, to, write }: Mailing,
  rateLimited: readonly string[],
  ends: Ends,
  now: RealMs,
  sender: EmailSender = bindingSender(env.EMAIL, env.EMAIL_FROM),
): Promise<void> {
  const sent = to
    .filter(({ id }) => !rateLimited.includes(id))
    .map(async ({ id, email }) => {
      try {
        const email = await write(id)
        if (email) await sender.send(email)
        return []
      } catch (error) {
        const address = mailboxOf(email)
        const letter = { id: newId(tenant.organizationId), recipientId: id, recipient: email, address }
        const failure = await reportFailure(env, db, tenant, error, now)
        return [{ ...letter, isCounted: false, lastError: whyOf(error), failure }]
      }
    })
  const failed = (await Promise.all(sent)).flat()
  const { before = [] } = ends
  if (failed.length === 0) {
    await onceMore(() => commitBatch(db, [...before, ends.sent]))
    return
  }
  const ended = failed.filter(({ failure }) => failure === 'final')
  const tried = { kind, attempts: 1, createdAt: now }
  const left = failed.filter(({ failure }) => failure !== 'final')
  const retryInSeconds = Math.max(
    ...left.map(({ failure }) => secondsToNextAttempt(tried, failure, now)!),
    retrySeconds('email', 1)!,
  )
  const about = { kind, subjectId, occasion: occasion ?? null, onceKey: null }
  const letters = failed.map(({ failure: _, ...letter }) => letter)
  const posted = { ...about, letters, secondTryAt: now + retryInSeconds * 1000 }
  try {
    const leased = ends.posted(failed.map(({ id }) => id))
    const given = ended.map(({ id }) => giveUpEmail(db, id))
    await commitBatch(db, [...before, ...insertEmails(db, tenant, posted, now), ...given, ...leased])
  } catch (error) {
    // Another process sent them, or the person was erased.
    if (fenceOf(error) === 'STALE') return
    throw error
  }
  const messages = left.map(({ id }) => ({ type: 'email', emailId: id }) as const)
  await wakeQueueLater(env, retryInSeconds, messages)
}
