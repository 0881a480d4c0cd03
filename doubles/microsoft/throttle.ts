import { setTimeout } from 'node:timers'
import type { Reply } from '../world.ts'
import { Refusal } from './graph-reply.ts'
import type { Account, State } from './state.ts'

/**
 * Of one app in one mailbox: four calls under way at the same time and 10,000 in ten minutes.
 * learn.microsoft.com/graph/throttling-limits (Outlook service limits), …/throttling (shape, fractions of a second in
 * `Retry-After`); magodo/terraform-provider-outlook#21, alcionai/corso#3695 (`ApplicationThrottled`)
 */
const CONCURRENT_REQUESTS = 4
const WINDOW_MS = 600_000

export async function withinLimits(
  state: State,
  account: Account,
  answer: () => Reply | Promise<Reply>,
): Promise<Reply> {
  const { requestsPerTenMinutes, retryAfter, answerMs } = state.settings
  const nowMs = state.frame.now()
  while (account.requestTimes.length > 0 && account.requestTimes[0]! <= nowMs - WINDOW_MS)
    account.requestTimes.shift()
  account.requestTimes.push(nowMs)
  if (account.requestTimes.length > requestsPerTenMinutes) {
    throw new Refusal(429, 'TooManyRequests', 'Please retry again later.', { 'Retry-After': retryAfter })
  }
  if (account.inFlight >= CONCURRENT_REQUESTS) {
    throw new Refusal(429, 'ApplicationThrottled', 'Application is over its MailboxConcurrency limit.', {
      'Retry-After': retryAfter,
    })
  }
  account.inFlight += 1
  try {
    if (answerMs > 0) await new Promise<void>((done) => setTimeout(done, answerMs))
    return await answer()
  } finally {
    account.inFlight -= 1
  }
}

/** learn.microsoft.com/graph/errors; an empty message with 504, as microsoftgraph/microsoft-graph-docs#6499 shows it. */
export function needService({ settings }: State): void {
  const headers = { 'Retry-After': settings.retryAfter }
  if (settings.serviceState === 'unavailable') {
    throw new Refusal(
      503,
      'serviceNotAvailable',
      'The service is temporarily unavailable. Please retry later.',
      headers,
    )
  }
  if (settings.serviceState === 'gatewayTimeout') throw new Refusal(504, 'UnknownError', '', headers)
}
