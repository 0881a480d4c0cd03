import { remind } from '../../booking/bookings/reminders/remind.ts'
import { sendText } from '../../booking/text-messages/send-text.ts'
import { askAccount } from '../../calendars/accounts/ask-account.ts'
import { makeMeeting } from '../../calendars/meetings/make-meeting.ts'
import { writeToCalendar } from '../../calendars/writes/write-to-calendar.ts'
import { emailWriter } from '../../delivery/emails/write-email.ts'
import { beginAttempt, failDeadDelivery } from '../../delivery/webhooks/deliveries/attempt-delivery.ts'
import { FirstAttempts } from '../../delivery/webhooks/deliveries/first-attempts.ts'
import type { Env } from '../../env.ts'
import { settleRefund } from '../../money/payments/refunds/settle-refund.ts'
import { settlePayment } from '../../money/payments/settle-payment.ts'
import { sendPlanNotice } from '../../money/plan-notices/send-plan-notice.ts'
import { markUnhandled } from '../../outbox/events/queries.ts'
import { sendEmail } from '../../outbox/mail/send-email.ts'
import { bareError } from '../../platform/db/bare-error.ts'
import { type Db, openDb, openSharedDb } from '../../platform/db/client.ts'
import { shardOf } from '../../platform/db/ids.ts'
import { inShard } from '../../platform/db/shards.ts'
import { realNow } from '../../platform/limits/clock.ts'
import { tallied } from '../../platform/log/tally.ts'
import { writeLine } from '../../platform/log/write-line.ts'
import { type DeliveryMessage, type Message, subjectOf } from '../../platform/queue/messages.ts'
import { pauseSeconds } from '../../platform/queue/retry-schedules.ts'
import { handleEvent } from './handle-event.ts'

type AnyMessage = Message | DeliveryMessage

/** Limit of messages handled at a time, because what each of them needs, above all the text of an email, is in memory. */
const TOGETHER = 8

/** A kind that is unknown here may be a newer release's, which was rolled back and may be there again by then. */
const UNKNOWN_SECONDS = 3_600

/** Messages that failed in all their tries end up in a queue with this suffix. */
const DEAD = /-dead$/

/** Each message is acknowledged separately, so a failing one delays no other. */
export async function consume(
  batch: MessageBatch<AnyMessage>,
  env: Env,
  ctx: Pick<ExecutionContext, 'waitUntil'>,
): Promise<void> {
  const began = Date.now()
  const isDead = DEAD.test(batch.queue)
  const own = tallied(env)
  const attempts = new FirstAttempts((message, home, work) => inBackground(message, home, work, ctx))
  const byShard = Map.groupBy(batch.messages, ({ body }) => shardOf(subjectOf(body)))
  // A database that does not answer keeps only its own waiting.
  const inShards = [...byShard].map(([shard, messages]) => {
    const home = inShard(own, shard)
    const db = openSharedDb(home)
    const waiting = messages.values()
    const inTurn = async () => {
      for (const message of waiting) await consumeOne(message, isDead, { env: home, db, ctx, attempts })
    }
    return Array.from({ length: TOGETHER }, inTurn)
  })
  await Promise.all(inShards.flat())
  writeLine(env, own.tally, began, { event: 'queue', queue: batch.queue, messages: batch.messages.length })
}

/** What the messages of a batch share that are about one database. */
type Shared = {
  readonly env: Env
  readonly db: Db
  readonly ctx: Pick<ExecutionContext, 'waitUntil'>
  readonly attempts: FirstAttempts
}

async function consumeOne(
  message: MessageBatch<AnyMessage>['messages'][number],
  isDead: boolean,
  shared: Shared,
): Promise<void> {
  const { body, attempts } = message
  try {
    const retryInSeconds = isDead ? await bury(body, shared.env) : await handle(body, shared)
    if (retryInSeconds === null) message.ack()
    else message.retry({ delaySeconds: retryInSeconds })
  } catch (error) {
    logFailure(body, attempts, error)
    message.retry({ delaySeconds: pauseSeconds('message', attempts) })
  }
}

/** Seconds until the next try; null when the message is done. */
async function handle(message: AnyMessage, { env, db, ctx, attempts }: Shared): Promise<number | null> {
  switch (message.type) {
    case 'event':
      return (await handleEvent(env, message.eventId, realNow(), db, attempts))?.retryInSeconds ?? null
    case 'email':
      return (await sendEmail(env, message.emailId, emailWriter, realNow()))?.retryInSeconds ?? null
    case 'text':
      inBackground(message, env, (own) => sendText(own, message.textId, realNow()), ctx)
      return null
    case 'reminder':
      await remind(env, db, message, realNow())
      return null
    case 'calendar':
      inBackground(message, env, () => askAccount(env, message.accountId).sync(message), ctx)
      return null
    case 'calendar-channel':
      inBackground(
        message,
        env,
        () => askAccount(env, message.accountId).keepChannel(message.connectionId),
        ctx,
      )
      return null
    case 'payment':
      return settlePayment(env, message.paymentId, realNow())
    case 'refund':
      return settleRefund(env, message.refundId, realNow())
    case 'plan-notice':
      await sendPlanNotice(env, db, message, realNow())
      return null
    case 'calendar-write':
      inBackground(message, env, (own) => writeToCalendar(own, message), ctx)
      return null
    case 'meeting':
      inBackground(message, env, (own) => makeMeeting(own, message.holderId), ctx)
      return null
    case 'delivery': {
      const attempt = await beginAttempt(env, message, realNow())
      // A receiver may take ten seconds. The attempt is taken, so the queue need not wait for its end: if the
      // process dies in it, the sweep finds it.
      if (attempt) inBackground(message, env, attempt, ctx, message.attempt)
      return null
    }
    default:
      message satisfies never
      console.error(JSON.stringify({ queue: 'unknown', message }))
      return UNKNOWN_SECONDS
  }
}

/** A slow provider keeps no other message waiting: what is claimed by a process that dies is found by the sweep. */
function inBackground(
  message: AnyMessage,
  env: Env,
  work: (own: Env) => Promise<void>,
  ctx: Pick<ExecutionContext, 'waitUntil'>,
  attempt = 1,
): void {
  const began = Date.now()
  const own = tallied(env)
  const tell = () => writeLine(env, own.tally, began, { event: 'work', work: message.type, attempt })
  ctx.waitUntil(
    work(own)
      .catch((error) => logFailure(message, attempt, error))
      .finally(tell),
  )
}

/**
 * Drops the message, not its work: the next sweep enqueues an event again, and everything else has its own due time. The log
 * notifies the operator.
 */
async function bury(message: AnyMessage, env: Env): Promise<null> {
  console.error(JSON.stringify({ queue: 'dead', message }))
  if (message.type === 'delivery') await failDeadDelivery(env, message)
  if (message.type === 'event') await markUnhandled(openDb(env, 'decide'), message.eventId)
  return null
}

/** A message is ids and nothing else. */
function logFailure(message: AnyMessage, attempts: number, error: unknown): void {
  console.error(JSON.stringify({ queue: message.type, attempts, message, cause: bareError(error).stack }))
}
