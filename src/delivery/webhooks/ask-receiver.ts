import type { Env } from '../../env.ts'
import { uncounted } from '../../platform/db/deadline.ts'
import { send } from '../../platform/transport/fetch.ts'
import { ANSWER_MS, postWebhook, type Reply, type WebhookMessage } from './post/post-webhook.ts'

/** What a receiver answers to a request that waits for it. The ten seconds that it may take are not the request's. */
export function askReceiver(env: Env, message: WebhookMessage, maxBytes: number): Promise<Reply> {
  return uncounted(env, ANSWER_MS, () => postWebhook(message, maxBytes, send))
}
