import type { Fetch } from '../../../platform/transport/fetch.ts'
import { readStart } from '../../../platform/transport/read-text.ts'
import { type SignedMessage, signatureHeaders } from './sign.ts'

/** The answer: a status and the start of the body, or why there was none. */
export type Reply =
  | { readonly kind: 'answered'; readonly status: number; readonly body: string }
  | { readonly kind: 'unanswered'; readonly reason: string }

export type WebhookMessage = SignedMessage & {
  readonly url: string
  /** Newest first; each of them signs. */
  readonly secrets: readonly [string, ...string[]]
}

/** How long a receiver may take to answer. */
export const ANSWER_MS = 10_000
const USER_AGENT = 'Holdfast-Webhooks/1.0'

/**
 * Sends one message and reads at most `maxBytes` of the answer. Redirects are not followed. It waits ten
 * seconds for the answer and no longer for its body, and never throws for what a receiver does.
 */
export async function postWebhook(message: WebhookMessage, maxBytes: number, send: Fetch): Promise<Reply> {
  const { url, secrets, body } = message
  const signal = AbortSignal.timeout(ANSWER_MS)
  try {
    const response = await send(url, {
      method: 'POST',
      redirect: 'manual',
      signal,
      headers: {
        'Content-Type': 'application/json',
        'User-Agent': USER_AGENT,
        ...(await signatureHeaders(message, secrets)),
      },
      body,
    })
    return { kind: 'answered', status: response.status, body: await readStart(response, maxBytes) }
  } catch {
    const reason = signal.aborted ? 'Did not answer within 10 seconds.' : 'Could not be reached.'
    return { kind: 'unanswered', reason }
  }
}
