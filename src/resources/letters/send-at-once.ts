import { commitBatch, type Db } from '../../db/client.ts'
import { newId } from '../../db/ids.ts'
import { leaseAt } from '../../db/leases.ts'
import { fenceOf } from '../../db/refusals.ts'
import type { EventRow } from '../../db/schema/records.ts'
import type { Env } from '../../env.ts'
import type { RealMs } from '../../limits/clock.ts'
import { bindingSender, type EmailSender } from '../../providers/email/email-sender.ts'
import { tellQueueLater } from '../../queue/messages.ts'
import { retrySeconds } from '../../queue/retry-schedules.ts'
import { endClaim, markHandled } from '../events/statements.ts'
import { mailboxOf } from '../mail/mailbox.ts'
import type { Mailing } from '../mail/post-letter.ts'
import { whyOf } from '../mail/send-letter.ts'
import { insertLetters } from '../mail/statements.ts'
import { claimEvent } from './queries.ts'

/** Letters to more people than that are left to the queue, which sends each by itself. */
const SENT_AT_ONCE = 6

/** Whether whoever handles an event sends its letters, without a row for each of them. */
export function isSentAtOnce(event: EventRow, { to }: Mailing): boolean {
  return !event.isTest && to.length > 0 && to.length <= SENT_AT_ONCE
}

/** Takes the event for as long as sending its letters can take. */
export function claimToSend(db: Db, event: EventRow, { to }: Mailing, now: RealMs) {
  const counted = to.filter(({ isMember }) => !isMember)
  const letters = counted.map(({ id, email }) => ({ id, address: mailboxOf(email) }))
  return claimEvent(db, event, letters, leaseAt('letter', now))
}

/**
 * Sends the letters of an event that is claimed for it, but for those `heldBack`, and marks it as handled. What fails is
 * posted, to be tried again like any other letter. Where this ends in between, the next one takes the event.
 */
export async function sendAtOnce(
  env: Env,
  db: Db,
  event: EventRow,
  { kind, subjectId, to, write }: Mailing,
  heldBack: readonly string[],
  now: RealMs,
  sender: EmailSender = bindingSender(env.EMAIL, env.EMAIL_FROM),
): Promise<void> {
  const sent = to
    .filter(({ id }) => !heldBack.includes(id))
    .map(async ({ id, email }) => {
      try {
        await sender.send(await write(id))
        return []
      } catch (error) {
        const address = mailboxOf(email)
        const letter = { id: newId(event.organizationId), recipientId: id, recipient: email, address }
        return [{ ...letter, isCounted: false, lastError: whyOf(error) }]
      }
    })
  const failed = (await Promise.all(sent)).flat()
  if (failed.length === 0) {
    await commitBatch(db, [endClaim(db, event.id, now)])
    return
  }
  const retryInSeconds = retrySeconds('letter', 1)!
  const about = { kind, subjectId, occasion: null, onceKey: null }
  const posted = { ...about, letters: failed, secondTryAt: now + retryInSeconds * 1000 }
  try {
    await commitBatch(db, [...markHandled(db, event.id, now), ...insertLetters(db, event, posted, now)])
  } catch (error) {
    // Somebody else handled it, or whom it is about was erased.
    if (fenceOf(error) === 'STALE') return
    throw error
  }
  const messages = failed.map(({ id }) => ({ type: 'letter', letterId: id }) as const)
  await tellQueueLater(env, retryInSeconds, messages)
}
