import type { Env } from '../../env.ts'

/** What travels through the queue: ids only. The consumer asks the database what is true now. */
export type Message =
  | { readonly type: 'event'; readonly eventId: string }
  | { readonly type: 'email'; readonly emailId: string }
  /** Asks for the reminders of a booking that were due by then; a late message finds that they were taken. */
  | { readonly type: 'reminder'; readonly bookingId: string; readonly dueBy: number }
  | { readonly type: 'text'; readonly textId: string }
  | { readonly type: 'calendar-write'; readonly holderId: string; readonly connectionId: string }
  | { readonly type: 'meeting'; readonly holderId: string }
  /** Asks for a sync, unless there was one since then. */
  | {
      readonly type: 'calendar'
      readonly accountId: string
      readonly connectionId: string
      readonly since: number
      /** Whether the calendar contradicted what is known of it. */
      readonly isThorough?: boolean
    }
  /** Requests that the notification channels of a calendar are opened, renewed or ended, as they should be by then. */
  | { readonly type: 'calendar-channel'; readonly accountId: string; readonly connectionId: string }
  | { readonly type: 'payment'; readonly paymentId: string }
  | { readonly type: 'refund'; readonly refundId: string }
  /** Asks for the email about the used share of the plan's month. */
  | { readonly type: 'plan-notice'; readonly organizationId: string; readonly month: string }

/** Asks for one attempt, counted from 1; a late message finds that it was made. */
export type DeliveryMessage = {
  readonly type: 'delivery'
  readonly deliveryId: string
  readonly attempt: number
}

/** A release that was rolled back may have left messages of a kind that this one does not know. */
const OF_NOTHING = ''

/** The id of what a message is about. */
export function subjectOf(message: Message | DeliveryMessage): string {
  switch (message.type) {
    case 'event':
      return message.eventId
    case 'email':
      return message.emailId
    case 'text':
      return message.textId
    case 'reminder':
      return message.bookingId
    case 'calendar-write':
    case 'meeting':
      return message.holderId
    case 'calendar':
    case 'calendar-channel':
      return message.accountId
    case 'payment':
      return message.paymentId
    case 'refund':
      return message.refundId
    case 'plan-notice':
      return message.organizationId
    case 'delivery':
      return message.deliveryId
    default:
      message satisfies never
      return OF_NOTHING
  }
}

const MAX_BATCH = 100
/** No queue delays a message longer; one that must wait longer is put back when it arrives. */
const MAX_DELAY_SECONDS = 43_200

/** Enqueues what was committed. It never fails: the sweep finds what is missing in the queue. */
export async function wakeQueue(env: Env, ...messages: readonly Message[]): Promise<void> {
  await sendAll(env.EVENTS, messages)
}

/** The same, so that it arrives after a while. */
export async function wakeQueueLater(
  env: Env,
  delaySeconds: number,
  messages: readonly Message[],
): Promise<void> {
  await sendAll(env.EVENTS, messages, delaySeconds)
}

/** The same for deliveries, which have a queue of their own so that nothing waits behind them. */
export async function wakeDeliveries(
  env: Env,
  messages: readonly DeliveryMessage[],
  delaySeconds = 0,
): Promise<void> {
  await sendAll(env.WEBHOOKS, messages, Math.min(delaySeconds, MAX_DELAY_SECONDS))
}

/** Whether the queue took all of them. It never fails. */
export async function sendAll<T>(
  queue: Queue<T>,
  messages: readonly T[],
  delaySeconds = 0,
): Promise<boolean> {
  try {
    for (let at = 0; at < messages.length; at += MAX_BATCH) {
      const batch = messages.slice(at, at + MAX_BATCH).map((body) => ({ body }))
      await queue.sendBatch(batch, { delaySeconds })
    }
    return true
  } catch (error) {
    console.error(
      JSON.stringify({ queue: 'send', cause: error instanceof Error ? error.message : 'unknown' }),
    )
    return false
  }
}
