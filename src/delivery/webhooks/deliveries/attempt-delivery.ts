import type { Env } from '../../../env.ts'
import { commitBatch, openDb } from '../../../platform/db/client.ts'
import { type RealMs, realNow } from '../../../platform/limits/clock.ts'
import { noteOrganization } from '../../../platform/log/tally.ts'
import { type DeliveryMessage, wakeDeliveries } from '../../../platform/queue/messages.ts'
import { mostAttempts, scatteredRetryAt } from '../../../platform/queue/retry-schedules.ts'
import { send } from '../../../platform/transport/fetch.ts'
import { postWebhook, type Reply } from '../post/post-webhook.ts'
import { signingSecrets } from '../signing-secrets.ts'
import { dueAt } from './lease.ts'
import type { DeliveryRow, EndpointRow, Receiver } from './queries.ts'
import {
  type AttemptResult,
  claimAttempt,
  type EndpointEffect,
  failUntaken,
  settleAttempt,
} from './queries.ts'

const KEPT_BODY_BYTES = 1024
const GONE = 410

/**
 * Claims the attempt of a message. Returns the work, which must not block the queue; null if the attempt was already made,
 * is not due yet, or has nothing left to send.
 */
export async function beginAttempt(
  env: Env,
  { deliveryId, attempt }: DeliveryMessage,
  now: RealMs,
): Promise<((own?: Env) => Promise<void>) | null> {
  const db = openDb(env, 'decide')
  if (attempt > mostAttempts('delivery')) {
    // The process died in the last attempt.
    await commitBatch(db, [failUntaken(db, deliveryId, attempt)])
    return null
  }
  const { delivery, endpoint, isTaken } = await claimAttempt(db, deliveryId, attempt, now)
  if (delivery?.status !== 'pending' || delivery.attempts !== attempt - 1) return null
  const receiver = endpoint && isListening(endpoint) ? endpoint : null
  if (isTaken) return (own = env) => makeAttempt(own, delivery, attempt, receiver, endpoint === null)
  const waitMs = dueAt(delivery)! - now
  // If it is due but was not claimed, its organization is moving. The sweep continues after the move.
  if (waitMs > 0) await putBack(env, deliveryId, attempt, waitMs)
  return null
}

async function makeAttempt(
  env: Env,
  delivery: DeliveryRow,
  attempt: number,
  receiver: Receiver | null,
  isDeleted: boolean,
): Promise<void> {
  await storeOutcome(env, delivery, attempt, await callReceiver(env, delivery, attempt, receiver, isDeleted))
}

/** What an attempt came to. */
export type Outcome = { readonly result: AttemptResult; readonly effect: EndpointEffect }

/** Makes an attempt and stores nothing of it. */
export async function callReceiver(
  env: Env,
  delivery: DeliveryRow,
  attempt: number,
  receiver: Receiver | null,
  isDeleted = false,
): Promise<Outcome> {
  noteOrganization(env, delivery.organizationId)
  const reply = receiver && (await post(env, delivery, receiver))
  const next = isDeleted ? null : scatteredRetryAt('delivery', attempt, realNow(), Math.random())
  return judge(delivery, reply, next)
}

/** Stores what an attempt of a delivery came to, and enqueues the next one. */
export async function storeOutcome(
  env: Env,
  delivery: DeliveryRow,
  attempt: number,
  { result, effect }: Outcome,
): Promise<void> {
  const db = openDb(env, 'decide')
  const now = realNow()
  await commitBatch(db, settleAttempt(db, delivery, attempt, result, effect, now))
  if (result.nextRetryAt !== null) await putBack(env, delivery.id, attempt + 1, result.nextRetryAt - now)
}

/** A delivery that is due while its endpoint is inactive is skipped: nothing is sent, and its schedule continues. */
function isListening({ active, verificationStatus, suspendedAt }: EndpointRow): boolean {
  return active && verificationStatus === 'verified' && suspendedAt === null
}

async function post(env: Env, delivery: DeliveryRow, receiver: Receiver): Promise<Reply> {
  const now = realNow()
  const message = {
    url: receiver.url,
    secrets: await signingSecrets(env, receiver, now),
    id: delivery.eventId,
    timestampSeconds: Math.floor(now / 1000),
    body: delivery.payload,
  }
  return postWebhook(message, KEPT_BODY_BYTES, send)
}

function judge(before: DeliveryRow, reply: Reply | null, next: number | null): Outcome {
  const isAnswered = reply?.kind === 'answered'
  const response =
    reply === null
      ? { responseStatusCode: before.responseStatusCode, responseBody: before.responseBody }
      : {
          responseStatusCode: isAnswered ? reply.status : null,
          // Databases that end a text at the first NUL would lose the rest.
          responseBody: isAnswered ? reply.body.replaceAll('\0', '\u{fffd}') : null,
        }
  if (isAnswered && reply.status >= 200 && reply.status < 300) {
    return { result: { status: 'success', ...response, nextRetryAt: null }, effect: 'arrived' }
  }
  if (isAnswered && reply.status === GONE) {
    return { result: { status: 'failed', ...response, nextRetryAt: null }, effect: 'gone' }
  }
  if (next === null) {
    const effect = reply === null ? 'none' : 'failed'
    return { result: { status: 'failed', ...response, nextRetryAt: null }, effect }
  }
  return { result: { status: 'pending', ...response, nextRetryAt: next }, effect: 'none' }
}

async function putBack(env: Env, deliveryId: string, attempt: number, waitMs: number): Promise<void> {
  await wakeDeliveries(env, [{ type: 'delivery', deliveryId, attempt }], Math.ceil(waitMs / 1000))
}

/** If a message fails in all its attempts, the delivery is marked as failed. */
export async function failDeadDelivery(env: Env, { deliveryId, attempt }: DeliveryMessage): Promise<void> {
  const db = openDb(env, 'decide')
  await commitBatch(db, [failUntaken(db, deliveryId, attempt)])
}
