import { commitBatch, openDb } from '../db/client.ts'
import type { Env } from '../env.ts'
import { tellQueue } from '../queue/messages.ts'
import { isToldByLetter } from '../resources/bookings/booking-letters.ts'
import { selectDueWritesOf } from '../resources/calendars/writes/queries.ts'
import { selectDueMeetingsOf, selectLink } from '../resources/conferencing/queries.ts'
import { markHandled, selectUnhandledEvent } from '../resources/events/queries.ts'
import { eventMailing, selectEventNews } from '../resources/letters/event-letters.ts'
import { postMailing } from '../resources/mail/post-letter.ts'
import { paymentNews } from '../resources/payments/payment-news.ts'
import { fanOut } from '../resources/webhooks/deliveries/fan-out.ts'
import { selectListeners } from '../resources/webhooks/deliveries/queries.ts'
import { bringAboutLink, isAwaited, LINK_PATIENCE_MS, LINK_RETRY_SECONDS } from './await-link.ts'

/** Starts everything that follows from a committed event, once, however often the queue names the event. */
export async function handleEvent(
  env: Env,
  eventId: string,
  now: number = Date.now(),
): Promise<{ readonly retryInSeconds: number } | null> {
  const db = openDb(env, 'decide')
  const [[event], listeners, [linkBefore], meetings, writes, [newsBefore]] = await db.batch([
    selectUnhandledEvent(db, eventId),
    selectListeners(db, eventId),
    selectLink(db, eventId),
    selectDueMeetingsOf(db, eventId, now),
    selectDueWritesOf(db, eventId, now),
    selectEventNews(db, eventId),
  ])
  if (!event) return null

  const tellOthers = () =>
    tellQueue(
      env,
      ...meetings.map(({ holderId }) => ({ type: 'meeting', holderId }) as const),
      ...writes.map((key) => ({ type: 'calendar-write', ...key }) as const),
    )
  let link = event.kind === 'booking.cancelled' ? undefined : linkBefore
  if (link && isAwaited(link) && isToldByLetter(event.kind)) {
    // Only the letters wait for the link.
    const first = await fanOut(env, db, event, listeners, now)
    if (first.statements.length > 0) await commitBatch(db, first.statements)
    await first.announce()
    link = await bringAboutLink(env, db, eventId, link)
    if (link && isAwaited(link) && now - event.createdAt < LINK_PATIENCE_MS) {
      await tellOthers()
      return { retryInSeconds: LINK_RETRY_SECONDS }
    }
  }

  const url = link?.url
  const news = newsBefore && url !== undefined ? { ...newsBefore, conferencingUrl: url } : newsBefore
  const letters = news ? [await postMailing(env, db, event, eventMailing(env, news), now)] : []
  const payment = await paymentNews(env, db, event, now)
  const webhooks = await fanOut(env, db, event, listeners, now)

  await commitBatch(db, [
    ...letters.flatMap(({ statements }) => statements),
    ...payment.statements,
    ...webhooks.statements,
    markHandled(db, eventId, now),
  ])

  await Promise.all([...letters, payment, webhooks].map(({ announce }) => announce()))
  await tellOthers()
  return null
}
