import { commitBatch, type Db, openDb, type Statement } from '../db/client.ts'
import { leaseAt } from '../db/leases.ts'
import { fenceOf } from '../db/refusals.ts'
import type { Env } from '../env.ts'
import { tellQueue } from '../queue/messages.ts'
import { isToldByLetter } from '../resources/bookings/booking-letters.ts'
import { markHandled } from '../resources/events/queries.ts'
import { eventMailing, newsOf } from '../resources/letters/event-letters.ts'
import { selectUnhandledEvent } from '../resources/letters/queries.ts'
import { type Posting, postMailing } from '../resources/mail/post-letter.ts'
import { sendHeld } from '../resources/mail/send-letter.ts'
import { paymentNews } from '../resources/payments/payment-news.ts'
import { fanOut } from '../resources/webhooks/deliveries/fan-out.ts'
import { bringAboutLink, isAwaited, LINK_PATIENCE_MS, LINK_RETRY_SECONDS, linkOf } from './await-link.ts'

/** Letters to more people than that are left to the queue, which sends each by itself. */
const SENT_AT_ONCE = 4

/** Starts everything that follows from a committed event, once, however often the queue names the event. */
export async function handleEvent(
  env: Env,
  eventId: string,
  now: number = Date.now(),
): Promise<{ readonly retryInSeconds: number } | null> {
  const db = openDb(env, 'decide')
  const [found] = await selectUnhandledEvent(db, eventId, now)
  if (!found) return null
  const { event, listeners, dueMeetings, dueWrites } = found

  const tellOthers = () =>
    tellQueue(
      env,
      ...dueMeetings.map((holderId) => ({ type: 'meeting', holderId }) as const),
      ...dueWrites.map((key) => ({ type: 'calendar-write', ...key }) as const),
    )
  let link = event.kind === 'booking.cancelled' ? null : linkOf(found)
  if (link && isAwaited(link) && isToldByLetter(event.kind)) {
    // Only the letters wait for the link.
    const first = await fanOut(env, db, event, listeners, now)
    if (first.statements.length > 0) await commitBatch(db, first.statements)
    await first.announce()
    link = (await bringAboutLink(env, db, eventId, link)) ?? null
    if (link && isAwaited(link) && now - event.createdAt < LINK_PATIENCE_MS) {
      await tellOthers()
      return { retryInSeconds: LINK_RETRY_SECONDS }
    }
  }

  const news = newsOf(found, link ? link.url : found.conferencingUrl)
  const mailing = news && eventMailing(env, news)
  const isSentAtOnce = mailing !== null && !event.isTest && mailing.to.length <= SENT_AT_ONCE
  const heldUntil = isSentAtOnce ? leaseAt('letter', now).until : undefined
  const letters = mailing ? await postMailing(env, db, event, mailing, now, heldUntil) : NO_LETTERS
  const payment = await paymentNews(env, db, event, now)
  const webhooks = await fanOut(env, db, event, listeners, now)

  const statements = [
    ...markHandled(db, eventId, now),
    ...letters.statements,
    ...payment.statements,
    ...webhooks.statements,
  ]
  const told = await commitUnlessHandled(db, statements)
  if (told === 'handled') return null
  await Promise.all([payment.announce(), webhooks.announce(), tellOthers()])
  if (!isSentAtOnce) await letters.announce()
  else if (letters.inserts) {
    const held = (told?.[statements.indexOf(letters.inserts)] ?? []) as Awaited<typeof letters.inserts>
    const writing = held.map(({ id, recipientId }) => ({ id, write: () => mailing.write(recipientId!) }))
    await sendHeld(env, db, writing, now)
  }
  return null
}

const NO_LETTERS: Posting = { statements: [], messages: [], announce: async () => {} }

/** What each statement told, or that another message of the same event was faster. */
async function commitUnlessHandled(db: Db, statements: readonly Statement[]) {
  try {
    return await commitBatch(db, statements)
  } catch (error) {
    if (fenceOf(error) === 'STALE') return 'handled'
    throw error
  }
}
