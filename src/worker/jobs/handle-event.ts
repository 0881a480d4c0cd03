import { isEmailedKind } from '../../booking/bookings/email-recipients.ts'
import { spreadToCoHosts } from '../../booking/bookings/follow-ups/statements.ts'
import { keepWords as addWords, endsRound } from '../../booking/bookings/search/keep-words.ts'
import { takeAlong } from '../../booking/event-types/place-changes/take-along.ts'
import { textsOf } from '../../booking/text-messages/plan-texts.ts'
import { guardUnlinked } from '../../calendars/meetings/queries.ts'
import { MINUTE_MS } from '../../core/time-units.ts'
import { asksToPay, eventMailing, newsOf } from '../../delivery/emails/event-emails.ts'
import { selectTogether, selectUnhandledEvent } from '../../delivery/emails/queries.ts'
import { claimEvent, noteHeldBack } from '../../delivery/emails/statements.ts'
import { type AnswerOf, fanOut } from '../../delivery/webhooks/deliveries/fan-out.ts'
import type { FirstAttempts } from '../../delivery/webhooks/deliveries/first-attempts.ts'
import type { Env } from '../../env.ts'
import { paymentNotices } from '../../money/payments/payment-notices.ts'
import { endClaim, guardToHandle, markHandled } from '../../outbox/events/statements.ts'
import { enqueueMailing } from '../../outbox/mail/enqueue-email.ts'
import type { Enqueued } from '../../outbox/mail/enqueued.ts'
import { isSentAtOnce, sendAtOnce } from '../../outbox/mail/send-at-once.ts'
import { countCaused } from '../../outbox/mail/statements.ts'
import { bareError } from '../../platform/db/bare-error.ts'
import { commitBatch, type Db, openDb, type Statement } from '../../platform/db/client.ts'
import { leaseAt } from '../../platform/db/leases.ts'
import { claimedUntil } from '../../platform/db/noted-emails.ts'
import { fenceOf } from '../../platform/db/refusals.ts'
import type { EventRow } from '../../platform/db/schema/records.ts'
import { type RealMs, realNow } from '../../platform/limits/clock.ts'
import { wakeQueue } from '../../platform/queue/messages.ts'
import {
  bringAboutLink,
  isAwaited,
  LINK_PATIENCE_MS,
  LINK_RETRY_SECONDS,
  linkOf,
  mayGetLink,
} from './await-link.ts'

/**
 * Starts everything that follows from a committed event, once, however often the queue delivers it. Callers that handle several
 * events at a time share one database.
 */
export async function handleEvent(
  env: Env,
  eventId: string,
  now: RealMs = realNow(),
  db: Db = openDb(env, 'decide'),
  attempts: FirstAttempts | null = null,
  tries = 1,
): Promise<{ readonly retryInSeconds: number } | null> {
  const [found] = await selectUnhandledEvent(db, eventId, now)
  if (!found) return null
  const { event, listeners, dueMeetings, dueNotice } = found
  const claimed = claimedUntil(found)
  // If that process dies, the sweep enqueues the event again.
  if (claimed !== null && claimed > now) return null
  // The event stays unhandled until they are committed, so the sweep retries after a crash.
  if (tries === 1 && event.previous?.follows) await takeAlong(env, event, event.previous.follows, now)
  if (tries === 1 && endsRound(event.sequence)) await keepWords(env, db, event)

  const dueWrites = [...found.dueWrites, ...(await spreadWrites(db, found))]
  const tellOthers = () =>
    wakeQueue(
      env,
      ...dueMeetings.map((holderId) => ({ type: 'meeting', holderId }) as const),
      ...dueWrites.map((key) => ({ type: 'calendar-write', ...key }) as const),
      ...(dueNotice === null
        ? []
        : [{ type: 'plan-notice', organizationId: event.organizationId, month: dueNotice } as const]),
    )
  let link = event.kind === 'booking.cancelled' ? null : linkOf(found)
  if (link && isAwaited(link) && isEmailedKind(event.kind)) {
    // Only the emails wait for the link.
    if (!(await fanOutFirst(env, db, event, listeners, attempts, now))) return null
    link = (await bringAboutLink(env, db, eventId, link)) ?? null
    if (link && isAwaited(link) && now - event.createdAt < LINK_PATIENCE_MS) {
      await tellOthers()
      return { retryInSeconds: LINK_RETRY_SECONDS }
    }
  }

  const ids = event.previous?.series_bookings
  const together = ids ? await selectTogether(db, ids) : null
  // The email about a series has the links of all its bookings, whose own events bring them about.
  if (together && awaitsLinks(event, link, together) && now - event.createdAt < LINK_PATIENCE_MS) {
    return { retryInSeconds: LINK_RETRY_SECONDS }
  }

  if (waitsForIntent(found)) {
    if (!(await fanOutFirst(env, db, event, listeners, attempts, now))) return null
    await tellOthers()
    // After that, the job that creates the link enqueues the event again, or else the sweep does.
    return now - event.createdAt < INTENT_PATIENCE_MS ? { retryInSeconds: INTENT_RETRY_SECONDS } : null
  }

  // The recipients whom its first claim left out get no email from a later one either.
  const heldBack = event.heldBack ?? (claimed === null ? null : [])
  const news = newsOf(
    { ...found, event: { ...event, heldBack } },
    link ? link.url : found.conferencingUrl,
    together,
  )
  const mailing = news && eventMailing(env, news, now)
  const payment = await paymentNotices(env, db, event, now)
  const isAtOnce = mailing !== null && isSentAtOnce(event, mailing)
  const webhooks = await fanOut(env, db, event, listeners, attempts, now, isAtOnce)
  const texts = textsOf(db, event, found)
  const others = [...payment.statements, ...webhooks.statements, ...texts]
  const announce = (answerOf: AnswerOf) =>
    Promise.all([payment.announce(), webhooks.announce(answerOf), tellOthers()])

  // Another event of the same booking may have been counted in between.
  const again = () => {
    webhooks.end()
    if (tries === MOST_TRIES) return { retryInSeconds: LINK_RETRY_SECONDS }
    return handleEvent(env, eventId, now, db, attempts, tries + 1)
  }

  try {
    if (news && mailing && isAtOnce) {
      const claim = claimEvent(db, found, mailing, leaseAt('email', now))
      const counts = countCaused(db, event, mailing.caused, now)
      // A link created from now on gets an email of its own.
      const guards = link && mayGetLink(link) ? [guardUnlinked(db, eventId)] : []
      const answerOf = await commitUnlessTaken(db, [...claim.statements, ...counts, ...others, ...guards])
      if (answerOf === 'taken' && counts.length > 0) return await again()
      if (answerOf === 'taken') return guards.length > 0 ? { retryInSeconds: LINK_RETRY_SECONDS } : null
      await announce(answerOf)
      // A lost answer: the sweep finds it when the claim has ended.
      if (answerOf === LOST) return null
      const [kept] = (claim.heldBack ? answerOf(claim.heldBack) : []) as readonly Pick<EventRow, 'heldBack'>[]
      const leftOut = kept?.heldBack ?? heldBack ?? []
      const ends = {
        sent: endClaim(db, eventId, now),
        posted: () => markHandled(db, eventId, now),
        // Before the emails are sent: a receiver knows a webhook that comes twice, an invitee does not.
        before: await webhooks.results(),
      }
      const { write } = eventMailing(env, { ...news, heldBack: leftOut }, now)
      await sendAtOnce(env, db, event, { ...mailing, write }, leftOut, ends, now)
      return null
    }

    const letters = mailing ? await enqueueMailing(env, db, event, mailing, now) : NO_EMAILS
    const counts = countCaused(db, event, mailing?.caused ?? null, now)
    const answerOf = await commitUnlessTaken(db, [
      ...markHandled(db, eventId, now),
      ...counts,
      ...letters.statements,
      ...noteHeldBack(db, eventId, mailing?.leftOut ?? []),
      ...others,
    ])
    if (answerOf === 'taken') return counts.length > 0 ? await again() : null
    await announce(answerOf)
    await letters.announce()
    return null
  } finally {
    webhooks.end()
  }
}

async function spreadWrites(db: Db, { spreads, bookingId }: Found): Promise<Found['dueWrites']> {
  if (spreads === null || bookingId === null) return []
  // A lost answer loses no write, because the sweep finds it.
  const made = await commitBatch(db, [spreadToCoHosts(db, bookingId, spreads === 'again')])
  return (made?.[0] ?? []) as Found['dueWrites']
}

/** What is not done now, the next search does. */
async function keepWords(env: Env, db: Db, { organizationId, isTest }: EventRow): Promise<void> {
  try {
    await addWords(env, db, { organizationId, isTest })
  } catch (error) {
    console.error(JSON.stringify({ event: 'words', cause: bareError(error).stack }))
  }
}

/** How often an event is looked at again at once. */
const MOST_TRIES = 8

/** For so long the message of a new booking that is to be paid comes back until the provider has made what is paid. */
const INTENT_PATIENCE_MS = MINUTE_MS
const INTENT_RETRY_SECONDS = 5

type Found = Awaited<ReturnType<typeof selectUnhandledEvent>>[number]

type Together = Awaited<ReturnType<typeof selectTogether>>

/** Whether the link of this booking was made, and that of another one was not yet. */
function awaitsLinks({ kind }: Found['event'], link: ReturnType<typeof linkOf>, together: Together): boolean {
  const isMade = link !== null && link.url !== null && (link.meetingUrl ?? link.joinUrl) === link.url
  if (!isMade || !isEmailedKind(kind)) return false
  return together.some(({ booking }) => booking.status === 'confirmed' && booking.conferencingUrl === null)
}

function waitsForIntent({ event, ...facts }: Found): boolean {
  return (
    facts.intentId === null &&
    asksToPay({ ...facts, kind: event.kind, data: event.data, previous: event.previous })
  )
}

const NO_EMAILS: Enqueued = { statements: [], messages: [], announce: async () => {} }

/** The webhooks need not wait. Whether they went out: not where the event is handled already. */
async function fanOutFirst(
  ...[env, db, event, listeners, attempts, now]: Parameters<typeof fanOut>
): Promise<boolean> {
  const first = await fanOut(env, db, event, listeners, attempts, now)
  try {
    if (first.statements.length === 0) return true
    const answerOf = await commitUnlessTaken(db, [guardToHandle(db, event.id), ...first.statements])
    if (answerOf === 'taken') return false
    await first.announce(answerOf)
    return true
  } finally {
    first.end()
  }
}

/** Where the answers were lost. */
const LOST: AnswerOf = () => []

/** What each statement answered, or that another message of the same event was faster. */
async function commitUnlessTaken(db: Db, statements: readonly Statement[]): Promise<AnswerOf | 'taken'> {
  try {
    const answers = (await commitBatch(db, statements)) as readonly (readonly unknown[])[] | null
    return answers ? (statement) => answers[statements.indexOf(statement)]! : LOST
  } catch (error) {
    if (fenceOf(error) === 'STALE') return 'taken'
    throw error
  }
}
