import { uncounted } from '../../db/deadline.ts'
import type { Env } from '../../env.ts'
import { send } from '../../providers/transport/fetch.ts'
import {
  ANSWER_MS,
  postWebhook,
  type Reply,
  type WebhookMessage,
} from '../../providers/webhook/post-webhook.ts'

/** What a receiver answers to a request that waits for it. The ten seconds that it may take are not the request's. */
export function askReceiver(env: Env, message: WebhookMessage, maxBytes: number): Promise<Reply> {
  return uncounted(env, ANSWER_MS, () => postWebhook(message, maxBytes, send))
}
