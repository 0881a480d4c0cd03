import type { Env } from '../../env.ts'
import { uncounted } from '../../platform/db/deadline.ts'
import { send } from '../../platform/transport/fetch.ts'
import { ANSWER_MS, postWebhook, type Reply, type WebhookMessage } from './post/post-webhook.ts'

/** Asks a receiver while a request waits. Its ten seconds do not count toward the request's time limit. */
export function askReceiver(env: Env, message: WebhookMessage, maxBytes: number): Promise<Reply> {
  return uncounted(env, ANSWER_MS, () => postWebhook(message, maxBytes, send))
}
